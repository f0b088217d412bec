"""Builds the wheel. Everything else about the package is in pyproject.toml.

The folders core, data and dashboard would become packages of these names beside the user's own. In the wheel they lie
below queryscape/, and the imports of one another are rewritten to say so.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

TOP = "queryscape"
FLOORS = ("core", "data", "dashboard")


def rewritten(source: str) -> str:
    """Put TOP before the name of a floor in every import; nothing else changes, and no line moves."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            names, word = [node.module or ""], "from "
        elif isinstance(node, ast.Import):
            names, word = [each.name for each in node.names], "import "
        else:
            continue
        inside = [name for name in names if name.partition(".")[0] in FLOORS]
        if not inside:
            continue
        line, start = lines[node.lineno - 1], node.col_offset
        written = f"{word}{names[0]}"
        if len(names) > 1 or not line[start:].startswith(written):
            raise ValueError(f"one import per line, please: {line.strip()}")
        lines[node.lineno - 1] = f"{line[:start]}{word}{TOP}.{line[start + len(word) :]}"
    return "".join(lines)


class BuildBelowTop(build_py):
    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        outfile, copied = super().build_module(module, module_file, package)
        path = Path(outfile)
        path.write_text(rewritten(path.read_text("utf-8")), "utf-8")
        return outfile, copied


FOUND = [TOP, *(each for floor in FLOORS for each in (floor, *(f"{floor}.{one}" for one in find_packages(floor))))]
# Of the browser code only the built files; README's pictures stay out.
FILES = {
    "dashboard": ["icon.svg", "welcome_*.webp", "browser/dist/*.js", ".streamlit/*.toml"],
    "dashboard.guide": ["notebooks/*.ipynb", "pictures/*.webp"],
    "dashboard.shell": ["schemas/*.json"],
    "data": ["schema/*.sql"],
    "data.demo": ["topics/*.toml"],
    "data.judge": ["prompts/*.txt", "rubrics/*.toml"],
    "data.knowledge": ["template_sets/*.toml"],
}
ANYWHERE = ["*.toml", "*.sql", "*.css", "*.md", "*.json", "*.npz", "py.typed"]

if "editable_wheel" in sys.argv:  # `pip install --editable` imports the folder itself, with its own names
    setup(packages=FOUND, package_dir={"": "."})
else:
    setup(
        packages=[TOP, *(f"{TOP}.{each}" for each in FOUND[1:])],
        package_dir={f"{TOP}.{floor}": floor for floor in FLOORS},
        package_data={"": ANYWHERE, **{f"{TOP}.{name}": patterns for name, patterns in FILES.items()}},
        cmdclass={"build_py": BuildBelowTop},
    )
