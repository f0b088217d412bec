"""Reports as JSON: valid, whole and at full precision."""

from __future__ import annotations

import json
import math
from typing import get_args

from hypothesis import given

from core.report import (
    MADE_UP,
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportHeading,
    Strategy,
    Table,
)
from core.text import writable
from data.audit.reports import document_json
from tests.data.audit_documents import document, tables, whole

BLOCK_NAMES = {
    ReportHeading: "heading",
    Paragraph: "paragraph",
    Listing: "listing",
    Strategy: "strategy",
    Table: "table",
    Figure: "figure",
    AnswerPrompt: "prompt",
    Remark: "remark",
}
"""Of each class of blocks, its name in JSON, which other programs read."""


def test_a_whole_report_holds_its_blocks_in_their_order() -> None:
    report = whole()
    found = json.loads(json.dumps(document_json(report), allow_nan=False))
    names = [BLOCK_NAMES[type(block)] for block in report.blocks]
    assert [block["block"] for block in found["blocks"]] == names
    assert set(BLOCK_NAMES) == set(get_args(Block))
    assert found["format"] == "queryscape-report"
    assert found["stamp"] == MADE_UP
    assert found["blocks"][6] == {"block": "prompt", "text": "Say who was asked.", "item": "prisma-s:6"}
    assert "stamp" not in document_json(document(AnswerPrompt("x")))


@given(tables())
def test_any_table_is_valid_json_and_keeps_its_values(table: Table) -> None:
    written = json.dumps(document_json(document(table)), allow_nan=False, ensure_ascii=False).encode()
    (block,) = json.loads(written)["blocks"]
    for row, read in zip(table.rows, block["rows"], strict=True):
        for value, back in zip(row, read, strict=True):
            if isinstance(value, float) and not math.isfinite(value):
                assert back is None
            else:
                assert back == (writable(value) if isinstance(value, str) else value)
