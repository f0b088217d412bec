"""Formats in rows: CSV of every provider, tab-delimited, workbooks, lists of numbers, runs and judgments."""

from __future__ import annotations

from data.importers.source import Format

TABLES: tuple[Format, ...] = ()
