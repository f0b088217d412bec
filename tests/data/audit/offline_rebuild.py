"""Run by a test in a process of its own: `report --from`, in which opening any socket ends the process.

python tests/data/audit/offline_rebuild.py BUNDLE FOLDER
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[3]


def forbid(event: str, given: tuple[Any, ...]) -> None:
    """No socket may be opened, also where the error would be caught."""
    if event.startswith("socket."):
        sys.stderr.write(f"forbidden: {event} {given}\n")
        sys.stderr.flush()
        os._exit(99)


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    sys.addaudithook(forbid)
    from dashboard.cli import main

    main(["report", "--from", sys.argv[1], "--out", sys.argv[2], "--json"])
