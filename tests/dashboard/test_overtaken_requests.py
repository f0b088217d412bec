"""What a request says that another one overtakes before its run begins."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from dashboard.kit.overtaken_requests import handle_overtaken_requests

Ask = Callable[[ScriptRequests | None, WidgetStates], WidgetStates]
TYPED = WidgetState(id="description", string_value="cells")


def states(*fields: WidgetState) -> WidgetStates:
    return WidgetStates(widgets=fields)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Click in a session whose last request is given; what Streamlit hears."""
    heard: list[WidgetStates] = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda _, client_state: heard.append(client_state.widget_states))
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda _, rerun_data: None)
    handle_overtaken_requests()
    handle_overtaken_requests()  # as every run of the app does

    def click(last: ScriptRequests | None, fields: WidgetStates) -> WidgetStates:
        session = SimpleNamespace(_scriptrunner=last and SimpleNamespace(_requests=last))
        AppSession.request_rerun(session, ClientState(widget_states=fields))  # type: ignore[arg-type]
        return heard.pop()

    return click


def waiting(*fields: WidgetState) -> ScriptRequests:
    requests = ScriptRequests()
    requests.request_rerun(RerunData(widget_states=states(*fields)))
    return requests


def test_a_click_on_another_page_keeps_what_was_typed_before_it(ask: Ask) -> None:
    heard = ask(waiting(TYPED), states(WidgetState(id="topic", string_value="ageing")))
    assert {field.id: field.string_value for field in heard.widgets} == {"topic": "ageing", "description": "cells"}


def test_what_was_typed_last_counts(ask: Ask) -> None:
    heard = ask(waiting(TYPED), states(WidgetState(id="description", string_value="")))
    assert [field.string_value for field in heard.widgets] == [""]


def test_a_click_of_the_page_that_was_left_does_not_count(ask: Ask) -> None:
    assert list(ask(waiting(WidgetState(id="run", trigger_value=True)), states(TYPED)).widgets) == [TYPED]


def test_a_request_whose_run_has_begun_is_not_said_again(ask: Ask) -> None:
    begun = waiting(TYPED)
    begun.on_scriptrunner_ready()
    assert list(ask(begun, states()).widgets) == []
    assert list(ask(None, states(TYPED)).widgets) == [TYPED]


@pytest.mark.parametrize(
    ("fragments", "page", "runs"),
    [([], "left", True), (["part"], "left", False), (["part"], "open", True), (["part"], "", True)],
)
def test_no_part_of_a_page_runs_after_another_page(
    monkeypatch: pytest.MonkeyPatch, fragments: list[str], page: str, runs: bool
) -> None:
    ran: list[RerunData] = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda *_: None)
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda _, rerun_data: ran.append(rerun_data))
    handle_overtaken_requests()
    runner = SimpleNamespace(_pages_manager=SimpleNamespace(current_page_script_hash="open"))
    ScriptRunner._run_script(runner, RerunData(fragment_id_queue=fragments, page_script_hash=page))  # type: ignore[arg-type]
    assert bool(ran) == runs


def test_a_part_of_the_page_that_is_left_does_not_overtake_the_click(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda _, client_state: heard.append(client_state.fragment_id))
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda *_: None)
    handle_overtaken_requests()
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="library"))
    session = SimpleNamespace(_scriptrunner=SimpleNamespace(_requests=requests))
    for page in ("workbench", "library"):
        AppSession.request_rerun(session, ClientState(fragment_id=page, page_script_hash=page))  # type: ignore[arg-type]
    assert heard == ["library"]
