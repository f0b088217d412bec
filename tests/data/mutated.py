"""Files changed at random, and what a reader makes of them."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import QueryscapeError
from tests.data.readers import READERS, FileReader, zipped

LONGEST_MESSAGE = 2_000
SIGNS = b"\x00\n\r\t \"'()*,-./:;<>?[\\]{|}&#%@=\xff\xfe\x80"
"""Bytes with a meaning in some format."""
Change = Callable[[bytearray, random.Random], None]


def _flip(data: bytearray, choose: random.Random) -> None:
    data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)


def _set(data: bytearray, choose: random.Random) -> None:
    data[choose.randrange(len(data))] = choose.choice(SIGNS)


def _delete(data: bytearray, choose: random.Random) -> None:
    start = choose.randrange(len(data))
    del data[start : start + choose.choice((1, 2, 10, 100))]


def _insert(data: bytearray, choose: random.Random) -> None:
    place = choose.randrange(len(data))
    data[place:place] = bytes([choose.choice(SIGNS)]) * choose.choice((1, 1, 2, 50, 1_000))


def _cut(data: bytearray, choose: random.Random) -> None:
    del data[choose.randrange(len(data)) :]


def _repeat(data: bytearray, choose: random.Random) -> None:
    start = choose.randrange(len(data))
    data[start:start] = data[start : start + choose.randrange(1, 200)] * choose.choice((1, 3, 20))


def _swap(data: bytearray, choose: random.Random) -> None:
    a, b = sorted(choose.randrange(len(data)) for _ in range(2))
    n = choose.randrange(1, 20)
    data[a : a + n], data[b : b + n] = data[b : b + n], data[a : a + n]


def _splice(data: bytearray, choose: random.Random) -> None:
    other = choose.choice(READERS).sample(2)
    start, place = choose.randrange(len(other)), choose.randrange(len(data))
    data[place:place] = other[start : start + choose.randrange(1, 400)]


CHANGES: tuple[Change, ...] = (_flip, _set, _delete, _insert, _cut, _repeat, _swap, _splice)


def mutated(data: bytes, choose: random.Random) -> bytes:
    """Change a file at one to four places; of an archive, often the content of one part."""
    if data.startswith(b"PK") and choose.random() < 0.7:
        return _with_mutated_part(data, choose)
    changed = bytearray(data)
    for _ in range(choose.choice((1, 1, 2, 4))):
        if changed:
            choose.choice(CHANGES)(changed, choose)
    return bytes(changed)


def _with_mutated_part(data: bytes, choose: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = choose.choice([name for name, content in parts.items() if content])
    return zipped({**parts, name: mutated(parts[name], choose)}.items())


def mutations(reader: FileReader, n: int, seed: int) -> Iterator[bytes]:
    """Yield so many changed files; the same every time."""
    choose = random.Random(zlib.crc32(reader.name.encode()) + seed)
    samples = [reader.sample(k) for k in (1, 2, 5)]
    for _ in range(n):
        yield mutated(choose.choice(samples), choose)


def problem_of(reader: FileReader, data: bytes) -> str | None:
    """Read a file; return what is wrong: another error than ours, or a message that is no sentence."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            reader.read(data, Path(folder))
        except QueryscapeError as e:
            message = str(e)
            if not message.strip() or "\n" in message or len(message) > LONGEST_MESSAGE:
                return f"no sentence: {message[:200]!r}"
        except Exception as e:
            return f"{type(e).__name__}: {str(e)[:200]}"
    return None
