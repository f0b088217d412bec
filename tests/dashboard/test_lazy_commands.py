"""The commands that are imported when they run: the help says the same of them, and a command loads what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dashboard.cli import cli
from dashboard.kit.lazy_commands import LazyCommand
from tests.data.workspaces import fill

TOP = Path(__file__).parents[2]
LIMITS = (20, 45, 64, 94, 1000)
"""Widths for the short help, which is cut to the width of the terminal."""
OURS = {"core", "data", "dashboard"}
MOST_FOR_HELP, MOST_FOR_TOPICS = 25, 48
HEAVY = {
    "scipy",
    "sklearn",
    "umap",
    "openpyxl",
    "docx",
    "PIL",
    "streamlit",
    "plotly",
    "pandas",
    "sentence_transformers",
}
LISTING = """
import json, sys
from dashboard.cli import main
status = 0
try:
    main(sys.argv[2:])
except SystemExit as e:
    status = e.code
open(sys.argv[1], "w").write(json.dumps(sorted(sys.modules)))
sys.exit(status)
"""
HEAVY_OF_HELP = """
import json, sys
from dashboard.cli import main
loaded, known = {}, set()
for name in sys.argv[1:]:
    try:
        main([name, "--help"])
    except SystemExit as e:
        assert not e.code, name
    loaded[name] = sorted(set(sys.modules) - known)
    known = set(sys.modules)
json.dump(loaded, sys.stderr)
"""
"""One command after another in one process: what the first of them loads, the others need not."""


def lazy_commands(group: click.Group) -> Iterator[tuple[str, LazyCommand]]:
    for name, command in group.commands.items():
        if isinstance(command, LazyCommand):
            yield name, command
            loaded = command.load()
            if isinstance(loaded, click.Group):
                yield from lazy_commands(loaded)


LAZY = list(lazy_commands(cli))


def test_every_command_is_lazy() -> None:
    names = [name for name, _ in LAZY]
    sources = [command._source for _, command in LAZY]
    assert len(sources) == len(set(sources))
    assert set(cli.commands) <= set(names)
    assert {"write", "writings", "steps", "apart", "batch", "facts", "strings", "ratings"} <= set(names)


@pytest.mark.parametrize(("name", "command"), LAZY, ids=[name for name, _ in LAZY])
def test_the_help_says_of_a_command_what_the_command_says(name: str, command: LazyCommand) -> None:
    loaded = command.load()
    assert (command.name, loaded.name) == (name, name)
    assert (command.hidden, command.deprecated) == (loaded.hidden, loaded.deprecated)
    for limit in LIMITS:
        assert command.get_short_help_str(limit) == loaded.get_short_help_str(limit)


def test_a_misspelled_command_gets_a_suggestion() -> None:
    with pytest.raises(click.UsageError) as caught:
        cli.main(["evaluat"], standalone_mode=False)
    assert "evaluate" in caught.value.format_message()


def loaded_by(tmp_path: Path, *arguments: str) -> tuple[set[str], int]:
    """The foreign packages, and the number of our own modules, that a command loads."""
    listing = tmp_path / "modules.json"
    command = [sys.executable, "-c", LISTING, str(listing), *arguments]
    subprocess.run(command, cwd=TOP, capture_output=True, check=True)
    modules = json.loads(listing.read_text())
    own = [name for name in modules if name.partition(".")[0] in OURS]
    return {name.partition(".")[0] for name in modules} - OURS, len(own)


@pytest.mark.parametrize("arguments", [("--help",), ("-h",)])
def test_the_help_loads_next_to_nothing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    packages, n_own = loaded_by(tmp_path, *arguments)
    assert n_own <= MOST_FOR_HELP
    assert packages & {"numpy", "duckdb", "rich", "scipy", "httpx", *HEAVY} == set()


def test_topics_loads_the_store_only(tmp_path: Path) -> None:
    fill(tmp_path / "ws")
    packages, n_own = loaded_by(tmp_path, "topics", "--data-dir", str(tmp_path / "ws"))
    assert "duckdb" in packages
    assert packages & (HEAVY | {"httpx", "tantivy"}) == set()
    assert n_own <= MOST_FOR_TOPICS


def test_the_help_of_a_command_loads_no_heavy_library() -> None:
    names = [name for name, _ in LAZY if name in cli.commands]
    command = [sys.executable, "-c", HEAVY_OF_HELP, *names]
    listed = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stderr
    loaded = {name: set(modules) & HEAVY for name, modules in json.loads(listed).items()}
    assert loaded == {name: set() for name in names}


def test_topics_and_the_workspace_refuse_the_same_folders(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for arguments in (["topics"], ["versions", "--topic", "t"]):
        command = [sys.executable, "-m", "dashboard", *arguments, "--data-dir", str(file)]
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{file.name} is not a" in " ".join(done.stderr.split())
