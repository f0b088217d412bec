"""What moves a judge, and how steady it is: the results of trying it."""

from __future__ import annotations

import streamlit as st

from core.judging.trust.belief import ABOUT, CHANGES, DEMANDS
from core.judging.trust.regions import Consistency
from dashboard.components.mount import current_theme
from dashboard.figures.judge.trust_moves import Move, move_rows, moves_figure
from dashboard.sections.figure import draw_figure
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.trust.found import Found
from dashboard.sections.judge.trust.look import ends_of, help_of, label_of, percent
from dashboard.words import plain


def draw_moves(opened: Opened, found: Found) -> None:
    """How far each change moves grades."""
    rubric, shifts = opened.judge.rubric, found.measured.shifts
    named = {ABOUT[kind].label: shifts[kind] for kind in CHANGES if kind in shifts}
    labels = {each.demand_id: f"Demanded: {each.label.lower()}" for each in DEMANDS}
    named |= {labels[demand_id]: each for demand_id, each in found.measured.by_demand.items()}
    moves = [
        Move(name, each.shift, each.share_changed, name == ABOUT["swapped"].label, each.n_without)
        for name, each in named.items()
    ]
    if not moves:
        st.caption("Not measured: no text was changed yet.")
        return
    draw_figure(
        moves_figure(moves, rubric, current_theme()),
        key="judge-trust-moves",
        name=f"{opened.row.name} trust changes",
        reading="the farther a round sign is from the line, the more the judge is moved by what should not move it. A "
        "square at the line means that it does not see who does what to whom.",
        rows=move_rows(moves, rubric),
        notes=[
            f"{each.label}: {each.n_without:,} got no grade and count for nothing." for each in moves if each.n_without
        ],
    )
    _draw_shares(found)


def _draw_shares(found: Found) -> None:
    """The two shares that the verdict rests on."""
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


def draw_repeats(opened: Opened, repeats: Consistency | None) -> None:
    """Whether the same gets the same grade again."""
    st.markdown("##### Asked again")
    if repeats is None:
        st.caption("Not measured: the same was not asked again yet.")
        return
    factor = opened.judge.rubric.shown_factor
    with st.container(horizontal=True):
        for metric_id, value, said in (
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
                st.caption(plain(said))
    more = f"; {repeats.n_incomplete:,} without a grade at least once are left out" if repeats.n_incomplete else ""
    st.caption(plain(f"{repeats.share_same.n:,} triples, each asked {repeats.n_times} times{more}."))
    if opened.row.settings.model == "demo":
        st.caption("The demo judge is a script: that it always says the same says nothing about language models.")
