"""What is read before keywords are proposed: from each place by itself, so that none drowns another.

Of the core publications only those in use are read as such. One that is held out may stand among the most cited, the
newest or the nearest, as any other publication of the corpus does, and nothing tells it from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.errors import InputError, QueryscapeError
from core.text import words
from core.types import Publication
from core.writer.types import Brief, Depth, Reading, ReadingKind, topic_keyword
from data.workspace import Workspace
from data.writer.desk import WriterDesk
from data.writer.live import live_reading
from data.writer.nearness import nearest, nearness

SIZES: Mapping[Depth, int] = {"quick": 8, "usual": 16, "deep": 30}
"""Publications of one reading."""
MOST_NEAR = 600
"""Publications that have to do with the topic: the most cited and the newest are taken from these."""
CORPUS: tuple[ReadingKind, ...] = ("nearest", "most_cited", "newest")
"""Readings of the corpus, of any publications."""
MUCH = 0.25
"""Share of held-out core publications from which it is said how many they are."""
LIKE_THE_BEST = 60
"""Ranks that two rankings share are weighed as 1 / (60 + rank), which a few first places do not decide alone."""


def readings(
    workspace: Workspace,
    desk: WriterDesk,
    brief: Brief,
    *,
    live: str | None = None,
    supporting: Sequence[Publication] = (),
    search: Callable[..., Reading] = live_reading,
) -> tuple[Reading, ...]:
    """All that there is to read, as deep as the brief wants it; one that has nothing says why in its note.

    `live`: a source that may be searched, once and for little. `search`: what does that.
    """
    size = SIZES[brief.depth]
    corpus_ids = desk.desk.corpus.ids
    used = set(desk.split.used)
    known = {p.publication_id: p for p in workspace.publications(corpus_ids)}
    near = [i for i in _near(workspace, desk, brief) if i in known]
    pool, note = near[:MOST_NEAR], ""
    if not pool:
        pool = [i for i in corpus_ids if i in known]
        note = "No publication has to do with the topic's words: all of them count as near."
    found = [_core(desk, size)]
    read = {p.publication_id for p in found[0].publications} | used
    rank = {i: place for place, i in enumerate(pool)}

    def reading(kind: ReadingKind, ids: Sequence[str], why_none: str) -> Reading:
        ids = [i for i in ids if i not in read][:size]
        read.update(ids)
        return Reading(kind, tuple(known[i] for i in ids), note=note if ids else why_none)

    found.append(reading("nearest", near, "Nothing is near: no publication has a word of the topic."))
    cited = sorted((i for i in pool if known[i].times_cited), key=lambda i: (-(known[i].times_cited or 0), rank[i]))
    found.append(reading("most_cited", cited, "How often publications were cited is not known."))
    dated = sorted((i for i in pool if known[i].year), key=lambda i: (-(known[i].year or 0), rank[i]))
    found.append(reading("newest", dated, "No year is known."))
    if supporting:
        found.append(_supporting(desk, supporting, size))
    if live:
        found.append(_searched(workspace, brief, live, size, search))
    return tuple(found)


def _core(desk: WriterDesk, size: int) -> Reading:
    """Those in use, the ones that say most first."""
    used = set(desk.split.used)
    there = [p for p in desk.desk.core if p is not None and p.publication_id in used and _says(p)]
    there.sort(key=lambda p: not p.abstract)
    n = len(there)
    if not n:
        return Reading("core", (), note="Of the core publications in use neither title nor abstract is known.")
    note = f"{size} of {n} core publications in use, those with an abstract first." if n > size else ""
    return Reading("core", tuple(there[:size]), note=note)


def _says(publication: Publication) -> bool:
    return bool(publication.title.strip() or publication.abstract)


def _near(workspace: Workspace, desk: WriterDesk, brief: Brief) -> list[str]:
    """By the topic's words, and by vectors of the core publications in use: best on both lists first."""
    corpus = desk.desk.corpus
    asked = words(" ".join([brief.topic, brief.description, *brief.questions]))
    hits = [(-score, corpus.ids[row]) for row, score in corpus.rank(list(dict.fromkeys(asked)), len(corpus.ids))]
    by_words = [publication_id for _, publication_id in sorted(hits)][:MOST_NEAR]  # rows are no order: core comes first
    by_vectors = _by_vectors(workspace, desk) if by_words else []
    worth: dict[str, float] = {}
    for ranking in (by_words, by_vectors):
        for place, publication_id in enumerate(ranking, start=1):
            worth[publication_id] = worth.get(publication_id, 0.0) + 1 / (LIKE_THE_BEST + place)
    return sorted(worth, key=lambda i: (-worth[i], i))


def _by_vectors(workspace: Workspace, desk: WriterDesk) -> list[str]:
    near = nearness(workspace, desk)
    with_vectors = np.flatnonzero(np.isfinite(near))
    return [desk.desk.corpus.ids[row] for row in nearest(with_vectors, near, desk.desk.corpus.ids, MOST_NEAR)]


def _supporting(desk: WriterDesk, supporting: Sequence[Publication], size: int) -> Reading:
    """What the user brought. A core publication that is held out is not read, else it would not be held out."""
    held_out = set(desk.split.held_out)
    unseen = [p for p in desk.desk.core if p is not None and p.publication_id in held_out]
    names = {name for p in unseen for name in _names(p)} | held_out
    kept = [p for p in supporting if _says(p) and not names & _names(p)]
    n_unseen = sum(1 for p in supporting if names & _names(p))
    notes = []
    if n_unseen:
        are = "is a core publication that is" if n_unseen == 1 else "are core publications that are"
        notes.append(f"{n_unseen} of them {are} held out, and not read.")
    if len(kept) > size:
        notes.append(f"The first {size} of {len(kept)}.")
    if not kept and not notes:
        notes.append("None of them has a title or an abstract.")
    return Reading("supporting", tuple(kept[:size]), note=" ".join(notes))


def _names(publication: Publication) -> frozenset[str]:
    """What tells that two are the same."""
    title = " ".join(words(publication.title))
    found = (publication.publication_id, publication.doi and publication.doi.lower(), title)
    return frozenset(name for name in found if name)


def _searched(workspace: Workspace, brief: Brief, live: str, size: int, search: Callable[..., Reading]) -> Reading:
    """What a source gives for the topic's words. Writing goes on without it if it gives nothing."""
    asked = " AND ".join(topic_keyword(brief.topic).text.split())
    try:
        return search(workspace, live, asked, size)
    except InputError:
        raise
    except QueryscapeError as e:
        return Reading("live", (), live, note=f"Not read: {e}")


def held_out_among(desk: WriterDesk, found: Sequence[Reading]) -> str:
    """What the held-out half can't show where little else is there to be read; empty: there is enough else.

    In a corpus of little but core publications, whoever reads anything reads those that are held out.
    """
    held_out = set(desk.split.held_out)
    used = set(desk.split.used)
    beside = [i for i in desk.desk.corpus.ids if i not in used]
    read = [p.publication_id for r in found if r.kind in CORPUS for p in r.publications]
    for ids, where in ((beside, "the topic has"), (read, "are read")):
        n = sum(i in held_out for i in ids)
        if n >= MUCH * len(ids) and n:
            return (
                f"Of {len(ids):,} publications that {where} beside the core publications in use, {n:,} are core "
                "publications that are held out. Nothing marks them, but keywords may come from them: the held-out "
                "half shows less here than it would among many other publications."
            )
    return ""
