"""Formats with a grammar of their own: XML, JSON and BibTeX."""

from __future__ import annotations

from data.importers.source import Format

STRUCTURED: tuple[Format, ...] = ()
