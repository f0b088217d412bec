"""Embeddings on disk: normalised float32 files, opened memory-mapped, and vectors imported from .npz."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import CorruptStoreError, FileError, FormatError, InputError
from core.library.records import doi_of
from core.types import EmbeddedSet, Ids, Vectors
from core.vectors import embedded_set
from data.archives import opened_arrays
from data.database import as_positions
from data.digests import SUFFIX, check_bytes, check_rows, written_with_digests
from data.files import read_errors
from data.store import Store, content_hash

# Vectors on disk: normalised float32 .npy files, opened memory-mapped. DuckDB stores only the position of each row.

READ_ROWS = 512
"""Rows read at once: few, because the buffer is in memory next to the vectors."""
LARGEST_GAP = 32
"""Number of unneeded rows that are read rather than skipped by a seek."""


@dataclass(frozen=True, slots=True)
class Embedding:
    embedding_id: str
    embedder: str
    """The value that `--embedder` takes."""
    topic_id: str | None
    """The topic that the model was fitted to; None if its vectors serve any topic."""
    n_dimensions: int
    revision: int
    """Grows with every change."""
    generation: int
    """Grows when a vector is replaced by another: earlier landscapes are then outdated."""

    @property
    def fingerprint(self) -> str:
        """A key that changes whenever a vector may have changed."""
        return f"{self.embedding_id}:{self.revision}"


@dataclass(frozen=True, slots=True)
class VectorCoverage:
    topic_id: str
    embedding: Embedding
    n_with_vectors: int
    n_publications: int

    @property
    def covers(self) -> bool:
        """True if at least half have vectors, so that a stray shared publication does not count as coverage."""
        return 2 * self.n_with_vectors >= self.n_publications > 0


@dataclass(frozen=True, slots=True)
class VectorFileRow:
    path: Path
    n_rows: int
    embedder: str
    topic_id: str | None
    n_dimensions: int
    file_id: int

    def is_whole(self) -> bool:
        return _is_whole((self.path, self.n_rows), self.n_dimensions)


def embedding_id_for(embedder: str, topic_id: str | None) -> str:
    """Return a name that is safe for a folder.

    >>> embedding_id_for("text-embedding-3-small", None)
    'text-embedding-3-small-1dc1e0ae'
    """
    plain = re.sub(r"[^A-Za-z0-9.-]+", "_", embedder).strip("._")[:60]
    return f"{plain}-{content_hash([embedder, topic_id or ''])[:8]}"


class VectorCatalogue:
    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._coverage: dict[str | None, tuple[int, tuple[VectorCoverage, ...]]] = {}

    def find(self, embedder: str, topic_id: str) -> Embedding | None:
        """Find the embedding of this name for this topic; one fitted to the topic comes first."""
        found = self._store.rows(
            """
            SELECT embedding_id, embedder, topic_id, n_dimensions, revision, generation FROM embeddings
            WHERE embedder = $embedder AND (topic_id IS NULL OR topic_id = $topic)
            ORDER BY topic_id NULLS LAST LIMIT 1
            """,
            {"embedder": embedder, "topic": topic_id},
        )
        return Embedding(*found[0]) if found else None

    def coverage(self, topic_id: str | None = None) -> tuple[VectorCoverage, ...]:
        """Return every topic, or one, with every embedding that has a vector for any of its publications."""
        kept = self._coverage.get(topic_id)
        if kept is None or kept[0] != self._store.n_changes:
            kept = self._coverage[topic_id] = (self._store.n_changes, self._count_coverage(topic_id))
        return kept[1]

    def _count_coverage(self, topic_id: str | None) -> tuple[VectorCoverage, ...]:
        found = self._store.rows(
            """
            WITH members AS (
                SELECT topic_id, publication_id FROM (
                    SELECT topic_id, publication_id FROM core_publications
                    UNION ALL
                    SELECT v.topic_id, r.publication_id FROM retrieved AS r JOIN query_versions AS v USING (query_id)
                    UNION ALL
                    SELECT topic_id, publication_id FROM corpus
                )
                WHERE $topic IS NULL OR topic_id = $topic
                GROUP BY ALL
            ),
            sizes AS (SELECT topic_id, count(*) AS n FROM members GROUP BY topic_id)
            SELECT m.topic_id, e.embedding_id, e.embedder, e.topic_id, e.n_dimensions, e.revision, e.generation,
                   count(*), any_value(s.n)
            FROM members AS m
            JOIN vector_rows AS r ON r.publication_id = m.publication_id AND r.position IS NOT NULL
            JOIN embeddings AS e ON e.embedding_id = r.embedding_id AND (e.topic_id IS NULL OR e.topic_id = m.topic_id)
            JOIN sizes AS s ON s.topic_id = m.topic_id
            GROUP BY ALL ORDER BY m.topic_id, e.embedder
            """,
            {"topic": topic_id},
        )
        return tuple(VectorCoverage(row[0], Embedding(*row[1:7]), row[7], row[8]) for row in found)

    def made_from(self, embedding_id: str) -> dict[str, str]:
        """Return the key of each publication's embedded text, also if unscorable; not from damaged files."""
        return dict(self._listed(embedding_id, "made_from IS NOT NULL"))

    def brought_ids(self, embedding_id: str) -> frozenset[str]:
        """Return the publications whose vector was imported from a file, so that its text is unknown."""
        return frozenset(publication_id for publication_id, _ in self._listed(embedding_id, "made_from IS NULL"))

    def _listed(self, embedding_id: str, which: str) -> list[tuple[str, str]]:
        found = self._store.rows(
            f"""
            SELECT publication_id, made_from, file_id, n_dimensions
            FROM vector_rows JOIN embeddings USING (embedding_id)
            WHERE embedding_id = ? AND {which}
            """,
            [embedding_id],
        )
        files = self._files(embedding_id)
        whole = {file_id: _is_whole(files.get(file_id), d) for file_id, d in {row[2:] for row in found if row[2]}}
        return [(row[0], row[1]) for row in found if whole.get(row[2], True)]

    def n_without(self, embedding: Embedding, topic_id: str, query_id: str) -> int:
        """Count publications of a version, and core publications, not yet embedded by a model that embeds on demand.

        Return 0 if all vectors were imported from a file: there is no model that could embed more.
        """
        found = self._store.rows(
            """
            SELECT count(*) FROM (
                SELECT publication_id FROM retrieved WHERE query_id = $query
                UNION
                SELECT publication_id FROM core_publications WHERE topic_id = $topic
            ) AS wanted
            WHERE publication_id NOT IN (SELECT publication_id FROM vector_rows WHERE embedding_id = $embedding)
            AND EXISTS (FROM vector_rows WHERE embedding_id = $embedding AND made_from IS NOT NULL)
            """,
            {"query": query_id, "topic": topic_id, "embedding": embedding.embedding_id},
        )
        return int(found[0][0])

    def add(
        self,
        embedder: str,
        topic_id: str | None,
        embedded: EmbeddedSet,
        unscorable_ids: Ids,
        made_from: Mapping[str, str] = MappingProxyType({}),
    ) -> Embedding:
        """Write vectors and list them; listed rows of the same publications are replaced.

        A model that was fitted to a topic again may have another width; then all its earlier vectors are dropped.
        """
        self._store.check_writable()
        embedding_id = embedding_id_for(embedder, topic_id)
        with self._store.lock(f"vectors {embedding_id}"):  # or files of another process would be deleted as unlisted
            d = embedded.vectors.shape[1]
            old = self._store.rows("SELECT n_dimensions FROM embeddings WHERE embedding_id = ?", [embedding_id])
            if old and old[0][0] != d and topic_id is None:
                raise InputError(
                    f'"{embedder}" has vectors of {old[0][0]} dimensions, but these have {d}: choose another name'
                )
            there = self.find(embedder, topic_id or "")
            if there and not unscorable_ids and not made_from and self._holds(there, embedded):
                return there
            name = f"{embedding_id}/{uuid.uuid4().hex[:12]}.npy"
            with written_with_digests(self._folder / name) as file:
                np.save(file, embedded.vectors, allow_pickle=False)
            with self._store.transaction():
                if old and old[0][0] != d:
                    self._replace(embedding_id)
                self._list(
                    Embedding(embedding_id, embedder, topic_id, d, 1, 1), name, embedded, unscorable_ids, made_from
                )
            self._delete_unlisted(embedding_id)
            found = self.find(embedder, topic_id or "")
            if found is None:
                raise CorruptStoreError(f'"{embedder}" was written but is not listed')
            return found

    def mark_covered(self, embedding_id: str, topic_state: str) -> None:
        """Record that every publication the topic has in this state was embedded."""
        self._store.execute("UPDATE embeddings SET covers = ? WHERE embedding_id = ?", [topic_state, embedding_id])

    def is_covered(self, embedding_id: str, topic_state: str) -> bool:
        """Return True if the topic has no new publication since it was embedded."""
        found = self._store.rows("SELECT covers FROM embeddings WHERE embedding_id = ?", [embedding_id])
        return bool(found) and found[0][0] == topic_state

    def _holds(self, embedding: Embedding, embedded: EmbeddedSet) -> bool:
        """Return True if exactly these vectors are already listed, so that loading a file twice changes nothing."""
        there = self.load(embedding, embedded.ids) if self.made_of_whole_files(embedding) else None
        return there is not None and there.ids == embedded.ids and np.array_equal(there.vectors, embedded.vectors)

    def _replace(self, embedding_id: str, ids: Sequence[str] | None = None) -> None:
        """Unlist the rows of these publications, or all; if there were any, start a new generation."""
        gone = self._store.rows(
            """
            DELETE FROM vector_rows
            WHERE embedding_id = $embedding AND ($ids IS NULL OR publication_id IN (SELECT unnest($ids::VARCHAR[])))
            RETURNING position
            """,
            {"embedding": embedding_id, "ids": None if ids is None else list(ids)},
        )
        if any(position is not None for (position,) in gone):
            self._store.execute(
                "UPDATE embeddings SET generation = generation + 1 WHERE embedding_id = ?", [embedding_id]
            )

    def _list(
        self,
        embedding: Embedding,
        name: str,
        embedded: EmbeddedSet,
        unscorable_ids: Ids,
        made_from: Mapping[str, str],
    ) -> None:
        store, embedding_id = self._store, embedding.embedding_id
        store.execute(
            """
            INSERT INTO embeddings VALUES (?, ?, ?, ?, ?, ?, NULL)
            ON CONFLICT (embedding_id)
            DO UPDATE SET revision = revision + 1, n_dimensions = excluded.n_dimensions
            """,
            list(astuple(embedding)),
        )
        file_id = int(store.rows("SELECT coalesce(max(file_id), 0) + 1 FROM vector_files")[0][0])
        store.execute("INSERT INTO vector_files VALUES (?, ?, ?, ?)", [file_id, embedding_id, name, len(embedded)])
        ids = {"embedding": embedding_id, "ids": [*embedded.ids, *unscorable_ids]}
        self._replace(embedding_id, ids["ids"])
        store.execute(
            """
            INSERT INTO vector_rows
            SELECT $embedding, unnest($ids::VARCHAR[]), unnest($files::INTEGER[]), unnest($positions::INTEGER[]),
                   unnest($made_from::VARCHAR[])
            """,
            ids
            | {
                "files": [file_id] * len(embedded) + [None] * len(unscorable_ids),
                "positions": [*range(len(embedded)), *[None] * len(unscorable_ids)],
                "made_from": [made_from.get(i) for i in ids["ids"]],
            },
        )
        store.execute(
            """
            DELETE FROM vector_files WHERE embedding_id = $embedding AND file_id <> $file
            AND file_id NOT IN (SELECT file_id FROM vector_rows WHERE file_id IS NOT NULL)
            """,
            {"embedding": embedding_id, "file": file_id},
        )

    def _delete_unlisted(self, embedding_id: str) -> None:
        """Remove the files that an interrupted run or a replaced set left behind."""
        listed = {self._folder / row[0] for row in self._store.rows("SELECT name FROM vector_files")}
        for path in (self._folder / embedding_id).glob("*.npy*"):
            if path not in listed and path.with_name(path.name.removesuffix(SUFFIX)) not in listed:
                with suppress(OSError):  # still mapped somewhere: deleted next time
                    path.unlink()

    def files(self) -> tuple[VectorFileRow, ...]:
        """List the files of all embeddings."""
        found = self._store.rows(
            """
            SELECT f.name, f.n_rows, e.embedder, e.topic_id, e.n_dimensions, f.file_id
            FROM vector_files AS f JOIN embeddings AS e USING (embedding_id) ORDER BY f.name
            """
        )
        return tuple(VectorFileRow(self._folder / row[0], *row[1:]) for row in found)

    def drop_file(self, file: VectorFileRow) -> None:
        """Unlist the vectors of a file, so that their publications can be embedded again."""
        with self._store.transaction():
            self._store.execute(
                """
                UPDATE embeddings SET revision = revision + 1, generation = generation + 1, covers = NULL
                WHERE embedding_id = (SELECT embedding_id FROM vector_files WHERE file_id = ?)
                """,
                [file.file_id],
            )
            self._store.execute("DELETE FROM vector_rows WHERE file_id = ?", [file.file_id])
            self._store.execute("DELETE FROM vector_files WHERE file_id = ?", [file.file_id])

    def load(self, embedding: Embedding, ids: Sequence[str]) -> EmbeddedSet:
        """Load the vectors of these publications, in this order; those without one are left out."""
        found = self._store.columns(
            """
            SELECT v.publication_id AS id, v.file_id AS file, v.position AS position
            FROM (SELECT unnest($ids::VARCHAR[]) AS id, unnest(range(len($ids::VARCHAR[]))) AS place) AS wanted
            JOIN vector_rows AS v ON v.publication_id = wanted.id
            WHERE v.embedding_id = $embedding AND v.position IS NOT NULL ORDER BY place
            """,
            {"ids": list(ids), "embedding": embedding.embedding_id},
        )
        vectors = self.read(embedding, as_positions(found["file"]), as_positions(found["position"]))
        return EmbeddedSet(tuple(found["id"].tolist()), vectors, embedding.embedder)

    def read(self, embedding: Embedding, file_ids: npt.NDArray[np.int64], positions: npt.NDArray[np.int64]) -> Vectors:
        """Read rows by file and position. A contiguous run of one file stays mapped, without a copy."""
        files = self._files(embedding.embedding_id)
        if len(positions) and (file_ids == file_ids[0]).all() and (np.diff(positions) == 1).all():
            file = files[int(file_ids[0])]
            mapped = _mapped(file, embedding.n_dimensions)
            row_bytes, head = mapped.strides[0], _first_byte(mapped)
            check_bytes(file[0], head + int(positions[0]) * row_bytes, head + (int(positions[-1]) + 1) * row_bytes)
            return np.asarray(mapped[positions[0] : positions[-1] + 1])
        out = np.empty((len(positions), embedding.n_dimensions), dtype=np.float32)
        for file_id in np.unique(file_ids):
            places = np.flatnonzero(file_ids == file_id)
            _gather(files[int(file_id)], positions[places], places, out)
        return out

    def made_of_whole_files(self, embedding: Embedding) -> bool:
        """Return True if every file exists and has the listed size."""
        files = self._files(embedding.embedding_id).values()
        return all(_is_whole(file, embedding.n_dimensions) for file in files)

    def _files(self, embedding_id: str) -> Mapping[int, tuple[Path, int]]:
        found = self._store.rows(
            "SELECT file_id, name, n_rows FROM vector_files WHERE embedding_id = ?", [embedding_id]
        )
        return {file_id: (self._folder / name, n_rows) for file_id, name, n_rows in found}


def _is_whole(file: tuple[Path, int] | None, n_dimensions: int) -> bool:
    if file is None:
        return False
    try:
        check_bytes(file[0])
        return len(_mapped(file, n_dimensions)) == file[1]
    except CorruptStoreError:
        return False


def _mapped(file: tuple[Path, int], n_dimensions: int) -> npt.NDArray[np.float32]:
    path, n_rows = file
    check_bytes(path, stop=1)  # the block with the header
    try:
        mapped: npt.NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError) as e:
        raise CorruptStoreError(f"{path} is missing or damaged: embed the topic, or load the vectors, again") from e
    if mapped.shape != (n_rows, n_dimensions) or mapped.dtype != np.float32:
        raise CorruptStoreError(
            f"{path} holds {mapped.dtype} {mapped.shape} where ({n_rows}, {n_dimensions}) was listed: "
            "embed the topic, or load the vectors, again"
        )
    return mapped


def _first_byte(mapped: npt.NDArray[np.float32]) -> int:
    return mapped.offset if isinstance(mapped, np.memmap) else 0


def _gather(
    file: tuple[Path, int], positions: npt.NDArray[np.int64], places: npt.NDArray[np.intp], out: Vectors
) -> None:
    """Copy scattered rows by reading: mapped pages would take memory in addition to the copy."""
    mapped = _mapped(file, out.shape[1])
    first_byte = _first_byte(mapped)
    del mapped
    order = np.argsort(positions, kind="stable")
    positions, places = positions[order], places[order]
    breaks = np.flatnonzero(np.diff(positions) > LARGEST_GAP) + 1
    row_bytes = out.shape[1] * out.itemsize
    check_rows(file[0], first_byte, row_bytes, positions.tolist())
    with file[0].open("rb") as handle:
        for run in np.split(np.arange(len(positions)), breaks):
            for start in range(0, len(run), READ_ROWS):
                part = run[start : start + READ_ROWS]
                low, high = int(positions[part[0]]), int(positions[part[-1]])
                handle.seek(first_byte + low * row_bytes)
                block = np.fromfile(handle, dtype=np.float32, count=(high - low + 1) * out.shape[1])
                out[places[part]] = block.reshape(-1, out.shape[1])[positions[part] - low]


# Import of vectors: an .npz with the arrays `ids` and `vectors`.

HOW = "np.savez(FILE, ids=[...], vectors=[[...], ...])"


@dataclass(frozen=True, eq=False)
class ImportedVectors:
    embedded: EmbeddedSet
    unscorable_ids: Ids
    """Rows that are zero or not finite: they have no direction."""
    n_repeated: int
    """Number of rows with an earlier id; the first one counts."""


def load_vectors(path: Path, model: str, store: Store | None = None) -> ImportedVectors:
    """Read and normalise vectors. Nothing is unpickled. With a store, a publication can be identified by its DOI."""
    if not path.is_file():
        raise FileError(f"no file {path}: vectors come as an .npz made with {HOW}")
    with read_errors(path), opened_arrays(path, HOW) as arrays:
        if not {"ids", "vectors"} <= set(arrays.names):
            held = ", ".join(arrays.names)[:300] or "nothing"
            raise FormatError(f"{path} holds {held}; it needs ids and vectors: {HOW}")
        ids, vectors = arrays.array("ids"), arrays.array("vectors")
    if ids.dtype.kind == "S":
        try:
            ids = np.strings.decode(ids, "utf-8")
        except UnicodeDecodeError as e:
            raise FormatError(f"{path}: ids can't be read as UTF-8: make it with {HOW}") from e
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
    return ImportedVectors(embedded, unscorable, len(names_of_rows) - len(first))


def _publications_named(store: Store, names: list[str]) -> list[str]:
    """Replace DOIs with the ids of their publications; ids of publications and unknown names stay unchanged."""
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
