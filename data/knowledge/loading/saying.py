"""Values of a source as text; what only says that nothing is known is left out."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from data.collections.parts import clean_text

MISSING = frozenset({"", "-1", "nan", "none", "null", "-1.0"})
DEEPEST_VALUE = 4
MOST_VALUES = 5_000
"""Values inside one another that are read: a few shared ones could stand for more than the world has room for."""
MOST_CHARACTERS = 20_000_000
"""Of one value, however often it names the same text."""
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def said(value: Any) -> str:
    """A value as text; nothing where it is missing.

    >>> said("-1"), said(float("nan")), said(2015.0), said(["red", None, "blue"]), said({"size": {"w": 3}})
    ('', '', '2015', 'red; blue', 'size: w: 3')
    """
    if type(value) is str:
        if len(value) < 5 and value.strip().lower() in MISSING:
            return ""
        return clean_text(value)
    if type(value) is int:
        return "" if value == -1 else _number(value)
    if value is None:
        return ""
    if type(value) is bool:
        return "yes" if value else "no"
    if type(value) is float:
        return _float(value)
    return clean_text("".join(_inside(value, [MOST_VALUES, MOST_CHARACTERS], 0)))


def _number(value: int) -> str:
    return str(value) if value.bit_length() < 200 else "a huge number"


def _float(value: float) -> str:
    if not math.isfinite(value) or value == -1:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _inside(value: Any, left: list[int], depth: int) -> Iterable[str]:
    """The texts of a list or of a dictionary, as far as there are values left."""
    if isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, Mapping | list | tuple | set) and depth < DEEPEST_VALUE:
        pairs = value.items() if isinstance(value, Mapping) else ((None, part) for part in value)
        between = ""
        for key, part in pairs:
            left[0] -= 1
            if left[0] < 0 or left[1] < 0:
                return
            text = "".join(_inside(part, left, depth + 1)) if _holds(part) else said(part)
            left[1] -= len(text) if not _holds(part) else 0
            if text:
                yield f"{between}{key}: {text}" if type(key) is str else f"{between}{text}"
                between = "; "


def _holds(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple | set)


def attributes_of(info: Mapping[Any, Any], left_out: frozenset[str]) -> str:
    """What else is said, as the parts of a knowledge base carry it."""
    pairs = [
        [key, text] for key, value in info.items() if type(key) is str and key not in left_out and (text := said(value))
    ]
    return _encoded(pairs) if pairs else ""


def encoded(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values, those that say something."""
    listed = [[name, value] for name, value in pairs if value]
    return _encoded(listed) if listed else ""


def first_said(info: Mapping[Any, Any], *keys: str) -> str:
    """The first of several keys that says something."""
    return next((text for key in keys if (text := said(info.get(key)))), "")


def in_lines(pairs: Iterable[tuple[str, str]]) -> str:
    """A line for each that says something."""
    return "\n".join(f"{name}: {text}" if name else text for name, text in pairs if text)


Described = tuple[str, str, str]
"""Title, text and attributes."""
Describe = Callable[[Mapping[Any, Any]], Described]
