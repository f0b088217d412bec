"""Show the live source of a query version, and replay a changed text on its publications."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from core.protocols import OnStage
from core.query.parser import parse
from core.query.tree import DialectId
from core.sources.narrowing import NarrowingVerdict, as_read, semantics_of, standing
from core.sources.source_forms import LABELS
from dashboard import cache
from dashboard.sources.navigation import open_run, open_search
from dashboard.status import JobFamily, forget
from dashboard.words import plain, when
from data.sources.fetch import Replay, replay_run
from data.sources.runs import LiveRun, live_runs
from data.store import content_hash

REPLAY_JOBS = JobFamily("live-replay")
MOST_REPLAYS = 64


def draw_came(topic_id: str, label: str, text: str, dialect: DialectId | None = None) -> None:
    """Draw the origin in one line; nothing for versions from elsewhere."""
    run = run_of(topic_id, label)
    if run is None:
        return
    changed = None if text.strip() == run.text.strip() else text
    found = None if changed is None else _standing(run, changed, dialect)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live-came"):
        st.caption(plain(where_from(run)), width="content")
        if changed is None:
            _draw_replay(run, None, None)
        elif found is None:
            st.caption("The current text has nothing to compare with the run.", width="content")
        elif found.needs_run:
            st.caption(plain(found.sentence), width="content")
            _draw_link(run, text, dialect)
        else:
            _draw_replay(run, changed, dialect)
        if st.button("The run", key="live-came-run", type="tertiary", icon=":material/receipt_long:"):
            open_run(run.run_id)
            st.switch_page("sources/page.py", query_params={})


def run_of(topic_id: str, label: str) -> LiveRun | None:
    """Return the run that this version was made from; None: it is from elsewhere."""
    runs = live_runs(cache.workspace().store, topic_id)
    return next((run for run in runs if run.state == "done" and run.label == label), None)


def where_and_when(run: LiveRun) -> str:
    """Format source and date: "PubMed, 22 Nov 2026"."""
    return f"{LABELS[run.source]}, {when(run.ended_at or run.made_at).split(',')[0]}"


def where_from(run: LiveRun) -> str:
    day = when(run.ended_at or run.made_at).split(",")[0]
    total = "" if run.total_last is None else f" (hits in source: {run.total_last:,})"
    return f"These publications came from {LABELS[run.source]} on {day}{total}."


def how_exact(found: Replay) -> str:
    """Describe how exactly a text can be tested on the results of the run."""
    if found.standing is None:
        return f"Switching off terms is exact here for {found.n_agree:,} of {found.n:,}."
    n_known = found.n - found.n_unknown
    text = f"Narrower: it keeps {len(found.kept):,}, exact here for {n_known:,} of {found.n:,} publications."
    return f"{text} The run stopped at its cap: the source may find more." if found.is_capped else text


def _standing(run: LiveRun, changed: str, dialect: DialectId | None) -> NarrowingVerdict | None:
    before, after = parse(run.text, run.prepared.dialect).root, parse(changed, dialect or run.prepared.dialect).root
    if before is None or after is None:
        return None
    source, choices = run.source, run.prepared.choices
    stems = semantics_of(source, choices) == "stemmed"
    return standing(as_read(before, source, choices), as_read(after, source, choices), may_stem=stems)


def _draw_link(run: LiveRun, text: str, dialect: DialectId | None) -> None:
    label = f"Run it in {LABELS[run.source]}"
    if st.button(label, key="live-came-again", type="tertiary", icon=":material/cloud_download:"):
        open_search(text, run.source, dialect)


def _draw_replay(run: LiveRun, changed: str | None, dialect: DialectId | None) -> None:
    key = content_hash([run.run_id, changed or "", dialect or "", cache.workspace().store.topic_state(run.topic_id)])
    kept = cache.kept("live-replay", MOST_REPLAYS)
    if key in kept:
        if kept[key] is not None:
            st.caption(plain(how_exact(kept[key])), width="content", help=plain(kept[key].sentence))
        return

    def work(on_stage: OnStage) -> None:
        try:
            kept[key] = replay_run(cache.workspace(), run, changed, dialect=dialect)
        except QueryscapeError:  # nothing in it can be tested here, so nothing is shown
            kept[key] = None

    job = REPLAY_JOBS.start_once(key, "Rereading the run", work)
    if job.is_over:  # it failed
        forget(job)
    else:
        _until_read(key)


@st.fragment(run_every=0.5)
def _until_read(key: str) -> None:
    if not REPLAY_JOBS.is_running(key):
        REPLAY_JOBS.forget(key)
        st.rerun()
    st.caption("Rereading the run …", width="content")
