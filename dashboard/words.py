"""Words and marks of sentences on pages: numbers with nouns, moments, and text safe for Markdown."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_READ_ON = re.compile(
    r"(?<=:)(?=material/|//)|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE
)
"""Where Streamlit makes an icon, an arrow or a link of what was escaped: a word joiner, which nobody sees, stops it."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")


def plain(text: str) -> str:
    """Text of a user or a publication for where Streamlit reads Markdown: shown as it is.

    >>> plain("*a* [b](c) <i>")
    '\\\\*a\\\\* \\\\[b\\\\]\\\\(c\\\\) \\\\<i\\\\>'
    """
    return _SPECIAL.sub(r"\\\1", _READ_ON.sub("\u2060", " ".join(text.split())))


def when(moment: str) -> str:
    """A moment for a person, to the second where seconds tell requests apart.

    >>> when("2031-05-06T14:00:09+02:00")
    '6 May 2031, 12:00 UTC'
    """
    at = utc(moment)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


def utc(moment: str) -> datetime:
    """A moment in UTC; one that names no zone is taken for that."""
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


SHORT = 150
"""Letters of a string that stand in a list."""


def short(text: str) -> str:
    """The beginning of a string.

    >>> short("heat   AND pump")
    'heat AND pump'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT].rstrip()} …"
