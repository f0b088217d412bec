"""Having a source asked for the core publications: what it will take, how far it is, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.query.reading.parser import parse
from core.sources.reporting import in_dollars, in_time
from core.sources.sending.splitting import Clause, clauses
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.messages import sentence
from dashboard.sections.library.locked import why_locked
from dashboard.sections.sources.runs.words import source_label
from dashboard.sections.sources.standing import why_not
from dashboard.sections.sources.work import asking, is_running, start_lookup
from dashboard.sections.waiting import watch
from dashboard.words import many, plain
from data.sources.fetching.journal import LiveRun, brought_ids
from data.sources.looking.core_lookup import MOST_CALLS, Lookup
from data.sources.opening import ABOUT
from data.sources.types import Wanted

MOST = "core_most_calls"
CEILING = 5_000
MOST_PARTS = 16


def is_idle(job: Job | None) -> bool:
    """Whether there is nothing to be said of it: it is not at work, and did not fail."""
    return job is None or job.finished


def draw_asking(run: LiveRun, wanted: Sequence[Wanted], found: Lookup | None, job: Job | None) -> None:
    """The button with its price; while it is asked, how far that is."""
    if job is not None and not job.is_over:
        watch(job, "Stop")
        return
    if job is not None and job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    elif job is not None and job.cancelled and (found is None or not found.is_cut):
        st.info("Stopped before the source said which of them it has.", icon=":material/stop_circle:")
    if job is not None and job.finished:
        cache.jobs().forget(job.key)
    if found is not None and not found.is_cut:
        with st.expander("Ask again", icon=":material/replay:"):
            _draw_button(run, wanted)
    elif found is None:
        _draw_button(run, wanted, is_first=True)
    else:
        settled = {item.wanted for item in found.items if item.is_settled}
        _draw_button(run, [each for each in wanted if each not in settled], is_first=True, is_rest=True)


def _draw_button(run: LiveRun, wanted: Sequence[Wanted], *, is_first: bool = False, is_rest: bool = False) -> None:
    """`is_rest`: what is known of the others already is not asked again."""
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
    n_most = min(allowed, most_counts(run, n_open(run, wanted)))
    reason = why_locked() or why_not(run.source) or ("The run is under way." if is_running(run.run_id) else None)
    button_at.button(
        f"{'Go on with' if is_rest else 'Look for'} {many(len(wanted), 'core publication')} in {plain(label)}: "
        f"at most {many(n_most, 'count')}",
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
            f"First {label} is asked which of them it has. Then it is asked for counts: whether "
            f"the string finds each that was not fetched, and which part of it does not. {sentence(time)[:-1]} for "
            f"these, {in_dollars(n_most * about.dollars_per_call)}."
            if n_most
            else f"{label} is asked which of them it has. It is not asked for counts."
        )
    )


def n_open(run: LiveRun, wanted: Sequence[Wanted]) -> int:
    """Publications of which the run does not say already that the string finds them."""
    fetched = brought_ids(cache.workspace(), run) or frozenset()
    return sum(each.publication_id not in fetched for each in wanted)


def most_counts(run: LiveRun, n: int) -> int:
    """Counts that a lookup of so many asks for at most: of each the whole string, and each part of it."""
    if not ABOUT[run.source].can_explain:
        return 0
    return n * (len(run.prepared.forms) + sum(len(part.forms) for part in _parts(run)))


def _parts(run: LiveRun) -> tuple[Clause, ...]:
    """Of its string, as long as the source takes them; worked out once, since the page is drawn often."""
    kept = cache.kept("live-parts", MOST_PARTS)
    if run.run_id not in kept:
        with asking(run.source) as source:
            room = getattr(source, "room", None)
        parsed = parse(run.text, run.prepared.dialect)
        kept[run.run_id] = clauses(parsed, run.source, run.prepared.choices, room)
    found: tuple[Clause, ...] = kept[run.run_id]
    return found
