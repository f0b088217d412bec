"""Every score of every topic, for two origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.comparing.compare import REGION_LABELS
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.studies.core_sets import (
    FEW_TOPICS,
    FEWEST_TOPICS,
    ORIGIN_LABELS,
    REGION_METRICS,
    STUDY_METRICS,
    Column,
    TopicScores,
    change,
    column_label,
    columns_of,
    correlate,
    metric_label,
)
from core.types import Origin
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.scores import (
    Side,
    correlations_figure,
    differences_figure,
    score_bars_figure,
)
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.sections.studies.evaluating import say_left_out, scores_of
from dashboard.sections.studies.sources import choose_embedder, choose_origin, origins_there
from dashboard.words import plain
from data.studies.scores import Wanted, want, without_origin

SETTINGS = EvaluationSettings()
BETA = SETTINGS.beta
IN_MAP = ("recall", "semantic_precision", "f_beta", "decay")
METHODS = ("Spearman", "Pearson")
FEW_CORE = 10


def draw_metrics() -> None:
    """Whose lists, whose vectors; then bars, differences and correlations."""
    topics = choose_topics()
    if not origins_there(topics):
        st.info("No version of these topics was run yet: run a query, or load result lists, first.")
        return
    first, second, by = st.columns(3, gap="medium")
    with first:
        a = choose_origin(topics, "first", "Lists of")
    with second:
        b = choose_origin(topics, "second", "Beside lists of", best_beside=a)
    with by:
        embedder = choose_embedder()
    if a is None or b is None:
        return
    origins = (a,) if a == b else (a, b)
    wanted = want(cache.workspace(), topics, origins, embedder)
    say_left_out(_left_out(topics, origins, wanted, embedder))
    if not wanted:
        st.info("No topic has a list of both origins. The same origin twice shows one by itself.")
        return
    if embedder is None:
        st.info("Without vectors only recall and sizes can be compared: make some on the page Library.")
    sides = _sides(wanted, scores_of(wanted, SETTINGS), origins)
    _say_few(sides)
    _draw_bars(sides)
    if len(sides) == 2:
        _draw_differences(sides[0], sides[1])
    _draw_correlations(sides)


def _left_out(
    topics: Sequence[str], origins: Sequence[Origin], wanted: Sequence[Wanted], embedder: str | None
) -> list[tuple[str, str]]:
    bare = {w.topic_id for w in wanted if w.embedding is None} if embedder else set()
    return [
        *without_origin(cache.workspace(), topics, origins),
        *((topic, f"from all but recall and sizes, as {embedder} has no vectors") for topic in sorted(bare)),
    ]


def _sides(
    wanted: Sequence[Wanted], scores: Mapping[Wanted, TopicScores], origins: Sequence[Origin]
) -> tuple[Side, ...]:
    return tuple(
        Side(ORIGIN_LABELS[origin], tuple(scores[w] for w in wanted if w.origin == origin)) for origin in origins
    )


def _say_few(sides: Sequence[Side]) -> None:
    n_core = {s.topic_id: s.n_core for side in sides for s in side.scores}
    if few := sorted(topic for topic, n in n_core.items() if n < FEW_CORE):
        named = ", ".join(f"{topic} ({n_core[topic]})" for topic in few)
        st.warning(plain(f"Fewer than {FEW_CORE} core publications, so that every number rests on few: {named}."))
    none = [f"{s.topic_id} ({side.label.lower()})" for side in sides for s in side.scores if not s.n_found]
    if none:
        st.caption(plain(f"No core publication was found, so that F-beta is 0 or undefined: {', '.join(none)}."))


def _draw_bars(sides: Sequence[Side]) -> None:
    which, where = st.columns(2, gap="medium")
    metrics = {metric_label(metric, BETA): metric for metric in STUDY_METRICS}
    state.settle("metric", list(metrics))
    named = which.selectbox("Metric", list(metrics), key="metric", bind="query-params")
    metric = metrics[str(named)]
    region = None
    if metric in REGION_METRICS:
        regions = {REGION_LABELS[kind]: kind for kind in DEFAULT_REGIONS}
        state.settle("by", list(regions))
        region = regions[str(where.selectbox("Region", list(regions), key="by", bind="query-params"))]
    column = Column(metric, region)
    draw_figure(
        score_bars_figure(sides, column, beta=BETA, theme=current_theme()),
        key="score-bars",
        name=f"scores-{metric}",
        reading="each topic has a bar for each origin. –: undefined; hatched: the number says nothing.",
        rows=_score_rows(sides),
        notes=["The table and the CSV hold every metric in every region."],
    )


def _score_rows(sides: Sequence[Side]) -> list[Row]:
    columns = columns_of(STUDY_METRICS, DEFAULT_REGIONS)
    return [
        {
            "Topic": s.topic_id,
            "Origin": side.label,
            "Version": s.label,
            "Core publications": s.n_core,
            "Core found": s.n_found,
            **{column_label(c, BETA): s.value(c) for c in columns},
            "Remarks": "; ".join(_remarks(s, columns)) or None,
        }
        for side in sides
        for s in side.scores
    ]


def _remarks(scores: TopicScores, columns: Sequence[Column]) -> list[str]:
    said = {c.region: scores.reason(c) or scores.degenerate(c) for c in columns if c.region}
    return [f"{REGION_LABELS[region].lower()}: {why}" for region, why in said.items() if region and why]


def _draw_differences(a: Side, b: Side) -> None:
    columns = columns_of(IN_MAP, DEFAULT_REGIONS)
    of_b = {s.topic_id: s for s in b.scores}
    rows: list[Row] = []
    for s in a.scores:
        if s.topic_id in of_b:
            moved = {c: change(s, of_b[s.topic_id], c) for c in columns}
            why = dict.fromkeys(m.why for m in moved.values() if m.why)
            rows.append(
                {
                    "Topic": s.topic_id,
                    **{column_label(c, BETA): m.value for c, m in moved.items()},
                    "Remarks": "; ".join(filter(None, why)) or None,
                }
            )
    draw_figure(
        differences_figure(a, b, columns, beta=BETA, theme=current_theme()),
        key="score-differences",
        name="score-differences",
        reading=f"a cell is {b.label} minus {a.label}. Point at it for the digits, or for why there is none.",
        rows=rows,
        notes=[
            "Ellipsoid, hull and cluster are fitted anew for each list, so part of a difference may lie in the region. "
            "The page Versions compares two lists of one topic around the same core, with ranges."
        ],
    )


def _draw_correlations(sides: Sequence[Side]) -> None:
    st.subheader("How the scores go together")
    whose, how = st.columns(2, gap="medium")
    labels = [side.label for side in sides]
    label = labels[0]
    if len(labels) > 1:
        state.settle("whose", labels)
        label = str(whose.segmented_control("Over the lists of", labels, key="whose", required=True))
    state.settle("correlation", list(METHODS))
    method = how.segmented_control(
        "Correlation", list(METHODS), key="correlation", required=True, bind="query-params", help=CORRELATIONS
    )
    side = next(side for side in sides if side.label == label)
    if len(side.scores) < FEWEST_TOPICS:
        st.info(f"Correlations need at least {FEWEST_TOPICS} topics; there {_are(len(side.scores))} here.")
        return
    found = correlate(side.scores, columns_of(("recall", "semantic_precision", "f_beta"), DEFAULT_REGIONS))
    if len(side.scores) < FEW_TOPICS:
        st.warning(f"Only {len(side.scores)} topics: below {FEW_TOPICS} a correlation hangs on one or two of them.")
    names = [column_label(c, BETA) for c in found.columns]
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    draw_figure(
        correlations_figure(found, method=str(method), about=label.lower(), beta=BETA, theme=current_theme()),
        key="correlations",
        name="score-correlations",
        reading="1: topics that are high in one score are high in the other; -1: low in the other; 0: no relation.",
        rows=[
            {
                "Score": names[i],
                "And": names[j],
                "Topics": int(found.n[i, j]),
                "Spearman": _or_none(float(found.spearman[i, j])),
                "Pearson": _or_none(float(found.pearson[i, j])),
            }
            for i, j in pairs
        ],
    )


def _are(n: int) -> str:
    return "is 1" if n == 1 else f"are {n}"


CORRELATIONS = "Spearman compares ranks and does not mind outliers; Pearson asks whether the points lie on a line."


def _or_none(value: float) -> float | None:
    return round(value, 4) if value == value else None
