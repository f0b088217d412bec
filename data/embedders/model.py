"""What every model that serves any topic has, whoever provides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.protocols import Embedder
from data.embedders.tokens import Estimate


@dataclass
class Mishaps:
    """What happened to single texts while they were embedded."""

    cut: set[str] = field(default_factory=set)
    """Texts of which only the beginning was embedded."""
    refused: dict[str, str] = field(default_factory=dict)
    """Texts that the service did not take, and what it said."""


class Model(Embedder, Protocol):
    """A model whose vectors serve any topic. Opening one is quick; what is slow waits for the first text."""

    @property
    def fingerprint(self) -> str:
        """Changes with anything that changes a vector; kept beside every vector."""
        ...

    @property
    def first_batch(self) -> int:
        """How many texts to begin with; then batches follow the speed."""
        ...

    @property
    def mishaps(self) -> Mishaps:
        """Fills while texts are embedded."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As `embed`, for questions: some models want other words before those than before a text."""
        ...

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What embedding these texts would take."""
        ...
