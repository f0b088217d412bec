"""The real tables, workbooks, lists and experiments: every record of each, its fields where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.reading import read_file
from data.importers.source import Asked

pytestmark = pytest.mark.collections

FILES = {
    # file: (format, records in it, parsed, rejected)
    "formats/asreview__duplicate_records.csv": ("csv", 14, 10, 4),
    "formats/asreview__embase.csv": ("embase_csv", 6, 6, 0),
    "formats/asreview__generic.csv": ("csv", 2, 2, 0),
    "formats/asreview__generic_bad_record_id.csv": ("asreview_csv", 6, 6, 0),
    "formats/asreview__generic_column_names_with_spaces.csv": ("csv", 2, 2, 0),
    "formats/asreview__generic_labels.csv": ("asreview_csv", 6, 6, 0),
    "formats/asreview__generic_labels_no_abs.csv": ("asreview_csv", 6, 6, 0),
    "formats/asreview__generic_labels_no_title.csv": ("asreview_csv", 6, 6, 0),
    "formats/asreview__generic_partial_labels.csv": ("asreview_csv", 6, 6, 0),
    "formats/asreview__generic_semicolon.csv": ("csv", 2, 2, 0),
    "formats/asreview__generic_tab.csv": ("csv", 2, 2, 0),
    "formats/asreview__generic_tab.tsv": ("csv", 2, 2, 0),
    "formats/asreview__missing_values.csv": ("csv", 4, 4, 0),
    "formats/asreview__record_id.csv": ("asreview_csv", 10, 10, 0),
    "formats/bibliometrix__openalex_sample.csv": ("openalex_csv", 8, 8, 0),
    "formats/bibliometrix__scopus_sample.csv": ("scopus_csv", 8, 8, 0),
    "formats/colrev__csv_data.csv": ("pubmed_csv", 2, 2, 0),
    "formats/colrev__ieee_csv.csv": ("ieee_csv", 2, 2, 0),
    "formats/colrev__springer_csv.csv": ("springer_csv", 1, 1, 0),
    "formats/colrev__xlsx_data.xlsx": ("xlsx", 3, 3, 0),
    "formats/dimensions__publications_5rows.csv": ("dimensions_csv", 5, 5, 0),
    "formats/dimensions__publications_5rows_with_preamble.csv": ("dimensions_csv", 5, 5, 0),
    "formats/semantic_bibtool__zotero.csv": ("zotero_csv", 24, 24, 0),
    "asreview_Cohen_2006/ADHD.csv": ("asreview_csv", 851, 851, 0),
    "asreview_Cohen_2006/Antihistamines.csv": ("asreview_csv", 310, 310, 0),
    "asreview_Cohen_2006/Triptans.csv": ("asreview_csv", 671, 671, 0),
    "asreview_Kitchenham_2010/Kitchenham_2010.csv": ("asreview_csv", 1704, 1704, 0),
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-1.csv": ("csv", 363, 363, 0),
    "fastread_Kitchenham/Kitchenham.csv": ("asreview_csv", 1704, 1704, 0),
    "csfcube/papers.csv": ("csv", 3368, 3368, 0),
    "csfcube/judgements.csv": ("csv", 4051, 4051, 0),
    "cranfield_trec/cran.all.1400.xml": ("trec_documents", 1400, 1400, 0),
    "cranfield_trec/cranqrel.trec.txt": ("trec_qrels", 1837, 1837, 0),
    "ielab_seed/retrieved.res": ("trec_run", 18156, 18156, 0),
    "litqeval/data/metadata.xlsx": ("xlsx", 785, 785, 0),
    "litqeval/data/core_publications.xlsx": ("xlsx", 808, 808, 0),
    "litqeval/data/text/Green_Warehousing/baseline_pubs.csv": ("csv", 187, 187, 0),
    "litqeval/data/text/Business_Process_Meta_Models/slr_pubs.csv": ("csv", 1266, 1266, 0),
}


@pytest.mark.parametrize("name", FILES)
def test_every_record_of_a_real_file(collections_dir: Path, name: str) -> None:
    found = read_file(collections_dir / name)
    assert (found.format_id, found.records_in_file, len(found.records), len(found.rejected)) == FILES[name]
    assert len({record.line for record in found.records}) == found.records_in_file - len(found.rejected)


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
        ("formats/colrev__md_data.md", "no bibliography"),
        ("cranfield_trec/cran.qry.xml", "no bibliography"),
        ("ielab_seed/expected.csv", "map its columns"),
        ("litqeval/results.xlsx", "map its columns"),
        ("litqeval/published_threshold_curves.csv", "map its columns"),
    ],
)
def test_what_is_no_list_of_publications_says_so(collections_dir: Path, name: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_file(collections_dir / name)


def test_a_mapping_makes_records_of_any_table(collections_dir: Path) -> None:
    asked = Asked(columns={"title": "Query", "own_id": ""})
    found = read_file(collections_dir / "litqeval/results.xlsx", asked=asked)
    assert (found.records_in_file, len(found.records)) == (42, 42)
