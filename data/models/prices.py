"""Prices of models: the shipped table and the user's own."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.knowledge.synthesis_steps import TokenPrice
from data.store import Clock, Store, utc_now

SHIPPED = Path(__file__).with_name("prices.toml")
FREE = TokenPrice(0.0, 0.0)
DEMO = "demo"
COLUMNS: Mapping[str, str] = {
    "prompt": "dollars per million prompt tokens",
    "answer": "dollars per million answer tokens",
}
MOST_CHARACTERS = 200
"""Maximum characters of a model's name."""
_SNAPSHOT = re.compile(r"([-@:](latest|preview|exp|\d{2,}))+")
"""A suffix that dates a model and keeps its price: -2024-07-18, -001, -preview-05-20; not a size such as -mini."""


class Priced:
    """The cost of planned requests to one model, from their tokens."""

    __slots__ = ()
    n_calls: int
    n_prompt_tokens: int
    n_answer_tokens: int
    most_prompt_tokens: int
    most_answer_tokens: int
    price: TokenPrice | None

    @property
    def cost(self) -> tuple[float, float] | None:
        """Expected and largest cost in dollars; None: the price is not known."""
        if not self.n_calls:
            return 0.0, 0.0
        if self.price is None:
            return None
        return (
            self.price.dollars(n_prompt_tokens=self.n_prompt_tokens, n_answer_tokens=self.n_answer_tokens),
            self.price.dollars(n_prompt_tokens=self.most_prompt_tokens, n_answer_tokens=self.most_answer_tokens),
        )


@dataclass(frozen=True, slots=True)
class PriceRow:
    model: str
    prompt: float
    answer: float
    read_on: str
    """The date on which it was read from a price list, or entered by the user."""
    own: bool
    """Entered by the user."""

    @property
    def price(self) -> TokenPrice:
        return TokenPrice(self.prompt, self.answer)


@cache
def _shipped() -> Mapping[str, PriceRow]:
    document = tomllib.loads(SHIPPED.read_text("utf-8"))
    return {
        model: PriceRow(model, float(row["prompt"]), float(row["answer"]), row["read_on"].isoformat(), own=False)
        for model, row in document.items()
    }


def price_rows(store: Store) -> tuple[PriceRow, ...]:
    """Return every model with a known price, by name; the user's prices take precedence."""
    found = store.rows("SELECT model, prompt, answer, made_at FROM judge_prices")
    own = {
        model: PriceRow(model, prompt, answer, (made_at or "")[:10], own=True)
        for model, prompt, answer, made_at in found
    }
    return tuple(row for _, row in sorted({**_shipped(), **own}.items()))


def load_prices(store: Store) -> dict[str, TokenPrice]:
    """Return the prices by model. The demo judge is free."""
    return {DEMO: FREE, **{row.model: row.price for row in price_rows(store)}}


def find_price(model: str, prices: Mapping[str, TokenPrice]) -> TokenPrice | None:
    """Return the price of a model, or of the listed model that it is a dated version of; None: unknown.

    >>> find_price("m-mini-2024-07-18", {"m": TokenPrice(2, 8), "m-mini": TokenPrice(1, 4)})
    TokenPrice(prompt=1, answer=4, listed_as='m-mini')
    >>> find_price("m-nano", {"m": TokenPrice(2, 8)})
    """
    if model in prices:
        return prices[model]
    listed = [name for name in prices if model.startswith(name) and _SNAPSHOT.fullmatch(model, len(name))]
    return replace(prices[name], listed_as=name) if (name := max(listed, key=len, default="")) else None


def price_note(model: str, price: TokenPrice | None) -> str:
    """Name the model whose price is used, if it is not listed for the model itself; else return an empty string."""
    if price is None or not price.listed_as:
        return ""
    return f'No price is listed for "{model}", so the price of "{price.listed_as}" is used.'


def save_prices(store: Store, rows: Iterable[Mapping[str, object]], clock: Clock = utc_now) -> tuple[PriceRow, ...]:
    """Save a table as edited by the user: rows with model, prompt and answer. Empty rows are left out.

    A missing row reverts to the shipped price, if there is one. Nothing is saved if any row can't be read.
    """
    read: dict[str, TokenPrice] = {}
    for number, row in enumerate(rows, start=1):
        if all(_is_empty(row.get(name)) for name in ("model", *COLUMNS)):
            continue
        model = _model(row.get("model"), number)
        if model in read:
            raise InputError(f'the price table has "{model}" twice: keep one of the two rows')
        prompt, answer = (_number(row.get(column), model, column) for column in COLUMNS)
        read[model] = TokenPrice(prompt, answer)
    shipped, now = _shipped(), clock()
    before = {row.model: row for row in price_rows(store) if row.own}
    with store.transaction():
        store.execute("DELETE FROM judge_prices")
        for model, price in read.items():
            if model in shipped and shipped[model].price == price:
                continue
            same = model in before and before[model].price == price
            read_on = before[model].read_on if same else now
            store.execute("INSERT INTO judge_prices VALUES (?, ?, ?, ?)", [model, price.prompt, price.answer, read_on])
    return price_rows(store)


def _is_empty(value: object) -> bool:
    return (
        value is None or (isinstance(value, str) and not value.strip()) or (isinstance(value, float) and value != value)
    )


def _model(value: object, number: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"row {number} of the price table has a price but no model: enter the model")
    model = value.strip()
    if len(model) > MOST_CHARACTERS or not model.isprintable():
        raise InputError(f"row {number} of the price table has an invalid model name: change it")
    return model


def _number(value: object, model: str, column: str) -> float:
    """Parse a price, or raise an error that names its place in the table."""
    where = f'the price of "{model}" under "{column}" ({COLUMNS[column]})'
    if _is_empty(value):
        raise InputError(f"{where} is missing: enter a number, or 0 if it is free")
    try:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float | str)
            or (isinstance(value, str) and "_" in value)
        ):
            raise ValueError
        number = float(value)
    except (ValueError, OverflowError):
        raise InputError(
            f'{where} is not a number: "{str(value)[:40]}". Write dollars with a point, such as 0.40'
        ) from None
    if not math.isfinite(number) or not 0 <= number < 1e6:
        raise InputError(f"{where} must be from 0 to a million dollars, got {str(value)[:40]}")
    return number
