"""Formats in rows: CSV of every provider, tab-delimited, workbooks, lists of numbers, runs and judgments."""

from __future__ import annotations

from core.errors import FormatError
from data.importers.source import Format, Source
from data.importers.tables import any_table
from data.importers.tables.identifiers import IDENTIFIERS_FORMAT, TITLES_FORMAT
from data.importers.tables.layout import layout_of
from data.importers.tables.providers import ANY, PROVIDERS, Provider, provider_of
from data.importers.tables.trec import DOCUMENTS_FORMAT, JUDGMENTS_FORMAT, RUN_FORMAT

_SURE, _LIKELY = 0.9, 0.7
_AS_WORKBOOK = ("dimensions_csv", "wos_table")
"""Providers that write workbooks too. Anybody's table saved as one is read the same way, as "xlsx"."""


def _of_provider(provider: Provider, *, workbook: bool = False) -> Format:
    def likeness(source: Source) -> float:
        if workbook != bool(source.data):
            return 0.0
        layout = layout_of(source)
        if layout is None or provider_of(layout.names) is not provider:
            return 0.0
        return _LIKELY if provider.format_id == "asreview_csv" else _SURE

    format_id = f"{provider.format_id.split('_')[0]}_xlsx" if workbook else provider.format_id
    label = f"{provider.label.split(' (')[0]} (workbook)" if workbook else provider.label
    return Format(format_id, label, likeness, any_table.table_starts, any_table.read_records)


def _like_text(source: Source) -> float:
    return 0.0 if source.data else any_table.table_likeness(source)


def _like_workbook(source: Source) -> float:
    """A workbook is one whatever its columns are called; which of them are missing is said when it is read."""
    if not source.data:
        return 0.0
    if layout_of(source) is None:
        raise FormatError(f"{source.name} is a workbook without rows: export it again")
    return max(any_table.table_likeness(source), 0.1)


TABLES: tuple[Format, ...] = (
    RUN_FORMAT,
    JUDGMENTS_FORMAT,
    DOCUMENTS_FORMAT,
    *(_of_provider(provider) for provider in PROVIDERS),
    *(_of_provider(provider, workbook=True) for provider in PROVIDERS if provider.format_id in _AS_WORKBOOK),
    IDENTIFIERS_FORMAT,
    Format(ANY.format_id, ANY.label, _like_text, any_table.table_starts, any_table.read_records),
    Format("xlsx", "Workbook (.xlsx)", _like_workbook, any_table.table_starts, any_table.read_records),
    TITLES_FORMAT,
)
