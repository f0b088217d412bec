"""SMART collections, documents and queries: .I with a number, then .T, .A, .B and .W each on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.records.cleaning import Fields
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.tagged.lines import (
    Gathered,
    Grammar,
    Line,
    head_of,
    line_numbers,
    one_text,
    parts_of,
    read_entries,
)
from data.importers.tagged.ris_fields import first

_HEAD = re.compile(r"\.([A-Z])(?:[ \t]+(.*)|\s*)")


def split_smart(line: str, current: Gathered | None) -> Line:
    """A full stop and a capital letter; only .I has something beside it."""
    if line[:1] != ".":
        return None
    found = _HEAD.fullmatch(line)
    if found is None or (found[2] and found[2].strip() and found[1] != "I"):
        return None
    return [found[1], found[2] or ""]


SMART_GRAMMAR = Grammar("SMART", "I", "I-", split_smart, indented=False)
_MARK = re.compile(r"^\.I +\S+\s*\n\.[A-Z]\s*$", re.MULTILINE)
_START = re.compile(r"\n\.I(?:[ \t][^\n]*)?(?=\n|$)")


def _likeness(source: Source) -> float:
    head = head_of(source)
    found = _MARK.search(head)
    if found is None:
        return 0.0
    return 0.98 if not head[: found.start()].strip() else 0.5


def _starts(source: Source) -> Sequence[int]:
    text = "\n" + source.text
    return [line - 1 for line in line_numbers(text, (found.start() + 1 for found in _START.finditer(text)))]


def _read(source: Source, asked: Asked) -> Iterable[Part]:
    return read_entries(source.text, SMART_GRAMMAR, smart_entry, lambda part: part.begun is not None)


def smart_entry(entry: Gathered) -> Entry:
    """One document or query."""
    found = entry.by_tag()
    fields: Fields = {}
    for name, text in (
        ("own_id", first(found, "I")),
        ("title", one_text(found.get("T", ()))),
        ("abstract", one_text(found.get("W", ()))),
        ("venue", one_text(found.get("B", ()))),
        ("year", one_text(found.get("B", ()))),
    ):
        if text.strip():
            fields[name] = text.strip()  # type: ignore[literal-required]
    if "A" in found:
        fields["authors"] = parts_of(found["A"], " and ")
    if "K" in found:
        fields["keywords"] = parts_of(found["K"])
    return Entry(entry.line, fields, [f".{tag}" for tag in found if tag not in "ITWABK"])


SMART = Format("smart", "SMART collection", _likeness, _starts, _read)
