"""Reads pickles of strangers: containers, numbers and texts. Everything else is refused by name, and nothing runs."""

from __future__ import annotations

import gc
import pickle
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any, NoReturn

from core.errors import FileError, FormatError, QueryscapeError
from data.knowledge.loading.opcodes import Watch
from data.knowledge.loading.standins import PLAIN, Names

BLOCK = 1_000_000
LONGEST_NAME = 80
Kept = Callable[[Any], Any]
"""What a pickle says of something that is kept beside it, and that thing."""
_DAMAGED = (
    *(pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, LookupError, OverflowError),
    *(ImportError, RecursionError, zlib.error, zipfile.BadZipFile, NotImplementedError),
)


def read_pickle(stream: IO[bytes], n_bytes: int, name: str, *, allowed: Names = PLAIN, kept: Kept | None = None) -> Any:
    """What a pickle holds. `n_bytes`: how long it is; `name`: what people call it."""
    was_collecting = gc.isenabled()
    gc.disable()  # millions of small dictionaries would be walked through again and again
    try:
        return _Reader(_Checked(stream, n_bytes, name), name, allowed, kept).load()
    except MemoryError as e:
        raise FormatError(f"{name} asks for more memory than there is: it was not read") from e
    except QueryscapeError as e:
        raise e if str(e).startswith(name) else FormatError(f"{name} can't be read: {e}") from e
    except OSError as e:
        raise FileError(f"can't read {name} ({e.strerror or e}): check that it is yours") from e
    except _DAMAGED as e:
        raise FormatError(f"{name} is damaged, or no pickle ({_first_line(e)}): download it again") from e
    finally:
        if was_collecting:
            gc.enable()


def _first_line(e: BaseException) -> str:
    said = str(e).strip().splitlines()
    return _visible(said[0])[:120] if said else type(e).__name__


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class _Reader(pickle.Unpickler):
    """Knows the allowed names, and no others."""

    def __init__(self, file: _Checked, name: str, allowed: Names, kept: Kept | None) -> None:
        super().__init__(file)
        self._name = name
        self._allowed = allowed
        self._kept = kept

    def find_class(self, module: str, name: str, /) -> Any:
        known = self._allowed.get((module, name))
        if known is None:
            wanted = _visible(f"{module}.{name}"[:LONGEST_NAME])
            raise FormatError(f"{self._name} wants to run {wanted}: it was not read")
        return known

    def persistent_load(self, pid: Any) -> Any:
        if self._kept is None:
            raise FormatError(f"{self._name} names something outside itself: it was not read")
        return self._kept(pid)


class _Checked:
    """A file whose bytes are looked at before they are handed out, and that never gives more than it has."""

    def __init__(self, stream: IO[bytes], n_bytes: int, name: str) -> None:
        self._stream = stream
        self._left = n_bytes
        self._name = name
        self._watch = Watch(name, n_bytes)
        self._ahead = memoryview(b"")

    def _fill(self, n: int) -> None:
        """At least `n` bytes ahead, unless the file ends."""
        wanted = min(self._left, max(n - len(self._ahead), BLOCK))
        if wanted <= 0:
            return
        data = self._stream.read(wanted)
        self._left = self._left - len(data) if data else 0
        self._watch.take(data)
        self._ahead = memoryview(bytes(self._ahead) + data if self._ahead else data)

    def peek(self, n: int, /) -> bytes:
        """What comes next, without taking it."""
        if not self._ahead:
            self._fill(n)
        return bytes(self._ahead[:n])

    def read(self, n: int = -1, /) -> bytes:
        """The next bytes. More than there are is an error, before room is made for them."""
        if n < 0 or n > len(self._ahead) + self._left:
            self._cut_off()
        while len(self._ahead) < n:
            before = len(self._ahead)
            self._fill(n)
            if len(self._ahead) == before:
                self._cut_off()
        data, self._ahead = bytes(self._ahead[:n]), self._ahead[n:]
        return data

    def readline(self) -> bytes:
        """Up to the end of a line."""
        if not self._ahead:
            self._fill(BLOCK)
        line = bytes(self._ahead[: 2 * BLOCK])
        end = line.find(b"\n") + 1
        if not end and self._left:
            self._fill(len(self._ahead) + BLOCK)
            line = bytes(self._ahead[: 3 * BLOCK])
            end = line.find(b"\n") + 1
        if not end:
            self._cut_off()
        self._ahead = self._ahead[end:]
        return line[:end]

    def _cut_off(self) -> NoReturn:
        raise FormatError(f"{self._name} ends before it is complete: download it again")
