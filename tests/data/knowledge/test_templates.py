"""Every published template on a tiny knowledge base, with the answers by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from core.errors import InputError
from core.knowledge.entities import TURNED
from core.knowledge.templates import Leg, Template, TemplateStep, compose
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.templates import OURS, compositions, published, set_names, template_of, template_set, templates_of
from tests.data.knowledge.template_scenes import SCENES, Case
from tests.data.knowledge_bases import parts_of
from tests.messages import refusal

CASES = [(name, case) for name, (_, _, cases) in SCENES.items() for case in cases]


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, KnowledgeBase]]:
    """One for each set; "twice" holds Prime's relations both ways, as they are published."""
    kept = KnowledgeBases(tmp_path_factory.mktemp("sets"))
    for name, (entities, relations, _) in SCENES.items():
        kept.save(name, parts_of(entities, relations, templates=name), origin="by hand")
    entities, relations, _ = SCENES["prime"]
    both = [*relations, *((target, name, source) for source, name, target in relations)]
    kept.save("twice", parts_of(entities, both, templates="prime"), origin="by hand")
    yield {name: kept.open(name) for name in kept.names()}
    rows.cache_clear()
    kept.forget()


@cache
def rows(base: KnowledgeBase) -> dict[str, int]:
    """By id; read once."""
    return dict(base.rows("SELECT entity_id, row FROM ids"))


def given(base: KnowledgeBase, case: Case) -> dict[str, list[int]]:
    return {slot: [rows(base)[entity_id]] for slot, entity_id in case.given.items()}


def answers(base: KnowledgeBase, template: Template, case: Case) -> set[str]:
    ids = {row: entity_id for entity_id, row in rows(base).items()}
    return {ids[row] for row in base.answers(template, given(base, case)).tolist()}


def test_the_published_sets_are_whole(bases: dict[str, KnowledgeBase]) -> None:
    n_of = {name: (len(published(name)), len(template_set(name))) for name in ("mag", "amazon", "prime")}
    assert n_of == {"mag": (7, 8), "amazon": (4, 4), "prime": (28, 28)}
    assert set(SCENES) <= set(set_names())
    for name, (_, _, cases) in SCENES.items():
        every = (*template_set(name), *compositions(name))
        assert [template.template_id for template in every] == [case.template_id for case in cases]
        assert templates_of(bases[name]) == every
        for template in every:
            assert (template.reference == OURS) == (template.template_id == "mag-citing")
            assert template.reference == OURS or template.reference.startswith("Wu et al. (2024)")
            assert template.cues
    assert template_set("nothing") == compositions("nothing") == ()


@pytest.mark.parametrize(("name", "case"), CASES, ids=[case.template_id for _, case in CASES])
def test_answers_are_those_found_by_hand(bases: dict[str, KnowledgeBase], name: str, case: Case) -> None:
    base = bases[name]
    template = template_of(templates_of(base), case.template_id)
    assert set(case.tempting.split()) <= rows(base).keys()
    assert not set(case.tempting.split()) & set(case.answers.split())
    assert answers(base, template, case) == set(case.answers.split())
    assert base.count_answers(template, given(base, case)) == len(case.answers.split())
    if name == "prime":
        assert answers(bases["twice"], template, case) == set(case.answers.split())


@pytest.mark.parametrize(("name", "case"), CASES, ids=[case.template_id for _, case in CASES])
def test_every_part_of_a_template_matters(bases: dict[str, KnowledgeBase], name: str, case: Case) -> None:
    base = bases[name]
    template = template_of(templates_of(base), case.template_id)
    for changed in changes(template):
        assert answers(base, changed, case) != set(case.answers.split()), changed.legs


def changes(template: Template) -> Iterator[Template]:
    """One leg fewer, one no longer negated, one step turned round."""
    for place, leg in enumerate(template.legs):
        rest = [*template.legs[:place], *template.legs[place + 1 :]]
        if any(not each.is_negated for each in rest):
            yield replace(template, legs=tuple(rest))
        if leg.is_negated:
            yield replace(template, legs=(*rest, replace(leg, is_negated=False)))
        for number, step in enumerate(leg.steps):
            if step.direction != "either":
                turned = replace(step, direction=TURNED[step.direction])
                steps = (*leg.steps[:number], turned, *leg.steps[number + 1 :])
                yield replace(template, legs=(*template.legs[:place], replace(leg, steps=steps), *rest[place:]))


def walked(base: KnowledgeBase, template: Template, case: Case, answer: str, most: int = 5) -> list[tuple[int, str]]:
    """The ways to an answer: the leg, and entities and relations in turn."""
    found = base.ways(template, given(base, case), rows(base)[answer], most=most)
    said = []
    for way in found:
        ids = [entity.entity_id for entity in base.entities(way.rows)]
        assert len(way.relations) == len(ids) - 1
        between = [word for pair in zip(ids[1:], way.relations, strict=True) for word in reversed(pair)]
        said.append(
            (way.leg, " ".join([ids[0], *(word.split("___")[1] if "___" in word else word for word in between)]))
        )
    return said


def test_ways_that_led_to_an_answer(bases: dict[str, KnowledgeBase]) -> None:
    def of(template_id: str, answer: str, most: int = 5) -> list[tuple[int, str]]:
        name, case = next(each for each in CASES if each[1].template_id == template_id)
        return walked(bases[name], template_of(templates_of(bases[name]), template_id), case, answer, most)

    by_ito, by_roy = "elm affiliated_with ito writes p2", "elm affiliated_with roy writes p2"
    assert of("mag-institution", "p2") == [(0, by_ito), (0, by_roy)]
    assert of("mag-institution", "p2", most=1) == [(0, by_ito)]
    assert of("mag-institution", "p2", most=0) == []
    assert of("mag-coauthors-field", "p1") == [(0, "p2 writes ito writes p1"), (1, "p2 has_topic heat has_topic p1")]
    assert of("amazon-similar", "d") == [(0, "a also_view d")]
    assert of("amazon-color+amazon-brand", "c") == [(0, "red has_color c"), (1, "acme has_brand c")]
    assert of("prime-01", "s2") == [(0, "e1 phenotype absent s2")]
    assert of("prime-25", "d2") == [(0, "d1 indication s4 indication d2"), (1, "d1 synergistic interaction d2")]
    assert of("mag-author", "p3") == []
    assert of("mag-author", "elm") == []
    assert of("mag-cited", "p1") == []


def test_ways_end_on_cycles(bases: dict[str, KnowledgeBase]) -> None:
    base = bases["mag"]
    cites = TemplateStep(("paper___cites___paper",), "paper", "forward")
    template = Template("far", (Leg((cites,) * 6, "paper", "paper"),), "")
    case = Case("far", {"paper": "p2"}, "", "")
    assert answers(base, template, case) == {"p1", "p3", "p4"}
    found = walked(base, template, case, "p1", most=50)
    assert (
        len(found) == len(set(found)) == 13
    )  # as many as there are ways to make 5 of 1, 2 and 3, the lengths of the cycles at p1
    assert all(way.startswith("p2 cites p1") and way.endswith(" p1") for _, way in found)


def test_a_blank_takes_any_of_several_and_none_of_them_is_an_answer(bases: dict[str, KnowledgeBase]) -> None:
    base = bases["mag"]
    cited = template_of(templates_of(base), "mag-cited")
    found = base.entities(base.answers(cited, {"paper": [rows(base)["p1"], rows(base)["p4"]]}))
    assert [entity.entity_id for entity in found] == ["p2", "p3"]


def test_what_fills_a_blank_is_checked(bases: dict[str, KnowledgeBase]) -> None:
    base = bases["mag"]
    template = template_of(templates_of(base), "mag-institution-field")
    elm, heat, ito = (rows(base)[name] for name in ("elm", "heat", "ito"))
    with pytest.raises(InputError, match=r"needs field_of_study$"):
        base.answers(template, {"institution": [elm], "field_of_study": []})
    with refusal(InputError):
        base.answers(template, {"institution": [elm, ito], "field_of_study": [heat]})
    with refusal(InputError):
        base.ways(template, {"institution": [99], "field_of_study": [heat]}, 0)
    with refusal(InputError):
        base.count_answers(template, {"institution": [elm], "field_of_study": [-1]})


@pytest.mark.parametrize(
    "leg",
    [
        Leg((TemplateStep(("reads",), "paper"),), "author", "author"),
        Leg((TemplateStep(("author___writes___paper",), "film"),), "author", "author"),
        Leg(
            (TemplateStep(("author___writes___paper",), "film"), TemplateStep(("paper___cites___paper",), "paper")),
            "author",
            "author",
        ),
        Leg((TemplateStep(("author___writes___paper",), "paper"),), "robot", "author"),
        Leg((TemplateStep(("author___writes___paper",), "paper"),), "robot"),
    ],
)
def test_an_unknown_relation_or_type_has_no_answers(bases: dict[str, KnowledgeBase], leg: Leg) -> None:
    base = bases["mag"]
    filled = {"author": [rows(base)["ito"]]}
    alone = Template("alone", (leg,), "")
    assert base.answers(alone, filled).tolist() == []
    assert base.ways(alone, filled, rows(base)["p1"]) == ()
    assert templates_of(base) == template_set("mag")
    if leg.steps[-1].type == "paper":
        known = template_of(templates_of(base), "mag-author")
        without = replace(known, legs=(*known.legs, replace(leg, is_negated=True)))
        if "robot" not in leg.type:
            assert base.answers(without, filled).tolist() == base.answers(known, filled).tolist()


def test_composed_templates_are_met_together(bases: dict[str, KnowledgeBase]) -> None:
    base = bases["mag"]
    by_id = {template.template_id: template for template in templates_of(base)}
    both = compose([by_id["mag-author"], by_id["mag-author"], by_id["mag-field"]])
    case = Case("", {"author": "ito", "author_2": "roy", "field_of_study": "heat"}, "", "")
    assert answers(base, both, case) == {"p2"}


def test_a_base_is_offered_only_what_it_can_answer(tmp_path: Path) -> None:
    entities, relations, _ = SCENES["amazon"]
    kept = KnowledgeBases(tmp_path)
    without = [each for each in relations if each[1] not in ("has_color", "also_view")]
    kept.save("some", parts_of(entities, without, templates="amazon"), origin="by hand")
    assert [template.template_id for template in templates_of(kept.open("some"))] == [
        "amazon-brand",
        "amazon-similar",
        "amazon-category",
        "amazon-category+amazon-brand",
        "amazon-similar+amazon-brand",
    ]
