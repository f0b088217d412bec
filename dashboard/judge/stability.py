"""Test a judge with repeated questions and altered texts, and show how its grades shift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.errors import QueryscapeError
from core.judge.reliability import Consistency
from core.judge.trust import ABOUT, CHANGES, DEMANDS
from core.protocols import OnStage
from dashboard import cache
from dashboard.judge.figures import GradeShift, move_rows, moves_figure
from dashboard.judge.findings import ends_of, help_of, label_of, percent
from dashboard.judge.runs import Pace
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.components import current_theme, draw_figure
from dashboard.messages import sentence
from dashboard.status import JobFamily, draw_early_end, is_watched
from dashboard.words import plain
from data.judge.findings import TrustReport
from data.judge.plan import MOST_UNASKED, JudgePlan
from data.judge.trust import (
    KINDS,
    MOST_REPEATS,
    MOST_SAMPLED,
    ProbeKind,
    Probes,
    ProbeSettings,
    make_probes,
    open_model,
    plan_probes,
    run_probes,
)
from data.models.prices import find_price, load_prices
from data.store import content_hash


def draw_moves(opened: OpenedJudgeRun, found: TrustReport) -> None:
    rubric, shifts = opened.judge.rubric, found.measured.shifts
    named = {ABOUT[kind].label: shifts[kind] for kind in CHANGES if kind in shifts}
    labels = {each.demand_id: f"Demanded: {each.label.lower()}" for each in DEMANDS}
    named |= {labels[demand_id]: each for demand_id, each in found.measured.by_demand.items()}
    moves = [
        GradeShift(name, each.shift, each.share_changed, name == ABOUT["swapped"].label, each.n_without)
        for name, each in named.items()
    ]
    if not moves:
        st.caption("Not measured: no text changes tested yet.")
        return
    draw_figure(
        moves_figure(moves, rubric, current_theme()),
        key="judge-trust-moves",
        name=f"{opened.row.name} trust changes",
        reading="the farther a circle is from the line, the more the judge reacts to irrelevant changes. A "
        "square at the line means that the judge does not notice the swap of subject and object.",
        rows=move_rows(moves, rubric),
        notes=[f"{each.label}: {each.n_without:,} got no grade and are ignored." for each in moves if each.n_without],
    )
    _draw_shares(found)


def _draw_shares(found: TrustReport) -> None:
    demanded, swapped = found.measured.shifts.get("demanded"), found.measured.shifts.get("swapped")
    with st.container(horizontal=True):
        for metric_id, share in (
            ("share_raised", demanded.share_raised if demanded else None),
            ("share_lowered", swapped.share_lowered if swapped else None),
        ):
            with st.container(width="content"):
                st.metric(label_of(metric_id), percent(share.value if share else None), help=help_of(metric_id))
                st.caption(
                    plain(f"{ends_of(share, factor=100, unit=' %')}, {share.n:,} triples" if share else "Not measured")
                )


def draw_repeats(opened: OpenedJudgeRun, repeats: Consistency | None) -> None:
    st.markdown("### Repeats")
    if repeats is None:
        st.caption("Not measured: no requests were repeated yet.")
        return
    factor = opened.judge.rubric.shown_factor
    with st.container(horizontal=True):
        for metric_id, value, ends in (
            ("share_same", percent(repeats.share_same.value), ends_of(repeats.share_same, factor=100, unit=" %")),
            (
                "mean_range",
                "–" if repeats.mean_range.value is None else f"{factor * repeats.mean_range.value:.1f}",
                f"at most {factor * (repeats.largest_range or 0):g} of {opened.judge.rubric.shown_max:g}",
            ),
            (
                "alpha_ordinal",
                "–" if repeats.alpha.value is None else f"{repeats.alpha.value:.2f}",
                repeats.alpha.reason or f"{repeats.alpha.n:,} triples",
            ),
        ):
            with st.container(width="content"):
                st.metric(label_of(metric_id), value, help=help_of(metric_id))
                st.caption(plain(ends))
    more = f"; {repeats.n_incomplete:,} with a missing grade are left out" if repeats.n_incomplete else ""
    st.caption(plain(f"{repeats.share_same.n:,} triples, each judged {repeats.n_times} times{more}."))
    if opened.row.settings.model == "demo":
        st.caption("The demo judge is a script: its identical answers say nothing about language models.")


# Tests of a judge: the same prompts again, and texts altered on purpose. A dry run first, then the requests.

NAMES: dict[ProbeKind, str] = {"repeat": "Repeated", **{kind: ABOUT[kind].label for kind in CHANGES}}
HELP = "Repeated: " + "the same texts. " + " ".join(f"{each.label}: {each.sentence}" for each in ABOUT.values())
DEMO_SECONDS = 0.005


def draw_try(opened: OpenedJudgeRun, found: TrustReport) -> None:
    _draw_job(opened)
    wish = _choose(found)
    if wish is not None:
        _draw_plan(opened, wish)
    draw_moves(opened, found)
    draw_repeats(opened, found.measured.repeats)


TRUST_JOBS = JobFamily("judge-trust", lane="judge")
"""Testing the judge of a run. The notes are its outcome."""


def _draw_job(opened: OpenedJudgeRun) -> None:
    job = TRUST_JOBS.find(opened.row.run_id)
    if job is None or is_watched(job):
        return
    for note in job.outcome:
        st.warning(plain(sentence(note)), icon=":material/warning:")
    draw_early_end(job, "Stopped. Existing answers are kept; start again to request only the rest.", ":material/pause:")


def _choose(found: TrustReport) -> ProbeSettings | None:
    kinds = st.multiselect(
        "Tests", KINDS, default=list(KINDS), key="judge-trust-kinds", format_func=lambda kind: NAMES[kind], help=HELP
    )
    n_at, repeats_at, seed_at = st.columns(3, vertical_alignment="bottom")
    n = n_at.number_input(
        "Triples per test",
        1,
        MOST_SAMPLED,
        50,
        key="judge-trust-n",
        help="A random sample of the judged triples, set by the seed. A larger sample includes the smaller one, "
        "so no call is paid twice.",
    )
    repeats = repeats_at.number_input("Repeats", 1, MOST_REPEATS, 2, key="judge-trust-repeats")
    seed = seed_at.number_input("Seed", 0, 2**31 - 1, 0, key="judge-trust-seed")
    if not kinds:
        st.caption("Choose at least one test.")
        return None
    return ProbeSettings(tuple(kinds), int(n), int(repeats), int(seed))


def _draw_plan(opened: OpenedJudgeRun, wish: ProbeSettings) -> None:
    made = _made(opened, wish)
    pace, is_demo = Pace.of(opened.row.document), opened.row.settings.model == "demo"
    store = cache.workspace().store
    plans = plan_probes(
        store,
        made.probes,
        price=find_price(opened.row.settings.model, load_prices(store)),
        n_workers=1 if is_demo else pace.n_workers,
        per_minute=pace.per_minute,
        seconds_per_call=DEMO_SECONDS if is_demo else None,
    )
    cost = _cost(plans)
    button_at, words_at = st.columns([0.28, 0.72], vertical_alignment="center")
    words_at.caption(plain(" ".join([cost.words, *_left_out(made, wish)])))
    problem = _problem(opened)
    is_sure = cost.n_calls <= MOST_UNASKED or st.checkbox(
        f"Yes, make {cost.n_calls:,} calls", key=f"judge-trust-sure-{cost.n_calls}"
    )
    if problem:
        st.error(plain(sentence(problem)), icon=":material/key:")
    pressed = button_at.button(
        f"Make {cost.n_calls:,} calls" if cost.n_calls else "No calls left to make",
        key="judge-trust-start",
        type="primary",
        icon=":material/science:",
        disabled=bool(problem) or not is_sure or TRUST_JOBS.is_running(opened.row.run_id) or not cost.n_calls,
        width="stretch",
    )
    if pressed:
        _start(opened, made, pace)
        st.rerun()


def _made(opened: OpenedJudgeRun, wish: ProbeSettings) -> Probes:
    graded = (each.triple_key for each in opened.judged if each.verdict is not None and each.verdict.is_valid)
    key = content_hash(["probes", opened.row.run_id, opened.row.name, repr(wish), *graded])
    found: Probes | None = cache.ranked().get(key)
    if found is None:
        found = make_probes(opened.row, opened.judge, opened.field, opened.judged, wish)
        cache.keep_ranked(key, found)
    return found


@dataclass(frozen=True, slots=True)
class _Cost:
    n_calls: int
    words: str


def _cost(plans: Sequence[JudgePlan]) -> _Cost:
    n_calls, n_known = sum(each.n_calls for each in plans), sum(each.n_known for each in plans)
    if not n_calls:
        return _Cost(0, f"All {n_known:,} answers are already known." if n_known else "There is nothing to judge.")
    costs = [each.cost for each in plans]
    known = [each for each in costs if each is not None]
    dollars = (
        "free"
        if len(known) == len(costs) and not sum(each[1] for each in known)
        else f"about ${sum(each[0] for each in known):,.2f}, at most ${sum(each[1] for each in known):,.2f}"
        if len(known) == len(costs)
        else "at an unknown price: enter it in the view Run"
    )
    seconds = 60 * sum(each.minutes for each in plans)
    time = f"about {seconds:,.0f} s" if seconds < 120 else f"about {seconds / 60:,.0f} min"
    text = f"Dry run: {n_calls:,} calls, {n_known:,} already known, {dollars}, {time}. Nothing was sent yet."
    return _Cost(n_calls, text)


def _left_out(made: Probes, wish: ProbeSettings) -> list[str]:
    notes = []
    for kind in CHANGES:
        n_fit = made.n_fit.get(kind)
        if n_fit is not None and n_fit < min(made.n_graded, wish.n):
            why = f"only {n_fit:,} of {made.n_graded:,}, as {ABOUT[kind].left_out}" if n_fit else ABOUT[kind].none_fits
            notes.append(f"{ABOUT[kind].label}: {why}.")
    return notes


def _problem(opened: OpenedJudgeRun) -> str:
    """Return the reason why the judge can't be used; empty: it can."""
    try:
        open_model(opened.row, opened.judge)
    except QueryscapeError as e:
        return str(e)
    return ""


def _start(opened: OpenedJudgeRun, made: Probes, pace: Pace) -> None:
    model, probes = open_model(opened.row, opened.judge), made.probes

    def work(on_stage: OnStage) -> tuple[str, ...]:
        done = run_probes(
            cache.workspace().store,
            probes,
            model,
            n_workers=pace.n_workers,
            per_minute=pace.per_minute,
            on_stage=on_stage,
        )
        return tuple(dict.fromkeys(note for each in done for note in each.notes))

    TRUST_JOBS.start(opened.row.run_id, f"Testing the judge of {opened.row.name}", work)
