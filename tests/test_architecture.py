"""What review forgets: import directions, words for everything, and the shape of the repository."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import click
import pytest

from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS, REGION_LABELS, REGIONS
from core.judge.grades import JUDGE_METRICS
from core.judge.reliability import TRUST_METRICS
from core.knowledge.query_quality import SHARES
from core.knowledge.statistics import SET_STATISTICS
from core.metrics import METRICS, Metric
from core.retrieval.metrics import RANKING_METRICS
from core.settings import EvaluationSettings
from core.sources.runs import SOURCE_METRICS
from core.stats import AGREEMENTS
from core.types import RegionKind
from core.writer.gains import WRITER_METRICS
from dashboard.cli import cli
from dashboard.kit import scoring
from dashboard.kit.lazy_commands import LazyCommand

TOP = Path(__file__).parents[1]
README = TOP / "README.md"
PACKAGES = ("core", "data", "dashboard")
PLANNED = {*PACKAGES, "queryscape", "tests", ".streamlit", ".ci", "requirements.txt", "pyproject.toml", "setup.py"} | {
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff", "LICENSE", ".gitignore"),
    *(".github", ".pre-commit-config.yaml", "Dockerfile", ".dockerignore", ".devcontainer", "constraints.txt"),
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
    paths = [path for path in paths if "node_modules" not in path.parts]
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


@pytest.mark.slow
def test_importing_all_of_core_loads_nothing_outside() -> None:
    modules = [path.removesuffix(".py").replace("/", ".") for path in sources() if path.startswith("core/")]
    names = ",".join(name.removesuffix(".__init__") for name in modules)
    test_importing_loads_nothing_that_is_not_needed(names, "streamlit plotly duckdb umap pandas openai httpx")


FAMILIES = {
    "core/explore/regions": "a file per kind of region",
    "core/query/checks": "a file per kind of check",
    "core/query/dialects": "a file per dialect",
    "dashboard/explore/figures": "pure figures, kept apart from Streamlit by a contract",
    "dashboard/explore/labs": "a file per lab",
}
"""Folders below a room: plug-in families, and nothing else."""
MOST_MODULES = 20
"""In one folder below a floor."""


def _modules(folder: str) -> list[str]:
    """Python files directly in a folder."""
    return [path for path in sources() if path.rpartition("/")[0] == folder and not path.endswith("/__init__.py")]


def test_folders_are_rooms_one_level_below_a_floor() -> None:
    folders = {path.rpartition("/")[0] for path in sources()}
    assert {folder for folder in folders if folder.count("/") > 1} == set(FAMILIES)
    crowded = {folder: n for folder in folders if (n := len(_modules(folder))) > MOST_MODULES}
    assert crowded == {}


def test_no_module_only_passes_names_on() -> None:
    def passes_on(tree: ast.Module) -> bool:
        body = [node for node in tree.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
        named_all = [n for n in body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
        return bool(body) and all(isinstance(node, ast.Import | ast.ImportFrom) or node in named_all for node in body)

    assert [path for path, tree in sources().items() if passes_on(tree)] == []


def _imported_from(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_small_module_serves_only_its_neighbour() -> None:
    names = {path: path.removesuffix(".py").replace("/", ".") for path in sources()}
    importers: dict[str, set[str]] = {name: set() for name in names.values()}
    for path, tree in sources().items():
        for name in _imported_from(tree):
            importers.get(name, set()).add(path)
    lonely = [
        path
        for path, name in names.items()
        if path.rpartition("/")[0] not in FAMILIES
        and len((TOP / path).read_text("utf-8").splitlines()) < 40
        and len(users := importers[name]) == 1
        and next(iter(users)).rpartition("/")[0] == path.rpartition("/")[0]
    ]
    assert lonely == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for path, tree in sources().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


QUESTION = re.compile(r"(?:What|Whether|How|Who|Whose|Where|Why|Which)\b")


def test_a_docstring_begins_with_what_is_done_or_what_it_is() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, documented) and (text := ast.get_docstring(node)) and QUESTION.match(text)
    ]
    assert found == []


def test_no_module_hides_one_of_the_standard_library() -> None:
    # Streamlit puts the folder of the script, and AppTest that of a page, in front of the path.
    names = {path: Path(path).stem for path in sources() if path.startswith("dashboard/")}
    assert {path: name for path, name in names.items() if name in sys.stdlib_module_names} == {}


PUBLISHED = (
    *("core/metrics.py", "core/stats.py", "core/explore/evaluate.py", "core/explore/compat.py"),
    *("core/explore/uncertainty.py", "core/retrieval/metrics.py", "core/judge/grades.py", "core/judge/reliability.py"),
    "core/explore/regions/",
)


def test_modules_and_functions_that_compute_a_published_number_have_docstrings() -> None:
    without = [path for path, tree in sources().items() if not ast.get_docstring(tree)]
    for path, tree in sources().items():
        if path.startswith(PUBLISHED):
            functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
            functions = [n for n in functions if "overload" not in {ast.unparse(d) for d in n.decorator_list}]
            without += [f"{path}: {node.name}" for node in functions if not ast.get_docstring(node)]
    assert without == []


def test_no_string_names_a_module_of_ours() -> None:
    # A wheel has the floors below `queryscape`, with every import statement rewritten: a string would stay behind.
    found = [
        f"{path}:{node.lineno} {node.value}"
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.match(r"(core|data|dashboard)\.[a-z_.]*\Z", node.value)
    ]
    assert found == []


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


def test_pages_start_background_work_through_families() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in sources().items()
        if path.startswith("dashboard/") and path != "dashboard/status.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value) == "cache.jobs()"
    ]
    assert found == []


DEFINITIONS = {
    "scores": METRICS,
    "agreement": AGREEMENTS,
    "judge": JUDGE_METRICS,
    "trust": TRUST_METRICS,
    "ranking": RANKING_METRICS,
    "sets": SET_STATISTICS,
    "shares": SHARES,
    "sources": SOURCE_METRICS,
    "writer": WRITER_METRICS,
}


@pytest.mark.parametrize("family", DEFINITIONS)
def test_every_metric_describes_itself(family: str) -> None:
    metrics: Mapping[str, Metric] = DEFINITIONS[family]
    for metric_id, metric in metrics.items():
        assert metric.metric_id == metric_id
        assert metric.sentence.endswith(".")
        for text in (metric.label, metric.formula, metric.undefined, metric.range):
            assert text.strip() == text != ""
            assert "{" not in text
        assert metric.reference or family in ("judge", "sources", "writer")
    assert len({metric.label for metric in metrics.values()}) == len(metrics)


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
    assert set(flags) == {field.name for field in fields(EvaluationSettings)} | {"settings"}
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


def test_every_command_is_explained_and_in_the_guide() -> None:
    guide = (TOP / "dashboard" / "guide" / "commands.md").read_text("utf-8")
    for path, command in _commands(cli):
        assert command.help, path
        assert f"`{path}" in guide, f"the guide does not mention {path}"
        flags = _options(command)
        assert {"data_dir", "as_json"} <= set(flags) or path in ("completion", "schema"), path
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
