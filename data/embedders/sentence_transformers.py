"""The `sentence_transformers` embedder: a model from a folder or a hub, run on this machine.

A model without a sentence-transformers configuration (DPR, ANCE, E5 and the like) is read by name too: its tokens are
averaged. Code that comes with a model is never run.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import FileError, InputError, NotFoundError, ServiceError
from core.vectors import normalise
from data.checksums import file_sha256
from data.embedders.late_models import is_late_model, load_late_model, token_rows
from data.embedders.model import Mishaps
from data.embedders.tokens import PRICES_AS_OF, Estimate, likely_tokens
from data.offline import check_online, is_offline
from data.store import content_hash

EXTRA = 'sentence_transformers needs its extra: pip install ".[sentence-transformers]"'
DOCUMENT_PROMPTS = (
    (re.compile(r"(?:^|[-_])e5-(?!mistral)", re.IGNORECASE), "passage: "),
    (re.compile(r"(?:^|[-_])gritlm", re.IGNORECASE), "<|embed|>\n"),
)
"""What families of models want before a document. Others, such as BGE, want nothing there. A prompt for documents in
the model's own configuration comes first."""
QUERY_PROMPTS = (
    (re.compile(r"(?:^|[-_])e5-(?!mistral)", re.IGNORECASE), "query: "),
    (
        re.compile(r"(?:^|[-_])bge-(?:small|base|large)-en\b", re.IGNORECASE),
        "Represent this sentence for searching relevant passages: ",
    ),
    (
        re.compile(r"(?:^|[-_])gritlm", re.IGNORECASE),
        "<|user|>\nGiven a search query, retrieve the publications that answer it\n<|embed|>\n",
    ),
)
"""The same before a query. Others want nothing there."""
CONFIGURED = (".json", ".txt", ".model")
WEIGHTS = (".safetensors", ".bin", ".pt")
Matrix = npt.NDArray[np.float32]
Load = Callable[[str], Any]


def document_prompt(model: str) -> str:
    """What this model, by its plain name, wants before a title and abstract.

    >>> document_prompt("intfloat/multilingual-e5-small"), document_prompt("BAAI/bge-small-en-v1.5")
    ('passage: ', '')
    """
    return _of_family(model, DOCUMENT_PROMPTS)


def query_prompt(model: str) -> str:
    """What it wants before a query.

    >>> query_prompt("intfloat/e5-small-v2"), query_prompt("all-MiniLM-L6-v2")
    ('query: ', '')
    """
    return _of_family(model, QUERY_PROMPTS)


def _of_family(model: str, prompts: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    plain = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    return next((prompt for family, prompt in prompts if family.search(plain)), "")


def load_model(where: str) -> Any:
    """Read a model. A folder is read without the network, and so is a kept model where we are offline by choice."""
    if is_offline():
        os.environ["HF_HUB_OFFLINE"] = "1"
    is_folder = os.path.isdir(where)
    if is_offline() and not is_folder and snapshot_of(where) is None:
        check_online(f"the hub that has {where}")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as e:
        raise NotFoundError(EXTRA) from e
    is_local = is_folder or is_offline()
    try:
        with _quiet():
            return SentenceTransformer(where, local_files_only=is_local, trust_remote_code=False)
    # What a model's files can be wrong with has no one class, from KeyError to SafetensorError.
    except Exception as e:
        said = " ".join(str(e).split())[:200]
        if is_folder:
            raise FileError(f"{where} can't be read as a model ({said})") from e
        raise ServiceError(f"{where} can't be loaded from the hub ({said}): check the name and the network") from e


@contextmanager
def _quiet() -> Iterator[None]:
    """The bars and remarks of the library are not ours."""
    loggers = [logging.getLogger(name) for name in ("sentence_transformers", "transformers", "huggingface_hub")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        from transformers.utils import logging as bars

        bars.disable_progress_bar()
    except (ImportError, AttributeError):
        pass
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def folder_fingerprint(folder: Path) -> str:
    """Names what the files of a model say and weigh; another name or place of the folder is the same model."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in CONFIGURED + WEIGHTS)
    if not files:
        raise FileError(f"{folder} holds no model: no configuration, no weights")
    digest = hashlib.sha256()
    for path in files:
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name}\0{path.stat().st_size}\0{file_sha256(path)}\n".encode())
    return digest.hexdigest()[:32]


def snapshot_of(name: str) -> Path | None:
    """The folder in which a model of a hub was kept, if it was."""
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, local_files_only=True))
    except ImportError as e:
        raise NotFoundError(EXTRA) from e
    except Exception:  # not there, or no name that a hub could have: loading it will say which
        return None


@dataclass(eq=False)
class SentenceTransformersModel:
    """A model of this library. Read when the first text comes."""

    where: str
    load: Load = field(default=load_model, repr=False)
    mishaps: Mishaps = field(default_factory=Mishaps, repr=False)
    first_batch: int = 16
    load_late: Load = field(default=load_late_model, repr=False)
    _late_model: Any = field(default=None, repr=False)
    _may_be_late: bool = field(default=True, repr=False)
    _model: Any = field(default=None, repr=False)
    _fingerprint: str = field(default="", repr=False)

    @property
    def model_id(self) -> str:
        return self.where

    @property
    def fingerprint(self) -> str:
        """The files of a folder; the commit of a name on a hub. What comes before a document belongs to it."""
        if not self._fingerprint:
            self._fingerprint = content_hash(["sentence_transformers", self._identity(), document_prompt(self.where)])
        return self._fingerprint

    def _identity(self) -> str:
        folder = Path(self.where)
        if os.path.isdir(folder):
            return folder_fingerprint(folder)
        if self.where.startswith((".", "/", "~")) or folder.suffix in WEIGHTS:
            raise InputError(f"{self.where} is no folder with a model")
        if snapshot_of(self.where) is None:
            self._loaded()
        found = snapshot_of(self.where)
        if found is None:
            raise ServiceError(f"{self.where} was loaded, but its version is not known: save it to a folder first")
        return f"{self.where}@{found.name}"

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """Nothing but time."""
        return Estimate(len(texts), sum(map(likely_tokens, texts)), 0.0, PRICES_AS_OF)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row per text; the model reads as much of it as it can."""
        model = self._loaded()
        self._note_cut(texts)
        configured = getattr(model, "prompts", None) or {}
        prompt = configured.get("document") or configured.get("passage") or document_prompt(self.where)
        return self._encode(texts, "" if getattr(model, "default_prompt_name", None) else prompt)

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """The same for questions, with what the model wants before one; its own configuration comes first."""
        model = self._loaded()
        of_family = "" if getattr(model, "default_prompt_name", None) else query_prompt(self.where)
        return self._encode(texts, (getattr(model, "prompts", None) or {}).get("query") or of_family)

    def embed_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """For each text one unit row per word or part of a word that the model reads; no prompt is put before it."""
        if (late := self._late()) is not None:
            return token_rows(late.encode_document, texts)
        model = self._loaded()
        self._note_cut(texts)
        read = model.encode(list(texts), prompt="", batch_size=16, show_progress_bar=False, output_value=None)
        marks = list(model.tokenizer.all_special_ids)
        return [_token_rows(features, marks) for features in read]

    def embed_query_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """The same for questions, which models made for late interaction read otherwise."""
        late = self._late()
        return self.embed_tokens(texts) if late is None else token_rows(late.encode_query, texts)

    def _late(self) -> Any:
        """The model as one that was made for late interaction; None: it was not."""
        if self._late_model is None and self._may_be_late:
            folder = Path(self.where) if os.path.isdir(self.where) else snapshot_of(self.where)
            if folder is not None and is_late_model(folder):
                with _quiet():
                    self._late_model = self.load_late(str(folder))
            self._may_be_late = self._late_model is not None
        return self._late_model

    def _encode(self, texts: Sequence[str], prompt: str) -> Matrix:
        # Small groups, because a long text makes its whole group as wide.
        rows = self._loaded().encode(
            list(texts),
            batch_size=16,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
            **({"prompt": prompt} if prompt else {}),
        )
        return np.asarray(rows, dtype=np.float32)

    def _note_cut(self, texts: Sequence[str]) -> None:
        """Remember the texts that have more tokens than the model reads."""
        limit, tokenizer = getattr(self._model, "max_seq_length", None), getattr(self._model, "tokenizer", None)
        if not limit or not callable(tokenizer):
            return
        long = [text for text in texts if len(text) > limit // 2]
        if long:
            read = tokenizer([text[: 32 * limit] for text in long], verbose=False)["input_ids"]
            self.mishaps.cut.update(text for text, ids in zip(long, read, strict=True) if len(ids) > limit)

    def _loaded(self) -> Any:
        if self._model is None:
            self._model = self.load(self.where)
        return self._model


def _token_rows(features: Any, marks: list[int]) -> Matrix:
    """Without what fills up a group, and without the marks of beginning, end and the like."""
    ids, filled = (features[name].cpu().numpy() for name in ("input_ids", "attention_mask"))
    vectors = features["token_embeddings"].float().cpu().numpy()
    return normalise(vectors[(filled > 0) & ~np.isin(ids, marks)])[0]
