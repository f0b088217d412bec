"""A report as JSON: its blocks in their order, values at full precision."""

from __future__ import annotations

import math
from typing import Any

from core.audit.whole import (
    MADE_UP,
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
    Value,
)
from core.text import writable

JSON_FORMAT = "queryscape-report"
JSON_VERSION = 1


def document_json(document: Document) -> dict[str, Any]:
    """Everything that the report says, of pictures what they show in words.

    Keys: `format, version, kind, title, subtitle, made_at, made_with, made_up, blocks[]`, and `stamp` where it is made
    up. A block has `block` (heading, paragraph, listing, strategy, table, figure, prompt or remark) and its own keys;
    a number that can't be written, such as one that is not finite, is null.
    """
    stamp = {"stamp": MADE_UP} if document.made_up else {}
    return {
        "format": JSON_FORMAT,
        "version": JSON_VERSION,
        "kind": document.kind,
        "title": writable(document.title),
        "subtitle": writable(document.subtitle),
        "made_at": writable(document.made_at),
        "made_with": writable(document.made_with),
        "made_up": document.made_up,
        **stamp,
        "blocks": [{"block": type(block).__name__.lower(), **_block(block)} for block in document.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Heading():
            return {"text": writable(block.text), "level": block.level}
        case Paragraph():
            return {"text": writable(block.text), "is_lead": block.is_lead}
        case Listing():
            return {"items": [writable(item) for item in block.items], "is_numbered": block.is_numbered}
        case Strategy():
            return {"text": writable(block.text), "caption": writable(block.caption)}
        case Table():
            return _table(block)
        case Figure():
            said = {"caption": writable(block.caption), "alternative": writable(block.alternative)}
            return {"name": block.name, **said}
        case Prompt():
            return {"text": writable(block.text), "item": block.item}
        case Remark():
            return {"text": writable(block.text), "is_warning": block.is_warning}


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "caption": writable(table.caption),
        "columns": [{"title": writable(column.title), "kind": column.kind} for column in table.columns],
        "rows": [[_value(value) for value in row] for row in table.rows],
        "note": writable(table.note),
    }


def _value(value: Value) -> Value:
    if isinstance(value, str):
        return writable(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
