"""Judged runs as a list shows them: how far each is, what came of it, and what a person does to the list itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.judging.types import Field, Status
from data.judging.keeping.runs import Judge, JudgeRunRow, delete_judge_run, keep_state, load_field, load_judge, save_run
from data.store import Store

LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    n_triples: int
    """Different ones: what two engines found is judged once."""
    statuses: Mapping[Status, int]
    """Of the answers that count, the most frequent first."""
    n_valid: int
    """Those with a grade."""
    n_skipped: int = 0
    """Not asked by choice: there is no abstract."""

    @property
    def n_answered(self) -> int:
        """Triples that were asked, whatever came of it."""
        return sum(self.statuses.values())

    @property
    def n_waiting(self) -> int:
        """Triples that were not asked yet, or whose service failed: going on asks them."""
        return self.n_triples - self.n_answered + self.statuses.get("http_error", 0)

    @property
    def n_without_grade(self) -> int:
        """Answered, but not by a grade; what was not asked by choice aside."""
        return self.n_answered - self.n_valid - self.n_skipped - self.statuses.get("http_error", 0)


NOTHING = Progress(0, {}, 0)


def progress_of(store: Store) -> dict[str, Progress]:
    """How far every run is, by its id."""
    totals = dict(
        store.rows(
            "SELECT run_id, count(DISTINCT triple_key) FROM judge_run_candidates GROUP BY run_id ORDER BY run_id"
        )
    )
    found = store.rows(
        """
        WITH last AS (
            SELECT judge_key, triple_key, arg_max(status, attempt) AS status, arg_max(points, attempt) AS points
            FROM (SELECT judge_key, triple_key, status, coalesce(points, -1) AS points, attempt FROM judge_answers)
            GROUP BY judge_key, triple_key
        ), asked AS (
            SELECT DISTINCT c.run_id, r.judge_key, c.triple_key
            FROM judge_run_candidates AS c JOIN judge_runs AS r ON r.run_id = c.run_id
        )
        SELECT run_id, status, count(*) AS n, count(*) FILTER (points >= 0)
        FROM asked JOIN last ON last.judge_key = asked.judge_key AND last.triple_key = asked.triple_key
        GROUP BY run_id, status ORDER BY run_id, n DESC, status
        """
    )
    statuses: dict[str, dict[Status, int]] = {run_id: {} for run_id in totals}
    valid, skipped = dict.fromkeys(totals, 0), dict.fromkeys(totals, 0)
    for run_id, status, n, n_valid in found:
        statuses[run_id][status] = n
        valid[run_id] += n_valid
        skipped[run_id] += n - n_valid if status == "no_abstract" else 0
    return {run_id: Progress(n, statuses[run_id], valid[run_id], skipped[run_id]) for run_id, n in totals.items()}


def failures_of(store: Store, row: JudgeRunRow, most: int = 5) -> tuple[tuple[Status, str, int], ...]:
    """Why triples of a run have no grade: status, reason and how many, the most frequent first."""
    found = store.rows(
        """
        SELECT status, reason, count(*) AS n FROM (
            SELECT triple_key, arg_max(status, attempt) AS status, arg_max(reason, attempt) AS reason,
                   arg_max(coalesce(points, -1), attempt) AS points
            FROM judge_answers WHERE judge_key = ? GROUP BY triple_key
        )
        WHERE points < 0 AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = ?)
        GROUP BY status, reason ORDER BY n DESC, status, reason LIMIT ?
        """,
        [row.judge_key, row.run_id, most],
    )
    return tuple((status, reason, n) for status, reason, n in found)


def checked_name(name: str) -> str:
    """What a run can be called."""
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise InputError(f"give the run a name of up to {LONGEST_NAME} printable characters")
    return plain


def rename_judge_run(store: Store, run_id: str, name: str) -> str:
    """Call it otherwise; what it is called then."""
    plain = checked_name(name)
    store.execute("UPDATE judge_runs SET name = ? WHERE run_id = ?", [plain, run_id])
    return plain


def keep_choice(store: Store, run_id: str, document: Mapping[str, Any]) -> None:
    """What was chosen for a run the last time, such as how fast the judge is asked: going on takes that."""
    store.execute("UPDATE judge_runs SET document = ? WHERE run_id = ?", [json.dumps(dict(document)), run_id])


@dataclass(frozen=True, eq=False)
class Deleted:
    """A run that was taken from the list, whole, so that it can come back."""

    row: JudgeRunRow
    judge: Judge
    field: Field


def take_away(store: Store, row: JudgeRunRow) -> Deleted:
    """Take a run from the list. What judges said stays; `bring_back` undoes it."""
    deleted = Deleted(row, load_judge(store, row.judge_key), load_field(store, row))
    delete_judge_run(store, row.run_id)
    return deleted


def bring_back(store: Store, deleted: Deleted) -> None:
    """As it was, at its old place."""
    row = deleted.row
    save_run(store, row.name, deleted.judge, deleted.field, row.document, clock=lambda: row.made_at)
    keep_state(store, row.run_id, "paused" if row.state == "running" else row.state)
