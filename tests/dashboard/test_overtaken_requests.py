"""Requests of the browser that meet another one, or a value that the app has set, on their way."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from dashboard.kit.overtaken_requests import handle_overtaken_requests

Ask = Callable[[ScriptRequests | None, WidgetStates], WidgetStates]
TYPED = WidgetState(id="description", string_value="cells")


class Session(SimpleNamespace):
    """As much of a session as a request needs."""


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
        session = Session(id="one", _scriptrunner=last and SimpleNamespace(_requests=last))
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
    session = Session(id="one", _scriptrunner=SimpleNamespace(_requests=requests), _session_state=SessionState())
    for page in ("workbench", "library"):
        AppSession.request_rerun(session, ClientState(fragment_id=page, page_script_hash=page))  # type: ignore[arg-type]
    assert heard == ["library"]


PARTS = {"version": None, "string": "editor", "run": "editor", "again": "charts"}
"""The part of the page that draws each field; None: outside all parts."""


@pytest.fixture
def hear(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, list[str]]]]:
    """Send a part's request in a session whose version is v2; return the parts that run, with the fields of each."""
    heard: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        AppSession,
        "request_rerun",
        lambda _, asked: heard.append((asked.fragment_id, [field.id for field in asked.widget_states.widgets])),
    )
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda *_: None)
    handle_overtaken_requests()
    known = SessionState()
    for field_id, part in PARTS.items():
        about: WidgetMetadata[str] = WidgetMetadata(field_id, str, str, "string_value", fragment_id=part)
        known._set_widget_metadata(about)
    known["version"] = "v2"
    session = Session(id="one", _scriptrunner=None, _session_state=known)

    def send(part: str, *fields: WidgetState) -> list[tuple[str, list[str]]]:
        heard.clear()
        AppSession.request_rerun(session, ClientState(fragment_id=part, widget_states=states(*fields)))  # type: ignore[arg-type]
        return list(heard)

    return send


OLD, NEW, THIRD = (WidgetState(id="version", string_value=label) for label in ("v1", "v2", "v3"))
STRING = WidgetState(id="string", string_value="heat")
AGAIN = WidgetState(id="again", trigger_value=True)
RUN = WidgetState(id="run", trigger_value=True)


def test_a_part_that_repeats_a_version_does_not_set_it_back(hear: Callable[..., Any]) -> None:
    hear("", OLD)  # then the app opens v2
    assert hear("charts", OLD, AGAIN) == [("charts", ["again"])]
    assert hear("charts", NEW, AGAIN) == [("charts", ["again"])]
    assert hear("", OLD) == [("", ["version"])]  # chosen again


def test_a_part_keeps_its_own_fields(hear: Callable[..., Any]) -> None:
    hear("", STRING)
    assert hear("editor", STRING) == [("editor", ["string"])]


@pytest.mark.parametrize("click", [RUN, STRING])
def test_what_two_parts_send_at_once_reaches_both(hear: Callable[..., Any], click: WidgetState) -> None:
    runs = hear("charts", AGAIN, click)
    assert [part for part, _ in runs] == ["charts", "editor"]
    clicks = [field for _, fields in runs for field in fields if field in {"run", "again"}]
    assert sorted(clicks) == sorted({"again", click.id} & {"run", "again"})  # each once


def test_a_choice_outside_all_parts_is_not_lost_in_the_request_of_a_part(hear: Callable[..., Any]) -> None:
    assert hear("charts", THIRD, AGAIN, RUN) == [("", ["version", "again", "run"])]
