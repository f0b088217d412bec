"""JSON of any service whose objects have a title: Lens, Semantic Scholar, PLOS, Publish or Perish, Zotero's API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.records.cleaning import Fields, doi_of
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.structured.json_items import Item, item_lines, items, sample
from data.importers.structured.json_values import at, kind_in, name_of, objects_in, text_in, texts_in, year_in

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


def any_json_likeness(source: Source) -> float:
    """Objects with a title and something else that a publication has; or with little beside the title."""
    like = sum(_is_publication(_flat(value)) for value in sample(source))
    return 0.4 if like else 0.0


def _is_publication(flat: dict[str, Any]) -> bool:
    if not any(text_in(flat.get(name)) for name in _TITLE):
        return False
    return any(flat.get(name) for name in _SAYS_IT_IS_ONE) or len(flat) <= 2


def read_any_json(source: Source, asked: Asked) -> Iterator[Part]:
    """Each object."""
    for item in items(source):
        if isinstance(item, Item):
            taker = _Taker(_flat(item.value))
            yield Entry(item.line, _fields(taker), taker.unused)
        else:
            yield item


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """The object that holds the title, its keys in small letters without hyphens and underscores."""
    for wrapper in ("data", "_source", "message", "paper", "work"):
        inner = value.get(wrapper)
        if isinstance(inner, dict) and "title" in inner:
            value = {**value, **inner}
            break
    return {re.sub(r"[^a-z0-9]", "", key.lower()): held for key, held in value.items()}


class _Taker:
    """Values by the first of several keys; knows what was left."""

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


def _fields(taker: _Taker) -> Fields:
    own_id = taker.text(*_OWN)
    ids = _other_ids(taker)
    abstract = taker.value(*_ABSTRACT)
    fields: Fields = {
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
    }
    if kind := kind_in(" ".join(texts_in(taker.value(*_KIND)))):
        fields["kind"] = kind
    if (included := _included(taker)) is not None:
        fields["included"] = included
    return fields


def _other_ids(taker: _Taker) -> dict[str, str]:
    """External ids as an object (Semantic Scholar) or a list of type and value (Lens)."""
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
    """Some services write 0 for "unknown"."""
    return "" if text == "0" else text


def _included(taker: _Taker) -> bool | None:
    for name in _INCLUDED:
        held = taker.flat.get(name)
        said = held if isinstance(held, bool) else _YES_NO.get(text_in(held).lower())
        if said is not None:
            taker.value(name)
            return said
    return None


ANY_JSON = Format("any_json", "JSON with titles", any_json_likeness, item_lines, read_any_json)
