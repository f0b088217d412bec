"""Which similarity threshold fits all topics, and what it costs each of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.settings import EvaluationSettings
from core.studies.core_sets import ScoredCurve, StudyScore, ThresholdCurve, ThresholdStudy, study_thresholds
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.thresholds import costs_figure, threshold_curves_figure
from dashboard.messages import sentence
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.sections.studies.evaluating import curves_of, say_left_out
from dashboard.sections.studies.sources import choose_embedder, choose_origin
from dashboard.words import plain
from data.studies.scores import load_published_curves, want, without_origin

PUBLISHED, OWN = "Published curves", "Our own"
SCORES: dict[str, StudyScore] = {"The source's score": "source", "F2 with decay": "ours"}
AT_SINGLE, AT_MEAN, AT_069 = "Best single", "Mean of the best", "0.69"
EXPLAINED: dict[StudyScore, str] = {
    "source": (
        "F2 with the inverse of precision (retrieved / relevant) in place of precision and without decay, scaled to 0 "
        "to 1 over all points of all topics; of equal scores the loosest threshold counts. It rewards strict "
        "thresholds, and is how the source came to 0.69."
    ),
    "ours": (
        "F2 as everywhere here: semantic precision times decay, with the recall of the core publications that the "
        "threshold accepts. It rewards looser thresholds as long as the list stays short enough to read."
    ),
}
OF_PUBLISHED = (
    "The published curves are of text-embedding-3-small and the generated searches, 300 thresholds from 0.15 to 1. "
    "Publications below 0.15 are not in them, so that semantic precision is taken over what 0.15 accepts."
)
SETTINGS = EvaluationSettings()


def draw_thresholds() -> None:
    """Whose curves, which score; then the curves and what one threshold for all costs."""
    topics = choose_topics()
    published = [p.curve for p in load_published_curves(cache.workspace().store, topics)]
    sources = [PUBLISHED, OWN] if published else [OWN]
    which, how = st.columns(2, gap="large")
    state.settle("curves", sources)
    source = which.segmented_control("Curves", sources, key="curves", required=True, bind="query-params")
    state.settle("score", list(SCORES))
    named = how.segmented_control("Score", list(SCORES), key="score", required=True, bind="query-params")
    curves = published if source == PUBLISHED else _own_curves(topics)
    if source == PUBLISHED:
        there = {curve.topic_id for curve in curves}
        say_left_out([(topic, "without a published curve") for topic in topics if topic not in there])
    if curves:
        _draw(curves, SCORES[str(named)], is_published=source == PUBLISHED)


def _own_curves(topics: Sequence[str]) -> list[ThresholdCurve]:
    origin, embedder = choose_origin(topics), choose_embedder()
    if origin is None or embedder is None:
        st.info(
            "Our own curves need vectors: make some on the page Library, or load the published curves with LitQEval."
            if origin
            else "No version of these topics was run yet."
        )
        return []
    wanted = want(cache.workspace(), topics, [origin], embedder)
    curves, are_all = curves_of(wanted)
    say_left_out(
        [
            *without_origin(cache.workspace(), topics, [origin]),
            *((w.topic_id, f"without vectors of {embedder}") for w in wanted if w.embedding is None),
        ]
    )
    if are_all and not curves:
        st.info("There is no curve yet: none of these topics has a list of this origin with vectors.")
    return list(curves.values())


def _draw(curves: Sequence[ThresholdCurve], score: StudyScore, *, is_published: bool) -> None:
    study = study_thresholds(curves, score=score, settings=SETTINGS)
    st.caption(plain(EXPLAINED[score]))
    _say_both(curves)
    draw_figure(
        threshold_curves_figure(study, theme=current_theme()),
        key=f"thresholds-{score}",
        name=f"threshold-curves-{'published' if is_published else 'own'}-{score}",
        reading="a topic's line is highest where its dot is; the bold mean is highest at the solid upright. Point at a "
        "line to see whose it is.",
        rows=_curve_rows(study),
        notes=[*([OF_PUBLISHED] if is_published else []), *_notes(study)],
    )
    if study.single is not None:
        _draw_costs(study)


def _say_both(curves: Sequence[ThresholdCurve]) -> None:
    """The two scores choose differently: what each comes to."""
    means = {
        name: study_thresholds(curves, score=score, settings=SETTINGS).mean_of_best for name, score in SCORES.items()
    }
    said = [f"{name}: {mean:.5f}" for name, mean in means.items() if mean is not None]
    if said:
        st.write(plain(f"Mean of the topics' best thresholds. {sentence('; '.join(said))}"))


def _notes(study: ThresholdStudy) -> list[str]:
    notes = []
    if len(study.counted) == 1:
        notes.append("There is one topic only: its best threshold is the best for all.")
    if study.left_out:
        notes.append(f"No threshold accepts a core publication of {', '.join(study.left_out)}: left out of every mean.")
    if few := [t.topic_id for t in study.counted if t.curve.n_core < 10]:
        notes.append(f"Fewer than 10 core publications, so that one of them moves the best: {', '.join(few)}.")
    return notes


def _draw_costs(study: ThresholdStudy) -> None:
    places = {AT_SINGLE: study.single, AT_MEAN: study.mean_of_best, AT_069: 0.69}
    state.settle("at", list(places))
    named = st.segmented_control("One threshold for all", list(places), key="at", required=True, bind="query-params")
    threshold = places[str(named)]
    if threshold is None:
        return
    costs = study.costs(threshold)
    draw_figure(
        costs_figure(costs, threshold, theme=current_theme()),
        key="costs",
        name="threshold-costs",
        reading="the longer a bar, the more this topic loses by sharing a threshold with the others.",
        rows=[
            {
                "Topic": cost.topic_id,
                "Best threshold": round(cost.best_threshold, 4),
                "Score there": round(cost.best_score, 4),
                "Score at the single threshold": round(cost.score, 4),
                "Cost": round(cost.cost, 4),
            }
            for cost in costs
        ],
        notes=[f"The mean score is {study.mean_score_at(threshold):.3f} at {threshold:.3f}."],
    )


def _curve_rows(study: ThresholdStudy) -> list[Row]:
    return [row for topic in study.counted for row in _rows_of(topic)]


def _rows_of(topic: ScoredCurve) -> list[Row]:
    curve = topic.curve
    columns = (curve.min_similarity.round(4), curve.n_relevant, curve.n_accepted_core, topic.scores.round(6))
    return [
        {
            "Topic": topic.topic_id,
            "Threshold": at,
            "Relevant": n_relevant,
            "Core accepted": n_accepted,
            "Score": score if score == score else None,
            "Best": "yes" if row == topic.best else None,
        }
        for row, (at, n_relevant, n_accepted, score) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        )
    ]
