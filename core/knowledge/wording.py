"""Words for types, relations and questions as people read them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.knowledge.templates import Template, filled
from core.knowledge.types import Direction

_RELATIONS: dict[str, tuple[str, str, str]] = {
    "affiliated_with": ("affiliated with", "has as researcher", "affiliated with"),
    "writes": ("writes", "written by", "writes or is written by"),
    "cites": ("cites", "cited by", "cites or is cited by"),
    "has_topic": ("is about", "is the topic of", "is about or is the topic of"),
    "has_brand": ("made by", "makes", "made by or makes"),
    "has_category": ("in the category", "category of", "in the category or category of"),
    "has_color": ("in the colour", "colour of", "in the colour or colour of"),
    "also_buy": ("bought together with", "bought by buyers of", "bought together with"),
    "also_view": ("viewed together with", "viewed by viewers of", "viewed together with"),
    "ppi": ("interacts with the protein",) * 3,
    "parent-child": ("parent or child of",) * 3,
    "carrier": ("carrier of or carried by",) * 3,
    "enzyme": ("enzyme for or changed by",) * 3,
    "target": ("target of or targets",) * 3,
    "transporter": ("transporter of or transported by",) * 3,
    "contraindication": ("contraindication for",) * 3,
    "indication": ("indication for",) * 3,
    "off-label use": ("off-label use for",) * 3,
    "synergistic interaction": ("acts together with",) * 3,
    "phenotype absent": ("is not seen with",) * 3,
    "phenotype present": ("is seen with",) * 3,
    "side effect": ("side effect of or has the side effect",) * 3,
    "expression present": ("expressed in or expresses",) * 3,
    "expression absent": ("not expressed in or does not express",) * 3,
}
"""Walked forward, back, and either way. Relations that are published both ways have words that fit both."""
_PLACES: dict[Direction, int] = {"forward": 0, "back": 1, "either": 2}
_TYPES = {
    "color": ("colour", "colours"),
    "gene/protein": ("gene or protein", "genes or proteins"),
    "effect/phenotype": ("effect or phenotype", "effects or phenotypes"),
    "anatomy": ("part of the body", "parts of the body"),
}


def relation_words(name: str, direction: Direction) -> str:
    """A relation as a verb between two entities, as it is walked.

    >>> relation_words("author___writes___paper", "back")
    'written by'
    >>> relation_words("grows_on", "forward")
    'grows on'
    """
    parts = name.split("___")
    verb = parts[1] if len(parts) == 3 and parts[1] else name
    if verb in _RELATIONS:
        return _RELATIONS[verb][_PLACES[direction]]
    return " ".join(verb.replace("_", " ").split()) or name


def type_words(name: str, *, plural: bool = False) -> str:
    """A type of entity as people say it.

    >>> type_words("field_of_study", plural=True), type_words("institution")
    ('fields of study', 'institution')
    """
    if name in _TYPES:
        return _TYPES[name][plural]
    words = name.replace("_", " ").replace("/", " or ").split()
    if not plural or not words:
        return " ".join(words) or name
    counted = words.index("of") - 1 if "of" in words[1:] else len(words) - 1
    words[counted] = _plural(words[counted])
    return " ".join(words)


def _plural(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(s|x|z|ch|sh)$", word) else f"{word}s"


def blank_words(template: Template) -> dict[str, str]:
    """What each blank wants; of two that want the same, the second wants another."""
    said: dict[str, str] = {}
    for slot, kind in template.slots.items():
        words = type_words(kind)
        said[slot] = f"another {words}" if words in said.values() else words
    return said


def question_words(template: Template, titles: Mapping[str, str]) -> str:
    """Its question with titles in the blanks; a blank without one says what it wants, in brackets."""
    wanted = {slot: f"[{words}]" for slot, words in blank_words(template).items()}
    given = {slot: title.strip() for slot, title in titles.items() if title.strip()}
    return filled(template.question, {**wanted, **given})
