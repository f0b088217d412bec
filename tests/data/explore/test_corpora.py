"""The indexes of a workspace: opened once, made again when texts change, and never in somebody else's folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.types import Publication
from data.explore.workspace import Workspace
from data.query import search
from tests.data.workspaces import TOPIC, Version, ids_of


def folders(root: Path) -> set[str]:
    return {folder.name for folder in (root / "index").glob("*")}


def test_an_index_is_opened_once_and_found_again(workspace: Workspace) -> None:
    first = workspace.corpora.of(TOPIC)
    assert workspace.corpora.of(TOPIC) is first
    made = folders(workspace.paths.root)
    workspace.corpora.forget()
    assert workspace.corpora.of(TOPIC).ids == first.ids
    assert folders(workspace.paths.root) == made


def test_another_text_is_another_index(workspace: Workspace) -> None:
    before = workspace.run_query(TOPIC, "zebra").n_retrieved
    with workspace.store.transaction():
        workspace.store.save_publications([Publication("p0", "Zebra", "zebra")])
        workspace.save_topic(TOPIC, ids_of(0, 8), [Version("again", 9, ids_of(0, 40))])
    assert (before, workspace.run_query(TOPIC, "zebra OR zebra").n_retrieved) == (0, 1)


def test_a_copy_leaves_the_folder_of_the_original_alone(workspace: Workspace) -> None:
    workspace.close()
    with Workspace.open(workspace.paths.root) as original:
        before = folders(original.paths.root)
        with Workspace(original.paths, type(original.store).open_copy(original.paths.store)) as copy:
            assert copy.corpora.of(TOPIC).ids
        assert folders(original.paths.root) == before


def test_indexes_that_nobody_opens_are_taken_away(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.corpora.of(TOPIC)
    (old,) = folders(workspace.paths.root)
    os.utime(workspace.paths.index(old) / "about.json", (1, 1))
    monkeypatch.setattr(search, "MOST_KEPT", 1)
    with workspace.store.transaction():
        workspace.store.save_publications([Publication("new", "Tea")])
        workspace.store.save_corpus(TOPIC, ["new"])
    assert "new" in workspace.corpora.of(TOPIC).ids
    (left,) = folders(workspace.paths.root)
    assert left != old
