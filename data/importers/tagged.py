"""Formats with a tag at the beginning of each line: their grammar, and RIS in all its variants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as field_of
from itertools import chain
from urllib.parse import unquote

from core.library.kinds import is_preprint_server
from core.library.records import RETRACTED_NOTE, Kind, RawFields, issns_of, pmcid_of, year_of
from core.text import many
from data.importers.source import Format, ImportEntry, ImportFile, ImportRejection, Note, Part, ReadOptions

# Shared code of the tagged formats: lines become fields, fields become the entries of a file.
#
# A format defines how its lines are split (`Grammar.split`), and the tags that begin and end an entry. Damage is
# expected: a missing end, an entry without its first tag, blank lines anywhere, text of another format in between.

BLOCK = 1_000_000
"""Characters split into lines at once: a list of all lines of a large file would double its size."""

Line = list[str] | None
"""A tag and the text after it, in a new list each time; None for a line without a tag."""

LONGEST_NUMBERING = 300

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_NUMBERING = re.compile(r"\d{1,7}\.|<\d{1,7}>|\[\d{1,7}\]|Record #?\d+ of \d+|(?:</?[A-Za-z][^<>]*>\s*)+")
_HEADER = re.compile(r"\s*(?:Provider|Database|Content|Export Date)\s*:", re.IGNORECASE)
_FOREIGN = re.compile(
    r"(?:(?P<BibTeX>@[A-Za-z]{3,20} ?(?:\{|\([^\s(),]+,))|(?P<EndNote>%0 [A-Z][A-Za-z -]{2,40}$)"
    r"|(?P<PubMed>PMID-\s*\d)|(?P<WoS>PT [A-Z]\s*$|FN (?:Clarivate|Thomson|ISI)\b)|(?P<RIS>TY  - ?[A-Z]{3,})"
    r"|(?P<XML><\?xml|<PubmedArticle|<xml>|<records?>)|(?P<SMART>\.I \d))"
)
_NAMES = {"PubMed": "PubMed (nbib)", "WoS": "Web of Science", "EndNote": "EndNote (%-tagged)"}


@dataclass(slots=True)
class TaggedEntry:
    line: int
    """The line of its first tag; moved if that tag comes later."""
    fields: list[list[str]] = field_of(default_factory=list)
    """Tag, the text after it, and every line that continues it."""
    begun: int | None = None
    """Number of fields before the tag that begins an entry; None without one."""
    detached: bool = False
    """It follows a blank line and has no beginning of its own: it may belong to the previous entry."""
    loose: bool = False
    """Its first line breaks the rules of the format, so the others may too."""

    def by_tag(self) -> dict[str, list[list[str]]]:
        """Return tag -> its values, each as a list of lines; without empty ones."""
        found: dict[str, list[list[str]]] = {}
        for field in self.fields:
            held = [line for line in field[1:] if line and not line.isspace()] if len(field) > 2 else [field[1]]
            if not held or not held[0] or held[0].isspace():
                continue
            if field[0] in found:
                found[field[0]].append(held)
            else:
                found[field[0]] = [held]
        return found


@dataclass(frozen=True, slots=True)
class StrayLine:
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Grammar:
    own: str
    """Its name among the formats that can be recognised from one line."""
    begin: str
    end: str
    """Empty: entries end with a blank line."""
    split: Callable[[str, TaggedEntry | None], Line]
    indented: bool
    """Continuation lines are indented, so an unindented line after a blank line belongs to no field."""
    single: frozenset[str] = frozenset()
    """Tags that occur once per entry, for entries that only a blank line separates."""
    opens: str = ""
    """A tag that begins the next entry if it also began the current one."""


def head_of(source: ImportFile) -> str:
    return source.text.lstrip()[:20_000] if source.head.isspace() else source.head


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line with its number, from 1; of empty lines in a row only the first."""
    number, start, was_empty = 0, 0, False
    while start >= 0:
        end = text.find("\n", min(start + BLOCK, len(text)))
        for line in text[start : len(text) if end < 0 else end].split("\n"):
            number += 1
            if line:
                was_empty = False
            elif was_empty:
                continue
            else:
                was_empty = True
            yield number, line
        start = end + 1 if end >= 0 else -1


def line_numbers(text: str, positions: Iterable[int]) -> Iterator[int]:
    """Yield the line of each position; positions must ascend."""
    line, counted = 1, 0
    for position in positions:
        line += text.count("\n", counted, position)
        counted = position
        yield line


def lines_below(text: str, positions: Iterable[int]) -> list[int]:
    """Return the file's line of each position in its text with a line break in front; positions must ascend."""
    return [line - 1 for line in line_numbers(text, positions)]


def foreign_format(line: str, own: str) -> str | None:
    found = _FOREIGN.match(line)
    if found is None or found.lastgroup == own or found.lastgroup is None:
        return None
    return _NAMES.get(found.lastgroup, found.lastgroup)


def gathered(text: str, grammar: Grammar) -> Iterator[TaggedEntry | StrayLine | ImportRejection]:
    if grammar.end:
        return _gathered(text, grammar)
    return _rejoined(_gathered(text, grammar), grammar.single)


def _gathered(text: str, grammar: Grammar) -> Iterator[TaggedEntry | StrayLine | ImportRejection]:
    gathering = _Gathering(grammar)
    split, take = grammar.split, gathering.take
    edges = {grammar.begin, grammar.end, grammar.opens}
    for number, line in numbered_lines(text):
        current = gathering.current
        found = split(line, current)
        if found is not None and current is not None and not gathering.blank and found[0] not in edges:
            current.fields.append(found)
        elif done := take(number, line, found):
            yield from done
    if gathering.current is not None:
        yield gathering.current


class _Gathering:
    def __init__(self, grammar: Grammar) -> None:
        self.current: TaggedEntry | None = None
        self._grammar = grammar
        self._begin, self._end = grammar.begin, grammar.end
        self._opens = grammar.opens
        self.blank = True
        self._foreign = False

    def take(self, number: int, line: str, found: Line) -> Sequence[TaggedEntry | StrayLine | ImportRejection]:
        current = self.current
        if found is None and self._is_blank(line):
            self.blank = True
            return ()
        if current is None or self.blank or (found is None and not self._end):
            if name := foreign_format(line, self._grammar.own):
                self.blank, self._foreign = False, True
                reason = f"it looks like {name}: put these records into a separate file"
                return (*self._closed(), ImportRejection(number, reason))
            if self._foreign and (found is None or found[0] != self._begin):
                self.blank = False
                return ()
        if found is None:
            return self._continue(number, line)
        tag = found[0]
        done: Sequence[TaggedEntry | StrayLine | ImportRejection] = ()
        if tag == self._begin:
            done = self._open(number, line)
        elif tag == self._end:
            self.blank = True
            return self._closed()
        elif current is None or (not self._end and (self.blank or tag == self._opens == current.fields[0][0])):
            done = self._closed()
            self.current = TaggedEntry(number, detached=bool(done) and self.blank)
        assert self.current is not None
        self.current.fields.append(found)
        self.blank = False
        return done

    def _is_blank(self, line: str) -> bool:
        if not line or line.isspace() or not line.strip(INVISIBLE + " \t"):
            return True
        if not (self.blank or self.current is None) or len(line) > LONGEST_NUMBERING:
            return False
        return _NUMBERING.fullmatch(line.strip()) is not None

    def _continue(self, number: int, line: str) -> Sequence[StrayLine]:
        if self.current is None or (self.blank and self._grammar.indented and not line[0].isspace()):
            return (StrayLine(number, line),)
        self.current.fields[-1].append(line)
        self.blank = False
        return ()

    def _open(self, number: int, line: str) -> Sequence[TaggedEntry]:
        self._foreign = False
        current = self.current
        if current is not None and not self.blank and current.begun is None:
            current.line, current.begun = number, len(current.fields)
            return ()
        done = self._closed()
        self.current = TaggedEntry(number, begun=0, loose=not line.startswith(f"{self._begin}  -"))
        return done

    def _closed(self) -> Sequence[TaggedEntry]:
        done = () if self.current is None else (self.current,)
        self.current = None
        return done


def _rejoined(
    parts: Iterator[TaggedEntry | StrayLine | ImportRejection], single: frozenset[str]
) -> Iterator[TaggedEntry | StrayLine | ImportRejection]:
    """Join entries that a blank line split in two, unless both have the same tag that occurs once per entry."""
    held: TaggedEntry | None = None
    seen: set[str] = set()
    for part in chain(parts, (None,)):
        if isinstance(part, TaggedEntry):
            tags = {tag for tag, *_ in part.fields} & single
            if held is not None and part.detached and part.begun is None and not tags & seen:
                held.fields += part.fields
                seen |= tags
                continue
        if held is not None:
            yield held
            held = None
        if isinstance(part, TaggedEntry):
            held, seen = part, tags
        elif part is not None:
            yield part


class Strays:
    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._n = 0

    def add(self, line: int, text: str) -> None:
        """Add a line, unless it is a heading that exporters write."""
        if _HEADER.match(text):
            return
        self._n += 1
        if len(self._lines) < 3:
            self._lines.append((line, " ".join(text[:200].split())[:60]))

    def note(self) -> Sequence[Part]:
        if not self._n:
            return ()
        shown = "; ".join(f"line {line:,}: “{text}”" for line, text in self._lines)
        return (Note(f"{many(self._n, 'line')} outside records, left out: {shown}"),)


def one_text(values: Iterable[list[str]]) -> str:
    return " ".join(line.strip() for lines in values for line in lines)


def each_line(values: Iterable[list[str]]) -> list[str]:
    return [line for lines in values for line in lines]


def parts_of(values: Iterable[list[str]], separator: str = ";") -> list[str]:
    return [part for line in each_line(values) for part in (line.split(separator) if separator in line else (line,))]


def read_entries(
    text: str,
    grammar: Grammar,
    entry_of: Callable[[TaggedEntry], ImportEntry],
    is_entry: Callable[[TaggedEntry], bool] = lambda part: True,
) -> Iterator[Part]:
    strays = Strays()
    for part in gathered(text, grammar):
        if isinstance(part, ImportRejection):
            yield part
        elif isinstance(part, StrayLine):
            strays.add(part.line, part.text)
        elif is_entry(part):
            yield entry_of(part)
        else:
            strays.add(part.line, " ".join(part.fields[0]))
    yield from strays.note()


# The meaning of RIS tags, in the variants of EndNote, Zotero, Rayyan, ASReview, Ovid, EBSCO, ProQuest and others.

Values = dict[str, list[list[str]]]
"""Tag -> its values, each as a list of lines."""

_KIND_OF: dict[Kind, str] = {
    "article": "JOUR EJOUR INPR JFULL MGZN NEWS JOURNAL|ARTICLE JOURNAL MAGAZINE|ARTICLE NEWSPAPER|ARTICLE"
    " ELECTRONIC|ARTICLE ARTICLE",
    "conference": "CONF CPAPER CONFERENCE|PAPER CONFERENCE|PROCEEDINGS CONFERENCE|PROCEEDING",
    "preprint": "UNPB UNPD PREPRINT",
    "book": "BOOK EBOOK EDBOOK EDITED|BOOK ELECTRONIC|BOOK WHOLE|BOOK",
    "chapter": "CHAP ECHAP BOOK|SECTION BOOK|CHAPTER",
    "thesis": "THES THESIS DISSERTATION",
    "report": "RPRT REPORT GOVDOC STAND",
    "other": "ABST ADVS AGGR ANCIENT ART BILL BLOG CASE CHART CLSWK COMP CTLG DATA DBASE DICT ENCYC EQUA FIGURE GEN"
    " GENERIC GRANT GRNT HEAR ICOMM INTV LEGAL MANSCPT MAP MPCT MULTI MUSIC PAMP PAT PCOMM POD PRESS SER SLIDE SOUND"
    " STAT UNBILL VIDEO WEB ELEC STD PCOMM THSS REVIEW WEB|PAGE UNPUBLISHED|WORK",
}
TYPES: dict[str, Kind] = {name.replace("|", " "): kind for kind, names in _KIND_OF.items() for name in names.split()}
_ALL = (
    "TY ER ID TI T1 T2 T3 CT BT ST TT J1 J2 JA JF JO JI J9 AU A1 A2 A3 A4 A5 ED TA AB N2 N1 PY Y1 Y2 YR DA DO DI SP EP"
    " VL VO IS CP CY PB PP PA PI PU SN KW UR LK L1 L2 L3 L4 DB DP AN AD AI AV M1 M2 M3 M4 U1 U2 U3 U4 U5 U6 U7 U8 U9 C1"
    " C2 C3 C4 C5 C6 C7 C8 CA CN ET LA LB NV OP RI RN RP SE TS NL PMID OA WE TC Z9 OI EM FU GA HO PM UT SF T4"
)
KNOWN = frozenset(_ALL.split())
_READ = "TY ER TI T1 AU A1 AB N2 PY Y1 YR DA DO JF JO JA J2 JI J9 J1 T2 BT SP EP VL VO IS KW UR AN ID PMID CT PM UT LA"
TAKEN = frozenset(_READ.split())
_TITLES = ("TI", "T1", "CT", "TT", "ST")
_VENUES = ("JF", "T2", "BT", "JO", "JA", "J2", "J1", "JI", "J9", "T3")
_YEARS = ("PY", "Y1", "YR", "DA")
_ADDRESSES = ("UR", "LK", "L2", "L1", "L3")
_DOIS = ("M3", "L3", "DI", "UR", "LK", "L2", "L1", "AN", "ID", "N1", "C7", "U1", "U3")
_SUBSTANCE = frozenset({"TI", "T1", "CT", "AB", "N2", "DO"})


def has_substance(entry: TaggedEntry) -> bool:
    """Return True if tags without a TY are a record of their own, and not the rest of another."""
    return any(tag in _SUBSTANCE and any(map(str.strip, lines)) for tag, *lines in entry.fields)


def without_html(text: str) -> str:
    """Return the lines of a file that was saved as a web page; any other text is unchanged."""
    if not text[:1000].lstrip().startswith("<"):
        return text
    return re.sub(r"(?i)<br ?/?>(?!\n)", "\n", text)


def entry_of(entry: TaggedEntry, provider: str = "") -> ImportEntry:
    found = entry.by_tag()
    fields: RawFields = {}
    used = set(TAKEN)
    kind = TYPES.get(one_text(found.get("TY", ())).upper().strip())
    _names_and_titles(found, fields, used, kind)
    _numbers(found, fields)
    _identifiers(found, fields, used, provider)
    notes = _notes(found, fields, used)
    fields["kind"] = "preprint" if kind in ("article", "other") and _is_preprint(found, fields) else kind
    _details(found, fields, used)
    if "N1" in found and not notes:
        used.discard("N1")
    return ImportEntry(entry.line, fields, [tag for tag in found if tag not in used])


def _details(found: Values, fields: RawFields, used: set[str]) -> None:
    fields["language"] = parts_of(found.get("LA", ()))
    if issns := issns_of(each_line(found.get("SN", ()))):
        fields["issn"] = issns
        used.add("SN")
    if types := [text for text in parts_of(found.get("M3", ())) if _is_type(text)]:
        fields["types"] = types
        used.add("M3")
    if RETRACTED_NOTE in map(str.strip, each_line(found.get("N1", ()))):
        fields["is_retracted"] = True
        used.add("N1")
    if (number := first(found, "C2")).upper().startswith("PMC") and pmcid_of(number):
        fields["pmcid"] = number
        used.add("C2")
    _of_citesource(found, fields, used)


def _is_type(text: str) -> bool:
    """Return True if a text in M3 is a type of publication; some exporters write DOIs and preprint numbers there."""
    return bool(text.strip()) and len(text) <= 60 and not any(sign.isdigit() or sign == ":" for sign in text)


def _of_citesource(found: Values, fields: RawFields, used: set[str]) -> None:
    """Read CiteSource's tags: its id in C1, repeated in C2; sources in DB, labels in C7, strings in C8."""
    if first(found, "C1") not in first(found, "C2").split(", ") or "C1" not in found:
        return
    used.update(("C1", "C2", "C7", "C8", "DB"))
    for tag, name in (("DB", "cite_source"), ("C7", "cite_label"), ("C8", "cite_string")):
        if (text := first(found, tag)) and text != "NA":
            fields[name] = text  # type: ignore[literal-required]
    if fields.get("pages") == first(found, "C7"):
        fields.pop("pages", None)


def _is_preprint(found: Values, fields: RawFields) -> bool:
    return is_preprint_server(f"{fields.get('venue', '')} {first(found, 'PB')} {first(found, 'M3')[:60]}")


def first(found: Values, *tags: str) -> str:
    for tag in tags:
        if tag in found:
            lines = found[tag][0]
            return lines[0].strip() if len(lines) == 1 else " ".join(map(str.strip, lines))
    return ""


def _names_and_titles(found: Values, fields: RawFields, used: set[str], kind: Kind | None) -> None:
    titles = ("TI", "T1", "BT", "CT", "TT", "ST") if kind == "book" else _TITLES
    for tag in titles:
        if tag in found:
            fields["title"] = first(found, tag)
            used.add(tag)
            break
    fields["abstract"] = _abstract(found)
    fields["authors"] = parts_of([*found.get("AU", ()), *found.get("A1", ())] or _other_authors(found, used))
    fields["venue"] = first(found, *_VENUES)
    fields["keywords"] = parts_of(found.get("KW", ()))


def _other_authors(found: Values, used: set[str]) -> list[list[str]]:
    for tag in ("A2", "A3", "A4", "ED"):
        if tag in found:
            used.add(tag)
            return found[tag]
    return []


def _abstract(found: Values) -> str:
    texts = []
    for tag in ("AB", "N2"):
        values = found.get(tag, ())
        if len(values) > 1:  # EBSCO gives the publisher's rights as a second abstract
            values = [value for value in values if not value[0].strip().startswith("Copyright of")] or values
        texts.append(one_text(values))
    return texts[0] if len(texts[0]) >= len(texts[1]) else texts[1]


_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[01]\d[0-3]\d(?!\d)")


def _year_in(text: str) -> str:
    found = _DATE.search(text)
    return found[1] if found else ""


def _numbers(found: Values, fields: RawFields) -> None:
    for tag in _YEARS:
        if tag in found and (year_of(text := first(found, tag)) is not None or (text := _year_in(text))):
            fields["year"] = text
            break
    fields["volume"] = first(found, "VL", "VO")
    fields["issue"] = first(found, "IS", "CP")
    fields["pages"] = pages_of(first(found, "SP"), first(found, "EP"), first(found, "C7"))


_DIGIT = re.compile(r"\d|^[ivxlcIVXLC]+$")


def pages_of(start: str, end: str, number: str = "") -> str:
    """Return the first and last page, or the article's number.

    >>> pages_of("359-376", ""), pages_of("212", "231"), pages_of("pp 3", ""), pages_of("No", "Specified", "e12")
    ('359-376', '212-231', '3', 'e12')
    """
    start = re.sub(r"^pp?\.? ?(?=\d)", "", start)
    if not _DIGIT.search(start):
        return number
    if not end or end == start or "-" in start or not _DIGIT.search(end):
        return start
    return f"{start}-{end}"


_PMID_IN_TEXT = re.compile(
    r"(?:\bPMID:? *|\bpubmed(?:\.ncbi\.nlm\.nih\.gov)?/|[?&]list_uids=)(\d{1,8})\b", re.IGNORECASE
)
_OVID = re.compile(r"[?&]AN=(\d{1,8})\b")
_PUBMED = re.compile(r"medline|pubmed|\bNLM\b", re.IGNORECASE)
_LABELLED = re.compile(r"(\d{1,8}) *\[pmid\]|\bpmid:? *(\d{1,8})\b", re.IGNORECASE)
_EMBASE = re.compile(r"L\d{5,12}")
_OWN = re.compile(r"accession-num: *([^\s<;]+)|accession number: *([^\s<;]+)", re.IGNORECASE)


def _identifiers(found: Values, fields: RawFields, used: set[str], provider: str) -> None:
    _doi(found, fields, used)
    fields["pmid"] = _pmid(found, used, provider)
    own = first(found, "AN", "UT", "ID")
    if not own and "N1" in found and (named := _OWN.search(one_text(found["N1"]))):
        own = named[1] or named[2]
        used.add("N1")
    if not own and _EMBASE.fullmatch(first(found, "U2")):
        own = first(found, "U2")
        used.add("U2")
    fields["own_id"] = own
    for tag in _ADDRESSES:
        for value in each_line(found.get(tag, ())):
            if "://" in value:
                fields["url"] = re.split(r"[;\s]+(?=https?:)", value.strip())[0]
                used.add(tag)
                return


_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d{1,9}){0,5}(?:/|%2[fF]|%252[fF])[^\s\"<>;]+")
_AFTER = re.compile(r"&(?=\w+=)|\?|#|/(?=(?:asset|abstract|full|pdf|epdf|meta|suppl|fulltext|supinfo)\b)|\.pdf\b")
_CITING = frozenset({"N1", "ID", "U3"})
"""Tags in which "10." may mean something else."""


def doi_in(text: str) -> str:
    """Return the first DOI in an address, without the rest of the address.

    >>> doi_in("http://x.org/link?id=doi:10.1002%2Fjts.20440&issn=0894"), doi_in("http://x.org/10.1002/jts.21/asset/f.pdf")
    ('10.1002/jts.20440', '10.1002/jts.21')
    """
    match = _DOI.search(text)
    if match is None:
        return ""
    doi = match[0].partition("&")[0] if "%2" in match[0] else match[0]
    for _ in range(2):
        doi = unquote(doi) if "%" in doi else doi
    return doi if "(sici)" in doi.lower() or "<" in doi else _AFTER.split(doi)[0]


def _doi(found: Values, fields: RawFields, used: set[str]) -> None:
    for value in found.get("DO", ()):
        if "10." in (text := " ".join(value)):
            fields["doi"] = text
            return
    for tag in _DOIS:
        for value in found.get(tag, ()):
            text = " ".join(value)
            if "10." not in text or (tag in _CITING and "doi" not in text.lower() and text.strip()[:3] != "10."):
                continue
            if doi := doi_in(text):
                fields["doi"] = doi
                used.add(tag)
                return


def _pmid(found: Values, used: set[str], provider: str) -> str:
    for tag in ("PMID", "PM"):
        if tag in found:
            return first(found, tag)
    for tag in ("U1", "AN", "ID", "N1", "M1", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "UR", "L2", "LK"):
        if tag in found and (named := _named_pmid(found[tag], tag)):
            used.add(tag)
            return named
    if not _PUBMED.search(" ".join((first(found, "DB"), first(found, "DP"), provider))):
        return ""
    for tag in ("AN", "ID", "U1", "M1"):
        value = first(found, tag).strip()
        if value.isascii() and value.isdigit() and 4 <= len(value) <= 8:
            used.add(tag)
            return value
    if named := _first_match(_OVID, found.get("L2", []) + found.get("UR", [])):
        used.add("L2")
        return named
    return ""


def _named_pmid(values: list[list[str]], tag: str) -> str:
    pattern = _PMID_IN_TEXT if tag in ("UR", "L2", "LK") else _LABELLED
    return _first_match(pattern, values)


def _first_match(pattern: re.Pattern[str], values: list[list[str]]) -> str:
    for line in each_line(values):
        if found := pattern.search(line):
            return next(group for group in found.groups() if group)
    return ""


_RAYYAN = re.compile(r"RAYYAN-INCLUSION:\s*\{([^{}]*)\}", re.IGNORECASE)
_RAYYAN_SAYS = re.compile(r"=>\s*\"?(included|excluded|maybe)", re.IGNORECASE)
_ASREVIEW = re.compile(r"\bASReview_(relevant|irrelevant|not_seen)", re.IGNORECASE)
_CITED = re.compile(r"(?:cited by|times cited)(?: in [\w ]{1,60})?(?: \(since \d{4}\))? *: *(\d{1,7})\b", re.IGNORECASE)


def included_by(text: str) -> bool | None:
    """Parse a person's label in a note that includes a record in the review or excludes it; None if it does neither.

    >>> included_by('RAYYAN-INCLUSION: {"A"=>"Included"} | RAYYAN-LABELS: x'), included_by("ASReview_irrelevant")
    (True, False)
    >>> included_by('RAYYAN-INCLUSION: {"A"=>"Included", "B"=>"Excluded"}') is None
    True
    """
    if rayyan := _RAYYAN.search(text):
        terms = {label.lower() for label in _RAYYAN_SAYS.findall(rayyan[1])}
    else:
        terms = {label.lower() for label in _ASREVIEW.findall(text)}
    if terms <= {"included", "relevant"} and terms:
        return True
    return False if terms <= {"excluded", "irrelevant"} and terms else None


def _notes(found: Values, fields: RawFields, used: set[str]) -> bool:
    taken = "N1" in used
    for tag in ("TC", "Z9"):
        if tag in found:
            fields["times_cited"] = first(found, tag)
            used.add(tag)
    for tag in ("N1", "U3", "M1"):
        if tag not in found:
            continue
        text = one_text(found[tag])
        included = included_by(text) if "nclu" in text.lower() or "asreview" in text.lower() else None
        if included is not None:
            fields["included"] = included
        cited = _CITED.search(text) if "ited" in text else None
        if cited:
            fields["times_cited"] = cited[1]
        if cited or included is not None:
            used.add(tag)
            taken = taken or tag == "N1"
    return taken


# RIS, in every variant: a line of two letters, two spaces and a hyphen, from TY to ER.

_S = rf"[^\S\n{INVISIBLE}]|[{INVISIBLE}]"
_DASH = "-‐‑–—−"
_LOOSE = re.compile(
    rf"((?:{_S})*)(?:<[^<>\n]{{0,200}}>(?:{_S})*)*(PMID|[A-Za-z][A-Za-z0-9])((?:{_S})*)[{_DASH}](.*)",
    re.IGNORECASE,
)
_TEXTS = frozenset({"AB", "N2", "N1"})
"""Tags with running text, in which an ordinary line may look like a tag."""
_UPPER = re.compile(r"[A-Z][A-Z0-9]")

_TY = re.compile(rf"\n(?:{_S})*(?:<[^<>\n]{{0,200}}>(?:{_S})*)*[Tt][Yy](?:{_S})*[{_DASH}][^\n]*")
_ER = re.compile(rf"\n(?:{_S})*[Ee][Rr](?:{_S})*[{_DASH}][^\n]*")
_HEAD_TY = re.compile(rf"(?:\A|\n|>)((?:{_S})*TY(?:{_S})*[{_DASH}])([^\n<]{{0,60}})(?=\n|\Z|<)", re.IGNORECASE)
_HEAD_TAGS = re.compile(r"^(?:TI|T1|AU|A1|AB|N2|PY|Y1|JO|JF|T2|DO|ER|KW|SP)  ?-(?: |$)", re.MULTILINE)
_OTHERS = re.compile(
    r"^(?:PMID- ?\d|OWN - |%0 |FN (?:ISI|Clarivate|Thomson)|PT [A-Z]\s*$|@[A-Za-z]+\s*\{|\.I \d)", re.MULTILINE
)


def is_type(value: str, line: str) -> bool:
    """Return True if a TY line begins a record: by its spacing, or because a known type or nothing follows."""
    if line.startswith("TY  -"):
        return True
    value = re.sub(r"<[^<>]*>", "", value).strip().strip(INVISIBLE)
    return not value or value.upper() in TYPES


def split_ris(line: str, current: TaggedEntry | None) -> Line:
    if line[2:5] == "  -":
        tag = line[:2]
        if tag in KNOWN:
            return [tag, line[5:]]
        if _UPPER.fullmatch(tag) and (current is None or current.fields[-1][0] not in _TEXTS) and line[5:6] in " ":
            return [tag, line[5:]]
    found = _LOOSE.match(line, 0, 2000) if len(line) > 2 else None
    if found is None:
        return None
    indent, tag, gap = found[1], found[2].upper(), found[3]
    value = line[found.start(4) :]
    if tag == "TY":
        return [tag, value] if is_type(value, line) else None
    if tag not in KNOWN:
        return None
    if tag == "ER":
        return [tag, value] if not value.strip() else None
    return [tag, value] if _is_tag(current, found[2], indent, gap, value) else None


def _is_tag(current: TaggedEntry | None, tag: str, indent: str, gap: str, value: str) -> bool:
    spaced = bool(gap) and (not value or value[0].isspace())
    if current is None:
        return gap in ("  ", " ") and spaced and tag.isupper()
    if current.loose:
        begin, *lines = current.fields[0]
        tight = begin == "TY" and lines[0][:1].strip() != ""
        return spaced or gap == "  " or (tight and not indent and tag.isupper())
    if "\t" in gap:
        return True
    if current.fields[-1][0] in _TEXTS:
        return False
    return tag.isupper() and (spaced or gap == "  ")


RIS_GRAMMAR = Grammar("RIS", "TY", "ER", split_ris, indented=False)


def _likeness(source: ImportFile) -> float:
    head = head_of(source)
    first = next((found for found in _HEAD_TY.finditer(head) if is_type(found[2], found[1].lstrip())), None)
    if first is None:
        n_tags = len(_HEAD_TAGS.findall(head))
        if n_tags < 3 or _OTHERS.search(head) or not re.search(r"^ER {0,2}-", head, re.MULTILINE):
            return 0.0
        return 0.6
    other = _OTHERS.search(head)
    return 0.5 if other and other.start() < first.start() else 0.98


def _starts(source: ImportFile) -> Sequence[int]:
    """Return the lines of TY, and of a title, abstract or the like between two records."""
    text = "\n" + without_html(source.text)
    begins = [found.start() + 1 for found in _TY.finditer(text) if _begins(found[0])]
    return lines_below(text, sorted({*begins, *_without_type(text, begins)}))


def _begins(found: str) -> bool:
    dash = re.search(f"[{_DASH}]", found[found.upper().index("TY") :])
    assert dash is not None
    return is_type(found[found.upper().index("TY") + dash.end() :], found[1:])


_SOME = re.compile(r"\n(?:TI|T1|CT|AB|N2|DO)  - *[^\s]")
_ANY = re.compile(r"\n([A-Z][A-Z0-9])  -(?: |\n|$)")


def _without_type(text: str, begins: list[int]) -> Iterator[int]:
    """Yield the position of the first tag after each ER, or the beginning of the file, that no TY follows directly."""
    ends = [0, *(found.end() for found in _ER.finditer(text))]
    following = iter([*begins, len(text)])
    begin = next(following)
    for at, end in enumerate(ends):
        stop = ends[at + 1] if at + 1 < len(ends) else len(text)
        while begin < end:
            begin = next(following, len(text) + 1)
        until = min(begin - 1, stop)
        if begin <= stop and text[max(0, until - 400) : until].rpartition("\n")[2].strip() and begin < len(text):
            continue  # TY follows without a blank line and is counted there
        first = _ANY.search(text, end, until)
        if first is not None and any(foreign_format(line, "RIS") for line in text[end : first.start()].split("\n")):
            continue
        if first is not None and first[1] not in ("ER", "TY") and _SOME.search(text, first.start(), until):
            yield first.start() + 1


def _read(source: ImportFile, asked: ReadOptions) -> Iterable[Part]:
    strays = Strays()
    header: list[str] = []
    n_untitled = 0
    for part in gathered(without_html(source.text), RIS_GRAMMAR):
        if isinstance(part, ImportRejection):
            yield part
        elif isinstance(part, StrayLine):
            strays.add(part.line, part.text)
            if part.text[:200].lstrip().lower().startswith(("provider:", "database:")):
                header.append(part.text[:200])
        else:
            provider, header = " ".join(header), []
            for whole in apart(part):
                if whole.begun is None and not has_substance(whole):
                    strays.add(whole.line, " ".join(whole.fields[0]))
                    continue
                n_untitled += whole.begun is None
                yield entry_of(whole, provider)
    yield from strays.note()
    if n_untitled:
        yield Note(f"{n_untitled:,} {'record has' if n_untitled == 1 else 'records have'} no type (TY)")


def apart(entry: TaggedEntry) -> Iterator[TaggedEntry]:
    """Split an entry with a title before its TY and a different one after it."""
    at = entry.begun
    if at:
        before, after = (
            {" ".join(lines).strip() for tag, *lines in fields if tag in ("TI", "T1")} - {""}
            for fields in (entry.fields[:at], entry.fields[at:])
        )
        if before and after and before != after:
            yield TaggedEntry(max(1, entry.line - at), entry.fields[:at])
            yield TaggedEntry(entry.line, entry.fields[at:], begun=0, loose=entry.loose)
            return
    yield entry


RIS = Format("ris", "RIS", _likeness, _starts, _read)
