"""The `onnx` embedder: a model from a folder, run by ONNX Runtime, without PyTorch.

The folder is what sentence-transformers or a hub saves: `model.onnx` (also in `onnx/`), `tokenizer.json` and the
configuration. The vectors are those that sentence-transformers gives for the same model, up to rounding.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import FileError, InputError, NotFoundError
from core.vectors import normalise
from data.access import check_allowed
from data.models.embedding_model import PRICES_AS_OF, EmbeddingEstimate, Mishaps, likely_tokens
from data.models.local_embedders import document_prompt, folder_fingerprint, query_prompt
from data.public_demo import check_not_public_demo
from data.store import content_hash

EXTRA = 'onnx needs its extra: pip install ".[onnx]"'
GRAPHS = ("onnx/model.onnx", "model.onnx")
"""Where the graph is, below the folder; the first one that exists."""
WEIGHTS = (".onnx", ".onnx_data")
LAYERS = {"Transformer", "Pooling", "Normalize"}
"""What a sentence-transformers model may consist of; the graph holds the first, this module does the others."""
POOLING_FLAGS = {
    "cls": "pooling_mode_cls_token",
    "mean": "pooling_mode_mean_tokens",
    "max": "pooling_mode_max_tokens",
    "mean_sqrt_len": "pooling_mode_mean_sqrt_len_tokens",
    "weightedmean": "pooling_mode_weightedmean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}
"""The older spelling in the configuration; the newer one is `pooling_mode`."""
MOST_TOKENS = 512
"""The length at which texts are cut if the model's configuration has none."""
AT_ONCE = 16
Matrix = npt.NDArray[np.float32]


@dataclass(eq=False)
class OnnxModel:
    """A model in ONNX format, loaded with the first text."""

    where: str
    mishaps: Mishaps = field(default_factory=Mishaps, repr=False)
    first_batch: int = 16

    @property
    def model_id(self) -> str:
        return self.where

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the files of the folder and of the document prompt."""
        _ = self._graph  # another folder is refused by name
        files = folder_fingerprint(self._folder, WEIGHTS)
        return content_hash(["onnx", files, document_prompt(self.where)])

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate:
        return EmbeddingEstimate(len(texts), sum(map(likely_tokens, texts)), 0.0, PRICES_AS_OF)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text; a text that is too long is cut."""
        prompts = self._prompts
        return self._encode(texts, prompts.get("document") or prompts.get("passage") or document_prompt(self.where))

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions, with the query prompt of the model."""
        return self._encode(texts, self._prompts.get("query") or query_prompt(self.where))

    def _encode(self, texts: Sequence[str], prompt: str) -> Matrix:
        tokenizer, session = self._tokenizer, self._session
        encodings = tokenizer.encode_batch([prompt + text for text in texts])
        self.mishaps.cut.update(text for text, each in zip(texts, encodings, strict=True) if each.overflowing)
        rows: list[Matrix | None] = [None] * len(texts)
        # Texts of similar length together, since a long one makes its whole batch as wide.
        order = sorted(range(len(texts)), key=lambda place: len(encodings[place].ids))
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            batch = self._run(session, [encodings[place] for place in places])
            for place, row in zip(places, batch, strict=True):
                rows[place] = row
        if not rows:
            return np.zeros((0, 1), dtype=np.float32)
        return normalise(np.array(rows, dtype=np.float32))[0]

    def _run(self, session: Any, encodings: Sequence[Any]) -> Matrix:
        width = max(1, *(len(each.ids) for each in encodings))
        mask = _padded((each.attention_mask for each in encodings), width, 0)
        padding = int((self._tokenizer.padding or {}).get("pad_id", 0))
        given = {
            "input_ids": _padded((each.ids for each in encodings), width, padding),
            "attention_mask": mask,
            "token_type_ids": _padded((each.type_ids for each in encodings), width, 0),
        }
        asked = [each.name for each in session.get_inputs()]
        if unknown := set(asked) - set(given):
            raise FileError(f"{self._graph} asks for {', '.join(sorted(unknown))}: it is no model for single texts")
        outputs = [each.name for each in session.get_outputs()]
        chosen = next((name for name in ("sentence_embedding", "last_hidden_state") if name in outputs), outputs[0])
        try:
            (found,) = session.run([chosen], {name: given[name] for name in asked})
        # ONNX Runtime's errors have no common class.
        except Exception as e:
            raise FileError(f"{self._graph} can't be run ({_first_words(e)})") from e
        rows = np.asarray(found, dtype=np.float32)
        if rows.ndim == 3:
            rows = _pooled(rows, mask, self._pooling)
        if rows.ndim != 2 or len(rows) != len(encodings) or not np.isfinite(rows).all():
            raise FileError(f"{self._graph} gives no vector per text (its output {chosen} has the shape {rows.shape})")
        return rows

    # The files of the folder

    @property
    def _folder(self) -> Path:
        return Path(self.where)

    @cached_property
    def _graph(self) -> Path:
        if not os.path.isdir(self._folder):
            raise InputError(f"{self.where} is not a folder with a model in ONNX format")
        for name in GRAPHS:
            if (self._folder / name).is_file():
                return self._folder / name
        raise FileError(f"{self.where} has no {' or '.join(GRAPHS)}: export the model to ONNX, or use st:{self.where}")

    def _settings(self, name: str) -> dict[str, Any]:
        try:
            document = json.loads((self._folder / name).read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as e:
            raise FileError(f"{self._folder / name} can't be read ({_first_words(e)})") from e
        return document if isinstance(document, dict) else {"entries": document}

    @cached_property
    def _prompts(self) -> dict[str, str]:
        prompts = self._settings("config_sentence_transformers.json").get("prompts")
        return {k: v for k, v in prompts.items() if isinstance(v, str)} if isinstance(prompts, dict) else {}

    @cached_property
    def _pooling(self) -> str:
        """The way from the vectors of the tokens to one: `mean` or `cls`."""
        entries = self._settings("modules.json").get("entries") or []
        layers = {str(each.get("type", "")).rpartition(".")[2] for each in entries if isinstance(each, dict)}
        if more := layers - LAYERS:
            raise FileError(f"{self.where} has the layer {sorted(more)[0]}, which is not in its ONNX file: use st:")
        settings = self._settings("1_Pooling/config.json")
        by_flags = [name for name, flag in POOLING_FLAGS.items() if settings.get(flag) is True]
        mode = str(settings.get("pooling_mode") or " and ".join(by_flags) or "mean")
        if mode not in ("mean", "cls"):
            raise FileError(f"{self.where} pools by {mode}, but the onnx embedder only by mean or cls: use st:")
        return mode

    @cached_property
    def _tokenizer(self) -> Any:
        check_not_public_demo("A model of your own")
        check_allowed("server")
        try:
            from tokenizers import Tokenizer
        except ImportError as e:
            raise NotFoundError(EXTRA) from e
        _ = self._graph
        file = self._folder / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(file))
        # The library raises a plain Exception for everything.
        except Exception as e:
            raise FileError(f"{file} can't be read as a tokenizer ({_first_words(e)})") from e
        limits = (
            self._settings("sentence_bert_config.json").get("max_seq_length"),
            self._settings("tokenizer_config.json").get("model_max_length"),
        )
        limit = next((int(each) for each in limits if isinstance(each, int) and 0 < each < 1_000_000), MOST_TOKENS)
        tokenizer.enable_truncation(limit)
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        try:
            import onnxruntime
        except ImportError as e:
            raise NotFoundError(EXTRA) from e
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        here = onnxruntime.get_available_providers()
        try:
            return onnxruntime.InferenceSession(
                str(self._graph),
                options,
                providers=[name for name in ("CUDAExecutionProvider", "CPUExecutionProvider") if name in here],
            )
        # ONNX Runtime's errors have no common class.
        except Exception as e:
            raise FileError(f"{self._graph} can't be read as an ONNX model ({_first_words(e)})") from e


def _padded(rows: Iterable[Sequence[int]], width: int, filler: int) -> npt.NDArray[np.int64]:
    return np.array([[*row, *([filler] * (width - len(row)))] for row in (list(row)[:width] for row in rows)], np.int64)


def _pooled(tokens: Matrix, mask: npt.NDArray[np.int64], mode: str) -> Matrix:
    """Return one vector per text: of its first token, or the mean of all."""
    if mode == "cls":
        return tokens[:, 0]
    weights = mask[:, :, None].astype(np.float32)
    total: Matrix = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    return total


def _first_words(e: Exception) -> str:
    return " ".join(str(e).split())[:200]
