"""Embedders that run on this machine: `lsa`, `sentence_transformers`, and late-interaction models."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from threadpoolctl import threadpool_limits

from core.errors import (
    CorruptStoreError,
    FileError,
    InputError,
    MisalignedError,
    NewerStoreError,
    NotFoundError,
    ServiceError,
)
from core.text import tokens
from core.types import Vectors
from core.vectors import normalise
from data.access import check_allowed
from data.digests import check_bytes, written_with_digests
from data.files import file_sha256
from data.http.client import check_online, is_offline
from data.models.embedding_model import PRICES_AS_OF, EmbeddingEstimate, Mishaps, likely_tokens
from data.public_demo import check_not_public_demo
from data.store import content_hash

# The `lsa` embedder: TF-IDF and a truncated SVD, fitted once per topic and then frozen. It works offline at once.
#
# Fitting determines the vocabulary, the weight of each word (idf) and its position (`term_vectors`). The vector of a
# text is the weighted sum of its words, so a later text is placed without moving any earlier one.

FORMAT_VERSION = 1
MAX_DIMENSIONS = 128
MAX_TERMS = 50_000
"""The most frequent words are kept; this limits the model to 26 MB however large the corpus."""
MIN_TEXTS = 4
"""Fewer texts give fewer than two dimensions, in which every cosine is 1 or -1."""
RARE_WORDS_DROPPED_FROM = 50
"""From this many texts on, words that occur in a single text are dropped: they carry no information about closeness."""

SparseMatrix = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LsaModel:
    """A frozen model of a topic's words. The same texts and seed give the same vectors, byte for byte."""

    vocabulary: tuple[str, ...]
    """The words in the model, sorted."""
    idf: SparseMatrix
    """Weight of each word: rare words weigh more. Shape (n_terms,)."""
    term_vectors: SparseMatrix
    """Position of each word, shape (n_terms, n_dimensions)."""
    seed: int
    n_texts: int
    """Number of texts it was fitted on."""

    def __post_init__(self) -> None:
        n_terms = len(self.vocabulary)
        if self.idf.shape != (n_terms,) or self.term_vectors.ndim != 2 or len(self.term_vectors) != n_terms:
            shapes = f"{self.idf.shape} weights and {self.term_vectors.shape} term vectors"
            raise MisalignedError(f"{n_terms} words but {shapes}")

    @property
    def n_dimensions(self) -> int:
        return int(self.term_vectors.shape[1])

    @cached_property
    def _column_of(self) -> dict[str, int]:
        return {term: column for column, term in enumerate(self.vocabulary)}

    @classmethod
    def fit(cls, texts: Sequence[str], *, seed: int = 0) -> LsaModel:
        """Fit a model to these texts, with as many dimensions as the square root of their number, at most 128."""
        if len(texts) < MIN_TEXTS:
            raise InputError(f"LSA needs at least {MIN_TEXTS} texts, got {len(texts)}: import more")
        vectorizer, weights = _fit_weights(texts)
        n_dimensions = min(MAX_DIMENSIONS, round(len(texts) ** 0.5), weights.shape[1])
        svd = TruncatedSVD(n_dimensions, algorithm="randomized", n_iter=7, random_state=seed)
        # One thread: the last bits depend on the number of threads, and two on a busy machine are slower than one.
        # Identical texts have no variance, and the explained share, which is not used, would be 0/0.
        with threadpool_limits(1), np.errstate(invalid="ignore", divide="ignore"):
            svd.fit(weights)
        # A direction without weight is rounding noise: it would place a later text by chance.
        kept_mask = svd.singular_values_ > 1e-5 * svd.singular_values_.max()
        components = _fix_signs(svd.components_[kept_mask])
        return cls(
            vocabulary=tuple(str(term) for term in vectorizer.get_feature_names_out()),
            idf=vectorizer.idf_.astype(np.float32),
            term_vectors=np.ascontiguousarray(components.T, dtype=np.float32),
            seed=seed,
            n_texts=len(texts),
        )

    def embed(self, texts: Sequence[str]) -> SparseMatrix:
        """Return one row per text, not normalised. A text without known words is a zero row: it can't be scored."""
        weights = self._weights(texts)
        rows: SparseMatrix = np.asarray(weights @ self.term_vectors, dtype=np.float32)
        # The weights of a text have length 1; a tiny remainder here lies outside the space of the model.
        rows[np.einsum("ij,ij->i", rows, rows) < 1e-10] = 0.0
        return rows

    def _weights(self, texts: Sequence[str]) -> Any:
        """Return sparse (n_texts, n_terms) TF-IDF rows of length 1, as scikit-learn's TfidfVectorizer would give."""
        columns: list[int] = []
        counts: list[int] = []
        starts = [0]
        known = self._column_of
        for text in texts:
            found = Counter(column for column in map(known.get, tokens(text)) if column is not None)
            ordered = sorted(found.items())
            columns.extend(column for column, _ in ordered)
            counts.extend(count for _, count in ordered)
            starts.append(len(columns))
        column_array = np.array(columns, dtype=np.int32)
        values = (1.0 + np.log(np.array(counts, dtype=np.float64))) * self.idf[column_array]
        lengths = np.sqrt(np.add.reduceat(np.append(values**2, 0.0), starts)[:-1])
        n_words = np.diff(starts)
        values /= np.repeat(np.where(n_words > 0, lengths, 1.0), n_words)
        shape = (len(texts), len(self.vocabulary))
        return sparse.csr_matrix((values.astype(np.float32), column_array, starts), shape=shape)

    def save(self, path: Path) -> None:
        """Save the model through a temporary file and a rename: a crash leaves the old file or the new one."""
        with written_with_digests(path) as file:
            np.savez_compressed(
                file,
                format_version=np.int64(FORMAT_VERSION),
                seed=np.int64(self.seed),
                n_texts=np.int64(self.n_texts),
                vocabulary=np.array(self.vocabulary, dtype=np.str_),
                idf=self.idf,
                term_vectors=self.term_vectors,
            )

    @classmethod
    def load(cls, path: Path) -> LsaModel:
        """Load a model that `save` wrote. Nothing is unpickled."""
        try:
            content = path.read_bytes()
        except OSError as e:
            raise FileError(f"can't read the LSA model {path} ({e.strerror}): embed the topic again") from e
        try:
            check_bytes(path)
            model = _parse_model(content)
        except NewerStoreError as e:
            raise NewerStoreError(f"{path} {e}") from None
        # Zip and npy readers fail on damage in a dozen ways, from struct.error to MemoryError.
        except Exception as e:
            raise CorruptStoreError(f"the LSA model {path} is damaged: delete it and embed the topic again") from e
        return model


def _terms(text: str) -> list[str]:
    """Return the words that can carry meaning: no stop words, single characters or run-together strings."""
    return [term for term in tokens(text) if 2 <= len(term) <= 40 and term not in ENGLISH_STOP_WORDS]


def _fit_weights(texts: Sequence[str]) -> tuple[TfidfVectorizer, Any]:
    for min_df in (2, 1) if len(texts) >= RARE_WORDS_DROPPED_FROM else (1,):
        vectorizer = TfidfVectorizer(analyzer=_terms, sublinear_tf=True, min_df=min_df, max_features=MAX_TERMS)
        try:
            return vectorizer, vectorizer.fit_transform(texts)
        except ValueError:  # no word is left; there may be some without the limit
            continue
    raise InputError(f"the {len(texts)} texts contain no words for LSA: are titles and abstracts missing?")


def _fix_signs(components: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Make the largest entry of each component positive, since an SVD leaves the sign open."""
    largest = np.abs(components).argmax(axis=1)
    return components * np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)[:, None]


def _parse_model(content: bytes) -> LsaModel:
    """Parse the bytes of a model; any exception except NewerStoreError means that they are damaged."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        # numpy may stop reading before the end of a member, where the checksum would be compared.
        if (damaged := archive.testzip()) is not None:
            raise ValueError(f"checksum of {damaged}")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        version = int(arrays["format_version"])
        if version > FORMAT_VERSION:
            raise NewerStoreError(
                f"has format {version}, but this Queryscape reads up to {FORMAT_VERSION}: update Queryscape"
            )
        idf, term_vectors = arrays["idf"], arrays["term_vectors"]
        if idf.dtype != np.float32 or term_vectors.dtype != np.float32:
            raise ValueError(f"float32 expected, got {idf.dtype} and {term_vectors.dtype}")
        if not (np.isfinite(idf).all() and np.isfinite(term_vectors).all()):
            raise ValueError("numbers that are not finite")
        return LsaModel(
            vocabulary=tuple(str(term) for term in arrays["vocabulary"]),
            idf=idf,
            term_vectors=term_vectors,
            seed=int(arrays["seed"]),
            n_texts=int(arrays["n_texts"]),
        )


# Models made for late interaction, such as ColBERT: a vector per token, and separate rules for queries.
#
# They come in the formats of three libraries; sentence-transformers reads all of them from version 6 on.

MADE_FOR_IT = frozenset({"HF_ColBERT", "ColBERT", "MultiVectorEncoder"})
"""The names of such models in one of two files."""
TOO_OLD = 'models for late interaction need sentence-transformers 6: pip install -U "sentence-transformers>=6,<7"'


def is_late_model(folder: Path) -> bool:
    """Return True if the model in this folder was trained for late interaction; others give token vectors too."""
    names: set[str] = set()
    for file, entry in (("config.json", "architectures"), ("config_sentence_transformers.json", "model_type")):
        try:
            document = json.loads((folder / file).read_text("utf-8")).get(entry)
        except (OSError, ValueError, AttributeError):
            continue
        names |= {document} if isinstance(document, str) else {name for name in document or () if isinstance(name, str)}
    return bool(names & MADE_FOR_IT)


def load_late_model(folder: str) -> Any:
    """Load a late-interaction model from a folder, without the network."""
    try:
        from sentence_transformers import MultiVectorEncoder
    except ImportError as e:
        raise NotFoundError(TOO_OLD) from e
    try:
        return MultiVectorEncoder(folder, local_files_only=True, trust_remote_code=False)
    # Broken model files raise errors without a common class.
    except Exception as e:
        raise FileError(f"{folder} can't be read as a model ({' '.join(str(e).split())[:200]})") from e


def token_rows(encode: Callable[..., Any], texts: Sequence[str]) -> list[Vectors]:
    """Return the vectors that such a model compares, as unit rows; the model selects the tokens."""
    found = encode(list(texts), batch_size=16, show_progress_bar=False, convert_to_numpy=True)
    return [normalise(np.asarray(rows, dtype=np.float32))[0] for rows in found]


# The `sentence_transformers` embedder: a model from a folder or a hub, run on this machine.
#
# A model without a sentence-transformers configuration (DPR, ANCE, E5 and the like) is loaded by name too; its tokens
# are averaged. Code that comes with a model is never run.

EXTRA = 'sentence_transformers needs its extra: pip install ".[sentence-transformers]"'
DOCUMENT_PROMPTS = (
    (re.compile(r"(?:^|[-_])e5-(?!mistral)", re.IGNORECASE), "passage: "),
    (re.compile(r"(?:^|[-_])gritlm", re.IGNORECASE), "<|embed|>\n"),
)
"""The prompts of model families before a document; others, such as BGE, have none.

A document prompt in the model's own configuration takes precedence.
"""
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
"""The prompts before a query; other families have none."""
CONFIGURED = (".json", ".txt", ".model")
WEIGHTS = (".safetensors", ".bin", ".pt")
Matrix = npt.NDArray[np.float32]
Load = Callable[[str], Any]


def document_prompt(model: str) -> str:
    """Return the prompt of a model, by its plain name, before a title and abstract.

    >>> document_prompt("intfloat/multilingual-e5-small"), document_prompt("BAAI/bge-small-en-v1.5")
    ('passage: ', '')
    """
    return _of_family(model, DOCUMENT_PROMPTS)


def query_prompt(model: str) -> str:
    """Return the prompt of a model before a query.

    >>> query_prompt("intfloat/e5-small-v2"), query_prompt("all-MiniLM-L6-v2")
    ('query: ', '')
    """
    return _of_family(model, QUERY_PROMPTS)


def _of_family(model: str, prompts: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    plain = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    return next((prompt for family, prompt in prompts if family.search(plain)), "")


def load_model(where: str) -> Any:
    """Load a model. A folder never uses the network, nor does a downloaded model in offline mode."""
    check_not_public_demo("A model of your own")
    check_allowed("server")
    if is_offline():
        os.environ["HF_HUB_OFFLINE"] = "1"
    is_folder = os.path.isdir(where)
    if is_offline() and not is_folder and snapshot_of(where) is None:
        check_online(f"the hub for {where}")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as e:
        raise NotFoundError(EXTRA) from e
    is_local = is_folder or is_offline()
    try:
        with _quiet():
            return SentenceTransformer(where, local_files_only=is_local, trust_remote_code=False)
    # Broken model files raise errors without a common class, from KeyError to SafetensorError.
    except Exception as e:
        text = " ".join(str(e).split())[:200]
        if is_folder:
            raise FileError(f"{where} can't be read as a model ({text})") from e
        raise ServiceError(f"{where} can't be loaded from the hub ({text}): check the name and the network") from e


@contextmanager
def _quiet() -> Iterator[None]:
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


def folder_fingerprint(folder: Path, weights: tuple[str, ...] = WEIGHTS) -> str:
    """Hash the files of a model; the same model in a folder of another name or place has the same hash."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in CONFIGURED + weights)
    if not files:
        raise FileError(f"{folder} has no model: configuration and weights are missing")
    digest = hashlib.sha256()
    for path in files:
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name}\0{path.stat().st_size}\0{file_sha256(path)}\n".encode())
    return digest.hexdigest()[:32]


def snapshot_of(name: str) -> Path | None:
    """Return the folder of a downloaded hub model; None if it is not downloaded."""
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, local_files_only=True))
    except ImportError as e:
        raise NotFoundError(EXTRA) from e
    except Exception:  # missing, or not a possible name on a hub: loading it will tell
        return None


@dataclass(eq=False)
class SentenceTransformersModel:
    """A sentence-transformers model, loaded with the first text."""

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
        """A hash of the files of a folder, or of the commit on a hub, and of the document prompt."""
        if not self._fingerprint:
            self._fingerprint = content_hash(["sentence_transformers", self._identity(), document_prompt(self.where)])
        return self._fingerprint

    def _identity(self) -> str:
        folder = Path(self.where)
        if os.path.isdir(folder):
            return folder_fingerprint(folder)
        if self.where.startswith((".", "/", "~")) or folder.suffix in WEIGHTS:
            raise InputError(f"{self.where} is not a folder with a model")
        if snapshot_of(self.where) is None:
            self._loaded()
        found = snapshot_of(self.where)
        if found is None:
            raise ServiceError(f"the version of {self.where} is unknown: save it to a folder first")
        return f"{self.where}@{found.name}"

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate:
        return EmbeddingEstimate(len(texts), sum(map(likely_tokens, texts)), 0.0, PRICES_AS_OF)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text; the model truncates a text that is too long."""
        model = self._loaded()
        self._note_cut(texts)
        configured = getattr(model, "prompts", None) or {}
        prompt = configured.get("document") or configured.get("passage") or document_prompt(self.where)
        return self._encode(texts, "" if getattr(model, "default_prompt_name", None) else prompt)

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions, with the query prompt of the model; its own configuration takes precedence."""
        model = self._loaded()
        of_family = "" if getattr(model, "default_prompt_name", None) else query_prompt(self.where)
        return self._encode(texts, (getattr(model, "prompts", None) or {}).get("query") or of_family)

    def embed_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """Return, for each text, one unit row per word or part of a word, without a prompt."""
        if (late := self._late()) is not None:
            return token_rows(late.encode_document, texts)
        model = self._loaded()
        self._note_cut(texts)
        read = model.encode(list(texts), prompt="", batch_size=16, show_progress_bar=False, output_value=None)
        marks = list(model.tokenizer.all_special_ids)
        return [_token_rows(features, marks) for features in read]

    def embed_query_tokens(self, texts: Sequence[str]) -> list[Matrix]:
        """Do the same for questions, which late-interaction models read differently."""
        late = self._late()
        return self.embed_tokens(texts) if late is None else token_rows(late.encode_query, texts)

    def _late(self) -> Any:
        """Return the model as a late-interaction model; None: it is not one."""
        if self._late_model is None and self._may_be_late:
            folder = Path(self.where) if os.path.isdir(self.where) else snapshot_of(self.where)
            if folder is not None and is_late_model(folder):
                with _quiet():
                    self._late_model = self.load_late(str(folder))
            self._may_be_late = self._late_model is not None
        return self._late_model

    def _encode(self, texts: Sequence[str], prompt: str) -> Matrix:
        # Small batches, because a long text makes its whole batch as wide.
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
    ids, filled = (features[name].cpu().numpy() for name in ("input_ids", "attention_mask"))
    vectors = features["token_embeddings"].float().cpu().numpy()
    return normalise(vectors[(filled > 0) & ~np.isin(ids, marks)])[0]
