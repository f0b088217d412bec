"""The view "Search" while several sources are asked: runs and previews at the same time, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from core.errors import InputError
from core.query.tree import ParsedQuery
from core.sources.source_forms import PreparedSearch, SourceId
from dashboard import cache
from dashboard.sources import jobs
from dashboard.sources import preview as sending
from data.sources.runs import live_pages, live_runs
from tests.dashboard.apps import SECONDS, keys, shown
from tests.dashboard.sources.search_pages import TEXT, Services, page, pressed, totals

LONG = " OR ".join(f"tea{number}[tiab]" for number in range(400))


class Held:
    """Runs stop before their second page until they are let go on."""

    def __init__(self, services: Services) -> None:
        self.may_go_on = Event()
        self.n_reached = 0
        self.reached = [Event(), Event()]
        services.before = self._before

    def _before(self, form: int, begin: int) -> None:
        if begin == 10:
            self.n_reached += 1
            self.reached[min(self.n_reached, len(self.reached)) - 1].set()
            assert self.may_go_on.wait(SECONDS)


@pytest.fixture
def held(services: Services) -> Iterator[Held]:
    held = Held(services)
    yield held
    held.may_go_on.set()
    cache.jobs().wait()


def test_two_sources_are_read_at_the_same_time_and_both_come_complete(
    topic: str, services: Services, held: Held
) -> None:
    app = pressed(page(live_source=["pubmed", "europepmc"]), "live-run-pubmed", wait=False)
    pressed(app, "live-run-europepmc", wait=False)
    assert all(each.wait(SECONDS) for each in held.reached)
    store = cache.workspace().store
    assert [(run.state, run.n_records) for run in live_runs(store)] == [("running", 10)] * 2
    held.may_go_on.set()
    cache.jobs().wait()
    app.run()
    runs = live_runs(store)
    assert {run.source for run in runs} == {"pubmed", "europepmc"}
    assert [(run.state, run.n_records, run.n_repeated) for run in runs] == [("done", 25, 0)] * 2
    assert [sum(each.n_new for each in live_pages(store, run.run_id)) for run in runs] == [25, 25]
    rows = {row.version.label: row.n_retrieved for row in store.versions(topic)}
    assert rows == {run.label: 25 for run in runs}
    assert len(store.topic_publication_ids(topic)) == 25  # both brought the same


def test_a_preview_does_not_wait_for_a_run(topic: str, services: Services, held: Held) -> None:
    app = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert held.reached[0].wait(SECONDS)
    app.button(key="live-preview-button").click().run()
    wish = jobs.SourceSearch(TEXT)
    for job in jobs.PREVIEW_JOBS.running():
        while not job.is_over:
            assert not held.may_go_on.wait(0.01)
    app.run()
    assert totals(app) == ["25"]
    assert jobs.preview_of(wish, "pubmed") is not None
    assert live_runs(cache.workspace().store)[0].state == "running"


def test_the_same_search_begun_in_two_tabs_is_one_run(topic: str, services: Services, held: Held) -> None:
    first = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert held.reached[0].wait(SECONDS)
    second = page(live_source="pubmed")
    pressed(second, "live-run-pubmed", wait=False)
    (run,) = live_runs(cache.workspace().store)
    assert {f"cancel-live-run:{run.run_id}"} <= keys(first) & keys(second)
    held.may_go_on.set()
    cache.jobs().wait()
    second.run()
    assert live_runs(cache.workspace().store)[0].state == "done"
    assert "25 of 25" in shown(second)


def test_a_click_right_after_typing_takes_what_was_typed(topic: str, services: Services) -> None:
    """The browser sends a text when its field is left, which a click does: both arrive together."""
    app = page(live_source="pubmed")
    app.text_area(key="live-text").input("cups[tiab]")
    pressed(app, "live-preview-button")
    assert [text for each in services.opened for text in each.counted] == ["cups[tiab]"]
    app.text_area(key="live-text").input("mugs[tiab]")
    pressed(app, "live-run-pubmed")
    assert [run.text for run in live_runs(cache.workspace().store)] == ["mugs[tiab]"]


def test_a_preview_that_was_given_up_says_nothing(
    topic: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = Event(), Event()
    preview = jobs.preview

    def slow(*args: object, **more: object) -> object:
        asked.set()
        assert may_answer.wait(SECONDS)
        return preview(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "preview", slow)
    app = pressed(page(live_source="pubmed"), "live-preview-button", wait=False)
    assert asked.wait(SECONDS)
    app.run()
    assert app.button(key="live-preview-button").disabled
    pressed(app, "live-preview-stop", wait=False)
    app.run()
    assert not app.button(key="live-preview-button").disabled  # though the source says nothing yet
    may_answer.set()
    cache.jobs().wait()
    app.run()
    assert totals(app) == ["–"]


def test_a_long_string_is_worked_out_in_the_background(
    topic: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = Event(), Event()
    prepare = sending.prepare

    def slow(wish: jobs.SourceSearch, parsed: ParsedQuery, source: SourceId) -> PreparedSearch:
        begun.set()
        assert may_end.wait(SECONDS)
        return prepare(wish, parsed, source)

    app = page(live_source=["pubmed", "openalex"])
    monkeypatch.setattr(sending, "prepare", slow)
    app.text_area(key="live-text").input(LONG).run()  # the page does not wait for it
    assert begun.wait(SECONDS)
    assert app.button(key="live-preview-button").disabled
    assert sending.READING in shown(app)
    assert not [key for key in keys(app) if key.startswith("live-run-")]
    app.run()
    may_end.set()
    cache.jobs().wait()
    app.run()
    assert not app.button(key="live-preview-button").disabled
    assert {"live-run-pubmed", "live-run-openalex"} <= keys(app)
    monkeypatch.setattr(sending, "prepare", lambda *_: pytest.fail("it is known"))
    app.run()
    pressed(app, "live-run-pubmed")
    assert live_runs(cache.workspace().store)[0].text == LONG


def test_a_long_string_that_can_t_be_sent_says_why_once(
    topic: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_tried: list[SourceId] = []

    def refused(wish: jobs.SourceSearch, parsed: ParsedQuery, source: SourceId) -> PreparedSearch:
        n_tried.append(source)
        raise InputError("too <b>long</b>")

    monkeypatch.setattr(sending, "prepare", refused)
    app = page(LONG, live_source="pubmed")
    cache.jobs().wait()
    app.run()
    app.run()
    assert "Too <b>long</b>." in shown(app)
    assert n_tried == ["pubmed"]
