"""The PRISMA-S appendix and the PRISMA 2020 numbers as one report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.audit.document import (
    Block,
    Column,
    Document,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Prompt,
    Remark,
    Table,
)
from core.audit.reporting.drafts import day, many
from core.audit.reporting.filling import Filled, completeness, fill
from core.audit.reporting.flow import flow_alternative, flow_picture, flow_tables
from core.audit.reporting.items import PRISMA_2020, PRISMA_S
from core.audit.reporting.numbers import flow_of
from core.audit.types import AuditFacts
from core.text import listed

STATES = {
    "known": "recorded",
    "likely": "prefilled, not confirmed",
    "open": "open",
    "said": "said",
    "changed": "confirmed, but the record has changed",
}


def prisma_s(facts: AuditFacts, *, made_at: str, made_with: str) -> Document:
    """All sixteen items, then the flow diagram with its numbers."""
    filled = fill(facts)
    blocks = [
        *_head(facts, filled),
        *_items(filled),
        *_flow(facts),
        Heading("References"),
        Listing((PRISMA_S, PRISMA_2020)),
    ]
    return Document(
        "prisma-s",
        f"PRISMA-S appendix: {facts.topic_id}",
        "How the search was made, item by item",
        tuple(blocks),
        made_at,
        made_with,
        facts.made_up,
    )


def _head(facts: AuditFacts, filled: Sequence[Filled]) -> Iterator[Block]:
    n = len(facts.searches)
    labels = ", ".join(f"“{search.version}”" for search in facts.searches)
    what = f"It reports {many(n, 'version')} of the search: {labels}." if n else "No search was run or brought in yet."
    yield Paragraph(f"{completeness(filled).sentence} {what}", is_lead=True)
    warnings = [warning for one in filled for warning in one.warnings]
    yield from (Remark(warning, is_warning=True) for warning in dict.fromkeys(warnings))
    rows = tuple((one.item.number, one.item.title, one.item.part, state_in_words(one)) for one in filled)
    columns = (Column("Item", "count"), Column("Title"), Column("Part"), Column("State"))
    yield Table(
        "prisma-s-items",
        "The sixteen items and how each stands",
        columns,
        rows,
        "Recorded: Queryscape kept it. Prefilled: likely, to be confirmed. Said: a person's words.",
    )


def state_in_words(one: Filled) -> str:
    """How an item stands, and who said it."""
    if one.answer is None or one.state not in ("said", "changed"):
        return STATES[one.state]
    word = {"confirmed": "confirmed", "own": "said", "not done": "said not to be part of the search"}[one.answer.state]
    by = one.answer.said_by or "somebody unnamed"
    said = f"{word} by {by} on {day(one.answer.said_at)}"
    return f"{said}; the record has changed since" if one.state == "changed" else said


def _items(filled: Sequence[Filled]) -> Iterator[Block]:
    part = ""
    for one in filled:
        if one.item.part != part:
            part = one.item.part
            yield Heading(part)
        yield Heading(f"{one.item.number} {one.item.title}", 3)
        yield from _item(one)


def _item(one: Filled) -> Iterator[Block]:
    """The words, what is to be known of them, what is still to be said, then tables."""
    lines = [line for line in one.text.split("\n") if line.strip()]
    if len(lines) > 3:
        yield Listing(tuple(lines))
    else:
        yield from (Paragraph(line) for line in lines)
    if one.answer is not None and one.state in ("said", "changed"):
        yield Remark(f"{_upper(state_in_words(one))}.")
    if one.set_aside:
        yield Paragraph("What Queryscape recorded:")
        yield Listing(one.set_aside)
    if one.change:
        yield Remark(one.change, is_warning=True)
    yield from (Remark(warning, is_warning=True) for warning in one.warnings)
    if one.state == "likely" and one.evidence:
        yield Remark(f"Why this is prefilled: {one.evidence}")
    if one.next_step:
        yield Prompt(one.next_step, one.item.item)
    yield from one.blocks


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _flow(facts: AuditFacts) -> Iterator[Block]:
    flow = flow_of(facts)
    yield Heading("PRISMA 2020: from records to studies")
    yield Paragraph(
        "The diagram for new systematic reviews of databases and registers only. A number that nobody has said stands "
        "as a question mark."
    )
    yield from (Remark(text, is_warning=True) for text in (*flow.disagreements, *flow.warnings))
    yield from (Remark(text) for text in flow.notes)
    yield Figure("prisma-flow", "PRISMA 2020 flow diagram", flow_alternative(flow), flow_picture(flow))
    yield from flow_tables(flow)
    left = [number.label.lower() for number in flow.numbers if number.state == "open"]
    unsure = [number.label.lower() for number in flow.numbers if number.state in ("likely", "changed")]
    if left:
        yield Prompt(f"Say the numbers of: {listed(left)}.", "flow")
    if unsure:
        yield Prompt(f"Confirm the numbers of: {listed(unsure)}.", "flow")
