"""What a request says that another one overtakes before the server reads it."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from dashboard.kit.overtaken_requests import keep_overtaken_fields


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> ScriptRequests:
    monkeypatch.setattr(script_requests, "_coalesce_widget_states", script_requests._coalesce_widget_states)
    keep_overtaken_fields()
    return ScriptRequests()


def states(*fields: WidgetState) -> WidgetStates:
    return WidgetStates(widgets=fields)


def asked(requests: ScriptRequests) -> WidgetStates:
    """What the run hears that is asked for now."""
    request = requests.on_scriptrunner_ready()
    assert request.rerun_data.widget_states is not None
    return request.rerun_data.widget_states


def test_a_click_on_another_page_keeps_what_was_typed_before_it(requests: ScriptRequests) -> None:
    requests.request_rerun(
        RerunData(widget_states=states(WidgetState(id="description", string_value="cells")), page_script_hash="a")
    )
    requests.request_rerun(
        RerunData(widget_states=states(WidgetState(id="topic", string_value="ageing")), page_script_hash="b")
    )
    heard = asked(requests)
    assert {field.id: field.string_value for field in heard.widgets} == {"topic": "ageing", "description": "cells"}


def test_what_was_typed_last_counts(requests: ScriptRequests) -> None:
    for text in ("cell", "cells", ""):
        requests.request_rerun(RerunData(widget_states=states(WidgetState(id="description", string_value=text))))
    assert [field.string_value for field in asked(requests).widgets] == [""]


def test_a_click_counts_once(requests: ScriptRequests) -> None:
    requests.request_rerun(RerunData(widget_states=states(WidgetState(id="run", trigger_value=False))))
    requests.request_rerun(RerunData(widget_states=states(WidgetState(id="run", trigger_value=True))))
    requests.request_rerun(RerunData(widget_states=states(WidgetState(id="text", string_value="cells"))))
    assert [(field.id, field.trigger_value) for field in asked(requests).widgets] == [("text", False), ("run", True)]
