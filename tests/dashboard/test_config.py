"""The config file: defaults for options that flags and the environment win over, and the command that shows it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from dashboard import server
from dashboard.cli import cli
from dashboard.kit.lazy_commands import LazyCommand
from data.config import VARIABLE, config_path
from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC, fill

Write = Callable[[str], Path]
EVALUATE = ("evaluate", "--topic", TOPIC, "--version", "baseline", "--regions", "cosine", "--json")


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    (tmp_path / "settings").mkdir()
    file = tmp_path / "settings" / "mine.toml"
    for variable in ("QUERYSCAPE_QUIET", "NO_COLOR", "QUERYSCAPE_DATA_DIR"):
        monkeypatch.setenv(variable, "")

    def write(text: str) -> Path:
        file.write_text(text, "utf-8")
        monkeypatch.setenv(VARIABLE, str(file))
        return file

    return write


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    fill(tmp_path / "ws")
    return Runner(tmp_path / "ws", capsys)


def every_command(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    command = command.load() if isinstance(command, LazyCommand) else command
    yield path, command
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from every_command(inner, (*path, name))


def shown_config(run: Runner) -> dict[str, Any]:
    """Return what `config --json` prints; its status says whether the file has mistakes."""
    listed = run("config", "--json")
    document: dict[str, Any] = json.loads(listed.out)["config"]
    assert listed.status == (1 if document["problems"] else 0)
    return document


def test_a_default_applies_and_the_flag_wins(run: Runner, write: Write) -> None:
    write("[evaluate]\nbeta = 1\n")
    assert run(*EVALUATE).document["settings"]["beta"] == 1
    assert run(*EVALUATE, "--beta", "3").document["settings"]["beta"] == 3


def test_a_file_of_settings_wins_over_the_config_file(run: Runner, write: Write, tmp_path: Path) -> None:
    write("[evaluate]\nbeta = 1\nseed = 5\nmin_similarity = 0.5")
    (tmp_path / "s.toml").write_text("beta = 4\nquantile = 0.2")
    settings = run(*EVALUATE, "--settings", str(tmp_path / "s.toml")).document["settings"]
    assert (settings["beta"], settings["seed"], settings["cosine_mode"]) == (4, 5, "quantile")


@pytest.mark.parametrize("table", ['["query check"]', "[query.check]"])
def test_commands_of_groups(run: Runner, write: Write, table: str) -> None:
    assert run("query", "check", "cat AND (dog").status == 0
    write(f"{table}\nstrict = true")
    assert run("query", "check", "cat AND (dog").status == 1


@pytest.mark.parametrize("table", ['["judge runs"]', "[judge.runs]"])
def test_commands_of_two_words(run: Runner, write: Write, table: str) -> None:
    write(f"{table}\njson = true")
    assert isinstance(run("judge", "runs").document, dict)


def test_defaults_of_a_group_do_not_disturb_its_commands(run: Runner, write: Write) -> None:
    write('[report]\ntopic = "' + TOPIC + '"\nembedder = "lsa"\nbeta = 1')
    assert run("report", "press", "list").status == 0
    assert run("report", "--check").status == 0


def test_the_web_app_takes_its_options(write: Write, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[int | None, str, bool, bool]] = []

    def start(port: int | None, host: str, *, with_browser: bool, with_token: bool, public_address: str) -> None:
        started.append((port, host, with_browser, with_token))

    monkeypatch.setattr(server, "start_app", start)
    write('port = 8600\nhost = "127.0.0.1"\nno_browser = true')
    run()
    run("--port", "8700")
    assert started == [(8600, "127.0.0.1", False, True), (8700, "127.0.0.1", False, True)]
    assert run("topics").status == 0


def test_the_data_folder_and_what_wins_over_it(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def folder(*arguments: str) -> str:
        found = CliRunner().invoke(cli, ["config", *arguments], standalone_mode=False)
        monkeypatch.setenv("QUERYSCAPE_DATA_DIR", "")
        return next(line for line in found.output.splitlines() if line.startswith("Workspace"))

    write('data_dir = "near"')
    assert folder().endswith(str(tmp_path / "settings" / "near"))
    assert folder("--data-dir", str(tmp_path / "flag")).endswith("flag")
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path / "variable"))
    assert folder().endswith("variable")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("port = \nquiet = true", ["line 1"]),
        ("prot = 1", ["prot", 'did you mean "port"']),
        ("port = 'x'", ["port", "whole number"]),
        ("json = true", ["json"]),
        ("[evaluat]\nbeta = 1", ["evaluat", 'did you mean "evaluate"']),
        ("[evaluate]\nbetta = 1", ["[evaluate]", "betta", 'did you mean "beta"']),
        ("[evaluate]\nbeta = 'x'", ["[evaluate]", "beta", "number"]),
        ("[evaluate]\ndata_dir = 'x'", ["data_dir", "top"]),
        ("[evaluate.deep]\nbeta = 1", ["evaluate deep"]),
        ("evaluate = 1", ["evaluate"]),
        ("[config]\njson = true", ["config"]),
        ("['']\na = 1", ["mine.toml"]),
        ("[evaluate]\nseed = 1\n[[evaluate.seeds]]\nx = 1", ["seeds"]),
    ],
)
def test_a_mistake_stops_the_command_but_not_the_help(run: Runner, write: Write, text: str, facts: list[str]) -> None:
    write(text)
    failed = run(*EVALUATE)
    assert failed.status == 2
    assert all(fact in failed.err for fact in [*facts, "mine.toml"]), failed.err
    assert failed.err.count("\n") == 1
    shown = shown_config(run)
    assert shown["exists"]
    assert any(facts[0] in problem for problem in shown["problems"])
    assert CliRunner().invoke(cli, ["evaluate", "--help"]).exit_code == 0
    assert run("--version").status == 0


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00", b"a = " + b"[" * 5000])
def test_a_damaged_file(run: Runner, write: Write, content: bytes) -> None:
    write("").write_bytes(content)
    assert "mine.toml" in run("topics").err
    assert run("topics").status == 2
    assert len(shown_config(run)["problems"]) == 1


def test_a_file_that_is_not_there(run: Runner, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write("").unlink()
    assert run("topics").status == 2  # the variable names it
    monkeypatch.setenv(VARIABLE, "")
    assert config_path() is None
    assert run("topics").status == 0
    assert shown_config(run)["file"] is None
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr("data.config.user_config_path", lambda *_, **__: tmp_path / "nowhere")
    assert run("topics").status == 0
    assert not shown_config(run)["exists"]


def test_keys_are_never_shown(run: Runner, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write('api_key = "hidden-1"\n[judge]\nbase_url = "https://me:hidden-2@host.example"')
    for name in ("OPENAI_API_KEY", "NCBI_API_KEY", "QUERYSCAPE_MAIL", "QUERYSCAPE_SOMETHING"):
        monkeypatch.setenv(name, "hidden-3")
    for arguments in (["config"], ["config", "--json"]):
        shown = run(*arguments)
        assert "hidden" not in shown.out + shown.err
        assert "OPENAI_API_KEY" in shown.out


def test_no_option_of_a_group_has_the_name_of_its_command() -> None:
    for path, command in every_command(cli):
        if isinstance(command, click.Group):
            assert not {p.name for p in command.params} & set(command.commands), path


def test_the_examples_of_the_help_parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text("beta = 1")
    monkeypatch.chdir(tmp_path)
    found = {
        path: command for path, command in every_command(cli) if (command.epilog or "").startswith("\b\nExamples:")
    }
    expected = ["demo", "import", "evaluate", "compare", "query check", "report", "export"]
    assert {" ".join(path) for path in found} >= set(expected)
    for path, command in found.items():
        lines = (command.epilog or "").splitlines()[2:]
        assert lines
        for line in lines:
            program, *words = shlex.split(line)
            name = " ".join(path).split()  # a command's own name may have two words
            assert (program, *words[: len(name)]) == ("queryscape", *name)
            command.make_context(" ".join(path), words[len(name) :])


def test_a_folder_that_can_not_be_made_names_the_option(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        failed = Runner(folder, run.capsys)("demo")
        assert failed.status == 2
        assert "--data-dir" in failed.err
        assert failed.err.count("\n") == 1


def test_a_folder_that_can_only_be_read_names_the_option(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.files.os.access", lambda *_: False)
    failed = run("demo")
    assert failed.status == 2
    assert "--data-dir" in failed.err
    assert failed.err.count("\n") == 1


def test_a_config_file_that_can_not_be_looked_for(write: Write, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("")
    monkeypatch.setenv(VARIABLE, str(file / "below"))
    assert run("topics").status == 2
    assert shown_config(run)["problems"]


def test_config_lists_every_mistake(run: Runner, write: Write) -> None:
    top, table = "data_dirr = 'x'\nport = 'y'\n", "beta = 'one'\nregions = 3\nquiet = true"
    write(f"{top}[evalute]\nbeta = 1\n[evaluate]\n{table}\n[evaluate.deep]")
    facts = ["data_dirr", "port", "evalute", "deep", "quiet", "beta", "regions"]
    problems = shown_config(run)["problems"]
    assert len(problems) == len(facts)
    assert all(any(fact in problem for problem in problems) for fact in facts)
    printed = run("config")
    assert printed.status == 1
    assert all(fact in printed.err for fact in facts)


def test_config_without_a_mistake_ends_with_status_0(run: Runner, write: Write) -> None:
    write("[evaluate]\nbeta = 1")
    assert (run("config").status, run("config").err) == (0, "")
