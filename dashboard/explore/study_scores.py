"""Compare search strings of different origins over topics, and our scores with published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.reproduction import BESIDE_REVIEW, PUBLISHED_REGIONS, PublishedScore
from core.explore.studies import (
    ORIGIN_LABELS,
    REGION_METRICS,
    TopicScoreColumn,
    TopicScores,
    metric_label,
)
from core.protocols import OnStage
from core.report import ReportColumn, Table, csv_text
from core.settings import PUBLISHED_MODEL
from core.text import first_of, listed, many
from core.types import Origin, RegionKind
from core.writer.string_study import EXPERIMENTS, pairs_of, result_table
from dashboard import cache, state
from dashboard.audit.fields import draw_table
from dashboard.explore.figures.studies import (
    OriginScores,
    PublishedComparison,
    Values,
    beside_figure,
    published_figure,
    strings_figure,
)
from dashboard.explore.studies import (
    BETA,
    SETTINGS,
    choose_embedder,
    choose_origin,
    choose_topics,
    draw_differences,
    say_left_out,
    scores_of,
)
from dashboard.kit.components import Row, current_theme, draw_figure
from dashboard.kit.link_controls import choose_listed, choose_segment
from dashboard.messages import sentence
from dashboard.status import JobFamily, draw_end, is_watched
from dashboard.words import plain
from data.audit.markdown import markdown
from data.explore.studies import StudyVersion, load_published_scores, want
from data.store import content_hash
from data.writer.string_study import (
    Lack,
    MissingString,
    StringMakingResult,
    StringMakingSettings,
    StringStudy,
    Way,
    lacking,
    make_missing,
    report_of,
    whole,
)

# The result table of strings over topics: each number once, with its origins side by side below it.

SHORT = {"Core publications": "Core"}
LAST = ("Version", "Remarks")
"""Least important columns, placed last."""
MOST_WHOLE, MOST_PIXELS = 14, 560
Head = tuple[str, str]


def draw_results(table: Table, *, key: str) -> None:
    """Draw the table with its caption above and its note below. Columns without any value are omitted."""
    heads = [head_of(column.title) for column in table.columns]
    shown = sorted(
        (place for place in range(len(heads)) if any(row[place] is not None for row in table.rows)),
        key=lambda place: (LAST.index(heads[place][0] or heads[place][1]) + 1 if _is_last(heads[place]) else 0, place),
    )
    frame = pd.DataFrame(
        [[row[place] for place in shown] for row in table.rows],
        columns=pd.MultiIndex.from_tuples([heads[place] for place in shown]),
    )
    # By position, as heads of two lines have no single name; the first position is the hidden row number.
    config: Any = {number: _config(table.columns[place]) for number, place in enumerate(shown, start=1)}
    height: Any = "content" if len(table.rows) <= MOST_WHOLE else MOST_PIXELS
    st.caption(plain(table.caption))
    st.dataframe(frame, hide_index=True, key=key, height=height, placeholder="–", column_config=config)
    st.caption(plain(table.note))


def head_of(title: str) -> Head:
    """Return the number above the origin; a column without an origin has only the lower head.

    >>> head_of("Recall: baseline"), head_of("Core publications")
    (('Recall', 'Baseline'), ('', 'Core'))
    """
    number, _, origin = title.partition(": ")
    return (number, origin.capitalize()) if origin else ("", SHORT.get(number, number))


def _is_last(head: Head) -> bool:
    return (head[0] or head[1]) in LAST


def _config(column: ReportColumn) -> Any:
    if column.kind == "count":
        return st.column_config.NumberColumn(format="localized")
    if column.kind == "number":
        return st.column_config.NumberColumn(format="%.3f")
    return st.column_config.TextColumn()


# Topics without a generated string that was run, and a button that writes them in the background.

WAYS: dict[str, Way] = {"Corpus statistics": "statistics", "Demo (not a language model)": "demo"}
LACK_WORDS: dict[Lack, str] = {
    "string": "without a generated search string",
    "run": "with a generated search string that was never run",
    "corpus": "with only core publications to search",
    "core": "without core publications",
}
MOST_NAMES = 6
STRING_JOBS = JobFamily("strings-write", lane="long", most=20)


def draw_missing(topics: Sequence[str], embedder: str | None) -> None:
    """Draw the section, open if it has missing strings that can be written; else it only writes new ones."""
    key = content_hash([*topics, embedder or ""])
    missing = lacking(cache.workspace(), topics)
    can_be = [each for each in missing if each.can_be_made]
    job = STRING_JOBS.find(key)
    made: tuple[StringMakingResult, ...] = STRING_JOBS.results.get(key, ())
    title = f"{many(len(can_be), 'topic')} without a generated list" if can_be else "Generate search strings"
    with st.expander(
        title, expanded=bool(can_be) or job is not None, icon=":material/edit_note:", key="strings-missing"
    ):
        _say(missing)
        if is_watched(job, "Stop"):
            return
        draw_end(job)
        if job is not None and job.finished:
            STRING_JOBS.forget(key)
        _say_made(made)
        _draw_start(key, topics, can_be, embedder)


def _say(missing: Sequence[MissingString]) -> None:
    for lack, words in LACK_WORDS.items():
        names = [each.topic_id for each in missing if each.lack == lack]
        if names:
            st.caption(plain(f"{many(len(names), 'topic')} {words}: {first_of(names, MOST_NAMES)}."))


def _draw_start(key: str, topics: Sequence[str], can_be: Sequence[MissingString], embedder: str | None) -> None:
    if embedder is None:
        st.caption("Scores need vectors. Create vectors on the page Library.")
        return
    by, options = st.columns([0.6, 0.4], gap="medium", vertical_alignment="bottom")
    way = WAYS[str(by.radio("Keyword source", list(WAYS), horizontal=True, key="written_by", help=BY))]
    all_of_them = not can_be or options.checkbox("Also for topics that have one", key="again", help=AGAIN)
    everywhere = [each for each in lacking(cache.workspace(), topics, again=True) if each.can_be_made]
    to_make = everywhere if all_of_them else can_be
    label = "Write all" if all_of_them else _what_to_do(to_make)
    if st.button(f"{label} ({len(to_make)})", type="primary", disabled=not to_make, key="write-missing"):
        _start(key, to_make, StringMakingSettings(way, embedder))
        st.rerun()


def _what_to_do(missing: Sequence[MissingString]) -> str:
    lacks = {each.lack for each in missing}
    if lacks == {"run"}:
        return "Run existing ones"
    return "Write or run missing ones" if "run" in lacks else "Write missing ones"


BY = (
    "Keywords come from statistics over the topic's publications, or from a rule-based demo model. Neither needs a "
    "key. To use a language model, go to the page New search string."
)
AGAIN = "Adds a new version and replaces none; the latest counts."


def _start(key: str, to_make: Sequence[MissingString], making: StringMakingSettings) -> None:
    def make(on_stage: OnStage) -> tuple[StringMakingResult, ...]:
        return make_missing(cache.workspace(), to_make, making, on_stage=on_stage)

    STRING_JOBS.make(key, "Writing search strings", make)


def _say_made(made: Sequence[StringMakingResult]) -> None:
    if not made:
        return
    named = first_of([f"{each.topic_id}: {each.label}" for each in made], MOST_NAMES, between="; ")
    st.success(plain(f"Versions from the last run: {named}."), icon=":material/check:")
    for each in made:
        if each.problem:
            st.warning(plain(sentence(f"{each.topic_id}: {each.problem}")), icon=":material/warning:")


# Baseline, generated and review strings over topics: results, differences, and a way to write missing strings.

ANY_TWO = "Any two"
IN_STUDY = ("f_beta", "recall", "semantic_precision", "n_retrieved")
"""Metrics to choose from, the combined one first."""


def draw_strings() -> None:
    topics = choose_topics()
    origins, embedder = _choose(topics)
    draw_missing(topics, embedder)
    if len(origins) < 2:
        st.info("Choose two different origins to compare.")
        return
    workspace = cache.workspace()
    wanted = want(workspace, topics, origins, embedder)
    if not wanted:
        nothing = whole(workspace, topics, origins, (), {}, DEFAULT_REGIONS, beta=BETA)
        st.info(f"No topic here has core publications and lists of {listed(origins)}.")
        if published := nothing.published_sentences((TopicScoreColumn("f_beta", DEFAULT_REGIONS[0]),)):
            st.markdown("\n".join(f"- {plain(each)}" for each in published))
        say_left_out(nothing.left_out)
        return
    scores = scores_of(wanted, SETTINGS)
    study = whole(workspace, topics, origins, wanted, scores, DEFAULT_REGIONS, beta=BETA)
    what, region = _choose_number()
    _strings_say(study, what)
    _draw_results(study, what, region)
    _draw_differences(study)
    _draw_more(study, what)


def _choose(topics: Sequence[str]) -> tuple[tuple[Origin, ...], str | None]:
    which, by = st.columns(2, gap="medium")
    experiments: Mapping[str, tuple[Origin, ...]] = {listed(origins).capitalize(): origins for origins in EXPERIMENTS}
    options = [*experiments, ANY_TWO]
    with which:
        chosen = choose_listed(st, "Strings", options, key="compared", help=COMPARED)
    with by:
        embedder = choose_embedder()
    if chosen != ANY_TWO:
        return experiments[chosen], embedder
    first, second = st.columns(2, gap="medium")
    with first:
        a = choose_origin(topics, "first", "Strings of")
    with second:
        b = choose_origin(topics, "second", "Compare with", best_beside=a)
    return tuple(dict.fromkeys(origin for origin in (a, b) if origin is not None)), embedder


COMPARED = (
    "As in LitQEval: baseline against generated over all topics, and both with the review's own search string over "
    "the topics that have one. The latest version of an origin is used in each topic."
)


def _choose_number() -> tuple[TopicScoreColumn, RegionKind]:
    which, where = st.columns(2, gap="medium")
    metrics = {metric_label(metric, BETA): metric for metric in IN_STUDY}
    metric = metrics[choose_listed(which, "Number", metrics, key="number")]
    regions = {REGION_LABELS[kind]: kind for kind in DEFAULT_REGIONS}
    region = regions[choose_listed(where, "Region", regions, key="by")]
    return TopicScoreColumn(metric, region if metric in REGION_METRICS else None), region


def _strings_say(study: StringStudy, what: TopicScoreColumn) -> None:
    with st.container(key="strings-message"):
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in study.sentences((what,))))
        if "generated" in study.origins and any(row.gain is not None for row in study.rows):
            st.caption(plain(FLATTERED))
    say_left_out(study.left_out)
    for why in dict.fromkeys(why for _, why in study.beware):
        named = ", ".join(topic for topic, of in study.beware if of == why)
        st.caption(f":material/info: {plain(f'Read with care, {named}: {why}.')}")


FLATTERED = (
    "The author of these search strings has seen half of the core publications, so scores over all of them are "
    "optimistic. The held-out gain counts only the other half."
)


def _draw_results(study: StringStudy, what: TopicScoreColumn, region: RegionKind) -> None:
    table = result_table(study.rows, study.origins, (region,), beta=BETA)
    everything = study.tables[0]
    rows: list[Row] = [dict(zip([c.title for c in everything.columns], line, strict=True)) for line in everything.rows]
    draw_figure(
        strings_figure(study.rows, study.origins, what, beta=BETA, theme=current_theme()),
        key="strings",
        name="strings-over-topics",
        reading="a line is a topic, a sign one of its search strings. Hollow: meaningless.",
        rows=rows,
        notes=["The table and the CSV have every number in every region."],
    )
    st.header("Results")
    draw_results(table, key=f"strings-results-{region}-{'-'.join(study.origins)}")


def _draw_differences(study: StringStudy) -> None:
    st.header("Topic by topic")
    pairs = {f"{ORIGIN_LABELS[b]} minus {ORIGIN_LABELS[a].lower()}": (a, b) for a, b in pairs_of(study.origins)}
    options = list(pairs)
    state.settle("minus", options)
    label = options[0]
    if len(options) > 1:
        label = str(st.segmented_control("Difference", options, key="minus", required=True, bind="query-params"))
    a, b = (OriginScores(ORIGIN_LABELS[o], tuple(row.scores[o] for row in study.rows)) for o in pairs[label])
    draw_differences(a, b, key="strings-differences", name="string-differences")


def _draw_more(study: StringStudy, what: TopicScoreColumn) -> None:
    tables = study.tables
    with st.expander("Over all topics: every number, and the published ones", expanded=bool(study.published)):
        for table in tables[1:]:
            draw_table(table, key=f"strings-{table.name}-{len(study.origins)}")
        if not study.published:
            st.caption("No published numbers of these topics are loaded. See the part Published.")
    with st.container(horizontal=True, key="strings-files"):
        for label, table in (("Results (CSV)", tables[0]), ("Differences (CSV)", tables[1])):
            _draw_file(label, f"strings-{table.name}.csv", "text/csv", csv_text(table))
        _draw_file("Everything (Markdown)", "strings.md", "text/markdown", markdown(report_of(study, (what,))))


def _draw_file(label: str, name: str, mime: str, content: str) -> None:
    st.download_button(
        label, content, file_name=name, mime=mime, key=f"file-{name}", icon=":material/download:", on_click="ignore"
    )


# Published numbers compared with our own.

TABLES = {"Generated search": ("predicted", "baseline"), "Review's search": ("slr", BESIDE_REVIEW)}
NAMES = {"predicted": "Generated search", "slr": "Review's search", "baseline": "Baseline", BESIDE_REVIEW: "Baseline"}
METRICS_BESIDE = {"F2 (with decay)": "f_beta", "Semantic precision": "semantic_precision"}
LABEL_OF: Mapping[Origin, str] = {"baseline": "baseline", "generated": "predicted", "review": "slr"}
HOW_TO_LOAD = (
    "No published numbers are loaded. Put results.xlsx, slr_results.xlsx and published_threshold_curves.csv next to "
    "LitQEval's core_publications.xlsx (or in the folder above its data), then load the folder again: on the page "
    "Library, or with this command:"
)
LOAD_COMMAND = "queryscape get litqeval --from FOLDER"
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
    "publications outside; ours holds all of them. Both depend on the landscape, which was "
    "computed again.",
    "Cluster": "The published code picks the cluster by core publications times size; here it is the one with most "
    "core publications, and its own are counted.",
    "Recall in F2": "Published F2 takes each region's own recall, cosine and cluster the accepted core, ellipsoid and "
    "hull the found core; so does ours.",
}
SAME_MODEL = {
    "Every region": "The vectors are of the same model; the landscape is another one, and the "
    "published numbers are rounded.",
    "Cosine": "Both take the fixed threshold 0.69. The rest is rounding, and publications with changed text.",
}


def draw_how_to_load() -> None:
    st.info(plain(HOW_TO_LOAD))
    st.code(LOAD_COMMAND, language=None)


def draw_published() -> None:
    topics = choose_topics()
    scores = load_published_scores(cache.workspace().store, topics)
    if not scores:
        if load_published_scores(cache.workspace().store):
            st.info("Nothing was published about the selected topics.")
        else:
            draw_how_to_load()
        return
    _draw_tables(scores)
    st.header("Compared with our own")
    _draw_beside(topics, scores)


def _draw_tables(scores: Sequence[PublishedScore]) -> None:
    labels = {score.label for score in scores}
    tables = [name for name, pair in TABLES.items() if labels & set(pair)]
    which, what = st.columns(2, gap="large")
    table = choose_segment(which, "Searches", tables, key="table")
    a, b = TABLES[table][1], TABLES[table][0]
    views = ["Difference", NAMES[b], NAMES[a]]
    view = choose_segment(what, "Shown", views, key="shown")
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
        reading="a row is a topic; point at a cell for its exact value.",
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
    named = choose_segment(st, "Number", METRICS_BESIDE, key="beside")
    pairs = _pairs(scores, own, METRICS_BESIDE[named])
    draw_figure(
        beside_figure(pairs, metric=named, theme=current_theme()),
        key="beside",
        name="published-beside-ours",
        reading="the longer a line, the further our number is from the published one.",
        rows=_beside_rows(scores, own),
        notes=_recalls(scores, own),
    )
    with st.expander("Reasons for differences", expanded=True):
        for what, why in reasons_for(embedder).items():
            st.markdown(f"**{plain(what)}.** {plain(why)}")


def reasons_for(embedder: str | None) -> dict[str, str]:
    """Return the reasons why our numbers differ with these vectors."""
    return REASONS | SAME_MODEL if embedder == PUBLISHED_MODEL else REASONS


def _key_of(w: StudyVersion) -> tuple[str, str]:
    return w.topic_id, w.row.version.label


def _pairs(
    scores: Sequence[PublishedScore], own: Mapping[StudyVersion, TopicScores], metric: str
) -> list[PublishedComparison]:
    ours = {_key_of(w): of for w, of in own.items()}
    pairs = []
    for s in scores:
        if of := ours.get((s.topic_id, s.label)):
            column = TopicScoreColumn(metric, s.region)
            pairs.append(
                PublishedComparison(
                    f"{s.topic_id}, {NAMES[s.label].lower()}",
                    s.region,
                    getattr(s, metric),
                    of.value(column),
                    of.reason(column) or of.degenerate(column),
                )
            )
    return pairs


def _beside_rows(scores: Sequence[PublishedScore], own: Mapping[StudyVersion, TopicScores]) -> list[Row]:
    ours = {_key_of(w): of for w, of in own.items()}
    rows: list[Row] = []
    for s in scores:
        if of := ours.get((s.topic_id, s.label)):
            precision, f_beta = TopicScoreColumn("semantic_precision", s.region), TopicScoreColumn("f_beta", s.region)
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


def _recalls(scores: Sequence[PublishedScore], own: Mapping[StudyVersion, TopicScores]) -> list[str]:
    recall = {(s.topic_id, s.label): s.recall for s in scores}
    name_of = {w: f"{w.topic_id}, {NAMES[w.row.version.label].lower()}" for w in own}
    parts = [
        f"{name_of[w]}: {recall[_key_of(w)]:.3f}, here {of.n_found}/{of.n_core} = {of.recall:.3f}"
        for w, of in own.items()
    ]
    return [f"Recall, published (inside cosine) and here (found). {'; '.join(parts)}."]
