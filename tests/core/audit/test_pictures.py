"""Pictures of the quality report stay within their frame, and no two words on them meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.quality_facts import QualityFacts
from core.audit.quality_pictures import landscape_figure
from core.audit.quality_report import quality_report
from core.pictures import (
    CORE,
    NOT_RELEVANT,
    RELEVANT,
    AxisScale,
    Box,
    Dots,
    Path,
    TextShape,
    VectorPicture,
    area_of,
    svg,
    ticks,
)
from core.report import Figure
from tests.audit_cases import quality_facts


@pytest.fixture(scope="module")
def facts() -> QualityFacts:
    return quality_facts(n_versions=4)


@pytest.fixture(scope="module")
def figures(facts: QualityFacts) -> tuple[Figure, ...]:
    return tuple(quality_report(facts, made_at="", made_with="").figures)


def places_of(picture: VectorPicture) -> list[tuple[float, float]]:
    places: list[tuple[float, float]] = []
    for shape in picture.shapes:
        if isinstance(shape, Dots | Path):
            places += shape.places
        elif isinstance(shape, Box):
            places += [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
        else:
            area = area_of(shape)
            places += [(area.x, area.y), (area.x + area.width, area.y + area.height)]
    return places


def all_words(picture: VectorPicture) -> Sequence[TextShape]:
    """Without the halos, which lie beneath and are white."""
    return [shape for shape in picture.shapes if isinstance(shape, TextShape) and shape.colour != "#ffffff"]


def test_everything_is_within_the_frame(figures: tuple[Figure, ...]) -> None:
    for figure in figures:
        for x, y in places_of(figure.picture):
            assert -1 <= x <= figure.picture.width + 1, figure.name
            assert -1 <= y <= figure.picture.height + 1, figure.name


def test_no_words_meet(figures: tuple[Figure, ...]) -> None:
    for figure in figures:
        areas = [(words.text, area_of(words)) for words in all_words(figure.picture)]
        for i, (one, area) in enumerate(areas):
            meeting = [other for other, there in areas[i + 1 :] if area.meets(there)]
            assert not meeting, f"{figure.name}: {one} meets {meeting}"


def test_dots_of_the_landscape_are_as_many_as_the_publications(facts: QualityFacts) -> None:
    version = facts.versions[0]
    figure = landscape_figure(version, facts)
    assert figure is not None
    drawn = {NOT_RELEVANT: 0, RELEVANT: 0, CORE: 0}
    for shape in figure.picture.shapes:
        if isinstance(shape, Dots):
            colour = CORE if CORE in (shape.fill, shape.line) else shape.fill
            drawn[colour] += len(shape.places)
    in_legend = {NOT_RELEVANT: 1, RELEVANT: 1, CORE: 3}
    n_core = int(version.rows.core_mask.sum())
    relevant = version.rows.masks["cosine"] & ~version.rows.core_mask[: version.rows.n_retrieved]
    assert drawn[CORE] - in_legend[CORE] == n_core
    assert drawn[RELEVANT] - in_legend[RELEVANT] == int(relevant.sum())


def test_without_places_there_is_no_landscape(facts: QualityFacts) -> None:
    version = facts.versions[0]
    nowhere = replace(version, rows=replace(version.rows, points=None, outlines={}))
    assert landscape_figure(nowhere, facts) is None
    lost = replace(version, rows=replace(version.rows, points=np.full((len(version.rows.ids), 2), np.nan), outlines={}))
    assert landscape_figure(lost, facts) is None


@pytest.mark.slow
def test_the_picture_of_a_large_landscape_is_small() -> None:
    facts = quality_facts(17_573, ranges=False)
    figure = landscape_figure(facts.versions[0], facts)
    assert figure is not None
    assert len(svg(figure.picture)) < 900_000


@given(st.floats(-1e3, 1e3), st.floats(0.01, 1e3), st.integers(2, 9))
def test_ticks_lie_within_their_ends(low: float, width: float, most: int) -> None:
    found = ticks(low, low + width, most)
    assert all(low - 1e-6 * width <= tick <= low + width + 1e-6 * width for tick in found)
    assert 1 <= len(found) <= most + 1


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0.1, 10))
def test_a_scale_keeps_order(a: float, b: float, width: float) -> None:
    scale = AxisScale(0.0, width, 10.0, 700.0)
    assert (a <= b) == (scale(a) <= scale(b)) or scale(a) == scale(b)
