"""Mean grades of a run in one line, so that it is seen what overruling changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from core.judging.means import cells_of
from core.judging.types import Field, Judged, Rubric
from dashboard.sections.judge.choosing import Opened
from dashboard.words import plain
from data.judging.demo_judge import DEMO_MODEL

MOST_NAMED = 8
SAME = 1e-9


def run_means(field: Field, judged: Sequence[Judged], rubric: Rubric) -> Mapping[str, float | None]:
    """The mean grade of each engine as it is shown, every query counting the same; None where nothing has a grade."""
    cells = cells_of(field, judged, cut=rubric.points[-1], judge_alone=False)
    found: dict[str, float | None] = {}
    for engine, column in zip(cells.engines, cells.means.T, strict=True):
        known = column[~np.isnan(column)]
        found[engine] = rubric.shown(float(known.mean())) if len(known) else None
    return found


def draw_means(opened: Opened, means: Mapping[str, float | None]) -> None:
    """Of the whole run, with its coverage and how many grades are by people."""
    n_people = len({each.triple_key for each in opened.judged if each.overruled is not None})
    n_valid = sum(each.points is not None for each in opened.judged)
    named = list(means.items())[:MOST_NAMED]
    more = f" and {len(means) - MOST_NAMED:,} more engines" if len(means) > MOST_NAMED else ""
    parts = [
        f"Mean grade of the whole run: {', '.join(f'{engine} {in_words(mean)}' for engine, mean in named)}{more}",
        f"{n_valid:,} of {len(opened.judged):,} have a grade",
    ]
    if n_people:
        parts.append("1 grade is a person's" if n_people == 1 else f"{n_people:,} grades are people's")
    if opened.judge.settings.model == DEMO_MODEL:
        parts.append("by the demo judge, which is not a language model")
    with st.container(key="judged-means"):
        st.caption(plain(" · ".join(parts)))


def in_words(mean: float | None) -> str:
    """A mean with one digit.

    >>> in_words(61.25), in_words(None)
    ('61.2', '–')
    """
    return "–" if mean is None else f"{mean:.1f}"


def changes_in_words(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> str:
    """Which means an overruling moved.

    >>> changes_in_words({"a": 40.0, "b": 10.0}, {"a": 60.0, "b": 10.0})
    'mean grade of a: 40.0, now 60.0'
    """
    moved = [
        f"mean grade of {engine}: {in_words(before.get(engine))}, now {in_words(mean)}"
        for engine, mean in after.items()
        if not _same(before.get(engine), mean)
    ]
    return "; ".join(moved) or "no mean changes"


def _same(a: float | None, b: float | None) -> bool:
    return a is b if a is None or b is None else abs(a - b) < SAME
