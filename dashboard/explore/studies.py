"""Choose and evaluate the topics of a study, and show their metrics and similarity thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.studies import (
    FEW_TOPICS,
    FEWEST_TOPICS,
    ORIGIN_LABELS,
    REGION_METRICS,
    STUDY_METRICS,
    ScoredCurve,
    StudyScore,
    ThresholdCurve,
    ThresholdStudy,
    TopicScoreColumn,
    TopicScores,
    change,
    column_label,
    columns_of,
    correlate,
    metric_label,
    study_thresholds,
)
from core.settings import EvaluationSettings
from core.text import first_of, many
from core.types import Origin
from dashboard import cache, state
from dashboard.explore.figures.studies import OriginScores, correlations_figure, differences_figure, score_bars_figure
from dashboard.explore.figures.thresholds import costs_figure, threshold_curves_figure
from dashboard.explore.strata import pooled_html
from dashboard.jobs import Work
from dashboard.kit.components import Row, current_theme, draw_figure
from dashboard.kit.link_controls import choose_listed, choose_segment
from dashboard.messages import sentence
from dashboard.status import JobFamily, forget, how_it_ended, watch
from dashboard.words import plain
from data.explore.studies import (
    StudyVersion,
    bare_scores,
    known_curves,
    known_scores,
    left_out_of_curves,
    left_out_of_scores,
    load_published_curves,
    make_curves,
    make_scores,
    origins_there,
    pooled_strata,
    study_topics,
    want,
)
from data.store import content_hash


def choose_topics() -> tuple[str, ...]:
    """Choose topics at the top of a part: all but demo data by default, or demo data if there is nothing else.

    They are sorted by name.
    """
    rows = cache.workspace().store.topics()
    topics, default = [row.topic_id for row in rows], study_topics(cache.workspace().store)
    state.drop_missing("topics", topics)
    chosen = st.multiselect(
        "Topics",
        topics,
        key="topics",
        bind="query-params",
        placeholder=_placeholder(len(default), len(topics)),
        help="None selected: all except demo topics. The selection applies to the whole page.",
    )
    if not chosen and all(row.made_up for row in rows):
        st.caption("This workspace has only demo topics: all data here are synthetic.")
    return tuple(sorted(chosen)) or default


def _placeholder(n: int, n_topics: int) -> str:
    if n < n_topics:
        return f"All {many(n, 'topic')} except demo topics" if n > 1 else "The only topic except demo topics"
    return f"All {many(n, 'topic')}" if n > 1 else "The only topic"


# The origin and the embedder of a study: the controls that its parts share.


def choose_origin(
    topics: Sequence[str], key: str = "origin", label: str = "Lists of", *, best_beside: Origin | None = None
) -> Origin | None:
    """Choose an origin; None if no version was run. The default is the most frequent one.

    `best_beside`: the default is the one most frequent in topics that have this origin, too.
    """
    there = origins_there(cache.workspace(), topics, beside=best_beside)
    options = {ORIGIN_LABELS[origin]: origin for origin in there}
    if not options:
        return None
    named = choose_listed(
        st,
        label,
        options,
        key=key,
        format_func=lambda name: f"{name} ({many(there[options[name]], 'topic')})",
        help="The latest version of this origin is used in each topic.",
    )
    return options[str(named)]


def choose_embedder(key: str = "vectors") -> str | None:
    """Choose an embedder that covers any topic; None if there is none. The choice is drawn only if there is one."""
    counts: dict[str, int] = {}
    for topic in cache.workspace().topics():
        for embedder in topic.embedders:
            counts[embedder] = counts.get(embedder, 0) + 1
    if not counts:
        return None
    names = sorted(counts, key=lambda name: (-counts[name], name))
    return choose_listed(
        st, "Vectors", names, key=key, format_func=lambda name: f"{name} ({many(counts[name], 'topic')})"
    )


# Data of the studies that may have to be computed: cached, or computed in the background with progress and cancel.

MOST_NAMES = 8


def scores_of(wanted: Sequence[StudyVersion], settings: EvaluationSettings) -> dict[StudyVersion, TopicScores]:
    """Return the scores of these versions; scores in progress show a bar, and have recall and sizes meanwhile."""
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


def curves_of(wanted: Sequence[StudyVersion]) -> tuple[dict[str, ThresholdCurve], bool]:
    """Return the known threshold curves by topic, and True if these are all.

    The progress of missing curves is drawn.
    """
    workspace = cache.workspace()
    with_vectors = [w for w in wanted if w.embedding is not None]
    known = known_curves(workspace, with_vectors)
    waiting = [w for w in with_vectors if known[w] is None]
    if waiting:
        _make(
            _key("study-curves", with_vectors),
            "Computing threshold curves",
            lambda on_stage: make_curves(workspace, with_vectors, on_stage=on_stage),
        )
    return {w.topic_id: curve for w, curve in known.items() if curve is not None}, not waiting


def _key(kind: str, wanted: Sequence[StudyVersion]) -> str:
    """Return the key of the whole request: one job stays one, and stays cancelled, when a part is done."""
    store = cache.workspace().store
    parts = sorted(
        (w.row.version.query_id, w.row.retrieved_hash or "", w.embedding.embedder if w.embedding else "")
        for w in wanted
    )
    states = [store.topic_state(topic_id) for topic_id in sorted({w.topic_id for w in wanted})]
    return f"{kind}:{content_hash([*states, *(part for one in parts for part in one)])}"


STUDY_JOBS = JobFamily("study", lane="long")


def _make(key: str, title: str, work: Work) -> None:
    """Start a job once. One that ended early reports it, and can be started again."""
    job = STUDY_JOBS.find(key) or STUDY_JOBS.start(key, title, work)
    if not job.is_over:
        watch(job)
    elif job.finished:
        st.warning("Some topics could not be saved, or changed in the meantime.", icon=":material/warning:")
        if st.button("Retry", key=f"again-{key}"):
            forget(job)
            st.rerun()
    else:
        how_it_ended(job)


def say_left_out(reasons: Sequence[tuple[str, str]]) -> None:
    """List omitted topics by reason. Each pair: a topic, and the reason."""
    by_reason: dict[str, list[str]] = {}
    for topic, why in reasons:
        by_reason.setdefault(why, []).append(topic)
    for why, topics in by_reason.items():
        n = many(len(topics), "topic")
        st.caption(plain(sentence(f"left out, {n}, {why}: {first_of(topics, MOST_NAMES)}")))


# Every score of every topic, for two origins.

SETTINGS = EvaluationSettings()
BETA = SETTINGS.beta
IN_MAP = ("recall", "semantic_precision", "f_beta", "decay")
METHODS = ("Spearman", "Pearson")
FEW_CORE = 10


def draw_metrics() -> None:
    topics = choose_topics()
    if not origins_there(cache.workspace(), topics):
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
    say_left_out(left_out_of_scores(cache.workspace(), topics, origins, wanted, embedder))
    if not wanted:
        st.info("No topic has a list of both origins. The same origin twice shows one by itself.")
        return
    if embedder is None:
        st.info("Without vectors, only recall and sizes can be compared. Create vectors on the page Library.")
    sides = _sides(wanted, scores_of(wanted, SETTINGS), origins)
    _say_few(sides)
    _draw_bars(sides)
    _draw_strata([w for w in wanted if w.origin == a], a)
    if len(sides) == 2:
        draw_differences(
            *sides,
            key="score-differences",
            name="score-differences",
            note=" The page Versions compares two lists of one topic around the same core, with ranges.",
        )
    _draw_correlations(sides)


def _draw_strata(wanted: Sequence[StudyVersion], origin: Origin) -> None:
    with st.expander("Core recall by citations, year and kind of survey, over all these topics"):
        st.html(pooled_html(pooled_strata(cache.workspace(), wanted), current_theme()))
        st.caption(
            f"How to read this: {ORIGIN_LABELS[origin].lower()} lists; found and all core publications are summed "
            "over the topics. Quarters are computed per topic. A whisker is the middle 95 % over resampled topics; "
            f"it needs {FEWEST_TOPICS} topics."
        )


def _sides(
    wanted: Sequence[StudyVersion], scores: Mapping[StudyVersion, TopicScores], origins: Sequence[Origin]
) -> tuple[OriginScores, ...]:
    return tuple(
        OriginScores(ORIGIN_LABELS[origin], tuple(scores[w] for w in wanted if w.origin == origin))
        for origin in origins
    )


def _say_few(sides: Sequence[OriginScores]) -> None:
    n_core = {s.topic_id: s.n_core for side in sides for s in side.scores}
    if few := sorted(topic for topic, n in n_core.items() if n < FEW_CORE):
        named = ", ".join(f"{topic} ({n_core[topic]})" for topic in few)
        st.warning(plain(f"Fewer than {FEW_CORE} core publications, so every number is uncertain: {named}."))
    none = [f"{s.topic_id} ({side.label.lower()})" for side in sides for s in side.scores if not s.n_found]
    if none:
        st.caption(plain(f"No core publication found, so F-beta is 0 or undefined: {', '.join(none)}."))


def _draw_bars(sides: Sequence[OriginScores]) -> None:
    which, where = st.columns(2, gap="medium")
    metrics = {metric_label(metric, BETA): metric for metric in STUDY_METRICS}
    named = choose_listed(which, "Metric", metrics, key="metric")
    metric = metrics[str(named)]
    region = None
    if metric in REGION_METRICS:
        regions = {REGION_LABELS[kind]: kind for kind in DEFAULT_REGIONS}
        region = regions[choose_listed(where, "Region", regions, key="by")]
    column = TopicScoreColumn(metric, region)
    draw_figure(
        score_bars_figure(sides, column, beta=BETA, theme=current_theme()),
        key="score-bars",
        name=f"scores-{metric}",
        reading="each topic has a bar for each origin. –: undefined; hatched: meaningless.",
        rows=_score_rows(sides),
        notes=["The table and the CSV have every metric in every region."],
    )


def _score_rows(sides: Sequence[OriginScores]) -> list[Row]:
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


def _remarks(scores: TopicScores, columns: Sequence[TopicScoreColumn]) -> list[str]:
    entries = {c.region: scores.reason(c) or scores.degenerate(c) for c in columns if c.region}
    return [f"{REGION_LABELS[region].lower()}: {why}" for region, why in entries.items() if region and why]


def draw_differences(a: OriginScores, b: OriginScores, *, key: str, name: str, note: str = "") -> None:
    """Draw the differences of all metrics, topic by topic. `note`: added to the one about regions."""
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
        key=key,
        name=name,
        reading=(
            f"a cell is {b.label} minus {a.label}. Point at it for the exact value, or the reason why there is none."
        ),
        rows=rows,
        notes=[
            "Ellipsoid, hull and cluster are fitted to each list, so part of a difference may come from the region."
            + note
        ],
    )


def _draw_correlations(sides: Sequence[OriginScores]) -> None:
    st.header("Correlations of scores")
    whose, how = st.columns(2, gap="medium")
    labels = [side.label for side in sides]
    label = labels[0]
    if len(labels) > 1:
        state.settle("whose", labels)
        label = str(whose.segmented_control("Over the lists of", labels, key="whose", required=True))
    method = choose_segment(how, "Correlation", METHODS, key="correlation", help=CORRELATIONS)
    side = next(side for side in sides if side.label == label)
    if len(side.scores) < FEWEST_TOPICS:
        st.info(f"Correlations need at least {FEWEST_TOPICS} topics; there {_are(len(side.scores))} here.")
        return
    found = correlate(side.scores, columns_of(("recall", "semantic_precision", "f_beta"), DEFAULT_REGIONS))
    if len(side.scores) < FEW_TOPICS:
        st.warning(f"Only {len(side.scores)} topics: below {FEW_TOPICS}, a correlation depends on one or two of them.")
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


CORRELATIONS = "Spearman compares ranks and is robust to outliers; Pearson measures how close the points are to a line."


def _or_none(value: float) -> float | None:
    return round(value, 4) if value == value else None


# The similarity threshold that fits all topics, and its cost for each.

PUBLISHED, OWN = "Published curves", "Our own"
SCORES: dict[str, StudyScore] = {"The source's score": "source", "F2 with decay": "ours"}
AT_SINGLE, AT_MEAN, AT_069 = "Best single", "Mean of the best", "0.69"
EXPLAINED: dict[StudyScore, str] = {
    "source": (
        "F2 with the inverse of precision (retrieved / relevant) in place of precision and without decay, scaled to "
        "0 to 1 over all points of all topics; of equal scores the loosest threshold counts. It rewards strict "
        "thresholds; the source derived 0.69 from it."
    ),
    "ours": (
        "F2 as elsewhere here: semantic precision times decay, with the recall of the core publications that the "
        "threshold accepts. It rewards looser thresholds while the list is short enough to read."
    ),
}
OF_PUBLISHED = (
    "The published curves are of text-embedding-3-small and the generated searches, 300 thresholds from 0.15 to 1. "
    "They lack publications below 0.15, so semantic precision is taken over those that 0.15 accepts."
)


def draw_thresholds() -> None:
    topics = choose_topics()
    published = [p.curve for p in load_published_curves(cache.workspace().store, topics)]
    sources = [PUBLISHED, OWN] if published else [OWN]
    which, how = st.columns(2, gap="large")
    source = choose_segment(which, "Curves", sources, key="curves")
    named = choose_segment(how, "Score", SCORES, key="score")
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
            (
                "Our own curves need vectors. Create vectors on the page Library, or load the published curves with "
                "LitQEval."
            )
            if origin
            else "No version of these topics was run yet."
        )
        return []
    wanted = want(cache.workspace(), topics, [origin], embedder)
    curves, are_all = curves_of(wanted)
    say_left_out(left_out_of_curves(cache.workspace(), topics, origin, wanted, embedder))
    if are_all and not curves:
        st.info("No curve yet: none of these topics has a list of this origin with vectors.")
    return list(curves.values())


def _draw(curves: Sequence[ThresholdCurve], score: StudyScore, *, is_published: bool) -> None:
    study = study_thresholds(curves, score=score, settings=SETTINGS)
    st.caption(plain(EXPLAINED[score]))
    _say_both(curves)
    draw_figure(
        threshold_curves_figure(study, theme=current_theme()),
        key=f"thresholds-{score}",
        name=f"threshold-curves-{'published' if is_published else 'own'}-{score}",
        reading="a dot marks the highest point of a topic's line; the solid vertical line marks the highest point of "
        "the bold mean. Point at a line to see its topic.",
        rows=_curve_rows(study),
        notes=[*([OF_PUBLISHED] if is_published else []), *_notes(study)],
    )
    if study.single is not None:
        _draw_costs(study)


def _say_both(curves: Sequence[ThresholdCurve]) -> None:
    means = {
        name: study_thresholds(curves, score=score, settings=SETTINGS).mean_of_best for name, score in SCORES.items()
    }
    parts = [f"{name}: {mean:.5f}" for name, mean in means.items() if mean is not None]
    if parts:
        st.write(plain(f"Mean of the topics' best thresholds. {sentence('; '.join(parts))}"))


def _notes(study: ThresholdStudy) -> list[str]:
    notes = []
    if len(study.counted) == 1:
        notes.append("There is only one topic: its best threshold is the best for all.")
    if study.left_out:
        notes.append(f"No threshold accepts a core publication of {', '.join(study.left_out)}: left out of every mean.")
    if few := [t.topic_id for t in study.counted if t.curve.n_core < 10]:
        notes.append(f"Fewer than 10 core publications, so a single one shifts the best threshold: {', '.join(few)}.")
    return notes


def _draw_costs(study: ThresholdStudy) -> None:
    places = {AT_SINGLE: study.single, AT_MEAN: study.mean_of_best, AT_069: 0.69}
    named = choose_segment(st, "One threshold for all", places, key="at")
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
