"""Having a source asked for the core publications: what it will take, how far it is, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.query.reading.parse import parse
from core.sources.estimate import in_dollars, in_time
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.messages import plain, sentence
from dashboard.sections.library.locked import many, why_locked
from dashboard.sections.sources.runs.words import source_label
from dashboard.sections.sources.standing import why_not
from dashboard.sections.sources.work import is_running, start_lookup
from dashboard.sections.waiting import watch
from data.sources.core_lookup import MOST_CALLS, Lookup
from data.sources.opening import ABOUT
from data.sources.runs import LiveRun
from data.sources.types import Wanted

MOST = "core_most_calls"
CEILING = 5_000


def draw_asking(run: LiveRun, wanted: Sequence[Wanted], found: Lookup | None, job: Job | None) -> None:
    """The button with its price; while it is asked, how far that is."""
    if job is not None and not job.is_over:
        watch(job)
        return
    if job is not None and job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    elif job is not None and job.cancelled:
        st.info("Stopped before its end. Ask again, and it begins anew.", icon=":material/stop_circle:")
    if job is not None and job.finished:
        cache.jobs().forget(job.key)
    least = found is not None and not found.is_cut
    with st.expander("Ask again", icon=":material/replay:") if least else st.container():
        _draw_button(run, wanted, is_first=found is None)


def _draw_button(run: LiveRun, wanted: Sequence[Wanted], *, is_first: bool) -> None:
    label = source_label(run.source)
    state.settle_number(MOST, 1, CEILING, MOST_CALLS)
    number_at, button_at = st.columns([0.28, 0.72], vertical_alignment="bottom")
    allowed = int(
        number_at.number_input(
            "Most counts",
            1,
            CEILING,
            key=MOST,
            help="When so many were asked for, it ends: what was not reached is said to be not asked.",
        )
    )
    n_most = min(allowed, most_counts(run, len(wanted)))
    reason = why_locked() or why_not(run.source) or ("The run is under way." if is_running(run.run_id) else None)
    button_at.button(
        f"Look for {many(len(wanted), 'core publication')} in {plain(label)}: at most {many(n_most, 'count')}",
        key="core-look",
        icon=":material/search:",
        type="primary" if is_first else "secondary",
        disabled=reason is not None,
        help=plain(reason) if reason else None,
        on_click=start_lookup,
        args=(run.run_id,),
        kwargs={"most_calls": allowed},
    )
    about = ABOUT[run.source]
    time = in_time(n_most / about.per_second)
    st.caption(
        plain(
            f"First {label} is asked which of them it has, many in one request. Then counts are asked for: whether the "
            f"string finds each, and which part of it does not. {sentence(time)[:-1]} for these, "
            f"{in_dollars(n_most * about.dollars_per_call)}."
        )
    )


def most_counts(run: LiveRun, n_wanted: int) -> int:
    """Counts that a lookup asks for at most: of each publication the whole string, then each of its parts."""
    from core.sources.clauses import clauses

    parts = clauses(parse(run.text, run.prepared.dialect), run.source, run.prepared.choices, None)
    n_whole = len(run.prepared.forms)
    n_parts = sum(len(clause.forms) for clause in parts) if len(parts) > 1 else 0
    return n_wanted * (n_whole + n_parts)
