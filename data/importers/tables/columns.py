"""What columns of tables are called, in several languages, and which field each of them fills."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from core.errors import FormatError
from core.text import folded
from core.types import Ids
from data.importers.source import Columns

NAMES: Mapping[str, str] = {
    "title": (
        "title|primary title|article title|document title|item title|paper title|work title|study title|display name"
        "|titel|aufsatztitel|titre|titre de l article|titulo|titulo del articulo|titolo|dc title|dcterms title|ti|t1"
        "|full title|reference title|title of the paper|original title|translated title|short title"
    ),
    "abstract": (
        "abstract|abstract note|abstract text|paper abstract|dc description abstract|dcterms abstract|ab|n2"
        "|zusammenfassung|kurzfassung|abstrakt|resume|resumen|resumo|riassunto|sommario|original abstract|summary"
        "|dc description|description"
    ),
    "year": (
        "publication year|year|pubyear|pub year|py|year published|published year|year of publication|jahr"
        "|erscheinungsjahr|publikationsjahr|veroffentlichungsjahr|annee|annee de publication|ano|ano de publicacion"
        "|ano de publicacao|anno|anno di pubblicazione|publication date|date published|pub date|cover date|coverdate"
        "|date|datum|fecha|dc date issued|dc date|dcterms issued|issued|published|y1|online date|issue date"
    ),
    "doi": (
        "doi|item doi|article doi|doi number|digital object identifier|digital object identifier doi|prism doi"
        "|dc identifier doi|doi link|doi url|di"
    ),
    "pmid": "pmid|pubmed id|pubmedid|pubmed ids|ids pmid|pubmed|pubmed number|pubmed pmid|medline pmid|pm",
    "own_id": (
        "record id|publication id|pub id|paper id|paperid|corpus id|corpusid|lens id|eid|ut unique wos id"
        "|ut unique id|openalex id|covidence|rayyan id|work id|document id|documentid|doc id|docid|docno|item id"
        "|itemid|article id|study id|reference id|ref id|pui|id|key|citation key|citekey|bibtex key|uid|uuid"
        "|dc identifier|identifier|pid|accession number"
    ),
    "authors": (
        "author full names|authors|author|author s|author names|author list|author name|autoren|autor|autor in"
        "|autor innen|verfasser|auteurs|auteur|auteur s|autores|autor es|autori|autore|dc creator|dc contributor author"
        "|creator|creators|au|a1|first authors|authorships author display name"
    ),
    "venue": (
        "source title|journal book|journal|journal title|journal name|publication name|publication title|venue"
        "|container title|secondary title|publication|zeitschrift|revue|revista|rivista|periodical|booktitle|book title"
        "|conference|conference name|conference title|anthology title|proceedings title|primary location display name"
        "|primary location source display name|host venue display name|dc relation ispartof|dc source|is part of"
        "|t2|jf|jo|quelle|source"
    ),
    "volume": "volume|journal volume|vol|vl|band|jahrgang|tome|volumen|biblio volume",
    "issue": "issue|issue number|journal issue|number|heft|numero|no|biblio issue",
    "pages": "pages|pagination|page range|page numbers|page|seiten|paginas|pagine",
    "first_page": "page start|start page|beginning page|first page|bp|biblio first page|sp|startpage",
    "last_page": "page end|end page|ending page|last page|ep|biblio last page|endpage",
    "article_number": "art no|article number|article no|ar",
    "kind": (
        "document type|publication type|item type|content type|reference type|type of reference|type of work|entrytype"
        "|dokumenttyp|publikationstyp|type de document|tipo de documento|dc type|genre|type"
    ),
    "keywords": (
        "author keywords|keywords author|index keywords|keywords|keyword|keywords plus|mesh terms|mesh|ieee terms|tags"
        "|manual tags|automatic tags|subjects|subject|dc subject|schlagworter|schlagwoerter|schlagwort|stichworter"
        "|mots cles|palabras clave|palavras chave|parole chiave|fields of study|keywords display name|kw"
        "|emtree medical index terms|emtree drug index terms"
    ),
    "url": (
        "url|link|urls|links|article url|articleurl|source urls|external url|dimensions url|open url link|pdf link|uri"
        "|dc identifier uri|ur|weblink|primary location landing page url"
    ),
    "times_cited": (
        "cited by|times cited|cited by count|citations|citation count|article citation count|citing works count|cites"
        "|citationcount|n citations|number of citations|scholarly citation count|times cited wos core|zitationen|tc"
    ),
    "included": (
        "label included|final included|asreview label|included label|included|include|label|is included|inclusion"
        "|screening|screening decision|final decision|decision|eingeschlossen|inclus|incluido"
    ),
    "query_id": "query id|queryid|qid|query paper id|topic id|search id",
}
"""Field -> names in the form that `plain_name` gives, the surest first. Pages may stand in two columns."""

PAGES = ("first_page", "last_page", "article_number")

FIELD_OF: Mapping[str, str] = {
    name: field for field, names in reversed(list(NAMES.items())) for name in names.split("|")
}
RECOGNISING = frozenset({"title", "abstract", "doi", "pmid", "own_id"})
"""One of these has to be there: a year alone is no publication."""

_SEPARATORS = re.compile(r"[\W_]+")
LONGEST_NAME = 200


def plain_name(name: str) -> str:
    """A column's name without case, accents, punctuation and outer spaces.

    >>> plain_name(" Author(s) "), plain_name("dc:title"), plain_name("primary_title"), plain_name("Année")
    ('author s', 'dc title', 'primary title', 'annee')
    """
    return _SEPARATORS.sub(" ", folded(name[:LONGEST_NAME])).strip()


def unique_names(cells: Iterable[str]) -> Ids:
    """Names for columns: one without a name is called by its place, a second of the same name is numbered.

    >>> unique_names(["Title", "", "Title"])
    ('Title', 'column 2', 'Title (2)')
    """
    seen: dict[str, int] = {}
    names = []
    for place, cell in enumerate(cells, start=1):
        name = " ".join(cell.strip("\ufeff").split()) or f"column {place}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def n_known(cells: Iterable[str]) -> int:
    """How many cells are the name of a column that somebody exports."""
    return sum(plain_name(cell) in FIELD_OF for cell in cells if cell and len(cell) <= 60)


Mapped = dict[str, tuple[int, ...]]
"""Field -> the places of its columns, from 0."""


def mapped(columns: Ids, special: Mapping[str, str], asked: Columns | None, table: str = "the table") -> Mapped:
    """Which columns fill which field: what a person says, then what this provider means, then what it usually means."""
    places: dict[str, int] = {}
    for place, name in enumerate(columns):
        places.setdefault(plain_name(name), place)
    chosen = _chosen(columns, asked or {}, table)
    taken = {place for some in chosen.values() for place in some}
    found: Mapped = {}
    for field, usual in {**NAMES, **special}.items():
        if field in chosen:
            continue
        free = [places[name] for name in usual.split("|") if name and places.get(name, -1) not in {-1, *taken}]
        if free:
            found[field] = tuple(dict.fromkeys(free))
    if "pages" in chosen:
        found = {field: some for field, some in found.items() if field not in PAGES}
    return {**found, **chosen}


def _chosen(columns: Ids, asked: Columns, table: str) -> Mapped:
    by_name = {name.strip().lower(): place for place, name in reversed(list(enumerate(columns)))}
    chosen: Mapped = {}
    for field, name in asked.items():
        if field not in NAMES:
            fields = ", ".join(field for field in NAMES if field not in PAGES)
            raise FormatError(f'no field "{field}" to map a column to: there are {fields}')
        if name and name.strip().lower() not in by_name:
            raise FormatError(f'{table} has no column "{name}": it has {shown(columns)}')
        chosen[field] = (by_name[name.strip().lower()],) if name else ()
    return chosen


def shown(columns: Ids) -> str:
    """Columns as a message lists them."""
    names = [name if len(name) <= 40 else f"{name[:39]}…" for name in columns[:20]]
    return ", ".join(names) + (f" and {len(columns) - 20:,} more" if len(columns) > 20 else "")
