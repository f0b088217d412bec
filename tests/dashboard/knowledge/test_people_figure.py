"""The figure of ratings: where parts begin, what it says in words, and that it holds every rating."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.kit.theme import THEMES, Theme, lab_of
from dashboard.knowledge.figures import RatedQuality, rating_colours, rating_rows, ratings_figure, starts
from dashboard.knowledge.people import marked

COUNTS = st.tuples(*[st.integers(0, 50)] * 5).filter(any)


@given(COUNTS)
def test_the_middle_of_the_middle_part_is_at_nought(counts: tuple[int, ...]) -> None:
    begins, n = starts(counts), sum(counts)
    assert begins[2] + counts[2] / n / 2 == pytest.approx(0)
    for part in range(4):
        assert begins[part] + counts[part] / n == pytest.approx(begins[part + 1])


@pytest.mark.parametrize("theme", THEMES)
def test_every_rating_is_drawn(theme: Theme) -> None:
    rated = [RatedQuality("Naturalness", (1, 0, 2, 3, 4)), RatedQuality("Diversity", (0, 0, 0, 0, 0))]
    figure = ratings_figure(rated, title="How <b>mine</b> was rated", theme=theme)
    assert [bar.x[0] for bar in figure.data] == [0.1, 0, 0.2, 0.3, 0.4]
    assert all(len(bar.x) == 1 for bar in figure.data), "what nobody rated has no bar"
    assert "Naturalness: 1 10%, 2 0%, 3 20%, 4 30%, 5 40% of 10 ratings." in figure.layout.meta["description"]
    assert "<b>" not in figure.layout.title.text
    rows = rating_rows(rated)
    assert sum(int(row["Ratings"] or 0) for row in rows) == 10
    assert {row["Share"] for row in rows if row["Quality"] == "Diversity"} == {None}
    empty = ratings_figure(rated[1:], title="None", theme=theme)
    assert "No ratings yet" in empty.layout.annotations[0].text


@pytest.mark.parametrize("theme", THEMES)
def test_its_colours_can_be_told_apart(theme: Theme) -> None:
    colours = rating_colours(theme)
    distances = [
        float(((lab_of(a) - lab_of(b)) ** 2).sum() ** 0.5) for at, a in enumerate(colours) for b in colours[:at]
    ]
    assert min(distances) > 15


def test_what_leaks_is_never_markup() -> None:
    from core.knowledge.query_quality import find_leaks

    query = "on <b>Night</b> *work* [x](y)"
    said = marked(query, find_leaks(query, title="x y"))
    assert "<b>" not in said.replace("\\<", "")
    assert "\\*work\\*" in said
