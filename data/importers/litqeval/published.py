"""What LitQEval's authors published beside their collection, as far as it lies there.

    results.xlsx                    pairs of rows: the generated search, then the baseline, whose text names the topic
    slr_results.xlsx                the same with the review's search in place of the generated one
    published_threshold_curves.csv  topic, threshold, n_core, n_pubs, n_total, f2_minmax, total_core

Every file is optional, and nothing in one is an error: what can't be used is left out and counted in the notes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FileError, FormatError, InputError
from core.studies.core_sets import ThresholdCurve
from core.types import Ids
from data.importers.litqeval.files import (
    Row,
    Table,
    cell_text,
    read_comma_separated,
    read_workbook,
    whole_number,
)
from data.importers.litqeval.outline import folder_name
from data.studies.published import BESIDE_REVIEW, PublishedCurve, PublishedRegion, PublishedScore

RESULTS_FILE, REVIEW_FILE, CURVES_FILE = "results.xlsx", "slr_results.xlsx", "published_threshold_curves.csv"
PUBLISHED_FILES = (RESULTS_FILE, REVIEW_FILE, CURVES_FILE)
COLUMNS_OF: Mapping[PublishedRegion, str] = {"cosine": "Cosine", "cluster": "Cluster", "mvee": "MVEE", "hull": "Hull"}
LABELS_OF = {RESULTS_FILE: ("predicted", "baseline"), REVIEW_FILE: ("slr", BESIDE_REVIEW)}
"""What the row called "Predicted" and the one called "Baseline" are here."""
ORIGIN_COLUMNS = ("", "unnamed: 0", "origin", "version", "search")
MOST_POINTS = 500_000
"""Lines of curves that are read; 21 topics have 6,300."""


@dataclass(frozen=True, slots=True)
class PublishedNumbers:
    """Everything that could be read."""

    scores: tuple[PublishedScore, ...] = ()
    curves: tuple[PublishedCurve, ...] = ()
    files: Ids = ()
    """Names of the files that were there."""
    notes: Ids = ()


def read_published(folder: Path, topics: Iterable[str]) -> PublishedNumbers:
    """What was published of these topics. `folder`: where core_publications.xlsx lies."""
    names = {folder_name(topic): topic for topic in topics}
    places = (folder, folder / "data", *((folder.parent,) if folder.resolve().name == "data" else ()))
    paths = {name: path for name in PUBLISHED_FILES if (path := _first_there(places, name)) is not None}
    notes: list[str] = []
    scores: list[PublishedScore] = []
    curves: tuple[PublishedCurve, ...] = ()
    for name, path in paths.items():
        try:
            if name == CURVES_FILE:
                curves = _read_curves(path, names, notes)
            else:
                scores += _read_scores(path, name, names, notes)
        except (FormatError, FileError) as e:
            notes.append(f"{e}; its numbers are left out")
    return PublishedNumbers(tuple(scores), curves, tuple(paths), tuple(notes))


def _first_there(places: Sequence[Path], name: str) -> Path | None:
    return next((place / name for place in places if (place / name).is_file()), None)


# Scores


def _read_scores(path: Path, name: str, names: Mapping[str, str], notes: list[str]) -> list[PublishedScore]:
    numbers = [f"{column} {what}" for column in COLUMNS_OF.values() for what in ("Precision", "Relevant", "F2")]
    table = read_workbook(path, name, ("Query", "Recall"), numbers)
    notes += table.notes
    left_out: Counter[str] = Counter()
    scores: dict[tuple[str, str, str], PublishedScore] = {}
    for topic_id, label, row in _named_rows(table, LABELS_OF[name], names, left_out):
        for score in _scores_of(row, topic_id, label, left_out):
            if (score.topic_id, score.label, score.region) in scores:
                left_out["repeated scores, the first taken"] += 1
            else:
                scores[score.topic_id, score.label, score.region] = score
    notes += [f"{name}: {what}: {n}" for what, n in left_out.items()]
    if name == REVIEW_FILE and scores:
        n = len({topic_id for topic_id, _, _ in scores})
        notes.append(
            f"{name}: recall of its {n} topics counts the core publications inside the cosine region, not those found: "
            "it can be lower than the recall that is computed here"
        )
    return list(scores.values())


def _named_rows(
    table: Table, labels: tuple[str, str], names: Mapping[str, str], left_out: Counter[str]
) -> Iterator[tuple[str, str, Row]]:
    """Rows with topic and label. A search's topic stands in the baseline row that follows it."""
    waiting: Row | None = None
    for row in table.rows:
        origin = next((text.lower() for column in ORIGIN_COLUMNS if (text := cell_text(row.get(column)))), "")
        if origin == "predicted":
            left_out["rows without the baseline that names their topic, left out"] += waiting is not None
            waiting = row
            continue
        if origin != "baseline":
            left_out["rows that are neither Predicted nor Baseline, left out"] += 1
            continue
        topic_id = names.get(folder_name(cell_text(row["query"])))
        if topic_id is None:
            left_out["rows of topics that the collection does not have, left out"] += 1 + (waiting is not None)
        else:
            if waiting is not None:
                yield topic_id, labels[0], waiting
            yield topic_id, labels[1], row
        waiting = None
    left_out["rows without the baseline that names their topic, left out"] += waiting is not None
    for what in [what for what, n in left_out.items() if not n]:
        del left_out[what]


def _scores_of(row: Row, topic_id: str, label: str, left_out: Counter[str]) -> Iterator[PublishedScore]:
    recall = _share(row["recall"])
    for region, column in COLUMNS_OF.items():
        precision = _share(row.get(f"{column} Precision".lower()))
        f_beta = _share(row.get(f"{column} F2".lower()))
        n_relevant = whole_number(row.get(f"{column} Relevant".lower()))
        if recall is None or precision is None or f_beta is None or n_relevant is None or n_relevant < 0:
            left_out["scores with a cell that is empty or no such number, left out"] += 1
            continue
        text = cell_text(row["query"])
        yield PublishedScore(topic_id, label, text, recall, region, precision, n_relevant, f_beta)


def _share(value: Any) -> float | None:
    """A number between 0 and 1; None if it is not one.

    >>> _share(0.5), _share("0.5"), _share(2), _share(None), _share("nan"), _share(True)
    (0.5, 0.5, None, None, None, None)
    """
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and not isinstance(value, bool) else None


# Curves


def _read_curves(path: Path, names: Mapping[str, str], notes: list[str]) -> tuple[PublishedCurve, ...]:
    needed = ("topic", "threshold", "n_core", "n_pubs", "n_total", "total_core")
    table = read_comma_separated(path, CURVES_FILE, needed, ("f2_minmax",))
    notes += table.notes
    left_out: Counter[str] = Counter()
    points: dict[str, dict[float, tuple[int, ...]]] = {}
    scores: dict[tuple[str, float], float] = {}
    for row in table.rows[:MOST_POINTS]:
        topic_id = names.get(folder_name(cell_text(row["topic"])))
        at, counts = _number(row["threshold"]), [whole_number(row[c]) for c in needed[2:]]
        if topic_id is None:
            left_out["points of topics that the collection does not have, left out"] += 1
        elif at is None or any(count is None for count in counts):
            left_out["points with a cell that is empty or no such number, left out"] += 1
        elif at in points.setdefault(topic_id, {}):
            left_out["repeated thresholds, the first taken"] += 1
        else:
            points[topic_id][at] = tuple(count for count in counts if count is not None)
            score = _number(row.get("f2_minmax"))
            scores[topic_id, at] = math.nan if score is None else score
    if len(table.rows) > MOST_POINTS:
        left_out[f"points beyond the first {MOST_POINTS:,}, left out"] = len(table.rows) - MOST_POINTS
    curves = []
    for topic_id, of_topic in points.items():
        try:
            curves.append(_curve(topic_id, of_topic, scores))
        except InputError as e:
            notes.append(f"{CURVES_FILE}: {e}; it is left out")
    notes += [f"{CURVES_FILE}: {what}: {n}" for what, n in left_out.items()]
    return tuple(curves)


def _curve(
    topic_id: str, points: Mapping[float, tuple[int, ...]], scores: Mapping[tuple[str, float], float]
) -> PublishedCurve:
    thresholds = sorted(points)
    n_accepted, n_relevant, n_retrieved, n_core = zip(*(points[at] for at in thresholds), strict=True)
    if len({*n_retrieved}) > 1 or len({*n_core}) > 1:
        raise InputError(f'the curve of "{topic_id}" names several numbers of publications')
    if max(n_relevant) > n_retrieved[0] or max(n_accepted) > n_core[0]:
        raise InputError(f'the curve of "{topic_id}" accepts more publications than there are')
    curve = ThresholdCurve(
        topic_id=topic_id,
        min_similarity=np.array(thresholds, dtype=np.float64),
        n_relevant=np.array(n_relevant, dtype=np.int64),
        n_accepted_core=np.array(n_accepted, dtype=np.int64),
        n_retrieved=n_retrieved[0],
        n_scorable=n_relevant[0],
        n_core=n_core[0],
    )
    return PublishedCurve(curve, np.array([scores[topic_id, at] for at in thresholds]))
