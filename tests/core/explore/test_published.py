"""The figures that LitQEval published, from its own tables and curves, with the functions of core."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.explore.regions.mvee import ellipsoid_around
from core.metrics import f_beta, similar_mask
from core.vectors import cosine
from tests.core.published import (
    METHODS,
    N_BELOW_015,
    N_FOUND_IN_FILES,
    Curve,
    Point,
    Published,
    fitting_counts,
    our_f2,
    rows_of,
)


@pytest.fixture
def published(collections_dir: Path) -> Published:
    return Published(collections_dir / "litqeval")


@pytest.mark.collections
def test_precision_is_relevant_of_retrieved_once_the_unseen_publications_are_counted(published):
    literal, whole = [], []
    for row in published.results:
        for score in row.scores:
            for fits, n_below in ((literal, 0), (whole, N_BELOW_015.get(row.topic, 0))):
                n_retrieved = published.n_retrieved(row, n_below)
                fits.append(round(score.n_relevant / n_retrieved, 3) == score.precision)
    assert (len(literal), sum(literal), sum(whole)) == (168, 156, 168)


@pytest.mark.collections
def test_the_unseen_publications_are_those_that_the_collection_holds(published):
    """166 of 168 fit with what is known without fitting anything: the files, and 2,151 of the worked example."""
    known = {"Robotic Arthroplasty": 2151}
    for topic in N_FOUND_IN_FILES:
        with (published.folder / "data" / "text" / topic.replace(" ", "_") / "baseline_pubs.csv").open() as lines:
            known[topic] = len({line["id"] for line in csv.DictReader(lines)})
    misfits = []
    for row in published.results:
        total = int(published.curves[row.topic][0]["n_total"])
        baseline = known.get(row.topic, published.n_retrieved(row._replace(origin="Baseline")))
        n_retrieved = baseline if row.origin == "Baseline" else total - baseline
        misfits += [
            (row.topic, score.method)
            for score in row.scores
            if round(score.n_relevant / n_retrieved, 3) != score.precision
        ]
        if row.topic in known:
            assert (
                total - published.n_retrieved(row._replace(origin="Predicted"), N_BELOW_015.get(row.topic, 0))
                == baseline
            )
    assert misfits == [("Software Process Line", "cluster"), ("Cloud Migration", "hull")]


@pytest.mark.collections
def test_the_recall_column_is_the_accepted_core_of_the_curve_at_069(published):
    predicted = [row for row in published.results if row.origin == "Predicted"]
    for row in predicted:
        nearest = min(published.curves[row.topic], key=lambda point: abs(point["threshold"] - 0.69))
        assert published.n_accepted(row) == nearest["n_core"]
    assert len(predicted) == 21


@pytest.mark.collections
def test_f2_without_a_free_number_matches_in_all_102_rows_and_the_other_66_admit_a_core_count(published):
    fixed, free = [], []
    for row in published.results:
        n_retrieved, total = published.n_retrieved(row), published.total_core(row)
        for score in row.scores:
            if score.method == "cosine":
                n_core = published.n_accepted(row)
            else:
                n_core = None if score.method == "cluster" else published.n_found(row, score)
            if n_core is None:
                free.append((score.method, bool(fitting_counts(score, n_retrieved, total))))
            else:
                ours = round(our_f2(score.n_relevant, n_retrieved, n_core, total), 2)
                fixed.append((score.method, ours == score.f2))
    assert all(fits for _, fits in fixed + free)
    kinds = [[method for method, _ in part] for part in (fixed, free)]
    assert [{m: kind.count(m) for m in METHODS} for kind in kinds] == [
        {"cosine": 42, "cluster": 0, "ellipsoid": 30, "hull": 30},
        {"cosine": 0, "cluster": 42, "ellipsoid": 12, "hull": 12},
    ]


@pytest.mark.collections
def test_where_the_found_core_is_unknown_ellipsoid_and_hull_agree_on_one_count(published):
    """More than any count will do: both rows need the same one, and no fewer than cosine has inside."""
    admitted = {}
    for row in published.results:
        _, _, ellipsoid, hull = row.scores
        if published.n_found(row, hull) is None:
            n_retrieved, total = published.n_retrieved(row), published.total_core(row)
            both = fitting_counts(ellipsoid, n_retrieved, total) & fitting_counts(hull, n_retrieved, total)
            admitted[row.topic] = {m for m in both if m >= published.n_accepted(row)}
    assert len(admitted) == 12
    assert {len(counts) for counts in admitted.values()} == {1}


@pytest.mark.collections
def test_the_review_table_matches_for_cosine_in_14_of_14(published):
    """Retrieved is known from results.xlsx or a file; else one number must fit all four precisions and the F2."""
    in_files = {
        "Business Process Meta Models": 1266,
        "Software Process Line": 101,
        "Multicore Performance Prediction": 54,
    }
    known, searched = [], []
    for row in rows_of(published.folder / "slr_results.xlsx"):
        total = published.total_core(row)
        (n_accepted,) = [m for m in range(total + 1) if round(m / total, 2) == row.recall]
        cosine_score = row.scores[0]
        if row.origin == "Baseline":
            sizes = [published.n_retrieved(row, N_BELOW_015.get(row.topic, 0))]
        elif row.topic in in_files:
            sizes = [in_files[row.topic]]
        else:
            sizes = [n for n in range(1, 40_000) if all(round(s.n_relevant / n, 2) == s.precision for s in row.scores)]
        fits = any(round(our_f2(cosine_score.n_relevant, n, n_accepted, total), 2) == cosine_score.f2 for n in sizes)
        (known if len(sizes) == 1 else searched).append(fits)
    assert (len(known), len(searched)) == (10, 4)
    assert sum(known) + sum(searched) == 14


@pytest.mark.collections
def test_the_published_curves_are_inverse_precision_and_recall_scaled_over_all_topics(published):
    points = [point for curve in published.curves.values() for point in curve]
    ours = np.array(
        [
            f_beta(p["n_total"] / p["n_pubs"], p["n_core"] / p["total_core"], beta=2) if p["n_pubs"] else math.nan
            for p in points
        ]
    )
    theirs = np.array([p["f2_minmax"] for p in points])
    finite = np.isfinite(theirs)
    assert (len(published.curves), len(points), int(finite.sum())) == (21, 6300, 5308)
    np.testing.assert_array_equal(np.isfinite(ours), finite)
    low, high = ours[finite].min(), ours[finite].max()
    np.testing.assert_allclose((ours[finite] - low) / (high - low), theirs[finite], rtol=0, atol=1e-12)


def best_thresholds(curves: dict[str, Curve], score: Callable[[Point, Point], float]) -> tuple[float, float]:
    """Mean over topics of the loosest and of the strictest threshold with the highest score."""
    loosest, strictest = [], []
    for curve in curves.values():
        scores = [score(curve[0], point) for point in curve]
        tied = [p["threshold"] for p, s in zip(curve, scores, strict=True) if s == np.nanmax(scores)]
        loosest.append(tied[0])
        strictest.append(tied[-1])
    return float(np.mean(loosest)), float(np.mean(strictest))


@pytest.mark.collections
def test_the_published_threshold_is_the_mean_of_the_topics_best(published):
    """The source takes the first of equal maxima, the loosest threshold."""
    loosest, strictest = best_thresholds(published.curves, lambda _, point: point["f2_minmax"])
    assert (round(loosest, 5), round(strictest, 5)) == (0.68946, 0.68959)


@pytest.mark.collections
def test_with_decay_the_best_thresholds_average_far_below_069(published):
    """No topic's maximum is tied, so the choice among equals does not matter."""
    loosest, strictest = best_thresholds(
        published.curves,
        lambda first, p: our_f2(int(p["n_pubs"]), first["n_pubs"], p["n_core"], int(p["total_core"])),
    )
    assert loosest == strictest
    assert round(loosest, 3) == 0.631


def test_the_toy_of_the_first_figures():
    np.random.seed(0)  # noqa: NPY002 - the source's own draw
    pubs, core = np.random.rand(200, 2), np.random.rand(10, 2) * 0.55 + 0.4  # noqa: NPY002
    assert int(ellipsoid_around(core).contains(pubs).sum()) == 50

    # The source averages raw rows and only then takes cosines; `centroid` would average unit rows (95 of 200).
    middle = core.mean(axis=0)

    def similarity(rows):
        return cosine(rows, middle / np.linalg.norm(middle)) / np.linalg.norm(rows, axis=1)

    min_similarity = float(similarity(core).min())
    assert round(min_similarity, 6) == 0.946089
    assert int(similar_mask(similarity(pubs), min_similarity).sum()) == 96
