"""Formats with a tag at the head of each line: RIS, MEDLINE, Web of Science, EndNote, SMART."""

from __future__ import annotations

from data.importers.ris import RIS
from data.importers.source import Format

TAGGED: tuple[Format, ...] = (RIS,)
