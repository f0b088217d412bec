"""FORMATS: id -> how to recognise, count and read one kind of file. One module per format."""

from __future__ import annotations

from data.importers.source import Format
from data.importers.structured import STRUCTURED
from data.importers.tables import TABLES
from data.importers.tagged import TAGGED

ALL: tuple[Format, ...] = (*STRUCTURED, *TAGGED, *TABLES)
"""Where two are equally like a file, the first one counts: the special before the general."""

FORMATS: dict[str, Format] = {form.format_id: form for form in ALL}
