"""What LitQEval's authors published: read, kept, and gone with its topic."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.explore.reproduction import BESIDE_REVIEW, PUBLISHED_REGIONS
from core.explore.studies import study_thresholds
from core.settings import EvaluationSettings
from data.demo.loading import bring_litqeval
from data.explore.studies import (
    load_published_curves,
    load_published_scores,
    save_published_curves,
    save_published_scores,
)
from data.explore.workspace import Workspace
from data.library.filing import delete_topic
from data.library.litqeval import PUBLISHED_FILES, read_published
from tests.core.published import Published, rows_of
from tests.data.collections import SOUPS, write_litqeval, write_workbook

HEAD: list[Any] = [None, "Query", "Recall"]
HEAD += [
    f"{region} {what}" for region in ("Cosine", "Cluster", "MVEE", "Hull") for what in ("Precision", "Relevant", "F2")
]
NUMBERS: list[Any] = [0.5, 5, 0.4, 0.3, 3, 0.2, 0.2, 2, 0.1, 0.1, 1, 0.05]
PAIR: list[list[Any]] = [
    ["Predicted", "soup OR broth", 0.9, *NUMBERS],
    ["Baseline", SOUPS, 0.6, *NUMBERS],
]
CURVE = "topic,threshold,n_core,n_pubs,n_total,f2_minmax,total_core\n"
POINTS = [(0.2, 2, 8, 10, 0.4, 3), (0.4, 2, 3, 10, 0.9, 3), (0.6, 0, 0, 10, "", 3)]


def curve_lines(topic: str = SOUPS, points: list[Any] = POINTS) -> str:
    return "".join(f"{topic},{','.join(map(str, point))}\n" for point in points)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection with all three files."""
    root = write_litqeval(tmp_path / "collection")
    write_workbook(root / "results.xlsx", [HEAD, *PAIR])
    write_workbook(root / "slr_results.xlsx", [HEAD, *PAIR])
    (root / "published_threshold_curves.csv").write_text(CURVE + curve_lines(), "utf-8")
    return root


def test_a_pair_of_rows_is_named_by_its_baseline(folder: Path) -> None:
    numbers = read_published(folder, [SOUPS])
    assert numbers.files == PUBLISHED_FILES
    labels = ("predicted", "baseline", "slr", BESIDE_REVIEW)
    assert [(s.label, s.region) for s in numbers.scores] == [(k, r) for k in labels for r in PUBLISHED_REGIONS]
    first, hull = numbers.scores[0], numbers.scores[3]
    assert (first.topic_id, first.text, first.recall) == (SOUPS, "soup OR broth", 0.9)
    assert (hull.semantic_precision, hull.n_relevant, hull.f_beta) == (0.1, 1, 0.05)
    (published,) = numbers.curves
    assert published.curve.n_relevant.tolist() == [8, 3, 0]
    assert (published.curve.n_retrieved, published.curve.n_scorable, published.curve.n_core) == (10, 8, 3)
    assert math.isnan(published.scores[2])
    assert len(numbers.notes) == 1
    assert "recall of 1 topics counts" in numbers.notes[0]


@pytest.mark.parametrize("above", [True, False], ids=["beside data", "in data"])
def test_the_files_are_found_beside_the_collection_or_in_its_data(folder: Path, tmp_path: Path, above: bool) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    folder.rename(outer / "data")
    if above:
        for name in PUBLISHED_FILES:
            (outer / "data" / name).rename(outer / name)
    assert len(read_published(outer / "data", [SOUPS]).files) == 3


def test_files_in_a_folder_above_that_is_not_the_collections_are_left_alone(folder: Path) -> None:
    (folder / "results.xlsx").rename(folder.parent / "results.xlsx")
    assert "results.xlsx" not in read_published(folder, [SOUPS]).files


@pytest.mark.parametrize(
    ("rows", "n_scores", "note"),
    [
        ([HEAD, PAIR[0]], 0, "without the baseline"),
        ([HEAD, PAIR[0], *PAIR], 8, "without the baseline"),
        ([HEAD, *PAIR, *PAIR], 8, "repeated scores"),
        ([HEAD, ["Baseline", "Stews", 0.1, *NUMBERS], *PAIR], 8, "in the collection"),
        ([HEAD, ["Other", "x", 0.1, *NUMBERS], *PAIR], 8, "neither Predicted nor Baseline"),
        ([HEAD, ["Baseline", SOUPS, 0.6, None, *NUMBERS[1:]]], 3, "invalid cell"),
        ([HEAD, ["Baseline", SOUPS, 0.6, "many", *NUMBERS[1:]]], 3, "invalid cell"),
        ([HEAD, ["Baseline", SOUPS, None, *NUMBERS]], 0, "invalid cell"),
        ([HEAD, ["Baseline", SOUPS, 0.6, 7.0, *NUMBERS[1:]]], 3, "invalid cell"),
        ([HEAD[:-1], PAIR[1][:-1]], 3, "no column Hull F2"),
        ([["a", "b"], [1, 2]], 0, "no column Query, Recall"),
        ([], 0, "no column Query"),
    ],
)
def test_what_a_table_lacks_is_left_out_and_noted(folder: Path, rows: list[Any], n_scores: int, note: str) -> None:
    (folder / "slr_results.xlsx").unlink()
    write_workbook(folder / "results.xlsx", rows)
    numbers = read_published(folder, [SOUPS])
    assert len(numbers.scores) == n_scores
    assert any(note in said for said in numbers.notes), numbers.notes


def test_a_renamed_sheet_or_one_that_is_not_the_first_is_found(folder: Path) -> None:
    import openpyxl

    workbook = openpyxl.load_workbook(folder / "results.xlsx")
    workbook.active.title = "Ergebnisse"
    workbook.create_sheet("About", 0).append(["Made by hand"])
    workbook.save(folder / "results.xlsx")
    workbook.close()
    assert len([s for s in read_published(folder, [SOUPS]).scores if s.label == "predicted"]) == 4


def test_damaged_files_are_notes(folder: Path) -> None:
    (folder / "results.xlsx").write_bytes(b"PK nothing")
    (folder / "published_threshold_curves.csv").write_bytes(b"\xff\xfe\x00")
    numbers = read_published(folder, [SOUPS])
    assert (len(numbers.scores), numbers.curves) == (8, ())
    assert sum("are left out" in note for note in numbers.notes) == 2


@pytest.mark.parametrize(
    ("lines", "n_points", "note"),
    [
        (curve_lines("Stews"), None, "in the collection"),
        (curve_lines(points=[*POINTS, POINTS[0]]), 3, "repeated thresholds"),
        (curve_lines(points=[*POINTS, (0.8, "", 1, 10, 0.1, 3), ("x", 1, 1, 10, 0.1, 3)]), 3, "invalid cell"),
        (curve_lines(points=[*POINTS, (0.8, 0, 0, 11, 0.1, 3)]), None, "several numbers of"),
        (curve_lines(points=[(0.2, 4, 8, 10, 0.1, 3)]), None, "more publications than"),
        (curve_lines(points=[(0.2, 0, 8, 10, 0.1, 0)]), None, "needs a core"),
        (curve_lines(points=[(0.2, 0, -8, 10, 0.1, 3)]), None, "counts of 0 or more"),
    ],
)
def test_what_is_odd_in_curves_is_noted(folder: Path, lines: str, n_points: int | None, note: str) -> None:
    (folder / "published_threshold_curves.csv").write_text(CURVE + lines, "utf-8")
    numbers = read_published(folder, [SOUPS])
    assert [len(p.curve.min_similarity) for p in numbers.curves] == ([] if n_points is None else [n_points])
    assert any(note in said for said in numbers.notes), numbers.notes


def test_numbers_come_with_the_collection_are_kept_once_and_go_with_their_topic(folder: Path, tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "ws") as workspace:
        for _ in range(2):
            intake = bring_litqeval(workspace, str(folder))
        numbers = intake.published
        assert len(load_published_scores(workspace.store)) == len(numbers.scores) == 16
        assert set(load_published_scores(workspace.store, [SOUPS])) == set(numbers.scores)
        (kept,) = load_published_curves(workspace.store)
        for name in ("min_similarity", "n_relevant", "n_accepted_core"):
            np.testing.assert_array_equal(getattr(kept.curve, name), getattr(numbers.curves[0].curve, name))
        np.testing.assert_array_equal(kept.scores, numbers.curves[0].scores)
        assert (kept.curve.n_retrieved, kept.curve.n_scorable, kept.curve.n_core) == (10, 8, 3)
        assert load_published_scores(workspace.store, ["Stews"]) == load_published_curves(workspace.store, []) == ()
        delete_topic(workspace, SOUPS)
        assert load_published_scores(workspace.store) == load_published_curves(workspace.store) == ()


def test_saving_replaces_a_topics_numbers_and_leaves_others(folder: Path, tmp_path: Path) -> None:
    numbers = read_published(folder, [SOUPS])
    with Workspace.open(tmp_path / "ws") as workspace, workspace.store.transaction():
        save_published_scores(workspace.store, numbers.scores)
        save_published_scores(workspace.store, numbers.scores[:1])
        save_published_scores(workspace.store, ())
        save_published_curves(workspace.store, numbers.curves * 1)
        save_published_curves(workspace.store, ())
        assert load_published_scores(workspace.store) == numbers.scores[:1]
        assert len(load_published_curves(workspace.store)) == 1


@pytest.mark.collections
def test_the_published_files_as_they_are(collections_dir: Path) -> None:
    root = collections_dir / "litqeval"
    topics = sorted({row.topic for row in rows_of(root / "results.xlsx")})
    numbers = read_published(root / "data", topics)
    assert (numbers.files, len(numbers.scores), len(numbers.curves)) == (PUBLISHED_FILES, 42 * 4 + 14 * 4, 21)
    assert [note.split(":")[0] for note in numbers.notes] == ["slr_results.xlsx"]
    labels = {"Predicted": "predicted", "Baseline": "baseline"}
    by_name = {(s.topic_id, s.label, s.region): s for s in numbers.scores}
    regions = {"cosine": "cosine", "cluster": "cluster", "ellipsoid": "mvee", "hull": "hull"}
    for row in Published(root).results:
        for theirs in row.scores:
            ours = by_name[row.topic, labels[row.origin], regions[theirs.method]]
            assert (ours.semantic_precision, ours.n_relevant, ours.f_beta) == theirs[1:]
            assert ours.recall == row.recall


@pytest.mark.collections
def test_the_best_thresholds_of_the_published_curves(collections_dir: Path, tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        published = load_published_curves(workspace.store)
    curves = [p.curve for p in published]
    study = study_thresholds(curves, score="source", settings=EvaluationSettings())
    for topic, theirs in zip(study.topics, published, strict=True):
        np.testing.assert_allclose(topic.scores, theirs.scores, rtol=0, atol=1e-12)
    assert round(study.mean_of_best or 0, 5) == 0.68946
    ours = study_thresholds(curves, score="ours", settings=EvaluationSettings())
    assert round(ours.mean_of_best or 0, 3) == 0.631
    # one threshold for all is not the mean of the best ones
    assert (round(study.single or 0, 3), round(ours.single or 0, 3)) == (0.639, 0.636)
    assert (study.mean_score_at(study.single or 0) or 0) > (study.mean_score_at(0.69) or 1)
