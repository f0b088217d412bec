"""Reports as DOCX: read back, every text is what was given; and LibreOffice opens them without a word."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from lxml import etree

from core.report import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    TO_ANSWER,
    AnswerPrompt,
    Block,
    Figure,
    Paragraph,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    shown,
)
from core.text import for_xml
from data.audit.docx import widths, write_docx
from tests.data.audit_documents import NASTY, PICTURE, STRATEGY, document, tables, texts, whole


def written(report: ReportDocument) -> bytes:
    file = io.BytesIO()
    write_docx(report, file)
    return file.getvalue()


def read(report: ReportDocument) -> Any:
    return docx.Document(io.BytesIO(written(report)))


def styled(word: Any, style: str) -> list[str]:
    return [found.text for found in word.paragraphs if found.style.name == style]


@settings(max_examples=30)
@given(texts, texts)
def test_any_text_stays_what_it_is(text: str, title: str) -> None:
    word = read(document(ReportHeading(text), Strategy(text), Paragraph(text), AnswerPrompt(text), title=title))
    assert styled(word, "Title") == [for_xml(title)]
    assert styled(word, "Heading 1") == styled(word, "Search Strategy") == [for_xml(text)]
    assert styled(word, "Normal") == [for_xml(text)]
    assert styled(word, "Report Prompt") == [f"{TO_ANSWER}: {for_xml(text)}"]


@pytest.mark.slow
@settings(max_examples=30)
@given(tables())
def test_any_table_keeps_its_cells(table: Table) -> None:
    (found,) = read(document(table)).tables
    kinds = [column.kind for column in table.columns]
    given_rows = [[column.title for column in table.columns]]
    given_rows += [[shown(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in table.rows]
    assert [[cell.text for cell in row.cells] for row in found.rows] == [
        [for_xml(text) for text in row] for row in given_rows
    ]


def test_a_strategy_is_kept_sign_by_sign() -> None:
    word = read(document(Strategy(STRATEGY, "As it was run")))
    assert styled(word, "Search Strategy") == [STRATEGY]
    assert word.styles["Search Strategy"].font.name == "Courier New"
    assert word.styles["Search Strategy"].font.no_proof


def test_tables_repeat_their_heads_and_rows_stay_whole() -> None:
    for table in read(whole()).tables:
        first, *others = (row._tr.trPr for row in table.rows)
        assert first.find(qn("w:tblHeader")) is not None
        assert all(row is not None and row.find(qn("w:cantSplit")) is not None for row in others)
        assert table._tbl.tblPr.find(qn("w:tblCaption")).get(qn("w:val"))


def test_captions_are_counted_by_word() -> None:
    word = read(whole())
    assert [text for text in styled(word, "Caption") if re.match(r"Table|Figure", text)] == [
        "Table 1. Scores of both versions",
        "Figure 1. The landscape of version 1",
        "Table 2. Terms one by one",
        "Table 3. Core publications",
        "Table 4. Nothing",
    ]
    fields = [found.text for found in word.element.body.iter(qn("w:instrText"))]
    assert [found.split()[1] for found in fields] == ["Table", "Figure", "Table", "Table", "Table"]
    assert NO_ROWS in styled(word, "Table Note")


def test_the_contents_link_to_each_part_and_wait_for_page_numbers() -> None:
    """There is no tab before an update, so no dotted line leads nowhere; and nothing asks Word for an update."""
    headings = [ReportHeading(f"Part {n}", 2 + n % 2) for n in range(6)]
    word = read(document(*headings))
    (contents,) = word.element.body.iter(qn("w:sdt"))
    links = list(contents.iter(qn("w:hyperlink")))
    assert [link.text for link in links] == [heading.text for heading in headings]
    marks = [mark.get(qn("w:name")) for mark in word.element.body.iter(qn("w:bookmarkStart"))]
    assert [link.get(qn("w:anchor")) for link in links] == marks
    assert not list(contents.iter(qn("w:tab")))
    assert not list(word.settings.element.iter(qn("w:updateFields")))
    assert not [field for field in word.element.body.iter(qn("w:fldChar")) if field.get(qn("w:dirty"))]
    section = word.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    for name in ("toc 1", "toc 2"):
        (stop,) = word.styles[name].paragraph_format.tab_stops
        assert stop.position == pytest.approx(room, abs=700)


def test_figures_are_described() -> None:
    word = read(document(Figure("a", "Cap <tion>", 'Says "this" & <that>\nand more', PICTURE)))
    (found,) = word.element.body.iter(qn("wp:docPr"))
    assert re.sub(r"\s", " ", found.get("descr")) == 'Says "this" & <that> and more'
    assert (found.get("title"), found.get("name")) == ("Cap <tion>", "Figure 1")
    (shape,) = word.inline_shapes
    assert shape.width / shape.height == pytest.approx(2, rel=0.01)


def test_properties_pages_and_language() -> None:
    word = read(whole())
    about = word.core_properties
    assert (about.title, about.author, about.language) == ("Tea: <b>a report</b>", "Queryscape", "en-GB")
    assert str(about.created) == str(about.modified) == "2026-11-22 20:05:29+00:00"
    section = word.sections[0]
    assert MADE_UP in [found.text for found in section.header.paragraphs]
    assert section.footer.paragraphs[0].text == "Page 1 of 1"
    assert styled(word, "Report Stamp") == [f"{BEWARE}: {MADE_UP}"]
    assert MADE_UP not in written(document()).decode("latin-1")
    assert not styled(read(document()), "Report Stamp")
    languages = [found.get(qn("w:val")) for found in word.styles.element.iter(qn("w:lang"))]
    assert languages == ["en-GB"]


def test_a_time_that_is_none_does_no_harm() -> None:
    word = read(ReportDocument("press", "t" * 400, "", (), "yesterday", "Queryscape"))
    assert word.core_properties.title == "t" * 255
    assert styled(word, "Report Made") == ["Made on yesterday with Queryscape."]


def test_wide_tables_lie_on_their_side() -> None:
    columns = tuple(ReportColumn(f"Column {n}", "count") for n in range(9))
    wide = Table("w", "", columns, (tuple(range(9)),) * 60)
    wider = Table("x", "", tuple(ReportColumn(f"Publications {n}") for n in range(9)), (("word",) * 9,) * 20)
    short = Table("s", "", columns, (tuple(range(9)),))
    narrow = Table("n", "", columns[:3], ())
    turned: list[tuple[tuple[Block, ...], list[bool]]] = [
        ((narrow,), [False]),
        ((wide,), [False, True]),
        ((short,), [False]),
        ((ReportHeading("A"), wide, ReportHeading("B"), wider, narrow), [False, True, False]),
    ]
    for blocks, expected in turned:
        word = read(document(*blocks))
        assert [section.page_width > section.page_height for section in word.sections] == expected
        short = [min(section.page_width, section.page_height).cm for section in word.sections]
        assert short == pytest.approx([21] * len(short), abs=0.01)
    word = read(document(Paragraph("stays"), ReportHeading("A"), Paragraph("goes with it"), ReportHeading("B"), wide))
    ends = [found.text for found in word.paragraphs if found._p.pPr.find(qn("w:sectPr")) is not None]
    assert ends == ["stays"]


@given(tables())
def test_columns_fill_the_page_and_none_is_lost(table: Table) -> None:
    found = widths(table, 9638)
    assert sum(found) == 9638
    assert min(found) > 0


def test_short_cells_are_wide_enough_beside_long_ones() -> None:
    rows = tuple(("long words " * 40, 2000 + n, "more long words " * 30) for n in range(3))
    _, year, _ = widths(Table("t", "", (ReportColumn("Title"), ReportColumn("Year"), ReportColumn("Why")), rows), 9638)
    assert year >= 4 * 112 + 170


def test_lists_begin_at_one() -> None:
    word = read(whole())
    numbers = [found._p.pPr.numPr.numId.val for found in word.paragraphs if found.style.name == "List Number"]
    assert len(numbers) == 4
    assert len(set(numbers)) == 2


def test_the_same_report_gives_the_same_bytes() -> None:
    assert written(whole()) == written(whole())
    with zipfile.ZipFile(io.BytesIO(written(whole()))) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not [name for name in package.namelist() if "thumbnail" in name]
        for name in package.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(package.read(name))


def soffice() -> str:
    """LibreOffice, which these tests can't do without."""
    found = shutil.which("soffice")
    if found is None:
        pytest.fail("LibreOffice is missing: install it with `apt-get install libreoffice-writer-nogui`")
    return found


ABOUT_JAVA = "Warning: failed to launch javaldx - java may not function correctly"
"""Said wherever there is no Java, whatever is opened."""


@pytest.mark.slow
@pytest.mark.parametrize("report", [whole(), document(), document(*(Paragraph(text) for text in NASTY))])
def test_libreoffice_opens_it_without_a_warning(report: ReportDocument, tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(written(report))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [soffice(), profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=240, env={**os.environ, "HOME": str(tmp_path)}
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip() and line != ABOUT_JAVA]
    assert done.returncode == 0, said
    assert len(said) == 1
    assert said[0].startswith("convert ")
    pdf = (tmp_path / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    n_pages = max(int(count) for count in re.findall(rb"/Type\s*/Pages.*?/Count\s+(\d+)", pdf, re.DOTALL))
    assert n_pages == 1 if len(report.blocks) < 10 else 5 <= n_pages <= 16
