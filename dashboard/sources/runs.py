"""The Runs view: search strings, requests and results of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from typing import Any

import streamlit as st

from core.errors import NotFoundError
from core.query.adaptation import Loss
from core.query.dialects import DIALECTS
from core.report import utc
from core.sources.runs import SOURCE_METRICS, cap_effect, in_dollars, methods_sentence
from core.text import many, upper_first
from dashboard import cache, state
from dashboard.audit.fields import open_report
from dashboard.kit.components import draw_download, draw_folded
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup, draw_group, draw_table
from dashboard.messages import draw_noted, guarded, sentence
from dashboard.sources.jobs import RUN_JOBS
from dashboard.sources.labels import (
    csv_bytes,
    draw_files,
    file_stem,
    how_many,
    json_bytes,
    source_label,
    standing_words,
)
from dashboard.sources.navigation import OPENED, close_run, open_run, open_version, opened_run_id
from dashboard.sources.run_list import NOTE, came_group, draw_delete, draw_go_on, draw_list, draw_progress
from dashboard.sources.updates import draw_again
from dashboard.status import why_locked
from dashboard.visits import is_switched_off
from dashboard.words import plain, when
from data.sources.fetch import moved_note
from data.sources.runs import (
    LivePage,
    LiveRun,
    RunOddRecord,
    choices_of,
    find_live_run,
    live_pages,
    put_aside,
    repeated_at,
    searched_of,
    unread_answers,
    version_of,
)

STATUS_WORDS = {
    "exact": "the same",
    "widened": "finds more",
    "narrowed": "finds less",
    "unsupported": "left out",
}
MOST_FORMS = 12


def draw_searched(run: LiveRun) -> None:
    st.markdown("**For the methods section**")
    if pages := live_pages(cache.workspace().store, run.run_id):
        st.code(
            methods_sentence(searched_of(run, pages, repeats=repeated_at(cache.workspace().store, run))),
            language=None,
            wrap_lines=True,
        )
    else:
        st.caption("Nothing to report: no answer received yet.")
    _draw_forms(run)
    st.markdown("**Lost in translation**")
    _draw_losses(run.text, run.prepared.losses)


def _draw_forms(run: LiveRun) -> None:
    prepared = run.prepared
    if prepared.is_unchanged:
        st.markdown("**Sent exactly as typed**")
    else:
        st.markdown("**As typed**")
        st.caption(plain(f"Read as {DIALECTS[prepared.dialect].label}."))
        st.code(run.text, language=None, wrap_lines=True)
        n = len(prepared.forms)
        st.markdown("**As sent**" if n == 1 else f"**As sent, in {n} parts**")
        if n > 1:
            st.caption("In one piece it would be too long for the source. The results of the parts are combined.")
    draw_form = partial(st.code, language=None, wrap_lines=True)
    draw_folded([form.text for form in prepared.forms], draw_form, most=MOST_FORMS, more="more parts")
    if text := choices_of(run):
        st.caption(plain(text))


def _draw_losses(text: str, losses: Sequence[Loss]) -> None:
    if not losses:
        st.caption("Nothing: no change of meaning detected.")
        return
    st.dataframe(
        loss_rows(text, losses),
        hide_index=True,
        key="live-losses",
        column_config={
            "In your text": st.column_config.Column(width="medium"),
            "In the source": st.column_config.Column(width="small"),
            "Why": st.column_config.Column(width="large"),
        },
    )


def loss_rows(text: str, losses: Sequence[Loss]) -> list[dict[str, str]]:
    return [
        {
            "In your text": text[loss.start : loss.end],
            "In the source": STATUS_WORDS.get(loss.status, loss.status),
            "Why": upper_first(loss.message),
        }
        for loss in losses
    ]


# All requests of a run, exactly as sent, with the responses.

MOST_SHOWN = 2_000


def draw_requests(run: LiveRun) -> None:
    pages = live_pages(cache.workspace().store, run.run_id)
    rows = request_rows(pages)
    if not rows:
        st.info(
            "No requests yet. Start the run to list every request here."
            if run.state == "planned"
            else "No page received yet. Requests are stored with the page they returned."
        )
        return
    st.caption(plain(_summed_up(rows, run)))
    number = st.column_config.NumberColumn(format="localized")

    def group_of(row: int, column: str) -> PublicationGroup | None:
        if column != "New" or rows[row]["New"] is None:
            return None
        return came_group(run, page=rows[row]["Page"])

    draw_table(
        rows[:MOST_SHOWN],
        group_of,
        key="live-requests",
        hint="Click a number under New to list its publications.",
        column_order=[name for name in rows[0] if any(row[name] not in (None, "") for row in rows)],
        column_config={
            **dict.fromkeys(("Milliseconds", "Bytes", "Records", "New", "Total"), number),
            "Address": st.column_config.Column(width="large"),
            "Dollars": st.column_config.NumberColumn(format="$%.4f"),
            "Total": st.column_config.NumberColumn(
                format="localized", help="Hits in the source when this page was received."
            ),
            "New": st.column_config.NumberColumn(format="localized", help="Records that no earlier page had."),
            "SHA-256": st.column_config.Column(width="small", help="Checksum of the page as received."),
        },
    )
    if len(rows) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(rows):,} are listed; the files contain all.")
    draw_files(
        file_stem(run, "requests"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(requests_document(run, pages))},
        key="live-requests",
    )


def _summed_up(rows: Sequence[dict[str, Any]], run: LiveRun) -> str:
    failed = sum(row["Status"] >= 400 for row in rows)
    n_bytes = sum(row["Bytes"] for row in rows)
    again = f", {failed:,} of which the source refused and which were repeated" if failed else ""
    last = (
        (" Requests under way when the run stopped returned no page and are not listed.")
        if run.state == "failed"
        else ""
    )
    return (
        f"{many(len(rows), 'request')} for {many(run.n_pages, 'page')}{again}; {_size(n_bytes)} received, "
        f"{in_dollars(run.dollars)}. Keys are never stored or shown.{last}"
    )


def _size(n_bytes: int) -> str:
    if n_bytes < 100_000:
        return many(n_bytes, "byte")
    return f"{n_bytes / 1e6:,.1f} MB"


def request_rows(pages: Sequence[LivePage]) -> list[dict[str, Any]]:
    """Return a row per request. The results of a page are in the row of its last request."""
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
                    "Total": page.total if is_last else None,
                    "SHA-256": page.sha256 if is_last else None,
                }
            )
    return rows


def requests_document(run: LiveRun, pages: Sequence[LivePage]) -> dict[str, Any]:
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


# Results of a run: counts, notes of the source, records set aside, and the version.

MOST_NOTES = 20
MOST_ASIDE = 200
SHORT_RAW = 200


def draw_came(run: LiveRun) -> None:
    pages = live_pages(cache.workspace().store, run.run_id)
    if not pages:
        st.info("Nothing received yet.")
        _draw_unread(run)
        return
    _draw_counts(run)
    _draw_warnings(run, pages)
    _draw_notes(pages)
    _draw_aside(run)
    _draw_unread(run)
    st.markdown("**Stored files**")
    st.caption(
        plain(
            f"{many(len(pages), 'page')} as received from the source, each with its checksum in the list of "
            f"requests, since {when(pages[0].came_at)}:"
        )
    )
    if is_switched_off("The folder of the raw responses"):
        return
    st.code(str(cache.workspace().paths.pages(run.run_id)), language=None, wrap_lines=True)


def _draw_counts(run: LiveRun) -> None:
    a, b, c, d = st.columns(4)
    total = "–" if run.total_last is None else f"{run.total_last:,}"
    several = len(run.prepared.forms) > 1
    a.metric(
        "Hits in source",
        total,
        help=("The sum over all parts: publications that several parts find are counted several times.")
        if several
        else None,
    )
    b.metric(
        "Publications",
        f"{run.n_records:,}",
        help=f"The cap was {run.most:,}. {SOURCE_METRICS['share_fetched'].sentence}",
    )
    c.metric("Duplicates", f"{run.n_repeated:,}", help="Records that an earlier page or part already had.")
    d.metric("Set aside", f"{run.n_aside:,}", help="Invalid records. They are listed below.")
    if run.n_records and st.toggle("List the publications", key="live-list-came"):
        draw_group(came_group(run), key="live-came")


def _draw_warnings(run: LiveRun, pages: Sequence[LivePage]) -> None:
    moved = list(moved_totals(pages))
    text = moved_note(run.total_first or 0, run.total_last or 0) if moved else None
    lines = [*(sentence(note) for note in run.notes if note != text), *moved]
    totals = _last_totals(pages)
    if run.is_capped and len(totals) == len(run.prepared.forms):  # nothing is known of parts not started
        lines.append(cap_effect(max(totals), sum(totals), run.most).sentence)
    if lines:
        shown = [plain(line) for line in lines]
        st.warning("\n".join(f"- {line}" for line in shown) if len(lines) > 1 else shown[0], icon=":material/warning:")


def _last_totals(pages: Sequence[LivePage]) -> list[int]:
    """Return each form's total as reported with its last page."""
    return list({page.form: page.total for page in pages if page.total is not None}.values())


def moved_totals(pages: Sequence[LivePage]) -> Iterator[str]:
    """Yield a sentence for each part whose total changed while its pages were fetched."""
    n_forms = len({page.form for page in pages})
    for form in sorted({page.form for page in pages}):
        known = [(page.number, page.total) for page in pages if page.form == form and page.total is not None]
        moves = [(b[0], a[1], b[1]) for a, b in pairwise(known) if a[1] != b[1]]
        if not moves:
            continue
        number, before, after = moves[0]
        part = f" of part {form + 1}" if n_forms > 1 else ""
        more = f", and {many(len(moves) - 1, 'more time')} after that" if len(moves) > 1 else ""
        yield (
            f"The total{part} changed at page {number:,}, from {before:,} to {after:,}{more}. Publications may "
            "have moved between pages meanwhile: run the search again to fetch any that were missed."
        )


def _draw_notes(pages: Sequence[LivePage]) -> None:
    entries = Counter(note for page in pages for note in page.notes)
    if not entries:
        return
    st.markdown("**Notes from the source**")
    lines = [f"- {plain(sentence(note))}" + (f" ({n:,} pages)" if n > 1 else "") for note, n in entries.items()]
    st.markdown("\n".join(lines[:MOST_NOTES]))
    if len(lines) > MOST_NOTES:
        with st.expander(f"{len(lines) - MOST_NOTES:,} more"):
            st.markdown("\n".join(lines[MOST_NOTES:]))


def _draw_aside(run: LiveRun) -> None:
    found = put_aside(cache.workspace(), run.run_id) if run.n_aside else ()
    if not found:
        return
    rows = aside_rows(found)
    with st.expander(f"{many(len(found), 'record')} set aside", icon=":material/warning:"):
        st.caption("They are not counted and belong to no version. They are shown as received.")
        st.dataframe(
            [{**row, "As received": row["As received"][:SHORT_RAW]} for row in rows[:MOST_ASIDE]],
            hide_index=True,
            key="live-aside",
            column_config={"As received": st.column_config.Column(width="large")},
        )
        if len(rows) > MOST_ASIDE:
            st.caption(f"The first {MOST_ASIDE:,} of {len(rows):,} are listed; the files contain all.")
        draw_files(
            file_stem(run, "put aside"),
            {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(rows)},
            key="live-aside",
        )


def aside_rows(found: Sequence[RunOddRecord]) -> list[dict[str, str]]:
    return [{"Page": f"{each.page:,}", "Why": sentence(each.reason), "As received": each.raw} for each in found]


def _draw_unread(run: LiveRun) -> None:
    for path in unread_answers(cache.workspace(), run.run_id):
        st.warning("The source's answer does not have the documented form. This is the answer.")
        draw_download(
            path.name,
            path.read_bytes,
            file_name=f"{file_stem(run, path.stem)}{path.suffix}",
            mime="application/octet-stream",
            key=f"live-unread-{path.name}",
        )


# An open run: its requests, its results, and later changes.

PARTS: dict[str, Callable[[LiveRun], None]] = {
    "The search": draw_searched,
    "Requests": draw_requests,
    "What came": draw_came,
    "Since then": draw_again,
}
PART = "live_part"


def draw_run(run: LiveRun) -> None:
    st.button("All runs", key="live-close", icon=":material/arrow_back:", type="tertiary", on_click=close_run)
    text = standing_words(run, at_work=RUN_JOBS.is_running(run.run_id))
    st.header(plain(f"{source_label(run.source)}: {how_many(run)}"), anchor=False)
    facts = [text.capitalize(), run.topic_id, f"planned {when(run.made_at)}"]
    facts += [f"ended {when(run.ended_at)}"] if run.ended_at else []
    st.caption(plain(" · ".join(facts)))
    draw_progress(run)
    with st.container(horizontal=True, key="live-ways"):
        draw_go_on(run)
        _draw_ways(run)
        draw_delete(run)
    control, usual = st.segmented_control, next(iter(PARTS))
    part = choose_one(control, "Part", list(PARTS), PART, usual=usual, required=True, label_visibility="collapsed")
    with guarded():
        PARTS[part](run)


def _draw_ways(run: LiveRun) -> None:
    row = version_of(cache.workspace(), run)
    if run.label is not None and (row is None or row.deleted_at is not None):
        st.caption(plain(f"Version {run.label} is deleted."))
    elif run.label is not None:
        known = f"Opens version {plain(run.label)} there."
        if st.button("Workbench", key="live-to-workbench", icon=":material/travel_explore:", help=known):
            open_version(run.topic_id, run.label)
        if st.button("Library", key="live-to-library", icon=":material/library_books:"):
            state.choose_topic_next(run.topic_id)
            state.open_part("Files")
            st.switch_page("library/page.py", query_params={})
        if st.button(
            "Report", key="live-to-report", icon=":material/fact_check:", help=("Open the audit of this version.")
        ):
            open_report(run.topic_id, run.label)
    st.button(
        "Core publications",
        key="live-to-core",
        icon=":material/target:",
        help=why_locked() or "See which of them the source indexes, and why the string misses some.",
        on_click=open_run,
        args=(run.run_id, "Core publications"),
    )


# The view "Runs".


def draw_runs() -> None:
    draw_noted(NOTE)
    run_id = opened_run_id()
    if run_id is None:
        draw_list()
        return
    try:
        run = find_live_run(cache.workspace().store, run_id)
    except NotFoundError:
        close_run()
        st.info("The run in the link no longer exists. These are the current runs:")
        draw_list()
        return
    state.write_in_link(OPENED, [run_id])
    draw_run(run)
