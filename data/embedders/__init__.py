"""One file per provider of vectors. EMBEDDERS: id -> how to open one for a topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.protocols import Embedder

EmbedderFactory = Callable[[Path, Callable[[], Sequence[str]]], Embedder]
"""Takes where a fitted model is kept, and the topic's texts in case it has to be fitted first."""


@dataclass(frozen=True, slots=True)
class NamedEmbedder:
    """A fitted model under the name that `--embedder` takes."""

    model_id: str
    embed_texts: Callable[[Sequence[str]], npt.NDArray[np.float32]]

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.embed_texts(texts)


def _lsa(model_path: Path, texts: Callable[[], Sequence[str]]) -> Embedder:
    from data.embedders.lsa import LsaModel  # scikit-learn takes a second to import

    if model_path.exists():
        return NamedEmbedder("lsa", LsaModel.load(model_path).embed)
    model = LsaModel.fit(texts())
    model.save(model_path)
    return NamedEmbedder("lsa", model.embed)


EMBEDDERS: dict[str, EmbedderFactory] = {"lsa": _lsa}
