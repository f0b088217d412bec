"""A Word document that sets the style of reports: its fonts, headings, page, header and footer are used."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import docx
from docx.document import Document as Word
from docx.enum.section import WD_ORIENT
from docx.oxml.ns import qn
from docx.shared import Cm

from core.errors import FormatError
from data.archives import ArchiveLimits, check_xml, opened_archive

LARGEST = 20_000_000
_LIMITS = ArchiveLimits("open it in Word and save it as .docx", "a Word document (.docx)", most_files=5_000)


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The paper, in drawing units of Word."""

    short: int = Cm(21)
    long: int = Cm(29.7)
    sides: tuple[int, int] = (Cm(2), Cm(2))
    """Left and right margin."""
    ends: tuple[int, int] = (Cm(2), Cm(2))
    """Top and bottom margin."""
    edges: tuple[int, int] = (Cm(1), Cm(1))
    """Distance of the header and the footer."""

    def room(self, *, is_wide: bool) -> int:
        """Return the width of the text, in twentieths of a point."""
        return round(((self.long if is_wide else self.short) - sum(self.sides)) / 635)

    def lay_out(self, section: Any, *, is_wide: bool) -> None:
        """Set the paper upright, or across for wide tables."""
        section.orientation = WD_ORIENT.LANDSCAPE if is_wide else WD_ORIENT.PORTRAIT
        section.page_width, section.page_height = (self.long, self.short) if is_wide else (self.short, self.long)
        section.left_margin, section.right_margin = self.sides
        section.top_margin, section.bottom_margin = self.ends
        section.header_distance, section.footer_distance = self.edges


A4 = PageLayout()


def open_reference(data: bytes, name: str = "the reference document") -> Word:
    """Open a Word document and empty it: what stays are its styles, page, header and footer."""
    if len(data) > LARGEST:
        raise FormatError(
            f"{name} is larger than {LARGEST // 1_000_000} MB: give a short Word document with the styles"
        )
    with opened_archive(io.BytesIO(data), name, _LIMITS) as archive:
        check_xml(archive)
    try:
        word = docx.Document(io.BytesIO(data))
        body = word.element.body
        ending = body.sectPr
    except Exception as e:  # zip, XML and package errors of many kinds
        raise FormatError(f"{name} is no Word document (.docx): open it in Word and save it as .docx") from e
    if ending is None:
        raise FormatError(f"{name} has no page settings: open it in Word and save it as .docx again")
    for child in list(body):
        if child is not ending:
            body.remove(child)
    for template in word.settings.element.findall(qn("w:attachedTemplate")):
        word.settings.element.remove(template)  # Word would open it from where it was
    relations = word.part._settings_part.rels
    for key in [key for key, relation in relations.items() if relation.is_external]:
        del relations[key]
    return word


def page_of(word: Word) -> PageLayout:
    section = word.sections[0]
    sizes = sorted(filter(None, (section.page_width, section.page_height)))
    if len(sizes) < 2:
        return A4
    margins = (section.left_margin, section.right_margin, section.top_margin, section.bottom_margin)
    left, right, top, bottom = (Cm(2) if margin is None else margin for margin in margins)
    found = PageLayout(
        sizes[0],
        sizes[1],
        (left, right),
        (top, bottom),
        (section.header_distance or A4.edges[0], section.footer_distance or A4.edges[1]),
    )
    return found if found.room(is_wide=False) > 3_000 else A4


def has_words(part: Any) -> bool:
    """Return True if a header or footer says or shows something."""
    return bool("".join(part._element.itertext()).strip()) or part._element.find(f".//{qn('w:drawing')}") is not None
