"""Makes a demo topic: publications, core set, hidden truth and query versions with what they retrieve."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from core.errors import InputError
from core.query.reading.parser import parse
from core.types import Ids, Origin, Publication
from data.demo.words import TopicWords, load_topics
from data.demo.writing import TITLE_LABEL, pick, write_publication
from data.index import CorpusIndex
from data.indexing import in_memory
from data.running import answer

FIRST_YEAR, LAST_YEAR = 1998, 2025
LAST_CORE_YEAR = 2022
"""A core publication has had time to become known."""
WITHOUT_ABSTRACT = 0.06
WITHOUT_DOI = 0.12
MAX_TRIES = 40


@dataclass(frozen=True)
class DemoVersion:
    """A query version and what its text retrieves from the topic's publications."""

    label: str
    number: int
    text: str
    origin: Origin
    retrieved_ids: Ids


@dataclass(frozen=True)
class DemoTopic:
    """A made-up topic."""

    topic_id: str
    publications: tuple[Publication, ...]
    core_ids: Ids
    versions: tuple[DemoVersion, ...]
    relevant_ids: frozenset[str]
    """The hidden truth: what was written on the topic's question. Never shown to a retriever or a region."""


@dataclass(frozen=True)
class Written:
    """A publication, and what it was written on."""

    publication: Publication
    theme: str
    relevant: bool


def build_demo() -> tuple[DemoTopic, ...]:
    """Every demo topic, the same at every call."""
    return tuple(build_topic(topic) for topic in load_topics())


def build_topic(topic: TopicWords) -> DemoTopic:
    """One topic from its word lists."""
    written = write_publications(topic, topic.n_publications)
    publications = tuple(entry.publication for entry in written)
    return DemoTopic(
        topic_id=topic.topic_id,
        publications=publications,
        core_ids=_choose_core(topic, written),
        versions=_run(topic, publications),
        relevant_ids=frozenset(entry.publication.publication_id for entry in written if entry.relevant),
    )


def write_publications(topic: TopicWords, n: int) -> list[Written]:
    """The first n publications of a topic."""
    taken: set[str] = set()
    return [_write(topic, topic.first_number + place, taken) for place in range(n)]


def _run(topic: TopicWords, publications: tuple[Publication, ...]) -> tuple[DemoVersion, ...]:
    """Every version over the publications, with an index that is not kept."""
    corpus = CorpusIndex(in_memory(publications))
    return tuple(
        DemoVersion(v.label, number, v.text, v.origin, answer(corpus, parse(v.text, "plain"), "literal").ids)
        for number, v in enumerate(topic.versions, start=1)
    )


def _write(topic: TopicWords, number: int, taken: set[str]) -> Written:
    """Publication `number`, with a title that none before it has.

    The randomness hangs on the number alone, so that a larger topic begins with the same publications.
    """
    theme = pick(random.Random(f"{topic.seed}/{number}"), topic.themes, [theme.share for theme in topic.themes])
    for attempt in range(MAX_TRIES):
        rng = random.Random(f"{topic.seed}/{number}/{attempt}")
        title, abstract = write_publication(topic, theme, rng)
        if title not in taken:
            break
    else:
        raise InputError(f'no new title on "{theme.name}" for publication {number}: add titles to the word lists')
    taken.add(title)
    year = FIRST_YEAR + int((LAST_YEAR + 1 - FIRST_YEAR) * rng.random() ** 0.6)
    publication = Publication(
        publication_id=f"demo.{number:04d}",
        title=title,
        abstract=abstract,
        year=year,
        doi=None if rng.random() < WITHOUT_DOI else f"10.5555/demo.{number:04d}",
        times_cited=_times_cited(year, rng),
    )
    if rng.random() < WITHOUT_ABSTRACT:
        publication = replace(publication, title=f"{title} {TITLE_LABEL}", abstract=None)
    return Written(publication, theme.name, theme.relevant)


def _times_cited(year: int, rng: random.Random) -> int:
    """Grows with age, and a few publications gather most of it."""
    return int(2 * (LAST_YEAR + 1 - year) ** 0.9 * (-math.log(1.0 - rng.random())) ** 1.6)


def _choose_core(topic: TopicWords, written: list[Written]) -> Ids:
    """The most cited relevant publications, the same number from every sub-theme in turn, a few without abstract."""
    candidates = [entry for entry in written if entry.relevant and (entry.publication.year or 0) <= LAST_CORE_YEAR]
    candidates.sort(key=lambda entry: (-(entry.publication.times_cited or 0), entry.publication.publication_id))
    bare = [entry for entry in candidates if entry.publication.abstract is None][: topic.n_core_without_abstract]
    full = [entry for entry in candidates if entry.publication.abstract is not None]
    chosen = list(bare)
    while full and len(chosen) < topic.n_core:
        # The sub-theme that has the fewest so far; among equals the one with the most cited candidate.
        count = {entry.theme: sum(c.theme == entry.theme for c in chosen) for entry in full}
        best = min(full, key=lambda entry: count[entry.theme])
        full.remove(best)
        chosen.append(best)
    return tuple(sorted(entry.publication.publication_id for entry in chosen))
