"""A knowledge base is written once and read as it was given."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from core.errors import InputError, NotFoundError
from core.knowledge.entities import NeighbourCount
from core.knowledge.templates import Leg, Template, TemplateStep
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from tests.data.knowledge_bases import base_of, parts_of
from tests.messages import refusal

ENTITIES = {
    "p1": ("paper", "Trees and heat", "On shade."),
    "ito": ("author", "Ito"),
    "p2": ("paper", "Night work"),
    "roy": ("author", "Roy"),
    "uni": ("institution", "University of Elm"),
    "p3": ("paper", "Ageing cells"),
}
RELATIONS = [
    ("ito", "writes", "p1"),
    ("ito", "writes", "p2"),
    ("roy", "writes", "p2"),
    ("roy", "writes", "p3"),
    ("ito", "at", "uni"),
    ("roy", "at", "uni"),
]
FROM_UNI = Leg(
    (TemplateStep(("at",), "author", "back"), TemplateStep(("writes",), "paper", "forward")),
    "institution",
    "institution",
)
BY_AUTHOR = Leg((TemplateStep(("writes",), "paper", "forward"),), "author", "author")


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(tmp_path, parts_of(ENTITIES, RELATIONS, answer_types=("paper",)))


def read_on(base: KnowledgeBase) -> None:
    while True:
        base.rows("SELECT 1")


def test_what_is_read_while_it_is_closed_is_read_to_its_end(base: KnowledgeBase) -> None:
    with base._cursor() as cursor:
        closing = Thread(target=base.close)
        closing.start()
        with refusal(NotFoundError):
            read_on(base)
        assert cursor.execute("SELECT count(*) FROM entities").fetchall() == [(6,)]
    closing.join()
    with pytest.raises(NotFoundError):
        base.rows("SELECT 1")


def test_one_that_is_taken_away_while_it_is_opened_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bases = KnowledgeBases(tmp_path)
    monkeypatch.setattr(bases, "names", lambda: ("gone",))
    with refusal(NotFoundError):
        bases.open("gone")


def test_entities_of_a_type_stand_together(base: KnowledgeBase) -> None:
    assert [(kind.name, kind.first, kind.n, kind.is_answer) for kind in base.types.values()] == [
        ("paper", 0, 3, True),
        ("author", 3, 2, False),
        ("institution", 5, 1, False),
    ]
    assert [entity.entity_id for entity in base.entities([5, 0, 3])] == ["uni", "p1", "ito"]
    assert base.entity("roy").title == "Roy"
    assert base.text(0).text == "On shade."
    assert base.text(0).attributes == {"name": "Trees and heat"}
    assert [document.doc_id for document in base.documents()] == ["p1", "p2", "p3"]


def test_neighbours_are_counted_and_listed(base: KnowledgeBase) -> None:
    ito = base.entity("ito").row
    assert base.neighbour_counts(ito) == (
        NeighbourCount("writes", "forward", "paper", 2),
        NeighbourCount("at", "forward", "institution", 1),
    )
    assert [entity.entity_id for entity in base.neighbours(ito, "writes", "forward", "paper")] == ["p1", "p2"]
    assert [entity.entity_id for entity in base.neighbours(ito, "writes", "forward", "paper", offset=1)] == ["p2"]


def test_answers_meet_every_leg(base: KnowledgeBase) -> None:
    rows = {name: base.entity(name).row for name in ENTITIES}

    def ids(template: Template, **given: str) -> list[str]:
        found = base.answers(template, {slot: [rows[name]] for slot, name in given.items()})
        return [entity.entity_id for entity in base.entities(found)]

    assert ids(Template("a", (FROM_UNI,), ""), institution="uni") == ["p1", "p2", "p3"]
    assert ids(Template("b", (FROM_UNI, BY_AUTHOR), ""), institution="uni", author="ito") == ["p1", "p2"]
    lacking = Leg(BY_AUTHOR.steps, "author", "author", is_negated=True)
    assert ids(Template("c", (lacking, FROM_UNI), ""), institution="uni", author="ito") == ["p3"]
    with pytest.raises(InputError, match="needs institution"):
        ids(Template("a", (FROM_UNI,), ""))


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    bases = KnowledgeBases(tmp_path)
    bases.save("small", parts_of(ENTITIES, RELATIONS), origin="by hand")
    with pytest.raises(InputError, match="already"):
        bases.save("small", parts_of(ENTITIES, RELATIONS), origin="by hand")
    before = bases.open("small")
    bases.save("small", parts_of(ENTITIES, RELATIONS[:2]), origin="by hand", replace=True)
    assert bases.open("small").about.n_relations == 2
    with pytest.raises(NotFoundError, match="replaced"):
        before.entity("ito")
    bases.delete("small")
    with pytest.raises(NotFoundError, match="none yet"):
        bases.open("small")
