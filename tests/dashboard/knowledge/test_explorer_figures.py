"""The pictures of an entity, of the ways to an answer, and of its texts on the plane."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.kit.theme import THEMES, Theme
from dashboard.knowledge.figures import (
    LABEL,
    MOST_BUNCHES,
    MOST_NODES,
    NODE_LABEL,
    Bunch,
    PathStop,
    TextSpot,
    cut,
    neighbourhood_figure,
    neighbourhood_rows,
    place_bunches,
    places,
    plane_figure,
    plane_rows,
    shares,
    sign_of,
    way_in_words,
    ways_figure,
    ways_rows,
)

TYPES = ("author", "institution", "paper")
ODD = "<b>*Odd*</b> $x$ " + "very long " * 200
PHONE_PX, LETTER_PX, LINE_PX = 320, 6.2, 16


def a_bunch(n: int, drawn: int, relation: str = "writes", title: str = "Trees and heat") -> Bunch:
    return Bunch(relation, "paper", "papers", n, (title,) * drawn)


def texts(figure: go.Figure) -> list[tuple[float, float, str]]:
    """Every label with its place."""
    return [
        (x, y, text)
        for trace in figure.data
        if "text" in (trace.mode or "")
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    ]


@given(st.lists(st.integers(0, 2_000_000), max_size=40))
def test_the_picture_is_bounded_and_fair(counts: list[int]) -> None:
    drawn = shares(counts)
    n_more = sum(n > taken for n, taken in zip(counts, drawn, strict=False))
    assert 1 + sum(drawn) + n_more <= MOST_NODES
    assert len(drawn) == min(len(counts), MOST_BUNCHES)
    assert all(taken <= n for n, taken in zip(counts, drawn, strict=False))
    assert all(taken > 0 for n, taken in zip(counts, drawn, strict=False) if n)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1, max_size=MOST_BUNCHES))
def test_no_two_labels_share_a_line(sizes: list[tuple[int, int]]) -> None:
    bunches = [a_bunch(drawn + more, drawn) for more, drawn in sizes]
    placed = place_bunches(bunches)
    lines = [spot.y for fork, leaves in placed for spot in (fork, *leaves)]
    assert lines == [-float(row) for row in range(len(lines))]
    assert all(fork.x < leaf.x for fork, leaves in placed for leaf in leaves)


@pytest.mark.parametrize("mode", THEMES)
def test_neighbours_fit_a_phone(mode: Theme) -> None:
    bunches = [a_bunch(1209, 6, title=ODD), a_bunch(1, 1, "cites"), Bunch("at", "institution", "institutions", 0, ())]
    figure = neighbourhood_figure(ODD, "author", bunches, types=TYPES, theme=mode)
    labels = texts(figure)
    assert any("and 1,203 more" in text for _, _, text in labels)
    rows = sorted(y for _, y, _ in labels)
    low, high = figure.layout.yaxis.range
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    assert all((b - a) * plot / (high - low) >= LINE_PX for a, b in pairwise(rows))
    for x, _, text in labels:
        shown = text.replace("&lt;", "<").replace("&gt;", ">").replace("&#36;", "$").strip()
        assert len(shown) <= NODE_LABEL
        assert x * PHONE_PX + 12 + LETTER_PX * len(shown) <= PHONE_PX
    assert "<b>" not in "".join(text for *_, text in labels)
    assert "writes: 1,209 papers" in figure.layout.meta["description"]
    assert len(neighbourhood_rows(bunches)) == 7
    assert figure == neighbourhood_figure(ODD, "author", bunches, types=TYPES, theme=mode)


def test_an_entity_without_relations_says_so() -> None:
    figure = neighbourhood_figure("", "paper", [], types=TYPES, theme="light")
    assert "no relations" in figure.layout.annotations[0].text
    assert figure.layout.title.text == "untitled"


def test_types_have_a_colour_and_a_sign_of_their_own() -> None:
    types = [f"type {n}" for n in range(10)]
    signs = [sign_of(kind, types, "light") for kind in types]
    assert len({sign.colour for sign in signs}) == len({sign.symbol for sign in signs}) == 10
    assert sign_of("none of them", types, "dark").symbol
    assert cut("a" * 1_000_000) == "a" * (LABEL - 1) + "…"


PATHS = (
    (
        PathStop(5, "Elm", "institution", ""),
        PathStop(3, "Ito", "author", "employs"),
        PathStop(0, "Trees", "paper", "writes"),
    ),
    (
        PathStop(5, "Elm", "institution", ""),
        PathStop(4, "Roy", "author", "employs"),
        PathStop(0, "Trees", "paper", "writes"),
    ),
    (PathStop(7, "Heat", "field", ""), PathStop(0, "Trees", "paper", "topic of")),
)


def test_ways_meet_in_the_answer() -> None:
    at = places(PATHS)
    assert [row for _, row in at] == [5, 7, 3, 4, 0]
    assert sorted(line for _, line in at.values()) == [0, 1, 2, 3, 4]
    figure = ways_figure(PATHS, types=TYPES, theme="dark")
    lines: Any = figure.data[0]
    assert sum(x is None for x in lines.x) == 2 * 5  # two from Elm, two to the answer, one from the field
    spots = {(x, -float(line)) for x, line in at.values()}
    for x, y, to_x, to_y in zip(lines.x[::3], lines.y[::3], lines.x[1::3], lines.y[1::3], strict=True):
        between = [spot for spot in spots if x <= spot[0] <= to_x and to_y <= spot[1] <= y]
        assert len(between) == 1, "a line meets no entity but its own"
    assert " writes, topic of: Trees" in {words for trace in figure.data[1:] for words in trace.text}
    assert way_in_words(PATHS[0]) == "Elm – employs – Ito – writes – Trees"
    assert way_in_words(PATHS[0]) in figure.layout.meta["description"]
    assert [row["Step"] for row in ways_rows(PATHS)] == [0, 1, 2, 0, 1, 2, 0, 1]


def test_a_way_that_comes_back_is_drawn_too() -> None:
    circle = (PathStop(1, "A", "paper", ""), PathStop(2, "B", "paper", "cites"), PathStop(1, "A", "paper", "cites"))
    assert len(places([circle])) == 3
    assert ways_figure([circle], types=["paper"], theme="light").data


@pytest.mark.parametrize("mode", THEMES)
def test_the_highlighted_are_drawn_over_the_sample(mode: Theme) -> None:
    placed = [
        TextSpot("p1", ODD, 0, 0, "this"),
        TextSpot("p2", "", 1, 1, "near"),
        TextSpot("p3", "Cells", 2, 2, "other"),
    ]
    names: Any = {"this": "This paper", "near": "Its neighbours", "other": "A sample"}
    figure = plane_figure(placed, title=ODD, names=names, theme=mode)
    assert [trace.name for trace in figure.data] == ["A sample", "Its neighbours", "This paper"]
    assert "1 this paper, 1 its neighbours, 1 a sample" in figure.layout.meta["description"]
    assert [row["Id"] for row in plane_rows(placed, names)] == ["p1", "p2", "p3"]
    assert "No text" in plane_figure([], title="", names=names, theme=mode).layout.annotations[0].text


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1, max_size=MOST_BUNCHES))
def test_no_line_runs_through_words(sizes: list[tuple[int, int]]) -> None:
    bunches = [a_bunch(drawn + more, drawn) for more, drawn in sizes]
    figure = neighbourhood_figure("Ito", "author", bunches, types=TYPES, theme="light")
    left = {y: x for x, y, _ in texts(figure)}
    xs, ys = figure.data[0].x, figure.data[0].y
    for x, y, to_x, to_y in zip(xs[::3], ys[::3], xs[1::3], ys[1::3], strict=True):
        assert x == to_x or y == to_y
        rows = range(round(min(y, to_y)), round(max(y, to_y)) + 1) if x == to_x else [y]
        assert all(max(x, to_x) <= left.get(float(row), 1.0) for row in rows)
