"""The lab of projections: its layouts, and what flips between them, against evaluations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.errors import InputError
from core.explore.evaluate import evaluate_scene
from core.explore.labs import made_up_scene
from core.settings import EvaluationSettings
from core.types import Projection
from dashboard.explore.labs import projection as projection_lab
from tests.core.lab_layouts import MadeUpLayouts, layouts_of_made_up
from tests.dashboard.explore.benches import bench_of, chart_of, holds, line_of, number_of

LAYOUTS = layouts_of_made_up()


@pytest.mark.parametrize("kind", ["mvee", "hull"])
def test_flips_are_decisions_of_evaluations(kind: Any) -> None:
    bench = bench_of(projection_lab.LAB, layout="pca", against="seed-2", area=kind, quantile=0.1)
    masks = {}
    for name in ("pca", "seed-2"):
        there = Projection(LAYOUTS.embedded.ids, LAYOUTS.layouts[name].points, name)
        scene = replace(made_up_scene(), projection=there)
        of = EvaluationSettings(cosine_mode="quantile", quantile=0.1)
        regions = evaluate_scene(scene, topic_id="t", query_id="q", settings=of, regions=(kind, "cosine")).regions
        masks[name], masks["cosine"] = regions[kind].relevant_mask, regions["cosine"].relevant_mask
    between, cosine = (masks["pca"] != masks[other] for other in ("seed-2", "cosine"))
    assert bench.numbers[0].value == f"{between.sum()} of {LAYOUTS.n}"
    assert number_of(bench, "Flip against cosine") == f"{cosine.sum()} of {LAYOUTS.n}"
    assert f"{between.sum()} of {LAYOUTS.n} change sides" in bench.sentence
    crosses = len(line_of(bench, "layout", "Decided differently on the other"))
    scene = made_up_scene()
    assert crosses == between.sum() - between[scene.found_rows].sum()
    (row,) = [row for row in bench.rows if row[0] == "PCA"]
    assert row[5:] == [between.sum(), cosine.sum()]


def test_every_publication_is_drawn_once_on_each_layout() -> None:
    bench = bench_of(projection_lab.LAB)
    for chart_id in ("layout", "against"):
        chart = chart_of(bench, chart_id)
        assert sum(len(series.x) for series in chart.series) == len(LAYOUTS.embedded)
        assert all(holds(chart.x, series.x) for series in chart.series)
        assert all(holds(chart.y, shape.y) and holds(chart.x, shape.x) for shape in chart.shapes)
        assert chart.x.max - chart.x.min == pytest.approx(chart.y.max - chart.y.min)


def test_nothing_flips_between_a_layout_and_itself() -> None:
    bench = bench_of(projection_lab.LAB, layout="pca", against="pca")
    assert bench.numbers[0].value.startswith("0 of")
    assert "nothing flips" in bench.sentence


def test_a_sample_says_that_it_is_one() -> None:
    sampled = bench_of(projection_lab.LAB, MadeUpLayouts(layouts_of_made_up(most=100)))
    assert sampled.numbers[0].value.endswith(" of 100")
    assert "A sample of 398" in sampled.numbers[0].help


def test_layouts_that_are_being_made_are_waited_for() -> None:
    with pytest.raises(InputError, match="Computing"):
        bench_of(projection_lab.LAB, MadeUpLayouts(None))
