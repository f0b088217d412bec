"""Steps become versions, and a topic that is deleted takes its writings along."""

from __future__ import annotations

import pytest

from core.errors import InputError, NotFoundError
from core.writer.sheets import Keyword, Sheet
from data.explore.workspace import Workspace
from data.library.filing import delete_topic, delete_version
from data.writer.runs import BY_HAND, delete_writing, find_writing, keep_step, list_writings
from data.writer.steps import save_step, step_of
from data.writer.writing import desk_of
from tests.data.workspaces import TOPIC
from tests.data.writer.fake_writer import ASKED, DAY, wanted, written
from tests.messages import refusal


def test_a_version_has_the_steps_text_and_says_what_made_it(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    row = save_step(workspace, writing.writing_id, 1, clock=lambda: DAY)
    version, step = row.version, writing.steps[1]
    assert (version.text, version.origin, version.dialect) == (step.text, "generated", "plain")
    assert row.n_retrieved == step.judged.n_retrieved
    assert version.note.endswith(": corpus statistics, for “Tea Brewing”.")
    assert version.parent_id is None
    assert find_writing(workspace.store, writing.writing_id).steps[1].label == version.label


def test_its_parent_is_the_nearest_step_that_was_saved(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    base = save_step(workspace, writing.writing_id, 0)
    assert base.version.origin == "baseline"
    desk = desk_of(workspace, writing)
    hand = step_of(desk, Sheet(specific=(Keyword("tea"), Keyword("cup"))), parent=1, made_by=BY_HAND)
    number = keep_step(workspace.store, writing.writing_id, hand).number
    row = save_step(workspace, writing.writing_id, number)
    assert (row.version.parent_id, row.version.origin) == (base.version.query_id, "manual")
    assert row.version.note == "Written by hand, for “Tea Brewing”."


def test_saving_twice_is_one_version(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    first = save_step(workspace, writing.writing_id, 1)
    assert save_step(workspace, writing.writing_id, 1).version == first.version


def test_a_note_that_is_there_already_stays(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    row = workspace.run_query(TOPIC, writing.steps[1].text, dialect="plain")
    workspace.store.say_of_version(row.version.query_id, name=None, note="Mine.", deleted_at=None)
    assert save_step(workspace, writing.writing_id, 1).version.note == "Mine."


def test_what_makes_no_string_can_not_be_saved(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    sheet = Sheet(general=(Keyword("tea"),))
    step = keep_step(
        workspace.store,
        writing.writing_id,
        step_of(desk_of(workspace, writing), sheet, parent=0, made_by=BY_HAND),
    )
    assert (step.text, step.judged.n_retrieved) == ("", 0)
    with refusal(InputError):
        save_step(workspace, writing.writing_id, step.number)


def test_a_version_that_is_gone_for_good_is_no_longer_named(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    label = save_step(workspace, writing.writing_id, 1).version.label
    delete_version(workspace, TOPIC, label)
    assert find_writing(workspace.store, writing.writing_id).steps[1].label is None
    assert save_step(workspace, writing.writing_id, 1).version.label


def rows_of(workspace: Workspace) -> list[int]:
    tables = ("writings", "writer_calls", "writer_steps")
    return [workspace.store.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables]


def test_a_deleted_topic_takes_its_writings_along_and_leaves_those_of_others(workspace: Workspace) -> None:
    store = workspace.store
    written(workspace, wanted(ASKED))
    with store.transaction():
        for table in ("writings", "writer_calls", "writer_steps"):
            store.execute(f"INSERT INTO {table} SELECT * REPLACE ('other' AS writing_id) FROM {table}")
        store.execute("UPDATE writings SET topic_id = 'Other' WHERE writing_id = 'other'")
    n = rows_of(workspace)
    delete_topic(workspace, TOPIC)
    assert rows_of(workspace) == [each // 2 for each in n]
    assert [row.writing_id for row in list_writings(store)] == ["other"]


def test_a_deleted_writing_leaves_nothing_but_its_versions(workspace: Workspace) -> None:
    writing = written(workspace, wanted(ASKED))
    label = save_step(workspace, writing.writing_id, 1).version.label
    delete_writing(workspace.store, writing.writing_id)
    assert rows_of(workspace) == [0, 0, 0]
    assert label in {row.version.label for row in workspace.store.versions(TOPIC)}
    with pytest.raises(NotFoundError, match="no session"):
        find_writing(workspace.store, writing.writing_id)
    with pytest.raises(NotFoundError, match="no session"):
        delete_writing(workspace.store, writing.writing_id)
