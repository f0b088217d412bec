"""A table of a report as a table of Word: its head repeats on each page, and no row is cut in two."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.whole import ColumnKind, Table, shown
from data.audit.writing.docx_widths import n_lines, widths
from data.audit.writing.docx_xml import SPACES, attribute, paragraph, run

MOST_LINES_UNCUT = 30
"""A row that is longer may go on on the next page."""
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
    """The table as one element, as wide as `room` (twentieths of a point)."""
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
