"""How a report looks in Word: real styles, so that whoever goes on writing can change them in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docx.document import Document as Word
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

from data.audit.writing.docx_xml import SPACES, element

TEXT_FONT = "Calibri"
CODE_FONT = "Courier New"
LANGUAGE = "en-GB"
_TEXT, _FAINT, _AMBER = "1B1F24", "59626D", "B26A00"


@dataclass(frozen=True, slots=True)
class Look:
    """How paragraphs of one style look."""

    name: str
    size: float
    colour: str = _TEXT
    is_bold: bool = False
    is_code: bool = False
    before: float = 0
    after: float = 0
    fill: str = ""
    """The ground behind the paragraph; empty: none."""
    edge: str = ""
    """The colour of a thick line at its left; empty: none."""
    stays_with_next: bool = False


LOOKS: dict[str, Look] = {
    "Normal": Look("Normal", 10.5, after=6),
    "Title": Look("Title", 24, is_bold=True, after=4),
    "Subtitle": Look("Subtitle", 12.5, _FAINT, after=4),
    "Heading1": Look("Heading 1", 16, is_bold=True, before=20, after=6, stays_with_next=True),
    "Heading2": Look("Heading 2", 13, is_bold=True, before=14, after=4, stays_with_next=True),
    "Heading3": Look("Heading 3", 11, is_bold=True, before=10, after=3, stays_with_next=True),
    "Caption": Look("Caption", 9.5, _FAINT, is_bold=True, before=8, after=4),
    "ListBullet": Look("List Bullet", 10.5, after=3),
    "ListNumber": Look("List Number", 10.5, after=3),
    "Header": Look("Header", 8.5, _FAINT),
    "Footer": Look("Footer", 8.5, _FAINT),
    "ReportMade": Look("Report Made", 9.5, _FAINT, after=10),
    "ReportStamp": Look("Report Stamp", 11, _AMBER, is_bold=True, before=4, after=8, fill="FFF4E0", edge=_AMBER),
    "ReportLead": Look("Report Lead", 11.5, after=6, fill="F0F4F9", edge="1F4E79"),
    "ReportPrompt": Look("Report Prompt", 10.5, before=4, after=8, fill="FFF8EA", edge=_AMBER),
    "ReportNote": Look("Report Note", 10, before=4, after=8, fill="F5F6F8", edge="98A1AD"),
    "ReportWarning": Look("Report Warning", 10, before=4, after=8, fill="FFF4E0", edge=_AMBER),
    "SearchStrategy": Look("Search Strategy", 9, is_code=True, after=8, fill="F5F6F8", edge="98A1AD"),
    "TableHead": Look("Table Head", 9, is_bold=True, stays_with_next=True),
    "TableText": Look("Table Text", 9),
    "TableCode": Look("Table Code", 8.5, is_code=True),
    "TableNote": Look("Table Note", 9, _FAINT, before=3, after=10),
}


def style_all(word: Word) -> None:
    """Sets the styles of the template that a report uses, and adds those that it has not."""
    for style_id, look in LOOKS.items():
        known = {style.name for style in word.styles}
        style = word.styles[look.name] if look.name in known else _added(word, style_id, look.name)
        _apply(style, look)
    defaults = word.styles.element.find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in defaults.findall(qn("w:lang")):
        defaults.remove(old)
    defaults.append(element(f'<w:lang {SPACES} w:val="{LANGUAGE}" w:eastAsia="{LANGUAGE}" w:bidi="ar-SA"/>'))


def _added(word: Word, style_id: str, name: str) -> Any:
    style = word.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    style.element.set(qn("w:styleId"), style_id)
    style.base_style = word.styles["Normal"]
    style.quick_style = True
    return style


def _apply(style: Any, look: Look) -> None:
    font, layout = style.font, style.paragraph_format
    name = CODE_FONT if look.is_code else TEXT_FONT
    properties = style.element.get_or_add_rPr()
    for old in properties.findall(qn("w:rFonts")):
        properties.remove(old)
    font.name = name  # the template's fonts hang on its theme
    properties.find(qn("w:rFonts")).set(qn("w:cs"), name)
    font.size, font.bold, font.italic = Pt(look.size), look.is_bold, False
    font.color.rgb = RGBColor.from_string(look.colour)
    for old in properties.findall(qn("w:spacing")) + properties.findall(qn("w:kern")):
        properties.remove(old)
    font.no_proof = look.is_code or None
    layout.space_before, layout.space_after = Pt(look.before), Pt(look.after)
    layout.line_spacing = 1.0 if look.is_code or look.name.startswith("Table") else 1.12
    layout.keep_with_next = look.stays_with_next
    _surround(style.element.get_or_add_pPr(), look)


def _surround(properties: Any, look: Look) -> None:
    """The line at the left and the ground, each at its place in the order that the format asks for."""
    for name in ("w:pBdr", "w:shd"):
        for old in properties.findall(qn(name)):
            properties.remove(old)
    pieces = []
    if look.edge:
        edge = f'<w:left w:val="single" w:sz="24" w:space="8" w:color="{look.edge}"/>'
        pieces.append(element(f"<w:pBdr {SPACES}>{edge}</w:pBdr>"))
    if look.fill:
        pieces.append(element(f'<w:shd {SPACES} w:val="clear" w:color="auto" w:fill="{look.fill}"/>'))
    later = ("tabs", "suppressAutoHyphens", "spacing", "ind", "contextualSpacing", "jc", "outlineLvl")
    for piece in pieces:
        after = next((child for name in later for child in properties.findall(qn(f"w:{name}"))), None)
        if after is None:
            properties.append(piece)
        else:
            after.addprevious(piece)
