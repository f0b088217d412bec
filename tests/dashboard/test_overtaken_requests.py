"""What a request says that another one overtakes before its run begins."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from dashboard.kit.overtaken_requests import keep_overtaken_fields

Ask = Callable[[ScriptRequests | None, WidgetStates], WidgetStates]
TYPED = WidgetState(id="description", string_value="cells")


def states(*fields: WidgetState) -> WidgetStates:
    return WidgetStates(widgets=fields)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Click in a session whose last request is given; what Streamlit hears."""
    heard: list[WidgetStates] = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda _, client_state: heard.append(client_state.widget_states))
    keep_overtaken_fields()
    keep_overtaken_fields()  # as every run of the app does

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
