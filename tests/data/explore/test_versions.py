"""What may be done with a version: nothing of it changes any score, key or landscape, and all of it can be undone."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError, QueryscapeError, ReadOnlyError
from core.types import Ids, Publication
from data.explore.versions import (
    LONGEST_NAME,
    LONGEST_NOTE,
    bring_back,
    comment,
    delete_version,
    deleted_versions,
    history,
    name_version,
    run_again,
)
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.duplicates import join
from data.library.filing import delete_version as delete_for_good
from data.library.imports import bring
from data.library.records import SourceRole
from data.store import VersionRow
from tests.data.workspaces import CORE, MODEL, TOPIC, N, Version, ids_of, same_fields, save_versions
from tests.messages import refusal

NOON, LATER = "2031-05-06T12:00:00+00:00", "2031-05-07T09:30:00+00:00"
NEW = [Publication(f"new{n}", f"Tea of another kind {n}", "An abstract on tea.") for n in range(3)]


def run(workspace: Workspace, text: str, parent: str | None = None, at: str = NOON) -> VersionRow:
    return workspace.run_query(TOPIC, text, parent=parent, clock=lambda: at)


def grow(workspace: Workspace, topic_id: str = TOPIC) -> None:
    """Three more publications that are searched."""
    with workspace.store.transaction():
        workspace.store.save_publications(NEW)
        known = workspace.store.corpus_ids(topic_id)
        workspace.store.save_corpus(topic_id, (*known, *(p.publication_id for p in NEW)))
    workspace.corpora.forget()


def said(workspace: Workspace) -> dict[str, Any]:
    """Everything that the store and the keys of scores say of a topic, but for what versions are called."""
    store = workspace.store
    labels = [row.version.label for row in store.versions(TOPIC) if row.n_retrieved is not None]
    return {
        "state": store.topic_state(TOPIC),
        "ids": store.topic_publication_ids(TOPIC),
        "searchable": store.searchable_ids(TOPIC),
        "searched": workspace.corpora.searched(TOPIC),
        "views": {label: workspace.view_state(TOPIC, label, MODEL) for label in labels},
        "landscape": workspace.project(TOPIC, MODEL),
        "found_by": [
            part.tolist() if hasattr(part, "tolist") else part for part in store.found_by(TOPIC, ids_of(0, N))
        ],
        "retrieved": {
            row.version.label: store.load_retrieved_ids(row.version.query_id) for row in store.versions(TOPIC)
        },
    }


def test_a_run_remembers_when_from_what_and_over_what(workspace: Workspace) -> None:
    first = run(workspace, "tea")
    second = run(workspace, "tea OR leaves", parent=first.version.label, at=LATER)
    assert (first.version.made_at, first.version.parent_id) == (NOON, None)
    assert (second.version.made_at, second.version.parent_id) == (LATER, first.version.query_id)
    assert first.corpus_state == second.corpus_state == workspace.corpora.searched(TOPIC).state
    assert first.n_searched == len(workspace.store.searchable_ids(TOPIC)) == N
    assert [row for row in workspace.store.versions(TOPIC) if row.over_corpus] == [first, second]
    entries = {entry.row.version.label: entry for entry in history(workspace, TOPIC)}
    assert entries["v5"].made_from == "v4"
    assert entries["v5"].is_current is True
    assert entries["review"].is_current is None
    assert {label: entry.n_core_found for label, entry in entries.items()} == {
        row.version.label: len(set(CORE) & set(workspace.store.load_retrieved_ids(row.version.query_id)))
        for row in workspace.store.versions(TOPIC)
    }
    with refusal(NotFoundError):
        run(workspace, "cup", parent="nothing")


def test_another_order_is_the_same_corpus_and_another_text_is_not(workspace: Workspace) -> None:
    before = workspace.corpora.searched(TOPIC)
    run(workspace, "nets OR places")  # what it retrieves now comes earlier
    with workspace.store.transaction():
        workspace.store.save_corpus(TOPIC, tuple(reversed(ids_of(0, N))))
    workspace.corpora.forget()
    assert workspace.corpora.searched(TOPIC) == before
    states = [before.state]
    (known,) = workspace.publications(["p7"])
    for changed in (
        Publication("p7", "Another title", known.abstract, known.year),
        Publication("p7", known.title, None, known.year),
        Publication("p7", known.title, known.abstract, 1800),
        Publication("p7", known.title, known.abstract, known.year, keywords=("tea", "cup")),
        Publication("p7", known.title, known.abstract, known.year, keywords=("tea; cup",)),
    ):
        workspace.store.replace_publications([changed])
        workspace.corpora.forget()
        states.append(workspace.corpora.searched(TOPIC).state)
    assert len(set(states)) == len(states)
    workspace.store.replace_publications([Publication("p7", known.title, known.abstract, known.year, "10.1/x", 9)])
    workspace.corpora.forget()
    assert workspace.corpora.searched(TOPIC) == before, "no query asks for the DOI or the citations"


def test_the_same_text_over_another_corpus_is_another_version(workspace: Workspace) -> None:
    first = run(workspace, "tea")
    assert run(workspace, " tea ", parent="review", at=LATER) == first
    grow(workspace)
    entry = next(e for e in history(workspace, TOPIC) if e.row.version.label == first.version.label)
    assert entry.is_current is False
    second = run_again(workspace, TOPIC, first.version.label, clock=lambda: LATER)
    assert second.version.label != first.version.label
    assert second.version.parent_id == first.version.query_id
    assert second.n_searched == N + len(NEW)
    retrieved = workspace.store.load_retrieved_ids
    gained = set(retrieved(second.version.query_id)) - set(retrieved(first.version.query_id))
    assert gained == {p.publication_id for p in NEW}
    for label in (first.version.label, second.version.label):
        assert run_again(workspace, TOPIC, label) == second, "nothing changed since"
    assert workspace.version(TOPIC, first.version.label) == first


def test_where_the_corpus_is_not_known_the_result_tells(workspace: Workspace) -> None:
    first = run(workspace, "tea")
    workspace.store.execute("UPDATE query_versions SET corpus_state = NULL, n_searched = NULL")
    assert run(workspace, "tea").version == first.version
    grow(workspace)
    assert run(workspace, "tea").version.label != first.version.label


def test_running_again_keeps_how_a_text_was_read(workspace: Workspace) -> None:
    stemmed = workspace.run_query(TOPIC, "leaf", semantics="stemmed", dialect="ovid")
    assert run_again(workspace, TOPIC, stemmed.version.label) == stemmed
    grow(workspace)
    again = run_again(workspace, TOPIC, stemmed.version.label)
    assert (again.version.dialect, again.version.semantics) == ("ovid", "stemmed")
    from_file = run_again(workspace, TOPIC, "review")
    assert (from_file.over_corpus, from_file.version.text) == (True, workspace.version(TOPIC, "review").version.text)
    save_versions(workspace, Version("wordless", 9, ("p1",), text=" "))
    with pytest.raises(InputError, match="unknown"):
        run_again(workspace, TOPIC, "wordless")


def test_deleting_and_bringing_back_leaves_everything_as_it_was(workspace: Workspace) -> None:
    run(workspace, "tea")
    before, rows = said(workspace), workspace.store.versions(TOPIC)
    scores = {label: workspace.evaluate(TOPIC, label, embedder=MODEL) for label in ("baseline", "v4")}
    for row in rows:
        label = row.version.label
        hidden = delete_version(workspace, TOPIC, label, clock=lambda: LATER)
        assert hidden.deleted_at == LATER
        assert deleted_versions(workspace, TOPIC) == (hidden,)
        assert label not in {r.version.label for r in workspace.store.versions(TOPIC)}
        now = said(workspace)
        for part in ("state", "ids", "searchable", "searched", "landscape"):
            assert now[part] == before[part], part
        for part in ("views", "retrieved"):
            assert now[part] == {name: value for name, value in before[part].items() if name != label}
        assert label not in now["found_by"][0]
        with refusal(NotFoundError):
            workspace.evaluate(TOPIC, label, embedder=MODEL)
        with pytest.raises(NotFoundError, match="was deleted"):
            delete_version(workspace, TOPIC, label)
        assert bring_back(workspace, TOPIC, label) == row
        assert said(workspace) == before
        assert workspace.store.versions(TOPIC) == rows
    for label, score in scores.items():
        same_fields(workspace.evaluate(TOPIC, label, embedder=MODEL), score)
    with refusal(InputError):
        bring_back(workspace, TOPIC, "review")


@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=200), note=st.text(max_size=400))
def test_names_and_notes_change_no_score_and_no_key(workspace: Workspace, name: str, note: str) -> None:
    before = said(workspace)
    row = workspace.version(TOPIC, "review")
    with suppress(InputError):
        name_version(workspace, TOPIC, "review", name)
    with suppress(InputError):
        comment(workspace, TOPIC, "review", note)
    assert said(workspace) == before
    now = workspace.version(TOPIC, "review").version
    assert len(now.name or "") <= LONGEST_NAME
    assert now.name is None or now.name == " ".join(now.name.split())
    name_version(workspace, TOPIC, "review", " ")
    comment(workspace, TOPIC, "review", "\n")
    assert workspace.version(TOPIC, "review") == row


def test_what_a_version_may_be_called(workspace: Workspace) -> None:
    assert name_version(workspace, TOPIC, "review", "  as   registered ").version.name == "as registered"
    assert comment(workspace, TOPIC, "review", "one\r\ntwo\tthree ").version.note == "one\ntwo\tthree"
    with refusal(InputError):
        name_version(workspace, TOPIC, "review", "x" * (LONGEST_NAME + 1))
    for wrong in ("tea\0", "\x1b[31m", "\ud800"):
        with pytest.raises(InputError, match="control characters"):
            name_version(workspace, TOPIC, "review", wrong)
    with refusal(InputError):
        comment(workspace, TOPIC, "review", "x" * (LONGEST_NOTE + 1))
    with refusal(NotFoundError):
        name_version(workspace, TOPIC, "x", "name")
    with pytest.raises(NotFoundError, match="no topic"):
        history(workspace, "nothing")
    assert workspace.version(TOPIC, "review").version.name == "as registered"


def test_the_same_run_brings_a_deleted_version_back(workspace: Workspace) -> None:
    first = run(workspace, "tea")
    delete_version(workspace, TOPIC, first.version.label)
    assert run(workspace, "tea") == first
    delete_version(workspace, TOPIC, first.version.label)
    grow(workspace)
    second = run(workspace, "tea")
    assert second.version.label == "v5", "the label of a deleted version stays taken"
    assert [row.version.label for row in deleted_versions(workspace, TOPIC)] == ["v4"]
    other = run(workspace, "cup", parent="v4")
    assert other.version.parent_id == first.version.query_id
    delete_for_good(workspace, TOPIC, "v4")
    assert deleted_versions(workspace, TOPIC) == ()
    assert workspace.version(TOPIC, other.version.label).version.parent_id is None, "v4 may soon be another one"


def ris(*titles: str) -> bytes:
    return "".join(f"TY  - JOUR\nTI  - {title}\nPY  - 2019\nER  - \n" for title in titles).encode()


def bring_in(workspace: Workspace, role: SourceRole, *titles: str) -> None:
    bring(workspace, "files", role, [read_data(ris(*titles), "a.ris")])


def test_a_version_of_files_is_hidden_too(workspace: Workspace) -> None:
    bring_in(workspace, SourceRole("core"), "A cup of something warm")
    bring_in(workspace, SourceRole("version", "scopus"), "A cup of something warm", "A kettle of something else")
    (row,) = workspace.store.versions("files")
    assert row.version.made_at is not None
    delete_version(workspace, "files", "scopus")
    with refusal(QueryscapeError):
        bring_in(workspace, SourceRole("version", "scopus"), "One more title of a kind")
    bring_in(workspace, SourceRole("corpus"), "A third title that nobody had")  # membership is made anew
    assert workspace.store.versions("files") == ()
    assert bring_back(workspace, "files", "scopus") == row
    bring_in(workspace, SourceRole("version", "scopus"), "One more title of a kind")
    (grown,) = workspace.store.versions("files")
    assert (grown.n_retrieved, grown.version) == (3, row.version)
    delete_version(workspace, "files", "scopus")
    delete_for_good(workspace, "files", "scopus")
    assert workspace.store.versions("files", deleted=True) == ()
    assert len(workspace.store.topic_publication_ids("files")) == 2


def test_what_a_person_joins_is_joined_in_hidden_versions_too(workspace: Workspace) -> None:
    bring_in(
        workspace, SourceRole("corpus"), "A kettle of something warm", "One kettle of a warm thing", "A cup of tea"
    )
    row = workspace.run_query("files", "kettle")
    delete_version(workspace, "files", row.version.label)
    first, second = workspace.store.load_retrieved_ids(row.version.query_id)
    join(workspace, "files", first, second)
    again = bring_back(workspace, "files", row.version.label)
    assert workspace.store.load_retrieved_ids(row.version.query_id) == (first,)
    assert (again.version, again.n_retrieved, again.corpus_state) == (row.version, 1, None), "no run gave exactly that"
    assert workspace.run_query("files", "kettle").version == row.version, "it retrieves the same"


def test_a_collection_that_is_loaded_again_takes_nothing_away(workspace: Workspace) -> None:
    name_version(workspace, TOPIC, "review", "as registered")
    delete_version(workspace, TOPIC, "baseline", clock=lambda: NOON)
    before = workspace.store.versions(TOPIC, deleted=True)
    again = [Version(r.version.label, r.version.number, _ids(workspace, r), r.version.origin) for r in before]
    save_versions(workspace, *again)
    assert workspace.store.versions(TOPIC, deleted=True) == before


def _ids(workspace: Workspace, row: VersionRow) -> Ids | None:
    return None if row.n_retrieved is None else workspace.store.load_retrieved_ids(row.version.query_id)


def test_a_made_up_topic_knows_what_it_was_run_over(workspace: Workspace) -> None:
    with workspace.store.transaction():
        workspace.save_topic("made up", CORE, [Version("v1", 1, ("p1",))], made_up=True, corpus_ids=ids_of(0, 12))
    (row,) = workspace.store.versions("made up")
    assert row.n_searched == 12
    assert row.corpus_state == workspace.corpora.searched("made up").state
    assert row.version.made_at is not None


def test_a_copy_is_not_written_to(workspace: Workspace) -> None:
    workspace.close()
    with Workspace.open(workspace.paths.root) as original:
        with Workspace(original.paths, type(original.store).open_copy(original.paths.store)) as copy:
            for change in (
                lambda: name_version(copy, TOPIC, "review", "x"),
                lambda: delete_version(copy, TOPIC, "review"),
            ):
                with refusal(ReadOnlyError):
                    change()
            assert len(history(copy, TOPIC)) == 3
        assert original.version(TOPIC, "review").version.name is None
