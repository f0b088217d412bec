"""Finished batches of vectors on disk, until they are listed: a killed run loses no more than the batch it was in.

Every vector stands under a key that names its model and its text, so it is found again whatever else has come or gone.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.types import Mask, Vectors
from data.files import written_aside
from data.store import content_hash

Part = tuple[list[str], Vectors, Mask]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one embedding, by model and by topic."""

    root: Path
    fingerprint: str
    topic_id: str

    @property
    def own_folder(self) -> Path:
        return self.root / self.fingerprint[:16] / content_hash([self.topic_id])

    def keep(self, keys: Sequence[str], vectors: Vectors, scorable_mask: Mask) -> None:
        """Write one finished batch."""
        with written_aside(self.own_folder / f"{content_hash(keys)}.npz") as file:
            np.savez(file, keys=np.array(keys, dtype=np.str_), vectors=vectors, scorable_mask=scorable_mask)

    def load(self) -> Iterator[Part]:
        """What this model has finished for any topic. A damaged part is removed: it is made anew."""
        for path in self._files():
            part = _read(path)
            if part is not None:
                yield part
            else:
                with suppress(OSError):
                    path.unlink()

    def forget(self, listed: Container[str]) -> None:
        """After this topic's vectors were listed: its parts go, and other topics' parts that are listed as a whole."""
        for folder in self.root.glob("*"):
            if folder.name != self.fingerprint[:16]:
                shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(self.own_folder, ignore_errors=True)
        for path in self._files():
            part = _read(path)
            if part is None or all(key in listed for key in part[0]):
                with suppress(OSError):
                    path.unlink()
        for left in (*self.root.glob("*/*"), *self.root.glob("*"), self.root):
            with suppress(OSError):  # not empty: another topic's
                left.rmdir()

    def _files(self) -> list[Path]:
        return sorted((self.root / self.fingerprint[:16]).glob("*/*.npz"))


def _read(path: Path) -> Part | None:
    try:
        content = path.read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # numpy may stop reading before the end of a member, where the checksum would be compared.
            if archive.testzip() is not None:
                return None
        with np.load(io.BytesIO(content), allow_pickle=False) as part:
            keys, vectors, scorable_mask = part["keys"], part["vectors"], part["scorable_mask"]
    # Zip and npy readers fail on damage in a dozen ways; whatever it is, the part is made anew.
    except Exception:
        return None
    fits = vectors.ndim == 2 and vectors.dtype == np.float32 and scorable_mask.dtype == np.bool_
    fits = fits and keys.dtype.kind == "U" and keys.ndim == 1 and len(keys) == len(vectors) == len(scorable_mask)
    return (keys.tolist(), vectors, scorable_mask) if fits and np.isfinite(vectors).all() else None
