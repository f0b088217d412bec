"""Vectors of many texts in one mapped file, made in parts: what a run has finished is there when the next one starts.

vectors-KEY/
    parts/000000000.npz   rows from 0 on, while the file is being made
    vectors.npy           float32, unit rows; zeros where a text can't be scored
    scorable.npy          which rows those are not
    about.json            written last: without it there is no file yet
"""

from __future__ import annotations

import io
import json
import shutil
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import InputError, MisalignedError, StoreError
from core.protocols import OnProgress
from core.types import Mask, Vectors
from core.vectors import normalise
from data.embedding import next_batch
from data.files import written_aside

VERSION = 1
MOST_ROWS = 8_192
"""Of one part."""
SECONDS_PER_PART = 2.0
"""After which a part is kept."""
ReadTexts = Callable[[int, int], list[str]]
"""The texts from one row up to another."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Raw vectors of some texts."""

    vectors: Vectors
    n_cut: int = 0
    """Texts of which only the beginning was read."""
    n_refused: int = 0


EmbedBatch = Callable[[list[str]], Batch]


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a file of vectors."""

    n_rows: int
    n_dimensions: int
    seconds: float
    """All the time that it took to make, over every run."""
    n_cut: int
    n_refused: int
    version: int = VERSION


@dataclass(frozen=True, eq=False)
class StoredVectors:
    """Vectors that are there."""

    vectors: Vectors
    """Mapped from the file."""
    scorable_mask: Mask
    about: About
    n_bytes: int


@dataclass(frozen=True, eq=False)
class _Part:
    vectors: Vectors
    scorable_mask: Mask
    seconds: float
    n_cut: int
    n_refused: int

    def __len__(self) -> int:
        return len(self.scorable_mask)


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The vectors of these texts by this model, in a folder of their own."""

    folder: Path

    def open(self, n_rows: int) -> StoredVectors | None:
        """The vectors, if all of them are there and whole."""
        try:
            about = About(**json.loads((self.folder / "about.json").read_text("utf-8")))
            # The map is seen as a plain array: what is computed from it is none of the file's.
            vectors = np.load(self.folder / "vectors.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
            scorable_mask = np.load(self.folder / "scorable.npy", allow_pickle=False)
        except (OSError, ValueError, TypeError, EOFError):
            return None
        fits = vectors.shape == (n_rows, about.n_dimensions) and vectors.dtype == np.float32
        if about.version != VERSION or not fits or scorable_mask.shape != (n_rows,) or scorable_mask.dtype != np.bool_:
            return None
        return StoredVectors(vectors, scorable_mask, about, vectors.nbytes + scorable_mask.nbytes)

    def make(
        self,
        n_rows: int,
        read: ReadTexts,
        embed: EmbedBatch,
        *,
        first_batch: int,
        seconds_before: float = 0.0,
        on_progress: OnProgress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> StoredVectors:
        """Embed what no earlier run has finished, and put all of it into one file."""
        run = _Run(self.folder / "parts", n_rows, read, embed, on_progress or (lambda done, total: None), clock)
        lengths: list[int] = []
        start, batch = 0, first_batch
        while start < n_rows:
            part = run.finished(start)
            if part is None:
                part, batch = run.embedded(start, batch, max(1, first_batch // 4))
            lengths.append(len(part))
            start += len(part)
            run.on_progress(start, n_rows)
        with suppress(_Changed):  # another run has put them together in the meantime: then they are there
            self._put_together(run, lengths, seconds_before)
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        stored = self.open(n_rows)
        if stored is None:
            raise StoreError(f"the vectors in {self.folder} changed while they were made: run the same again")
        return stored

    def _put_together(self, run: _Run, lengths: list[int], seconds: float) -> None:
        """All parts into one file, read one at a time."""
        rows, masks, n_cut, n_refused = _Rows(run.n_rows), [], 0, 0
        with written_aside(self.folder / "vectors.npy") as file:
            for start, length in zip(accumulate(lengths, initial=0), lengths, strict=False):
                part = run.finished(start)
                if part is None or len(part) != length:
                    raise _Changed
                rows.add(part, file)
                masks.append(part.scorable_mask)
                seconds, n_cut, n_refused = seconds + part.seconds, n_cut + part.n_cut, n_refused + part.n_refused
            n_dimensions = rows.finished()
        with written_aside(self.folder / "scorable.npy") as file:
            np.save(file, np.concatenate(masks))
        with written_aside(self.folder / "about.json") as file:
            file.write(json.dumps(asdict(About(run.n_rows, n_dimensions, seconds, n_cut, n_refused))).encode())


class _Changed(Exception):
    """Parts are no longer those that were there."""


@dataclass(frozen=True, eq=False)
class _Run:
    folder: Path
    n_rows: int
    read: ReadTexts
    embed: EmbedBatch
    on_progress: OnProgress
    clock: Callable[[], float]

    def finished(self, start: int) -> _Part | None:
        """The part that begins here, if an earlier run finished it. A damaged one is made anew."""
        path = self.folder / f"{start:09}.npz"
        part = _read_part(path) if path.exists() else None
        if part is None or not 0 < len(part) <= self.n_rows - start:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        return part

    def embedded(self, start: int, batch: int, least: int) -> tuple[_Part, int]:
        """The next part, and how many texts fit into a batch: never fewer than `least`, since each call has its price.

        What is done is kept even if the run stops within it.
        """
        done: list[_Part] = []
        at, began = start, self.clock()
        try:
            while at < min(self.n_rows, start + MOST_ROWS) and (at == start or self.clock() - began < SECONDS_PER_PART):
                end, batch_began = min(self.n_rows, at + batch, start + MOST_ROWS), self.clock()
                found = self.embed(self.read(at, end))
                if len(found.vectors) != end - at:
                    raise MisalignedError(f"the model gave {len(found.vectors)} vectors for {end - at} texts")
                took = self.clock() - batch_began
                done.append(_Part(*normalise(found.vectors), took, found.n_cut, found.n_refused))
                batch, at = max(next_batch(batch, took), least), end
                self.on_progress(at, self.n_rows)
        finally:
            if done:
                part = _joined(done)
                self._keep(start, part)
        return part, batch

    def _keep(self, start: int, part: _Part) -> None:
        with written_aside(self.folder / f"{start:09}.npz") as file:
            np.savez(
                file,
                vectors=part.vectors,
                scorable_mask=part.scorable_mask,
                counts=np.array([part.seconds, part.n_cut, part.n_refused], dtype=np.float64),
            )


def _joined(parts: list[_Part]) -> _Part:
    """Side by side. A batch of which nothing could be embedded may be of any width."""
    width = next((p.vectors.shape[1] for p in parts if p.scorable_mask.any()), 1)
    rows = [p.vectors if p.scorable_mask.any() else np.zeros((len(p), width), np.float32) for p in parts]
    return _Part(
        np.concatenate(rows),
        np.concatenate([p.scorable_mask for p in parts]),
        sum(p.seconds for p in parts),
        sum(p.n_cut for p in parts),
        sum(p.n_refused for p in parts),
    )


def _read_part(path: Path) -> _Part | None:
    try:
        content = path.read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # numpy may stop reading before the end of a member, where the checksum would be compared.
            if archive.testzip() is not None:
                return None
        with np.load(io.BytesIO(content), allow_pickle=False) as part:
            vectors, scorable_mask, counts = part["vectors"], part["scorable_mask"], part["counts"]
        seconds, n_cut, n_refused = counts.tolist()
    # Zip and npy readers fail on damage in a dozen ways; whatever it is, the part is made anew.
    except Exception:
        return None
    fits = vectors.ndim == 2 and vectors.dtype == np.float32 and scorable_mask.dtype == np.bool_
    if not fits or scorable_mask.shape != (len(vectors),) or not np.isfinite(vectors).all():
        return None
    return _Part(vectors, scorable_mask, seconds, int(n_cut), int(n_refused))


class _Rows:
    """One .npy, written from the front; its width is known with the first vector that is one."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self._n_dimensions = 0
        self._n_waiting = 0

    def add(self, part: _Part, file: BinaryIO) -> None:
        """The rows that follow."""
        if not part.scorable_mask.any():
            self._zeros(len(part), file)
            return
        width = part.vectors.shape[1]
        if not self._n_dimensions:
            self._n_dimensions = width
            header = {"descr": "<f4", "fortran_order": False, "shape": (self._n_rows, width)}
            np.lib.format.write_array_header_1_0(file, header)
            self._zeros(self._n_waiting, file)
        if width != self._n_dimensions:
            raise MisalignedError(f"vectors of {self._n_dimensions} and of {width} dimensions from one model")
        file.write(np.ascontiguousarray(part.vectors, dtype="<f4").data)

    def _zeros(self, n_rows: int, file: BinaryIO) -> None:
        if not self._n_dimensions:
            self._n_waiting += n_rows
            return
        row = bytes(4 * self._n_dimensions)
        for start in range(0, n_rows, MOST_ROWS):
            file.write(row * min(MOST_ROWS, n_rows - start))

    def finished(self) -> int:
        """How many dimensions there are."""
        if not self._n_dimensions:
            raise InputError(
                f"none of the {self._n_rows:,} texts can be embedded: are titles and texts missing, or is it the model?"
            )
        return self._n_dimensions
