"""Published numbers beside ours: what is known is compared, what is not is searched for, and nothing is fitted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.explore.reproduction import (
    BESIDE_REVIEW,
    PUBLISHED_REGIONS,
    ListCounts,
    PublishedCurve,
    PublishedRegion,
    PublishedScore,
    ReproducedNumber,
    compare_number,
    count_results,
    litqeval_numbers,
)
from core.explore.studies import ThresholdCurve, scores_of_source
from core.metrics import decay, f_beta
from core.settings import EvaluationSettings

TEA = "Tea"
SETTINGS = EvaluationSettings()
N_CORE, N_PREDICTED, N_TOTAL = 20, 900, 1_200
N_BASELINE = N_TOTAL - N_PREDICTED
N_FOUND_PREDICTED, N_INSIDE_PREDICTED = 18, 15
LISTS = {(TEA, "baseline"): ListCounts(N_BASELINE, 12)}


def curve(n_unseen: int = 0) -> PublishedCurve:
    """Everything at 0.15, less at 0.69, nothing at 1."""
    found = ThresholdCurve(
        TEA,
        np.array([0.15, 0.69, 1.0]),
        np.array([N_PREDICTED - n_unseen, 300, 0]),
        np.array([N_FOUND_PREDICTED, N_INSIDE_PREDICTED, 0]),
        n_retrieved=N_TOTAL,
        n_scorable=N_PREDICTED - n_unseen,
        n_core=N_CORE,
    )
    return PublishedCurve(found, scores_of_source([found], SETTINGS)[0])


def f2(n_relevant: int, n_retrieved: int, n_counted: int) -> float:
    price = decay(n_relevant, **SETTINGS.decay_curve)
    return f_beta(n_relevant / n_retrieved * price, n_counted / N_CORE, beta=2)


def scores(
    label: str, n_retrieved: int, n_inside: int, n_found: int, n_in_cluster: int = 9, decimals: int = 3
) -> list[PublishedScore]:
    """What the published code would print of a search, relevant publications growing by region."""
    counted = {"cosine": n_inside, "cluster": n_in_cluster, "mvee": n_found, "hull": n_found}
    return [
        PublishedScore(
            TEA,
            label,
            "tea",
            round(n_inside / N_CORE, decimals),
            region,
            round(n_relevant / n_retrieved, decimals),
            n_relevant,
            round(f2(n_relevant, n_retrieved, counted[region]), 2),
        )
        for region, n_relevant in zip(PUBLISHED_REGIONS, range(57, 250, 50), strict=False)
    ]


def published() -> list[PublishedScore]:
    return [
        *scores("predicted", N_PREDICTED, N_INSIDE_PREDICTED, N_FOUND_PREDICTED),
        *scores("baseline", N_BASELINE, 10, 12),
    ]


def of(numbers: tuple[ReproducedNumber, ...], number: str, label: str, region: str = "") -> ReproducedNumber:
    (found,) = [n for n in numbers if (n.number, n.part, n.region) == (number, label, region)]
    return found


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_number_is_equal_exactly_if_it_is_printed_alike(ours: float, decimals: int) -> None:
    step = 10.0**-decimals
    for shift in (0, step, -step):
        shown = round(round(ours, decimals) + shift, decimals)
        found = compare_number("g", "s", "n", published=shown, decimals=decimals, ours=ours, reason="why")
        assert (found.result == "equal") == (shown == round(ours, decimals))
        assert (found.note == "why") == (found.result == "different")


def test_what_is_known_is_equal_and_only_the_cluster_needs_a_count_that_was_not_published() -> None:
    numbers = litqeval_numbers(published(), [curve()], LISTS)
    f2s = [n for n in numbers if n.number == "F2"]
    assert {(n.region, n.result) for n in f2s} == {
        ("cosine", "equal"),
        ("mvee", "equal"),
        ("hull", "equal"),
        ("cluster", "possible"),
    }
    assert {n.ours for n in f2s if n.result == "possible"} == {None}, "never fitted"
    assert all(n.result == "equal" for n in numbers if n.number == "Semantic precision")


@given(st.sampled_from([("predicted", "cosine"), ("baseline", "mvee"), ("baseline", "hull")]), st.booleans())
def test_a_changed_f2_is_different_and_the_note_has_what_it_would_need(
    which: tuple[str, PublishedRegion], upwards: bool
) -> None:
    wrong = [
        replace(s, f_beta=round(s.f_beta + (0.02 if upwards else -0.02), 2)) if (s.label, s.region) == which else s
        for s in published()
    ]
    found = of(litqeval_numbers(wrong, [curve()], LISTS), "F2", *which)
    assert found.result == "different"
    assert found.ours is not None
    assert found.note


def test_a_cluster_that_no_core_count_explains_is_different() -> None:
    wrong = [replace(s, f_beta=0.99) if s.region == "cluster" else s for s in published()]
    found = of(litqeval_numbers(wrong, [curve()], LISTS), "F2", "baseline", "cluster")
    assert (found.result, found.ours) == ("different", None)


def test_without_its_list_a_baseline_shares_one_unpublished_count_between_ellipsoid_and_hull() -> None:
    numbers = litqeval_numbers(published(), [curve()], {})
    ellipsoid, hull = (of(numbers, "F2", "baseline", region) for region in ("mvee", "hull"))
    assert (ellipsoid.result, hull.result) == ("possible", "possible")
    assert "12 of 20 core" in ellipsoid.note
    wrong = [
        replace(s, f_beta=round(f2(s.n_relevant, N_BASELINE, 17), 2)) if s.region == "hull" else s for s in published()
    ]
    changed = litqeval_numbers(wrong, [curve()], {})
    assert {of(changed, "F2", "baseline", region).result for region in ("mvee", "hull")} == {"different"}


def test_publications_below_the_curve_are_counted_from_the_list_or_named_as_possible() -> None:
    with_list = litqeval_numbers(published(), [curve(n_unseen=7)], LISTS)
    without = litqeval_numbers(published(), [curve(n_unseen=7)], {})
    assert {n.result for n in with_list if n.number == "Semantic precision"} == {"equal"}
    unlike = [n for n in without if n.number == "Semantic precision" and n.result != "equal"]
    assert unlike
    assert {n.result for n in unlike} == {"possible"}
    assert any("300" in n.note for n in unlike if n.part == "baseline")


def test_a_precision_that_no_size_explains_is_different() -> None:
    wrong = [replace(s, semantic_precision=0.9) if s.region == "hull" else s for s in published()]
    found = of(litqeval_numbers(wrong, [curve()], {}), "Semantic precision", "baseline", "hull")
    assert (found.result, found.ours) == ("different", 207 / N_BASELINE)


def test_a_review_without_a_list_is_possible_with_the_sizes_that_fit_all_its_precisions() -> None:
    review = scores("slr", 333, 10, 12, decimals=2)
    numbers = litqeval_numbers([*published(), *review], [curve()], LISTS)
    found = of(numbers, "F2", "slr", "cosine")
    assert (found.result, found.ours) == ("possible", None)
    assert "10 of 20 core" in found.note
    known = litqeval_numbers([*published(), *review], [curve()], LISTS | {(TEA, "slr"): ListCounts(333, 12)})
    assert of(known, "F2", "slr", "cosine").result == "equal"
    impossible = [replace(s, semantic_precision=0.9) if s.region == "cosine" else s for s in review]
    broken = litqeval_numbers([*published(), *impossible], [curve()], LISTS)
    assert of(broken, "F2", "slr", "cosine").result == "different"


def test_a_size_that_alone_fits_is_still_not_a_known_one() -> None:
    """Three decimals leave one size of a small list."""
    review = [
        replace(s, n_relevant=n, semantic_precision=round(n / 37, 2))
        for s, n in zip(scores("slr", 37, 10, 12, decimals=2), (36, 25, 18, 11), strict=True)
    ]
    review = [replace(s, f_beta=round(f2(s.n_relevant, 37, 10), 2)) for s in review]
    found = [n for n in litqeval_numbers([*published(), *review], [curve()], LISTS) if n.part == "slr"]
    assert {n.ours for n in found} == {None}
    assert of(tuple(found), "Semantic precision", "slr", "cosine").note == "equal with 37 retrieved (not published)"


def test_recall_of_a_list_is_core_found_and_differs_with_its_reason_from_core_inside_the_region() -> None:
    numbers = litqeval_numbers(published(), [curve()], LISTS)
    generated, baseline = (of(numbers, "Recall", label) for label in ("predicted", "baseline"))
    assert (generated.result, generated.ours) == ("equal", N_INSIDE_PREDICTED / N_CORE)
    assert (baseline.result, baseline.ours) == ("different", 12 / N_CORE)
    assert "cosine region (10)" in baseline.note
    assert of(litqeval_numbers(published(), [curve()], {}), "Recall", "baseline").result == "not measured here"


def test_without_a_curve_nothing_is_equal_however_well_it_fits() -> None:
    numbers = [n for n in litqeval_numbers(published(), [], {}) if n.subject == TEA]
    assert {(n.number, n.result) for n in numbers} == {
        ("F2", "not measured here"),
        ("Recall", "not measured here"),
        ("Semantic precision", "possible"),
    }
    assert {n.ours for n in numbers} == {None}
    assert all("published_threshold_curves.csv" in n.note for n in numbers if n.result == "not measured here")


def test_a_curve_with_another_score_is_different() -> None:
    theirs = curve()
    moved = replace(theirs, scores=theirs.scores + np.array([0, 1e-9, 0]))
    unlike = replace(theirs, scores=np.array([theirs.scores[0], np.nan, np.nan]))
    results = [
        next(n for n in litqeval_numbers([], [each], {}) if n.subject == TEA and n.group.startswith("Threshold"))
        for each in (theirs, moved, unlike)
    ]
    assert [n.result for n in results] == ["equal", "different", "different"]
    assert [n.ours for n in results] == [2, 1, 0]


def test_toy_and_decay_need_no_collection() -> None:
    numbers = litqeval_numbers([], [], {})
    toy, decay = count_results(numbers).items()
    assert (toy[0].split()[0], toy[1]) == ("Toy", {"equal": 3})
    assert decay == ("Decay", {"equal": 6, "different": 1})
    (beyond,) = [n for n in numbers if n.result == "different"]
    assert (beyond.published, beyond.ours) == (417.6, 0.0)


def test_a_baseline_beside_a_review_is_counted_from_the_baselines_own_list() -> None:
    beside = scores(BESIDE_REVIEW, N_BASELINE, 10, 12, decimals=2)
    numbers = litqeval_numbers([*published(), *beside], [curve()], LISTS)
    results = Counter(n.result for n in numbers if n.part == BESIDE_REVIEW and n.number == "F2")
    assert results == {"equal": 3, "possible": 1}


def test_where_nothing_is_relevant_f2_is_0_whatever_was_found() -> None:
    none = [
        replace(s, n_relevant=0, semantic_precision=0.0, f_beta=0.0) if s.region in ("mvee", "hull") else s
        for s in published()
    ]
    numbers = litqeval_numbers(none, [curve()], {})
    assert {of(numbers, "F2", "baseline", region).result for region in ("mvee", "hull")} == {"equal"}
