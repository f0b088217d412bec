"""The real tables, workbooks, lists and experiments: every record of each, its fields where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.reading import read_file
from data.importers.source import ReadOptions

pytestmark = pytest.mark.collections


@pytest.mark.parametrize(
    ("name", "included", "without_abstract"),
    [
        ("asreview_Cohen_2006/ADHD.csv", 20, 48),
        ("asreview_Cohen_2006/Antihistamines.csv", 16, 23),
        ("asreview_Cohen_2006/Triptans.csv", 24, 77),
        ("asreview_Kitchenham_2010/Kitchenham_2010.csv", 45, 4),
        ("fastread_Kitchenham/Kitchenham.csv", 45, 4),
    ],
)
def test_labels_and_abstracts_of_screening_lists(
    collections_dir: Path, name: str, included: int, without_abstract: int
) -> None:
    found = read_file(collections_dir / name)
    assert found.n_included == included
    assert all(record.included is not None and record.title for record in found.records)
    assert sum(record.abstract is None for record in found.records) == without_abstract
    if "Cohen" in name:
        assert all(record.pmid and record.own_id for record in found.records)


def test_some_fields_of_real_exports(collections_dir: Path) -> None:
    scopus = read_file(collections_dir / "formats/bibliometrix__scopus_sample.csv").records
    assert [record.pmid is not None for record in scopus].count(True) == 4
    assert all(record.doi and record.year in (2025, 2026) and record.abstract for record in scopus)
    assert (scopus[0].authors[0], scopus[0].venue, scopus[0].kind) == ("Liu, Fengyuan", "Digital Health", "article")
    assert scopus[1].pages == "307-319"
    dimensions = read_file(collections_dir / "formats/dimensions__publications_5rows_with_preamble.csv").records
    assert (dimensions[0].own_id, dimensions[0].year, dimensions[0].line) == ("pub.1173974926", 2024, 3)
    assert dimensions[1].pages == "451-452"
    embase = read_file(collections_dir / "formats/asreview__embase.csv").records
    assert (embase[1].venue, embase[1].year, embase[1].doi) == ("Cancer", 2004, "10.1002/cncr.20369")
    assert len(embase[1].authors) == 7
    zotero = read_file(collections_dir / "formats/semantic_bibtool__zotero.csv").records
    assert sum(record.doi is not None for record in zotero) == 11
    assert sum(record.abstract is not None for record in zotero) == 18


def test_some_fields_of_research_collections(collections_dir: Path) -> None:
    trajectories = read_file(collections_dir / "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-1.csv").records
    assert sum(record.abstract is not None for record in trajectories) == 196
    assert trajectories[0].authors[4] == "Begré, S."
    assert trajectories[0].own_id == "139"
    assert sum(record.doi is not None for record in trajectories) == 125  # 99 in their column, 26 in addresses
    cranfield = read_file(collections_dir / "cranfield_trec/cran.all.1400.xml").records
    assert [record.own_id for record in cranfield if not record.title] == ["471", "995"]
    assert (cranfield[0].year, cranfield[0].authors) == (1958, ("brenckman, m.",))
    judgments = read_file(collections_dir / "cranfield_trec/cranqrel.trec.txt")
    assert (judgments.n_included, len({record.query_id for record in judgments.records})) == (1612, 225)
    run = read_file(collections_dir / "ielab_seed/retrieved.res").records
    assert len({record.query_id for record in run}) == 20
    assert all(record.pmid == record.own_id for record in run if len(record.own_id or "") > 5)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cranfield_trec/cran.qry.xml", "no known format"),
        ("ielab_seed/expected.csv", "map its columns"),
        ("litqeval/results.xlsx", "map its columns"),
        ("litqeval/published_threshold_curves.csv", "map its columns"),
    ],
)
def test_what_is_no_list_of_publications_says_so(collections_dir: Path, name: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_file(collections_dir / name)


def test_a_mapping_makes_records_of_any_table(collections_dir: Path) -> None:
    asked = ReadOptions(columns={"title": "Query", "own_id": ""})
    found = read_file(collections_dir / "litqeval/results.xlsx", asked=asked)
    assert (found.records_in_file, len(found.records)) == (42, 42)
