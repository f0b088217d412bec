"""A bibliographic record, and the cleaning of its identifiers, titles, abstracts, and years."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict, get_args
from urllib.parse import unquote

from core.text import words
from core.types import Ids, Publication, unique_ids

# One record: an entry of a bibliographic file, after cleaning.

Kind = Literal["article", "conference", "preprint", "book", "chapter", "thesis", "report", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Record:
    """What one source says of one publication. Everything but the number may be missing."""

    number: int
    """Position in its file, from 1."""
    line: int | None = None
    """Line, or row of a workbook, at which it begins, from 1; None where a file has no lines."""
    title: str = ""
    abstract: str | None = None
    year: int | None = None
    doi: str | None = None
    """In normal form: lower case, without an address before it."""
    pmid: str | None = None
    """Digits only."""
    own_id: str | None = None
    """The source's own name for it, such as pub.1149029839 or WOS:000253436500012."""
    authors: Ids = ()
    """As they are written there; "Family, Given" where the source says which is which."""
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
    """Whether a person decided that it belongs to the review; None: the file does not say."""
    query_id: str | None = None
    """Which query of a run it answers, or was judged for; None: the file knows no queries."""
    as_written: tuple[tuple[str, str], ...] = ()
    """Name and raw text of each field that cleaning changed, markup and all."""
    types: Ids = ()
    """Every type of publication that the source lists, in its own words; `kind` is one of eight."""
    headings: Ids = ()
    """Subject headings of indexers, as MEDLINE writes them: "*Sleep/drug effects", with * for a major one."""
    language: Ids = ()
    """Codes of ISO 639-1, or the source's own words for rare ones."""
    pmcid: str | None = None
    """PubMed Central's number with PMC before it."""
    issn: Ids = ()
    """Of the journal, in print and online, with their hyphens."""
    references: Ids = ()
    """What it cites, by ids that the source gives: "doi:10.1000/x", "pmid:1", "openalex:W1" or "dimensions:pub.1"."""
    is_retracted: bool | None = None
    """None: the source does not say."""
    cite_source: Ids = ()
    """CiteSource: where it was found."""
    cite_label: Ids = ()
    """CiteSource: the phases of the review that it reached, such as "search" and "final"."""
    cite_string: Ids = ()
    """CiteSource: the search strings that found it."""

    @property
    def says_something(self) -> bool:
        """Whether it can be recognised at all: by its title, abstract or a name."""
        return bool(self.title or self.abstract or self.doi or self.pmid or self.own_id)

    def document(self) -> dict[str, Any]:
        """What is there, for JSON. Its place in the file stands elsewhere."""
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
"""Fields that hold several texts."""
OF_ALL = SEVERAL - {"authors", "language"}
"""Of several records of one publication, what all of them say is kept."""
OF_A_SOURCE = frozenset({"own_id", "included", "query_id", "as_written", "is_retracted"}) | OF_ALL
"""Not taken over one by one when records become one publication."""


@dataclass(frozen=True, slots=True)
class SubjectHeading:
    """A heading of a thesaurus with its qualifiers.

    >>> heading = SubjectHeading.of("Sleep/*drug effects/physiology")
    >>> heading.name, heading.qualifiers, heading.is_major, heading.text
    ('Sleep', (('drug effects', True), ('physiology', False)), True, 'Sleep/*drug effects/physiology')
    """

    name: str
    qualifiers: tuple[tuple[str, bool], ...] = ()
    """Each with whether the publication is mainly about the heading in this respect."""
    is_starred: bool = False
    """Whether the publication is mainly about the heading as such."""

    @property
    def is_major(self) -> bool:
        return self.is_starred or any(is_major for _, is_major in self.qualifiers)

    @property
    def text(self) -> str:
        """As MEDLINE writes it."""
        parts = ((self.name, self.is_starred), *self.qualifiers)
        return "/".join(f"*{name}" if starred else name for name, starred in parts)

    @classmethod
    def of(cls, text: str) -> SubjectHeading:
        name, *qualifiers = (part.strip() for part in text.split("/"))
        parts = tuple((part.removeprefix("*").strip(), part.startswith("*")) for part in qualifiers if part)
        return cls(name.removeprefix("*").strip(), parts, name.startswith("*"))


def combined(records: Iterable[Record]) -> Record:
    """Several records of one publication as one: what an earlier one says stands, a later one fills its gaps.

    Keywords, headings, types and references of all of them are kept, each once. One that says it was retracted counts.

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


# From what a file says to a record: identifiers in normal form, markup and entities gone, "no abstract" is none.

LARGEST_NUMBER = 2**31 - 1


class Fields(TypedDict, total=False):
    """What a reader found in one entry, as it is written there. Everything is cleaned in one place, by `cleaned`."""

    title: str
    abstract: str
    year: str
    """Any text with a year in it: a date, "2019 Mar", "c2004"."""
    doi: str
    """Any text with a DOI in it: an address, "doi:10.1/x", "10.1/x [doi]"."""
    pmid: str
    own_id: str
    authors: Sequence[str]
    venue: str
    volume: str
    issue: str
    pages: str
    kind: Kind
    keywords: Sequence[str]
    url: str
    times_cited: str
    included: bool
    query_id: str
    types: Sequence[str]
    headings: Sequence[str]
    language: Sequence[str]
    """Codes or names of languages."""
    pmcid: str
    issn: Sequence[str]
    references: Sequence[str]
    """Each with what names it: "doi:10.1000/x", "pmid:123"."""
    is_retracted: bool
    cite_source: str | Sequence[str]
    """As one text: several divided by commas, as CiteSource writes them."""
    cite_label: str | Sequence[str]
    cite_string: str | Sequence[str]


MOST_OF_A_DOI = 500
"""Characters; a longer one is none."""
MOST_ROUNDS = 8
"""How often a text may have been escaped, one escaping inside the other."""

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,5}/[^\s\"<>\[\]{}|\\^`]+", re.IGNORECASE)
_SICI = re.compile(
    r"10\.\d{4,9}/(?:\(sici\))?\d{4}-\d{3}[\dx]\([^()\s]{0,12}\)[^\s<>\[\]]{0,40}[<\[][^\s<>\[\]]{1,60}[>\]]"
    r"\d\.\d\.[a-z]{2};\w(?:-[\w#])?",
    re.IGNORECASE,
)
"""A DOI that names a journal's issue and the page in it: "10.1890/1051-0761(2001)011[1349:FEONPA]2.0.CO;2"."""
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
"""Begins what a formula in MathML says once more in another notation."""
_MATH = re.compile(r"<(?:[\w-]+:)?math\b", re.IGNORECASE)
_LABEL = re.compile(
    r"<((?:jats:)?title|h[1-6])\b[^<>]*(?<!/)>((?:(?!</?(?:jats:)?(?:title|h[1-6])\b).){0,300})</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
"""The heading of an abstract, or of one of its parts."""
_WHOLE = frozenset({"abstract", "summary"})
"""Headings of whole abstracts."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_AGAIN = re.compile(r"&(?:(?:amp|#38|#[xX]26);)+")
_SPLITTING = "\x1c\x1d\x1e\x1f"
"""Control characters that count as spaces where a text is split."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")
_NO_ABSTRACT = re.compile(
    r"[\[(]?\s*(?:no abstract(?: is)?(?: available| provided| found)?|abstract (?:is )?not available"
    r"|none(?: available)?|null|nan|n/?a)"
    r"\s*[.!]?\s*[\])]?\.?",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "nan", "none", "null", "n/a", "na", "-", "--"})


def cleaned(number: int, line: int | None, found: Fields) -> Record:
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
        is_retracted=_is_retracted(found, clean_title),
        cite_source=_listed(found.get("cite_source")),
        cite_label=_listed(found.get("cite_label")),
        cite_string=_listed(found.get("cite_string")),
    )


RETRACTED_NOTE = "Retracted publication"
"""How a note says it in formats that have no field for it."""
_RETRACTED_TITLE = re.compile(r"\W?(?:retracted(?: article| paper| publication)?|withdrawn(?: article)?)\s?[:\]]", re.I)


def _is_retracted(found: Fields, title: str) -> bool | None:
    """As the source says it; else by its types and title. An absent flag is no denial."""
    if "is_retracted" in found:
        return found["is_retracted"]
    if any("retracted publication" in text.lower() for text in found.get("types", ())):
        return True
    return True if title[:1] in "RrWw[" and _RETRACTED_TITLE.match(title) else None


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
    """PubMed Central's number, without a version.

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
    """The code of ISO 639-1 for a language's name or code; other texts as they are.

    >>> language_code("eng"), language_code("English"), language_code("en-GB"), language_code("Frisian")
    ('en', 'en', 'en', 'Frisian')
    """
    plain = text.strip().lower()
    return _CODES.get(plain) or _CODES.get(plain.partition("-")[0]) or text.strip()


def language_name(code: str) -> str:
    """The English name of a language; what is no code as it is.

    >>> language_name("es"), language_name("Frisian")
    ('Spanish', 'Frisian')
    """
    return _LANGUAGE_NAMES.get(code, code)


_ISSN = re.compile(r"(?<![\dX-])(\d{4})-?(\d{3}[\dX])(?![\dX-])", re.IGNORECASE)


def issns_of(texts: Iterable[str]) -> Ids:
    """The numbers of journals in these texts; what is longer, such as an ISBN, is none.

    >>> issns_of(["1545-7206 (Electronic)", "00333182; 1545-7206", "978-3-16-148410-0"])
    ('1545-7206', '0033-3182')
    """
    return unique_ids(f"{found[1]}-{found[2].upper()}" for text in texts for found in _ISSN.finditer(text))


def plain_text(text: str) -> str:
    """Text without markup, entities and control characters, its spaces single.

    A "<" that opens no tag stays: "p < 0.05" is not markup.

    >>> plain_text("<jats:p>Ca<sub>2+</sub> &amp; p &lt; 0.05,  p<0.1</jats:p>")
    'Ca2+ & p < 0.05, p<0.1'
    """
    return _plain(text)


def _plain(text: str, *, labelled: bool = False) -> str:
    """`labelled`: headings inside it end with a colon, as the labels of an abstract's parts do."""
    if "<" not in text and "&" not in text:
        return _one_space(text)
    # More than once: some sources escape what was escaped already ("&amp;lt;i&amp;gt;").
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
    """Without annotations of MathML and the TeX beside it.

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
    if text.isprintable():  # so " " is its only space
        return " ".join(text.split()) if "  " in text else text.strip()
    single = " ".join(text.split())
    if single.isprintable() and not any(control in text for control in _SPLITTING):
        return single
    return " ".join(_CONTROL.sub("", text).split())


def abstract_text(text: str) -> str | None:
    """An abstract without markup, its parts with their labels; one that only says that there is none is None.

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
    """The first DOI in a text in normal form: lower case, no address, no brackets or stops that follow it.

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
    """Without stops and brackets that follow it; None for what is too long, or names an issue and no article."""
    if len(doi) > 2 * MOST_OF_A_DOI:
        return None
    doi = doi.rstrip(_STOPS)
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1].rstrip(_STOPS)
    if len(doi) > MOST_OF_A_DOI or doi.endswith("/") or ("-" in doi and _ONLY_AN_ISSUE.fullmatch(doi)):
        return None
    return doi.lower()


def pmid_of(text: str) -> str | None:
    """A PubMed number in a text of little else.

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
    """The first year in a text, 1500 to 2199.

    >>> year_of("2019///"), year_of("Spring 1998-99"), year_of("20190312"), year_of("[n.d.]")
    (2019, 1998, 2019, None)
    """
    text = text.strip()
    if text.isdigit() and len(text) == 8 and text[4:6] <= "12" and text[6:] <= "31":  # a date without separators
        text = text[:4]
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def title_key(title: str) -> str:
    """What two spellings of one title have in common: its letters and digits, without case, accents and spaces.

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
    plain = (plain_text(text).strip(" ;") for text in texts)
    return unique_ids(name for name in plain if name.lower() not in _NOTHING)


def _count(text: str) -> int | None:
    digits = text.strip().replace(",", "")
    if digits.endswith(".0"):
        digits = digits[:-2]
    if not digits.isascii() or not digits.isdigit() or len(digits) > 10:
        return None
    return int(digits) if int(digits) <= LARGEST_NUMBER else None
