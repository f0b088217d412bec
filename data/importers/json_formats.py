"""JSON formats: Crossref, OpenAlex, CSL, Queryscape's own, and any service's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from core.library.identity import unique_id
from core.library.kinds import known_kind_of
from core.library.records import KINDS, RawFields, SubjectHeading, doi_of, plain_text, title_key
from data.importers.json_records import (
    JsonItem,
    at,
    first_text,
    item_lines,
    items,
    name_of,
    objects_in,
    sample,
    text_in,
    texts_in,
    unused_in,
    year_in,
)
from data.importers.source import Format, ImportEntry, ImportFile, Part, ReadOptions

# JSON of any service whose objects have a title: Lens, Semantic Scholar, PLOS, Publish or Perish, Zotero's API.

_TITLE = ("title", "titledisplay", "articletitle", "papertitle", "documenttitle", "primarytitle", "displayname", "ti")
_ABSTRACT = ("abstract", "abstracttext", "abstractnote", "paperabstract", "summary", "ab")
_YEAR = (
    "year", "publicationyear", "pubyear", "yearpublished", "publicationdate", "datepublished", "pubdate", "coverdate",
    "issued", "date", "published",
)  # fmt: skip
_AUTHORS = ("authors", "author", "authordisplay", "creators", "authorstring", "authornames", "creator")
_VENUE = (
    "journal", "venue", "source", "publicationtitle", "journaltitle", "containertitle", "booktitle",
    "publicationvenue", "publicationname", "journalname", "proceedingstitle",
)  # fmt: skip
_PAGES = ("pages", "page", "pagination", "pageinfo", "pagerange")
_KIND = ("publicationtype", "publicationtypes", "itemtype", "articletype", "documenttype", "type", "subtypedescription")
_KEYWORDS = ("keywords", "keyword", "tags", "subjects", "meshterms", "fieldsofstudy", "authkeywords")
_URL = ("url", "articleurl", "link", "links", "sourceurl", "fulltexturl")
_CITED = (
    "cites", "citedbycount", "citationcount", "scholarlycitationscount", "timescited", "citations", "ncitations",
)  # fmt: skip
_OWN = ("paperid", "lensid", "openalexid", "dimensionsid", "pubid", "uid", "ut", "eid", "corpusid", "id", "key")
_INCLUDED = ("included", "labelincluded", "includedlabel", "label")
_YES_NO = {"1": True, "yes": True, "true": True, "included": True, "0": False, "no": False, "false": False}
_SAYS_IT_IS_ONE = (*_ABSTRACT, *_YEAR, *_AUTHORS, *_VENUE, "doi", "pmid", "pubmedid")


def _format(
    format_id: str,
    label: str,
    likeness: Callable[[ImportFile], float],
    fields_of: Callable[[dict[str, Any]], tuple[RawFields, Sequence[str]]],
) -> Format:
    """Make a format of JSON objects. `fields_of` returns an object's fields, and the names that it doesn't use."""

    def read(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
        for item in items(source):
            yield ImportEntry(item.line, *fields_of(item.value)) if isinstance(item, JsonItem) else item

    return Format(format_id, label, likeness, item_lines, read)


def any_json_likeness(source: ImportFile) -> float:
    """Score a source: objects have a title and another field of publications, or little besides the title."""
    like = sum(_is_publication(_flat(value)) for value in sample(source))
    return 0.4 if like else 0.0


def _is_publication(flat: dict[str, Any]) -> bool:
    if not any(text_in(flat.get(name)) for name in _TITLE):
        return False
    return any(flat.get(name) for name in _SAYS_IT_IS_ONE) or len(flat) <= 2


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object that holds the title, with keys in lower case without hyphens and underscores."""
    for wrapper in ("data", "_source", "message", "paper", "work"):
        inner = value.get(wrapper)
        if isinstance(inner, dict) and "title" in inner:
            value = {**value, **inner}
            break
    return {re.sub(r"[^a-z0-9]", "", key.lower()): held for key, held in value.items()}


class _Taker:
    def __init__(self, flat: dict[str, Any]) -> None:
        self.flat = flat
        self._taken: set[str] = {"data", "meta", "library"}

    @property
    def unused(self) -> list[str]:
        return [k for k, held in self.flat.items() if k not in self._taken and held not in (None, "", [], {}, False, 0)]

    def value(self, *names: str) -> Any:
        for name in names:
            if self.flat.get(name) not in (None, "", [], {}):
                self._taken.add(name)
                return self.flat[name]
        return None

    def text(self, *names: str) -> str:
        return text_in(self.value(*names))


def _any_fields(value: dict[str, Any]) -> tuple[RawFields, Sequence[str]]:
    taker = _Taker(_flat(value))
    own_id = taker.text(*_OWN)
    ids = _other_ids(taker)
    abstract = taker.value(*_ABSTRACT)
    fields: RawFields = {
        "title": taker.text(*_TITLE),
        "abstract": " ".join(texts_in(abstract)) if isinstance(abstract, list) else text_in(abstract),
        "year": year_in(taker.value(*_YEAR)),
        "doi": taker.text("doi", "prismdoi") or ids.get("doi", "") or (own_id if doi_of(own_id) else ""),
        "pmid": taker.text("pmid", "pubmedid") or ids.get("pmid", "") or ids.get("pubmed", ""),
        "own_id": "" if doi_of(own_id) else own_id,
        "authors": _authors(taker.value(*_AUTHORS)),
        "venue": taker.text(*_VENUE),
        "volume": _number(taker.text("volume")) or text_in(at(taker.flat.get("journal"), "volume")),
        "issue": _number(taker.text("issue", "number")),
        "pages": _pages(taker),
        "keywords": [word for name in _KEYWORDS for word in texts_in(taker.value(name), signs=";,")],
        "url": taker.text(*_URL),
        "times_cited": taker.text(*_CITED),
        "kind": known_kind_of(texts_in(taker.value(*_KIND))),
        "included": _included(taker),
    }
    return fields, taker.unused


def _other_ids(taker: _Taker) -> dict[str, str]:
    """Return external ids, given as an object (Semantic Scholar) or a list of type and value (Lens)."""
    held = taker.value("externalids", "ids")
    if isinstance(held, dict):
        return {key.lower(): text_in(value) for key, value in held.items()}
    return {text_in(one.get("type")).lower(): text_in(one.get("value")) for one in objects_in(held)}


def _authors(value: Any) -> list[str]:
    if objects_in(value):
        return [name for author in objects_in(value) if (name := name_of(author))]
    names = texts_in(value, signs=";")
    if len(names) == 1 and isinstance(value, str) and value.count(",") > 1:
        names = texts_in(value, signs=",")
    return [name for name in names if name.strip(". …")]


def _pages(taker: _Taker) -> str:
    if pages := _number(taker.text(*_PAGES)):
        return pages
    first, last = _number(taker.text("startpage", "firstpage")), _number(taker.text("endpage", "lastpage"))
    journal = text_in(at(taker.flat.get("journal"), "pages"))
    return f"{first}-{last}" if first and last and first != last else first or last or journal


def _number(text: str) -> str:
    """Return an empty text for 0, which some services use for "unknown"."""
    return "" if text == "0" else text


def _included(taker: _Taker) -> bool | None:
    for name in _INCLUDED:
        held = taker.flat.get(name)
        flag = held if isinstance(held, bool) else _YES_NO.get(text_in(held).lower())
        if flag is not None:
            taker.value(name)
            return flag
    return None


ANY_JSON = _format("any_json", "JSON with titles", any_json_likeness, _any_fields)


# Crossref's JSON: one work, a search response, a list of works or one work per line.

_HEADING = re.compile(r"\s*<(jats:)?title>\s*abstract\s*:?\s*</(jats:)?title>", re.IGNORECASE)
_DATES = ("issued", "published", "published-print", "published-online", "posted")
""""created" is left out: it is the deposit date of the DOI, which may be decades after publication."""
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
        "created",
        "language",
        "ISSN",
        "issn-type",
        "reference",
        "reference-count",
        "references-count",
        "updated-by",
    ]
) | frozenset(_DATES)


def crossref_likeness(source: ImportFile) -> float:
    """Score a source: Crossref's works have a DOI key in capitals and their title in a list."""
    works = [work_in(value) for value in sample(source)]
    like = [w for w in works if "DOI" in w and (isinstance(w.get("title"), list) or "is-referenced-by-count" in w)]
    return 0.95 if like else 0.0


def work_in(value: dict[str, Any]) -> dict[str, Any]:
    message = value.get("message")
    return message if isinstance(message, dict) else value


def crossref_fields(work: dict[str, Any]) -> RawFields:
    """Return the fields of a Crossref work, not cleaned yet."""
    title, subtitle = text_in(work.get("title")), text_in(work.get("subtitle"))
    if title and subtitle and title_key(plain_text(subtitle)) not in title_key(plain_text(title)):
        title = f"{title.rstrip(':')}: {subtitle}"
    updates = (text_in(update.get("type")) for update in objects_in(work.get("updated-by")))
    return {
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
        "types": [text for name in ("type", "subtype") if (text := text_in(work.get(name)))],
        "language": texts_in(work.get("language")),
        "issn": texts_in(work.get("ISSN")),
        "kind": known_kind_of([first_text(work, "subtype", "type")]),
        "references": [
            f"doi:{doi}" for cited in objects_in(work.get("reference")) if (doi := text_in(cited.get("DOI")))
        ],
        "is_retracted": True if _RETRACTIONS.intersection(updates) else None,
    }


_RETRACTIONS = frozenset({"retraction", "withdrawal", "removal"})
"""Crossref's names for notices that retract a work."""


CROSSREF_JSON = _format(
    "crossref_json",
    "Crossref (JSON)",
    crossref_likeness,
    lambda value: (crossref_fields(work := work_in(value)), unused_in(work, _TAKEN)),
)


# CSL JSON, as Zotero, Mendeley and citation services write it.

_TYPES = (
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast",
    "chapter", "classic", "collection", "dataset", "document", "entry", "entry-dictionary",
    "entry-encyclopedia", "event", "figure", "graphic", "hearing", "interview", "legal_case", "legislation",
    "manuscript", "map", "motion_picture", "musical_score", "pamphlet", "paper-conference", "patent",
    "performance", "periodical", "personal_communication", "post", "post-weblog", "regulation", "report",
    "review", "review-book", "software", "song", "speech", "standard", "thesis", "treaty", "webpage",
)  # fmt: skip
TYPES = frozenset(_TYPES)
CSL_VENUES = {"article": "publisher", "report": "publisher", "thesis": "publisher", "book": "collection-title"}
"""The variable for the venue of types that have no container; an article is a preprint."""
_OF_CSL = ("issued", "container-title", "author", "DOI", "accessed", "citation-key", "title-short")
_CSL_TAKEN = frozenset(
    [
        "id",
        "type",
        "genre",
        "title",
        "abstract",
        "issued",
        "DOI",
        "PMID",
        "PMCID",
        "ISSN",
        "author",
        "editor",
        "container-title",
        "collection-title",
        "publisher",
        "volume",
        "issue",
        "page",
        "number",
        "keyword",
        "language",
        "URL",
    ]
)
_NOTED = re.compile(r"\b(PMID|PMCID|DOI):\s*(\S{1,500})", re.IGNORECASE)
"""Identifiers in the note: Zotero's field Extra, for which its item types have no field."""
_ADDRESS = re.compile(r"https?://")
"""An id that is an address, as in Zotero's files, or a database's own is unique; a citation key is not."""
_ONLY_OURS = (
    *("kind", "keywords", "times_cited", "included", "types", "headings", "language", "references", "is_retracted"),
    *("cite_source", "cite_label", "cite_string"),
)


def csl_likeness(source: ImportFile) -> float:
    """Score a source: items have one of CSL's types and a field that only CSL spells this way, or are our own."""
    values = sample(source)
    like = [v for v in values if v.get("type") in TYPES and "title" in v and any(name in v for name in _OF_CSL)]
    return 0.9 if like or any(map(_ours, values)) else 0.0


def _ours(item: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that Queryscape's own export adds to an item; empty for items of other programs."""
    own = at(item, "custom", "queryscape")
    return own if isinstance(own, dict) else {}


def _csl_fields(item: dict[str, Any]) -> tuple[RawFields, Sequence[str]]:
    own = _ours(item)
    if not own:
        return _foreign_csl_fields(item), unused_in(item, _CSL_TAKEN)
    found = own_fields(own)
    fields: dict[str, Any] = {**_foreign_csl_fields(item), **{name: found[name] for name in _ONLY_OURS}}  # type: ignore[literal-required]
    fields["own_id"] = text_in(own.get("own_id"))
    fields["url"] = text_in(own.get("url")) or fields["url"]
    return RawFields(**fields), unused_in(item, _CSL_TAKEN | {"note", "custom"})  # type: ignore[typeddict-item]


def _foreign_csl_fields(item: dict[str, Any]) -> RawFields:
    own_id, csl_type = text_in(item.get("id")), text_in(item.get("type"))
    types = [text for text in (csl_type, text_in(item.get("genre"))) if text]
    noted = {name.upper(): text for name, text in reversed(_NOTED.findall(text_in(item.get("note"))))}
    return {
        "title": text_in(item.get("title")),
        "abstract": text_in(item.get("abstract")),
        "year": year_in(item.get("issued")),
        "doi": text_in(item.get("DOI")) or noted.get("DOI", "") or (own_id if doi_of(own_id) else ""),
        "pmid": text_in(item.get("PMID")) or noted.get("PMID", ""),
        "pmcid": text_in(item.get("PMCID")) or noted.get("PMCID", ""),
        "own_id": own_id if unique_id(own_id) or (_ADDRESS.match(own_id) and not doi_of(own_id)) else "",
        "authors": [name_of(a) for a in objects_in(item.get("author")) or objects_in(item.get("editor"))],
        "venue": first_text(item, "container-title", CSL_VENUES.get(csl_type, "")),
        "volume": text_in(item.get("volume")),
        "issue": text_in(item.get("issue")),
        "pages": first_text(item, "page", "number"),
        "keywords": texts_in(item.get("keyword"), signs=";,"),
        "url": text_in(item.get("URL")),
        "types": types,
        "language": texts_in(item.get("language")),
        "issn": texts_in(item.get("ISSN")),
        "kind": known_kind_of(types),
    }


CSL_JSON = _format("csl_json", "CSL JSON (Zotero)", csl_likeness, _csl_fields)


# OpenAlex's JSON: one work, a search response, a list of works or one work per line.

_HOST = "https://openalex.org/"
_OPENALEX_TAKEN = frozenset(
    [
        "id",
        "display_name",
        "title",
        "publication_year",
        "publication_date",
        "doi",
        "abstract_inverted_index",
        "abstract",
        "ids",
        "cited_by_count",
        "authorships",
        "primary_location",
        "host_venue",
        "biblio",
        "type",
        "type_crossref",
        "keywords",
        "cited_by_api_url",
        "is_retracted",
        "language",
        "referenced_works",
        "referenced_works_count",
        "mesh",
    ]
)


def openalex_likeness(source: ImportFile) -> float:
    """Score a source: works have an OpenAlex address as their id, or an inverted abstract."""
    for work in sample(source):
        if text_in(work.get("id")).startswith(_HOST) or "abstract_inverted_index" in work:
            return 0.97
    return 0.0


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def abstract_in_order(index: Any) -> str:
    """Restore the word order of an inverted abstract.

    >>> abstract_in_order({"search": [1, 3], "We": [0], "and": [2]})
    'We search and search'
    """
    if not isinstance(index, dict):
        return ""
    with suppress(TypeError, KeyError):  # the regular case: each position from 0 on has one word
        word_at = {place: word for word, places in index.items() for place in places}
        if sum(map(len, index.values())) == len(word_at):
            return " ".join([word_at[place] for place in range(len(word_at))])
    placed = [
        (place, word)
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(placed))


def openalex_fields(work: dict[str, Any]) -> RawFields:
    """Return the fields of an OpenAlex work, not cleaned yet."""
    first, last = text_in(at(work, "biblio", "first_page")), text_in(at(work, "biblio", "last_page"))
    return {
        "title": first_text(work, "title", "display_name"),
        "abstract": abstract_in_order(work.get("abstract_inverted_index")) or text_in(work.get("abstract")),
        "year": first_text(work, "publication_year", "publication_date"),
        "doi": text_in(work.get("doi")) or text_in(at(work, "ids", "doi")),
        "pmid": text_in(at(work, "ids", "pmid")),
        "own_id": text_in(work.get("id")).removeprefix(_HOST),
        "authors": [name for a in objects_in(work.get("authorships")) if (name := _author(a))],
        "venue": text_in(at(work, "primary_location", "source")) or text_in(work.get("host_venue")),
        "volume": text_in(at(work, "biblio", "volume")),
        "issue": text_in(at(work, "biblio", "issue")),
        "pages": f"{first}-{last}" if first and last and first != last else first or last,
        "keywords": texts_in(work.get("keywords")),
        "url": text_in(at(work, "primary_location", "landing_page_url")),
        "times_cited": text_in(work.get("cited_by_count")),
        "types": [text for name in ("type", "type_crossref") if (text := text_in(work.get(name)))],
        "headings": _headings(work),
        "language": texts_in(work.get("language")),
        "pmcid": text_in(at(work, "ids", "pmcid")),
        "issn": texts_in(at(work, "primary_location", "source", "issn")),
        "references": [f"openalex:{name.removeprefix(_HOST)}" for name in texts_in(work.get("referenced_works"))],
        "kind": known_kind_of([_type(work)]),
        "is_retracted": _flag(work.get("is_retracted")),
    }


def _headings(work: dict[str, Any]) -> list[str]:
    """Merge headings: one with several qualifiers is listed once per qualifier."""
    found: dict[str, SubjectHeading] = {}
    for part in objects_in(work.get("mesh")):
        name, qualifier = text_in(part.get("descriptor_name")), text_in(part.get("qualifier_name"))
        if not name:
            continue
        is_major = part.get("is_major_topic") is True
        heading = found.get(name, SubjectHeading(name))
        qualifiers = (*heading.qualifiers, (qualifier, is_major)) if qualifier else heading.qualifiers
        found[name] = SubjectHeading(name, qualifiers, heading.is_starred or (is_major and not qualifier))
    return [heading.text for heading in found.values()]


def _type(work: dict[str, Any]) -> str:
    """Return the type. OpenAlex calls conference papers articles; their venue or Crossref's type says otherwise."""
    of_crossref, of_openalex = text_in(work.get("type_crossref")), text_in(work.get("type"))
    if of_openalex == "article" and text_in(at(work, "primary_location", "source", "type")) == "conference":
        return "proceedings-article"
    return of_crossref if of_crossref.startswith("proceedings") else of_openalex or of_crossref


def _author(authorship: dict[str, Any]) -> str:
    return text_in(at(authorship, "author", "display_name")) or text_in(authorship.get("raw_author_name"))


OPENALEX_JSON = _format(
    "openalex_json",
    "OpenAlex (JSON)",
    openalex_likeness,
    lambda work: (openalex_fields(work), unused_in(work, _OPENALEX_TAKEN)),
)


# Queryscape's own JSON Lines export, read back: the publications' fields without their provenance.


def queryscape_likeness(source: ImportFile) -> float:
    """Score a source: only Queryscape writes a publication_id."""
    return 1.0 if any("publication_id" in value for value in sample(source)) else 0.0


def own_fields(value: dict[str, Any]) -> RawFields:
    own_keywords = value.get("author_keywords")
    keywords = own_keywords if isinstance(own_keywords, list) else value.get("keywords")
    return {
        "title": text_in(value.get("title")),
        "abstract": text_in(value.get("abstract")),
        "year": text_in(value.get("year")),
        "doi": text_in(value.get("doi")),
        "pmid": text_in(value.get("pmid")),
        "own_id": text_in(value.get("own_id")) or text_in(value.get("publication_id")),
        "authors": texts_in(value.get("authors")),
        "venue": text_in(value.get("venue")),
        "volume": text_in(value.get("volume")),
        "issue": text_in(value.get("issue")),
        "pages": text_in(value.get("pages")),
        "keywords": texts_in(keywords),
        "url": text_in(value.get("url")),
        "times_cited": text_in(value.get("times_cited")),
        "types": texts_in(value.get("types")),
        "headings": texts_in(value.get("headings")),
        "language": texts_in(value.get("language")),
        "pmcid": text_in(value.get("pmcid")),
        "issn": texts_in(value.get("issn")),
        "references": texts_in(value.get("references")),
        "cite_source": texts_in(value.get("cite_source")),
        "cite_label": texts_in(value.get("cite_label")),
        "cite_string": texts_in(value.get("cite_string")),
        "kind": next((kind for kind in KINDS if value.get("kind") == kind), None),
        "included": _flag(value.get("included")),
        "is_retracted": _flag(value.get("is_retracted")),
    }


QUERYSCAPE_JSONL = _format(
    "queryscape_jsonl", "Queryscape (JSON Lines)", queryscape_likeness, lambda value: (own_fields(value), ())
)
