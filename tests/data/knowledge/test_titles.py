"""Entities are found by id, by title, by words and by words like them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.knowledge.entities import title_key
from data.knowledge import bases as documents
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.titles import FOLDER, MOST_OF_A_TITLE, find_entities, find_mentions, open_titles
from tests.data.knowledge_bases import base_of, parts_of

ENTITIES = {
    "a1": ("author", "Haruka Ito"),
    "a2": ("author", "Haruka Ito"),
    "a3": ("author", "Łukasz Şahbaz-Brién"),
    "i1": ("institution", "University of Elm"),
    "i2": ("institution", "University of Elm Medical Centre"),
    "f1": ("field_of_study", "Heat"),
    "p1": ("paper", "Heat"),
    "p2": ("paper", "Heat and shade of street trees: a review"),
    "Heat": ("paper", "Named like an id"),
    "p4": ("paper", "?!"),
    "p5": ("paper", ""),
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return base_of(tmp_path_factory.mktemp("bases"), parts_of(ENTITIES, []))


def ids(base: KnowledgeBase, text: str, **options: object) -> list[str]:
    return [entity.entity_id for entity in find_entities(base, text, **options)]  # type: ignore[arg-type]


def test_ids_come_before_titles_and_titles_before_words(base: KnowledgeBase) -> None:
    assert ids(base, "Heat")[:4] == ["Heat", "f1", "p1", "p2"]
    assert ids(base, " p2 ") == ["p2"]
    assert ids(base, "heat", type="paper")[0] == "p1"
    assert ids(base, "heat", type="field_of_study") == ["f1"]
    assert ids(base, "Heat", type="institution") == []


def test_a_title_is_found_whatever_its_accents_case_and_punctuation(base: KnowledgeBase) -> None:
    assert ids(base, "lukasz sahbaz brien")[0] == "a3"
    assert ids(base, "HEAT & SHADE of street trees — a review") == ids(base, "shade trees")
    assert ids(base, "haruka ito") == ["a1", "a2"]
    assert ids(base, "University of Elm") == ["i1", "i2"]


def test_beginnings_and_typos_are_found(base: KnowledgeBase) -> None:
    assert ids(base, "univ") == ["i1", "i2"]
    assert ids(base, "elm medi") == ["i2"]
    assert ids(base, "Harukka Ito") == ["a1", "a2"]
    assert ids(base, "universty of elm medcal centre")[0] == "i2"
    assert ids(base, "h ito") == ["a1", "a2"]
    assert ids(base, "quicksilver") == []


def test_as_many_as_asked_for(base: KnowledgeBase) -> None:
    assert ids(base, "Heat", k=2) == ["Heat", "f1"]
    assert ids(base, "heat", k=0) == []


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", '"', "NOT ( [ * ~2 ^", "a" * 1_000_000, "x:y", "-", "½ 💥"])
def test_hostile_text_finds_nothing_and_breaks_nothing(base: KnowledgeBase, text: str) -> None:
    assert find_entities(base, text) == ()


@settings(max_examples=50)
@given(st.text(st.characters(), max_size=30) | st.text("Heat Ito\0*\"'+-():\u0301", max_size=20))
def test_any_text_is_looked_up(base: KnowledgeBase, text: str) -> None:
    found = find_entities(base, text, k=5)
    assert len(found) == len(set(found)) <= 5


@settings(max_examples=25)
@given(st.sampled_from([(i, title) for i, (_, title, *_) in ENTITIES.items() if title_key(title)]), st.data())
def test_an_exact_title_comes_first(base: KnowledgeBase, entity: tuple[str, str], data: st.DataObject) -> None:
    """Whatever its case and punctuation; unless it is an id."""
    entity_id, title = entity
    written = "".join(data.draw(st.sampled_from([char.upper(), char.lower()])) for char in title.replace(" ", "  "))
    found = [found for found in find_entities(base, written) if found.entity_id != written]
    same = [other.entity_id for other in found if title_key(other.title) == title_key(title)]
    assert entity_id in same
    assert [other.entity_id for other in found[: len(same)]] == same


def test_plain_titles_have_the_same_key_in_the_database(tmp_path: Path) -> None:
    """Every plain character, and some that are not."""
    titles = [f"Aa{chr(code)}b{chr(code)}" for code in range(1, 128)] + ["ﬁne É", "½ of it", "Straße"]
    entities = {f"e{number}": ("thing", title) for number, title in enumerate(titles)}
    with base_of(tmp_path, parts_of(entities, [])) as base:
        for place, rows in open_titles(base).rows_of_keys([title_key(title) for title in titles]):
            assert place in rows
        assert len(list(open_titles(base).rows_of_keys(list(map(title_key, titles))))) == len(titles)


def test_titles_of_any_length_are_indexed(tmp_path: Path) -> None:
    long = {"word": "x" * 70_000, "words": "é a " * 50_000, "marks": "-" * 70_000, "plain": "Tree"}
    with base_of(tmp_path, parts_of({name: ("thing", title) for name, title in long.items()}, [])) as base:
        assert ids(base, "tree") == ["plain"]
        assert ids(base, long["words"]) == ["words"]
        assert ids(base, long["word"]) == []
        assert [mention.entities[0].entity_id for mention in find_mentions(base, "é a " * 40 + "tree")] == ["plain"]


def test_many_of_one_title_hide_no_other_type(tmp_path: Path) -> None:
    entities = {f"a{number}": ("author", "Heat") for number in range(2 * MOST_OF_A_TITLE)}
    with base_of(tmp_path, parts_of({**entities, "f": ("field", "Heat")}, [])) as base:
        found = find_entities(base, "heat", k=MOST_OF_A_TITLE + 1)
        assert found[-1].entity_id == "f"


def test_the_index_is_made_once_and_again_for_another_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = base_of(tmp_path, parts_of(ENTITIES, []))
    assert not (base.folder / FOLDER).exists()
    assert open_titles(base) is open_titles(base)
    about = base.folder / FOLDER / "about.json"
    before = about.stat().st_mtime_ns
    with KnowledgeBase.open(base.folder) as again:
        assert ids(again, "heat")
    assert about.stat().st_mtime_ns == before
    bases = KnowledgeBases(tmp_path)
    monkeypatch.setattr(documents, "INDEXED_AT_ONCE", 1)
    base.close()
    bases.save("small", parts_of({"x": ("thing", "Quicksilver")}, []), origin="", replace=True)
    made = about.read_bytes()
    assert ids(bases.open("small"), "quicksilver") == ["x"]
    assert ids(bases.open("small"), "haruka") == []
    assert about.read_bytes() == made
    (about.parent / "hashes.npy").write_bytes(b"torn")
    bases.forget()
    assert ids(KnowledgeBases(tmp_path).open("small"), "quicksilver") == ["x"]
    bases.forget()
    shutil.rmtree(about.parent)
    assert ids(KnowledgeBases(tmp_path).open("small"), "quicksilver") == ["x"]
