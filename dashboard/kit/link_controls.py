"""Form controls that keep their choices in the link."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from dashboard import state

Option = TypeVar("Option", bound=str)


def choose_one(
    control: Callable[..., Any],
    label: str,
    options: Sequence[Option],
    key: str,
    *,
    usual: str | None = None,
    names: Mapping[Any, str] | None = None,
    **more: Any,
) -> Option:
    """Draw a choice of one option with a control such as `st.selectbox`; the link holds it unless it is `usual`.

    `names`: the options as they are shown; the link holds the options themselves.
    """
    if names is not None:
        more["format_func"] = lambda at: names.get(at, at)
    state.settle_named(key, list(options))
    chosen = str(control(label, list(options), key=key, **more))
    state.write_in_link(key, [chosen] if chosen != usual else [])
    return cast(Option, chosen)


def choose_segment(where: Any, label: str, options: Iterable[str], *, key: str, **more: Any) -> str:
    """Draw a choice of one option as buttons in a row; the link always holds it."""
    state.settle(key, list(options))
    return str(where.segmented_control(label, list(options), key=key, required=True, bind="query-params", **more))


def choose_listed(where: Any, label: str, options: Iterable[str], *, key: str, **more: Any) -> str:
    """Draw a choice of one option as a list; the link always holds it."""
    state.settle(key, list(options))
    return str(where.selectbox(label, list(options), key=key, bind="query-params", **more))


def choose_named(
    where: Any, label: str, options: Mapping[Any, str], key: str, *, at_first: str | None = None, **more: Any
) -> str:
    """Draw a choice of one option, shown by names; the link holds the ids."""
    if at_first in options and not state.is_chosen(key):
        state.set_value(key, at_first)
    usual = at_first if at_first in options else next(iter(options))
    return str(choose_one(where.selectbox, label, list(options), key, usual=usual, names=options, **more))


def choose_number(where: Any, label: str, low: int, high: int, at_first: int, key: str, **more: Any) -> int:
    """Draw a whole number; the link holds it if it is not the default."""
    usual = min(max(at_first, low), high)
    state.settle_number(key, low, high, usual)
    chosen = int(where.number_input(label, low, high, key=key, **more))
    state.write_in_link(key, [str(chosen)] if chosen != usual else [])
    return chosen


def choose_many(where: Any, label: str, options: Sequence[str], key: str, *, most: int = 0, **more: Any) -> list[str]:
    state.settle_many_named(key, list(options), most=most)
    chosen = [str(each) for each in where.multiselect(label, list(options), key=key, **more)]
    state.write_in_link(key, chosen)
    return chosen


def choose_decimal(
    where: Any, label: str, low: float, high: float, at_first: float, key: str, *, step: float, **more: Any
) -> float:
    """Draw a decimal number; the link holds it if it is not the default."""
    state.settle_decimal(key, low, high, at_first)
    chosen = float(where.number_input(label, low, high, step=step, key=key, **more))
    state.write_in_link(key, [f"{chosen:g}"] if chosen != at_first else [])
    return chosen


def choose_text(where: Any, label: str, key: str, *, most: int, **more: Any) -> str:
    state.settle_text(key, most)
    typed = str(where.text_input(label, key=key, max_chars=most, **more)).strip()
    state.write_in_link(key, [typed] if typed else [])
    return typed
