"""The interface of every embedding model, checks of a service's answers, and token counts and prices."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.protocols import Embedder

Rows = npt.NDArray[np.float32]


class BadAnswer(Exception):
    """An unusable answer; the message completes "the service sent"."""


def json_of_answer(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as e:
        what = "a web page" if content.lstrip()[:1] == b"<" else "an answer that is cut off or not JSON"
        raise BadAnswer(what) from e


def read_answer(content: bytes, n_texts: int, n_dimensions: int | None) -> Rows:
    """Return the vectors in the order of the texts. `n_dimensions`: the width of earlier vectors."""
    document = json_of_answer(content)
    items = document.get("data") if isinstance(document, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BadAnswer("JSON without a list of vectors")
    if len(items) != n_texts:
        raise BadAnswer(f"{len(items)} vectors for {n_texts} texts")
    rows: list[Rows | None] = [None] * n_texts
    for item in items:
        index = item.get("index")
        if type(index) is not int or not 0 <= index < n_texts or rows[index] is not None:
            raise BadAnswer(f"vectors whose numbers don't match the texts ({str(index)[:20]})")
        rows[index] = _vector(item.get("embedding"))
    widths = {len(row) for row in rows if row is not None}
    if len(widths) != 1 or widths == {0} or (n_dimensions is not None and widths != {n_dimensions}):
        expected = f" where {n_dimensions} were expected" if n_dimensions else ""
        raise BadAnswer(f"vectors of {' and '.join(map(str, sorted(widths)[:3]))} dimensions{expected}")
    matrix = np.array(rows, dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise BadAnswer("numbers that are not finite")
    return matrix


def _vector(value: Any) -> Rows:
    """Parse a list of numbers, or the base64 bytes of float32 numbers."""
    if isinstance(value, str):
        try:
            return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
        except (ValueError, binascii.Error) as e:
            raise BadAnswer("a vector that can't be decoded") from e
    if not isinstance(value, list) or not all(type(number) in (int, float) for number in value):
        raise BadAnswer("a vector that is not a list of numbers")
    try:
        with np.errstate(over="ignore"):  # becomes infinite, which is rejected by name
            return np.array(value, dtype=np.float64).astype(np.float32)
    except OverflowError as e:
        raise BadAnswer("numbers that are not finite") from e


# Token counts of texts, and their price: estimates that need no tokenizer.

PRICES = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13, "text-embedding-ada-002": 0.10}
"""US dollars per million tokens, as of PRICES_AS_OF. Its keys are the models that OpenAI is known to offer."""
PRICES_AS_OF = "2025-06"
MOST_TOKENS = 8_192
"""Maximum tokens of one text."""


@dataclass(frozen=True, slots=True)
class EmbeddingEstimate:
    n_texts: int
    n_tokens: int
    """Accurate enough for a price: English prose has about one token per four characters."""
    dollars: float | None
    """None: the price of this model, or at this address, is unknown."""
    as_of: str
    """Month of the price table."""


def likely_tokens(text: str) -> int:
    """Estimate the number of tokens of a text.

    >>> likely_tokens("Green warehouses"), likely_tokens("緑の倉庫"), likely_tokens("")
    (4, 4, 0)
    """
    n_plain = len(text.encode("ascii", errors="ignore"))
    return -(-n_plain // 4) + len(text) - n_plain


def most_tokens(text: str) -> int:
    """Return a count that a text rarely exceeds: 2.5 letters per token, and one or two tokens per other character."""
    n_plain = n_letters = 0
    if text.isascii():
        n_plain = len(text)
        n_letters = sum(map(str.isalpha, text)) + text.count(" ")
    else:
        for sign in text:
            if sign.isascii():
                n_plain += 1
                n_letters += sign.isalpha() or sign == " "
    return int(n_letters / 2.5) + (n_plain - n_letters) + 2 * (len(text) - n_plain) + 1


def cut(text: str, limit: int = MOST_TOKENS) -> str:
    """Return the beginning of a text that certainly fits.

    >>> len(cut("word " * 10_000)), cut("short")
    (20479, 'short')
    """
    if len(text.encode(errors="replace")) <= limit or most_tokens(text) <= limit:  # every token has at least one byte
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if most_tokens(text[:middle]) <= limit else (low, middle - 1)
    return text[:low]


def estimate(texts: Sequence[str], model: str, *, known_service: bool = True) -> EmbeddingEstimate:
    """Estimate the tokens and price of embedding these texts. `known_service`: the service is OpenAI's own.

    >>> estimate(["x" * 4_000_000], "text-embedding-3-small").dollars
    0.02
    """
    n_tokens = sum(map(likely_tokens, texts))
    price = PRICES.get(model) if known_service else None
    return EmbeddingEstimate(len(texts), n_tokens, None if price is None else n_tokens * price / 1e6, PRICES_AS_OF)


# The interface of every model that serves any topic, for all providers.


@dataclass
class Mishaps:
    """Problems with single texts during embedding."""

    cut: set[str] = field(default_factory=set)
    """Texts of which only the beginning was embedded."""
    refused: dict[str, str] = field(default_factory=dict)
    """Texts that the service refused, with its message."""


class EmbeddingModel(Embedder, Protocol):
    """A model whose vectors serve any topic. Opening one is quick; slow steps wait for the first text."""

    @property
    def fingerprint(self) -> str:
        """A hash that changes with anything that changes a vector; stored with every vector."""
        ...

    @property
    def first_batch(self) -> int:
        """The number of texts in the first batch; later batches adapt to the speed."""
        ...

    @property
    def mishaps(self) -> Mishaps:
        """The problems so far, filled during embedding."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Embed questions like `embed`; some models expect a different prompt before questions than before texts."""
        ...

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate: ...
