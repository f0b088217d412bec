"""What the tests of labs share: a bench by what a link says, and what is on it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from dashboard.explore.labs import decay as decay_lab
from dashboard.explore.labs import f_beta as f_beta_lab
from dashboard.explore.labs import projection as projection_lab
from dashboard.explore.labs import sensitivity as sensitivity_lab
from dashboard.explore.labs import threshold as threshold_lab
from dashboard.explore.labs.bench import Axis, Chart, Lab, LabBench, LabChoice, read_values
from tests.core.lab_layouts import MadeUpLayouts, layouts_of_made_up

LABS: tuple[Lab, ...] = (decay_lab.LAB, f_beta_lab.LAB, threshold_lab.LAB, sensitivity_lab.LAB, projection_lab.LAB)
MATERIAL = {"projection": MadeUpLayouts(layouts_of_made_up())}
each_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)


def bench_of(lab: Lab, material: Any = None, **sent: Any) -> LabBench:
    """The bench under what a link says."""
    material = material or MATERIAL.get(lab.id)
    return lab.bench(material, read_values(lab.controls(material), sent))


def chart_of(bench: LabBench, chart_id: str) -> Chart:
    return next(chart for chart in bench.charts if chart.id == chart_id)


def number_of(bench: LabBench, label: str) -> str:
    return next(number.value for number in bench.numbers if number.label == label)


def line_of(bench: LabBench, chart_id: str, label: str) -> list[tuple[float, float]]:
    series = next(s for s in chart_of(bench, chart_id).series if s.label == label)
    return list(zip(series.x, series.y, strict=True))


def anywhere(lab: Lab) -> st.SearchStrategy[dict[str, float | str]]:
    """Any state of a lab's controls."""
    return st.fixed_dictionaries(
        {
            control.name: st.sampled_from([value for value, _ in control.options])
            if isinstance(control, LabChoice)
            else st.floats(control.min, control.max)
            for control in lab.controls(None)
        }
    )


def holds(axis: Axis, values: Any) -> bool:
    space = 1e-6 * (axis.max - axis.min)
    return all(axis.min - space <= value <= axis.max + space for value in values)
