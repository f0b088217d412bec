"""A query in the words of another dialect, with an honest list of what got lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.query.dialects import DIALECTS
from core.query.reading.operands import with_tag
from core.query.reading.parse import parse
from core.query.tree import DialectId, Group, Node, Not, ParsedQuery, parts_of
from core.query.writing.adapting import Loss
from core.query.writing.printing import Written, write
from core.query.writing.truth_table import same

_NEEDS_A_FIELD: tuple[DialectId, ...] = ("pubmed", "ovid", "wos", "scopus")
"""Where a word without a field is looked for in more than title, abstract and keywords."""
_ALREADY_THERE: tuple[DialectId, ...] = ("plain", "dimensions", "openalex")
"""Where it is looked for there and nowhere else."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A query in another dialect."""

    text: str
    losses: tuple[Loss, ...]
    """What means something else there; empty: nothing does."""

    @property
    def is_exact(self) -> bool:
        """It asks for the same publications."""
        return not self.losses

    def as_document(self) -> dict[str, object]:
        """For JSON."""
        losses = [{"start": n.start, "end": n.end, "status": n.status, "message": n.message} for n in self.losses]
        return {"text": self.text, "losses": losses}


def translate(parsed: ParsedQuery, to: DialectId) -> Translation:
    """Write a query in another dialect, read it again there, and compare.

    >>> translate(parse('TI=(heat NEAR/2 wave*) AND PY=2018-2020', "wos"), "ovid").text
    '(heat adj3 wave*).ti. and (2018 or 2019 or 2020).yr.'
    """
    root = parsed.root
    if root is None:
        message = "A question can't be translated: write it with words and operators first."
        if parsed.kind != "question":
            message = "There is nothing to translate: type at least one word."
        return Translation("", (Loss(0, 0, len(parsed.text), "unsupported", message),))
    same_dialect = to == parsed.dialect
    if to in _NEEDS_A_FIELD and parsed.dialect in _ALREADY_THERE:
        root = with_tag(root, DIALECTS["scopus"].tags["title-abs-key"])
    source = parsed.text if same_dialect else ""
    written = write(root, to, strict=not same_dialect, source=source)
    return Translation(written.text, (*written.losses, *_checked(root, written, to, len(parsed.text))))


def _checked(root: Node, written: Written, to: DialectId, length: int) -> tuple[Loss, ...]:
    """A loss for the whole if the text, read again, says something else and no other loss tells so."""
    again = parse(written.text, to).root
    if again is not None and again == root:
        return ()
    label = DIALECTS[to].label
    span = (root.span.start, root.span.end or length)
    if again is None:
        told = any(loss.number == 0 for loss in written.losses)
        message = f"{label} would find nothing to search for in this text."
        return () if told and not written.text else (Loss(0, *span, "unsupported", message),)
    expected = with_replaced(root, written.replaced)
    if expected is not None and same(expected, again):
        return ()
    if expected is None and written.losses:
        return ()
    return (Loss(0, *span, "unsupported", f"{label} reads this text differently: compare what it finds."),)


def with_replaced(root: Node, replaced: Mapping[int, Node | None]) -> Node | None:
    """The tree with what some of its leaves became, by their numbers; None: that leaf is left out."""
    return _replaced(root, replaced, [0])


def _replaced(node: Node, replaced: Mapping[int, Node | None], place: list[int]) -> Node | None:
    number = place[0]
    place[0] += 1
    if number in replaced:
        return replaced[number]
    parts = [made for part in parts_of(node) if (made := _replaced(part, replaced, place)) is not None]
    if isinstance(node, Group):
        return replace(node, parts=tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
    if isinstance(node, Not):
        return Not(parts[0]) if parts else None
    return node
