"""An import that is killed, at whatever moment: the store opens, nothing is double, and the same command goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from data.library.imports import bring_files
from data.library.records import SourceRole, load_sources

pytestmark = pytest.mark.slow

N_FILES, N_RECORDS, N_MOMENTS = 5, 120, 10

CHILD = """
import os, signal, sys, time
from pathlib import Path
from threading import Timer
from data import database
from data.library.imports import bring_files
from data.library.records import SourceRole
from data.explore.workspace import Workspace

folder, root, last, seconds = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
run, n = database.Database._run, 0

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

if seconds:  # in the middle of whatever it is at
    Timer(seconds, kill).start()

def counted(self, sql, parameters, fetch):
    global n
    n += 1
    if n == last:
        kill()
    return run(self, sql, parameters, fetch)

database.Database._run = counted
began = time.perf_counter()
with Workspace.open(root) as workspace:
    bring_files(workspace, "tea", SourceRole("corpus"), sorted(folder.glob("*.ris")))
print(n, time.perf_counter() - began)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that overlap: every third record is in the next one too."""
    folder = tmp_path_factory.mktemp("files")
    for number in range(N_FILES):
        first = number * N_RECORDS * 2 // 3
        records = [
            f"TY  - JOUR\nTI  - Study number {i} of many cups of tea\nAU  - Leaf, A\nPY  - 2000\nER  - \n"
            for i in range(first, first + N_RECORDS)
        ]
        (folder / f"{number}.ris").write_text("".join(records), encoding="utf-8")
    return folder


def child(files: Path, root: Path, *, last: int = 0, seconds: float = 0.0) -> subprocess.CompletedProcess[str]:
    """An import in a process of its own, which kills itself before a statement or after a time."""
    return subprocess.run(
        [sys.executable, "-c", CHILD, str(files), str(root), str(last), str(seconds)],
        cwd=Path(__file__).parents[3],
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def held(root: Path) -> list[tuple[object, ...]]:
    """Everything that an import leaves, but for the order in which sources were numbered."""
    with Workspace.open(root) as workspace:
        store = workspace.store
        assert store.rows("SELECT count(*) FROM records GROUP BY source_id, number HAVING count(*) > 1") == []
        for source in load_sources(store):
            assert source.n_records == N_RECORDS
        known = store.rows("SELECT count(*), count(DISTINCT title) FROM publications")[0]
        assert known[0] == known[1]
        return store.rows("SELECT publication_id, number, rule FROM records ORDER BY ALL") + store.rows(
            "SELECT publication_id, title FROM publications ORDER BY ALL"
        )


def test_killed_at_ten_random_moments(files: Path, tmp_path: Path) -> None:
    n_statements, seconds = child(files, tmp_path / "whole").stdout.split()
    expected = held(tmp_path / "whole")
    draw = random.Random(20261121)
    before = [{"last": n} for n in draw.sample(range(1, int(n_statements)), N_MOMENTS // 2)]
    within = [{"seconds": draw.uniform(0.05, 0.6) * float(seconds)} for _ in range(N_MOMENTS // 2)]
    for number, moment in enumerate((*before, *within)):
        root = tmp_path / f"killed-{number}"
        assert child(files, root, **moment).returncode == -signal.SIGKILL
        held(root)
        with Workspace.open(root) as workspace:
            report = bring_files(workspace, "tea", SourceRole("corpus"), sorted(files.glob("*.ris")))
            assert report.n_publications == N_RECORDS + (N_FILES - 1) * N_RECORDS * 2 // 3
        assert held(root) == expected
