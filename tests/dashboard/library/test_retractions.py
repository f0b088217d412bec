"""Retraction Watch on the command line, in the Library's lists, on a record and in exports."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.library.preprints import WorkVersions
from core.library.records import Record
from core.library.retractions import RetractionNotice
from dashboard.kit.publication_lists import publication_rows
from dashboard.library.details import facts_of
from dashboard.library.retractions import status_words
from data.library.records import RetractionStatus
from tests.dashboard.apps import messages, open_app, press, ran, serving, shown
from tests.dashboard.runs import Runner

CORPUS = """TY  - JOUR
TI  - Broths at noon in the harbour canteen
PY  - 2020
DO  - 10.1000/broth
ER  -

TY  - JOUR
TI  - RETRACTED: Lentils in winter kitchens of the north
PY  - 2021
DO  - 10.1000/lentil
ER  -

TY  - JOUR
TI  - Stones along the river and their colours
PY  - 2019
DO  - 10.1000/stone
ER  -

TY  - JOUR
TI  - Colours of winter stones and northern rivers
PY  - 2018
ER  -
"""
WATCH = """OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,RetractionDate,Reason,Title
10.1000/BROTH,0,Retraction,8/5/2023 0:00,+Error in Data;,Broths
10.1000/stone,0,Expression of concern,8/6/2023 0:00,,Stones
unavailable,0,Retraction,8/6/2023 0:00,,Others
"""
TOPIC = "Kitchen"


@pytest.fixture
def runner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    runner = Runner(tmp_path / "ws", capsys)
    (tmp_path / "corpus.ris").write_text(CORPUS)
    (tmp_path / "watch.csv").write_text(WATCH)
    assert runner("import", str(tmp_path / "corpus.ris"), "--topic", TOPIC, "--as", "corpus").status == 0
    return runner


def test_the_command_lists_what_the_file_flags(runner: Runner, tmp_path: Path) -> None:
    found = runner("get", "retractions", "--from", str(tmp_path / "watch.csv"), "--json").document
    assert (found["n_notices"], found["n_without_id"], found["latest"]) == (2, 1, "2023-08-06")
    assert found["by_nature"] == {"retraction": 1, "expression of concern": 1, "correction": 0, "reinstatement": 0}
    (topic,) = found["topics"]
    assert (topic["topic"], topic["n_retracted"], topic["n_concern"]) == (TOPIC, 2, 1)
    assert {(p["publication_id"], p["status"], p["in_record"]) for p in topic["publications"]} == {
        ("doi:10.1000/broth", "retracted", False),
        ("doi:10.1000/lentil", "retracted", True),
        ("doi:10.1000/stone", "expression of concern", False),
    }
    again = runner("get", "retractions", "--from", str(tmp_path / "watch.csv"))
    assert "watch.csv was replaced" in again.out + again.err
    assert runner("get", "retractions", "--from", str(tmp_path / "corpus.ris")).status != 0


def test_exports_mark_them(runner: Runner, tmp_path: Path) -> None:
    runner("get", "retractions", "--from", str(tmp_path / "watch.csv"))
    out = tmp_path / "out.csv"
    assert runner("export", "--topic", TOPIC, "--among", "everything", "--out", str(out)).status == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        marked = {row["doi"]: row["retracted"] for row in csv.DictReader(file)}
    assert marked == {"10.1000/broth": "1", "10.1000/lentil": "1", "10.1000/stone": "", "": ""}


def test_the_library_counts_and_lists_them(runner: Runner, tmp_path: Path) -> None:
    with serving(runner.root):
        app = open_app(part="Files")
        app.switch_page("library/page.py")
        ran(app)
        assert [e.label for e in app.expander if "retracted" in e.label] == ["1 retracted publication"]
        assert "get retractions" in shown(app)
    runner("get", "retractions", "--from", str(tmp_path / "watch.csv"))
    with serving(runner.root):
        app = open_app(part="Files")
        app.switch_page("library/page.py")
        ran(app)
        assert [e.label for e in app.expander if "retracted" in e.label] == [
            "2 retracted publications, 1 with an expression of concern"
        ]
        (table,) = [frame.value for frame in app.dataframe if "Stated by" in frame.value]
        assert table[["Status", "Stated by"]].to_numpy().tolist() == [
            ["Retracted", "Record"],
            ["Retracted", "Retraction Watch"],
            ["Expression of concern", "Retraction Watch"],
        ]
        rows = publication_rows(("doi:10.1000/broth", "doi:10.1000/stone", "doi:10.1000/lentil"))
        assert [row["Status"] for row in rows] == ["Retracted", "Retracted", "Expression of concern"]


def test_the_csv_is_loaded_by_upload(runner: Runner, tmp_path: Path) -> None:
    with serving(runner.root):
        app = open_app(part="Files")
        app.switch_page("library/page.py")
        ran(app)
        uploader = next(box for box in app.file_uploader if "Retraction Watch" in box.label)
        uploader.set_value(("cut.csv", WATCH.encode()[:-30], "text/csv"))
        ran(app)
        assert "line 4" in messages(press(app, "load-retractions"))
        uploader = next(box for box in app.file_uploader if "Retraction Watch" in box.label)
        uploader.set_value(("watch.csv", WATCH.encode(), "text/csv"))
        ran(app)
        assert "watch.csv: 2 notices" in shown(press(app, "load-retractions"))
        assert [e.label for e in app.expander if "retracted" in e.label] == [
            "2 retracted publications, 1 with an expression of concern"
        ]


def test_a_record_shows_the_notice_and_both_versions() -> None:
    versions = WorkVersions(("10.1000/a",), ("10.1101/1",))
    notice = RetractionNotice("10.1000/a", None, "expression of concern", "2023-08-05", "Error in Data")
    facts = {fact.name: fact.value for fact in facts_of(Record(1, pmid="1"), versions, notice)}
    assert facts["Retraction Watch"] == "Expression of concern, 2023-08-05: Error in Data"
    assert facts["Published version and preprint"] == "10.1000/a; preprint 10.1101/1"
    assert set(facts) - {"PMID"} == {"Retraction Watch", "Published version and preprint"}


def test_only_concerns_are_called_so() -> None:
    notice = RetractionNotice("10.1000/a", None, "expression of concern")
    assert status_words({"a": RetractionStatus(False, False, notice)}) == "1 publication with an expression of concern"
