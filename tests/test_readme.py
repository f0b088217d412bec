"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(README), "exec"), {})
    recall, *_, f_beta = capsys.readouterr().out.split()
    assert float(recall) == pytest.approx(20 / 30)
    assert 0 < float(f_beta) < 1


def test_its_pictures_and_pages_are_here() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert linked
    assert [path for path in linked if not (README.parent / path).exists()] == []


def test_it_is_short_and_leads_to_every_page_of_the_guide() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 130
    guide = README.parent / "dashboard" / "guide"
    assert [page.name for page in guide.glob("*.md") if f"(dashboard/guide/{page.name})" not in text] == []
