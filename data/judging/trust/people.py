"""Grades of people beside those of a judge: judgments of a collection, or what somebody overruled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.judging.trust.regions import GradedTwice
from core.judging.types import Judged
from data.judging.export.qrels import ORIGIN
from data.store import Store


@dataclass(frozen=True, slots=True)
class PeopleSource:
    """Where grades of people can be had for what a run judged."""

    collection: str | None
    """None: what was overruled."""
    label: str
    n: int
    """Graded by both."""
    values: Mapping[int, int]
    """How often each value was given, on the people's own scale."""
    note: str = ""
    """What has to be known of it."""
    made_up: bool = False
    """By a script, with the texts."""

    @property
    def is_overruled(self) -> bool:
        """Only what somebody looked at and changed: no fair sample."""
        return self.collection is None


OVERRULED_NOTE = (
    "Only what somebody overruled is compared, mostly what looked wrong: true agreement is higher than this."
)
MADE_UP = "This collection is made up, and its judgments with it: no person gave them."
ONLY_POSITIVE = "All of it is positive: what people did not mark is unknown, so agreement can't be told from kindness."


def people_sources(store: Store, run_id: str, judged: Sequence[Judged]) -> tuple[PeopleSource, ...]:
    """Collections that hold judgments of the same queries and publications, the most first; then what was overruled.

    A query counts as the same if its id and its words are. Collections made of a judge's grades are left out.
    """
    found: dict[str, Counter[int]] = {}
    made_up: set[str] = set()
    for collection, is_made_up, value, n in store.rows(_COUNTS, {"run": run_id, "made": ORIGIN}):
        found.setdefault(collection, Counter())[value] = n
        made_up |= {collection} if is_made_up else set()
    sources = [
        PeopleSource(
            name,
            f'judgments of "{name}"',
            values.total(),
            dict(sorted(values.items())),
            _note(values, name in made_up),
            name in made_up,
        )
        for name, values in found.items()
    ]
    sources.sort(key=lambda source: (-source.n, source.label))
    values = Counter(pair.human for pair in _overruled(judged))
    if values:
        sources.append(
            PeopleSource(None, "overruled grades", values.total(), dict(sorted(values.items())), OVERRULED_NOTE)
        )
    return tuple(sources)


def _note(values: Mapping[int, int], is_made_up: bool) -> str:
    said = [MADE_UP] if is_made_up else []
    return " ".join([*said, ONLY_POSITIVE] if len(values) == 1 and min(values) > 0 else said)


def graded_twice(store: Store, run_id: str, judged: Sequence[Judged], source: PeopleSource) -> tuple[GradedTwice, ...]:
    """What the judge and people graded; the judge's own grade, whatever somebody put in its place."""
    if source.collection is None:
        return _overruled(judged)
    human = values_of(store, run_id, source.collection)
    pairs: dict[tuple[str, str], GradedTwice] = {}
    for each in judged:
        at = each.candidate.query_id, each.candidate.doc_id
        if at in human and at not in pairs and each.verdict is not None and each.verdict.points is not None:
            pairs[at] = GradedTwice(at[0], each.verdict.points, human[at])
    return tuple(pairs.values())


def values_of(store: Store, run_id: str, collection: str) -> dict[tuple[str, str], int]:
    """What people gave in a collection, on their own scale, by query and publication of a run."""
    found = store.rows(_VALUES, {"run": run_id, "collection": collection})
    return {(query_id, doc_id): value for query_id, doc_id, value in found}


def _overruled(judged: Sequence[Judged]) -> tuple[GradedTwice, ...]:
    pairs: dict[str, GradedTwice] = {}
    for each in judged:
        person = each.overruled.points if each.overruled is not None else None
        if person is not None and each.verdict is not None and each.verdict.points is not None:
            pairs[each.triple_key] = GradedTwice(each.candidate.query_id, each.verdict.points, person)
    return tuple(pairs.values())


_COUNTS = """
    WITH asked AS (
        SELECT DISTINCT c.query_id, c.doc_id, q.text
        FROM judge_run_candidates AS c JOIN judge_run_queries AS q ON q.run_id = c.run_id AND q.query_id = c.query_id
        WHERE c.run_id = $run
    )
    SELECT j.collection, owner.made_up, j.relevance, count(DISTINCT (j.query_id, j.doc_id))
    FROM collection_judgments AS j
    JOIN asked ON asked.query_id = j.query_id AND asked.doc_id = j.doc_id
    JOIN collection_queries AS q ON q.collection = j.collection AND q.query_id = j.query_id AND q.text = asked.text
    JOIN collections AS owner ON owner.name = j.collection AND NOT starts_with(owner.origin, $made)
    GROUP BY j.collection, owner.made_up, j.relevance ORDER BY j.collection, j.relevance
"""
_VALUES = """
    SELECT j.query_id, j.doc_id, arg_max(j.relevance, j.position)
    FROM collection_judgments AS j
    JOIN collection_queries AS q ON q.collection = j.collection AND q.query_id = j.query_id
    JOIN judge_run_queries AS asked ON asked.run_id = $run AND asked.query_id = j.query_id AND asked.text = q.text
    WHERE j.collection = $collection
    GROUP BY j.query_id, j.doc_id
"""
