"""How long the audit of a demo topic takes, all versions, in every format: by the command, as a person runs it.

Run with `python -m tests.benchmarks.bench_report`; it builds the demo workspace first, in a folder of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENDINGS = ("html", "docx", "md", "json", "zip")


def main() -> None:
    """Print seconds and sizes, for a process of its own each time; the first one finds nothing remembered."""
    with tempfile.TemporaryDirectory() as folder:
        asked("demo", folder)
        topics = json.loads(asked("topics", folder, "--json"))["topics"]
        largest = max(topics, key=lambda topic: sum(version["n_retrieved"] for version in topic["versions"]))
        sys.stdout.write(f"{largest['topic']}, {len(largest['versions'])} versions\n")
        for ending in ENDINGS:
            began, busy = time.perf_counter(), busy_seconds()
            out = Path(folder, f"audit.{ending}")
            told = json.loads(asked("report", folder, "--topic", largest["topic"], "--out", str(out), "--json"))
            whole, busy = time.perf_counter() - began, busy_seconds() - busy
            took = f"{told['seconds']:6.1f} s ({whole:.1f} s with the start, {busy:.1f} s of it busy)"
            sys.stdout.write(f"{ending:5} {took}  {told['n_bytes']:,} bytes\n")
        began = time.perf_counter()
        asked("report", str(Path(folder, "empty")), "--from", str(Path(folder, "audit.zip")), "--json")
        sys.stdout.write(f"rebuilt in {time.perf_counter() - began:.1f} s\n")


def busy_seconds() -> float:
    """What processors spent on all commands so far, whatever else the machine does."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def asked(command: str, folder: str, *arguments: str) -> str:
    """What a command prints."""
    line = [sys.executable, "-m", "dashboard", command, *arguments, "--data-dir", folder]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
