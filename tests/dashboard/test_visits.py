"""The public demo: copies that visitors don't share, and what it refuses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import streamlit as st

from core.errors import InputError, OutOfReachError
from core.protocols import OnProgress, OnStage
from dashboard import cache, jobs, visits
from dashboard.visits import AWAY_SECONDS, DemoFullError, Visits
from dashboard.words import plain
from data.demo.copies import ORIGINAL, DemoCopies
from data.explore.workspace import Workspace
from data.http.client import check_online
from data.models.local_embedders import load_model
from data.public_demo import COPIES, IDLE_SECONDS, MOST_VISITORS, UPLOAD_MB, VARIABLE, forget_secrets
from tests.dashboard.apps import messages, open_app, open_page, shown
from tests.data.workspaces import TOPIC, fill


def _build(self: DemoCopies) -> None:
    fill(self.folder / ORIGINAL)


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A public demo with a small original; its folder of copies is in the given one."""
    monkeypatch.setattr(os, "environ", dict(os.environ) | {VARIABLE: "1", "OPENAI_API_KEY": "sk-secret"})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(DemoCopies, "build", _build)
    st.cache_resource.clear()
    yield tmp_path
    visits.close_all()
    st.cache_resource.clear()
    assert list(tmp_path.glob(f"{COPIES}*")) == []


class Server:
    """The visits of a server with a clock and browsers of the test."""

    def __init__(self, folder: Path) -> None:
        self.now, self.connected = 0.0, {"a", "b"}
        copies = DemoCopies(folder)
        copies.build()
        self.folder = copies.folder
        self.visits = Visits(copies, self.connected.__contains__, lambda: self.now)

    def copies(self) -> set[Path]:
        return {path for path in self.folder.iterdir() if path.is_dir() and path.name != ORIGINAL}


@pytest.fixture
def server(demo: Path) -> Iterator[Server]:
    opened = Server(demo)
    yield opened
    opened.visits.close()


def test_a_topic_of_one_visitor_never_appears_for_another(server: Server) -> None:
    first, second = server.visits.of("one", "a"), server.visits.of("two", "b")
    assert first.workspace.paths.root != second.workspace.paths.root
    first.workspace.save_topic("Mine", ("p1",), [])
    assert {row.topic_id for row in first.workspace.store.topics()} == {TOPIC, "Mine"}
    assert {row.topic_id for row in second.workspace.store.topics()} == {TOPIC}
    assert {row.topic_id for row in server.visits.of("three", "c").workspace.store.topics()} == {TOPIC}
    assert server.visits.of("one", "a") is first


def test_the_copy_goes_with_the_browser_but_not_at_once(server: Server) -> None:
    server.visits.of("one", "a")
    server.visits.of("two", "b")
    server.connected.discard("a")
    server.now = AWAY_SECONDS - 1
    server.visits.sweep()
    assert len(server.copies()) == 2
    server.now = AWAY_SECONDS + 1
    server.visits.sweep()
    assert server.copies() == {server.visits.of("two", "b").workspace.paths.root}
    server.now += IDLE_SECONDS + 1
    server.visits.sweep()
    assert server.copies() == set()


def test_a_copy_that_is_too_large_is_deleted(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.visits.of("one", "a")
    monkeypatch.setattr(visits, "MOST_MB", 0)
    server.visits.sweep()
    assert server.copies() == set()


def test_a_running_job_keeps_the_copy_until_it_is_over(server: Server) -> None:
    visit, started, goes_on = server.visits.of("one", "a"), Event(), Event()

    def work(on_stage: OnStage) -> None:
        assert visits.current_visit() is visit
        started.set()
        goes_on.wait()
        on_stage("is stopped here")

    job = visit.jobs.start("job", "Work", work)
    started.wait()
    server.now = IDLE_SECONDS + 1
    server.visits.sweep()
    assert len(server.visits) == 0
    assert len(server.copies()) == 1
    goes_on.set()
    visit.jobs.wait()
    assert job.cancelled
    server.visits.sweep()
    assert server.copies() == set()


def test_a_full_demo_says_so_and_has_room_again(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MOST_VISITORS", 1)
    server.visits.of("one", "a")
    with pytest.raises(DemoFullError, match="1 places"):
        server.visits.of("two", "b")
    server.now = IDLE_SECONDS + 1
    assert server.visits.of("two", "b").workspace.topics()


def test_leftovers_of_a_dead_process_are_deleted_and_those_of_a_living_one_stay(demo: Path) -> None:
    left = demo / f"{COPIES}dead"
    left.mkdir()
    (left / "lock").touch()
    living = DemoCopies(demo)
    assert not left.exists()
    other = DemoCopies(demo)
    assert living.folder.exists()
    for copies in (living, other):
        copies.close()


def test_a_long_job_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 10_000, 100))
    monkeypatch.setattr(jobs.time, "monotonic", lambda: float(next(seconds)))

    def work(on_stage: OnStage) -> None:
        report: OnProgress = on_stage("counting")
        for n in range(20):
            report(n, 20)

    visit = server.visits.of("one", "a")
    job = visit.jobs.start("job", "Work", work)
    visit.jobs.wait()
    assert job.error
    assert "demo" in job.error


def test_no_key_is_left_and_nothing_is_reached(demo: Path) -> None:
    os.environ |= {"GEMINI_API_KEY": "secret", "NCBI_API_KEY": "secret", "OPENAI_BASE_URL": "http://localhost:1/v1"}
    forget_secrets()
    assert not [name for name in os.environ if name.endswith("_KEY") or name == "OPENAI_BASE_URL"]
    with pytest.raises(OutOfReachError, match="public demo"):
        check_online("PubMed")
    with pytest.raises(InputError):
        load_model("/")


def test_two_visitors_on_the_pages(demo: Path) -> None:
    first, second = open_app(), open_app()
    assert len(visits.all_visits()) == 2
    one, two = (visits.all_visits().of(app.session_state["visitor"], "s").workspace for app in (first, second))
    one.save_topic("Mine", ("p1",), [])
    topic = next(box for box in first.run().selectbox if box.key == "topic")
    assert "Mine" in topic.options
    assert "Mine" not in next(box for box in second.run().selectbox if box.key == "topic").options
    assert "demo copy" in shown(first)
    assert two.paths.root != one.paths.root
    assert st.config.get_option("server.maxUploadSize") == UPLOAD_MB


def test_cached_results_are_not_shared(demo: Path) -> None:
    first = open_app()
    kept = visits.all_visits().of(first.session_state["visitor"], "s").results
    assert kept
    second = visits.all_visits().of("another", "s")
    assert second.results == {}


@pytest.mark.parametrize("page", ["library/page.py", "retrieval/page.py", "knowledge/page.py", "sources/page.py"])
@pytest.mark.parametrize("part", ["Import", "Add", "Vectors", ""])
def test_no_path_of_the_server_is_shown(demo: Path, page: str, part: str) -> None:
    app = open_page(page, **({"part": part} if part else {}))
    assert str(demo) not in shown(app)
    assert not [field.label for field in app.text_input if "older" in field.label]


def test_a_full_demo_shows_a_sentence(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MOST_VISITORS", 0)
    app = open_app()
    assert "0 places" in messages(app)
    assert not app.selectbox


def test_an_ordinary_server_shares_one_workspace(root: Path) -> None:
    with Workspace.open(root):
        pass
    app = open_app()
    assert visits.current_visit() is None
    assert cache.workspace().paths.root == root
    assert "demo copy" not in shown(app)
    assert MOST_VISITORS > 1


def test_a_message_has_no_path_of_a_copy(server: Server) -> None:
    root = server.visits.of("one", "a").workspace.paths.root
    words = plain(f"can't write {root / 'vectors' / 'x.npy'} (no space)")
    assert COPIES.strip("-") not in words.replace("\\", "")
    assert "the workspace/vectors" in words
