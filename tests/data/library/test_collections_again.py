"""Collections in their own layout beside a person's files: neither loses what the other brought."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.types import Ids, Publication
from data.demo.loading import bring_litqeval
from data.explore.workspace import Workspace
from data.library.duplicates import join
from data.library.filing import delete_source, keep_what_came
from data.library.imports import FileUpload, bring_files
from data.library.records import BEFORE, SourceRole, load_sources
from tests.data.workspaces import Version

GIVEN = [Publication(f"pub.100{n}", f"Steeping the {n}th tea of the day", f"It is tea {n}.", 2020) for n in range(6)]
CORE: Ids = ("pub.1000", "pub.1001")
RIS = b"TY  - JOUR\nTI  - How mugs of many sizes keep tea warm\nPY  - 2020\nER  -\n"
BARE = b"TY  - JOUR\nTI  - Steeping the 0th tea of the day\nID  - pub.1000\nER  -\n"
KINDS = (
    SourceRole("core"),
    SourceRole("corpus"),
    SourceRole("version", "mine"),
    SourceRole("version", "slr"),
    SourceRole("version", "predicted"),
)


@pytest.fixture
def loaded(workspace: Workspace) -> Workspace:
    load(workspace)
    return workspace


def load(workspace: Workspace, core: Ids = CORE, found: Ids = ("pub.1001", "pub.1002")) -> None:
    """A collection of one topic, as `get` loads one."""
    versions = [Version("slr", 1, found), Version("predicted", 2, None)]
    with workspace.store.transaction():
        workspace.store.save_publications(GIVEN)
        workspace.save_topic("tea", core, versions)
        keep_what_came(workspace.store, "tea")


def lists(workspace: Workspace) -> dict[str, Ids]:
    store = workspace.store
    found = {row.version.label: store.load_retrieved_ids(row.version.query_id) for row in store.versions("tea")}
    return found | {"core": store.load_core("tea").ids, "corpus": store.corpus_ids("tea")}


@pytest.mark.parametrize("role", KINDS, ids=str)
def test_loading_it_again_leaves_what_files_brought(loaded: Workspace, role: SourceRole) -> None:
    bring_files(loaded, "tea", role, [FileUpload("a.ris", RIS)])
    before, sources = lists(loaded), load_sources(loaded.store, "tea")
    load(loaded)
    assert lists(loaded) == before
    assert load_sources(loaded.store, "tea") == sources


def test_what_it_brings_anew_stands_beside_them(loaded: Workspace) -> None:
    bring_files(loaded, "tea", SourceRole("core"), [FileUpload("a.ris", RIS)])
    (mine,) = set(lists(loaded)["core"]) - set(CORE)
    load(loaded, core=(*CORE, "pub.1003"), found=("pub.1002", "pub.1004"))
    assert set(lists(loaded)["core"]) == {*CORE, mine, "pub.1003"}
    assert set(lists(loaded)["slr"]) == {"pub.1001", "pub.1002", "pub.1004"}
    sources = load_sources(loaded.store, "tea")
    assert sorted((str(s.role), s.n_in_file, s.n_records) for s in sources if s.name == BEFORE) == [
        ("core publications", 3, 3),
        ("slr", 3, 3),
    ]
    own = next(s for s in sources if s.name != BEFORE)
    delete_source(loaded, "tea", own.source_id)
    assert set(lists(loaded)["core"]) == {*CORE, "pub.1003"}


def test_what_a_person_joined_stays_one(loaded: Workspace) -> None:
    join(loaded, "tea", "pub.1000", "pub.1001")
    load(loaded)
    assert lists(loaded)["core"] == ("pub.1000",)
    assert lists(loaded)["slr"] == ("pub.1000", "pub.1002")


def test_a_file_in_another_topic_takes_nothing_from_a_topic_without_files(loaded: Workspace) -> None:
    bring_files(loaded, "coffee", SourceRole("corpus"), [FileUpload("a.ris", BARE)])
    assert loaded.publications(("pub.1000",))[0].abstract == "It is tea 0."
    assert lists(loaded)["core"] == CORE
    (source,) = load_sources(loaded.store, "coffee")
    delete_source(loaded, "coffee", source.source_id)
    assert loaded.publications(("pub.1000",))[0].abstract == "It is tea 0."


@pytest.mark.collections
def test_litqeval_again(collections_dir: Path, tmp_path: Path) -> None:
    topic = "Software Process Line"
    with Workspace.open(tmp_path) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        bring_files(workspace, topic, SourceRole("core"), [FileUpload("a.ris", RIS)])
        before = workspace.store.topic_publication_ids(topic)
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        assert workspace.store.topic_publication_ids(topic) == before
