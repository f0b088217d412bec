"""Plain text as HTML: what a person or a source wrote stays text, whatever signs are in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import escape

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")
"""Signs that HTML has no way to write, or that no reader would see."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s<>\"']{1,200}")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def said(text: str) -> str:
    """A text as HTML text or as the value of an attribute in double quotes.

    >>> said('<b> & "quoted"')
    '&lt;b&gt; &amp; &quot;quoted&quot;'
    """
    return escape(_FORBIDDEN.sub("\ufffd", text), quote=True)


def linked(text: str) -> str:
    """A text, and where it is a DOI and nothing else, a link to it. Nothing is asked before it is followed.

    >>> linked("10.5555/12345")
    '<a href="https://doi.org/10.5555/12345" rel="noopener noreferrer" target="_blank">10.5555/12345</a>'
    >>> linked("javascript:alert(1)")
    'javascript:alert(1)'
    """
    if not _DOI.fullmatch(text):
        return said(text)
    address = "https://doi.org/" + "".join(_of_address(sign) for sign in text)
    return f'<a href="{said(address)}" rel="noopener noreferrer" target="_blank">{said(text)}</a>'


def _of_address(sign: str) -> str:
    plain = sign.isascii() and (sign.isalnum() or sign in "-._~/:;()+")
    return sign if plain else "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "replace"))


def moment(at: str) -> str:
    """A time in words, in UTC; what is no time stays as it is.

    >>> moment("2026-05-04T10:05:00+02:00"), moment("soon")
    ('4 May 2026, 08:05 UTC', 'soon')
    """
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return at
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}, {when:%H:%M} UTC"
