"""The questions of the published templates are read as what they ask, with names as such knowledge bases have them."""

from __future__ import annotations

import pytest

from core.knowledge.entities import Entity, Mention
from core.knowledge.proposals import propose, relaxed
from core.knowledge.templates import Template, question_words
from data.knowledge.templates import compositions, published, set_names, template_set

TITLES = {
    "anatomy": ("liver", "heart"),
    "author": ("Akira Ito", "Mina Roy"),
    "biological_process": ("cell death",),
    "brand": ("Elmco",),
    "category": ("running shoes",),
    "cellular_component": ("nucleus",),
    "color": ("black",),
    "disease": ("asthma",),
    "drug": ("aspirin", "metformin"),
    "effect/phenotype": ("headache",),
    "exposure": ("lead",),
    "field_of_study": ("Machine learning",),
    "gene/protein": ("BRCA1", "TP53"),
    "institution": ("University of Elm",),
    "molecular_function": ("kinase activity",),
    "paper": ("Trees and heat in cities",),
    "pathway": ("glycolysis",),
    "product": ("Acme desk lamp 40 W",),
}
CASES = [
    pytest.param(name, template, id=template.template_id)
    for name in set_names()
    for template in (*template_set(name), *compositions(name))
    if set(template.slots.values()) <= TITLES.keys()
]


def test_there_are_all_of_them() -> None:
    read = {case.id for case in CASES}
    every = [template.template_id for name in ("mag", "amazon", "prime") for template in published(name)]
    assert len(every) == 39
    assert read.issuperset(every)


@pytest.mark.parametrize(("name", "template"), CASES)
def test_a_templates_question_is_read_as_it(name: str, template: Template) -> None:
    kinds = list(template.slots.values())
    titles = {
        slot: TITLES[kind][kinds[:place].count(kind)] for place, (slot, kind) in enumerate(template.slots.items())
    }
    question = question_words(template, titles)
    mentions = [
        Mention(question.index(title), question.index(title) + len(title), (Entity(row, title, kind, title),), 1.0)
        for row, (title, kind) in enumerate(zip(titles.values(), kinds, strict=True))
    ]
    tiers = relaxed(propose(question, mentions, (*template_set(name), *compositions(name))))
    assert tiers, question
    assert set(template.legs) in [set(each.template.legs) for each in tiers[0]], question


@pytest.mark.parametrize(
    ("template_id", "questions"),
    [
        (
            "mag-citing",
            """
            Which papers cite X?
            papers citing X on shade
            who cites the paper X
            X is cited by which papers?
            papers that have cited X
            Which papers cited X?
            citations of X
            references to X
            studies that refer to X
            papers in which X is cited
            papers where X has been cited
            """,
        ),
        (
            "mag-cited",
            """
            Which papers have been cited by the paper X?
            papers X cites
            What does X cite on shade?
            What has X itself cited?
            papers X cited
            papers which X has cited
            papers cited in the bibliography of X
            references of X
            papers referenced by X
            """,
        ),
    ],
)
def test_who_cites_and_who_is_cited_are_told_apart(template_id: str, questions: str) -> None:
    title = TITLES["paper"][0]
    for line in questions.strip().splitlines():
        question = line.strip().replace("X", title)
        start = question.index(title)
        mention = Mention(start, start + len(title), (Entity(0, "p", "paper", title),), 1.0)
        (best, *others), *_ = relaxed(propose(question, [mention], template_set("mag")))
        assert (best.template.template_id, others) == (template_id, []), question
