"""The dry run counts what is then asked, and sends nothing."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.writer.sheets import WriterBudget
from data.explore.workspace import Workspace
from data.models.prices import save_prices
from data.writer.runs import Recipe, list_writings
from data.writer.writing import plan
from tests.data.notes import is_noted
from tests.data.writer.fake_writer import wanted, written
from tests.messages import refusal

DEMO = Recipe("demo")
PAID = Recipe("priced", base_url="http://127.0.0.1:9/v1")


def test_it_counts_what_is_asked_then_and_nothing_after(workspace: Workspace) -> None:
    wish = wanted(DEMO, Recipe("demo", "strict"))
    before = plan(workspace, wish)
    assert list_writings(workspace.store) == ()
    writing = written(workspace, wish)
    assert (before.n_calls, before.n_known) == (len(writing.calls), 0)
    asked = {(call.model, call.mode, call.seed, call.reading) for call in writing.calls}
    assert {(line.model, line.mode, line.seed, line.reading) for line in before.lines} == asked
    after = plan(workspace, wish)
    assert (after.n_calls, after.n_known, after.cost) == (0, len(writing.calls), (0.0, 0.0))
    assert {line.is_known for line in after.lines} == {True}


def test_the_demo_model_costs_nothing_and_takes_no_time(workspace: Workspace) -> None:
    found = plan(workspace, wanted(DEMO))
    assert (found.cost, found.minutes) == ((0.0, 0.0), 0.0)
    assert found.n_prompt_tokens > 0


def test_a_price_that_is_known_is_counted(workspace: Workspace) -> None:
    save_prices(workspace.store, [{"model": "priced", "prompt": 1.0, "answer": 10.0}])
    found = plan(workspace, wanted(PAID))
    expected = (found.n_prompt_tokens + 10 * found.n_answer_tokens) / 1e6
    assert found.cost is not None
    assert found.cost[0] == pytest.approx(expected)
    assert found.cost[1] > 2 * found.cost[0]
    assert found.minutes > 0


def test_a_dated_model_has_the_price_of_the_listed_one_and_a_note_says_so(workspace: Workspace) -> None:
    save_prices(workspace.store, [{"model": "priced", "prompt": 1.0, "answer": 10.0}])
    dated = plan(workspace, wanted(Recipe("priced-2024-07-18", base_url=PAID.base_url)))
    assert dated.cost == plan(workspace, wanted(PAID)).cost
    assert any('"priced-2024-07-18"' in note and '"priced"' in note for note in dated.notes)


def test_a_price_that_is_not_known_is_not_made_up(workspace: Workspace) -> None:
    assert plan(workspace, wanted(PAID)).cost is None
    assert plan(workspace, wanted(Recipe("mine", preset="ollama"))).cost == (0.0, 0.0)


def test_the_budget_bounds_it_and_says_what_is_left_out(workspace: Workspace) -> None:
    found = plan(workspace, wanted(DEMO, budget=WriterBudget(most_calls=1)))
    assert (found.n_calls, [line.reading for line in found.lines]) == (1, ["core"])
    assert is_noted(found.notes, "2 of 3 requests", "the budget allows 1.")
    assert plan(workspace, wanted(DEMO, budget=WriterBudget(most_calls=0))).lines == ()


def test_no_key_is_needed_to_plan(workspace: Workspace, no_key: None) -> None:
    assert plan(workspace, wanted(Recipe("gpt-4.1-mini", preset="openai"))).n_calls == 3


def test_a_live_source_is_planned_and_not_searched(workspace: Workspace) -> None:
    found = plan(workspace, wanted(DEMO, live="openalex"))
    assert found.lines[-1].reading == "live:openalex"
    assert found.lines[-1].n_prompt_tokens > 1000


def test_what_can_not_be_wanted_is_an_error_as_when_writing(workspace: Workspace) -> None:
    with refusal(InputError):
        plan(workspace, wanted(negative=("of",)))
