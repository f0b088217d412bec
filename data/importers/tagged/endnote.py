"""EndNote's %-tagged export (.enw, .enl), also called Refer: a percent sign, a sign and a space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.records.cleaning import Fields, year_of
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.tagged.lines import (
    INVISIBLE,
    Gathered,
    Grammar,
    Line,
    each_line,
    head_of,
    line_numbers,
    one_text,
    parts_of,
    read_entries,
)
from data.importers.tagged.ris_fields import TYPES, Values, doi_in, first, included_by, pages_of

_LINE = re.compile(rf"[\s{INVISIBLE}]*%([0-9A-Z@!#$&()*+,./:;<=>?\[\]^~|_-])(?:[ \t\xa0]+(.*)|\s*)")
_SINGLE = frozenset("0TDVNPR78X")
_TAKEN = frozenset("0TADKXVNPJBRUMF")


def split_endnote(line: str, current: Gathered | None) -> Line:
    """The sign after a percent sign that a line begins with."""
    if "%" not in line[:20]:
        return None
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    tag, value = found[1], found[2] or ""
    in_text = current is not None and current.fields[-1][0] == "X"
    return None if in_text and tag != "0" and not tag.isalpha() and value[:1].islower() else [tag, value]


ENDNOTE_GRAMMAR = Grammar("EndNote", "0", "", split_endnote, indented=False, single=_SINGLE, opens="T")

_TAG = re.compile(rf"\n(?:[^\S\n]|[{INVISIBLE}])*%(?:0(?:[ \t]|\n|$)|[ATDEJ] \S)")
_OTHERS = re.compile(
    r"\n(?:[^\S\n]*TY ? ?- ?[A-Z]*[^\S\n]*\n|FN (?:ISI|Clarivate)|PT [A-Z]\s*\n|PMID- ?\d|@[A-Za-z]+\s*\{|\.I \d)"
)
_BEGIN = re.compile(rf"\n[^\S\n]*[{INVISIBLE}]*%([0T])(?:[ \t\xa0][^\n]*)?(?=\n|$)")
_FIELD = re.compile(r"\n\n(%[A-Z1-9@] )")


def _likeness(source: Source) -> float:
    head = "\n" + head_of(source)
    found = _TAG.search(head)
    if found is None:
        return 0.0
    other = _OTHERS.search(head)
    return 0.5 if other is not None and other.start() < found.start() else 0.96


def _starts(source: Source) -> Sequence[int]:
    """Lines of %0, or of the first tag of a record that has none; a type or a title that comes again is one more."""
    text = "\n" + source.text
    positions: list[int] = []
    seen = ""
    before = 0
    for found in _BEGIN.finditer(text):
        position, begin = found.start() + 1, _begin_of_paragraph(text, found.start() + 1, before)
        if not seen or (found[1] in seen and (begin is not None or found[1] == "0" or seen[0] == "T")):
            seen = found[1]
            positions.append(begin if begin is not None and seen == "T" else position)
        elif found[1] == "0" and "0" not in seen:
            positions[-1] = position
        seen += found[1]
        before = found.end()
    if positions:
        return [line - 1 for line in line_numbers(text, sorted(positions))]
    return [line - 2 for line in line_numbers("\n" + text, (f.start(1) for f in _FIELD.finditer("\n" + text)))]


def _begin_of_paragraph(text: str, position: int, before: int) -> int | None:
    """Where the tags above a title begin, after a blank line or the file's begin; None: they belong to a record."""
    begin = position
    while begin > before + 1:
        above = text.rfind("\n", before, begin - 1) + 1
        if not text.startswith("%", above):
            return None if text[above : begin - 1].strip() else begin
        if above <= before:
            return None if before else begin
        begin = above
    return None if before else begin


def _read(source: Source, asked: Asked) -> Iterable[Part]:
    return read_entries(source.text, ENDNOTE_GRAMMAR, endnote_entry)


def endnote_entry(entry: Gathered) -> Entry:
    """One record's fields."""
    found = entry.by_tag()
    fields: Fields = {}
    used = set(_TAKEN)
    kind = TYPES.get(first(found, "0").upper())
    notes = one_text([*found.get("Z", ()), *found.get("1", ())])
    for name, text in (
        ("title", one_text(found.get("T", ()))),
        ("abstract", one_text(found.get("X", ()))),
        ("year", next((text for tag in "D8" if year_of(text := first(found, tag)) is not None), "")),
        ("doi", _doi(found)),
        ("own_id", first(found, "M", "F")),
        ("venue", first(found, "J", "B")),
        ("volume", first(found, "V")),
        ("issue", first(found, "N")),
        ("pages", pages_of(first(found, "P"), "")),
        ("url", first(found, "U")),
    ):
        if text:
            fields[name] = text  # type: ignore[literal-required]
    names = found.get("A") or found.get("E", [])
    used.update(() if "A" in found else ("E",))
    if names:
        fields["authors"] = parts_of(names)
    if "K" in found:
        fields["keywords"] = parts_of(found["K"])
    if kind:
        fields["kind"] = kind
    if (included := included_by(notes)) is not None:
        fields["included"] = included
        used.update("Z1")
    return Entry(entry.line, fields, [f"%{tag}" for tag in found if tag not in used])


def _doi(found: Values) -> str:
    for tag in ("R", "U", "M", "1", "Z"):
        for line in each_line(found.get(tag, ())):
            if "10." in line and (doi := doi_in(line)):
                return doi
    return ""


ENDNOTE = Format("endnote_tagged", "EndNote (%-tagged)", _likeness, _starts, _read)
