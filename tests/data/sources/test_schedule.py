"""Scheduled searches: what is due is repeated once, and what they brought is new since its day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.errors import InputError
from core.query.parser import parse
from core.sources.feed import ATOM, FeedEntry, atom_feed
from core.sources.source_forms import SourceId, SourceOptions
from core.types import Publication
from data.explore.workspace import Workspace
from data.http.client import Patience
from data.library.arrivals import arrival_times, arrivals, new_ids
from data.library.selection import ExportSelection, select
from data.sources import registry
from data.sources.fetch import go_on, history, plan_prepared
from data.sources.registry import open_source
from data.sources.schedule import INTERVALS, claim, scheduled_searches, set_schedule, update_due
from data.sources.types import LiveSource
from tests.data.sources.fake_sources.corpus import made_up
from tests.data.sources.fake_sources.registry import KEYS, VARIABLES, services
from tests.data.sources.fake_sources.server import serving
from tests.messages import refusal

TOPIC = "Tea"
TEXT = "study OR review OR trial OR model OR results"
FIRST = "2026-01-05T06:00:00+00:00"


def later(**span: float) -> str:
    return (datetime.fromisoformat(FIRST) + timedelta(**span)).isoformat()


def opened(source: SourceId) -> LiveSource:
    return open_source(source, sleep=lambda seconds: None)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A topic with one core publication, and one search of it that was run."""
    monkeypatch.setattr(registry, "PATIENCE", Patience(n_attempts=1, timeout=20.0, sleep=lambda seconds: None))
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    with serving(services(made_up(12))) as server, Workspace.open(tmp_path / "ws") as found:
        for source_id, variable in VARIABLES.items():
            monkeypatch.setenv(variable, server.address(source_id))
        found.store.save_publications([Publication("core-1", "An older study")])
        found.store.save_topic(TOPIC, ("core-1",))
        source = opened("openalex")
        prepared = source.prepare(parse(TEXT), SourceOptions())
        run = plan_prepared(found, TOPIC, source, TEXT, prepared, most=7, clock=lambda: FIRST)
        go_on(found, run.run_id, source, clock=lambda: FIRST)
        yield found


def run_id_of(workspace: Workspace) -> str:
    return str(workspace.store.rows("SELECT run_id FROM live_runs ORDER BY made_at")[0][0])


@pytest.mark.parametrize(
    "every", ["daily", *(pytest.param(each, marks=pytest.mark.slow) for each in ("weekly", "monthly"))]
)
def test_a_search_is_repeated_once_when_it_is_due(workspace: Workspace, every: str) -> None:
    set_schedule(workspace, run_id_of(workspace), every)  # type: ignore[arg-type]
    before = later(hours=-2, days=INTERVALS[every].days)
    at = later(days=INTERVALS[every].days)
    assert update_due(workspace, opened, clock=lambda: before) == ()
    (done,) = update_due(workspace, opened, clock=lambda: at)
    assert done.run is not None
    assert done.run.state == "done"
    assert update_due(workspace, opened, clock=lambda: at) == ()
    assert len(history(workspace, run_id_of(workspace))) == 2
    set_schedule(workspace, done.run.run_id, None)
    assert scheduled_searches(workspace) == ()


def test_a_failed_update_is_tried_again_after_an_hour(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    set_schedule(workspace, run_id_of(workspace), "daily")
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    (failed,) = update_due(workspace, opened, clock=lambda: later(days=1))
    assert "QUERYSCAPE_OFFLINE" in failed.problem
    monkeypatch.delenv("QUERYSCAPE_OFFLINE")
    assert update_due(workspace, opened, clock=lambda: later(days=1, minutes=30)) == ()
    (done,) = update_due(workspace, opened, clock=lambda: later(days=1, hours=2))
    assert done.problem == ""
    assert len(history(workspace, run_id_of(workspace))) == 2


def test_two_who_see_the_same_update_start_it_once(workspace: Workspace) -> None:
    set_schedule(workspace, run_id_of(workspace), "weekly")
    (search,) = scheduled_searches(workspace)
    assert claim(workspace.store, search, later(days=8))
    assert not claim(workspace.store, search, later(days=8))


def test_new_since_a_day_and_before_it_are_all(workspace: Workspace) -> None:
    times = arrival_times(workspace.store, TOPIC)
    for day in ("2026-01-01", "2026-01-05", "2026-01-06"):
        new = new_ids(workspace.store, TOPIC, day)
        old = {each for each, at in times.items() if at[:10] < day}
        assert new | old == set(times)
        assert new & old == set()
        assert {each.publication.publication_id for each in arrivals(workspace.store, TOPIC, day)} == new
        chosen = select(workspace, TOPIC, ExportSelection(among="everything", since=day), regions=())
        assert set(chosen.ids) == new
    assert len(new_ids(workspace.store, TOPIC, "2026-01-05")) == 7
    assert times["core-1"] == ""
    with refusal(InputError):
        new_ids(workspace.store, TOPIC, "last week")


def test_a_feed_holds_what_it_was_made_of() -> None:
    odd = 'Tea & <b>milk</b> \x00\ud800 "]]>'
    entries = [
        FeedEntry("p1", odd, FIRST, "An abstract.", "https://doi.org/10.1/<a>"),
        FeedEntry("p2", "", later(days=1)),
    ]
    raw = atom_feed("Tea", "Tea: new", entries, made_at=FIRST)
    feed = ElementTree.fromstring(raw)
    name = {"a": ATOM}
    assert feed.findtext("a:updated", namespaces=name) == later(days=1)
    assert feed.findtext("a:author/a:name", namespaces=name)
    found = feed.findall("a:entry", name)
    assert [each.findtext("a:updated", namespaces=name) for each in found] == [entry.at for entry in entries]
    assert "Tea & <b>milk</b>" in str(found[0].findtext("a:title", namespaces=name))
    assert [link.get("href") for link in feed.findall("a:entry/a:link", name)] == ["https://doi.org/10.1/<a>"]
    ids = [node.text for node in feed.iter(f"{{{ATOM}}}id")]
    assert len(set(ids)) == 3
    again = ElementTree.fromstring(atom_feed("Tea", "Tea: new", entries[:1], made_at=FIRST))
    assert [node.text for node in again.iter(f"{{{ATOM}}}id")] == ids[:2]
