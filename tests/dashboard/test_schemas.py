"""Schemas of --json: each command has one, each is valid, and what the commands print fits.

`conftest.py` holds every document that any test of a command prints against its schema. Here the most used commands
print on the demo data, and the rules for the files are tested.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from core.audit.filters import FILTERS
from dashboard.cli import cli, main
from dashboard.kit.lazy_commands import LazyCommand
from dashboard.kit.output import json_text
from dashboard.shell.schema import DIALECT, FOLDER, SHARED, schema_names, schema_of
from tests.dashboard.runs import Runner
from tests.dashboard.schemas import VERSIONS, closed, mistakes
from tests.data.workspaces import TOPIC, fill

NOT_PRODUCED = {
    "get cranfield": "needs the real collection: held against its schema where the tests have the collections",
    "get medline": "needs the real collection: held against its schema where the tests have the collections",
    "get stark": "needs a download; prints the same document as get knowledge",
}
"""Commands that print no document in the usual tests, with the reason."""
ELSEWHERE = {
    "access/test_address_command.py": "address",
    "audit/test_report_command.py": "report confirm, report diagram, report say",
    "audit/test_report_press_command.py": "report press begin, report press bring, report press choose, "
    "report press comment, report press export, report press reply, report press sign",
    "explore/test_reproduce_command.py": "reproduce litqeval",
    "explore/test_studies_command.py": "studies strings",
    "judge/test_command.py": "judge",
    "judge/test_trust_command.py": "judge people, judge trust",
    "test_serve.py": "serve",
    "knowledge/test_explorer_commands.py": "knowledge answers, knowledge entity",
    "knowledge/test_ratings_command.py": "knowledge ratings",
    "knowledge/test_statistics.py": "knowledge statistics",
    "knowledge/test_synthesis.py": "knowledge synthesize",
    "library/test_export_command.py": "export",
    "library/test_import_command.py": "import",
    "library/test_retractions.py": "get retractions",
    "query/test_batch.py": "query batch",
    "query/test_mesh.py": "get mesh, query headings, query mesh",
    "query/test_write_command.py": "query steps, query write",
    "retrieval/test_benchmark_command.py": "benchmark, search",
    "retrieval/test_export_commands.py": "export collection, export run",
    "retrieval/test_get_collections.py": "get beir, get collection, get paperlantern",
    "retrieval/test_get_knowledge.py": "get knowledge",
    "sources/test_command.py": "source core, source feed, source new, source preview, source run, source runs, "
    "source schedule, source update",
    "test_embed_command.py": "embed",
    "test_loading_commands.py": "demo, get litqeval, project, vectors",
    "test_workspace_commands.py": "workspace check, workspace load, workspace repair, workspace save",
}
"""Tests of commands that need more than a small workspace; `conftest.py` checks what they print."""


def commands_with_json(command: click.Command, path: str = "") -> set[str]:
    if isinstance(command, LazyCommand):
        command = command.load()
    found = {path or VERSIONS} if any(each.name == "as_json" for each in command.params) else set()
    if isinstance(command, click.Group):
        found |= {
            n for name, each in command.commands.items() for n in commands_with_json(each, f"{path} {name}".strip())
        }
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("filled")
    fill(root)
    return root


def test_every_command_with_json_has_a_schema_and_no_file_is_left_over() -> None:
    commands = commands_with_json(cli)
    assert len(commands) > 70
    assert set(schema_names()) == commands


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_valid_and_complete_in_itself(name: str) -> None:
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    assert (schema["$schema"], bool(schema["title"]), bool(schema["description"])) == (DIALECT, True, True)
    assert schema["type"] == "object"
    for place in references(schema):
        assert place.removeprefix("#/$defs/") in schema["$defs"]


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [each for one in value for each in references(one)]
    if not isinstance(value, dict):
        return []
    here = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return here + [each for one in value.values() for each in references(one)]


def test_no_shared_definition_is_left_over() -> None:
    shared = json.loads((FOLDER / SHARED).read_text("utf-8"))["$defs"]
    files = [json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")]
    assert {place.removeprefix("#/$defs/") for place in references(files)} == set(shared)


# The command.


def test_the_names_are_listed(run: Runner) -> None:
    assert printed(run, "schema").splitlines() == schema_names()


def printed(run: Runner, *words: str) -> str:
    run.capsys.readouterr()
    main([*words])
    return run.capsys.readouterr().out


@pytest.mark.parametrize("words", [("query", "check"), ("query check",), ("query-check",)])
def test_a_name_may_have_several_words(run: Runner, words: tuple[str, ...]) -> None:
    assert json.loads(printed(run, "schema", *words)) == schema_of("query check")


def test_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    from dashboard.cli import main

    for words, hint in (
        (("evalute",), "evaluate"),
        (("report", "press", "lst"), "report press list"),
        (("zzzz",), "schema"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(["schema", *words])
        assert stopped.value.code == 2
        assert hint in capsys.readouterr().err


def test_all_are_written_to_a_folder(run: Runner, tmp_path: Path) -> None:
    printed(run, "schema", "--out", str(tmp_path / "new" / "schemas"))
    written = {path.stem: json.loads(path.read_text("utf-8")) for path in (tmp_path / "new" / "schemas").iterdir()}
    assert written == {name.replace(" ", "-"): schema_of(name) for name in schema_names()}


# The documents.


def test_the_check_is_strict(run: Runner) -> None:
    document = run("evaluate", "--topic", TOPIC, "--version", "review", "--json").document
    assert mistakes("evaluate", document) == []
    assert mistakes("evaluate", document | {"undescribed": 1})
    assert mistakes("evaluate", {key: value for key, value in document.items() if key != "recall"})
    assert mistakes("evaluate", document | {"recall": "0.5"})
    document["regions"]["cosine"]["undescribed"] = 1
    assert mistakes("evaluate", document)


def test_readers_may_meet_new_keys(run: Runner) -> None:
    """Keys are added over time: the published schema allows them."""
    document = run("topics", "--json").document
    Draft202012Validator(schema_of("topics")).validate(document | {"added": 1})
    with pytest.raises(ValidationError):
        Draft202012Validator(closed(schema_of("topics"))).validate(document | {"added": 1})


@pytest.mark.parametrize("name", ["evaluate", "query terms", "benchmark"])
def test_scores_may_be_null(name: str) -> None:
    assert '"null"' in json_text(schema_of(name))


WORDS = ("tea OR leaves",)
ON_TOPIC = ("--topic", TOPIC)
MOST_USED: dict[str, tuple[str, ...]] = {
    VERSIONS: ("--version",),
    "cite": ("cite",),
    "topics": ("topics",),
    "versions": ("versions", *ON_TOPIC),
    "evaluate": ("evaluate", *ON_TOPIC, "--version", "baseline", "--intervals", "--strata"),
    "compare": ("compare", *ON_TOPIC, "--versions", "baseline", "review", "--sensitivity", "--strata"),
    "config": ("config",),
    "query check": ("query", "check", '("tea" AND leaf*) NOT 2010:2020[dp]'),
    "query translate": ("query", "translate", "tea[tiab] AND leaf*", "--to", "ovid"),
    "query explain": ("query", "explain", *WORDS, *ON_TOPIC),
    "query terms": ("query", "terms", *WORDS, *ON_TOPIC),
    "query apart": ("query", "apart", *WORDS),
    "query filters": ("query", "filters"),
    "query filters insert": ("query", "filters", "insert", next(iter(FILTERS)), *WORDS),
    "query writings": ("query", "writings"),
    "searches": ("searches", *ON_TOPIC),
    "duplicates": ("duplicates", *ON_TOPIC),
    "labs": ("labs",),
    "studies facts": ("studies", "facts"),
    "studies scores": ("studies", "scores"),
    "studies strata": ("studies", "strata"),
    "studies thresholds": ("studies", "thresholds"),
    "studies surveys": ("studies", "surveys", "tea"),
    "report": ("report", *ON_TOPIC, "--check"),
    "report press check": ("report", "press", "check", *WORDS),
    "report press list": ("report", "press", "list", *ON_TOPIC),
    "knowledge list": ("knowledge", "list"),
    "judge runs": ("judge", "runs"),
    "reproduce stark": ("reproduce", "stark"),
}


def test_every_document_is_checked_in_one_place_or_has_a_reason() -> None:
    here = Path(__file__).parent
    assert [name for name in ELSEWHERE if not (here / name).is_file()] == []
    elsewhere = [name for names in ELSEWHERE.values() for name in names.split(", ")]
    assert sorted([*MOST_USED, *elsewhere, *NOT_PRODUCED]) == schema_names()


@pytest.mark.parametrize("name", MOST_USED)
def test_a_document_fits_its_schema(run: Runner, name: str) -> None:
    assert mistakes(name, run(*MOST_USED[name], "--json").document) == []


@pytest.mark.slow
def test_the_demo_and_all_labs_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "demo", capsys)
    assert mistakes("demo", run("demo", "--json").document) == []
    for lab in run("labs", "--json").document["labs"]:
        assert mistakes("labs", run("labs", lab["lab"], "--json").document) == []
