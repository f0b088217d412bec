"""Formats with a grammar of their own: XML, JSON and BibTeX."""

from __future__ import annotations

from data.importers.bibtex import BIBTEX
from data.importers.endnote_xml import ENDNOTE_XML
from data.importers.pubmed_xml import PUBMED_XML
from data.importers.source import Format

STRUCTURED: tuple[Format, ...] = (PUBMED_XML, ENDNOTE_XML, BIBTEX)
