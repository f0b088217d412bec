"""What core needs from outside, as protocols: whoever calls hands it in, and a fake takes ten lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

OnProgress = Callable[[int, int], None]
"""Called with how much is done and how much there is in all."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model_id(self) -> str:
        """Names the model and everything that changes its vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row per text, any length; a row of zeros where there is nothing to embed."""
        ...


class Reducer(Protocol):
    """Lays vectors out in two dimensions."""

    def __call__(self, vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None) -> npt.NDArray[np.float64]:
        """One point per row."""
        ...
