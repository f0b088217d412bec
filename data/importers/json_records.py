"""Read the records of a JSON file one at a time, and values of any type in them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from data.importers.source import ImportFile, ImportRejection, Note
from data.importers.tagged import line_numbers

# The records of a JSON file one by one: a list, a list inside a response, JSON Lines, or one object.
#
#     text -> beginning of the list -> each object separately -> Item with its line, or a rejection
#
# One damaged object costs only that object. Starts are counted by brackets alone, without parsing.

LISTS = frozenset(
    {
        ("message", "items"),
        ("results",),
        ("response", "docs"),
        ("resultList", "result"),
        ("search-results", "entry"),
        ("hits", "hits"),
        ("data",),
        ("items",),
        ("works",),
        ("docs",),
        ("records",),
        ("publications",),
        ("papers",),
        ("articles",),
        ("entries",),
        ("hits",),
    }
)
"""Paths of the list of records in a service's response."""
DEEPEST = max(map(len, LISTS))
LONGEST_NUMBER = 18
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_TOKEN = re.compile(rf"{_STRING}|[{{}}\[\]:,]", re.DOTALL)
_BRACKET = re.compile(rf'[^"{{}}\[\]]*+(?:{_STRING}[^"{{}}\[\]]*+)*+([{{}}\[\]]|\Z)', re.DOTALL)
_BETWEEN = re.compile(r"[\s,]*+")
_ANY_OBJECT = r"\{\s*+\""
FIRST_WINDOW = 8_000

_DECODER = json.JSONDecoder(
    strict=False,
    parse_int=lambda digits: int(digits) if len(digits) <= LONGEST_NUMBER else digits,
    parse_constant=lambda _: None,
)


@dataclass(frozen=True, slots=True)
class JsonItem:
    line: int
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Layout:
    begins: int
    """The first position where a record can start."""
    in_list: bool
    """True: inside brackets; False: one after the other."""
    by_line: bool = False
    """Each record is on its own line."""


def is_json(source: ImportFile) -> bool:
    return source.text[:2000].lstrip()[:1] in ("{", "[")


def sample(source: ImportFile, n: int = 5) -> list[dict[str, Any]]:
    if not is_json(source):
        return []
    return [item.value for item in islice(items(source, checked=False), 4 * n) if isinstance(item, JsonItem)][:n]


def item_lines(source: ImportFile) -> list[int]:
    return list(line_numbers(source.text, _starts(source.text, _layout(source.text))))


def items(source: ImportFile, *, checked: bool = True) -> Iterator[JsonItem | ImportRejection | Note]:
    text = source.text
    layout = _layout(text)
    if layout.by_line:
        yield from _by_line(source)
        return
    reader = _Reader(text, layout)
    yield from reader.read()
    if not checked or not reader.damaged:
        return
    missed = [offset for offset in _starts(text, layout) if not reader.has_seen(offset)]
    for line in line_numbers(text, missed):
        yield ImportRejection(line, "an object that can't be separated from the damaged one before it")
    if layout.in_list and not reader.list_ended:
        yield Note("the file ends within a list: it may be cut off")


def _by_line(source: ImportFile) -> Iterator[JsonItem | ImportRejection]:
    for number, line in enumerate(source.lines, start=1):
        if not line.strip():
            continue
        value, reason, _ = _decoded(line, len(line) - len(line.lstrip()))
        if isinstance(value, dict):
            yield JsonItem(number, value)
        else:
            yield ImportRejection(number, reason or "a line that is not a JSON object")


def _decoded(text: str, at: int) -> tuple[Any, str, int]:
    """Return a value and its end; for an error, the reason and the end of the searched text.

    The search uses a growing window: the cost of a failure depends on the damage, not on the size of the file.
    """
    size = FIRST_WINDOW if text[at : at + 1] in ("{", "[") else len(text)
    while True:
        window = text[at : at + size]
        value, reason, ends = _decoded_whole(window)
        if not reason or at + size >= len(text) or not _could_go_on(reason, ends, len(window)):
            return value, reason, at + (ends if not reason else max(ends, min(size, len(window))))
        size *= 8


def _could_go_on(reason: str, position: int, length: int) -> bool:
    return "unterminated" in reason or position >= length - 16


def _decoded_whole(text: str) -> tuple[Any, str, int]:
    try:
        value, ends = _DECODER.raw_decode(text)
    except json.JSONDecodeError as e:
        return None, f"invalid JSON ({e.msg.lower().removesuffix(' starting at')})", e.pos
    except RecursionError:
        return None, "JSON nested too deeply", 0
    except ValueError as e:
        return None, f"invalid JSON ({e})", 0
    return value, "", ends


class _Reader:
    """A reader of object after object; after a damaged one it looks for the next with the same shape."""

    def __init__(self, text: str, layout: _Layout) -> None:
        self._text = text
        self._layout = layout
        self._spans: dict[int, int] = {}
        self._keys: set[str] = set()
        self._left = 20 * len(text) + 1_000_000
        """Number of characters that may be searched in vain, so that hostile files end."""
        self._line, self._counted = 1, 0
        self.list_ended = False
        self._n_rejected = 0

    @property
    def damaged(self) -> bool:
        return self._n_rejected > 0 or (self._layout.in_list and not self.list_ended)

    def has_seen(self, offset: int) -> bool:
        return offset in self._spans

    def read(self) -> Iterator[JsonItem | ImportRejection]:
        at: int | None = self._layout.begins
        while at is not None and (at := _after(self._text, at)) < len(self._text):
            if self._layout.in_list and self._text[at] == "]":
                self.list_ended = True
                at = _next_list(self._text, self._layout.begins, at)
                continue
            value, reason, ends = _decoded(self._text, at)
            self._spans[at] = ends
            if isinstance(value, dict):
                yield JsonItem(self._line_of(at), value)
                self._keys = self._keys or set(value)
                at = ends
            elif not reason:
                if self._text[at] not in "{[" and not self._layout.in_list:
                    return
                yield ImportRejection(self._line_of(at), "an element that is not a JSON object")
                at = ends
            else:
                if self._text[at] in "]}" and not self._layout.in_list:
                    return
                self._n_rejected += 1
                yield ImportRejection(self._line_of(at), reason)
                self._left -= ends - at
                at = self._next_object(at + 1)
                if self._left < 0:
                    yield ImportRejection(self._line, "too much damage: the rest was not read")

    def _next_object(self, start: int) -> int | None:
        known = "|".join(re.escape(json.dumps(key, ensure_ascii=False)) for key in sorted(self._keys)[:60])
        for found in re.compile(rf"\{{\s*+(?:{known})" if known else _ANY_OBJECT).finditer(self._text, start):
            value, _, ends = _decoded(self._text, found.start())
            if isinstance(value, dict) and self._fits(value):
                return found.start()
            self._left -= ends - found.start()
            if self._left < 0:
                return None
        return None

    def _fits(self, value: dict[str, Any]) -> bool:
        """Check for half the keys of the first good object, or for a title before there is one; authors fail both."""
        if self._keys:
            return 2 * len(self._keys & set(value)) >= len(self._keys)
        return any(name in value for name in ("title", "title_display", "data", "message"))

    def _line_of(self, offset: int) -> int:
        self._line += self._text.count("\n", self._counted, offset)
        self._counted = offset
        return self._line


def _after(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _next_list(text: str, begins: int, ended: int) -> int | None:
    """Find the beginning of the next list: a file may hold several responses of a service."""
    if not text[:begins].strip(" \t\n[,"):  # a top-level list: the next one follows it
        after = _after(text, ended + 1)
        return after + 1 if text[after : after + 1] == "[" else None
    before = re.search(r'("[\w-]{1,40}")\s*:\s*\[\s*\Z', text[max(0, begins - 200) : begins])
    if before is None:
        return None
    found = re.compile(rf"{re.escape(before[1])}\s*+:\s*+\[\s*+(?=\{{)").search(text, ended)
    return found.end() if found else None


def _layout(text: str) -> _Layout:
    begins = _after(text, 0)
    if text[begins : begins + 1] == "[":
        return _Layout(begins + 1, in_list=True)
    found = _list_inside(text, begins)
    if found is not None:
        return _Layout(found, in_list=True)
    return _Layout(begins, in_list=False, by_line=_one_each_line(text, begins))


def _one_each_line(text: str, begins: int) -> bool:
    value, _, ends = _decoded(text, begins)
    if isinstance(value, dict) and "\n" not in text[begins:ends]:
        return text[ends : ends + 1] in ("", "\n") or not text[ends:].partition("\n")[0].strip(" \t")
    lines = [line for line in islice(text[begins : begins + 2_000_000].split("\n"), 40) if line.strip()]
    whole = sum(isinstance(_decoded(line, len(line) - len(line.lstrip()))[0], dict) for line in lines)
    return whole > len(lines) // 2 and len(lines) > 1


def _list_inside(text: str, begins: int) -> int | None:
    path: list[str | None] = []
    text_before, key = "", ""
    for found in _TOKEN.finditer(text, begins):
        token = found[0]
        if token == ":":
            key = text_before
        elif token == ",":
            key = ""
        elif token == "[" and len(path) <= DEEPEST and (*path[1:], key) in LISTS:
            return found.end()
        elif token in "{[":
            path.append(key or None)
            key = ""
        elif token in "}]":
            if len(path) <= 1:
                return None
            path.pop()
        else:
            text_before = token[1:-1]
    return None


def _starts(text: str, layout: _Layout) -> Iterator[int]:
    if layout.by_line:
        offset = 0
        for line in text.split("\n"):
            if line.strip():
                yield offset
            offset += len(line) + 1
        return
    at: int | None = layout.begins
    while at is not None:
        depth, ended = 0, None
        for found in _BRACKET.finditer(text, at):
            bracket = found[1]
            if not bracket:
                break
            if bracket in "{[":
                if depth == 0 and bracket == "{":
                    yield found.start(1)
                depth += 1
            else:
                depth -= 1
                if depth < 0:
                    ended = found.start(1)
                    break
        at = _next_list(text, layout.begins, ended) if layout.in_list and ended is not None else None


# Values of JSON objects, of any type that a service uses.


def text_in(value: Any) -> str:
    """Return a value as text: a number as written, the first text of a list, the name of an object; else nothing.

    >>> text_in(["", "A title"]), text_in(2019.0), text_in({"name": "Nature"}), text_in(None)
    ('A title', '2019', 'Nature', '')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    if isinstance(value, list):
        return next((text for part in value[:100] if not isinstance(part, list) and (text := text_in(part))), "")
    if isinstance(value, dict):
        names = (value.get(name) for name in ("name", "display_name", "title", "value", "term", "tag", "keyword"))
        return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")
    return ""


def texts_in(value: Any, *, signs: str = "") -> list[str]:
    """Return a list of texts; split a single text at the first of `signs` that it contains."""
    if isinstance(value, str):
        sign = next((sign for sign in signs if sign in value), "")
        return [part.strip() for part in (value.split(sign) if sign else [value]) if part.strip()]
    if isinstance(value, dict):
        value = [value]
    return [text for part in value if (text := text_in(part))] if isinstance(value, list) else []


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or a single object as a list."""
    if isinstance(value, dict):
        return [value]
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def at(value: Any, *path: str) -> Any:
    """Return the value at a path of keys; None if the path ends early."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def name_of(author: dict[str, Any]) -> str:
    """Return "Family, Given" if both are known, else the whole name.

    >>> name_of({"family": "Berg", "given": "A.", "non-dropping-particle": "van den"})
    'van den Berg, A.'
    """
    family = first_text(author, "family", "lastName", "last_name", "lastname", "surname")
    given = first_text(author, "given", "firstName", "first_name", "firstname", "forename", "initials")
    particle = first_text(author, "non-dropping-particle", "dropping-particle")
    family = f"{particle} {family}".strip() if family else ""
    whole = first_text(
        author, "name", "literal", "display_name", "fullName", "full_name", "collective_name", "authname"
    )
    suffix = first_text(author, "suffix")
    return ", ".join(part for part in (family, given, suffix) if part) if family else whole or given


def first_text(value: dict[str, Any], *keys: str) -> str:
    return next((text for key in keys if (text := text_in(value.get(key)))), "")


def year_in(value: Any) -> str:
    parts = at(value, "date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return text_in(parts[0][0])
    if isinstance(value, dict):
        return first_text(value, "raw", "literal", "date-time", "year", "start")
    return text_in(value)


def unused_in(value: dict[str, Any], taken: Sequence[str] | frozenset[str]) -> list[str]:
    return [key for key, held in value.items() if key not in taken and held not in (None, "", [], {}, False)]
