"""LitQEval collections: small made-up ones with everything that can be odd, and the real one."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.errors import DownloadError, FileError, FormatError
from core.types import Publication
from data.library.litqeval import LitQEvalCollection, LitQEvalTopic, download_litqeval, load_litqeval
from tests.data.collections import write_workbook
from tests.messages import refusal

CORE = [
    ["Topic", "Survey", "Pub_id", "Title"],
    ["Tea Brewing", "s1", " p1 ", "One, from the core list"],
    ["Tea Brewing", "s1", "p2", "Two, from the core list"],
    ["Tea Brewing", "s2", "p2", "Two again"],
    ["Tea Brewing", None, None, "No id"],
    [None, "s1", "p8", "No topic"],
    ['"Kettle" Design', None, "p3", "Three"],
]
METADATA = [
    [" ID ", "Title", "DOI", "Abstract", "times_cited", "field_citation_ratio", "Year", "More"],
    ["p1", "One", "10.1/1", " First. ", "12", 1.5, 2019.0, "x"],
    ["p4", "Four", None, "[No abstract available]", 3.0, None, "2020", None],
    ["p4", "Four, repeated", "10.1/4", None, 99, None, 1999, None],
    [None, "No id", None, None, None, None, None, None],
]
QUERIES: list[Any] = [{"baseline": "Tea Brewing", "predicted": "tea OR leaf", "slr": None}, {"baseline": "Cup Shapes"}]
BASELINE = (
    '\ufeffid,Title,abstract\np1,One listed,Listed.\np4,Four listed,"Two\nlines"\n p5 ,Five,nan\np5,Five,x\n,No id,\n'
)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """The folder above data/."""
    root = tmp_path / "collection" / "data"
    (root / "text/Tea_Brewing").mkdir(parents=True)
    (root / "text/Kettle_Design").mkdir()
    write_workbook(root / "core_publications.xlsx", CORE)
    write_workbook(root / "metadata.xlsx", METADATA)
    (root / "queries.json").write_text(json.dumps(QUERIES), "utf-8")
    (root / "text/Tea_Brewing/baseline_pubs.csv").write_text(BASELINE, "utf-8")
    (root / "text/Kettle_Design/slr_pubs.csv").write_text("id,title,abstract\n", "utf-8")
    return root.parent


def topic(loaded: LitQEvalCollection, topic_id: str) -> LitQEvalTopic:
    return next(topic for topic in loaded.topics if topic.topic_id == topic_id)


def test_topics_keep_their_names_and_versions_their_order(collection: Path) -> None:
    loaded = load_litqeval(collection)
    assert loaded == load_litqeval(collection / "data")
    assert loaded.folder == str(collection / "data")
    assert [t.topic_id for t in loaded.topics] == ["Tea Brewing", '"Kettle" Design', "Cup Shapes"]
    tea = topic(loaded, "Tea Brewing")
    assert (tea.survey_ids, tea.core_ids) == (("s1", "s2"), ("p1", "p2"))
    assert [(v.label, v.number, v.text, v.origin, v.retrieved_ids) for v in tea.versions] == [
        ("baseline", 1, "Tea Brewing", "baseline", ("p1", "p4", "p5")),
        ("predicted", 2, "tea OR leaf", "generated", None),
    ]


def test_a_list_without_a_query_text_is_a_version_all_the_same(collection: Path) -> None:
    (kettle,) = topic(load_litqeval(collection), '"Kettle" Design').versions
    assert (kettle.label, kettle.number, kettle.text, kettle.retrieved_ids) == ("slr", 1, "", ())
    (collection / "data/queries.json").unlink()
    (tea,) = topic(load_litqeval(collection), "Tea Brewing").versions
    assert (tea.label, tea.text) == ("baseline", "Tea Brewing")


def test_metadata_wins_and_lists_fill_its_gaps(collection: Path) -> None:
    publications = {p.publication_id: p for p in load_litqeval(collection).publications}
    assert publications == {
        "p1": Publication("p1", "One", "First.", 2019, "10.1/1", 12),
        "p4": Publication("p4", "Four", "Two\nlines", 2020, "10.1/4", 3),
        "p5": Publication("p5", "Five", "x"),
        "p2": Publication("p2", "Two again"),
        "p3": Publication("p3", "Three"),
    }


def assert_notes(notes: Iterable[str], *expected: tuple[str, str, str]) -> None:
    """Each note begins with its file, has a fact in it, and ends with a number or a name."""
    for note, (file, fact, end) in zip(notes, expected, strict=True):
        assert note.startswith(file)
        assert fact in note
        assert note.endswith(end)


def test_what_is_odd_is_counted_and_what_is_missing_is_listed(collection: Path) -> None:
    stray = collection / "data/text/Teas/slr_pubs.csv"
    stray.parent.mkdir()
    stray.write_text("id\n", "utf-8")
    loaded = load_litqeval(collection)
    assert loaded.missing_files == ("text/Cup_Shapes/baseline_pubs.csv", "text/Tea_Brewing/predicted_pubs.csv")
    assert_notes(
        loaded.notes,
        ("core_publications.xlsx: ", "without a topic", ": 1"),
        ("core_publications.xlsx: ", "without an id", ": 1"),
        ("core_publications.xlsx: ", "repeated rows", ": 1"),
        ("core_publications.xlsx: ", "no row", '"Cup Shapes"'),
        ("queries.json: ", "no entry", '""Kettle" Design"'),
        ("metadata.xlsx: ", "without a row", ": 2"),
        ("metadata.xlsx: ", "without an id", ": 1"),
        ("metadata.xlsx: ", "repeated ids", ": 1"),
        ("text/Tea_Brewing/baseline_pubs.csv: ", "without an id", ": 1"),
        ("text/Tea_Brewing/baseline_pubs.csv: ", "repeated ids", ": 1"),
        ("text/Teas/slr_pubs.csv: ", "not read", "label"),
    )


def test_only_the_core_publications_are_needed(collection: Path) -> None:
    for name in ("metadata.xlsx", "queries.json"):
        (collection / "data" / name).unlink()
    shutil.rmtree(collection / "data/text")
    loaded = load_litqeval(collection)
    assert loaded.missing_files == ("metadata.xlsx", "queries.json")
    assert [len(t.versions) for t in loaded.topics] == [0, 0]
    (collection / "data/core_publications.xlsx").unlink()
    for folder in (collection, collection / "nowhere"):
        with pytest.raises(FileError, match=r"core_publications\.xlsx"):
            load_litqeval(folder)


def test_a_topic_name_that_leads_out_of_the_collection_reads_nothing(collection: Path) -> None:
    write_workbook(collection / "data/core_publications.xlsx", [*CORE, ["../../..", None, "p9", "Nine"]])
    (collection.parent / "slr_pubs.csv").write_text("id\np1\n", "utf-8")
    loaded = load_litqeval(collection)
    assert topic(loaded, "../../..").versions == ()
    assert any('"../../.." leads outside' in note for note in loaded.notes)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("core_publications.xlsx", b"<html>", r"core_publications\.xlsx can't be read as an Excel workbook"),
        ("metadata.xlsx", b"PK\x03\x04 cut off", r"metadata\.xlsx can't be read as an Excel workbook"),
        ("metadata.xlsx", [["id", "Name"]], r"metadata\.xlsx has no column title, abstract .*found: id, Name"),
        ("core_publications.xlsx", [], r"no column Topic, Pub_id \(columns found: none\)"),
        ("queries.json", b'[\n{"baseline": }]', r"queries\.json is not valid JSON: .* in line 2"),
        ("queries.json", b"{}", r"queries\.json must be a list"),
        ("queries.json", b"[" * 100_000, r"queries\.json is not a list of queries"),
        ("text/Tea_Brewing/slr_pubs.csv", b"key;title\n", r"slr_pubs\.csv has no column id .*found: key;title"),
        ("text/Tea_Brewing/slr_pubs.csv", b"", r"slr_pubs\.csv has no column id"),
    ],
)
def test_a_broken_file_is_one_line(name: str, content: Any, message: str, collection: Path) -> None:
    path = collection / "data" / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        write_workbook(path, content)
    with pytest.raises(FormatError, match=message) as caught:
        load_litqeval(collection)
    assert "\n" not in str(caught.value)


def test_odd_queries_are_counted(collection: Path) -> None:
    odd = [*QUERIES, "text", {"slr": "x"}, {"baseline": " Tea Brewing ", "slr": ["x"]}]
    (collection / "data/queries.json").write_text(json.dumps(odd), "utf-8")
    loaded = load_litqeval(collection)
    counted = [note for note in loaded.notes if note.startswith("queries.json: ") and note[-1].isdigit()]
    facts = ("not objects", "without a baseline", "repeated topics", "not text")
    assert_notes(counted, *(("queries.json: ", fact, ": 1") for fact in facts))


def serve(server: HTTPServer, folder: Path) -> str:
    def handler(request: Request) -> Response:
        path = folder / request.path.removeprefix("/base/")
        return Response(path.read_bytes()) if path.is_file() else Response(status=404)

    server.expect_request(re.compile("^/base/")).respond_with_handler(handler)
    return server.url_for("/base")


@pytest.mark.parametrize("inside", ["", "data"])
def test_a_download_loads_like_its_source(
    inside: str, collection: Path, tmp_path: Path, httpserver: HTTPServer
) -> None:
    url = serve(httpserver, collection / inside)
    done = download_litqeval(url, tmp_path / "copy", sleep=lambda seconds: None)
    loaded, source = load_litqeval(done.folder), load_litqeval(collection)
    assert (loaded.topics, loaded.publications, loaded.notes) == (source.topics, source.publications, source.notes)
    assert done.missing_files == loaded.missing_files == source.missing_files
    n_before = len(httpserver.log)
    download_litqeval(url, tmp_path / "copy", sleep=lambda seconds: None)
    again = [request.path for request, response in httpserver.log[n_before:] if response.status_code == 200]
    assert again == []


def test_a_download_of_something_else_is_one_line(tmp_path: Path, httpserver: HTTPServer) -> None:
    (tmp_path / "site").mkdir()
    url = serve(httpserver, tmp_path / "site")
    with refusal(DownloadError):
        download_litqeval(url, tmp_path / "copy", sleep=lambda seconds: None)
    (tmp_path / "site/core_publications.xlsx").write_text("<html>Welcome</html>")
    with refusal(FormatError):
        download_litqeval(url, tmp_path / "copy", sleep=lambda seconds: None)
    assert not (tmp_path / "copy/core_publications.xlsx").exists()


@pytest.fixture
def real(collections_dir: Path) -> LitQEvalCollection:
    return load_litqeval(collections_dir / "litqeval")


@pytest.mark.collections
def test_the_real_collection_is_whole_but_for_the_lists_that_are_not_there(real: LitQEvalCollection) -> None:
    assert len(real.topics) == 21
    assert sum(len(t.core_ids) for t in real.topics) == 808
    assert_notes(real.notes, ("metadata.xlsx: ", "without a row", ": 39"))
    core = {core_id for t in real.topics for core_id in t.core_ids}
    assert sum(p.abstract is None for p in real.publications if p.publication_id in core) == 39
    versions = [version for t in real.topics for version in t.versions]
    assert len(versions) == 49
    assert len(real.missing_files) == sum(version.retrieved_ids is None for version in versions) == 41
    assert "text/Cloud_Migration/slr_pubs.csv" in real.missing_files


@pytest.mark.collections
@pytest.mark.parametrize(
    ("topic_id", "label", "n_found", "n_core", "n_retrieved"),
    [
        ("Business Process Meta Models", "baseline", 8, 26, 974),
        ("Business Process Meta Models", "slr", 17, 26, 1266),
        ("Green Warehousing", "baseline", 6, 38, 187),
        ("Multicore Performance Prediction", "baseline", 0, 33, 384),
        ("Multicore Performance Prediction", "slr", 0, 33, 54),
        ("Nanopharmaceuticals OR Nanonutraceuticals", "baseline", 0, 50, 468),
        ("Software Process Line", "slr", 16, 43, 101),
        ("Tourism Growth Nexus", "baseline", 2, 25, 359),
    ],
)
def test_the_real_lists_find_the_published_core(
    topic_id: str, label: str, n_found: int, n_core: int, n_retrieved: int, real: LitQEvalCollection
) -> None:
    found = topic(real, topic_id)
    (retrieved,) = [set(v.retrieved_ids or ()) for v in found.versions if v.label == label]
    assert (len(retrieved & set(found.core_ids)), len(found.core_ids), len(retrieved)) == (n_found, n_core, n_retrieved)
