"""`get collection` and its kin: what the checker says, before and after, and what is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dashboard.retrieval.commands import get
from data.collections import list_collections, load_collection
from data.explore.workspace import Workspace
from data.retrieval.collections import SHAPES
from tests.dashboard.runs import Runner, ordered

KEYS = [
    "collection",
    "folder",
    "n_documents",
    "n_queries",
    "n_judgments",
    "n_judged_queries",
    "splits",
    "labels",
    "notes",
    "rejected",
    "oddities",
    "renumbered",
    "oddities_after",
]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "ws", capsys)


def write_beir(root: Path, *, judged: str = "q") -> Path:
    """Three documents and three queries; the judgments may number the queries otherwise."""
    (root / "qrels").mkdir(parents=True)
    documents = [{"_id": f"d{n}", "title": f"[bold]Soup[/] {n}", "text": f"Of leek {n}"} for n in range(3)]
    lines = [*(json.dumps(document) for document in documents), '{"_id": "d3", "ti']
    (root / "corpus.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    queries = [{"_id": f"q{n}", "text": f"leek {n}", "metadata": {"kind": "few words"}} for n in (1, 2, 3)]
    (root / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), "utf-8")
    rows = "".join(f"{judged}{n}\td{n - 1}\t1\n" for n in (1, 2, 3))
    (root / "qrels/test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", "utf-8")
    return root


def write_queries(root: Path) -> Path:
    """Queries without documents and judgments, as Paper Lantern has them."""
    root.mkdir(parents=True)
    queries = {f"query_{n}": {"settings": {"length": "short"}, "search_query": f"leek {n}"} for n in range(2)}
    (root / "lantern.json").write_text(json.dumps(queries), "utf-8")
    return root


def kinds(oddities: list[dict[str, Any]]) -> list[str]:
    return [oddity["kind"] for oddity in oddities]


def test_a_folder_is_read_checked_and_kept(run: Runner, tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "soups")
    document = run("get", "collection", "--from", folder, "--json").document
    ordered(document, KEYS)
    assert (document["collection"], document["folder"]) == ("soups", str(folder))
    assert [document[f"n_{what}"] for what in ("documents", "queries", "judgments", "judged_queries")] == [3, 3, 3, 3]
    assert document["splits"] == [{"split": "test", "n_queries": 3}]
    assert document["labels"] == ["kind"]
    (line,) = document["rejected"]
    assert (line["file"], line["line"]) == ("corpus.jsonl", 4)
    assert (document["renumbered"], document["oddities_after"]) == (False, None)
    with Workspace.open(run.root) as workspace:
        (row,) = list_collections(workspace.store)
        assert (row.name, row.origin, row.n_documents) == ("soups", str(folder), 3)
        assert load_collection(workspace.store, "soups").splits == {"test": ("q1", "q2", "q3")}


def test_people_are_told_what_comes_next(run: Runner, tmp_path: Path) -> None:
    shown = run("get", "collection", "--from", write_beir(tmp_path / "soups"), "--name", "My [b]soups")
    assert shown.status == 0, shown.err
    for fact in (
        "My [b]soups 3 documents, 3 queries, 3 judgments, from",
        "Split test: 3 queries",
        "labelled by kind",
        "1 line was",
        "corpus.jsonl, line 4",
        "Problems found: none.",
        'Next: queryscape benchmark --collection "My [b]soups" --retrievers bm25',
    ):
        assert fact in shown.out, shown.out


def test_a_trap_in_the_numbering_is_told_and_mended(run: Runner, tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "soups", judged="")
    ask = ("get", "collection", folder)
    before = run(*ask, "--json").document
    assert kinds(before["oddities"])[0] == "numbering"
    assert before["oddities"][0]["fix"]
    assert before["n_judged_queries"] == 0
    assert run(*ask).mistake.count('collection "soups" already exists')
    told = run(*ask, "--name", "second")
    assert "Metrics on this" in told.out
    assert "--replace --renumber" in told.out
    after = run(*ask, "--replace", "--renumber", "--json").document
    assert kinds(after["oddities"]) == kinds(before["oddities"])
    assert "numbering" not in kinds(after["oddities_after"])
    assert (after["renumbered"], after["n_judged_queries"]) == (True, 3)
    with Workspace.open(run.root) as workspace:
        assert load_collection(workspace.store, "soups").query_ids == ("1", "2", "3")
    mended = run(*ask, "--replace", "--renumber")
    assert "Problems after renumbering:" in mended.out
    assert "Fix it first" not in mended.out


def test_what_is_numbered_well_is_not_renumbered(run: Runner, tmp_path: Path) -> None:
    asked = run("get", "collection", "--from", write_beir(tmp_path / "soups"), "--renumber")
    assert "nothing to do" in asked.mistake
    with Workspace.open(run.root) as workspace:
        assert list_collections(workspace.store) == ()


def test_documents_of_another_collection_join(run: Runner, tmp_path: Path) -> None:
    run("get", "collection", "--from", write_beir(tmp_path / "soups"))
    folder = write_queries(tmp_path / "lantern")
    alone = run("get", "collection", "--from", folder)
    assert "be searched yet" in alone.out
    assert "--retrievers" not in alone.out
    for documents in ("soups", str(tmp_path / "soups")):
        ask = ("get", "paperlantern", "--from", folder, "--documents", documents, "--replace", "--json")
        document = run(*ask).document
        assert (document["collection"], document["n_documents"], document["n_queries"]) == ("paperlantern", 3, 2)
        assert any(note.startswith("3 documents") and '"soups"' in note for note in document["notes"])
        assert "no_documents" not in kinds(document["oddities"])
    (tmp_path / "soups/queries.jsonl").unlink()
    bare = run(*ask[:4], "--documents", str(tmp_path / "soups"), "--replace", "--json").document
    assert bare["n_documents"] == 3
    assert "has no documents" in run(*ask[:4], "--documents", folder, "--replace").mistake
    again = run("get", "collection", "--from", folder, "--name", "soups", "--documents", "soups", "--replace", "--json")
    assert (again.document["n_documents"], again.document["n_queries"]) == (3, 2)
    assert "no collection" in run("get", "collection", "--from", folder, "--documents", "stew", "--replace").mistake


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("collection", "--from", "no such folder"), "no such folder"),
        (("collection", "--from", "https://example.org/x"), "cranfield, medline, beir, stark, paperlantern"),
        (("beir", "--from", "ftp://example.org/x"), "http:// or https://"),
        (("collection", "--from", ".", "--name", "a/b"), "can't be a collection's name"),
        (("collection",), "get collection PATH"),
        (("collection", ".", "--from", "."), "path only once"),
        (("nonsense",), "No such command"),
    ],
)
def test_mistakes(run: Runner, arguments: tuple[str, ...], part: str) -> None:
    assert part in run("get", *arguments).mistake


@contextmanager
def served(httpserver: HTTPServer, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A folder behind an address, and what is asked of it."""
    asked: list[str] = []

    def answer(request: Request) -> Response:
        name = request.path.removeprefix("/base/")
        asked.append(name)
        path = folder / name
        return Response(path.read_bytes()) if path.is_file() else Response(status=404)

    httpserver.expect_request(re.compile("^/base/")).respond_with_handler(answer)
    yield httpserver.url_for("/base"), asked


def test_from_an_address_only_what_is_named_is_fetched(run: Runner, tmp_path: Path, httpserver: HTTPServer) -> None:
    folder = write_beir(tmp_path / "soups")
    (folder / "secret.txt").write_text("x", "utf-8")
    with served(httpserver, folder) as (address, asked):
        done = run("get", "beir", "--from", address, "--json")
        document = done.document
        assert (document["collection"], document["n_documents"], document["n_judged_queries"]) == ("beir", 3, 3)
        assert not [note for note in document["notes"] if "left out" in note]
        assert set(asked) <= {"SHA256SUMS", *SHAPES["beir"].variants[0]}
        assert "corpus.jsonl (" in done.err
        with Workspace.open(run.root) as workspace:
            assert list_collections(workspace.store)[0].origin == address
        asked.clear()
        run("get", "beir", "--from", address, "--replace")
        assert not {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"} & set(asked)


def test_an_address_without_the_files(run: Runner, tmp_path: Path, httpserver: HTTPServer) -> None:
    with served(httpserver, tmp_path) as (address, asked):
        mistake = run("get", "cranfield", "--from", address).mistake
    assert "there is no cran.all.1400.xml nor cran.all.1400 at" in mistake
    assert set(asked) == {"SHA256SUMS", "cran.all.1400.xml", "cran.all.1400"}


def test_what_a_server_says_in_the_place_of_a_file_is_not_kept(
    run: Runner, tmp_path: Path, httpserver: HTTPServer
) -> None:
    folder = write_beir(tmp_path / "soups")
    whole = {path: path.read_bytes() for path in (folder / "corpus.jsonl", folder / "queries.jsonl")}
    with served(httpserver, folder) as (address, _):
        for path in whole:
            path.write_text("<html><body>Log in first</body></html>", "utf-8")
        (folder / "qrels/test.tsv").unlink()
        refused = run("get", "beir", "--from", address)
        assert refused.status == 2
        assert "has no collection" in refused.err
        for path, content in whole.items():
            path.write_bytes(content)
        assert run("get", "beir", address, "--json").document["n_documents"] == 3


def test_help_lists_them() -> None:
    shown = get.get_help(click.Context(get))
    assert all(name in shown for name in ("collection", "litqeval", *SHAPES))


@pytest.mark.collections
def test_cranfield_with_its_trap(run: Runner, collections_dir: Path) -> None:
    folder = collections_dir / "cranfield_trec"
    before = run("get", "cranfield", "--from", folder, "--json").document
    assert [before[f"n_{what}"] for what in ("documents", "queries", "judgments")] == [1400, 225, 1837]
    by_kind = {oddity["kind"]: oddity for oddity in before["oddities"]}
    assert kinds(before["oddities"])[0] == "numbering"
    assert by_kind["queries_without_judgments"]["n"] == by_kind["judged_without_query"]["n"] == 73
    assert by_kind["documents_empty"]["examples"] == ["471", "995"]
    assert before["n_judged_queries"] == 152
    after = run("get", "cranfield", "--from", folder, "--replace", "--renumber", "--json").document
    assert not {"numbering", "queries_without_judgments", "judged_without_query"} & set(kinds(after["oddities_after"]))
    assert after["n_judged_queries"] == 225


@pytest.mark.collections
def test_medline_and_paper_lantern(run: Runner, collections_dir: Path) -> None:
    medline = run("get", "medline", "--from", collections_dir / "medline", "--json").document
    assert [medline[f"n_{what}"] for what in ("documents", "queries", "judgments")] == [1033, 30, 696]
    assert kinds(medline["oddities"]) == ["documents_without_title"]
    lantern = run(
        "get", "paperlantern", "--from", collections_dir / "paperlantern", "--documents", "medline", "--json"
    ).document
    assert [lantern[f"n_{what}"] for what in ("documents", "queries", "judgments")] == [1033, 400, 0]
    assert len(lantern["labels"]) == 5
