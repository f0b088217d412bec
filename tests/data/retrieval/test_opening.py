"""What a retriever is, whatever it was called: one run for one thing, another for other weights, and what it lacks."""

from __future__ import annotations

from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import data.retrieval.retrievers as opening
from core.collections import Document
from core.retrieval.specs import PRESETS, Spec, read_spec
from data.collections import documents_key
from data.retrieval.retrievers import identity, needs, settled

NAMED = {preset.name: preset.spec for preset in PRESETS if preset.spec}
ELSEWHERE = ("voyage-large-2-instruct", "LLM2Vec", "GritLM-7b", "Claude reranker")


@pytest.fixture(autouse=True)
def without_services(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize("name", NAMED)
def test_a_preset_and_its_text_are_the_same_retriever(name: str) -> None:
    by_name, by_text = settled(NAMED[name]), settled(read_spec(NAMED[name].text))
    assert by_name.text == by_text.text
    assert replace(by_name, name="") == by_text


def test_the_usual_number_of_candidates_need_not_be_said() -> None:
    assert settled(read_spec("llm_reranker:demo,depth=20")).text == settled(read_spec("llm_reranker:demo")).text
    assert settled(read_spec("late_interaction:st:m,depth=50")).text == "late_interaction:st:m"
    assert settled(read_spec("llm_reranker:demo,depth=50")).candidates == 50


def test_other_weights_behind_a_name_are_another_retriever(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    specs = [
        Spec("dense", embedder=f"st:{tmp_path}"),
        Spec("late_interaction", embedder=f"st:{tmp_path}"),
        Spec("llm_reranker", model="gpt-4o", first="dense", embedder=f"st:{tmp_path}"),
    ]
    before = [identity(spec) for spec in specs]
    (tmp_path / "config.json").write_text('{"hidden_size": 1}')
    assert all(one != other for one, other in zip(before, map(identity, specs), strict=True))


def test_another_service_behind_a_name_is_another_retriever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    specs = [
        Spec("dense", embedder="openai"),
        Spec("llm_reranker", model="gpt-4o"),
        Spec("llm_reranker", model="gpt-4o", first="dense", embedder=f"st:{tmp_path}"),
        Spec("llm_reranker", model="demo", first="dense", embedder="openai"),
    ]
    before = [identity(spec) for spec in specs]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert all(one != other for one, other in zip(before, map(identity, specs), strict=True))
    assert identity(Spec("bm25")) == identity(Spec("dense", embedder="lsa")) == ""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_key_alone_does_not_reach_models_of_other_services(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    lacking = str(needs(NAMED[name]))
    assert "OPENAI_BASE_URL" in lacking
    assert "OPENAI_API_KEY" in lacking
    assert str(NAMED[name].model or NAMED[name].embedder).removeprefix("openai:") in lacking
    assert ("text-embedding-ada-002" in lacking) == (name == "Claude reranker")
    assert needs(replace(NAMED[name], name="")) == lacking
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert needs(NAMED[name]) is None


def test_a_key_is_enough_for_openais_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [NAMED[name] for name in ("ada-002", "multi-ada-002", "GPT-4 reranker")]
    assert all("OPENAI_API_KEY" in str(needs(spec)) for spec in own)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert [needs(spec) for spec in own] == [None, None, None]


def test_a_name_too_long_for_a_folder_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda name: ModuleSpec(name, None))
    lacking = needs(read_spec(f"dense:st:/{'a' * 5_000}"))
    assert str(lacking).endswith("does not exist")
    assert len(str(lacking)) < 300


def test_a_text_moved_from_one_part_to_the_next_is_another_document() -> None:
    keys = {
        documents_key([Document("a", "b\0c", "d")]),
        documents_key([Document("a", "b", "c\0d")]),
        documents_key([Document("a\0b", "c", "d")]),
        documents_key([Document("a", "b", "c"), Document("", "d", "")]),
    }
    assert len(keys) == 4
