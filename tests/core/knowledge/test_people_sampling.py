"""Entities and queries are drawn without repetition, the same again, and differently for each person."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.knowledge.query_quality import drawn, in_chance_order, to_rate
from tests.messages import refusal

IDS = st.lists(st.text("abcd", min_size=1, max_size=3), unique=True, max_size=25)


@given(st.integers(0, 60), st.integers(0, 1000))
def test_each_is_drawn_once(n: int, seed: int) -> None:
    assert sorted(drawn(n, seed=seed)) == list(range(n))
    assert list(drawn(n, seed=seed)) == list(drawn(n, seed=seed))


def test_every_order_is_drawn_about_as_often() -> None:
    orders = [tuple(drawn(3, seed=seed)) for seed in range(3000)]
    assert len(set(orders)) == 6
    assert max(orders.count(order) for order in set(orders)) < 600
    assert len(set(islice(drawn(10**12, seed=5), 4))) == 4, "what is not taken costs nothing"


@given(IDS, IDS)
def test_an_order_is_not_stirred_by_others(ids: list[str], others: list[str]) -> None:
    whole = in_chance_order([*dict.fromkeys([*ids, *others])], seed="x")
    assert [one for one in whole if one in set(ids)] == list(in_chance_order(ids, seed="x"))


@given(IDS, st.integers(0, 30), st.sampled_from([0, 0.25, 0.5, 1]))
def test_a_rater_is_given_as_many_as_there_are_each_once(ids: list[str], n: int, common: float) -> None:
    found = to_rate(ids, rater="Ada", n=n, common=common)
    assert len(found) == len(set(found)) == min(n, len(ids))
    assert set(found) <= set(ids)
    assert to_rate(ids, rater="Ada", n=n + 3, common=common)[: len(found)] == found
    assert to_rate(ids[::-1], rater="Ada", n=n, common=common) == found


@given(IDS, st.integers(0, 30))
def test_raters_share_their_part(ids: list[str], n: int) -> None:
    ada, bo = (set(to_rate(ids, rater=rater, n=n, common=0.5)) for rater in ("Ada", "Bo"))
    assert len(ada & bo) >= min(n, len(ids)) / 2
    assert to_rate(ids, rater="Ada", n=n, common=1) == to_rate(ids, rater="Bo", n=n, common=1)


def test_own_parts_differ() -> None:
    ids = [str(i) for i in range(1000)]
    ada, bo = (set(to_rate(ids, rater=rater, n=40, common=0.5)) for rater in ("Ada", "Bo"))
    assert 20 <= len(ada & bo) < 26
    with refusal(SettingsError):
        to_rate(ids, rater="Ada", n=4, common=2)
