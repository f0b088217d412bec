"""The grammar of pickles, looked at before one is opened.

A small file can ask for all memory (by the number of a memo), for a stack without end (by tuples in tuples, which are
hashed one inside the other) or for hours (by whole numbers of one hash, or of a million digits). None of them needs a
name that could be refused, so they are seen here, in the bytes. What honest files are full of is skipped by one
expression.
"""

from __future__ import annotations

import re

from core.errors import FormatError

MOST_ODD = 2_000
"""Whole numbers of more than 60 bits."""
LONGEST_NUMBER = 64
"""Bytes of a whole number, which is hashed anew whenever it is a key."""
LONGEST_LINE = 1_000_000
"""Bytes of an argument that ends with its line."""
_SHORT = b"|".join(re.escape(bytes([n])) + b".{%d}" % n for n in range(256))
_SMALL = b"|".join([*(re.escape(bytes([n])) + b".{%d}" % n for n in range(8)), rb"\x08.{7}[\x00-\x1e\xe1-\xff]"])
_LONG = {ord("X"): 4, ord("T"): 4, ord("B"): 4, 0x8D: 8, 0x8E: 8, 0x96: 8}
"""Texts and bytes, and how many bytes say how long they are."""
_LINES = {**dict.fromkeys(b"FSVPgIL", 1), **dict.fromkeys(b"ci", 2)}
_FIXED = b"Khq\x80\x82UC\x8cJj\x84M\x83G\x95r"
_PUT, _STOP = ord("p"), ord(".")
_TUPLES = b"t\x85\x86\x87"
_HUGE = {0x8A: 1, 0x8B: 4}
_FROZEN_SET = 0x91
_CALL = 7
"""Bytes that a tuple, its memo and a call take at most."""


def _usual(n_bytes: int) -> re.Pattern[bytes]:
    """Instructions that do no harm in a file of so many bytes. Memos have numbers up to about its length."""
    highest = re.escape(bytes([min(n_bytes >> 24, 255)]))
    memo = rb"r..." + rb"[\x00-" + highest + rb"]"
    return re.compile(
        rb"(?:[(012NRabd}el\]osu)Q\x81\x88\x89\x8f\x90\x92\x93\x94\x97\x98]++"
        rb"|[Khq\x80\x82].|[UC\x8c](?:" + _SHORT + rb")|[Jj\x84].{4}|[M\x83]..|[G\x95].{8}"
        rb"|\x8a(?:" + _SMALL + rb")|" + memo + rb"|[t\x85\x86\x87](?:\x94|q.|" + memo + rb")?[Rb])*+",
        re.DOTALL,
    )


class TupleFound(Exception):
    """A tuple that is no argument of a call: it has to be looked at when it is made."""


class Watch:
    """Follows the instructions of one pickle as its bytes come, and stops at the first that is not to be followed.

    `tuples`: whether tuples that are no arguments are let through, since the reader itself looks at them.
    """

    def __init__(self, name: str, n_bytes: int, *, tuples: bool = False) -> None:
        self._name = name
        self._tuples = tuples
        self._n_bytes = n_bytes
        self._usual = _usual(n_bytes)
        self._rest = b""
        self._skip = 0
        self._n_odd = 0
        self.has_ended = False

    def take(self, data: bytes) -> None:
        """The next bytes. Raises before anything that they say is done."""
        if self.has_ended:
            return
        if self._skip >= len(data):
            self._skip -= len(data)
            return
        data = self._rest + data[self._skip :]
        self._skip, place = 0, 0
        while not self.has_ended and place < len(data):
            found = self._usual.match(data, place)
            place = found.end() if found else place
            if place < len(data):
                behind = self._behind(data, place)
                if behind is None:
                    break
                place = behind
        if place > len(data):
            self._skip, place = place - len(data), len(data)
        self._rest = b"" if self.has_ended else data[place:]
        if len(self._rest) > LONGEST_LINE:
            raise self._refused(f"has a line of more than {LONGEST_LINE:,} bytes")

    def _behind(self, data: bytes, place: int) -> int | None:
        """Where an unusual instruction ends; None: its end is not there yet."""
        code, left = data[place], len(data) - place
        if code in _LONG:
            size = _LONG[code]
            if left <= size:
                return None
            length = int.from_bytes(data[place + 1 : place + 1 + size], "little")
            if length > self._n_bytes:
                raise FormatError(f"{self._name} ends before it is complete: download it again")
            return place + 1 + size + length
        if code == _STOP:
            self.has_ended = True
            return place
        if code in _TUPLES:  # behind it may stand the call whose arguments it is
            if left < _CALL:
                return None
            if not self._tuples:
                raise TupleFound
            return place + 1
        if code == _FROZEN_SET:
            raise self._refused("holds sets that are keys, as no table of entities does")
        if code in _HUGE:
            size = _HUGE[code]
            if left < _CALL + 3:
                return None
            length = int.from_bytes(data[place + 1 : place + 1 + size], "little")
            if length > LONGEST_NUMBER:
                raise self._refused("holds numbers longer than any table of entities has")
            return self._odd(place + 1 + size + length)
        if code in _LINES or code == _PUT:
            return self._behind_lines(data, place, code)
        if code == ord("r") and left > 4:
            raise self._refused("numbers its parts beyond its own length")
        if code in _FIXED and left < 260:
            return None
        raise FormatError(f"{self._name} is damaged, or no pickle: download it again")

    def _behind_lines(self, data: bytes, place: int, code: int) -> int | None:
        end = place
        for _ in range(_LINES.get(code, 1)):
            end = data.find(b"\n", end + 1)
            if end < 0:
                return None
        if code == _PUT and not (end - place <= 11 and data[place + 1 : end].isdigit()):
            raise self._refused("numbers its parts beyond its own length")
        if code == _PUT and int(data[place + 1 : end]) > self._n_bytes:
            raise self._refused("numbers its parts beyond its own length")
        return self._odd(end + 1) if code in b"IL" and end - place > 18 else end + 1

    def _odd(self, place: int) -> int:
        self._n_odd += 1
        if self._n_odd > MOST_ODD:
            raise self._refused("holds more huge numbers than any table of entities does")
        return place

    def _refused(self, why: str) -> FormatError:
        return FormatError(f"{self._name} {why}: it was not read")
