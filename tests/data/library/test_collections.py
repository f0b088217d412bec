"""Real searches brought in from first to last: what their authors counted is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.library.overlap import overlap
from data.explore.workspace import Workspace
from data.library.duplicates import join, proposals
from data.library.imports import ImportChoices, bring_files
from data.library.records import SourceRole

pytestmark = pytest.mark.collections

SEARCHES = {"search1_166": 10, "search2_278": 11, "search3_302": 11, "search4_460": 13, "search5_495": 13}
STAGES = ("Dimensions_246", "econlit_3", "envindex_100", "lens_343", "medline_84", "wos_278")
IN_FINAL = {"Dimensions_246": 21, "econlit_3": 0, "envindex_100": 16, "lens_343": 21, "medline_84": 14, "wos_278": 22}


@pytest.mark.parametrize("core_first", [True, False])
def test_wildfire_searches_find_what_was_published(
    workspace: Workspace, collections_dir: Path, core_first: bool
) -> None:
    """Found of 15, whether the list of known publications comes before the searches or after."""
    folder = collections_dir / "citesource_new_benchmark"

    def bring_core() -> None:
        bring_files(workspace, "wildfire", SourceRole("core"), [folder / "benchmark_15.ris"])

    if core_first:
        bring_core()
    for name in SEARCHES:
        bring_files(workspace, "wildfire", SourceRole("version", name), [folder / f"{name}.ris"])
    if not core_first:
        bring_core()
    core = set(workspace.store.load_core("wildfire").ids)
    assert len(core) == 15
    found = {}
    for name in SEARCHES:
        row = workspace.version("wildfire", name)
        assert row.n_retrieved == int(name.rsplit("_")[-1])
        found[name] = len(core & set(workspace.store.load_retrieved_ids(row.version.query_id)))
    assert found == SEARCHES


def shared(workspace: Workspace) -> dict[tuple[str, str], int]:
    """How many publications each two files have in common."""
    held: dict[str, set[str]] = {}
    for name, publication_id in workspace.store.rows(
        "SELECT s.name, r.publication_id FROM records AS r JOIN sources AS s USING (source_id)"
    ):
        held.setdefault(name.removesuffix(".ris"), set()).add(publication_id)
    found = overlap(held)
    return {(a, b): found.shared[i][j] for i, a in enumerate(found.names) for j, b in enumerate(found.names)}


def test_overlaps_of_six_databases(workspace: Workspace, collections_dir: Path) -> None:
    """Twins with one title and two DOIs are proposed and not merged: with them joined, the published 212 come out."""
    folder = collections_dir / "citesource_stages"
    bring_files(workspace, "fire", SourceRole("corpus"), [folder / f"{name}.ris" for name in STAGES])
    bring_files(workspace, "fire", SourceRole("version", "final"), [folder / "final_24.ris"])
    before = shared(workspace)
    assert {name: before[name, "final_24"] for name in STAGES} == IN_FINAL
    assert (before["lens_343", "Dimensions_246"], before["lens_343", "envindex_100"]) == (215, 82)
    for proposal in proposals(workspace, "fire"):
        there = workspace.store.topic_publication_ids("fire")
        if proposal.pair.why.startswith("the same title") and {proposal.pair.a, proposal.pair.b} <= set(there):
            join(workspace, "fire", proposal.pair.a, proposal.pair.b)
    # The published union, 496 by DOI or normalised title, takes two works called "Index" for one.
    after = shared(workspace)
    assert (after["lens_343", "Dimensions_246"], after["lens_343", "envindex_100"]) == (212, 82)
    assert len(workspace.store.topic_publication_ids("fire")) == 497, "the two called Index stay two"


@pytest.mark.parametrize("name", ["asreview_Kitchenham_2010/Kitchenham_2010.csv", "fastread_Kitchenham/Kitchenham.csv"])
def test_labels_of_kitchenham(workspace: Workspace, collections_dir: Path, name: str) -> None:
    choices = ImportChoices(included_as_core=True)
    report = bring_files(workspace, "software", SourceRole("corpus"), [collections_dir / name], choices)
    (file,) = report.files
    assert (file.records_in_file, file.parsed, file.n_included) == (1704, 1704, 45)
    assert file.n_new + file.n_merged == 1704
    assert len(workspace.store.load_core("software")) == 45


def test_two_databases_on_one_woodpecker(workspace: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "litsearchr_woodpecker"
    report = bring_files(workspace, "bird", SourceRole("corpus"), [folder / "scopus.ris", folder / "zoorec.txt"])
    assert [file.parsed for file in report.files] == [92, 134]
    assert report.n_publications == report.n_new == 226 - report.n_merged == 162
