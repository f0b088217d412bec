"""Pictures of versions side by side: what is drawn is what was handed in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.compare import Difference, pareto_front
from core.explore.robustness import (
    ChoiceOutcome,
    OrderReversal,
    Robustness,
    SettingChoice,
    VersionOrder,
    VersionProblem,
    VersionRange,
)
from core.metrics import curve
from core.settings import EvaluationSettings
from core.stats import Interval, wilson
from core.types import RegionKind
from dashboard.explore.figures.thresholds import VersionCurve, curve_rows, thin_out, version_curves_figure
from dashboard.explore.figures.versions import (
    ParetoPoint,
    difference_rows,
    differences_figure,
    orders_figure,
    outcome_rows,
    pareto_figure,
    pareto_rows,
    spans_figure,
)
from dashboard.kit.figures import look_of
from dashboard.kit.theme import COLOURS, THEMES, Theme
from tests.dashboard.figures import NASTY


def trace(figure: go.Figure, name: str) -> Any:
    return next(t for t in figure.data if t.name == name)


def said(figure: go.Figure) -> str:
    return " ".join(str(a.text) for a in figure.layout.annotations).replace("<br>", " ")


def difference(
    value: float | None, ends: tuple[float, float] | None = None, region: RegionKind | None = "cosine"
) -> Difference:
    metric = "recall" if region is None else "f_beta"
    return Difference("a", "b", metric, region, value, Interval(*ends) if ends else None, "No difference is given: x.")


DIFFERENCES = [
    difference(0.3, (0.1, 0.5), None),
    difference(-0.2, (-0.4, -0.1)),
    difference(0.1, (-0.1, 0.2), "hull"),
    difference(0.05, None, "mvee"),
    difference(None, None, "cluster"),
]


# Differences


@pytest.mark.parametrize("theme", THEMES)
def test_clear_differences_are_filled_in_the_colour_of_who_is_ahead(theme: Theme) -> None:
    dots = trace(differences_figure(DIFFERENCES, names=("a", "b"), positions=(0, 1), theme=theme), "Difference")
    hollow = COLOURS[theme]["background"]
    assert list(dots.x) == [0.3, -0.2, 0.1, 0.05]
    assert list(dots.marker.color) == [look_of(1, theme).colour, look_of(0, theme).colour, hollow, hollow]


def test_whiskers_are_the_ranges_and_the_axis_holds_them() -> None:
    figure = differences_figure(DIFFERENCES, names=("a", "b"), positions=(0, 1), theme="light")
    whiskers = trace(figure, "Range over core sets")
    assert list(whiskers.x) == [0.1, 0.5, None, -0.4, -0.1, None, -0.1, 0.2, None]
    low, high = figure.layout.xaxis.range
    assert low == -high
    assert high > 0.5
    assert figure.layout.title.text == "2 of 4 differences are clear"


def test_the_value_belongs_to_its_range() -> None:
    assert difference(-0.01, (0.1, 0.2)).is_clear is False
    assert difference(0.0, (0.1, 0.2)).is_clear is False
    assert difference(0.3, (0.1, 0.2)).is_clear is True
    assert difference(0.3).is_clear is None


def test_it_is_as_high_before_the_ranges_are_there() -> None:
    bare = [difference(d.difference, None, d.region) for d in DIFFERENCES]
    before = differences_figure(bare, names=("a", "b"), positions=(0, 1), theme="light", waiting=True)
    after = differences_figure(DIFFERENCES, names=("a", "b"), positions=(0, 1), theme="light")
    assert before.layout.height == after.layout.height
    assert before.layout.yaxis.range == after.layout.yaxis.range
    assert "being computed" in before.layout.title.text


def test_every_difference_is_a_row_and_in_the_description() -> None:
    rows = difference_rows(DIFFERENCES)
    assert [row["Difference"] for row in rows] == [0.3, -0.2, 0.1, 0.05, None]
    assert [row["Clear"] for row in rows] == ["clear", "clear", "not clear", "–", "–"]
    figure = differences_figure(DIFFERENCES, names=("a", "b"), positions=(0, 1), theme="light")
    assert "Cluster, F-beta there is no" in figure.layout.meta["description"]


def test_names_of_versions_are_no_markup() -> None:
    figure = differences_figure(DIFFERENCES, names=(NASTY, "b"), positions=(0, 1), theme="light")
    assert "&lt;b&gt;x" in said(figure)
    assert "<b>x" not in said(figure)
    standing = [ParetoPoint(NASTY, None, 10, 1, 3)]
    assert "<b>x</b>" not in str(pareto_figure(standing, chosen=[NASTY], theme="dark").to_json())


# Recall against size

STANDINGS = st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 20)), max_size=9).map(
    lambda found: [ParetoPoint(f"v{i}", None, n, k if n else 0, 20) for i, (n, k) in enumerate(found)]
)


@settings(max_examples=12, deadline=None)
@given(STANDINGS)
def test_every_version_that_retrieved_something_is_a_point(versions: list[ParetoPoint]) -> None:
    figure = pareto_figure(versions, chosen=["v0", "v1"], theme="light")
    points = {t.name: t for t in figure.data if t.mode == "markers"}
    assert set(points) == {v.label for v in versions if v.n_retrieved}
    for v in versions:
        if v.n_retrieved:
            low, high = wilson(v.n_found, v.n_core)
            point = points[v.label]
            assert (point.x[0], point.y[0]) == (v.n_retrieved, v.recall)
            assert point.y[0] - point.error_y.arrayminus[0] == pytest.approx(low)
            assert point.y[0] + point.error_y.array[0] == pytest.approx(high)
    assert len(pareto_rows(versions)) == len(versions)


@settings(max_examples=12, deadline=None)
@given(STANDINGS)
def test_the_stair_goes_through_the_front(versions: list[ParetoPoint]) -> None:
    drawn = [v for v in versions if v.n_retrieved]
    if not drawn:
        return
    stair = trace(pareto_figure(versions, chosen=[], theme="dark"), "Beaten by none")
    front = [drawn[i] for i in pareto_front([v.n_retrieved for v in drawn], [v.n_found for v in drawn])]
    assert list(stair.x)[:-1] == [v.n_retrieved for v in front]
    assert list(stair.y)[:-1] == [v.recall for v in front]
    assert stair.line.shape == "hv"


def test_chosen_versions_stand_out_and_every_one_of_them_has_its_name() -> None:
    versions = [ParetoPoint(f"v{i}", None, 1000 + i, 10, 20) for i in range(12)]
    figure = pareto_figure(versions, chosen=["v5", "v7"], theme="light")
    points = {t.name: t.marker for t in figure.data if t.mode == "markers"}
    assert points["v5"].color == look_of(0, "light").colour
    assert points["v7"].color == look_of(1, "light").colour
    assert points["v0"].color == COLOURS["light"]["not_relevant"]
    labels = {a.text for a in figure.layout.annotations}
    assert {"<b>v5</b>", "<b>v7</b>"} <= labels


def test_labels_do_not_meet_where_there_is_room() -> None:
    versions = [ParetoPoint(f"version {i}", None, 10 ** (2 + i), 4 * i, 20) for i in range(4)]
    figure = pareto_figure(versions, chosen=[], theme="light")
    places = [(a.x, a.y) for a in figure.layout.annotations]
    assert len(set(places)) == 4
    assert {a.x for a in figure.layout.annotations} == {math.log10(v.n_retrieved) for v in versions}


def test_nothing_retrieved_says_so() -> None:
    figure = pareto_figure([ParetoPoint("a", None, 0, 0, 3)], chosen=["a"], theme="light")
    assert "No version" in said(figure)


# Curves


def sweep(n: int) -> Any:
    similarities = np.linspace(0.1, 0.9, n)
    return curve(
        np.append(similarities, np.inf),
        n_relevant=n - np.arange(n + 1),
        n_accepted_core=np.minimum(n - np.arange(n + 1), 5),
        n_scorable=n,
        n_core=5,
        settings=EvaluationSettings(),
    )


@pytest.mark.parametrize("n", [5, 5000])
def test_a_thin_curve_keeps_its_ends_its_best_and_its_shape(n: int) -> None:
    whole = sweep(n)
    thin = thin_out(whole, label="a", name=None, current=0.5, reason="ok")
    assert len(thin.min_similarity) <= 400
    assert (thin.min_similarity[0], thin.min_similarity[-1]) == (0.1, 0.9)
    assert thin.best == (whole.min_similarity[whole.best], whole.f_beta[whole.best])
    assert thin.f_beta.max() == whole.f_beta[:-1].max()
    assert set(zip(thin.min_similarity, thin.f_beta, strict=True)) <= set(
        zip(whole.min_similarity, whole.f_beta, strict=True)
    )


def test_a_line_for_each_version_with_what_is_in_force_and_what_is_best() -> None:
    curves = [thin_out(sweep(5), label=name, name=None, current=0.5, reason="ok") for name in "abc"]
    figure = version_curves_figure(curves, beta=2, theme="light")
    lines = [t for t in figure.data if t.mode == "lines"]
    assert [line.name for line in lines] == ["a", "b", "c"]
    assert len({line.line.dash for line in lines}) == 3
    assert len({line.line.color for line in lines}) == 3
    assert trace(figure, "b, current").x[0] == 0.5
    assert trace(figure, "b, at best").y[0] == pytest.approx(sweep(5).f_beta.max())
    assert sum(row["What"] == "current threshold" for row in curve_rows(curves)) == 3


def test_no_curve_says_why() -> None:
    none = VersionCurve("a", None, np.zeros(0), np.zeros(0), None, None, "nothing was retrieved")
    figure = version_curves_figure([none], beta=2, theme="light")
    assert "a: nothing was retrieved" in said(figure)


# Sensitivity

AS_SET = SettingChoice("as_set", (), "cosine")
BETA = SettingChoice("beta", (("beta", 1.0),), "cosine")
CLUSTER = SettingChoice("region", (), "cluster")
REPORT = Robustness(
    labels=("a", "b"),
    region="cosine",
    outcomes=(
        ChoiceOutcome(AS_SET, (0.5, 0.4), (None, None), (1, 2)),
        ChoiceOutcome(BETA, (0.3, 0.6), (None, None), (2, 1)),
        ChoiceOutcome(CLUSTER, (0.7, None), ("the whole list", "nothing was retrieved"), (None, None)),
    ),
    spans=(
        VersionRange("a", 0.5, 0.3, BETA, 0.5, AS_SET, 0.2, 0.9),
        VersionRange("b", 0.4, 0.4, AS_SET, 0.6, BETA, None, None),
    ),
    orders=(VersionOrder("a", "b", -0.1, 2, (BETA,), (OrderReversal("beta", 2.0, 1.4),)),),
    special=(VersionProblem("a", "cluster", "degenerate", "the whole list", 1),),
    left_out=(),
)


def test_a_span_runs_from_the_lowest_to_the_highest_and_says_with_what() -> None:
    figure = spans_figure(REPORT, beta=2, theme="light")
    whiskers = [t for t in figure.data if t.mode == "lines+markers"]
    assert [list(t.x) for t in whiskers] == [[0.3, 0.5], [0.4, 0.6]]
    assert "0.300 beta 1" in said(figure)
    assert [t.x[0] for t in figure.data if t.mode == "markers"] == [0.5, 0.4]


def test_a_choice_that_turns_the_order_is_marked() -> None:
    figure = orders_figure(REPORT, theme="light")
    assert list(figure.layout.yaxis.ticktext) == ["<b>As set</b>", "<b>beta 1</b>", "Cluster"]
    assert list(figure.data[0].text) == ["0.500  · 1", "0.400  · 2", "0.300  · 2", "0.600  · 1", "<s>0.700</s>", "–"]
    assert [shape.fillcolor for shape in figure.layout.shapes] == [look_of(i, "light").colour for i in (0, 1)]
    assert figure.layout.title.text == "1 of 2 other choices changes the order"
    assert len(outcome_rows(REPORT)) == 6


def test_one_version_has_values_and_no_ranks() -> None:
    outcomes = tuple(ChoiceOutcome(o.choice, o.f_beta[:1], o.problem[:1], (None,)) for o in REPORT.outcomes)
    alone = Robustness(("a",), "cosine", outcomes, REPORT.spans[:1], (), (), ())
    figure = orders_figure(alone, theme="dark")
    assert list(figure.data[0].text) == ["0.500", "0.300", "<s>0.700</s>"]
    assert not figure.layout.shapes
    assert figure.layout.title.text == "F-beta under 2 other choices"
