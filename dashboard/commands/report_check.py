"""`report --check`: how complete the record of a search is, item by item, with what to do next."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.audit.reporting.about_strategies import Completeness, Filled, completeness, fill
from core.audit.reporting.numbers import Flow, flow_of
from core.types import unique_ids
from dashboard.commands.output import NONE, print_json, results, row, shown, table
from data.audit.reports import Asked, record
from data.workspace import Workspace

LONGEST = 300
"""Signs of an answer that a table shows; --json has all of it."""
STATES = {
    "known": "known",
    "likely": "to confirm",
    "open": "open",
    "said": "said",
    "changed": "has changed",
}


def check_record(topic: str, labels: tuple[str, ...] | None, data_dir: Path | None, *, as_json: bool) -> None:
    """Say how complete the record of this topic's searches is."""
    with Workspace.open(data_dir, or_copy=True) as workspace:
        facts = record(workspace, Asked("prisma-s", topic, labels))
    filled, flow = fill(facts), flow_of(facts)
    if as_json:
        versions = list(dict.fromkeys(search.version for search in facts.searches))
        print_json(_document(topic, versions, filled, completeness(filled), flow))
    else:
        _print(topic, filled, completeness(filled), flow)


def item_document(one: Filled) -> dict[str, Any]:
    """One of `items` of `report --check --json`.

    `state`: known (recorded), likely (to be confirmed), open, said, or changed (no longer what was confirmed);
    `text`: what a report says there; `said_by` and `said_at`: null where nobody said anything.
    """
    return {
        "item": one.item.item,
        "number": one.item.number,
        "title": one.item.title,
        "part": one.item.part,
        "state": one.state,
        "text": one.text,
        "next_step": one.next_step,
        "recorded": one.recorded,
        "warnings": list(one.warnings),
        "said_by": one.answer.said_by if one.answer else None,
        "said_at": one.answer.said_at if one.answer else None,
    }


def _document(
    topic: str, versions: list[str], filled: tuple[Filled, ...], complete: Completeness, flow: Flow
) -> dict[str, Any]:
    """`report --check --json`: topic, versions, completeness, items, flow, disagreements, warnings (of the flow)."""
    numbers = [
        {"item": number.item, "label": number.label, "n": number.n, "state": number.state, "note": number.sentence}
        for number in flow.numbers
    ]
    return {
        "topic": topic,
        "versions": versions,
        "completeness": asdict(complete),
        "items": [item_document(one) for one in filled],
        "flow": numbers,
        "disagreements": list(flow.disagreements),
        "warnings": list(flow.warnings),
    }


def _print(topic: str, filled: tuple[Filled, ...], complete: Completeness, flow: Flow) -> None:
    out = results()
    grid = table(f"{topic}: the record by PRISMA-S", "Item", "Title", "State", "What is said", "Next", right=(0,))
    for one in filled:
        row(grid, str(one.item.number), one.item.title, STATES[one.state], _short(one.text), one.next_step or NONE)
    out.print(grid)
    out.print()
    numbers = table("Numbers of the PRISMA 2020 flow diagram", "Item", "Number of", "n", "State", right=(2,))
    for number in flow.numbers:
        shown_n = NONE if number.n is None else f"{number.n:,}"
        row(numbers, number.item, number.label, shown_n, STATES[number.state])
    out.print(numbers)
    warnings = unique_ids([*(warning for one in filled for warning in one.warnings), *flow.warnings])
    for sentence in (*warnings, *flow.disagreements, complete.sentence):
        out.print(shown(sentence), soft_wrap=True)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return (flat if len(flat) <= LONGEST else flat[: LONGEST - 1].rstrip() + "…") or NONE
