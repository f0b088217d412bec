"""Papers of authors of institutes, made up at random, and templates of every kind for them."""

from __future__ import annotations

import random

from core.knowledge.templates import Leg, Template, TemplateStep
from data.knowledge.builder import KnowledgeBaseParts
from tests.data.knowledge_bases import parts_of

WRITES = TemplateStep(("writes",), "paper", "forward")
BY = Template("by", (Leg((WRITES,), "author", "author"),), "Which papers are by {author}?")
AT = Template(
    "at",
    (Leg((TemplateStep(("at",), "author", "back"), WRITES), "institution", "institution"),),
    "Which papers are from {institution}?",
)
BOTH = Template("both", (*BY.legs, *AT.legs), "Which papers are by {author} and from {institution}?")
BACK = TemplateStep(("writes",), "author", "back")
SAME = Template(
    "same",
    (Leg((BACK, WRITES), "paper", "paper"), Leg((TemplateStep(("cites",), "paper", "either"),), "paper", "paper")),
    "Which papers share an author with {paper} and a citation?",
)
NOT_BY = Template(
    "not-by",
    (AT.legs[0], Leg((WRITES,), "author", "author", is_negated=True)),
    "Which papers are from {institution} and not by {author}?",
)
TEMPLATES = (BY, AT, BOTH, SAME, NOT_BY)
TOPICS = ("street trees and heat", "night work and sleep", "ageing battery cells", "sound insulation of walls")


def paper_parts() -> KnowledgeBaseParts:
    """The same at every call."""
    rng = random.Random(1)
    entities: dict[str, tuple[str, str] | tuple[str, str, str]] = {
        f"i{n}": ("institution", f"Institute {n}x") for n in range(3)
    }
    entities |= {f"a{n}": ("author", f"Author {n}x") for n in range(8)}
    relations = [(f"a{n}", "at", f"i{n % 3}") for n in range(8)]
    for n in range(24):
        topic = TOPICS[n % 4]
        text = f"We look at {topic} over years. We measured {topic} in {n} places. {topic.capitalize()} matter."
        entities[f"p{n}"] = ("paper", f"Paper number {n}", text)
        relations += [(f"a{who}", "writes", f"p{n}") for who in rng.sample(range(8), 2)]
        relations += [(f"p{n}", "cites", f"p{other}") for other in rng.sample(range(24), 2) if other != n]
    return parts_of(entities, relations, answer_types=("paper",))
