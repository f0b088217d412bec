"""Labels of sources and runs, and the files of their tables."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.sources.source_forms import SourceId
from core.text import harmless
from dashboard.kit.components import draw_download
from dashboard.words import when
from data.sources.registry import ABOUT
from data.sources.runs import LiveRun

STATES = {
    "planned": "not started",
    "running": "interrupted",
    "paused": "paused",
    "failed": "stopped",
    "done": "finished",
}
"""Words for the state of a run without a job."""


def source_label(source_id: SourceId) -> str:
    return ABOUT[source_id].label


def standing_words(run: LiveRun, *, at_work: bool) -> str:
    return "fetching" if at_work else STATES[run.state]


def how_many(run: LiveRun) -> str:
    """Format the number of fetched publications, and the source's own total."""
    if run.total_last is None:
        return f"{run.n_records:,} publications"
    return f"{run.n_records:,} of {run.total_last:,} publications"


def run_name(run: LiveRun) -> str:
    what = run.label or STATES[run.state]
    return f"{source_label(run.source)}, {when(run.made_at)}, {what}"


# Tables of a run as files.

Rows = Sequence[Mapping[str, Any]]
MARK = b"\xef\xbb\xbf"


def csv_bytes(rows: Rows) -> bytes:
    """Return a CSV file with a line per row. A cell that a spreadsheet would run starts with an apostrophe."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(columns)
    lines.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return MARK + out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    return harmless(value) if isinstance(value, str) else value


def json_bytes(document: Any) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def file_stem(run: LiveRun, what: str) -> str:
    words = re.findall(r"\w+", f"{run.topic_id} {run.source} {run.made_at[:10]} {what}".lower())
    return "-".join(words)[-120:]


def draw_files(stem: str, files: Mapping[str, Callable[[], bytes]], *, key: str) -> None:
    """Draw a button for each file type ("CSV", "JSON", ...); a file is made on request."""
    with st.container(horizontal=True):
        for kind, content in files.items():
            draw_download(
                kind,
                content,
                file_name=f"{stem}.{ENDINGS.get(kind, 'txt')}",
                mime=MIMES.get(kind, "text/plain"),
                key=f"{key}-{kind}",
            )


ENDINGS = {"Atom": "atom", "CSV": "csv", "JSON": "json", "JSON Lines": "jsonl"}
MIMES = {
    "Atom": "application/atom+xml",
    "CSV": "text/csv",
    "JSON": "application/json",
    "JSON Lines": "application/x-ndjson",
}
