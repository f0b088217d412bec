"""OpenAlex's JSON: one work, an answer to a search, a list of works or one work in each line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from core.records.cleaning import Fields
from data.importers.source import Asked, Entry, Format, Part, Source
from data.importers.structured.json_items import Item, item_lines, items, sample
from data.importers.structured.json_values import at, first_text, kind_in, objects_in, text_in, texts_in, unused_in

_HOST = "https://openalex.org/"
_TAKEN = frozenset(
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
    ]
)


def openalex_likeness(source: Source) -> float:
    """Works have an address at OpenAlex as their id, or an abstract turned inside out."""
    for work in sample(source):
        if text_in(work.get("id")).startswith(_HOST) or "abstract_inverted_index" in work:
            return 0.97
    return 0.0


def read_openalex_json(source: Source, asked: Asked) -> Iterator[Part]:
    """Each work."""
    for item in items(source):
        if isinstance(item, Item):
            yield Entry(item.line, openalex_fields(item.value), unused_in(item.value, _TAKEN))
        else:
            yield item


def abstract_in_order(index: Any) -> str:
    """The words of an inverted abstract, each at its places.

    >>> abstract_in_order({"search": [1, 3], "We": [0], "and": [2]})
    'We search and search'
    """
    if not isinstance(index, dict):
        return ""
    with suppress(TypeError, KeyError):  # as it should be: each place from 0 on has one word
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


def openalex_fields(work: dict[str, Any]) -> Fields:
    """What OpenAlex says of a work, not cleaned yet."""
    first, last = text_in(at(work, "biblio", "first_page")), text_in(at(work, "biblio", "last_page"))
    fields: Fields = {
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
    }
    if kind := kind_in(_type(work)):
        fields["kind"] = kind
    return fields


def _type(work: dict[str, Any]) -> str:
    """OpenAlex calls papers of conferences articles; Crossref's word for them, beside it, does not."""
    of_crossref = text_in(work.get("type_crossref"))
    return of_crossref if of_crossref.startswith("proceedings") else text_in(work.get("type")) or of_crossref


def _author(authorship: dict[str, Any]) -> str:
    return text_in(at(authorship, "author", "display_name")) or text_in(authorship.get("raw_author_name"))


OPENALEX_JSON = Format("openalex_json", "OpenAlex (JSON)", openalex_likeness, item_lines, read_openalex_json)
