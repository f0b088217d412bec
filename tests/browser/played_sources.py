"""Starts the stand-ins of live sources, and tells an app where they are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

SERVE = Path(__file__).parents[1] / "data" / "sources" / "fake_sources" / "serve.py"
N_LINES = 10
"""Of the environment that it prints, after its address."""
STOP_SECONDS = 20


@contextmanager
def played(data_dir: Path, *, n: int, seconds: float) -> Iterator[Mapping[str, str]]:
    """Sources that hold a workspace's publications, but for some of the core, and made-up works; the environment.

    `seconds`: that every answer takes.
    """
    command = [sys.executable, str(SERVE), "--like", str(data_dir), "--n", str(n), "--seconds", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _told(process)
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


def _told(process: subprocess.Popen[str]) -> Mapping[str, str]:
    """What it prints once it answers."""
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(1 + N_LINES)]
    found = dict(line.removeprefix("export ").split("=", 1) for line in lines if line.startswith("export "))
    if len(found) != N_LINES:
        raise RuntimeError(f"the stand-ins did not start: {lines}")
    return found
