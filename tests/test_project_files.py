"""The files at the top: they agree with the code and with each other."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.citation import (
    ABSTRACT,
    AUTHORS,
    LICENSE,
    RELEASED,
    TITLE,
    WORKS,
    YEAR,
    citation_bibtex,
    citation_document,
    citation_text,
)
from core.version import VERSION
from dashboard.cli import cli
from data.public_demo import UPLOAD_MB
from data.public_demo import VARIABLE as DEMO
from tests.dashboard.apps import APP, open_alone

TOP = Path(__file__).parents[1]
YAML = (TOP / "CITATION.cff", TOP / ".pre-commit-config.yaml", *sorted((TOP / ".github").rglob("*.yml")))
DOCUMENTS = ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md")


def read(name: str) -> str:
    return (TOP / name).read_text("utf-8")


def pairs(text: str) -> Iterator[tuple[int, str, str]]:
    """The indentation, key and value of every line of simple YAML."""
    for line in text.splitlines():
        if (found := re.match(r"( *)(?:- )?([\w-]+):(?: (.*))?$", line)) is not None:
            yield len(found[1]), found[2], (found[3] or "").strip().strip('"')


def top_of(text: str) -> dict[str, str]:
    return {key: value for indent, key, value in pairs(text) if indent == 0}


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yaml_is_plain(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\t" not in text
    in_block: int | None = None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if in_block is not None and indent > in_block:
            continue
        in_block = indent if line.endswith("|") else None
        assert indent % 2 == 0
        assert re.match(r" *(- [^:]+$|(- )?[\w-]+:( |$))", line), line
        value = re.sub(r"^ *(- )?[\w-]+: ?", "", line)
        assert ": " not in value or value[0] in "\"'", line  # an unquoted colon would begin a mapping


def test_citation_is_the_one_of_the_code() -> None:
    text = read("CITATION.cff")
    top = top_of(text)
    assert top["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(top)
    assert (top["title"], top["version"], top["license"], top["abstract"]) == (TITLE, VERSION, LICENSE, ABSTRACT)
    assert top["date-released"] == RELEASED
    assert date.fromisoformat(RELEASED).year == YEAR
    named = [value for _, key, value in pairs(text) if key == "name"]
    assert named == [AUTHORS]
    assert AUTHORS in read("LICENSE")
    for key, values in {
        "title": [TITLE, *(work.title for work in WORKS)],
        "family-names": [work.first_author for work in WORKS],
        "year": [str(work.year) for work in WORKS],
        "url": [work.address for work in WORKS],
    }.items():
        assert [value for _, name, value in pairs(text) if name == key] == values


def test_works_are_cited_as_the_methods_cite_them() -> None:
    from core.metrics import LITQEVAL
    from core.retrieval.leaderboard import CITATION

    litqeval, stark = WORKS
    assert f"{litqeval.first_author} et al., {litqeval.year}" in LITQEVAL
    assert litqeval.address.removeprefix("https://") in LITQEVAL
    assert CITATION.startswith(f"{stark.first_author} et al. ({stark.year})")
    assert CITATION.endswith(stark.address.rpartition("/")[2])


def test_changelog_has_this_version_first() -> None:
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert released[0] == VERSION
    assert released == sorted(released, key=lambda v: [int(n) for n in v.split(".")], reverse=True)
    assert f"## [{VERSION}] - {RELEASED}" in read("CHANGELOG.md")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_inside_exist(name: str) -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", read(name))
    assert [path for path in linked if not (TOP / path).exists()] == []


def instructions() -> list[tuple[str, str]]:
    """The instructions of the final stage of the Dockerfile."""
    joined = re.sub(r"\\\n\s*", "", read("Dockerfile"))
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM"))
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines[last:]]


def test_container_runs_without_root_and_keeps_one_folder() -> None:
    stages = instructions()
    order = [name for name, _ in stages]
    assert dict(stages)["USER"] not in {"root", "0"}
    assert order.index("USER") < order.index("CMD")
    assert [value for name, value in stages if name == "VOLUME"] == ["/data"]
    assert ("ENV", "QUERYSCAPE_DATA_DIR=/data") in stages
    assert ("EXPOSE", "8501") in stages
    assert "8501/_stcore/health" in read("Dockerfile")
    command = json.loads(dict(stages)["CMD"])
    assert command[0] == "queryscape"
    assert command[command.index("--port") + 1] == "8501"
    assert not re.search(r"(?i)(api_?key|token|password|secret)\s*=", read("Dockerfile"))


def test_flags_of_the_container_exist() -> None:
    known = {flag for option in cli.params for flag in option.opts + option.secondary_opts}
    used = {word for word in json.loads(dict(instructions())["CMD"]) if word.startswith("--")}
    assert used <= known


def test_container_is_built_without_local_data() -> None:
    ignored = set(read(".dockerignore").split())
    assert {".git", ".venv", "data/local", ".env*"} <= ignored


def test_devcontainer_is_set_up_as_the_readme_says() -> None:
    found = json.loads(read(".devcontainer/devcontainer.json"))
    assert found["forwardPorts"] == [8501]
    oldest = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    assert found["image"].startswith(f"python:{oldest}-")
    start = re.findall(r"```sh\n(.*?) && .venv/bin/python -m dashboard\n```", read("README.md"))
    assert found["postCreateCommand"].startswith(start[0])


def test_hooks_download_nothing() -> None:
    found = list(pairs(read(".pre-commit-config.yaml")))
    assert {value for _, key, value in found if key == "repo"} == {"local"}
    assert {value for _, key, value in found if key == "language"} == {"system"}


def test_security_states_the_limits_of_the_demo() -> None:
    assert f"`{DEMO}=1`" in read("SECURITY.md")
    assert f"{UPLOAD_MB} MB" in read("SECURITY.md")


def test_the_command_prints_the_citation() -> None:
    def said(*arguments: str) -> str:
        return CliRunner().invoke(cli, ["cite", *arguments], catch_exceptions=False).output

    assert said().splitlines()[0] == citation_text()
    assert said("--bibtex").strip() == citation_bibtex()
    assert json.loads(said("--json")) == json.loads(json.dumps(citation_document()))
    assert VERSION in citation_text()
    assert citation_bibtex().count("{") == citation_bibtex().count("}")


def test_about_shows_both_to_copy() -> None:
    assert (APP.parent / "about.py").exists()
    shown = [block.value for block in open_alone("about.py").code]
    assert citation_text() in shown
    assert citation_bibtex() in shown
