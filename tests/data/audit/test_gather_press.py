"""Evidence that is gathered from a workspace: with vectors and without, with a core and without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.audit.press import DOMAINS
from core.errors import NotFoundError
from data.audit.reviews import gather_evidence
from data.explore.workspace import Workspace
from tests.data.notes import is_noted
from tests.data.workspaces import CORE, MODEL, TOPIC, N, Version, fill, ids_of

QUESTION = "Which tea leaves steep well in hot water?"
VERSIONS = (
    Version("baseline", 1, ids_of(3, 30), "baseline", text="tea NOT kettle"),
    Version("question", 2, ids_of(3, 30), text=QUESTION),
    Version("wide", 3, ids_of(0, N), text="tea OR nets"),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("gathered")
    fill(root, versions=VERSIONS, landscape=False)
    with Workspace.open(root) as workspace:
        yield workspace


def texts(workspace: Workspace, label: str, embedder: str | None = None) -> dict[str, list[str]]:
    found = gather_evidence(workspace, TOPIC, label, embedder)
    return {each.domain: [one.text for one in each.evidence] for each in found.domains}


def test_numbers_are_those_of_running_the_string(workspace: Workspace) -> None:
    version = workspace.run_query(TOPIC, "tea NOT kettle").version
    ran = set(workspace.store.load_retrieved_ids(version.query_id))
    without = set(workspace.store.load_retrieved_ids(workspace.run_query(TOPIC, "tea").version.query_id))
    said = texts(workspace, version.label)
    taken = without - ran
    assert any(f"it finds {len(ran)} publications" in text for text in said["question"])
    assert f"It finds {len(ran & set(CORE))} of {len(CORE)} core publications." in said["question"]
    core = len(taken & set(CORE))
    assert any(
        text.startswith(f"NOT “kettle” excludes {len(taken)} publications, {core} of them core")
        for text in said["operators"]
    )


def test_numbers_of_a_version_are_those_of_its_list(workspace: Workspace) -> None:
    held = set(workspace.store.load_retrieved_ids(workspace.version(TOPIC, "baseline").version.query_id))
    ran = set(workspace.store.load_retrieved_ids(workspace.run_query(TOPIC, "tea NOT kettle").version.query_id))
    said = texts(workspace, "baseline")
    assert any(f"it finds {len(held)} publications" in text for text in said["question"])
    assert f"It finds {len(held & set(CORE))} of {len(CORE)} core publications." in said["question"]
    (note,) = [text for text in said["question"] if "as read here" in text]
    assert f"{len(held - ran)} publications in" in note
    assert f"; {len(ran - held)} publication" in note


def test_vectors_only_widen_what_missing_words_are_taken_from(workspace: Workspace) -> None:
    without, with_vectors = texts(workspace, "baseline"), texts(workspace, "baseline", MODEL)
    with pytest.raises(NotFoundError, match="no vectors"):
        texts(workspace, "baseline", "nothing")
    for domain in DOMAINS:
        if domain.id != "words":
            assert without[domain.id] == with_vectors[domain.id]


def test_a_question_has_no_structure_to_check(workspace: Workspace) -> None:
    found = gather_evidence(workspace, TOPIC, "question")
    assert found.text == QUESTION
    assert "in plain words" in found.domains[0].evidence[0].text
    assert not any(each.tables for each in found.domains)


def test_a_topic_without_core_publications_is_reviewed_all_the_same(tmp_path: Path) -> None:
    fill(tmp_path, versions=VERSIONS, models=(), core_ids=())
    with Workspace.open(tmp_path) as workspace:
        said = texts(workspace, "wide")
    assert is_noted(said["question"], "no core publications", "can't be listed")


def test_gathering_changes_nothing(workspace: Workspace) -> None:
    before = workspace.store.topic_state(TOPIC)
    assert gather_evidence(workspace, TOPIC, "wide") == gather_evidence(workspace, TOPIC, "wide")
    assert workspace.store.topic_state(TOPIC) == before
