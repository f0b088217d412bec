"""From a click on a bar, a cell or a count to its publications: as many as the count says, for every place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.overlap import overlap, yields
from dashboard.kit.figures import upset_figure
from dashboard.kit.publication_lists import (
    PublicationGroup,
    group_of_cell,
    group_of_point,
    upset_group,
    upset_row_group,
)
from dashboard.library.page import counted_in

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True).map(tuple)
SOURCES = st.dictionaries(st.sampled_from(["Scopus", "PubMed", "Embase", "WoS"]), IDS, min_size=2)


def points_of(figure: Any) -> list[dict[str, Any]]:
    """Every point that can be clicked, as Plotly tells it."""
    return [
        {"curve_number": number, "x": x, "y": y, "customdata": None}
        for number, trace in enumerate(figure.data)
        for x, y in zip(trace.x, trace.y, strict=True)
        if y is not None
    ]


@given(SOURCES)
def test_every_bar_of_an_upset_plot_leads_to_as_many_publications_as_it_counts(
    sources: dict[str, tuple[str, ...]],
) -> None:
    shared = overlap(sources)
    figure = upset_figure(shared, theme="light")
    bars = {0: "y", len(figure.data) - 1: "x"} if shared.total else {}
    for point in points_of(figure) if shared.total else ():
        group = upset_group(sources, shared, point)
        assert group is not None
        if point["curve_number"] in bars:
            assert len(group.ids) == point[bars[point["curve_number"]]]
        assert len(set(group.ids)) == len(group.ids)
    for row, part in enumerate(shared.intersections):
        assert len(upset_row_group(sources, shared, row).ids) == part.n


@given(SOURCES, IDS)
def test_every_count_of_a_file_leads_to_as_many_publications(
    sources: dict[str, tuple[str, ...]], core: tuple[str, ...]
) -> None:
    for found in yields(sources, core):
        counts = {
            "Publications": found.n,
            "Only here": found.n_unique,
            "Core found": found.n_core,
            "Core only here": found.n_core_unique,
        }
        for column, n in counts.items():
            ids = counted_in(sources, found.name, column, core)
            assert ids is not None
            assert len(ids) == n
        assert counted_in(sources, found.name, "Recall", core) is None
    assert counted_in(sources, "the core file", "Publications", core) is None


GROUP = PublicationGroup("Tea", ("a",))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({}, None),
        ({"selection": {"points": [], "cells": []}}, None),
        ({"selection": {"points": [{"curve_number": 0, "x": 1}], "cells": [(1, "Core")]}}, GROUP),
        ({"selection": {"points": [{"curve_number": 0, "x": 2}], "cells": [(2, "Core")]}}, None),
    ],
)
def test_what_was_clicked_leads_to_its_group_and_what_is_gone_to_none(
    event: dict[str, Any], expected: PublicationGroup | None
) -> None:
    assert group_of_point(event, lambda point: GROUP if point["x"] == 1 else None) == expected
    assert group_of_point(event, lambda point: [GROUP][point["x"]]) is None
    assert group_of_cell(event, lambda row, column: GROUP, n_rows=2) == expected
