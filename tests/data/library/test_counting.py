"""What is said before something is deleted is what goes."""

from __future__ import annotations

from pathlib import Path

from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.filing import delete_source, delete_topic
from data.library.imports import FileUpload, ImportChoices, bring, bring_prepared, look_at
from data.library.records import (
    SourceRole,
    load_sources,
    n_only_here,
    n_only_in_source,
    n_publications,
    publications_by_source,
    source_names,
    source_yields,
    topic_sizes,
)
from tests.data.workspaces import TOPIC, fill


def ris(*numbers: int) -> bytes:
    return "".join(f"TY  - JOUR\nTI  - Title {n}\nDO  - 10.1/{n}\nER  - \n" for n in numbers).encode()


def _bring(workspace: Workspace, topic: str, name: str, *numbers: int, role: str = "corpus") -> None:
    bring(workspace, topic, SourceRole.named(role), [read_data(ris(*numbers), name)])


def _n_known(workspace: Workspace) -> int:
    return int(workspace.store.rows("SELECT count(*) FROM publications")[0][0])


def test_what_is_counted_before_a_topic_goes_is_what_goes(workspace: Workspace) -> None:
    _bring(workspace, "A", "a.ris", *range(10))
    _bring(workspace, "B", "b.ris", *range(7, 12))
    _bring(workspace, "B", "core.ris", 8, 30, role="core")
    sizes = topic_sizes(workspace.store)
    assert (sizes["B"].n_publications, sizes["B"].n_files) == (6, 2)
    before, n = _n_known(workspace), n_only_here(workspace.store, "A")
    delete_topic(workspace, "A")
    assert (n, _n_known(workspace)) == (7, before - n)
    assert n_only_here(workspace.store, "B") == n_publications(workspace.store, "B") == _n_known(workspace)


def test_what_is_counted_before_a_file_goes_is_what_goes(workspace: Workspace) -> None:
    _bring(workspace, "A", "one.ris", *range(10))
    _bring(workspace, "A", "two.ris", *range(6, 14))
    _bring(workspace, "A", "one.ris", 13, 20, role="v9")
    first = load_sources(workspace.store, "A")[0]
    before, n = n_publications(workspace.store, "A"), n_only_in_source(workspace.store, "A", first.source_id)
    names = list(source_names(workspace.store, "A").values())
    assert names == ["one.ris (corpus)", "two.ris", "one.ris (v9)"]
    assert {name: len(ids) for name, ids in publications_by_source(workspace.store, "A").items()} == dict(
        zip(names, (10, 8, 2), strict=True)
    )
    delete_source(workspace, "A", first.source_id)
    assert (n, n_publications(workspace.store, "A")) == (6, before - n)


def test_the_file_of_the_core_publications_is_no_source(workspace: Workspace) -> None:
    _bring(workspace, "A", "one.ris", *range(10))
    _bring(workspace, "A", "two.ris", *range(6, 14))
    _bring(workspace, "A", "core.ris", 1, 7, 12, 30, role="core")
    found = source_yields(workspace.store, "A")
    assert [(each.name, each.n, each.n_unique, each.n_core, each.n_core_unique) for each in found] == [
        ("one.ris", 10, 6, 2, 1),
        ("two.ris", 8, 4, 2, 1),
    ]
    assert [each.recall for each in found] == [0.5, 0.5]


def test_a_topic_that_came_another_way_is_told_from_its_files(tmp_path: Path) -> None:
    fill(tmp_path)
    with Workspace.open(tmp_path) as workspace:
        _bring(workspace, TOPIC, "a.ris", 1)
        assert topic_sizes(workspace.store)[TOPIC].n_files == 1
        names = set(source_names(workspace.store, TOPIC).values())
        assert {"a.ris", "earlier records (core publications)"} <= names


def test_what_was_looked_at_comes_in_as_it_was_read(workspace: Workspace) -> None:
    labelled = b"title,doi,included\nOne,10.1/1,1\nTwo,10.1/2,0\nThree,10.1/3,1\n"
    role = SourceRole("corpus")
    looked = look_at(FileUpload("a.csv", labelled), role)
    assert looked.reading is not None
    done = bring_prepared(workspace, "A", role, [(looked.reading, ImportChoices(included_as_core=True))])
    assert (done.n_new, done.n_publications) == (3, 3)
    assert len(workspace.store.load_core("A").ids) == 2


def test_a_file_that_can_not_be_read_says_why() -> None:
    looked = look_at(FileUpload("a.ris", b"%PDF-1.4\n"), SourceRole("corpus"))
    assert looked.reading is None
    assert looked.mistake.startswith("this file is a PDF")
    assert looked.proposal is None
