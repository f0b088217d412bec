"""Find an embedder by name.

EMBEDDERS are fitted to a topic's own texts, instantly and on this machine, so they run automatically. PROVIDERS open a
model whose vectors serve any topic; these may be slow or cost money, and run only on request.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.protocols import Embedder
from data.models.embedding_model import PRICES, EmbeddingModel

EmbedderFactory = Callable[[Path, Callable[[], Sequence[str]]], Embedder]
"""A function from the path of the fitted model, and a source of the topic's texts for fitting it, to the embedder."""
OpenModel = Callable[[str, str | None], EmbeddingModel]
"""A function from the provider's name for a model, and the address of a custom service, to the model."""
OPENAI_DEFAULT = "text-embedding-3-small"
SPELLINGS = "lsa, openai, openai:MODEL, onnx:FOLDER, sentence_transformers:NAME_OR_FOLDER (st:... for short)"
_SHORT = {"st": "sentence_transformers", "sentence-transformers": "sentence_transformers"}


@dataclass(frozen=True, slots=True)
class NamedEmbedder:
    model_id: str
    embed_texts: Callable[[Sequence[str]], npt.NDArray[np.float32]]

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.embed_texts(texts)


@dataclass(frozen=True, slots=True)
class EmbedderName:
    provider: str
    model: str
    """The provider's name for it: a model of a service, a name on a hub, or a folder."""

    @property
    def is_local(self) -> bool:
        """True: it runs on this machine, and costs nothing."""
        return self.provider in LOCAL

    @property
    def stored(self) -> str:
        """The name under which its vectors are listed: the plain name of the model."""
        if not self.is_local:
            return self.model
        # A folder may be given as "." or "../"; a name on a hub is preceded by its owner.
        return re.split(r"[/\\]", self.spelled_model.rstrip("/\\"))[-1]

    @property
    def spelled_model(self) -> str:
        is_folder = self.is_local and os.path.isdir(self.model)
        return str(Path(self.model).resolve()) if is_folder else self.model


def read_name(text: str, model: str | None = None) -> EmbedderName | None:
    """Parse the values of `--embedder` and `--model`; None for a name that belongs to no provider.

    >>> read_name("openai").stored, read_name("st:intfloat/e5-small-v2").stored, read_name("lsa")
    ('text-embedding-3-small', 'e5-small-v2', None)
    """
    if text in PRICES and model in (None, text):
        return EmbedderName("openai", text)
    provider, _, named = text.strip().partition(":")
    provider = _SHORT.get(provider, provider)
    if provider not in PROVIDERS:
        if model is not None:
            raise InputError(f'"{text}" can\'t be combined with --model; the embedders are {SPELLINGS}')
        return None
    if model is not None and named not in ("", model):
        raise InputError(f'--embedder contains the model "{named}" but --model is "{model}": keep one of them')
    chosen = (model or named).strip() or (OPENAI_DEFAULT if provider == "openai" else "")
    if not chosen:
        raise InputError(f"{provider} needs a model: --embedder {provider}:NAME")
    return EmbedderName(provider, chosen)


def _lsa(model_path: Path, texts: Callable[[], Sequence[str]]) -> Embedder:
    from data.models.local_embedders import LsaModel  # scikit-learn takes a second to import

    if model_path.exists():
        return NamedEmbedder("lsa", LsaModel.load(model_path).embed)
    model = LsaModel.fit(texts())
    model.save(model_path)
    return NamedEmbedder("lsa", model.embed)


def _openai(model: str, base_url: str | None) -> EmbeddingModel:
    from data.models.openai import open_openai

    return open_openai(model, base_url)


def _sentence_transformers(model: str, base_url: str | None) -> EmbeddingModel:
    from data.models.local_embedders import SentenceTransformersModel

    _check_no_address("sentence_transformers", base_url)
    return SentenceTransformersModel(model)


def _onnx(model: str, base_url: str | None) -> EmbeddingModel:
    from data.models.onnx_model import OnnxModel

    _check_no_address("onnx", base_url)
    return OnnxModel(model)


def _check_no_address(provider: str, base_url: str | None) -> None:
    if base_url is not None:
        raise InputError(f"--base-url works only with openai: {provider} runs on this machine")


EMBEDDERS: dict[str, EmbedderFactory] = {"lsa": _lsa}
PROVIDERS: dict[str, OpenModel] = {
    "openai": _openai,
    "sentence_transformers": _sentence_transformers,
    "onnx": _onnx,
}
LOCAL = frozenset({"sentence_transformers", "onnx"})
"""Providers whose models run on this machine."""
