"""Every request of a run, exactly as it was sent, with what came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from core.sources.reporting import in_dollars
from dashboard import cache
from dashboard.sections.sources.runs.handing import csv_bytes, draw_files, file_stem, json_bytes
from dashboard.words import many, plain, utc
from data.sources.fetching.journal import LivePage, LiveRun, live_pages

MOST_SHOWN = 2_000


def draw_requests(run: LiveRun) -> None:
    """The table, and its files."""
    pages = live_pages(cache.workspace().store, run.run_id)
    rows = request_rows(pages)
    if not rows:
        st.info(
            "Nothing was asked yet. Begin the run, and every request stands here."
            if run.state == "planned"
            else "No page came yet. Requests are kept with the page that they brought."
        )
        return
    st.caption(plain(_summed_up(rows, run)))
    number = st.column_config.NumberColumn(format="localized")
    st.dataframe(
        rows[:MOST_SHOWN],
        hide_index=True,
        key="live-requests",
        column_order=[name for name in rows[0] if any(row[name] not in (None, "") for row in rows)],
        column_config={
            **dict.fromkeys(("Milliseconds", "Bytes", "Records", "New", "Total then"), number),
            "Address": st.column_config.Column(width="large"),
            "Dollars": st.column_config.NumberColumn(format="$%.4f"),
            "Total then": st.column_config.NumberColumn(
                format="localized", help="The source's own total, as it stood on this page."
            ),
            "New": st.column_config.NumberColumn(format="localized", help="Records that had not come before."),
            "SHA-256": st.column_config.Column(width="small", help="Of the page as it came."),
        },
    )
    if len(rows) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(rows):,} are listed; the files hold all.")
    draw_files(
        file_stem(run, "requests"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(requests_document(run, pages))},
        key="live-requests",
    )


def _summed_up(rows: Sequence[dict[str, Any]], run: LiveRun) -> str:
    failed = sum(row["Status"] >= 400 for row in rows)
    n_bytes = sum(row["Bytes"] for row in rows)
    again = f", {failed:,} of which the source refused and which were repeated" if failed else ""
    last = " What was asked when it stopped brought no page, and is not listed." if run.state == "failed" else ""
    return (
        f"{many(len(rows), 'request')} for {many(run.n_pages, 'page')}{again}; {_size(n_bytes)} came, "
        f"{in_dollars(run.dollars)}. Keys are never kept or shown.{last}"
    )


def _size(n_bytes: int) -> str:
    if n_bytes < 100_000:
        return many(n_bytes, "byte")
    return f"{n_bytes / 1e6:,.1f} MB"


def request_rows(pages: Sequence[LivePage]) -> list[dict[str, Any]]:
    """A line for each request. What a page brought stands at the last request that it took."""
    rows = []
    for page in pages:
        for place, sent in enumerate(page.requests, start=1):
            is_last = place == len(page.requests)
            rows.append(
                {
                    "Page": page.number,
                    "Part": page.form + 1,
                    "Time (UTC)": utc(sent.at).strftime("%Y-%m-%d %H:%M:%S"),
                    "Method": sent.method,
                    "Address": sent.address,
                    "Body": sent.body,
                    "Status": sent.status,
                    "Milliseconds": round(sent.ms),
                    "Bytes": sent.n_bytes,
                    "Dollars": sent.dollars,
                    "Records": page.n_records if is_last else None,
                    "New": page.n_new if is_last else None,
                    "Total then": page.total if is_last else None,
                    "SHA-256": page.sha256 if is_last else None,
                }
            )
    return rows


def requests_document(run: LiveRun, pages: Sequence[LivePage]) -> dict[str, Any]:
    """The same for other programs, with what is needed to search again."""
    return {
        "run": run.run_id,
        "source": run.source,
        "address": run.address,
        "text": run.text,
        "dialect": run.prepared.dialect,
        "choices": asdict(run.prepared.choices),
        "forms": [form.text for form in run.prepared.forms],
        "most": run.most,
        "state": run.state,
        "version": run.label,
        "repeats": run.earlier_id,
        "notes": list(run.notes),
        "planned_at": run.made_at,
        "ended_at": run.ended_at,
        "total_first": run.total_first,
        "total_last": run.total_last,
        "n_records": run.n_records,
        "n_repeated": run.n_repeated,
        "n_aside": run.n_aside,
        "pages": [
            {
                "number": page.number,
                "form": page.form,
                "total": page.total,
                "n_records": page.n_records,
                "n_new": page.n_new,
                "sha256": page.sha256,
                "came_at": page.came_at,
                "notes": list(page.notes),
                "requests": [asdict(sent) for sent in page.requests],
            }
            for page in pages
        ],
    }
