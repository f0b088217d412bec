"""A report as DOCX, for Word and LibreOffice: real headings, captions and tables, and pictures described in words."""

from __future__ import annotations

import copy
import io
from collections.abc import Sequence
from typing import Any, BinaryIO

import docx
from docx.oxml.ns import qn
from docx.shared import Emu

from core.audit.whole import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    Block,
    Document,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Prompt,
    Remark,
    Strategy,
    Table,
    made,
)
from data.audit.writing.docx_package import described, frame, lay_out, name_all, open_modern, room_of, save
from data.audit.writing.docx_styles import style_all
from data.audit.writing.docx_tables import table_xml
from data.audit.writing.docx_widths import is_wide
from data.audit.writing.docx_xml import SPACES, element, field, paragraph, run
from data.audit.writing.png import png

MOST_LEADING = 300
"""Letters of a paragraph that goes with the heading over it to the page of a wide table."""
_UNITS = 9525
"""Of a drawing in Word, for a pixel of CSS."""
_TWENTIETH = 635
"""The same for a twentieth of a point."""
_STAYS = "<w:keepNext/>"


def write_docx(document: Document, file: BinaryIO) -> None:
    """Writes the whole report. The same report gives the same bytes."""
    writer = _Writer(document)
    writer.head()
    for turned, blocks in _by_page(document.blocks):
        writer.turn(is_wide=turned)
        for block in blocks:
            writer.block(block)
    writer.finish()
    save(writer.word, file)


def _by_page(blocks: Sequence[Block]) -> list[tuple[bool, list[Block]]]:
    """Blocks that follow each other, by whether their page lies on its side."""
    parts: list[tuple[bool, list[Block]]] = [(False, [])]
    for block in blocks:
        turns = isinstance(block, Table) and is_wide(block, room_of(is_wide=False))
        if turns == parts[-1][0]:
            parts[-1][1].append(block)
            continue
        held = parts[-1][1]
        moved = _leading_to(held) if turns else []
        del held[len(held) - len(moved) :]
        if not held and len(parts) > 1:
            parts.pop()  # nothing was left between two wide tables
            parts[-1][1].extend([*moved, block])
        else:
            parts.append((turns, [*moved, block]))
    return parts


def _leading_to(held: Sequence[Block]) -> list[Block]:
    """The headings, with the few sentences under them, that a table directly after these blocks belongs to."""
    begins = at = len(held)
    while at:
        at -= 1
        block = held[at]
        if isinstance(block, Heading):
            begins = at
        elif not (isinstance(block, Paragraph) and not block.is_lead and len(block.text) <= MOST_LEADING):
            break
    return list(held[begins:])


class _Writer:
    """Adds block after block to a document of Word."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.word = docx.Document()
        style_all(self.word)
        open_modern(self.word)
        name_all(self.word, document)
        lay_out(self.word.sections[0], is_wide=False)
        frame(self.word, document)
        self.is_wide = False
        self.n_tables = self.n_figures = self.n_parts = 0

    def head(self) -> None:
        """Title, what the report is about, and whether it is made up."""
        self._add("Title", run(self.document.title))
        self._add("Subtitle", run(self.document.subtitle)) if self.document.subtitle else None
        self._add("ReportMade", run(made(self.document)))
        if self.document.made_up:
            self._add("ReportStamp", run(f"{BEWARE}: {MADE_UP}"))

    def turn(self, *, is_wide: bool) -> None:
        """From here on the pages lie on their side, or no more."""
        if is_wide == self.is_wide:
            return
        last = self._ending.getprevious()
        if last.tag != qn("w:p"):
            self._add("TableNote", "")
            last = self._ending.getprevious()
        last.get_or_add_pPr().append(copy.deepcopy(self._ending))
        lay_out(self.word.sections[-1], is_wide=is_wide)
        self.is_wide = is_wide

    def finish(self) -> None:
        """After a table a document needs one more paragraph."""
        if self._ending.getprevious().tag == qn("w:tbl"):
            self._add("TableNote", "")

    def block(self, block: Block) -> None:
        """One block at the end of what is there."""
        match block:
            case Heading():
                self._heading(block)
            case Paragraph():
                self._add("ReportLead" if block.is_lead else "Normal", run(block.text))
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
            case Prompt():
                self._add("ReportPrompt", run(f"{TO_ANSWER}: ", is_bold=True) + run(block.text))
            case Remark():
                mark = BEWARE if block.is_warning else NOTE
                self._add(
                    "ReportWarning" if block.is_warning else "ReportNote",
                    run(f"{mark}: ", is_bold=True) + run(block.text),
                )

    @property
    def _ending(self) -> Any:
        """What says how the last pages lie; everything is written before it."""
        return self.word.element.body.sectPr

    def _add(self, style: str, runs: str, *, more: str = "") -> None:
        self._ending.addprevious(element(paragraph(style, runs, more=more, spaces=SPACES)))

    def _heading(self, heading: Heading) -> None:
        level = min(max(heading.level, 2), 4) - 1
        self.n_parts += level == 1
        # the parts of a whole audit begin on pages of their own
        breaks = level == 1 and self.document.kind == "audit" and self.n_parts > 1
        self._add(f"Heading{level}", run(heading.text), more="<w:pageBreakBefore/>" if breaks else "")

    def _listing(self, listing: Listing) -> None:
        style, more = "ListBullet", ""
        if listing.is_numbered:
            style = "ListNumber"
            more = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{self._new_numbers()}"/></w:numPr>'
        for item in listing.items:
            self._add(style, run(item), more=more)

    def _new_numbers(self) -> int:
        """Numbers that begin at 1: without their own, those of the list before would go on."""
        numbering = self.word.part.numbering_part.element
        of_style = self.word.styles["List Number"].element.pPr.numPr.numId.val
        new = numbering.add_num(numbering.num_having_numId(of_style).abstractNumId.val)
        new.add_lvlOverride(ilvl=0).add_startOverride(1)
        return int(new.numId)

    def _table(self, table: Table) -> None:
        self.n_tables += 1
        self._caption("Table", self.n_tables, table.caption, more=_STAYS)
        if table.columns:
            self._ending.addprevious(element(table_xml(table, room_of(is_wide=self.is_wide))))
        note = table.note if table.rows else f"{NO_ROWS} {table.note}"
        self._add("TableNote", run(note.strip()))  # also empty: it keeps two tables from becoming one

    def _figure(self, figure: Figure) -> None:
        self.n_figures += 1
        room = room_of(is_wide=self.is_wide) * _TWENTIETH
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
        said = f". {text}" if text.strip() else ""
        self._add("Caption", run(f"{kind} ") + field(f"SEQ {kind} \\* ARABIC", str(number)) + run(said), more=more)
