"""Works in OpenAlex's files: a list, an answer to a search, or one work in each line; packed with gzip or not."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from core.errors import FileError, FormatError
from data.importers.decoding import MOST_BYTES, opened
from data.importers.structured.json_items import Item, items
from data.importers.structured.openalex_json import openalex_likeness
from data.knowledge.loading.rejecting import LeftOut

HEAD = 400_000
PIECE = 4_000
LONGEST_LINE = 50_000_000
OPENALEX_SUFFIXES = (".json", ".jsonl", ".ndjson", ".gz", "")
MOST_SEEN = 200
"""Files that are looked at to see whether works are among them."""
_BEGINS_AS_WORK = re.compile(rb'\s*\{\s*"id"\s*:\s*"https://openalex\.org/W\d')
Work = dict[str, Any]


def openalex_files(where: Path) -> tuple[Path, ...]:
    """The file, or those in a folder and its folders that hold works."""
    if where.is_file():
        return (where,) if _holds_works(where) else ()
    found = [path for pattern in ("*", "*/*", "*/*/*") for path in sorted(where.glob(pattern)) if path.is_file()]
    likely = [path for path in found if path.suffix.lower() in OPENALEX_SUFFIXES and not path.name.startswith(".")]
    if not any(_holds_works(path) for path in islice(likely, MOST_SEEN)):
        return ()
    return tuple(path for path in likely if _holds_works(path))


def _opened(path: Path) -> IO[bytes]:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        return cast(IO[bytes], gzip.open(path, "rb")) if packed else path.open("rb")
    except OSError as e:
        raise FileError(f"can't read {path} ({e.strerror or e}): check that it is yours") from e


def _head(path: Path) -> bytes:
    """Its beginning, as far as it can be unpacked."""
    head = b""
    with suppress(OSError, EOFError, zlib.error, FileError), _opened(path) as stream:
        while len(head) < HEAD and (data := stream.read(PIECE)):
            head += data
    return head


def _holds_works(path: Path) -> bool:
    head = _head(path)
    if head.lstrip()[:1] not in (b"{", b"["):
        return False
    if _BEGINS_AS_WORK.match(head):  # it may be longer than what is looked at
        return True
    with suppress(FormatError):
        return openalex_likeness(opened(head, path.name)) > 0
    return False


def works_in(path: Path, name: str, left_out: LeftOut) -> Iterator[tuple[int, Work]]:
    """Each work with its line. What can't be read is left out, with its line."""
    try:
        with _opened(path) as stream:
            if _by_line(stream.readline(LONGEST_LINE)):
                stream.seek(0)
                yield from _lines(stream, name, left_out)
                return
            stream.seek(0)
            data = stream.read(MOST_BYTES + 1)
    except (EOFError, zlib.error) as e:
        left_out.reject(name, None, "the file ends before it is complete, or is damaged")
        if path.suffix != ".gz" and not isinstance(e, EOFError):
            raise FormatError(f"{name} is damaged: download it again") from e
        return
    except OSError as e:
        raise FormatError(f"{name} can't be read ({e.strerror or e}): download it again") from e
    if len(data) > MOST_BYTES:
        raise FormatError(f"{name} has more than {MOST_BYTES / 1e6:,.0f} MB in one list: save one work in each line")
    for item in items(opened(data, name)):
        if isinstance(item, Item):
            yield item.line, item.value
        else:
            left_out.reject(name, getattr(item, "line", None), getattr(item, "reason", None) or str(item))


def _by_line(line: bytes) -> bool:
    """Whether a file's first line is a whole work."""
    found = _loaded(line)
    return isinstance(found, dict) and isinstance(found.get("id"), str)


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _lines(stream: IO[bytes], name: str, left_out: LeftOut) -> Iterator[tuple[int, Work]]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if not line.strip():
            continue
        work = _loaded(line)
        if isinstance(work, dict):
            yield number, work
        else:
            left_out.reject(name, number, "no valid JSON: the line may have been cut off")
