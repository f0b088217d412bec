"""What tables of each provider look like: the columns that tell them apart, and what their columns mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from core.records.cleaning import Fields, doi_of
from core.text import unguarded
from data.importers.tables.cells import decision

CellOf = Callable[[str], str]
"""The cell of a column, by its plain name; empty where the table has none."""


@dataclass(frozen=True)
class Provider:
    """One provider's way to write a table."""

    format_id: str
    label: str
    needs: tuple[str, ...]
    """Alternatives: plain names, divided by |, all of which are columns of this provider's tables."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Field -> plain names of columns, the surest first, where they differ from what is usual."""
    authors: str = ""
    """What divides authors, where it is always the same."""
    keywords: str = ""
    refine: Callable[[Fields, CellOf], None] | None = None
    """What one column alone doesn't say."""

    def fits(self, names: frozenset[str]) -> bool:
        """Whether these columns are this provider's."""
        return any(names.issuperset(needed.split("|")) for needed in self.needs)


_NUMBER_BEHIND_NAME = re.compile(r"\s*\(\d{5,}\)\s*$")
_RAYYAN = re.compile(r"RAYYAN-INCLUSION:\s*\{([^{}]*)\}")
_RAYYAN_VOTE = re.compile(r"=>\s*\"?(Included|Excluded|Maybe)", re.IGNORECASE)
_EMBASE_SOURCE = re.compile(r"(?P<venue>[^(]+?) *\((?P<year>\d{4})\) *(?P<volume>[^():]*)(?::(?P<issue>[^() ]*))?")
_EMBASE_PAGES = re.compile(r"\(([A-Za-z]*\d+[A-Za-z]*(?:-[A-Za-z]*\d+[A-Za-z]*)?)\)")
_EMBASE_DOI = re.compile(r"[?&]id=doi:([^&\s]+)", re.IGNORECASE)


def _scopus(fields: Fields, cell: CellOf) -> None:
    fields["authors"] = [_NUMBER_BEHIND_NAME.sub("", name) for name in fields.get("authors", ())]


def _pubmed(fields: Fields, cell: CellOf) -> None:
    fields["authors"] = [name.strip().removesuffix(".") for name in fields.get("authors", ())]


def _rayyan(fields: Fields, cell: CellOf) -> None:
    """Decisions stand among the notes; those who disagree have not decided."""
    found = _RAYYAN.search(cell("notes"))
    votes = {vote.lower() for vote in _RAYYAN_VOTE.findall(found[1])} if found else set()
    if len(votes) == 1 and (decided := decision(votes.pop())) is not None:
        fields["included"] = decided


def _embase(fields: Fields, cell: CellOf) -> None:
    """One column holds "Journal (2014) 3:3 (152-160). Date of Publication: 2014", another one an address with a DOI."""
    source = cell("source")[:2_000]
    if found := _EMBASE_SOURCE.match(source):
        fields["venue"] = found["venue"]
        fields.setdefault("year", found["year"])
        fields.setdefault("volume", found["volume"].strip())
        fields.setdefault("issue", found["issue"] or "")
        if pages := _EMBASE_PAGES.search(source, found.end()):
            fields.setdefault("pages", pages[1])
    link = _EMBASE_DOI.search(cell("open url link")[:4_000])
    if link and (doi := doi_of(unquote(link[1]))):
        fields.setdefault("doi", doi)


def _queryscape(fields: Fields, cell: CellOf) -> None:
    """Its cells are guarded against spreadsheets that would run them, and nothing but "; " divides names."""
    texts: dict[str, Any] = {name: unguarded(text) for name, text in fields.items() if isinstance(text, str)}
    fields.update(texts)  # type: ignore[typeddict-item]
    fields["authors"] = unguarded(cell("authors")).split(BETWEEN)
    fields["keywords"] = unguarded(cell("keywords")).split(BETWEEN)


def _springer(fields: Fields, cell: CellOf) -> None:
    """Names follow each other without a space ("Andy SmithTom Weber")."""
    names = [part for name in fields.get("authors", ()) for part in _glued(name)]
    if names:
        fields["authors"] = names


_GLUED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-ZÀ-ÖØ-Þ])")
_PREFIX = re.compile(r"(?:\b(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|Ver|O))$")


def _glued(name: str) -> list[str]:
    parts: list[str] = []
    for part in _GLUED.split(name):
        if parts and (_PREFIX.search(parts[-1]) or " " not in parts[-1]):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


PROVIDERS: tuple[Provider, ...] = (
    Provider(
        "queryscape_csv",
        "Queryscape (CSV)",
        ("publication id|own id|found by|relevant by",),
        {"own_id": "own id", "venue": "journal", "kind": "type"},
        authors=";",
        keywords=";",
        refine=_queryscape,
    ),
    Provider(
        "scopus_csv",
        "Scopus (CSV)",
        ("eid|source title|authors", "eid|source title|title", "author full names|source title|art no"),
        {
            "own_id": "eid",
            "venue": "source title|conference name|abbreviated source title",
            "kind": "document type",
            "keywords": "author keywords|index keywords",
            "url": "link",
        },
        refine=_scopus,
    ),
    Provider(
        "dimensions_csv",
        "Dimensions (CSV)",
        ("publication id|pubyear", "publication id|dimensions url", "publication id|times cited|source linkout"),
        {
            "own_id": "publication id",
            "title": "title",
            "year": "pubyear|publication date",
            "venue": "source title|anthology title|source title anthology title|proceedings title",
            "authors": "authors|authors raw affiliation",
            "url": "dimensions url|source linkout",
            "keywords": "mesh terms",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "zotero_csv",
        "Zotero (CSV)",
        ("key|item type|abstract note", "key|item type|publication title|date added"),
        {
            "own_id": "key",
            "title": "title",
            "year": "publication year|date",
            "venue": "publication title|conference name|proceedings title|book title|series title",
            "issue": "issue",
            "kind": "item type",
            "keywords": "manual tags|automatic tags",
            "url": "url",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "ieee_csv",
        "IEEE Xplore (CSV)",
        (
            "document title|publication title|ieee terms",
            "document title|author affiliations|date added to xplore",
            "title|authors|affiliations|publication|category|doi",
        ),
        {
            "own_id": "accession number",
            "title": "document title|title",
            "venue": "publication title|publication",
            "kind": "document identifier|category",
            "keywords": "author keywords|ieee terms|mesh terms",
            "url": "pdf link",
        },
    ),
    Provider(
        "springer_csv",
        "SpringerLink (CSV)",
        ("item title|item doi",),
        {"title": "item title", "doi": "item doi", "venue": "publication title|book series title", "url": "url"},
        refine=_springer,
    ),
    Provider(
        "lens_csv",
        "Lens.org (CSV)",
        ("lens id|title|date published", "lens id|title|publication year"),
        {
            "own_id": "lens id",
            "venue": "source title",
            "url": "external url|source urls",
            "times_cited": "citing works count|scholarly citation count",
            "keywords": "keywords|mesh terms",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "embase_csv",
        "Embase (CSV)",
        ("author names|emtree medical index terms", "author names|emtree drug index terms", "author names|pui|title"),
        {
            "authors": "author names",
            "own_id": "pui|accession number",
            "year": "publication year|year",
            "keywords": "author keywords|keywords|emtree medical index terms|emtree drug index terms",
            "pmid": "medline pmid|pmid",
            "url": "embase link|full text link|open url link",
            "kind": "publication type",
        },
        refine=_embase,
    ),
    Provider(
        "pubmed_csv",
        "PubMed (CSV)",
        ("pmid|title|journal book", "pmid|title|citation|create date", "journal book|citation|create date|title"),
        {"venue": "journal book", "year": "publication year|create date", "url": "", "own_id": "id"},
        refine=_pubmed,
    ),
    Provider(
        "openalex_csv",
        "OpenAlex (CSV)",
        (
            "display name|cited by count|publication year",
            "id|title|cited by count|open access is oa",
            "id|doi|authorships author display name",
        ),
        {
            "own_id": "id|openalex id",
            "title": "display name|title",
            "authors": "authorships author display name|authorships raw author name|author names",
            "venue": "primary location source display name|primary location display name|host venue display name",
            "keywords": "keywords display name",
            "kind": "type",
            "url": "primary location landing page url|best oa location landing page url",
        },
        authors="|",
        keywords="|",
    ),
    Provider(
        "wos_tab",
        "Web of Science (tab-delimited)",
        ("pt|au|ti|so", "pt|ti|ut", "au|ti|so|py|ut"),
        {
            "title": "ti",
            "abstract": "ab",
            "year": "py|ey|ea",
            "doi": "di|d2",
            "pmid": "pm",
            "own_id": "ut",
            "authors": "af|au|ca",
            "venue": "so|bs|se",
            "volume": "vl",
            "issue": "is",
            "first_page": "bp",
            "last_page": "ep",
            "article_number": "ar",
            "pages": "",
            "kind": "dt",
            "keywords": "de|id",
            "url": "dl|ol",
            "times_cited": "z9|tc",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "wos_table",
        "Web of Science (table)",
        ("article title|ut unique wos id", "article title|ut unique id"),
        {
            "own_id": "ut unique wos id|ut unique id",
            "title": "article title",
            "authors": "author full names|authors|book authors",
            "venue": "source title|conference title|book series title",
            "kind": "document type",
            "keywords": "author keywords|keywords plus",
            "times_cited": "times cited all databases|times cited wos core",
            "url": "doi link|article url",
            "doi": "doi|book doi",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "rayyan_csv",
        "Rayyan (CSV)",
        ("key|title|notes|pubmed id", "key|title|month|day|notes", "rayyan id|title"),
        {"own_id": "key|rayyan id", "venue": "journal", "keywords": "keywords"},
        refine=_rayyan,
    ),
    Provider(
        "covidence_csv",
        "Covidence (CSV)",
        ("covidence|title", "title|published year|published month|study"),
        {"own_id": "covidence|ref", "year": "published year", "venue": "journal", "keywords": "tags"},
    ),
    Provider(
        "asreview_csv",
        "Screening list with labels (ASReview)",
        tuple(
            f"{text}|{label}"
            for text in ("title", "abstract", "primary title", "document title")
            for label in ("label included", "included", "asreview label", "included label", "final included", "label")
        ),
    ),
)

ANY = Provider("csv", "Table (CSV or tab-separated)", ())
"""A table by what its columns are usually called."""


def provider_of(names: frozenset[str]) -> Provider:
    """Whose table it is."""
    return next((provider for provider in PROVIDERS if provider.fits(names)), ANY)


BETWEEN = "; "
"""Between several values in one cell."""
