"""Several reports as one document: unique names, headings one level down, the summaries on the title page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.audit.document import Block, Document, Figure, Heading, Listing, Paragraph, Remark, ReportKind, Table
from core.errors import InputError

_LOWEST = 4
_PARTS: dict[ReportKind, str] = {
    "prisma-s": "Record of the search (PRISMA-S)",
    "press": "Peer review of the search strategy (PRESS)",
    "quality": "Quality of the search",
    "audit": "Audit of the search",
}

_SUMMARIES: dict[ReportKind, str] = {
    "prisma-s": "The record",
    "press": "The peer review",
    "quality": "The scores",
    "audit": "The audit",
}


def whole(
    parts: Sequence[Document], *, topic: str, made_at: str, made_with: str, remarks: Sequence[str] = ()
) -> Document:
    """The audit: a title page with the summaries, then the parts. `remarks`: what is missing and why.

    What leads in a part stands on the title page, and not a second time in the part.
    """
    head: list[Block] = [Remark(text) for text in remarks]
    for part in parts:
        if leads := [part.blocks[place] for place in _led(part.blocks)]:
            head += [Heading(_short(part, parts), 3), *leads]
    if head:
        head.insert(0, Heading("Summary"))
    slim = [replace(part, blocks=tuple(_without_leads(part.blocks))) for part in parts]
    return _joined(slim, "audit", f"{_PARTS['audit']}: {topic}", head, made_at, made_with)


def together(reviews: Sequence[Document], *, topic: str, made_at: str, made_with: str) -> Document:
    """Several peer reviews in one document; one alone stays as it is."""
    if len(reviews) == 1:
        return reviews[0]
    return _joined(reviews, "press", f"{_PARTS['press']}: {topic}", [], made_at, made_with)


def _joined(
    parts: Sequence[Document], kind: ReportKind, title: str, head: Sequence[Block], made_at: str, made_with: str
) -> Document:
    if not parts:
        raise InputError("a report needs one part or more")
    names: set[str] = set()
    blocks = list(head)
    for part in parts:
        blocks.append(Heading(name := _name(part, parts)))
        if part.subtitle and part.subtitle not in name:
            blocks.append(Paragraph(part.subtitle))
        blocks += [_fitted(block, part.kind, names) for block in part.blocks]
    subtitle = " · ".join(dict.fromkeys(_PARTS[part.kind] for part in parts))
    made_up = any(part.made_up for part in parts)
    return Document(kind, title, subtitle, tuple(blocks), made_at, made_with, made_up)


def _name(part: Document, parts: Sequence[Document]) -> str:
    """What the part is called in the whole: its kind, or where there are several of a kind its own title."""
    alone = sum(other.kind == part.kind for other in parts) == 1
    return _PARTS[part.kind] if alone else _told_apart(part, parts)


def _short(part: Document, parts: Sequence[Document]) -> str:
    """What the summary of a part is headed with."""
    alone = sum(other.kind == part.kind for other in parts) == 1
    return _SUMMARIES[part.kind] if alone else _told_apart(part, parts)


def _told_apart(part: Document, parts: Sequence[Document]) -> str:
    """Its title, with what it is about where another part has the same."""
    alone = sum(other.title == part.title for other in parts) == 1
    return part.title if alone or not part.subtitle else f"{part.title}: {part.subtitle}"


def _led(blocks: Sequence[Block]) -> tuple[int, ...]:
    """Where the summary at the head of a part stands: before anything else is told, with the points that follow it."""
    places: list[int] = []
    for place, block in enumerate(blocks):
        is_point = isinstance(block, Listing) and place - 1 in places
        if is_point or (isinstance(block, Paragraph) and block.is_lead):
            places.append(place)
        elif not isinstance(block, Heading | Remark):
            break
    return tuple(places)


def _without_leads(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks without the summary at their head, and without a heading that nothing is left under."""
    led = frozenset(_led(blocks))
    for place, block in enumerate(blocks):
        if place in led:
            continue
        under = place + 1
        while under in led:
            under += 1
        after = blocks[under] if under < len(blocks) else None
        emptied = under > place + 1 and (
            after is None or (isinstance(after, Heading) and isinstance(block, Heading) and after.level <= block.level)
        )
        if not (isinstance(block, Heading) and emptied):
            yield block


def _fitted(block: Block, kind: ReportKind, names: set[str]) -> Block:
    """A block as it stands in the whole; `names` holds those that are taken."""
    if isinstance(block, Heading):
        return replace(block, level=min(block.level + 1, _LOWEST))
    if not isinstance(block, Table | Figure):
        return block
    name, n = block.name, 1
    while name in names:
        n += 1
        name = f"{kind}-{block.name}" if n == 2 else f"{kind}-{n - 1}-{block.name}"
    names.add(name)
    return replace(block, name=name)
