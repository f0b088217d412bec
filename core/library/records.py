"""A bibliographic record, and the cleaning of its identifiers, titles, abstracts, and years."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict, get_args
from urllib.parse import unquote

from core.library.retractions import stated_retraction
from core.text import words
from core.types import Ids, Publication, unique_ids

# One record: an entry of a bibliographic file, after cleaning.

Kind = Literal["article", "conference", "preprint", "book", "chapter", "thesis", "report", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Record:
    """The description of one publication by one source. Everything but the number may be missing."""

    number: int
    """Position in the file, from 1."""
    line: int | None = None
    """First line of the record, or row of a workbook, from 1; None if the file has no lines."""
    title: str = ""
    abstract: str | None = None
    year: int | None = None
    doi: str | None = None
    """Normalised: lower case, without a URL prefix."""
    pmid: str | None = None
    """Digits only."""
    own_id: str | None = None
    """The source's own id, such as pub.1149029839 or WOS:000253436500012."""
    authors: Ids = ()
    """As written in the file; "Family, Given" if the source distinguishes them."""
    venue: str | None = None
    """Journal, proceedings or book."""
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """First and last page with a hyphen, or an article number."""
    kind: Kind | None = None
    keywords: Ids = ()
    url: str | None = None
    times_cited: int | None = None
    included: bool | None = None
    """A person's decision on inclusion in the review; None: not in the file."""
    query_id: str | None = None
    """The query of a run that the record answers or was judged for; None: the file has no queries."""
    as_written: tuple[tuple[str, str], ...] = ()
    """Name and raw text, including markup, of each field that cleaning changed."""
    types: Ids = ()
    """All publication types of the source, in its own words; `kind` is one of eight."""
    headings: Ids = ()
    """Subject headings of indexers, in MEDLINE's form: "*Sleep/drug effects", with * for a major one."""
    language: Ids = ()
    """Codes of ISO 639-1, or the source's own words for rare languages."""
    pmcid: str | None = None
    """PubMed Central's number, with the prefix PMC."""
    issn: Ids = ()
    """Of the journal, in print and online, with hyphens."""
    references: Ids = ()
    """Cited works, by ids from the source: "doi:10.1000/x", "pmid:1", "openalex:W1" or "dimensions:pub.1"."""
    is_retracted: bool | None = None
    """None: not stated by the source."""
    cite_source: Ids = ()
    """CiteSource: the sources in which it was found."""
    cite_label: Ids = ()
    """CiteSource: the phases of the review that it reached, such as "search" and "final"."""
    cite_string: Ids = ()
    """CiteSource: the search strings that found it."""

    @property
    def says_something(self) -> bool:
        """True if the record can be recognised: by its title, abstract or an identifier."""
        return bool(self.title or self.abstract or self.doi or self.pmid or self.own_id)

    def document(self) -> dict[str, Any]:
        """Return the non-empty fields, for JSON. The position in the file is stored separately."""
        kept = ((name, getattr(self, name)) for name in FIELDS)
        return {name: value for name, value in kept if value not in (None, "", ())}

    @classmethod
    def from_document(cls, document: dict[str, Any], number: int = 1, line: int | None = None) -> Record:
        known = {name: document[name] for name in FIELDS if name in document}
        for name in SEVERAL & known.keys():
            known[name] = tuple(known[name])
        if "as_written" in known:
            known["as_written"] = tuple((name, text) for name, text in known["as_written"])
        return cls(number=number, line=line, **known)

    @property
    def subjects(self) -> Ids:
        """Keywords, and the names of the headings that indexers assigned."""
        if not self.headings:
            return self.keywords
        return unique_ids((*self.keywords, *(SubjectHeading.of(heading).name for heading in self.headings)))

    def publication(self, publication_id: str) -> Publication:
        return Publication(
            publication_id, self.title, self.abstract, self.year, self.doi, self.times_cited, self.subjects
        )

    @classmethod
    def of_publication(cls, publication: Publication, number: int = 1) -> Record:
        return cls(
            number,
            title=publication.title,
            abstract=publication.abstract,
            year=publication.year,
            doi=publication.doi,
            own_id=publication.publication_id,
            keywords=publication.keywords,
            times_cited=publication.times_cited,
        )


PLACE = frozenset({"number", "line"})
FIELDS = tuple(field.name for field in fields(Record) if field.name not in PLACE)
SEVERAL = frozenset(
    {
        "authors",
        "keywords",
        "types",
        "headings",
        "language",
        "issn",
        "references",
        "cite_source",
        "cite_label",
        "cite_string",
    }
)
"""Fields with several texts."""
OF_ALL = SEVERAL - {"authors", "language"}
"""Fields merged from all records of a publication."""
OF_A_SOURCE = frozenset({"own_id", "included", "query_id", "as_written", "is_retracted"}) | OF_ALL
"""Fields that are not filled in one by one when records are merged into one publication."""


@dataclass(frozen=True, slots=True)
class SubjectHeading:
    """A heading of a thesaurus with its qualifiers.

    >>> heading = SubjectHeading.of("Sleep/*drug effects/physiology")
    >>> heading.name, heading.qualifiers, heading.is_major, heading.text
    ('Sleep', (('drug effects', True), ('physiology', False)), True, 'Sleep/*drug effects/physiology')
    """

    name: str
    qualifiers: tuple[tuple[str, bool], ...] = ()
    """Pairs of qualifier and flag: True if the heading in this respect is a major topic of the publication."""
    is_starred: bool = False
    """True if the heading itself is a major topic of the publication."""

    @property
    def is_major(self) -> bool:
        return self.is_starred or any(is_major for _, is_major in self.qualifiers)

    @property
    def text(self) -> str:
        """The heading in MEDLINE's form."""
        parts = ((self.name, self.is_starred), *self.qualifiers)
        return "/".join(f"*{name}" if starred else name for name, starred in parts)

    @classmethod
    def of(cls, text: str) -> SubjectHeading:
        name, *qualifiers = (part.strip() for part in text.split("/"))
        parts = tuple((part.removeprefix("*").strip(), part.startswith("*")) for part in qualifiers if part)
        return cls(name.removeprefix("*").strip(), parts, name.startswith("*"))


def combined(records: Iterable[Record]) -> Record:
    """Merge several records of one publication: earlier values take precedence, later records fill the gaps.

    Keywords, headings, types and references of all records are merged, each once. A single retraction notice counts.

    >>> combined([Record(1, title="A"), Record(2, title="B", year=2019)]).year
    2019
    """
    first, *others = records
    if not others:
        return first
    filled: dict[str, Any] = {}
    for name in FIELDS:
        if name in OF_A_SOURCE:
            continue
        values = (getattr(record, name) for record in (first, *others))
        filled[name] = next((value for value in values if value not in (None, "", ())), getattr(first, name))
    for name in OF_ALL:
        if any(getattr(record, name) for record in others):
            filled[name] = unique_ids(text for record in (first, *others) for text in getattr(record, name))
    filled["is_retracted"] = max((r.is_retracted for r in (first, *others) if r.is_retracted is not None), default=None)
    return replace(first, **filled)


# From the content of a file to a record: normalised identifiers, no markup or entities, and None for "no abstract".

LARGEST_NUMBER = 2**31 - 1


class RawFields(TypedDict, total=False):
    """The raw values of one entry, as written in the file. They are all cleaned in one place, by `cleaned`."""

    title: str
    abstract: str
    year: str
    """Any text with a year in it: a date, "2019 Mar", "c2004"."""
    doi: str
    """Any text with a DOI in it: a URL, "doi:10.1/x", "10.1/x [doi]"."""
    pmid: str
    own_id: str
    authors: Sequence[str]
    venue: str
    volume: str
    issue: str
    pages: str
    kind: Kind | None
    keywords: Sequence[str]
    url: str
    times_cited: str
    included: bool | None
    query_id: str
    types: Sequence[str]
    headings: Sequence[str]
    language: Sequence[str]
    """Codes or names of languages."""
    pmcid: str
    issn: Sequence[str]
    references: Sequence[str]
    """Each with its scheme: "doi:10.1000/x", "pmid:123"."""
    is_retracted: bool | None
    cite_source: str | Sequence[str]
    """As one text: several separated by commas, as in CiteSource."""
    cite_label: str | Sequence[str]
    cite_string: str | Sequence[str]


MOST_OF_A_DOI = 500
"""Characters; a longer text is not a DOI."""
MOST_ROUNDS = 8
"""Maximum number of nested escapings that are undone."""

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,5}/[^\s\"<>\[\]{}|\\^`]+", re.IGNORECASE)
_SICI = re.compile(
    r"10\.\d{4,9}/(?:\(sici\))?\d{4}-\d{3}[\dx]\([^()\s]{0,12}\)[^\s<>\[\]]{0,40}[<\[][^\s<>\[\]]{1,60}[>\]]"
    r"\d\.\d\.[a-z]{2};\w(?:-[\w#])?",
    re.IGNORECASE,
)
"""A DOI with a journal's issue and page: "10.1890/1051-0761(2001)011[1349:FEONPA]2.0.CO;2"."""
_ONLY_AN_ISSUE = re.compile(r"10\.\d{4,9}/(?:\(sici\))?\d{4}-\d{3}[\dx]\(\d{4,8}\)[\d:.-]*", re.IGNORECASE)
_NEXT_DOI = re.compile(r"[;,](?=https?://|doi:|10\.\d{4})", re.IGNORECASE)
_PAGE_OF_DOI = re.compile(r"[?#].*|/(?:full|abstract|pdf|epdf|html|meta)$|\.pdf$", re.IGNORECASE)
_QUOTED = re.compile(r"%[2-7][0-9a-f]", re.IGNORECASE)
_STOPS = ".,;:'’\"*"
_TAG = re.compile(r"<(?:/?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?|!--(?:(?!<!--).)*?--|\?[^<>]*)>|<!\[CDATA\[", re.DOTALL)
_BLOCK = re.compile(
    r"</?(?:jats:)?(?:p|title|sec|br|div|li|ul|ol|h[1-6]|abstract|abstracttext|list|list-item)\b[^<>]*>", re.I
)
_AGAIN = re.compile(r"<((?:[\w-]+:)?(?:annotation(?:-xml)?|tex-math))\b[^<>]*(?<!/)>", re.IGNORECASE)
"""Start of a MathML element that repeats a formula in another notation."""
_MATH = re.compile(r"<(?:[\w-]+:)?math\b", re.IGNORECASE)
_LABEL = re.compile(
    r"<((?:jats:)?title|h[1-6])\b[^<>]*(?<!/)>((?:(?!</?(?:jats:)?(?:title|h[1-6])\b).){0,300})</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
"""The heading of an abstract, or of a section of it."""
_WHOLE = frozenset({"abstract", "summary"})
"""Headings of whole abstracts."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_AGAIN = re.compile(r"&(?:(?:amp|#38|#[xX]26);)+")
_SPLITTING = "\x1c\x1d\x1e\x1f"
"""Control characters that count as spaces when text is split."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")
_NO_ABSTRACT = re.compile(
    r"[\[(]?\s*(?:no abstract(?: is)?(?: available| provided| found)?|abstract (?:is )?not available"
    r"|none(?: available)?|null|nan|n/?a)"
    r"\s*[.!]?\s*[\])]?\.?",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "nan", "none", "null", "n/a", "na", "-", "--"})


def cleaned(number: int, line: int | None, found: RawFields) -> Record:
    title, abstract = found.get("title", ""), found.get("abstract", "")
    clean_title, clean_abstract = plain_text(title), abstract_text(abstract)
    if clean_title.lower() in _NOTHING:
        clean_title = ""
    as_written = tuple(
        (name, raw)
        for name, raw, clean in (("title", title, clean_title), ("abstract", abstract, clean_abstract or ""))
        if clean is not raw and clean != raw and clean != _one_space(raw)
    )
    pmid = pmid_of(found.get("pmid", ""))
    return Record(
        number=number,
        line=line,
        title=clean_title,
        abstract=clean_abstract,
        year=year_of(found.get("year", "")),
        doi=doi_of(found.get("doi", "")),
        pmid=pmid,
        own_id=_line(found.get("own_id")),
        authors=_names(found.get("authors", ())),
        venue=_line(found.get("venue")),
        volume=_line(found.get("volume")),
        issue=_line(found.get("issue")),
        pages=_line(found.get("pages")),
        kind=found["kind"] if found.get("kind") in KINDS else None,
        keywords=_names(found.get("keywords", ())),
        url=_line(found.get("url")),
        times_cited=_count(found.get("times_cited", "")),
        included=found.get("included"),
        query_id=_line(found.get("query_id")),
        as_written=as_written,
        types=_names(types) if (types := found.get("types")) else (),
        headings=_names(headings) if (headings := found.get("headings")) else (),
        language=unique_ids(map(language_code, _names(spoken))) if (spoken := found.get("language")) else (),
        pmcid=pmcid_of(found.get("pmcid", "")),
        issn=issns_of(numbers) if (numbers := found.get("issn")) else (),
        references=_references(cited) if (cited := found.get("references")) else (),
        is_retracted=stated_retraction(
            clean_title,
            found.get("types", ()),
            found.get("is_retracted"),
            found.get("venue") or "",
            clean_abstract or "",
        ),
        cite_source=_listed(found.get("cite_source")),
        cite_label=_listed(found.get("cite_label")),
        cite_string=_listed(found.get("cite_string")),
    )


RETRACTED_NOTE = "Retracted publication"
"""The note for retractions in formats without a field for them."""


def _listed(found: str | Sequence[str] | None) -> Ids:
    return _names(found.split(", ") if isinstance(found, str) else found or ())


def _references(texts: Sequence[str]) -> Ids:
    kept = []
    for text in texts:
        scheme, _, name = text.partition(":")
        if scheme == "doi":
            name = doi_of(name) or ""
        elif scheme == "pmid":
            name = pmid_of(name) or ""
        if name:
            kept.append(f"{scheme}:{name}")
    return unique_ids(kept)


def pmcid_of(text: str) -> str | None:
    """Return PubMed Central's number, without a version.

    >>> pmcid_of("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC9359172.1/"), pmcid_of("9359172"), pmcid_of("x")
    ('PMC9359172', 'PMC9359172', None)
    """
    if not text:
        return None
    found = re.search(r"\bPMC(\d{1,9})\b|/articles/(\d{1,9})\b|^\s*(\d{1,9})\s*$", text, re.IGNORECASE)
    return f"PMC{int(next(filter(None, found.groups())))}" if found else None


_LANGUAGES = """
en eng english|zh chi zho chinese|es spa spanish castilian|de ger deu german|fr fre fra french|ja jpn japanese
|ru rus russian|pt por portuguese|it ita italian|ko kor korean|nl dut nld dutch|pl pol polish|tr tur turkish
|cs cze ces czech|sv swe swedish|da dan danish|no nor nob nno norwegian|fi fin finnish|hu hun hungarian
|ro rum ron romanian|uk ukr ukrainian|fa per fas persian|ar ara arabic|he heb hebrew|el gre ell greek
|hr hrv croatian|sr srp serbian|sl slv slovenian|sk slo slk slovak|bg bul bulgarian|lt lit lithuanian
|lv lav latvian|et est estonian|is ice isl icelandic|ca cat catalan|eu baq eus basque|gl glg galician
|af afr afrikaans|id ind indonesian|ms may msa malay|th tha thai|vi vie vietnamese|hi hin hindi|la lat latin
|ga gle irish|sq alb sqi albanian|mk mac mkd macedonian|ka geo kat georgian|hy arm hye armenian|az aze azerbaijani
|kk kaz kazakh|bs bos bosnian|ur urd urdu|bn ben bengali|ta tam tamil
"""
_CODES: Mapping[str, str] = {
    name: line.split()[0] for line in _LANGUAGES.replace("\n", " ").split("|") for name in line.split()
}

_LANGUAGE_NAMES: Mapping[str, str] = {
    line.split()[0]: next(name.capitalize() for name in line.split() if len(name) > 3)
    for line in _LANGUAGES.replace("\n", " ").split("|")
}


def language_code(text: str) -> str:
    """Return the ISO 639-1 code for a language's name or code; other texts are returned unchanged.

    >>> language_code("eng"), language_code("English"), language_code("en-GB"), language_code("Frisian")
    ('en', 'en', 'en', 'Frisian')
    """
    plain = text.strip().lower()
    return _CODES.get(plain) or _CODES.get(plain.partition("-")[0]) or text.strip()


def language_name(code: str) -> str:
    """Return the English name of a language; other texts are returned unchanged.

    >>> language_name("es"), language_name("Frisian")
    ('Spanish', 'Frisian')
    """
    return _LANGUAGE_NAMES.get(code, code)


_ISSN = re.compile(r"(?<![\dX-])(\d{4})-?(\d{3}[\dX])(?![\dX-])", re.IGNORECASE)


def issns_of(texts: Iterable[str]) -> Ids:
    """Return the ISSNs in these texts; longer numbers, such as an ISBN, are ignored.

    >>> issns_of(["1545-7206 (Electronic)", "00333182; 1545-7206", "978-3-16-148410-0"])
    ('1545-7206', '0033-3182')
    """
    return unique_ids(f"{found[1]}-{found[2].upper()}" for text in texts for found in _ISSN.finditer(text))


def plain_text(text: str) -> str:
    """Remove markup, entities, control characters and repeated spaces from a text.

    A "<" that does not open a tag stays: "p < 0.05" is not markup.

    >>> plain_text("<jats:p>Ca<sub>2+</sub> &amp; p &lt; 0.05,  p<0.1</jats:p>")
    'Ca2+ & p < 0.05, p<0.1'
    """
    return _plain(text)


def _plain(text: str, *, labelled: bool = False) -> str:
    """Clean a text. `labelled`: headings in it end with a colon, like the section labels of an abstract."""
    if "<" not in text and "&" not in text:
        return _one_space(text)
    # Repeated, because some sources escape text that is already escaped ("&amp;lt;i&amp;gt;").
    for _ in range(MOST_ROUNDS):
        before = text = _one_space(text)
        if "<" in text:
            text = _labelled(text) if labelled else text
            if _MATH.search(text):
                text = _formulas_once(text)
            text = _TAG.sub("", _BLOCK.sub(" ", text))
        if "&" in text:
            text = _ENTITY.sub(lambda found: html.unescape(found[0]), _ESCAPED_AGAIN.sub("&", text))
        text = text.replace("]]>", "")
        if text == before:
            return text
    return _one_space(text)


def _formulas_once(text: str) -> str:
    """Remove MathML annotations and the accompanying TeX.

    >>> plain_text("<math><mi>x</mi><annotation encoding='application/x-tex'>{x}</annotation></math> rays")
    'x rays'
    """
    kept, place = [], 0
    low = text.lower()
    while found := _AGAIN.search(text, place):
        end = low.find(f"</{found[1].lower()}", found.end())
        if end < 0 or len(low) != len(text):
            break
        kept.append(text[place : found.start()])
        place = text.find(">", end) + 1 or len(text)
    return "".join((*kept, text[place:]))


def _labelled(text: str) -> str:
    n_labels = len(_LABEL.findall(text))

    def label(found: re.Match[str]) -> str:
        words_of_label = _TAG.sub("", found[2]).strip()
        plain = words_of_label.lower().strip(" :.")
        if not plain or plain == "abstract" or (plain in _WHOLE and n_labels == 1):
            return " "
        return f" {words_of_label} " if words_of_label[-1] in ":.?!" else f" {words_of_label}: "

    return _LABEL.sub(label, text)


def _one_space(text: str) -> str:
    if text.isprintable():  # so " " is its only whitespace
        return " ".join(text.split()) if "  " in text else text.strip()
    single = " ".join(text.split())
    if single.isprintable() and not any(control in text for control in _SPLITTING):
        return single
    return " ".join(_CONTROL.sub("", text).split())


def abstract_text(text: str) -> str | None:
    """Return an abstract without markup, with its section labels; None if it only states that there is none.

    >>> abstract_text("[No abstract available]") is None, abstract_text("<p>We review.</p>")
    (True, 'We review.')
    >>> abstract_text("<jats:sec><jats:title>Objective</jats:title><jats:p>This study</jats:p></jats:sec>")
    'Objective: This study'
    """
    plain = _plain(text, labelled=True)
    if len(plain) < 40 and (not plain.strip(" .-–") or _NO_ABSTRACT.fullmatch(plain)):
        return None
    return plain


def doi_of(text: str) -> str | None:
    """Return the first DOI in a text, normalised: lower case, without URL, trailing brackets or stops.

    >>> doi_of("https://doi.org/10.1016/J.JSS.2010.01.001."), doi_of("10.1000/x(1) [doi]"), doi_of("n/a")
    ('10.1016/j.jss.2010.01.001', '10.1000/x(1)', None)
    """
    if "%" in text and _QUOTED.search(text):
        text = unquote(text)
    if "10." not in text:
        return None
    if not text.isascii() or not text.isprintable():
        text = _CONTROL.sub("", text)
    text = html.unescape(text) if "&" in text else text
    if ("(" in text) and (found := _SICI.search(text)):
        return found[0].lower()
    found = _DOI.search(text)
    if found is None:
        return None
    doi = _NEXT_DOI.split(found[0][: MOST_OF_A_DOI + 1], maxsplit=1)[0]
    return _without_its_end(_PAGE_OF_DOI.sub("", doi) if "://" in text else doi)


def _without_its_end(doi: str) -> str | None:
    """Remove trailing stops and brackets; return None for a DOI that is too long or names an issue, not an article."""
    if len(doi) > 2 * MOST_OF_A_DOI:
        return None
    doi = doi.rstrip(_STOPS)
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1].rstrip(_STOPS)
    if len(doi) > MOST_OF_A_DOI or doi.endswith("/") or ("-" in doi and _ONLY_AN_ISSUE.fullmatch(doi)):
        return None
    return doi.lower()


def pmid_of(text: str) -> str | None:
    """Return the PubMed number in a text that contains little else.

    >>> pmid_of("PMID: 035957633"), pmid_of("35957633 [PMID]"), pmid_of("PMC9359172"), pmid_of("see 12 and 13")
    ('35957633', '35957633', None, None)
    """
    if "pmc" in text.lower():
        return None
    found = re.findall(r"\d+", text)
    if len(found) != 1 or len(found[0].lstrip("0")) not in range(1, 9):
        return None
    return str(int(found[0].lstrip("0")))


def year_of(text: str) -> int | None:
    """Return the first year in a text, 1500 to 2199.

    >>> year_of("2019///"), year_of("Spring 1998-99"), year_of("20190312"), year_of("[n.d.]")
    (2019, 1998, 2019, None)
    """
    text = text.strip()
    if text.isdigit() and len(text) == 8 and text[4:6] <= "12" and text[6:] <= "31":  # a date without separators
        text = text[:4]
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def title_key(title: str) -> str:
    """Return the letters and digits of a title, without case, accents and spaces, so that spellings compare equal.

    >>> title_key("Meta-analysis: a “Review”.") == title_key("Metaanalysis A review")
    True
    """
    return "".join(words(title))


def _line(text: str | None) -> str | None:
    if not text:
        return None
    plain = plain_text(text)
    return None if len(plain) < 5 and plain.lower() in _NOTHING else plain


def _names(texts: Sequence[str]) -> Ids:
    """Return names without the comma with which EndNote ends the name of an organisation."""
    plain = (plain_text(text).strip(" ;").rstrip(" ,") for text in texts)
    return unique_ids(name for name in plain if name.lower() not in _NOTHING)


def _count(text: str) -> int | None:
    digits = text.strip().replace(",", "")
    if digits.endswith(".0"):
        digits = digits[:-2]
    if not digits.isascii() or not digits.isdigit() or len(digits) > 10:
        return None
    return int(digits) if int(digits) <= LARGEST_NUMBER else None
