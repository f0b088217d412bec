"""How near publications are to the core publications in use, and which of some are the nearest, newest or best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.query.matching.matched import Bits, of_rows, rows_of
from core.types import Floats, Ids
from core.vectors import centroid, cosine
from data.workspace import Workspace
from data.writer.desk import WriterDesk

MOST = 1_000
"""Publications of each kind that are looked at."""


def nearness(workspace: Workspace, desk: WriterDesk) -> Floats:
    """Cosine to the centroid of the core publications in use, row by row; minus infinity without a vector."""
    corpus = desk.desk.corpus
    near = np.full(len(corpus.ids), -np.inf)
    embedding = workspace.embedding(desk.desk.topic_id, desk.desk.embedder)
    embedded = workspace.catalogue.load(embedding, corpus.ids)
    used = [i for i in desk.split.used if i in embedded]
    if used:
        near[corpus.rows_of_ids(embedded.ids)] = cosine(embedded.vectors, centroid(embedded.take(used).vectors))
    return near


def nearest(rows: Sequence[int] | np.ndarray, near: Floats, ids: Ids, most: int = MOST) -> list[int]:
    """The nearest of some rows, in their order; those without a vector come last.

    Ties go by id: core publications have the first rows of a corpus, those that are held out too.
    """
    there = np.asarray(rows, dtype=np.intp).tolist()
    return sorted(there, key=lambda row: (-near[row], ids[row]))[:most]


def looked_at(workspace: Workspace, desk: WriterDesk, retrieved: Bits, near: Floats) -> Bits:
    """Of what a string retrieves: the most cited, the newest and the nearest thousand; ties go by id."""
    ids, rows = desk.desk.corpus.ids, rows_of(retrieved)
    if len(rows) <= MOST:
        return retrieved
    row_of = {ids[row]: int(row) for row in rows}
    there = workspace.publications(list(row_of))
    cited = sorted(there, key=lambda p: (-(p.times_cited or 0), p.publication_id))[:MOST]
    newest = sorted(there, key=lambda p: (-(p.year or 0), p.publication_id))[:MOST]
    best = {row_of[p.publication_id] for p in (*cited, *newest)}
    return of_rows(sorted(best | set(nearest(rows, near, ids, MOST))), len(ids))
