"""Writing that is killed, at whatever moment: what was answered is kept, nothing is paid twice, and it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from data.explore.workspace import Workspace
from data.writer.proposals import N_THREADS
from data.writer.runs import WriterSession, find_writing, list_writings
from tests.data.children import killed_child
from tests.data.workspaces import TOPIC, fill
from tests.data.writer.fake_writer import written
from tests.data.writer.writing_child import WISH, NotingWriter, name_of

pytestmark = pytest.mark.slow

STATEMENTS = (1, 4, 7, 11, 16, 23, 31)


def asked(log: Path) -> list[str]:
    """Every question in the order in which it was sent."""
    return log.read_text("utf-8").split() if log.exists() else []


def paid(workspace: Workspace) -> set[str]:
    """Questions whose answers are kept."""
    found = workspace.store.rows("SELECT system, question FROM writer_calls WHERE status IN ('ok', 'known')")
    return {name_of(system, question) for system, question in found}


def held(writing: WriterSession) -> Any:
    """All that a writing comes to, whatever order answers came in."""
    calls = sorted((c.model, c.mode, c.seed, c.question, c.answers, c.proposals) for c in writing.calls)
    names = ("corpus statistics", "m (moderate)", "m (strict)", "m (creative, seed 1)")
    return calls, sorted((s.made_by, s.text, s.judged) for s in writing.steps if s.made_by in names)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, int]]:
    """What comes of it where nothing is killed, and how many questions that takes."""
    root = tmp_path_factory.mktemp("whole")
    fill(root, landscape=False)
    with Workspace.open(root) as workspace:
        yield held(written(workspace, WISH, NotingWriter(log=root / "log"))), len(asked(root / "log"))


@pytest.mark.parametrize("number", STATEMENTS)
def test_it_goes_on_where_it_was_killed(tmp_path: Path, whole: tuple[Any, int], number: int) -> None:
    fill(tmp_path / "ws", landscape=False)
    log = tmp_path / "log"
    killed_child("from tests.data.writer.writing_child import main; main()", tmp_path / "ws", log, number)
    before = asked(log)
    with Workspace.open(tmp_path / "ws") as workspace:
        (row,) = list_writings(workspace.store, TOPIC)
        assert (row.state, row.ended_at) == ("running", None)
        half, kept = find_writing(workspace.store, row.writing_id), paid(workspace)
        assert half.steps[0].made_by == "the topic's name"
        done = written(workspace, WISH, NotingWriter(log=log))
    again = asked(log)[len(before) :]
    assert not set(again) & kept, "what was answered and kept is not paid twice"
    assert max(Counter(again).values(), default=1) == 1
    assert len(again) + len(set(before)) <= whole[1] + N_THREADS, "only what was under way is asked again"
    assert done.calls[: len(half.calls)] == half.calls
    assert held(done) == whole[0]
