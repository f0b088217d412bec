"""Check LitQEval's published numbers, from its folder or the workspace, and read published coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import FileError, FormatError
from core.explore.reproduction import ListCounts, ReproducedNumber, litqeval_numbers
from core.types import Ids, Points, Projection
from data.archives import opened_arrays
from data.explore.studies import load_published_curves, load_published_scores
from data.files import read_errors
from data.library.litqeval import PUBLISHED_FILES, folder_name, load_litqeval, read_published
from data.store import Store, content_hash


@dataclass(frozen=True, slots=True)
class Reproduction:
    numbers: tuple[ReproducedNumber, ...]
    notes: Ids
    """Rows left out of the published files, and missing files."""


def reproduce_folder(folder: Path) -> Reproduction:
    """Recompute LitQEval's numbers from a copy of its repository; nothing is stored."""
    collection = load_litqeval(folder)
    published = read_published(Path(collection.folder), [topic.topic_id for topic in collection.topics])
    lists = {
        (topic.topic_id, version.label): ListCounts(
            len(version.retrieved_ids), len(set(version.retrieved_ids) & set(topic.core_ids))
        )
        for topic in collection.topics
        for version in topic.versions
        if version.retrieved_ids is not None
    }
    missing = [name for name in PUBLISHED_FILES if name not in published.files]
    lacking = (f"no {', '.join(missing)} in {folder}: their numbers are left out",) if missing else ()
    return Reproduction(litqeval_numbers(published.scores, published.curves, lists), (*published.notes, *lacking))


def reproduce_workspace(store: Store) -> Reproduction:
    """Recompute them from the workspace's copy of the collection; without one, only numbers that need no collection."""
    scores, curves = load_published_scores(store), load_published_curves(store)
    missing = "this workspace has none of LitQEval's tables: give a copy of its repository with --from"
    return Reproduction(litqeval_numbers(scores, curves, _list_counts(store)), () if scores or curves else (missing,))


def _list_counts(store: Store) -> Mapping[tuple[str, str], ListCounts]:
    found = store.rows(
        """
        SELECT v.topic_id, v.label, count(*), count(c.publication_id)
        FROM query_versions AS v JOIN retrieved AS r USING (query_id)
        LEFT JOIN core_publications AS c ON c.topic_id = v.topic_id AND c.publication_id = r.publication_id
        WHERE v.topic_id IN (SELECT topic_id FROM published_scores) GROUP BY ALL
        """
    )
    return {(topic_id, label): ListCounts(n, n_found) for topic_id, label, n, n_found in found}


# Published coordinates: a file of one landscape, or of several that are named after topic and version.

HOW = "numpy.savez(FILE, ids=ids, points=points), with two columns of points"


def read_points(path: Path, topic_id: str, label: str) -> Projection:
    """Read the coordinates of a version: arrays `ids` and `points`, or the same with the prefix `Topic_Name__label__`.

    Nothing is unpickled.
    """
    if not path.is_file():
        raise FileError(f"no file {path}: coordinates come as an .npz made with {HOW}")
    own = f"{folder_name(topic_id)}__{label}__"
    with read_errors(path), opened_arrays(path, HOW) as arrays:
        prefix = next((p for p in (own, "") if {f"{p}ids", f"{p}points"} <= set(arrays.names)), None)
        if prefix is None:
            raise FormatError(
                f"{path} has neither {own}ids and {own}points nor ids and points (arrays found: "
                f"{', '.join(arrays.names)[:300] or 'none'}): make it with {HOW}"
            )
        ids, points = arrays.array(f"{prefix}ids"), arrays.array(f"{prefix}points")
    if ids.ndim != 1 or ids.dtype.kind != "U":
        raise FormatError(f"{path}: ids must be a list of texts, got {ids.dtype} {ids.shape}")
    if n_repeated := len(ids) - len(set(ids.tolist())):
        raise FormatError(f"{path} has {n_repeated:,} repeated ids: give each publication one point")
    if points.ndim != 2 or points.dtype.kind not in "fiu" or not np.isfinite(points).all():
        raise FormatError(f"{path}: points must be a matrix of numbers, got {points.dtype} {points.shape}")
    places: Points = points.astype(np.float64)
    digest = content_hash([*ids.tolist(), places.tobytes().hex()])[:8]
    return Projection(tuple(ids.tolist()), places, f"{path.stem}-{digest}")
