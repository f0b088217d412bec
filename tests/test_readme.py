"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_library_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(example.splitlines()) <= 10
    names: dict[str, Any] = {}
    exec(compile(example, str(README), "exec"), names)
    assert "22 of 34 core publications found" in capsys.readouterr().out
    assert names["result"].to_dict()["recall"] == pytest.approx(22 / 34)
    assert len(names["figure"].data) > 1


def test_its_pictures_and_pages_are_here() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert linked
    assert [path for path in linked if not (README.parent / path).exists()] == []


def test_it_is_short_and_leads_to_every_page_of_the_guide() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 130
    guide = README.parent / "dashboard" / "guide"
    assert [page.name for page in guide.glob("*.md") if f"(dashboard/guide/{page.name})" not in text] == []
