"""The view "Results": what engines are worth by the judge's grades, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from core.judging.means import JUDGE_METRICS
from core.judging.scores import JudgeScores, default_cut, judge_verdict
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.messages import guarded, sentence
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.results.against import draw_against
from dashboard.sections.judge.results.confidence import draw_confidence
from dashboard.sections.judge.results.parts import (
    draw_comparisons,
    draw_dimensions,
    draw_levels,
    draw_ranks,
)
from dashboard.sections.judge.results.scores import scores_of
from dashboard.sections.judge.results.table import engines_html
from dashboard.words import plain
from data.judging.demo_judge import DEMO_MODEL

PARTS: dict[str, Callable[[Opened, JudgeScores], None]] = {
    "Differences": draw_comparisons,
    "Kinds of query": draw_dimensions,
    "Grades": draw_levels,
    "Ranks": draw_ranks,
    "Confidence": draw_confidence,
    "Two sets": draw_against,
}
MOST_WARNINGS = 4
PEOPLE, ALONE = "with people's grades", "the judge alone"


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts in this view."""

    cut: int
    judge_alone: bool


def draw_results(opened: Opened) -> None:
    """The result in words, the table, then one part at a time."""
    head = st.container()
    counted = _choose_counted(opened)
    scores = scores_of(opened, cut=counted.cut, judge_alone=counted.judge_alone)
    with head:
        st.subheader(plain(judge_verdict(scores)), anchor=False)
    st.html(engines_html(scores, current_theme(), caption=f"Engines of {opened.row.name}"))
    st.caption(plain(_reading(opened, scores)))
    _draw_warnings(scores.warnings)
    for note in opened.field.notes:
        st.caption(plain(sentence(note)))
    state.settle("judge_part", list(PARTS))
    part = st.segmented_control(
        "Part", list(PARTS), key="judge_part", required=True, label_visibility="collapsed", bind="query-params"
    )
    with guarded():
        PARTS[str(part)](opened, scores)
    _draw_definitions()


def _draw_warnings(warnings: Sequence[str]) -> None:
    """In one box; many of them are folded."""
    lines = [plain(warning) for warning in warnings]
    if not lines:
        return
    shown = "\n".join(f"- {line}" for line in lines[:MOST_WARNINGS]) if len(lines) > 1 else lines[0]
    st.warning(shown, icon=":material/warning:")
    if len(lines) > MOST_WARNINGS:
        n = len(lines) - MOST_WARNINGS
        with st.expander(f"{n:,} more {'warning' if n == 1 else 'warnings'}"):
            st.markdown("\n".join(f"- {line}" for line in lines[MOST_WARNINGS:]))


def _choose_counted(opened: Opened) -> Counted:
    """The cut, and whose grades count where people graded, too."""
    rubric = opened.judge.rubric
    left, right = st.columns([0.3, 0.7], vertical_alignment="bottom")
    names = {str(grade.points): f"{grade.points} {grade.name}" for grade in rubric.grades}
    key, usual = "judge_cut", str(default_cut(rubric))
    state.settle_named(key, [usual, *names])
    cut = str(
        left.selectbox(
            "Relevant from grade",
            list(names),
            key=key,
            format_func=lambda points: names.get(points, points),
            help=JUDGE_METRICS["share_at_cut"].sentence,
        )
    )
    state.write_in_link(key, [cut])
    n = sum(each.overruled is not None and each.overruled.points is not None for each in opened.judged)
    alone = False
    if n:
        state.settle("judge_whose", (PEOPLE, ALONE))
        whose = right.segmented_control(
            f"Grades ({n:,} overruled)", (PEOPLE, ALONE), key="judge_whose", required=True, bind="query-params"
        )
        alone = whose == ALONE
    return Counted(int(cut), alone)


def _reading(opened: Opened, scores: JudgeScores) -> str:
    """How to read the table, and whose grades they are."""
    whose = "the demo judge, which is not a language model" if _is_demo(opened) else opened.judge.settings.model
    by_title = sum(each.n_by_title for each in scores.engines)
    within = any(each.within for each in scores.engines)
    over = "publications, which say nothing of other queries" if within else "queries"
    rubric = opened.judge.rubric
    scale = f", {rubric.points[0]} to {rubric.points[-1]}, shown × {rubric.shown_factor}"
    parts = [
        f"Graded by {whose}{scale if rubric.shown_factor != 1 else ''}",
        "1 query" if scores.n_queries == 1 else f"{scores.n_queries:,} queries, each counting the same",
        f"whiskers: 95 % bootstrap ranges over {over}, all on one scale",
        "what has no grade counts for nothing, and never as not relevant",
    ]
    if by_title:
        without = "1 publication" if by_title == 1 else f"{by_title:,} publications"
        parts.append(f"{without} without an abstract graded by the title alone")
    return ". ".join(sentence(part).rstrip(".") for part in parts) + "."


def _is_demo(opened: Opened) -> bool:
    return opened.judge.settings.model == DEMO_MODEL


def _draw_definitions() -> None:
    with st.expander("What the numbers are"):
        for words in JUDGE_METRICS.values():
            st.markdown(
                f"- **{plain(words.label)}**: {plain(words.sentence)} {plain(sentence(words.formula))} "
                f"{plain(sentence(words.range))} {plain(words.undefined)}"
            )
