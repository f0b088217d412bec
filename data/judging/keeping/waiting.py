"""What a run has still to ask about, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import NotFoundError
from core.judging.types import Status, Triple
from data.store import Store


@dataclass(frozen=True, slots=True)
class Wanted:
    """A triple to ask about."""

    triple_key: str
    attempt: int
    """From 1: the next one."""
    position: int
    """Of the first candidate that it belongs to."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a run has still to ask about."""

    n_triples: int
    """Of the whole run, each once."""
    wanted: tuple[Wanted, ...]
    """In the order of the run."""

    @property
    def n_known(self) -> int:
        """Triples that need not be asked about."""
        return self.n_triples - len(self.wanted)


def waiting_triples(store: Store, run_id: str, judge_key: str, *, again: bool = False) -> Waiting:
    """Triples without an answer, and those whose service failed. `again`: also any other one that has no grade.

    What was not asked by choice, since there is no abstract, has its answer.
    """
    found = store.rows(
        """
        WITH mine AS (
            SELECT triple_key, min(position) AS position FROM judge_run_candidates WHERE run_id = $run
            GROUP BY triple_key
        ), said AS (
            SELECT triple_key, max(attempt) AS attempt, arg_max(status, attempt) AS status,
                   arg_max(points IS NOT NULL, attempt) AS is_valid
            FROM judge_answers
            WHERE judge_key = $judge AND triple_key IN (SELECT triple_key FROM mine)
            GROUP BY triple_key
        )
        SELECT mine.triple_key, coalesce(said.attempt, 0) + 1, mine.position,
               said.status IS NULL OR said.status = 'http_error'
               OR ($again AND NOT said.is_valid AND said.status != 'no_abstract')
        FROM mine LEFT JOIN said ON said.triple_key = mine.triple_key
        ORDER BY mine.position
        """,
        {"run": run_id, "judge": judge_key, "again": again},
    )
    return Waiting(len(found), tuple(Wanted(*row) for *row, is_wanted in found if is_wanted))


def load_triples(store: Store, run_id: str, wanted: Sequence[Wanted]) -> dict[str, Triple]:
    """The texts of these, by key."""
    found = store.rows(
        """
        WITH texts AS (
            SELECT query_id, arg_max(text, position) AS text FROM judge_run_queries WHERE run_id = $run
            GROUP BY query_id
        )
        SELECT c.triple_key, texts.text, c.title, c.abstract
        FROM judge_run_candidates AS c JOIN texts ON texts.query_id = c.query_id
        WHERE c.run_id = $run AND c.position IN (SELECT unnest($positions::INTEGER[]))
        """,
        {"run": run_id, "positions": [each.position for each in wanted]},
    )
    triples = {key: Triple(*texts) for key, *texts in found}
    if any(each.triple_key not in triples for each in wanted):
        raise NotFoundError("the run was deleted while it went on: what was answered is kept")
    return triples


def count_statuses(store: Store, run_id: str, judge_key: str) -> dict[Status, int]:
    """Of the answers that count to the triples of a run, the most frequent first."""
    found = store.rows(
        """
        SELECT status, count(*) FROM (
            SELECT arg_max(status, attempt) AS status FROM judge_answers
            WHERE judge_key = $judge
              AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = $run)
            GROUP BY triple_key
        ) GROUP BY status ORDER BY count(*) DESC, status
        """,
        {"run": run_id, "judge": judge_key},
    )
    return dict(found)
