"""Several programs use one workspace at once: a server, the app, commands from two shells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from data.files import READ_ONLY
from tests.dashboard.schemas import mistakes
from tests.data.children import TOP
from tests.data.workspaces import TOPIC, fill

COMMAND = [sys.executable, "-m", "dashboard"]


@contextmanager
def served(root: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, object]]]:
    arguments = [*COMMAND, "serve", "--json", "--data-dir", str(root)]
    # A test run in the background of a shell ignores Ctrl-C, and so would its children.
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        text=True,
        cwd=TOP,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as server:
        assert server.stdout is not None
        text = ""
        while "}" not in text:
            text += server.stdout.readline()
        try:
            yield server, json.loads(text)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)


def queryscape(root: Path, *words: object) -> subprocess.CompletedProcess[str]:
    arguments = [*COMMAND, *map(str, words), "--data-dir", str(root)]
    return subprocess.run(arguments, capture_output=True, text=True, cwd=TOP, check=False)


@pytest.mark.slow
def test_ten_commands_from_two_shells_while_another_program_has_the_workspace(tmp_path: Path) -> None:
    fill(tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for file in files:
        rows = (f"{file.stem}{i},Cup {file.stem} {i},,2001" for i in range(30))
        file.write_text("\n".join(["id,title,abstract,year", *rows]))

    def shell(commands: Sequence[Sequence[object]]) -> list[subprocess.CompletedProcess[str]]:
        return [queryscape(tmp_path, *command) for command in commands]

    on = ("--topic", TOPIC)
    shells = [
        [
            ("topics", "--json"),
            ("import", files[0], "--topic", "mugs", "--as", "corpus"),
            ("evaluate", *on, "--version", "baseline", "--json"),
            ("query", "explain", "tea", *on, "--json"),
            ("report", *on, "--out", out / "report.md"),
        ],
        [
            ("import", files[1], "--topic", "jugs", "--as", "corpus"),
            ("versions", *on, "--json"),
            ("embed", "--topic", "jugs", "--embedder", "lsa"),
            ("export", *on, "--out", out / "all.ris"),
            ("search", "cup", "--topic", "jugs", "--json"),
        ],
    ]
    with served(tmp_path) as (server, document):
        assert mistakes("serve", document) == []
        assert document["is_owner"]
        with served(tmp_path) as (_, second):
            assert not second["is_owner"]
        with ThreadPoolExecutor(2) as pool, Workspace.open(tmp_path) as workspace:
            before = workspace.store.n_changes
            ended = [done for each in pool.map(shell, shells) for done in each]
            assert [(done.args, done.stderr) for done in ended if done.returncode] == []
            assert workspace.store.n_changes != before, "the app notices what commands changed"
            for name in ("mugs", "jugs"):
                ids = workspace.store.topic_publication_ids(name)
                titles = {p.title for p in workspace.store.load_publications(ids)}
                stem = "one" if name == "mugs" else "two"
                assert titles == {f"Cup {stem} {i}" for i in range(30)}
            server.send_signal(signal.SIGINT)
            assert server.wait(60) == 0
            assert {row.topic_id for row in workspace.store.topics()} >= {"mugs", "jugs"}
            assert workspace.store.is_owner
    assert not list(tmp_path.glob("queryscape.sock"))


def test_a_workspace_that_can_only_be_read_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dashboard.cli import main

    with Workspace.open(tmp_path):
        pass
    before = sorted(os.listdir(tmp_path))
    monkeypatch.setenv(READ_ONLY, "1")
    main(["topics", "--data-dir", str(tmp_path)])
    with pytest.raises(SystemExit):
        main(["serve", "--data-dir", str(tmp_path)])
    assert "can only be read" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == before
