"""The summary of a quality report claims no more than the intervals allow."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.quality_facts import QualityFacts, VersionFacts, summary, summed_up
from core.explore.compare import Difference
from core.explore.evaluate import FEW_CORE
from core.stats import Interval
from tests.audit_cases import quality_facts, without_results

TOO_MUCH = re.compile(r"\b(significan\w*|best|prov(e|es|ed|en))\b", re.IGNORECASE)
scores = st.floats(-1, 1, allow_nan=False)


@cache
def facts(n_versions: int = 2, *, ranges: bool = True, n_core: int = 16) -> QualityFacts:
    return quality_facts(120, n_versions, n_core=n_core, n_found=min(11, n_core), ranges=ranges)


def with_differences(found: QualityFacts, value: float, low: float, high: float) -> QualityFacts:
    """Every F-beta difference as given."""
    assert found.comparison is not None
    changed = tuple(
        replace(d, difference=value, interval=Interval(min(low, high), max(low, high))) if d.metric == "f_beta" else d
        for d in found.comparison.differences
    )
    return replace(found, comparison=replace(found.comparison, differences=changed))


def with_region(version: VersionFacts, **changes: object) -> VersionFacts:
    """The same version with another outcome of the region in front."""
    regions = dict(version.evaluation.regions)
    regions["cosine"] = replace(regions["cosine"], **changes)  # type: ignore[arg-type]
    return replace(version, evaluation=replace(version.evaluation, regions=regions))


def text_of(found: QualityFacts) -> str:
    return " ".join(summary(found))


@given(scores, scores, scores)
def test_a_version_is_called_higher_only_if_the_paired_range_leaves_out_zero(
    value: float, low: float, high: float
) -> None:
    low, high = min(low, high), max(low, high)
    said = text_of(with_differences(facts(), value, low, high))
    clear = min(low, value) > 0 or max(high, value) < 0
    assert ("has a higher" in said) == clear
    assert ("not clear which" in said) == (not clear)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.01, 1))
def test_who_is_ahead_does_not_hang_on_the_order_of_the_two(value: float, low: float, high: float) -> None:
    forwards = text_of(with_differences(facts(), value, low, high))
    backwards = text_of(with_differences(facts(), -value, -low, -high))
    assert "“version 2” has a higher F2 (Cosine) than “version 1”" in forwards
    assert "“version 1” has a higher F2 (Cosine) than “version 2”" in backwards


def test_a_range_that_ends_at_zero_is_not_clear() -> None:
    found = Difference("a", "b", "f_beta", "cosine", 0.2, Interval(0.0, 0.4), "")
    assert not found.is_clear
    assert replace(found, interval=Interval(0.001, 0.4)).is_clear
    assert not replace(found, interval=None).is_clear


@given(st.integers(1, 24))
def test_few_core_publications_are_said_to_be_few(n_core: int) -> None:
    said = text_of(facts(1, ranges=False, n_core=n_core))
    assert ("results rest on" in said) == (n_core < FEW_CORE)


def test_without_ranges_nothing_is_claimed_and_that_is_said() -> None:
    said = text_of(facts(2, ranges=False))
    assert "has a higher" not in said
    assert "no ranges yet" in said
    assert "given for “version 1” and “version 2”" in said


def test_with_ranges_their_lack_is_not_claimed() -> None:
    assert "No ranges" not in text_of(facts())


@pytest.mark.parametrize("changes", [{"degenerate": "the cluster is the whole list"}, {"status": "x", "f_beta": None}])
def test_a_region_that_says_nothing_yields_no_claim(changes: dict[str, object]) -> None:
    clear = with_differences(facts(), 0.5, 0.4, 0.6)
    assert "has a higher" in text_of(clear)
    said = text_of(replace(clear, versions=(clear.versions[0], with_region(clear.versions[1], **changes))))
    assert "has a higher" not in said
    assert "can't be determined" in said
    assert "F2 (Cosine): “version 1” and “version 2”" in said


def test_the_reason_for_saying_nothing_is_given() -> None:
    found = facts(1)
    told = with_region(found.versions[0], degenerate="it is all")
    said = text_of(replace(found, versions=(told,)))
    assert "meaningless for “version 1”: it is all" in said
    assert "semantically close" not in said


def test_a_made_up_topic_is_named_as_made_up() -> None:
    assert "is demo data" in text_of(facts(1))
    assert "is demo data" not in text_of(replace(facts(1), made_up=False))


@given(st.sampled_from([1, 2, 3, 4]), st.booleans(), scores, scores, scores)
def test_no_word_claims_too_much(n: int, ranges: bool, value: float, low: float, high: float) -> None:
    found = facts(n, ranges=ranges)
    if found.comparison is not None:
        found = with_differences(found, value, low, high)
    assert not TOO_MUCH.search(text_of(found))


def test_nothing_retrieved_is_nothing_found() -> None:
    said = summary(without_results())[1]
    assert said.startswith("“version 1” retrieves nothing")
    assert "none of 12 core" in said


def test_many_versions_are_told_in_a_short_lead_and_points() -> None:
    found = with_differences(facts(4), 0.5, 0.4, 0.6)
    told = summed_up(found)
    assert told.lead[1] == "4 versions were evaluated, and they find 5 to 11 of 16 core publications."
    assert told.lead[2].endswith("F2 (Cosine) for 6 of 6 pairs.")
    assert len(" ".join(told.lead)) < 400
    assert [item.split(" ")[0:2] for item in told.items[:4]] == [["“version", f"{n}”"] for n in range(1, 5)]
    assert any("has a higher F2" in item for item in told.items[4:])


@given(st.sampled_from([2, 3, 4]), st.booleans(), scores, scores, scores)
def test_the_lead_is_short_and_claims_what_the_points_show(
    n: int, ranges: bool, value: float, low: float, high: float
) -> None:
    found = with_differences(facts(n, ranges=ranges), value, low, high)
    told = summed_up(found)
    assert len(told.lead) <= 5
    assert sum(f"“version {number}” retrieves" in item for number in range(1, n + 1) for item in told.items) == n
    if " for none of" in " ".join(told.lead):
        assert "has a higher" not in " ".join(told.items)


def test_versions_beyond_the_first_few_are_named_and_left_to_the_tables() -> None:
    found = facts(2)
    more = tuple(replace(found.versions[1], label=f"version {number}") for number in range(3, 9))
    told = summed_up(replace(found, versions=found.versions + more))
    assert any("of “version 7” and “version 8” are in" in item for item in told.items)


def test_one_version_needs_no_points() -> None:
    assert summed_up(facts(1)).items == ()
