"""The sentence above the scores of a version that was made from another one."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.explore.compare import result_sentence
from core.settings import EvaluationSettings
from dashboard import cache
from data.explore.versions import compare_in_full, delete_version
from tests.dashboard.apps import open_app
from tests.data.workspaces import MODEL, TOPIC, fill


def open_child(root: Path, text: str) -> tuple[AppTest, str]:
    """A version of this text, made from the version "review", on Explore."""
    fill(root)
    open_app()  # opens the workspace
    label = cache.workspace().run_query(TOPIC, text, parent="review").version.label
    return open_settled(label), label


def open_settled(label: str) -> AppTest:
    open_app(version=label)
    cache.jobs().wait()
    return open_app(version=label)


def sentences(app: AppTest) -> str:
    return " ".join(block.value.replace("\\", "").replace("\u2060", "") for block in app.markdown)


def test_a_version_is_compared_with_the_one_that_it_was_made_from(root: Path) -> None:
    app, label = open_child(root, "tea OR petri")
    settings = EvaluationSettings()
    pair = ("review", label)
    compared = compare_in_full(cache.workspace(), TOPIC, pair, embedder=MODEL, settings=settings, regions=("cosine",))
    expected = result_sentence(compared, *pair, region="cosine")
    assert expected.sentence in sentences(app)
    assert expected.clear is not None
    app.button(key="back-to-parent").click().run()
    assert app.selectbox(key="version").value == "review"


def test_nothing_is_said_without_a_parent(root: Path) -> None:
    _, label = open_child(root, "tea OR petri")
    assert "back-to-parent" not in {button.key for button in open_app(version="baseline").button}
    delete_version(cache.workspace(), TOPIC, "review")
    assert "back-to-parent" not in {button.key for button in open_app(version=label).button}


def test_a_string_that_finds_nothing_is_compared_too(root: Path) -> None:
    app, _ = open_child(root, "zebra")
    assert "nothing to read" in sentences(app)
