"""The view "Search" of the page Sources: running in a source, pausing, going on, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from core.errors import OutOfReachError
from dashboard import cache
from dashboard.sources import jobs
from data.explore.workspace import Workspace
from data.sources.fetch import plan_run
from data.sources.runs import keep_state, live_runs
from tests.dashboard.apps import SECONDS, keys, messages, open_app, settled, shown
from tests.dashboard.sources.search_pages import TEXT, TOPIC, Asked, Services, named, page, pressed
from tests.data.listed_source import numbered


def test_a_run_becomes_a_version_and_says_so_once(topic: str, services: Services) -> None:
    app = pressed(page(live_source="pubmed"), "live-run-pubmed")
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records, run.topic_id, run.text) == ("done", 25, TOPIC, TEXT)
    assert [each.value.replace("\\", "") for each in app.toast] == [
        f"PubMed: fetched 25 publications as version {run.label} of {TOPIC}."
    ]
    assert "**Finished** · 25 of 25 publications" in shown(app)
    assert f"live-explore-{run.run_id}" in keys(app)
    app.run()
    assert not app.toast
    app.button(key=f"live-open-{run.run_id}").click().run()
    assert app.session_state["sources"] == "Runs"
    assert app.session_state["live_run"] == run.run_id


def test_what_was_fetched_today_is_shown_instead_of_fetched_again(topic: str, services: Services) -> None:
    pressed(page(live_source="pubmed"), "live-run-pubmed")
    n = services.n_asked
    app = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert services.n_asked == n
    assert len(live_runs(cache.workspace().store)) == 1
    assert "already run today" in " ".join(each.value for each in app.toast)
    pressed(app, "live-again-pubmed")
    assert services.n_asked > n
    assert len(live_runs(cache.workspace().store)) == 2


def test_a_run_is_paused_and_goes_on_without_asking_twice(topic: str, services: Services) -> None:
    reached, may_go_on = Event(), Event()

    def before(form: int, begin: int) -> None:
        if begin == 10:
            reached.set()
            may_go_on.wait(SECONDS)

    services.before = before
    app = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert reached.wait(SECONDS)
    app.run()
    (run,) = live_runs(cache.workspace().store)
    assert jobs.RUN_JOBS.is_running(run.run_id)
    assert f"cancel-live-run:{run.run_id}" in keys(app)
    job = jobs.RUN_JOBS.find(run.run_id)
    assert job is not None
    job.cancel.set()
    may_go_on.set()
    settled(app)
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records) == ("paused", 20)
    pressed(app, f"live-go-on-{run.run_id}")
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records) == ("done", 25)
    begun = [at for source in services.opened for _, at, _ in source.asked]
    assert len(begun) == len(set(begun)) == 3


def test_a_run_that_a_closed_server_left_behind_is_shown_with_a_way_on(root: Path, services: Services) -> None:
    with Workspace.open(root) as workspace:
        run = planned(workspace)
        keep_state(workspace.store, run, "running")
    app = page("something else AND other")
    assert "PubMed** · interrupted · 0 publications · Tea" in shown(app)
    pressed(app, f"live-go-on-{run}")
    assert live_runs(cache.workspace().store)[0].state == "done"
    assert f"live-go-on-{run}" not in keys(app)


def planned(workspace: Workspace) -> str:
    return plan_run(workspace, "Tea", Asked([numbered(25)]), TEXT).run_id


def test_a_source_that_fails_during_a_run_says_why_and_can_go_on(topic: str, services: Services) -> None:
    def before(form: int, begin: int) -> None:
        if begin == 10:
            raise OutOfReachError("No <b>internet</b>?")

    services.before = before
    app = pressed(page(live_source="pubmed"), "live-run-pubmed")
    assert "No <b>internet</b>?" in messages(app)
    (run,) = live_runs(cache.workspace().store)
    services.before = lambda form, begin: None
    pressed(app, f"live-go-on-{run.run_id}")
    assert live_runs(cache.workspace().store)[0].n_records == 25


def test_a_run_makes_a_new_topic_also_in_an_empty_workspace(root: Path, services: Services) -> None:
    app = page(TEXT, None, live_source="pubmed")
    assert app.button(key="live-run-pubmed").disabled
    assert "name a topic" in shown(app)
    app = named("Cups  and\nsaucers")
    assert "new topic: Cups and saucers." in shown(app)
    pressed(app, "live-run-pubmed")
    assert [each.topic_id for each in cache.workspace().topics()] == ["Cups and saucers"]


def test_a_name_that_no_topic_can_have_is_refused_and_said(root: Path, services: Services) -> None:
    app = named("a\x00b")
    pressed(app, "live-run-pubmed", wait=False)
    assert app.error
    assert not live_runs(cache.workspace().store)


def test_the_form_stays_while_another_view_is_looked_at(topic: str, services: Services) -> None:
    app = page(live_source="europepmc")
    app.number_input(key="live_cap").set_value(77).run()
    app.segmented_control(key="sources").set_value("Runs").run()
    app.segmented_control(key="sources").set_value("Search").run()
    assert app.text_area(key="live-text").value == TEXT
    assert app.number_input(key="live_cap").value == 77
    assert app.query_params["live_source"] in ("europepmc", ["europepmc"])


def test_a_copy_can_only_be_looked_at(topic: str, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    monkeypatch.setattr(cache.workspace().store, "is_read_only", True)
    app.run()
    assert "Read-only" in messages(app)
    assert not app.text_area


def test_pages_of_the_app_lead_here_with_their_text(root: Path, services: Services) -> None:
    """As Query and Explore hand it over."""
    app = open_app()
    app.session_state["live-brought"] = (TEXT, "semanticscholar", "pubmed")
    app.session_state["live-topic"] = None
    app.switch_page("sources/page.py").run()
    assert app.text_area(key="live-text").value == TEXT
    assert app.session_state["live_source"] == ["semanticscholar"]
