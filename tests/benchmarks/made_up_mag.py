"""A made-up knowledge base of MAG's shape, in the files that STaRK publishes."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.data.stark_files import write_tensor

AUTHORS, INSTITUTIONS, FIELDS, PAPERS = 1_104_554, 8_701, 59_469, 700_244
RELATIONS = (1_000_000, 4_850_000, 7_250_000, 6_750_000)
N_WORDS = 30_000
ABSTRACT = 120
"""Words, about 900 characters."""
POOL = 20_000
"""Sentences that abstracts are put together from: making 84 million words one by one would take minutes."""
Counts = tuple[int, int, int, int]


def _skewed(rng: np.random.Generator, n: int, size: int, steepness: float) -> npt.NDArray[np.int64]:
    """Some of `n`, a few of them very often."""
    shares = np.cumsum(1 / np.arange(1, n + 1) ** steepness)
    places = np.searchsorted(shares / shares[-1], rng.random(size))
    found: npt.NDArray[np.int64] = rng.permutation(n)[np.minimum(places, n - 1)]
    return found


def relations(rng: np.random.Generator, n: Counts, sizes: Counts) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """`edge_index` and `edge_types`."""
    authors, institutions, fields, papers = n
    institution, field = authors, authors + institutions
    paper = field + fields
    ends = [
        (rng.integers(0, authors, sizes[0]), institution + _skewed(rng, institutions, sizes[0], 1.0)),
        (paper + _skewed(rng, papers, sizes[1], 0.4), paper + _skewed(rng, papers, sizes[1], 0.6)),
        (paper + rng.integers(0, papers, sizes[2]), field + _skewed(rng, fields, sizes[2], 0.9)),
        (_skewed(rng, authors, sizes[3], 0.5), paper + rng.integers(0, papers, sizes[3])),
    ]
    kinds = np.repeat(np.arange(4), sizes)
    return np.concatenate([np.stack(pair) for pair in ends], axis=1).astype(np.int64), kinds.astype(np.int64)


def _words(rng: np.random.Generator) -> list[str]:
    letters = np.array(list("aaeeiioouubcdfghklmnprstvw"))
    lengths = rng.integers(4, 11, N_WORDS)
    drawn = letters[rng.integers(0, len(letters), (N_WORDS, 10))]
    return ["".join(row[:length]) for row, length in zip(drawn, lengths, strict=True)]


def _phrases(rng: np.random.Generator, words: list[str], n: int, length: int) -> list[str]:
    drawn = np.minimum((rng.random((n, length)) ** 2 * len(words)).astype(int), len(words) - 1)
    return [" ".join(words[place] for place in row) for row in drawn.tolist()]


def _named(n: int, names: list[str], kind: str, rng: np.random.Generator, start: int) -> list[dict[str, Any]]:
    counts = rng.integers(1, 5_000, (n, 3)).tolist()
    return [
        {
            "id": start + place,
            "mag_id": 2_000_000_000 + start + place,
            "Rank": float(count[2]),
            "NormalizedName": name.lower(),
            "DisplayName": name,
            "PaperCount": count[0],
            "CitationCount": count[1],
            "CreatedDate": "2016-06-24",
            "type": kind,
        }
        for place, (name, count) in enumerate(zip(names, counts, strict=True))
    ]


def _papers(n: int, words: list[str], rng: np.random.Generator, start: int) -> list[dict[str, Any]]:
    titles, venues = _phrases(rng, words, n, 9), _phrases(rng, words, 500, 4)
    pool = _phrases(rng, words, POOL, 8)
    chosen = rng.integers(0, POOL, (n, ABSTRACT // 8)).tolist()
    numbers = rng.integers(0, 500, (n, 3)).tolist()
    return [
        {
            "id": start + place,
            "mag_id": 2_100_000_000 + start + place,
            "Rank": float(20_000 + drawn[0]),
            "title": title,
            "abstract": ". ".join(pool[row] for row in rows) + ".",
            "Year": 1970 + drawn[0] % 50,
            "Date": f"{1970 + drawn[0] % 50}-01-01",
            "OriginalVenue": venues[drawn[1]],
            "JournalDisplayName": venues[drawn[1]] if drawn[2] % 3 else "-1",
            "ConferenceSeriesDisplayName": "-1",
            "PaperReferenceCount": drawn[2],
            "PaperCitationCount": drawn[1],
            "Volume": float("nan") if drawn[0] % 2 else str(drawn[0]),
            "type": "paper",
        }
        for place, (title, rows, drawn) in enumerate(zip(titles, chosen, numbers, strict=True))
    ]


def entities(rng: np.random.Generator, n: Counts) -> dict[int, dict[str, Any]]:
    """`node_info`."""
    words = _words(rng)
    listed: list[dict[str, Any]] = []
    for count, kind, length in zip(n, ("author", "institution", "field_of_study"), (2, 4, 3), strict=False):
        listed += _named(count, _phrases(rng, words, count, length), kind, rng, len(listed))
    listed += _papers(n[3], words, rng, len(listed))
    return dict(enumerate(listed))


def write(
    folder: Path, *, n: Counts = (AUTHORS, INSTITUTIONS, FIELDS, PAPERS), sizes: Counts = RELATIONS, seed: int = 0
) -> None:
    """The four files."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    index, kinds = relations(rng, n, sizes)
    write_tensor(folder / "edge_index.pt", index)
    write_tensor(folder / "edge_types.pt", kinds)
    write_tensor(folder / "node_types.pt", np.repeat(np.arange(4), n).astype(np.int64))
    gc.disable()
    with (folder / "node_info.pkl").open("wb") as file:
        pickle.dump(entities(rng, n), file)
    gc.enable()
