"""Finds the lists in an answer, whatever stands around them. It never fails, and says what was wrong."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.thoughts import without_thought

MOST_OF_ANSWER = 400_000
"""Characters that are read: some 100,000 tokens."""
DEEPEST = 20
"""Levels of a list; nobody who proposes keywords writes more."""
LONGEST_NUMBER = 20
FEWEST_LINES = 2
LONGEST_LINE = 200
MOST_WRAPPED = 3
_OPENS = re.compile(r"\{\s*[\"}]|\[\s*[\"\[{\]]")
_SPACE = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r"(-?[0-9]+)([.][0-9]+)?([eE][+-]?[0-9]+)?|true\b|false\b|null\b")
_PLAIN_VALUES: dict[str, Any] = {"true": True, "false": False, "null": None}
_FENCE = re.compile(r"[`~]{1,8}[A-Za-z0-9_+-]{0,20}")
_IN_LINE = re.compile(r"\s*(?:[-*•–]|\(?[0-9]{1,3}[.)])\s+(\S.*)")
_REASON = re.compile(r"\s+[-–—]\s+|:\s+")
BROKE_OFF = "The answer breaks off: what came whole before that was read."
BROKEN = "The answer is broken JSON: what came whole before that was read."
NOTHING_WHOLE = {
    BROKE_OFF: "The answer breaks off before anything came whole.",
    BROKEN: "The answer is broken JSON, and nothing came whole before that.",
}
NO_LIST = "The answer is prose without a list of keywords."
EMPTY = "The answer is empty."
EMPTY_LIST = "The answer is a list without keywords."
OTHER = "The answer is JSON, but no list of keywords."
UNENDED = "The answer is a thought that broke off before a list came."
SEVERAL = "The answer has several lists, and it does not say which one it means."
CITED = "The answer speaks of a list amid a sentence, which may be somebody else's."
LINES = "The answer is prose with a list in lines, not in the form that was asked for."
TWICE = "The answer says one of its lists twice."


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list, as it came."""

    value: Any
    """A text, an object or anything else that JSON has."""
    to: str | None = None
    """The list that it stands in, if lists have names."""


@dataclass(frozen=True, slots=True)
class Found:
    """The lists of an answer."""

    lists: dict[str, tuple[Entry, ...]]
    """By the names that were asked for; a list that is not there has no entries."""
    problem: str | None = None
    """What is wrong with the answer as a whole."""
    doubt: str | None = None
    """Why nothing of it is taken unasked."""


@dataclass(frozen=True, slots=True)
class _Value:
    start: int
    end: int
    value: Any
    problem: str | None
    says_twice: bool
    """Whether some object in it names one list twice."""


class Twice(dict[str, Any]):
    """An object that says a key twice: which of the two it means can't be known."""


class _Stop(Exception):
    """Where JSON can't be read on."""


def find_lists(text: str, names: Sequence[str]) -> Found:
    """The lists of these names, or one list without a name as the first of them."""
    answer = without_thought(text[:MOST_OF_ANSWER].replace("\ufeff", " "))
    if answer is None:
        return Found({}, UNENDED)
    answer = _unpacked(answer.strip())
    if not answer:
        return Found({}, EMPTY)
    values = list(_values(answer))
    found = [(value, lists) for value in values if (lists := _lists(value.value, names)) is not None]
    if not found:
        return _lines(answer, names[0]) if not values else Found({}, _of_nothing(values[-1].problem) or OTHER)
    problem = next((value.problem for value in values if value.problem), None)
    if len(text) > MOST_OF_ANSWER:
        problem = BROKE_OFF
    doubt = CITED if any(_is_cited(answer, value) for value, _ in found) else None
    whole = [lists for value, lists in found if not _is_single(value.value)]
    if any(value.says_twice for value, _ in found):
        doubt = TWICE
    elif len(whole) > 1 and any(lists != whole[0] for lists in whole):
        doubt = SEVERAL
    elif len(whole) > 1:
        found = [each for each in found if not _is_single(each[0].value)][:1]
    joined = {name: tuple(entry for _, lists in found for entry in lists.get(name, ())) for name in names}
    if not any(joined.values()):
        problem = _of_nothing(problem) or (EMPTY_LIST if len(names) == 1 else None)
    return Found(joined, problem, doubt)


def _of_nothing(problem: str | None) -> str | None:
    """The same where nothing could be read before it."""
    return NOTHING_WHOLE.get(problem, problem) if problem is not None else None


def _unpacked(answer: str) -> str:
    """An answer that was written as one JSON text."""
    if answer.startswith('"') and (found := _TEXT.fullmatch(answer)):
        inner = _text_of(found[0])
        return inner.strip() if inner is not None else answer
    return answer


# What of JSON is a list of keywords


def _lists(value: Any, names: Sequence[str], depth: int = 0) -> dict[str, tuple[Entry, ...]] | None:
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and not _is_single(value[0]):
            return _lists(value[0], names, depth + 1) if depth < MOST_WRAPPED else None
        return {names[0]: tuple(map(Entry, value))}
    if not isinstance(value, dict):
        return None
    named = {name: _entries(value[name]) for name in names if name in value}
    if named:
        return named
    if _is_single(value):
        return {names[0]: (Entry(value),)}
    if any(isinstance(value.get(to), list) for to in ("specific", "general")):
        both = tuple(replace(each, to=to) for to in ("specific", "general") for each in _entries(value.get(to)))
        return {names[0]: both}
    if len(value) == 1 and depth < MOST_WRAPPED:
        (inner,) = value.values()
        return _lists(inner, names, depth + 1)
    return None


def _entries(value: Any) -> tuple[Entry, ...]:
    if isinstance(value, list):
        return tuple(map(Entry, value))
    if isinstance(value, dict) and any(isinstance(value.get(to), list) for to in ("specific", "general")):
        return tuple(replace(each, to=to) for to in ("specific", "general") for each in _entries(value.get(to)))
    return () if value is None else (Entry(value),)


def _is_single(value: Any) -> bool:
    return isinstance(value, dict) and any(name in value for name in ("keyword", "term", "phrase"))


def _is_cited(answer: str, value: _Value) -> bool:
    """Whether a list stands amid a sentence; in a line of its own, after a colon or in a fence, it does not."""
    line = answer[max(value.start - LONGEST_LINE, 0) : value.start].rpartition("\n")[2].strip()
    before = "" if _FENCE.fullmatch(line) else line
    after = "" if value.problem else answer[value.end : value.end + LONGEST_LINE].partition("\n")[0].strip(" \t\r`~,;]")
    is_after_list = before.endswith(("}", "]", "},", "],"))
    return bool((before and not before.endswith(":") and not is_after_list) or after[:1].islower())


def _lines(answer: str, name: str) -> Found:
    found = [match[1] for line in answer.splitlines() if (match := _IN_LINE.match(line[:LONGEST_LINE]))]
    if len(found) < FEWEST_LINES:
        return Found({}, NO_LIST)
    split = [_REASON.split(line, maxsplit=1) for line in found]
    entries = tuple(Entry({"keyword": head, "reason": rest[0] if rest else ""}) for head, *rest in split)
    return Found({name: entries}, LINES, LINES)


# JSON that may break off


def _values(text: str) -> Iterator[_Value]:
    """What JSON there is in a text, in order, each as far as it can be read."""
    at = 0
    while (opened := _OPENS.search(text, at)) is not None:
        reader = _Reader(text, opened.start())
        value = reader.read()
        yield _Value(opened.start(), reader.at, value, reader.problem, reader.says_twice)
        at = max(reader.at, opened.start() + 1)


class _Reader:
    """Reads one value and stops where it can't go on; what came whole before is kept."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.problem: str | None = None
        self.says_twice = False

    def read(self) -> Any:
        try:
            return self._value(0)
        except _Stop:
            return None

    def _stopped(self) -> _Stop:
        """Ends it all: whoever holds something whole keeps that."""
        if self.problem is None:
            self.problem = BROKE_OFF if self.at >= len(self.text) else BROKEN
        return _Stop()

    def _sign(self) -> str:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def _value(self, depth: int) -> Any:
        sign = self._sign()
        if sign in ("{", "[") and sign:
            if depth >= DEEPEST:
                raise self._stopped()
            return self._object(depth) if sign == "{" else self._array(depth)
        if sign == '"':
            return self._text()
        found = _PLAIN.match(self.text, self.at)
        if found is None:
            raise self._stopped()
        self.at = found.end()
        if found[0] in _PLAIN_VALUES:
            return _PLAIN_VALUES[found[0]]
        if found[2] or found[3]:
            return float(found[0])
        return int(found[0]) if len(found[0]) <= LONGEST_NUMBER else math.inf

    def _text(self) -> str:
        found = _TEXT.match(self.text, self.at)
        if found is None:
            self.at = len(self.text)
            raise self._stopped()
        self.at = found.end()
        text = _text_of(found[0])
        if text is None:
            raise self._stopped()
        return text

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        while self._sign() != "]":
            try:
                items.append(self._value(depth + 1))
            except _Stop:
                return items
            if self.problem is not None:  # it ended inside: only what holds a list of its own is worth keeping
                return items if _holds_a_list(items[-1]) else items[:-1]
            if not self._goes_on("]"):
                return items
        self.at += 1
        return items

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        table: dict[str, Any] = {}
        is_twice = False
        while self._sign() != "}":
            try:
                if self._sign() != '"':
                    raise self._stopped()
                key = self._text()
                if self._sign() != ":":
                    raise self._stopped()
                self.at += 1
                value = self._value(depth + 1)
                is_twice |= key in table
                self.says_twice |= key in table and isinstance(value, list | dict)
                table[key] = value
            except _Stop:
                break
            if self.problem is not None or not self._goes_on("}"):
                break
        else:
            self.at += 1
        return Twice(table) if is_twice else table

    def _goes_on(self, end: str) -> bool:
        """Whether a comma or the end follows; a comma before the end is forgiven."""
        sign = self._sign()
        if sign == ",":
            self.at += 1
            return True
        if sign != end:
            self._stopped()
        return sign == end


def _holds_a_list(value: Any) -> bool:
    return isinstance(value, dict | list) and any(
        isinstance(each, list) for each in (value.values() if isinstance(value, dict) else value)
    )


def _text_of(quoted: str) -> str | None:
    try:
        text = json.loads(quoted, strict=False)
    except ValueError:
        return None
    return text if isinstance(text, str) else None
