"""What sources have in common."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.overlap import overlap, yields

SOURCES = st.dictionaries(
    st.sampled_from(["Scopus", "WoS", "Lens", "PubMed"]), st.lists(st.sampled_from("abcdefgh"), max_size=8), max_size=4
)


@settings(max_examples=50)
@given(SOURCES)
def test_counts_are_those_of_sets(sources: dict[str, list[str]]) -> None:
    found = overlap(sources)
    sets = {name: set(ids) for name, ids in sources.items()}
    everything = set().union(*sets.values())
    assert found.names == tuple(sources)
    assert found.total == len(everything)
    assert found.n == tuple(map(len, sets.values()))
    assert found.shared == tuple(tuple(len(sets[a] & sets[b]) for b in sources) for a in sources)
    others = {name: set().union(*(ids for other, ids in sets.items() if other != name)) for name in sets}
    assert found.unique == tuple(len(sets[name] - others[name]) for name in sources)


@settings(max_examples=50)
@given(SOURCES)
def test_intersections_share_out_everything(sources: dict[str, list[str]]) -> None:
    found = overlap(sources)
    numbers = [part.n for part in found.intersections]
    assert sum(numbers) == found.total
    assert numbers == sorted(numbers, reverse=True)
    assert 0 not in numbers
    expected = {}
    for n in range(1, len(sources) + 1):
        for part in combinations(sources, n):
            others = [sources[name] for name in sources if name not in part]
            if ids := set.intersection(*(set(sources[name]) for name in part)).difference(*others):
                expected[part] = ids
    assert {part.sources: part.n for part in found.intersections} == {key: len(ids) for key, ids in expected.items()}
    assert sorted(publication_id for ids in expected.values() for publication_id in ids) == sorted(
        set().union(*sources.values())
    )


def test_of_equally_large_intersections_those_of_few_sources_come_first() -> None:
    found = overlap({"B": ["x", "y"], "A": ["y", "z"]})
    assert [part.sources for part in found.intersections] == [("B",), ("A",), ("B", "A")]


@settings(max_examples=50)
@given(SOURCES, st.sets(st.sampled_from("abcdefghxyz")))
def test_what_each_source_brings_of_the_core(sources: dict[str, list[str]], core: set[str]) -> None:
    shared = overlap(sources)
    found = yields(sources, core)
    assert [(each.name, each.n, each.n_unique) for each in found] == list(
        zip(shared.names, shared.n, shared.unique, strict=True)
    )
    for each in found:
        own = set(sources[each.name])
        others = set().union(*(ids for name, ids in sources.items() if name != each.name))
        assert (each.n_core, each.n_core_unique) == (len(own & core), len((own & core) - others))
        assert each.recall == (len(own & core) / len(core) if core else None)
        assert each.precision == (len(own & core) / len(own) if own and core else None)
