"""The sensitivity report of `compare --sensitivity`: as tables and as a document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.comparing.compare import REGION_LABELS
from core.comparing.robustness import (
    EXTREMES,
    JOINT,
    Choice,
    Outcome,
    Robustness,
    order_sentences,
    special_sentences,
    turns_order,
)
from dashboard.commands.output import NONE, number, results, row, shown, table

WIDTH = 80


def print_sensitivity(report: Robustness) -> None:
    """How far F-beta goes, every choice with the versions' scores, and what turns their order; 80 columns wide."""
    out = results()
    out.print()
    title = f"How far F-beta goes under other choices ({REGION_LABELS[report.region]})"
    grid = table(title, "Version", "As set", "Lowest", "under", "Highest", "under", right=(1, 2, 4))
    for span in report.spans:
        under = [choice.label if choice else NONE for choice in (span.lowest_under, span.highest_under)]
        row(
            grid,
            span.label,
            number(span.as_set),
            number(span.lowest),
            under[0],
            number(span.highest),
            under[1],
        )
    out.print(grid, width=WIDTH)
    for span in report.spans:
        if span.joint_lowest is not None and span.joint_highest is not None:
            ends = f"{span.joint_lowest:.3f} to {span.joint_highest:.3f}"
            said = f"{span.label}: {ends} {EXTREMES}."
            out.print(shown(said), width=WIDTH)
    out.print()
    _print_choices(report)
    for sentence in (*order_sentences(report), *special_sentences(report)):
        out.print(shown(sentence), width=WIDTH)
    if report.left_out:
        out.print(shown(f"Left out: {'; '.join(report.left_out)}."), width=WIDTH)


def _print_choices(report: Robustness) -> None:
    right = tuple(range(1, 1 + len(report.labels)))
    grid = table("F-beta, one choice at a time", "Choice", *report.labels, "", right=right)
    for outcome in report.outcomes:
        if outcome.choice.setting == JOINT:
            continue
        mark = (
            "order turns" if turns_order(report, outcome.choice) else "degenerate *" if _is_degenerate(outcome) else ""
        )
        cells = [
            number(value, "strike" if problem else "")
            for value, problem in zip(outcome.f_beta, outcome.problem, strict=True)
        ]
        row(grid, outcome.choice.label, *cells, mark)
    results().print(grid, width=WIDTH)
    if any(map(_is_degenerate, report.outcomes)):
        results().print(shown("* a value that says nothing, and does not count; named below"))


def _is_degenerate(outcome: Outcome) -> bool:
    pairs = zip(outcome.f_beta, outcome.problem, strict=True)
    return any(value is not None and problem is not None for value, problem in pairs)


def _choice(choice: Choice | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    return {
        "label": choice.label,
        "setting": choice.setting,
        "region": choice.region,
        "changes": dict(choice.changes),
    }


def _outcome(outcome: Outcome, labels: tuple[str, ...]) -> dict[str, Any]:
    columns = {"f_beta": outcome.f_beta, "problem": outcome.problem, "rank": outcome.rank}
    by_version = {name: dict(zip(labels, values, strict=True)) for name, values in columns.items()}
    return {"choice": _choice(outcome.choice), **by_version}


def sensitivity_document(report: Robustness) -> dict[str, Any]:
    """`sensitivity` of `compare --sensitivity --json`.

    `region`: the one that settings are varied around. `versions`: F-beta as set, its lowest and highest with one choice
    changed, and with decay and beta at the ends of their ranges at once (`joint_lowest`, `joint_highest`). `choices`:
    each with F-beta, rank (1 is best) and problem of every version; a choice names its `setting`, the `region` it is
    read from and the settings it `changes`. `orders`: for every two versions the difference as set (B minus A), the
    choices that turn their order round, and in `turns` the smallest change of one setting that does. `special`:
    undefined and degenerate cases. `left_out`: what was not looked at, and why.
    """
    spans = [
        {"version": s.label, "f_beta": s.as_set}
        | {name: value for name, value in asdict(s).items() if name not in ("label", "as_set")}
        | {"lowest_under": _choice(s.lowest_under), "highest_under": _choice(s.highest_under)}
        for s in report.spans
    ]
    orders = [asdict(o) | {"turned_by": [_choice(c) for c in o.turned_by]} for o in report.orders]
    special = [
        {"version": s.label} | {name: value for name, value in asdict(s).items() if name != "label"}
        for s in report.special
    ]
    return {
        "region": report.region,
        "versions": spans,
        "choices": [_outcome(outcome, report.labels) for outcome in report.outcomes],
        "orders": orders,
        "special": special,
        "left_out": list(report.left_out),
    }
