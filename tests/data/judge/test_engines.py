"""Retrievers and query versions become a field: the first k of each answer, in the order in which metrics see them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query, Run
from core.errors import InputError, NotFoundError
from core.judge.judgments import MOST_ENGINES, JudgeCandidate, JudgeField, joined
from core.types import Publication, QueryVersion
from data.collections import list_runs, save_collection, save_run
from data.explore.workspace import Workspace
from data.judge.fields import drawn, known_answers, retriever_field, version_field
from data.retrieval import runs
from tests.data.benchmarks import saved_run
from tests.data.notes import is_noted
from tests.messages import refusal

DOCUMENTS = (
    Document("d3", "Tin in lakes", "Tin."),
    Document("d1", "Tin in lakes", "Tin."),
    Document("d2", "Salt lakes", ""),
    Document("d9", "", "Tin and salt"),
)
QUERIES = (
    Query("q1", "tin", (("length", "Few words"),)),
    Query("q2", "salt lakes"),
    Query("q3", "zinc"),
    Query("q4", " "),
)
TEAS = Collection("teas", DOCUMENTS, QUERIES, (Judgment("q1", "d1", 1),), {"test": ("q2", "q1")})
PUBLICATIONS = tuple(Publication(f"p{n}", f"Title {n}", None if n % 2 else f"About {n}") for n in range(30))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("judged")
    with Workspace.open(root) as workspace:
        store = workspace.store
        save_collection(store, TEAS, origin="a test")
        store.save_publications(PUBLICATIONS)
        for topic in ("Tin", "Salt"):
            store.save_topic(topic, ("p1", "p2"))
        versions = {("Tin", "baseline"): range(20), ("Tin", "predicted"): range(10, 30), ("Salt", "baseline"): (5,)}
        for number, ((topic, label), found) in enumerate(versions.items()):
            version = QueryVersion(f"v{number}", topic, label, number + 1, "tin OR salt", "baseline")
            store.save_version(version, [f"p{n}" for n in found])
        store.save_version(QueryVersion("v9", "Salt", "waiting", 9, "zinc", "manual"), None)
    return root


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Iterator[Workspace]:
    shutil.copytree(made, tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


def ids(field: JudgeField, engine: str, query_id: str) -> list[str]:
    return [each.doc_id for each in field.candidates if (each.engine, each.query_id) == (engine, query_id)]


# Retrievers


def test_the_first_k_of_every_answer_with_equal_scores_by_id(workspace: Workspace) -> None:
    field = retriever_field(workspace, "teas", ["bm25", "boolean", "bm25"], k=2)
    assert field.engines == ("bm25", "boolean")
    assert [query.query_id for query in field.queries] == ["q1", "q2", "q3"]
    assert ids(field, "bm25", "q1") == ["d1", "d3"]
    assert [each.rank for each in field.candidates if each.query_id == "q2"] == [1, 2, 1]
    first = field.candidates[0]
    assert (first.title, first.abstract, first.rank) == ("Tin in lakes", "Tin.", 1)
    assert field.queries[0].labels == (("length", "Few words"),)


def test_what_a_reader_has_to_know_is_noted(workspace: Workspace) -> None:
    notes = retriever_field(workspace, "teas", ["bm25", "boolean"], k=2).notes
    assert is_noted(notes, "1 query", "no text")
    assert "bm25 found nothing for 1 query" in notes
    assert any("boolean" in note and "does not rank" in note for note in notes)


def test_a_run_that_is_saved_is_taken_for_all_its_queries_and_for_some(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = retriever_field(workspace, "teas", ["bm25"], k=3)
    monkeypatch.setattr(runs, "open_retriever", None)
    assert retriever_field(workspace, "teas", ["bm25"], k=3).candidates == whole.candidates
    some = retriever_field(workspace, "teas", ["bm25"], k=3, queries=QUERIES[1:2])
    assert some.candidates == tuple(each for each in whole.candidates if each.query_id == "q2")
    assert len(list_runs(workspace.store, "teas", None)) == 1
    assert 'only 1 of the 4 queries of "teas" were used' in some.notes


def test_a_retriever_that_cant_run_is_listed_with_what_it_needs_and_the_others_run(
    workspace: Workspace, no_key: None
) -> None:
    asked = ["dense:openai:a-model", "DPR", "bm25"]
    field = retriever_field(workspace, "teas", asked, k=2)
    assert field.engines == ("bm25",)
    assert list(field.not_run) == ["DPR", "dense:openai:a-model"]
    assert "OPENAI_API_KEY" in field.not_run["dense:openai:a-model"]
    assert sum("was not run: needs" in note for note in field.notes) == 2
    document = {"source": "retrievers", "collection": "teas", "retrievers": asked, "k": 2}
    assert list(known_answers(workspace, document, field)) == ["bm25"]
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        retriever_field(workspace, "teas", ["dense:openai:a-model"])
    with pytest.raises(InputError, match="DPR needs"):
        retriever_field(workspace, "teas", ["DPR"])


def test_a_saved_run_of_a_retriever_that_cant_run_any_more_is_still_taken(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = retriever_field(workspace, "teas", ["dense:lsa", "bm25"], k=2)
    monkeypatch.setattr(runs, "open_retriever", None)
    monkeypatch.setattr(runs, "needs", lambda spec, holders: "what is gone")
    again = retriever_field(workspace, "teas", ["dense:lsa", "bm25"], k=2)
    assert (again.candidates, again.not_run) == (whole.candidates, {})


def test_other_queries_are_asked_once_and_kept_beside_the_collections_own(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = (Query("x", "salt"), Query("q1", "lakes"))
    field = retriever_field(workspace, "teas", ["bm25"], queries=mine)
    assert field.queries == mine
    assert set(ids(field, "bm25", "q1")) == {"d1", "d2", "d3"}
    assert list_runs(workspace.store, "teas", None) == ()
    monkeypatch.setattr(runs, "open_retriever", None)
    assert retriever_field(workspace, "teas", ["bm25"], queries=mine).candidates == field.candidates
    with pytest.raises(InputError, match="same id"):
        retriever_field(workspace, "teas", ["bm25"], queries=(mine[0], mine[0]))


def test_a_run_that_came_from_a_file_is_an_engine_like_others_for_the_collections_own_queries(
    workspace: Workspace,
) -> None:
    answers = [("q1", np.array([3, 0]), np.array([0.1, 0.2])), ("q2", np.array([2]), np.array([1.0]))]
    run = Run.of("theirs", TEAS.doc_ids, answers)
    saved = replace(saved_run("r1"), collection="teas", spec_text="", label="theirs", run=run, stages_ms={}, n_failed=0)
    save_run(workspace.store, saved)
    field = retriever_field(workspace, "teas", ["run:theirs", "bm25"], k=5)
    assert field.engines == ("theirs", "bm25")
    assert ids(field, "theirs", "q1") == ["d3", "d9"]
    assert "theirs found nothing for 1 query" in field.notes
    some = retriever_field(workspace, "teas", ["run:theirs"], k=5, queries=QUERIES[:1])
    assert ids(some, "theirs", "q1") == ["d3", "d9"]
    with pytest.raises(NotFoundError, match="available: theirs"):
        retriever_field(workspace, "teas", ["run:bm25"])
    with refusal(NotFoundError):
        retriever_field(workspace, "teas", ["run:theirs"], queries=(Query("q1", "another wording"),))


def test_a_split_is_asked_by_itself_and_a_topics_publications_can_be_searched(workspace: Workspace) -> None:
    split = retriever_field(workspace, "teas", ["bm25"], split="test")
    assert [query.query_id for query in split.queries] == ["q1", "q2"]
    assert len(list_runs(workspace.store, "teas", "test")) == 1
    on_topic = retriever_field(workspace, "teas", ["bm25"], queries=(Query("x", "title 7"),), documents="topic:Tin")
    assert ids(on_topic, "bm25", "x")[0] == "p7"
    assert on_topic.candidates[0].abstract == ""


def test_documents_alone_in_a_folder_can_be_searched(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "z", "title": "Zinc", "text": "Of lakes."}\n', "utf-8")
    field = retriever_field(workspace, "teas", ["bm25"], documents=str(folder))
    assert {(each.query_id, each.doc_id) for each in field.candidates} == {("q2", "z"), ("q3", "z")}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"retrievers": []}, "at least one"),
        ({"k": 0}, "from 1 to 10,000"),
        ({"queries": (Query("x", " "),)}, "no queries"),
        ({"queries": (Query("x", "zzz"),)}, "nothing to judge"),
        ({"split": "other"}, "no split"),
        ({"retrievers": ["nonsense"]}, "no retriever"),
    ],
)
def test_what_cant_be_asked_is_refused(workspace: Workspace, changes: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        retriever_field(workspace, "teas", **{"retrievers": ["bm25"], **changes})  # type: ignore[arg-type]


# Versions


def test_each_label_is_an_engine_and_each_topic_a_query(workspace: Workspace) -> None:
    field = version_field(workspace, ["Tin", "Salt"], ["baseline", "predicted"], k=3, question={"Tin": "Which tins?"})
    assert field.queries == (Query("Tin", "Which tins?"), Query("Salt", "Salt"))
    assert ids(field, "baseline", "Tin") == ["p0", "p1", "p2"]
    assert ids(field, "predicted", "Tin") == ["p10", "p11", "p12"]
    assert ids(field, "baseline", "Salt") == ["p5"]
    assert field.candidates[1].abstract == ""
    assert is_noted(field.notes, "Salt: ", 'no version "predicted"')
    assert field.not_asked == {"predicted": ("Salt",)}
    assert is_noted(field.notes, "no research question", "for Salt")
    assert is_noted(field.notes, "baseline and predicted: ", "the imported list")


def test_without_labels_all_versions_are_taken_and_those_that_were_not_run_are_named(workspace: Workspace) -> None:
    field = version_field(workspace, ["Salt"])
    assert field.engines == ("baseline",)
    assert is_noted(field.notes, "waiting has ", "not been run", "for Salt")


def test_a_version_that_found_nothing_is_silent_and_one_that_was_not_run_was_not_asked(workspace: Workspace) -> None:
    store = workspace.store
    store.save_topic("Zinc", ())
    store.save_version(QueryVersion("z1", "Zinc", "baseline", 1, "zinc", "baseline"), [])
    store.save_version(QueryVersion("z2", "Zinc", "predicted", 2, "zinc", "generated"), None)
    field = version_field(workspace, ["Tin", "Zinc"], ["baseline", "predicted"], k=3)
    assert [query.query_id for query in field.queries] == ["Tin", "Zinc"]
    assert field.not_asked == {"predicted": ("Zinc",)}
    assert "baseline retrieved nothing for Zinc" in field.notes


def test_a_topic_of_which_nothing_can_be_judged_is_left_out_and_many_are_named_once(workspace: Workspace) -> None:
    for n in range(5):
        workspace.store.save_topic(f"Empty {n}", ())
        workspace.store.save_version(QueryVersion(f"e{n}", f"Empty {n}", "{waiting}", 1, "zinc", "manual"), None)
    field = version_field(workspace, ["Tin", *(f"Empty {n}" for n in range(5))])
    assert [query.query_id for query in field.queries] == ["Tin"]
    many = "for Empty 0, Empty 1, Empty 2 and 2 more"
    assert is_noted(field.notes, "{waiting} has ", "not been run", many)
    assert is_noted(field.notes, "nothing to judge", many)
    with refusal(InputError):
        version_field(workspace, ["Empty 0"])


def test_publications_without_a_word_are_left_out_and_counted(workspace: Workspace) -> None:
    store = workspace.store
    store.save_publications((Publication("n1", ""), Publication("n2", " ")))
    store.save_version(
        QueryVersion("v8", "Tin", "bare", 8, "tin OR salt", "manual"), ["n1", "p3", "n2"], over_corpus=True
    )
    field = version_field(workspace, ["Tin"], ["bare"])
    assert [(each.rank, each.doc_id) for each in field.candidates] == [(2, "p3")]
    assert is_noted(field.notes, "bare of Tin: 2 without", "left out")
    with refusal(InputError):
        version_field(workspace, ["Tin"], ["bare"], k=1)


def test_a_boolean_search_that_was_run_here_has_no_order_and_a_note_says_so(workspace: Workspace) -> None:
    version = QueryVersion("v7", "Tin", "mine", 7, "tin OR salt", "manual")
    workspace.store.save_version(version, ["p3", "p4", "p5"], over_corpus=True)
    assert any(
        "no ranking" in note and "mine" in note for note in version_field(workspace, ["Tin"], ["mine"], k=2).notes
    )
    assert not any("no ranking" in note for note in version_field(workspace, ["Tin"], ["mine"], k=3).notes)


def test_a_sample_is_drawn_by_seed_and_shared_by_versions(workspace: Workspace) -> None:
    def draw(seed: int) -> JudgeField:
        return version_field(workspace, ["Tin"], ["baseline", "predicted"], k=8, take="sample", seed=seed)

    assert draw(1).candidates == draw(1).candidates
    assert draw(1).candidates != draw(2).candidates
    n_shared = [len(set(ids(draw(s), "baseline", "Tin")) & set(ids(draw(s), "predicted", "Tin"))) for s in range(6)]
    assert sum(n_shared) / 6 > 2  # 10 of 20 are in both; two draws would share 1.6
    assert any("with seed 1" in note for note in draw(1).notes)


@given(st.sets(st.integers(0, 50), min_size=1), st.sets(st.integers(0, 50), min_size=1), st.integers(1, 20))
def test_what_is_drawn_from_two_lists_is_drawn_from_their_sum(a: set[int], b: set[int], k: int) -> None:
    def draw(of: set[int]) -> set[str]:
        return set(drawn(list(map(str, of)), k, seed=3, of="t"))

    assert draw(a | b) <= draw(a) | draw(b)
    assert len(draw(a)) == min(k, len(a))


@pytest.mark.parametrize(
    ("topics", "labels", "error"), [([], [], InputError), (["Zinc"], [], NotFoundError), (["Tin"], ["x"], InputError)]
)
def test_versions_that_are_not_there_are_refused(
    workspace: Workspace, topics: list[str], labels: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        version_field(workspace, topics, labels)


# Together


def one(engine: str, query: Query, *doc_ids: str, name: str = "one") -> JudgeField:
    found = tuple(
        JudgeCandidate(engine, query.query_id, n, doc_id, "T", "") for n, doc_id in enumerate(doc_ids, start=1)
    )
    return JudgeField(name, (query,), found, (f"{name} is a field",))


def test_fields_are_put_together_query_by_query() -> None:
    tin, salt = Query("q1", "tin", (("a", "x"),)), Query("q2", "salt")
    together = joined(
        [one("bm25", tin, "d1"), one("scholar", replace(tin, labels=(("b", "y"),)), "d2"), one("bm25", salt, "d3")]
    )
    assert together.queries == (Query("q1", "tin", (("a", "x"), ("b", "y"))), salt)
    assert [(each.engine, each.query_id) for each in together.candidates] == [
        ("bm25", "q1"),
        ("bm25", "q2"),
        ("scholar", "q1"),
    ]
    assert together.notes == ("one is a field",)
    assert together.not_asked == {"scholar": ("q2",)}, "bm25 was asked both queries, scholar only the first"


def test_two_engines_of_one_name_that_answer_the_same_query_are_told_apart() -> None:
    tin = Query("q1", "tin")
    together = joined([one("bm25", tin, "d1", name="here"), *[one("bm25", tin, "d2", name="there")] * 2])
    assert together.engines == ("bm25", "bm25 (there)", "bm25 (there, 2)")
    assert len(together.candidates) == 3


def test_one_id_for_two_wordings_or_nothing_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="q1"):
        joined([one("a", Query("q1", "tin"), "d"), one("b", Query("q1", "salt"), "d")])
    with refusal(InputError):
        joined([])
    alone = one("a", Query("q1", "tin"), "d")
    assert joined([alone]) is alone


def test_more_engines_than_can_be_compared_are_refused() -> None:
    tin = Query("q1", "tin")
    some = [one(f"e{n}", tin, "d") for n in range(MOST_ENGINES)]
    assert len(joined(some).engines) == MOST_ENGINES
    with refusal(InputError):
        joined([*some, one("more", tin, "d")])
    many = replace(some[0], candidates=tuple(JudgeCandidate(f"e{n}", "q1", 1, "d", "T", "") for n in range(50_000)))
    for fields in ([many], [some[0], many]):
        with pytest.raises(InputError, match="50,000 engines"):
            joined(fields)
