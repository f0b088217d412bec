"""One sentence about two versions: right, and readable, in every case."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.explore.compare import Comparison, Entrant, compare, result_sentence, verdict
from core.explore.evaluate import Evaluation
from core.stats import Interval
from core.types import RegionKind
from tests.core.scenes import SETTINGS, Topic, random_topic
from tests.core.scenes import version as version_of
from tests.messages import refusal

TOPIC = random_topic(1)
KINDS: tuple[RegionKind, ...] = ("cosine", "hull", "cluster")


version = partial(version_of, TOPIC)


def compared(*versions: Topic, ranges: bool = True, kinds=KINDS) -> Comparison:
    entrants = [
        Entrant(label, t.scene, t.retrieved_ids, t.evaluate(SETTINGS, kinds))
        for label, t in zip("abc", versions, strict=False)
    ]
    return compare(entrants, settings=SETTINGS, ranges=ranges)


def said(a: Topic, b: Topic, region: RegionKind = "cosine", *, ranges: bool = False) -> str:
    return verdict(compared(a, b, ranges=ranges), "a", "b", region=region).sentence


def with_f_beta(value: float | None, interval: tuple[float, float] | None, *, has_ranges: bool = True) -> Comparison:
    """Nine core publications more and 1.3 times the records, with a difference of F-beta as given."""
    comparison = compared(version(range(1), range(12, 42)), version(range(10), range(12, 42)), ranges=False)
    changed = [
        replace(d, difference=value, interval=Interval(*interval) if interval else None)
        if (d.metric, d.region) == ("f_beta", "cosine")
        else d
        for d in comparison.differences
    ]
    return replace(comparison, differences=tuple(changed), has_ranges=has_ranges)


@pytest.mark.parametrize(
    ("value", "interval", "fact", "clear"),
    [
        (0.19, (0.1, 0.3), "; its F2 (Cosine) is 0.19 higher, and that is clear.", True),
        (-0.19, (-0.3, -0.1), "; yet its F2 (Cosine) is 0.19 lower, and that is clear.", True),
        (0.002, (0.001, 0.003), "less than 0.01 higher, and", True),
        (0.02, (-0.05, 0.08), "not clear whether its F2 (Cosine) is higher or lower (+0.02; ", False),
        (-0.02, (-0.05, 0.0), "higher or lower (−0.02; ", False),
        (-0.02, (0.1, 0.3), "higher or lower (−0.02; ", False),
        (0.0, (0.0, 0.0), "F2 (Cosine) is the same.", False),
        (0.19, None, "0.19 higher, but it is unknown", False),
    ],
)
def test_what_is_said_of_f_beta(value, interval, fact, clear):
    found = verdict(with_f_beta(value, interval), "a", "b", region="cosine")
    assert found.sentence.startswith("b finds 9 more of 12 ")
    assert "1.3 times" in found.sentence
    assert fact in found.sentence
    assert found.clear is clear


@pytest.mark.parametrize(("value", "end"), [(0.19, "0.19 higher."), (-0.19, "0.19 lower."), (0.0, "the same.")])
def test_nothing_is_called_clear_before_the_ranges_are_there(value, end):
    found = verdict(with_f_beta(value, None, has_ranges=False), "a", "b", region="cosine")
    assert found.sentence.endswith(f"F2 (Cosine) is {end}")
    assert found.clear is None


@pytest.mark.parametrize(
    ("a", "b", "core", "size"),
    [
        (
            (range(8), ()),
            (range(3, 12), ()),
            "1 more of 12 core publications than a (4 gained, 3 lost)",
            "retrieves 9 instead of 8; ",
        ),
        ((range(8), ()), (range(5), ()), "3 fewer of 12", "retrieves 5 instead of 8; "),
        ((range(4), ()), (range(2, 6), ()), "as many core publications as a (4 of 12; 2 gained, 2 lost)", "as many;"),
        ((range(4), ()), (range(4), (20,)), "the same 4 of 12", "retrieves 5 instead of 4;"),
        (((), (20,)), ((), (21,)), "none of 12 core publications, nor does a,", "as many; F2 (Cosine)"),
        ((range(1), range(12, 42)), (range(1), range(12, 43)), "same 1 of 12", "about as many (32 instead of 31); "),
        ((range(1), range(12, 90)), (range(1), ()), "same 1 of 12", "retrieves 1 instead of 79; "),
        ((range(1), ()), (range(1), range(12, 42)), "same 1 of 12", "retrieves 31 instead of 1; "),
        (((), ()), (range(1), ()), "1 more of 12", "retrieves 1 publication where a "),
        ((range(3), ()), ((), ()), "3 fewer of 12", "retrieves nothing; "),
    ],
)
def test_what_is_said_of_counts(a, b, core, size):
    sentence = said(version(*a), version(*b))
    assert sentence.startswith("b finds ")
    assert core in sentence
    assert size in sentence


def test_identical_versions_and_versions_of_nothing():
    one, empty = version(range(3), range(12, 20)), version((), ())
    for ranges in (True, False):
        same = verdict(compared(one, one, ranges=ranges), "a", "b", region="cosine")
        assert "the same 11 publications" in same.sentence
        assert same.clear is False
    assert "the same publication: " in said(version((), [20]), version((), [20]))
    assert said(empty, empty).startswith("Neither a nor b ")


def test_a_region_that_is_not_there():
    one, two, empty = version(range(8), range(12, 50)), version(range(3, 12), range(30, 90)), version((), ())
    assert "b has none (nothing was retrieved)." in said(one, empty)
    assert "F2 (Cluster) is not compared" in said(one, two, "cluster")
    unknown = verdict(compared(one, two, kinds=("hull",)), "a", "b", region="cosine")
    assert "F2 (Cosine) is not known" in unknown.sentence
    assert unknown.clear is None
    assert verdict(compared(one, two), "a", "b", region="cluster").clear is False


def test_an_area_is_named_as_what_it_is():
    sentence = said(version(range(8), range(12, 50)), version(range(3, 12), range(30, 90)), "hull")
    assert "F2 (Convex hull around" in sentence


def test_nothing_found_by_either():
    sentence = said(version((), range(12, 40)), version((), range(12, 50)), ranges=True)
    assert sentence.endswith("; F2 (Cosine) is 0 for both.")


def test_both_ways_say_the_same():
    comparison = compared(version(range(1), range(12, 42)), version(range(10), range(12, 42)))
    there = verdict(comparison, "a", "b", region="cosine")
    back = verdict(comparison, "b", "a", region="cosine")
    swapped = compared(version(range(10), range(12, 42)), version(range(1), range(12, 42)))
    again = verdict(swapped, "a", "b", region="cosine")
    assert there.clear is back.clear is True
    assert "9 more" in there.sentence
    names = {"a": "b", "b": "a"}
    assert re.sub(r"\b[ab]\b", lambda name: names[name[0]], back.sentence) == again.sentence
    assert again.sentence.startswith("b finds 9 fewer of 12 ")


@pytest.mark.parametrize("pair", [("a", "a"), ("a", "z"), ("z", "b")])
def test_versions_that_were_not_compared(pair):
    comparison = compared(version(range(1), ()), version(range(2), ()), ranges=False)
    with refusal(InputError):
        verdict(comparison, *pair, region="cosine")


ids = st.sets(st.integers(0, 11), max_size=12), st.sets(st.integers(12, 89), max_size=30)


@given(a=st.tuples(*ids), b=st.tuples(*ids))
@settings(deadline=None, max_examples=40)
def test_every_sentence_counts_right(a, b):
    one, two = version(sorted(a[0]), sorted(a[1])), version(sorted(b[0]), sorted(b[1]))
    comparison = compared(one, two, ranges=False, kinds=("cosine",))
    sentence = verdict(comparison, "a", "b", region="cosine").sentence
    assert sentence.endswith(".")
    assert "None" not in sentence
    assert "nan" not in sentence
    more = len(b[0]) - len(a[0])
    evaluations: tuple[Evaluation, ...] = comparison.versions
    if more and (set(a[0]) | a[1]) != (set(b[0]) | b[1]):
        assert f"finds {abs(more)} {'more' if more > 0 else 'fewer'} of 12 " in sentence
    assert evaluations[1].n_retrieved == len(b[0]) + len(b[1])


@pytest.mark.parametrize(
    ("value", "interval", "begins", "ends", "clear"),
    [
        (0.19, (0.1, 0.3), "Better than", " Clear.", True),
        (-0.19, (-0.3, -0.1), "Worse than", " Clear.", True),
        (0.02, (-0.05, 0.08), "Not clear whether it is better or worse than", " to read.", False),
        (0.02, None, "Not clear whether it is better or worse than", " to read.", False),
        (0.0, (0.0, 0.0), "Compared with", "F2 (Cosine) is the same.", False),
    ],
)
def test_a_version_beside_its_parent(value, interval, begins, ends, clear):
    found = result_sentence(with_f_beta(value, interval), "a", "b", region="cosine")
    assert found.sentence.startswith(f"{begins} a: 9 more core publications found, 1.3 times as many")
    assert found.sentence.endswith(ends)
    assert found.clear is clear


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ((range(8), ()), (range(3, 12), ()), "4 core publications gained and 3 lost, 9 to read instead of 8"),
        ((range(8), range(30)), (range(7), range(10)), "1 fewer core publication found, 55 % fewer to read"),
        (
            (range(3), range(40)),
            (range(3), range(39)),
            "the same core publications found, about as many to read (42 instead of 43)",
        ),
        ((range(3), range(5)), (range(3), range(5, 10)), "the same core publications found, as many to read"),
        ((range(3), ()), ((), ()), "3 fewer core publications found, nothing to read"),
        (((), ()), (range(3), range(4)), "3 more core publications found, 7 to read instead of nothing"),
    ],
)
def test_what_a_change_brings_and_costs(a, b, words):
    comparison = compared(version(*a), version(*b), ranges=False)
    assert f": {words}" in result_sentence(comparison, "a", "b", region="cosine").sentence


@given(value=st.floats(-0.5, 0.5), ends=st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted))
@settings(deadline=None)
def test_better_and_worse_begin_a_sentence_only_if_that_is_clear(value, ends):
    found = result_sentence(with_f_beta(value, tuple(ends)), "a", "b", region="cosine")
    assert found.sentence.startswith(("Better", "Worse")) == bool(found.clear)
    if found.clear:
        assert found.sentence.startswith("Better") == (value > 0)
    unknown = result_sentence(with_f_beta(value, None, has_ranges=False), "a", "b", region="cosine")
    assert unknown.clear is None or not value
    assert unknown.sentence.startswith("Compared with")


def test_the_same_list_is_neither_better_nor_worse():
    comparison = compared(version(range(3), range(4)), version(range(3), range(4)), ranges=False)
    found = result_sentence(comparison, "a", "b", region="cosine")
    assert found.sentence.startswith("The same publications")
    assert found.clear is False
