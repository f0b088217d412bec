"""Faults: a flipped byte in any kind of file is noticed or harmless, and never gives another answer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.benchmarks.faults import KINDS, flips, said
from tests.data.knowledge_bases import base_of, parts_of
from tests.data.workspaces import MODEL, TOPIC, fill

LEFT_OUT = {"collection's vectors"}


@pytest.mark.slow
def test_a_flipped_byte_is_noticed_or_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    base = tmp_path / "base"
    fill(base)
    base_of(base / "knowledge", parts_of({"a": ("place", "Elm"), "b": ("place", "Oak")}, [("a", "near", "b")]))
    with Workspace.open(base) as workspace:
        workspace.knowledge.forget()

    def ask(root: Path) -> str | None:
        evaluate = ["evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine"]
        search = ["search", "tea", "--topic", TOPIC, "--retriever", "bm25"]
        entity = ["knowledge", "entity", "small", "Elm"]
        return said(root, *([*evaluate, "--embedder", e] for e in (MODEL, "lsa")), search, entity)

    rows = {row.fault.partition(": ")[2]: row for row in flips(base, tmp_path, 1, random.Random(2), ask)}
    assert {kind for kind, row in rows.items() if row.n} == set(KINDS) - LEFT_OUT
    assert [row.line() for row in rows.values() if not row.is_good] == []
    assert sum(row.n_struck for row in rows.values()) >= 1
