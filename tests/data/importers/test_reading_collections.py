"""Collections in every layout, made up: found out by content, read whole, and what is broken named by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import data.importers.collection_parts as lines_of_files
from core.collections import Document, Judgment, Query, check, renumbered
from core.errors import FileError, FormatError
from data.importers.collection_files import ReadCollection, answers_of, read_collection
from tests.messages import refusal


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def read(root: Path, files: dict[str, str | bytes]) -> ReadCollection:
    return read_collection(write(root, files))


def assert_rejected(found: ReadCollection, *expected: tuple[str, int, str]) -> None:
    """Each rejection has this file, this line and, in its reason, this fact."""
    assert [(each.file, each.line) for each in found.rejected] == [(file, line) for file, line, _ in expected]
    for each, (_, _, fact) in zip(found.rejected, expected, strict=True):
        assert fact in each.reason


def json_lines(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


TREC = {
    "docs.xml": "<doc>\n<docno> a </docno>\n<title>leek\nsoup</title>\n<author>x</author>\n"
    "<text>with <p>cream</p> &amp; AT&T.</text>\n</doc>\n"
    "<DOC><DOCNO>b</DOCNO><HEADLINE>Broth</HEADLINE><TEXT>clear</TEXT></DOC>\n"
    "<doc><docno>c</docno><title></title><text></text></doc>\n",
    "asked.xml": '<?xml version="1.0"?>\n<xml>\n<top>\n<num> 7</num>\n<title>\nsoup of\nleek .\n</title>\n</top>\n'
    "<top>\n<num> Number: 8\n<title> Topic: clear broth\n<desc> Description:\nnot read\n</top>\n</xml>",
    "qrels.txt": "7 0 a 2\r\n8 0 b -1\r\n8 0 zz 0\r\n",
}
SMART = {
    "first": ".I 1\n.T\nleek soup\n.A\ncook,a.\n.B\nsoups 1, 1958.\n.W\nleek soup\n with cream .\n.I 2\n.T\n.W\n",
    "second": ".I 001\n.W\n leek or\nbroth\n.I 004\n.W\n",
}


def test_trec_files(tmp_path: Path) -> None:
    found = read(tmp_path / "soups", TREC)
    made = found.collection
    assert made.name == "soups"
    assert made.documents[0].text.split() == ["with", "cream", "&", "AT&T."]
    assert [(d.doc_id, d.title) for d in made.documents] == [("a", "leek soup"), ("b", "Broth"), ("c", "")]
    assert made.queries == (Query("7", "soup of leek ."), Query("8", "clear broth"))
    assert made.judgments == (Judgment("7", "a", 2), Judgment("8", "b", -1), Judgment("8", "zz", 0))
    assert (made.splits, found.notes, found.rejected) == ({}, (), ())
    assert found.read_as == "documents in docs.xml; queries in asked.xml; judgments in qrels.txt"


def test_names_say_nothing_where_the_content_does(tmp_path: Path) -> None:
    renamed = dict(zip(("1.json", "2.csv", "3.bib"), TREC.values(), strict=True))
    assert read(tmp_path / "x", renamed).collection.documents == read(tmp_path / "y", TREC).collection.documents
    assert read(tmp_path / "x", renamed).collection.judgments == read(tmp_path / "y", TREC).collection.judgments


def test_smart_files_without_judgments(tmp_path: Path) -> None:
    found = read(tmp_path, SMART)
    assert found.collection.documents == (
        Document("1", "leek soup", "leek soup with cream ."),
        Document("2", "", ""),
    )
    assert found.collection.queries == (Query("001", "leek or broth"), Query("004", ""))
    assert found.notes == ()
    assert check(found.collection)[0].kind == "no_judgments"


def test_a_tag_inside_a_text_does_not_end_it(tmp_path: Path) -> None:
    documents = ".I 1\n.T\nleek\n.A\nann\n.W\nfirst part\n.A\nsecond part\n.W\nthird\n.X\n1 2\n"
    made = read(tmp_path, SMART | {"first": documents}).collection
    assert made.documents == (Document("1", "leek", "first part second part third"),)


@pytest.mark.parametrize(
    ("named", "other"), [("MED.ALL", "MED.QRY"), ("b_large.txt", "a_small.txt"), ("corpus", "questions.txt")]
)
def test_documents_and_queries_that_look_alike(named: str, other: str, tmp_path: Path) -> None:
    documents = "".join(f".I {i}\n.W\nsoup number {i}\n" for i in range(1, 9))
    made = read(tmp_path, {named: documents, other: ".I 1\n.W\nleek\n", "r": "1 28 0 0\n1 3 0 0.000\n"}).collection
    assert (len(made.documents), len(made.queries)) == (8, 1)
    assert made.judgments == (Judgment("1", "28", 1), Judgment("1", "3", 1))


@pytest.mark.parametrize(
    ("judgments", "relevance"),
    [
        ("     1     28\t0\t0.000000\n     1      3\t0\t0.000000\n", (1, 1)),
        ("1 \t0 28\t1\n1 \t0 3\t2\n", (1, 2)),
        ("1\t28\t1\n1\t3\t0\n", (1, 0)),
    ],
    ids=["SMART", "TREC", "three columns"],
)
def test_judgments_in_columns_of_blanks_and_tabs(judgments: str, relevance: tuple[int, int], tmp_path: Path) -> None:
    documents = "".join(f".I {i}\n.W\nsoup number {i}\n" for i in (28, 3))
    made = read(tmp_path, {"a.all": documents, "b.qry": ".I 1\n.W\nleek\n", "rel": judgments}).collection
    assert made.judgments == (Judgment("1", "28", relevance[0]), Judgment("1", "3", relevance[1]))


BEIR = {
    "corpus.jsonl": json_lines(
        {"_id": "d1", "title": "Leek soup", "text": "With cream.", "metadata": {}}, {"_id": 2, "title": "", "text": "x"}
    ),
    "queries.jsonl": json_lines(
        {"_id": "q1", "text": "leek", "metadata": {"query_type": "How To", "long": "x" * 99, "n": 3}},
        {"_id": "q2", "text": "", "metadata": None},
    ),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    "qrels/train.tsv": "q2\t2\t2.0\nq1\td1\t0\n",
}


def test_beir_folders(tmp_path: Path) -> None:
    found = read(tmp_path, BEIR)
    made = found.collection
    assert made.documents == (Document("d1", "Leek soup", "With cream."), Document("2", "", "x"))
    assert made.queries == (Query("q1", "leek", (("query type", "How To"),)), Query("q2", ""))
    assert made.judgments == (Judgment("q1", "d1", 1), Judgment("q2", "2", 2), Judgment("q1", "d1", 0))
    assert dict(made.splits) == {"train": ("q2", "q1"), "test": ("q1",)}
    assert list(made.splits) == ["train", "test"]
    assert found.rejected == ()
    assert {o.kind for o in check(made)} >= {"queries_empty", "judgments_differ", "relevance_levels"}


def test_one_broken_line_is_named_and_the_rest_is_loaded(tmp_path: Path) -> None:
    corpus = (
        '{"_id": "d1", "title": "A", "te\n'
        + json_lines({"_id": "d2", "title": "B", "text": "b"})
        + '\n[1, 2]\n{"title": "no id", "text": "x"}\n'
        + json_lines({"_id": "d2", "title": "again", "text": "c"}, {"_id": "d3", "title": 5, "text": "c"})
        + '{"_id": "d4", "title": NaN, "text": "n\\ud800 \\u0000"}\n'
        + '{"_id": "d5", "title": "deep", "text": '
        + "[" * 100_000
        + "\n"
    )
    found = read(tmp_path, BEIR | {"corpus.jsonl": corpus})
    assert [(d.doc_id, d.title, d.text) for d in found.collection.documents] == [("d2", "B", "b"), ("d4", "", "n?")]
    facts = {1: "column 29", 4: "JSON object", 5: "(_id)", 7: "“d3”", 9: "nesting"}
    assert_rejected(found, *(("corpus.jsonl", line, fact) for line, fact in facts.items()))
    assert found.notes[0].startswith("corpus.jsonl: 1 repeated id")
    assert found.notes[0].endswith(": “d2” in line 6")
    assert found.notes[1].startswith("5 lines ")
    assert "corpus.jsonl, line 1: " in found.notes[1]


def test_grades_that_are_none(tmp_path: Path) -> None:
    qrels = "q1 0 d1 1\nq1 0 d2 0.5\nq1 0 d3 nan\nq1 0 d4\nq1 0 d5 -2\nq1 0 d6 99999999999\nq1 0 d7 1 extra\nq2 0 2 3\n"
    found = read(tmp_path, BEIR | {"qrels/test.tsv": qrels})
    in_test = [j for j in found.collection.judgments if (j.doc_id, j.relevance) in {("d1", 1), ("d5", -2), ("2", 3)}]
    assert len(in_test) == 3
    assert len(found.collection.judgments) == 5
    facts = {2: "“0.5”", 3: "“nan”", 4: "missing", 6: "“99999999999”", 7: "5 columns, 4 expected"}
    assert_rejected(found, *(("qrels/test.tsv", line, fact) for line, fact in facts.items()))


def test_queries_as_id_tab_and_text(tmp_path: Path) -> None:
    files = TREC | {"asked.xml": "id\ttext\n7\tleek 'n' \"broth\n8\t\nno tab here\n"}
    found = read(tmp_path, files)
    assert found.collection.queries == (Query("7", "leek 'n' \"broth"), Query("8", ""))
    assert_rejected(found, ("asked.xml", 4, "no id, tab"))


STARK = {
    "stark_qa/stark_qa.csv": 'id,query,answer_ids\n5,"Soup by ""Ann"",\nwith leek?","[12, 9]"\n3,Broth?,[7]\n'
    "8,No list,__import__('os')\n3,Again?,[1]\n4,None,[]\n",
    "stark_qa/stark_qa_human_generated_eval.csv": "id,query,answer_ids,source\n3,By hand?,\"['x', 9]\",[9]\n",
    "split/train.index": "5\n",
    "split/val.index": "8\n",
    "split/test.index": "3\n4\n77\n",
    "split/test-0.1.index": "3",
}


def test_stark_questions(tmp_path: Path) -> None:
    found = read(tmp_path, STARK)
    made = found.collection
    assert {q.query_id: q.text for q in made.queries} == {
        "5": 'Soup by "Ann", with leek?',
        "3": "Broth?",
        "8": "No list",
        "4": "None",
        "human-3": "By hand?",
    }
    assert {(j.query_id, j.doc_id) for j in made.judgments} == {
        ("5", "12"),
        ("5", "9"),
        ("3", "7"),
        ("human-3", "x"),
        ("human-3", "9"),
    }
    assert dict(made.splits) == {
        "train": ("5",),
        "val": ("8",),
        "test": ("3", "4"),
        "test-0.1": ("3",),
        "human": ("human-3",),
    }
    assert list(made.splits) == ["train", "val", "test", "test-0.1", "human"]
    assert_rejected(found, ("stark_qa/stark_qa.csv", 5, "no list"), ("split/test.index", 3, "no query “77”"))
    assert "“3” in line 6" in " ".join(found.notes)
    assert [oddity.kind for oddity in check(made) if "corpus" in oddity.sentence] == ["no_documents"]


def test_stark_with_a_corpus_beside_it(tmp_path: Path) -> None:
    documents = json_lines(*({"id": i, "title": f"Soup {i}", "text": ""} for i in (7, 9)))
    made = read(tmp_path, STARK | {"documents.jsonl": documents}).collection
    assert made.doc_ids == ("7", "9")
    (missing,) = [o for o in check(made) if o.kind == "documents_missing"]
    assert (missing.n, missing.examples) == (2, ("12", "x"))


def test_one_table_of_questions_alone(tmp_path: Path) -> None:
    write(tmp_path, STARK)
    made = read_collection(tmp_path / "stark_qa/stark_qa_human_generated_eval.csv", name="By people").collection
    assert (made.name, made.query_ids, made.splits) == ("By people", ("3",), {"human": ("3",)})


@pytest.mark.parametrize(
    "text", ["[" * 5000, "[1, [2]]", "-" * 9999 + "1", "['" + "x" * 300 + "']", "[007]", "[1 2]", "nan", "['\\d']", ""]
)
def test_answers_that_are_no_list(text: str) -> None:
    assert "no list" in answers_of(text)


def test_answers_that_are_too_long() -> None:
    assert "131,072 characters" in answers_of("[" + "1," * 70_000 + "]")


@given(st.lists(st.one_of(st.integers(-(10**17), 10**17), st.text("abc -_.", max_size=20)), max_size=30))
def test_any_list_that_python_writes_is_read(answers: list[int | str]) -> None:
    wanted = [str(answer).strip() for answer in answers]
    assert answers_of(repr(answers)) == tuple(dict.fromkeys(answer for answer in wanted if answer))


def lantern(*names: str) -> str:
    settings = {"query_type": "How To", "research_stage": "Starting research"}
    return json.dumps({name: {"settings": settings, "search_query": f"ask {name}"} for name in names}, indent=2)


def test_paper_lantern_queries(tmp_path: Path) -> None:
    damaged = '{"query_1": {"settings": {}, "search_query": "b"}, "query_2": {"settings": {}}, "query_1": {"a": []}}'
    found = read(tmp_path, {"ai.json": lantern("query_0", "query_1"), "other.json": damaged})
    made = found.collection
    assert made.query_ids == ("ai/query_0", "ai/query_1", "other/query_1")
    assert made.queries[0].labels == (("query type", "How To"), ("research stage", "Starting research"))
    assert dict(made.splits) == {"ai": ("ai/query_0", "ai/query_1"), "other": ("other/query_1",)}
    assert [r.reason for r in found.rejected] == ["“query_2” has no search_query", "“query_1” has no search_query"]
    alone = read_collection(tmp_path / "ai.json").collection
    assert (alone.name, alone.query_ids, alone.splits) == ("ai", ("query_0", "query_1"), {})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        name: text.replace("leek soup", "crème soup").replace("leek\nsoup", "crème\nsoup").encode(encoding)
        for name, text in TREC.items()
    }
    found = read(tmp_path, files)
    assert found.collection.documents[0].title == "crème soup"
    assert len(found.collection.judgments) == 3
    assert any("assumed" in note for note in found.notes) == (encoding in ("cp1252", "utf-16-le"))


def test_a_file_read_in_small_blocks_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [read(tmp_path / name, files) for name, files in (("a", TREC), ("b", BEIR), ("c", STARK))]
    monkeypatch.setattr(lines_of_files, "BLOCK", 16)
    for before, name in zip(whole, "abc", strict=True):
        after = read_collection(tmp_path / name)
        for part in ("documents", "queries", "judgments", "splits"):
            assert getattr(after.collection, part) == getattr(before.collection, part)
        assert (after.notes, after.rejected) == (before.notes, before.rejected)


def test_documents_that_are_damaged(tmp_path: Path) -> None:
    docs = (
        "stray\n<doc>\n<title>no id</title>\n</doc>\n<doc>\n<docno>a</docno><text>never closed\n<doc><docno>b</docno>"
    )
    found = read(tmp_path, TREC | {"docs.xml": docs})
    assert found.collection.doc_ids == ("b",)
    assert_rejected(found, ("docs.xml", 2, "without <docno>"), ("docs.xml", 5, "<text> is never closed"))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "found nothing"),
        ({"a.bib": "@article{x, title={Soup}}"}, "looked for documents .* found a.bib"),
        ({"docs.xml": TREC["docs.xml"]}, "no queries in .* found documents in docs.xml"),
        ({"a/asked.xml": TREC["asked.xml"], "b/t.xml": TREC["asked.xml"]}, r"several folders \(a and b\)"),
        ({"a/q.csv": STARK["stark_qa/stark_qa.csv"], "a/r.csv": STARK["stark_qa/stark_qa.csv"]}, "2 tables"),
        ({"docs.xml": '<!DOCTYPE x [<!ENTITY a "b">]>' + TREC["docs.xml"]}, "declares entities"),
        ({"corpus.jsonl.gz": b"\x1f\x8b\x08"}, "unpack it first"),
        (
            {"q.csv": "id,query,answer_ids\n1,two\n"},
            "no query could be read in .* q.csv, line 2: 2 columns, 3 expected",
        ),
        ({"a.json": '{"query_0": {"settings": {}, "search_query": "x"'}, "not valid JSON"),
    ],
)
def test_folders_that_are_no_collection(files: dict[str, str | bytes], says: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=says):
        read(tmp_path / "x" if files else tmp_path, files)


def test_what_is_not_there_or_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with refusal(FileError):
        read_collection(tmp_path / "none")
    (tmp_path / "one.gz").write_bytes(b"\x1f\x8b\x08")
    with refusal(FormatError):
        read_collection(tmp_path / "one.gz")
    monkeypatch.setattr(lines_of_files, "LONGEST_LINE", 1000)
    monkeypatch.setattr(lines_of_files, "BLOCK", 100)
    with refusal(FormatError):
        read(tmp_path / "x", BEIR | {"queries.jsonl": json_lines({"_id": "1", "text": "x" * 2000})})


def test_what_belongs_to_nothing_is_left_out_and_said(tmp_path: Path) -> None:
    more = {"notes.txt": "cook more soup", "README.md": "about", "p.png": b"\x89PNG..", "x.run": "7 Q0 a 1 2.5 mine\n"}
    found = read(tmp_path, TREC | more)
    for note, fact in zip(found.notes, ("benchmark --run", ": notes.txt", "p.png is a picture"), strict=True):
        assert fact in note
    assert found.notes[0].startswith("x.run ")
    assert len(found.collection.judgments) == 3


def test_a_first_line_that_is_damaged_hides_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, BEIR | {"corpus.jsonl": "half a line\n" + BEIR["corpus.jsonl"]})
    assert found.collection.doc_ids == ("d1", "2")
    assert [r.line for r in found.rejected] == [1]


def test_topics_with_their_numbers_inside_the_tag(tmp_path: Path) -> None:
    number = "&#" + "9" * 5000 + ";"
    asked = f'<topics><topic number="7"><query>leek {number}</query></topic>\n<topic number="8">\n</topic></topics>'
    found = read(tmp_path, TREC | {"asked.xml": asked})
    assert found.collection.queries == (Query("7", f"leek {number}"),)
    assert [r.reason for r in found.rejected] == ["topic “8” has no <title>"]


def damaged(text: str, cuts: list[tuple[int, int, str]]) -> str:
    for at, length, between in cuts:
        at %= len(text) + 1
        text = text[:at] + between + text[at + length :]
    return text


@given(
    st.sampled_from([TREC, SMART, BEIR, STARK, {"a.json": lantern("query_0", "query_1")}]),
    st.integers(0, 5),
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 30), st.text("<>{}[]\"'\n\t,.I0 \0\ud800é", max_size=6)),
        max_size=3,
    ),
)
def test_damage_is_read_around_or_refused(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], which: int, cuts: list[tuple[int, int, str]]
) -> None:
    root = tmp_path_factory.mktemp("damaged")
    name = list(files)[which % len(files)]
    changed = {n: (damaged(t, cuts) if n == name else t).encode("utf-8", "surrogatepass") for n, t in files.items()}
    try:
        found = read(root, dict(changed))
    except FileError:
        return
    check(found.collection)
    assert all(rejected.file in files for rejected in found.rejected)
    known = set(found.collection.query_ids)
    assert all(set(ids) <= known for ids in found.collection.splits.values())


def test_the_numbering_trap_is_seen_and_mended(tmp_path: Path) -> None:
    asked = "".join(f"<top><num>{n}</num><title>soup {n}</title></top>\n" for n in (1, 2, 4, 8))
    qrels = "".join(f"{n} 0 a 1\n" for n in range(1, 5))
    made = read(tmp_path, TREC | {"asked.xml": asked, "qrels.txt": qrels}).collection
    assert check(made)[0].kind == "numbering"
    assert "numbering" not in {oddity.kind for oddity in check(renumbered(made))}
