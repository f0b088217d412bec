"""The package around a report in Word: who made it and when, its pages, and the same bytes each time."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any, BinaryIO

from docx.document import Document as Word
from docx.enum.section import WD_ORIENT
from docx.oxml.ns import qn
from docx.shared import Cm

from core.audit.whole import MADE_UP, Document
from core.text import for_xml
from data.audit.writing.docx_styles import LANGUAGE
from data.audit.writing.docx_xml import SPACES, element, field, paragraph, run

AUTHOR = "Queryscape"
SHORT, LONG, MARGIN = Cm(21), Cm(29.7), Cm(2)
"""A4, and the room around its text."""
MOST_TITLE = 90
"""Letters of the title at the head of each page."""
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip file can name."""


def name_all(word: Word, document: Document) -> None:
    """The properties that programs show of a file."""
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
    """A property has 255 letters at most."""
    return for_xml(text).replace("\n", " ").replace("\t", " ")[:255]


def open_modern(word: Word) -> None:
    """Newer than the template says of itself, so that Word opens it without a word about compatibility."""
    settings = word.settings.element
    for old in settings.findall(qn("w:compat")):
        settings.remove(old)
    mode = '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>'
    compat = element(f"<w:compat {SPACES}>{mode}</w:compat>")
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


def lay_out(section: Any, *, is_wide: bool) -> None:
    """A4 upright, or on its side for wide tables."""
    section.orientation = WD_ORIENT.LANDSCAPE if is_wide else WD_ORIENT.PORTRAIT
    section.page_width, section.page_height = (LONG, SHORT) if is_wide else (SHORT, LONG)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = MARGIN
    section.header_distance = section.footer_distance = Cm(1)


def room_of(*, is_wide: bool) -> int:
    """Width of the text, in twentieths of a point."""
    return round(((LONG if is_wide else SHORT) - 2 * MARGIN) / 635)


def frame(word: Word, document: Document) -> None:
    """The head and the foot of each page."""
    section = word.sections[0]
    title = for_xml(document.title).replace("\n", " ")
    title = title if len(title) <= MOST_TITLE else f"{title[: MOST_TITLE - 1]}…"
    head = [paragraph("Header", run(title), spaces=SPACES)]
    if document.made_up:
        head.append(paragraph("Header", run(MADE_UP, is_bold=True), spaces=SPACES))
    pages = run("Page ") + field("PAGE", "1") + run(" of ") + field("NUMPAGES", "1")
    foot = [paragraph("Footer", pages, more='<w:jc w:val="center"/>', spaces=SPACES)]
    for part, pieces in ((section.header, head), (section.footer, foot)):
        part.is_linked_to_previous = False
        root = part._element
        for old in list(root):
            root.remove(old)
        for piece in pieces:
            root.append(element(piece))


def described(picture: Any, *, name: str, title: str, alternative: str) -> None:
    """What a picture shows, for those who can't see it."""
    properties = picture._inline.docPr
    for key, text in (("name", name), ("title", title), ("descr", alternative)):
        properties.set(key, for_xml(text))


def save(word: Word, file: BinaryIO) -> None:
    """Writes the package without the time at which that happens."""
    written = io.BytesIO()
    word.save(written)
    with zipfile.ZipFile(written) as held, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in held.namelist():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o600 << 16
            out.writestr(entry, held.read(name))
