"""The `lsa` embedder: TF-IDF and a truncated SVD, fitted once per topic and then frozen. Works offline at once.

Fitting decides which words count, how much (idf) and where each lies (`term_vectors`). A text is then the weighted
sum of its words, so that a later text is placed without moving any earlier one.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from threadpoolctl import threadpool_limits

from core.errors import CorruptStoreError, FileError, InputError, MisalignedError, NewerStoreError
from core.text import tokens
from data.files import written_aside

FORMAT_VERSION = 1
MAX_DIMENSIONS = 128
MAX_TERMS = 50_000
"""The most frequent words that are kept: bounds the model at 26 MB however large the corpus."""
MIN_TEXTS = 4
"""Fewer texts give fewer than two dimensions, in which every cosine is 1 or -1."""
RARE_WORDS_DROPPED_FROM = 50
"""From this many texts on, a word of a single text is dropped: it says nothing about closeness."""

SparseMatrix = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LsaModel:
    """A frozen model of a topic's words. The same texts and seed give the same vectors, byte for byte."""

    vocabulary: tuple[str, ...]
    """The words that count, sorted."""
    idf: SparseMatrix
    """Weight of each word: rare words weigh more. Shape (n_terms,)."""
    term_vectors: SparseMatrix
    """Place of each word, shape (n_terms, n_dimensions)."""
    seed: int
    n_texts: int
    """How many texts it was fitted on."""

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
        """Learn from these texts. As many dimensions as the square root of their number, at most 128."""
        if len(texts) < MIN_TEXTS:
            raise InputError(f"LSA needs at least {MIN_TEXTS} texts to learn from, got {len(texts)}: import more")
        vectorizer, weights = _fit_weights(texts)
        n_dimensions = min(MAX_DIMENSIONS, round(len(texts) ** 0.5), weights.shape[1])
        svd = TruncatedSVD(n_dimensions, algorithm="randomized", n_iter=7, random_state=seed)
        # One thread: the last bits hang on the number of threads, and two on a busy machine are slower than one.
        # Texts that are all alike have no variance, and the share explained, which is not used, would be 0/0.
        with threadpool_limits(1), np.errstate(invalid="ignore", divide="ignore"):
            svd.fit(weights)
        # A direction without weight is rounding noise: a later text would get a place by chance.
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
        """One row per text, not normalised. A text without known words is a zero row: it can't be scored."""
        weights = self._weights(texts)
        rows: SparseMatrix = np.asarray(weights @ self.term_vectors, dtype=np.float32)
        # A text's weights have length 1; what is left of them here lies outside everything the model has learnt.
        rows[np.einsum("ij,ij->i", rows, rows) < 1e-10] = 0.0
        return rows

    def _weights(self, texts: Sequence[str]) -> Any:
        """Sparse (n_texts, n_terms) TF-IDF rows of length 1, as scikit-learn's TfidfVectorizer would give."""
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
        """Write the model. Written aside and renamed: a kill leaves the old file or the new one, never half."""
        with written_aside(path) as file:
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
        """Read a model that `save` wrote. Nothing is unpickled."""
        try:
            content = path.read_bytes()
        except OSError as e:
            raise FileError(f"can't read the LSA model {path} ({e.strerror}): embed the topic again") from e
        try:
            model = _parse_model(content)
        except NewerStoreError as e:
            raise NewerStoreError(f"{path} {e}") from None
        # Zip and npy readers fail on damage in a dozen ways, from struct.error to MemoryError.
        except Exception as e:
            raise CorruptStoreError(f"the LSA model {path} is damaged: delete it and embed the topic again") from e
        return model


def _terms(text: str) -> list[str]:
    """The words that can carry meaning: no stop words, no single characters, no run-together monsters."""
    return [term for term in tokens(text) if 2 <= len(term) <= 40 and term not in ENGLISH_STOP_WORDS]


def _fit_weights(texts: Sequence[str]) -> tuple[TfidfVectorizer, Any]:
    """The fitted vectorizer and the TF-IDF rows of the texts."""
    for min_df in (2, 1) if len(texts) >= RARE_WORDS_DROPPED_FROM else (1,):
        vectorizer = TfidfVectorizer(analyzer=_terms, sublinear_tf=True, min_df=min_df, max_features=MAX_TERMS)
        try:
            return vectorizer, vectorizer.fit_transform(texts)
        except ValueError:  # no word is left; without the limit there may be some
            continue
    raise InputError(f"the {len(texts)} texts hold no words to learn from: are titles and abstracts missing?")


def _fix_signs(components: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Each component with its largest entry positive: an SVD leaves the sign open."""
    largest = np.abs(components).argmax(axis=1)
    return components * np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)[:, None]


def _parse_model(content: bytes) -> LsaModel:
    """The model in these bytes; any exception but NewerStoreError means that they are damaged."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        # numpy may stop reading before the end of a member, where the checksum would be compared.
        if (damaged := archive.testzip()) is not None:
            raise ValueError(f"checksum of {damaged}")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        version = int(arrays["format_version"])
        if version > FORMAT_VERSION:
            raise NewerStoreError(f"has format {version}, this Queryscape reads up to {FORMAT_VERSION}: update it")
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
