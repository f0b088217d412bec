"""Convert dataclasses to JSON documents and back. Every value is checked against the type of its field.

Fields with a default may be missing, so that documents from before a field existed can still be read.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from core.errors import FormatError, InputError

T = TypeVar("T")
LARGEST = 1e300
"""The maximum of a number, so that one that JSON allows and Python can't represent is reported."""
_KINDS: Mapping[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    type(None): "nothing",
}


def as_document(value: Any) -> dict[str, Any]:
    """Convert a dataclass to a document that `json.dumps` accepts and `decoded` reads."""
    return {field.name: _encoded(getattr(value, field.name)) for field in fields(value)}


def _encoded(value: Any) -> Any:
    if is_dataclass(value):
        return as_document(value)
    if isinstance(value, Mapping):
        return {key: _encoded(each) for key, each in value.items()}
    return [_encoded(each) for each in value] if isinstance(value, tuple | list) else value


def decoded(document: object, cls: type[T], name: str = "document") -> T:
    """Read a document of our own store; an error gives the place of the value, starting with `name`.

    >>> from core.types import Publication
    >>> decoded({"publication_id": "a", "title": 5, "abstract": None}, Publication, "publication")
    Traceback (most recent call last):
    core.errors.FormatError: publication.title must be a text, got 5
    """
    return _OwnDocumentReader(name).read(document, cls)


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def without_alias(hint: Any) -> Any:
    """Return what a `type` alias stands for, as numpy's NDArray is one since 2.5 on newer Pythons; else the hint."""
    of = getattr(get_origin(hint) or hint, "__value__", None)
    if of is None:
        return hint
    inside = get_args(hint)
    return of[inside] if inside else of


class DocumentReader:
    """A reader of one document. Nothing in it is executed."""

    def __init__(self, name: str, *, most_items: int | None = None, longest_text: int | None = None) -> None:
        self.name = name
        self._most_items, self._longest_text = most_items, longest_text

    def read(self, value: object, cls: type[T]) -> T:
        return cast(T, self.value(value, cls, ""))

    def place(self, path: str) -> str:
        return f"{self.name}{path}"

    def wrong(self, path: str, expected: str, value: object) -> FormatError:
        return FormatError(f"{self.place(path)} must be {expected}, got {_shown(value)}")

    def value(self, value: object, hint: Any, path: str) -> object:
        """Return the value as the type that the hint says."""
        hint = without_alias(hint)
        origin, inside = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self._one_of(value, inside, path)
        if origin is Literal:
            return self.literal(value, inside, path)
        if origin is tuple:
            return self._tuple(value, inside, path)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(value, inside, path)
        if is_dataclass(hint):
            return self._object(value, cast(type, hint), path)
        if isinstance(hint, type) and issubclass(hint, tuple):
            of_fields = tuple(_hints(hint)[name] for name in cast(Any, hint)._fields)
            return cast(Any, hint)(*self._tuple(value, of_fields, path))
        return self.plain(value, hint, path)

    def literal(self, value: object, known: tuple[Any, ...], path: str) -> object:
        if not any(type(value) is type(each) and value == each for each in known):
            raise self.wrong(path, f"one of {', '.join(map(str, known))}", value)
        return value

    def plain(self, value: object, hint: Any, path: str) -> object:
        """Return a text, a number, a Boolean or None; a whole number also counts as one of type float."""
        if hint in (Any, object):
            return value
        fits = isinstance(value, (int, float) if hint is float else hint)
        if not fits or (isinstance(value, bool) and hint is not bool):
            raise self.wrong(path, _KINDS[hint], value)
        if hint is float and not self.is_sound(cast(float, value)):
            raise self.wrong(path, _KINDS[hint], value)
        if isinstance(value, str) and self._longest_text is not None and len(value) > self._longest_text:
            raise FormatError(
                f"{self.place(path)} has {len(value):,} characters: at most {self._longest_text:,} are allowed"
            )
        return value

    def is_sound(self, number: float) -> bool:
        return abs(number) <= LARGEST

    def _one_of(self, value: object, hints: tuple[Any, ...], path: str) -> object:
        """Return the value as the first type that fits. `float` is tried last, so whole numbers stay whole."""
        if value is None and type(None) in hints:
            return None
        first: FormatError | None = None
        for hint in sorted(hints, key=lambda each: each is float):
            try:
                return self.value(value, hint, path)
            except FormatError as e:
                # For "X or None", the error about X is the useful one.
                first = first if first is not None or hint is type(None) else e
        raise first or self.wrong(path, "nothing", value)

    def _tuple(self, value: object, hints: tuple[Any, ...], path: str) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise self.wrong(path, "a list", value)
        if len(hints) == 2 and hints[1] is Ellipsis:
            if self._most_items is not None and len(value) > self._most_items:
                raise FormatError(
                    f"{self.place(path)} has {len(value):,} values: at most {self._most_items:,} are allowed"
                )
            if hints[0] is str and self._longest_text is None and all(type(each) is str for each in value):
                return tuple(value)
            hints = (hints[0],) * len(value)
        if len(value) != len(hints):
            raise self.wrong(path, f"a list of {len(hints)}", value)
        pairs = enumerate(zip(value, hints, strict=True), start=1)
        return tuple(self.value(each, hint, f"{path}[{n}]") for n, (each, hint) in pairs)

    def _mapping(self, value: object, hints: tuple[Any, ...], path: str) -> dict[object, object]:
        if not isinstance(value, dict):
            raise self.wrong(path, "an object", value)
        return {
            self.value(key, hints[0], path): self.value(each, hints[1], f"{path}.{key[:40]}")
            for key, each in value.items()
        }

    def _object(self, value: object, cls: type, path: str) -> object:
        if not isinstance(value, dict):
            raise self.wrong(path, "an object", value)
        known = {field.name: field for field in fields(cls) if field.init}
        if unknown := sorted(str(key) for key in value if key not in known):
            raise FormatError(
                f'{self.place(path)} has the unknown key "{unknown[0][:60]}": the file may come from a newer Queryscape'
            )
        needed = [f.name for f in known.values() if f.default is MISSING and f.default_factory is MISSING]
        if missing := [name for name in needed if name not in value]:
            raise FormatError(f'{self.place(path)} lacks "{missing[0]}"')
        hints = _hints(cls)
        found = {name: self.value(each, hints[name], f"{path}.{name}") for name, each in value.items()}
        try:
            return cls(**found)
        except InputError as e:
            raise FormatError(f"{self.place(path)}: {e}") from e


class _OwnDocumentReader(DocumentReader):
    """Reads stored documents: NaN is a number, and a name that is no longer in use is kept."""

    def literal(self, value: object, known: tuple[Any, ...], path: str) -> object:
        return value if isinstance(value, str) else super().literal(value, known, path)

    def is_sound(self, number: float) -> bool:
        return True


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "nothing" if value is None else repr(value)[:60]
