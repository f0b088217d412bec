"""Write a report as a Word document with pictures."""

from __future__ import annotations

import copy
import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise, zip_longest
from typing import Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

import docx
from docx.document import Document as Word
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Emu, Pt, RGBColor, Twips
from PIL import Image, ImageDraw, ImageFont

from core.errors import InputError
from core.pictures import Box, Dots, Path, Place, TextShape, VectorPicture
from core.report import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    AnswerPrompt,
    Block,
    ColumnKind,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    made,
    shown,
)
from core.text import cut_to, for_xml
from data.audit.house_style import A4, has_words, open_reference, page_of

# Text in the few characters of the picture font: others get the nearest substitute.

UNKNOWN = "?"
"""For characters without a substitute: better than an empty box."""

_PAIRS = (
    "≥ >=, ≤ <=, ≠ !=, ≈ ~, × x, ÷ /, ± +/-, ∞ inf, … ..., "
    "ß ss, æ ae, Æ AE, œ oe, Œ OE, ø o, Ø O, ł l, Ł L, đ d, "
    "Đ D, ð d, Ð D, þ th, Þ Th, ı i, ħ h, € EUR, £ GBP, "
    "✓ yes, ✗ no, ° deg, "
    "α alpha, β beta, γ gamma, δ delta, Δ Delta, ε epsilon, θ theta, κ kappa, "
    "λ lambda, μ mu, µ mu, ν nu, π pi, ρ rho, σ sigma, Σ Sigma, τ tau, "
    "φ phi, χ chi, ψ psi, ω omega, Ω Omega"
)
_STAND_INS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033«»", '"'),
    **dict.fromkeys("•·◦▪●", "*"),
    **dict.fromkeys("→⟶⇒", "->"),
    **dict.fromkeys("←⟵⇐", "<-"),
    **dict(each.split() for each in _PAIRS.split(", ")),
}


def plain_signs(text: str, has: Callable[[str], bool]) -> str:
    """Replace characters that `has` can't draw by the nearest substitute; line breaks and tabs become spaces.

    >>> plain_signs("Crème – F≥0.5", str.isascii)
    'Creme - F>=0.5'
    """
    return "".join(_sign(sign, has) for sign in unicodedata.normalize("NFC", text))


def _sign(sign: str, has: Callable[[str], bool]) -> str:
    if sign.isspace():
        return " "
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Cn", "Mn"):
        return ""
    if has(sign):
        return sign
    if stand_in := _STAND_INS.get(sign):
        return stand_in
    parts = unicodedata.normalize("NFKD", sign)
    kept = "".join(part for part in parts if not unicodedata.combining(part))
    drawn = "".join(part if has(part) else _STAND_INS.get(part, "") for part in kept)
    return drawn or UNKNOWN


# A picture as PNG, drawn with Pillow and its own font: no system fonts are used.
#
# Everything is drawn several times larger and scaled down, because Pillow does not anti-alias.

MOST_PIXELS = 50_000_000
"""Pixels of the image before it is scaled down."""
FINEST = 4
"""Largest factor by which the image is drawn larger."""
DOTS_PER_INCH = 96
"""A unit of a picture is a CSS pixel."""
_BOLD = 0.02
"""Stroke width of bold text, relative to its size, because the font has no bold."""


def png(picture: VectorPicture, *, scale: float = 2.0) -> bytes:
    """Render the picture as PNG; scale: pixels per unit of the picture."""
    width, height = round(picture.width * scale), round(picture.height * scale)
    if not (width > 0 and height > 0 and width * height <= MOST_PIXELS):
        raise InputError(f"a picture of {width} × {height} pixels can't be drawn: choose another size")
    finer = FINEST
    while finer > 1 and width * height * finer**2 > MOST_PIXELS:
        finer -= 1
    drawn = Image.new("RGB", (width * finer, height * finer), picture.ground)
    pen = _Pen(drawn, scale * finer)
    for shape in picture.shapes:
        pen.draw(shape)
    file = io.BytesIO()
    resolution = DOTS_PER_INCH * scale
    drawn.reduce(finer).save(file, "PNG", dpi=(resolution, resolution))
    return file.getvalue()


class _Pen:
    """A pen that draws shapes onto an image with `zoom` pixels per unit."""

    def __init__(self, image: Image.Image, zoom: float) -> None:
        self.zoom = zoom
        # in this mode, translucent colours are blended with the background
        self.on = ImageDraw.Draw(image, "RGBA")

    def draw(self, shape: Dots | Path | Box | TextShape) -> None:
        match shape:
            case Dots():
                self._dots(shape)
            case Path():
                self._path(shape)
            case Box():
                self._box(shape)
            case TextShape():
                self._words(shape)

    def _dots(self, dots: Dots) -> None:
        radius = dots.radius * self.zoom
        fill = _paint(dots.fill, dots.opacity)
        line = _paint(dots.line, dots.opacity) if dots.line else None
        for x, y in self._scaled(dots.places):
            box = (x - radius, y - radius, x + radius, y + radius)
            self.on.ellipse(box, fill=fill)
            if line:
                half = self.zoom / 2  # half of the stroke lies outside, as in SVG
                rim = (box[0] - half, box[1] - half, box[2] + half, box[3] + half)
                self.on.ellipse(rim, outline=line, width=max(1, round(self.zoom)))

    def _path(self, path: Path) -> None:
        places = self._scaled(path.places)
        if path.fill and len(places) > 2:
            self.on.polygon(places, fill=_paint(path.fill, path.opacity))
        if not path.line or len(places) < 2:
            return
        width = max(1, round(path.width * self.zoom))
        paint = _paint(path.line, path.opacity)
        if path.is_closed:
            places = [*places, places[0]] if path.dash else [*places, *places[:2]]
        if path.dash:
            for begin, end in _dashes(places, path.dash * self.zoom):
                self.on.line((begin, end), fill=paint, width=width)
        else:
            self.on.line(places, fill=paint, width=width, joint="curve")

    def _box(self, box: Box) -> None:
        (left, top), (right, bottom) = self._scaled(((box.x, box.y), (box.x + box.width, box.y + box.height)))
        if right <= left or bottom <= top:
            return
        if box.fill:
            self.on.rounded_rectangle((left, top, right, bottom), box.round * self.zoom, fill=_paint(box.fill, 1))
        if box.line:
            width = max(1, round(box.line_width * self.zoom))
            half = width / 2
            around = (left - half, top - half, right + half, bottom + half)
            self.on.rounded_rectangle(around, box.round * self.zoom + half, outline=_paint(box.line, 1), width=width)

    def _words(self, words: TextShape) -> None:
        size = words.size * self.zoom
        text = plain_signs(words.text, _has)
        if not text or size < 1:
            return
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
        (place,) = self._scaled(((words.x, words.y),))
        heavier = size * _BOLD if words.is_bold else 0
        self.on.text(place, text, fill=words.colour, font=_font(size), anchor=anchor, stroke_width=heavier)

    def _scaled(self, places: Sequence[Place]) -> list[Place]:
        return [(x * self.zoom, y * self.zoom) for x, y in places]


def _paint(colour: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, round(255 * min(max(opacity, 0), 1))


def _dashes(places: Sequence[Place], length: float) -> list[tuple[Place, Place]]:
    """Split a line into dashes, with gaps of the same length."""
    found: list[tuple[Place, Place]] = []
    at = 0.0  # position in the pattern of dash and gap
    for (x, y), (to_x, to_y) in pairwise(places):
        whole = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        done = 0.0
        while done < whole:
            in_dash = at < length
            step = min(whole - done, (length if in_dash else 2 * length) - at)
            if in_dash:
                begin, end = done / whole, (done + step) / whole
                found.append(
                    ((x + (to_x - x) * begin, y + (to_y - y) * begin), (x + (to_x - x) * end, y + (to_y - y) * end))
                )
            done += max(step, length / 1000)
            at = (at + step) % (2 * length)
    return found


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise InputError("Pillow was built without its own font: install it from its usual package")
    return font


@cache
def _has(sign: str) -> bool:
    """Return True if the font draws this character, not the box of a missing one."""
    font = _font(20)
    box = font.getmask("\uffff")
    drawn = font.getmask(sign)
    return sign == " " or (drawn.size, bytes(drawn)) != (box.size, bytes(box))


# Fragments of WordprocessingML as text: all text in them is escaped and preserved exactly.

_BREAKS = re.compile(r"([\n\t])")
_PIECES = {"\n": "<w:br/>", "\t": "<w:tab/>", "": ""}
SPACES = nsdecls("w")
"""Namespaces: the first tag of an element that is parsed by itself must include them."""


def run(text: str, *, is_bold: bool = False) -> str:
    look = "<w:rPr><w:b/></w:rPr>" if is_bold else ""
    pieces = (_piece(piece) for piece in _BREAKS.split(for_xml(text)))
    return f"<w:r>{look}{''.join(pieces)}</w:r>" if text else ""


def _piece(piece: str) -> str:
    found = _PIECES.get(piece)
    return f'<w:t xml:space="preserve">{escape(piece)}</w:t>' if found is None else found


def field(instruction: str, shown: str) -> str:
    """Return a field that the word processor computes; it displays `shown` until then."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {escape(instruction)} </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def paragraph(style: str, runs: str, *, more: str = "", spaces: str = "") -> str:
    """Return a paragraph with this style id; more: further paragraph properties."""
    return f'<w:p {spaces}><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr>{runs}</w:p>'


def attribute(text: str) -> str:
    """Quote a text as an attribute value."""
    return quoteattr(for_xml(text))


# The look of a report in Word: real styles, so that authors can change them in one place.

TEXT_FONT = "Calibri"
CODE_FONT = "Courier New"
LANGUAGE = "en-GB"
_TEXT, _FAINT, _AMBER = "1B1F24", "59626D", "B26A00"


@dataclass(frozen=True, slots=True)
class WordStyle:
    name: str
    size: float
    colour: str = _TEXT
    is_bold: bool = False
    is_code: bool = False
    before: float = 0
    after: float = 0
    fill: str = ""
    """Background of the paragraph; empty: none."""
    edge: str = ""
    """Colour of a thick line on the left; empty: none."""
    stays_with_next: bool = False
    indent: float = 0
    has_page_number: bool = False
    """An entry of the contents: after an update in Word, a dotted line leads to its page number."""


LOOKS: dict[str, WordStyle] = {
    "Normal": WordStyle("Normal", 10.5, after=6),
    "Title": WordStyle("Title", 24, is_bold=True, after=4),
    "Subtitle": WordStyle("Subtitle", 12.5, _FAINT, after=4),
    "Heading1": WordStyle("Heading 1", 16, is_bold=True, before=20, after=6, stays_with_next=True),
    "Heading2": WordStyle("Heading 2", 13, is_bold=True, before=14, after=4, stays_with_next=True),
    "Heading3": WordStyle("Heading 3", 11, is_bold=True, before=10, after=3, stays_with_next=True),
    "Caption": WordStyle("Caption", 9.5, _FAINT, is_bold=True, before=8, after=4),
    "ListBullet": WordStyle("List Bullet", 10.5, after=3),
    "ListNumber": WordStyle("List Number", 10.5, after=3),
    "Header": WordStyle("Header", 8.5, _FAINT),
    "Footer": WordStyle("Footer", 8.5, _FAINT),
    "TOCHeading": WordStyle("TOC Heading", 13, is_bold=True, before=14, after=4, stays_with_next=True),
    "TOC1": WordStyle("toc 1", 10.5, is_bold=True, before=4, after=2, has_page_number=True),
    "TOC2": WordStyle("toc 2", 10, after=1, indent=14, has_page_number=True),
    "ReportFront": WordStyle("Report Front", 11, after=2),
    "ReportMade": WordStyle("Report Made", 9.5, _FAINT, after=10),
    "ReportStamp": WordStyle("Report Stamp", 11, _AMBER, is_bold=True, before=4, after=8, fill="FFF4E0", edge=_AMBER),
    "ReportLead": WordStyle("Report Lead", 11.5, after=6, fill="F0F4F9", edge="1F4E79"),
    "ReportPrompt": WordStyle("Report Prompt", 10.5, before=4, after=8, fill="FFF8EA", edge=_AMBER),
    "ReportNote": WordStyle("Report Note", 10, before=4, after=8, fill="F5F6F8", edge="98A1AD"),
    "ReportWarning": WordStyle("Report Warning", 10, before=4, after=8, fill="FFF4E0", edge=_AMBER),
    "SearchStrategy": WordStyle("Search Strategy", 9, is_code=True, after=8, fill="F5F6F8", edge="98A1AD"),
    "TableHead": WordStyle("Table Head", 9, is_bold=True, stays_with_next=True),
    "TableText": WordStyle("Table Text", 9),
    "TableCode": WordStyle("Table Code", 8.5, is_code=True),
    "TableNote": WordStyle("Table Note", 9, _FAINT, before=3, after=10),
}


def style_all(word: Word, room: int, *, keeps_own: bool = False) -> None:
    """Set the template's styles that a report uses, and add missing ones. `keeps_own`: its own stay as they are.

    `room`: the width of the text, in twentieths of a point.
    """
    known = {style.name: style for style in word.styles}
    for style_id, look in LOOKS.items():
        style = known.get(look.name)
        if style is None:
            _apply(_added(word, style_id, look.name), look, room, keeps_font=keeps_own and not look.is_code)
        elif not keeps_own:
            _apply(style, look, room)
    if keeps_own:
        return
    defaults = word.styles.element.find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in defaults.findall(qn("w:lang")):
        defaults.remove(old)
    defaults.append(parse_xml(f'<w:lang {SPACES} w:val="{LANGUAGE}" w:eastAsia="{LANGUAGE}" w:bidi="ar-SA"/>'))


def _added(word: Word, style_id: str, name: str) -> Any:
    style = word.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    style.element.set(qn("w:styleId"), style_id)
    style.base_style = word.styles["Normal"]
    style.quick_style = True
    return style


def _apply(style: Any, look: WordStyle, room: int, *, keeps_font: bool = False) -> None:
    font, layout = style.font, style.paragraph_format
    properties = style.element.get_or_add_rPr()
    if not keeps_font:
        name = CODE_FONT if look.is_code else TEXT_FONT
        for old in properties.findall(qn("w:rFonts")):
            properties.remove(old)
        font.name = name  # the template's fonts depend on its theme
        properties.find(qn("w:rFonts")).set(qn("w:cs"), name)
    font.size, font.bold, font.italic = Pt(look.size), look.is_bold, False
    font.color.rgb = RGBColor.from_string(look.colour)
    for old in properties.findall(qn("w:spacing")) + properties.findall(qn("w:kern")):
        properties.remove(old)
    font.no_proof = look.is_code or None
    layout.space_before, layout.space_after = Pt(look.before), Pt(look.after)
    layout.line_spacing = 1.0 if look.is_code or look.name.startswith("Table") else 1.12
    layout.keep_with_next = look.stays_with_next
    if look.indent:
        layout.left_indent = Pt(look.indent)
    if look.has_page_number:
        layout.tab_stops.clear_all()
        layout.tab_stops.add_tab_stop(Twips(room), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)
    _surround(style.element.get_or_add_pPr(), look)


def _surround(properties: Any, look: WordStyle) -> None:
    for name in ("w:pBdr", "w:shd"):
        for old in properties.findall(qn(name)):
            properties.remove(old)
    pieces = []
    if look.edge:
        edge = f'<w:left w:val="single" w:sz="24" w:space="8" w:color="{look.edge}"/>'
        pieces.append(parse_xml(f"<w:pBdr {SPACES}>{edge}</w:pBdr>"))
    if look.fill:
        pieces.append(parse_xml(f'<w:shd {SPACES} w:val="clear" w:color="auto" w:fill="{look.fill}"/>'))
    later = ("tabs", "suppressAutoHyphens", "spacing", "ind", "contextualSpacing", "jc", "outlineLvl")
    for piece in pieces:
        after = next((child for name in later for child in properties.findall(qn(f"w:{name}"))), None)
        if after is None:
            properties.append(piece)
        else:
            after.addprevious(piece)


# The package of a Word report: author and time, pages, and the same bytes each time.

AUTHOR = "Queryscape"
MOST_TITLE = 90
"""Characters of the title in the page header."""
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can hold."""


def name_all(word: Word, document: ReportDocument) -> None:
    about = word.core_properties
    try:
        made = datetime.fromisoformat(document.made_at)
    except ValueError:
        made = _ANY_TIME
    made = (made.astimezone(UTC) if made.tzinfo else made).replace(tzinfo=None, microsecond=0)
    about.title, about.subject = _short(document.title), _short(document.subtitle)
    about.author = about.last_modified_by = AUTHOR
    about.created = about.modified = made
    about.comments = _short((f"{MADE_UP} " if document.made_up else "") + f"Made with {document.made_with}.")
    about.language, about.keywords, about.category, about.revision = LANGUAGE, "", "", 1


def _short(text: str) -> str:
    """Shorten a text to 255 characters, the most a property may have."""
    return for_xml(text).replace("\n", " ").replace("\t", " ")[:255]


def open_modern(word: Word) -> None:
    """Mark the document as newer than its template, so that Word opens it without compatibility mode."""
    settings = word.settings.element
    for old in settings.findall(qn("w:compat")):
        settings.remove(old)
    mode = '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>'
    compat = parse_xml(f"<w:compat {SPACES}>{mode}</w:compat>")
    later = ("rsids", "mathPr", "themeFontLang", "clrSchemeMapping", "shapeDefaults", "decimalSymbol", "listSeparator")
    after = next((child for child in settings if any(child.tag.endswith(f"}}{name}") for name in later)), None)
    if after is None:
        settings.append(compat)
    else:
        after.addprevious(compat)
    package = word.part.package
    for key, relation in list(package.rels.items()):
        if relation.reltype.endswith("/thumbnail"):
            del package.rels[key]  # it shows the template's page


def frame(word: Word, document: ReportDocument, *, keeps_own: bool = False) -> None:
    section = word.sections[0]
    title = for_xml(document.title).replace("\n", " ")
    head = [paragraph("Header", run(cut_to(title, MOST_TITLE)), spaces=SPACES)]
    if document.made_up:
        head.append(paragraph("Header", run(MADE_UP, is_bold=True), spaces=SPACES))
    pages = run("Page ") + field("PAGE", "1") + run(" of ") + field("NUMPAGES", "1")
    foot = [paragraph("Footer", pages, more='<w:jc w:val="center"/>', spaces=SPACES)]
    for part, pieces in ((section.header, head), (section.footer, foot)):
        if keeps_own and has_words(part):
            continue
        part.is_linked_to_previous = False
        root = part._element
        for old in list(root):
            root.remove(old)
        for piece in pieces:
            root.append(parse_xml(piece))


def described(picture: Any, *, name: str, title: str, alternative: str) -> None:
    properties = picture._inline.docPr
    for key, text in (("name", name), ("title", title), ("descr", alternative)):
        properties.set(key, for_xml(text))


def save(word: Word, file: BinaryIO) -> None:
    """Write the package without the current time."""
    written = io.BytesIO()
    word.save(written)
    with zipfile.ZipFile(written) as held, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in held.namelist():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o600 << 16
            out.writestr(entry, held.read(name))


# Column widths of a table: fitted to the contents, so that words stay whole and numbers on one line.

MOST_WORD = 16
"""Characters of a word that a column always fits; longer words may be broken."""
MOST_LINE = 70
"""Characters of a line beyond which a column gets no wider."""
LETTER = 112
"""Width of a character in a table, in twentieths of a point: also enough for the wider fonts that replace Word's."""
_PADDING = 2.0
"""Width of a cell's padding, in characters."""
_CODE = 1.25
"""Relative width of code characters."""
_BOLDER = 1.1
"""Relative width of a bold header; a short one needs slightly more."""
WIDE_FROM = 8
"""Number of columns from which a table may get a landscape page."""
MOST_LINES_UPRIGHT = 45
"""Lines that such a table may take in portrait: about one page."""
_ROWS_LOOKED_AT = 500
MOST_LINES_TIGHT = 12
"""The same limit for a table whose longest words would be broken in portrait."""
_WORD_ENDS = re.compile(r"[\s\-/]+")


def widths(table: Table, room: int) -> list[int]:
    """Return the width of each column; they add up to `room`."""
    rows = table.rows[:_ROWS_LOOKED_AT]
    pairs = [_needs(column, [shown(row[at], column.kind) for row in rows]) for at, column in enumerate(table.columns)]
    letters = room / LETTER
    if sum(wished for _, wished in pairs) <= letters:
        taken = [wished for _, wished in pairs]
    elif sum(least for least, _ in pairs) <= letters:
        taken = _levelled(pairs, letters)
    else:
        taken = _levelled([(0, least) for least, _ in pairs], letters)
    parts = [max(letter, 0.5) for letter in taken]
    whole = [int(part / sum(parts) * room) for part in parts]
    whole[-1] += room - sum(whole)
    return whole


def _levelled(pairs: Sequence[tuple[float, float]], letters: float) -> list[float]:
    low, high = 0.0, max(most for _, most in pairs)
    for _ in range(40):
        level = (low + high) / 2
        fits = sum(min(max(level, least), most) for least, most in pairs) <= letters
        low, high = (level, high) if fits else (low, level)
    return [min(max(low, least), most) for least, most in pairs]


def is_wide(table: Table, upright: int) -> bool:
    """Return True if a table is more readable on a landscape page than on a portrait page of this width.

    A short one that fits stays with the text, because a page of its own would split the text.
    """
    if len(table.columns) < WIDE_FROM:
        return False
    rows = [[shown(value, column.kind) for value, column in zip(row, table.columns, strict=True)] for row in table.rows]
    least = sum(_needs(column, [row[at] for row in rows])[0] for at, column in enumerate(table.columns))
    wide = widths(table, upright)
    n = sum(n_lines(row, wide) for row in rows)
    return n > MOST_LINES_UPRIGHT or (least * LETTER > upright and n > MOST_LINES_TIGHT)


def _needs(column: ReportColumn, cells: Sequence[str]) -> tuple[float, float]:
    head = _longest_word([column.title]) * _BOLDER + 0.8
    wider = _CODE if column.kind == "code" else 1.0
    lines = [line for cell in cells for line in cell[:2000].split("\n")]
    longest = max([len(line) * wider for line in lines] + [len(column.title) * _BOLDER])
    if column.kind in ("count", "number"):
        numbers = max([len(line) for line in lines], default=1)
        least = max(numbers, head)
        return least + _PADDING, max(least, min(longest, 14)) + _PADDING
    least = max(_longest_word(lines) * wider, head)
    return min(least, MOST_WORD) + _PADDING, min(max(longest, least), MOST_LINE) + _PADDING


def _longest_word(lines: Sequence[str]) -> int:
    return min(max((len(word) for line in lines for word in _WORD_ENDS.split(line)), default=1), MOST_WORD)


def n_lines(cells: Sequence[str], wide: Sequence[int]) -> int:
    """Estimate the number of lines in the longest cell of a row."""
    return max(
        (
            sum(1 + len(line) * LETTER // max(width, 1) for line in cell.split("\n"))
            for cell, width in zip(cells, wide, strict=True)
        ),
        default=1,
    )


# A report table in Word: its header repeats on each page, and rows are not split.

MOST_LINES_UNCUT = 30
"""A longer row may be split across pages."""
_LINE = 'w:val="single" w:space="0"'
_BORDERS = (
    f'<w:tblBorders><w:top {_LINE} w:sz="8" w:color="59626D"/><w:bottom {_LINE} w:sz="8" w:color="59626D"/>'
    f'<w:insideH {_LINE} w:sz="4" w:color="D5D9DE"/></w:tblBorders>'
)
_MARGINS = (
    '<w:tblCellMar><w:top w:w="40" w:type="dxa"/><w:left w:w="100" w:type="dxa"/>'
    '<w:bottom w:w="40" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar>'
)
_STYLES: dict[ColumnKind, str] = {"text": "TableText", "code": "TableCode", "count": "TableText", "number": "TableText"}


def table_xml(table: Table, room: int) -> str:
    """Return the table as one element with the width `room` (twentieths of a point)."""
    wide = widths(table, room)
    kinds = [column.kind for column in table.columns]
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in wide)
    look = (
        f'<w:tblW w:w="{room}" w:type="dxa"/>{_BORDERS}<w:tblLayout w:type="fixed"/>{_MARGINS}'
        '<w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" '
        f'w:noVBand="1"/><w:tblCaption w:val={attribute(table.caption)}/>'
        f"<w:tblDescription w:val={attribute(table.note)}/>"
    )
    rows = [_head([column.title for column in table.columns], kinds, wide)]
    for row in table.rows:
        cells = [shown(value, kind) for value, kind in zip(row, kinds, strict=True)]
        rows.append(_row(cells, kinds, wide))
    return f"<w:tbl {SPACES}><w:tblPr>{look}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"


def _head(titles: Sequence[str], kinds: Sequence[ColumnKind], wide: Sequence[int]) -> str:
    cells = "".join(
        _cell(title, "TableHead", kind, width, '<w:shd w:val="clear" w:color="auto" w:fill="F0F2F5"/>')
        for title, kind, width in zip(titles, kinds, wide, strict=True)
    )
    return f"<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>{cells}</w:tr>"


def _row(cells: Sequence[str], kinds: Sequence[ColumnKind], wide: Sequence[int]) -> str:
    whole = "<w:trPr><w:cantSplit/></w:trPr>" if n_lines(cells, wide) <= MOST_LINES_UNCUT else ""
    written = (_cell(text, _STYLES[kind], kind, width) for text, kind, width in zip(cells, kinds, wide, strict=True))
    return f"<w:tr>{whole}{''.join(written)}</w:tr>"


def _cell(text: str, style: str, kind: ColumnKind, width: int, look: str = "") -> str:
    right = '<w:jc w:val="right"/>' if kind in ("count", "number") else ""
    inside = paragraph(style, run(text), more=right)
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{look}</w:tcPr>{inside}</w:tc>'


# A report as DOCX, for Word and LibreOffice: real headings, captions and tables, and pictures with descriptions.

MOST_LEADING = 300
"""Longest paragraph, in characters, that moves with its heading to the page of a wide table."""
_UNITS = 9525
"""Drawing units of Word per CSS pixel."""
_TWENTIETH = 635
"""Drawing units of Word per twentieth of a point."""
_STAYS = "<w:keepNext/>"


def write_docx(document: ReportDocument, file: BinaryIO, *, reference: bytes | None = None) -> None:
    """Write the whole report. The same report gives the same bytes. `reference`: a .docx that sets the style."""
    writer = _Writer(document, reference)
    writer.head()
    for turned, blocks in _by_page(document.blocks, writer.page.room(is_wide=False)):
        writer.turn(is_wide=turned)
        for block, after in zip_longest(blocks, blocks[1:]):
            writer.block(block, stays=isinstance(after, Figure))
    writer.finish()
    save(writer.word, file)


def _by_page(blocks: Sequence[Block], room: int) -> list[tuple[bool, list[Block]]]:
    parts: list[tuple[bool, list[Block]]] = [(False, [])]
    for block in blocks:
        turns = isinstance(block, Table) and is_wide(block, room)
        if turns == parts[-1][0]:
            parts[-1][1].append(block)
            continue
        held = parts[-1][1]
        moved = _leading_to(held) if turns else []
        del held[len(held) - len(moved) :]
        if not held and len(parts) > 1:
            parts.pop()  # nothing is left between two wide tables
            parts[-1][1].extend([*moved, block])
        else:
            parts.append((turns, [*moved, block]))
    return parts


def _leading_to(held: Sequence[Block]) -> list[Block]:
    begins = at = len(held)
    while at:
        at -= 1
        block = held[at]
        if isinstance(block, ReportHeading):
            begins = at
        elif not (isinstance(block, Paragraph) and not block.is_lead and len(block.text) <= MOST_LEADING):
            break
    return list(held[begins:])


MOST_IN_CONTENTS = 200


def _word_level(heading: ReportHeading) -> int:
    return min(max(heading.level, 2), 4) - 1


def _in_contents(document: ReportDocument) -> tuple[ReportHeading, ...]:
    """Return the headings for the contents; a short report needs none."""
    found = tuple(block for block in document.blocks if isinstance(block, ReportHeading) and _word_level(block) <= 2)
    return found if 5 <= len(found) <= MOST_IN_CONTENTS else ()


def _mark(number: int) -> str:
    return f"_Toc{number:08}"


class _Writer:
    def __init__(self, document: ReportDocument, reference: bytes | None) -> None:
        self.document = document
        has_own = reference is not None
        self.word = docx.Document() if reference is None else open_reference(reference)
        self.page = page_of(self.word) if has_own else A4
        style_all(self.word, self.page.room(is_wide=False), keeps_own=has_own)
        self.style_ids = {style_id: self.word.styles[look.name].style_id for style_id, look in LOOKS.items()}
        open_modern(self.word)
        name_all(self.word, document)
        self.page.lay_out(self.word.sections[0], is_wide=False)
        frame(self.word, document, keeps_own=has_own)
        self.is_wide = False
        self.n_tables = self.n_figures = self.n_parts = self.n_marks = 0
        self.contents = _in_contents(document)

    def head(self) -> None:
        self._add("Title", run(self.document.title))
        self._add("Subtitle", run(self.document.subtitle)) if self.document.subtitle else None
        for label, text in self.document.front:
            self._add("ReportFront", run(f"{label}: ", is_bold=True) + run(text))
        self._add("ReportMade", run(made(self.document)))
        if self.document.made_up:
            self._add("ReportStamp", run(f"{BEWARE}: {MADE_UP}"))
        self._contents()

    def _contents(self) -> None:
        """Write a table of contents with links. Word adds page numbers once a reader chooses "Update Table".

        A field that asks for an update would make Word show a question whenever the report is opened.
        """
        if not self.contents:
            return
        begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TOC \\o "1-2" '
        begin += '\\h \\z </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        lines = [paragraph(self.style_ids["TOCHeading"], run("Contents"))]
        for number, heading in enumerate(self.contents):
            link = f'<w:hyperlink w:anchor="{_mark(number)}" w:history="1">{run(heading.text)}</w:hyperlink>'
            runs = (begin if number == 0 else "") + link + (end if number == len(self.contents) - 1 else "")
            lines.append(paragraph(self.style_ids[f"TOC{_word_level(heading)}"], runs))
        gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj>'
        content = f"<w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{''.join(lines)}</w:sdtContent>"
        self._ending.addprevious(parse_xml(f"<w:sdt {SPACES}>{content}</w:sdt>"))

    def turn(self, *, is_wide: bool) -> None:
        if is_wide == self.is_wide:
            return
        last = self._ending.getprevious()
        if last.tag != qn("w:p"):
            self._add("TableNote", "")
            last = self._ending.getprevious()
        last.get_or_add_pPr().append(copy.deepcopy(self._ending))
        self.page.lay_out(self.word.sections[-1], is_wide=is_wide)
        self.is_wide = is_wide

    def finish(self) -> None:
        """End the document; after a table, Word needs another paragraph."""
        if self._ending.getprevious().tag == qn("w:tbl"):
            self._add("TableNote", "")

    def block(self, block: Block, *, stays: bool = False) -> None:
        """Write a block. `stays`: on the page of the one after it."""
        match block:
            case ReportHeading():
                self._heading(block)
            case Paragraph():
                more = _STAYS if stays else ""
                self._add("ReportLead" if block.is_lead else "Normal", run(block.text), more=more)
            case Listing():
                self._listing(block)
            case Strategy():
                if block.caption.strip():
                    self._add("Caption", run(block.caption), more=_STAYS)
                self._add("SearchStrategy", run(block.text))
            case Table():
                self._table(block)
            case Figure():
                self._figure(block)
            case AnswerPrompt():
                self._add("ReportPrompt", run(f"{TO_ANSWER}: ", is_bold=True) + run(block.text))
            case Remark():
                mark = BEWARE if block.is_warning else NOTE
                self._add(
                    "ReportWarning" if block.is_warning else "ReportNote",
                    run(f"{mark}: ", is_bold=True) + run(block.text),
                )

    @property
    def _ending(self) -> Any:
        return self.word.element.body.sectPr

    def _add(self, style: str, runs: str, *, more: str = "") -> None:
        style = self.style_ids.get(style, style)
        self._ending.addprevious(parse_xml(paragraph(style, runs, more=more, spaces=SPACES)))

    def _heading(self, heading: ReportHeading) -> None:
        level = _word_level(heading)
        self.n_parts += level == 1
        # each part of a whole audit starts on a new page
        breaks = level == 1 and self.document.kind == "audit" and self.n_parts > 1
        words = run(heading.text)
        if self.contents and level <= 2:
            mark = f'w:id="{self.n_marks}"'
            words = f'<w:bookmarkStart {mark} w:name="{_mark(self.n_marks)}"/>{words}<w:bookmarkEnd {mark}/>'
            self.n_marks += 1
        self._add(f"Heading{level}", words, more="<w:pageBreakBefore/>" if breaks else "")

    def _listing(self, listing: Listing) -> None:
        style = "ListNumber" if listing.is_numbered else "ListBullet"
        has_marks = self._numbers_of(style) is not None
        more = ""
        if listing.is_numbered and has_marks:
            more = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{self._new_numbers()}"/></w:numPr>'
        for number, item in enumerate(listing.items, start=1):
            mark = "" if has_marks else f"{number}. " if listing.is_numbered else "• "
            self._add(style, run(f"{mark}{item}"), more=more)

    def _numbers_of(self, style: str) -> Any:
        """Return the numbering of a list style; None: the reference document has none for it."""
        properties = self.word.styles[LOOKS[style].name].element.pPr
        return None if properties is None or properties.numPr is None else properties.numPr.numId

    def _new_numbers(self) -> int:
        """Return a list numbering that starts at 1; otherwise it would continue the previous list."""
        numbering = self.word.part.numbering_part.element
        of_style = self._numbers_of("ListNumber").val
        new = numbering.add_num(numbering.num_having_numId(of_style).abstractNumId.val)
        new.add_lvlOverride(ilvl=0).add_startOverride(1)
        return int(new.numId)

    def _table(self, table: Table) -> None:
        self.n_tables += 1
        self._caption("Table", self.n_tables, table.caption, more=_STAYS)
        if table.columns:
            self._ending.addprevious(parse_xml(table_xml(table, self.page.room(is_wide=self.is_wide))))
        note = table.note if table.rows else f"{NO_ROWS} {table.note}"
        self._add("TableNote", run(note.strip()))  # even if empty: it keeps two tables from merging

    def _figure(self, figure: Figure) -> None:
        self.n_figures += 1
        room = self.page.room(is_wide=self.is_wide) * _TWENTIETH
        width = min(room, round(figure.picture.width * _UNITS))
        tallest = round(room * (0.55 if self.is_wide else 1.2))
        width = min(width, round(tallest * figure.picture.width / figure.picture.height))
        added = self.word.add_paragraph(style="Normal")
        added.paragraph_format.keep_with_next = True
        picture = added.add_run().add_picture(io.BytesIO(png(figure.picture)), width=Emu(width))
        name = f"Figure {self.n_figures}"
        described(picture, name=name, title=figure.caption, alternative=figure.alternative)
        self._caption("Figure", self.n_figures, figure.caption)

    def _caption(self, kind: str, number: int, text: str, *, more: str = "") -> None:
        words = f". {text}" if text.strip() else ""
        self._add("Caption", run(f"{kind} ") + field(f"SEQ {kind} \\* ARABIC", str(number)) + run(words), more=more)
