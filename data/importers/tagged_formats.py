"""Tagged formats other than RIS: MEDLINE, Web of Science, EndNote and SMART."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.library.kinds import known_kind_of
from core.library.records import Kind, RawFields, year_of
from data.importers.source import Format, ImportEntry, ImportFile
from data.importers.tagged import (
    INVISIBLE,
    TYPES,
    Grammar,
    Line,
    TaggedEntry,
    Values,
    doi_in,
    each_line,
    first,
    head_of,
    included_by,
    lines_below,
    one_text,
    pages_of,
    parts_of,
    read_entries,
)

# EndNote's %-tagged export (.enw, .enl), also called Refer: a percent sign, a character and a space.

_LINE = re.compile(rf"[\s{INVISIBLE}]*%([0-9A-Z@!#$&()*+,./:;<=>?\[\]^~|_-])(?:[ \t\xa0]+(.*)|\s*)")
_SINGLE = frozenset("0TDVNPR78X")
_TAKEN = frozenset("0TADKXVNPJBRUMF")


def split_endnote(line: str, current: TaggedEntry | None) -> Line:
    """Return the character after a percent sign at the beginning of a line."""
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


def _first_likeness(source: ImportFile, tag: re.Pattern[str], others: re.Pattern[str], likeness: float) -> float:
    """Return the likeness if the tag is found, 0.5 if one of another format comes before it."""
    head = "\n" + head_of(source)
    found = tag.search(head)
    if found is None:
        return 0.0
    other = others.search(head)
    return 0.5 if other is not None and other.start() < found.start() else likeness


def _endnote_starts(source: ImportFile) -> Sequence[int]:
    """Return the lines of %0, or of a record's first tag without one; a repeated type or title starts a new record."""
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
        return lines_below(text, sorted(positions))
    return [line - 1 for line in lines_below("\n" + text, (f.start(1) for f in _FIELD.finditer("\n" + text)))]


def _begin_of_paragraph(text: str, position: int, before: int) -> int | None:
    """Return the beginning of the tags above a title, after a blank line or at the file's start; None: in a record."""
    begin = position
    while begin > before + 1:
        above = text.rfind("\n", before, begin - 1) + 1
        if not text.startswith("%", above):
            return None if text[above : begin - 1].strip() else begin
        if above <= before:
            return None if before else begin
        begin = above
    return None if before else begin


def endnote_entry(entry: TaggedEntry) -> ImportEntry:
    found = entry.by_tag()
    used = set(_TAKEN)
    notes = one_text([*found.get("Z", ()), *found.get("1", ())])
    fields: RawFields = {
        "title": one_text(found.get("T", ())),
        "abstract": one_text(found.get("X", ())),
        "year": next((text for tag in "D8" if year_of(text := first(found, tag)) is not None), ""),
        "doi": _doi(found),
        "own_id": first(found, "M", "F"),
        "authors": parts_of(found.get("A", found.get("E", []))),
        "venue": first(found, "J", "B"),
        "volume": first(found, "V"),
        "issue": first(found, "N"),
        "pages": pages_of(first(found, "P"), ""),
        "kind": TYPES.get(first(found, "0").upper()),
        "keywords": parts_of(found.get("K", ())),
        "url": first(found, "U"),
        "included": included_by(notes),
    }
    if "A" not in found:
        used.add("E")
    if fields["included"] is not None:
        used.update("Z1")
    return ImportEntry(entry.line, fields, [f"%{tag}" for tag in found if tag not in used])


def _doi(found: Values) -> str:
    for tag in ("R", "U", "M", "1", "Z"):
        for line in each_line(found.get(tag, ())):
            if "10." in line and (doi := doi_in(line)):
                return doi
    return ""


ENDNOTE = Format(
    "endnote_tagged",
    "EndNote (%-tagged)",
    lambda source: _first_likeness(source, _TAG, _OTHERS, 0.96),
    _endnote_starts,
    lambda source, asked: read_entries(source.text, ENDNOTE_GRAMMAR, endnote_entry),
)


# MEDLINE text: PubMed's nbib, ERIC's, and the older exports. A tag of up to four letters, padded, and a hyphen.

_MEDLINE_LINE = re.compile(rf"[{INVISIBLE}]*([A-Z][A-Z0-9]{{1,3}})(\s{{0,3}})-(\s?)(.*)")
_ALL = (
    "PMID OWN STAT DCOM LR IS VI IP DP TI PG LID AB CI FAU AU AD AUID LA PT DEP PL TA JT JID SB MH OTO OT COIS EDAT"
    " MHDA CRDT PHST AID PST SO PMC PMCR MID OID GR SI RN RF DA CN FIR IR FED ED BTI CTI CDAT CP CON CIN CRI CRF DDIN"
    " DRIN EIN EFR EN GN GS ISBN ISSN JC MANID NM OAB OABL OCI ORI PB PS ROF RPF RPI RIN SFM SPIN STO TT UIN UOF UI TW"
    " FPS PID PUBM PRIN UOF VTI SN EA AN FTI PUB"
)
MEDLINE_TAGS = frozenset(_ALL.split())
_MEDLINE_SINGLE = frozenset(
    {"PMID", "OWN", "UI", "STAT", "TI", "VI", "IP", "DP", "JT", "TA", "SO", "JID", "PMC", "PMCR", "LR"}
)
_MEDLINE_TAKEN = frozenset(
    "PMID TI AB DP VI IP PG FAU AU JT TA MH OT PT AID LID SO LA IS PMC RIN".split()  # noqa: SIM905
)


def split_medline(line: str, current: TaggedEntry | None) -> Line:
    """Return the tag of a line. Text inside a field is indented; an unindented line needs a known tag."""
    if line[:1] == " ":
        return None
    found = _MEDLINE_LINE.match(line)
    if found is None:
        return None
    tag, gap, space, value = found.groups()
    padded = len(tag) + len(gap) == 4 and line[4:5] == "-"
    if padded and (space or not value or tag in MEDLINE_TAGS) and tag not in ("TY", "ER"):
        return [tag, value]
    return [tag, value] if tag in MEDLINE_TAGS and (not gap or space) else None


MEDLINE_GRAMMAR = Grammar("PubMed", "PMID", "", split_medline, indented=True, single=_MEDLINE_SINGLE)


_FIRST_TAG = re.compile(
    rf"\n[{INVISIBLE}]*(?:PMID- ?\d|PMC - ?\S|PMCR- ?\S|OWN - ?\w|STAT- ?\w|UI  - ?\d{{7,8}}\s*\n|FAU - ?\S|JID - ?\w)"
)
_MEDLINE_OTHERS = re.compile(
    r"\n(?:[^\S\n]*TY ? ?- ?[A-Z]*[^\S\n]*\n|%0 |FN (?:ISI|Clarivate|Thomson)|PT [A-Z]\s*\n|@[A-Za-z]+\s*\{|\.I \d)"
)
_PMID = re.compile(rf"\n[{INVISIBLE}]*PMID ?-[^\n]*")
_OWN = re.compile(r"\n(?:OWN -|UI  -)[^\n]*")
_TITLE = re.compile(r"\n(?:TI  -|TI-)[^\n]*")


def _medline_starts(source: ImportFile) -> Sequence[int]:
    """Return the lines of PMID and, between them, of other paragraphs with a title; all paragraphs without a PMID."""
    text = "\n" + source.text
    begins = [found.start() + 1 for found in _PMID.finditer(text)]
    if not begins:
        anchors = [found.start() + 1 for found in _OWN.finditer(text)] or [
            found.start() + 1 for found in _TITLE.finditer(text)
        ]
        return lines_below(text, _paragraphs(text, anchors))
    further: list[int] = []
    for begin, stop in zip([0, *begins], [*begins, len(text)], strict=True):
        titles = [found.start() + 1 for found in _TITLE.finditer(text, begin, stop)]
        paragraphs = _paragraphs(text, titles)
        further += (paragraph for paragraph in paragraphs[begin > 0 :] if paragraph > begin)
    return lines_below(text, sorted({*begins, *further}))


def _paragraphs(text: str, positions: Sequence[int]) -> list[int]:
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


def medline_entry(entry: TaggedEntry) -> ImportEntry:
    found = entry.by_tag()
    used = set(_MEDLINE_TAKEN)
    types = _each_text(found.get("PT", ()))
    fields: RawFields = {
        "title": one_text(found.get("TI", ())) or _another(found, used, "BTI", "CTI", "TT", "VTI"),
        "abstract": one_text(found.get("AB", ())) or _another(found, used, "OAB"),
        "year": first(found, "DP") or _another(found, used, "DEP", "EDAT", "DA"),
        "doi": _medline_doi(found),
        "pmid": first(found, "PMID"),
        "own_id": _own_id(found, used),
        "authors": _medline_authors(found, used),
        "venue": first(found, "JT", "TA") or (_another(found, used, "BTI") if "TI" in found else ""),
        "volume": first(found, "VI"),
        "issue": first(found, "IP"),
        "pages": first(found, "PG"),
        "kind": known_kind_of(types),
        "keywords": _each_text(found.get("OT", ())),
        "url": next((line for line in each_line(found.get("LID", ())) if "://" in line), ""),
        "types": types,
        "headings": _each_text(found.get("MH", ())),
        "language": _each_text(found.get("LA", ())),
        "pmcid": first(found, "PMC"),
        "issn": _each_text(found.get("IS", ())),
        "is_retracted": True if "RIN" in found else None,
    }
    return ImportEntry(entry.line, fields, [tag for tag in found if tag not in used])


def _each_text(values: Iterable[list[str]]) -> list[str]:
    return [one_text([value]) for value in values]


def _another(found: Values, used: set[str], *tags: str) -> str:
    for tag in tags:
        if tag in found:
            used.add(tag)
            return first(found, tag)
    return ""


def _medline_authors(found: Values, used: set[str]) -> list[str]:
    full, short = found.get("FAU", []), found.get("AU", [])
    names = full if len(full) >= len(short) else short
    groups = found.get("CN", [])
    used.update({"CN"} if groups else ())
    if not names and "FED" in found:
        used.add("FED")
        names = found["FED"]
    return _each_text((*names, *groups))


def _medline_doi(found: Values) -> str:
    for tag in ("AID", "LID"):
        for line in each_line(found.get(tag, ())):
            if "10." in line and "[pii]" not in line:
                return line
    return doi_in(one_text(found.get("SO", ())))


def _own_id(found: Values, used: set[str]) -> str:
    """Return ERIC's number, or PubMed Central's if there is no PMID."""
    if "ERIC" in first(found, "OWN") and "OID" in found:
        used.update(("OID", "OWN"))
        return first(found, "OID")
    return "" if "PMID" in found else _another(found, used, "UI", "PMC", "AN")


MEDLINE = Format(
    "pubmed_nbib",
    "PubMed (nbib) and MEDLINE",
    lambda source: _first_likeness(source, _FIRST_TAG, _MEDLINE_OTHERS, 0.97),
    _medline_starts,
    lambda source, asked: read_entries(source.text, MEDLINE_GRAMMAR, medline_entry),
)


# Web of Science plain text and .ciw, older ISI exports and Zoological Record: two letters, a space, indented lines.

_WOS_ALL = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU FX CR NR TC Z9 U1 U2"
    " PU PI PA SN EI BN J9 JI PD PY VL IS PN SU SI MA BP EP AR DI D2 EA EY PG P2 WC WE SC GA UT PM OA HC HP DA ER EF"
    " AN ST TN OR BD AW PS UR NT TY PR MC SS CN MH MQ GE TM CH FT Z1 Z2 Z3 Z4 Z8 ZB ZS ZA ZR S1 X1 X4 X5 Y1 Y4 AE PC"
    " ED BR TA NO ET AA HD DS TH CI"
)
WOS_TAGS = frozenset(_WOS_ALL.split())
_WOS_USED = (
    "PT AU AF BA BF TI SO AB PY VL IS BP EP PS AR DI UT PM DT TC Z9 DE ID J9 JI AN FN VR EF PG CA UR TY LA SN EI"
)
_WOS_TAKEN = frozenset(_WOS_USED.split())


def split_wos(line: str, current: TaggedEntry | None) -> Line:
    """Return the tag of a line; the lines about the export itself (FN, VR, EF) end an open record."""
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
_WOS_TAG = re.compile(r"^(?:AU|TI|SO|PY|UT|AB|DT|LA|VL|BP) \S", re.MULTILINE)
_WOS_OTHERS = re.compile(r"\n(?:[^\S\n]*TY ? ?- ?[A-Z]*[^\S\n]*\n|%0 |PMID- ?\d|OWN - |@[A-Za-z]+\s*\{|\.I \d)")
_PT = re.compile(rf"\n[{INVISIBLE}]*PT(?:[ \t][^\n]*)?(?=\n|$)")


def _wos_likeness(source: ImportFile) -> float:
    return _first_likeness(source, _MARK, _WOS_OTHERS, 0.97) if _WOS_TAG.search(head_of(source)) else 0.0


def _begin_lines(source: ImportFile, begin: re.Pattern[str]) -> Sequence[int]:
    """Return the lines of a tag that begins every record. `begin` also matches the line break before it."""
    text = "\n" + source.text
    return lines_below(text, (found.start() + 1 for found in begin.finditer(text)))


def _is_record(part: TaggedEntry) -> bool:
    return part.begun is not None or any(tag in ("TI", "AB", "UT", "DI") for tag, *_ in part.fields)


def wos_entry(entry: TaggedEntry) -> ImportEntry:
    found = entry.by_tag()
    used = set(_WOS_TAKEN)
    fields: RawFields = {
        "title": one_text(found.get("TI", ())),
        "abstract": one_text(found.get("AB", ())),
        "year": first(found, "PY") or _another(found, used, "EY", "PD", "EA"),
        "doi": first(found, "DI") or _another(found, used, "D2"),
        "pmid": _pmid(found),
        "own_id": first(found, "UT", "AN"),
        "authors": _wos_authors(found, used),
        "venue": first(found, "SO") or _another(found, used, "SE", "JI", "J9"),
        "volume": first(found, "VL"),
        "issue": first(found, "IS"),
        "pages": pages_of(first(found, "BP"), first(found, "EP"), first(found, "PS", "AR")),
        "kind": _wos_kind(first(found, "PT").strip(), f"{first(found, 'DT')} {first(found, 'TY')}".lower()),
        "keywords": _listed(found, "DE", "ID"),
        "url": first(found, "UR"),
        "times_cited": first(found, "TC", "Z9"),
        "types": _listed(found, "DT"),
        "language": _listed(found, "LA"),
        "issn": _listed(found, "SN", "EI"),
    }
    return ImportEntry(entry.line, fields, [tag for tag in found if tag not in used])


def _listed(found: Values, *tags: str) -> list[str]:
    return [part.strip() for tag in tags for part in one_text(found.get(tag, ())).split(";") if part.strip()]


def _pmid(found: Values) -> str:
    own = first(found, "UT")
    return first(found, "PM") or (own if own.startswith("MEDLINE:") else "")


def _wos_authors(found: Values, used: set[str]) -> list[str]:
    """Return the authors, one per line, with full names if available; older exports put all of them on one line."""
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


def _wos_kind(published_as: str, document: str) -> Kind | None:
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


WOS = Format(
    "wos_text",
    "Web of Science (plain text)",
    _wos_likeness,
    lambda source: _begin_lines(source, _PT),
    lambda source, asked: read_entries(source.text, WOS_GRAMMAR, wos_entry, _is_record),
)


# SMART collections, documents and queries: .I with a number, then .T, .A, .B and .W each on a line of its own.

_HEAD = re.compile(r"\.([A-Z])(?:[ \t]+(.*)|\s*)")


def split_smart(line: str, current: TaggedEntry | None) -> Line:
    """Return the capital letter after a full stop; only .I has text after it."""
    if line[:1] != ".":
        return None
    found = _HEAD.fullmatch(line)
    if found is None or (found[2] and found[2].strip() and found[1] != "I"):
        return None
    return [found[1], found[2] or ""]


SMART_GRAMMAR = Grammar("SMART", "I", "I-", split_smart, indented=False)
_SMART_MARK = re.compile(r"^\.I +\S+\s*\n\.[A-Z]\s*$", re.MULTILINE)
_START = re.compile(r"\n\.I(?:[ \t][^\n]*)?(?=\n|$)")


def _smart_likeness(source: ImportFile) -> float:
    head = head_of(source)
    found = _SMART_MARK.search(head)
    if found is None:
        return 0.0
    return 0.98 if not head[: found.start()].strip() else 0.5


def smart_entry(entry: TaggedEntry) -> ImportEntry:
    found = entry.by_tag()
    fields: RawFields = {
        "own_id": first(found, "I"),
        "title": one_text(found.get("T", ())),
        "abstract": one_text(found.get("W", ())),
        "authors": parts_of(found.get("A", ()), " and "),
        "venue": one_text(found.get("B", ())),
        "year": one_text(found.get("B", ())),
        "keywords": parts_of(found.get("K", ())),
    }
    return ImportEntry(entry.line, fields, [f".{tag}" for tag in found if tag not in "ITWABK"])


SMART = Format(
    "smart",
    "SMART collection",
    _smart_likeness,
    lambda source: _begin_lines(source, _START),
    lambda source, asked: read_entries(source.text, SMART_GRAMMAR, smart_entry, lambda part: part.begun is not None),
)
