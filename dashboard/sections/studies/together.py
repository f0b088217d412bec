"""The core publications of all topics on one landscape, and whether they fall apart by topic."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.protocols import OnStage
from core.settings import ProjectionMethod
from core.studies.core_sets import Purity, TopicCore, in_several
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.together import Crowd, confusion_figure, purity_figure, together_figure
from dashboard.jobs import Job
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.sections.waiting import how_it_ended, watch
from data.store import content_hash
from data.studies.scores import core_sets
from data.studies.together import LSA, Labels, Together, embedders_for, fit_lsa, known_together, put_together

METHODS: dict[str, ProjectionMethod] = {"UMAP": "umap", "PCA": "pca"}
COLOURS = ("Topic", "Cluster")
FITTED = "lsa was fitted over these core publications together: the models of single topics can't be compared."


def draw_together() -> None:
    """The choice of vectors and picture, then what is known; the rest is worked out in the background."""
    topics = tuple(topic for topic in core_sets(cache.workspace(), choose_topics()) if len(topic))
    if len(topics) < 2:
        st.info("This lays topics beside each other: choose two or more that have core publications.")
        return
    embedder, method, colour_by = _choose(topics)
    known = known_together(cache.workspace(), topics, embedder, METHODS[method])
    job = None if known.is_whole else _start(topics, embedder, METHODS[method], fit=known.gathered is None)
    if job is not None and job.is_over and not job.finished:
        how_it_ended(job)
    elif job is not None:
        watch(job)
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
    state.settle("space", embedders)
    embedder = which.selectbox(
        "Vectors",
        embedders,
        key="space",
        bind="query-params",
        help="Those that cover the core publications of all chosen topics.",
    )
    state.settle("picture", list(METHODS))
    method = how.segmented_control("Picture", list(METHODS), key="picture", required=True, bind="query-params")
    state.settle("colour", COLOURS)
    colour_by = colour.segmented_control("Colour by", COLOURS, key="colour", required=True, bind="query-params")
    return str(embedder), str(method), str(colour_by)


def _start(topics: Sequence[TopicCore], embedder: str, method: ProjectionMethod, *, fit: bool) -> Job:
    """`fit`: only the vectors, so that the PCA can be seen while the rest is worked out."""
    ids = [part for topic in topics for part in (topic.topic_id, *topic.core_ids)]
    key = f"together:{content_hash([embedder, 'fit' if fit else method, *ids])}"

    def work(on_stage: OnStage) -> None:
        if fit:
            on_stage("fitting lsa over all core publications")
            fit_lsa(cache.workspace(), topics)
        else:
            put_together(cache.workspace(), topics, embedder, method, on_stage=on_stage)

    found = cache.jobs().find(key)
    if found is not None and found.finished:  # the disk was full, or something was forgotten since
        cache.jobs().forget(key)
    return cache.jobs().start(
        key,
        "Laying all core publications out",
        work,
    )


def _draw_scores(known: Together, method: str) -> None:
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


def _draw_picture(known: Together, topics: Sequence[TopicCore], embedder: str, method: str, colour_by: str) -> None:
    gathered, points = known.gathered, known.points
    if gathered is None or points is None:
        return
    labels = None if known.labels is None else known.labels.tolist()
    by_vector, by_point = (
        _numbers(known.labels, known.purity, len(points)),
        _numbers(known.labels_in_picture, known.purity_in_picture, len(points)),
    )
    crowd = Crowd(points, gathered.topic_of, gathered.kinds, gathered.titles, labels)
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
    """The cluster of each publication, as the figures number it."""
    if labels is None or found is None:
        return [None] * n
    return [found.number_of[label] for label in labels.tolist()]


def _notes(known: Together, topics: Sequence[TopicCore], embedder: str) -> list[str]:
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


def _draw_agreement(known: Together, method: str) -> None:
    by_vectors, in_picture = known.purity, known.purity_in_picture
    if by_vectors is None:
        return
    draw_figure(
        confusion_figure(by_vectors, theme=current_theme()),
        key="confusion",
        name="topics-against-clusters",
        reading="one filled cell in row and column: a topic that is a cluster. Rows that share a column are alike.",
        rows=_table(by_vectors),
    )
    if in_picture is None:
        return
    draw_figure(
        purity_figure(by_vectors.of_topic, in_picture.of_topic, theme=current_theme()),
        key="purity",
        name="purity-of-each-topic",
        reading="further right stands more apart; a long line: picture and vectors disagree on this topic.",
        rows=[
            {"Topic": topic, "Purity, vectors": share, f"Purity, {method}": in_picture.of_topic[topic]}
            for topic, share in by_vectors.of_topic.items()
        ],
        notes=[_difference(by_vectors.overall, in_picture.overall, method)],
    )


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
            **{f"Cluster {number}": int(n) for number, n in enumerate(counts, 1)},
        }
        for topic, counts in zip(found.topics, found.counts, strict=True)
    ]
