"""What is wanted of one writing: for which topic, from whom, at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

from core.errors import InputError, SettingsError
from core.settings import LARGEST_SEED
from core.types import Publication
from core.writer.types import STATISTICS, Brief, Budget, Mode

COUNTED = "corpus statistics"
"""Who made the candidate that is always there, in the mode of the brief."""
MOST_RECIPES = 40
MOST_SUPPORTING = 1_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to a candidate: who proposes the keywords, how far from the topic, with which seed."""

    model: str = ""
    """Empty or "statistics": counted in the corpus, no model is asked."""
    mode: Mode = "moderate"
    seed: int = 0
    preset: str | None = None
    """The service, as in `data.judging.presets`."""
    base_url: str | None = None
    """In the place of the preset's address."""

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise SettingsError(f"mode must be one of {', '.join(get_args(Mode))}, got {self.mode}")
        if not isinstance(self.seed, int) or not 0 <= self.seed <= LARGEST_SEED:
            raise SettingsError(f"seed must be in [0, {LARGEST_SEED}], a whole number, got {self.seed}")

    @property
    def key(self) -> tuple[str, Mode, int]:
        """The same for two that ask for the same: counting has no seed."""
        return (STATISTICS, self.mode, 0) if self.is_statistics else (self.model, self.mode, self.seed)

    @property
    def is_statistics(self) -> bool:
        """Whether no model is asked."""
        return self.model in ("", STATISTICS)

    @property
    def name(self) -> str:
        """As a step says who made it: "corpus statistics (strict)", "demo (strict, seed 1)"."""
        if self.is_statistics:
            return f"{COUNTED} ({self.mode})"
        return f"{self.model} ({self.mode})" if not self.seed else f"{self.model} ({self.mode}, seed {self.seed})"


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that one writing depends on, beside the topic itself."""

    topic_id: str
    brief: Brief
    budget: Budget = field(default_factory=Budget)
    recipes: tuple[Recipe, ...] = ()
    """Corpus statistics are always among the candidates, also where no recipe names them."""
    embedder: str | None = None
    """None: the only one that the topic has."""
    live: str | None = None
    """A live source that may be searched for something to read; None: none."""
    supporting: tuple[Publication, ...] = ()
    """Publications that the user brought as examples of what is wanted."""

    def __post_init__(self) -> None:
        different = tuple({recipe.key: recipe for recipe in reversed(self.recipes)}.values())[::-1]
        object.__setattr__(self, "recipes", different)
        if len(different) > MOST_RECIPES:
            raise InputError(f"models, modes and seeds make {len(different)} candidates: {MOST_RECIPES} at most")
        if len(self.supporting) > MOST_SUPPORTING:
            raise InputError(
                f"there are {len(self.supporting):,} supporting publications: {MOST_SUPPORTING:,} at most, as only "
                "some of them are read"
            )
