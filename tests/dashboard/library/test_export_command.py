"""`export`: a selection on disk, whole or not at all."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner
from tests.data.workspaces import CORE, TOPIC, ids_of

KEYS = ["topic", "format", "file", "n_publications", "selection", "tool", "core_in_notes", "core_as_prior"]


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def exported(run: Runner, out: Path, *flags: object) -> list[str]:
    """The ids in a CSV of this selection."""
    done = run("export", "--topic", TOPIC, "--out", out, *flags)
    assert done.status == 0, done.err
    found = [row["publication_id"] for row in rows_in(out)]
    assert re.match(rf"{len(found):,} (of [\d,]+ )?publication", done.out)
    return found


def test_a_version_as_a_table(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "new folder" / "screening.csv"
    assert exported(run, out, "--version", "baseline") == list(ids_of(3, 30))
    first = rows_in(out)[0]
    assert (first["found_by"], first["core"], first["embedder"]) == ("baseline; review", "1", "toy")
    assert -1 <= float(first["similarity"]) <= 1
    assert [path.name for path in out.parent.iterdir()] == ["screening.csv"], "nothing is left aside"


def test_parts_of_a_topic(run: Runner, tmp_path: Path) -> None:
    out, again = tmp_path / "x.csv", "--force"
    assert exported(run, out, "--among", "core") == list(CORE)
    assert exported(run, out, again, "--among", "core-missed", "--version", "baseline") == list(ids_of(0, 3))
    assert exported(run, out, again, "--version", "review", "--not-version", "baseline") == [
        *ids_of(0, 3),
        *ids_of(30, 40),
    ]
    both = ("--version", "review", "--version", "baseline")
    assert len(exported(run, out, again, *both)) == 40
    assert len(exported(run, out, again, *both, "--found-by-all")) == 27
    assert len(exported(run, out, again, "--among", "everything")) == 40


@pytest.mark.parametrize(("word", "older"), [("all", "everything"), ("found", "retrieved"), ("missed", "core-missed")])
def test_older_words_for_parts_of_a_topic_are_the_same(run: Runner, tmp_path: Path, word: str, older: str) -> None:
    flags = ("--force", "--version", "baseline", "--among")
    assert exported(run, tmp_path / "x.csv", *flags, word) == exported(run, tmp_path / "x.csv", *flags, older)


@pytest.mark.parametrize("phase", ["screened", "included"])
def test_a_phase_of_the_review(run: Runner, tmp_path: Path, phase: str) -> None:
    (tmp_path / "some.ris").write_text("TY  - JOUR\nTI  - Black tea\nER  - \nTY  - JOUR\nTI  - Green tea\nER  - \n")
    missing = run("export", "--topic", TOPIC, "--out", tmp_path / "x.csv", "--among", phase)
    assert (missing.status, phase in missing.err) == (2, True)
    assert run("import", tmp_path / "some.ris", "--topic", TOPIC, "--as", phase).status == 0
    exported(run, tmp_path / "x.csv", "--among", phase)
    assert {row["title"] for row in rows_in(tmp_path / "x.csv")} == {"Black tea", "Green tea"}


def test_regions_and_settings_are_those_of_evaluate(run: Runner, tmp_path: Path) -> None:
    flags = ("--min-similarity", "0.9", "--regions", "cosine,hull")
    evaluated = run("evaluate", "--topic", TOPIC, "--version", "baseline", *flags, "--json").document["regions"]
    out = tmp_path / "x.csv"
    for kind in ("cosine", "hull"):
        accepted = exported(run, out, "--version", "baseline", "--region", kind, *flags, "--force")
        assert len(accepted) == evaluated[kind]["n_relevant"]
        assert all(kind in row["relevant_by"].split("; ") for row in rows_in(out))
        rest = exported(run, out, "--version", "baseline", "--region", kind, "--not-relevant", *flags, "--force")
        assert len(accepted) + len(rest) == 27
    similar = exported(run, out, "--version", "baseline", "--similarity-from", "0.9", "--force")
    assert len(similar) == evaluated["cosine"]["n_relevant"]
    less = exported(run, out, "--version", "baseline", "--similarity-to", "0.9", "--force")
    assert len(similar) + len(less) == 27


@pytest.mark.parametrize(
    ("name", "begins"), [("a.ris", "TY  - "), ("a.csv", "\ufefftitle,"), ("a.bib", "@"), ("a.JSONL", "{")]
)
def test_the_format_is_that_of_the_name(run: Runner, tmp_path: Path, name: str, begins: str) -> None:
    run("export", "--topic", TOPIC, "--out", tmp_path / name)
    assert (tmp_path / name).read_bytes().decode().startswith(begins)


def test_json(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "x.txt"
    document = run(
        "export", "--topic", TOPIC, "--version", "baseline", "--format", "ris", "--out", out, "--json"
    ).document
    assert list(document) == KEYS
    assert document == {
        "topic": TOPIC,
        "format": "ris",
        "file": str(out),
        "n_publications": 27,
        "selection": {
            "versions": ["baseline"],
            "among": "retrieved",
            "all_versions": False,
            "not_by": [],
            "region": None,
            "relevant": None,
            "min_similarity": None,
            "max_similarity": None,
            "since": None,
        },
        "tool": None,
        "core_in_notes": False,
        "core_as_prior": False,
    }
    assert out.read_text("utf-8").count("TY  - ") == 27


def test_a_part_of_the_topic_says_so_and_names_the_choice(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "more.ris").write_text("TY  - JOUR\nTI  - Kettles that no version finds\nER  - \n", "utf-8")
    assert run("import", tmp_path / "more.ris", "--topic", TOPIC, "--as", "corpus").status == 0
    n_all = len(exported(run, tmp_path / "all.csv", "--among", "all"))
    asked = ("export", "--topic", TOPIC, "--out", tmp_path / "x.ris", "--force")
    n = run(*asked, "--json").document["n_publications"]
    assert n < n_all
    printed = run(*asked).out
    assert all(fact in printed for fact in (f"{n:,} of {n_all:,}", "x.ris", "--among"))
    assert "--among" not in run(*asked, "--version", "baseline").out
    assert f" of {n_all}" not in run(*asked, "--among", "all").out


def test_a_tool_chooses_its_format(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "asreview.csv"
    asked = ("export", "--topic", TOPIC, "--version", "baseline", "--tool", "asreview", "--out", out)
    document = run(*asked, "--json").document
    assert (document["format"], document["tool"]) == ("csv", "asreview")
    assert "--format" in run(*asked, "--force", "--format", "ris").mistake
    assert "--core-as-prior" in run("export", "--topic", TOPIC, "--out", out, "--force", "--core-as-prior").mistake


def test_standard_output_holds_the_file_alone(run: Runner) -> None:
    done = run("export", "--topic", TOPIC, "--version", "baseline", "--format", "jsonl", "--out", "-")
    assert done.status == 0
    assert [json.loads(line)["publication_id"] for line in done.out.splitlines()] == list(ids_of(3, 30))
    assert re.match(r"27 of \d+ publications written as JSON Lines", done.err)
    assert "standard output" in run("export", "--topic", TOPIC, "--out", "-", "--format", "ris", "--json").mistake
    assert "--format" in run("export", "--topic", TOPIC, "--out", "-").mistake


def test_nothing_is_overwritten_unasked(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "x.ris"
    out.write_text("mine")
    assert "--force" in run("export", "--topic", TOPIC, "--out", out).mistake
    assert out.read_text() == "mine"
    assert "folder" in run("export", "--topic", TOPIC, "--out", tmp_path, "--format", "ris").mistake
    assert run("export", "--topic", TOPIC, "--out", out, "--force").status == 0
    assert out.read_text("utf-8").startswith("TY  - ")


def test_an_empty_selection_says_what_to_loosen(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "x.ris"
    asked = run("export", "--topic", TOPIC, "--version", "baseline", "--not-version", "review", "--out", out)
    assert f"no publications of {TOPIC} match" in asked.mistake
    assert "fewer excluded versions" in asked.mistake
    narrow = run("export", "--topic", TOPIC, "--similarity-from", "0.99999", "--out", out)
    assert "wider similarity" in narrow.mistake
    assert not out.exists()


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--version", "basline"], "no version"),
        (["--not-relevant"], "--region"),
        (["--region", "circle"], "circle"),
        (["--similarity-from", "3"], "[-1, 1]"),
        (["--embedder", "other"], 'no vectors of "other"'),
        (["--out", "x.docx"], "--format"),
    ],
)
def test_mistakes_end_in_one_line(run: Runner, tmp_path: Path, flags: list[str], says: str) -> None:
    assert says in run("export", "--topic", TOPIC, "--out", tmp_path / "x.ris", *flags).mistake
    assert not (tmp_path / "x.ris").exists()


def test_without_vectors_the_columns_stay_empty_and_a_note_says_so(run: Runner, tmp_path: Path) -> None:
    with Workspace.open(run.root) as workspace, workspace.store.transaction():
        workspace.store.execute("DELETE FROM vector_rows")
        workspace.store.execute("DELETE FROM embeddings")
    out = tmp_path / "x.csv"
    done = run("export", "--topic", TOPIC, "--version", "baseline", "--out", out)
    assert done.status == 0
    assert "no similarity" in done.err
    assert {(row["similarity"], row["relevant_by"]) for row in rows_in(out)} == {("", "")}
    assert "no vectors" in run("export", "--topic", TOPIC, "--region", "hull", "--out", out, "--force").mistake
