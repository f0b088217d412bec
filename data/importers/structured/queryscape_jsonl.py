"""Queryscape's own hand-off as JSON Lines, read back: what it says of the publications; where they came from stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records.cleaning import KINDS, Fields
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.structured.json_items import Item, item_lines, items, sample
from data.importers.structured.json_values import text_in, texts_in


def queryscape_likeness(source: Source) -> float:
    """Only Queryscape names a publication_id."""
    return 1.0 if any("publication_id" in value for value in sample(source)) else 0.0


def read_queryscape(source: Source, asked: Asked) -> Iterator[Part]:
    """Each publication."""
    for item in items(source):
        yield Entry(item.line, _fields(item.value)) if isinstance(item, Item) else item


def _fields(value: dict[str, Any]) -> Fields:
    fields: Fields = {
        "title": text_in(value.get("title")),
        "abstract": text_in(value.get("abstract")),
        "year": text_in(value.get("year")),
        "doi": text_in(value.get("doi")),
        "pmid": text_in(value.get("pmid")),
        "own_id": text_in(value.get("own_id")) or text_in(value.get("publication_id")),
        "authors": texts_in(value.get("authors")),
        "venue": text_in(value.get("venue")),
        "volume": text_in(value.get("volume")),
        "issue": text_in(value.get("issue")),
        "pages": text_in(value.get("pages")),
        "keywords": texts_in(value.get("keywords")),
        "url": text_in(value.get("url")),
        "times_cited": text_in(value.get("times_cited")),
    }
    for kind in KINDS:
        if value.get("kind") == kind:
            fields["kind"] = kind
    if isinstance(value.get("included"), bool):
        fields["included"] = value["included"]
    return fields


QUERYSCAPE_JSONL = Format(
    "queryscape_jsonl", "Queryscape (JSON Lines)", queryscape_likeness, item_lines, read_queryscape
)
