"""What is wanted of one writing: for which topic, from whom, at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.types import Publication
from core.writer.types import STATISTICS, Brief, Budget, Mode


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

    @property
    def is_statistics(self) -> bool:
        """Whether no model is asked."""
        return self.model in ("", STATISTICS)

    @property
    def name(self) -> str:
        """As a step says who made it: "corpus statistics", "demo (strict)"."""
        if self.is_statistics:
            return "corpus statistics"
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
