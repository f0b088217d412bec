"""A dry run and a judged run as tables for people, and as the documents that programs read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.judging.agreement import Interval
from core.judging.means import Cell
from core.judging.scores import JudgeScores, judge_verdict, results_document
from core.judging.types import STATUS_WORDS
from core.ranking.report import ALPHA
from dashboard.commands.output import NONE, print_json, results, row, shown, table
from data.judging.demo_judge import DEMO_MODEL
from data.judging.export.qrels import prompt_hash
from data.judging.keeping.runs import Judge, JudgeRunRow
from data.judging.planning import Plan
from data.judging.running.asking import Done

NOT_A_MODEL = "demo is not a language model: it compares words, and its grades say nothing about your queries"
MOST_VALUES = 12
"""Of a dimension that a table shows."""


def plan_document(found: Plan, notes: Sequence[str]) -> dict[str, Any]:
    """What would be asked, and what it costs."""
    cost = found.cost
    return {
        "dry_run": True,
        **{name: value for name, value in asdict(found).items() if name not in ("price", "how")},
        "price": None if found.price is None else asdict(found.price),
        "dollars": None if cost is None else {"expected": cost[0], "most": cost[1]},
        "is_large": found.is_large,
        "how": found.how,
        "notes": list(notes),
    }


def show_plan(found: Plan, notes: Sequence[str], *, as_json: bool) -> None:
    """What a run would ask. Nothing was sent."""
    if as_json:
        print_json(plan_document(found, notes))
        return
    out = results()
    grid = table("Dry run: nothing was sent", "", "Expected", "At most", right=(1, 2))
    row(grid, "Publications of all engines", f"{found.n_candidates:,}", "")
    row(grid, "Different ones", f"{found.n_triples:,}", "")
    row(grid, "Answered before", f"{found.n_known:,}", "")
    if found.n_skipped:
        row(grid, "Left out, without an abstract", f"{found.n_skipped:,}", "")
    row(grid, "Calls", f"{found.n_calls:,}", f"{found.most_calls:,}")
    row(grid, "Tokens of prompts", f"{found.n_prompt_tokens:,}", f"{found.most_prompt_tokens:,}")
    row(grid, "Tokens of answers", f"{found.n_answer_tokens:,}", f"{found.most_answer_tokens:,}")
    dollars = [NONE, NONE] if found.cost is None else [f"{value:,.2f}" for value in found.cost]
    row(grid, "Dollars", *dollars)
    row(grid, "Minutes", f"{found.minutes:,.1f}", "")
    out.print(grid)
    if found.cost is None:
        out.print(shown("No price is known: give one with --price MODEL=IN,OUT."))
    out.print(shown(found.how))


def judged_document(
    run: JudgeRunRow, judge: Judge, scores: JudgeScores, done: Done, notes: Sequence[str]
) -> dict[str, Any]:
    """The keys that other programs rely on, and some more."""
    document = results_document(scores)
    return {
        **document,
        "warnings": [*document.get("warnings", []), *notes],
        "run_id": run.run_id,
        "name": run.name,
        "state": run.state,
        "judge": {
            **asdict(judge.settings),
            "judge_key": judge.judge_key,
            "prompt_hash": prompt_hash(judge.prompt),
            "rubric": judge.rubric.name,
            "shown_max": judge.rubric.shown_max,
            "is_language_model": judge.settings.model != DEMO_MODEL,
        },
        "asked": {
            "n_asked": done.n_asked,
            "n_calls": done.n_calls,
            "n_known": done.n_known,
            "failures": dict(done.failures),
        },
    }


def print_judged(run: JudgeRunRow, judge: Judge, scores: JudgeScores) -> None:
    """Engines side by side, by kind of query, which differences are clear, and how the answers ended."""
    out = results()
    rubric = judge.rubric
    lowest = rubric.shown(rubric.points[0])
    title = f"{run.name}: graded {lowest:g} to {rubric.shown_max:g} by {judge.settings.model}"
    columns = ("Engine", "Mean", "95 % interval", "Coverage", "Grades", "Queries", f"{scores.cut} or better")
    grid = table(title, *columns, right=(1, 3, 4, 5, 6))
    for each in scores.engines:
        row(
            grid,
            each.engine,
            _number(each.mean.value),
            _interval(each.mean.interval),
            _share(each.coverage),
            f"{each.n_valid:,} of {each.n:,}",
            f"{each.mean.n:,}",
            _share(each.share_at_cut.value),
        )
    out.print(grid)
    out.print(shown(judge_verdict(scores)))
    _print_dimensions(scores)
    _print_comparisons(scores)
    _print_statuses(scores.overall.statuses)
    out.print(shown(f"Run {run.run_id[:16]}: {run.state}."))


def _print_dimensions(scores: JudgeScores) -> None:
    out = results()
    for name, values in scores.dimensions.items():
        engines = [each.engine for each in scores.engines]
        out.print()
        grid = table(f"By {name}", "", "Queries", *engines, right=range(1, len(engines) + 2))
        for value, cells in list(values.items())[:MOST_VALUES]:
            n = max((cells[engine].n_queries for engine in engines), default=0)
            row(grid, value, f"{n:,}", *(_cell(cells[engine]) for engine in engines))
        out.print(grid)
        if len(values) > MOST_VALUES:
            out.print(shown(f"and {len(values) - MOST_VALUES:,} more values, which --json has"))
    there = [cell for values in scores.dimensions.values() for cells in values.values() for cell in cells.values()]
    if any(cell.is_small for cell in there):
        out.print(shown("In brackets: too few queries to say much."))
    if any(_is_in_part(cell) for cell in there):
        out.print(shown("With a share: only so much of it has a grade, and the mean rests on that."))


def _print_comparisons(scores: JudgeScores) -> None:
    if not scores.comparisons:
        return
    out = results()
    out.print()
    grid = table("Differences", "Compared", "Difference", "95 % interval", "p (Holm)", "Queries", "", right=(1, 3, 4))
    for c in scores.comparisons:
        said = "clear" if c.is_clear else "not clear"
        p = NONE if c.p_holm is None else f"{c.p_holm:.4f}"
        row(grid, f"{c.b} minus {c.a}", _number(c.difference), _interval(c.interval), p, f"{c.n_queries:,}", said)
    out.print(grid)
    out.print(shown(f"Clear: 0 is outside the interval, and p after Holm is below {ALPHA:g}."))


def _print_statuses(statuses: Mapping[Any, int]) -> None:
    if not any(n for status, n in statuses.items() if status != "ok"):
        return
    out = results()
    out.print()
    grid = table("Answers", "How they ended", "Publications", right=(1,))
    for status, n in statuses.items():
        if n:
            row(grid, STATUS_WORDS[status], f"{n:,}")
    out.print(grid)


def _cell(cell: Cell) -> str:
    said = _number(cell.mean.value)
    if cell.mean.value is None:
        return said
    said = f"({said})" if cell.is_small else said
    return f"{said} {_share(cell.coverage)}" if _is_in_part(cell) else said


def _is_in_part(cell: Cell) -> bool:
    return cell.mean.value is not None and cell.coverage is not None and cell.coverage < 1


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def _interval(pair: Interval | None) -> str:
    return f"{pair.low:.1f} to {pair.high:.1f}" if pair else NONE


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.1%}"
