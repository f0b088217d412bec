"""Undefined is undefined everywhere: every face shows the same scores of a version, and the same reason for none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import NoCoreError, NotFoundError
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.studies import TopicScores
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard.explore.payloads import scores_document
from dashboard.explore.version_scores import score_rows
from data.audit.reports import ReportRequest, make
from data.explore.desk import set_up
from data.explore.versions import compare_in_full
from tests.dashboard.runs import Runner
from tests.dashboard.test_versions_law import Place, opened
from tests.data.workspaces import MODEL, TOPIC, Version, fill, ids_of
from tests.messages import refusal

NAMES = ("f_beta", "semantic_precision", "decay", "core_accepted")
Scores = dict[RegionKind, dict[str, float | str | None]]
"""Of each region, some of the scores, and the reason where it is undefined; numbers with three digits."""


def _scores(of_region: dict[str, object], reason: str) -> dict[str, float | str | None]:
    numbers = {name: of_region[name] for name in NAMES if name in of_region}
    shown = {name: None if value is None else round(float(str(value)), 3) for name, value in numbers.items()}
    return {**shown, "reason": "" if reason == "ok" else reason}


def evaluated(at: Place) -> Scores:
    found = at.command("evaluate")["regions"]
    return {kind: _scores(found[kind], found[kind]["status"]) for kind in DEFAULT_REGIONS}


def printed(at: Place) -> Scores:
    where = ("--topic", at.topic, "--version", at.label, "--embedder", at.embedder)
    lines = at.run("evaluate", *where).out.splitlines()
    found: Scores = {}
    for kind in DEFAULT_REGIONS:
        row, about = (line for line in lines if line.startswith(REGION_LABELS[kind]))
        cells = re.split(r"\s{2,}", row.strip())
        accepted = cells[2].partition("(")[2].rstrip(")") or cells[2]
        numbers = dict(zip(NAMES, (cells[6], cells[3], cells[4], accepted), strict=True))
        is_undefined = cells[1] == "–"
        found[kind] = _scores(
            {name: None if cell == "–" else float(cell) for name, cell in numbers.items()},
            about.removeprefix(f"{REGION_LABELS[kind]}: ") if is_undefined else "ok",
        )
    return found


def on_cards(at: Place) -> Scores:
    with at.workspace() as workspace:
        evaluation = workspace.evaluate(at.topic, at.label, embedder=at.embedder)
    document = scores_document(evaluation, DEFAULT_REGIONS, waiting={}, ranges={})
    return {each["kind"]: _scores(each, each["status"]) for each in document["regions"]}


def side_by_side(at: Place) -> Scores:
    """The table of the page Versions; core accepted is a count there, with the share below."""
    with at.workspace() as workspace:
        comparison = compare_in_full(
            workspace,
            at.topic,
            ("outside", at.label),
            embedder=at.embedder,
            settings=EvaluationSettings(),
            regions=DEFAULT_REGIONS,
        )
    rows = score_rows(comparison, (), DEFAULT_REGIONS, ("outside", at.label))
    names = {"F2 (with decay)": "f_beta", "Semantic precision": "semantic_precision", "Decay": "decay"}
    found: Scores = {}
    for kind in DEFAULT_REGIONS:
        of_region = {row.name: row.cells[1] for row in rows if row.group == REGION_LABELS[kind]}
        accepted = of_region["Core accepted"]
        numbers: dict[str, object] = {name: of_region[row].value for row, name in names.items()}
        numbers["core_accepted"] = accepted.note or None
        is_undefined = accepted.text == "–"
        found[kind] = _scores(numbers, accepted.why if is_undefined else "ok")
    return found


def reported(at: Place) -> Scores:
    with at.workspace() as workspace:
        made = make(workspace, ReportRequest("quality", at.topic, (at.label,), embedder=at.embedder))
    (table,) = [table for table in made.document.tables if table.name == "scores"]
    columns = [column.title for column in table.columns]
    kind_of = {label: kind for kind, label in REGION_LABELS.items()}
    found: Scores = {}
    for row in table.rows:
        cells = dict(zip(columns, row, strict=True))
        numbers = {
            "f_beta": cells["F2 with decay"],
            "semantic_precision": cells["Semantic precision"],
            "decay": cells["Decay"],
            "core_accepted": cells["Core accepted"],
        }
        reason = str(cells["What to know"]).removeprefix("No region: ") if cells["Decay"] is None else "ok"
        found[kind_of[str(cells["Region"])]] = _scores(dict(numbers), reason)
    return found


def studied(at: Place) -> Scores:
    with at.workspace() as workspace:
        scores = TopicScores.of(workspace.evaluate(at.topic, at.label, embedder=at.embedder), at.label)
    return {
        kind: _scores({name: getattr(found, name) for name in NAMES[:3]}, found.status)
        for kind, found in scores.regions.items()
    }


def on_the_workbench(at: Place) -> Scores:
    with at.workspace() as workspace:
        summary = opened(workspace, set_up(workspace, at.topic, at.embedder), at.label).summary
    numbers: dict[str, object] = {"f_beta": summary.f_beta, "semantic_precision": summary.semantic_precision}
    return {"cosine": _scores(numbers, summary.undefined or "ok")}


FACES: dict[str, Callable[[Place], Scores]] = {
    "evaluate --json": evaluated,
    "evaluate": printed,
    "cards of Explore": on_cards,
    "table of Versions": side_by_side,
    "report": reported,
    "Studies": studied,
    "page Query": on_the_workbench,
}
"""Every face that shows scores of the regions; one may lack a score, but never show another one."""

BROUGHT = (
    Version("outside", 1, ids_of(3, 30), text="tea OR leaves"),
    Version("nothing", 2, (), text="tea AND petri AND nothere"),
    Version("no core", 3, ids_of(20, 30), text="petri OR nets"),
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("undefined")
    fill(root, versions=BROUGHT)
    return root


@pytest.mark.parametrize("label", [version.label for version in BROUGHT[1:]])
def test_every_face_shows_the_same_scores(root: Path, capsys: pytest.CaptureFixture[str], label: str) -> None:
    at = Place(Runner(root, capsys), root, TOPIC, label, MODEL)
    expected = evaluated(at)
    for name, face in FACES.items():
        shown = face(at)
        assert shown, name
        for kind, scores in shown.items():
            assert scores == {key: expected[kind][key] for key in scores}, (name, kind)
    if label == "nothing":
        assert all(set(scores.values()) == {None, "nothing was retrieved"} for scores in expected.values())
    else:
        assert (expected["cosine"]["f_beta"], expected["cosine"]["core_accepted"]) == (0, 0)
        assert expected["cosine"]["semantic_precision"] is not None
        assert expected["hull"]["reason"] == "needs 3 found core publications"


def test_every_face_refuses_a_topic_without_a_core(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "ws", core_ids=(), versions=BROUGHT)
    at = Place(Runner(tmp_path / "ws", capsys), tmp_path / "ws", TOPIC, "nothing", MODEL)
    where = ("--topic", TOPIC, "--embedder", MODEL)
    commands = (
        ("evaluate", "--version", "outside"),
        ("evaluate", "--version", "outside", "--strata", "--json"),
        ("compare", "--versions", "outside", "nothing", "--strata"),
    )
    mistakes = {at.run(*command, *where).mistake for command in commands}
    assert len(mistakes) == 1
    for face in (on_cards, side_by_side, reported, studied, on_the_workbench):
        with refusal((NoCoreError, NotFoundError)):
            face(at)
