"""`import`: from files to a topic, its keys, and what it says of files that can't be read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.dashboard.runs import Runner, ordered

FILE_KEYS = ["file", "format", "encoding", "records_in_file", "parsed", "rejected"]
RIS = """TY  - JOUR
TI  - Steeping green tea in warm spring water
AU  - Leaf, Ann
PY  - 2019
DO  - 10.1000/tea.1
ER  -
TY  - JOUR
ER  -
TY  - JOUR
TI  - How [bold]mugs[/] of many sizes keep =tea warm
AU  - Potter, Bo
PY  - 2020
ER  -
"""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "workspace", capsys)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_keys(run: Runner, tmp_path: Path) -> None:
    file = written(tmp_path, "a.txt", RIS)
    document = run("import", file, "--topic", "tea", "--as", "corpus", "--json").document
    ordered(document, ["topic", "n_new", "n_merged", "n_publications", "files"])
    assert (document["topic"], document["n_new"], document["n_merged"], document["n_publications"]) == ("tea", 2, 0, 2)
    (told,) = document["files"]
    ordered(told, FILE_KEYS)
    assert (told["file"], told["format"], told["encoding"]) == ("a.txt", "ris", "utf-8")
    assert (told["records_in_file"], told["parsed"]) == (3, 2)
    (rejected,) = told["rejected"]
    assert list(rejected) == ["record", "line", "reason"]
    assert rejected["line"] == 7


def test_core_keys(run: Runner, tmp_path: Path) -> None:
    run("import", written(tmp_path, "a.ris", RIS), "--topic", "tea", "--as", "corpus")
    known = written(tmp_path, "known.txt", "https://doi.org/10.1000/TEA.1\nA title that nobody ever wrote\n")
    document = run("import", known, "--topic", "tea", "--as", "core", "--json").document
    ordered(document, ["files", "matched", "not_in_corpus", "ambiguous"])
    assert [(m["publication_id"], m["by"]) for m in document["matched"]] == [("doi:10.1000/tea.1", "doi")]
    assert document["not_in_corpus"] == ["A title that nobody ever wrote"]
    assert document["ambiguous"] == []
    (topic,) = run("topics", "--json").document["topics"]
    assert (topic["topic"], topic["n_core"]) == ("tea", 2)


def test_a_person_reads_what_came_in_and_what_did_not(run: Runner, tmp_path: Path) -> None:
    table = run("import", written(tmp_path, "a.ris", RIS), "--topic", "tea", "--as", "first search", "--query", "tea")
    assert (table.status, "2 new, 0 known; the topic has 2 publications." in table.out) == (0, True)
    assert "a.ris: line 7: " in table.err
    again = run("import", tmp_path / "a.ris", "--topic", "tea", "--as", "first search")
    assert "already imported" in again.out
    (version,) = run("topics", "--json").document["topics"][0]["versions"]
    assert version == {"version": "first search", "origin": "manual", "n_retrieved": 2}


def test_from_standard_input(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream(io.StringIO):
        buffer = io.BytesIO(RIS.encode())

    monkeypatch.setattr("sys.stdin", Stream())
    document = run("import", "-", "--topic", "tea", "--as", "corpus", "--json").document
    assert document["files"][0]["file"] == "standard input"
    assert document["n_new"] == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ris", b"%PDF-1.7\n%\xe2\xe3", "is a PDF"),
        ("a.ris", b"PK\x03\x04" + b"\0" * 30, "zip archive: unpack it"),
        ("a.ris", b"", "is empty"),
        ("a.ris", b" \n\n", "is empty"),
        ("a.csv", b"\x89PNG\r\n", "a picture"),
        ("a.ris", b"\n<!DOCTYPE html>\n<a href='10.1000/tea.1'>Sign in</a>", "a web page"),
        ("a.ris", b"\xef\xbb\xbf<HTML lang='en'>10.1000/tea.1", "a web page"),
        ("a.txt", b"Dear all,\n\nplease find attached nothing at all.\n", "no known format"),
    ],
)
def test_what_is_no_bibliography_is_refused_by_name(
    run: Runner, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    mistake = run("import", tmp_path / name, "--topic", "tea", "--as", "corpus").mistake
    assert name in mistake
    assert said in mistake
    assert run("topics", "--json").document == {"topics": []}


@pytest.mark.parametrize(
    ("path", "said"), [("nowhere.ris", "no file"), (".", "is a folder"), ("../no/such", "no file")]
)
def test_a_path_that_is_no_file(run: Runner, tmp_path: Path, path: str, said: str) -> None:
    assert said in run("import", tmp_path / path, "--topic", "tea", "--as", "corpus").mistake


def test_a_file_that_is_too_large_is_not_read(run: Runner, tmp_path: Path) -> None:
    with (tmp_path / "large.ris").open("wb") as file:
        file.truncate(2_000_000_000)
    mistake = run("import", tmp_path / "large.ris", "--topic", "tea", "--as", "corpus").mistake
    assert "2.0 GB" in mistake
    assert "in several parts" in mistake


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--as", " "], "or the label"),
        (["--as", "corpus", "--format", "docx"], 'unknown format "docx"'),
        (["--as", "corpus", "--column", "title"], "not a mapping"),
        (["--as", "corpus", "--column", "colour=Red"], "one of title"),
        (["--as", "CORPUS", "--query", "tea"], "--as LABEL"),
        (["--as", "corpus", "--query-id", "7"], 'for query "7"'),
    ],
)
def test_mistakes_in_what_is_asked(run: Runner, tmp_path: Path, asked: list[str], said: str) -> None:
    assert said in run("import", written(tmp_path, "a.ris", RIS), "--topic", "tea", *asked).mistake
