"""Pictures of statistics: what is drawn is what was handed in, and a phone has room for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.entities import EntityType
from core.knowledge.statistics import TypeStatistics, type_statistics
from dashboard.kit.theme import THEMES, Theme
from dashboard.knowledge.figures import (
    Bar,
    SetDiversity,
    SetNumbers,
    WordShares,
    bar_rows,
    bars_figure,
    degree_rows,
    degrees_figure,
    diversity_figure,
    diversity_rows,
    edges_of,
    kind_rows,
    kinds_figure,
    level,
    spread_rows,
    spreads_figure,
)
from tests.dashboard.figures import NASTY, assert_fits, assert_no_markup

LONG = "a_very_long_name_of_a_type_of_entity_that_nobody_types"
BARS = [Bar(NASTY, 3), Bar(LONG, 5_000_000, "#123456"), Bar("none", 0)]


def kind(name: str, degrees: list[int]) -> TypeStatistics:
    counts = np.array(degrees, dtype=np.int64)
    return type_statistics(EntityType(name, 0, len(degrees), True), counts, counts, 0)


KINDS = [kind(NASTY, [0, 1, 1, 3]), kind(LONG, [700_000, 2]), kind("none", [])]
SETS = [
    SetNumbers(NASTY, np.array([2, 3, 3, 9])),
    SetNumbers("none", np.zeros(0, np.int64)),
    SetNumbers(LONG, np.array([4])),
]
MANY = [*SETS, SetNumbers("c", np.array([5, 5])), SetNumbers("d", np.array([1, 30]))]
VARIED = [
    SetDiversity(NASTY, 4.0, 0.5),
    SetDiversity("none", None, None),
    SetDiversity(LONG, 4.5, 0.7, is_reference=True),
]
WORDS = [WordShares(NASTY, 0.2, 0.5, 0.3), WordShares(LONG, 0.0, 1.0, 0.0)]


def drawn(theme: Theme) -> dict[str, go.Figure]:
    return {
        "bars": bars_figure(BARS, what="Type", unit="Entities", theme=theme),
        "no bars": bars_figure([], what="Type", unit="Entities", theme=theme),
        "degrees": degrees_figure(KINDS, types=[NASTY, LONG, "none"], theme=theme),
        "no degrees": degrees_figure([], types=[], theme=theme),
        "spreads": spreads_figure(SETS, what="Words of a query", nothing="None.", theme=theme),
        "many spreads": spreads_figure(MANY, what="Words of a query", nothing="None.", theme=theme),
        "no spreads": spreads_figure(SETS[1:2], what="Words of a query", nothing="There is none.", theme=theme),
        "diversity": diversity_figure(VARIED, n=300, theme=theme),
        "no diversity": diversity_figure(VARIED[1:2], n=None, theme=theme),
        "kinds": kinds_figure(WORDS, theme=theme),
        "no kinds": kinds_figure([], theme=theme),
    }


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_fits_a_phone_and_is_told_in_words(theme: Theme) -> None:
    for name, figure in drawn(theme).items():
        assert_fits(figure, name)
        assert figure.layout.xaxis.title.text or not figure.data


def test_names_are_no_markup() -> None:
    for name, figure in drawn("light").items():
        assert_no_markup(figure, name)


def test_bars_are_the_counts_the_most_on_top() -> None:
    figure = bars_figure(BARS, what="Type", unit="Entities", theme="light")
    assert list(figure.data[0].x) == [5_000_000, 3, 0]
    assert figure.data[0].marker.color[0] == "#123456"
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert bar_rows(BARS, what="Type", unit="Entities")[0] == {"Type": NASTY, "Entities": 3}


def test_figures_beside_each_other_begin_and_end_on_the_same_lines() -> None:
    short = bars_figure(BARS[:1], what="Type", unit="Entities", theme="light")
    tall = bars_figure(BARS * 9, what="Type", unit="Relations of a name that takes two lines", theme="light")
    of_title = (1 - short.layout.title.y) * short.layout.height
    assert short.layout.height < tall.layout.height
    assert short.layout.margin.t < tall.layout.margin.t
    level(short, tall)
    assert short.layout.height == tall.layout.height
    assert (short.layout.margin.t, short.layout.margin.b) == (tall.layout.margin.t, tall.layout.margin.b)
    assert (1 - short.layout.title.y) * short.layout.height == pytest.approx(of_title)


def test_a_few_are_counted_one_by_one() -> None:
    one = bars_figure([Bar("writes", 1)], what="Relation", unit="Relations", theme="light")
    assert one.layout.xaxis.dtick == 1
    assert one.layout.title.text == "Writes: the only one"
    many = bars_figure([Bar("writes", 10_000)], what="Relation", unit="Relations", theme="light")
    assert many.layout.xaxis.dtick is None


def test_types_stand_in_words_and_long_names_on_two_lines() -> None:
    bars = [Bar("author affiliated with institution", 3, in_title="affiliated with"), Bar("paper", 1)]
    figure = bars_figure(bars, what="Relation", unit="Relations", theme="light")
    assert list(figure.layout.yaxis.ticktext) == ["author affiliated with<br>institution", "paper"]
    assert figure.layout.title.text == "Affiliated with: 75 % of 4 relations"
    fields = replace(KINDS[0], name="field_of_study")
    figure = degrees_figure([fields], types=["field_of_study"], theme="light")
    assert figure.data[0].name == "fields of study"
    assert figure.layout.title.text.startswith("Most relations: fields of study, ")
    assert {row["Type"] for row in degree_rows([fields])} == {"field of study"}


def test_a_line_of_degrees_adds_up_to_all_entities() -> None:
    figure = degrees_figure(KINDS, types=["other", NASTY, LONG], theme="light")
    assert [list(t.y) for t in figure.data[:1]] == [[0.25, 0.5, 0.25]]
    assert sum(figure.data[1].y) == 1
    again = degrees_figure(KINDS[1:], types=["other", NASTY, LONG], theme="light")
    assert again.data[0].line.color == figure.data[1].line.color
    assert sum(int(row["Entities"] or 0) for row in degree_rows(KINDS)) == 6


def test_sets_keep_their_look_whether_they_lie_over_or_under_one_another() -> None:
    few, many = (spreads_figure(sets, what="W", nothing="", theme="light") for sets in (SETS, MANY))
    assert [t.line.color for t in few.data] == [t.line.color for t in many.data][:2]
    assert len({(t.line.color, t.line.dash) for t in many.data}) == 4
    assert len(few.layout.shapes) == 2
    assert not many.layout.shapes
    assert max(few.data[1].y) == 1.0
    assert all(min(t.y) >= row - 0.87 for row, t in enumerate(many.data))
    assert "median 3" in few.layout.title.text


@given(st.lists(st.lists(st.integers(0, 100_000), max_size=8), min_size=1, max_size=4))
def test_every_query_is_in_one_bin(values: list[list[int]]) -> None:
    sets = [SetNumbers(str(place), np.array(each, dtype=np.int64)) for place, each in enumerate(values)]
    edges = edges_of(sets)
    assert all(low == before + 1 for low, before in zip(edges.lows[1:], edges.highs, strict=False))
    assert len(edges.lows) <= 25
    for one in sets:
        shares = edges.shares(one.values)
        assert sum(shares) == pytest.approx(float(len(one.values) > 0))
        for low, high, share in zip(edges.lows, edges.highs, shares, strict=True):
            assert share * len(one.values) == pytest.approx(sum(low <= value <= high for value in one.values))
    rows = spread_rows(sets, what="Words")
    assert len(rows) == len(sets) * len(edges.lows)


def test_a_reference_is_hollow_and_wins_nothing() -> None:
    figure = diversity_figure(VARIED, n=300, theme="light")
    assert [t.marker.symbol for t in figure.data] == ["circle", "star-open"]
    assert (figure.data[0].x[0], figure.data[0].y[0]) == (0.5, 4.0)
    assert "First 300 words" in figure.layout.title.subtitle.text
    assert "0.50" in figure.layout.title.text
    assert diversity_rows(VARIED, 300)[1]["Type-token ratio"] is None


def test_kinds_of_words_fill_each_bar() -> None:
    figure = kinds_figure(WORDS, theme="light")
    assert [list(t.x) for t in figure.data] == [[0.2, 0.0], [0.5, 1.0], [0.3, 0.0]]
    assert figure.data[0].text[1] == ""
    assert len(kind_rows(WORDS)) == 6
