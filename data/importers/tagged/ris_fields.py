"""What the tags of RIS mean, in the flavours of EndNote, Zotero, Rayyan, ASReview, Ovid, EBSCO, ProQuest and others."""

from __future__ import annotations

import re
from urllib.parse import unquote

from core.records.cleaning import Fields, Kind, year_of
from data.importers.source import Entry
from data.importers.tagged.lines import Gathered, each_line, one_text, parts_of

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
_SERVERS = ("xiv", "ssrn", "preprint", "research square")
_PREPRINT = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|edarxiv|eartharxiv|ssrn|research square|"
    r"preprints?(?:\.org)?)\b",
    re.IGNORECASE,
)

_ALL = (
    "TY ER ID TI T1 T2 T3 CT BT ST TT J1 J2 JA JF JO JI J9 AU A1 A2 A3 A4 A5 ED TA AB N2 N1 PY Y1 Y2 YR DA DO DI SP EP"
    " VL VO IS CP CY PB PP PA PI PU SN KW UR LK L1 L2 L3 L4 DB DP AN AD AI AV M1 M2 M3 M4 U1 U2 U3 U4 U5 U6 U7 U8 U9 C1"
    " C2 C3 C4 C5 C6 C7 C8 CA CN ET LA LB NV OP RI RN RP SE TS NL PMID OA WE TC Z9 OI EM FU GA HO PM UT SF T4"
)
KNOWN = frozenset(_ALL.split())
_READ = "TY ER TI T1 AU A1 AB N2 PY Y1 YR DA DO JF JO JA J2 JI J9 J1 T2 BT SP EP VL VO IS KW UR AN ID PMID CT PM UT"
TAKEN = frozenset(_READ.split())
_TITLES = ("TI", "T1", "CT", "TT", "ST")
_VENUES = ("JF", "T2", "BT", "JO", "JA", "J2", "J1", "JI", "J9", "T3")
_YEARS = ("PY", "Y1", "YR", "DA")
_ADDRESSES = ("UR", "LK", "L2", "L1", "L3")
_DOIS = ("M3", "L3", "DI", "UR", "LK", "L2", "L1", "AN", "ID", "N1", "C7", "U1", "U3")
_SUBSTANCE = frozenset({"TI", "T1", "CT", "AB", "N2", "DO"})


def has_substance(entry: Gathered) -> bool:
    """Whether tags without a TY are a record, and not the rest of one."""
    return any(tag in _SUBSTANCE and any(map(str.strip, lines)) for tag, *lines in entry.fields)


def without_html(text: str) -> str:
    """The lines of a file that was saved as a web page; any other as it is."""
    if not text[:1000].lstrip().startswith("<"):
        return text
    return re.sub(r"(?i)<br ?/?>(?!\n)", "\n", text)


def entry_of(entry: Gathered, provider: str = "") -> Entry:
    """One record's fields."""
    found = entry.by_tag()
    fields: Fields = {}
    used = set(TAKEN)
    kind = TYPES.get(one_text(found.get("TY", ())).upper().strip())
    _names_and_titles(found, fields, used, kind)
    _numbers(found, fields)
    _identifiers(found, fields, used, provider)
    notes = _notes(found, fields, used)
    if kind in ("article", "other") and _is_preprint(found, fields):
        kind = "preprint"
    if kind:
        fields["kind"] = kind
    if "N1" in found and not notes:
        used.discard("N1")
    return Entry(entry.line, fields, [tag for tag in found if tag not in used])


def _is_preprint(found: Values, fields: Fields) -> bool:
    places = f"{fields.get('venue', '')} {first(found, 'PB')} {first(found, 'M3')[:60]}".lower()
    return any(word in places for word in _SERVERS) and _PREPRINT.search(places) is not None


def first(found: Values, *tags: str) -> str:
    """The first of these tags that holds something."""
    for tag in tags:
        if tag in found:
            lines = found[tag][0]
            return lines[0].strip() if len(lines) == 1 else " ".join(map(str.strip, lines))
    return ""


def _names_and_titles(found: Values, fields: Fields, used: set[str], kind: Kind | None) -> None:
    titles = ("TI", "T1", "BT", "CT", "TT", "ST") if kind == "book" else _TITLES
    for tag in titles:
        if tag in found:
            fields["title"] = first(found, tag)
            used.add(tag)
            break
    if abstract := _abstract(found):
        fields["abstract"] = abstract
    if authors := [*found.get("AU", ()), *found.get("A1", ())] or _other_authors(found, used):
        fields["authors"] = parts_of(authors)
    if venue := first(found, *_VENUES):
        fields["venue"] = venue
    if "KW" in found:
        fields["keywords"] = parts_of(found["KW"])


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
    """The year of a date without separators, among other words."""
    found = _DATE.search(text)
    return found[1] if found else ""


def _numbers(found: Values, fields: Fields) -> None:
    for tag in _YEARS:
        if tag in found and (year_of(text := first(found, tag)) is not None or (text := _year_in(text))):
            fields["year"] = text
            break
    if volume := first(found, "VL", "VO"):
        fields["volume"] = volume
    if issue := first(found, "IS", "CP"):
        fields["issue"] = issue
    if pages := pages_of(first(found, "SP"), first(found, "EP"), first(found, "C7")):
        fields["pages"] = pages


_DIGIT = re.compile(r"\d|^[ivxlcIVXLC]+$")


def pages_of(start: str, end: str, number: str = "") -> str:
    """First and last page, or the article's number.

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


def _identifiers(found: Values, fields: Fields, used: set[str], provider: str) -> None:
    _doi(found, fields, used)
    if pmid := _pmid(found, used, provider):
        fields["pmid"] = pmid
    own = first(found, "AN", "UT", "ID")
    if not own and "N1" in found and (named := _OWN.search(one_text(found["N1"]))):
        own = named[1] or named[2]
        used.add("N1")
    if not own and _EMBASE.fullmatch(first(found, "U2")):
        own = first(found, "U2")
        used.add("U2")
    if own:
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
    """The first DOI in an address, without the rest of the address.

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


def _doi(found: Values, fields: Fields, used: set[str]) -> None:
    """Of DO, or of where else exporters put it."""
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
    """Whether a person's label in a note says that the record belongs to the review; None: it says neither.

    >>> included_by('RAYYAN-INCLUSION: {"A"=>"Included"} | RAYYAN-LABELS: x'), included_by("ASReview_irrelevant")
    (True, False)
    >>> included_by('RAYYAN-INCLUSION: {"A"=>"Included", "B"=>"Excluded"}') is None
    True
    """
    if rayyan := _RAYYAN.search(text):
        said = {label.lower() for label in _RAYYAN_SAYS.findall(rayyan[1])}
    else:
        said = {label.lower() for label in _ASREVIEW.findall(text)}
    if said <= {"included", "relevant"} and said:
        return True
    return False if said <= {"excluded", "irrelevant"} and said else None


def _notes(found: Values, fields: Fields, used: set[str]) -> bool:
    """What stands in notes: a decision, or how often it was cited. Whether N1 gave anything."""
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
