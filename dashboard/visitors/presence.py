"""The other visitors of a topic, and changes of theirs: they appear without a reload.

One thread per server compares the state of the store twice a second. When something changed that a browser shows, it
runs one small part of that browser's page. The part has the browser ask for the whole page as soon as nobody types or
drags there. Without changes no browser and no page does anything.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import QueryscapeError
from core.text import listed, many
from dashboard import cache
from dashboard.kit.components import mount_visitor_part
from dashboard.kit.overtaken_requests import run_part
from dashboard.visitors.names import name
from dashboard.visits import running_server
from dashboard.words import plain
from data.changes import shared_state
from data.public_demo import is_public_demo
from data.store import Store

LOOK_SECONDS = 0.5
MOST_NAMED = 3
PART = "changes"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser with a page open."""

    session_id: str
    name: str
    """Empty: unnamed."""
    topic_id: str | None
    """None: a page that is not about a topic."""
    store: Store
    state: str
    """What the part knew when it was drawn, with the others."""


class Visitors:
    """Everyone who has a page open on this server, by session. `find_session`: None for a browser that has left."""

    def __init__(self, find_session: Any) -> None:
        self._find_session = find_session
        self._here: dict[str, Visitor] = {}
        self._lock = Lock()

    def note(self, visitor: Visitor) -> None:
        with self._lock:
            self._here[visitor.session_id] = visitor

    def others(self, session_id: str, topic_id: str | None) -> tuple[str, ...]:
        """Return the names of the others with this topic open, sorted, unnamed ones last as empty texts."""
        if topic_id is None:
            return ()
        with self._lock:
            here = list(self._here.values())
        names = [v.name for v in here if v.topic_id == topic_id and v.session_id != session_id]
        return tuple(sorted(names, key=lambda each: (not each, each)))

    def look(self) -> None:
        """Drop visitors who left, and run the part of each page that is out of date."""
        with self._lock:
            sessions = {session_id: self._find_session(session_id) for session_id in self._here}
            for session_id, session in sessions.items():
                if session is None:
                    del self._here[session_id]
            here = list(self._here.values())
        for visitor in here:
            if visitor.state != self.state_for(visitor):
                session = sessions[visitor.session_id]
                session._event_loop.call_soon_threadsafe(run_part, session, PART)

    def state_for(self, visitor: Visitor) -> str:
        others = self.others(visitor.session_id, visitor.topic_id)
        return f"{shared_state(visitor.store, visitor.topic_id)} {others}"


def _find_session(session_id: str) -> Any:
    server = running_server()
    active = None if server is None else server._session_mgr.get_active_session_info(session_id)
    return active.session if active else None


visitors = Visitors(_find_session)
_watching = Lock()
_watch: list[Thread] = []
_stop = Event()


def _look_often() -> None:
    while not _stop.wait(LOOK_SECONDS):
        if running_server() is None:
            continue
        try:
            visitors.look()
        except QueryscapeError:  # such as a store that was closed
            continue
        except Exception:
            logging.getLogger("queryscape").exception("changes could not be looked for")


def _start_watch() -> None:
    with _watching:
        if not _watch and running_server() is not None:
            _watch.append(Thread(target=_look_often, name="queryscape-changes", daemon=True))
            _watch[0].start()


def draw_others(topic_id: str | None) -> None:
    """Draw who else has this topic open, and follow changes. Call it after everything that this run changes at first.

    Visitors of a public demo have a workspace each, so there is nothing to follow.
    """
    if is_public_demo():
        return
    _start_watch()
    _draw(topic_id, shared_state(cache.workspace().store, topic_id))


@st.fragment
def _draw(topic_id: str | None, shown: str) -> None:
    """Draw the line. `shown`: the state of the store when the page was drawn."""
    store, run = cache.workspace().store, get_script_run_ctx(suppress_warning=True)
    if run is None:
        return
    visitor = Visitor(run.session_id, name(), topic_id, store, "")
    now = shared_state(store, topic_id)
    others = visitors.others(run.session_id, topic_id)
    visitors.note(replace(visitor, state=f"{now} {others}"))
    is_asked = mount_visitor_part("changes", {"is_outdated": now != shown}, PART, "again")
    if is_asked and now != shown:
        st.rerun()
    if others:
        st.caption(f":material/group: Also here: {plain(in_words(others))}", width="content")


def in_words(others: Sequence[str]) -> str:
    """Name up to three of them.

    >>> in_words(("Ada", "Grace", "", ""))
    'Ada, Grace and 2 others'
    >>> in_words(("",))
    '1 other'
    """
    named = list(dict.fromkeys(each for each in others if each))[:MOST_NAMED]
    n_more = len(others) - sum(each in named for each in others)
    return listed([*named, *([many(n_more, "other")] if n_more else [])])
