"""Formats with a tag at the head of each line: RIS, MEDLINE, Web of Science, EndNote, SMART."""

from __future__ import annotations

from data.importers.source import Format
from data.importers.tagged.endnote import ENDNOTE
from data.importers.tagged.medline import MEDLINE
from data.importers.tagged.ris import RIS
from data.importers.tagged.smart import SMART
from data.importers.tagged.wos import WOS

TAGGED: tuple[Format, ...] = (SMART, WOS, MEDLINE, ENDNOTE, RIS)
