"""Text formatting for pages: numbers with nouns, moments, and text safe for Markdown."""

from __future__ import annotations

import re

from core.report import utc
from data.public_demo import is_public_demo, without_paths

_READ_ON = re.compile(
    r"(?<=:)(?=material/|//)|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE
)
"""Places where Streamlit would turn escaped text into an icon, an arrow or a link. An invisible word joiner stops
it.
"""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")


def plain(text: str) -> str:
    """Escape text of a user or a publication for Streamlit's Markdown, so that it is shown as it is.

    >>> plain("*a* [b](c) <i>")
    '\\\\*a\\\\* \\\\[b\\\\]\\\\(c\\\\) \\\\<i\\\\>'
    """
    shown = without_paths(text) if is_public_demo() else text
    return _SPECIAL.sub(r"\\\1", _READ_ON.sub("\u2060", " ".join(shown.split())))


def when(moment: str) -> str:
    """Format a moment for reading, to the minute in UTC.

    >>> when("2031-05-06T14:00:09+02:00")
    '6 May 2031, 12:00 UTC'
    """
    at = utc(moment)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


SHORT = 150
"""Maximum number of characters of a search string in a list."""


def short(text: str) -> str:
    """Return the beginning of a search string.

    >>> short("heat   AND pump")
    'heat AND pump'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT].rstrip()} …"
