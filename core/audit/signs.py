"""Signs that a file can't hold, and what is written in their place. Every other sign stays as it is."""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
_HALF = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    r"""Text that UTF-8 can hold: half of a character becomes the sign for what is damaged.

    >>> writable("tea\ud800")
    'tea�'
    """
    return text if text.isascii() else _HALF.sub(REPLACEMENT, text)


def for_xml(text: str) -> str:
    r"""Text that XML can hold: a control sign becomes its picture, so that it is seen; line ends are all line feeds.

    >>> for_xml("tea\x00\r\nmilk\t\ud800")
    'tea␀\nmilk\t�'
    """
    seen = _CONTROL.sub(lambda found: chr(0x2400 + ord(found[0])), text)
    return _NOT_IN_XML.sub(REPLACEMENT, seen).replace("\r\n", "\n").replace("\r", "\n")
