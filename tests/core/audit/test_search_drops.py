"""Searches to drop: compared with every subset of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

import core.audit.search_drops as search_drops
from core.audit.search_drops import DropPrice, drop_price, drop_sentence, smallest_set, suggested_drop

IDS = some.frozensets(some.sampled_from("abcdefgh"))
FOUND = some.dictionaries(some.sampled_from(["1", "2", "3", "4", "5"]), IDS)


def union(found: Mapping[str, frozenset[str]], names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(i for name in names for i in found[name])


def oracle(found: Mapping[str, frozenset[str]], wanted: frozenset[str]) -> tuple[int, int]:
    """Size and publications of the best of all subsets that keep what is wanted."""
    reachable = wanted & union(found, tuple(found))
    subsets = [names for n in range(len(found) + 1) for names in combinations(found, n)]
    return min((len(names), len(union(found, names))) for names in subsets if union(found, names) >= reachable)


@given(FOUND, IDS)
def test_the_smallest_set_is_the_best_of_all_subsets(found: dict[str, frozenset[str]], wanted: frozenset[str]) -> None:
    kept = smallest_set(found, wanted)
    assert union(found, kept) >= wanted & union(found, tuple(found))
    assert (len(kept), len(union(found, kept))) == oracle(found, wanted)


@given(FOUND, IDS)
def test_with_many_searches_each_one_kept_is_needed(found: dict[str, frozenset[str]], wanted: frozenset[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_drops, "MOST_EXACT", 0)
        kept = smallest_set(found, wanted)
    reachable = wanted & union(found, tuple(found))
    assert union(found, kept) >= reachable
    for name in kept:
        assert not union(found, tuple(other for other in kept if other != name)) >= reachable


@given(FOUND, IDS, IDS, some.data())
def test_a_price_counts_what_only_the_dropped_have(
    found: dict[str, frozenset[str]], core: frozenset[str], included: frozenset[str], data: some.DataObject
) -> None:
    dropped = data.draw(some.sets(some.sampled_from(sorted(found)))) if found else set()
    price = drop_price(found, dropped, core, included)
    gone = union(found, tuple(found)) - union(found, tuple(name for name in found if name not in dropped))
    assert (price.n_saved, set(price.lost_core), set(price.lost_included)) == (
        len(gone),
        gone & core,
        gone & included,
    )


@given(FOUND, IDS, IDS)
def test_a_suggestion_loses_nothing(
    found: dict[str, frozenset[str]], core: frozenset[str], included: frozenset[str]
) -> None:
    price = suggested_drop(found, core, included)
    if price is not None:
        assert price.loses_nothing
        assert 0 < len(price.search_ids) < len(found)


def test_nothing_is_suggested_without_a_known_publication() -> None:
    assert suggested_drop({"a": ["1"], "b": ["2"]}, []) is None
    assert suggested_drop({"a": ["1"], "b": ["2"]}, ["9"]) is None  # no search has it


def test_the_sentence_has_the_facts() -> None:
    names = {"a": "EconLit", "b": "GreenFILE"}
    both = drop_sentence(DropPrice(("a", "b"), 1, ("x",), ()), names, has_core=True, has_included=True)
    assert all(fact in both for fact in ("EconLit and GreenFILE", "1 publication", "1 core", "no included"))
