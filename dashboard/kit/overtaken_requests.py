"""Requests that meet another one on their way: none is lost, and none takes back what has been set meanwhile.

- A click on another page overtakes requests of the page that is left: what was typed is kept, the rest is dropped.
- What the app has just set overtakes requests of a page's parts, which repeat the value from before.
- Streamlit's browser code sends what two parts do at once as a request of one of them: the other runs, too.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

CLICKS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""Values that are true once. They belong to the page that was clicked."""
SENT = "queryscape_sent"
"""Attribute of a session: the fields of the browser's last request."""
_sessions: WeakValueDictionary[str, AppSession] = WeakValueDictionary()


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
        if client_state is None:
            ask(session, client_state)
            return
        if (
            waiting is not None
            and client_state.fragment_id
            and _is_elsewhere(client_state.page_script_hash, waiting.page_script_hash)
        ):
            return
        sent = {field.id: field for field in client_state.widget_states.widgets}
        for request in _requests(session, client_state) if client_state.fragment_id else (client_state,):
            if waiting is not None and waiting.widget_states is not None:
                take_over(request.widget_states, waiting.widget_states)
            ask(session, request)
        _sessions[session.id] = session
        setattr(session, SENT, sent)  # last, so that a run that sees it is replaced by this request

    setattr(request_rerun, "handles_overtaken", True)  # noqa: B010
    setattr(AppSession, "request_rerun", request_rerun)  # noqa: B010


def run_part(session: AppSession, key: str) -> None:
    """Run the part that draws this field again, as if the browser had asked for it. Call it on the event loop.

    Nothing happens while a run is on its way: the request would give the page back the link from before it. Nor in a
    version of Streamlit that does this differently; it has no way for a server to begin it.
    """
    try:
        if session._scriptrunner is not None:
            return
        fragment_id = _part_of(session, session._session_state.get_widget_id_from_key(key) or "", "")
        if not fragment_id or not session._fragment_storage.contains(fragment_id):
            return
        before: ClientState = session._client_state
        request = RerunData(
            query_string=before.query_string,
            page_script_hash=before.page_script_hash,
            context_info=before.context_info,
            fragment_id=fragment_id,
        )
        session._create_scriptrunner(request)
    except (AttributeError, TypeError):
        return


def _requests(session: AppSession, request: ClientState) -> list[ClientState]:
    """Return a part's request without what it only repeats, and a request of each other part that has news in it.

    A request repeats every field of the page. If the app has set one of them since, such as the version of a run that
    has just ended, a part that asks before the browser has this news would set the field back.
    """
    before, own = _sent(session), request.fragment_id
    changed: dict[str, list[WidgetState]] = {own: []}
    fields = []
    for field in request.widget_states.widgets:
        part, is_click = _part_of(session, field.id, own), field.WhichOneof("value") in CLICKS
        is_news = is_click or (field != before.get(field.id) and not (part == "" and _has(session, field)))
        if is_news and part != own:
            changed.setdefault(part, [])
        if is_click:
            changed[part].append(field)
        elif is_news or part == own:
            fields.append(field)
    if "" in changed:  # a field outside all parts: the whole page runs
        changed = {"": [click for clicks in changed.values() for click in clicks]}
    requests = []
    for part, clicks in changed.items():
        of_part = ClientState()
        of_part.CopyFrom(request)
        of_part.fragment_id = part
        of_part.widget_states.CopyFrom(WidgetStates(widgets=[*fields, *clicks]))
        requests.append(of_part)
    return requests


def _part_of(session: AppSession, field_id: str, otherwise: str) -> str:
    """Return the part that draws a field, empty for a field outside all parts. `otherwise`: the field is unknown."""
    known = session._session_state.get_widget_metadata(field_id)
    return otherwise if known is None else known.fragment_id or ""


def _has(session: AppSession, field: WidgetState) -> bool:
    """Return True if the app has this value of a field already."""
    about = session._session_state.get_widget_metadata(field.id)
    if about is None or field.id not in session._session_state:
        return False
    return bool(getattr(field, str(field.WhichOneof("value"))) == about.serializer(session._session_state[field.id]))


def is_shown(key: str) -> bool:
    """Return False if the browser's last request had another value of a field than the app has.

    Streamlit sends a value that the app has set only once, and not at all if the next run begins before that.
    """
    run = get_script_run_ctx()
    session = _sessions.get(run.session_id) if run else None
    if session is None:
        return True
    field = _sent(session).get(session._session_state.get_widget_id_from_key(key) or "")
    return field is None or _has(session, field)


def _sent(session: AppSession) -> dict[str, WidgetState]:
    """Return the fields of the browser's last request."""
    sent: dict[str, WidgetState] = getattr(session, SENT, {})
    return sent


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
    ids = {field.id for field in newer.widgets}
    newer.widgets.extend(
        field for field in waiting.widgets if field.id not in ids and field.WhichOneof("value") not in CLICKS
    )
