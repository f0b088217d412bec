"""A file of Retraction Watch: read whole or not at all, kept once, and looked up whenever publications are read."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.errors import DownloadError, FormatError, InputError
from core.types import Publication
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.library.duplicates import join, proposals
from data.library.records import (
    load_details,
    load_versions,
    records_of,
    retracted_ids,
    retraction_statuses,
    sources_key,
)
from data.library.retractions import bring_retractions, load_retractions, notices_of, read_retractions
from tests.data.library.test_library import KETTLE, MUG, SPOON, TEA, brought, ris
from tests.messages import refusal

COLUMNS = (
    *("Record ID", "Title", "RetractionDate", "RetractionDOI", "OriginalPaperDOI", "OriginalPaperPubMedID"),
    *("RetractionNature", "Reason", "Notes"),
)
Notice = tuple[str, str, str, str]
"""DOI, PMID, nature and date of a row."""
TEA_RETRACTED: Notice = ("10.1000/TEA.1", "0", "Retraction", "8/5/2023 0:00")
SPOON_CONCERN: Notice = ("unavailable", "35957633", "Expression of concern", "12/31/2022 0:00")
KETTLE_CORRECTED: Notice = ("10.1000/kettle", "0", "Correction", "1/1/2020 0:00")


def watch(*notices: Notice, columns: Sequence[str] = COLUMNS) -> bytes:
    """The CSV; every title has a quoted line break, as some of Retraction Watch do."""
    out = io.StringIO()
    rows = csv.DictWriter(out, columns, extrasaction="ignore")
    rows.writeheader()
    for number, (doi, pmid, nature, date) in enumerate(notices, 1):
        rows.writerow(
            {
                "Record ID": number,
                "Title": "Soup\nand sleep",
                "RetractionDate": date,
                "RetractionDOI": f"10.9999/notice.{number}",
                "OriginalPaperDOI": doi,
                "OriginalPaperPubMedID": pmid,
                "RetractionNature": nature,
                "Reason": "+Error in Data;+Results Not Reproducible;",
                "Notes": "see, here",
            }
        )
    return out.getvalue().encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "retraction_watch.csv"
    path.write_bytes(watch(TEA_RETRACTED, SPOON_CONCERN, KETTLE_CORRECTED, ("unavailable", "0", "Retraction", "")))
    return path


def test_what_a_file_says(file: Path) -> None:
    known = read_retractions(file)
    assert [(n.doi, n.pmid, n.nature, n.date) for n in known.notices] == [
        ("10.1000/tea.1", None, "retraction", "2023-08-05"),
        (None, "35957633", "expression of concern", "2022-12-31"),
        ("10.1000/kettle", None, "correction", "2020-01-01"),
    ]
    assert known.notices[0].reason == "Error in Data; Results Not Reproducible"
    assert (known.n_without_id, known.notes, known.latest) == (1, (), "2023-08-05")


REAL_HEADER = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,"
    "RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,"
    "Paywalled,Notes"
)


@pytest.mark.parametrize(("head_end", "row_end"), [("", ""), (",", ","), (",", ""), ("", ",")])
def test_the_published_layout_is_read_with_and_without_commas_at_the_ends(
    tmp_path: Path, head_end: str, row_end: str
) -> None:
    row = '1,"Soup, and sleep",,,J,P,,A,,Article;,8/7/2026 0:00,10.1/n,0,3/7/2026 0:00,10.1000/TEA.1,0,Retraction,'
    path = tmp_path / "x.csv"
    path.write_text(f"{REAL_HEADER}{head_end}\n" + f"{row}+Paper Mill;,No,{row_end}\n" * 2)
    known = read_retractions(path)
    assert [(n.doi, n.date, n.reason) for n in known.notices] == [("10.1000/tea.1", "2026-08-07", "Paper Mill")] * 2
    assert known.notes == ()


def test_columns_may_come_in_any_order_and_windows_encoding(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(watch(TEA_RETRACTED, columns=tuple(reversed(COLUMNS))).replace(b"Soup", b"So\xfcp"))
    assert [n.doi for n in read_retractions(path).notices] == ["10.1000/tea.1"]


@pytest.mark.parametrize("n_lost", [3, 30, 80])
def test_a_file_that_is_cut_off_is_not_stored(tmp_path: Path, file: Path, n_lost: int) -> None:
    paths = WorkspacePaths(tmp_path)
    bring_retractions(paths, str(file))
    cut = tmp_path / "cut.csv"
    cut.write_bytes(watch(TEA_RETRACTED, SPOON_CONCERN).rstrip()[: -n_lost - 10])
    with refusal(FormatError) as caught:
        bring_retractions(paths, str(cut))
    assert "line 4" in str(caught.value)
    known = load_retractions(paths)
    assert known is not None
    assert known.source == file.name


@pytest.mark.parametrize("lacking", ["OriginalPaperDOI", "OriginalPaperPubMedID", "RetractionNature", "RetractionDate"])
def test_a_file_with_other_columns_is_refused(tmp_path: Path, lacking: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(watch(TEA_RETRACTED, columns=[name for name in COLUMNS if name != lacking]))
    with refusal(FormatError) as caught:
        read_retractions(path)
    assert "line 1:" in str(caught.value)
    assert lacking in str(caught.value)
    path.write_bytes(b"")
    with pytest.raises(FormatError):
        read_retractions(path)


def test_rows_that_cannot_be_read_are_noted_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    good = watch(
        TEA_RETRACTED, ("10.1000/a", "", "Removal", ""), ("10.1000/b", "", "Retraction", "31/12/2020")
    ).decode()
    path.write_text(good + "1,2\n" + "1,2,3,4,5,6,7,8,9,10,11\n" + watch(SPOON_CONCERN).decode().partition("\n")[2])
    known = read_retractions(path)
    assert [n.nature for n in known.notices] == ["retraction", "retraction", "expression of concern"]
    assert [note.partition(":")[0] for note in known.notes] == [f"x.csv, line {line}" for line in (4, 6, 8, 9)]


def test_publications_of_any_topic_are_flagged_without_a_change_of_their_records(
    workspace: Workspace, file: Path
) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG, SPOON, KETTLE))
    store = workspace.store
    ids = store.topic_publication_ids("tea")
    assert retraction_statuses(store, ids) == {}
    key, state = sources_key(store), store.topic_state("tea")
    bring_retractions(workspace.paths, str(file))
    tea, spoon, kettle = "doi:10.1000/tea.1", "pmid:35957633", "doi:10.1000/kettle"
    assert {i: s.label for i, s in retraction_statuses(store, ids).items()} == {
        tea: "Retracted",
        spoon: "Expression of concern",
    }
    assert retracted_ids(store, ids) == {tea}
    assert [d.is_retracted for d in load_details(store, [tea, spoon, kettle])] == [True, None, None]
    assert "Error in Data" in notices_of(store, ids)[tea].text
    assert [r.is_retracted for r in records_of(store, [tea])[tea]] == [None]
    assert sources_key(store) != key
    assert store.topic_state("tea") == state


def test_a_newer_file_replaces_the_one_before(workspace: Workspace, file: Path) -> None:
    brought(workspace, "a.ris", ris(TEA))
    ids = workspace.store.topic_publication_ids("tea")
    assert bring_retractions(workspace.paths, str(file)).replaced == ""
    assert retracted_ids(workspace.store, ids) != frozenset()
    reinstated = ("10.1000/tea.1", "", "Reinstatement", "9/1/2024 0:00")
    (newer := file.with_name("newer.csv")).write_bytes(watch(TEA_RETRACTED, reinstated))
    assert bring_retractions(workspace.paths, str(newer)).replaced == file.name
    assert retracted_ids(workspace.store, ids) == frozenset()


def test_a_publication_without_records_is_known_by_its_doi(workspace: Workspace, file: Path) -> None:
    workspace.store.save_publications([Publication("p1", "Tea", doi="https://doi.org/10.1000/TEA.1")])
    bring_retractions(workspace.paths, str(file))
    assert retracted_ids(workspace.store, ["p1", "elsewhere"]) == {"p1"}
    assert load_details(workspace.store, ["p1"])[0].is_retracted is True


def test_an_address_is_downloaded_each_time(workspace: Workspace, httpserver: HTTPServer) -> None:
    address = httpserver.url_for("/raw/retraction_watch.csv")
    for notices in ((TEA_RETRACTED,), (TEA_RETRACTED, SPOON_CONCERN)):
        httpserver.clear()
        httpserver.expect_request("/raw/SHA256SUMS").respond_with_data("", status=404)
        httpserver.expect_request("/raw/retraction_watch.csv").respond_with_data(watch(*notices))
        assert len(bring_retractions(workspace.paths, address).retractions.notices) == len(notices)
    assert not list(workspace.paths.downloads("retractions").glob("*"))
    httpserver.clear()
    httpserver.expect_request("/raw/retraction_watch.csv").respond_with_data("", status=404)
    httpserver.expect_request("/raw/SHA256SUMS").respond_with_data("", status=404)
    with pytest.raises(DownloadError):
        bring_retractions(workspace.paths, address)


def test_a_wrong_place_and_a_damaged_store_are_reported(workspace: Workspace, file: Path) -> None:
    with refusal(InputError):
        bring_retractions(workspace.paths, "nowhere.csv")
    bring_retractions(workspace.paths, str(file))
    workspace.paths.retractions.write_bytes(b"\x1f\x8bdamaged")
    with refusal(FormatError):
        load_retractions(workspace.paths)
    assert bring_retractions(workspace.paths, str(file)).replaced == ""


PREPRINT = TEA | {"DO": "10.1101/2018.05.01.123456", "PY": "2018", "T2": "bioRxiv", "AU": "Leaf, Ann"}


def test_a_preprint_that_came_first_is_described_by_its_published_version_once_they_are_joined(
    workspace: Workspace,
) -> None:
    brought(workspace, "preprints.ris", ris(PREPRINT | {"AB": "We steep, first."}, MUG))
    brought(workspace, "b.ris", ris(TEA | {"T2": "Journal of Tea", "AU": "Leaf, Ann"}))
    store = workspace.store
    (proposal,) = proposals(workspace, "tea")
    assert proposal.pair.is_version_pair
    kept = "doi:10.1101/2018.05.01.123456"
    assert load_versions(store, kept) is None
    join(workspace, "tea", proposal.pair.a, proposal.pair.b)
    (details,) = load_details(store, [kept])
    assert (details.doi, details.year, details.venue) == ("10.1000/tea.1", 2019, "Journal of Tea")
    assert details.abstract == "We steep, first.", "the preprint fills gaps"
    versions = load_versions(store, kept)
    assert versions is not None
    assert (versions.published_dois, versions.preprint_dois) == (("10.1000/tea.1",), ("10.1101/2018.05.01.123456",))
    (publication,) = workspace.publications([kept])
    assert (publication.doi, publication.year) == ("10.1000/tea.1", 2019)
    assert proposals(workspace, "tea") == ()
