"""What review forgets: import directions, words for everything, and the shape of the repository."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import click
import pytest

from core.explore.compare import REGION_LABELS
from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS, REGIONS
from core.metrics import METRICS
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard.cli import cli
from dashboard.kit import scoring
from dashboard.kit.lazy_commands import LazyCommand

TOP = Path(__file__).parents[1]
README = TOP / "README.md"
PACKAGES = ("core", "data", "dashboard")
PLANNED = {*PACKAGES, "tests", ".streamlit", ".ci", "requirements.txt", "pyproject.toml"} | {
    *("README.md", "LICENSE", ".gitignore")
}


def _git_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (TOP / name).exists()]


@cache
def sources() -> dict[str, ast.Module]:
    """Every module of the three packages, parsed."""
    paths = [path for package in PACKAGES for path in sorted((TOP / package).rglob("*.py"))]
    return {path.relative_to(TOP).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def test_imports_go_one_way() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    checked = subprocess.run([*command, "--no-cache"], cwd=TOP, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    kept = re.search(r"Contracts: (\d+) kept, 0 broken", checked.stdout)
    assert kept is not None, checked.stdout
    assert int(kept[1]) >= 4


LOADED = """
import importlib, sys
for name in sys.argv[1].split(","):
    importlib.import_module(name)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize(
    ("modules", "kept_out"),
    [
        (
            "core,core.explore.evaluate,core.explore.compare,core.explore.landscape",
            "streamlit plotly duckdb umap pandas openai httpx click rich scipy",
        ),
        ("core,data.explore.workspace,data.demo.loading", "streamlit plotly umap openai sklearn scipy openpyxl"),
    ],
)
def test_importing_loads_nothing_that_is_not_needed(modules: str, kept_out: str) -> None:
    command = [sys.executable, "-c", LOADED, modules]
    loaded = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    assert "numpy" in loaded
    assert set(kept_out.split()) & set(loaded) == set()


def test_importing_all_of_core_loads_nothing_outside() -> None:
    modules = [path.removesuffix(".py").replace("/", ".") for path in sources() if path.startswith("core/")]
    names = ",".join(name.removesuffix(".__init__") for name in modules)
    test_importing_loads_nothing_that_is_not_needed(names, "streamlit plotly duckdb umap pandas openai httpx")


UNPICKLES = "pickle"
"""One module may: it reads what STaRK publishes, and refuses whatever is not data."""


def test_nothing_prints_evaluates_or_unpickles() -> None:
    found = []
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found += [f"{path}:{node.lineno} {node.func.id}()"] * (node.func.id in {"print", "eval", "exec"})
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                allowed = {UNPICKLES} if path == "data/knowledge/pickles.py" else set()
                found += [
                    f"{path}:{node.lineno} import {n}" for n in names if n in {UNPICKLES, "joblib", "shelve"} - allowed
                ]
            elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                unsafe = not (isinstance(node.value, ast.Constant) and node.value.value is False)
                found += [f"{path}:{node.value.lineno} allow_pickle"] * unsafe
    assert found == []


def test_every_metric_describes_itself() -> None:
    for name, metric in METRICS.items():
        assert metric.metric_id == name
        for field in fields(metric):
            assert getattr(metric, field.name) not in ("", None), f"{name}.{field.name}"
        assert metric.sentence.endswith(".")
        assert metric.low < metric.high


def test_every_region_kind_has_a_fit_and_a_label() -> None:
    kinds = set(get_args(RegionKind))
    assert set(REGIONS) == set(REGION_LABELS) == kinds
    assert set(DEFAULT_REGIONS) <= kinds
    assert kinds >= PROJECTION_REGIONS
    assert len(set(REGION_LABELS.values())) == len(kinds)
    for kind, fit in REGIONS.items():
        assert fit.__doc__, kind


def _options(command: click.Command) -> dict[str, click.Option]:
    return {p.name: p for p in command.params if isinstance(p, click.Option) and p.name}


def test_every_setting_is_an_explained_flag() -> None:
    command = click.command()(scoring.settings(lambda **flags: None))
    flags = _options(command)
    assert set(flags) == {field.name for field in fields(EvaluationSettings)}
    for name, flag in flags.items():
        assert flag.help, name
        assert flag.opts == [f"--{name.replace('_', '-')}"]


def _commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, entry in group.commands.items():
        command = entry.load() if isinstance(entry, LazyCommand) else entry
        if isinstance(command, click.Group):
            assert command.help, name
            yield from _commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def test_every_command_is_explained_and_in_the_readme() -> None:
    readme = README.read_text("utf-8")
    for path, command in _commands(cli):
        assert command.help, path
        assert f"`{path}" in readme, f"the README does not mention {path}"
        flags = _options(command)
        assert {"data_dir", "as_json"} <= set(flags), path
        assert [name for name, flag in flags.items() if not flag.help] == [], path


def test_every_field_of_the_settings_says_what_it_is() -> None:
    tree = sources()["core/settings.py"]
    (settings,) = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "EvaluationSettings"]
    assert is_dataclass(EvaluationSettings)
    body = settings.body[1:]
    for node, after in pairwise(body):
        if isinstance(node, ast.AnnAssign):
            words = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            assert words, f"{ast.unparse(node)} has no words under it"


def test_the_top_level_holds_what_was_planned() -> None:
    tracked = {name.partition("/")[0] for name in _git_files()}
    assert tracked <= PLANNED
    assert {"README.md", "LICENSE", "requirements.txt", "pyproject.toml", *PACKAGES} <= tracked
    inside = [name for name in _git_files() if name.startswith("tests/") and name.endswith("__init__.py")]
    assert inside == []


def test_the_readme_has_two_commands() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert [len(block.splitlines()) for block in blocks] == [1, 1]
    assert blocks[0].endswith("-m dashboard\n")
    assert "pytest" in blocks[1]
