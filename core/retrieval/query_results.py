"""Results by query and by group of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.collections import Collection, Judgment, Query, Run
from core.errors import NotFoundError, SettingsError
from core.knowledge.templates import GIVEN
from core.retrieval.leaderboard import Leaderboard, RunScores
from core.stats import Interval, bootstrap_means, percentile_intervals
from core.text import words
from core.types import Floats, Ids

# Runs by groups of queries, and two runs query by query.

LENGTH, ANSWERS, LABEL = "length", "answers", "label:"
WORDS_FROM = (1, 4, 9, 17)
ANSWERS_FROM = (1, 2, 6, 21)
MOST_GROUPS = 12
"""Maximum number of groups; the rarest values of a label with more are merged."""
NO_LABEL, OTHERS = "without this label", "all others"
SAME = 1e-12
"""Values that differ by less are tied."""


@dataclass(frozen=True, eq=False)
class QueryGroup:
    name: str
    query_ids: Ids
    values: tuple[float, ...]
    """Means, in the order of the leaderboard's runs."""
    intervals: tuple[Interval | None, ...]
    """Bootstrap over the group's queries; None: there is only one."""

    @property
    def n(self) -> int:
        return len(self.query_ids)


def groupings(collection: Collection) -> Mapping[str, str]:
    """Return the groupings that the queries allow, with their labels.

    Queries can be grouped by length in words, by number of answers, and by every label in the collection. The values
    that fill a template's blanks are not a grouping.
    """
    names = dict.fromkeys(name for query in collection.queries for name, _ in query.labels if name != GIVEN)
    return {LENGTH: "Query length", ANSWERS: "Number of answers"} | {f"{LABEL}{name}": name for name in names}


def group_scores(
    leaderboard: Leaderboard, collection: Collection, *, by: str, metric: str, seed: int = 0
) -> tuple[QueryGroup, ...]:
    """Score every run on every group of scored queries, leaving out empty groups.

    Lengths and numbers of answers come in ascending order, the values of a label by descending number of queries. A
    query that carries a label twice is in both groups.
    """
    names_of, order = _grouping(leaderboard, collection, by)
    matrix = np.stack([_values(run, metric) for run in leaderboard.scores], axis=1) if leaderboard.scores else None
    members: dict[str, list[int]] = {name: [] for name in order}
    for place, query_id in enumerate(leaderboard.query_ids):
        for name in names_of(query_id):
            members[name].append(place)
    return tuple(
        _group(name, leaderboard.query_ids, places, matrix, seed) for name, places in members.items() if places
    )


def _values(run: RunScores, metric: str) -> Floats:
    if metric not in run.per_query:
        raise SettingsError(f'"{metric}" is not among the metrics that were scored: {", ".join(run.per_query)}')
    return run.per_query[metric]


def _group(name: str, query_ids: Ids, places: Sequence[int], matrix: Floats | None, seed: int) -> QueryGroup:
    chosen = tuple(query_ids[place] for place in places)
    if matrix is None:
        return QueryGroup(name, chosen, (), ())
    values = matrix[list(places)]
    means = tuple(float(mean) for mean in values.mean(axis=0))
    if len(places) < 2:
        return QueryGroup(name, chosen, means, (None,) * len(means))
    return QueryGroup(name, chosen, means, tuple(percentile_intervals(bootstrap_means(values, seed=seed))))


Naming = Callable[[str], Sequence[str]]
"""A function from a query's id to the groups that it belongs to."""


def _grouping(leaderboard: Leaderboard, collection: Collection, by: str) -> tuple[Naming, Sequence[str]]:
    scored = set(leaderboard.query_ids)
    queries = {query.query_id: query for query in collection.queries if query.query_id in scored}
    if by == LENGTH:
        return _binned({query_id: len(words(query.text)) for query_id, query in queries.items()}, WORDS_FROM, "word")
    if by == ANSWERS:
        pairs = {(each.query_id, each.doc_id) for each in collection.judgments if each.relevance > 0}
        return _binned(Counter(query_id for query_id, _ in pairs), ANSWERS_FROM, "answer")
    if by.startswith(LABEL) and by in groupings(collection):
        return _labelled(queries, by.removeprefix(LABEL))
    there = ", ".join(groupings(collection))
    raise NotFoundError(f'queries can\'t be grouped by "{by}"; there is {there}')


def _binned(sizes: Mapping[str, int], first: Sequence[int], noun: str) -> tuple[Naming, Sequence[str]]:
    names = [f"no {noun}s", *bin_names(first, noun)]
    return (lambda query_id: [names[int(np.searchsorted(first, sizes.get(query_id, 0), side="right"))]]), names


def bin_names(first: Sequence[int], noun: str) -> list[str]:
    """Name the bins that begin at these numbers.

    >>> bin_names((1, 2, 6), "answer")
    ['1 answer', '2 to 5 answers', '6 answers or more']
    """
    names = []
    for low, following in zip(first, (*first[1:], None), strict=True):
        if following is None:
            names.append(f"{low} {noun}s or more")
        elif following == low + 1:
            names.append(f"{low} {noun}" if low == 1 else f"{low} {noun}s")
        else:
            names.append(f"{low} to {following - 1} {noun}s")
    return names


def _labelled(queries: Mapping[str, Query], label: str) -> tuple[Naming, Sequence[str]]:
    carried = {
        query_id: list(dict.fromkeys(value for name, value in query.labels if name == label))
        for query_id, query in queries.items()
    }
    counts = Counter(value for values in carried.values() for value in values)
    common = sorted(counts, key=lambda value: (-counts[value], value))
    shown = common if len(common) <= MOST_GROUPS else common[: MOST_GROUPS - 1]
    # A value may have the name of a built-in group; its queries are then added to that group.
    rest = dict.fromkeys(common[len(shown) :], OTHERS)

    def names_of(query_id: str) -> Sequence[str]:
        values = carried.get(query_id, [])
        return list(dict.fromkeys(rest.get(value, value) for value in values)) or [NO_LABEL]

    return names_of, [*shown, OTHERS, NO_LABEL]


@dataclass(frozen=True, eq=False)
class PairedRunScores:
    query_ids: Ids
    a: Floats
    b: Floats
    n_a_better: int
    n_b_better: int
    n_tied: int


def per_query_pairs(leaderboard: Leaderboard, a: str, b: str, metric: str) -> PairedRunScores:
    """Return the values of runs `a` and `b` for every scored query, and how often each is better."""
    runs = {run.name: run for run in leaderboard.scores}
    if missing := [name for name in (a, b) if name not in runs]:
        raise NotFoundError(f'there is no run "{missing[0]}"; there is {", ".join(runs) or "none"}')
    first, second = _values(runs[a], metric), _values(runs[b], metric)
    n_a, n_b = int(np.count_nonzero(first > second + SAME)), int(np.count_nonzero(second > first + SAME))
    return PairedRunScores(leaderboard.query_ids, first, second, n_a, n_b, len(first) - n_a - n_b)


# One query of a benchmark: the answer of each run, in the order in which metrics read it.


@dataclass(frozen=True, slots=True)
class RankedDocument:
    rank: int
    doc_id: str
    score: float


def entries(run: Run, query_id: str) -> tuple[RankedDocument, ...]:
    """Return the answer as metrics read it: score descending, then doc_id ascending, each document once.

    >>> import numpy as np
    >>> run = Run.of("a", ["x", "y"], [("1", np.array([1, 0, 1]), np.array([2.0, 2.0, 5.0]))])
    >>> [(entry.rank, entry.doc_id, entry.score) for entry in entries(run, "1")]
    [(1, 'y', 5.0), (2, 'x', 2.0)]
    """
    rows, scores = run.answer(query_id)
    pairs = sorted(
        ((run.doc_ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)),
        key=lambda pair: (-pair[1], pair[0]),
    )
    first: dict[str, float] = {}
    for doc_id, score in pairs:
        first.setdefault(doc_id, score)
    return tuple(RankedDocument(rank, doc_id, score) for rank, (doc_id, score) in enumerate(first.items(), 1))


def answers_of(judgments: Iterable[Judgment]) -> Mapping[str, Mapping[str, int]]:
    """Return the relevant documents of every query with their grades, most relevant first."""
    found: dict[str, dict[str, int]] = {}
    for judgment in judgments:
        if judgment.relevance > 0:
            grades = found.setdefault(judgment.query_id, {})
            grades[judgment.doc_id] = max(judgment.relevance, grades.get(judgment.doc_id, 0))
    return {
        query_id: dict(sorted(grades.items(), key=lambda each: (-each[1], each[0])))
        for query_id, grades in found.items()
    }
