"""The numbers of a PRISMA 2020 flow diagram: what is recorded of them, what was said, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass

from core.audit.types import AuditFacts, ItemState
from core.types import Ids


@dataclass(frozen=True, slots=True)
class FlowNumber:
    """One number of the diagram."""

    item: str
    """Which question of the audit it is: "flow:screened"."""
    label: str
    """As the diagram calls it."""
    n: int | None
    """None: nobody knows or has said."""
    state: ItemState
    sentence: str = ""
    """Where it comes from, or what to say."""
    recorded: int | None = None
    """What Queryscape would say by itself."""


@dataclass(frozen=True, slots=True)
class FlowSource:
    """Records of one source."""

    name: str
    kind: str
    """database, register or topic: the publications of the topic itself, which are no database."""
    version: str
    n: int | None


@dataclass(frozen=True, slots=True)
class Flow:
    """The diagram for new systematic reviews of databases and registers only."""

    sources: tuple[FlowSource, ...]
    numbers: tuple[FlowNumber, ...]
    """In the order of the diagram."""
    reasons: tuple[tuple[str, int], ...]
    """Why reports were excluded, and how many for each reason, as somebody said it."""
    disagreements: Ids
    """Sums that do not come out; empty: all that can be checked agree."""

    def of(self, item: str) -> FlowNumber:
        """One number by its item."""
        return next(number for number in self.numbers if number.item == item)


def flow_of(facts: AuditFacts) -> Flow:
    """What is recorded, and what was said."""
    return Flow((), (), (), ())
