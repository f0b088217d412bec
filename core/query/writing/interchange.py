"""Searches as documents that other programs read: the shape in which searchRxiv and search files keep them."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.dialects.base import Tag
from core.query.reading.operands import with_tag
from core.query.reading.parse import parse
from core.query.tree import DialectId, ParsedQuery

PLATFORMS: Mapping[str, DialectId] = {
    "pubmed": "pubmed",
    "medline": "pubmed",
    "ovid": "ovid",
    "wos": "wos",
    "web of science": "wos",
    "scopus": "scopus",
    "ebscohost": "ebsco",
    "ebsco": "ebsco",
    "dimensions": "dimensions",
    "openalex": "openalex",
    "generic": "plain",
    "plain": "plain",
}
"""What documents call a platform, in lower case; of several names for one the first of them is written."""
_WRITTEN: Mapping[DialectId, str] = {"ebsco": "ebscohost", "plain": "generic"}
_BEGINNING = re.compile(r"""[\ufeff\s]*(?:\[\s*)?\{\s*(?:"[^"\n]{0,100}"\s*:|\}\s*\]?\s*\Z)""")
_NAMED = ("search_string", "platform", "database", "field", "date", "version", "authors", "record_info", "title")


@dataclass(frozen=True, eq=False)
class SearchDocument:
    """A search with what is known about it."""

    search_string: str
    platform: str
    """As the document calls it; empty: it is found out from the text."""
    database: tuple[str, ...] = ()
    field: str = ""
    """Where a term without a field is looked for, as the platform calls it."""
    date: Mapping[str, object] = dataclasses.field(default_factory=dict)
    """When it was written, run or entered, such as data_entry."""
    version: str = ""
    authors: tuple[Mapping[str, object], ...] = ()
    """Each with at least a name."""
    record_info: Mapping[str, object] = dataclasses.field(default_factory=dict)
    title: str = ""
    other: Mapping[str, object] = dataclasses.field(default_factory=dict)
    """What else the document holds; it is kept as it is."""

    @property
    def dialect(self) -> DialectId | None:
        """The platform's dialect; None: this platform is not known."""
        return PLATFORMS.get(self.platform.strip().lower())

    def parsed(self, dialect: DialectId | None = None) -> ParsedQuery:
        """The search as a tree; its general field holds for all terms without one. `dialect`: instead of its own."""
        found = parse(self.search_string, dialect or self.dialect)
        tag = self._tag(found.dialect)
        if found.root is None or tag is None or not tag.fields:
            return found
        return replace(found, root=with_tag(found.root, tag))

    def _tag(self, dialect: DialectId) -> Tag | None:
        name = self.field.strip().strip("[]=.():").lower()
        tag = DIALECTS[dialect].tags.get(name)
        return tag if tag and tag.kind == "text" else None

    def as_dict(self) -> dict[str, object]:
        """For JSON; what is not known is left out, except what every such document has."""
        known: dict[str, object] = {
            "search_string": self.search_string,
            "platform": self.platform,
            "authors": [dict(author) for author in self.authors],
            "record_info": dict(self.record_info),
            "date": dict(self.date),
        }
        if self.database:
            known["database"] = list(self.database)
        known |= {name: value for name in ("field", "version", "title") if (value := getattr(self, name))}
        return known | {name: value for name, value in self.other.items() if name not in known}


def document_of(
    parsed: ParsedQuery,
    *,
    title: str = "",
    database: tuple[str, ...] = (),
    date: str = "",
    version: str = "",
    authors: tuple[str, ...] = (),
) -> SearchDocument:
    """A query as a document. `date`: when it was entered, as 2026-01-31.

    >>> document_of(parse("heat[ti]", "pubmed"), title="Heat").as_dict()["platform"]
    'pubmed'
    """
    return SearchDocument(
        parsed.text,
        _WRITTEN.get(parsed.dialect, parsed.dialect),
        database,
        date={"data_entry": date} if date else {},
        version=version,
        authors=tuple({"name": name} for name in authors),
        title=title,
    )


def read_document(document: object) -> SearchDocument:
    """A search from what JSON holds; a key of the wrong type is refused, an unknown key is kept.

    >>> read_document({"search_string": "TS=heat", "platform": "wos"}).parsed().dialect
    'wos'
    """
    if not isinstance(document, Mapping):
        raise InputError(f"a search file holds one object with search_string and platform, got {_kind(document)}")
    text = _text(document, "search_string")
    if not text.strip():
        raise InputError('"search_string" is missing or empty: it must hold the search itself')
    return SearchDocument(
        text,
        _text(document, "platform"),
        _texts(document, "database"),
        _text(document, "field") or _text(document, "field_general"),
        _date(document),
        _text(document, "version", numbers=True),
        _authors(document),
        _object(document, "record_info"),
        _text(document, "title"),
        {str(name): value for name, value in document.items() if name not in _NAMED},
    )


def looks_like_document(text: str) -> bool:
    """Whether a text is meant as JSON, be it broken: no search string begins like that.

    >>> looks_like_document('{"search_string": "heat"}'), looks_like_document("{heat wave} AND trees")
    (True, False)
    """
    return _BEGINNING.match(text) is not None


def read_documents(text: str) -> tuple[SearchDocument, ...]:
    """The searches in the text of a JSON file: one, or a list of them."""
    try:
        found = json.loads(text.strip("\ufeff \t\r\n"))
    except (ValueError, RecursionError) as e:
        raise InputError(f"this is not JSON: {str(e)[:100]}") from e
    documents = tuple(read_document(each) for each in (found if isinstance(found, list) else [found]))
    if not documents:
        raise InputError("this file holds no search")
    return documents


def as_json(document: SearchDocument) -> str:
    """The text of a JSON file."""
    return json.dumps(document.as_dict(), ensure_ascii=False, indent=4)


# Checking


def _wrong(name: str, expected: str, value: object) -> InputError:
    return InputError(f'"{name}" must be {expected}, got {_kind(value)}')


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    names: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "an object")


def _text(document: Mapping[str, object], name: str, *, numbers: bool = False) -> str:
    value = document.get(name)
    if value is None:
        return ""
    if numbers and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    return value


def _texts(document: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = document.get(name)
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise _wrong(name, "a list of texts", value)
    for each in value:
        if not isinstance(each, str):
            raise _wrong(name, "a list of texts", each)
    return tuple(value)


def _object(document: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = document.get(name)
    if value is None or value == "":
        return {}
    if not isinstance(value, Mapping):
        raise _wrong(name, "an object", value)
    return value


def _date(document: Mapping[str, object]) -> Mapping[str, object]:
    value = document.get("date")
    if isinstance(value, str) and value:
        return {"data_entry": value}
    if value is not None and value != "" and not isinstance(value, Mapping):
        raise _wrong("date", 'a text or an object with "data_entry"', value)
    return _object(document, "date")


def _authors(document: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    value = document.get("authors")
    if value is None or value == "":
        return ()
    if not isinstance(value, list):
        raise _wrong("authors", "a list of objects with a name", value)
    for each in value:
        if not isinstance(each, Mapping) or not isinstance(each.get("name"), str):
            raise _wrong("authors", "a list of objects with a name", each)
    return tuple(value)
