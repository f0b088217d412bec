"""Formats with a tag at the head of each line: RIS, MEDLINE, Web of Science, EndNote, SMART."""

from __future__ import annotations

from data.importers.endnote_tagged import ENDNOTE
from data.importers.medline import MEDLINE
from data.importers.ris import RIS
from data.importers.smart import SMART
from data.importers.source import Format
from data.importers.wos import WOS

TAGGED: tuple[Format, ...] = (SMART, WOS, MEDLINE, ENDNOTE, RIS)
