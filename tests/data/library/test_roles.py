"""Roles of files, changed after the import: the store is as if the file had been imported with its new role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.errors import ConflictError, InputError, NotFoundError
from data.changes import acting_as
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.imports import NOTHING_CHOSEN, bring, meant
from data.library.records import SourceRole, load_sources
from data.library.roles import change_role, source_named, undo_role
from data.library.searches import find_search, load_searches, phase_ids, save_search

TEA = "tea"
ROLES = ("corpus", "core", "screened", "included", "v1", "v2")
PAIRS = tuple(permutations(ROLES, 2))
ENTRIES = (
    "TI  - Green tea in towns and cities\nPY  - 2001\nDO  - 10.1/a\nDB  - Embase",
    "TI  - Green tea in towns and cities\nPY  - 2001",
    "TI  - Black tea in gardens of the north\nPY  - 2002\nDO  - 10.1/b\nAB  - Leaves.",
    "TI  - Black tea in gardens of the north\nPY  - 2009\nDO  - 10.1/c",  # two of one name: a core list can't tell
    "TI  - Black tea in gardens of the north",
    "TI  - White tea on mountains in summer\nPY  - 2003\nAU  - Leaf, Ann",
    "DO  - 10.1/a\nPY  - 2001",
)
File = tuple[str, tuple[int, ...]]
files = some.lists(
    some.tuples(some.sampled_from(ROLES), some.lists(some.integers(0, len(ENTRIES) - 1), min_size=1).map(tuple)),
    min_size=1,
    max_size=4,
)


def import_all(workspace: Workspace, brought: Sequence[File]) -> None:
    for n, (role, entries) in enumerate(brought):
        data = f"TY  - JOUR\nN1  - {n}\n".join(["", *(f"{ENTRIES[i]}\nER  - \n" for i in entries)])
        bring(workspace, TEA, SourceRole.named(role), [read_data(data.encode(), f"{n}.ris")])


def contents(workspace: Workspace) -> dict[str, Any]:
    """The topic in the store, without ids and numbers that depend on the order of changes."""
    store = workspace.store
    names = {source.source_id: source.name for source in load_sources(store, TEA)}
    versions = {row.version.label: row for row in store.versions(TEA)}
    return {
        "files": [
            (s.source_id, s.number, s.role, s.name, s.report, s.n_records, s.n_publications)
            for s in load_sources(store, TEA)
        ],
        "records": sorted(store.rows("SELECT source_id, number, publication_id, document FROM records")),
        "rules": sorted(store.rows("SELECT source_id, number FROM records WHERE rule IS NULL")),
        "core": store.load_core_ids(TEA),
        "corpus": store.corpus_ids(TEA),
        "versions": {label: store.load_retrieved_ids(row.version.query_id) for label, row in versions.items()},
        "phases": phase_ids(store, TEA),
        "searches": sorted(
            (s.database, s.platform, s.label or "", tuple(names[i] for i in s.source_ids))
            for s in load_searches(store, TEA)
        ),
        "publications": sorted(store.rows("SELECT * FROM publications"), key=str),
    }


def after(brought: Sequence[File], *changes: tuple[int, str]) -> dict[str, Any]:
    with TemporaryDirectory() as folder, Workspace.open(Path(folder)) as workspace:
        import_all(workspace, brought)
        for place, role in changes:
            name = f"{place}.ris"
            change_role(workspace, TEA, source_named(workspace.store, TEA, name).source_id, SourceRole.named(role))
        return contents(workspace)


@pytest.mark.parametrize(("before", "role"), PAIRS)
def test_a_changed_role_is_as_if_imported_with_it(before: str, role: str) -> None:
    around: tuple[list[File], list[File]] = ([("corpus", (0, 2, 5))], [("v1", (2,))])
    entries = (0, 2, 4, 5)
    expected = after([*around[0], (role, entries), *around[1]])
    assert after([*around[0], (before, entries), *around[1]], (1, role)) == expected
    assert after([(before, entries)], (0, role)) == after([(role, entries)])


@given(files, some.data())
def test_the_last_file_can_have_had_any_role(brought: list[File], data: some.DataObject) -> None:
    role = data.draw(some.sampled_from(ROLES))
    *others, (_, entries) = brought
    assert after(brought, (len(others), role)) == after([*others, (role, entries)])


@given(files, some.data())
def test_a_change_that_is_undone_leaves_nothing(brought: list[File], data: some.DataObject) -> None:
    role = SourceRole.named(data.draw(some.sampled_from(ROLES)))
    with TemporaryDirectory() as folder, Workspace.open(Path(folder)) as workspace:
        import_all(workspace, brought)
        before = contents(workspace)
        source = load_sources(workspace.store, TEA)[-1]
        undo_role(workspace, change_role(workspace, TEA, source.source_id, role))
        assert contents(workspace) == before


def test_undoing_returns_what_was_known_of_the_search_and_the_version(workspace: Workspace) -> None:
    import_all(workspace, [("v1", (0, 2)), ("corpus", (5,))])
    store = workspace.store
    save_search(store, TEA, replace(find_search(store, TEA, 1), platform="Ovid"))
    store.set_version_text(TEA, "v1", "tea")
    searches, (version,) = load_searches(store, TEA), store.versions(TEA)
    change = change_role(workspace, TEA, source_named(store, TEA, "0.ris").source_id, SourceRole("included"))
    assert store.versions(TEA) == ()
    assert [search.number for search in load_searches(store, TEA)] == [2]
    undo_role(workspace, change)
    assert load_searches(store, TEA) == searches
    assert store.versions(TEA) == (version,)


def test_roles_that_a_file_cannot_have(workspace: Workspace) -> None:
    import_all(workspace, [("corpus", (0,)), ("v1", (0,))])
    labelled = b"title,included\nGreen tea,1\nBlack tea,0\nWhite tea,0\n"
    bring(workspace, TEA, SourceRole("corpus"), [read_data(labelled, "labels.csv")])
    store = workspace.store
    before = contents(workspace)
    with pytest.raises(InputError, match="1 of 3 records"):
        change_role(workspace, TEA, source_named(store, TEA, "labels.csv").source_id, SourceRole("included"))
    with pytest.raises(NotFoundError):
        source_named(store, TEA, "nothing.ris")
    assert contents(workspace) == before


COHEN = b"title,abstract,label_abstract_screening,label_included\nGreen tea,x,1,1\nBlack tea,x,1,0\nWhite tea,x,0,0\n"


@pytest.mark.parametrize(
    ("before", "role", "is_possible"),
    [
        ("corpus", "v1", True),
        ("corpus", "screened", False),
        ("screened", "corpus", False),
        ("screened", "included", False),
        ("included", "screened", False),
    ],
)
def test_labels_never_lose_a_record(workspace: Workspace, before: str, role: str, is_possible: bool) -> None:
    old, new = SourceRole.named(before), SourceRole.named(role)
    bring(workspace, TEA, old, [meant(read_data(COHEN, "labels.csv"), old, NOTHING_CHOSEN)])
    (source,) = load_sources(workspace.store, TEA)
    assert source.n_records == {"corpus": 3, "screened": 2, "included": 1}[before]
    if is_possible:
        change_role(workspace, TEA, source.source_id, new)
    else:
        with pytest.raises(InputError):
            change_role(workspace, TEA, source.source_id, new)


def test_a_role_that_another_person_changed_is_a_conflict(workspace: Workspace) -> None:
    import_all(workspace, [("corpus", (0, 2))])
    seen = source_named(workspace.store, TEA, "0.ris").source_id
    with acting_as("Grace"):
        change_role(workspace, TEA, seen, SourceRole("screened"))
    with acting_as("Ada"), pytest.raises(ConflictError, match="Grace changed"):
        change_role(workspace, TEA, seen, SourceRole("included"))
    assert source_named(workspace.store, TEA, "0.ris").role == SourceRole("screened")
