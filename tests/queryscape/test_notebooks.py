"""Every cell of the guide's notebooks runs, in order, in one fresh namespace."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "dashboard/guide/notebooks"
FILES = {"litqeval": ("LITQEVAL", "litqeval"), "review": ("REVIEW_FILES", "citesource_stages")}


def cells(name: str) -> list[dict[str, Any]]:
    document: dict[str, Any] = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    assert document["nbformat"] == 4
    return list(document["cells"])


def run(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell; return the value of its last expression, which a notebook would show."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace) if isinstance(last, ast.Expr) else None


def test_there_is_a_test_for_every_notebook() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_no_outputs_are_stored(name: str) -> None:
    ids = [cell["id"] for cell in cells(name)]
    assert len(set(ids)) == len(ids)
    assert all(cell["outputs"] == [] for cell in cells(name) if cell["cell_type"] == "code")


@pytest.mark.collections
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_cell_runs(name: str, collections_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variable, folder = FILES[name]
    monkeypatch.setenv(variable, str(collections_dir / folder))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for cell in cells(name):
        if cell["cell_type"] == "code":
            value = run("".join(cell["source"]), namespace)
            if hasattr(value, "_repr_html_"):
                assert value._repr_html_()
                shown.append(value)
    assert len(shown) >= 4
