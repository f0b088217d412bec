"""A live run that is finished is a search of its topic, with the string as it was sent."""

from __future__ import annotations

from core.audit.searches import hits_of
from data.explore.workspace import Workspace
from data.library.filing import delete_version
from data.library.records import SourceRole, load_sources
from data.library.roles import change_role, undo_role
from data.library.searches import brought_by, delete_search, load_searches, without_search
from data.sources.runs import add_missing_searches, find_live_run, version_of
from tests.data.listed_source import ListedSource, numbered
from tests.data.sources.live_runs import TOPIC, done


def test_a_finished_run_is_a_search(workspace: Workspace) -> None:
    run = done(workspace, ListedSource([numbered(15)]))
    (search,) = load_searches(workspace.store, TOPIC)
    assert (search.database, search.label, search.source_ids) == ("PubMed", run.label, (run.file_id,))
    assert search.text == run.prepared.forms[0].text
    assert search.searched_on == "2026-11-22"
    assert "2026-11-22 10:00" in search.note
    assert hits_of(search) == run.total_last
    assert brought_by(workspace.store, TOPIC)[search.search_id].n_records == run.n_records == 15
    assert without_search(workspace.store, TOPIC) == ()


def test_a_run_of_an_older_store_becomes_one_once(workspace: Workspace) -> None:
    done(workspace, ListedSource([numbered(15)]))
    before = load_searches(workspace.store, TOPIC)
    delete_search(workspace.store, TOPIC, 1)
    assert add_missing_searches(workspace.store, TOPIC) == 1
    assert load_searches(workspace.store, TOPIC) == before
    assert add_missing_searches(workspace.store, TOPIC) == 0


def test_the_role_of_a_run_s_file_can_change(workspace: Workspace) -> None:
    run = done(workspace, ListedSource([numbered(15)]))
    searches, store = load_searches(workspace.store, TOPIC), workspace.store
    (source,) = [source for source in load_sources(store, TOPIC) if source.source_id == run.file_id]
    change = change_role(workspace, TOPIC, source.source_id, SourceRole("corpus"))
    assert version_of(workspace, find_live_run(store, run.run_id)) is None
    undo_role(workspace, change)
    found = version_of(workspace, find_live_run(store, run.run_id))
    assert found is not None
    assert (found.version.label, found.version.text) == (run.label, run.text)
    assert load_searches(store, TOPIC) == searches


def test_the_search_stays_when_its_version_is_deleted(workspace: Workspace) -> None:
    run = done(workspace, ListedSource([numbered(15)]))
    assert run.label is not None
    delete_version(workspace, TOPIC, run.label)
    (search,) = load_searches(workspace.store, TOPIC)
    assert (search.source_ids, hits_of(search)) == ((), run.total_last)
