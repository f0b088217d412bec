"""Requests that a click on another page overtakes: what was typed is kept, what is about the left page is dropped."""

from __future__ import annotations

from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

CLICKS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""Values that are true once. They belong to the page that was clicked."""


def handle_overtaken_requests() -> None:
    """Change how Streamlit treats requests of a page that is being left. Called by every run, applied once."""
    if not hasattr(AppSession.request_rerun, "handles_overtaken"):
        _keep_fields()
        _drop_late_parts()


def _keep_fields() -> None:
    """Merge the fields of a pending request into the one that replaces it.

    Streamlit discards a request whose run has not begun when the next one arrives. A click on another page sends only
    values outside the page that is left, so text typed just before it would be lost. And a part of the page that is
    left must not turn the pending click into a run of that page.
    """
    ask: Any = AppSession.request_rerun

    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        waiting = _waiting(session)
        if client_state is not None and waiting is not None:
            if client_state.fragment_id and _is_elsewhere(client_state.page_script_hash, waiting.page_script_hash):
                return
            if waiting.widget_states is not None:
                take_over(client_state.widget_states, waiting.widget_states)
        ask(session, client_state)

    setattr(request_rerun, "handles_overtaken", True)  # noqa: B010
    setattr(AppSession, "request_rerun", request_rerun)  # noqa: B010


def _drop_late_parts() -> None:
    """Run no part of a page after another page was run.

    The browser would take such a run for the page that was left, and remove everything that the new page has drawn.
    """
    run: Any = ScriptRunner._run_script

    def run_script(runner: ScriptRunner, rerun_data: RerunData) -> None:
        if not rerun_data.fragment_id_queue or not _is_elsewhere(rerun_data.page_script_hash, _open_page(runner)):
            run(runner, rerun_data)

    setattr(ScriptRunner, "_run_script", run_script)  # noqa: B010


def _is_elsewhere(page: str, other: str) -> bool:
    """Return True if both pages are known, and are different ones."""
    return bool(page and other) and page != other


def _open_page(runner: ScriptRunner) -> str:
    try:
        return str(runner._pages_manager.current_page_script_hash)
    except AttributeError:  # another version of Streamlit
        return ""


def _waiting(session: AppSession) -> RerunData | None:
    """Return the request whose run has not begun yet."""
    try:
        requests: Any = session._scriptrunner._requests if session._scriptrunner else None
        with requests._lock:
            waiting: RerunData | None = requests._rerun_data if requests._state == ScriptRequestType.RERUN else None
            return waiting
    except AttributeError:  # no run at all, or another version of Streamlit, which stores it elsewhere
        return None


def take_over(newer: WidgetStates, waiting: WidgetStates) -> None:
    terms = {field.id for field in newer.widgets}
    newer.widgets.extend(
        field for field in waiting.widgets if field.id not in terms and field.WhichOneof("value") not in CLICKS
    )
