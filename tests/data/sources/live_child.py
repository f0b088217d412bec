"""Goes on with a live run in a process of its own, which kills itself at a chosen moment.

    python -m tests.data.sources.live_child FOLDER RUN_ID SOURCE MOMENT NUMBER

SOURCE: "listed", or one whose address the environment says. MOMENT: page (as it is asked for), before or after (a file
is renamed), row or freeze (a statement while pages come, or after that), none.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from core.protocols import OnProgress
from data import database, files
from data.explore.workspace import Workspace
from data.sources.fetch import go_on
from data.sources.registry import open_source
from data.sources.types import FetchedRecord, LiveSource
from tests.data.listed_source import ListedSource, numbered

N_RECORDS, PER_PAGE = 12_000, 500
DAY = "2026-11-22T10:00:00+00:00"


def overlapping(n: int = N_RECORDS) -> list[FetchedRecord]:
    """So many different records; the last of each page comes again on the next one."""
    every = numbered(n)
    return [each for number, record in enumerate(every) for each in [record] * (2 if number % 499 == 498 else 1)]


class Killer:
    """Counts moments of each kind, and ends the process at one of them."""

    def __init__(self, moment: str, number: int) -> None:
        self._moment, self._left = moment, number

    def tell(self, moment: str) -> None:
        if moment == self._moment:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def watch(killer: Killer, source: LiveSource) -> Any:
    """Tells the killer of all that happens; gives back what is to be told of stages."""
    run, replace, page = database.Database._run, os.replace, type(source).page
    stage = "row"

    def told_of_statements(self: Any, *of: Any) -> Any:
        killer.tell(stage)
        return run(self, *of)

    def told_of_files(*of: Any) -> None:
        killer.tell("before")
        replace(*of)
        killer.tell("after")

    def told_of_pages(self: Any, *of: Any) -> Any:
        killer.tell("page")
        return page(self, *of)

    def on_stage(name: str) -> OnProgress:
        nonlocal stage
        stage = "row" if name.startswith("fetching") else "freeze"
        return lambda done, total: None

    database.Database._run = told_of_statements  # type: ignore[method-assign]
    files.os.replace = told_of_files  # type: ignore[assignment]
    type(source).page = told_of_pages  # type: ignore[method-assign]
    return on_stage


def main() -> None:
    root, run_id, name, moment, number = sys.argv[1:]
    with Workspace.open(Path(root)) as workspace:
        source: LiveSource
        if name == "listed":
            source = ListedSource([overlapping()], PER_PAGE)
        else:
            source = open_source(name, store=workspace.store, sleep=lambda seconds: None)  # type: ignore[arg-type]
        on_stage = watch(Killer(moment, int(number)), source)
        go_on(workspace, run_id, source, on_stage=on_stage, clock=lambda: DAY)


if __name__ == "__main__":
    main()
