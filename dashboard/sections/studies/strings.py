"""Baseline, generated and review strings over topics: results, what differs, and a way to write what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.audit.whole import csv_text
from core.comparing.compare import REGION_LABELS
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.studies.core_sets import (
    ORIGIN_LABELS,
    REGION_METRICS,
    Column,
    change,
    column_label,
    columns_of,
    metric_label,
)
from core.studies.strings import EXPERIMENTS, pairs_of, result_table
from core.types import Origin, RegionKind
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.scores import Side, differences_figure
from dashboard.figures.studies.strings import strings_figure
from dashboard.sections.audit.blocks import draw_table
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.sections.studies.evaluating import say_left_out, scores_of
from dashboard.sections.studies.sources import choose_embedder, choose_origin
from dashboard.sections.studies.strings_missing import draw_missing
from dashboard.sections.studies.strings_table import draw_results
from dashboard.words import plain
from data.audit.writing.markdown import markdown
from data.studies.scores import want
from data.studies.strings import StringStudy, report_of, whole

SETTINGS = EvaluationSettings()
BETA = SETTINGS.beta
ANY_TWO = "Any two"
IN_STUDY = ("f_beta", "recall", "semantic_precision", "n_retrieved")
"""What can be looked at, the sum of it first."""
IN_MAP = ("recall", "semantic_precision", "f_beta", "decay")


def draw_strings() -> None:
    """What is compared; then what is missing, the results, and where they differ."""
    topics = choose_topics()
    origins, embedder = _choose(topics)
    draw_missing(topics, embedder)
    if len(origins) < 2:
        st.info("Choose two different origins: a string is compared with one of another origin.")
        return
    workspace = cache.workspace()
    wanted = want(workspace, topics, origins, embedder)
    if not wanted:
        nothing = whole(workspace, topics, origins, (), {}, DEFAULT_REGIONS, beta=BETA)
        st.info(f"No topic here has core publications and lists of {_named(origins)}.")
        if published := nothing.published_sentences((Column("f_beta", DEFAULT_REGIONS[0]),)):
            st.markdown("\n".join(f"- {plain(each)}" for each in published))
        say_left_out(nothing.left_out)
        return
    scores = scores_of(wanted, SETTINGS)
    study = whole(workspace, topics, origins, wanted, scores, DEFAULT_REGIONS, beta=BETA)
    what, region = _choose_number()
    _say(study, what)
    _draw_results(study, what, region)
    _draw_differences(study)
    _draw_more(study, what)


def _choose(topics: Sequence[str]) -> tuple[tuple[Origin, ...], str | None]:
    which, by = st.columns(2, gap="medium")
    experiments: Mapping[str, tuple[Origin, ...]] = {_named(origins).capitalize(): origins for origins in EXPERIMENTS}
    options = [*experiments, ANY_TWO]
    state.settle("compared", options)
    with which:
        chosen = str(st.selectbox("Strings", options, key="compared", bind="query-params", help=COMPARED))
    with by:
        embedder = choose_embedder()
    if chosen != ANY_TWO:
        return experiments[chosen], embedder
    first, second = st.columns(2, gap="medium")
    with first:
        a = choose_origin(topics, "first", "Strings of")
    with second:
        b = choose_origin(topics, "second", "Beside strings of", best_beside=a)
    return tuple(dict.fromkeys(origin for origin in (a, b) if origin is not None)), embedder


def _named(origins: Sequence[Origin]) -> str:
    """As in a sentence.

    >>> _named(("baseline", "review", "generated"))
    'baseline, review and generated'
    """
    return f"{', '.join(origins[:-1])} and {origins[-1]}"


COMPARED = (
    "As LitQEval asks it: baseline against generated over all topics, and both beside the review's own string over the "
    "topics that have one. The latest version of an origin counts in each topic."
)


def _choose_number() -> tuple[Column, RegionKind]:
    which, where = st.columns(2, gap="medium")
    metrics = {metric_label(metric, BETA): metric for metric in IN_STUDY}
    state.settle("number", list(metrics))
    metric = metrics[str(which.selectbox("Number", list(metrics), key="number", bind="query-params"))]
    regions = {REGION_LABELS[kind]: kind for kind in DEFAULT_REGIONS}
    state.settle("by", list(regions))
    region = regions[str(where.selectbox("Region", list(regions), key="by", bind="query-params"))]
    return Column(metric, region if metric in REGION_METRICS else None), region


def _say(study: StringStudy, what: Column) -> None:
    """What the number says, before any picture of it."""
    with st.container(key="strings-said"):
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in study.sentences((what,))))
        if "generated" in study.origins and any(row.gain is not None for row in study.rows):
            st.caption(plain(FLATTERED))
    say_left_out(study.left_out)
    for why in dict.fromkeys(why for _, why in study.beware):
        named = ", ".join(topic for topic, of in study.beware if of == why)
        st.caption(f":material/info: {plain(f'Read with care, {named}: {why}.')}")


FLATTERED = (
    "Who wrote a string here has seen half of the core publications, so its scores over all of them are on the kind "
    "side. The held-out gain counts the other half alone."
)


def _draw_results(study: StringStudy, what: Column, region: RegionKind) -> None:
    table = result_table(study.rows, study.origins, (region,), beta=BETA)
    everything = study.tables[0]
    rows: list[Row] = [dict(zip([c.title for c in everything.columns], line, strict=True)) for line in everything.rows]
    draw_figure(
        strings_figure(study.rows, study.origins, what, beta=BETA, theme=current_theme()),
        key="strings",
        name="strings-over-topics",
        reading="a line is a topic, a sign one of its strings. Hollow: the number says nothing.",
        rows=rows,
        notes=["The table and the CSV hold every number in every region."],
    )
    st.subheader("Results")
    draw_results(table, key=f"strings-results-{region}-{'-'.join(study.origins)}")


def _draw_differences(study: StringStudy) -> None:
    st.subheader("Topic by topic")
    pairs = {f"{ORIGIN_LABELS[b]} minus {ORIGIN_LABELS[a].lower()}": (a, b) for a, b in pairs_of(study.origins)}
    options = list(pairs)
    state.settle("minus", options)
    label = options[0]
    if len(options) > 1:
        label = str(st.segmented_control("Difference", options, key="minus", required=True, bind="query-params"))
    a, b = (Side(ORIGIN_LABELS[o], tuple(row.scores[o] for row in study.rows)) for o in pairs[label])
    columns = columns_of(IN_MAP, DEFAULT_REGIONS)
    draw_figure(
        differences_figure(a, b, columns, beta=BETA, theme=current_theme()),
        key="strings-differences",
        name="string-differences",
        reading=f"a cell is {b.label} minus {a.label}. Point at it for the digits, or for why there is none.",
        rows=_difference_rows(study, pairs[label]),
        notes=[REGIONS_MOVE],
    )


REGIONS_MOVE = (
    "Ellipsoid, hull and cluster are fitted anew for each list, so part of a difference may lie in the region."
)


def _difference_rows(study: StringStudy, pair: tuple[Origin, Origin]) -> list[Row]:
    columns = columns_of(IN_MAP, DEFAULT_REGIONS)
    found: list[Row] = []
    for row in study.rows:
        moved = {c: change(row.scores[pair[0]], row.scores[pair[1]], c) for c in columns}
        why = dict.fromkeys(m.why for m in moved.values() if m.why)
        found.append(
            {
                "Topic": row.topic_id,
                **{column_label(c, BETA): m.value for c, m in moved.items()},
                "Remarks": "; ".join(filter(None, why)) or None,
            }
        )
    return found


def _draw_more(study: StringStudy, what: Column) -> None:
    """Every difference over topics, what was published, and the files."""
    tables = study.tables
    with st.expander("Over all topics: every number, and what was published", expanded=bool(study.published)):
        for table in tables[1:]:
            draw_table(table, key=f"strings-{table.name}-{len(study.origins)}")
        if not study.published:
            st.caption("No published numbers of these topics are loaded: the part Published says how.")
    with st.container(horizontal=True, key="strings-files"):
        for label, table in (("Results (CSV)", tables[0]), ("Differences (CSV)", tables[1])):
            _draw_file(label, f"strings-{table.name}.csv", "text/csv", csv_text(table))
        _draw_file("All of it (Markdown)", "strings.md", "text/markdown", markdown(report_of(study, (what,))))


def _draw_file(label: str, name: str, mime: str, content: str) -> None:
    st.download_button(
        label, content, file_name=name, mime=mime, key=f"file-{name}", icon=":material/download:", on_click="ignore"
    )
