"""Entities as documents, with their relations in words; collections that take their documents from a knowledge base."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.errors import NotFoundError
from data.explore.workspace import Workspace
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import MOST_NAMES, knowledge_documents
from data.retrieval.collections import CollectionImportOptions, bring_collection
from tests.data.knowledge_bases import base_of, parts_of
from tests.data.papers import DOCUMENTS, ENTITIES, RELATIONS, save_base
from tests.messages import refusal


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(tmp_path, parts_of(ENTITIES, RELATIONS, answer_types=("paper",), templates="mag"))


def test_without_relations_they_are_the_entities(base: KnowledgeBase) -> None:
    assert tuple(knowledge_documents(base, with_relations=False)) == DOCUMENTS


def test_relations_are_told_in_words(base: KnowledgeBase) -> None:
    texts = {document.doc_id: document.text.splitlines() for document in knowledge_documents(base, with_relations=True)}
    assert set(texts["p2"]) == {
        "Nurses sleep less by day.",
        "written by: Akira Ito (University of Elm); Mina Roy",
        "is about: Sleep",
        "cited by: Heat in street canyons",
    }
    assert "cites: Street trees and cooler air; Night work and sleep" in texts["p3"]
    assert texts["p4"] == ["Cold cells lose capacity.", "written by: Mina Roy"]


def test_a_hub_is_told_in_part(tmp_path: Path) -> None:
    entities = {"p": ("paper", "Hub"), **{f"a{n}": ("author", f"Author {n}") for n in range(MOST_NAMES + 7)}}
    relations = [(f"a{n}", "author___writes___paper", "p") for n in range(MOST_NAMES + 7)]
    base = base_of(tmp_path, parts_of(entities, relations, answer_types=("paper",)))
    (document,) = knowledge_documents(base, with_relations=True)
    assert document.text.count("Author") == MOST_NAMES
    assert document.text.endswith(" and 7 more")


def test_what_is_related_both_ways_is_told_once(tmp_path: Path) -> None:
    entities = {"d": ("drug", "Salicin"), "g": ("gene/protein", "ELM1"), "h": ("gene/protein", "ELM2")}
    both = [("d", "target", "g"), ("g", "target", "d"), ("g", "ppi", "h"), ("h", "ppi", "g")]
    base = base_of(tmp_path, parts_of(entities, both))
    texts = {document.doc_id: document.text for document in knowledge_documents(base, with_relations=True)}
    assert texts["d"].count("ELM1") == 1
    assert texts["g"].count("Salicin") == texts["g"].count("ELM2") == 1
    assert len(texts["g"].splitlines()) == 2


def write_questions(folder: Path) -> None:
    with (folder / "stark_qa.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "query", "answer_ids"], ["0", "papers by Mina Roy", "['p2', 'p3']"]])


@pytest.mark.parametrize(
    ("documents", "line"), [("knowledge:papers", None), ("knowledge:papers+relations", "written by: Mina Roy")]
)
def test_a_collection_takes_its_documents_from_a_base(tmp_path: Path, documents: str, line: str | None) -> None:
    (tmp_path / "qa").mkdir()
    write_questions(tmp_path / "qa")
    with Workspace.open(tmp_path / "data") as workspace:
        save_base(workspace)
        brought = bring_collection(
            workspace, str(tmp_path / "qa"), CollectionImportOptions("asked", documents=documents)
        )
        assert brought.row.n_documents == len(DOCUMENTS)
        assert f"{len(DOCUMENTS)} documents were taken" in brought.notes[-1]
        texts = {document.doc_id: document.text for document in brought.collection.documents}
        assert ("written by: Mina Roy" in texts["p4"]) == (line is not None)
        with refusal(NotFoundError):
            bring_collection(
                workspace, str(tmp_path / "qa"), CollectionImportOptions("other", documents="knowledge:none+relations")
            )
