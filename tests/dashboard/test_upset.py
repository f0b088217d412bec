"""The UpSet plot: every number that it shows is one of the overlap, and what it leaves out is said."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.overlap import Overlap, overlap
from dashboard.kit.figures import (
    COLUMN,
    LONGEST_NAME,
    MATRIX,
    MOST_COLUMNS,
    NAMES,
    PHONE,
    room_for,
    short,
    upset_figure,
    upset_rows,
    upset_words,
)
from dashboard.kit.theme import COLOURS, THEMES, Theme

SOURCES = {"scopus.ris": ["a", "b", "c", "d"], "wos.ris": ["b", "c", "e"], "pubmed.nbib": ["c"]}
NASTY = "<b>x</b> & $y$.ris"


def trace(figure: go.Figure, position: int) -> Any:
    return figure.data[position]


def many(n_sources: int) -> Overlap:
    """Every combination of sources, the first ones largest."""
    ids: dict[str, list[str]] = {f"source {i}": [] for i in range(n_sources)}
    for mask in range(1, 2**n_sources):
        for copy in range(2**n_sources - mask):
            for i, held in enumerate(ids.values()):
                if mask >> i & 1:
                    held.append(f"{mask}-{copy}")
    return overlap(ids)


def test_columns_are_the_combinations_and_rows_the_sources() -> None:
    figure = upset_figure(overlap(SOURCES), theme="light")
    bars, _, lines, dots, sizes = figure.data
    assert list(bars.y) == [2, 1, 1, 1]
    assert list(bars.customdata) == [
        "scopus.ris",
        "wos.ris",
        "scopus.ris<br>wos.ris",
        "scopus.ris<br>wos.ris<br>pubmed.nbib",
    ]
    assert sorted(zip(dots.x, dots.y, strict=True)) == [(0, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert list(lines.y) == [0, 0, None, 1, 1, None, 0, 1, None, 0, 2, None]
    assert list(sizes.x) == [4, 3, 1]
    assert list(figure.layout.yaxis2.ticktext) == ["scopus.ris", "wos.ris", "pubmed.nbib"]


@pytest.mark.parametrize("theme", THEMES)
def test_what_one_source_alone_has_is_outlined(theme: Theme) -> None:
    bars = trace(upset_figure(overlap(SOURCES), theme=theme), 0)
    hollow, filled = COLOURS[theme]["background"], COLOURS[theme]["text"]
    assert list(bars.marker.color) == [hollow, hollow, filled, filled]
    assert bars.marker.line.color == filled


def test_the_largest_source_stands_on_top() -> None:
    figure = upset_figure(overlap({"small": ["a"], "large": ["a", "b", "c"], "middle": ["b", "c"]}), theme="dark")
    assert list(figure.layout.yaxis2.ticktext) == ["large", "middle", "small"]
    low, high = figure.layout.yaxis2.range
    assert low > high, "rows run downwards"
    assert list(trace(figure, 4).x) == [3, 2, 1]


def test_words() -> None:
    words = upset_words(overlap(SOURCES))
    assert words.title.startswith("3 of 5 publications")
    assert words.caption == ("Outlined: in one source only.",)
    facts = (
        "3 sources with 5 publications",
        "3 of them",
        "Sizes: scopus.ris 4; wos.ris 3; pubmed.nbib 1.",
        ": scopus.ris alone 2; wos.ris alone 1; scopus.ris and wos.ris 1; scopus.ris, wos.ris and pubmed.nbib 1.",
    )
    assert [fact for fact in facts if fact not in words.description] == []
    figure = upset_figure(overlap(SOURCES), theme="light")
    assert figure.layout.title.text == words.title
    assert figure.layout.meta["description"] == words.description


def test_what_is_not_drawn_is_counted() -> None:
    of_many = many(6)
    figure = upset_figure(of_many, theme="light")
    bars = trace(figure, 0)
    assert len(bars.x) == MOST_COLUMNS
    n_left, n_drawn = len(of_many.intersections) - MOST_COLUMNS, sum(bars.y)
    caption = upset_words(of_many).caption[-1]
    assert caption == f"Not drawn: {n_left} smaller combinations with {of_many.total - n_drawn:,} publications."
    assert caption in figure.layout.annotations[0].text
    assert min(bars.y) >= max(part.n for part in of_many.intersections[MOST_COLUMNS:])


@settings(max_examples=30)
@given(st.dictionaries(st.text(max_size=50), st.sets(st.integers(0, 12).map(str)), max_size=6))
def test_any_overlap_has_a_picture_whose_numbers_are_its_own(sources: dict[str, set[str]]) -> None:
    found = overlap(sources)
    figure = upset_figure(found, theme="dark")
    figure.to_json()
    if not found.total:
        assert "Nothing to compare" in figure.layout.annotations[0].text.replace("<br>", " ")
        return
    bars, sizes = trace(figure, 0), trace(figure, 4)
    left_out = sum(part.n for part in found.intersections[MOST_COLUMNS:])
    assert sum(bars.y) + left_out == found.total == sum(row["Publications"] for row in upset_rows(found))
    assert sorted(sizes.x) == sorted(found.n)


def test_file_names_are_never_markup_and_their_ends_are_seen() -> None:
    figure = upset_figure(overlap({NASTY: ["a"], "x" * 200: ["a", "b"]}), theme="light")
    assert NASTY not in str(figure.to_json())
    assert list(figure.layout.yaxis2.ticktext)[1] == "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;.ris"
    assert all(len(name) < 60 for name in figure.layout.yaxis2.ticktext)
    assert short("a" * 40 + "_2.ris").endswith("_2.ris")
    assert {len(short("a" * n)) for n in range(LONGEST_NAME, 60)} == {LONGEST_NAME}


def test_it_grows_with_its_rows_and_numbers_stand_upright_where_columns_are_narrow() -> None:
    small, large = upset_figure(many(2), theme="light"), upset_figure(many(6), theme="light")
    assert large.layout.height - small.layout.height == 4 * 26
    wide, narrow = trace(small, 0), trace(upset_figure(many(8), theme="light"), 0)
    assert (wide.textangle, narrow.textangle) == (0, -90)


def test_many_columns_keep_a_width_at_which_they_are_told_apart() -> None:
    few, all_of_them = upset_figure(many(3), theme="light"), upset_figure(many(6), theme="light")
    assert not few.layout.meta.get("is_wide")
    assert all_of_them.layout.meta["is_wide"]
    for n in range(1, MOST_COLUMNS + 1):
        room = room_for(n, COLUMN / MATRIX[1])
        pixels = 16 * room.get("rem", 50) if room else PHONE
        assert (pixels - NAMES) * MATRIX[1] / n >= COLUMN - 1e-9
    assert room_for(100, COLUMN) == {"is_wide": True}
