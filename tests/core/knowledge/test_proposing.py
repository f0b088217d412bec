"""From mentions to proposals: sure names fill blanks, plain words don't, and to use more of what is named is better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.entities import Entity, Mention
from core.knowledge.proposals import TemplateProposal, propose, relaxed, without_names
from core.knowledge.templates import Leg, Template, TemplateStep

WRITES, AT, CITES, ON = "writes", "at", "cites", "on"
BY_AUTHOR = Leg((TemplateStep((WRITES,), "paper", "forward"),), "author", "author")
FROM = Leg(
    (TemplateStep((AT,), "author", "back"), TemplateStep((WRITES,), "paper", "forward")), "institution", "institution"
)
FIELD = Leg((TemplateStep((ON,), "paper", "back"),), "field", "field")
CITED = Leg((TemplateStep((CITES,), "paper", "forward"),), "paper", "paper")
COAUTHORS = Leg(
    (TemplateStep((WRITES,), "author", "back"), TemplateStep((WRITES,), "paper", "forward")), "paper", "paper"
)
TEMPLATES = (
    Template("author", (BY_AUTHOR,), "Which papers are written by {author}?", ("papers by", "written by")),
    Template("field", (FIELD,), "Which papers are about {field}?", ("field", "field of", "about", "research on")),
    Template("institution", (FROM,), "Which papers are by researchers of {institution}?", ("researchers at",)),
    Template("cited", (CITED,), "Which papers are cited by {paper}?", ("cited by",)),
    Template("coauthors", (COAUTHORS,), "Which papers are by the authors of {paper}?", ("authors of", "coauthor")),
    Template(
        "both", (FROM, FIELD), "Which papers are of {institution} and about {field}?", ("researchers at", "field")
    ),
)
TITLES = {
    "Akira Ito": (("author", 0), ("author", 1)),
    "University of Elm": (("institution", 10),),
    "Heat": (("field", 20),),
    "Cold stores": (("field", 21),),
    "Elm": (("author", 2), ("field", 22)),
    "Trees and heat in cities": (("paper", 30),),
    "雪村 翔太": (("author", 3),),
    "McQuay": (("author", 4),),
}


def named(question: str, *titles: str, score: float = 1.0) -> tuple[Mention, ...]:
    """These titles where they stand in a question, in whatever case."""
    found = []
    for title in titles:
        start = question.casefold().index(title.casefold())
        entities = tuple(Entity(row, f"e{row}", kind, title) for kind, row in TITLES[title])
        found.append(Mention(start, start + len(title), entities, score))
    return tuple(found)


def asked(question: str, *titles: str, score: float = 1.0) -> tuple[TemplateProposal, ...]:
    return propose(question, named(question, *titles, score=score), TEMPLATES)


def meaning(proposal: TemplateProposal) -> dict[str, tuple[int, ...]]:
    return dict(proposal.given)


@pytest.mark.parametrize(
    ("question", "titles", "template_id", "given"),
    [
        ("Papers by Akira Ito on shade", ["Akira Ito"], "author", {"author": (0, 1)}),
        ("papers by akira ito on shade", ["Akira Ito"], "author", {"author": (0, 1)}),
        ("Shade, 雪村 翔太", ["雪村 翔太"], "author", {"author": (3,)}),
        ("What comes from University of Elm?", ["University of Elm"], "institution", {"institution": (10,)}),
        ("Papers in the field of heat on trees", ["Heat"], "field", {"field": (20,)}),
        ("trees in the cold stores field", ["Cold stores"], "field", {"field": (21,)}),
        ("Papers cited by Trees and heat in cities", ["Trees and heat in cities"], "cited", {"paper": (30,)}),
        (
            'Which papers share a coauthor with "Trees and heat in cities"?',
            ["Trees and heat in cities"],
            "coauthors",
            {"paper": (30,)},
        ),
        (
            "Researchers at University of Elm in the field of heat",
            ["University of Elm", "Heat"],
            "both",
            {"institution": (10,), "field": (20,)},
        ),
    ],
)
def test_what_people_ask(
    question: str, titles: Sequence[str], template_id: str, given: dict[str, tuple[int, ...]]
) -> None:
    best = asked(question, *titles)[0]
    assert best.template.template_id == template_id
    assert meaning(best) == given


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("How does heat spread in cold stores?", ["Heat", "Cold stores"]),
        ("papers about heat and cold stores", ["Heat", "Cold stores"]),
        ("research on heat islands", ["Heat"]),
        ("in the field of heat islands", ["Heat"]),
        ("Heat is harmful", ["Heat"]),
        ("HEAT AND COLD STORES AND SHADE", ["Heat", "Cold stores"]),
        ("Trees and heat in cities", ["Trees and heat in cities"]),
        ("trees and heat in cities are studied", ["Trees and heat in cities"]),
        ("Nothing at all", []),
        ("", []),
    ],
)
def test_plain_words_ask_for_nothing(question: str, titles: Sequence[str]) -> None:
    assert asked(question, *titles) == ()


def test_templates_are_put_together_where_several_things_are_named() -> None:
    best, *others = asked("Papers by Akira Ito in the field of heat", "Akira Ito", "Heat")
    assert sorted(best.given.values()) == [(0, 1), (20,)]
    assert {leg.type for leg in best.template.legs} == {"author", "field"}
    assert all(each.score < best.score for each in others)
    assert {each.template.template_id for each in others} == {"author", "field"}


def test_two_of_one_type_fill_blanks_of_their_own() -> None:
    question = "Papers by Akira Ito and McQuay"
    best = asked(question, "Akira Ito", "McQuay")[0]
    assert sorted(best.given.values()) == [(0, 1), (4,)]
    assert sorted(best.titles.values()) == ["Akira Ito", "McQuay"]
    assert best.n_meant == 3


def test_one_mention_is_never_used_twice_nor_two_that_overlap() -> None:
    question = "Researchers at University of Elm, field of heat"
    for each in asked(question, "University of Elm", "Elm", "Heat"):
        spans = sorted((mention.start, mention.end) for mention in each.mentions)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_less_likeness_is_a_lower_score() -> None:
    sure, unsure = (asked("Papers by Akira Ito", "Akira Ito", score=score)[0] for score in (1.0, 0.85))
    assert sure.score > unsure.score
    assert asked("Papers by Akira Ito", "Akira Ito", score=0.5) == ()


def test_tiers_ask_for_less_and_less_of_the_same() -> None:
    question = "Papers by Akira Ito and McQuay in the field of heat"
    tiers = relaxed(asked(question, "Akira Ito", "McQuay", "Heat"))
    assert len(tiers[0]) == 1
    sizes = [{len(each.given) for each in tier} for tier in tiers]
    assert sizes[0] == {3}
    assert max(sizes[-1]) == 1
    scores = [tier[0].score for tier in tiers]
    assert scores == sorted(scores, reverse=True)
    assert relaxed(()) == ()


def test_names_are_left_out_of_the_text() -> None:
    question = "Papers by Akira Ito on shade"
    assert without_names(question, named(question, "Akira Ito")) == "Papers by on shade"


words = st.sampled_from([*TITLES, "papers by", "field of", "cited by", "on", "shade", "the", ".", "RESEARCH"])


@given(st.lists(words, max_size=9), st.booleans(), st.sampled_from([1.0, 0.8, 0.3]))
def test_laws(parts: list[str], lower: bool, score: float) -> None:
    question = " ".join(parts).lower() if lower else " ".join(parts)
    mentions, start = [], 0
    for part in parts:
        if part in TITLES:
            entities = tuple(Entity(row, f"e{row}", kind, part) for kind, row in TITLES[part])
            mentions.append(Mention(start, start + len(part), entities, score))
        start += len(part) + 1
    found = propose(question, mentions, TEMPLATES)
    turned = propose(question, mentions[::-1], TEMPLATES)
    assert sorted(each.score for each in turned) == pytest.approx(sorted(each.score for each in found))
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    for each in found:
        assert 0 < each.score <= 1
        assert each.given.keys() == each.template.slots.keys()
        for (slot, kind), mention in zip(each.template.slots.items(), each.mentions, strict=True):
            assert set(each.given[slot]) <= {entity.row for entity in mention.entities if entity.type == kind}
            assert each.given[slot]
    if score == 0.3:
        assert found == ()


def test_a_crowd_of_mentions_is_no_matter() -> None:
    question = "papers by " + ", ".join(["Akira Ito"] * 300)
    mentions = [
        Mention(at, at + 9, (Entity(at, "e", "author", "Akira Ito"),), 1.0) for at in range(10, 10 + 300 * 11, 11)
    ]
    found = propose(question, mentions, TEMPLATES)
    assert 0 < len(found) < 1_000


@pytest.mark.parametrize("text", ["papers by Akira Ito but not heat", "papers by Akira Ito, not in the field of heat"])
def test_what_is_denied_is_not_asked_for(text: str) -> None:
    assert [each.template.template_id for each in asked(text, "Akira Ito", "Heat")] == ["author"]


def test_a_denial_that_a_template_asks_for_is_heard() -> None:
    lacking = Template("lacking", (BY_AUTHOR, FIELD), "By {author} but not {field}", ("but not",))
    question = "papers by Akira Ito but not heat"
    best = propose(question, named(question, "Akira Ito", "Heat"), (*TEMPLATES, lacking))[0]
    assert best.template is lacking


def test_quotes_tell_a_name() -> None:
    assert asked('is "heat" a topic', "Heat")[0].template.template_id == "field"


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("What does Trees and heat in cities cite on shade?", True),
        ("papers cited by Trees and heat in cities", True),
        ("papers that cite Trees and heat in cities", False),
    ],
)
def test_the_side_on_which_a_relation_stands_tells_its_direction(question: str, is_read: bool) -> None:
    assert bool(asked(question, "Trees and heat in cities")) == is_read
