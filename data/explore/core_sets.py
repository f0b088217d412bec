"""Core publications of several topics in one vector space: vectors, clusters, a joint landscape, and surveys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.explore.landscape import MIN_PUBLICATIONS, fit_projection
from core.explore.studies import (
    Purity,
    SurveyKind,
    SurveyTemplate,
    TopicCore,
    best_clusters,
    needles,
    purity,
    survey_words,
)
from core.protocols import OnStage, silent
from core.query.match import match, rows_of
from core.settings import ProjectionMethod, ProjectionSettings
from core.types import EmbeddedSet, Ids, Points, Publication
from core.vectors import normalise
from data.explore.embedding import topic_texts
from data.explore.layout_process import lay_out
from data.explore.workspace import Workspace
from data.memory import Arrays, key_for, packed, unpacked
from data.models.local_embedders import FORMAT_VERSION, LsaModel
from data.query.index import CorpusIndex, in_memory
from data.vectors import Embedding

# Surveys already in a workspace: publications whose titles call them a survey.


@dataclass(frozen=True, slots=True)
class SurveyCandidate:
    """A publication that calls itself a survey."""

    publication: Publication
    topics: Ids
    """Topics that contain the publication."""
    survey_of: Ids
    """Topics whose core set already comes from it."""


def candidates(workspace: Workspace, topic_ids: Sequence[str], template: SurveyTemplate) -> tuple[SurveyCandidate, ...]:
    """Return the publications of these topics, and their own surveys, that match the template, most cited first."""
    root = survey_words(template)
    likely = _likely(workspace, needles(root))
    if not likely:
        return ()
    found = workspace.store.load_publications(likely)
    matched = match(root, CorpusIndex(in_memory(found)), "literal").root
    kept = [] if matched is None else [found[row] for row in rows_of(matched)]
    ids = [p.publication_id for p in kept]
    homes, surveys = _homes(workspace, topic_ids, ids), _surveys(workspace, topic_ids, ids)
    listed = [
        SurveyCandidate(p, homes.get(p.publication_id, ()), surveys.get(p.publication_id, ()))
        for p in kept
        if p.publication_id in homes or p.publication_id in surveys
    ]
    return tuple(sorted(listed, key=lambda c: (-(c.publication.times_cited or 0), c.publication.title)))


def _likely(workspace: Workspace, pieces: Sequence[str]) -> Ids:
    """Return the ids of publications with part of any term in the title, so that the matcher indexes only a few."""
    found = workspace.store.rows(
        """
        SELECT DISTINCT publication_id
        FROM publications, (SELECT unnest($pieces::VARCHAR[]) AS piece)
        WHERE contains(strip_accents(lower(title)), piece) ORDER BY publication_id
        """,
        {"pieces": list(pieces)},
    )
    return tuple(publication_id for (publication_id,) in found)


def _homes(workspace: Workspace, topic_ids: Sequence[str], ids: Sequence[str]) -> dict[str, Ids]:
    found = workspace.store.rows(
        """
        SELECT DISTINCT publication_id, topic_id FROM (
            SELECT publication_id, topic_id FROM core_publications
            UNION ALL
            SELECT publication_id, v.topic_id FROM retrieved JOIN query_versions AS v USING (query_id)
            UNION ALL
            SELECT publication_id, topic_id FROM corpus
        )
        WHERE publication_id IN (SELECT unnest($ids::VARCHAR[]))
        AND topic_id IN (SELECT unnest($topics::VARCHAR[])) ORDER BY ALL
        """,
        {"ids": list(ids), "topics": list(topic_ids)},
    )
    return _by_publication(found)


def _surveys(workspace: Workspace, topic_ids: Sequence[str], ids: Sequence[str]) -> dict[str, Ids]:
    found = workspace.store.rows(
        """
        SELECT DISTINCT survey_id, topic_id FROM core_publications
        WHERE survey_id IN (SELECT unnest($ids::VARCHAR[])) AND topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY ALL
        """,
        {"ids": list(ids), "topics": list(topic_ids)},
    )
    return _by_publication(found)


def _by_publication(rows: Sequence[tuple[str, str]]) -> dict[str, Ids]:
    found: dict[str, list[str]] = {}
    for publication_id, topic_id in rows:
        found.setdefault(publication_id, []).append(topic_id)
    return {publication_id: tuple(topics) for publication_id, topics in found.items()}


# The core publications of several topics in one space: their vectors, their clusters, their landscape.
#
# `lsa` is fitted to one topic at a time, and vectors of two such models can't be compared: here a separate model is
# fitted to all core publications together. Slow results are cached under keys that list everything they depend on.

LSA = "lsa"
N_SEEDS = 3
Labels = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class CoreVectors:
    """Core publications with a vector, each once, with the topic that each is assigned to."""

    embedded: EmbeddedSet
    topic_of: Ids
    """Topic of each publication; one that is in several topics is assigned to the first by name."""
    kinds: tuple[SurveyKind | None, ...]
    """Survey kind of each publication's topic."""
    titles: tuple[str, ...]
    without: Mapping[str, int]
    """Number of core publications without a vector, for each topic that has some."""
    key: str
    """Cache key: identifies the vectors and their assignment to topics."""

    @property
    def n_topics(self) -> int:
        """Number of topics with a publication here, which is also the number of clusters."""
        return len(set(self.topic_of))


@dataclass(frozen=True, eq=False)
class JointLandscape:
    """Results for these core publications; None: not computed yet."""

    gathered: CoreVectors | None
    points: Points | None
    labels: Labels | None
    """Cluster of each publication, by its vector."""
    labels_in_picture: Labels | None
    """Cluster of each publication, by its point."""

    @property
    def is_whole(self) -> bool:
        return not any(part is None for part in (self.points, self.labels, self.labels_in_picture))

    @property
    def purity(self) -> Purity | None:
        """Agreement between the clusters of the vectors and the topics."""
        return self._purity(self.labels)

    @property
    def purity_in_picture(self) -> Purity | None:
        return self._purity(self.labels_in_picture)

    def _purity(self, labels: Labels | None) -> Purity | None:
        return None if self.gathered is None or labels is None else purity(labels.tolist(), self.gathered.topic_of)


def embedders_for(workspace: Workspace, topics: Sequence[TopicCore]) -> Ids:
    """Return the embedders with vectors for at least half of every topic's core, and `lsa`, which is fitted here."""
    found = workspace.store.rows(
        """
        SELECT e.embedder, c.topic_id, count(DISTINCT c.publication_id)
        FROM core_publications AS c
        JOIN vector_rows AS r ON r.publication_id = c.publication_id AND r.position IS NOT NULL
        JOIN embeddings AS e ON e.embedding_id = r.embedding_id AND e.topic_id IS NULL
        WHERE c.topic_id IN (SELECT unnest($topics::VARCHAR[])) GROUP BY ALL
        """,
        {"topics": [topic.topic_id for topic in topics]},
    )
    n_of = {(embedder, topic_id): n for embedder, topic_id, n in found}
    names = sorted({embedder for embedder, *_ in found})
    covering = [e for e in names if all(2 * n_of.get((e, t.topic_id), 0) >= len(t) for t in topics)]
    return (*covering, LSA)


def known_together(
    workspace: Workspace, topics: Sequence[TopicCore], embedder: str, method: ProjectionMethod
) -> JointLandscape:
    """Return the cached results without computing anything slow. A PCA is as fast as a look-up."""
    gathered = gather(workspace, topics, embedder)
    if gathered is None:
        return JointLandscape(None, None, None, None)
    settings = layout_of(method)
    labels = _recalled(workspace, _clusters_key(gathered), "labels")
    points = _pca(gathered) if method == "pca" else _recalled(workspace, _points_key(gathered, settings), "points")
    in_picture = _recalled(workspace, _picture_key(gathered, settings), "labels")
    return JointLandscape(gathered, points, labels, in_picture)


def put_together(
    workspace: Workspace,
    topics: Sequence[TopicCore],
    embedder: str,
    method: ProjectionMethod,
    *,
    on_stage: OnStage = silent,
) -> JointLandscape:
    gathered = gather(workspace, topics, embedder)
    if gathered is None:
        on_stage("fitting LSA over all core publications")
        fit_lsa(workspace, topics)
        gathered = gather(workspace, topics, embedder)
    if gathered is None:
        raise InputError("LSA was fitted but not saved: check the free disk space")
    known = known_together(workspace, topics, embedder, method)
    k, settings = gathered.n_topics, layout_of(method)
    labels, points, in_picture = known.labels, known.points, known.labels_in_picture
    if labels is None:
        on_progress = on_stage("splitting the vectors into clusters")
        labels = best_clusters(gathered.embedded.vectors, k, n_seeds=N_SEEDS, on_progress=on_progress).labels
        _keep(workspace, _clusters_key(gathered), "labels", labels)
    if points is None:
        on_step = on_stage("computing the landscape")
        points = lay_out(gathered.embedded, settings, projection_id="together", on_step=on_step).points
        _keep(workspace, _points_key(gathered, settings), "points", points)
    if in_picture is None:
        on_progress = on_stage("splitting the picture into clusters")
        in_picture = best_clusters(points, k, n_seeds=N_SEEDS, on_progress=on_progress).labels
        _keep(workspace, _picture_key(gathered, settings), "labels", in_picture)
    return JointLandscape(gathered, points, labels, in_picture)


def layout_of(method: ProjectionMethod) -> ProjectionSettings:
    """Return settings that spread the dots: topics lie so far apart that each would otherwise be a speck."""
    return ProjectionSettings(method=method, min_dist=0.8)


def gather(workspace: Workspace, topics: Sequence[TopicCore], embedder: str) -> CoreVectors | None:
    """Return the vectors of all core publications; None if `lsa` was not fitted to these texts yet."""
    home: dict[str, TopicCore] = {}
    title_of: dict[str, str] = {}
    for topic in sorted(topics, key=lambda topic: topic.topic_id):
        for p in topic.publications:
            home.setdefault(p.publication_id, topic)
            title_of.setdefault(p.publication_id, p.title)
    found = _fitted(workspace, tuple(home)) if embedder == LSA else _shared(workspace, tuple(home), embedder)
    if found is None:
        return None
    embedded, fingerprint = found
    _check_enough(embedded, len({home[i].topic_id for i in embedded.ids}))
    without = {t.topic_id: sum(i not in embedded for i in t.core_ids) for t in topics}
    topic_of = tuple(home[i].topic_id for i in embedded.ids)
    return CoreVectors(
        embedded,
        topic_of,
        tuple(home[i].survey_kind for i in embedded.ids),
        tuple(title_of[i] for i in embedded.ids),
        MappingProxyType({topic_id: n for topic_id, n in without.items() if n}),
        key_for("together", fingerprint, *embedded.ids, *topic_of),
    )


def _check_enough(embedded: EmbeddedSet, n_topics: int) -> None:
    n = len(embedded)
    if n_topics < 2:
        raise InputError("this needs at least two topics with vectors for their core publications: choose more topics")
    if n < max(MIN_PUBLICATIONS, n_topics):
        raise InputError(
            f"there are {n} core publications with a vector: {max(MIN_PUBLICATIONS, n_topics)} are needed for "
            f"{n_topics} topics; choose topics with more, or another embedder"
        )


def _shared(workspace: Workspace, ids: Ids, embedder: str) -> tuple[EmbeddedSet, str]:
    found = workspace.store.rows(
        """
        SELECT embedding_id, embedder, topic_id, n_dimensions, revision, generation FROM embeddings
        WHERE embedder = ? AND topic_id IS NULL
        """,
        [embedder],
    )
    if not found:
        raise InputError(f'no vectors of "{embedder}" cover more than one topic: choose another embedder')
    embedding = Embedding(*found[0])
    return workspace.catalogue.load(embedding, ids), embedding.fingerprint


def _fitted(workspace: Workspace, ids: Ids) -> tuple[EmbeddedSet, str] | None:
    key = _lsa_key(workspace, ids)
    kept = workspace.store.recall(key)
    if kept is None or kept[1] is None:
        return None
    rows = unpacked(kept[1])
    there = tuple(ids[row] for row in rows["scorable"].tolist())
    return EmbeddedSet(there, rows["vectors"], LSA), key


def fit_lsa(workspace: Workspace, topics: Sequence[TopicCore]) -> None:
    """Fit one model to the texts of all core publications, and cache their vectors."""
    ids = tuple(dict.fromkeys(i for t in sorted(topics, key=lambda t: t.topic_id) for i in t.core_ids))
    texts = topic_texts(workspace.store, ids)
    vectors, scorable_mask = normalise(LsaModel.fit(texts).embed(texts))
    arrays: Arrays = {"vectors": vectors[scorable_mask], "scorable": np.flatnonzero(scorable_mask)}
    workspace.store.remember(_lsa_key(workspace, ids), "together", "{}", packed(arrays))


def _lsa_key(workspace: Workspace, ids: Ids) -> str:
    return key_for("together_lsa", FORMAT_VERSION, *ids, *topic_texts(workspace.store, ids))


def _clusters_key(gathered: CoreVectors) -> str:
    return key_for("together_clusters", gathered.key, gathered.n_topics, N_SEEDS)


def _points_key(gathered: CoreVectors, settings: ProjectionSettings) -> str:
    return key_for("together_points", gathered.key, json.dumps(asdict(settings), sort_keys=True))


def _picture_key(gathered: CoreVectors, settings: ProjectionSettings) -> str:
    return key_for("together_picture", _points_key(gathered, settings), gathered.n_topics, N_SEEDS)


def _pca(gathered: CoreVectors) -> Points:
    return fit_projection(gathered.embedded, layout_of("pca"), projection_id="together").points


def _recalled(workspace: Workspace, key: str, name: str) -> npt.NDArray[Any] | None:
    kept = workspace.store.recall(key)
    return None if kept is None or kept[1] is None else unpacked(kept[1])[name]


def _keep(workspace: Workspace, key: str, name: str, array: npt.NDArray[Any]) -> None:
    workspace.store.remember(key, "together", "{}", packed({name: array}))
