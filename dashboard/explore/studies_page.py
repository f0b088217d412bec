"""The Studies page, with profiles of the core publications of many topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import plotly.graph_objects as go
import streamlit as st

from core.explore.studies import (
    SURVEY_KINDS,
    SURVEY_TEMPLATES,
    SURVEY_WORDS,
    USABLE,
    CoreCount,
    CoreSetFacts,
    Purity,
    SurveyTemplate,
    TopicCore,
    counted_core,
    facts_by_kind,
    facts_of,
    in_several,
    survey_query,
)
from core.protocols import OnStage
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.translation import Translation, translate
from core.query.tree import DialectId
from core.settings import ProjectionMethod
from dashboard import cache, state
from dashboard.explore.figures.core_sets import (
    KINDS,
    SIGNS,
    CorePoints,
    Kind,
    bars_in_order,
    citations_figure,
    cited_by_kind,
    confusion_figure,
    core_counts_figure,
    of_year,
    purity_figure,
    spread_of,
    together_figure,
    year_histogram_figure,
    years_figure,
)
from dashboard.explore.studies import choose_topics, draw_metrics, draw_thresholds
from dashboard.explore.study_reproduction import draw_reproduced
from dashboard.explore.study_scores import draw_published, draw_strings
from dashboard.jobs import Job
from dashboard.kit.components import Row, choose_view, current_theme, draw_figure, draw_files, draw_page
from dashboard.kit.link_controls import choose_listed, choose_segment
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.messages import guarded
from dashboard.status import JobFamily, draw_job, why_locked
from dashboard.words import plain
from data.explore.core_sets import (
    LSA,
    JointLandscape,
    Labels,
    candidates,
    embedders_for,
    fit_lsa,
    known_together,
    put_together,
)
from data.explore.studies import core_sets, set_survey_kind
from data.store import content_hash

NOT_KNOWN = "not known"
COUNTED_FROM = ("Calendar", "Years before the survey")
BOX = "The box holds the middle half, the line in it is the median."


def draw_core_sets() -> None:
    topics = core_sets(cache.workspace(), choose_topics())
    if not any(map(len, topics)):
        st.info("None of these topics has core publications yet. Add some on the page Library.")
        return
    _draw_facts(topics)
    _draw_counts(topics)
    _draw_citations(topics)
    _draw_years(topics)


def _draw_facts(topics: Sequence[TopicCore]) -> None:
    by_kind = {SIGNS[kind].label: facts for kind, facts in facts_by_kind(topics).items()}
    columns = {"All": facts_of(topics)} | by_kind
    lines = [{"Fact": name, **{label: value(f) for label, f in columns.items()}} for name, (value, _) in FACTS.items()]
    draw_table(lines, lambda row, column: fact_group(topics, list(FACTS)[row], column), key="core-facts")
    if shared := in_several(topics):
        names = "; ".join(f"{title} ({', '.join(of)})" for title, of in _titles(topics, shared).items())
        st.caption(plain(f"In several topics, counted once: {names}."))
    if any(topic.made_up for topic in topics):
        st.caption("Demo topics are synthetic: their core publications don't come from surveys.")


FACTS: dict[str, tuple[Callable[[CoreSetFacts], str], CoreCount | None]] = {
    "Topics": (lambda f: f"{f.n_topics:,}", None),
    "Core publications, counted for each of their topics": (lambda f: f"{f.n_entries:,}", "entries"),
    "The same, each counted once": (lambda f: f"{f.n_publications:,}", "publications"),
    "In several of these topics": (lambda f: f"{f.n_in_several:,}", "in_several"),
    "Without an abstract": (lambda f: f"{f.n_without_abstract:,}", "without_abstract"),
    "Without year and citations": (lambda f: f"{f.n_without_metadata:,}", "without_metadata"),
    "Never cited": (lambda f: f"{f.n_never_cited:,}", "never_cited"),
    "Median of citations, where known": (lambda f: _number(f.median_times_cited), None),
    "Median age when the survey appeared, in years": (lambda f: _number(f.median_years_before_survey), None),
}
"""Format of each, and the core publications that it counts; None: it counts none."""


def fact_group(topics: Sequence[TopicCore], fact: str, column: str) -> PublicationGroup | None:
    """Return the core publications that a cell of the facts counts; None: it counts none."""
    kinds = {sign.label: kind for kind, sign in SIGNS.items()}
    counted = FACTS[fact][1]
    if counted is None or column not in ("All", *kinds):
        return None
    some = [topic for topic in topics if column == "All" or topic.survey_kind == kinds[column]]
    ids = tuple(p.publication_id for p in counted_core(some)[counted])
    return PublicationGroup(fact if column == "All" else f"{fact}, {column.lower()}", ids)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}".removesuffix(".0")


def _titles(topics: Sequence[TopicCore], shared: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    title_of = {p.publication_id: p.title or p.publication_id for t in topics for p in t.publications}
    return {title_of[publication_id]: of for publication_id, of in shared.items()}


def _draw_counts(topics: Sequence[TopicCore]) -> None:
    largest_first, bars = sorted(topics, key=lambda t: -len(t)), bars_in_order(topics)
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Survey": t.survey_title or NOT_KNOWN,
            "Survey year": t.survey_year,
            "Core publications": len(t),
            "Without abstract": t.n_without_abstract,
            "Without year and citations": t.n_without_metadata,
        }
        for t in largest_first
    ]
    draw_figure(
        core_counts_figure(topics, theme=current_theme()),
        key="core-counts",
        name="core-publications-per-topic",
        reading="longer bars have more core publications; recall over a few of them moves in large steps.",
        rows=rows,
        group_of=lambda point: _core_of(bars[int(point["y"])]),
        group_of_row=lambda row, column: _core_of(largest_first[row], column),
    )
    _draw_kinds(topics)


def _core_of(topic: TopicCore, column: str = "") -> PublicationGroup:
    """Return all core publications, or those that the column counts."""
    of = f"of {topic.topic_id}"
    without: dict[str, CoreCount] = {
        "Without abstract": "without_abstract",
        "Without year and citations": "without_metadata",
    }
    if column not in without:
        return PublicationGroup(f"Core publications {of}", topic.core_ids)
    ids = tuple(p.publication_id for p in counted_core([topic])[without[column]])
    return PublicationGroup(f"Core publications {of}, {column.lower()}", ids)


def _of_dot(figure: go.Figure, point: Mapping[str, Any]) -> PublicationGroup | None:
    """Return the publication of a dot over a box; None: it is another symbol."""
    ids = figure.data[point["curve_number"]].ids
    return None if ids is None else _one(str(ids[point["point_index"]]))


def _one(publication_id: str) -> PublicationGroup:
    return PublicationGroup("Selected", (publication_id,), noun="core publication")


DOT = "Click a dot to see its publication."


def _draw_kinds(topics: Sequence[TopicCore]) -> None:
    with st.expander("Kinds of surveys"):
        st.caption(
            "Bibliometric: core publications were chosen by citations. Systematic review: people selected them from "
            "search results. LitQEval topics with a review's search string are systematic reviews."
        )
        which, what = st.columns(2)
        topic_of = {topic.topic_id: topic for topic in topics}
        state.settle("kind_topic", list(topic_of))
        topic_id = which.selectbox("Topic of the survey", list(topic_of), key="kind_topic")
        kinds: list[Kind] = list(KINDS)
        now = topic_of[topic_id].survey_kind
        what.selectbox(
            "Kind of survey",
            kinds,
            index=kinds.index(now),
            key=f"kind-{topic_id}-{now}",
            format_func=lambda kind: SIGNS[kind].label,
            on_change=_keep_kind,
            args=(topic_id, f"kind-{topic_id}-{now}"),
        )
        if locked := why_locked():
            st.caption(locked)


def _keep_kind(topic_id: str, key: str) -> None:
    kind = state.value(key)
    set_survey_kind(cache.workspace(), topic_id, kind if kind in SURVEY_KINDS else None)
    state.say_once("studies", f"{topic_id}: {SIGNS[kind].label.lower()}.")


def _draw_citations(topics: Sequence[TopicCore]) -> None:
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Title": p.title,
            "Times cited": p.times_cited,
        }
        for t in topics
        for p in t.publications
    ]
    by_topic, by_kind = [spread_of(t, t.times_cited) for t in topics if len(t)], cited_by_kind(topics)
    ids = counted_core(topics)["entries"]
    boxes = citations_figure(by_topic, title="How often core publications are cited, by topic", theme=current_theme())
    draw_figure(
        boxes,
        key="core-citations",
        name="citations-of-core-publications",
        reading=f"further right is cited more often. {BOX}",
        rows=rows,
        group_of=lambda point: _of_dot(boxes, point),
        group_of_row=lambda row, _: _one(ids[row].publication_id),
        click=DOT,
    )
    if len(by_kind) > 1:
        kinds = citations_figure(by_kind, title="The same by kind of survey", theme=current_theme())
        of_kinds = [p for s in by_kind for p in s.publications]
        draw_figure(
            kinds,
            key="core-citations-kind",
            name="citations-by-kind-of-survey",
            reading=f"bibliometric surveys select by citations, so their box should be further right. {BOX}",
            rows=[
                {"Kind of survey": s.name, "Title": publication.title, "Times cited": value}
                for s in by_kind
                for value, publication in zip(s.values, s.publications, strict=True)
            ],
            group_of=lambda point: _of_dot(kinds, point),
            group_of_row=lambda row, _: _one(of_kinds[row].publication_id),
            click=DOT,
        )


def _draw_years(topics: Sequence[TopicCore]) -> None:
    how = choose_segment(st, "Years counted by", COUNTED_FROM, key="years")
    before = how == COUNTED_FROM[1]
    some = [topic for topic in topics if len(topic)]
    left_out = [t.topic_id for t in some if t.survey_year is None] if before else []
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Title": p.title,
            "Year": p.year,
            "Survey year": t.survey_year,
            "Years before the survey": age,
        }
        for t in topics
        for p, age in zip(t.publications, t.years_before_survey, strict=True)
    ]
    boxes, ids = years_figure(some, before_survey=before, theme=current_theme()), counted_core(topics)["entries"]
    draw_figure(
        boxes,
        key="core-years",
        name="years-of-core-publications",
        reading=f"a long gap between signs and survey: the field agrees on old publications. {BOX}",
        rows=rows,
        notes=[f"Left out, survey year unknown: {', '.join(left_out)}."] if left_out else [],
        group_of=lambda point: _of_dot(boxes, point),
        group_of_row=lambda row, _: _one(ids[row].publication_id),
        click=DOT,
    )
    histogram, by_year = year_histogram_figure(topics, theme=current_theme()), _by_year(topics)

    def of_bar(year: object, kind: str) -> PublicationGroup | None:
        listed = of_year(topics, int(str(year)), kind) if kind in {sign.label for sign in SIGNS.values()} else ()
        rows: tuple[Row, ...] = tuple({"Topic": topic, "Title": p.title or p.publication_id} for topic, p in listed)
        return PublicationGroup(f"Core publications of {year}, {kind.lower()}", rows=rows) if rows else None

    draw_figure(
        histogram,
        key="core-histogram",
        name="core-publications-by-year",
        reading="higher bars have more core publications from that year, over all topics.",
        rows=by_year,
        group_of=lambda point: of_bar(point["x"], str(histogram.data[point["curve_number"]].name)),
        group_of_row=lambda row, column: of_bar(by_year[row]["Year"], column),
    )


def _by_year(topics: Sequence[TopicCore]) -> list[Row]:
    years = sorted({year for t in topics for year in t.years if year is not None})
    return [
        {
            "Year": year,
            **{SIGNS[k].label: sum(t.years.count(year) for t in topics if t.survey_kind == k) for k in KINDS},
        }
        for year in years
    ]


# The query template that finds surveys of a field.

TYPED = "Words typed here"
TEMPLATE_LABELS: Mapping[SurveyTemplate, str] = {
    "published": "As published",
    "bibliometric": "Bibliometric",
    "systematic review": "Systematic review",
}
TEMPLATE_HELP = (
    "As published: the words that the authors of LitQEval used to find surveys. The other two have more words for "
    "one kind of survey."
)
DIALECT_IDS: tuple[DialectId, ...] = get_args(DialectId)


def draw_surveys() -> None:
    st.write("Core publications come from surveys. This query finds surveys of your field in any of these databases.")
    choice = choose_segment(
        st,
        "Words of the template",
        SURVEY_TEMPLATES,
        key="survey_kind",
        format_func=TEMPLATE_LABELS.__getitem__,
        help=TEMPLATE_HELP,
    )
    template: SurveyTemplate = next((each for each in SURVEY_TEMPLATES if each == choice), SURVEY_TEMPLATES[0])
    with guarded():
        _draw_query(_choose_field(), template)
    with st.container(border=True):
        st.markdown("**What makes a survey usable as a source of core publications**")
        st.markdown("\n".join(f"- {plain(line)}" for line in USABLE))
    _draw_candidates(template)


def _choose_field() -> str:
    """Return the typed field, or the text of a topic's first version."""
    topics = [row.topic_id for row in cache.workspace().store.topics()]
    options = [TYPED, *topics]
    where, what = st.columns([0.35, 0.65])
    chosen = choose_listed(where, "Field", options, key="field_from")
    if chosen == TYPED:
        return what.text_input(
            "Words or a search string",
            key="field",
            bind="query-params",
            placeholder='green AND (warehous* OR "distribution center")',
        )
    field = _baseline(chosen)
    what.text_input("Its baseline query", field, disabled=True, key=f"baseline-{chosen}")
    return field


def _baseline(topic_id: str) -> str:
    versions = cache.workspace().store.versions(topic_id)
    texts = [row.version.text for row in versions if row.version.origin == "baseline"]
    return next((text for text in texts if text.strip()), topic_id)


def _draw_query(field: str, template: SurveyTemplate) -> None:
    if not field.strip():
        st.caption("Enter a field above to see the query in every dialect. Its first half is always the same:")
        st.code(f"title:({SURVEY_WORDS[template]}) AND …", language=None, wrap_lines=True)
        return
    parsed = parse(survey_query(field, template), "plain")
    written = {dialect: translate(parsed, dialect) for dialect in DIALECT_IDS}
    columns = st.columns(2, gap="large")
    for number, (dialect, translation) in enumerate(written.items()):
        with columns[number % 2]:
            _draw_dialect(dialect, translation)


def _draw_dialect(dialect: DialectId, translation: Translation) -> None:
    st.markdown(f"**{plain(DIALECTS[dialect].label)}**")
    if translation.text:
        st.code(translation.text, language=None, wrap_lines=True)
    losses = list(dict.fromkeys(loss.message for loss in translation.losses))
    for message in losses:
        st.caption(plain(f"Different there: {message}"))


def _draw_candidates(template: SurveyTemplate) -> None:
    if not cache.workspace().store.topics():
        return
    st.header("Surveys already in the workspace")
    chosen = choose_topics()
    found = candidates(cache.workspace(), chosen, template)
    if not found:
        st.caption("No title in these topics contains the words of this template.")
        return
    surveys = [t for t in core_sets(cache.workspace(), chosen) if template in ("published", t.survey_kind)]
    named_by = {t.survey_id for t in surveys} - {None}
    n_named_by = sum(c.publication.publication_id in named_by for c in found)
    rows: list[Row] = [
        {
            "Title": c.publication.title,
            "Year": c.publication.year,
            "Times cited": c.publication.times_cited,
            "Found in": _listed(c.topics),
            "Its core publications are used by": _listed(c.survey_of),
            "DOI": c.publication.doi,
        }
        for c in found
    ]
    many = "title matches" if len(found) == 1 else "titles match"
    known = f" Of the {len(named_by)} that these topics' core publications come from, it finds {n_named_by}."
    st.caption(f"{len(found):,} {many} the words of the template.{known if named_by else ''}")
    draw_files(
        key="surveys",
        name="surveys-in-this-workspace",
        description="Publications whose titles have words of the template, the most cited first.",
        rows=rows,
        picture=False,
    )


def _listed(names: Sequence[str]) -> str | None:
    return ", ".join(names) or None


# The core publications of all topics on one landscape, and their clustering by topic.

METHODS: dict[str, ProjectionMethod] = {"UMAP": "umap", "PCA": "pca"}
COLOURS = ("Topic", "Cluster")
FITTED = "lsa was fitted over these core publications together: the models of single topics can't be compared."


def draw_together() -> None:
    topics = tuple(topic for topic in core_sets(cache.workspace(), choose_topics()) if len(topic))
    if len(topics) < 2:
        st.info("This lays topics beside each other: choose two or more that have core publications.")
        return
    embedder, method, colour_by = _choose(topics)
    known = known_together(cache.workspace(), topics, embedder, METHODS[method])
    job = None if known.is_whole else _start(topics, embedder, METHODS[method], fit=known.gathered is None)
    if job is not None:
        draw_job(job)
    if known.gathered is None:
        return
    if known.points is None:
        known, method = known_together(cache.workspace(), topics, embedder, "pca"), "PCA"
        st.caption("Until UMAP is done, this is the PCA.")
    _draw_scores(known, method)
    _draw_picture(known, topics, embedder, method, colour_by)
    _draw_agreement(known, method)


def _choose(topics: Sequence[TopicCore]) -> tuple[str, str, str]:
    which, how, colour = st.columns([0.4, 0.3, 0.3])
    embedders = embedders_for(cache.workspace(), topics)
    embedder = choose_listed(
        which, "Vectors", embedders, key="space", help="Those that cover the core publications of all chosen topics."
    )
    method = choose_segment(how, "Picture", METHODS, key="picture")
    colour_by = choose_segment(colour, "Colour by", COLOURS, key="colour")
    return str(embedder), str(method), str(colour_by)


JOINT_JOBS = JobFamily("joint-landscape")


def _start(topics: Sequence[TopicCore], embedder: str, method: ProjectionMethod, *, fit: bool) -> Job:
    """Start the projection. `fit`: only the vectors, so that the PCA can be shown while the rest is computed."""
    ids = [part for topic in topics for part in (topic.topic_id, *topic.core_ids)]

    def work(on_stage: OnStage) -> None:
        if fit:
            on_stage("fitting LSA over all core publications")
            fit_lsa(cache.workspace(), topics)
        else:
            put_together(cache.workspace(), topics, embedder, method, on_stage=on_stage)

    key = content_hash([embedder, "fit" if fit else method, *ids])
    return JOINT_JOBS.start_once(key, "Laying all core publications out", work)


def _draw_scores(known: JointLandscape, method: str) -> None:
    by_vectors, in_picture = known.purity, known.purity_in_picture
    values = {
        "Purity, vectors": (by_vectors.overall if by_vectors else None, PURITY),
        f"Purity, {method}": (in_picture.overall if in_picture else None, IN_PICTURE),
        "Adjusted Rand index": (by_vectors.adjusted_rand if by_vectors else None, RAND),
        "Mutual information": (by_vectors.mutual_information if by_vectors else None, MUTUAL),
    }
    for column, (label, (value, meaning)) in zip(st.columns(4), values.items(), strict=True):
        column.metric(label, "–" if value is None else f"{value:.3f}", help=meaning)


PURITY = (
    "Share of publications in a cluster whose majority is their own topic; 1 is best. k-means on the vectors, with as "
    "many clusters as topics."
)
IN_PICTURE = "The same with k-means on the two coordinates of the picture. A picture can part topics better or worse."
RAND = "Over all pairs of publications: do clusters and topics agree on together or apart? 1 always, 0 as by chance."
MUTUAL = "How much the cluster tells of the topic and the other way round (normalised): 1 everything, 0 nothing."


def _draw_picture(
    known: JointLandscape, topics: Sequence[TopicCore], embedder: str, method: str, colour_by: str
) -> None:
    gathered, points = known.gathered, known.points
    if gathered is None or points is None:
        return
    labels = None if known.labels is None else known.labels.tolist()
    by_vector, by_point = (
        _numbers(known.labels, known.purity, len(points)),
        _numbers(known.labels_in_picture, known.purity_in_picture, len(points)),
    )
    crowd = CorePoints(points, gathered.topic_of, gathered.kinds, gathered.titles, labels)
    rows: list[Row] = [
        {
            "Publication": publication_id,
            "Title": gathered.titles[row],
            "Topic": gathered.topic_of[row],
            "Kind of survey": gathered.kinds[row] or "not known",
            "Cluster of the vectors": by_vector[row],
            "Cluster of the picture": by_point[row],
            "x": round(float(points[row, 0]), 4),
            "y": round(float(points[row, 1]), 4),
        }
        for row, publication_id in enumerate(gathered.embedded.ids)
    ]
    draw_figure(
        together_figure(
            crowd,
            found=known.purity,
            colour_by="cluster" if colour_by == "Cluster" else "topic",
            method=method,
            theme=current_theme(),
        ),
        key="together",
        name="core-publications-together",
        reading="numbers stand over their groups; one colour in one heap is a topic that stands apart.",
        rows=rows,
        notes=_notes(known, topics, embedder),
    )


def _numbers(labels: Labels | None, found: Purity | None, n: int) -> list[int | None]:
    if labels is None or found is None:
        return [None] * n
    return [found.number_of[label] for label in labels.tolist()]


def _notes(known: JointLandscape, topics: Sequence[TopicCore], embedder: str) -> list[str]:
    notes = [FITTED] if embedder == LSA else []
    gathered = known.gathered
    if gathered is not None and gathered.without:
        listed = ", ".join(f"{topic_id} {n}" for topic_id, n in gathered.without.items())
        notes.append(f"Without a vector, and left out: {sum(gathered.without.values())} ({listed}).")
    if shared := in_several(topics):
        title_of = {p.publication_id: p.title or p.publication_id for t in topics for p in t.publications}
        listed = "; ".join(f"{title_of[i]} ({' and '.join(of)})" for i, of in shared.items())
        notes.append(f"In several topics, drawn once and counted for the first: {listed}.")
    return notes


def _draw_agreement(known: JointLandscape, method: str) -> None:
    by_vectors, in_picture = known.purity, known.purity_in_picture
    if by_vectors is None:
        return
    rows = _table(by_vectors)

    def of_cell(row: int, column: str) -> PublicationGroup | None:
        clusters = [name for name in rows[row] if name.startswith("Cluster ")]
        return cluster_group(known, row, clusters.index(column)) if column in clusters else None

    draw_figure(
        confusion_figure(by_vectors, theme=current_theme()),
        key="confusion",
        name="topics-against-clusters",
        reading="one filled cell in row and column: a topic that is a cluster. Rows that share a column are alike.",
        rows=rows,
        notes=_joined(by_vectors),
        group_of=lambda point: cluster_group(known, int(point["y"]), int(point["x"])),
        group_of_row=of_cell,
        click="Click a number to list its publications.",
    )
    if in_picture is None:
        return
    draw_figure(
        purity_figure(by_vectors.of_topic, in_picture.of_topic, theme=current_theme()),
        key="purity",
        name="purity-of-each-topic",
        reading="further right stands more apart; a long line: picture and vectors disagree on this topic.",
        rows=[
            {
                "Topic": topic,
                "Purity, vectors": share,
                "Largest share in one cluster, vectors": by_vectors.largest_share[topic],
                f"Purity, {method}": in_picture.of_topic[topic],
                f"Largest share in one cluster, {method}": in_picture.largest_share[topic],
            }
            for topic, share in by_vectors.of_topic.items()
        ],
        notes=[_difference(by_vectors.overall, in_picture.overall, method), *_joined(by_vectors)],
    )


def cluster_group(known: JointLandscape, topic: int, cluster: int) -> PublicationGroup | None:
    """Return the core publications of a topic in a cluster of the vectors, by their positions in the table."""
    gathered, labels, found = known.gathered, known.labels, known.purity
    if gathered is None or labels is None or found is None:
        return None
    name, label = found.topics[topic], found.clusters[cluster].label
    placed = zip(gathered.embedded.ids, gathered.topic_of, labels.tolist(), strict=True)
    ids = tuple(i for i, own, its_label in placed if (own, its_label) == (name, label))
    return PublicationGroup(f"{name} in cluster {cluster + 1}", ids)


def _joined(found: Purity) -> list[str]:
    """Explain the purity of 0 of topics that are in one cluster."""
    return [
        f"{topic} has purity 0, though {found.largest_share[topic]:.0%} of it lies in one cluster: "
        f"{other} has the majority there, so the two topics share a cluster."
        for topic, other in found.joined_to.items()
    ]


def _difference(by_vectors: float, in_picture: float, method: str) -> str:
    apart = in_picture - by_vectors
    if abs(apart) < 0.0005:
        return f"Vectors and {method} part the topics equally well here ({by_vectors:.3f})."
    how = "better" if apart > 0 else "worse"
    return (
        f"On {method} the clusters agree {how} with the topics than on the vectors ({in_picture:.3f} against "
        f"{by_vectors:.3f}): what a picture parts or joins is partly its own doing."
    )


def _table(found: Purity) -> list[Row]:
    shares = found.of_topic
    return [
        {
            "Topic": topic,
            "Purity": round(shares[topic], 4),
            "Largest share in one cluster": round(found.largest_share[topic], 4),
            **{f"Cluster {number}": int(n) for number, n in enumerate(counts, 1)},
        }
        for topic, counts in zip(found.topics, found.counts, strict=True)
    ]


# Studies: many topics at once.

PARTS: dict[str, Callable[[], None]] = {
    "Core publications": draw_core_sets,
    "Together": draw_together,
    "Scores": draw_metrics,
    "Strings": draw_strings,
    "Thresholds": draw_thresholds,
    "Published": draw_published,
    "Reproduced": draw_reproduced,
    "Find surveys": draw_surveys,
}
NEED_NO_TOPIC = ("Reproduced", "Find surveys")


def render() -> None:
    draw_page("Studies", _draw, notes="studies")


def _draw() -> None:
    part = choose_view(PARTS, key="study", label="Study")
    if part not in NEED_NO_TOPIC and not cache.workspace().topics():
        st.info("This workspace is empty. Build the demo, or load LitQEval, on the Workbench.")
        return
    PARTS[part]()


if __name__ == "__main__":
    render()
