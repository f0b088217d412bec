"""Pictures of retrievers: what is drawn is what was handed in, published apart from measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stats import Interval
from dashboard.kit.figure_frame import legend_room, log_ticks, look_at, looks, wrap
from dashboard.kit.theme import COLOURS, THEMES, Theme
from dashboard.retrieval.comparison import stage_of
from dashboard.retrieval.figures import (
    FOUND,
    MISSED,
    OTHER,
    DocumentSpot,
    MetricCurve,
    PublishedDot,
    QueryGroupScores,
    QueryPair,
    RunTimes,
    Stage,
    against_figure,
    against_rows,
    by_k_figure,
    by_k_rows,
    latency_figure,
    latency_rows,
    on_edge,
    outcomes,
    pairs_at,
    plane_figure,
    plane_rows,
    quality_figure,
    quality_rows,
    slice_rows,
    slices_figure,
)
from dashboard.retrieval.figures import QualitySpot as Placed
from tests.dashboard.apps import numbers
from tests.dashboard.figures import LONG, NASTY, assert_fits, assert_no_markup

NAMES = (NASTY, "Dense (lsa)", LONG, "Hybrid", "LLM reranker (demo)")
KS = (1, 5, 10, 100)
CURVES = [MetricCurve(name, (0.1, 0.2 + i / 10, 0.3 + i / 10, 0.9)) for i, name in enumerate(NAMES)]
DOTS = [PublishedDot("GritLM-7b", 5, 0.33, "a paper, Table 6")]
PAIRS = [
    QueryPair("1", NASTY, 0.5, 1.0),
    QueryPair("2", "b", 0.5, 1.0),
    QueryPair("3", "c", 0.7, 0.1),
    QueryPair("4", "d", 0.0, 0.0),
]
GROUPS = [
    QueryGroupScores(NASTY, 12, (0.4, 0.5, 0.6, None, 0.1), (Interval(0.3, 0.5), None, Interval(0.5, 0.7), None, None)),
    QueryGroupScores("few", 2, (0.9, 0.1, 0.1, 0.1, 0.1), (None,) * 5),
]
TIMES = [
    RunTimes(
        NASTY, Stage("whole answer", 0.4, 1.0), (Stage("read <the> query", 0.1, 0.2), Stage("score", 0.3, 0.9)), 30
    ),
    RunTimes("Dense (lsa)", None),
    RunTimes(LONG, Stage("whole answer", 150.0, 400.0), (), 30),
]
SPOTS = [
    Placed(NASTY, 0.4, Interval(0.3, 0.5), 1.0, 2.0),
    Placed("Dense (lsa)", 0.3, None, 3.0, 9.0),
    Placed(LONG, 0.6, Interval(0.5, 0.7), 200.0, 400.0),
    Placed("GPT-4 reranker", 0.9, None, 0.5, None, "a paper, Table 8"),
]
PLANE = [
    DocumentSpot("a", NASTY, 0.0, 0.0, 2, (1, None)),
    DocumentSpot("b", "missed", 1.0, 1.0, 1, (None, None)),
    DocumentSpot("c", "not relevant", 2.0, 0.0, 0, (2, 1)),
    DocumentSpot("d", "", 3.0, 3.0, 0, (None, None)),
]


def drawn(theme: Theme) -> dict[str, go.Figure]:
    by_name = looks(NAMES, theme)
    two = (by_name[NASTY], by_name["Dense (lsa)"])
    return {
        "by k": by_k_figure(CURVES, KS, family="Recall", at=10, dots=DOTS, theme=theme),
        "against": against_figure(PAIRS, a=NASTY, b="Dense (lsa)", metric="MRR", looks=two, theme=theme),
        "slices": slices_figure(GROUPS, NAMES, metric="MRR", by="label", theme=theme),
        "latency": latency_figure(TIMES, theme=theme),
        "quality": quality_figure(SPOTS, names=NAMES, metric="MRR", theme=theme),
        "plane": plane_figure(PLANE, names=NAMES[:2], query=(1.0, 0.0), first=10, theme=theme),
    }


def trace(figure: go.Figure, name: str) -> Any:
    return next(t for t in figure.data if t.name == name)


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_fits_a_phone_and_is_told_in_words(theme: Theme) -> None:
    for name, figure in drawn(theme).items():
        assert_fits(figure, name)
        assert figure.layout.xaxis.title.text


def test_user_text_is_no_markup() -> None:
    for name, figure in drawn("light").items():
        assert_no_markup(figure, name)


def test_lines_by_k_are_the_values() -> None:
    figure = by_k_figure(CURVES, KS, family="Recall", at=10, dots=DOTS, theme="light")
    assert [tuple(t.y) for t in figure.data[:-1]] == [curve.values for curve in CURVES]
    assert len({(t.line.color, t.line.dash, t.marker.symbol) for t in figure.data[:-1]}) == len(CURVES)
    published = trace(figure, "published")
    assert (tuple(published.x), tuple(published.y), published.marker.symbol) == ((5,), (0.33,), "circle-open")
    assert figure.layout.title.text.endswith("r (demo) leads (0.700)")
    rows = by_k_rows(CURVES, KS, DOTS)
    assert len(rows) == len(CURVES) * len(KS) + 1
    assert [row["Origin"] for row in rows if row["Run"] == "GritLM-7b"] == ["published: a paper, Table 6"]


def test_runs_that_share_the_lead_share_the_title() -> None:
    figure = by_k_figure([CURVES[0], replace(CURVES[0], name="b")], KS, family="MRR", at=1, theme="light")
    assert figure.layout.title.text == "MRR@1: 2 of 2 runs lead (0.100)"


def test_nothing_to_score_says_why() -> None:
    empty = by_k_figure([MetricCurve("a", (None,) * 4)], KS, family="Hit", at=10, theme="dark")
    others = [
        against_figure([], a="a", b="b", metric="MRR", looks=(look_at(0, "dark"), look_at(1, "dark")), theme="dark"),
        slices_figure([], ["a"], metric="MRR", by="length", theme="dark"),
        latency_figure([RunTimes("a", None)], theme="dark"),
        quality_figure([], names=["a"], metric="MRR", theme="dark"),
        plane_figure([], names=["a"], query=None, first=10, theme="dark"),
    ]
    for figure in (empty, *others):
        assert not figure.data
        assert len(figure.layout.annotations) == 1


def test_a_query_is_on_the_side_of_the_better_run() -> None:
    figure = drawn("light")["against"]
    assert outcomes(PAIRS) == (2, 1, 1)
    assert figure.layout.title.text == "Dense (lsa): 2 better, 1 worse, 1 tie"
    better = next(t for t in figure.data if t.name == "Dense (lsa)")
    assert (list(better.x), list(better.y), list(better.customdata)) == ([0.5], [1.0], [["1", "2"]])
    assert better.marker.size[0] > trace(figure, "Ties").marker.size[0]
    assert [row["Query"] for row in against_rows(PAIRS, "a", "b")][:1] == ["3"]
    for curve, drawn_discs in enumerate(figure.data):
        for index, (x, y) in enumerate(zip(drawn_discs.x, drawn_discs.y, strict=True)):
            found = pairs_at(PAIRS, {"curve_number": curve, "point_index": index, "x": x, "y": y})
            assert [pair.query_id for pair in found] == drawn_discs.customdata[index]
            assert all((round(pair.a, 4), round(pair.b, 4)) == (x, y) for pair in found)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_wins_ties_and_losses_are_all_queries(values: list[tuple[float, float]]) -> None:
    pairs = [QueryPair(str(i), "", a, b) for i, (a, b) in enumerate(values)]
    better, same, worse = outcomes(pairs)
    assert better + same + worse == len(pairs)
    assert outcomes([replace(pair, a=pair.b, b=pair.a) for pair in pairs]) == (worse, same, better)


def test_groups_have_a_row_for_each_run_with_a_value() -> None:
    figure = drawn("light")["slices"]
    assert [len(t.x) for t in figure.data] == [2, 2, 2, 1, 2]
    assert list(figure.data[0].error_x.arrayminus) == pytest.approx([0.1, 0])
    ys = [y for t in figure.data for y in t.y]
    assert len(set(ys)) == len(ys) == 9
    assert "Widest gap" in figure.layout.title.text
    assert "(0.50)" in figure.layout.title.text, "the group of two is too small to be the title"
    assert len(slice_rows(GROUPS, NAMES)) == 10


def test_times_run_from_the_middle_to_the_slow_end() -> None:
    figure = drawn("light")["latency"]
    assert [tuple(t.x) for t in figure.data] == [(0.4, 1.0), (0.1, 0.2), (0.3, 0.9), (150.0, 400.0)]
    assert figure.layout.xaxis.type == "log"
    narrow = latency_figure([RunTimes("a", Stage("whole answer", 2.0, 3.0), (), 9)], theme="light")
    assert narrow.layout.xaxis.type != "log"
    assert [row["Stage"] for row in latency_rows(TIMES)] == [
        "whole answer",
        "read <the> query",
        "score",
        "whole answer",
    ]
    assert figure.data[3].line.color == look_at(2, "light").colour, "an untimed run keeps its place"


def test_stages_leave_out_what_was_not_timed() -> None:
    found = stage_of("score", np.array([1.0, np.nan, 3.0]))
    assert found is not None
    assert found.p50 == 2.0
    assert found.p95 == pytest.approx(2.9)
    assert stage_of("score", np.array([np.nan])) is None


def test_published_rows_are_hollow_and_off_the_edge() -> None:
    figure = drawn("light")["quality"]
    published = trace(figure, "GPT-4 reranker (published)")
    assert published.marker.symbol.endswith("-open")
    assert not trace(figure, "Dense (lsa)").marker.symbol.endswith("-open")
    assert [spot.name for spot in on_edge(SPOTS)] == [NASTY, LONG]
    rows = {row["Run"]: row for row in quality_rows(SPOTS)}
    assert rows["GPT-4 reranker"]["Origin"] == "published: a paper, Table 8"
    assert rows["GPT-4 reranker"]["On the frontier"] is None
    assert rows["Dense (lsa)"]["On the frontier"] == "no"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=8))
def test_the_edge_is_what_nothing_beats(values: list[tuple[int, int]]) -> None:
    spots = [Placed(str(i), value / 5, None, float(ms), None) for i, (value, ms) in enumerate(values)]

    def beats(a: Placed, b: Placed) -> bool:
        return a.value >= b.value and a.p50 <= b.p50 and (a.value, a.p50) != (b.value, b.p50)

    wanted = {spot.name for spot in spots if not any(beats(other, spot) for other in spots)}
    assert {spot.name for spot in on_edge(spots)} == wanted


def test_answers_are_filled_where_a_run_has_them_and_hollow_elsewhere() -> None:
    figure = drawn("dark")["plane"]
    core = COLOURS["dark"]["core"]
    found, missed = trace(figure, FOUND), trace(figure, MISSED)
    assert (list(found.x), found.marker.symbol, found.marker.color) == ([0.0], None, core)
    assert (list(missed.x), missed.marker.symbol, missed.marker.color) == ([1.0], "circle-open", core)
    assert sorted(trace(figure, OTHER).x) == [2.0, 3.0]
    first, second = figure.data[1], figure.data[2]
    assert (sorted(first.x), sorted(second.x)) == ([0.0, 2.0], [2.0])
    assert first.marker.size < second.marker.size, "rings around one document lie around each other"
    assert numbers(figure.layout.title.text) == ["1", "2", "10"]
    assert [row["Document"] for row in plane_rows(PLANE, NAMES[:2])] == ["a", "b", "c", "d"]


def test_a_query_without_a_place_has_no_sign() -> None:
    figure = plane_figure(PLANE, names=NAMES[:2], query=None, first=10, theme="light")
    assert "The query" not in [t.name for t in figure.data]


@given(st.floats(1e-4, 1e3), st.floats(1, 1e5))
def test_ticks_lie_within_and_are_round(low: float, times: float) -> None:
    ticks = log_ticks(low, low * times)
    assert ticks == sorted(set(ticks))
    assert all(low * 0.999 <= tick <= low * times * 1.001 and f"{tick:.0e}"[0] in "1235" for tick in ticks)
    assert len(ticks) <= 12


@given(st.lists(st.text(max_size=40), max_size=20))
def test_a_legend_takes_a_bounded_room(names: list[str]) -> None:
    assert 0 <= legend_room(names) <= 57


@given(st.text(max_size=200))
def test_lines_hold_every_word(text: str) -> None:
    assert " ".join(wrap(text, 20)).split() == text.split() or not text.isascii()


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_runs_differ_without_colour(theme: Theme) -> None:
    first = [look_at(place, theme) for place in range(6)]
    assert len({look.symbol for look in first}) == len({look.dash for look in first}) == 6
    assert len({look_at(place, theme).colour for place in range(10)}) == 10
