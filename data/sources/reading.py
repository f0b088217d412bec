"""What pages of every source have in common: records one by one, odd ones put aside, and a changed format noticed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from core.errors import FormatChangedError
from core.records.cleaning import Fields, cleaned
from data.sources.connecting.connection import Reply
from data.sources.types import Aside, Fetched, Sent

MOST_ODD = 0.5
"""Share of a page's records beyond which the source has changed its format, rather than a record being odd."""

TOO_DEEP = "it is nested too deeply"


class OddRecordError(Exception):
    """A record that is not as it should be; the message completes "a record was put aside: ...". Stays in data/."""


class Gathered(NamedTuple):
    """The records of a page."""

    fetched: tuple[Fetched, ...]
    aside: tuple[Aside, ...]


def fetched_of(key: str, found: Fields) -> Fetched:
    """A record, cleaned. Whoever gathers the pages numbers it."""
    return Fetched(key, cleaned(1, None, found))


def gathered(
    values: Iterable[Any],
    read: Callable[[Any], Fetched],
    *,
    label: str,
    raw: bytes,
    written: Callable[[Any], str] = lambda value: json.dumps(value, ensure_ascii=False),
) -> Gathered:
    """Each record of a page; `read` raises OddRecordError. FormatChangedError where most of them are odd."""
    fetched: list[Fetched] = []
    aside: list[Aside] = []
    for value in values:
        try:
            fetched.append(read(value))
        except OddRecordError as e:
            aside.append(_aside(value, written, str(e)))
        except RecursionError:
            aside.append(_aside(value, written, TOO_DEEP))
    n = len(fetched) + len(aside)
    if len(aside) > n * MOST_ODD:
        why = f"{len(aside)} of the {n} records of a page can't be read, for one because {aside[0].reason}"
        raise changed(label, why, raw)
    return Gathered(tuple(fetched), tuple(aside))


def _aside(value: Any, written: Callable[[Any], str], reason: str) -> Aside:
    try:
        return Aside(written(value), reason)
    except RecursionError:  # the page that it stood on is kept
        return Aside("", TOO_DEEP)


def changed(label: str, why: str, raw: bytes) -> FormatChangedError:
    """The error that says so; what came is in it."""
    return FormatChangedError(f"{label} answers in another form than the documented one: {why}", raw)


def object_from(value: Any) -> dict[str, Any]:
    """A record that must be an object."""
    if not isinstance(value, dict):
        raise OddRecordError("it is not an object")
    return value


def list_at(document: dict[str, Any], name: str, label: str, raw: bytes) -> list[Any]:
    """The list under this name; FormatChangedError where there is none."""
    values = document.get(name)
    if not isinstance(values, list):
        raise changed(label, f'it has no list called "{name}"', raw)
    return values


def count_at(document: Any, name: str, label: str, raw: bytes) -> int:
    """The number under this name; FormatChangedError where there is none."""
    value = document.get(name) if isinstance(document, dict) else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**15:
        raise changed(label, f'it has no number called "{name}"', raw)
    return value


def place_at(document: dict[str, Any], name: str, here: str, label: str, raw: bytes) -> str | None:
    """Where the next page begins; None: there is none. `here`: where this one does: no source may go in a circle."""
    place = document.get(name)
    if place is None or place == "":
        return None
    if not isinstance(place, str) or place == here:
        why = "the next page begins where this one does" if place == here else f'"{name}" is no text'
        raise changed(label, why, raw)
    return place


def sent_by(replies: Sequence[Reply]) -> tuple[Sent, ...]:
    """The requests that brought these."""
    return tuple(reply.sent for reply in replies)
