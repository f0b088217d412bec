"""Every block of the guide runs: commands, Python, and the output that a page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

import queryscape
from dashboard.cli import cli
from dashboard.guide.command_options import SHARED, all_commands
from dashboard.guide.pages import FOLDER, ORDER, guide_parts, guide_titles, in_app, place_of
from dashboard.guide.tables import PAGES, filled

BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+?) -->\n)?"
    r"^(?P<indent> *)```(?P<language>\w*) ?(?P<name>\S*)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
REVIEW_FILES = {
    "exports/scopus.ris": range(1, 25),
    "exports/medline.ris": range(15, 31),
    "screened.ris": range(10, 22),
    "included.ris": range(12, 18),
}
"""The numbers of the synthetic publications in each file that the page of the review expects."""
RAN = ("sh", "console", "python")


class Block(NamedTuple):
    language: str
    name: str
    text: str
    reason: str
    """Why it is not run; empty if it is."""


def blocks(page: Path) -> Iterator[Block]:
    for found in BLOCK.finditer(page.read_text("utf-8")):
        yield Block(found["language"], found["name"], dedent(found["text"]), found["reason"] or "")


def write_review(folder: Path) -> None:
    (folder / "exports").mkdir()
    for name, numbers in REVIEW_FILES.items():
        entries = [
            f"TY  - JOUR\nTI  - Wildfire smoke and health in valley {n}\nAB  - Smoke of wildfires in valley {n}.\n"
            f"PY  - {1990 + n}\nDO  - 10.5555/valley{n}\nDB  - {Path(name).stem.title()}\nER  - \n"
            for n in numbers
        ]
        (folder / name).write_text("\n".join(entries), "utf-8")


def words_of(command: str) -> list[str]:
    """Return the arguments of a command, with wildcards expanded like a shell does."""
    program, *words = shlex.split(command, comments=True)
    assert program == "queryscape", command
    return [each for word in words for each in (sorted(map(str, Path().glob(word))) if "*." in word else [word])]


def run_command(command: str) -> str:
    ran = CliRunner().invoke(cli, words_of(command), catch_exceptions=False)
    assert ran.exit_code == 0, (command, ran.output)
    return ran.output


def commands_of(text: str) -> list[str]:
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def run_console(text: str) -> None:
    """Run the commands after $, and compare the lines that follow with the output; ... stands for any lines."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        lines = [" ".join(line.split()) for line in run_command(command).splitlines()]
        at, anywhere = 0, False
        for line in (" ".join(each.split()) for each in shown.splitlines()):
            if line == "...":
                anywhere = True
            elif anywhere:
                assert line in lines[at:], (command, line)
                at, anywhere = lines.index(line, at) + 1, False
            else:
                assert lines[at] == line, (command, line)
                at += 1


@pytest.mark.slow
@pytest.mark.parametrize("page", [name for name in ORDER if (FOLDER / f"{name}.md").exists()])
def test_the_blocks_of_a_page_run_in_order(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path / "workspace"))
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    if page == "review":
        write_review(tmp_path)
        rows = [f'{name},2024-08-09,A. Librarian,"wildfire*"' for name in ("Scopus", "MEDLINE")]
        (tmp_path / "searches.csv").write_text("\n".join(["Database,Date,By,Search string", *rows]), "utf-8")
    names: dict[str, object] = {}
    for block in blocks(FOLDER / f"{page}.md"):
        if block.name:
            Path(block.name).parent.mkdir(parents=True, exist_ok=True)
            Path(block.name).write_text(block.text, "utf-8")
        elif block.reason:
            continue
        elif block.language == "sh":
            for command in commands_of(block.text):
                run_command(command)
        elif block.language == "console":
            run_console(block.text)
        elif block.language == "python":
            if page == "library" and not hasattr(queryscape, "open"):
                pytest.skip("the library is not here yet")
            exec(compile(block.text, page, "exec"), names)


def test_every_block_runs_or_says_why_not() -> None:
    found = [(page.name, block) for page in sorted(FOLDER.glob("*.md")) for block in blocks(page)]
    assert found
    for page, block in found:
        assert block.language, f"{page}: a block without a language"
        assert block.language in RAN or not block.reason, page
        assert not block.reason or len(block.reason.split()) > 3, (page, block.reason)
        if block.language == "sh" and not block.reason:
            assert all(words_of(command) for command in commands_of(block.text)), page
    assert {page.stem for page in FOLDER.glob("*.md")} <= set(ORDER)


@pytest.mark.parametrize("name", PAGES)
def test_generated_parts_are_current(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    assert "<!-- generated: " in text
    is_current = filled(text) == text
    assert is_current, "the product's tables have changed: run python -m dashboard.guide.tables"


def test_links_and_pictures_lead_somewhere() -> None:
    for page in FOLDER.glob("*.md"):
        text = page.read_text("utf-8")
        linked = [path for path in re.findall(r"\]\(([^)#]+)", text) if ":" not in path]
        assert [path for path in linked if not (FOLDER / path).exists()] == [], page.name


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return set(map(place_of, headings))


def test_links_to_headings_lead_to_one() -> None:
    for page in FOLDER.glob("*.md"):
        for path, anchor in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", page.read_text("utf-8")):
            assert anchor in anchors(FOLDER / path if path else page), (page.name, path, anchor)


def test_every_option_of_every_command_is_listed_once() -> None:
    text = (FOLDER / "options.md").read_text("utf-8")
    head, *sections = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
    listed = dict(zip(sections[::2], sections[1::2], strict=True))
    assert len(listed) * 2 == len(sections)
    commands = {name or "queryscape": command for _, name, command in all_commands()}
    assert listed.keys() == commands.keys()
    for name, command in commands.items():
        for option in (each for each in command.params if isinstance(each, click.Option)):
            flag = option.opts[-1]
            place = head if flag in SHARED else listed[name]
            assert len(re.findall(rf"^- `(?:[^`]*[ ,/])?{flag}(?![\w-])", place, re.MULTILINE)) == 1, (name, flag)


def test_the_app_shows_no_file_names_and_no_comments() -> None:
    for name in guide_titles():
        for part in guide_parts(name):
            assert not re.search(r"\]\([\w-]+\.md", part.text), name
            assert "<!--" not in part.text, name
            assert part.picture is None or part.picture.exists()
    assert in_app("# A\n\n[b](b.md#c)\n\n```sh\n# d\n```\n") == "## A\n\n[b](?guide=b#c)\n\n```sh\n# d\n```\n"
