"""A person's grade in the place of the judge's: given with a name and a reason, taken back, and never lost."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.judging.types import Judged
from dashboard import cache, state
from dashboard.messages import guarded, sentence
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.means import changes_in_words, run_means
from dashboard.words import plain
from data.judging.keeping.runs import load_judged, overrule, overrules_of

NOTE = "judge"
"""What the page says once."""
WHO = "judge-who"
LONGEST_WHO, LONGEST_WHY = 80, 1_000


@dataclass(frozen=True, slots=True)
class _Said:
    points: int | None
    who: str
    why: str


def draw_overruling(opened: Opened, judged: Judged) -> None:
    """What counts now, the form, and what people said before."""
    rubric, said, key = opened.judge.rubric, judged.overruled, judged.triple_key
    if said is not None and said.points is not None:
        name = next(grade.name for grade in rubric.grades if grade.points == said.points)
        st.markdown(f"**{plain(said.who)}: {rubric.shown(said.points):g} of {rubric.shown_max:g}, {plain(name)}**")
        st.markdown(f"> {plain(said.why)}")
        st.caption("This grade counts in the place of the judge's, under this rubric, for every judge and engine.")
    if cache.workspace().store.is_copy:
        st.info("This is a copy to look at: another Queryscape has the workspace open, and grades are kept only there.")
        return
    with st.popover("What the grades mean", icon=":material/help:"):
        lines = [
            f"**{rubric.shown(each.points):g} · {plain(each.name)}**: {plain(each.text)}" for each in rubric.grades
        ]
        st.markdown("\n\n".join(lines))
    with guarded():
        _draw_form(opened, judged)
    if said is not None and st.button(
        "Take it back", key=f"take-back-{key}", icon=":material/undo:", help="The judge's own grade counts again."
    ):
        _keep(opened, key, _Said(None, said.who, ""))
    _draw_history(opened, key)


def _draw_form(opened: Opened, judged: Judged) -> None:
    rubric, key = opened.judge.rubric, judged.triple_key
    now = judged.points
    with st.form(f"overrule-{key}", border=True):
        st.markdown("**Your grade**")
        points = st.selectbox(
            "Grade",
            [grade.points for grade in rubric.grades],
            index=None if now is None else rubric.points.index(now),
            placeholder="Choose a grade",
            key=f"overrule-points-{key}",
            format_func=lambda each: _level(opened, each),
            help="Its own grade confirms the judge, and takes the judgment off the list of those that need a look.",
        )
        state.hold(WHO)
        if state.said(WHO) is None:
            state.say(WHO, state.said("person") or "")
        who = st.text_input("Who", key=WHO, placeholder="Name or initials", max_chars=LONGEST_WHO)
        why = st.text_input(
            "Why", key=f"overrule-why-{key}", placeholder="One sentence is enough", max_chars=LONGEST_WHY
        )
        is_sent = st.form_submit_button("Overrule", icon=":material/gavel:", type="primary")
    if not is_sent:
        return
    if points is None:
        st.error("Choose a grade.")
    else:
        _keep(opened, key, _Said(int(points), str(who), str(why)))


def _level(opened: Opened, points: int) -> str:
    rubric = opened.judge.rubric
    name = next(grade.name for grade in rubric.grades if grade.points == points)
    return f"{rubric.shown(points):g} · {name}"


def _keep(opened: Opened, key: str, said: _Said) -> None:
    """Keep it, and say what it moved."""
    store, rubric = cache.workspace().store, opened.judge.rubric
    overrule(store, rubric, key, said.points, who=said.who, why=said.why)
    before = run_means(opened.field, opened.judged, rubric)
    after = run_means(opened.field, load_judged(store, opened.row, opened.field), rubric)
    what = "Taken back" if said.points is None else "Overruled"
    state.say_once(NOTE, sentence(f"{what}; {changes_in_words(before, after)}"))
    st.rerun()


def _draw_history(opened: Opened, key: str) -> None:
    past = overrules_of(cache.workspace().store, opened.judge.rubric_key, key)
    if not past:
        return
    lines = []
    for each in past:
        what = "takes it back" if each.points is None else _level(opened, each.points)
        why = f": {each.why}" if each.why else ""
        lines.append(f"- {plain(f'{each.made_at[:16]} {each.who}, {what}{why}'.replace('T', ' ', 1))}")
    with st.expander(f"What people said ({len(past):,})", icon=":material/history:", key="judged-history"):
        st.markdown("\n".join(lines))
