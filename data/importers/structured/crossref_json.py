"""Crossref's JSON: one work, an answer to a search, a list of works or one work in each line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.records.cleaning import Fields
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.structured.json_items import Item, item_lines, items, sample
from data.importers.structured.json_values import (
    at,
    first_text,
    kind_in,
    name_of,
    objects_in,
    text_in,
    texts_in,
    unused_in,
    year_in,
)

_HEADING = re.compile(r"\s*<(jats:)?title>\s*abstract\s*:?\s*</(jats:)?title>", re.IGNORECASE)
_DATES = ("issued", "published", "published-print", "published-online", "posted", "created")
_TAKEN = frozenset(
    [
        "title",
        "subtitle",
        "abstract",
        "DOI",
        "author",
        "editor",
        "container-title",
        "volume",
        "issue",
        "page",
        "article-number",
        "type",
        "subtype",
        "subject",
        "URL",
        "is-referenced-by-count",
        "indexed",
        "deposited",
        "score",
        "source",
        "member",
        "prefix",
        "resource",
    ]
) | frozenset(_DATES)


def crossref_likeness(source: Source) -> float:
    """Works of Crossref have a DOI in capitals and their title in a list."""
    works = [work_in(value) for value in sample(source)]
    like = [w for w in works if "DOI" in w and (isinstance(w.get("title"), list) or "is-referenced-by-count" in w)]
    return 0.95 if like else 0.0


def work_in(value: dict[str, Any]) -> dict[str, Any]:
    """The work in an answer that holds one."""
    message = value.get("message")
    return message if isinstance(message, dict) else value


def read_crossref(source: Source, asked: Asked) -> Iterator[Part]:
    """Each work."""
    for item in items(source):
        if isinstance(item, Item):
            work = work_in(item.value)
            yield Entry(item.line, crossref_fields(work), unused_in(work, _TAKEN))
        else:
            yield item


def crossref_fields(work: dict[str, Any]) -> Fields:
    """What Crossref says of a work, not cleaned yet."""
    title, subtitle = text_in(work.get("title")), text_in(work.get("subtitle"))
    if title and subtitle and subtitle.lower() not in title.lower():
        title = f"{title.rstrip(':')}: {subtitle}"
    fields: Fields = {
        "title": title,
        "abstract": _HEADING.sub("", text_in(work.get("abstract"))),
        "year": next((year for name in _DATES if (year := year_in(work.get(name)))), ""),
        "doi": text_in(work.get("DOI")),
        "authors": [name_of(a) for a in objects_in(work.get("author")) or objects_in(work.get("editor"))],
        "venue": text_in(work.get("container-title")),
        "volume": text_in(work.get("volume")),
        "issue": text_in(work.get("issue")),
        "pages": first_text(work, "page", "article-number"),
        "keywords": texts_in(work.get("subject")),
        "url": text_in(at(work, "resource", "primary", "URL")) or text_in(work.get("URL")),
        "times_cited": text_in(work.get("is-referenced-by-count")),
    }
    if kind := kind_in(first_text(work, "subtype") or text_in(work.get("type"))):
        fields["kind"] = kind
    return fields


CROSSREF_JSON = Format("crossref_json", "Crossref (JSON)", crossref_likeness, item_lines, read_crossref)
