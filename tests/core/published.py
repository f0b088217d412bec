"""LitQEval's published tables and curves, and what follows from them without looking at a score."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import openpyxl

from core.metrics import decay, f_beta
from core.settings import EvaluationSettings

Point = dict[str, float]
Curve = list[Point]

SETTINGS = EvaluationSettings()
METHODS = ("cosine", "cluster", "ellipsoid", "hull")
# In the curves a publication below 0.15 is invisible: this many of "Predicted" are, wherever any are.
N_BELOW_015 = {
    "Robotic Arthroplasty": 2,
    "Tourism Growth Nexus": 33,
    "Software Process Line": 1,
    "Business Process Meta Models": 6,
    "Multicore Performance Prediction": 2,
    "Cloud Migration": 2,
}
# Found core of the baselines whose publications are in the collection.
N_FOUND_IN_FILES = {
    "Tourism Growth Nexus": 2,
    "Nanopharmaceuticals OR Nanonutraceuticals": 0,
    "Green Warehousing": 6,
    "Business Process Meta Models": 8,
    "Multicore Performance Prediction": 0,
}


class Score(NamedTuple):
    """What a table says about one query under one method."""

    method: str
    precision: float
    n_relevant: int
    f2: float


class Row(NamedTuple):
    """One line of results.xlsx or slr_results.xlsx."""

    topic: str
    origin: str
    query: str
    recall: float
    scores: tuple[Score, ...]


def rows_of(path: Path) -> list[Row]:
    lines = list(openpyxl.load_workbook(path).active.iter_rows(min_row=2, values_only=True))
    topics = [baseline[1] for baseline in lines[1::2] for _ in range(2)]
    return [
        Row(
            topic,
            line[0],
            line[1],
            line[2],
            tuple(Score(m, *line[3 * j + 3 : 3 * j + 6]) for j, m in enumerate(METHODS)),
        )
        for topic, line in zip(topics, lines, strict=True)
    ]


def our_f2(n_relevant: int, n_retrieved: float, n_core: float, total_core: int) -> float:
    price = decay(
        n_relevant, limit=SETTINGS.decay_limit, onset=SETTINGS.decay_onset, steepness=SETTINGS.decay_steepness
    )
    return f_beta(n_relevant / n_retrieved * price, n_core / total_core, beta=2)


def fitting_counts(score: Score, n_retrieved: int, total_core: int) -> set[int]:
    """The core counts with which the formula gives the published F2."""
    counts = range(total_core + 1)
    return {m for m in counts if round(our_f2(score.n_relevant, n_retrieved, m, total_core), 2) == score.f2}


class Published:
    """The tables and the curves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.curves: dict[str, Curve] = {}
        with (folder / "published_threshold_curves.csv").open(newline="") as lines:
            for line in csv.DictReader(lines):
                point = {name: float(value or "nan") for name, value in line.items() if name != "topic"}
                self.curves.setdefault(line["topic"], []).append(point)
        self.results = rows_of(folder / "results.xlsx")

    def n_retrieved(self, row: Row, n_below: int = 0) -> int:
        first = self.curves[row.topic][0]
        assert first["threshold"] == 0.15
        predicted = int(first["n_pubs"]) + n_below
        return predicted if row.origin == "Predicted" else int(first["n_total"]) - predicted

    def total_core(self, row: Row) -> int:
        return int(self.curves[row.topic][0]["total_core"])

    def n_accepted(self, row: Row) -> int:
        """The recall column is that of the cosine region: accepted core / all core."""
        n = round(row.recall * self.total_core(row))
        assert round(n / self.total_core(row), 3) == row.recall
        return n

    def n_found(self, row: Row, score: Score) -> int | None:
        """Found core publications, if something other than the score tells; 0 stands for any where F2 is 0 anyway."""
        on_curve = int(self.curves[row.topic][0]["n_core"])
        if row.origin == "Predicted":
            return on_curve
        if row.topic in N_FOUND_IN_FILES:
            return N_FOUND_IN_FILES[row.topic]
        (predicted,) = [r for r in self.results if (r.topic, r.origin) == (row.topic, "Predicted")]
        if f"({row.query.lower()})" in predicted.query and self.n_accepted(row) == on_curve:
            return on_curve  # between what it has inside and what the wider query finds there is no room
        return 0 if score.n_relevant == 0 else None
