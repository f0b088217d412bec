"""A run in a live source that is killed, at whatever moment: nothing is lost, nothing doubles, and it goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from core.sources.source_forms import Form, PreparedSearch, SourceId
from data.explore.workspace import Workspace
from data.sources.fetch import go_on, plan_prepared, plan_run
from data.sources.registry import open_source
from data.sources.runs import LiveRun, find_live_run, keys_of, live_pages
from tests.data.listed_source import ListedSource
from tests.data.sources.live_child import DAY, N_RECORDS, PER_PAGE, overlapping

pytestmark = pytest.mark.slow

TOPIC = "Tea"
TOP = Path(__file__).parents[3]
MOMENTS = (("page", 2), ("before", 3), ("after", 3), ("before", 4), ("after", 4), ("row", 11), ("row", 12), ("row", 13))
"""In every process one page or more is kept before."""


def child(root: Path, run_id: str, source: str, moment: str, number: int) -> int:
    """Go on in a process of its own; how it ended."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.data.sources.live_child", str(root), run_id, source, moment, str(number)],
        cwd=TOP,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
    return ended.returncode


def keys(workspace: Workspace, run_id: str) -> list[str]:
    """Every key that a run brought, in order."""
    folder = workspace.paths.pages(run_id)
    return [key for page in live_pages(workspace.store, run_id) for key in keys_of(folder / page.name)]


def check_half(root: Path, run_id: str) -> LiveRun:
    """What must hold of a run that was killed."""
    with Workspace.open(root) as workspace:
        run = find_live_run(workspace.store, run_id)
        pages = live_pages(workspace.store, run_id)
        came = keys(workspace, run_id)
        assert [page.number for page in pages] == list(range(1, len(pages) + 1))
        assert len(set(came)) == len(came) == run.n_records == sum(page.n_new for page in pages)
        assert (run.state, run.label) == ("running", None)
        for table in ("publications", "sources", "records", "retrieved"):
            assert workspace.store.rows(f"SELECT count(*) FROM {table}") == [(0,)]
    return run


def held(workspace: Workspace, run: LiveRun) -> list[object]:
    """All that a run left, but for its name."""
    store = workspace.store
    counts = (run.n_records, run.n_repeated, run.n_aside, run.total_first, run.total_last, run.label, run.notes)
    tables = ("SELECT * EXCLUDE (source_id) FROM records ORDER BY number", "SELECT * FROM publications ORDER BY ALL")
    return [counts, keys(workspace, run.run_id), *map(store.rows, tables), *store.rows("SELECT * FROM retrieved")]


def planned(root: Path) -> str:
    """The id of a run that is to be killed."""
    with Workspace.open(root) as workspace:
        source = ListedSource([overlapping()], PER_PAGE)
        return plan_run(workspace, TOPIC, source, "tea", most=N_RECORDS + 5, clock=lambda: DAY).run_id


def undisturbed(root: Path) -> list[object]:
    run_id = planned(root)
    with Workspace.open(root) as workspace:
        source = ListedSource([overlapping()], PER_PAGE)
        return held(workspace, go_on(workspace, run_id, source, clock=lambda: DAY))


def test_killed_at_every_page_and_around_every_file(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "whole")
    root = tmp_path / "killed"
    run_id = planned(root)
    n_kills, reached = 0, []
    for moment, number in cycle(MOMENTS):
        if child(root, run_id, "listed", moment, number) == 0:
            break
        n_kills += 1
        reached.append(check_half(root, run_id).n_pages)
    assert reached == sorted(reached)
    assert n_kills >= 20
    # Killed after its last page: freezing is begun anew each time.
    with Workspace.open(root) as workspace:
        assert held(workspace, find_live_run(workspace.store, run_id)) == expected


def test_killed_while_it_becomes_a_version(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "whole")
    root = tmp_path / "killed"
    run_id = planned(root)
    numbers = sorted(random.Random(20261122).sample(range(1, 60), 6))
    for number in numbers:
        assert child(root, run_id, "listed", "freeze", number) == -signal.SIGKILL
        assert check_half(root, run_id).n_records == N_RECORDS
    assert child(root, run_id, "listed", "none", 0) == 0
    with Workspace.open(root) as workspace:
        assert held(workspace, find_live_run(workspace.store, run_id)) == expected


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, str]]:
    """Made-up sources in a process of their own: the environment that makes Queryscape use them."""
    command = [sys.executable, str(TOP / "tests/data/sources/fake_sources/serve.py"), "--n", "16000"]
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            assert server.stdout.readline().startswith("http")
            said = dict[str, str]()
            while "DIMENSIONS_API_KEY" not in said:
                name, _, value = server.stdout.readline().removeprefix("export ").strip().partition("=")
                said[name] = value
            yield said
        finally:
            server.terminate()
            server.communicate()


@pytest.mark.parametrize(
    ("source_id", "text", "kills"),
    [
        ("openalex", "title_and_abstract.search:everything", (("page", 40), ("after", 61), ("page", 25))),
        ("pubmed", "everything", (("page", 9), ("before", 12), ("page", 7))),
    ],
)
def test_killed_over_http(
    served: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source_id: SourceId,
    text: str,
    kills: tuple[tuple[str, int], ...],
) -> None:
    for name, value in served.items():
        monkeypatch.setenv(name, value)
    prepared = PreparedSearch(source_id, "pubmed", text, (Form(0, text),))

    def planned(workspace: Workspace) -> str:
        source = open_source(source_id, store=workspace.store)
        return plan_prepared(workspace, TOPIC, source, text, prepared, most=N_RECORDS, clock=lambda: DAY).run_id

    roots = tmp_path / "killed", tmp_path / "whole"
    left = []
    for root, moments in zip(roots, (kills, ()), strict=True):
        with Workspace.open(root) as workspace:
            run_id = planned(workspace)
        for moment in moments:
            assert child(root, run_id, source_id, *moment) == -signal.SIGKILL
            assert 0 < check_half(root, run_id).n_records < N_RECORDS
        assert child(root, run_id, source_id, "none", 0) == 0
        with Workspace.open(root) as workspace:
            run = find_live_run(workspace.store, run_id)
            assert (run.state, run.n_records, run.n_repeated) == ("done", N_RECORDS, 0)
            came = keys(workspace, run_id)
            assert len(set(came)) == len(came) == N_RECORDS
            version = workspace.version(TOPIC, str(run.label))
            left.append((came, run.n_pages, version.n_retrieved, run.notes))
    assert left[0] == left[1]
