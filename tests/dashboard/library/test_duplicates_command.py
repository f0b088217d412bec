"""The command `duplicates`: merges and proposals are those of the page Library, and so is what is decided."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from data.library.duplicates import merge_counts, merges, proposals
from tests.dashboard.library.test_page import ris
from tests.dashboard.runs import Runner, in_json

TEA = "Tea"
TITLES = (
    "The heat of trees in towns and gardens: a review",
    "The heat of trees in towns and gardens: a reviews",
    "The heat of trees in towns and gardens: a review",
)


@pytest.fixture
def tea(run: Runner, tmp_path: Path) -> Runner:
    """A topic of three records: the third is the first again, and the second looks like it."""
    (tmp_path / "a.ris").write_bytes(ris(*TITLES[:2]) + ris(TITLES[2]))
    assert run("import", tmp_path / "a.ris", "--topic", TEA, "--as", "corpus").status == 0
    return run


def test_what_is_listed_is_what_the_page_lists(tea: Runner) -> None:
    document = tea("duplicates", "--topic", TEA, "--json").document
    with Workspace.open(tea.root) as workspace:
        assert document["n_merged"] == merge_counts(workspace, TEA)
        assert document["merges"] == [in_json(asdict(merge)) for merge in merges(workspace, TEA)]
        (pair,) = proposals(workspace, TEA)
    (proposal,) = document["proposals"]
    assert [p["publication_id"] for p in proposal["publications"]] == [pair.pair.a, pair.pair.b]
    assert (proposal["likeness"], proposal["why"]) == (pair.pair.likeness, pair.pair.why)
    told = tea("duplicates", "--topic", TEA).out
    assert "a.ris" in told
    assert pair.pair.a in told


def test_pairs_are_joined_and_every_merge_is_undone(tea: Runner) -> None:
    (proposal,) = tea("duplicates", "--topic", TEA, "--json").document["proposals"]
    a, b = (p["publication_id"] for p in proposal["publications"])
    joined = tea("duplicates", "--topic", TEA, "--join", a, b, "--json").document
    assert (joined["n_merged"]["asked"], joined["proposals"]) == (1, [])
    (asked,) = tea("duplicates", "--topic", TEA, "--by", "asked", "--json").document["merges"]
    undone = tea("duplicates", "--topic", TEA, "--undo", asked["source"], asked["number"], "--json").document
    assert undone["undone"] == [asked["began_as"]]
    assert "asked" not in undone["n_merged"]
    assert "is not merged" in tea("duplicates", "--topic", TEA, "--undo", "a.ris", asked["number"]).mistake


def test_a_pair_that_is_kept_apart_is_not_proposed_again(tea: Runner) -> None:
    (proposal,) = tea("duplicates", "--topic", TEA, "--json").document["proposals"]
    a, b = (p["publication_id"] for p in proposal["publications"])
    assert tea("duplicates", "--topic", TEA, "--separate", a, b, "--json").document["proposals"] == []
    for flag in ("--join", "--separate"):
        assert tea("duplicates", "--topic", TEA, flag, a, "nothing").status == 2


@pytest.mark.parametrize(("flag", "n_merged"), [("--join-like", 3), ("--separate-like", 0)])
def test_all_pairs_like_one_are_decided(run: Runner, tmp_path: Path, flag: str, n_merged: int) -> None:
    titles = ("The heat of trees in towns", "A long winter in river gardens", "Soil and shade for sleeping children")
    (tmp_path / "a.ris").write_bytes(ris(*(f"{title}: a {word}" for title in titles for word in ("review", "reviews"))))
    assert run("import", tmp_path / "a.ris", "--topic", TEA, "--as", "corpus").status == 0
    document = run("duplicates", "--topic", TEA, "--json").document
    (kind,) = document["kinds"]
    assert (kind["n_pairs"], kind["title"], kind["year"]) == (3, "spelling", "same")
    assert {proposal["kind"] for proposal in document["proposals"]} == {kind["kind"]}
    a, b = (p["publication_id"] for p in document["proposals"][0]["publications"])
    assert " ".join([a, b]) in run("duplicates", "--topic", TEA).out
    after = run("duplicates", "--topic", TEA, flag, a, b, "--json").document
    assert after["batches"] == [{"same": flag == "--join-like", "kind": kind["kind"], "n_pairs": 3, "left_out": []}]
    assert (after["n_merged"].get("asked", 0), after["proposals"], after["kinds"]) == (n_merged, [], [])
    assert run("duplicates", "--topic", TEA, flag, a, b).status == 2
    if flag == "--join-like":
        back = run("duplicates", "--topic", TEA, "--undo-last", "--json").document
        assert len(back["undone"]) == 3
        assert {key: back[key] for key in ("n_merged", "merges", "proposals", "kinds")} == {
            key: document[key] for key in ("n_merged", "merges", "proposals", "kinds")
        }
    assert "no merge to undo" in run("duplicates", "--topic", TEA, "--undo-last").mistake


def test_files_and_topics_that_are_not_there(tea: Runner) -> None:
    assert 'no file "b.ris"' in tea("duplicates", "--topic", TEA, "--undo", "b.ris", "1").mistake
    assert 'got "one"' in tea("duplicates", "--topic", TEA, "--undo", "a.ris", "one").mistake
    assert 'no topic "Coffee"' in tea("duplicates", "--topic", "Coffee").mistake


def test_preferred_files_lend_the_fields(tea: Runner, tmp_path: Path) -> None:
    (tmp_path / "b.ris").write_bytes(ris(TITLES[0].upper()))
    assert tea("import", tmp_path / "b.ris", "--topic", TEA, "--as", "corpus").status == 0

    def known_as(*flags: str) -> tuple[list[str], set[str]]:
        document = tea("duplicates", "--topic", TEA, *flags, "--json").document
        return document["preferred"], {merge["known_as"] for merge in document["merges"]}

    assert known_as() == ([], {TITLES[0]})
    assert known_as("--prefer", "b.ris", "--prefer", "a.ris") == (["b.ris", "a.ris"], {TITLES[0].upper()})
    assert known_as() == (["b.ris", "a.ris"], {TITLES[0].upper()})
    assert known_as("--import-order") == ([], {TITLES[0]})
    assert tea("duplicates", "--topic", TEA, "--prefer", "no.ris").status == 2
    assert tea("duplicates", "--topic", TEA, "--prefer", "b.ris", "--import-order").status == 2
