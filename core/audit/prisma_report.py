"""The PRISMA-S appendix and the PRISMA 2020 numbers as one report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.audit.flow import flow_of, flow_tables
from core.audit.flow_picture import flow_alternative, flow_picture
from core.audit.prisma_items import FLOW_TEMPLATES, PRISMA_2020, PRISMA_S, TITLE_PAGE, day
from core.audit.prisma_s import FilledItem, completeness, fill
from core.audit.recorded_items import not_recorded
from core.audit.search_report import brought_blocks
from core.audit.strategies import ANSWERED, AuditFacts
from core.report import (
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Table,
    columns_of,
)
from core.text import listed, lower_first, many, upper_first

ITEM_STATES = {
    "known": "recorded",
    "likely": "prefilled, not confirmed",
    "open": "open",
    ANSWERED: "answered",
    "changed": "confirmed, but the record has changed",
}


FOR_AUTHOR = ("prisma-s-items", "prisma-flow-numbers")
"""Tables that help to finish the report; a final copy has none of them."""


def prisma_s(facts: AuditFacts, *, made_at: str, made_with: str) -> ReportDocument:
    """Compose the report: the sixteen items, then the flow diagram with its numbers."""
    filled = fill(facts)
    blocks = [
        *_head(facts, filled),
        *_items(filled),
        *brought_blocks(facts),
        *_flow(facts),
        ReportHeading("PRISMA-S checklist"),
        checklist_table(filled),
        ReportHeading("References"),
        Listing((PRISMA_S, PRISMA_2020)),
    ]
    return ReportDocument(
        "prisma-s",
        f"PRISMA-S appendix: {facts.topic_id}",
        "The search, item by item",
        tuple(blocks),
        made_at,
        made_with,
        facts.made_up,
        front_of(facts),
    )


def front_of(facts: AuditFacts) -> tuple[tuple[str, str], ...]:
    """Return what the title page says of the review, as far as it was entered."""
    found = ((label, facts.answers[item].text) for item, label in TITLE_PAGE.items() if item in facts.answers)
    return tuple((label, text) for label, text in found if text)


# The checklist of Rethlefsen et al. 2021: each item with the place where the report answers it.


def checklist(facts: AuditFacts, *, made_at: str, made_with: str) -> ReportDocument:
    title = f"PRISMA-S checklist: {facts.topic_id}"
    blocks = (replace(checklist_table(fill(facts)), note=PRISMA_S),)
    return ReportDocument("checklist", title, "", blocks, made_at, made_with, facts.made_up, front_of(facts))


def checklist_table(filled: Sequence[FilledItem]) -> Table:
    rows = tuple((one.item.number, one.item.title, one.item.asks, _location(one)) for one in filled)
    columns = (ReportColumn("Item", "count"), *columns_of("Topic", "Checklist item", "Location where reported"))
    caption = "The sixteen items of PRISMA-S and where they are reported"
    return Table("prisma-s-checklist", caption, columns, rows)


def _location(one: FilledItem) -> str:
    """Return the number of the section, which is that of the item."""
    return f"Section {one.item.number}" if one.text.strip() else "Not reported"


def diagram_of(facts: AuditFacts, *, is_final: bool = False) -> Figure:
    """Draw the flow. `is_final`: without what is still to be confirmed."""
    flow = flow_of(facts)
    if is_final:
        settled = (replace(each, state="known") if each.n is not None else each for each in flow.numbers)
        flow = replace(flow, numbers=tuple(settled))
    return Figure("prisma-flow", "PRISMA 2020 flow diagram", flow_alternative(flow), flow_picture(flow))


def diagram_document(facts: AuditFacts, *, made_at: str, made_with: str) -> ReportDocument:
    """Compose the diagram alone, for a text document."""
    title = f"PRISMA 2020 flow diagram: {facts.topic_id}"
    blocks = (diagram_of(facts), Paragraph(PRISMA_2020))
    return ReportDocument("prisma-s", title, "", blocks, made_at, made_with, facts.made_up)


def _head(facts: AuditFacts, filled: Sequence[FilledItem]) -> Iterator[Block]:
    covered = not_recorded(facts)
    labels = ", ".join(f"“{search.version}”" for search in covered)
    parts = [
        many(len(facts.recorded), "search") if facts.recorded else "",
        f"{many(len(covered), 'version')} of the search: {labels}" if covered else "",
    ]
    covers = " and ".join(part for part in parts if part)
    what = f"It covers {covers}." if covers else "No search was run or imported yet."
    yield Paragraph(what, is_lead=True)
    yield Remark(completeness(filled).sentence, for_author=True)
    warnings = [warning for one in filled for warning in one.warnings]
    yield from (Remark(warning, is_warning=True) for warning in dict.fromkeys(warnings))
    rows = tuple((one.item.number, one.item.title, one.item.part, state_in_words(one)) for one in filled)
    columns = (ReportColumn("Item", "count"), *columns_of("Title", "Part", "State"))
    yield Table(
        "prisma-s-items",
        "The sixteen items and their state",
        columns,
        rows,
        "Recorded: stored by Queryscape. Prefilled: likely, to be confirmed. Answered: by a person.",
    )


def state_in_words(one: FilledItem) -> str:
    if one.answer is None or one.state not in (ANSWERED, "changed"):
        return ITEM_STATES[one.state]
    word = {"confirmed": "confirmed", "own": "answered", "not done": "answered as not done"}[one.answer.state]
    by = one.answer.said_by or "an unnamed person"
    text = f"{word} by {by} on {day(one.answer.said_at)}"
    return f"{text}; the record has changed since" if one.state == "changed" else text


def _items(filled: Sequence[FilledItem]) -> Iterator[Block]:
    part = ""
    for one in filled:
        if one.item.part != part:
            part = one.item.part
            yield ReportHeading(part)
        yield ReportHeading(f"{one.item.number} {one.item.title}", 3)
        yield from _item(one)


def _item(one: FilledItem) -> Iterator[Block]:
    lines = [line for line in one.text.split("\n") if line.strip()]
    if len(lines) > 3:
        yield Listing(tuple(lines))
    else:
        yield from (Paragraph(line) for line in lines)
    if one.answer is not None and one.state in (ANSWERED, "changed"):
        yield Remark(f"{upper_first(state_in_words(one))}.", for_author=True)
    if one.set_aside:
        yield Paragraph("Recorded by Queryscape:")
        yield Listing(one.set_aside)
    if one.change:
        yield Remark(one.change, is_warning=True)
    yield from (Remark(warning, is_warning=True) for warning in one.warnings)
    if one.state == "likely" and one.evidence:
        yield Remark(f"Why this is prefilled: {one.evidence}", for_author=True)
    if one.next_step:
        yield AnswerPrompt(one.next_step, one.item.item)
    yield from one.blocks


def _flow(facts: AuditFacts) -> Iterator[Block]:
    flow = flow_of(facts)
    yield ReportHeading("PRISMA 2020: from records to studies")
    yield Paragraph(
        f"Diagram: {lower_first(FLOW_TEMPLATES[flow.template])}. A question mark stands for a number that is not "
        "answered yet."
    )
    yield from (Remark(text, is_warning=True) for text in (*flow.disagreements, *flow.warnings))
    yield from (Remark(text) for text in flow.notes)
    yield diagram_of(facts)
    yield from flow_tables(flow)
    left = [number.label.lower() for number in flow.numbers if number.state == "open"]
    unsure = [number.label.lower() for number in flow.numbers if number.state in ("likely", "changed")]
    if left:
        yield AnswerPrompt(f"Enter the numbers of: {listed(left)}.", "flow")
    if unsure:
        yield AnswerPrompt(f"Confirm the numbers of: {listed(unsure)}.", "flow")
