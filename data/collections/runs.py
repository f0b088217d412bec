"""Runs of retrievers in the store. A run is saved again and again while it goes on, each time whole."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import CorruptStoreError, MisalignedError
from core.ranking.check import Run
from core.types import Ids
from data.memory import Arrays, packed, unpacked
from data.retrieval.saved_run import SavedRun
from data.store import Store, content_hash


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a list shows it, without its rankings."""

    run_id: str
    collection: str
    split: str | None
    spec_text: str
    """Empty for a run from a file."""
    label: str
    n_queries: int
    n_done: int
    index_seconds: float | None
    index_bytes: int | None
    n_failed: int
    notes: tuple[str, ...]
    made_at: str

    @property
    def is_complete(self) -> bool:
        """Whether every query is answered."""
        return self.n_done == self.n_queries


FIELDS = "run_id, collection, split, spec_text, label, n_queries, n_done, index_seconds, index_bytes, n_failed"


# Saving


def save_run(store: Store, saved: SavedRun, *, unless_longer: bool = False) -> None:
    """Keep a run, in the place of what was kept under its id. `unless_longer`: not if more queries are answered there,
    as by another who ran the same."""
    arrays = _pack(saved)
    with store.transaction():
        if unless_longer and store.rows(
            "SELECT 1 FROM runs WHERE run_id = ? AND n_done > ?", [saved.run_id, len(saved.run)]
        ):
            return
        store.execute(
            "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                saved.run_id,
                saved.collection,
                saved.split,
                saved.spec_text,
                saved.label,
                _save_doc_ids(store, saved),
                saved.n_queries,
                len(saved.run),
                saved.index_seconds,
                saved.index_bytes,
                saved.n_failed,
                json.dumps(list(saved.notes)),
                saved.made_at,
                arrays,
            ],
        )


def _save_doc_ids(store: Store, saved: SavedRun) -> str:
    """The key under which the ids of the run's documents are kept; they are written once for all runs over them."""
    doc_ids = saved.run.doc_ids
    key = content_hash(doc_ids)
    if not store.rows("SELECT 1 FROM run_documents WHERE documents_key = ?", [key]):
        store.execute("INSERT INTO run_documents VALUES (?, ?, ?)", [key, len(doc_ids), _ids_bytes(doc_ids)])
    return key


def _pack(saved: SavedRun) -> bytes:
    """Rankings and times. Numbers are kept in fewer bytes where they come back the same."""
    run = saved.run
    names = list(saved.stages_ms)
    for name, times in saved.stages_ms.items():
        if len(times) != len(run):
            raise MisalignedError(f'{len(run)} queries are done but "{name}" was timed for {len(times)}')
    arrays: Arrays = {
        "query_ids": np.frombuffer(_ids_bytes(run.query_ids), dtype=np.uint8),
        "name": np.frombuffer(_ids_bytes([run.name]), dtype=np.uint8),
        "stages": np.frombuffer(_ids_bytes(names), dtype=np.uint8),
        "starts": np.asarray(run.starts, dtype=np.int64),
        "rows": np.asarray(run.rows, dtype=np.int32 if len(run.doc_ids) < 2**31 else np.int64),
        "scores": _narrowed(run.scores),
    }
    for number, name in enumerate(names):
        arrays[f"stage_{number}"] = np.asarray(saved.stages_ms[name], dtype=np.float64)
    return packed(arrays)


def _narrowed(scores: npt.ArrayLike) -> npt.NDArray[Any]:
    """As float32 where that is exactly the same."""
    wide = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        narrow = wide.astype(np.float32)
    return narrow if np.array_equal(narrow.astype(np.float64), wide, equal_nan=True) else wide


def _ids_bytes(ids: Sequence[str]) -> bytes:
    return zlib.compress(json.dumps(list(ids)).encode(), 1)


def _ids(content: bytes) -> Ids:
    return tuple(json.loads(zlib.decompress(content)))


# Loading


def load_run(store: Store, run_id: str, doc_ids: Ids | None = None) -> SavedRun | None:
    """A run with its rankings; None if there is none.

    `doc_ids`: those of the collection, where they are at hand. If the run was made over the same ones it takes these,
    so that many runs share them in memory.
    """
    found = store.rows(f"SELECT {FIELDS}, notes::VARCHAR, made_at, arrays FROM runs WHERE run_id = ?", [run_id])
    if not found:
        return None
    row, arrays = _row(found[0][:-1]), unpacked(found[0][-1])
    over = _load_doc_ids(store, run_id, doc_ids)
    (name,), query_ids, stages = (_ids(arrays[part].tobytes()) for part in ("name", "query_ids", "stages"))
    scores = arrays["scores"].astype(np.float64)
    run = Run(name, query_ids, over, arrays["starts"], arrays["rows"].astype(np.int64), scores)
    return SavedRun(
        run_id=row.run_id,
        collection=row.collection,
        split=row.split,
        spec_text=row.spec_text,
        label=row.label,
        run=run,
        n_queries=row.n_queries,
        stages_ms={name: arrays[f"stage_{number}"] for number, name in enumerate(stages)},
        index_seconds=row.index_seconds,
        index_bytes=row.index_bytes,
        n_failed=row.n_failed,
        notes=row.notes,
        made_at=row.made_at,
    )


def _load_doc_ids(store: Store, run_id: str, at_hand: Ids | None) -> Ids:
    (key,) = store.rows("SELECT documents_key FROM runs WHERE run_id = ?", [run_id])[0]
    if at_hand is not None and content_hash(at_hand) == key:
        return at_hand
    found = store.rows("SELECT ids FROM run_documents WHERE documents_key = ?", [key])
    if not found:
        raise CorruptStoreError(f"{store.path} does not name the documents of a run any more: run it again")
    return _ids(found[0][0])


def list_runs(store: Store, collection_name: str, split: str | None) -> tuple[RunRow, ...]:
    """The runs over a part of a collection, or over all of it without a split; the oldest first."""
    found = store.rows(
        f"""
        SELECT {FIELDS}, notes::VARCHAR, made_at FROM runs
        WHERE collection = $collection AND split IS NOT DISTINCT FROM $split ORDER BY made_at, run_id
        """,
        {"collection": collection_name, "split": split},
    )
    return tuple(_row(row) for row in found)


def _row(row: tuple[Any, ...]) -> RunRow:
    *front, notes, made_at = row
    return RunRow(*(*front, tuple(json.loads(notes)), made_at))


# Deleting


def delete_run(store: Store, run_id: str) -> None:
    """Nothing happens if there is none."""
    with store.transaction():
        store.execute("DELETE FROM runs WHERE run_id = ?", [run_id])
        _forget_documents(store)


def delete_runs_of(store: Store, collection_name: str) -> None:
    """Every run over a collection; the caller holds the transaction."""
    store.execute("DELETE FROM runs WHERE collection = ?", [collection_name])
    _forget_documents(store)


def _forget_documents(store: Store) -> None:
    """Ids that no run names any more."""
    store.execute("DELETE FROM run_documents WHERE documents_key NOT IN (SELECT documents_key FROM runs)")
