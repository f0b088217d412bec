"""What a synthesis is made by. The same settings over the same knowledge base are the same synthesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import SettingsError
from core.knowledge.synthesis.roles import check_roles
from core.types import Ids

Rule = Literal["all", "majority"]
RULES: tuple[Rule, ...] = get_args(Rule)
MOST_QUERIES = 20_000
BOUNDS = {
    "n": (1, MOST_QUERIES),
    "most_answers": (1, 1_000),
    "most_checked": (0, 1_000),
    "n_properties": (1, 8),
    "seed": (0, 2**31 - 1),
}


@dataclass(frozen=True, slots=True)
class SynthesisSettings:
    """Choices that change what comes out."""

    n: int = 100
    """How many queries are begun."""
    seed: int = 0
    templates: tuple[tuple[str, float], ...] = ()
    """Which templates, with weights; empty: all, evenly."""
    roles: Ids = ("researcher",)
    """Who asks, in turn."""
    most_answers: int = 20
    """Of the relational requirement; one with more is not taken."""
    most_checked: int = 50
    """Further answers that the models are asked about; beyond them none is taken."""
    n_properties: int = 1
    """Textual properties of the gold answer, at most."""
    extract: str = "demo"
    """The model that reads properties out of the gold answer."""
    fuse: str = "demo"
    """The model that words the query."""
    rewrite: str = ""
    """The model that words it anew; empty: nobody does."""
    filters: Ids = ("demo",)
    """The models that check answers."""
    rule: Rule = "all"
    """An answer counts if all models accept it, or more than half."""

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise SettingsError(f"{name} must be from {low:,} to {high:,}, got {value:,}")
        if self.rule not in RULES:
            raise SettingsError(f'no rule "{self.rule}"; there are {", ".join(RULES)}')
        if not self.extract or not self.fuse or not self.filters or not all(self.filters):
            raise SettingsError("extract, fuse and filter each need a model")
        if len(set(self.filters)) != len(self.filters):
            raise SettingsError("a filter model is named twice: its verdict would count twice")
        if odd := [name for name, weight in self.templates if not 0 < weight < float("inf")]:
            raise SettingsError(f'the weight of template "{odd[0]}" must be above 0')
        check_roles(self.roles)

    @property
    def models(self) -> Ids:
        """Every model that is asked, each once."""
        named = (self.extract, self.fuse, self.rewrite, *self.filters)
        return tuple(dict.fromkeys(name for name in named if name))
