"""What a query asks of relations, by its labels or by its words, and which documents meet that."""

from __future__ import annotations

import pytest

from core.collections import Query
from core.knowledge.templates import GIVEN, TEMPLATE, Requirement
from core.retrieval.query_results import groupings
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import RequirementMatch, requirement_met
from tests.data.knowledge_bases import base_of, parts_of
from tests.data.papers import ASKED, COLLECTION, ENTITIES, RELATIONS

PARTS = parts_of(ENTITIES, RELATIONS, answer_types=("paper",), templates="mag")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return base_of(tmp_path_factory.mktemp("base"), PARTS)


def met_by(base: KnowledgeBase, text: str, requirement: Requirement | None = None) -> RequirementMatch | None:
    return requirement_met(base, None, Query("q", text, requirement.labels if requirement else ()))


def test_labels_say_it(base: KnowledgeBase) -> None:
    met = met_by(base, "anything by Akira Ito", ASKED)
    assert met is not None
    assert (met.how, met.requirement) == ("given", ASKED)
    assert met.words.endswith("written by Mina Roy?")
    assert met.answers(10) == ("p2", "p3", "p4")
    assert met.among(["p4", "gone", "p1", "p2"]) == ("p4", "p2")
    assert "met by 2 of these 4" in met.sentence(["p4", "gone", "p1", "p2"])


def test_else_the_words_do(base: KnowledgeBase) -> None:
    met = met_by(base, "shade, by Akira Ito")
    assert met is not None
    assert met.how == "proposed"
    assert met.requirement == Requirement("mag-author", {"author": ("ito",)})
    assert met.answers(10) == ("p1", "p2")
    assert met_by(base, "sleep of nurses") is None


@pytest.mark.parametrize(
    "labels",
    [
        Requirement("no-such-template", {"author": ("roy",)}).labels,
        Requirement("mag-author", {"author": ("nobody",)}).labels,
        Requirement("mag-author", {"author": ("elm",)}).labels,
        Requirement("mag-author", {}).labels,
        ((TEMPLATE, "mag-author"), (GIVEN, "{not json")),
        ((TEMPLATE, "mag-author"), (GIVEN, '{"author": 7}')),
    ],
)
def test_labels_that_lead_nowhere_leave_it_to_the_words(
    base: KnowledgeBase, labels: tuple[tuple[str, str], ...]
) -> None:
    met = requirement_met(base, None, Query("q", "shade, by Akira Ito", labels))
    assert met is not None
    assert met.how == "proposed"
    assert requirement_met(base, None, Query("q", "shade", labels)) is None


def test_templates_put_together_are_known_by_their_parts(base: KnowledgeBase) -> None:
    requirement = Requirement("mag-author+mag-field", {"author": ("roy",), "field_of_study": ("heat",)})
    met = met_by(base, "", requirement)
    assert met is not None
    assert met.answers(10) == ("p3",)


def test_what_fills_blanks_is_no_kind_of_query() -> None:
    assert list(groupings(COLLECTION)) == ["length", "answers", "label:template", "label:kind"]
