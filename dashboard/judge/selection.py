"""Select and open a judged run, and compute its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.judge.judgments import JudgedCandidate, JudgeField
from core.judge.scores import JudgeScores, engine_scores
from dashboard import cache
from dashboard.kit.link_controls import choose_one
from data.judge.runs import Judge, JudgeRunRow, list_judge_runs, load_field, load_judge, load_judged
from data.store import content_hash

MOST_OPENED = 4


@dataclass(frozen=True, eq=False)
class OpenedJudgeRun:
    row: JudgeRunRow
    judge: Judge
    field: JudgeField
    judged: tuple[JudgedCandidate, ...]
    """Every candidate, in the field's order."""


def choose_run() -> OpenedJudgeRun | None:
    """Choose the run in the link, else the newest; None: there is none yet."""
    store = cache.workspace().store
    rows = {row.run_id: row for row in list_judge_runs(store)}
    if not rows:
        return None
    names = {run_id: _named(row, list(rows.values())) for run_id, row in rows.items()}
    return open_run(rows[choose_one(st.selectbox, "Run", list(rows), key="judged", names=names)])


def open_run(row: JudgeRunRow) -> OpenedJudgeRun:
    """Open the current state of a run; it is read again only after new answers or overruled grades."""
    store, kept = cache.workspace().store, cache.kept("judge-opened", MOST_OPENED)
    rows = store.rows(
        """
        SELECT (SELECT count(*) FROM judge_answers WHERE judge_key = ?), (SELECT count(*) FROM judge_overrules)
        """,
        [row.judge_key],
    )
    key = f"{row.run_id}-{rows[0]}"
    if key not in kept:
        field = load_field(store, row)
        kept[key] = load_judge(store, row.judge_key), field, load_judged(store, row, field)
    judge, field, judged = kept[key]
    return OpenedJudgeRun(row, judge, replace(field, name=row.name), judged)


def _named(row: JudgeRunRow, rows: Sequence[JudgeRunRow]) -> str:
    if sum(other.name == row.name for other in rows) == 1:
        return row.name
    return f"{row.name} ({row.settings.model}, {row.made_at[:16].replace('T', ' ')})"


# The scores of a judged run, computed once per state.


def scores_of(opened: OpenedJudgeRun, *, cut: int, judge_alone: bool) -> JudgeScores:
    """Return the cached scores, unless anything was judged or overruled since."""
    key = _key(opened, cut, judge_alone)
    found: JudgeScores | None = cache.ranked().get(key)
    if found is None:
        with st.spinner("Counting the grades"):
            found = engine_scores(opened.field, opened.judged, opened.judge.rubric, cut=cut, judge_alone=judge_alone)
        cache.keep_ranked(key, found)
    return found


def graded_key(opened: OpenedJudgeRun, scores: JudgeScores) -> str:
    """Return a key that changes with anything that these scores depend on."""
    return _key(opened, scores.cut, scores.judge_alone)


def _key(opened: OpenedJudgeRun, cut: int, judge_alone: bool) -> str:
    return content_hash(
        [
            *("judged", opened.row.run_id, opened.judge.rubric_key, str(cut), str(judge_alone)),
            *(
                f"{each.triple_key} {each.verdict and (each.verdict.status, each.verdict.points)} {each.points}"
                for each in opened.judged
            ),
        ]
    )
