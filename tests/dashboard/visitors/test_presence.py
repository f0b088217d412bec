"""Who else has a topic open, and which pages are out of date."""

from __future__ import annotations

from typing import Any

from dashboard.visitors.presence import Visitor, Visitors
from data.audit.searches import say
from data.changes import shared_state
from data.explore.versions import comment, delete_version
from data.explore.workspace import Workspace
from data.store import Store
from tests.data.workspaces import TOPIC


class Session:
    """A browser that is told to run a part."""

    def __init__(self) -> None:
        self._event_loop = self
        self.n_told = 0

    def call_soon_threadsafe(self, *_: Any) -> None:
        self.n_told += 1


def enter(visitors: Visitors, store: Store, session_id: str, topic_id: str | None = TOPIC) -> None:
    """The page is drawn, which makes it up to date."""
    visitor = Visitor(session_id, session_id.title(), topic_id, store, "")
    visitors.note(visitor)
    visitors.note(Visitor(session_id, session_id.title(), topic_id, store, visitors.state_for(visitor)))


def test_others_are_seen_until_they_leave_or_open_another_topic(workspace: Workspace) -> None:
    sessions = {name: Session() for name in ("ada", "grace", "")}
    visitors = Visitors(sessions.get)
    for name in sessions:
        enter(visitors, workspace.store, name)
    assert visitors.others("ada", TOPIC) == ("Grace", "")
    assert visitors.others("ada", None) == ()
    enter(visitors, workspace.store, "grace", "another")
    assert visitors.others("ada", TOPIC) == ("",)
    visitors.look()
    assert sessions["ada"].n_told == 1, "its line is drawn again"
    del sessions[""]
    visitors.look()
    assert visitors.others("ada", TOPIC) == ()


def test_a_page_is_told_of_changes_until_it_has_them_and_of_nothing_else(workspace: Workspace) -> None:
    ada = Session()
    visitors = Visitors({"ada": ada}.get)
    enter(visitors, workspace.store, "ada")
    workspace.store.remember("a key", "a slow result", "{}", None)
    visitors.look()
    assert ada.n_told == 0
    comment(workspace, TOPIC, "baseline", "Steep it.")
    visitors.look()
    visitors.look()
    assert ada.n_told == 2
    enter(visitors, workspace.store, "ada")
    visitors.look()
    assert ada.n_told == 2


def test_whatever_people_change_is_a_change(workspace: Workspace) -> None:
    states = [shared_state(workspace.store, TOPIC)]

    def changed() -> bool:
        states.append(shared_state(workspace.store, TOPIC))
        return states[-1] != states[-2]

    comment(workspace, TOPIC, "baseline", "A note.")
    assert changed()
    say(workspace.store, TOPIC, "prisma-s:5", state="own", text="By hand.")
    assert changed()
    workspace.run_query(TOPIC, "tea AND NOT coffee")
    assert changed()
    delete_version(workspace, TOPIC, "review")
    assert changed()
    assert not changed()
