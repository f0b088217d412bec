"""Pieces of WordprocessingML as text: every text in them is escaped, and kept sign by sign."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.text import for_xml

_BREAKS = re.compile(r"([\n\t])")
_PIECES = {"\n": "<w:br/>", "\t": "<w:tab/>", "": ""}
SPACES = nsdecls("w")


def element(xml: str) -> Any:
    """The one element that the text describes; its first tag has to hold `SPACES`."""
    return parse_xml(xml)


def run(text: str, *, is_bold: bool = False) -> str:
    """Text with its line breaks, tabs and spaces."""
    look = "<w:rPr><w:b/></w:rPr>" if is_bold else ""
    pieces = (_piece(piece) for piece in _BREAKS.split(for_xml(text)))
    return f"<w:r>{look}{''.join(pieces)}</w:r>" if text else ""


def _piece(piece: str) -> str:
    found = _PIECES.get(piece)
    return f'<w:t xml:space="preserve">{escape(piece)}</w:t>' if found is None else found


def field(instruction: str, shown: str) -> str:
    """What the reading program counts; `shown` stands there until it has."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {escape(instruction)} </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def paragraph(style: str, runs: str, *, more: str = "", spaces: str = "") -> str:
    """A paragraph of a style, by the style's id; more: further properties of the paragraph."""
    return f'<w:p {spaces}><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr>{runs}</w:p>'


def attribute(text: str) -> str:
    """Text between quotes, with the quotes."""
    return quoteattr(for_xml(text))
