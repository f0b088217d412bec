"""Writings in the store: whole, numbered, listed, and a damaged one is said to be."""

from __future__ import annotations

import json

import pytest

from core.errors import CorruptStoreError, NotFoundError
from core.stats import Interval
from core.types import Publication
from core.writer.gains import best_of
from core.writer.sheets import CoreScores, Keyword, Sheet, SheetStep, StringScores, WriterBudget
from data.explore.workspace import Workspace
from data.writer.runs import find_writing, keep_step, list_writings
from tests.data.writer.fake_writer import ASKED, FakeWriter, said, wanted, written

BROUGHT = (Publication("x", "Steeping", "Of tea.", 2001, "10.1/x", 4, ("tea", "cup")),)


def test_all_that_was_wanted_and_read_is_there_again(workspace: Workspace) -> None:
    wish = wanted(ASKED, supporting=BROUGHT, negative=("nets",), questions=("Why tea?",), depth="quick")
    writing = written(workspace, wish)
    assert (writing.brief, writing.budget, writing.recipes) == (wish.brief, wish.budget, wish.recipes)
    assert writing.supporting == BROUGHT
    row = next(row for row in writing.readings if row.kind == "supporting")
    assert row.outside == BROUGHT
    assert {call.reading for call in writing.calls} == {row.reading_id for row in writing.readings if row.ids}
    assert all(call.answers and call.n_prompt_tokens == 100 and call.made_at for call in writing.calls)
    proposers = {each.model for row in writing.proposals for each in row.proposals}
    assert proposers == {"", "m"}
    assert len({row.keyword.key for row in writing.proposals}) == len(writing.proposals)


def test_each_once_however_often_it_was_held_back(workspace: Workspace) -> None:
    model = FakeWriter(lambda user, n: said('{"keywords": ["tea AND cup", "tea AND cup"]}'))
    held = written(workspace, wanted(ASKED), model).held_back
    assert len([each for each in held if "AND" in each.text]) == 1


def test_a_step_gets_the_next_number(workspace: Workspace) -> None:
    writing = written(workspace, wanted())
    kept = keep_step(workspace.store, writing.writing_id, step(number=77, label="v9"))
    assert (kept.number, kept.label) == (len(writing.steps), None)
    assert find_writing(workspace.store, writing.writing_id).steps[-1] == kept
    with pytest.raises(NotFoundError, match="no session"):
        keep_step(workspace.store, "nothing", step())


def test_writings_are_listed_the_newest_first(workspace: Workspace) -> None:
    older = written(workspace, wanted(ASKED))
    workspace.store.execute("UPDATE writings SET made_at = '2020-01-01'")
    newer = written(workspace, wanted(seed=1))
    rows = list_writings(workspace.store)
    assert [row.writing_id for row in rows] == [newer.writing_id, older.writing_id]
    assert (rows[1].n_steps, rows[1].n_calls, rows[1].topic) == (len(older.steps), len(older.calls), "Tea Brewing")
    assert list_writings(workspace.store, "another") == ()


@pytest.mark.parametrize("damage", [{}, {"brief": {"topic": 3}}])
def test_a_damaged_one_is_said_to_be(workspace: Workspace, damage: dict[str, object]) -> None:
    writing = written(workspace, wanted())
    document = {**json.loads(raw(workspace)), **damage} if damage else {}
    workspace.store.execute("UPDATE writings SET document = ?", [json.dumps(document)])
    with pytest.raises(CorruptStoreError, match="delete it"):
        find_writing(workspace.store, writing.writing_id)


def raw(workspace: Workspace) -> str:
    ((document,),) = workspace.store.rows("SELECT document::VARCHAR FROM writings")
    return str(document)


def step(
    *, number: int = 1, f_beta: float | None = 0.5, recall: float = 0.5, n: int = 10, label: str | None = None
) -> SheetStep:
    standing = CoreScores(4, 2, recall, Interval(0.1, 0.9), 0.5, f_beta)
    sheet = Sheet(specific=(Keyword("tea"),))
    return SheetStep(number, 0, "by hand", sheet, "tea", StringScores(n, standing, None, standing), label=label)


def test_the_best_has_the_best_f_beta_of_those_that_keep_to_the_budget() -> None:
    steps = (
        step(number=1, f_beta=0.6, recall=0.9),
        step(number=2, f_beta=0.8, recall=0.4),
        step(number=3, f_beta=0.9, recall=0.9, n=500),
        step(number=4, f_beta=None, recall=1.0),
    )
    best = {
        "free": best_of(steps, WriterBudget()),
        "small": best_of(steps, WriterBudget(most_publications=100)),
        "recall": best_of(steps, WriterBudget(most_publications=100, min_recall=0.8)),
    }
    assert {name: found and found.number for name, found in best.items()} == {"free": 3, "small": 2, "recall": 1}
    assert best_of((), WriterBudget()) is None
