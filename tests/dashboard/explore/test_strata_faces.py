"""Strata on the command line, on pages and in the report: the same counts, found again from the publications."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.explore.strata import CoreMember, stratify
from dashboard.explore.strata import strata_html
from data.audit.reports import ReportRequest, make
from data.explore.workspace import Workspace
from tests.dashboard.explore.test_versions_page import captions, open_versions
from tests.dashboard.runs import Runner
from tests.data.workspaces import CORE, MODEL, TOPIC, fill

WHERE = ("--topic", TOPIC, "--regions", "cosine,hull")


@pytest.fixture
def cited(run: Runner) -> Runner:
    """The core of years 1990 to 1997 is cited 0, 10, ... 60 times, the last not known; years limit one version."""
    with Workspace.open(run.root) as workspace:
        for n, publication_id in enumerate(CORE[:-1]):
            workspace.store.execute(
                "UPDATE publications SET times_cited = ? WHERE publication_id = ?", [10 * n, publication_id]
            )
        workspace.store.execute("UPDATE topics SET survey_kind = 'bibliometric'")
        workspace.store.execute("UPDATE query_versions SET text = 'tea AND year:1991-1995' WHERE label = 'baseline'")
    return run


def test_evaluate_lists_strata_only_if_asked(cited: Runner) -> None:
    asked = ("evaluate", *WHERE, "--version", "baseline")
    plain = cited(*asked, "--json").document
    document = cited(*asked, "--strata", "--json").document
    strata = document.pop("strata")
    assert document == plain
    assert (strata["n_core"], strata["n_found"]) == (plain["n_core"], plain["n_found"]) == (8, 5)
    counts = {kind: [(s["stratum"], s["n_found"], s["n_core"]) for s in of] for kind, of in strata["strata"].items()}
    assert counts["citations"] == [
        *(("Least cited quarter", 0, 2), ("Second quarter", 1, 2), ("Third quarter", 1, 1)),
        *(("Most cited quarter", 2, 2), ("Citations not known", 1, 1)),
    ]
    assert [(s["low"], s["high"]) for s in strata["strata"]["year"]] == [
        *((1990, 1991), (1992, 1993), (1994, 1995), (1996, 1997))
    ]
    assert counts["survey"] == [("Bibliometric", 5, 8)]
    assert counts["year_limits"] == [("Within 1991–1995", 3, 5), ("Outside 1991–1995", 2, 3)]
    assert (strata["year_limits"], strata["n_core_outside_year_limits"]) == ([[1991, 1995]], 3)
    assert strata["differences"]["citations"]["difference"] == 1.0
    (whole,) = strata["strata"]["survey"]
    for kind, region in plain["regions"].items():
        assert whole["regions"][kind]["f_beta"] == region["f_beta"]
        assert whole["regions"][kind]["n_accepted_core"] == region["n_accepted_core"]
    table = cited(*asked, "--strata").out
    assert all(name in table for of in counts.values() for name, *_ in of)
    assert "3 of 8 core publications" in table
    assert "outside 1991–1995" in table


def test_compare_lists_the_strata_of_each_version(cited: Runner) -> None:
    asked = ("compare", *WHERE, "--versions", "baseline", "review", "--strata")
    strata = cited(*asked, "--json").document["strata"]
    assert list(strata) == ["baseline", "review"]
    for label, found in strata.items():
        alone = cited("evaluate", *WHERE, "--version", label, "--strata", "--json").document["strata"]
        assert found == alone
    assert "year_limits" not in strata["review"]["strata"]
    assert "0.500 (1 of 2)" in cited(*asked).out


def test_strata_of_many_topics_add_up(cited: Runner) -> None:
    found = cited("studies", "strata", "--topics", TOPIC, "--origin", "baseline", "--json").document
    assert [each["version"] for each in found["versions"]] == ["baseline"]
    for of_kind in found["strata"].values():
        assert (sum(s["n_found"] for s in of_kind), sum(s["n_core"] for s in of_kind)) == (5, 8)
        assert {(s["n_topics"], s["interval"]) for s in of_kind} == {(1, None)}
    printed = cited("studies", "strata", "--topics", TOPIC, "--origin", "generated")
    assert "origin generated" in printed.out + printed.err
    assert "nowhere" in cited("studies", "strata", "--topics", "nowhere").mistake


def test_the_report_has_the_same_strata(cited: Runner) -> None:
    strata = cited("evaluate", *WHERE, "--version", "baseline", "--strata", "--json").document["strata"]["strata"]
    with Workspace.open(cited.root) as workspace:
        made = make(workspace, ReportRequest("quality", TOPIC, ("baseline",), embedder=MODEL))
    (table,) = [table for table in made.document.tables if table.name == "core-strata"]
    expected = [
        (s["stratum"], s["n_found"], s["n_core"], s["recall"], *s["recall_interval"])
        for of_kind in strata.values()
        for s in of_kind
    ]
    assert [(row[2], *row[4:9]) for row in table.rows] == expected
    scores = [s["regions"]["cosine"] for of_kind in strata.values() for s in of_kind]
    assert [row[9:] for row in table.rows] == [(s["core_accepted"], s["f_beta"]) for s in scores]


def test_pages_show_the_strata_of_each_version(root: Path) -> None:
    fill(root)
    app = open_versions()
    (html,) = [html.proto.body for html in app.get("html") if "qs-strata" in html.proto.body]
    assert html.count('class="bar"') == 2 * html.count('<tr><th scope="row">')
    assert "Earliest quarter" in html
    assert "Latest quarter minus earliest quarter" in captions(app)


def test_names_of_versions_are_escaped_and_bars_are_as_long_as_the_recall() -> None:
    members = [CoreMember(f"c{n}", 2000 + n, n) for n in range(8)]
    strata = stratify(members, {"c0", "c7"}, limits=None)
    html = strata_html({"<b>a</b>": strata, "b": strata}, "light")
    assert "<b>a" not in html

    widths = re.findall(r'class="bar" style="(width:[^"]*)"', html)
    of_citations = [f"width:{100 * s.recall:.1f}%" for s in strata.partitions["citations"] for _ in range(2)]
    assert widths[: len(of_citations)] == of_citations
