"""Run files: what is written is read back, and what others wrote is read as far as it goes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Query, Run
from core.errors import FileError, FormatError, InputError
from data.retrieval.runs import read_run, without_ties, write_run
from tests.data.notes import assert_notes
from tests.messages import refusal

SOUPS = Collection(
    "soups",
    tuple(Document(i, f"Soup {i}", "") for i in ("d1", "d2", "d3", "d4")),
    (Query("q1", "leek"), Query("q2", "broth"), Query("q3", "bread")),
    (),
)


def read(text: str, tmp_path: Path, collection: Collection = SOUPS) -> tuple[Run, tuple[str, ...]]:
    path = tmp_path / "others.run"
    path.write_text(text, "utf-8")
    return read_run(path, collection)


def answers(run: Run) -> dict[str, list[tuple[str, float]]]:
    """Every ranking as metrics order it."""
    found = {}
    for query_id in run.query_ids:
        ranking = run.ranking(query_id)
        pairs = zip(ranking.doc_ids, ranking.scores, strict=True)
        found[query_id] = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    return found


words = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Z"), exclude_characters="\ufeff"), min_size=1, max_size=5
)
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.data())
def test_what_is_written_is_read_back(data: st.DataObject) -> None:
    doc_ids = data.draw(st.lists(words, min_size=1, max_size=6, unique=True))
    query_ids = data.draw(st.lists(words, min_size=1, max_size=4, unique=True))
    rankings = []
    for query_id in query_ids:
        rows = data.draw(st.lists(st.integers(0, len(doc_ids) - 1), unique=True, min_size=query_id == query_ids[0]))
        scores = data.draw(st.lists(finite, min_size=len(rows), max_size=len(rows)))
        rankings.append((query_id, np.array(rows, dtype=np.int64), np.array(scores, dtype=np.float64)))
    run = Run.of(data.draw(words), doc_ids, rankings)
    collection = Collection(
        "c", tuple(Document(i, "", "") for i in doc_ids), tuple(Query(i, "") for i in query_ids), ()
    )
    with TemporaryDirectory() as folder:
        write_run(run, Path(folder) / "a.run")
        back, notes = read_run(Path(folder) / "a.run", collection)
    assert notes == ()
    assert back.name == run.name
    expected = {query_id: ranking for query_id, ranking in answers(run).items() if ranking}
    assert {q: [i for i, _ in ranking] for q, ranking in answers(back).items()} == {
        q: [i for i, _ in ranking] for q, ranking in expected.items()
    }
    for query_id, ranking in expected.items():
        scores, written = [score for _, score in ranking], [score for _, score in answers(back)[query_id]]
        assert written == without_ties(np.array(scores)).tolist()
        if max(map(abs, scores)) < 1e38 and len({np.float32(score) for score in scores}) == len(scores):
            assert written == scores


@given(st.lists(st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 5.5]), min_size=1, max_size=20))
def test_scores_without_ties_keep_their_order_and_nearly_their_values(scores: list[float]) -> None:
    ordered = np.sort(np.array(scores))[::-1]
    written = without_ties(ordered)
    single = written.astype(np.float32)
    assert (single[1:] < single[:-1]).all()
    assert written == pytest.approx(ordered, rel=1e-5, abs=1e-5)


def test_sets_keep_their_ties(tmp_path: Path) -> None:
    run = Run.of("set", SOUPS.doc_ids, [("q1", np.array([2, 0]), np.ones(2))])
    write_run(run, tmp_path / "a.run", is_ranked=False)
    assert [line.split()[4] for line in (tmp_path / "a.run").read_text("utf-8").splitlines()] == ["1.0", "1.0"]


def test_lines_are_written_in_the_order_of_metrics(tmp_path: Path) -> None:
    run = Run.of("my run", SOUPS.doc_ids, [("q1", np.array([2, 0, 1]), np.array([1.0, 0.5, 1.0]))])
    write_run(run, tmp_path / "a.run")
    lines = (tmp_path / "a.run").read_text("utf-8").splitlines()
    assert lines == ["q1 Q0 d2 1 1.0 my_run", "q1 Q0 d3 2 0.9999999403953552 my_run", "q1 Q0 d1 3 0.5 my_run"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.run"]


@pytest.mark.parametrize("own_id", ["", "half\ud800", "nul\0"])
def test_ids_that_a_run_file_can_not_hold(own_id: str, tmp_path: Path) -> None:
    one = (np.array([0]), np.array([1.0]))
    for run in (Run.of("r", [own_id], [("q", *one)]), Run.of("r", ["d"], [(own_id, *one)])):
        with refusal(InputError):
            write_run(run, tmp_path / "a.run")
    assert list(tmp_path.iterdir()) == []


def test_a_score_that_is_no_number_is_not_written(tmp_path: Path) -> None:
    run = Run.of("r", ["d"], [("q", np.array([0]), np.array([np.nan]))])
    with refusal(InputError):
        write_run(run, tmp_path / "a.run")
    with refusal(FileError):
        write_run(Run.of("r", ["d"], [("q", np.array([0]), np.array([1.0]))]), tmp_path / "no" / "a.run")


def test_what_does_not_fit_is_counted_and_named_by_line(tmp_path: Path) -> None:
    run, notes = read(
        "q2 Q0 d1 1 3.5 theirs\n"
        "q1 Q0 d2 1 2e-3 theirs\n"
        "q9 Q0 d1 1 1 theirs\n"
        "q1 Q0 zz 2 1 theirs\n"
        "q1 Q0 yy 2 1 theirs\n"
        "q1 Q0 d1 3 nan theirs\n"
        "q1 Q0 d3 3 -inf theirs\n"
        "q1 Q0 d3\n"
        "what is this\n"
        "\n"
        "q1 0 d3 4 1 theirs\n"
        "q1 Q0 d2 5 9 theirs\n"
        "q2\tq0\td4\t2\t1\n",
        tmp_path,
    )
    assert answers(run) == {"q1": [("d3", 1.0), ("d2", 0.002)], "q2": [("d1", 3.5), ("d4", 1.0)]}
    assert run.name == "theirs"
    assert {note.partition(": ")[0] for note in notes} == {"others.run"}
    assert_notes(
        notes,
        ("1 line names a query", "left out: “q9” in line 3"),
        ("2 lines name a document", "left out: “zz” in line 4; “yy” in line 5"),
        ("left out 2 lines", "a finite number: nan in line 6; -inf in line 7"),
        ("left out 1 line", "repeated document", ": line 12"),
        ("left out 2 lines", "not in the", ": line 8; line 9"),
    )


def test_one_bad_line_far_down_is_named_too(tmp_path: Path) -> None:
    good = "".join(f"q{1 + i % 3} Q0 d{1 + i % 4} 1 {i} r\n" for i in range(12))
    run, notes = read(f"{good}q1 Q0 d1 1 many r\n", tmp_path)
    assert len(run.rows) == 12
    assert [note.endswith("line 13") for note in notes] == [True]


def test_a_query_may_come_in_pieces_and_under_many_names(tmp_path: Path) -> None:
    run, notes = read("q2 Q0 d1 1 3 a\nq1 Q0 d1 1 3 b\nq2 Q0 d2 2 4 b\n", tmp_path)
    assert run.query_ids == ("q1", "q2")
    assert answers(run)["q2"] == [("d2", 4.0), ("d1", 3.0)]
    assert run.name == "b"
    assert_notes(notes, ("others.run: ", "2 names (“a” and “b”)"))


def test_a_run_in_which_nothing_fits_shows_both_sides(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as raised:
        read("301 Q0 FT911-3 1 2.5 x\n301 Q0 FT911-4 2 2.4 x\n", tmp_path)
    assert str(raised.value) == (
        'nothing in others.run fits collection "soups": it has queries “301” and documents “FT911-3”, “FT911-4”, the '
        "collection has queries “q1”, “q2”, “q3” and documents “d1”, “d2”, “d3”, …"
    )


@pytest.mark.parametrize(("text", "says"), [("", "is empty"), ("id,title\n1,x\n", "not a run"), ("\n \n", "is empty")])
def test_files_that_are_no_runs(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=says):
        read(text, tmp_path)
    with pytest.raises(FileError, match="no file"):
        read_run(tmp_path / "none.run", SOUPS)
    (tmp_path / "run.gz").write_bytes(b"\x1f\x8b\x08rest")
    with pytest.raises(FormatError, match="gzip archive: unpack"):
        read_run(tmp_path / "run.gz", SOUPS)


def test_without_documents_the_run_brings_its_own(tmp_path: Path) -> None:
    bare = Collection("bare", (), SOUPS.queries, ())
    run, notes = read("q1 Q0 x9 1 2 r\nq9 Q0 zz 1 2 r\nq1 Q0 x2 2 1 r\n", tmp_path, bare)
    assert answers(run) == {"q1": [("x9", 2.0), ("x2", 1.0)]}
    assert run.doc_ids == ("x9", "x2")
    assert len(notes) == 1


@given(st.text(st.sampled_from("q1 Q0 d\t1nan.e9\n\r\x1cx"), max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.run"
        path.write_text(text, "utf-8", newline="")
        try:
            run, _ = read_run(path, SOUPS)
        except FormatError:
            return
    assert np.isfinite(run.scores).all()
    assert len(run.rows) > 0
