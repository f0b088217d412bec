"""Writes for the small topic in a process of its own, which kills itself at a chosen statement of the store.

Its arguments are FOLDER LOG NUMBER. LOG: a file that gets a line for each question that is asked. NUMBER: of the
statement, from the first question on; 0: none.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.protocols import Answer, OnProgress
from data import database
from data.explore.workspace import Workspace
from data.writer.runs import Recipe
from tests.data.writer.fake_writer import ASKED, FakeWriter, proposes, wanted, written

WISH = wanted(ASKED, Recipe("m", "strict"), Recipe("m", "creative", 1))
WORDS = ("tea", "leaves", "steep", "water", "kettle", "cup", "tea leaves", "steep water")


def name_of(system: str, question: str) -> str:
    """Short, and another one for another question."""
    return hashlib.sha256(f"{system}\0{question}".encode()).hexdigest()[:12]


@dataclass(eq=False)
class NotingWriter(FakeWriter):
    """Answers by the question alone, and notes what it is asked before it answers."""

    log: Path = Path()

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        name = name_of(system, user)
        with self.log.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
        return proposes(*(WORDS[(int(name, 16) + i) % len(WORDS)] for i in range(3)))


def watch(number: int) -> Any:
    """Ends the process at a statement, as `kill -9` does; gives back what is to be told of stages."""
    run, left, is_asking = database.Database._run, number, False

    def told(self: Any, *of: Any) -> Any:
        nonlocal left
        if is_asking:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return run(self, *of)

    def on_stage(name: str) -> OnProgress:
        nonlocal is_asking
        is_asking = is_asking or name.startswith("asking")
        return lambda done, total: None

    database.Database._run = told  # type: ignore[method-assign]
    return on_stage


def main() -> None:
    """Until it is done or dead."""
    root, log, number = sys.argv[1:]
    with Workspace.open(Path(root)) as workspace:
        written(workspace, WISH, NotingWriter(log=Path(log)), on_stage=watch(int(number)))
