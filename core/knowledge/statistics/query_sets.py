"""Sets of queries side by side, and beside a reference text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.knowledge.statistics.definitions import SET_STATISTICS
from core.knowledge.statistics.diversity import AtLength, Wording, entropy, in_bits, type_token_ratio
from core.knowledge.statistics.spread import Counts, Spread, spread_of
from core.knowledge.statistics.word_kinds import WordKinds
from core.ranking.types import Collection, Query
from core.text import STOP_WORDS, words

NO_QUERY = "the set has no query"
NO_WORD = "there is no word"
NO_JUDGMENT = "no query has a judgment"
IS_TEXT = "a text has no queries"
NOT_TOLD = "the queries don't say what they require: choose a knowledge base that can tell"
NOT_YET = "its relational words were not told from textual ones yet"
ONLY_STOP_WORDS = "there are only stop words"


@dataclass(frozen=True, eq=False)
class QuerySet:
    """Queries, and how many answers each has."""

    name: str
    queries: tuple[Query, ...]
    n_answers: Mapping[str, int]
    """Judgments above 0 by query; a query that was not judged is not here."""

    @classmethod
    def of(cls, collection: Collection, split: str | None = None, *, name: str | None = None) -> QuerySet:
        """Those of a collection, or of a named part of it."""
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
        """Of each query."""
        return np.array([len(query.text) for query in self.queries], dtype=np.int64)

    @cached_property
    def answers(self) -> Counts:
        """Of each query that was judged."""
        judged = [self.n_answers[q.query_id] for q in self.queries if q.query_id in self.n_answers]
        return np.array(judged, dtype=np.int64)

    @cached_property
    def n_stop_words(self) -> int:
        return sum(word in STOP_WORDS for query in self.queries for word in words(query.text))


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, or why there is none."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class SetStatistics:
    """Everything about one set, or about a reference text."""

    name: str
    is_reference: bool
    values: Mapping[str, Measured]
    """By the ids of SET_STATISTICS."""
    n_at_length: int | None
    """Words at which the numbers at a common length were taken."""
    words: Counts = field(repr=False)
    """Of each query."""
    characters: Counts = field(repr=False)
    answers: Counts = field(repr=False)
    """Of each query that was judged."""

    def value(self, statistic_id: str) -> float | None:
        """A number by its id."""
        return self.values[statistic_id].value

    @property
    def words_spread(self) -> Spread | None:
        return spread_of(self.words)

    @property
    def answers_spread(self) -> Spread | None:
        return spread_of(self.answers)


def common_length(wordings: Sequence[Wording]) -> int | None:
    """Words of the smallest, those without any aside; None: all are."""
    return min((wording.n_words for wording in wordings if wording.n_words), default=None)


def compare_sets(
    sets: Sequence[QuerySet],
    reference: Wording | None = None,
    *,
    kinds: Mapping[str, WordKinds | None] | None = None,
    reference_name: str = "reference",
    seed: int,
) -> tuple[SetStatistics, ...]:
    """Each set in numbers, the reference last. `kinds`: words by kind, for sets by name; None: not told apart yet."""
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
        "n_queries": Measured(n_queries),
        "words_per_query": _mean(wording.n_words, n_queries),
        "characters_per_query": _mean(int(one.n_characters.sum()), n_queries),
        "answers_per_query": Measured(answers.mean) if answers else Measured(None, NO_JUDGMENT),
        **_of_wording(wording, n, seed),
        **_of_kinds(kinds, wording.n_words),
        "stop_share": Measured(one.n_stop_words / wording.n_words) if wording.n_words else Measured(None, NO_WORD),
    }
    return SetStatistics(one.name, False, _ordered(values), n, wording.lengths, one.n_characters, one.answers)


def _reference_statistics(wording: Wording, n: int | None, name: str, seed: int) -> SetStatistics:
    values = {statistic_id: Measured(None, IS_TEXT) for statistic_id in SET_STATISTICS}
    nothing = np.zeros(0, dtype=np.int64)
    return SetStatistics(name, True, _ordered(values | _of_wording(wording, n, seed)), n, nothing, nothing, nothing)


def _ordered(values: Mapping[str, Measured]) -> dict[str, Measured]:
    return {statistic_id: values[statistic_id] for statistic_id in SET_STATISTICS}


def _mean(total: int, n: int) -> Measured:
    return Measured(total / n) if n else Measured(None, NO_QUERY)


def _of_wording(wording: Wording, n: int | None, seed: int) -> dict[str, Measured]:
    nats = entropy(wording.counts)
    cut: AtLength | None = wording.at_length(n, seed=seed) if n and wording.n_words else None
    found = {
        "entropy": nats,
        "entropy_bits": in_bits(nats),
        "type_token_ratio": type_token_ratio(wording.n_types, wording.n_words),
        "entropy_at_length": cut.entropy if cut else None,
        "ratio_at_length": cut.ratio if cut else None,
    }
    return {
        "n_words": Measured(wording.n_words),
        "n_types": Measured(wording.n_types),
        **{name: Measured(value, "" if value is not None else NO_WORD) for name, value in found.items()},
    }


def _of_kinds(kinds: WordKinds | str | None, n_words: int) -> dict[str, Measured]:
    """Kinds of words, or why they are not known; None: not yet."""
    if isinstance(kinds, WordKinds):
        shares, reason = (kinds.relational_share, kinds.textual_share), ONLY_STOP_WORDS
    else:
        shares, reason = (None, None), kinds or NOT_YET
    reason = reason if n_words else NO_WORD
    names = ("relational_share", "textual_share")
    return {
        name: Measured(share, "" if share is not None else reason) for name, share in zip(names, shares, strict=True)
    }
