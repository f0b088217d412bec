"""CSL JSON, which Zotero, Mendeley and citation services write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.records.cleaning import Fields
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.structured.json_items import Item, item_lines, items, sample
from data.importers.structured.json_values import (
    first_text,
    kind_in,
    name_of,
    objects_in,
    text_in,
    texts_in,
    unused_in,
    year_in,
)

TYPES = frozenset(
    [
        "article",
        "article-journal",
        "article-magazine",
        "article-newspaper",
        "paper-conference",
        "book",
        "chapter",
        "entry",
        "entry-encyclopedia",
        "entry-dictionary",
        "thesis",
        "report",
        "manuscript",
        "webpage",
        "dataset",
        "review",
        "review-book",
        "speech",
        "document",
        "post",
        "post-weblog",
        "software",
        "patent",
        "standard",
        "broadcast",
        "motion_picture",
        "bill",
        "personal_communication",
        "periodical",
        "collection",
    ]
)
_OF_CSL = ("issued", "container-title", "author", "DOI", "accessed", "citation-key", "title-short")
_TAKEN = frozenset(
    [
        "type",
        "title",
        "abstract",
        "issued",
        "DOI",
        "PMID",
        "author",
        "editor",
        "container-title",
        "volume",
        "issue",
        "page",
        "number",
        "keyword",
        "URL",
    ]
)
_PMID = re.compile(r"\bPMID:\s*(\d{1,8})\b", re.IGNORECASE)


def csl_likeness(source: Source) -> float:
    """Items have a type of CSL's and a field spelled as only CSL spells it."""
    values = sample(source)
    like = [v for v in values if v.get("type") in TYPES and "title" in v and any(name in v for name in _OF_CSL)]
    return 0.9 if like else 0.0


def read_csl(source: Source, asked: Asked) -> Iterator[Part]:
    """Each item."""
    for item in items(source):
        if isinstance(item, Item):
            yield Entry(item.line, _fields(item.value), unused_in(item.value, _TAKEN))
        else:
            yield item


def _fields(item: dict[str, Any]) -> Fields:
    noted = _PMID.search(text_in(item.get("note")))
    fields: Fields = {
        "title": text_in(item.get("title")),
        "abstract": text_in(item.get("abstract")),
        "year": year_in(item.get("issued")),
        "doi": text_in(item.get("DOI")),
        "pmid": text_in(item.get("PMID")) or (noted[1] if noted else ""),
        "authors": [name_of(a) for a in objects_in(item.get("author")) or objects_in(item.get("editor"))],
        "venue": text_in(item.get("container-title")),
        "volume": text_in(item.get("volume")),
        "issue": text_in(item.get("issue")),
        "pages": first_text(item, "page", "number"),
        "keywords": texts_in(item.get("keyword"), signs=";,"),
        "url": text_in(item.get("URL")),
    }
    if kind := kind_in(text_in(item.get("type"))):
        fields["kind"] = kind
    return fields


CSL_JSON = Format("csl_json", "CSL JSON (Zotero)", csl_likeness, item_lines, read_csl)
