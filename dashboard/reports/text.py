"""Plain text as HTML: what a person or a source wrote stays text, whatever signs are in it."""

from __future__ import annotations

import re
from html import escape

from core.text import REPLACEMENT, for_xml

_UNSEEN = re.compile("[\x7f-\x9f\ufdd0-\ufdef]")
"""Signs that XML can hold and HTML can't."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s<>\"']{1,200}")


def said(text: str) -> str:
    """A text as HTML text or as the value of an attribute in double quotes.

    >>> said('<b> & "quoted"')
    '&lt;b&gt; &amp; &quot;quoted&quot;'
    """
    return escape(_UNSEEN.sub(REPLACEMENT, for_xml(text)), quote=True)


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
