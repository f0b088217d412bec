"""A version is what it holds: every face that reports its found core publications reports the same ones."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.settings import ProjectionSettings
from dashboard.explore.payloads import core_document
from dashboard.workbench.bench import DraftResults, Drafts, QueryBench, QueryDraft
from dashboard.workbench.document import bench_document, version_document
from data.audit.bundle import read_bundle, write_bundle
from data.audit.bundle_archive import Bundle
from data.audit.reports import FinishedReport, ReportRequest, make
from data.audit.reviews import gather_evidence
from data.demo.loading import DEMO_EMBEDDER, bring_demo, bring_litqeval
from data.explore.desk import Desk, set_up, stored_result
from data.explore.versions import history
from data.explore.workspace import Workspace
from data.query.search import dialect_of, semantics_of
from tests.dashboard.runs import Runner
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, fill, ids_of

Ids = frozenset[str]


@dataclass(frozen=True)
class Place:
    """One version, and what shows it."""

    run: Runner
    reports: Path
    """The workspace that reports are made from: without vectors they are made in a moment."""
    topic: str
    label: str
    embedder: str

    def command(self, *words: str) -> Any:
        where = ("--topic", self.topic, "--version", self.label, "--embedder", self.embedder)
        return self.run(*words, *where, "--json").document

    def workspace(self) -> Workspace:
        return Workspace.open(self.run.root)

    @cached_property
    def made(self) -> FinishedReport:
        with Workspace.open(self.reports) as workspace:
            return make(workspace, ReportRequest("quality", self.topic, (self.label,)))


def evaluated(at: Place) -> Ids:
    return frozenset(at.command("evaluate", "--regions", "cosine")["found_core_ids"])


def explained(at: Place) -> Ids:
    document = at.command("query", "explain")
    assert len(document["found"]) == document["n_found"]
    assert not set(document["found"]) & {each["publication_id"] for each in document["missed"]}
    return frozenset(document["found"])


def weighed(at: Place) -> Ids:
    document = at.command("query", "terms")
    assert len(document["found"]) == document["n_found"]
    return frozenset(document["found"])


def on_the_workbench(at: Place) -> Ids:
    with at.workspace() as workspace:
        desk = set_up(workspace, at.topic, at.embedder)
        work = opened(workspace, desk, at.label)
        document = bench_document(QueryBench(Drafts((work.draft,))), work, work.summary, {})
    found = frozenset(each["publication_id"] for each in document["core"] if each["found"])
    assert document["summary"]["n_found"] == len(found)
    return found


def opened(workspace: Workspace, desk: Desk, label: str) -> DraftResults:
    """A version as the page opens it."""
    row = workspace.version(desk.topic_id, label)
    draft = QueryDraft(row.version.text, dialect_of(row.version), semantics_of(row.version))
    return DraftResults(desk, draft, stored=stored_result(workspace.store, desk.corpus, row))


def beside_the_landscape(at: Place) -> Ids:
    with at.workspace() as workspace:
        view = workspace.view(at.topic, at.label, at.embedder)
        core = workspace.publications(view.scene.core_ids)
        document = core_document(core, set(view.retrieved_ids), view.landscape)
        n_known = len(core)
        found = frozenset(view.retrieved_ids) & frozenset(view.scene.core_ids)
    assert n_known - document["n_core_missed"] == len(found & {each.publication_id for each in core})
    return found


def reported(at: Place) -> Ids:
    """From the table of the report: `core` says of each whether it is found."""
    (table,) = [table for table in at.made.document.tables if table.name == "core"]
    return frozenset(str(row[0]) for row in table.rows if row[-1] == "found")


def explained_in_the_report(at: Place) -> Ids:
    assert at.made.quality is not None
    (version,) = at.made.quality.versions
    return frozenset(each.publication_id for each in version.core if each.is_found)


def bundled(at: Place) -> Ids:
    (version,) = _bundle(at).quality.versions
    found = frozenset(each.publication_id for each in version.core if each.is_found)
    assert found == frozenset(version.evaluation.found_core_ids)
    return found


def _bundle(at: Place) -> Bundle:
    made, file = at.made, io.BytesIO()
    assert made.quality is not None
    write_bundle(file, made.audit, made.quality, made.parts, made_at=made.made_at)
    file.seek(0)
    return read_bundle(file)


FACES: dict[str, Callable[[Place], Ids]] = {
    "evaluate": evaluated,
    "query explain": explained,
    "query terms": weighed,
    "page Query": on_the_workbench,
    "page Explore": beside_the_landscape,
    "report": reported,
    "reasons in the report": explained_in_the_report,
    "bundle": bundled,
}
"""Every face that names the found core publications of a version."""


def in_the_history(at: Place) -> int:
    with at.workspace() as workspace:
        return next(e.n_core_found for e in history(workspace, at.topic) if e.row.version.label == at.label)


def reviewed(at: Place) -> int:
    with at.workspace() as workspace:
        evidence = [e.text for d in gather_evidence(workspace, at.topic, at.label).domains for e in d.evidence]
    (n,) = [match[1] for text in evidence if (match := re.match(r"It finds ([\d,]+) of [\d,]+ core", text))]
    return int(n.replace(",", ""))


COUNTS: dict[str, Callable[[Place], int]] = {"history": in_the_history, "press": reviewed}
"""Those that only count them."""


def check(at: Place) -> int:
    """The law for one version; how many core publications it finds."""
    found = {name: face(at) for name, face in FACES.items()}
    assert len(set(found.values())) == 1, (at.topic, at.label, found)
    (same,) = set(found.values())
    counted = {name: face(at) for name, face in COUNTS.items()}
    assert set(counted.values()) == {len(same)}, (at.topic, at.label, counted)
    return len(same)


def run_versions(root: Path) -> list[tuple[str, str]]:
    with Workspace.open(root) as workspace:
        rows = [row.version for topic in workspace.topics() for row in topic.versions if row.n_retrieved is not None]
        return [(version.topic_id, version.label) for version in rows if version.text.strip()]


BROUGHT = (
    Version("outside", 1, ids_of(3, 30), text="tea OR leaves"),
    Version("nothing", 2, (), text="(tea OR leaves) NOT petri"),
    Version("untestable", 3, ids_of(0, 5), text='"Tea"[mesh] OR petri[ti]'),
    Version("broken", 4, ids_of(2, 12), text='(tea AND "leaf'),
)


@pytest.mark.parametrize("label", [version.label for version in BROUGHT])
def test_every_face_reports_what_a_version_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], label: str
) -> None:
    fill(tmp_path / "ws", versions=BROUGHT)
    at = Place(Runner(tmp_path / "ws", capsys), tmp_path / "ws", TOPIC, label, MODEL)
    held = next(version.retrieved_ids for version in BROUGHT if version.label == label) or ()
    assert check(at) == len(set(held) & set(CORE))


def test_the_page_lists_where_a_version_and_its_string_disagree(workspace: Workspace) -> None:
    desk = set_up(workspace, TOPIC, MODEL)
    work = opened(workspace, desk, "baseline")
    held = set(workspace.store.load_retrieved_ids(workspace.version(TOPIC, "baseline").version.query_id))
    matched = set(desk.retrieved_ids(work.matches))
    document = version_document(work, {}, is_edited=False)
    assert {each["publication_id"] for each in document["disagrees"]} == held ^ matched
    assert all(each["in_version"] == (each["publication_id"] in held) for each in document["disagrees"])
    assert [each["is_core"] for each in document["disagrees"]] == sorted(
        (each["publication_id"] in CORE for each in document["disagrees"]), reverse=True
    )
    assert str(len(held - matched)) in document["version_note"]
    edited = version_document(work, {}, is_edited=True)
    assert edited["disagrees"] == []
    assert f"has {len(held)} publications" in edited["version_note"]
    agreeing = DraftResults(desk, work.draft)
    assert version_document(agreeing, {}, is_edited=False)["version_note"] == ""


def test_no_edit_is_offered_for_what_the_string_matches_and_the_version_does_not_hold(workspace: Workspace) -> None:
    desk = set_up(workspace, TOPIC, MODEL)
    work = opened(workspace, desk, "baseline")
    assert work.rescuer is not None
    disputed = {each.publication_id for each in work.disagreements if each.is_core and not each.in_version}
    assert disputed
    verdicts = {each.publication_id: each.verdict for each in work.explained}
    for publication_id in disputed:
        assert verdicts[publication_id] == "not_in_version"
        assert work.rescuer.rescues(desk.core_rows[publication_id]) == ()


@pytest.mark.slow
def test_every_face_reports_what_a_version_of_the_demo_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Workspace.open(tmp_path) as workspace:
        bring_demo(workspace, landscape=ProjectionSettings(method="pca"))
    versions = run_versions(tmp_path)
    runner = Runner(tmp_path, capsys)
    found = [check(Place(runner, tmp_path, topic, label, DEMO_EMBEDDER)) for topic, label in versions]
    assert len(found) >= 6
    assert sum(found) > 0


@pytest.mark.slow
@pytest.mark.collections
def test_every_face_reports_what_a_version_of_litqeval_holds(
    collections_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = collections_dir / "litqeval"
    with Workspace.open(tmp_path / "bare") as workspace:
        bring_litqeval(workspace, str(folder))
    with Workspace.open(tmp_path / "ws") as workspace:
        bring_litqeval(workspace, str(folder))
        workspace.add_vectors(folder / "vectors_minilm384.npz", "minilm")
        for topic in workspace.topics():
            with suppress(InputError):  # too few publications for one
                workspace.project(topic.topic_id, "minilm", settings=ProjectionSettings(method="pca"))
    runner = Runner(tmp_path / "ws", capsys)
    found = {
        (topic, label): check(Place(runner, tmp_path / "bare", topic, label, "minilm"))
        for topic, label in run_versions(tmp_path / "ws")
    }
    assert found["Business Process Meta Models", "slr"] == 17
    assert len(found) >= 8
