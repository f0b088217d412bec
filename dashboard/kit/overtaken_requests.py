"""Keep typed text if the next click arrives before the server has read it."""

from __future__ import annotations

from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

CLICKS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""Values that are true once. They belong to the page that was clicked."""


def keep_overtaken_fields() -> None:
    """Merge the fields of a pending request into the one that replaces it.

    Streamlit discards a request whose run has not begun when the next one arrives. A click on another page sends only
    values outside the page that is left, so text typed just before it would be lost.
    """
    ask: Any = AppSession.request_rerun
    if hasattr(ask, "keeps_fields"):
        return

    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        waiting = _waiting(session)
        if client_state is not None and waiting is not None:
            take_over(client_state.widget_states, waiting)
        ask(session, client_state)

    setattr(request_rerun, "keeps_fields", True)  # noqa: B010
    setattr(AppSession, "request_rerun", request_rerun)  # noqa: B010


def _waiting(session: AppSession) -> WidgetStates | None:
    """Return the widget states of the request whose run has not begun yet."""
    try:
        requests: Any = session._scriptrunner._requests if session._scriptrunner else None
        with requests._lock:
            return requests._rerun_data.widget_states if requests._state == ScriptRequestType.RERUN else None
    except AttributeError:  # no run at all, or another version of Streamlit, which stores it elsewhere
        return None


def take_over(newer: WidgetStates, waiting: WidgetStates) -> None:
    said = {field.id for field in newer.widgets}
    newer.widgets.extend(
        field for field in waiting.widgets if field.id not in said and field.WhichOneof("value") not in CLICKS
    )
