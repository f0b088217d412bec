"""Keys of controls: two elements with one key, of two kinds, read what the other one wrote."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

DASHBOARD = Path(__file__).parents[2] / "dashboard"
CHOICES = ("selectbox", "radio", "segmented_control", "choose_one", "choose_segment", "choose_listed", "choose_view")
SAME_VALUE = dict.fromkeys(CHOICES, "choice")
"""Elements whose values are of one kind may share a key."""
STATELESS = {"container", "draw_figure", "draw_files", "draw_files_of_lines", "draw_group", "mount_files", "button"}
"""A container keeps nothing, a button keeps nothing, and the others make keys of their own from the one given."""


def test_a_key_belongs_to_elements_of_one_kind() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for key, element in _keys():
        found[key].add(element)
    assert len(found) > 200
    assert {key: kinds for key, kinds in found.items() if len(kinds) > 1} == {}


def _keys() -> Iterator[tuple[str, str]]:
    for path in DASHBOARD.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            for word in call.keywords:
                if word.arg == "key" and isinstance(word.value, ast.Constant) and called not in STATELESS:
                    yield str(word.value.value), SAME_VALUE.get(called, called)
