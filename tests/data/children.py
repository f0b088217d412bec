"""Work in a process of its own, which may be killed before it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]


def child(code: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code beside the sources, however it ends."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=TOP,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def killed_child(code: str, *arguments: object, **environment: str) -> None:
    """Run Python code that kills itself on its way."""
    ended = child(code, *arguments, **environment)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
