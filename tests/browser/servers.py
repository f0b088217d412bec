"""Starts the app the way a user does, and stops it again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parents[2]
START_SECONDS = 120
STOP_SECONDS = 20
BETWEEN_LOOKS = 0.1


@dataclass(frozen=True)
class Server:
    """A running app."""

    url: str
    data_dir: Path
    log: Path
    pid: int

    def said(self) -> str:
        """What it wrote to its terminal."""
        return _said(self.log)

    def blamed(self) -> list[str]:
        """Lines of our own code in tracebacks. Streamlit writes one of its own when a visitor leaves in mid-message."""
        lines = [line.strip() for line in self.said().splitlines()]
        return [line for line in lines if line.startswith(f'File "{TOP}') and "site-packages" not in line]


def _said(log: Path) -> str:
    return log.read_text("utf-8", errors="replace")


@contextmanager
def serving(
    data_dir: Path,
    log: Path,
    environment: Mapping[str, str] | None = None,
    *,
    port: int | None = None,
    with_token: bool = False,
) -> Iterator[Server]:
    """`python -m dashboard --port N --data-dir D`, from when it answers until the block is left."""
    port = port or _free_port()
    command = [sys.executable, "-m", "dashboard", "--port", str(port), "--data-dir", str(data_dir)]
    command += [] if with_token else ["--no-token"]
    with _running(command, port, log, dict(environment or {})) as process:
        yield Server(_url(port), data_dir, log, process.pid)


@contextmanager
def serving_script(script: Path, log: Path, environment: dict[str, str]) -> Iterator[str]:
    """Another Streamlit page, to compare with; gives its address."""
    port = _free_port()
    flags = ("--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false")
    command = [sys.executable, "-m", "streamlit", "run", str(script), *flags]
    with _running(command, port, log, environment):
        yield _url(port)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return int(free.getsockname()[1])


def _url(port: int) -> str:
    return f"http://localhost:{port}"


@contextmanager
def _running(
    command: list[str], port: int, log: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=TOP,
            env=_environment() | environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_healthy(_url(port), log, process)
        yield process
    finally:
        _stop(process)


def _environment() -> dict[str, str]:
    """Without what tests of other parts may have set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    kept.pop("QUERYSCAPE_DATA_DIR", None)
    return kept


def _wait_until_healthy(url: str, log: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with status {process.returncode}:\n{_said(log)}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(BETWEEN_LOOKS)
    raise RuntimeError(f"the app did not answer within {START_SECONDS} s:\n{_said(log)}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C first, as a user would."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)
