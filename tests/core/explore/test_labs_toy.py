"""The labs' planes: what the source's first figures show, and laws that hold wherever the points are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.labs import (
    LAST_K,
    N_STORY_CORE,
    UNIT_SQUARE,
    Toy,
    ToyArea,
    cell_of,
    cluster_area,
    core_by_theme,
    cosine_area,
    cosines_to,
    ellipsoid_area,
    hull_area,
    scatter,
    scatter_themes,
    tell,
)
from core.explore.scene import UndefinedRegion
from core.types import Floats, Points

places = st.lists(st.tuples(st.floats(0.02, 1), st.floats(0.02, 1)), min_size=10, max_size=10)


def has_inside(corners: Points, points: Points, slack: float = 1e-9) -> Floats:
    """Whether each point lies in a convex outline, by the side of every edge."""
    turns = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        turns.append((b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]))
    way = np.array(turns)
    inside: Floats = (way >= -slack).all(axis=0) | (way <= slack).all(axis=0)
    return inside


def area(made: ToyArea | UndefinedRegion) -> ToyArea:
    assert isinstance(made, ToyArea)
    return made


def test_the_sources_first_figures() -> None:
    toy = scatter(0)
    random = np.random.RandomState(0)  # what np.random.seed(0) sets
    assert (toy.publications == random.rand(200, 2)).all()
    assert (toy.core == random.rand(10, 2) * 0.55 + 0.4).all()
    cosine = area(cosine_area(toy, toy.core))
    assert cosine.says == "similarity threshold 0.946089"
    assert int(cosine.relevant_mask.sum()) == 96
    assert int(area(ellipsoid_area(toy, toy.core)).relevant_mask.sum()) == 50


@pytest.mark.parametrize("seed", range(4))
def test_the_outlines_are_what_is_accepted(seed: int) -> None:
    toy = scatter(seed)
    for made in (cosine_area(toy, toy.core), hull_area(toy, toy.core), cluster_area(toy, toy.core, min_core_share=0.4)):
        shown = area(made)
        assert (has_inside(shown.outline, toy.publications) == shown.relevant_mask).all()


@given(places)
@settings(max_examples=40, deadline=None)
def test_wherever_the_core_is_moved_each_region_says_something(moved: list[tuple[float, float]]) -> None:
    toy = Toy(scatter(0).publications, np.array(moved))
    for made in (cosine_area(toy, toy.core), ellipsoid_area(toy, toy.core), hull_area(toy, toy.core)):
        if isinstance(made, ToyArea):
            assert made.accepted_core_mask.all()  # each is laid around all of the core
            assert np.isfinite(made.outline).all()
        else:
            assert made.reason
    cluster = area(cluster_area(toy, toy.core, min_core_share=0.5))
    assert cluster.accepted_core_mask.sum() > 5
    assert (cluster.degenerate is None) == (cluster.says != "k = 1")


@pytest.mark.parametrize("core", [np.full((10, 2), 0.5), np.linspace([0.2, 0.3], [0.8, 0.9], 10)])
def test_on_one_spot_or_one_line_there_is_no_area(core: Points) -> None:
    toy = Toy(scatter(0).publications, core)
    for made in (ellipsoid_area(toy, core), hull_area(toy, core)):
        assert isinstance(made, UndefinedRegion)
        assert "on one line" in made.reason
    assert area(cosine_area(toy, core)).accepted_core_mask.all()


def test_what_too_few_give() -> None:
    toy = scatter(0)
    assert ellipsoid_area(toy, toy.core[:2]) == UndefinedRegion("needs 3 found core publications")
    assert cluster_area(toy, toy.core[:1], min_core_share=0.7) == UndefinedRegion("needs 2 found core publications")
    at_origin = Toy(toy.publications, np.vstack([[[0.0, 0.0]], toy.core[1:]]))
    assert isinstance(cosine_area(at_origin, at_origin.core), UndefinedRegion)
    assert np.isnan(cosines_to(np.ones(2), np.zeros((1, 2)))).all()


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6, unique=True))
@settings(max_examples=40, deadline=None)
def test_cells_are_where_a_centre_is_the_nearest(centers: list[tuple[float, float]]) -> None:
    at, tried = np.array(centers), scatter(1).publications
    nearest = ((tried[:, None] - at) ** 2).sum(axis=2)
    for chosen in range(len(at)):
        cell = cell_of(at, chosen)
        margin = np.delete(nearest, chosen, axis=1).min(axis=1, initial=np.inf) - nearest[:, chosen]
        inside = has_inside(cell, tried) if len(cell) > 2 else np.zeros(len(tried), dtype=bool)
        sure = np.abs(margin) > 1e-6
        assert (inside == (margin > 0))[sure].all()
    assert (cell_of(at[:1], 0) == UNIT_SQUARE).all()


@pytest.mark.parametrize(("n_themes", "share"), [(1, 0.7), (2, 0.7), (3, 0.9), (5, 0.6), (5, 0.9), (5, 0.1)])
def test_the_story_stops_where_the_core_falls_apart(n_themes: int, share: float) -> None:
    story = tell(scatter_themes(core_by_theme(n_themes), seed=0), share)
    assert [split.k for split in story.splits] == list(range(1, LAST_K + 1))
    for split in story.splits:
        assert sum(split.core_counts) == N_STORY_CORE
        assert split.n_best == max(split.core_counts)
        assert split.falls_apart == (split.n_best <= share * N_STORY_CORE + 1e-9)
    by_hand = next((split.k for split in story.splits if split.n_best <= share * N_STORY_CORE + 1e-9), None)
    assert story.stopped_at == by_hand
    assert story.kept_k == (LAST_K if by_hand is None else by_hand - 1)


def test_the_ends_of_the_story() -> None:
    assert tell(scatter_themes(core_by_theme(5), seed=0), 0.9).kept_k == 1
    assert tell(scatter_themes(core_by_theme(1), seed=0), 0.3).stopped_at is None
