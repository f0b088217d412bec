"""The made-up knowledge base: of MAG's kind, tied to the demo collection, and the same every time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.collections import Collection
from core.text import words
from data.collections import find_collection
from data.demo import loading
from data.demo.knowledge import DEMO_BASE, NAMESAKES, build_demo_knowledge
from data.demo.loading import DEMO_RELATIONS, bring_demo_knowledge, bring_demo_relations
from data.demo.publications import build_benchmark
from data.explore.workspace import Workspace
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, content_key
from tests.data.knowledge_bases import parts_of

AT, CITES, ON, WRITES = (
    "author___affiliated_with___institution",
    "paper___cites___paper",
    "paper___has_topic___field_of_study",
    "author___writes___paper",
)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return build_benchmark()


@pytest.fixture(scope="module")
def parts() -> KnowledgeBaseParts:
    return build_demo_knowledge()


@pytest.fixture(scope="module")
def base(parts: KnowledgeBaseParts, tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    bases = KnowledgeBases(tmp_path_factory.mktemp("bases"))
    bases.save(DEMO_BASE, parts, origin="made up")
    return bases.open(DEMO_BASE)


def named(parts: KnowledgeBaseParts, kind: str) -> EntityPart:
    (found,) = [part for part in parts.entities if part.types[0] == kind]
    return found


def pairs(base: KnowledgeBase, relation: str) -> list[tuple[int, int]]:
    number = base.relation_numbers[relation]
    return base.rows("SELECT source, target FROM forward WHERE relation = ?", [number])


def test_it_is_the_same_at_every_call(parts: KnowledgeBaseParts) -> None:
    assert content_key(build_demo_knowledge()) == content_key(parts)
    assert content_key(replace(parts, notes=[])) != content_key(parts)


def test_its_papers_are_the_documents_of_the_demo_collection(base: KnowledgeBase, collection: Collection) -> None:
    assert tuple(base.documents()) == collection.documents
    assert base.answer_types == ("paper",)
    assert (base.about.made_up, base.about.templates) == (True, "mag")


def test_it_has_the_types_and_relations_of_mag(base: KnowledgeBase) -> None:
    assert tuple(base.types) == ("author", "institution", "field_of_study", "paper")
    assert {(kind.name, kind.source, kind.target) for kind in base.relation_types} == {
        (AT, "author", "institution"),
        (CITES, "paper", "paper"),
        (ON, "paper", "field_of_study"),
        (WRITES, "author", "paper"),
    }
    assert 4_900 <= base.about.n_entities <= 5_100
    assert [note for note in base.about.notes if "left out" in note or "more than once" in note] == []


def test_no_name_of_a_person_or_institution_stands_in_a_text(parts: KnowledgeBaseParts, collection: Collection) -> None:
    texts = "\n".join(" " + " ".join(words(document.whole)) + " " for document in collection.documents)
    titles = [title for kind in ("author", "institution") for title in named(parts, kind).titles]
    names = [" ".join(words(title)) for title in titles]
    assert [name for name in names if f" {name} " in texts] == []
    families = {re.split(r"[ -]", title)[-1] for title in named(parts, "author").titles if title.isascii()}
    assert [family for family in families if f" {' '.join(words(family))} " in texts] == []


def test_some_names_are_two_peoples_or_a_part_of_another(parts: KnowledgeBaseParts) -> None:
    counted = Counter(named(parts, "author").titles)
    assert sum(n - 1 for n in counted.values()) == NAMESAKES
    institutions = named(parts, "institution").titles
    assert len(set(institutions)) == len(institutions)
    assert any(a != b and a in b for a in institutions for b in institutions)
    assert sum(not title.isascii() for title in counted) > 300


def test_everybody_writes_and_few_write_much(base: KnowledgeBase) -> None:
    written = Counter(author for author, _ in pairs(base, WRITES))
    teams = Counter(paper for _, paper in pairs(base, WRITES))
    assert written.keys() == set(base.types["author"].rows)
    assert teams.keys() == set(base.types["paper"].rows)
    assert set(teams.values()) == {1, 2, 3, 4, 5, 6}
    most = sorted(written.values(), reverse=True)
    assert sum(most[: len(most) // 10]) > sum(most) / 4
    places = Counter(author for author, _ in pairs(base, AT))
    assert set(places.values()) == {1, 2}
    assert {place for _, place in pairs(base, AT)} == set(base.types["institution"].rows)


def test_papers_cite_earlier_ones_and_have_fields_broad_and_narrow(base: KnowledgeBase) -> None:
    years = {row: int(base.text(row).attributes["year"]) for row in list(base.types["paper"].rows)[::40]}
    cited = [(a, b) for a, b in pairs(base, CITES) if a in years and b in years]
    assert cited
    assert all(years[a] >= years[b] for a, b in cited)
    papers = Counter(field for _, field in pairs(base, ON))
    assert papers.keys() == set(base.types["field_of_study"].rows)
    assert max(papers.values()) > 20 * np.median(list(papers.values()))
    assert min(Counter(paper for paper, _ in pairs(base, ON)).values()) >= 2


def test_it_comes_once_and_an_earlier_one_is_replaced_but_not_a_persons_own(
    tmp_path: Path, parts: KnowledgeBaseParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "build_demo_knowledge", lambda: parts)
    own = parts_of({"p1": ("paper", "Trees")}, [])
    with Workspace.open(tmp_path) as workspace:
        assert bring_demo_knowledge(workspace)
        assert not bring_demo_knowledge(workspace)
        workspace.knowledge.save(DEMO_BASE, replace(own, made_up=True), origin="", replace=True)
        assert bring_demo_knowledge(workspace)
        assert workspace.knowledge.open(DEMO_BASE).about.key == content_key(parts)
        workspace.knowledge.save(DEMO_BASE, own, origin="", replace=True)
        assert not bring_demo_knowledge(workspace)
        (workspace.knowledge.root / DEMO_BASE / "base.duckdb").write_bytes(b"torn")
        assert bring_demo_knowledge(workspace)
        assert workspace.knowledge.open(DEMO_BASE).about.n_entities > 4_900


@pytest.mark.slow
def test_questions_about_relations_come_once(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        bring_demo_knowledge(workspace)
        assert bring_demo_relations(workspace)
        found = find_collection(workspace.store, DEMO_RELATIONS)
        assert found.made_up
        assert found.n_judged_queries == found.n_queries > 100
        assert set(found.splits) >= {"train", "val", "test"}
        assert not bring_demo_relations(workspace)
