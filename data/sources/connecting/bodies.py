"""What a service sends, byte by byte: unpacked, bounded, told from a web page, and read as JSON."""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from core.errors import FormatChangedError

Expected = Literal["json", "xml", "any"]
LONGEST_WORDS = 300
"""Characters of a service's own words in a message."""
_TITLE = re.compile(r"<title[^>]*>\s*([^<]{1,200})", re.IGNORECASE)
_PAGE = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b"
)
_SAYS = ("message", "error", "ERROR", "error_description", "detail", "details", "errMsg", "errors", "reason", "code")


class EndlessError(Exception):
    """A body that does not end: too many bytes, or too many seconds. Never leaves data/."""


class BrokenBodyError(Exception):
    """A packed body that can't be unpacked, or ends too early. Never leaves data/."""


def bounded(
    pieces: Iterable[bytes],
    *,
    most_bytes: int,
    most_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """The same pieces, given up where they do not end: the limit of a client is for each piece alone."""
    end, left = clock() + most_seconds, most_bytes
    for piece in pieces:
        left -= len(piece)
        if left < 0 or clock() > end:
            raise EndlessError
        yield piece


def unpacked(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The pieces without their packing. What ends in the middle is an error here, unlike in most libraries."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from pieces
        return
    if name not in ("gzip", "x-gzip"):
        raise BrokenBodyError(f"packed as {name[:20]}, which nobody asked for")
    unpacker = zlib.decompressobj(31)
    is_begun = False
    for piece in pieces:
        is_begun = is_begun or bool(piece)
        try:
            yield unpacker.decompress(piece)
            while unpacker.eof and unpacker.unused_data:
                rest, unpacker = unpacker.unused_data, zlib.decompressobj(31)
                yield unpacker.decompress(rest)
        except zlib.error as e:
            raise BrokenBodyError("packed in a way that can't be unpacked") from e
    if is_begun and not unpacker.eof:
        raise BrokenBodyError("packed, and it ends too early")


def is_web_page(body: bytes) -> bool:
    """Whether this is for people: HTML, with or without what may stand before it.

    >>> is_web_page(b" <!DOCTYPE html><html>"), is_web_page(b'<?xml version="1.0"?><PubmedArticleSet>')
    (True, False)
    """
    return _PAGE.match(body[:4000].lower()) is not None


def words_of(body: bytes) -> str:
    """What an error says of itself, on one short line: of JSON the message, of a page its title.

    >>> words_of(b'{"error": "Invalid query", "message": "no field  named x"}')
    'no field named x'
    >>> words_of(b"<html><title>404 Not Found</title>..."), words_of(b"slow  down")
    ('404 Not Found', 'slow down')
    """
    text = body[:20_000].decode("utf-8", errors="replace")
    if is_web_page(body):
        found = _TITLE.search(text)
        text = found[1] if found else "a web page"
    else:
        with suppress(ValueError, RecursionError):
            text = _said(whole_signs(json.loads(body), body)) or text
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"


def _said(value: Any, depth: int = 0) -> str:
    """The first text in an error's usual places."""
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, Mapping):
        return next((said for name in _SAYS if (said := _said(value.get(name), depth + 1))), "")
    if isinstance(value, list):
        return next((said for each in value[:5] if (said := _said(each, depth + 1))), "")
    return ""


def json_in(content: bytes, where: str) -> Any:
    """What a JSON body says. `where` begins the sentence of the error: "OpenAlex, /works"."""
    try:
        return whole_signs(json.loads(content), content)
    except (ValueError, RecursionError) as e:
        raise FormatChangedError(f"{where} answered with something other than JSON ({_why(e)})", content) from e


def whole_signs(value: Any, content: bytes) -> Any:
    """What JSON says, without halves of signs: escapes can write them, and no file, store or screen takes them.

    >>> whole_signs(["\\ud83c", "tea"], rb'["\\ud83c", "tea"]')
    ['?', 'tea']
    """
    if b"\\ud" not in content and b"\\uD" not in content and b"\xed" not in content:
        return value
    text = json.dumps(value, ensure_ascii=False)
    return value if text.isascii() else json.loads(text.encode("utf-8", "replace"))


def object_in(content: bytes, where: str) -> dict[str, Any]:
    """The same, where it must be an object."""
    value = json_in(content, where)
    if not isinstance(value, dict):
        raise FormatChangedError(f"{where} answered with JSON that is no object", content)
    return value


def _why(e: Exception) -> str:
    return "nested too deeply" if isinstance(e, RecursionError) else " ".join(str(e).split())[:80]
