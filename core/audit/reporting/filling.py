"""The sixteen items with what is recorded in them, what is likely, and what somebody still has to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.audit.document import Block, Table
from core.audit.reporting.items import ITEMS, Item
from core.audit.types import Answer, AuditFacts, ItemState


@dataclass(frozen=True, slots=True)
class Filled:
    """One item as it stands."""

    item: Item
    state: ItemState
    text: str
    """What a report says there; paragraphs are lines. Empty: nothing is known."""
    next_step: str
    """What to do now; empty: nothing."""
    recorded: str = ""
    """What Queryscape would say there by itself: what "confirmed" confirms. Empty: nothing."""
    evidence: str = ""
    """What made it likely; empty where it is known or open."""
    answer: Answer | None = None
    """What somebody said."""
    change: str = ""
    """What of the record is no longer what was confirmed; empty: nothing."""
    warnings: tuple[str, ...] = ()
    """What a reader must not miss, such as a search that was cut."""
    blocks: tuple[Block, ...] = ()
    """Tables and strategies that belong to it."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among them."""
        return tuple(block for block in self.blocks if isinstance(block, Table))


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many of the items are in which state."""

    n_known: int
    n_likely: int
    n_open: int
    n_said: int
    n_changed: int
    n: int
    sentence: str


def fill(facts: AuditFacts) -> tuple[Filled, ...]:
    """All sixteen, in their order."""
    return tuple(Filled(item, "open", "", item.asks) for item in ITEMS)


def completeness(filled: Sequence[Filled]) -> Completeness:
    """Over all of them."""
    n = {state: sum(one.state == state for one in filled) for state in ("known", "likely", "open", "said", "changed")}
    return Completeness(n["known"], n["likely"], n["open"], n["said"], n["changed"], len(filled), "")
