"""Strata of the core: the laws of partitions, and counts by a slow oracle."""

from __future__ import annotations

from itertools import count, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import NoCoreError
from core.explore.strata import (
    CITATION_QUARTERS,
    SURVEY_NAMES,
    UNKNOWN,
    CoreMember,
    Strata,
    YearLimits,
    limits_of,
    outside_name,
    pool,
    quarters,
    strata_sentences,
    stratify,
    year_limits,
)
from core.explore.studies import FEWEST_TOPICS, SURVEY_KINDS
from core.query.parser import parse
from core.query.tree import Group, Node, Not, Range, Term, terms_in
from core.settings import EvaluationSettings
from core.stats import newcombe, wilson
from core.types import RegionKind
from tests.core.scenes import ALL_KINDS, Topic, random_topic

maybe = st.one_of(st.none(), st.integers(0, 12))
LIMITS = YearLimits(((3, 5), (8, None)))


@st.composite
def cores(draw: st.DrawFn) -> tuple[list[CoreMember], frozenset[str]]:
    facts = st.tuples(maybe, maybe, st.sampled_from([None, *SURVEY_KINDS]), st.booleans())
    rows = draw(st.lists(facts, min_size=1, max_size=30))
    members = [CoreMember(f"c{n}", *row[:3]) for n, row in enumerate(rows)]
    return members, frozenset(f"c{n}" for n, row in enumerate(rows) if row[3])


@given(cores(), st.sampled_from([None, LIMITS]))
def test_strata_of_one_kind_partition_the_core_and_their_recall_averages_to_its_recall(
    core: tuple[list[CoreMember], frozenset[str]], limits: YearLimits | None
) -> None:
    members, found = core
    strata = stratify(members, found, limits=limits)
    assert set(strata.partitions) == {"citations", "year", "survey"} | ({"year_limits"} if limits else set())
    for of_kind in strata.partitions.values():
        ids = [i for stratum in of_kind for i in stratum.core_ids]
        assert sorted(ids) == sorted(m.publication_id for m in members)
        assert len({stratum.name for stratum in of_kind}) == len(of_kind)
        assert all(len(stratum) for stratum in of_kind)
        assert sum(stratum.n_found for stratum in of_kind) == strata.n_found == len(found)
        mean = sum(stratum.recall * len(stratum) for stratum in of_kind) / strata.n_core
        assert mean == pytest.approx(len(found) / len(members))


@given(cores())
def test_what_is_not_known_has_a_stratum_of_its_own(core: tuple[list[CoreMember], frozenset[str]]) -> None:
    members, found = core
    partitions = stratify(members, found, limits=LIMITS).partitions
    known = {
        "citations": [m.times_cited for m in members],
        "year": [m.year for m in members],
        "survey": [m.survey_kind for m in members],
        "year_limits": [m.year for m in members],
    }
    for kind, of_kind in partitions.items():
        unknown = {m.publication_id for m, value in zip(members, known[kind], strict=True) if value is None}
        assert {i for s in of_kind if s.name == UNKNOWN[kind] for i in s.core_ids} == unknown


@given(cores(), st.sampled_from(["citations", "year"]))
def test_counts_are_those_of_a_slow_oracle(core: tuple[list[CoreMember], frozenset[str]], kind: str) -> None:
    members, found = core
    values = {m.publication_id: m.times_cited if kind == "citations" else m.year for m in members}
    known = sorted(value for value in values.values() if value is not None)
    expected: dict[object, list[bool]] = {}
    for publication_id, value in values.items():
        n_cuts_below = None if value is None else sum(value > np.percentile(known, cut) for cut in (25, 50, 75))
        expected.setdefault(n_cuts_below, []).append(publication_id in found)
    strata = stratify(members, found, limits=None).partitions[kind]  # type: ignore[index]
    assert sorted((len(s), s.n_found) for s in strata) == sorted((len(f), sum(f)) for f in expected.values())
    for stratum in strata:
        held = [value for i in stratum.core_ids if (value := values[i]) is not None]
        assert (stratum.low, stratum.high) == ((min(held), max(held)) if held else (None, None))
        assert stratum.recall_interval == wilson(stratum.n_found, len(stratum))


@given(st.lists(maybe, max_size=40))
def test_quarters_rise_with_the_values_and_keep_equal_ones_together(values: list[int | None]) -> None:
    of_value = dict(zip(values, quarters(values), strict=True))
    assert list(quarters(values)) == [of_value[value] for value in values]
    rising = [of_value[value] for value in sorted(v for v in of_value if v is not None)]
    assert rising == sorted(rising, key=lambda quarter: quarter or 0)
    assert of_value.get(None) is None


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 200), st.integers(0, 12), st.integers(1, 4))
def test_a_stratum_that_is_the_whole_core_has_the_scores_of_the_evaluation(seed: int, n_found: int, beta: int) -> None:
    evaluation = random_topic(seed, n=60, n_found=n_found).evaluate(EvaluationSettings(beta=beta))
    members = [CoreMember(i, 2000 + n, n % 5) for n, i in enumerate(evaluation.core_ids)]
    strata = stratify(members, evaluation.found_core_ids, limits=None, evaluation=evaluation)
    (whole,) = strata.partitions["survey"]
    assert whole.recall == evaluation.recall
    for kind in ALL_KINDS:
        scores, of_whole = evaluation.regions[kind], whole.regions[kind]
        assert (of_whole.status, of_whole.f_beta) == (scores.status, scores.f_beta)
        assert of_whole.core_accepted == evaluation.core_accepted(kind)
        _check_counts(strata, kind, None if scores.status != "ok" else len(scores.accepted_core_ids))


def _check_counts(strata: Strata, kind: RegionKind, n_accepted: int | None) -> None:
    for of_kind in strata.partitions.values():
        counts = [stratum.regions[kind].n_accepted for stratum in of_kind]
        assert (counts == [None] * len(counts)) if n_accepted is None else (sum(map(int, counts)) == n_accepted)  # type: ignore[arg-type]
        for stratum in of_kind:
            scores = stratum.regions[kind]
            if scores.f_beta is not None and scores.f_beta_interval is not None:
                low, high = scores.f_beta_interval
                assert low - 1e-12 <= scores.f_beta <= high + 1e-12


def test_without_results_the_scores_of_a_stratum_are_undefined_with_the_reason() -> None:
    topic: Topic = random_topic(0).with_(retrieved_ids=())
    evaluation = topic.evaluate(regions=("cosine", "hull"))
    members = [CoreMember(i) for i in evaluation.core_ids]
    (stratum,) = stratify(members, (), limits=None, evaluation=evaluation).partitions["citations"]
    for scores in stratum.regions.values():
        assert scores.status == "nothing was retrieved"
        assert (scores.n_accepted, scores.core_accepted, scores.f_beta, scores.f_beta_interval) == (None,) * 4
    assert stratum.recall == 0


def test_without_a_core_there_are_no_strata() -> None:
    with pytest.raises(NoCoreError):
        stratify([], (), limits=None)


def test_core_publications_outside_the_years_of_the_string_are_counted_apart() -> None:
    limits = limits_of(parse("heat AND year:2010-2020"))
    members = [CoreMember(f"c{year}", year) for year in (2008, 2009, 2010, 2015, 2020, 2021)] + [CoreMember("c")]
    strata = stratify(members, {"c2010", "c2020", "c2021"}, limits=limits)
    counted = {s.name: (s.n_found, len(s)) for s in strata.partitions["year_limits"]}
    assert counted == {"Within 2010–2020": (2, 3), outside_name(limits): (1, 3), "Year not known": (0, 1)}
    assert strata.n_outside == 3
    assert "3 of 7 core" in strata_sentences(strata)[-1]
    assert "outside 2010–2020" in strata_sentences(strata)[-1]
    assert "other 4, 2 are found (0.500)" in strata_sentences(strata)[-1]


def test_a_contrast_is_clear_only_where_its_interval_leaves_out_zero() -> None:
    members = [CoreMember(f"c{n}", None, n) for n in range(40)]
    found = stratify(members, {f"c{n}" for n in range(30, 40)}, limits=None).contrast("citations")
    assert found is not None
    assert (found.first, found.last, found.difference) == (CITATION_QUARTERS[0], CITATION_QUARTERS[-1], 1.0)
    assert found.interval == newcombe(0, 10, 10, 10)
    assert found.is_clear
    none_differ = stratify(members, {f"c{n}" for n in range(0, 40, 2)}, limits=None).contrast("citations")
    assert none_differ is not None
    assert not none_differ.is_clear
    assert stratify(members[:1], (), limits=None).contrast("citations") is None


@given(st.lists(cores(), min_size=1, max_size=6))
def test_pooled_strata_add_up_over_topics(topics: list[tuple[list[CoreMember], frozenset[str]]]) -> None:
    pooled = pool(stratify(members, found, limits=None) for members, found in topics)
    assert set(pooled) == {"citations", "year", "survey"}
    for of_kind in pooled.values():
        assert sum(s.n_core for s in of_kind) == sum(len(members) for members, _ in topics)
        assert sum(s.n_found for s in of_kind) == sum(len(found) for _, found in topics)
        for stratum in of_kind:
            assert (stratum.interval is None) is (stratum.n_topics < FEWEST_TOPICS)
            assert stratum.recall == stratum.n_found / stratum.n_core
            if stratum.interval is not None:
                assert 0 <= stratum.interval.low <= stratum.interval.high <= 1


def test_kinds_of_survey_have_names() -> None:
    assert set(SURVEY_NAMES) == set(SURVEY_KINDS)


@given(st.integers(0, 20), st.integers(1, 20), st.integers(0, 20), st.integers(1, 20))
def test_newcombe_holds_the_difference_and_turns_with_its_sides(n_a: int, of_a: int, n_b: int, of_b: int) -> None:
    n_a, n_b = min(n_a, of_a), min(n_b, of_b)
    low, high = newcombe(n_a, of_a, n_b, of_b)
    assert -1 - 1e-12 <= low <= n_b / of_b - n_a / of_a <= high <= 1 + 1e-12
    assert newcombe(n_b, of_b, n_a, of_a) == pytest.approx((-high, -low))


# The years that a search string lets through.


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("heat AND year:2010-2020", "2010–2020"),
        ("(heat OR trees) AND (year:2010-2012 OR year:2015)", "2010–2012, 2015"),
        ("heat AND year:2010-2020 AND year:2015-2030", "2015–2020"),
        ("heat NOT year:2010-2020", "up to 2009, 2021 or later"),
        ("heat AND year:2010 AND year:2012", "no year"),
        ("heat OR year:2010-2020", None),
        ("heat AND (trees OR year:2010-2020)", None),
        ("heat", None),
    ],
)
def test_year_limits_are_those_that_no_words_make_up_for(text: str, years: str | None) -> None:
    limits = limits_of(parse(text, "plain"))
    assert (None if limits is None else str(limits)) == years


def test_of_a_year_that_is_not_whole_all_is_let_through() -> None:
    limits = limits_of(parse("heat[tiab] AND 2010/03:2020/05[dp]", "pubmed"))
    assert limits is not None
    assert [year for year in range(2005, 2025) if limits.admits(year)] == list(range(2010, 2021))


def _leaf(number: int) -> st.SearchStrategy[Node]:
    return st.one_of(st.just(Term((f"word{number}",))), st.builds(Range, maybe, maybe))


@st.composite
def limited_trees(draw: st.DrawFn, depth: int = 3) -> Node:
    """Trees in which no word occurs twice, so that every word can be there or not by itself."""
    numbers = count()

    def node(levels: int) -> Node:
        kind = draw(st.sampled_from(["leaf", "not", "AND", "OR"] if levels else ["leaf"]))
        if kind == "leaf":
            return draw(_leaf(next(numbers)))
        if kind == "not":
            return Not(node(levels - 1))
        return Group("AND" if kind == "AND" else "OR", (node(levels - 1), node(levels - 1)))

    return node(depth)


def _matches(node: Node, year: int, present: dict[Node, bool]) -> bool:
    if isinstance(node, Range):
        return (node.low is None or node.low <= year) and (node.high is None or year <= node.high)
    if isinstance(node, Not):
        return not _matches(node.part, year, present)
    if isinstance(node, Group):
        parts = [_matches(part, year, present) for part in node.parts]
        return all(parts) if node.operator == "AND" else any(parts)
    return present[node]


@given(limited_trees())
def test_a_year_is_excluded_if_and_only_if_no_words_make_a_match(tree: Node) -> None:
    limits, terms = year_limits(tree), list(terms_in(tree))
    for year in range(-1, 15):
        choices = product([False, True], repeat=len(terms))
        possible = any(_matches(tree, year, dict(zip(terms, choice, strict=True))) for choice in choices)
        assert (limits is None or limits.admits(year)) is possible
