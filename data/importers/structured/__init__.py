"""Formats with a grammar of their own: XML, JSON and BibTeX."""

from __future__ import annotations

from data.importers.source import Format
from data.importers.structured.any_json import ANY_JSON
from data.importers.structured.bibtex import BIBTEX
from data.importers.structured.crossref_json import CROSSREF_JSON
from data.importers.structured.csl_json import CSL_JSON
from data.importers.structured.endnote_xml import ENDNOTE_XML
from data.importers.structured.openalex_json import OPENALEX_JSON
from data.importers.structured.pubmed_xml import PUBMED_XML
from data.importers.structured.queryscape_jsonl import QUERYSCAPE_JSONL

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
