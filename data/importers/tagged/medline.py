"""MEDLINE text: PubMed's nbib, ERIC's, and the older exports. A tag of up to four letters, padded, and a hyphen."""

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
from data.importers.tagged.ris_fields import Values, doi_in, first

_LINE = re.compile(rf"[{INVISIBLE}]*([A-Z][A-Z0-9]{{1,3}})(\s{{0,3}})-(\s?)(.*)")
_ALL = (
    "PMID OWN STAT DCOM LR IS VI IP DP TI PG LID AB CI FAU AU AD AUID LA PT DEP PL TA JT JID SB MH OTO OT COIS EDAT"
    " MHDA CRDT PHST AID PST SO PMC PMCR MID OID GR SI RN RF DA CN FIR IR FED ED BTI CTI CDAT CP CON CIN CRI CRF DDIN"
    " DRIN EIN EFR EN GN GS ISBN ISSN JC MANID NM OAB OABL OCI ORI PB PS ROF RPF RPI RIN SFM SPIN STO TT UIN UOF UI TW"
    " FPS PID PUBM PRIN UOF VTI SN EA AN FTI PUB"
)
MEDLINE_TAGS = frozenset(_ALL.split())
_SINGLE = frozenset({"PMID", "OWN", "UI", "STAT", "TI", "VI", "IP", "DP", "JT", "TA", "SO", "JID", "PMC", "PMCR", "LR"})
_TAKEN = frozenset(
    {"PMID", "TI", "AB", "DP", "VI", "IP", "PG", "FAU", "AU", "JT", "TA", "MH", "OT", "PT", "AID", "LID", "SO"}
)


def split_medline(line: str, current: Gathered | None) -> Line:
    """The tag of a line. Text inside a field is indented; a line that is not needs a known tag."""
    if line[:1] == " ":
        return None
    found = _LINE.match(line)
    if found is None:
        return None
    tag, gap, space, value = found.groups()
    padded = len(tag) + len(gap) == 4 and line[4:5] == "-"
    if padded and (space or not value or tag in MEDLINE_TAGS) and tag not in ("TY", "ER"):
        return [tag, value]
    return [tag, value] if tag in MEDLINE_TAGS and (not gap or space) else None


MEDLINE_GRAMMAR = Grammar("PubMed", "PMID", "", split_medline, indented=True, single=_SINGLE)


def _likeness(source: Source) -> float:
    head = "\n" + head_of(source)
    found = _FIRST_TAG.search(head)
    if found is None:
        return 0.0
    other = _OTHERS.search(head)
    return 0.5 if other is not None and other.start() < found.start() else 0.97


_FIRST_TAG = re.compile(
    rf"\n[{INVISIBLE}]*(?:PMID- ?\d|PMC - ?\S|PMCR- ?\S|OWN - ?\w|STAT- ?\w|UI  - ?\d{{7,8}}\s*\n|FAU - ?\S|JID - ?\w)"
)
_OTHERS = re.compile(
    r"\n(?:[^\S\n]*TY ? ?- ?[A-Z]*[^\S\n]*\n|%0 |FN (?:ISI|Clarivate|Thomson)|PT [A-Z]\s*\n|@[A-Za-z]+\s*\{|\.I \d)"
)
_PMID = re.compile(rf"\n[{INVISIBLE}]*PMID ?-[^\n]*")
_OWN = re.compile(r"\n(?:OWN -|UI  -)[^\n]*")
_TITLE = re.compile(r"\n(?:TI  -|TI-)[^\n]*")


def _starts(source: Source) -> Sequence[int]:
    """Lines of PMID and, between them, the first of each further paragraph with a title; without a PMID, paragraphs."""
    text = "\n" + source.text
    begins = [found.start() + 1 for found in _PMID.finditer(text)]
    if not begins:
        anchors = [found.start() + 1 for found in _OWN.finditer(text)] or [
            found.start() + 1 for found in _TITLE.finditer(text)
        ]
        return [line - 1 for line in line_numbers(text, _paragraphs(text, anchors))]
    further: list[int] = []
    for begin, stop in zip([0, *begins], [*begins, len(text)], strict=True):
        titles = [found.start() + 1 for found in _TITLE.finditer(text, begin, stop)]
        paragraphs = _paragraphs(text, titles)
        further += (paragraph for paragraph in paragraphs[begin > 0 :] if paragraph > begin)
    return [line - 1 for line in line_numbers(text, sorted({*begins, *further}))]


def _paragraphs(text: str, positions: Sequence[int]) -> list[int]:
    """Where the paragraphs begin in which the positions lie."""
    begins: list[int] = []
    searched = 0
    for position in positions:
        blank = text.rfind("\n\n", searched, position)
        searched = position
        if blank >= 0 or not begins:
            begin = blank + 2 if blank >= 0 else 0
            while begin < position and text[begin].isspace():
                begin += 1
            begins.append(begin)
    return begins


def _read(source: Source, asked: Asked) -> Iterable[Part]:
    return read_entries(source.text, MEDLINE_GRAMMAR, medline_entry)


def medline_entry(entry: Gathered) -> Entry:
    """One record's fields."""
    found = entry.by_tag()
    fields: Fields = {}
    used = set(_TAKEN)
    titles = one_text(found.get("TI", ())) or _another(found, used, "BTI", "CTI", "TT", "VTI")
    abstract = one_text(found.get("AB", ())) or _another(found, used, "OAB")
    for name, text in (
        ("title", titles),
        ("abstract", abstract),
        ("year", first(found, "DP") or _another(found, used, "DEP", "EDAT", "DA")),
        ("doi", _doi(found)),
        ("pmid", first(found, "PMID")),
        ("own_id", _own_id(found, used)),
        (
            "venue",
            first(found, "JT", "TA") or (_another(found, used, "BTI") if "BTI" in found and "TI" in found else ""),
        ),
        ("volume", first(found, "VI")),
        ("issue", first(found, "IP")),
        ("pages", first(found, "PG")),
        ("url", next((line for line in each_line(found.get("LID", ())) if "://" in line), "")),
    ):
        if text:
            fields[name] = text  # type: ignore[literal-required]
    if authors := _authors(found, used):
        fields["authors"] = authors
    if keywords := [one_text([value]) for tag in ("MH", "OT") for value in found.get(tag, ())]:
        fields["keywords"] = keywords
    if kind := _kind(one_text(found.get("PT", ())).lower()):
        fields["kind"] = kind
    return Entry(entry.line, fields, [tag for tag in found if tag not in used])


def _another(found: Values, used: set[str], *tags: str) -> str:
    for tag in tags:
        if tag in found:
            used.add(tag)
            return first(found, tag)
    return ""


def _authors(found: Values, used: set[str]) -> list[str]:
    full, short = found.get("FAU", []), found.get("AU", [])
    names = full if len(full) >= len(short) else short
    groups = found.get("CN", [])
    used.update({"CN"} if groups else ())
    if not names and "FED" in found:
        used.add("FED")
        names = found["FED"]
    return [one_text([name]) for name in (*names, *groups)]


def _doi(found: Values) -> str:
    for tag in ("AID", "LID"):
        for line in each_line(found.get(tag, ())):
            if "10." in line and "[pii]" not in line:
                return line
    return doi_in(one_text(found.get("SO", ())))


def _own_id(found: Values, used: set[str]) -> str:
    """ERIC's number, or PubMed Central's where there is no PMID."""
    if "ERIC" in first(found, "OWN") and "OID" in found:
        used.update(("OID", "OWN"))
        return first(found, "OID")
    return "" if "PMID" in found else _another(found, used, "UI", "PMC", "AN")


_KINDS: tuple[tuple[str, Kind], ...] = (
    ("preprint", "preprint"),
    ("journal article", "article"),
    ("dissertation", "thesis"),
    ("theses", "thesis"),
    ("proceedings", "conference"),
    ("congress", "conference"),
    ("speeches/meeting papers", "conference"),
    ("technical report", "report"),
    ("book chapter", "chapter"),
    ("journal", "article"),
    ("review", "article"),
    ("editorial", "article"),
    ("letter", "article"),
    ("book", "book"),
    ("reports", "report"),
)


def _kind(types: str) -> Kind | None:
    if not types.strip():
        return None
    return next((kind for name, kind in _KINDS if name in types), "other")


MEDLINE = Format("pubmed_nbib", "PubMed (nbib) and MEDLINE", _likeness, _starts, _read)
