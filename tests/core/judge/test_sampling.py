"""Samples keep the proportions of the whole, and pairs are only what was written to the same settings."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Query
from core.errors import InputError, NotFoundError
from core.judge.sampling import dimension_counts, missing_combinations, paired, sample_queries, value_of

ORDERED = tuple(
    Query(f"q{n}", f"query {n}", (("type", kind), ("length", length)))
    for n, (kind, length) in enumerate([("a", "x")] * 50 + [("a", "y")] * 10 + [("b", "x")] * 30 + [("c", "y")] * 10)
)


def test_a_sample_has_every_kind_in_proportion_where_the_head_has_only_the_first() -> None:
    assert {value_of(query, "type") for query in ORDERED[:10]} == {"a"}
    sample = sample_queries(ORDERED, 10, by="type", seed=3)
    assert Counter(value_of(query, "type") for query in sample) == {"a": 6, "b": 3, "c": 1}
    assert list(sample) == sorted(sample, key=lambda query: int(query.query_id[1:]))
    crossed = sample_queries(ORDERED, 20)
    assert Counter((value_of(q, "type"), value_of(q, "length")) for q in crossed) == {
        ("a", "x"): 10,
        ("a", "y"): 2,
        ("b", "x"): 6,
        ("c", "y"): 2,
    }


def test_the_seed_decides_and_nothing_else() -> None:
    assert sample_queries(ORDERED, 10, seed=1) == sample_queries(ORDERED, 10, seed=1)
    assert len({sample_queries(ORDERED, 10, seed=seed) for seed in range(5)}) == 5


def test_more_than_there_are_is_all_and_none_is_refused() -> None:
    assert sample_queries(ORDERED, 1_000) == ORDERED
    with pytest.raises(InputError, match="at least 1"):
        sample_queries(ORDERED, 0)
    with pytest.raises(NotFoundError, match="type, length"):
        sample_queries(ORDERED, 5, by="colour")


some_queries = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["", "x", "y"])), min_size=1, max_size=40
).map(
    lambda drawn: tuple(
        Query(f"q{n}", "t", (("type", kind), *((("length", length),) if length else ())))
        for n, (kind, length) in enumerate(drawn)
    )
)


@settings(max_examples=60)
@given(
    some_queries,
    st.integers(1, 45),
    st.sampled_from([None, "type", "length", ("length", "type"), ()]),
    st.integers(0, 9),
)
def test_a_sample_holds_so_many_each_once_and_no_kind_is_a_query_off_its_share(
    queries: tuple[Query, ...], n: int, by: str | tuple[str, ...] | None, seed: int
) -> None:
    names = {name for query in queries for name, _ in query.labels}
    if isinstance(by, str | tuple) and not set([by] if isinstance(by, str) else by) <= names:
        return
    sample = sample_queries(queries, n, by=by, seed=seed)
    assert len(sample) == len(set(sample)) == min(n, len(queries))
    assert set(sample) <= set(queries)
    first = by if isinstance(by, str) else next(iter(by), None) if by is not None else "type"
    if first:
        whole = Counter(value_of(query, first) for query in queries)
        found = Counter(value_of(query, first) for query in sample)
        for value, size in whole.items():
            assert abs(found[value] - len(sample) * size / len(queries)) < 1


def test_crossed_every_dimension_by_itself_comes_near_its_proportions() -> None:
    names = ("one", "two", "three", "four")
    drawn = random.Random(5)
    whole = tuple(Query(f"q{n}", "t", tuple((name, drawn.choice("aaabbc")) for name in names)) for n in range(200))
    off = []
    for seed in range(10):
        sample = sample_queries(whole, 30, seed=seed)
        for name, counts in dimension_counts(whole).items():
            found = dimension_counts(sample)[name]
            off += [abs(found.get(value, 0) - 30 * n / 200) for value, n in counts.items()]
    assert max(off) < 3
    assert sum(off) / len(off) < 1


def test_counts_and_what_never_occurs_together() -> None:
    assert dimension_counts(ORDERED) == {"type": {"a": 60, "b": 30, "c": 10}, "length": {"x": 80, "y": 20}}
    missing = missing_combinations(ORDERED)
    assert [(each.first[1], each.second[1], each.expected) for each in missing] == [("c", "x", 8.0), ("b", "y", 6.0)]
    assert all(each.is_telling for each in missing)
    assert missing[1].chance == pytest.approx(comb(70, 20) / comb(100, 20))
    whole = [Query(f"{a}{b}", "t", (("one", a), ("two", b))) for a, b in product("ab", "xyz")]
    assert missing_combinations(whole) == ()
    many = [Query(f"q{n}", "t", (("one", str(n)), ("two", "x" if n % 2 else "y"))) for n in range(30)]
    assert missing_combinations(many) == ()


def in_file(name: str, change: dict[str, str] | None = None) -> tuple[Query, ...]:
    labels = (("type", "a"), ("length", "x"))
    changed = tuple((key, (change or {}).get(key, value)) for key, value in labels)
    return (Query(f"{name}/q1", f"{name} one", labels), Query(f"{name}/q2", f"{name} two", changed))


def test_sets_are_paired_where_all_settings_are_the_same() -> None:
    found = paired(in_file("ai"), in_file("other"))
    assert found.is_paired
    assert found.keys == ("q1", "q2")
    assert [(a.query_id, b.query_id) for a, b in found.alike] == [("ai/q1", "other/q1"), ("ai/q2", "other/q2")]
    assert "paired design" in found.sentence


def test_what_differs_or_has_no_partner_is_named_and_left_out() -> None:
    odd = (*in_file("other", {"length": "y"}), Query("other/q9", "more"))
    found = paired(in_file("ai"), odd)
    assert not found.is_paired
    assert [str(each) for each in found.differences] == ["q2: length is “x” in one and “y” in the other"]
    assert found.only_second == ("other/q9",)
    assert [a.query_id for a, _ in found.alike] == ["ai/q1"]
    assert found.sentence.startswith("1 pair of queries")
    assert "1 without a partner" in found.sentence


def test_sets_with_other_ids_or_without_settings_are_no_paired_design() -> None:
    assert "can't be compared" in paired([Query("a", "t")], [Query("b", "t")]).sentence
    bare = paired([Query("a", "t")], [Query("a", "u")])
    assert (bare.is_paired, len(bare.alike)) == (False, 1)
    assert not paired([], []).is_paired
    with pytest.raises(InputError, match="same id"):
        paired([Query("a", "t"), Query("a", "u")], [])


def test_pairs_do_not_hang_on_the_order_of_the_second_set() -> None:
    first, second = in_file("ai"), list(in_file("other"))
    random.Random(1).shuffle(second)
    assert paired(first, second).pairs == paired(first, tuple(reversed(second))).pairs
