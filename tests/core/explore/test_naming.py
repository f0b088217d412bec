"""Names for places: every gathering is named after its own words, once, and the same every time."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.landscape import COLOURED_LEVEL, FEWEST, LEVELS, MOST_GROUPS, NO_GROUP, LandscapeGroups, name_groups
from core.types import Points

THEMES = {
    "trees · shade": ("trees", "shade", "canopy", "leaves"),
    "sleep · nurses": ("sleep", "nurses", "night", "shift"),
    "battery · ageing": ("battery", "ageing", "cells", "charge"),
}
CENTRES = ((0.0, 0.0), (100.0, 0.0), (50.0, 90.0))
COUNTS = (90, 60, 40)

titles = st.text("abcde -é☕\n", max_size=30)
places = st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
pictures = st.lists(st.tuples(places, titles), max_size=60)


def planted() -> tuple[Points, list[str]]:
    """Three gatherings far apart; each title holds the first two words of its theme, and one of all themes."""
    rng = random.Random(0)
    points, written = [], []
    for (x, y), words, count in zip(CENTRES, THEMES.values(), COUNTS, strict=True):
        for _ in range(count):
            points.append((x + rng.gauss(0, 2), y + rng.gauss(0, 2)))
            written.append(
                f"The study of {words[0]} and {words[1]}: {rng.choice(words[2:])} evidence, city {rng.random()}"
            )
    return np.array(points), written


def as_lists(groups: LandscapeGroups) -> tuple[object, ...]:
    return groups.named, groups.coloured, groups.group_of.tolist()


def test_three_gatherings_get_their_names_from_their_words() -> None:
    points, written = planted()
    groups = name_groups(points, written)
    assert [set(name.split(" · ")) for name in groups.coloured] == [set(name.split(" · ")) for name in THEMES]
    widest = [group for group in groups.named if group.level == COLOURED_LEVEL]
    assert [group.n for group in widest] == list(COUNTS)
    for group, centre in zip(widest, CENTRES, strict=True):
        assert (group.x, group.y) == pytest.approx(centre, abs=1)
    assert groups.group_of.tolist() == [index for index, count in enumerate(COUNTS) for _ in range(count)]


def test_numbers_and_units_name_no_place() -> None:
    points, written = planted()
    counted = [f"{title}: 40 per cent of eleven 100mg doses" for title in written[:90]]
    names = {word for group in name_groups(points, counted + written[90:]).named for word in group.name.split(" · ")}
    assert not names & {"per", "cent", "eleven", "100mg", "40"}
    assert "doses" in names


def test_a_word_of_every_title_names_no_place() -> None:
    points, written = planted()
    names = {word for group in name_groups(points, written).named for word in group.name.split(" · ")}
    assert not names & {"city", "the", "study", "and", "evidence", "of"}


def test_the_same_picture_has_the_same_names_in_any_order() -> None:
    points, written = planted()
    first = name_groups(points, written)
    assert as_lists(name_groups(points, written)) == as_lists(first)
    order = np.random.default_rng(1).permutation(len(points))
    again = name_groups(points[order], [written[row] for row in order])
    assert again.named == first.named
    assert again.group_of.tolist() == first.group_of[order].tolist()


def check(groups: LandscapeGroups, n: int) -> None:
    """What holds of any names."""
    assert groups.group_of.dtype == np.uint8
    assert len(groups.group_of) == n
    assert ((groups.group_of < len(groups.coloured)) | (groups.group_of == NO_GROUP)).all()
    for level in range(len(LEVELS)):
        of_level = [group for group in groups.named if group.level == level]
        names = [group.name for group in of_level]
        sizes = [group.n for group in of_level]
        assert len(set(names)) == len(names) <= MOST_GROUPS[level]
        assert "" not in names
        assert sizes == sorted(sizes, reverse=True)
        assert sum(sizes) <= n
        assert all(size >= FEWEST for size in sizes)
        if level == COLOURED_LEVEL:
            assert tuple(names) == groups.coloured
            counted = np.bincount(groups.group_of[groups.group_of != NO_GROUP], minlength=len(names))
            assert counted.tolist() == sizes
    assert {group.level for group in groups.named} <= set(range(len(LEVELS)))


@given(pictures)
@settings(max_examples=60)
def test_any_picture(picture: list[tuple[tuple[float, float], str]]) -> None:
    points = np.array([place for place, _ in picture], dtype=np.float64).reshape(-1, 2)
    groups = name_groups(points, [title for _, title in picture])
    check(groups, len(picture))
    for group in groups.named:
        assert (points.min(axis=0) <= (group.x, group.y)).all()
        assert ((group.x, group.y) <= points.max(axis=0)).all()


@pytest.mark.parametrize("n", [0, 1, FEWEST - 1])
def test_few_publications_get_no_name(n: int) -> None:
    groups = name_groups(np.zeros((n, 2)), ["tea leaves"] * n)
    assert as_lists(groups) == ((), (), [NO_GROUP] * n)


def test_publications_in_one_place() -> None:
    groups = name_groups(np.full((20, 2), 3.5), ["tea leaves steep"] * 20)
    check(groups, 20)
    assert groups.group_of.tolist() == [0] * 20
    assert [(g.x, g.y, g.n) for g in groups.named if g.level == COLOURED_LEVEL] == [(3.5, 3.5, 20)]


@pytest.mark.parametrize("title", ["", "!!! ☕", "of the and", "2019 12"])
def test_titles_without_a_word_that_says_something(title: str) -> None:
    points, _ = planted()
    groups = name_groups(points, [title] * len(points))
    assert as_lists(groups) == ((), (), [NO_GROUP] * len(points))


def test_two_gatherings_of_the_same_words_share_one_name() -> None:
    """The second one would only repeat it, so it goes without."""
    points, _ = planted()
    groups = name_groups(points, ["tea leaves"] * len(points))
    assert len(groups.coloured) == 1
    assert (groups.group_of == 0).sum() == COUNTS[0]
    assert (groups.group_of == NO_GROUP).sum() == COUNTS[1] + COUNTS[2]


def test_many_titles_are_sampled_and_every_publication_still_belongs_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.explore.landscape.MOST_READ", 50)
    points, written = planted()
    groups = name_groups(points, written)
    check(groups, len(points))
    assert [set(name.split(" · ")) for name in groups.coloured] == [set(name.split(" · ")) for name in THEMES]
    assert groups.group_of.tolist() == [index for index, count in enumerate(COUNTS) for _ in range(count)]
