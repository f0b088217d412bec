"""What a run brought: counts, what the source said, what was put aside, and where it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import streamlit as st

from core.sources.reporting import SOURCE_METRICS, cap_effect
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.sources.runs.handing import csv_bytes, draw_files, file_stem, json_bytes
from dashboard.words import many, plain, when
from data.sources.fetching.journal import LivePage, LiveRun, PutAside, live_pages, put_aside, unread_answers
from data.sources.fetching.running import moved_note

MOST_NOTES = 20
MOST_ASIDE = 200
SHORT_RAW = 200


def draw_came(run: LiveRun) -> None:
    """From the numbers to the files on the disk."""
    pages = live_pages(cache.workspace().store, run.run_id)
    if not pages:
        st.info("Nothing came yet.")
        _draw_unread(run)
        return
    _draw_counts(run)
    _draw_warnings(run, pages)
    _draw_notes(pages)
    _draw_aside(run)
    _draw_unread(run)
    st.markdown("**Where it is kept**")
    st.caption(
        plain(
            f"{many(len(pages), 'page')} as the source sent them, each with its checksum in the list of requests, "
            f"since {when(pages[0].came_at)}:"
        )
    )
    st.code(str(cache.workspace().paths.pages(run.run_id)), language=None, wrap_lines=True)


def _draw_counts(run: LiveRun) -> None:
    a, b, c, d = st.columns(4)
    total = "–" if run.total_last is None else f"{run.total_last:,}"
    several = len(run.prepared.forms) > 1
    a.metric(
        "The source's own total",
        total,
        help="The sum over all parts: what several parts find is counted several times." if several else None,
    )
    b.metric(
        "Publications",
        f"{run.n_records:,}",
        help=f"The cap was {run.most:,}. {SOURCE_METRICS['share_fetched'].sentence}",
    )
    c.metric("Came twice", f"{run.n_repeated:,}", help="Records that had come before, on another page or part.")
    d.metric("Put aside", f"{run.n_aside:,}", help="Records that were not as they should be. They are kept below.")


def _draw_warnings(run: LiveRun, pages: Sequence[LivePage]) -> None:
    """What has to be known of what came, in one box."""
    moved = list(moved_totals(pages))
    said = moved_note(run.total_first or 0, run.total_last or 0) if moved else None
    lines = [*(sentence(note) for note in run.notes if note != said), *moved]
    totals = _last_totals(pages)
    if run.is_capped and len(totals) == len(run.prepared.forms):  # of a part that was not begun nothing is known
        lines.append(cap_effect(max(totals), sum(totals), run.most).sentence)
    if lines:
        shown = [plain(line) for line in lines]
        st.warning("\n".join(f"- {line}" for line in shown) if len(lines) > 1 else shown[0], icon=":material/warning:")


def _last_totals(pages: Sequence[LivePage]) -> list[int]:
    """Of each form, the source's own total when its last page came."""
    return list({page.form: page.total for page in pages if page.total is not None}.values())


def moved_totals(pages: Sequence[LivePage]) -> Iterator[str]:
    """Where the source's own total changed while its pages were fetched."""
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
            f"The total{part} changed at page {number:,}, from {before:,} to {after:,}{more}. Publications may have "
            "moved from one page to another meanwhile: run it again to see what was missed."
        )


def _draw_notes(pages: Sequence[LivePage]) -> None:
    said = Counter(note for page in pages for note in page.notes)
    if not said:
        return
    st.markdown("**What the source said**")
    lines = [f"- {plain(sentence(note))}" + (f" ({n:,} pages)" if n > 1 else "") for note, n in said.items()]
    st.markdown("\n".join(lines[:MOST_NOTES]))
    if len(lines) > MOST_NOTES:
        with st.expander(f"{len(lines) - MOST_NOTES:,} more"):
            st.markdown("\n".join(lines[MOST_NOTES:]))


def _draw_aside(run: LiveRun) -> None:
    found = put_aside(cache.workspace(), run.run_id) if run.n_aside else ()
    if not found:
        return
    rows = aside_rows(found)
    with st.expander(f"{many(len(found), 'record')} put aside", icon=":material/warning:"):
        st.caption("They are in no count and in no version. What the source sent stands here as it came.")
        st.dataframe(
            [{**row, "As it came": row["As it came"][:SHORT_RAW]} for row in rows[:MOST_ASIDE]],
            hide_index=True,
            key="live-aside",
            column_config={"As it came": st.column_config.Column(width="large")},
        )
        if len(rows) > MOST_ASIDE:
            st.caption(f"The first {MOST_ASIDE:,} of {len(rows):,} are listed; the files hold all.")
        draw_files(
            file_stem(run, "put aside"),
            {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(rows)},
            key="live-aside",
        )


def aside_rows(found: Sequence[PutAside]) -> list[dict[str, str]]:
    """A line for each."""
    return [{"Page": f"{each.page:,}", "Why": sentence(each.reason), "As it came": each.raw} for each in found]


def _draw_unread(run: LiveRun) -> None:
    """Answers in another form than the documented one."""
    for path in unread_answers(cache.workspace(), run.run_id):
        st.warning("The source answered in a form that is not the documented one. This is what it said.")
        st.download_button(
            path.name,
            path.read_bytes,
            file_name=f"{file_stem(run, path.stem)}{path.suffix}",
            mime="application/octet-stream",
            key=f"live-unread-{path.name}",
            icon=":material/download:",
            on_click="ignore",
        )
