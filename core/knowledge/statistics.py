"""Statistics of knowledge bases and query sets: degrees, lengths, and lexical diversity."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from core.collections import Collection, Query
from core.knowledge.entities import EntityType
from core.metrics import Metric
from core.text import STOP_WORDS, words

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CountSpread:
    """A summary of several whole numbers. Quantiles are interpolated between two of the numbers if necessary."""

    n: int
    """The number of values."""
    total: int
    mean: float
    least: int
    lower: float
    """A quarter of the numbers is not above it."""
    median: float
    upper: float
    """A quarter of the numbers is not below it."""
    most: int


@dataclass(frozen=True, slots=True)
class CountBin:
    """The number of values from `low` to `high`, both included."""

    low: int
    high: int
    n: int

    @property
    def label(self) -> str:
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"


def spread_of(numbers: Counts | Sequence[int]) -> CountSpread | None:
    """Summarise many numbers; None: there are none.

    >>> spread_of([1, 2, 3, 4])
    CountSpread(n=4, total=10, mean=2.5, least=1, lower=1.75, median=2.5, upper=3.25, most=4)
    """
    given = np.asarray(numbers, dtype=np.int64)
    if not len(given):
        return None
    lower, median, upper = map(float, np.quantile(given, (0.25, 0.5, 0.75)))
    total = int(given.sum())
    return CountSpread(len(given), total, total / len(given), int(given.min()), lower, median, upper, int(given.max()))


def doubling_bins(numbers: Counts | Sequence[int]) -> tuple[CountBin, ...]:
    """Count numbers in bins of doubling width: 0, 1, 2 to 3, 4 to 7 ..., up to the one with the largest number.

    No number may be negative.

    >>> [(bin.label, bin.n) for bin in doubling_bins([0, 1, 3, 5])]
    [('0', 1), ('1', 1), ('2 to 3', 1), ('4 to 7', 1)]
    """
    given = np.asarray(numbers, dtype=np.int64)
    if not len(given):
        return ()
    _, place = np.frexp(given.astype(np.float64))  # 0 -> 0, 1 -> 1, 2 and 3 -> 2, 4 to 7 -> 3
    found = np.bincount(place)
    edges = [(0, 0), *((2 ** (k - 1), 2**k - 1) for k in range(1, len(found)))]
    return tuple(CountBin(low, high, int(n)) for (low, high), n in zip(edges, found, strict=True))


# Lexical diversity: Shannon entropy over words, and the type-token ratio.

SAMPLES = 20
"""Random orders of the texts over which a value at a common length is averaged."""


def entropy(counts: Counts | Sequence[int]) -> float | None:
    """Compute the Shannon entropy of word frequencies, in nats.

    0: a single word is repeated; ln V: all V words are equally frequent. Formula: -sum p ln p, with p the share of each
    word. Undefined, None: there is no word. Reference: Shannon (1948).

    >>> round(entropy([1, 1, 1, 1]), 4), entropy([7])
    (1.3863, 0.0)
    """
    given = np.asarray(counts, dtype=np.float64)
    given = given[given > 0]
    if not len(given):
        return None
    shares = given / given.sum()
    return abs(float((shares * np.log(shares)).sum()))


def in_bits(nats: float | None) -> float | None:
    """Convert an entropy from nats to bits, the logarithm to base 2.

    >>> in_bits(entropy([1, 1, 1, 1]))
    2.0
    """
    return None if nats is None else nats / math.log(2)


def type_token_ratio(n_types: int, n_words: int) -> float | None:
    """Compute the share of different words among all words.

    1: no word occurs twice; near 0: few words are repeated. Formula: V / N. Undefined, None: there is no word.

    >>> type_token_ratio(3, 4)
    0.75
    """
    return n_types / n_words if n_words else None


@dataclass(frozen=True, slots=True)
class DiversityAtLength:
    """Entropy and type-token ratio over an equal number of words, which makes texts of different size comparable."""

    n_words: int
    entropy: float
    ratio: float


@dataclass(frozen=True, eq=False)
class Wording:
    types: Counts
    """The number of each word's type, from 0."""
    starts: Counts
    """The start of each text, then the total: one more than there are texts."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Wording:
        """Split texts into words as in search.

        >>> Wording.of(["the tea", "The cup"]).counts.tolist()
        [2, 1, 1]
        """
        numbers: dict[str, int] = {}
        types: list[int] = []
        starts = [0]
        for text in texts:
            types += [numbers.setdefault(word, len(numbers)) for word in words(text)]
            starts.append(len(types))
        return cls(np.array(types, dtype=np.int64), np.array(starts, dtype=np.int64))

    @property
    def n_words(self) -> int:
        return len(self.types)

    @cached_property
    def counts(self) -> Counts:
        return np.bincount(self.types).astype(np.int64)

    @property
    def n_types(self) -> int:
        return int(np.count_nonzero(self.counts))

    @property
    def lengths(self) -> Counts:
        """The number of words in each text."""
        return np.diff(self.starts)

    def at_length(self, n: int, *, seed: int, samples: int = SAMPLES) -> DiversityAtLength:
        """Average entropy and type-token ratio of the first `n` words over random orders of the texts.

        `n` must not exceed the number of words. Both values depend on the amount of text: a longer text
        repeats more words, and contains more different ones.
        """
        if not 0 < n <= self.n_words:
            raise ValueError(f"{n} of {self.n_words} words")
        if n == self.n_words:
            samples = 1
        random = np.random.default_rng(seed)
        found = np.array([self._first(n, random) for _ in range(samples)])
        nats, ratio = map(float, found.mean(axis=0))
        return DiversityAtLength(n, nats, ratio)

    def _first(self, n: int, random: np.random.Generator) -> tuple[float, float]:
        order = random.permutation(len(self.starts) - 1)
        n_texts = int(np.searchsorted(np.cumsum(self.lengths[order]), n)) + 1
        read = [self.types[self.starts[text] : self.starts[text + 1]] for text in order[:n_texts]]
        counts = np.bincount(np.concatenate(read)[:n])
        return entropy(counts) or 0.0, np.count_nonzero(counts) / n


# Relational words in a question, which refer to relations, and textual words, which refer to a text's content.

Span = tuple[int, int]
"""Start and end; the end is exclusive."""


@dataclass(frozen=True, slots=True)
class WordKinds:
    n_relational: int = 0
    """Words of a template's cue, or of the name of an entity in the question's requirement."""
    n_textual: int = 0
    """All other content words."""
    n_stop: int = 0
    """Stop words such as "the" and "by", anywhere."""

    def __add__(self, other: WordKinds) -> WordKinds:
        return WordKinds(
            self.n_relational + other.n_relational, self.n_textual + other.n_textual, self.n_stop + other.n_stop
        )

    @property
    def relational_share(self) -> float | None:
        """The share among content words."""
        n = self.n_relational + self.n_textual
        return self.n_relational / n if n else None

    @property
    def textual_share(self) -> float | None:
        """The share among content words."""
        n = self.n_relational + self.n_textual
        return self.n_textual / n if n else None


def word_kinds(text: str, *, spans: Iterable[Span] = (), phrases: Iterable[str] = ()) -> WordKinds:
    """Count the words of a question by kind. `spans`: in characters; `phrases`: wherever their words are consecutive.

    >>> word_kinds("papers by Ito on green tea", phrases=["papers by", "Ito"])
    WordKinds(n_relational=2, n_textual=2, n_stop=2)
    """
    found = words(text)
    relational: set[int] = set()
    for start, end in _in_words(text, tuple(spans)):
        relational.update(range(start, end))
    for phrase in phrases:
        for start, end in runs(found, words(phrase)):
            relational.update(range(start, end))
    n_stop = sum(word in STOP_WORDS for word in found)
    n_relational = sum(word not in STOP_WORDS for place, word in enumerate(found) if place in relational)
    return WordKinds(n_relational, len(found) - n_stop - n_relational, n_stop)


def _in_words(text: str, spans: tuple[Span, ...]) -> Iterator[Span]:
    borders = sorted({0, *(border for span in spans for border in span)})
    n_words = [len(words(text[start:end])) for start, end in pairwise(borders)]
    place = dict(zip(borders, accumulate(n_words, initial=0), strict=True))
    for start, end in spans:
        yield place[start], place[end]


def runs(among: list[str], wanted: list[str]) -> Iterator[Span]:
    """Find consecutive occurrences of the words, as positions of words.

    >>> list(runs(["a", "b", "a", "b", "c"], ["a", "b"]))
    [(0, 2), (2, 4)]
    """
    if not wanted:
        return
    line, needle = f" {' '.join(among)} ", f" {' '.join(wanted)} "
    at, place, counted = line.find(needle), 0, 0
    while at >= 0:
        place += line.count(" ", counted, at)
        counted = at
        yield place, place + len(wanted)
        at = line.find(needle, at + 1)


# Definitions of the statistics of a query set.

STARK = "Wu et al. (2024)"


@dataclass(frozen=True, slots=True)
class SetStatistic(Metric):
    range: str = "0 or more"
    higher_is_better: bool | None = None
    unit: str = ""
    """Empty: a share, or a number without a unit."""
    is_count: bool = False
    """True for a whole number."""


LENGTH_MATTERS = (
    "A longer text repeats more of its words, so sets of different size compare at a length that all of them have."
)
_DEFINED = (
    SetStatistic(
        "n_queries",
        "Queries",
        "Number of queries in the set.",
        "number of queries",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="queries",
        is_count=True,
    ),
    SetStatistic(
        "words_per_query",
        "Words per query",
        "Mean number of words per query.",
        "words / queries",
        "– if the set has no query.",
        STARK,
        unit="words",
    ),
    SetStatistic(
        "characters_per_query",
        "Characters per query",
        "Mean number of characters per query, including spaces.",
        "characters / queries",
        "– if the set has no query.",
        "Queryscape",
        unit="characters",
    ),
    SetStatistic(
        "answers_per_query",
        "Answers per query",
        "Mean number of documents that are judged relevant, over the queries that were judged.",
        "judgments above 0 / queries with a judgment",
        "– if no query has a judgment.",
        STARK,
        unit="answers",
    ),
    SetStatistic(
        "n_words",
        "Words",
        "Total number of words in all queries: runs of letters and digits, ignoring case and accents.",
        "N, the number of words",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="words",
        is_count=True,
    ),
    SetStatistic(
        "n_types",
        "Different words",
        "Number of different words in all queries.",
        "V, the number of word types",
        "Always defined: an empty set has 0.",
        "Queryscape",
        unit="words",
        is_count=True,
    ),
    SetStatistic(
        "entropy",
        "Shannon entropy",
        "Uncertainty about a word drawn from the set. 0: one word repeated; ln V: all words equally often.",
        "-sum p ln p over the share p of each word, with the natural logarithm",
        "– if the set has no word.",
        f"Shannon (1948); {STARK}",
        unit="nats",
    ),
    SetStatistic(
        "entropy_bits",
        "Shannon entropy, in bits",
        "The same with the logarithm to base 2.",
        "entropy / ln 2",
        "– if the set has no word.",
        "Shannon (1948)",
        unit="bits",
    ),
    SetStatistic(
        "type_token_ratio",
        "Type-token ratio",
        "Share of different words among all words. 1: no word occurs twice. It falls with the size of the set.",
        "V / N",
        "– if the set has no word.",
        STARK,
        range="0 to 1",
    ),
    SetStatistic(
        "entropy_at_length",
        "Entropy at a common length",
        f"Shannon entropy of the first n words, n being those of the smallest set. {LENGTH_MATTERS}",
        f"mean over {SAMPLES} seeded orders of the queries of -sum p ln p over the first n words",
        "– if the set has no word.",
        "Queryscape",
        unit="nats",
    ),
    SetStatistic(
        "ratio_at_length",
        "Type-token ratio at a common length",
        f"Type-token ratio of the first n words, n being those of the smallest set. {LENGTH_MATTERS}",
        f"mean over {SAMPLES} seeded orders of the queries of V / n over the first n words",
        "– if the set has no word.",
        "Queryscape",
        range="0 to 1",
    ),
    SetStatistic(
        "relational_share",
        "Relational words",
        "Share of words that name an entity the query's requirement names, or are a cue of its template. Stop words "
        "are left out.",
        "relational / (relational + textual)",
        "– if no query says what it requires and no knowledge base can tell, or there are only stop words.",
        "Queryscape",
        range="0 to 1",
    ),
    SetStatistic(
        "textual_share",
        "Textual words",
        "Share of all other words. Stop words are left out.",
        "textual / (relational + textual)",
        "– where the share of relational words is undefined.",
        "Queryscape",
        range="0 to 1",
    ),
    SetStatistic(
        "stop_share",
        "Stop words",
        "Share of words that carry no topic, such as “the” and “by”, among all words.",
        "stop words / N",
        "– if the set has no word.",
        "Queryscape",
        range="0 to 1",
    ),
)
SET_STATISTICS: dict[str, SetStatistic] = {statistic.metric_id: statistic for statistic in _DEFINED}
"""All statistics of a query set, by id."""


# Statistics of a knowledge base: entities and relations by type, degrees, and words of text.

MOST_HUBS = 5
DEGREE = (
    "The degree of an entity is the number of its relations. Each relation is counted at both of its ends, once as "
    "the source's and once as the target's: average degree = 2 · relations / entities."
)


@dataclass(frozen=True, slots=True)
class Hub:
    row: int
    degree: int


@dataclass(frozen=True, slots=True)
class TypeStatistics:
    name: str
    n: int
    degrees: CountSpread | None
    """None: there is no entity."""
    degree_bins: tuple[CountBin, ...]
    hubs: tuple[Hub, ...]
    """The entities with the most relations, and at least one."""
    n_with_text: int
    """Entities with more than a title."""
    words: CountSpread | None
    """Of title and text together."""

    @property
    def text_share(self) -> float | None:
        return self.n_with_text / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class BaseStatistics:
    types: tuple[TypeStatistics, ...]

    @property
    def n_words(self) -> int:
        """Tokens: the words of all titles and texts."""
        return sum(kind.words.total for kind in self.types if kind.words)


@dataclass(frozen=True, slots=True)
class BaseRow:
    """A row of STaRK's table of knowledge bases; None: not known."""

    name: str
    n_entity_types: int
    n_relation_types: int
    average_degree: float | None
    n_entities: int
    n_relations: int
    n_tokens: int | None
    note: str = ""


def average_degree(n_entities: int, n_relations: int) -> float | None:
    """Compute the average number of relations per entity.

    0: there are no relations. Formula: 2 · relations / entities, since each relation has two ends. Undefined, None:
    there is no entity.

    >>> average_degree(4, 6)
    3.0
    """
    return 2 * n_relations / n_entities if n_entities else None


def type_statistics(kind: EntityType, degrees: Counts, n_words: Counts, n_with_text: int) -> TypeStatistics:
    """Summarise the entities of a type from their degrees and numbers of words, by row."""
    if not len(degrees) == len(n_words) == kind.n:
        raise ValueError(f"{kind.n} entities but {len(degrees)} degrees and {len(n_words)} texts")
    return TypeStatistics(
        kind.name,
        kind.n,
        spread_of(degrees),
        doubling_bins(degrees),
        tuple(Hub(kind.first + int(place), int(degrees[place])) for place in _largest(degrees)),
        n_with_text,
        spread_of(n_words),
    )


def _largest(degrees: Counts) -> Counts:
    """Return the positions of the largest values, largest first; ties are in row order."""
    if not len(degrees):
        return np.zeros(0, dtype=np.int64)
    least = np.partition(degrees, -min(MOST_HUBS, len(degrees)))[-min(MOST_HUBS, len(degrees))]
    places = np.flatnonzero(degrees >= max(least, 1))
    return places[np.argsort(-degrees[places], kind="stable")][:MOST_HUBS]


# Query sets compared with each other, and with a reference text.

NO_QUERY = "the set has no query"
NO_WORD = "there is no word"
NO_JUDGMENT = "no query has a judgment"
IS_TEXT = "a text has no queries"
NOT_TOLD = "the queries don't say what they require: choose a knowledge base that can tell"
NOT_YET = "its words are not classified yet"
ONLY_STOP_WORDS = "there are only stop words"


@dataclass(frozen=True, eq=False)
class QuerySet:
    name: str
    queries: tuple[Query, ...]
    n_answers: Mapping[str, int]
    """The number of judgments above 0 by query; queries without a judgment are missing."""

    @classmethod
    def of(cls, collection: Collection, split: str | None = None, *, name: str | None = None) -> QuerySet:
        answers: dict[str, set[str]] = {}
        for judgment in collection.judgments:
            relevant = answers.setdefault(judgment.query_id, set())
            if judgment.relevance > 0:
                relevant.add(judgment.doc_id)
        counted = {query_id: len(relevant) for query_id, relevant in answers.items()}
        named = name or (collection.name if split is None else f"{collection.name}, {split}")
        return cls(named, collection.of_split(split), counted)

    @cached_property
    def wording(self) -> Wording:
        return Wording.of(query.text for query in self.queries)

    @cached_property
    def n_characters(self) -> Counts:
        return np.array([len(query.text) for query in self.queries], dtype=np.int64)

    @cached_property
    def answers(self) -> Counts:
        """The number of answers of each query that was judged."""
        judged = [self.n_answers[q.query_id] for q in self.queries if q.query_id in self.n_answers]
        return np.array(judged, dtype=np.int64)

    @cached_property
    def n_stop_words(self) -> int:
        return sum(word in STOP_WORDS for query in self.queries for word in words(query.text))


@dataclass(frozen=True, slots=True)
class StatisticValue:
    """A number, or the reason why it is undefined."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class SetStatistics:
    name: str
    is_reference: bool
    values: Mapping[str, StatisticValue]
    """By the ids of SET_STATISTICS."""
    n_at_length: int | None
    """The number of words for statistics at a common length."""
    words: Counts = field(repr=False)
    """Of each query."""
    characters: Counts = field(repr=False)
    answers: Counts = field(repr=False)
    """Of each query that was judged."""

    def value(self, statistic_id: str) -> float | None:
        return self.values[statistic_id].value

    @property
    def words_spread(self) -> CountSpread | None:
        return spread_of(self.words)

    @property
    def answers_spread(self) -> CountSpread | None:
        return spread_of(self.answers)


def common_length(wordings: Sequence[Wording]) -> int | None:
    """Return the number of words of the smallest non-empty wording; None: all are empty."""
    return min((wording.n_words for wording in wordings if wording.n_words), default=None)


def compare_sets(
    sets: Sequence[QuerySet],
    reference: Wording | None = None,
    *,
    kinds: Mapping[str, WordKinds | None] | None = None,
    reference_name: str = "reference",
    seed: int,
) -> tuple[SetStatistics, ...]:
    """Compute the statistics of each set, the reference last. `kinds`: word kinds by set; None: not counted yet."""
    known = kinds or {}
    wordings = [one.wording for one in sets] + ([reference] if reference is not None else [])
    n = common_length(wordings)
    found = [_set_statistics(one, n, known.get(one.name, NOT_TOLD), seed) for one in sets]
    if reference is not None:
        found.append(_reference_statistics(reference, n, reference_name, seed))
    return tuple(found)


def _set_statistics(one: QuerySet, n: int | None, kinds: WordKinds | str | None, seed: int) -> SetStatistics:
    n_queries, wording = len(one.queries), one.wording
    answers = spread_of(one.answers)
    values = {
        "n_queries": StatisticValue(n_queries),
        "words_per_query": _mean(wording.n_words, n_queries),
        "characters_per_query": _mean(int(one.n_characters.sum()), n_queries),
        "answers_per_query": StatisticValue(answers.mean) if answers else StatisticValue(None, NO_JUDGMENT),
        **_of_wording(wording, n, seed),
        **_of_kinds(kinds, wording.n_words),
        "stop_share": StatisticValue(one.n_stop_words / wording.n_words)
        if wording.n_words
        else StatisticValue(None, NO_WORD),
    }
    return SetStatistics(one.name, False, _ordered(values), n, wording.lengths, one.n_characters, one.answers)


def _reference_statistics(wording: Wording, n: int | None, name: str, seed: int) -> SetStatistics:
    values = {statistic_id: StatisticValue(None, IS_TEXT) for statistic_id in SET_STATISTICS}
    nothing = np.zeros(0, dtype=np.int64)
    return SetStatistics(name, True, _ordered(values | _of_wording(wording, n, seed)), n, nothing, nothing, nothing)


def _ordered(values: Mapping[str, StatisticValue]) -> dict[str, StatisticValue]:
    return {statistic_id: values[statistic_id] for statistic_id in SET_STATISTICS}


def _mean(total: int, n: int) -> StatisticValue:
    return StatisticValue(total / n) if n else StatisticValue(None, NO_QUERY)


def _of_wording(wording: Wording, n: int | None, seed: int) -> dict[str, StatisticValue]:
    nats = entropy(wording.counts)
    cut: DiversityAtLength | None = wording.at_length(n, seed=seed) if n and wording.n_words else None
    found = {
        "entropy": nats,
        "entropy_bits": in_bits(nats),
        "type_token_ratio": type_token_ratio(wording.n_types, wording.n_words),
        "entropy_at_length": cut.entropy if cut else None,
        "ratio_at_length": cut.ratio if cut else None,
    }
    return {
        "n_words": StatisticValue(wording.n_words),
        "n_types": StatisticValue(wording.n_types),
        **{name: StatisticValue(value, "" if value is not None else NO_WORD) for name, value in found.items()},
    }


def _of_kinds(kinds: WordKinds | str | None, n_words: int) -> dict[str, StatisticValue]:
    if isinstance(kinds, WordKinds):
        shares, reason = (kinds.relational_share, kinds.textual_share), ONLY_STOP_WORDS
    else:
        shares, reason = (None, None), kinds or NOT_YET
    reason = reason if n_words else NO_WORD
    names = ("relational_share", "textual_share")
    return {
        name: StatisticValue(share, "" if share is not None else reason)
        for name, share in zip(names, shares, strict=True)
    }
