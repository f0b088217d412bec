"""Reads pickles of strangers: containers, numbers and texts. Everything else is refused by name, and nothing runs."""

from __future__ import annotations

import gc
import pickle
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any, ClassVar, NoReturn

from core.errors import FileError, FormatError, QueryscapeError
from data.knowledge.loading.opcodes import TupleFound, Watch
from data.knowledge.loading.standins import Allowed, Budget, Names, plain

BLOCK = 1_000_000
LONGEST_NAME = 80
MOST_IN_TUPLES = 1_000
"""Values of a tuple and of those inside it, which are hashed anew whenever it is a key."""
Kept = Callable[[Any], Any]
"""What a pickle says of something that is kept beside it, and that thing."""
_DAMAGED = (
    *(pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, LookupError, OverflowError),
    *(ImportError, RecursionError, zlib.error, zipfile.BadZipFile, NotImplementedError),
)


def read_pickle(
    stream: IO[bytes], n_bytes: int, name: str, *, allowed: Allowed = plain, kept: Kept | None = None
) -> Any:
    """What a pickle holds. `n_bytes`: how long it is; `name`: what people call it."""
    was_collecting = gc.isenabled()
    gc.disable()  # millions of small dictionaries would be walked through again and again
    try:
        return _read(stream, n_bytes, name, allowed, kept)
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


def _read(stream: IO[bytes], n_bytes: int, name: str, allowed: Allowed, kept: Kept | None) -> Any:
    """Fast where tuples are only arguments, as in nearly all files; otherwise each tuple is looked at."""
    try:
        watch = Watch(name, n_bytes)
        return _Reader(_Checked(stream, n_bytes, name, watch), name, allowed(Budget(n_bytes)), kept).load()
    except TupleFound:
        stream.seek(0)
        watch = Watch(name, n_bytes, tuples=True)
        return _CarefulReader(_Checked(stream, n_bytes, name, watch), name, allowed(Budget(n_bytes)), kept).load()


def _first_line(e: BaseException) -> str:
    said = str(e).strip().splitlines()
    return _visible(said[0])[:120] if said else type(e).__name__


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class _Reader(pickle.Unpickler):
    """Knows the allowed names, and no others."""

    def __init__(self, file: _Checked, name: str, allowed: Names, kept: Kept | None) -> None:
        super().__init__(file)
        self._named = name
        self._allowed = allowed
        self._kept = kept

    def find_class(self, module: str, name: str, /) -> Any:
        return _allowed(self._allowed, module, name, self._named)

    def persistent_load(self, pid: Any) -> Any:
        return _outside(self._kept, pid, self._named)


class _CarefulReader(pickle._Unpickler):
    """The same, many times slower, for files with tuples: none may hold so much that hashing it takes long."""

    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = dict(pickle._Unpickler.dispatch)

    def __init__(self, file: _Checked, name: str, allowed: Names, kept: Kept | None) -> None:
        super().__init__(file)
        self._named = name
        self._allowed = allowed
        self._kept = kept

    def find_class(self, module: str, name: str, /) -> Any:
        return _allowed(self._allowed, module, name, self._named)

    def persistent_load(self, pid: Any) -> Any:
        return _outside(self._kept, pid, self._named)

    def check_last(self) -> None:
        """The tuple that was just made. Those inside it were looked at before, so this ends soon."""
        inside, n = [vars(self)["stack"][-1]], 0
        while inside:
            values = inside.pop()
            n += len(values)
            inside += [value for value in values if type(value) is tuple]
            if n > MOST_IN_TUPLES or len(inside) > MOST_IN_TUPLES:
                raise FormatError(f"{self._named} nests tuples as no table of entities does: it was not read")


def _checking(load: Callable[[Any], None]) -> Callable[[Any], None]:
    def checked(reader: _CarefulReader) -> None:
        load(reader)
        reader.check_last()

    return checked


for _code in b"t\x85\x86\x87":
    _CarefulReader.dispatch[_code] = _checking(_CarefulReader.dispatch[_code])


def _allowed(known: Names, module: str, name: str, file: str) -> Any:
    found = known.get((module, name))
    if found is None:
        wanted = _visible(f"{module}.{name}"[:LONGEST_NAME])
        raise FormatError(f"{file} wants to run {wanted}: it was not read")
    return found


def _outside(kept: Kept | None, pid: Any, file: str) -> Any:
    if kept is None:
        raise FormatError(f"{file} names something outside itself: it was not read")
    return kept(pid)


class _Checked:
    """A file whose bytes are looked at before they are handed out, and that never gives more than it has."""

    def __init__(self, stream: IO[bytes], n_bytes: int, name: str, watch: Watch) -> None:
        self._stream = stream
        self._left = n_bytes
        self._name = name
        self._watch = watch
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
