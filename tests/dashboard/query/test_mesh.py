"""MeSH on the command line and in the Library: loaded once, then checked, matched, suggested and shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.files import WorkspacePaths, file_stamp
from data.query.mesh import load_mesh
from tests.dashboard.apps import messages, open_app, press, ran, serving, shown
from tests.dashboard.runs import Runner

MESH = """*NEWRECORD
RECTYPE = D
MH = Soups
ENTRY = Broths
MN = J01.100
DX = 19800101
UI = D1

*NEWRECORD
RECTYPE = D
MH = Lentil Soups
MN = J01.100.010
DX = 20110101
UI = D2
"""
CORPUS = """PMID- 1
TI  - Broths at noon in the harbour canteen
MH  - *Soups
MH  - Humans

PMID- 2
TI  - Lentils in winter kitchens of the north
MH  - Lentil Soups/*adverse effects

PMID- 3
TI  - Stones along the river and their colours
OT  - soups

PMID- 4
TI  - Colours of winter stones and northern rivers
"""
TOPIC = "Kitchen"


@pytest.fixture
def runner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """A workspace with a topic whose records carry headings."""
    runner = Runner(tmp_path / "ws", capsys)
    (tmp_path / "d2024.bin").write_text(MESH)
    (tmp_path / "corpus.nbib").write_text(CORPUS)
    (tmp_path / "core.nbib").write_text(CORPUS.partition("\nPMID- 3")[0])
    for role in ("corpus", "core"):
        assert runner("import", str(tmp_path / f"{role}.nbib"), "--topic", TOPIC, "--as", role).status == 0
    return runner


def _load(runner: Runner, tmp_path: Path) -> None:
    found = runner("get", "mesh", "--from", str(tmp_path / "d2024.bin"), "--json").document
    assert (found["year"], found["n_headings"], found["n_entry_terms"], found["notes"]) == (2024, 2, 1, [])


def _rules(runner: Runner, text: str, *more: str) -> list[tuple[str, str]]:
    found = runner("query", "check", text, "--json", *more).document["findings"]
    return [(f["rule"], f["severity"]) for f in found if "heading" in f["rule"] or f["rule"] == "not-testable"]


def test_headings_are_checked_with_and_without_the_file(runner: Runner, tmp_path: Path) -> None:
    assert _rules(runner, "exp Soups/", "--topic", TOPIC) == [("heading-by-name", "hint")]
    assert _rules(runner, '"Lentli Soups"[Mesh]') == []
    _load(runner, tmp_path)
    assert _rules(runner, "exp Soups/", "--topic", TOPIC) == []
    assert _rules(runner, '"Lentli Soups"[Mesh]') == [("unknown-heading", "error")]
    assert _rules(runner, "exp Physics/", "--topic", TOPIC) == [("heading-not-in-file", "hint")]


def test_a_heading_counts_in_terms_like_any_other_term(runner: Runner, tmp_path: Path) -> None:
    assert runner("embed", "--topic", TOPIC, "--embedder", "lsa").status == 0

    def alone(text: str) -> int:
        return runner("query", "terms", text, "--topic", TOPIC, "--json").document["nodes"][0]["n_alone"]

    assert alone("exp Soups/") == 1
    _load(runner, tmp_path)
    assert (alone("exp Soups/"), alone("Soups/"), alone("exp *Soups/ae"), alone("exp Soups/hi")) == (2, 1, 1, 0)


def test_wider_headings_rescue_a_missed_publication(runner: Runner, tmp_path: Path) -> None:
    _load(runner, tmp_path)
    assert runner("embed", "--topic", TOPIC, "--embedder", "lsa").status == 0
    missed = runner("query", "explain", "Soups/", "--topic", TOPIC, "--json").document["missed"]
    texts = [edit["text"] for one in missed for rescue in one["rescues"] for edit in rescue["edits"]]
    assert "exp Soups/" in texts


def test_a_heading_is_shown_with_its_place_in_the_tree(runner: Runner, tmp_path: Path) -> None:
    assert runner("query", "mesh", "Soups").status == 2
    _load(runner, tmp_path)
    found = runner("query", "mesh", "soups", "--json").document
    assert (found["heading"], found["places"], found["narrower"]) == ("Soups", ["J01.100"], ["Lentil Soups"])
    assert runner("query", "mesh", "Lentli Soups", "--json").document["proposal"] == "Lentil Soups"
    assert runner("query", "mesh", "Broths", "--json").document["replaced_by"] == ["Soups"]
    for name in ("Soups", "Lentli Soups", "Broths", "Physics"):
        assert runner("query", "mesh", name).status == 0


def test_headings_of_the_core_and_suggestions(runner: Runner, tmp_path: Path) -> None:
    _load(runner, tmp_path)
    found = runner("query", "headings", "exp Soups/", "--topic", TOPIC, "--json").document
    names = {column["name"]: column["n_publications"] for column in found["grid"]["headings"]}
    assert names == {"Soups": 1, "Humans": 1, "Lentil Soups": 1}
    suggested = {s["text"]: (s["kind"], s["n_hits"], s["n_core"]) for s in found["suggestions"]}
    assert suggested["Broths"] == ("text word", 1, 1)
    assert runner("query", "headings", "broths", "--topic", TOPIC).status == 0


def test_a_bad_file_is_reported_and_nothing_is_lost(runner: Runner, tmp_path: Path) -> None:
    _load(runner, tmp_path)
    (tmp_path / "mtrees2025.bin").write_text("Other;J01\n")
    (tmp_path / "part2024.bin").write_text(MESH[:-9])
    for name, fact in (("mtrees2025.bin", "2025"), ("part2024.bin", "line 13"), ("none.bin", "none.bin")):
        failed = runner("get", "mesh", "--from", str(tmp_path / name))
        assert failed.status == 2
        assert fact in failed.err
    assert runner("query", "mesh", "Soups", "--json").document["places"] == ["J01.100"]


def test_the_library_shows_the_grid(runner: Runner, tmp_path: Path) -> None:
    with serving(tmp_path / "ws"):
        app = open_app(part="Headings", topic=TOPIC)
        app.switch_page("library/page.py")
        ran(app)
        grid = app.dataframe[0].value
        assert list(grid.columns) == ["Publication", "Lentil Soups", "Soups", "Humans"]
        assert "get mesh" in shown(app)


def _upload(app: AppTest, name: str, content: str, *, replace: bool = False) -> AppTest:
    app.file_uploader[0].set_value((name, content.encode(), "application/octet-stream"))
    ran(app)
    if replace:
        app.checkbox[0].check()
    return press(app, "load-mesh")


def test_a_file_is_loaded_by_upload_and_replaced_only_on_request(runner: Runner, tmp_path: Path) -> None:
    with serving(tmp_path / "ws") as root:
        app = open_app(part="Headings", topic=TOPIC)
        app.switch_page("library/page.py")
        ran(app)
        paths = WorkspacePaths(root)
        _upload(app, "d2024.bin", MESH)
        assert "MeSH 2024: 2 headings" in shown(app)
        assert load_mesh(paths).year == 2024  # type: ignore[union-attr]
        before = file_stamp(paths.mesh)
        _upload(app, "mtrees2025.bin", "Other;J01\n")
        assert "MeSH 2025" in shown(app)
        assert "--replace" not in messages(app)
        _upload(app, "part2024.bin", MESH[:-9])
        assert "line 13" in shown(app)
        assert file_stamp(paths.mesh) == before
        _upload(app, "mtrees2025.bin", "Other;J01\n", replace=True)
        assert load_mesh(paths).year == 2025  # type: ignore[union-attr]
        assert "MeSH 2024 was replaced" in shown(app)
