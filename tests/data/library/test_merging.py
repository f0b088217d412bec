"""Decisions about possible duplicates: taken back in turn, everything is as before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError
from core.types import unique_ids
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.duplicates import (
    Pairs,
    alike,
    join,
    join_all,
    kept_filings,
    merges,
    proposals,
    reconsider,
    separate,
    separate_all,
    undo,
    undo_batch,
)
from data.library.filing import delete_source
from data.library.imports import bring
from data.library.records import SourceRole, apart, load_sources
from tests.dashboard.library.test_page import TITLES, ris
from tests.messages import refusal

TOPIC = "Tea"
DECISIONS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), max_size=5)


def state_of(workspace: Workspace) -> object:
    store = workspace.store
    records = store.rows("SELECT source_id, number, publication_id, rule, began_as FROM records ORDER BY ALL")
    ids = sorted(store.topic_publication_ids(TOPIC))
    versions = store.versions(TOPIC), [store.load_retrieved_ids(v.version.query_id) for v in store.versions(TOPIC)]
    sets = store.corpus_ids(TOPIC), store.load_core_ids(TOPIC), versions
    return records, store.load_publications(ids), sorted(apart(store, TOPIC)), sets


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DECISIONS)
def test_undoing_all_decisions_restores_the_publications(
    tmp_path_factory: object, decisions: list[tuple[bool, int, int]]
) -> None:
    with Workspace.open(fresh(tmp_path_factory)) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:6]), "a.ris")])
        states, withdrawals = [state_of(workspace)], []
        for same, i, j in decisions:
            ids = sorted(workspace.store.topic_publication_ids(TOPIC))
            a, b = sorted((ids[i % len(ids)], ids[j % len(ids)]))
            if a == b or (a, b) in apart(workspace.store, TOPIC):
                continue
            if same:
                join(workspace, TOPIC, a, b)
                withdrawals.append(lambda: undo_batch(workspace, TOPIC))
            else:
                separate(workspace, TOPIC, a, b)
                withdrawals.append(lambda a=a, b=b: reconsider(workspace, TOPIC, [(a, b)]))
            states.append(state_of(workspace))
        for withdraw in reversed(withdrawals):
            assert state_of(workspace) == states.pop()
            withdraw()
        assert state_of(workspace) == states.pop()


def fresh(tmp_path_factory: object) -> Path:
    return tmp_path_factory.mktemp("tea")  # type: ignore[attr-defined,no-any-return]


def components(ids: Sequence[str], pairs: Pairs) -> set[frozenset[str]]:
    """Slow: sets that share a member are merged until none do."""
    groups = [{i} for i in ids]
    for a, b in pairs:
        some = [group for group in groups if a in group or b in group]
        groups = [group for group in groups if group not in some] + [set().union(*some)]
    return {frozenset(group) for group in groups}


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda p: p[0] != p[1]), max_size=6)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAIRS, PAIRS)
def test_a_batch_merges_all_that_are_linked_and_its_undo_restores_the_store(
    tmp_path_factory: object, same: list[tuple[int, int]], different: list[tuple[int, int]]
) -> None:
    with Workspace.open(fresh(tmp_path_factory)) as workspace:
        bring(workspace, TOPIC, SourceRole("core"), [read_data(ris(*TITLES[:2]), "core.ris")])
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:6]), "a.ris")])
        workspace.run_query(TOPIC, "towns")
        ids = workspace.store.corpus_ids(TOPIC)
        before, pairs = state_of(workspace), [(ids[i], ids[j]) for i, j in same]
        decided = unique_ids(tuple(sorted((ids[i], ids[j]))) for i, j in different)
        separate_all(workspace, TOPIC, decided)
        then = state_of(workspace)
        batch = join_all(workspace, TOPIC, pairs)
        left_out = batch.left_out
        kept = [pair for pair in pairs if pair not in left_out]
        together = components(ids, kept)
        assert len(workspace.store.corpus_ids(TOPIC)) == len(together)
        assert not any({a, b} <= group for a, b in decided for group in together)
        for pair in left_out:
            assert any({a, b} <= group for a, b in decided for group in components(ids, [*kept, pair]))
        if kept:
            undo_batch(workspace, TOPIC, batch.key)
        assert state_of(workspace) == then
        reconsider(workspace, TOPIC, decided)
        assert state_of(workspace) == before


def test_pairs_are_alike_by_what_differs(tmp_path: Path) -> None:
    twice = [title for title in TITLES[:3] for _ in range(2)]
    file = ris(*(f"{title}: a review{'s' * (n % 2)}" for n, title in enumerate(twice)))
    other = ris(TITLES[20], year=2010) + ris(f"{TITLES[20]}s", year=2018)
    with Workspace.open(tmp_path) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(file + other, "a.ris")])
        found = proposals(workspace, TOPIC)
        first = next(p for p in found if p.years[0] == p.years[1] == 2019)
        kind, pairs = alike(workspace, TOPIC, *reversed(first.ids))
        assert (kind.title, kind.year, kind.doi) == ("spelling", "same", "neither")
        assert first.ids in pairs
        assert {p.ids for p in found if p.years[0] != p.years[1]}.isdisjoint(pairs)
        with refusal(NotFoundError):
            alike(workspace, TOPIC, first.pair.a, "nothing")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAIRS, st.lists(st.booleans(), max_size=3))
@example([(0, 1), (0, 2)], [])
@example([(0, 1), (0, 2)], [True, False])
@example([(1, 2), (0, 1), (3, 4), (0, 3)], [True, False])
def test_undoing_the_merges_of_records_one_by_one_restores_the_store(
    tmp_path_factory: object, same: list[tuple[int, int]], singly: list[bool]
) -> None:
    with Workspace.open(fresh(tmp_path_factory)) as workspace:
        bring(workspace, TOPIC, SourceRole("core"), [read_data(ris(*TITLES[:2]), "core.ris")])
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:6]), "a.ris")])
        workspace.run_query(TOPIC, "towns")
        ids, before = workspace.store.corpus_ids(TOPIC), filed(workspace)
        for half in (same[::2], same[1::2]):
            there = set(workspace.store.corpus_ids(TOPIC))
            join_all(workspace, TOPIC, [(ids[i], ids[j]) for i, j in half if {ids[i], ids[j]} <= there])
        for is_single in singly:
            asked = merges(workspace, TOPIC, rule="asked")
            if asked and is_single:
                undo(workspace, TOPIC, asked[-1].source_id, asked[-1].number)
            elif asked:
                undo_batch(workspace, TOPIC)
        while asked := merges(workspace, TOPIC, rule="asked"):
            assert undo(workspace, TOPIC, asked[-1].source_id, asked[-1].number) in ids
        assert filed(workspace) == before
        assert kept_filings(workspace.store, TOPIC) == []


def filed(workspace: Workspace) -> object:
    """The filing, with the publications of versions in any order."""
    records, publications, different, (corpus, core, (versions, retrieved)) = state_of(workspace)  # type: ignore[misc]
    return records, publications, different, corpus, core, [v.version for v in versions], list(map(set, retrieved))


def test_a_pair_marked_as_different_is_so_again_after_a_merge_is_undone(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:3]), "a.ris")])
        a, b, c = workspace.store.corpus_ids(TOPIC)
        separate(workspace, TOPIC, a, b)
        before = state_of(workspace)
        join(workspace, TOPIC, a, b)
        join(workspace, TOPIC, a, c)
        assert undo_batch(workspace, TOPIC) == (c,)
        assert undo_batch(workspace, TOPIC) == (b,)
        assert state_of(workspace) == before


def test_a_merge_whose_file_was_deleted_is_undone_for_the_other_file_only(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        for name, title in (("a.ris", TITLES[0]), ("b.ris", TITLES[1]), ("c.ris", TITLES[2])):
            bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(title), name)])
        a, b, c = workspace.store.corpus_ids(TOPIC)
        join_all(workspace, TOPIC, [(a, b), (a, c)])
        deleted = next(source for source in load_sources(workspace.store, TOPIC) if source.name == "c.ris")
        delete_source(workspace, TOPIC, deleted.source_id)
        assert undo_batch(workspace, TOPIC) == (b,)
        assert workspace.store.corpus_ids(TOPIC) == (a, b)
        join(workspace, TOPIC, a, b)
        for source in load_sources(workspace.store, TOPIC):
            delete_source(workspace, TOPIC, source.source_id)
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:2]), "a.ris")])
        before = state_of(workspace)
        with refusal(InputError):
            undo_batch(workspace, TOPIC)
        assert state_of(workspace) == before
