"""How an item stands, in words and signs, and which items are worth doing next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.audit.reporting.about_strategies import Filled
from core.audit.types import ItemState

Colour = Literal["green", "blue", "gray", "orange"]
NEXT_SHOWN = 3
SHORT = 150
"""Letters of an item's text that stand in the list."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A state as it is shown."""

    word: str
    icon: str
    colour: Colour
    many: str
    """After a number: "3 likely, to be confirmed"."""


STANDINGS: dict[ItemState, Standing] = {
    "known": Standing("Recorded", ":material/check_circle:", "green", "recorded"),
    "said": Standing("Said", ":material/how_to_reg:", "green", "said by a person"),
    "likely": Standing("Likely: confirm it", ":material/contact_support:", "blue", "likely, to be confirmed"),
    "open": Standing("Nobody has said yet", ":material/radio_button_unchecked:", "gray", "open"),
    "changed": Standing("Changed since it was confirmed", ":material/sync_problem:", "orange", "changed since"),
}
"""Those that are done first."""
DONE: frozenset[ItemState] = frozenset({"known", "said"})
_URGENT: tuple[ItemState, ...] = ("changed", "likely", "open")
"""What is wrong by now comes before what takes one click, and that before what has to be written."""


def next_items(filled: Sequence[Filled], most: int = NEXT_SHOWN) -> list[Filled]:
    """What is worth doing next."""
    waiting = [each for each in filled if each.state not in DONE]
    return sorted(waiting, key=lambda each: _URGENT.index(each.state))[:most]


def first_line(text: str) -> str:
    """The beginning of a text, in one line.

    >>> first_line("PubMed was searched.\\nThen OpenAlex.")
    'PubMed was searched. …'
    """
    lines = [" ".join(line.split()) for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    first = lines[0]
    if len(first) > SHORT:
        return f"{first[:SHORT].rstrip()} …"
    return f"{first} …" if len(lines) > 1 else first
