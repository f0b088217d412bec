"""`compare`: what stands beside the differences, and the sensitivity report."""

from __future__ import annotations

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner, ordered
from tests.data.workspaces import CORE, TOPIC, Version, ids_of

ASK = ("compare", "--topic", TOPIC, "--versions", "baseline", "review")
KEYS = ["versions", "differences", "core_gained", "core_lost", "pairs", "notes"]


def change(run: Runner, statement: str) -> None:
    with Workspace.open(run.root) as workspace:
        workspace.store.execute(statement)


def test_notes_say_what_cannot_be_compared(run: Runner) -> None:
    document = run(*ASK, "--regions", "cosine", "--json").document
    ordered(document, KEYS)
    assert document["notes"] == []
    assert "sensitivity" not in document
    change(run, "UPDATE query_versions SET corpus_state = label")
    asked = run(*ASK, "--regions", "cosine", "--json").document
    (note,) = asked["notes"]
    assert note.startswith("baseline and review")
    assert "different publications" in note
    assert [d["difference"] is None for d in asked["differences"]] == [False, True, True]
    assert note in run(*ASK, "--regions", "cosine").err
    assert list(asked["differences"][0]) == ["a", "b", "metric", "region", "difference", "interval", "sentence"]


def test_the_sensitivity_report_as_a_document(run: Runner) -> None:
    document = run(*ASK, "--regions", "cosine", "--sensitivity", "--json").document
    ordered(document, [*KEYS, "sensitivity"])
    report = document["sensitivity"]
    assert list(report) == ["region", "versions", "choices", "orders", "special", "left_out"]
    assert report["region"] == "cosine"
    assert (report["left_out"], [v["version"] for v in report["versions"]]) == ([], ["baseline", "review"])
    as_set = [v["regions"]["cosine"]["f_beta"] for v in document["versions"]]
    for span, f_beta in zip(report["versions"], as_set, strict=True):
        assert span["lowest"] <= span["f_beta"] == f_beta <= span["highest"]
        assert list(span["highest_under"]) == ["label", "setting", "region", "changes"]
    first = report["choices"][0]
    assert first["choice"] == {"label": "as set", "setting": "as_set", "region": "cosine", "changes": {}}
    assert list(first["f_beta"].values()) == as_set
    assert sorted(first["rank"].values()) == [1, 2]
    beta = next(c for c in report["choices"] if c["choice"]["changes"] == {"beta": 3})
    again = run(*ASK, "--beta", 3, "--regions", "cosine", "--json").document["versions"]
    assert list(beta["f_beta"].values()) == [v["regions"]["cosine"]["f_beta"] for v in again]
    (order,) = report["orders"]
    assert list(order) == ["a", "b", "difference", "n_compared", "turned_by", "turns"]
    assert order["difference"] == as_set[1] - as_set[0]


def test_it_is_varied_around_a_region_that_was_asked_for(run: Runner) -> None:
    assert run(*ASK, "--regions", "hull", "--sensitivity", "--json").document["sensitivity"]["region"] == "hull"
    said = run(*ASK, "--regions", "mvee_embedding", "--sensitivity", "--json").mistake
    assert "not been evaluated" in said


def test_the_printed_report_fits_80_columns(run: Runner) -> None:
    with Workspace.open(run.root) as workspace, workspace.store.transaction():
        workspace.save_topic(TOPIC, CORE, [Version("a name that is long enough to fill a column", 9, ids_of(2, 9))])
    printed = run(*ASK, "a name that is long enough to fill a column", "--regions", "cosine", "--sensitivity").out
    _, _, report = printed.partition("Range of F-beta")
    lines = report.splitlines()
    assert len(lines) > 50
    assert max(map(len, lines)) <= 80
    for words in ("decay limit 20,000", "threshold best", "Cluster, core share 0.5", "is ahead of", "Convex hull"):
        assert words in report


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--name", "review", "a\x1b[31mb"), "name is plain text"),
        (("--name", "review", "x" * 81), "got 81"),
        (("--note", "review", "a\x07b"), "note is plain text"),
        (("--restore", "review"), "is not deleted"),
    ],
)
def test_what_versions_refuses(run: Runner, asked: tuple[str, ...], said: str) -> None:
    assert said in run("versions", "--topic", TOPIC, *asked).mistake


def test_the_last_version_can_be_deleted_and_nothing_is_left_to_compare(run: Runner) -> None:
    for label in ("baseline", "review"):
        printed = run("versions", "--topic", TOPIC, "--delete", label)
    assert "--restore baseline" in printed.out + printed.err
    assert "was deleted: restore it" in run(*ASK, "--regions", "cosine").mistake
