"""Made-up names of authors, institutions and fields of study, from the lists of knowledge.toml."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.types import Ids
from data.demo.writing import pick

NAMES = Path(__file__).with_name("knowledge.toml")
NAMESAKES = 24
"""Authors who have the name of another one."""
WITH_INITIAL = 0.12
INITIALS = "ABCDEFGHJKLMNPRSTVW"


@dataclass(frozen=True)
class FieldNames:
    """What fields of study are called, by how broad they are."""

    hubs: Ids
    methods: Ids
    of_topic: Mapping[str, Ids]
    topic_hubs: Mapping[str, Ids]
    of_theme: Mapping[str, Ids]

    @property
    def every(self) -> Ids:
        listed = [self.hubs, self.methods, *self.of_topic.values(), *self.of_theme.values()]
        return tuple(dict.fromkeys(name for names in listed for name in names))


def name_lists() -> dict[str, Any]:
    """The lists as they stand in their file."""
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def field_names(lists: Mapping[str, Any]) -> FieldNames:
    """Fields of study of every topic and sub-theme."""
    fields = lists["fields"]
    return FieldNames(
        tuple(fields["hubs"]),
        tuple(fields["methods"]),
        {topic: tuple(own["fields"]) for topic, own in fields["topics"].items()},
        {topic: tuple(own["hubs"]) for topic, own in fields["topics"].items()},
        {theme: tuple(names) for theme, names in fields["themes"].items()},
    )


def institution_names(lists: Mapping[str, Any]) -> Ids:
    """Each once; the name of one may be a part of another's."""
    own = lists["institutions"]
    placed = zip(own["patterns"], own["how_many"], strict=True)
    return tuple(pattern.format(place=place) for pattern, n in placed for place in own["places"][:n])


def author_names(lists: Mapping[str, Any], n: int) -> Ids:
    """In no order. A few names are two people's; nobody's is an institution's or a field's."""
    rng = random.Random("knowledge/names")
    names = [name for culture in lists["names"] for name in _full_names(culture, rng)]
    names = _shuffled(names, rng)[: n - NAMESAKES]
    return tuple(_shuffled(names + [pick(rng, names) for _ in range(n - len(names))], rng))


def _full_names(culture: Mapping[str, Any], rng: random.Random) -> list[str]:
    turned = "order" in culture
    found = []
    for family in culture["family"]:
        for given in culture["given"]:
            first = f"{given} {pick(rng, INITIALS)}." if not turned and rng.random() < WITH_INITIAL else given
            found.append(f"{family} {first}" if turned else f"{first} {family}")
    return found


def _shuffled(names: Sequence[str], rng: random.Random) -> list[str]:
    """In an order that is the same in every Python version."""
    return [name for _, name in sorted((rng.random(), name) for name in names)]
