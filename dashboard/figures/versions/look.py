"""How versions are told apart in every figure that shows several: colour and dash by the order of choice."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.figures.theme import CATEGORIES, COLOURS, Role, Theme
from dashboard.figures.upset import short

ROLES: tuple[Role, ...] = ("relevant", "second", "third")
_PATTERNS = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon")
LONGEST_LABEL = 26


@dataclass(frozen=True, slots=True)
class Look:
    """How one version is drawn."""

    colour: str
    dash: str
    symbol: str


def look_of(position: int, theme: Theme) -> Look:
    """The version chosen first is position 0. Colour, dash and symbol each tell the first few apart on their own."""
    if position < len(ROLES):
        colour = COLOURS[theme][ROLES[position]]
    else:
        categories = CATEGORIES[theme]
        colour = categories[(position - len(ROLES)) % len(categories)]
    return Look(colour, _PATTERNS[position % len(_PATTERNS)], _SYMBOLS[position % len(_SYMBOLS)])


def named(label: str, name: str | None) -> str:
    """A version in a figure: what its author calls it, else its label; a long one loses its middle."""
    return short(name or label, LONGEST_LABEL)
