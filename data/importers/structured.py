"""Formats with a grammar of their own: XML, JSON and BibTeX."""

from __future__ import annotations

from data.importers.any_json import ANY_JSON
from data.importers.bibtex import BIBTEX
from data.importers.crossref_json import CROSSREF_JSON
from data.importers.csl_json import CSL_JSON
from data.importers.endnote_xml import ENDNOTE_XML
from data.importers.openalex_json import OPENALEX_JSON
from data.importers.pubmed_xml import PUBMED_XML
from data.importers.queryscape_jsonl import QUERYSCAPE_JSONL
from data.importers.source import Format

STRUCTURED: tuple[Format, ...] = (
    QUERYSCAPE_JSONL,
    PUBMED_XML,
    ENDNOTE_XML,
    OPENALEX_JSON,
    CROSSREF_JSON,
    CSL_JSON,
    ANY_JSON,
    BIBTEX,
)
