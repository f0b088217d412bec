"""Compare runs by cut-off, query by query, by group of queries, and by time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.protocols import OnStage, silent
from core.retrieval.leaderboard import LATENCY_SOURCE, PUBLISHED_METRICS, published_for
from core.retrieval.metrics import FAMILIES, RelevantDocuments, metric_by_k, read_metric
from core.retrieval.query_results import QueryGroup, entries, group_scores, groupings, per_query_pairs
from core.types import Floats
from dashboard import cache, state
from dashboard.kit.components import Row, current_theme, draw_figure, draw_files
from dashboard.kit.figure_frame import looks, milliseconds
from dashboard.kit.figures import short
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup
from dashboard.retrieval.figures import (
    MetricCurve,
    PublishedDot,
    QualitySpot,
    QueryGroupScores,
    QueryPair,
    RunTimes,
    Stage,
    against_figure,
    against_rows,
    by_k_figure,
    by_k_rows,
    latency_figure,
    latency_rows,
    pairs_at,
    quality_figure,
    quality_rows,
    slice_rows,
    slices_figure,
)
from dashboard.retrieval.leaderboard import QUICK, ScoredRuns
from dashboard.retrieval.misses import relevant_in, title_of
from dashboard.status import computed
from dashboard.words import plain
from data.collections import WHOLE, SavedRun, latency
from data.store import content_hash

# Metrics by k, and one run against another query by query.

BY_K = ("ndcg", "recall", "hit", "precision", "mrr")
KS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
MOST_OFFERED, LONGEST_QUERY = 5, 90
SHOWN = 10
"""The k in the title, if the chosen metric has none of its own."""


def draw_figures(board: ScoredRuns) -> None:
    _draw_by_k(board)
    _draw_against(board)


def _draw_by_k(board: ScoredRuns) -> None:
    chosen = read_metric(board.metric)
    state.settle_named("by_k", [f for f in BY_K if f == chosen.family] + [f for f in BY_K if f != chosen.family])
    family = str(
        st.segmented_control(
            "Metric by k", BY_K, key="by_k", required=True, format_func=lambda family: FAMILIES[family].label
        )
    )
    state.write_in_link("by_k", [family])
    label = FAMILIES[family].label
    curves, dots = _curves(board, family), _published_dots(board, family)
    if curves is None:
        return
    draw_figure(
        by_k_figure(
            curves,
            KS,
            family=label,
            at=chosen.k if chosen.k in KS else SHOWN,
            dots=dots,
            theme=current_theme(),
        ),
        key="retriever-by-k",
        name=f"{board.collection.name} {label} by k",
        reading="the higher a line, the better the first k documents of its rankings. Where two lines cross, one "
        "run finds more early on and the other later.",
        rows=by_k_rows(curves, KS, dots),
        notes=_notes(board, dots),
    )


def _notes(board: ScoredRuns, dots: Sequence[PublishedDot]) -> list[str]:
    notes = []
    if (depths := sorted({_depth(board, place) for place in range(len(board.runs))} - {0})) and depths[0] < KS[-1]:
        notes.append(f"Some runs keep {depths[0]:,} documents per ranking, so they find nothing beyond.")
    if board.compat:
        notes.append("Lines use the standard definitions, not those of STaRK's code.")
    if dots:
        notes.append("Hollow: published for STaRK's test queries, not measured here.")
    return notes


def _depth(board: ScoredRuns, place: int) -> int:
    starts = board.runs[place].run.starts
    return int((starts[1:] - starts[:-1]).max(initial=0))


def _curves(board: ScoredRuns, family: str) -> tuple[MetricCurve, ...] | None:
    """Return every run at every k; None while many queries are being scored, with the progress drawn."""
    key = content_hash(["by k", board.key, family])
    make = partial(curves_of, board, family)
    is_quick = len(board.leaderboard.query_ids) * len(board.runs) <= QUICK
    title = "Scoring the runs at every k"
    return computed(cache.ranked(), key, title, make, family="by-k", is_quick=is_quick, is_latest=True)


def curves_of(board: ScoredRuns, family: str, on_stage: OnStage = silent) -> tuple[MetricCurve, ...]:
    judged = RelevantDocuments.of(board.collection.judgments, board.collection.doc_ids, board.leaderboard.query_ids)
    on_progress = on_stage("scoring the runs at every k")
    curves = []
    for done, (name, saved) in enumerate(zip(board.names, board.runs, strict=True)):
        on_progress(done, len(board.runs))
        means = metric_by_k(saved.run, judged, family, KS)
        curves.append(MetricCurve(name, tuple(None if math.isnan(value) else float(value) for value in means)))
    return tuple(curves)


def _published_dots(board: ScoredRuns, family: str) -> list[PublishedDot]:
    dots = []
    for row in published_for(board.collection.name, board.split):
        for metric_id in PUBLISHED_METRICS:
            metric, value = read_metric(metric_id), row.share(metric_id)
            if metric.family == family and metric.k in KS and value is not None:
                dots.append(PublishedDot(row.retriever, metric.k, value, row.source))
    return dots


def _draw_against(board: ScoredRuns) -> None:
    if len(board.names) < 2:
        st.caption("Add a second run to compare two runs query by query.")
        return
    a, b = choose_two(board)
    metric = read_metric(board.metric).label
    pairs = pairs_of(board, a, b)
    by_name = looks(board.names, current_theme())
    relevant = relevant_in(board)
    rows = [{**row, RELEVANT: len(relevant.get(str(row["Query"]), ()))} for row in against_rows(pairs, a, b)]
    draw_figure(
        against_figure(pairs, a=a, b=b, metric=metric, looks=(by_name[a], by_name[b]), theme=current_theme()),
        key="retriever-against",
        name=f"{board.collection.name} {b} against {a} by {metric}",
        reading=f"one marker for all queries with the same two values; larger markers are more queries. Above the "
        f"dotted line {b} is better, below it {a}.",
        rows=rows,
        group_of=lambda point: relevant_group(board, [pair.query_id for pair in pairs_at(pairs, point)], a, b),
        group_of_row=lambda row, _: relevant_group(board, [str(rows[row]["Query"])], a, b),
        click="Click a marker to list the relevant documents of its queries and their ranks in both runs.",
    )
    _offer(sorted(pairs, key=lambda pair: -abs(pair.b - pair.a))[:MOST_OFFERED])


RELEVANT = "Relevant documents"


def relevant_group(board: ScoredRuns, query_ids: Sequence[str], a: str, b: str) -> PublicationGroup:
    """List the relevant documents of some queries, found or missed. One that answers two queries is listed for each."""
    relevant = relevant_in(board)
    rows: list[Row] = []
    for query_id in query_ids:
        rank_of = {
            name: {entry.doc_id: entry.rank for entry in entries(board.runs[board.names.index(name)].run, query_id)}
            for name in (a, b)
        }
        rows += [
            {
                "Query": query_id,
                "Document": doc_id,
                "Title": title_of(board, doc_id),
                "Relevance": grade,
                **{f"Rank by {name}": ranks.get(doc_id) for name, ranks in rank_of.items()},
            }
            for doc_id, grade in relevant.get(query_id, {}).items()
        ]
    of = f"query {query_ids[0]}" if len(query_ids) == 1 else f"{len(query_ids):,} queries"
    return PublicationGroup(f"Relevant to {of}", rows=tuple(rows), noun="document")


def _offer(pairs: Sequence[QueryPair]) -> None:
    differing = [pair for pair in pairs if pair.outcome != "tie"]
    if not differing:
        return
    st.markdown("**Open a query with a large difference**")
    for pair in differing:
        text = f"{pair.query_id}: {short(pair.text, LONGEST_QUERY)} ({pair.a:.2f} to {pair.b:.2f})"
        st.button(
            plain(text),
            key=f"open-{pair.query_id}",
            type="tertiary",
            icon=":material/open_in_full:",
            on_click=_open,
            args=(pair.query_id,),
        )


def _open(query_id: str) -> None:
    state.set_value("opened", query_id)
    state.set_value("ranking", "One query")


def choose_two(board: ScoredRuns) -> tuple[str, str]:
    left, right = st.columns(2)
    names = list(board.names)
    a = choose_one(left.selectbox, "Run", names, "run_a")
    b = choose_one(right.selectbox, "Compare with", [name for name in names if name != a], "run_b")
    return a, b


def pairs_of(board: ScoredRuns, a: str, b: str) -> list[QueryPair]:
    found = per_query_pairs(board.leaderboard, a, b, board.metric)
    texts = board.query_of
    return [
        QueryPair(query_id, texts[query_id].text if query_id in texts else "", float(x), float(y))
        for query_id, x, y in zip(found.query_ids, found.a, found.b, strict=True)
    ]


# Runs on parts of the queries: short and long ones, few and many answers, any label of the queries.


def draw_slices(board: ScoredRuns) -> None:
    options = dict(groupings(board.collection))
    by = choose_one(st.selectbox, "Queries by", list(options), "group_by", names=options)
    groups = [QueryGroupScores(group.name, group.n, group.values, group.intervals) for group in _groups(board, by)]
    metric = read_metric(board.metric).label
    draw_figure(
        slices_figure(groups, board.names, metric=metric, by=options[by].lower(), theme=current_theme()),
        key="retriever-slices",
        name=f"{board.collection.name} {metric} by {options[by]}",
        reading="each marker is the mean of a run over a group of queries, its line the 95 % interval.",
        rows=slice_rows(groups, board.names),
        notes=["Group differences are exploratory: treat them as hypotheses, not as findings."],
    )


def _groups(board: ScoredRuns, by: str) -> tuple[QueryGroup, ...]:
    key = content_hash(["groups", board.key, by, board.metric])
    make = partial(group_scores, board.leaderboard, board.collection, by=by, metric=board.metric)
    return cache.ranked().of(key, make, doing="Grouping the queries")


# The duration of the runs, the trade-off of ranking quality and time, and the size of the indexes.

ON_THIS_MACHINE = (
    "Times were measured on the machine that ran the queries, one query at a time; other programs may have slowed them."
)


def draw_latency(board: ScoredRuns) -> None:
    times = [_times(name, saved) for name, saved in zip(board.names, board.runs, strict=True)]
    untimed = [run.name for run in times if run.whole is None]
    notes = [ON_THIS_MACHINE]
    if untimed:
        notes.append(f"Without times: {', '.join(untimed)}. Runs from a file have no times.")
    draw_figure(
        latency_figure(times, theme=current_theme()),
        key="retriever-latency",
        name=f"{board.collection.name} time for a query",
        reading="bold is the whole answer, with its stages below. Half of the queries are faster than the marker, "
        "19 of 20 faster than the end of the line. Stages need not add up: each has its own median.",
        rows=latency_rows(times),
        notes=notes,
    )
    _draw_quality(board, times)
    _draw_indexes(board)


def _times(name: str, saved: SavedRun) -> RunTimes:
    timed = {stage: stage_of(stage, ms) for stage, ms in saved.stages_ms.items()}
    whole = timed.pop(WHOLE, None)
    n = int(np.count_nonzero(np.isfinite(saved.stages_ms[WHOLE]))) if whole else 0
    return RunTimes(name, whole, tuple(stage for stage in timed.values() if stage is not None), n)


def stage_of(name: str, ms: Floats) -> Stage | None:
    """Return the median and the slow end of measured times; None: nothing was measured."""
    took = latency(ms)
    return Stage("whole answer" if name == WHOLE else name, took.p50, took.p95) if took else None


def _draw_quality(board: ScoredRuns, times: list[RunTimes]) -> None:
    spots = []
    for run, scores in zip(times, board.leaderboard.scores, strict=True):
        value = scores.values.get(board.metric)
        if run.whole is not None and value is not None:
            interval = scores.intervals.get(board.metric)
            spots.append(QualitySpot(run.name, value, interval, run.whole.p50, run.whole.p95))
    published = _published_times(board)
    label = read_metric(board.metric).label
    draw_figure(
        quality_figure([*spots, *published], names=board.names, metric=label, theme=current_theme()),
        key="retriever-quality",
        name=f"{board.collection.name} {label} against time",
        reading="up is better, left is faster. Whiskers: the 95 % interval upwards, p95 to the right. The dotted "
        "line joins the runs that no other run beats on both.",
        rows=quality_rows([*spots, *published]),
        notes=[f"Hollow: published, {LATENCY_SOURCE}; not measured here."] if published else [],
    )


def _published_times(board: ScoredRuns) -> list[QualitySpot]:
    return [
        QualitySpot(row.retriever, value, None, 1_000 * row.seconds, None, f"{row.source}; {LATENCY_SOURCE}")
        for row in published_for(board.collection.name, board.split)
        if row.seconds is not None and (value := row.share(board.metric)) is not None
    ]


def _draw_indexes(board: ScoredRuns) -> None:
    st.markdown("**Indexes**")
    rows: list[Row] = [
        {
            "Run": name,
            "Index time": "–" if saved.index_seconds is None else milliseconds(1_000 * saved.index_seconds),
            "On disk": "–" if saved.index_bytes is None else size(saved.index_bytes),
            "Bytes per document": None
            if saved.index_bytes is None
            else round(saved.index_bytes / max(len(board.collection.documents), 1)),
            "Notes": "; ".join(saved.notes),
        }
        for name, saved in zip(board.names, board.runs, strict=True)
    ]
    st.dataframe(rows, hide_index=True, key="retriever-indexes-table")
    if any(saved.index_bytes is None for saved in board.runs):
        st.caption(plain("–: no index, or a run from a file."))
    draw_files(
        key="retriever-indexes",
        name=f"{board.collection.name} indexes",
        description="Index time and size of each run.",
        rows=[
            {"Run": name, "Index seconds": saved.index_seconds, "Index bytes": saved.index_bytes}
            for name, saved in zip(board.names, board.runs, strict=True)
        ],
        picture=False,
    )


def size(n_bytes: int) -> str:
    """Format a number of bytes for people.

    >>> size(512), size(3_500_000)
    ('512 B', '3.5 MB')
    """
    value, unit = float(n_bytes), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1_000:
            break
        value, unit = value / 1_000, larger
    return f"{value:,.0f} {unit}" if unit == "B" or value >= 100 else f"{value:,.1f} {unit}"
