"""Reading values of a foreign JSON file: each is of the kind it should be, and no larger than it may be, or refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from core.errors import FormatError

LONGEST_NAME_SHOWN = 40
MOST_NAMED = 5
_KINDS: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}


def wrong(name: str, expected: str, value: object) -> FormatError:
    """What to say of a value of the wrong kind."""
    got = "nothing" if value is None else _KINDS.get(type(value), "an object")
    return FormatError(f'this is no review as Queryscape writes it: "{name}" must be {expected}, got {got}')


class Reader:
    """One object of the file, with where it stands; collects what was left out."""

    def __init__(self, value: object, name: str, notes: list[str]) -> None:
        if not isinstance(value, Mapping):
            raise wrong(name, "an object", value)
        self.value: Mapping[str, object] = value
        self.name = name
        self.notes = notes

    def known(self, names: Collection[str]) -> Reader:
        """Note what else the object holds."""
        others = [str(key)[:LONGEST_NAME_SHOWN] for key in self.value if key not in names]
        if others:
            shown = ", ".join(f'"{key}"' for key in others[:MOST_NAMED])
            more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
            where = f" in {self.name}" if self.name else ""
            self.notes.append(f"Left out of the file{where}, as it is not known here: {shown}{more}.")
        return self

    def text(self, key: str, most: int, *, needed: bool = False) -> str:
        """A text of at most so many characters; empty if it is missing and not needed."""
        value = self.value.get(key)
        if value is None and not needed:
            return ""
        if not isinstance(value, str):
            raise wrong(self._path(key), "a text", value)
        return checked_text(value, self._path(key), most)

    def moment(self, key: str) -> str:
        """A date and time in UTC, or empty."""
        value = self.text(key, 40)
        if not value:
            return ""
        try:
            found = datetime.fromisoformat(value)
            if found.tzinfo is None:
                raise ValueError
            return found.astimezone(UTC).isoformat()
        except (ValueError, OverflowError) as e:
            raise wrong(self._path(key), "a date and time with its zone, as 2031-05-06T12:00:00+00:00", value) from e

    def flag(self, key: str) -> bool:
        """True or false; false if it is missing."""
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise wrong(self._path(key), "true or false", value)
        return value

    def one_of(self, key: str, allowed: Collection[str]) -> str | None:
        """One of these words, or nothing."""
        value = self.value.get(key)
        if value is not None and (not isinstance(value, str) or value not in allowed):
            raise wrong(self._path(key), f"one of {', '.join(allowed)}, or null", value)
        return value

    def listed(self, key: str, most: int) -> list[object]:
        """A list of at most so many; empty if it is missing."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise wrong(self._path(key), "a list", value)
        if len(value) > most:
            raise FormatError(f'"{self._path(key)}" has {len(value):,} entries where at most {most:,} are read')
        return value

    def texts(self, key: str, most: int, longest: int) -> tuple[tuple[str, str], ...]:
        """An object of texts, such as marks by place."""
        value = self.value.get(key)
        if value is None:
            return ()
        if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value.values()):
            raise wrong(self._path(key), "an object of texts", value)
        if len(value) > most:
            raise FormatError(f'"{self._path(key)}" has {len(value):,} entries where at most {most:,} are read')
        pairs = ((str(name), str(each)) for name, each in value.items())
        path = self._path(key)
        return tuple((checked_text(n, path, longest), checked_text(t, path, longest)) for n, t in pairs)

    def inside(self, key: str) -> Reader:
        """An object in this one; an empty one if it is missing."""
        value = self.value.get(key)
        return Reader({} if value is None else value, self._path(key), self.notes)

    def _path(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def checked_text(value: str, name: str, most: int) -> str:
    """A text that can be kept and shown."""
    if len(value) > most:
        raise FormatError(f'"{name}" has {len(value):,} characters where at most {most:,} are read')
    try:
        value.encode()
    except UnicodeEncodeError as e:
        raise FormatError(f'"{name}" holds half a character: the file was damaged on its way') from e
    return value
