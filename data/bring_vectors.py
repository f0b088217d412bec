"""Bring your own vectors: an .npz with the arrays `ids` and `vectors`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import FileError, FormatError
from core.records.cleaning import doi_of
from core.types import EmbeddedSet, Ids
from core.vectors import embedded_set
from data.store import Store

HOW = "np.savez(FILE, ids=[...], vectors=[[...], ...])"


@dataclass(frozen=True, eq=False)
class BroughtVectors:
    """Vectors from a file."""

    embedded: EmbeddedSet
    unscorable_ids: Ids
    """Rows that are zero or not finite: they have no direction."""
    n_repeated: int
    """Rows whose id came before; the first one counts."""


def load_vectors(path: Path, model: str, store: Store | None = None) -> BroughtVectors:
    """Read and normalise. Nothing is unpickled. With a store, its publications may be named by their DOI."""
    if not path.is_file():
        raise FileError(f"no file {path}: vectors come as an .npz made with {HOW}")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            names = sorted(arrays)
            if "ids" not in names or "vectors" not in names:
                raise FormatError(f"{path} holds {', '.join(names) or 'nothing'}; it needs ids and vectors: {HOW}")
            ids, vectors = np.asarray(arrays["ids"]), np.asarray(arrays["vectors"])
        if ids.dtype.kind == "S":
            ids = np.strings.decode(ids, "utf-8")
    except FormatError:
        raise
    # Zip and npy readers fail on damage in a dozen ways, from zlib.error to RuntimeError.
    except Exception as e:
        raise FormatError(f"{path} can't be read as an .npz without objects: make it with {HOW}") from e
    if ids.ndim != 1 or ids.dtype.kind != "U":
        raise FormatError(f"{path}: ids must be a list of texts, got {ids.dtype} {ids.shape}")
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise FormatError(f"{path}: vectors must be a matrix of numbers, got {vectors.dtype} {vectors.shape}")
    if len(ids) != len(vectors):
        raise FormatError(f"{path}: {len(ids)} ids but {len(vectors)} vectors")
    names_of_rows = ids.tolist() if store is None else _publications_named(store, ids.tolist())
    first: dict[str, int] = {}
    for row, publication_id in enumerate(names_of_rows):
        first.setdefault(publication_id, row)
    if len(first) < len(names_of_rows):
        vectors = vectors[list(first.values())]
    embedded, unscorable = embedded_set(list(first), vectors, model)
    return BroughtVectors(embedded, unscorable, len(names_of_rows) - len(first))


def _publications_named(store: Store, names: list[str]) -> list[str]:
    """Names as they are where they are ids of publications; else the publication with that DOI, if there is one."""
    known = {p.publication_id for p in store.load_publications(names)}
    dois = {name: doi for name in names if name not in known and "10." in name and (doi := doi_of(name))}
    if not dois:
        return names
    found = store.rows(
        """
        SELECT lower(doi), min(publication_id) FROM publications
        WHERE lower(doi) IN (SELECT unnest($dois::VARCHAR[])) GROUP BY lower(doi)
        """,
        {"dois": list(dois.values())},
    )
    with_doi = dict(found)
    return [with_doi.get(dois.get(name, ""), name) for name in names]
