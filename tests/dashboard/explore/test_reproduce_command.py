"""`reproduce`, its part of the page Studies, and `evaluate --points`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.collections import Collection, Judgment, Query
from core.explore.reproduction import REPRODUCTION_RESULTS
from data.collections import save_collection
from data.explore.workspace import Workspace
from tests.dashboard.explore.test_studies_scores import fill_published, open_part, rows_named
from tests.dashboard.runs import Runner
from tests.data.collections import SOUPS, write_litqeval, write_workbook
from tests.data.explore.test_published import CURVE, HEAD, PAIR, curve_lines
from tests.data.knowledge_bases import parts_of
from tests.data.workspaces import MODEL, TOPIC, N, ids_of

KEYS = ["group", "subject", "part", "region", "number", "published", "decimals", "ours", "result", "note"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = write_litqeval(tmp_path / "collection")
    write_workbook(root / "results.xlsx", [HEAD, *PAIR])
    (root / "published_threshold_curves.csv").write_text(CURVE + curve_lines(), "utf-8")
    return root


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "empty", capsys)


def test_each_published_number_is_listed_with_ours_and_why(empty: Runner, folder: Path) -> None:
    asked = empty("reproduce", "litqeval", "--from", folder, "--json")
    document = asked.document
    assert (document["source"], document["results"]) == ("litqeval", dict(REPRODUCTION_RESULTS))
    assert all(list(number) == KEYS for number in document["numbers"])
    f2s = [n for n in document["numbers"] if n["group"] == "F2 (results.xlsx)"]
    assert [(n["subject"], n["part"]) for n in f2s] == [(SOUPS, "predicted")] * 4 + [(SOUPS, "baseline")] * 4
    for number in document["numbers"]:
        assert number["result"] == "equal" or number["note"]
        assert (number["ours"] is None) <= (number["result"] != "equal")
    groups = {group.pop("group"): group for group in document["groups"]}
    assert all(group["n"] == sum(group[result] for result in REPRODUCTION_RESULTS) for group in groups.values())
    assert groups["Decay"] == {"n": 7, "equal": 6, "possible": 0, "different": 1, "not measured here": 0}
    assert any("slr_results.xlsx" in note for note in document["notes"])
    assert not (empty.root / "queryscape.duckdb").exists()


def test_the_table_has_every_number_or_only_those_that_are_not_equal(empty: Runner, folder: Path) -> None:
    whole = empty("reproduce", "litqeval", "--from", folder)
    assert (whole.status, "0.391807" in whole.out, "417.6" in whole.out) == (0, True, True)
    some = empty("reproduce", "litqeval", "--from", folder, "--not-equal")
    assert ("0.391807" in some.out, "417.6" in some.out) == (False, True)
    assert SOUPS in some.out, "names are never markup"


def test_a_folder_without_the_collection_is_a_mistake(empty: Runner, tmp_path: Path) -> None:
    assert "core_publications.xlsx" in empty("reproduce", "litqeval", "--from", tmp_path).mistake


def test_without_a_folder_the_workspace_is_asked(empty: Runner, folder: Path) -> None:
    groups = empty("reproduce", "litqeval", "--json").document["groups"]
    assert [each["group"].split()[0] for each in groups] == ["Toy", "Decay"]
    assert empty("get", "litqeval", folder, "--json").status == 0
    from_folder, kept = (
        empty("reproduce", "litqeval", *where, "--json").document["numbers"] for where in (("--from", folder), ())
    )
    assert sorted(map(str, from_folder)) == sorted(map(str, kept))


# STaRK


def stark(run: Runner) -> dict[tuple[str, str, str], dict[str, Any]]:
    numbers = run("reproduce", "stark", "--json").document["numbers"]
    return {(n["subject"], n["part"], n["number"]): n for n in numbers}


def test_stark_without_its_files_names_what_each_number_needs(empty: Runner) -> None:
    numbers = stark(empty)
    assert {n["result"] for n in numbers.values()} == {"not measured here"}
    assert all(n["ours"] is None and n["note"] for n in numbers.values())
    printed = {key: n["published"] for key, n in numbers.items()}
    assert [printed["Amazon", "", name] for name in ("Entities", "Relations", "Tokens", "Average degree")] == [
        1_035_542,
        9_443_802,
        592_067_882,
        18.2,
    ]
    assert [printed["MAG", "", name] for name in ("Entities", "Relations", "Tokens", "Average degree")] == [
        1_872_968,
        39_802_116,
        212_602_571,
        43.5,
    ]
    assert [printed["Prime", "", name] for name in ("Entities", "Relations", "Tokens", "Average degree")] == [
        129_375,
        8_100_498,
        31_844_769,
        125.2,
    ]
    bases = ("Amazon", "MAG", "Prime")
    assert [printed[base, "synthesized", "Queries"] for base in bases] == [9_100, 13_323, 11_204]
    assert [printed[base, "synthesized", "Answers per query"] for base in bases] == [17.99, 2.78, 2.56]
    assert [printed[base, "human-generated", "Queries"] for base in bases] == [81, 84, 98]
    sets = [*((base, "synthesized") for base in bases), ("Reference text", "")]
    assert [printed[*one, "Shannon entropy"] for one in sets] == [10.39, 10.25, 9.63, 10.44]
    assert [printed[*one, "Type-token ratio"] for one in sets] == [0.179, 0.180, 0.143, 0.261]
    assert [printed[base, "synthesized", "Answers accepted, %"] for base in bases] == [86.6, 98.9, 92.3]


def test_a_printed_degree_that_its_printed_counts_do_not_give_is_named(empty: Runner) -> None:
    notes = {base: stark(empty)[base, "", "Average degree"]["note"] for base in ("Amazon", "MAG", "Prime")}
    assert ["42.5" in note for note in notes.values()] == [False, True, False]


def test_a_knowledge_base_and_queries_of_the_name_are_measured(empty: Runner) -> None:
    entities = {"p1": ("paper", "Trees and heat"), "a1": ("author", "Ito")}
    parts = parts_of(entities, [("a1", "author___writes___paper", "p1")], answer_types=("paper",), templates="mag")
    queries = (Query("1", "trees and heat"), Query("2", "ito on heat"), Query("human-1", "shade"))
    asked = Collection(
        "stark-mag", (), queries, (Judgment("1", "p1", 1), Judgment("2", "p1", 1)), {"human": ("human-1",)}
    )
    with Workspace.open(empty.root) as workspace:
        workspace.knowledge.save("mag", parts, origin="by hand")
        save_collection(workspace.store, asked, origin="by hand")
        save_collection(workspace.store, Collection("prime", (), queries, (), made_up=True), origin="by script")
    before = stark(empty)
    assert (before["MAG", "", "Entities"]["ours"], before["MAG", "", "Entities"]["result"]) == (2, "different")
    assert "knowledge base mag" in before["MAG", "", "Entities"]["note"]
    assert before["MAG", "", "Tokens"]["result"] == "not measured here"
    assert before["MAG", "synthesized", "Queries"]["ours"] == 2
    assert before["MAG", "human-generated", "Queries"]["ours"] == 1
    assert before["MAG", "synthesized", "Type-token ratio"]["ours"] == pytest.approx(5 / 6)
    assert before["Prime", "synthesized", "Queries"]["result"] == "not measured here"
    assert empty("knowledge", "statistics", "mag", "--json").status == 0
    assert stark(empty)["MAG", "", "Tokens"]["ours"] == 4


# `evaluate --points`


def write_points(path: Path, points: npt.ArrayLike, ids: Any = None, prefix: str = "") -> Path:
    arrays = {f"{prefix}ids": np.array(ids_of(0, N) if ids is None else ids), f"{prefix}points": np.asarray(points)}
    np.savez(path, **arrays)
    return path


def square(n_inside: int) -> npt.NDArray[np.float64]:
    """The core found by the baseline on a square's corners, so many other publications inside, the rest far away."""
    points = np.full((N, 2), 50.0)
    points[:8] = [(0, 0), (0, 4), (4, 0), (4, 4)] * 2
    points[8 : 8 + n_inside] = 2.0
    return points


def ask(run: Runner, file: Path, *more: str) -> dict[str, Any]:
    asked = ("evaluate", "--topic", TOPIC, "--version", "baseline", "--regions", "mvee,hull,cosine", "--points", file)
    document: dict[str, Any] = run(*asked, *more, "--json").document
    return document


@pytest.mark.parametrize("n_inside", [3, 11])
def test_regions_lie_on_the_given_coordinates_and_the_landscape_stays(
    run: Runner, tmp_path: Path, n_inside: int
) -> None:
    usual = ("evaluate", "--topic", TOPIC, "--version", "baseline", "--json")
    before = run(*usual).document
    given = ask(run, write_points(tmp_path / "mine.npz", square(n_inside)))
    assert given["regions"]["hull"]["n_relevant"] == 5 + n_inside  # five of the core are found
    assert given["regions"]["cosine"] == before["regions"]["cosine"]
    assert given["projection_id"].startswith("mine-")
    assert run(*usual).document == before


def test_a_file_of_several_landscapes_is_read_by_topic_and_version(run: Runner, tmp_path: Path) -> None:
    one = ask(run, write_points(tmp_path / "one.npz", square(4)), "--compat", "litqeval-2024")
    prefix = f"{TOPIC.replace(' ', '_')}__baseline__"
    other = ask(run, write_points(tmp_path / "two.npz", square(4), prefix=prefix), "--compat", "litqeval-2024")
    assert other["regions"] == one["regions"]


@pytest.mark.parametrize(
    ("file", "fact"),
    [
        (lambda path: path / "none.npz", "none.npz"),
        (lambda path: write_points(path / "f.npz", square(1), prefix="Nets__baseline__"), "Nets__baseline__ids"),
        (lambda path: write_points(path / "f.npz", square(1)[:9], ids_of(0, 9)), "lacks 21"),
        (lambda path: write_points(path / "f.npz", square(1), ["p1"] * N), f"{N - 1} repeated ids"),
        (lambda path: write_points(path / "f.npz", square(1), range(N)), "int64"),
        (lambda path: write_points(path / "f.npz", square(1)[:, :1]), "two columns"),
        (lambda path: write_points(path / "f.npz", square(1) * np.nan), "matrix of numbers"),
        (lambda path: write_points(path / "f.npz", square(1)[1:]), f"{N} ids but {N - 1} points"),
        (lambda path: Path(__file__), "without objects"),
    ],
)
def test_coordinates_that_can_not_be_used_are_a_mistake(run: Runner, tmp_path: Path, file: Any, fact: str) -> None:
    asked = run("evaluate", "--topic", TOPIC, "--version", "baseline", "--embedder", MODEL, "--points", file(tmp_path))
    assert fact in asked.mistake


# The page


def test_the_page_lists_the_same_numbers_and_narrows_them(root: Path) -> None:
    fill_published(root)
    rows = rows_named(open_part("Reproduced"), "litqeval-reproduced")
    assert {row["Topic or base"] for row in rows} >= {TOPIC, "Toy", "Decay"}
    some = rows_named(open_part("Reproduced", outcome="Different"), "litqeval-reproduced")
    assert some == [row for row in rows if row["Result"] == "different"] != []
    assert len(rows_named(open_part("Reproduced", reproduced="STaRK"), "stark-reproduced")) == 38


def test_the_page_says_how_to_load_what_was_published(root: Path) -> None:
    app = open_part("Reproduced")
    assert any("get litqeval" in code.value for code in app.code)
    assert {row["Topic or base"] for row in rows_named(app, "litqeval-reproduced")} == {"Toy", "Decay"}
    assert any("possible" in info.value for info in open_part("Reproduced", outcome="Possible").info)
