"""Graph over a corpus: which knowledge base is asked, what is missing, and what makes it another run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.collections import Collection, Document, Query
from core.errors import InputError, NotFoundError
from core.knowledge.templates import Leg, Template, TemplateStep
from core.retrieval.retriever import Hits
from core.retrieval.specs import Spec, read_spec
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.knowledge.bases import Holders
from data.knowledge.templates import save_template
from data.retrieval.collections import RetrievalCorpus, open_collection
from data.retrieval.retrievers import asked_specs, first_of, needs, open_retriever, settled
from data.retrieval.runs import known_run, run_id_of, run_retriever
from tests.data.notes import assert_notes
from tests.data.papers import COLLECTION, DOCUMENTS, RELATIONS, keep_papers, save_base
from tests.messages import refusal

GRAPH = read_spec("graph:first=bm25")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("papers")
    keep_papers(root)
    return root


@pytest.fixture(scope="module")
def workspace(kept: Path) -> Iterator[Workspace]:
    with Workspace.open(kept) as workspace:
        yield workspace


@pytest.fixture
def own(kept: Path, tmp_path: Path) -> Iterator[Workspace]:
    """One to change."""
    with Workspace.open(tmp_path) as workspace:
        shutil.copytree(kept / "knowledge", workspace.paths.knowledge)
        save_collection(workspace.store, COLLECTION, origin="made up")
        yield workspace


def holders(workspace: Workspace, documents: tuple[Document, ...] = DOCUMENTS) -> Holders:
    return Holders.of(workspace.knowledge, workspace.store, Collection("any", documents, (), ()))


def search(workspace: Workspace, text: str, spec: Spec = GRAPH, collection: Collection = COLLECTION) -> Hits:
    corpus = RetrievalCorpus.of(
        collection, workspace.paths, Holders.of(workspace.knowledge, workspace.store, collection)
    )
    return open_retriever(corpus, spec).retriever.search(Query("q", text), 10)


def found(workspace: Workspace, text: str) -> list[str]:
    return [DOCUMENTS[row].doc_id for row in search(workspace, text).rows]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("papers by Mina Roy on air temperature", ["p3", "p2", "p4"]),
        ("Cold cells at the University of Elm", ["p1", "p2"]),
        ("papers by Mina Roy in the field of heat", ["p3"]),
        ('works cited by "Heat in street canyons" on sleep', ["p2", "p1"]),
        ("works that share a coauthor with Street trees and cooler air", ["p2"]),
        ("sleep of nurses", ["p2"]),
    ],
)
def test_questions_of_relations_and_text(workspace: Workspace, text: str, first: list[str]) -> None:
    assert found(workspace, text)[: len(first)] == first


def test_what_was_read_is_said(workspace: Workspace) -> None:
    assert_notes(search(workspace, "papers by Mina Roy").notes, ("read as: ", "written by Mina Roy (3 documents)"))
    assert_notes(search(workspace, "sleep of nurses").notes, ("answered by BM25 alone",))


def test_the_base_that_holds_the_documents_is_taken(workspace: Workspace) -> None:
    assert holders(workspace).names() == ("papers",)
    assert holders(workspace).base().about.name == "papers"
    assert needs(GRAPH, holders(workspace)) is None
    assert needs(read_spec("graph:papers"), holders(workspace)) is None


def test_what_is_missing_is_said(workspace: Workspace) -> None:
    others = holders(workspace, (Document("x1", "Elsewhere", ""), Document("x2", "", "")))
    assert "(there is papers)" in str(needs(GRAPH, others))
    assert "none of these" in str(needs(read_spec("graph:papers"), others))
    assert 'the knowledge base "none", which' in str(needs(read_spec("graph:none"), others))
    with refusal(InputError):
        open_retriever(RetrievalCorpus.of(COLLECTION, workspace.paths), GRAPH)


def test_ids_that_are_the_same_by_chance_are_not_enough(workspace: Workspace) -> None:
    by_chance = holders(workspace, (Document("p1", "Wing flutter", ""), Document("p2", "", "Boundary layers")))
    assert by_chance.names() == ()
    with pytest.raises(NotFoundError):
        by_chance.base()
    assert by_chance.base("papers").about.name == "papers"  # whoever names it will know


def test_a_base_that_holds_half_says_so(workspace: Workspace) -> None:
    documents = (*DOCUMENTS[:2], Document("z1", "Other", "air temperature"), Document("z2", "More", "air"))
    half = replace(COLLECTION, name="half", documents=documents)
    corpus = RetrievalCorpus.of(half, workspace.paths, Holders.of(workspace.knowledge, workspace.store, half))
    opened = open_retriever(corpus, GRAPH)
    assert any("it holds 2 of 4 documents" in note for note in opened.notes)
    hits = opened.retriever.search(Query("q", "papers by Akira Ito on air temperature"), 10)
    assert [documents[row].doc_id for row in hits.rows] == ["p1", "p2", "z1", "z2"]


def test_of_two_bases_one_has_to_be_named(own: Workspace) -> None:
    save_base(own, "again")
    assert set(holders(own).names()) == {"again", "papers"}
    assert "one of again and papers" in str(needs(GRAPH, holders(own)))
    assert needs(read_spec("graph:again"), holders(own)) is None


def test_other_relations_or_templates_are_another_run(own: Workspace) -> None:
    opened = open_collection(own, "papers")
    ids = [run_id_of(opened, settled(GRAPH), None, 100)]
    assert run_id_of(opened, settled(GRAPH), None, 100) == ids[0]
    template = Template(
        "mine",
        (Leg((TemplateStep(("paper___cites___paper",), "paper", "back"),), "paper", "paper"),),
        "Who cites {paper}?",
    )
    save_template(own.store, own.knowledge.open("papers"), template)
    ids.append(run_id_of(opened, settled(GRAPH), None, 100))
    save_base(own, relations=RELATIONS[:-1])
    ids.append(run_id_of(opened, settled(GRAPH), None, 100))
    assert len(set(ids)) == 3


def test_a_base_that_is_deleted_leaves_the_run_but_no_retriever(own: Workspace) -> None:
    opened = open_collection(own, "papers")
    saved = run_retriever(own, opened, GRAPH)
    assert saved.is_complete
    assert "follow relations" in saved.stages_ms
    assert known_run(own, opened, GRAPH) is not None
    own.knowledge.delete("papers")
    with refusal(InputError):
        run_retriever(own, opened, GRAPH)


def test_a_question_of_100_kb_is_answered(workspace: Workspace) -> None:
    hits = search(workspace, "papers by Mina Roy on " + "air temperature " * 6_500)
    assert DOCUMENTS[hits.rows[0]].doc_id == "p3"
    assert len(search(workspace, "x" * 100_000)) == 0


@pytest.mark.parametrize(
    "text", ["graph", "graph:demo", "graph:demo,first=dense", "graph:embedder=lsa,fusion=weighted"]
)
def test_it_is_written_and_read(text: str) -> None:
    assert read_spec(text).text == text


def test_its_first_stage_is_hybrid_and_takes_its_settings() -> None:
    spec = settled(read_spec("graph:demo,fusion=weighted,weight=0.3,embedder=st:m"))
    assert first_of(spec) == Spec("hybrid", embedder="st:m", fusion="weighted", weight=0.3)
    assert settled(read_spec("graph")).embedder == "lsa"
    assert first_of(settled(read_spec("graph:first=bm25,k1=0.9"))) == Spec("bm25", k1=0.9)
    assert [each.kind for each in asked_specs(read_spec("graph:demo"))] == ["bm25", "dense"]
