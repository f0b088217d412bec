"""What the query writer works with as JSON documents and back, for the store and for whoever reads `--json`.

A document has one key for each field, named as the field is. Reading is strict: each value is checked against the
type of its field, and what does not fit is said with its place. Fields that have a default may be missing, so that
what was kept before a field was there is still read.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from core.errors import FormatError, InputError
from core.ranking.significance import Interval
from core.writer.types import Brief, Budget, Gain, HeldBack, Proposal, Sheet, Step

T = TypeVar("T")
Document = dict[str, Any]
"""What `json.dumps` takes."""
MOST_IN_LIST = 10_000
"""Values that one list is read to hold."""
LONGEST_TEXT = 200_000
"""Signs of one text."""
LARGEST = 1e300
"""Of a number, so that one that JSON can hold and Python can't as a number is said."""
_KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def sheet_document(sheet: Sheet) -> Document:
    """A sheet: its lists, each keyword as text, phrase and fields, and how overarching keywords are joined.

    >>> from core.writer.types import Keyword
    >>> sheet_document(Sheet(specific=(Keyword("urban forest"),)))["specific"]
    [{'text': 'urban forest', 'phrase': True, 'fields': []}]
    """
    return _document(sheet)


def brief_document(brief: Brief) -> Document:
    """What a string is wanted for."""
    return _document(brief)


def read_brief(document: object) -> Brief:
    """The brief of a document."""
    return _read(document, Brief, "brief")


def budget_document(budget: Budget) -> Document:
    """What writing may cost."""
    return _document(budget)


def read_budget(document: object) -> Budget:
    """The budget of a document."""
    return _read(document, Budget, "budget")


def proposal_document(proposal: Proposal) -> Document:
    """A keyword that somebody proposed."""
    return _document(proposal)


def read_proposal(document: object) -> Proposal:
    """The proposal of a document."""
    return _read(document, Proposal, "proposal")


def held_back_document(held_back: HeldBack) -> Document:
    """Something that was proposed and not taken."""
    return _document(held_back)


def read_held_back(document: object) -> HeldBack:
    """What was held back, of a document."""
    return _read(document, HeldBack, "held back")


def gain_document(gain: Gain) -> Document:
    """One number minus another, with `is_clear`: whether its interval does not hold 0."""
    return {**_document(gain), "is_clear": gain.is_clear}


def step_document(step: Step) -> Document:
    """A step with its sheet, its string and how it stands."""
    return {**_document(step), "gain": None if step.gain is None else gain_document(step.gain)}


def read_step(document: object) -> Step:
    """The step of a document."""
    if isinstance(document, dict) and "gain" in document:
        document = {**document, "gain": _without_clear(document["gain"])}
    return _read(document, Step, "step")


def _without_clear(document: object) -> object:
    """`is_clear` follows from the interval, so it is written and not read."""
    return {k: v for k, v in document.items() if k != "is_clear"} if isinstance(document, dict) else document


def _document(value: object) -> Document:
    return cast(Document, _encoded(value))


def _encoded(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encoded(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_encoded(each) for each in value]
    return value


def _read(document: object, cls: type[T], name: str) -> T:
    return cast(T, _decoded(document, cls, name))


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _decoded(value: object, wanted: Any, place: str) -> object:
    """A value as a type wants it."""
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return None if value is None else _decoded(value, next(t for t in inside if t is not type(None)), place)
    if origin is Literal:
        if isinstance(value, str) and value in inside:
            return value
        raise _wrong(place, f"one of {', '.join(inside)}", value)
    if wanted is Interval:
        return Interval(*cast(tuple[float, float], _many(value, (float, float), place)))
    if origin is tuple:
        return _many(value, inside, place)
    return _object(value, wanted, place) if is_dataclass(wanted) else _plain(value, wanted, place)


def _many(value: object, inside: tuple[Any, ...], place: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _wrong(place, "a list", value)
    if inside[-1] is not Ellipsis:
        if len(value) != len(inside):
            raise _wrong(place, f"a list of {len(inside)}", value)
        return tuple(
            _decoded(each, kind, f"{place}[{i}]") for i, (each, kind) in enumerate(zip(value, inside, strict=True))
        )
    if len(value) > MOST_IN_LIST:
        raise FormatError(f"{place} holds {len(value):,} values: {MOST_IN_LIST:,} are read at most")
    return tuple(_decoded(each, inside[0], f"{place}[{i}]") for i, each in enumerate(value))


def _plain(value: object, wanted: type, place: str) -> object:
    kinds: Sequence[type] = (int, float) if wanted is float else (wanted,)
    fits = isinstance(value, tuple(kinds)) and (wanted is bool or not isinstance(value, bool))
    if not fits or (wanted is float and not abs(cast(float, value)) <= LARGEST):
        raise _wrong(place, _KINDS[wanted], value)
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise FormatError(f"{place} has {len(value):,} signs: {LONGEST_TEXT:,} are read at most")
    return float(cast(float, value)) if wanted is float else value


def _object(value: object, cls: Any, place: str) -> object:
    if not isinstance(value, dict):
        raise _wrong(place, "an object", value)
    known = {field.name: field for field in fields(cls)}
    if strange := [str(key) for key in value if key not in known]:
        raise FormatError(f'{place} has "{strange[0][:60]}", which is not known: this may come from a newer Queryscape')
    needed = [f.name for f in known.values() if f.default is MISSING and f.default_factory is MISSING]
    if missing := [name for name in needed if name not in value]:
        raise FormatError(f'{place} lacks "{missing[0]}"')
    hints = _hints(cls)
    read = {name: _decoded(each, hints[name], f"{place}.{name}") for name, each in value.items()}
    try:
        return cast(object, cls(**read))
    except InputError as e:
        raise FormatError(f"{place}: {e}") from e


def _wrong(place: str, wanted: str, got: object) -> FormatError:
    return FormatError(f"{place} must be {wanted}, got {_shown(got)}")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "nothing" if value is None else repr(value)[:60]
