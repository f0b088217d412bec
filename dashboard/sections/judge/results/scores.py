"""A judged run in numbers, worked out once for what was judged."""

from __future__ import annotations

import streamlit as st

from core.judging.scores import JudgeScores, engine_scores
from dashboard import cache
from dashboard.sections.judge.choosing import Opened
from data.store import content_hash


def scores_of(opened: Opened, *, cut: int, judge_alone: bool) -> JudgeScores:
    """What was kept, unless anything was judged or overruled since."""
    key = content_hash(
        [
            *("judged", opened.row.run_id, opened.judge.rubric_key, str(cut), str(judge_alone)),
            *(
                f"{each.triple_key} {each.verdict and (each.verdict.status, each.verdict.points)} {each.points}"
                for each in opened.judged
            ),
        ]
    )
    found: JudgeScores | None = cache.ranked().get(key)
    if found is None:
        with st.spinner("Counting the grades"):
            found = engine_scores(opened.field, opened.judged, opened.judge.rubric, cut=cut, judge_alone=judge_alone)
        cache.keep_ranked(key, found)
    return found
