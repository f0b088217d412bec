"""Publications for the writer: the topic's desk, the nearest publications, and texts to read first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError, QueryscapeError
from core.query.match import Bits, of_rows, rows_of
from core.query.parser import parse
from core.sources.source_forms import SourceOptions
from core.text import listed, many, on_one_line, words
from core.types import CoreSet, Floats, Ids, Publication
from core.vectors import centroid, cosine
from core.writer.gains import SplitStakes, split
from core.writer.sheet_search import KeywordLookup, excluded_core
from core.writer.sheets import Brief, CoreSplit, Depth, Keyword, ReadingKind, WriterReading, topic_keyword
from data.explore.desk import Desk, set_up, stakes_of
from data.explore.workspace import Workspace
from data.sources.registry import check_source, open_source
from data.sources.types import LiveSource
from data.store import Clock, utc_now

# A topic for the query writer: all that can be searched, and the halves of the core set.


@dataclass(frozen=True, eq=False)
class WriterDesk:
    """A topic seen by one embedder, with its core publications in two halves."""

    desk: Desk
    split: CoreSplit
    sides: SplitStakes


def set_up_writer(
    workspace: Workspace,
    topic_id: str,
    embedder: str | None = None,
    *,
    seed: int = 0,
    hold_out: bool = True,
) -> WriterDesk:
    """Set up a topic's desk. The seed determines the halves; each side has a region fitted to its half alone."""
    return with_split(workspace, set_up(workspace, topic_id, embedder), seed=seed, hold_out=hold_out)


def with_split(workspace: Workspace, desk: Desk, *, seed: int = 0, hold_out: bool = True) -> WriterDesk:
    halves = split(desk.core_ids, seed=seed, hold_out=hold_out)
    if not halves.held_out:
        return WriterDesk(desk, halves, SplitStakes(desk.stakes, None, desk.stakes))
    embedding = workspace.embedding(desk.topic_id, desk.embedder)
    used, held_out = (
        stakes_of(workspace, desk.corpus.ids, CoreSet(desk.topic_id, ids), embedding, desk.stakes.settings)[0]
        for ids in (halves.used, halves.held_out)
    )
    return WriterDesk(desk, halves, SplitStakes(used, held_out, desk.stakes))


def check_halves(desk: WriterDesk, split: CoreSplit) -> None:
    """Raise an error if the halves have changed: publications held out before would no longer be."""
    if (set(desk.split.used), set(desk.split.held_out)) != (set(split.used), set(split.held_out)):
        raise InputError(
            "the core publications of the topic have changed since this session, so the held-out half would "
            "change: start a new session"
        )


# Similarity of publications to the core publications in use, and the nearest, newest or best of some.

MOST = 1_000
"""Largest number of publications of each kind to read."""


def nearness(workspace: Workspace, desk: WriterDesk) -> Floats:
    """Return each row's cosine to the centroid of the core publications in use; minus infinity without a vector."""
    corpus = desk.desk.corpus
    near = np.full(len(corpus.ids), -np.inf)
    embedding = workspace.embedding(desk.desk.topic_id, desk.desk.embedder)
    embedded = workspace.catalogue.load(embedding, corpus.ids)
    used = [i for i in desk.split.used if i in embedded]
    if used:
        near[corpus.rows_of_ids(embedded.ids)] = cosine(embedded.vectors, centroid(embedded.take(used).vectors))
    return near


def nearest(rows: Sequence[int] | np.ndarray, near: Floats, ids: Ids, most: int = MOST) -> list[int]:
    """Return the nearest of some rows, in order; those without a vector come last.

    Ties go by id, because core publications have the first rows of a corpus, including held-out ones.
    """
    there = np.asarray(rows, dtype=np.intp).tolist()
    return sorted(there, key=lambda row: (-near[row], ids[row]))[:most]


def looked_at(workspace: Workspace, desk: WriterDesk, retrieved: Bits, near: Floats) -> Bits:
    """Reduce a result to its thousand most cited, newest and nearest publications; ties go by id."""
    ids, rows = desk.desk.corpus.ids, rows_of(retrieved)
    if len(rows) <= MOST:
        return retrieved
    row_of = {ids[row]: int(row) for row in rows}
    there = workspace.publications(list(row_of))
    cited = sorted(there, key=lambda p: (-(p.times_cited or 0), p.publication_id))[:MOST]
    newest = sorted(there, key=lambda p: (-(p.year or 0), p.publication_id))[:MOST]
    best = {row_of[p.publication_id] for p in (*cited, *newest)}
    return of_rows(sorted(best | set(nearest(rows, near, ids, MOST))), len(ids))


# Core publications that negative keywords would exclude, by title, before anything is written.

MOST_NAMED = 3
_NO_KEYWORD = re.compile(r"[\"“”()\[\]{}|;\n]|,(?=\s)|(?<!\S)(?:AND|OR|NOT|NEAR/?\d*)(?!\S)")
LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class CoreRemoval:
    keyword: Keyword
    publications: tuple[Publication, ...]
    """Core publications with the keyword, in the order of the core set; at least one."""

    @property
    def sentence(self) -> str:
        n = len(self.publications)
        named = [f"“{on_one_line(p.title or p.publication_id, LONGEST_TITLE)}”" for p in self.publications]
        return f"“{self.keyword.text}” removes {many(n, 'core publication')}: {listed(named, MOST_NAMED)}"


def removed_core(desk: Desk, brief: Brief) -> tuple[CoreRemoval, ...]:
    """Return the core publications that each negative keyword of a brief removes; keywords without any are left out.

    Raise an error if together they remove the whole core in the corpus: no string could find any.
    """
    negative = _keywords(brief)
    if not negative:
        return ()
    known = {p.publication_id: p for p in desk.core if p is not None}
    id_of = {row: publication_id for publication_id, row in desk.core_rows.items()}
    place = {publication_id: n for n, publication_id in enumerate(desk.core_ids)}
    found = []
    for each in excluded_core(negative, KeywordLookup(desk.corpus, brief.semantics), desk.stakes.core):
        ids = sorted((id_of[row] for row in each.core_rows), key=place.__getitem__)
        if ids:
            found.append(CoreRemoval(each.keyword, tuple(known.get(i, Publication(i, "")) for i in ids)))
    _check_some_stay(found, len(rows_of(desk.stakes.core)))
    return tuple(found)


def _keywords(brief: Brief) -> tuple[Keyword, ...]:
    """Return each negative keyword once. Raise an error if one contains operators, which would change the NOT."""
    negative: dict[str, Keyword] = {}
    for text in filter(str.strip, brief.negative):
        if _NO_KEYWORD.search(text) or not words(text):
            raise InputError(
                f"“{on_one_line(text, LONGEST_TITLE)}” can't be excluded with NOT: give one keyword at a time, without "
                "operators, commas, brackets and quotes"
            )
        negative.setdefault(Keyword(text).key, Keyword(text))
    return tuple(negative.values())


def _check_some_stay(found: Sequence[CoreRemoval], n_core: int) -> None:
    gone = {p.publication_id for each in found for p in each.publications}
    if not gone or len(gone) < n_core:
        return
    most_first = sorted(found, key=lambda each: -len(each.publications))
    raise InputError(
        f"the excluded keywords remove all {n_core} core publications of the topic: "
        f"{'; '.join(each.sentence for each in most_first[:MOST_NAMED])}. Leave keywords out, or make them narrower"
    )


# One small search at a live source, for reading about a topic that the workspace does not have.


def live_reading(
    workspace: Workspace,
    source_id: str,
    text: str,
    size: int,
    *,
    clock: Clock = utc_now,
    source: LiveSource | None = None,
) -> WriterReading:
    """Search a source for a text and return at most `size` of its first publications.

    Raise InputError for an unknown source; errors of the source are passed on. `source`: one that is already open.
    """
    named = check_source(source_id)
    asked = source or open_source(named, store=workspace.store, clock=clock)
    prepared = asked.prepare(parse(text, "plain"), SourceOptions())
    page = asked.page(prepared.forms[0], prepared.choices, None, size)
    publications = tuple(each.record.publication(f"{named}:{each.key}") for each in page.fetched[:size])
    kept = tuple(p for p in publications if _says(p))
    total = len(kept) if page.total is None else page.total
    note = f"The first {len(kept)} of {total:,} that the source found for: {text}." if kept else "It found nothing."
    return WriterReading("live", kept, named, note)


def _says(publication: Publication) -> bool:
    return bool(publication.title.strip() or publication.abstract)


# Publications read before keywords are proposed: each source of reading is separate, so that none drowns another.
#
# Only core publications in use are read as such. A held-out one can be among the most cited, the newest or the nearest,
# like any other publication of the corpus, and is not marked in any way.

SIZES: Mapping[Depth, int] = {"quick": 8, "usual": 16, "deep": 30}
"""Publications of one reading."""
MOST_NEAR = 600
"""Publications related to the topic, from which the most cited and the newest are taken."""
CORPUS: tuple[ReadingKind, ...] = ("nearest", "most_cited", "newest")
"""Readings drawn from the whole corpus."""
MUCH = 0.25
"""Share of held-out core publications from which a warning is given."""
LIKE_THE_BEST = 60
"""Constant of reciprocal rank fusion, 1 / (60 + rank): a few first places alone don't decide."""


def readings(
    workspace: Workspace,
    desk: WriterDesk,
    brief: Brief,
    *,
    live: str | None = None,
    supporting: Sequence[Publication] = (),
    search: Callable[..., WriterReading] = live_reading,
) -> tuple[WriterReading, ...]:
    """Collect all readings, at the depth set in the brief; an empty one states the reason in its note.

    `live`: a source that may be searched with one small request. `search`: the function that does it.
    """
    size = SIZES[brief.depth]
    corpus_ids = desk.desk.corpus.ids
    used = set(desk.split.used)
    known = {p.publication_id: p for p in workspace.publications(corpus_ids)}
    near = [i for i in _near(workspace, desk, brief) if i in known]
    pool, note = near[:MOST_NEAR], ""
    if not pool:
        pool = [i for i in corpus_ids if i in known]
        note = "No publication matches the topic's words: all of them count as near."
    found = [_core(desk, size)]
    read = {p.publication_id for p in found[0].publications} | used
    rank = {i: place for place, i in enumerate(pool)}

    def reading(kind: ReadingKind, ids: Sequence[str], why_none: str) -> WriterReading:
        ids = [i for i in ids if i not in read][:size]
        read.update(ids)
        return WriterReading(kind, tuple(known[i] for i in ids), note=note if ids else why_none)

    found.append(reading("nearest", near, "No publication has a word of the topic."))
    cited = sorted((i for i in pool if known[i].times_cited), key=lambda i: (-(known[i].times_cited or 0), rank[i]))
    found.append(reading("most_cited", cited, "Citation counts are unknown."))
    dated = sorted((i for i in pool if known[i].year), key=lambda i: (-(known[i].year or 0), rank[i]))
    found.append(reading("newest", dated, "Publication years are unknown."))
    if supporting:
        found.append(_supporting(desk, supporting, size))
    if live:
        found.append(_searched(workspace, brief, live, size, search))
    return tuple(found)


def _core(desk: WriterDesk, size: int) -> WriterReading:
    """Return the core publications in use, those with an abstract first."""
    used = set(desk.split.used)
    there = [p for p in desk.desk.core if p is not None and p.publication_id in used and _says(p)]
    there.sort(key=lambda p: not p.abstract)
    n = len(there)
    if not n:
        return WriterReading("core", (), note="The core publications in use have neither title nor abstract.")
    note = f"{size} of {n} core publications in use, those with an abstract first." if n > size else ""
    return WriterReading("core", tuple(there[:size]), note=note)


def _near(workspace: Workspace, desk: WriterDesk, brief: Brief) -> list[str]:
    """Rank by the topic's words and by vectors of the core in use; best on both lists first."""
    corpus = desk.desk.corpus
    asked = words(" ".join([brief.topic, brief.description, *brief.questions]))
    hits = [(-score, corpus.ids[row]) for row, score in corpus.rank(list(dict.fromkeys(asked)), len(corpus.ids))]
    by_words = [publication_id for _, publication_id in sorted(hits)][:MOST_NEAR]  # ties by id: core has the first rows
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


def _supporting(desk: WriterDesk, supporting: Sequence[Publication], size: int) -> WriterReading:
    """Return the user's example publications without held-out core publications, which must not be read."""
    held_out = set(desk.split.held_out)
    unseen = [p for p in desk.desk.core if p is not None and p.publication_id in held_out]
    names = {name for p in unseen for name in _names(p)} | held_out
    kept = [p for p in supporting if _says(p) and not names & _names(p)]
    n_unseen = sum(1 for p in supporting if names & _names(p))
    notes = []
    if n_unseen:
        are = "is a core publication that is" if n_unseen == 1 else "are core publications that are"
        notes.append(f"{n_unseen} of them {are} held out and not read.")
    if len(kept) > size:
        notes.append(f"The first {size} of {len(kept)}.")
    if not kept and not notes:
        notes.append("None of them has a title or an abstract.")
    return WriterReading("supporting", tuple(kept[:size]), note=" ".join(notes))


def _names(publication: Publication) -> frozenset[str]:
    title = " ".join(words(publication.title))
    found = (publication.publication_id, publication.doi and publication.doi.lower(), title)
    return frozenset(name for name in found if name)


def _searched(
    workspace: Workspace, brief: Brief, live: str, size: int, search: Callable[..., WriterReading]
) -> WriterReading:
    """Search a source for the topic's words. If it fails, the session continues without it."""
    asked = " AND ".join(topic_keyword(brief.topic).text.split())
    try:
        return search(workspace, live, asked, size)
    except InputError:
        raise
    except QueryscapeError as e:
        return WriterReading("live", (), live, note=f"Not read: {e}")


def held_out_among(desk: WriterDesk, found: Sequence[WriterReading]) -> str:
    """Warn that the held-out half proves little if there is little else to read; empty if there is enough.

    In a corpus of little but core publications, any reading includes those that are held out.
    """
    held_out = set(desk.split.held_out)
    used = set(desk.split.used)
    beside = [i for i in desk.desk.corpus.ids if i not in used]
    read = [p.publication_id for r in found if r.kind in CORPUS for p in r.publications]
    for ids, where in ((beside, "the topic has"), (read, "are read")):
        n = sum(i in held_out for i in ids)
        if n >= MUCH * len(ids) and n:
            return (
                f"Of {len(ids):,} publications that {where} in addition to the core publications in use, {n:,} are "
                "held-out core publications. They are not marked, but keywords may come from them: the held-out "
                "half is less informative here than it would be among many other publications."
            )
    return ""
