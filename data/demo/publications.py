"""Demo topics: publications, core sets, query versions and a collection, generated from word lists."""

from __future__ import annotations

import math
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args

from core.collections import Collection, Document, Judgment, Query
from core.errors import FormatError, InputError
from core.query.parser import parse
from core.types import Ids, Origin, Publication
from data.query.index import CorpusIndex, in_memory
from data.query.search import answer

# Read the word lists of the demo: TOML files, so that they can be read and changed without knowing Python.

TOPICS = Path(__file__).parent / "topics"

WordLists = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class DemoLexicon:
    """Lists for the slots of patterns, such as {city}."""

    variants: WordLists
    """Wordings of one idea: a publication uses one, some use two; earlier ones are more common."""
    once: WordLists
    """One draw per publication, used throughout."""
    words: WordLists
    """A new draw at each slot."""


@dataclass(frozen=True)
class Theme:
    """A sub-theme of the topic, or a neighbouring field that is noise to it."""

    name: str
    relevant: bool
    share: float
    """Frequency relative to the other themes of the topic."""
    lends: bool
    """Publications on other themes may borrow one of its sentences."""
    sentences: WordLists
    """Patterns by their place in a publication: title, why, aim, how, found, so."""


@dataclass(frozen=True)
class VersionText:
    label: str
    origin: Origin
    text: str


@dataclass(frozen=True)
class TopicWords:
    topic_id: str
    first_number: int
    """Number of its first publication: ids stay unique across topics."""
    n_publications: int
    n_core: int
    n_core_without_abstract: int
    seed: int
    lexicon: DemoLexicon
    common_sentences: WordLists
    """Sentences for publications on any theme: the topic's own, else those of common.toml."""
    themes: tuple[Theme, ...]
    versions: tuple[VersionText, ...]


def load_topics() -> tuple[TopicWords, ...]:
    """Load the word lists of every topic, in the order of their publications' numbers."""
    common = _read(TOPICS / "common.toml")
    topics = [_load_topic(path, common) for path in TOPICS.glob("*.toml") if path.name != "common.toml"]
    return tuple(sorted(topics, key=lambda topic: topic.first_number))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as e:
        raise FormatError(f"the demo word list {path} is not valid TOML: {e}") from e


def _load_topic(path: Path, common: dict[str, Any]) -> TopicWords:
    topic = _read(path)
    themes = tuple(_theme(entry) for entry in topic["themes"])
    kinds = {kind: _lists({**common.get(kind, {}), **topic.get(kind, {})}) for kind in ("variants", "once", "words")}
    return TopicWords(
        topic_id=topic["topic_id"],
        first_number=topic["first_number"],
        n_publications=topic["n_publications"],
        n_core=topic["n_core"],
        n_core_without_abstract=topic["n_core_without_abstract"],
        seed=topic["seed"],
        lexicon=DemoLexicon(**kinds),
        common_sentences=_lists({**common["sentences"], **topic.get("sentences", {})}),
        themes=themes,
        versions=tuple(_version(entry) for entry in topic["versions"]),
    )


def _theme(entry: dict[str, Any]) -> Theme:
    patterns = {place: patterns for place, patterns in entry.items() if isinstance(patterns, list)}
    return Theme(entry["name"], entry["relevant"], float(entry["share"]), entry.get("lends", True), _lists(patterns))


def _version(entry: dict[str, Any]) -> VersionText:
    label = entry["label"]
    if label not in get_args(Origin):
        raise FormatError(f'a demo version is labelled by its origin ({", ".join(get_args(Origin))}), got "{label}"')
    return VersionText(label, label, " ".join(entry["text"].split()))


def _lists(table: dict[str, Any]) -> WordLists:
    return {name: tuple(entries) for name, entries in table.items()}


# Write one synthetic publication: draw patterns and fill their slots, with consistent wording throughout.

LABEL = "[Made up for the Queryscape demo.]"
TITLE_LABEL = "[made up]"
"""Label for titles of publications without an abstract."""

PLACES = ("why", "aim", "how", "found", "so")
"""The order of an abstract."""
MIN_WORDS, SPREAD = 76, 40
"""Sentences are added until an abstract has between 76 and 116 words; the label and the last sentence come on top."""
SECOND_WORDING = 0.3
"""Share of publications that use two wordings of an idea."""
BORROWED = 0.3
"""Share of publications with a sentence from another theme of the topic: fields overlap."""
FROM_COMMON = 0.18
"""Share of sentences that fit any topic."""

T = TypeVar("T")

_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+(?:\.(\d+))?)\.\.(\d+(?:\.\d+)?)")
_SENTENCE_START = re.compile(r"^[a-z]|(?<=[.?] )[a-z]")
_BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=[aeio]|u(?!ni|se)|8|11\b|18\b)(?!eu|one\b)")


def pick(rng: random.Random, entries: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """Draw one entry. Only rng.random() is used: its sequence is the same in every Python version."""
    if weights is None:
        return entries[int(rng.random() * len(entries))]
    left = rng.random() * sum(weights)
    for entry, weight in zip(entries, weights, strict=True):
        left -= weight
        if left < 0:
            return entry
    return entries[-1]


class Author:
    def __init__(self, lexicon: DemoLexicon, rng: random.Random) -> None:
        self._lexicon = lexicon
        self._rng = rng
        self._kept: dict[str, tuple[str, ...]] = {}
        self._bags: dict[str, list[str]] = {}

    def fill(self, pattern: str) -> str:
        text = _BEFORE_VOWEL.sub(r"\1n ", self._expand(pattern))
        # A slot may be at the beginning of a sentence as well as inside one.
        return _SENTENCE_START.sub(lambda start: start[0].upper(), text)

    def wording(self, pattern: str) -> str:
        """Fill every slot of the pattern; the result need not be a sentence."""
        return self._expand(pattern)

    def _expand(self, pattern: str) -> str:
        text = pattern
        while _SLOT.search(text):
            text = _SLOT.sub(lambda slot: self._word(slot[1]), text)
        return text

    def _word(self, name: str) -> str:
        if bounds := _RANGE.fullmatch(name):
            low, high, digits = float(bounds[1]), float(bounds[3]), len(bounds[2] or "")
            return f"{low + self._rng.random() * (high - low):.{digits}f}"
        if name in self._lexicon.words:
            return self.draw(name, self._lexicon.words[name])
        if name not in self._kept:
            self._kept[name] = self._choose(name)
        return pick(self._rng, self._kept[name])

    def _choose(self, name: str) -> tuple[str, ...]:
        if wordings := self._lexicon.variants.get(name):
            weights = [1.0 / (rank + 2) for rank in range(len(wordings))]
            n_wordings = 2 if self._rng.random() < SECOND_WORDING else 1
            return tuple(self._expand(pick(self._rng, wordings, weights)) for _ in range(n_wordings))
        if choices := self._lexicon.once.get(name):
            return (self._expand(pick(self._rng, choices)),)
        raise FormatError(f"there is no demo word list {{{name}}}")

    def draw(self, name: str, entries: Sequence[str]) -> str:
        """Draw one entry; none repeats until all were drawn."""
        bag = self._bags.setdefault(name, [])
        if not bag:
            bag.extend(entries)
        return bag.pop(int(self._rng.random() * len(bag)))


def write_publication(topic: TopicWords, theme: Theme, rng: random.Random) -> tuple[str, str]:
    """Write a title and an abstract of 80 to 150 words on this theme of the topic."""
    author = Author(topic.lexicon, rng)
    title = author.fill(pick(rng, theme.sentences["title"]))
    used: set[str] = set()
    abstract: dict[str, list[str]] = {place: [] for place in PLACES}

    def add(place: str, theme: Theme = theme) -> None:
        pattern = _fresh_pattern(topic, theme, place, used, rng)
        if pattern is not None:
            used.add(pattern)
            abstract[place].append(author.fill(pattern))

    for place in PLACES:
        add(place)
    if rng.random() < BORROWED:
        add("why", pick(rng, [theme for theme in topic.themes if theme.lends]))
    n_wanted = MIN_WORDS + rng.random() * SPREAD
    while sum(len(sentence.split()) for place in PLACES for sentence in abstract[place]) < n_wanted:
        add(pick(rng, ("why", "how", "found", "found")))
    return title, " ".join([*(s for place in PLACES for s in abstract[place]), LABEL])


def _fresh_pattern(topic: TopicWords, theme: Theme, place: str, used: set[str], rng: random.Random) -> str | None:
    """Return a sentence for this place that the abstract does not contain yet; None if the lists are used up."""
    own = [pattern for pattern in theme.sentences[place] if pattern not in used]
    common = [pattern for pattern in topic.common_sentences.get(place, ()) if pattern not in used]
    patterns = common if common and (not own or rng.random() < FROM_COMMON) else own
    return pick(rng, patterns) if patterns else None


# Build a demo topic: publications, core set, hidden truth and query versions with their retrieved publications.

FIRST_YEAR, LAST_YEAR = 1998, 2025
LAST_CORE_YEAR = 2022
"""Latest year of a core publication, so that it had time to become known."""
WITHOUT_ABSTRACT = 0.06
WITHOUT_DOI = 0.12
MAX_TRIES = 40


@dataclass(frozen=True)
class DemoVersion:
    label: str
    number: int
    text: str
    origin: Origin
    retrieved_ids: Ids


@dataclass(frozen=True)
class DemoTopic:
    topic_id: str
    publications: tuple[Publication, ...]
    core_ids: Ids
    versions: tuple[DemoVersion, ...]
    relevant_ids: frozenset[str]
    """The hidden truth: publications written on the topic's question. Never shown to a retriever or a region."""


@dataclass(frozen=True)
class DemoPublication:
    publication: Publication
    theme: str
    relevant: bool


def build_demo() -> tuple[DemoTopic, ...]:
    """Build every demo topic, identical at every call."""
    return tuple(build_topic(topic) for topic in load_topics())


def build_topic(topic: TopicWords) -> DemoTopic:
    written = write_publications(topic, topic.n_publications)
    publications = tuple(entry.publication for entry in written)
    return DemoTopic(
        topic_id=topic.topic_id,
        publications=publications,
        core_ids=_choose_core(topic, written),
        versions=_run(topic, publications),
        relevant_ids=frozenset(entry.publication.publication_id for entry in written if entry.relevant),
    )


def write_publications(topic: TopicWords, n: int) -> list[DemoPublication]:
    taken: set[str] = set()
    return [_write(topic, topic.first_number + place, taken) for place in range(n)]


def _run(topic: TopicWords, publications: tuple[Publication, ...]) -> tuple[DemoVersion, ...]:
    corpus = CorpusIndex(in_memory(publications))
    return tuple(
        DemoVersion(v.label, number, v.text, v.origin, answer(corpus, parse(v.text, "plain"), "literal").ids)
        for number, v in enumerate(topic.versions, start=1)
    )


def _write(topic: TopicWords, number: int, taken: set[str]) -> DemoPublication:
    """Write publication `number`, with a title that is not taken.

    The randomness depends only on the number, so that a larger topic begins with the same publications.
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
    return DemoPublication(publication, theme.name, theme.relevant)


def _times_cited(year: int, rng: random.Random) -> int:
    """Draw a number that grows with age; a few publications get most of the citations."""
    return int(2 * (LAST_YEAR + 1 - year) ** 0.9 * (-math.log(1.0 - rng.random())) ** 1.6)


def _choose_core(topic: TopicWords, written: list[DemoPublication]) -> Ids:
    """Choose the most cited relevant publications, evenly across sub-themes, a few without abstract."""
    candidates = [entry for entry in written if entry.relevant and (entry.publication.year or 0) <= LAST_CORE_YEAR]
    candidates.sort(key=lambda entry: (-(entry.publication.times_cited or 0), entry.publication.publication_id))
    bare = [entry for entry in candidates if entry.publication.abstract is None][: topic.n_core_without_abstract]
    full = [entry for entry in candidates if entry.publication.abstract is not None]
    chosen = list(bare)
    while full and len(chosen) < topic.n_core:
        # The sub-theme with the fewest so far; on a tie, the one with the most cited candidate.
        count = {entry.theme: sum(c.theme == entry.theme for c in chosen) for entry in full}
        best = min(full, key=lambda entry: count[entry.theme])
        full.remove(best)
        chosen.append(best)
    return tuple(sorted(entry.publication.publication_id for entry in chosen))


# The demo collection for retrievers: publications of the demo topics, with queries and judgments.

DEMO_COLLECTION = "demo"
QUERIES = Path(__file__).with_name("benchmark.toml")
KINDS = ("few words", "sentence", "question", "paraphrase")
"""Wordings of a query. A paraphrase avoids the words of the documents."""
ON_IT, NEAR = 2, 1
"""Relevance of a publication on the same sub-theme, and of one on a neighbouring sub-theme."""
TUNE_EVERY = 3
"""One query in three, of each kind, is for tuning; the rest are for testing."""


@dataclass(frozen=True)
class _Asked:
    query: Query
    topic_id: str
    theme: str
    near: Ids


def build_benchmark() -> Collection:
    """Build the same collection at every call. The judgments follow from the theme of each document."""
    topics, written = load_topics(), write_documents()
    asked = list(_asked(topics, _benchmark_lists()["themes"]))
    publications = [entry.publication for entries in written.values() for entry in entries]
    return Collection(
        DEMO_COLLECTION,
        tuple(Document(p.publication_id, p.title, p.abstract or "") for p in publications),
        tuple(entry.query for entry in asked),
        tuple(judgment for entry in asked for judgment in _judgments(entry, written[entry.topic_id])),
        _splits(asked),
        made_up=True,
    )


@cache
def write_documents() -> dict[str, list[DemoPublication]]:
    n_documents = _benchmark_lists()["documents"]
    return {topic.topic_id: write_publications(topic, n_documents[topic.topic_id]) for topic in load_topics()}


def _benchmark_lists() -> dict[str, Any]:
    return tomllib.loads(QUERIES.read_text(encoding="utf-8"))


def _asked(topics: tuple[TopicWords, ...], themes: list[dict[str, Any]]) -> Iterator[_Asked]:
    topic_of = {theme.name: topic for topic in topics for theme in topic.themes if theme.relevant}
    number = 0
    for entry in themes:
        topic = topic_of[entry["name"]]
        for kind in KINDS:
            for pattern in entry[kind]:
                number += 1
                author = Author(topic.lexicon, random.Random(f"benchmark/{number}"))
                text = author.fill(pattern) if kind in ("sentence", "question") else author.wording(pattern)
                labels = (("kind", kind), ("topic", topic.topic_id))
                yield _Asked(
                    Query(f"demo-q{number:02d}", text, labels), topic.topic_id, entry["name"], tuple(entry["near"])
                )


def _judgments(asked: _Asked, written: list[DemoPublication]) -> Iterator[Judgment]:
    for entry in written:
        relevance = ON_IT if entry.theme == asked.theme else NEAR if entry.theme in asked.near else 0
        if relevance:
            yield Judgment(asked.query.query_id, entry.publication.publication_id, relevance)


def _splits(asked: list[_Asked]) -> dict[str, Ids]:
    """Split the queries: the first, fourth, seventh ... of each kind is for tuning."""
    by_kind = [[entry.query.query_id for entry in asked if ("kind", kind) in entry.query.labels] for kind in KINDS]
    tune = sorted(query_id for ids in by_kind for query_id in ids[::TUNE_EVERY])
    test = sorted(query_id for ids in by_kind for query_id in ids if query_id not in tune)
    return {"tune": tuple(tune), "test": tuple(test)}
