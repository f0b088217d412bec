"""`report --from`: a bundle rebuilt on another machine, and one that is not what it says."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from tests.dashboard.runs import Runner
from tests.data.workspaces import TOPIC, fill

KEYS = [
    *("bundle", "topic", "versions", "made_at", "made_with", "n_files", "same", "n_tables", "differing"),
    *("differing_scores", "largest_difference", "taken_over", "abstracts", "written"),
]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once, from a workspace that is gone afterwards."""
    root = tmp_path_factory.mktemp("made")
    fill(root / "ws")
    from dashboard.cli import main

    press = ["report", "press", "begin", "--topic", TOPIC, "--version", "review", "--json"]
    for arguments in (press, ["report", "--topic", TOPIC, "--out", str(root / "audit.zip"), "--json"]):
        main([*arguments, "--data-dir", str(root / "ws")])
    shutil.rmtree(root / "ws")
    return root / "audit.zip"


@pytest.fixture
def elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """A machine with an empty data folder."""
    return Runner(tmp_path / "empty", capsys)


def tables_in(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".csv")}


def test_every_table_comes_out_byte_for_byte(bundle: Path, elsewhere: Runner, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    document = elsewhere("report", "--from", bundle, "--out", out, "--json").document
    assert list(document) == KEYS
    assert (document["topic"], document["versions"]) == (TOPIC, ["baseline", "review"])
    assert (document["same"], document["differing"], document["differing_scores"]) == (True, [], [])
    assert document["largest_difference"] <= 1e-9
    assert document["taken_over"], "what can't be rebuilt is named"
    expected = tables_in(bundle)
    assert document["n_tables"] == len(expected) == len(document["written"]) > 10
    written = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.csv")}
    assert written == expected
    assert any(name.startswith("tables/press/") for name in expected)


def test_for_people(bundle: Path, elsewhere: Runner) -> None:
    told = elsewhere("report", "--from", bundle)
    assert (told.status, told.err) == (0, "")
    for fact in (TOPIC, "baseline, review", "byte for byte", "not rebuilt"):
        assert fact in told.out


@pytest.mark.parametrize("ending", ["html", "docx", "md", "json"])
def test_the_report_anew(bundle: Path, elsewhere: Runner, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"again.{ending}"
    assert elsewhere("report", "--from", bundle, "--out", out, "--json").document["written"] == [str(out)]
    assert out.stat().st_size > 1000


def test_the_same_bundle_gives_the_same_report(bundle: Path, elsewhere: Runner, tmp_path: Path) -> None:
    for name in ("one.md", "two.md"):
        assert elsewhere("report", "--from", bundle, "--out", tmp_path / name).status == 0
    assert (tmp_path / "one.md").read_bytes() == (tmp_path / "two.md").read_bytes()


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("again.zip", ".html"),
        ("again.pdf", "print it"),
        ("missing/tables", "the folder"),
        ("full", "is not empty"),
        ("note", "is a file"),
    ],
)
def test_places_that_will_not_do(bundle: Path, elsewhere: Runner, tmp_path: Path, out: str, says: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.csv").write_text("mine")
    (tmp_path / "note").write_text("mine")
    assert says in elsewhere("report", "--from", bundle, "--out", tmp_path / out).mistake
    assert (tmp_path / "full" / "mine.csv").read_text() == "mine"


def test_a_bundle_that_was_edited_is_named_by_file(bundle: Path, elsewhere: Runner, tmp_path: Path) -> None:
    edited, name = tmp_path / "edited.zip", next(iter(tables_in(bundle)))
    with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(edited, "w") as new:
        for info in old.infolist():
            content = old.read(info.filename)
            new.writestr(info.filename, content.replace(b"1", b"2") + b"x" if info.filename == name else content)
    assert name in elsewhere("report", "--from", edited).mistake
    assert "x.zip" in elsewhere("report", "--from", tmp_path / "x.zip").mistake
    (tmp_path / "no.zip").write_text("no bundle")
    assert "no.zip" in elsewhere("report", "--from", tmp_path / "no.zip").mistake
