"""The front against its definition, read off pair by pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.explore.compare import pareto_front

VERSIONS = st.lists(st.tuples(st.integers(1, 8), st.integers(0, 6)), max_size=12)


def beats(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """At least as many found in at most as many records, one of the two strictly."""
    return a[0] <= b[0] and a[1] >= b[1] and a != b


@given(VERSIONS)
def test_a_version_is_on_the_front_if_and_only_if_none_beats_it(versions: list[tuple[int, int]]) -> None:
    front = pareto_front([n for n, _ in versions], [found for _, found in versions])
    expected = {i for i, v in enumerate(versions) if not any(beats(other, v) for other in versions)}
    assert set(front) == expected
    assert len(front) == len(expected)


@given(VERSIONS)
def test_along_the_front_more_is_read_and_more_is_found(versions: list[tuple[int, int]]) -> None:
    along = [versions[i] for i in pareto_front([n for n, _ in versions], [found for _, found in versions])]
    assert along == sorted(along)
    assert [found for _, found in along] == sorted(found for _, found in along)
