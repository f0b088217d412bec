"""The command line as a whole: its help, its own options, names of topics, and completion."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError
from core.version import VERSION
from dashboard.access.gate import shown_host
from dashboard.cli import SECTIONS, cli, main
from dashboard.kit.lazy_commands import LazyCommand
from dashboard.server import can_open_browser, check_host, is_loopback, workspace_passed_over
from data.lookup import slug, topic_meant
from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC, fill

TOP = Path(__file__).parents[2]
WIDTH = 80


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(command, LazyCommand):
        command = command.load()
    yield path
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, (*path, name))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    for variable in ("QUERYSCAPE_QUIET", "NO_COLOR"):
        monkeypatch.setenv(variable, "")
    fill(tmp_path)
    return Runner(tmp_path, capsys)


def test_the_help_of_every_command_fits_80_columns_and_nothing_is_cut() -> None:
    paths = list(commands(cli))
    assert len(paths) > 80
    for path in paths:
        words = [word for name in path for word in name.split()]
        lines = CliRunner().invoke(cli, [*words, "--help"], prog_name="queryscape").output.splitlines()
        assert lines[0].startswith("Usage: queryscape"), path
        assert [line for line in lines if len(line) > WIDTH] == [], path
        summaries = lines[lines.index("Options:") :]
        cut = [line for line in summaries if line.endswith("...") and not line.endswith(" ...")]
        assert cut == [], path


def test_every_command_is_in_one_section_of_the_help() -> None:
    listed = [name for _, names in SECTIONS for name in names]
    assert sorted(listed) == sorted(cli.commands)


def test_the_version(run: Runner) -> None:
    assert run("--version").out.splitlines()[0] == f"Queryscape {VERSION}"
    versions = run("--version", "--json").document["versions"]
    assert {"Queryscape", "Python", "DuckDB", "NumPy", "SciPy", "umap-learn"} <= versions.keys()


@pytest.mark.parametrize("flag", ["--json", "--port=8600", "--host=localhost", "--no-browser"])
def test_options_of_the_app_are_no_options_of_commands(run: Runner, flag: str) -> None:
    assert run(flag, "topics").status == 2


def test_quiet_can_stand_anywhere_and_leaves_results_and_warnings(run: Runner) -> None:
    command = ("evaluate", "--topic", TOPIC, "--version", "review")
    loud, silent = run(*command), run(*command, "--quiet")
    assert silent.out == loud.out
    assert [line for line in silent.err.splitlines() if not line.startswith("Note: ")] == []
    assert run("--quiet", "evaluate", "--topic", "nothing of the kind", "--version", "x").err.startswith("Error: ")


def test_no_color(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("topics").out
    assert "\x1b[3" not in run("topics", "--no-color").out


# Where the app listens, and whether a browser is opened.


@pytest.mark.parametrize("host", ["no such host", "256.1.1.1", "", "\ud800", "a" * 300])
def test_a_host_that_can_not_be(host: str) -> None:
    if host:
        with pytest.raises(InputError):
            check_host(host)


def test_hosts() -> None:
    assert [is_loopback(each) for each in ("localhost", "127.0.0.1", "::1", "0.0.0.0")] == [True, True, True, False]
    assert [shown_host(each) for each in ("0.0.0.0", "::1", "127.0.0.1")] == ["localhost", "[::1]", "127.0.0.1"]


@pytest.mark.parametrize(
    ("environment", "platform", "can"),
    [
        ({}, "darwin", True),
        ({}, "win32", True),
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "CI": "1"}, "linux", False),
        ({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "darwin", False),
    ],
)
def test_a_browser_is_opened_where_there_is_one(environment: dict[str, str], platform: str, can: bool) -> None:
    assert can_open_browser(environment, platform) is can


def test_a_workspace_of_another_checkout_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    assert workspace_passed_over() is None
    for name in ("data/local/queryscape.duckdb", "queryscape/__main__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert workspace_passed_over() == tmp_path / "data" / "local"
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path / "data" / "local"))
    assert workspace_passed_over() is None


# Names of topics.


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6, unique=True), st.data())
def test_a_topic_is_found_by_what_only_it_is_called_or_begins_with(names: list[str], data: Any) -> None:
    name = data.draw(st.sampled_from(names))
    given_name = name[: data.draw(st.integers(1, len(name)))]
    wanted = given_name.strip().casefold()
    called = [each for each in names if wanted in (each.casefold(), slug(each))]
    begun = [each for each in names if wanted and (each.casefold().startswith(wanted) or slug(each).startswith(wanted))]
    meant = called or begun
    if len(meant) > 1:
        with pytest.raises(NotFoundError):
            topic_meant(given_name, names)
    else:
        assert topic_meant(given_name, names) == (meant[0] if meant else None)


def test_commands_take_the_beginning_of_a_name(run: Runner) -> None:
    exact = run("evaluate", "--topic", TOPIC, "--version", "review", "--json").document
    for short in (TOPIC.upper(), TOPIC[:5].lower(), slug(TOPIC)):
        assert run("evaluate", "--topic", short, "--version", "review", "--json").document == exact
    assert run("compare", "--topic", TOPIC[:5], "--versions", "baseline", "review").status == 0
    missing = run("evaluate", "--topic", "zzz", "--version", "review")
    assert (missing.status, missing.out) == (2, "")


def test_a_beginning_of_two_topics_names_both(run: Runner) -> None:
    fill(run.root, topic_id=TOPIC + " again")
    mistake = run("evaluate", "--topic", TOPIC[:4], "--version", "review")
    assert mistake.status == 2
    assert TOPIC + " again" in mistake.err
    assert run("evaluate", "--topic", TOPIC, "--version", "review").status == 0


def test_a_new_topic_is_never_taken_for_an_old_one(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "one.ris").write_text("TY  - JOUR\nTI  - Shade of trees\nER  - \n")
    run("import", tmp_path / "one.ris", "--topic", TOPIC[:3], "--as", "corpus")
    assert TOPIC[:3] in [each["topic"] for each in run("topics", "--json").document["topics"]]


# For scripts and shells.


@pytest.mark.parametrize(("text", "status"), [("trees AND heat", 0), ("trees AND (heat OR", 1)])
def test_a_strict_check_ends_with_status_1(run: Runner, text: str, status: int) -> None:
    assert run("query", "check", text, "--strict").status == status
    assert run("query", "check", text).status == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run: Runner, shell: str) -> None:
    assert "_QUERYSCAPE_COMPLETE" in CliRunner().invoke(cli, ["completion", shell]).output


def completed(words: list[str], folder: Path) -> list[str]:
    """Ask as the script of bash does."""
    environment = {
        "_QUERYSCAPE_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
        "QUERYSCAPE_DATA_DIR": str(folder),
    }
    command = [sys.executable, "-m", "queryscape"]
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_commands_options_and_topics_are_completed(run: Runner) -> None:
    assert completed(["queryscape", "eval"], run.root) == ["evaluate"]
    assert "--regions" in completed(["queryscape", "evaluate", "--reg"], run.root)
    assert completed(["queryscape", "evaluate", "--topic", TOPIC[:3]], run.root) == [TOPIC]
    (run.root / "queryscape.duckdb").write_bytes(b"no store")
    assert completed(["queryscape", "evaluate", "--topic", TOPIC[:3]], run.root) == []


@pytest.mark.parametrize("module", ["dashboard", "queryscape"])
def test_both_modules_are_the_command_line(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", module, "--version", "--json"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["versions"]["Queryscape"] == VERSION


def test_an_option_after_two_dashes_is_text(run: Runner) -> None:
    main(["query", "check", "--", "--quiet"])
    assert "--quiet" in run.capsys.readouterr().out
