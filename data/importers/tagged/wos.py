"""Web of Science plain text and .ciw, older ISI exports and Zoological Record: two letters, a space, indented lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.records.cleaning import Fields, Kind
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
    read_entries,
)
from data.importers.tagged.ris_fields import Values, first, pages_of

_ALL = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU FX CR NR TC Z9 U1 U2"
    " PU PI PA SN EI BN J9 JI PD PY VL IS PN SU SI MA BP EP AR DI D2 EA EY PG P2 WC WE SC GA UT PM OA HC HP DA ER EF"
    " AN ST TN OR BD AW PS UR NT TY PR MC SS CN MH MQ GE TM CH FT Z1 Z2 Z3 Z4 Z8 ZB ZS ZA ZR S1 X1 X4 X5 Y1 Y4 AE PC"
    " ED BR TA NO ET AA HD DS TH CI"
)
WOS_TAGS = frozenset(_ALL.split())
_TAKEN = frozenset(
    "PT AU AF BA BF TI SO AB PY VL IS BP EP PS AR DI UT PM DT TC Z9 DE ID J9 JI AN FN VR EF PG CA UR TY".split()  # noqa: SIM905
)


def split_wos(line: str, current: Gathered | None) -> Line:
    """The tag of a line; the lines that name the export (FN, VR, EF) end whatever record is open."""
    if line[:1] in INVISIBLE:
        line = line.lstrip(INVISIBLE)
    if not line[:1].isalpha() or not (len(line) < 3 or line[2].isspace()):
        return None
    tag, value = line[:2], line[3:]
    if tag not in WOS_TAGS or (tag in ("ER", "EF") and value.strip()):
        return None
    return [tag, value] if tag not in ("EF", "FN", "VR") else ["ER", ""]


WOS_GRAMMAR = Grammar("WoS", "PT", "ER", split_wos, indented=True)

_MARK = re.compile(rf"\n[{INVISIBLE}]*(?:FN (?:ISI|Clarivate|Thomson|Web)[^\n]*|PT [A-Z]\s*?)(?=\n|$)")
_TAG = re.compile(r"^(?:AU|TI|SO|PY|UT|AB|DT|LA|VL|BP) \S", re.MULTILINE)
_OTHERS = re.compile(r"\n(?:[^\S\n]*TY ? ?- ?[A-Z]*[^\S\n]*\n|%0 |PMID- ?\d|OWN - |@[A-Za-z]+\s*\{|\.I \d)")
_PT = re.compile(rf"\n[{INVISIBLE}]*PT(?:[ \t][^\n]*)?(?=\n|$)")


def _likeness(source: Source) -> float:
    head = "\n" + head_of(source)
    found = _MARK.search(head)
    if found is None or not _TAG.search(head):
        return 0.0
    other = _OTHERS.search(head)
    return 0.5 if other is not None and other.start() < found.start() else 0.97


def _starts(source: Source) -> Sequence[int]:
    text = "\n" + source.text
    return [line - 1 for line in line_numbers(text, (found.start() + 1 for found in _PT.finditer(text)))]


def _read(source: Source, asked: Asked) -> Iterable[Part]:
    return read_entries(source.text, WOS_GRAMMAR, wos_entry, _is_record)


def _is_record(part: Gathered) -> bool:
    """Also one that lost its first tag, if it says something of a publication."""
    return part.begun is not None or any(tag in ("TI", "AB", "UT", "DI") for tag, *_ in part.fields)


def wos_entry(entry: Gathered) -> Entry:
    """One record's fields."""
    found = entry.by_tag()
    fields: Fields = {}
    used = set(_TAKEN)
    for name, text in (
        ("title", one_text(found.get("TI", ()))),
        ("abstract", one_text(found.get("AB", ()))),
        ("year", first(found, "PY") or _another(found, used, "EY", "PD", "EA")),
        ("doi", first(found, "DI") or _another(found, used, "D2")),
        ("pmid", _pmid(found)),
        ("own_id", first(found, "UT", "AN")),
        ("venue", first(found, "SO") or _another(found, used, "SE", "JI", "J9")),
        ("volume", first(found, "VL")),
        ("issue", first(found, "IS")),
        ("pages", pages_of(first(found, "BP"), first(found, "EP"), first(found, "PS", "AR"))),
        ("times_cited", first(found, "TC", "Z9")),
        ("url", first(found, "UR")),
    ):
        if text:
            fields[name] = text  # type: ignore[literal-required]
    if authors := _authors(found, used):
        fields["authors"] = authors
    if keywords := [word for tag in ("DE", "ID") if tag in found for word in one_text(found[tag]).split(";")]:
        fields["keywords"] = keywords
    if kind := _kind(first(found, "PT").strip(), f"{first(found, 'DT')} {first(found, 'TY')}".lower()):
        fields["kind"] = kind
    return Entry(entry.line, fields, [tag for tag in found if tag not in used])


def _another(found: Values, used: set[str], *tags: str) -> str:
    for tag in tags:
        if tag in found:
            used.add(tag)
            return first(found, tag)
    return ""


def _pmid(found: Values) -> str:
    own = first(found, "UT")
    return first(found, "PM") or (own if own.startswith("MEDLINE:") else "")


def _authors(found: Values, used: set[str]) -> list[str]:
    """One a line, with full names where the file has them; older exports put all of them on one."""
    full, short = (each_line([*found.get(tag, []), *found.get(book, [])]) for tag, book in (("AF", "BF"), ("AU", "BA")))
    names = full if len(full) >= len(short) else short
    if not names and "BE" in found:
        used.add("BE")
        names = each_line(found["BE"])
    return [
        name.partition(" (")[0] if "@" in name else name
        for line in (*names, *each_line(found.get("CA", ())))
        for name in line.split(";")
    ]


_PUBLISHED_AS: dict[str, Kind] = {"J": "article", "B": "book", "S": "book", "C": "conference", "P": "other"}


def _kind(published_as: str, document: str) -> Kind | None:
    if "thesis" in document or "dissertation" in document:
        return "thesis"
    if "proceedings paper" in document or "meeting" in document or "conf" in document:
        return "conference"
    if "chapter" in document:
        return "chapter"
    if "preprint" in document:
        return "preprint"
    if document.strip() == "book":
        return "book"
    return _PUBLISHED_AS.get(published_as)


WOS = Format("wos_text", "Web of Science (plain text)", _likeness, _starts, _read)
