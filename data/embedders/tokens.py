"""How many tokens texts have, and what that costs: estimates that need no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PRICES = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13, "text-embedding-ada-002": 0.10}
"""US dollars per million tokens, as of PRICES_AS_OF. Its keys are the models that OpenAI is known to have."""
PRICES_AS_OF = "2025-06"
MOST_TOKENS = 8_192
"""Of one text."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What embedding some texts would take."""

    n_texts: int
    n_tokens: int
    """Near enough for a price: English prose has a token per four characters."""
    dollars: float | None
    """None: the price of this model, or at this address, is not known."""
    as_of: str
    """Month of the price table."""


def likely_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> likely_tokens("Green warehouses"), likely_tokens("緑の倉庫"), likely_tokens("")
    (4, 4, 0)
    """
    n_plain = len(text.encode("ascii", errors="ignore"))
    return -(-n_plain // 4) + len(text) - n_plain


def most_tokens(text: str) -> int:
    """A count that a text hardly exceeds: two and a half letters to a token, and any other sign one or two."""
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
    """The beginning of a text that surely fits.

    >>> len(cut("word " * 10_000)), cut("short")
    (20479, 'short')
    """
    if len(text.encode(errors="replace")) <= limit or most_tokens(text) <= limit:  # no token is less than a byte
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if most_tokens(text[:middle]) <= limit else (low, middle - 1)
    return text[:low]


def estimate(texts: Sequence[str], model: str, *, known_service: bool = True) -> Estimate:
    """Tokens and price of embedding these texts. `known_service`: whether it is OpenAI's own.

    >>> estimate(["x" * 4_000_000], "text-embedding-3-small").dollars
    0.02
    """
    n_tokens = sum(map(likely_tokens, texts))
    price = PRICES.get(model) if known_service else None
    return Estimate(len(texts), n_tokens, None if price is None else n_tokens * price / 1e6, PRICES_AS_OF)
