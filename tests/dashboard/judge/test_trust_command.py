"""The commands `judge trust`, `judge people` and `judge runs`: what the view Trust and the forms of the page say."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from core.collections import Collection, Document, Judgment
from core.judge.judgments import JudgeSettings
from core.judge.trust import whether_to_believe
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.judge.fields import version_field
from data.judge.findings import TrustReport, found_of
from data.judge.rubric import DEFAULT_RUBRIC
from data.judge.runner import judge_run, make_judge
from data.judge.runs import find_judge_run, load_field, load_judge, load_judged, save_run
from data.judge.services import open_judge_model
from data.judge.trust import decide
from tests.dashboard.judge.test_trust import QUERIES, TEXTS, judge_lakes
from tests.dashboard.runs import Runner, in_json
from tests.data.workspaces import MODEL, TOPIC

PEOPLE = "by hand"
TRY = [part for kind in ("repeat", "longer", "swapped", "demanded") for part in ("--try", kind)]


@pytest.fixture
def lakes(run: Runner) -> Runner:
    """A run of the demo judge, and judgments of people on another scale."""
    with Workspace.open(run.root) as workspace:
        judge_lakes(workspace, "score_first", "lakes")
        documents = tuple(Document(f"d{n}", "Tin", text) for n, text in enumerate(TEXTS, 1))
        judgments = tuple(Judgment(query.query_id, f"d{n}", 3 - n) for query in QUERIES for n in (1, 2, 3))
        save_collection(workspace.store, Collection(PEOPLE, documents, QUERIES, judgments), origin="by hand")
    return run


def found_in(root: Path, name: str, *, regions: bool = False) -> TrustReport:
    """As the page gathers it."""
    with Workspace.open(root) as workspace:
        row = find_judge_run(workspace.store, name)
        judge, field = load_judge(workspace.store, row.judge_key), load_field(workspace.store, row)
        return found_of(
            workspace,
            row,
            judge,
            load_judged(workspace.store, row, field),
            decisions_of=lambda key, placed, embedder: decide(workspace, placed, embedder) if regions else None,
        )


def test_the_verdict_and_its_checks_are_those_of_the_page(lakes: Runner) -> None:
    document = lakes("judge", "trust", "lakes", *TRY, "--json").document
    found = found_in(lakes.root, "lakes")
    belief = whether_to_believe(found.findings)
    assert (document["verdict"], document["paragraph"]) == (belief.state, belief.paragraph)
    assert document["checks"] == [asdict(check) for check in belief.checks]
    assert found.people is not None
    assert document["people"]["source"] == PEOPLE
    assert document["people"]["quadratic"] == in_json(asdict(found.people.quadratic))
    assert sum(cell["n"] for cell in document["people"]["table"]) == found.people.n == 9
    assert document["repeats"] == in_json(asdict(found.findings.repeats))  # type: ignore[call-overload]
    assert document["changes"] == {kind: in_json(asdict(shift)) for kind, shift in found.findings.shifts.items()}
    assert (document["n_waiting"], document["judges"]) == (0, None)
    assert belief.checks[0].found in lakes("judge", "trust", "lakes").out


def test_a_dry_run_asks_nothing_and_what_is_known_is_not_asked_again(lakes: Runner) -> None:
    first = lakes("judge", "trust", "lakes", "--dry-run", "--json").document
    assert sum(each["n_calls"] for each in first["tries"]) == 81
    assert lakes("judge", "trust", "lakes", "--json").document["changes"] == {}
    lakes("judge", "trust", "lakes", *TRY)
    again = lakes("judge", "trust", "lakes", "--dry-run", "--json").document
    assert [(each["n_calls"], each["n_known"]) for each in again["tries"]] == [
        (0, each["n_calls"]) for each in first["tries"]
    ]
    assert [run["name"] for run in lakes("judge", "runs", "--json").document["runs"]] == ["lakes"]


def test_people_can_be_read_on_another_scale(lakes: Runner) -> None:
    asked = ("judge", "trust", "lakes", "--count", "0=0", "--count", "2=4")
    people = lakes(*asked, "--json").document["people"]
    assert (people["scale"], people["n"], people["n_left_out"]) == ({"0": 0, "2": 4}, 6, 3)
    assert "2 counts as 4" in lakes(*asked).out
    assert "write --count VALUE=POINTS" in lakes("judge", "trust", "lakes", "--count", "2").mistake
    assert f"available: {PEOPLE}" in lakes("judge", "trust", "lakes", "--people", "nobody").mistake
    assert 'no judged run "ponds"' in lakes("judge", "trust", "ponds").mistake


def test_regions_and_core_stand_beside_grades_of_versions(run: Runner) -> None:
    with Workspace.open(run.root) as workspace:
        model = open_judge_model("demo")
        judge = make_judge(workspace.store, JudgeSettings("demo", DEFAULT_RUBRIC), model)
        field = version_field(workspace, [TOPIC], ["review"], k=20)
        judge_run(workspace.store, save_run(workspace.store, "tea", judge, field, {"preset": None}), model)
    document = run("judge", "trust", "tea", "--regions", "--json").document
    found = found_in(run.root, "tea", regions=True)
    assert (document["embedder"], found.embedders) == (MODEL, (MODEL,))
    assert found.findings.core is not None
    assert document["core"] == in_json(asdict(found.findings.core))
    assert document["regions"] == {name: in_json(asdict(each)) for name, each in found.findings.regions.items()}
    assert document["regions"]
    assert run("judge", "trust", "tea", "--json").document["regions"] == {}


def test_grades_of_people_are_given_withdrawn_exported_and_imported(lakes: Runner, tmp_path: Path) -> None:
    by = ("--by", "Ada", "--why", "=it is")
    (given,) = lakes("judge", "people", "lakes", "--grade", "q0", "d2", "5", *by, "--json").document["grades"]
    assert (given["points"], given["who"], given["why"], given["judge_points"]) == (5, "Ada", "=it is", 2)
    found = found_in(lakes.root, "lakes")
    assert [source for source in found.sources if source != PEOPLE] == ["overruled"]
    lakes("judge", "people", "lakes", "--out", tmp_path / "people.csv")
    lakes("judge", "--resume", "lakes", "--out", tmp_path / "all.csv")
    withdrawn = lakes("judge", "people", "lakes", "--withdraw", "q0", "d2", "--by", "Bo", "--json").document
    assert withdrawn["grades"] == []
    for n, name in ((1, "people.csv"), (0, "all.csv")):
        document = lakes("judge", "people", "lakes", "--import", tmp_path / name, "--json").document
        assert (document["n_imported"], document["rejected"]) == (n, [])
        assert [(g["points"], g["who"], g["why"]) for g in document["grades"]] == [(5, "Ada", "=it is")]
    assert [said["points"] for said in document["grades"][0]["history"]] == [5, None, 5]


def test_grades_that_can_not_be_given(lakes: Runner, tmp_path: Path) -> None:
    give = ("judge", "people", "lakes", "--grade", "q0")
    assert "from 0 to 5, got 9" in lakes(*give, "d2", "9", "--by", "Ada", "--why", "so").mistake
    assert 'no publication "d9"' in lakes(*give, "d9", "5", "--by", "Ada", "--why", "so").mistake
    assert "name or initials" in lakes(*give, "d2", "5", "--why", "so").mistake
    table = tmp_path / "odd.csv"
    table.write_text("query_id,doc_id,overruled_grade,overruled_by,overruled_why\nq0,d2,x,Ada,so\nq7,d2,1,Ada,so\n")
    document = lakes("judge", "people", "lakes", "--import", table, "--json").document
    assert (document["n_imported"], len(document["rejected"]), document["grades"]) == (0, 2, [])
    table.write_text("query_id,grade\n")
    assert "no column doc_id" in lakes("judge", "people", "lakes", "--import", table).mistake
