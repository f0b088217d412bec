"""Kinds of surveys as every study draws them: a colour, a sign and a pattern each, so that colour never tells alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.studies.core_sets import SURVEY_KINDS, SurveyKind
from dashboard.figures.theme import CATEGORIES, COLOURS, Theme

Kind = SurveyKind | None
KINDS: tuple[Kind, ...] = (*SURVEY_KINDS, None)


@dataclass(frozen=True, slots=True)
class KindSign:
    """How one kind is drawn."""

    label: str
    symbol: str
    pattern: str
    """Of bars."""
    category: int | None
    """Its place in CATEGORIES; None: the colour of what is set back."""

    def colour(self, theme: Theme) -> str:
        """Its colour."""
        return COLOURS[theme]["not_relevant"] if self.category is None else CATEGORIES[theme][self.category]


SIGNS: Mapping[Kind, KindSign] = MappingProxyType(
    {
        "bibliometric": KindSign("Bibliometric", "circle", "", 0),
        "systematic review": KindSign("Systematic review", "x", "/", 1),
        None: KindSign("Not known", "square", ".", None),
    }
)
