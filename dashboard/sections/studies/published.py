"""What was published, beside what is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.comparing.compare import REGION_LABELS
from core.settings import PUBLISHED_MODEL, EvaluationSettings
from core.studies.core_sets import Column, TopicScores
from core.types import Origin, RegionKind
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.published import Beside, Values, beside_figure, published_figure
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.sections.studies.evaluating import say_left_out, scores_of
from dashboard.sections.studies.sources import choose_embedder
from dashboard.words import plain
from data.studies.scores import BESIDE_REVIEW, PUBLISHED_REGIONS, PublishedScore, Wanted, load_published_scores, want

SETTINGS = EvaluationSettings()
TABLES = {"Generated search": ("predicted", "baseline"), "Review's search": ("slr", BESIDE_REVIEW)}
NAMES = {"predicted": "Generated search", "slr": "Review's search", "baseline": "Baseline", BESIDE_REVIEW: "Baseline"}
METRICS_BESIDE = {"F2 (with decay)": "f_beta", "Semantic precision": "semantic_precision"}
LABEL_OF: Mapping[Origin, str] = {"baseline": "baseline", "generated": "predicted", "review": "slr"}
HOW_TO_LOAD = (
    "No published numbers are loaded. Put results.xlsx, slr_results.xlsx and published_threshold_curves.csv beside "
    "LitQEval's core_publications.xlsx (or in the folder above its data), then load the folder again: on the page "
    "Library, or with python -m dashboard get litqeval --from FOLDER."
)
RECALL = (
    "The published recall counts the core publications inside the cosine region, not those that were found, so it can "
    "be lower than core recall here. Ellipsoid and hull of the baseline differ between the two tables, as each "
    "pair of searches had a landscape of its own."
)
REASONS = {
    "Every region": "The published numbers are of text-embedding-3-small; ours are of other vectors, with another "
    "landscape and other distances.",
    "Cosine": "Published at the fixed threshold 0.69, which belongs to that model. For other vectors the threshold is "
    "the least similar core publication, left out of its own centre.",
    "Ellipsoid and hull": "The published ellipsoid is fitted with a loose tolerance that leaves a few core "
    "publications outside; ours holds all of them. Both depend on the landscape, which was laid out anew.",
    "Cluster": "The published code picks the cluster by core publications times size; here it is the one with most "
    "core publications, and its own are counted.",
    "Recall in F2": "Published F2 takes each region's own recall, cosine and cluster the accepted core, ellipsoid and "
    "hull the found core; so does ours.",
}
SAME_MODEL = {
    "Every region": "The vectors are of the same model; the landscape is another one, and the "
    "published numbers are rounded.",
    "Cosine": "Both take the fixed threshold 0.69. What is left is rounding, and publications whose text changed.",
}


def draw_published() -> None:
    """The published tables, then our own numbers beside them."""
    topics = choose_topics()
    scores = load_published_scores(cache.workspace().store, topics)
    if not scores:
        if load_published_scores(cache.workspace().store):
            st.info("Nothing was published of the topics that are chosen.")
        else:
            st.info(plain(HOW_TO_LOAD))
        return
    _draw_tables(scores)
    st.subheader("Beside our own")
    _draw_beside(topics, scores)


def _draw_tables(scores: Sequence[PublishedScore]) -> None:
    labels = {score.label for score in scores}
    tables = [name for name, pair in TABLES.items() if labels & set(pair)]
    which, what = st.columns(2, gap="large")
    state.settle("table", tables)
    table = str(which.segmented_control("Searches", tables, key="table", required=True, bind="query-params"))
    a, b = TABLES[table][1], TABLES[table][0]
    views = ["Difference", NAMES[b], NAMES[a]]
    state.settle("shown", views)
    view = str(what.segmented_control("Shown", views, key="shown", required=True, bind="query-params"))
    title = f"{NAMES[b].lower()} minus baseline" if view == views[0] else view.lower()
    of = {label: _values(scores, label) for label in (a, b)}
    is_difference = view == views[0]
    rows = _minus(of[b], of[a]) if is_difference else of[b if view == views[1] else a]
    draw_figure(
        published_figure(
            rows,
            PUBLISHED_REGIONS,
            title=f"Published: {title}",
            subtitle=f"Blue: {NAMES[b].lower()} is higher. Orange: the baseline is higher."
            if is_difference
            else "0 to 1.",
            scale="difference" if is_difference else "amount",
            theme=current_theme(),
        ),
        key=f"published-{views.index(view)}",
        name="published-scores",
        reading="a row is a topic; point at a cell for its digits.",
        rows=_table(scores, (b, a)),
        notes=[RECALL],
    )


def _values(scores: Sequence[PublishedScore], label: str) -> dict[str, Values]:
    found: dict[str, dict[tuple[str, RegionKind | None], float]] = {}
    for s in scores:
        if s.label == label:
            of_topic = found.setdefault(s.topic_id, {("recall", None): s.recall})
            of_topic["semantic_precision", s.region] = s.semantic_precision
            of_topic["f_beta", s.region] = s.f_beta
    return dict(found)


def _minus(b: Mapping[str, Values], a: Mapping[str, Values]) -> dict[str, Values]:
    return {
        topic: {key: round(value - a[topic][key], 6) for key, value in values.items() if key in a[topic]}
        for topic, values in b.items()
        if topic in a
    }


def _table(scores: Sequence[PublishedScore], labels: Sequence[str]) -> list[Row]:
    return [
        {
            "Topic": s.topic_id,
            "Search": NAMES[s.label],
            "Recall (cosine)": s.recall,
            "Region": REGION_LABELS[s.region],
            "Semantic precision": s.semantic_precision,
            "Relevant": s.n_relevant,
            "F2": s.f_beta,
        }
        for s in scores
        if s.label in labels
    ]


def _draw_beside(topics: Sequence[str], scores: Sequence[PublishedScore]) -> None:
    embedder = choose_embedder()
    workspace = cache.workspace()
    wanted = [w for origin in LABEL_OF for w in want(workspace, topics, [origin], embedder)]
    published = {(s.topic_id, s.label) for s in scores}
    wanted = [w for w in wanted if (w.topic_id, w.row.version.label) in published]
    with_vectors = [w for w in wanted if w.embedding is not None]
    lists = {w.topic_id for w in wanted}
    say_left_out(
        [
            *((topic, "without a list of a published search") for topic in topics if topic not in lists),
            *((w.topic_id, "without vectors") for w in wanted if w.embedding is None),
        ]
    )
    if not with_vectors:
        st.info("Our own numbers need a list of a published search and vectors; no topic here has both.")
        return
    own = scores_of(with_vectors, SETTINGS)
    state.settle("beside", list(METRICS_BESIDE))
    named = str(st.segmented_control("Number", list(METRICS_BESIDE), key="beside", required=True, bind="query-params"))
    pairs = _pairs(scores, own, METRICS_BESIDE[named])
    draw_figure(
        beside_figure(pairs, metric=named, theme=current_theme()),
        key="beside",
        name="published-beside-ours",
        reading="the longer a line, the further our number is from the published one.",
        rows=_beside_rows(scores, own),
        notes=_recalls(scores, own),
    )
    with st.expander("Why they differ", expanded=True):
        for what, why in reasons_for(embedder).items():
            st.markdown(f"**{plain(what)}.** {plain(why)}")


def reasons_for(embedder: str | None) -> dict[str, str]:
    """Why our numbers differ with these vectors."""
    return REASONS | SAME_MODEL if embedder == PUBLISHED_MODEL else REASONS


def _key_of(w: Wanted) -> tuple[str, str]:
    return w.topic_id, w.row.version.label


def _pairs(scores: Sequence[PublishedScore], own: Mapping[Wanted, TopicScores], metric: str) -> list[Beside]:
    ours = {_key_of(w): of for w, of in own.items()}
    pairs = []
    for s in scores:
        if of := ours.get((s.topic_id, s.label)):
            column = Column(metric, s.region)
            pairs.append(
                Beside(
                    f"{s.topic_id}, {NAMES[s.label].lower()}",
                    s.region,
                    getattr(s, metric),
                    of.value(column),
                    of.reason(column) or of.degenerate(column),
                )
            )
    return pairs


def _beside_rows(scores: Sequence[PublishedScore], own: Mapping[Wanted, TopicScores]) -> list[Row]:
    ours = {_key_of(w): of for w, of in own.items()}
    rows: list[Row] = []
    for s in scores:
        if of := ours.get((s.topic_id, s.label)):
            precision, f_beta = Column("semantic_precision", s.region), Column("f_beta", s.region)
            rows.append(
                {
                    "Topic": s.topic_id,
                    "Search": NAMES[s.label],
                    "Region": REGION_LABELS[s.region],
                    "Recall, published": s.recall,
                    "Recall, ours": round(of.recall, 4),
                    "Semantic precision, published": s.semantic_precision,
                    "Semantic precision, ours": of.value(precision),
                    "F2, published": s.f_beta,
                    "F2, ours": of.value(f_beta),
                    "Remarks": of.reason(f_beta) or of.degenerate(f_beta),
                }
            )
    return rows


def _recalls(scores: Sequence[PublishedScore], own: Mapping[Wanted, TopicScores]) -> list[str]:
    recall = {(s.topic_id, s.label): s.recall for s in scores}
    name_of = {w: f"{w.topic_id}, {NAMES[w.row.version.label].lower()}" for w in own}
    said = [
        f"{name_of[w]}: {recall[_key_of(w)]:.3f}, here {of.n_found}/{of.n_core} = {of.recall:.3f}"
        for w, of in own.items()
    ]
    return [f"Recall, published (inside cosine) and here (found). {'; '.join(said)}."]
