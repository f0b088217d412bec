"""The parts of the view "Results": differences, kinds of query, grades, ranks, confidence."""

from __future__ import annotations

import streamlit as st

from core.judging.means import JUDGE_METRICS
from core.judging.scores import JudgeScores
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.figures.judge.differences import difference_rows, differences_figure, pair_names
from dashboard.figures.judge.dimension import dimension_figure, dimension_rows
from dashboard.figures.judge.levels import level_rows, levels_figure
from dashboard.figures.judge.ranks import rank_rows, ranks_figure
from dashboard.figures.judge.shared import levels_in_words
from dashboard.sections.figure import draw_figure
from dashboard.sections.judge.choosing import Opened
from dashboard.words import plain

MOST_SENTENCES = 15


def draw_comparisons(opened: Opened, scores: JudgeScores) -> None:
    """Every pair of engines in a sentence, then as a picture."""
    if not scores.comparisons:
        st.info("There is one engine. Judge another one on the same queries, and the two are compared here.")
        return
    order = sorted(scores.comparisons, key=lambda c: (not c.is_clear, -abs(c.difference or 0.0)))
    if any(c.interval for c in order):
        st.markdown("\n".join(f"- {plain(c.sentence)}" for c in order[:MOST_SENTENCES]))
        if len(order) > MOST_SENTENCES:
            st.caption(f"{len(order) - MOST_SENTENCES:,} more pairs are in the table.")
    else:
        st.markdown("No two engines can be compared: none share two queries that both have valid grades for.")
    named = pair_names(tuple(order))
    draw_figure(
        differences_figure(named, rubric=scores.rubric, theme=current_theme()),
        key="judge-differences",
        name=f"{opened.row.name} differences",
        reading="to the right of 0 the engine that is named first is graded higher. A difference is clear where its "
        "range leaves out 0 and the test agrees after correction for all pairs.",
        rows=difference_rows(named),
        notes=[f"{JUDGE_METRICS['difference'].label}: {JUDGE_METRICS['difference'].sentence}"],
    )


def draw_dimensions(opened: Opened, scores: JudgeScores) -> None:
    """Choose a dimension, then the figure."""
    names = list(scores.dimensions)
    if not names:
        st.info("These queries carry no dimensions: nothing says what kind of query each is.")
        return
    state.settle_named("judge_dimension", names)
    by = str(
        st.selectbox("Queries by", names, key="judge_dimension", format_func=lambda name: str(name).replace("_", " "))
    )
    state.write_in_link("judge_dimension", [by])
    groups = scores.dimensions[by]
    engines = [each.engine for each in scores.engines]
    shown = by.replace("_", " ")
    draw_figure(
        dimension_figure(groups, engines, dimension=shown, rubric=scores.rubric, theme=current_theme()),
        key="judge-dimension",
        name=f"{opened.row.name} by {shown}",
        reading="a sign is the mean grade of an engine over a group of queries, its line the 95 % range. A hollow sign "
        "rests on too few queries to say much. Coverage stands in the table.",
        rows=dimension_rows(groups, shown),
        notes=["Differences between groups were looked for after the fact: take them for questions, not for answers."],
    )


def draw_levels(opened: Opened, scores: JudgeScores) -> None:
    """How often each grade was given."""
    draw_figure(
        levels_figure(scores.engines, scores.rubric, cut=scores.cut, theme=current_theme()),
        key="judge-levels",
        name=f"{opened.row.name} grades",
        reading="each bar holds all publications of an engine, from the highest grade on the left to what has none. "
        f"{levels_in_words(scores.rubric)}.",
        rows=level_rows(scores.engines, scores.rubric),
    )


def draw_ranks(opened: Opened, scores: JudgeScores) -> None:
    """Whether what is relevant stands first."""
    draw_figure(
        ranks_figure(scores.ranks, rubric=scores.rubric, theme=current_theme()),
        key="judge-ranks",
        name=f"{opened.row.name} by rank",
        reading="each line is the mean grade of what an engine puts at a rank, over all queries with a grade there. "
        "Ranges and coverage stand in the table.",
        rows=rank_rows(scores.ranks),
    )
