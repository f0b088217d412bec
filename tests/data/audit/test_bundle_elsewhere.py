"""A bundle of a demo topic is rebuilt by another process, with an empty data folder and without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.audit.recount import recount
from core.settings import ProjectionSettings
from data.audit.bundle import read_bundle, rebuild
from data.audit.bundle_archive import QUALITY
from data.audit.reports import FinishedReport, ReportRequest, file_bytes, make
from data.demo.publications import build_demo
from data.explore.workspace import Workspace
from tests import bundle_cases as cases

CHILD = Path(__file__).with_name("offline_rebuild.py")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FinishedReport]:
    """The audit of a demo topic, all of it."""
    topic = build_demo()[0]
    with Workspace.open(tmp_path_factory.mktemp("demo")) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(topic.publications)
            ids = tuple(publication.publication_id for publication in topic.publications)
            workspace.save_topic(topic.topic_id, topic.core_ids, topic.versions, made_up=True, corpus_ids=ids)
        workspace.embed(topic.topic_id, "lsa")
        embedding = workspace.embedding(topic.topic_id, "lsa")
        workspace.landscapes.fit(topic.topic_id, embedding, ProjectionSettings(method="pca"))
        yield make(workspace, ReportRequest("audit", topic.topic_id))


@pytest.fixture(scope="module")
def bundle(made: FinishedReport, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("handed-on") / "search.zip"
    path.write_bytes(file_bytes(made, "zip"))
    return path


def _elsewhere(bundle: Path, out: Path, empty: Path) -> subprocess.CompletedProcess[str]:
    empty.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUERYSCAPE")}
    return subprocess.run(
        [sys.executable, str(CHILD), str(bundle), str(out)],
        cwd=empty,
        env=environment | {"QUERYSCAPE_DATA_DIR": str(empty), "HOME": str(empty)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_table_has_the_same_bytes_elsewhere(bundle: Path, tmp_path: Path) -> None:
    out, empty = tmp_path / "tables", tmp_path / "empty"
    asked = _elsewhere(bundle, out, empty)
    assert asked.returncode == 0, asked.stderr
    document = json.loads(asked.stdout)
    assert document["same"] is True
    assert document["differing"] == []
    assert document["largest_difference"] <= 1e-9
    assert document["taken_over"]
    with zipfile.ZipFile(bundle) as archive:
        tables = {name: archive.read(name) for name in archive.namelist() if name.endswith(".csv")}
    written = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.csv")}
    assert written == tables
    assert len(written) > 20
    assert list(empty.iterdir()) == [], "nothing is written into a data folder"


def test_scores_are_those_that_the_workspace_gave(made: FinishedReport, bundle: Path) -> None:
    assert made.quality is not None
    again = rebuild(read_bundle(bundle)).quality
    for before, after in zip(made.quality.versions, again.versions, strict=True):
        assert before.evaluation.recall == pytest.approx(after.evaluation.recall, abs=1e-9)
        for kind, scores in before.evaluation.regions.items():
            for name in ("semantic_precision", "decay", "recall_used", "f_beta"):
                value, counted = getattr(scores, name), getattr(after.evaluation.regions[kind], name)
                assert value == pytest.approx(counted, abs=1e-9), (before.label, kind, name)


def test_what_was_gathered_agrees_with_its_own_arrays(made: FinishedReport) -> None:
    assert made.quality is not None
    counted = recount(made.quality)
    assert counted.differing == ()
    assert counted.largest_difference <= 1e-9


def test_the_same_audit_is_the_same_bundle(made: FinishedReport, bundle: Path) -> None:
    assert file_bytes(made, "zip") == bundle.read_bytes()


def test_no_abstract_leaves_with_it(made: FinishedReport, bundle: Path) -> None:
    abstracts = [publication.abstract for publication in build_demo()[0].publications if publication.abstract]
    files = cases.members(bundle.read_bytes())
    everything = b"".join(content for name, content in files.items() if not name.endswith(".npy")).decode()
    assert not [text for text in abstracts if text[:60] in everything]


def test_an_edit_with_its_sums_ends_with_a_sentence_elsewhere(bundle: Path, tmp_path: Path) -> None:
    edit = cases.with_json(
        QUALITY, lambda told: told["versions"][0]["evaluation"]["regions"]["cosine"].update(f_beta=0.999)
    )
    edited = tmp_path / "edited.zip"
    edited.write_bytes(cases.resealed(bundle.read_bytes(), edit))
    asked = _elsewhere(edited, tmp_path / "tables", tmp_path / "empty")
    assert asked.returncode == 2
    assert QUALITY in asked.stderr
    assert "Traceback" not in asked.stderr
