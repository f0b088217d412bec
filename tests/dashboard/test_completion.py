"""Completion in a real bash: topics, versions and commands arrive as words that the command line reads again."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dashboard.cli import cli
from tests.data.workspaces import TOPIC, fill

TOP = Path(__file__).parents[2]
ODD = 'Trees: shade, "cool" & it\'s $HOME `id` (a=b) \\ *'
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    fill(folder)
    fill(folder, topic_id=ODD)
    script = CliRunner().invoke(cli, ["completion", "bash"]).stdout
    (folder / "completion.bash").write_text(script, "utf-8")
    program = folder / "queryscape"
    program.write_text(
        f'#!/bin/sh\ncd {shlex.quote(str(TOP))} && exec {shlex.quote(sys.executable)} -m queryscape "$@"\n'
    )
    program.chmod(0o755)
    return folder


def replies(folder: Path, *words: str) -> list[str]:
    """Return what bash would insert for the last word, each as it stands on the line."""
    call = (
        f"source {shlex.quote(str(folder / 'completion.bash'))}; COMP_WORDS=({' '.join(map(shlex.quote, words))}); "
        f"COMP_CWORD={len(words) - 1}; _queryscape_completion ./queryscape; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = os.environ | {"QUERYSCAPE_DATA_DIR": str(folder)}
    done = subprocess.run(
        ["bash", "--norc", "-c", call], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines() if done.stdout.strip() else []


@needs_bash
@pytest.mark.parametrize(("topic", "begun"), [(TOPIC, TOPIC[:3].upper()), (ODD, "Trees")])
def test_a_topic_is_one_word_for_bash(workspace: Path, topic: str, begun: str) -> None:
    (inserted,) = replies(workspace, "queryscape", "evaluate", "--topic", begun)
    assert shlex.split(inserted) == [topic]


@needs_bash
@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_quote_that_is_open_stays(workspace: Path, quote: str) -> None:
    (inserted,) = replies(workspace, "queryscape", "evaluate", "--topic", f"{quote}Trees")
    command = f"printf %s {quote}{inserted}{quote}"  # bash adds the quote that closes
    assert subprocess.run(["bash", "--norc", "-c", command], capture_output=True, text=True).stdout == ODD


@needs_bash
def test_a_topic_follows_an_equals_sign(workspace: Path) -> None:
    (inserted,) = replies(workspace, "queryscape", "evaluate", "--topic", "=", TOPIC[:3])
    assert shlex.split(inserted) == [TOPIC]
    assert len(replies(workspace, "queryscape", "evaluate", "--topic", "=")) == 2


@needs_bash
def test_versions_of_the_topic_are_completed(workspace: Path) -> None:
    topic = shlex.quote(TOPIC)
    labels = replies(workspace, "queryscape", "evaluate", "--topic", topic, "--version", "")
    assert {"baseline", "review"} <= set(labels)
    assert replies(workspace, "queryscape", "evaluate", "--topic", TOPIC.split()[0], "--version", "rev") == ["review"]
    compare = ("queryscape", "compare", "--topic", topic, "--versions")
    assert replies(workspace, *compare, "baseline", "rev") == ["review"]
    assert replies(workspace, "queryscape", "evaluate", "--topic", "=", topic, "--version", "=", "rev") == ["review"]
    assert replies(workspace, "queryscape", "evaluate", "--version", "") == []
    assert replies(workspace, "queryscape", "--ver") == ["--version"]


@needs_bash
def test_a_command_of_two_words_is_two_words(workspace: Path) -> None:
    assert replies(workspace, "queryscape", "query", "filt") == ["filters", "filters insert"]
    assert replies(workspace, "queryscape", "query", "filters", "") == ["insert"]
    assert replies(workspace, "queryscape", "--data-dir", "x", "judge", "r") == ["runs"]


def test_other_shells_get_single_words(workspace: Path) -> None:
    for shell, place in (("zsh", "2"), ("fish", "filt")):
        environment = {"_QUERYSCAPE_COMPLETE": f"{shell}_complete", "COMP_WORDS": "queryscape query filt"}
        output = CliRunner().invoke(cli, [], prog_name="queryscape", env=environment | {"COMP_CWORD": place}).stdout
        assert "filters" in output
        assert "filters insert" not in output
