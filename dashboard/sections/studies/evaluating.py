"""What the studies need and may have to compute: looked up, or made in the background with progress and cancel."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.settings import EvaluationSettings
from core.studies.core_sets import ThresholdCurve, TopicScores
from dashboard import cache
from dashboard.jobs import Job, Work
from dashboard.messages import sentence
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.store import content_hash
from data.studies.scores import Wanted, bare_scores, known_curves, known_scores, make_curves, make_scores

MOST_NAMES = 8


def scores_of(wanted: Sequence[Wanted], settings: EvaluationSettings) -> dict[Wanted, TopicScores]:
    """Scores of these versions; what is being made shows how far it is, and has its recall and sizes meanwhile."""
    workspace = cache.workspace()
    known = known_scores(workspace, wanted, settings)
    waiting = [w for w in wanted if known[w] is None]
    if waiting:
        _make(
            _key("study-scores", wanted),
            "Evaluating topics",
            lambda on_stage: make_scores(workspace, wanted, settings, on_stage=on_stage),
        )
    bare = bare_scores(workspace, waiting)
    return {w: scores or bare[w] for w, scores in known.items()}


def curves_of(wanted: Sequence[Wanted]) -> tuple[dict[str, ThresholdCurve], bool]:
    """Threshold curves by topic, of those that have one, and whether that is all of them.

    What is being made shows how far it is.
    """
    workspace = cache.workspace()
    with_vectors = [w for w in wanted if w.embedding is not None]
    known = known_curves(workspace, with_vectors)
    waiting = [w for w in with_vectors if known[w] is None]
    if waiting:
        _make(
            _key("study-curves", with_vectors),
            "Drawing threshold curves",
            lambda on_stage: make_curves(workspace, with_vectors, on_stage=on_stage),
        )
    return {w.topic_id: curve for w, curve in known.items() if curve is not None}, not waiting


def _key(kind: str, wanted: Sequence[Wanted]) -> str:
    """Names the whole question, not what is left of it: one job stays one, and stays cancelled, when a part is done."""
    store = cache.workspace().store
    parts = sorted(
        (w.row.version.query_id, w.row.retrieved_hash or "", w.embedding.embedder if w.embedding else "")
        for w in wanted
    )
    states = [store.topic_state(topic_id) for topic_id in sorted({w.topic_id for w in wanted})]
    return f"{kind}:{content_hash([*states, *(part for one in parts for part in one)])}"


def _make(key: str, title: str, work: Work) -> None:
    """Start it once. One that is over and left something undone says so, and can be started again."""
    job: Job = cache.jobs().start(key, title, work, lane="long")
    if not job.is_over:
        watch(job)
    elif job.finished:
        st.warning("Some topics could not be kept, or changed meanwhile.", icon=":material/warning:")
        if st.button("Try again", key=f"again-{key}"):
            cache.jobs().forget(key)
            st.rerun()
    else:
        how_it_ended(job)


def say_left_out(reasons: Sequence[tuple[str, str]]) -> None:
    """Topics that take no part, by reason. Each pair: a topic, and why."""
    by_reason: dict[str, list[str]] = {}
    for topic, why in reasons:
        by_reason.setdefault(why, []).append(topic)
    for why, topics in by_reason.items():
        named = ", ".join(topics[:MOST_NAMES])
        more = f" and {len(topics) - MOST_NAMES} more" if len(topics) > MOST_NAMES else ""
        n = f"{len(topics)} {'topic' if len(topics) == 1 else 'topics'}"
        st.caption(plain(sentence(f"left out, {n}, {why}: {named}{more}")))
