"""Judged runs as files: they come back equal, nothing without a grade becomes one, no spreadsheet runs a cell."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection as DocumentCollection
from core.collections import Document, Judgment, Query
from core.errors import InputError, NotFoundError
from core.judge.judgments import (
    STATUSES,
    GradeOverride,
    JudgeCandidate,
    JudgedCandidate,
    JudgeField,
    Status,
    TripleVerdict,
    as_they_are,
    from_grade,
)
from core.text import STARTS_A_FORMULA
from data.collections import find_collection, load_collection, save_collection
from data.importers.collection_files import read_collection
from data.judge.export import (
    FORMS,
    JudgedRun,
    beir_bytes,
    csv_bytes,
    export_bytes,
    form_named,
    jsonl_bytes,
    load_judged_run,
    save_judged_collection,
    trec_bytes,
    write_export,
)
from data.judge.runs import JudgeRunRow
from data.store import Store
from tests.data.judged_files import read_csv, read_jsonl
from tests.data.judged_runs import FIELD, JUDGE, RUBRIC, key_of, make_judged_run
from tests.data.notes import assert_notes
from tests.messages import refusal


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JudgedRun]:
    with closing(Store.open(tmp_path_factory.mktemp("judged") / "queryscape.duckdb")) as store:
        yield load_judged_run(store, make_judged_run(store))


def parts(run: JudgedRun) -> tuple[object, ...]:
    """Everything in it, as something that can be compared."""
    field = run.field
    return (
        *(run.row, run.judge, field.name, field.queries, field.candidates, field.notes, run.judged),
        *(dict(run.answers), dict(run.overrules)),
    )


def lines_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_lines_come_back_equal(run: JudgedRun) -> None:
    assert parts(read_jsonl(jsonl_bytes(run))) == parts(run)


def test_lines_hold_prompt_answers_and_every_overruling(run: JudgedRun) -> None:
    head, *rest = [json.loads(line) for line in jsonl_bytes(run).splitlines()]
    assert (head["kind"], head["prompt"], head["rubric"]["rubric_id"]) == ("run", JUDGE.prompt, "six")
    assert {line["prompt_hash"] for line in rest} == {head["prompt_hash"]}
    first = rest[0]
    assert [answer["attempt"] for answer in first["answers"]] == [1, 2]
    (taken_back,) = [line for line in rest if line["triple_key"] == key_of("q2", "d4")]
    assert [said["points"] for said in taken_back["overrulings"]] == [4, None]
    assert (taken_back["overruled"], taken_back["points"]) == (None, 0)


def test_a_table_comes_back_equal(run: JudgedRun) -> None:
    queries, judged = read_csv(csv_bytes(run))
    assert judged == run.judged
    assert queries == run.field.queries[:2]


def test_a_table_says_who_graded_and_leaves_open_what_has_no_grade(run: JudgedRun) -> None:
    lines = lines_of(csv_bytes(run))
    told = {(line["engine"], line["query_id"], line["doc_id"]): line for line in lines}
    overruled = told["'=b", "q1", "d4"]
    assert [overruled[name] for name in ("grade", "shown", "graded_by", "judge_grade")] == ["1", "20", "person", ""]
    failed = told["a", "q2", "d1"]
    assert [failed[name] for name in ("grade", "shown", "graded_by", "status")] == ["", "", "", "http_error"]
    waiting = told["'=b", "q2", "d2"]
    assert [waiting[name] for name in ("grade", "status", "status_words")] == ["", "", "not judged yet"]


def test_no_cell_of_a_table_is_run_by_a_spreadsheet(run: JudgedRun) -> None:
    cells = [cell for line in csv.reader(io.StringIO(csv_bytes(run).decode("utf-8-sig"), newline="")) for cell in line]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not [cell for cell in cells if cell.lstrip()[:1] in STARTS_A_FORMULA and not cell.lstrip("-").isdecimal()]


TEXT = st.text(st.characters(exclude_characters="\0"), max_size=12) | st.sampled_from(
    ["=1+1", "'=1", "\t-2", "a\r\nb", "'"]
)
SOUND = TEXT.filter(lambda text: text.isascii() or text.encode("utf-8", "replace").decode() == text)


@st.composite
def runs(draw: st.DrawFn) -> JudgedRun:
    queries = tuple(
        Query(str(n), draw(SOUND), tuple((name, "v" + draw(SOUND)) for name in ("x", "=y"))) for n in range(2)
    )
    judged = []
    for n in range(draw(st.integers(1, 4))):
        candidate = JudgeCandidate(draw(SOUND), str(n % 2), n + 1, draw(SOUND), draw(SOUND), draw(SOUND))
        judged.append(JudgedCandidate(candidate, f"k{n}", draw(verdicts()), draw(st.none() | overrulings(f"k{n}"))))
    row = JudgeRunRow("id", draw(SOUND), JUDGE.judge_key, JUDGE.settings, {}, (), "done", "now")
    field = JudgeField(row.name, queries, tuple(each.candidate for each in judged))
    return JudgedRun(row, JUDGE, field, tuple(judged), {}, {})


@st.composite
def verdicts(draw: st.DrawFn) -> TripleVerdict | None:
    status: Status | None = draw(st.sampled_from([None, *STATUSES]))
    if status is None:
        return None
    points = draw(st.integers(0, 5)) if status in ("ok", "repaired", "no_abstract") else None
    return TripleVerdict(status, points, draw(st.none() | st.integers(0, 10)), draw(SOUND))


def overrulings(key: str) -> st.SearchStrategy[GradeOverride]:
    return st.builds(GradeOverride, st.just(key), st.integers(0, 5), SOUND.map("A".__add__), SOUND, st.just("2026"))


@given(runs())
def test_any_texts_come_back_from_both_forms(run: JudgedRun) -> None:
    queries, judged = read_csv(csv_bytes(run))
    assert judged == run.judged
    assert set(queries) <= set(run.field.queries)
    assert parts(read_jsonl(jsonl_bytes(run))) == parts(run)


def test_half_a_character_stops_no_file(run: JudgedRun) -> None:
    odd = replace(run.field.candidates[0], title="half \ud83d")
    judged = (replace(run.judged[0], candidate=odd), *run.judged[1:])
    torn = replace(run, judged=judged, field=replace(FIELD, candidates=(odd, *FIELD.candidates[1:])))
    assert parts(read_jsonl(jsonl_bytes(torn)))[6] == judged
    assert read_csv(csv_bytes(torn))[1][0].candidate.title == "half ?"


# Judgments


def test_qrels_have_a_line_for_each_grade_and_none_for_what_failed(run: JudgedRun, tmp_path: Path) -> None:
    text = trec_bytes(run, as_they_are(RUBRIC)).decode()
    assert text.splitlines() == ["q1 0 d1 5", "q1 0 d2 2", "q1 0 d3 1", "q2 0 d4 0", "q1 0 d4 1", "q2 0 d5 3"]
    assert trec_bytes(run, from_grade(RUBRIC, 3)).decode().splitlines()[:2] == ["q1 0 d1 1", "q1 0 d2 0"]


@pytest.mark.parametrize(("form_id", "name"), [("qrels", "grades.qrels"), ("tsv", "grades.tsv")])
def test_judgments_are_read_back_as_they_were(store: Store, tmp_path: Path, form_id: str, name: str) -> None:
    row = make_judged_run(store)
    folder = tmp_path / "judged"
    folder.mkdir()
    write_export(store, row, folder / name, form_id=form_id)
    (folder / "queries.tsv").write_text("q1\ttin lakes\nq2\tlakes\n", "utf-8")
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": f"d{n}", "title": "t", "text": "t"}) + "\n" for n in range(1, 6)), "utf-8"
    )
    found = read_collection(folder).collection.judgments
    wanted = [("q1", "d1", 5), ("q1", "d2", 2), ("q1", "d3", 1), ("q1", "d4", 1), ("q2", "d4", 0), ("q2", "d5", 3)]
    assert sorted(found, key=lambda each: (each.query_id, each.doc_id)) == [Judgment(*each) for each in wanted]


def test_an_id_with_white_space_is_encoded_in_qrels_and_kept_between_tabs(run: JudgedRun) -> None:
    candidate = replace(run.field.candidates[0], doc_id="d 1")
    spaced = replace(run, judged=(replace(run.judged[0], candidate=candidate),))
    assert trec_bytes(spaced, as_they_are(RUBRIC)).decode() == "q1 0 d%201 5\n"
    assert beir_bytes(spaced, as_they_are(RUBRIC)).decode().splitlines()[1] == "q1\td 1\t5"
    torn = replace(run, judged=(replace(run.judged[0], candidate=replace(candidate, doc_id="d\n1")),))
    with pytest.raises(InputError, match="can't contain"):
        beir_bytes(torn, as_they_are(RUBRIC))


def test_of_one_engine_alone(run: JudgedRun) -> None:
    assert export_bytes(run, FORMS["qrels"], engines=["=b"]).decode().split("\n")[0] == "q1 0 d4 1"
    with refusal(NotFoundError):
        export_bytes(run, FORMS["qrels"], engines=["c"])


def test_the_form_is_the_one_that_is_named_else_the_files_ending() -> None:
    assert form_named("jsonl", "x.csv").form_id == "jsonl"
    assert form_named(None, "x.CSV").form_id == "csv"
    for form_id, name in (("xml", ""), (None, "x.xml"), (None, "x")):
        with pytest.raises(NotFoundError):
            form_named(form_id, name)


# Collections


def test_grades_are_judgments_of_a_collection_that_says_whose_they_are(store: Store, run: JudgedRun) -> None:
    row = save_judged_collection(store, run, "graded", from_grade(RUBRIC, 2))
    assert (row.n_documents, row.n_queries, row.n_judgments, row.made_up) == (5, 3, 6, True)
    assert "grades by demo under the rubric six" in row.notes[0]
    assert "not by people: relevance is 1 from grade 2 up" in row.notes[0]
    assert_notes(row.notes[1:2], ("6 judgments", "1 of them by", "2 without a grade"))
    saved = load_collection(store, "graded")
    assert saved.queries == run.field.queries
    assert saved.documents[0] == Document("d1", "Tin in lakes", "Lakes with tin.")
    assert {(each.query_id, each.doc_id) for each in saved.judgments if each.relevance} == {
        *(("q1", "d1"), ("q1", "d2"), ("q2", "d5"))
    }


def test_with_the_documents_that_were_searched(store: Store, run: JudgedRun) -> None:
    documents = tuple(Document(f"d{n}", "t", "x") for n in range(1, 9))
    save_collection(store, DocumentCollection("lakes", documents, (), ()), origin="here")
    save_judged_collection(store, run, "graded", as_they_are(RUBRIC), documents="lakes")
    assert load_collection(store, "graded").documents == documents
    save_collection(store, DocumentCollection("ponds", documents[1:], (), ()), origin="here")
    with refusal(InputError):
        save_judged_collection(store, run, "more", as_they_are(RUBRIC), documents="ponds")


def test_only_a_collection_of_judged_runs_is_replaced(store: Store, run: JudgedRun) -> None:
    save_judged_collection(store, run, "graded", as_they_are(RUBRIC))
    with pytest.raises(InputError, match="already"):
        save_judged_collection(store, run, "graded", as_they_are(RUBRIC))
    save_judged_collection(store, run, "graded", from_grade(RUBRIC, 5), replace=True)
    assert find_collection(store, "graded").n_judged_queries == 1
    save_collection(store, DocumentCollection("own", (), (), ()), origin="by hand")
    with refusal(InputError):
        save_judged_collection(store, run, "own", as_they_are(RUBRIC), replace=True)


def test_without_a_grade_there_is_no_collection(store: Store, run: JudgedRun) -> None:
    nothing = replace(run, judged=tuple(replace(each, verdict=None, overruled=None) for each in run.judged))
    with refusal(InputError):
        save_judged_collection(store, nothing, "graded", as_they_are(RUBRIC))
