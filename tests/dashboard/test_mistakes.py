"""What a user can get wrong: exit status 2, nothing on standard output, and one line that says what to do."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from dashboard.cli import cli, main
from tests.dashboard.runs import Runner
from tests.data.collections import SOUPS, write_litqeval, write_workbook
from tests.data.workspaces import TOPIC, VERSIONS, fill, ids_of, toy_vectors, write_npz

EVALUATE = ("evaluate", "--topic", TOPIC, "--version", "review")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("evaluate", "--topic", "Coffee", "--version", "review"), ['no topic "Coffee"', f"available: {TOPIC}"]),
        (("evaluate", "--topic", TOPIC, "--version", "slr"), ['no version "slr"', "available: baseline, review"]),
        (("evaluate", "--topic", TOPIC, "--version", "predicted"), ["no results", "import its result"]),
        ((*EVALUATE, "--embedder", "gpt"), ['no vectors of "gpt"', "available: toy"]),
        ((*EVALUATE, "--regions", "cosine,circle"), ["unknown region circle", "cosine, nearest_core"]),
        ((*EVALUATE, "--regions", " , "), ["at least one of cosine"]),
        ((*EVALUATE, "--min-core-share", "70"), ["min_core_share", "in (0, 1), got 70"]),
        ((*EVALUATE, "--min-similarity", "nan"), ["min_similarity", "in [-1, 1], got nan"]),
        ((*EVALUATE, "--beta", "0"), ["beta", "above 0, got 0"]),
        ((*EVALUATE, "--seed", "-1"), ["seed must be"]),
        ((*EVALUATE, "--max-k", "1"), ["max_k must be 2 or more, a whole number, got 1"]),
        ((*EVALUATE, "--max-k", "many"), ["'many' is not a valid integer", "evaluate --help"]),
        ((*EVALUATE, "--cosine-mode", "loose"), ["'loose'", "leave_one_out", "evaluate --help"]),
        ((*EVALUATE, "--treshold", "1"), ["No such option", "--treshold", "evaluate --help"]),
        (("evaluate", "--topic", TOPIC), ["Missing option '--version'", "evaluate --help"]),
        (("compare", "--topic", TOPIC, "--versions", "review"), ["two versions, got 1"]),
        (("compare", "--topic", TOPIC, "--versions", "review", "review"), ["compared with itself: review"]),
        (("compare", "--topic", TOPIC, "--versions", "review", "slr"), ['no version "slr"']),
        (("embed", "--topic", TOPIC, "--embedder", "gpt"), ['no embedder "gpt"', "available: lsa"]),
        (("embed", "--topic", "Coffee", "--embedder", "lsa"), ['no topic "Coffee"']),
        (("project", "--topic", "Coffee"), ['no topic "Coffee"']),
        (("project", "--topic", TOPIC, "--method", "tsne"), ["'tsne'", "'umap', 'pca'"]),
        (("get", "litqeval", "--from", "/no/such/folder"), ["/no/such/folder"]),
        (("get", "litqeval", "--from", "ftp://example.org/x"), ["web address"]),
        (("get", "litqeval"), ["give a path", "--from"]),
        (("vectors", "/no/such/file.npz", "--model", "m"), ["no file /no/such/file.npz", "np.savez"]),
        (("vectors", "x.npz", "--model", "lsa"), ["built-in embedder"]),
        (("bake",), ["No such command 'bake'"]),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_one_line_that_names_the_mistake(
    run: Runner, arguments: tuple[str, ...], parts: list[str], as_json: bool
) -> None:
    mistake = run(*arguments, *(["--json"] if as_json else [])).mistake
    for part in parts:
        assert part in mistake


def test_a_workspace_with_nothing_to_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "empty", capsys)
    assert 'is empty: try "queryscape demo"' in run(*EVALUATE).mistake
    fill(tmp_path / "bare", models=())
    assert "has no vectors: create them with --embedder lsa" in Runner(tmp_path / "bare", capsys)(*EVALUATE).mistake
    fill(tmp_path / "two", models=("a", "b"), landscape=False)
    assert "choose one with --embedder (a, b)" in Runner(tmp_path / "two", capsys)(*EVALUATE).mistake
    fill(tmp_path / "core", core_ids=(), landscape=False)
    assert f'"{TOPIC}" has no core' in Runner(tmp_path / "core", capsys)(*EVALUATE).mistake


def test_a_spreadsheet_without_the_expected_columns(run: Runner, tmp_path: Path) -> None:
    folder = write_litqeval(tmp_path / "collection")
    write_workbook(folder / "core_publications.xlsx", [["Field", "Id"], ["Tea", "p1"]])
    before = run("topics", "--json").out
    mistake = run("get", "litqeval", "--from", folder).mistake
    assert "core_publications.xlsx has no column Topic, Pub_id" in mistake
    assert "columns found: Field, Id" in mistake
    (folder / "core_publications.xlsx").write_text("<html>")
    assert (
        "core_publications.xlsx can't be read as an Excel workbook" in run("get", "litqeval", "--from", folder).mistake
    )
    assert run("topics", "--json").out == before


def test_vectors_that_do_not_fit(run: Runner, tmp_path: Path) -> None:
    nothing = write_npz(tmp_path / "nothing.npz", ["W1", "W2"], np.eye(2))
    assert "matches no publication" in run("vectors", nothing, "--model", "m").mistake
    wide = write_npz(tmp_path / "wide.npz", ids_of(0, 5), toy_vectors(ids_of(0, 5), width=9))
    mistake = run("vectors", wide, "--model", "toy").mistake
    assert '"toy" has vectors of 6 dimensions, but these have 9' in mistake
    uneven = write_npz(tmp_path / "uneven.npz", ids_of(0, 5), np.eye(4))
    assert "5 ids but 4 vectors" in run("vectors", uneven, "--model", "m").mistake
    fine = write_npz(tmp_path / "fine.npz", ids_of(0, 40), toy_vectors(ids_of(0, 40)))
    assert "cannot encode" in run("vectors", fine, "--model", "caf\udce9").mistake, "a name typed in Latin-1"
    assert run(*EVALUATE, "--json").document["embedder"] == "toy"


def test_rows_that_are_not_numbers_are_counted_and_not_fatal(run: Runner, tmp_path: Path) -> None:
    rows = toy_vectors(ids_of(0, 40))
    rows[[0, 10]] = np.nan
    rows[11] = 0
    file = write_npz(tmp_path / "v.npz", ids_of(0, 40), rows)
    document = run("vectors", file, "--model", "gaps", "--json").document
    assert (document["n_with_vectors"], document["n_unscorable"]) == (37, 3)
    scored = run(*EVALUATE, "--embedder", "gaps", "--regions", "cosine,cluster", "--json").document
    assert (scored["n_retrieved"], scored["n_scorable"], scored["n_unscorable"]) == (40, 37, 3)
    assert (scored["n_core"], scored["n_core_with_vectors"], scored["recall"]) == (8, 7, 1.0)
    assert any("1 of 8 core publications" in warning for warning in scored["warnings"])


def test_an_older_a_newer_a_damaged_and_a_foreign_store(run: Runner, tmp_path: Path) -> None:
    store = run.root / "queryscape.duckdb"
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE store_info SET schema_version = 10")
    assert "commit 0efb80e" in run("topics").mistake
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE store_info SET schema_version = 99")
    assert "newer Queryscape (layout 99" in run("topics").mistake
    assert "newer Queryscape" in run("demo").mistake
    store.write_bytes(store.read_bytes()[:9000])
    assert "as a store" in run(*EVALUATE, "--json").mistake
    store.write_bytes(b"not a store")
    assert str(store) in run("topics", "--json").mistake
    (tmp_path / "file").write_text("x")
    assert "not a folder" in Runner(tmp_path / "file", run.capsys)("topics").mistake


def test_a_damaged_vector_file(run: Runner) -> None:
    (path,) = (run.root / "vectors").rglob("*.npy")
    path.write_bytes(path.read_bytes()[:-1])
    assert "load the vectors, again" in run(*EVALUATE).mistake
    path.unlink()
    assert f"{path} is missing" in run(*EVALUATE, "--json").mistake


MARKUP = ["[bold red]x[/]", "[/x] :tea: {task} '; --"]


@pytest.mark.parametrize("name", MARKUP)
@pytest.mark.parametrize("terminal", ["0", "1"])
def test_names_that_look_like_markup_are_printed_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, terminal: str
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    fill(tmp_path, topic_id=name, models=(name,), versions=VERSIONS)
    run = Runner(tmp_path, capsys)
    assert run("topics").out.count(name) == 2
    assert f"{name} · review · {name}" in run("evaluate", "--topic", name, "--version", "review").out
    assert run("compare", "--topic", name, "--versions", "baseline", "review").status == 0
    embedded = run("embed", "--topic", name, "--embedder", "lsa")
    assert embedded.status == 0
    assert (name in embedded.err) is (terminal == "1")
    assert name in run("project", "--topic", name, "--embedder", name).out
    unknown = run("evaluate", "--topic", name + "?", "--version", "review")
    assert unknown.status == 2
    assert f'no topic "{name}?"; did you mean "{name}"?' in unknown.err
    assert run("topics", "--json").document["topics"][0]["topic"] == name


def test_a_collection_with_markup_in_its_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_litqeval(tmp_path / "[red]collection[bold]")
    run = Runner(tmp_path / "ws", capsys)
    assert run("get", "litqeval", "--from", folder).out.count(SOUPS) == 1
    assert SOUPS in run("topics").out


def test_help_is_for_everything_and_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    for name in cli.commands:
        main([name, "--help"])
        shown = capsys.readouterr()
        assert "Usage: queryscape " + name in shown.out
        assert shown.err == ""
    main(["--help"])
    assert "evaluate" in capsys.readouterr().out


def test_without_a_command_the_app_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda **_: started.append(sys.argv))
    monkeypatch.setattr("sys.argv", [])
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", "")
    monkeypatch.setattr("signal.signal", lambda *_: None)
    main(["--port", "18501", "--data-dir", str(tmp_path)])
    assert started[0][:2] == ["streamlit", "run"]
    given = dict(zip(started[0][3::2], started[0][4::2], strict=True))
    assert given["--server.port"] == "18501"
    assert given["--server.address"] == "localhost"
    assert given["--browser.gatherUsageStats"] == "false"
    assert os.environ["QUERYSCAPE_DATA_DIR"] == str(tmp_path)


def test_a_port_that_is_taken_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        with pytest.raises(SystemExit) as stopped:
            main(["--port", str(taken.getsockname()[1])])
    assert stopped.value.code == 2
    assert "is in use: choose another with --port" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--port", "0"], ["--port", "70000"], ["--port", "8501", "topics"]])
def test_a_port_that_can_not_be(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "port" in capsys.readouterr().err


def test_an_interrupted_run_says_how_to_go_on(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("data.explore.workspace.Workspace.evaluate", interrupted)
    stopped = run(*EVALUATE)
    assert (stopped.status, stopped.out) == (130, "")
    assert "again to resume" in stopped.err
    monkeypatch.undo()
    assert json.loads(run(*EVALUATE, "--json").out)["topic"] == TOPIC
