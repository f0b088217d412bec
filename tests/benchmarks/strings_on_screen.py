"""List the strings that people read, in the order of the files of a room, so that they can be read in a row.

    python tests/benchmarks/strings_on_screen.py explore
    python tests/benchmarks/strings_on_screen.py             (all rooms, with their number)

A string is listed if it has two words or more and is no docstring, markup, key or search term. The parts of a formatted
string are joined, with {} for each value.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[2]
FLOORS = ("dashboard", "data", "core")
_WORD = re.compile(r"[A-Za-z][a-z’']+")
_MARKUP = re.compile(r"</?[a-z]|\bSELECT\b|\bINSERT\b|\bUPDATE\b|\bCREATE\b|[{};]\s*$|^\s*\.")


def rooms() -> list[str]:
    return sorted({path.parent.name for path in (TOP / "dashboard").glob("*/*.py")})


def files_of(room: str) -> Iterator[Path]:
    for floor in FLOORS:
        yield from sorted((TOP / floor / room).rglob("*.py"))


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        text = text_of(node)
        if len(_WORD.findall(text)) > 1 and " " in text.strip() and not _MARKUP.search(text):
            yield node.lineno, " ".join(text.split())


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)


def main() -> None:
    for room in sys.argv[1:] or rooms():
        listed = [(path, line, text) for path in files_of(room) for line, text in sorted(strings_of(path))]
        if len(sys.argv) == 1:
            print(f"{room}: {len(listed):,}")
            continue
        for path, line, text in listed:
            print(f"{path.relative_to(TOP)}:{line}: {text}")


if __name__ == "__main__":
    main()
