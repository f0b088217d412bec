"""The Updates view, and the thread that starts what is due."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard import cache
from dashboard.sources import jobs, scheduler
from data.explore.workspace import Workspace
from data.sources.fetch import history
from data.sources.runs import LiveRun
from data.sources.schedule import scheduled_searches, set_schedule
from tests.dashboard.apps import open_alone, ran, shown
from tests.data.listed_source import ListedSource, numbered
from tests.data.live_scenes import TOPIC, finished

LATER = "2999-01-01T00:00:00+00:00"


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch) -> LiveRun:
    """A finished search; its source can be asked again."""
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
    monkeypatch.setattr(jobs, "opened", lambda source_id: ListedSource([numbered(25)]))
    with Workspace.open(root) as workspace:
        return finished(workspace)


def test_a_search_is_scheduled_on_the_page_and_what_it_brought_is_listed(run: LiveRun) -> None:
    app = open_alone("sources/page.py", {"chosen_topic": TOPIC}, sources="Updates")
    assert app.selectbox(key=f"schedule-{run.run_id}").value == "never"
    ran(app.selectbox(key=f"schedule-{run.run_id}").set_value("weekly"))
    (search,) = scheduled_searches(cache.workspace())
    assert (search.first_id, search.every) == (run.run_id, "weekly")
    assert search.due_words in shown(app)
    ran(app.date_input(key="new-since").set_value("2000-01-01"))
    assert len(app.dataframe[0].value) == run.n_records
    ran(app.selectbox(key=f"schedule-{run.run_id}").set_value("never"))
    assert scheduled_searches(cache.workspace()) == ()


def test_what_is_due_is_started_once_and_not_offline(run: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = cache.workspace()
    set_schedule(workspace, run.run_id, "daily")
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    assert scheduler.start_due(LATER) == 0
    monkeypatch.delenv("QUERYSCAPE_OFFLINE")
    assert scheduler.start_due(run.made_at) == 0
    assert scheduler.start_due(LATER) == 1
    cache.jobs().wait()
    assert scheduler.start_due(LATER) == 0
    assert [each.state for each in history(workspace, run.run_id)] == ["done", "done"]
