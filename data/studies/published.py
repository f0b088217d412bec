"""Scores and curves that a collection's authors published, to be laid beside ours. Nothing is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Literal, get_args

import numpy as np

from core.studies.core_sets import ThresholdCurve
from core.types import Floats
from data.store import Store

PublishedRegion = Literal["cosine", "cluster", "mvee", "hull"]
PUBLISHED_REGIONS: tuple[PublishedRegion, ...] = get_args(PublishedRegion)
BESIDE_REVIEW = "baseline_beside_review"
"""Label of a baseline as it was scored together with the review's search: the landscape was another one then, so its
ellipsoid and hull differ from those of the same baseline beside the generated search."""


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """What was published of one search of a topic in one region."""

    topic_id: str
    label: str
    """That of the version here, or `BESIDE_REVIEW`."""
    text: str
    recall: float
    """Core publications inside the cosine region / all core: not the recall that is computed here."""
    region: PublishedRegion
    semantic_precision: float
    n_relevant: int
    f_beta: float


@dataclass(frozen=True, eq=False)
class PublishedCurve:
    """What was published of one topic at every threshold."""

    curve: ThresholdCurve
    scores: Floats
    """The authors' own score; NaN where there is none."""


def save_published_scores(store: Store, scores: Sequence[PublishedScore]) -> None:
    """Add or replace the scores of these topics. The caller holds the transaction."""
    _delete(store, "published_scores", {score.topic_id for score in scores})
    for score in scores:
        store.execute("INSERT INTO published_scores VALUES (?, ?, ?, ?, ?, ?, ?, ?)", list(astuple(score)))


def save_published_curves(store: Store, curves: Sequence[PublishedCurve]) -> None:
    """Add or replace the curves of these topics. The caller holds the transaction."""
    _delete(store, "published_curves", {published.curve.topic_id for published in curves})
    for published in curves:
        curve = published.curve
        store.execute(
            """
            INSERT INTO published_curves
            SELECT $topic, unnest(range(len($at::DOUBLE[]))), unnest($at::DOUBLE[]), unnest($accepted::INTEGER[]),
                   unnest($relevant::INTEGER[]), $retrieved, $core, unnest($scores::DOUBLE[])
            """,
            {
                "topic": curve.topic_id,
                "at": curve.min_similarity.tolist(),
                "accepted": curve.n_accepted_core.tolist(),
                "relevant": curve.n_relevant.tolist(),
                "retrieved": curve.n_retrieved,
                "core": curve.n_core,
                "scores": [float(score) if np.isfinite(score) else None for score in published.scores],
            },
        )


def _delete(store: Store, table: Literal["published_scores", "published_curves"], topics: Iterable[str]) -> None:
    store.execute(
        f"DELETE FROM {table} WHERE topic_id IN (SELECT unnest($topics::VARCHAR[]))", {"topics": sorted(topics)}
    )


def load_published_scores(store: Store, topics: Sequence[str] | None = None) -> tuple[PublishedScore, ...]:
    """The scores of these topics, or of all, by topic and label; regions in their fixed order."""
    found = store.rows(
        """
        SELECT topic_id, label, text, recall, region, semantic_precision, n_relevant, f_beta FROM published_scores
        WHERE $topics IS NULL OR topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY topic_id, label
        """,
        {"topics": None if topics is None else list(topics)},
    )
    scores = [PublishedScore(*row) for row in found if row[4] in PUBLISHED_REGIONS]
    return tuple(sorted(scores, key=lambda s: (s.topic_id, s.label, PUBLISHED_REGIONS.index(s.region))))


def load_published_curves(store: Store, topics: Sequence[str] | None = None) -> tuple[PublishedCurve, ...]:
    """The curves of these topics, or of all, by topic.

    Publications below the lowest threshold are not in them: precision is taken over what that one accepts.
    """
    found = store.columns(
        """
        SELECT topic_id, min_similarity, n_relevant, n_accepted_core, n_retrieved, n_core,
               coalesce(score, 'nan'::DOUBLE) AS score
        FROM published_curves WHERE $topics IS NULL OR topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY topic_id, position
        """,
        {"topics": None if topics is None else list(topics)},
    )
    names = found["topic_id"]
    starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])) if len(names) else np.empty(0, np.intp)
    curves = []
    for rows in np.split(np.arange(len(names)), starts[1:]) if len(names) else ():
        part = {name: column[rows] for name, column in found.items()}
        curve = ThresholdCurve(
            topic_id=str(part["topic_id"][0]),
            min_similarity=np.asarray(part["min_similarity"], dtype=np.float64),
            n_relevant=np.asarray(part["n_relevant"], dtype=np.int64),
            n_accepted_core=np.asarray(part["n_accepted_core"], dtype=np.int64),
            n_retrieved=int(part["n_retrieved"][0]),
            n_scorable=int(part["n_relevant"][0]),
            n_core=int(part["n_core"][0]),
        )
        curves.append(PublishedCurve(curve, np.asarray(part["score"], dtype=np.float64)))
    return tuple(curves)
