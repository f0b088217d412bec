"""Token vectors of documents: made when a document is first asked for, and kept on disk for the next time.

tokens-KEY/
    NAME.npy    float16, the tokens of some documents one below the other: half the room of float32
    NAME.json   which documents, and how many tokens each has; written last
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.ranking.check import Rows
from core.types import Vectors
from data.files import written_aside
from data.store import content_hash

KEPT_BYTES = 2**28
"""Of vectors that stay in memory as float32, since numpy takes longer to widen float16 than to compare it."""
Halves = npt.NDArray[np.float16]
EmbedTokens = Callable[[list[str]], Sequence[Vectors]]
"""One matrix per text."""


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    start: int
    end: int


class TokenVectors:
    """Token vectors by row of the corpus. Threads may not share one; processes may share the folder."""

    def __init__(self, folder: Path, texts_of: Callable[[Sequence[int]], list[str]], embed: EmbedTokens) -> None:
        self._folder, self._texts_of, self._embed = folder, texts_of, embed
        self._place_of: dict[int, _Place] = {}
        self._near: OrderedDict[int, Vectors] = OrderedDict()
        self._near_bytes = 0
        for path in sorted(folder.glob("*.json")):
            self._list(path)

    def of(self, rows: Rows) -> list[Vectors]:
        """The tokens of these documents, unit rows to the precision of float16; none for one without words."""
        asked = rows.tolist()
        found = {row: self._known(row) for row in dict.fromkeys(asked)}
        missing = [row for row, tokens in found.items() if tokens is None]
        if missing:
            found |= self._made(missing)
        out = [found[row] for row in asked]
        return [tokens for tokens in out if tokens is not None]

    def _known(self, row: int) -> Vectors | None:
        if row in self._near:
            self._near.move_to_end(row)
            return self._near[row]
        place = self._place_of.get(row)
        halves = self._read(place) if place else None
        return None if halves is None else self._remembered(row, halves)

    def _remembered(self, row: int, halves: Halves) -> Vectors:
        tokens: Vectors = halves.astype(np.float32)
        self._near[row] = tokens
        self._near_bytes += tokens.nbytes
        while self._near_bytes > KEPT_BYTES and len(self._near) > 1:
            _, oldest = self._near.popitem(last=False)
            self._near_bytes -= oldest.nbytes
        return tokens

    def _made(self, rows: list[int]) -> dict[int, Vectors | None]:
        """Embedded now and kept. They pass through float16 at once, so that the second time gives the same."""
        halves = [tokens.astype(np.float16) for tokens in self._embed(self._texts_of(rows))]
        width = max((tokens.shape[1] for tokens in halves if len(tokens)), default=1)
        together = np.concatenate([tokens.reshape(-1, width) for tokens in halves])
        name = content_hash([*map(str, rows)])
        counts = [len(tokens) for tokens in halves]
        with written_aside(self._folder / f"{name}.npy") as file:
            np.save(file, together)
        with written_aside(self._folder / f"{name}.json") as file:
            file.write(json.dumps({"rows": rows, "counts": counts}).encode())
        self._list(self._folder / f"{name}.json")
        return {row: self._remembered(row, tokens) for row, tokens in zip(rows, halves, strict=True)}

    def _list(self, path: Path) -> None:
        """Which documents a file holds. A damaged list is as none: its documents are embedded again."""
        try:
            about = json.loads(path.read_text("utf-8"))
            rows, counts = [int(row) for row in about["rows"]], [int(n) for n in about["counts"]]
        except (OSError, ValueError, TypeError, KeyError):
            return
        bounds = pairwise(accumulate(counts, initial=0))
        self._place_of |= {row: _Place(path.stem, *ends) for row, ends in zip(rows, bounds, strict=False)}

    def _read(self, place: _Place) -> Halves | None:
        path = self._folder / f"{place.name}.npy"
        try:
            halves = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if halves.ndim != 2 or halves.dtype != np.float16 or len(halves) < place.end:
            with suppress(OSError):
                path.unlink()
            return None
        return np.array(halves[place.start : place.end])
