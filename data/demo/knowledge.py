"""The demo knowledge base: synthetic authors, institutions and fields."""

from __future__ import annotations

import json
import math
import random
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.knowledge.entities import Rows
from core.types import Ids
from data.demo.publications import LABEL, DemoPublication, pick, write_documents
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, RelationPart

# Weighted draws that are fast when repeated many times.


class Urn:
    def __init__(self, weights: Iterable[float] = ()) -> None:
        self._sums: list[float] = []
        for weight in weights:
            self.add(weight)

    def add(self, weight: float) -> None:
        self._sums.append(weight + (self._sums[-1] if self._sums else 0.0))

    def draw(self, rng: random.Random) -> int:
        """Draw an item, with replacement. Uses only rng.random(), whose sequence is the same in all Python versions."""
        found = bisect_right(self._sums, rng.random() * self._sums[-1])
        return min(found, len(self._sums) - 1)


# Synthetic names of authors, institutions and fields of study, from the lists of knowledge.toml.

NAMES = Path(__file__).with_name("knowledge.toml")
NAMESAKES = 24
"""Number of authors who share the name of another one."""
WITH_INITIAL = 0.12
INITIALS = "ABCDEFGHJKLMNPRSTVW"


@dataclass(frozen=True)
class FieldNames:
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
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def field_names(lists: Mapping[str, Any]) -> FieldNames:
    fields = lists["fields"]
    return FieldNames(
        tuple(fields["hubs"]),
        tuple(fields["methods"]),
        {topic: tuple(own["fields"]) for topic, own in fields["topics"].items()},
        {topic: tuple(own["hubs"]) for topic, own in fields["topics"].items()},
        {theme: tuple(names) for theme, names in fields["themes"].items()},
    )


def institution_names(lists: Mapping[str, Any]) -> Ids:
    """Return each name once; a name may be part of another."""
    own = lists["institutions"]
    placed = zip(own["patterns"], own["how_many"], strict=True)
    return tuple(pattern.format(place=place) for pattern, n in placed for place in own["places"][:n])


def author_names(lists: Mapping[str, Any], n: int) -> Ids:
    """Return names in random order. A few belong to two people; none is the name of an institution or a field."""
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
    """Shuffle into an order that is the same in every Python version."""
    return [name for _, name in sorted((rng.random(), name) for name in names)]


# The demo knowledge base: the demo collection's publications with synthetic authors, institutions and fields.
#
# Authors work on one or two sub-themes of one topic, at one or two institutions, mostly with earlier co-authors.
# Publications have the fields of their sub-theme and some broader ones, and cite similar earlier ones.

DEMO_BASE = "demo"
AUTHOR, INSTITUTION, FIELD, PAPER = "author", "institution", "field_of_study", "paper"
AT, CITES, ON, WRITES = (
    "author___affiliated_with___institution",
    "paper___cites___paper",
    "paper___has_topic___field_of_study",
    "author___writes___paper",
)
AUTHORS_PER_PAPER = 0.533
TEAM = (0.13, 0.24, 0.26, 0.19, 0.11, 0.07)
"""Shares of publications with one author, two, three ..."""
TOGETHER_AGAIN, SAME_THEME = 0.55, 0.9
SECOND_THEME, SECOND_INSTITUTION, NO_INSTITUTION = 0.25, 0.15, 0.04
MEAN_CITED, MOST_CITED = 5.5, 25
MAX_TRIES = 12
Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class _Author:
    topic: int
    themes: Ids
    """The main theme first."""
    drive: float
    """Productivity, relative to other authors."""


@dataclass
class _Topic:
    """The publications of one topic, oldest first, and the numbers of its authors."""

    number: int
    name: str
    entries: list[tuple[int, DemoPublication]]
    """Each with the publication's number in the collection."""
    authors: Sequence[int] = ()
    by_theme: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def build_demo_knowledge() -> KnowledgeBaseParts:
    """Build the same base at every call. Publications have the ids, titles and texts of the demo collection."""
    lists = name_lists()
    fields, institutions = field_names(lists), institution_names(lists)
    written = write_documents()
    topics, authors = _with_authors(written)
    papers = [entry for entries in written.values() for entry in entries]
    names = author_names(lists, len(authors))
    first_institution = len(authors)
    first_field = first_institution + len(institutions)
    first_paper = first_field + len(fields.every)
    place_of_field = {name: first_field + place for place, name in enumerate(fields.every)}
    pairs = {
        AT: [(author, first_institution + place) for author, place in _places(authors, len(institutions))],
        CITES: [(first_paper + a, first_paper + b) for topic in topics for a, b in _citations(topic)],
        ON: [(first_paper + paper, place_of_field[name]) for topic in topics for paper, name in _fields(topic, fields)],
        WRITES: [(author, first_paper + paper) for topic in topics for author, paper in _teams(topic, authors)],
    }
    return KnowledgeBaseParts(
        [
            _named("a", AUTHOR, names, 4),
            _named("i", INSTITUTION, institutions, 3),
            _named("f", FIELD, fields.every, 3),
            _papers(papers),
        ],
        [RelationPart(name, *_columns(given)) for name, given in pairs.items()],
        answer_types=(PAPER,),
        templates="mag",
        made_up=True,
        notes=["publications, people, institutions and all their relations are made up"],
    )


def _columns(pairs: Pairs) -> tuple[Rows, Rows]:
    sources, targets = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2).T
    return sources, targets


def _named(letter: str, kind: str, names: Sequence[str], digits: int) -> EntityPart:
    ids = [f"demo.{letter}{number:0{digits}d}" for number in range(1, len(names) + 1)]
    return EntityPart(ids, [kind] * len(ids), names, [LABEL] * len(ids), [""] * len(ids))


def _papers(papers: Sequence[DemoPublication]) -> EntityPart:
    works = [entry.publication for entry in papers]
    parts = [json.dumps([["year", str(work.year)], ["times cited", str(work.times_cited)]]) for work in works]
    ids, titles = [work.publication_id for work in works], [work.title for work in works]
    return EntityPart(ids, [PAPER] * len(ids), titles, [work.abstract or "" for work in works], parts)


# Authors


def _with_authors(written: dict[str, list[DemoPublication]]) -> tuple[list[_Topic], list[_Author]]:
    topics: list[_Topic] = []
    authors: list[_Author] = []
    start = 0
    for number, (name, entries) in enumerate(written.items()):
        rng = random.Random(f"knowledge/authors/{name}")
        aged = sorted(enumerate(entries, start), key=lambda each: (each[1].publication.year or 0, each[0]))
        topic = _Topic(number, name, aged)
        themes = sorted({entry.theme for entry in entries})
        first = len(authors)
        for theme in themes:
            for _ in range(round(AUTHORS_PER_PAPER * sum(entry.theme == theme for entry in entries))):
                second = (pick(rng, themes),) if rng.random() < SECOND_THEME else ()
                author = _Author(number, tuple(dict.fromkeys((theme, *second))), (1 - rng.random()) ** -0.6)
                for own in author.themes:
                    topic.by_theme[own].append(len(authors))
                authors.append(author)
        topic.authors = range(first, len(authors))
        topics.append(topic)
        start += len(entries)
    return topics, authors


def _places(authors: Sequence[_Author], n_institutions: int) -> Pairs:
    rng = random.Random("knowledge/institutions")
    sizes = [(1 - rng.random()) ** -0.55 for _ in range(n_institutions)]
    leaning = [int(3 * rng.random()) for _ in range(n_institutions)]
    urns = [
        Urn([size * (4 if lean == topic else 1) for size, lean in zip(sizes, leaning, strict=True)])
        for topic in range(3)
    ]
    found: Pairs = []
    for number, author in enumerate(authors):
        if rng.random() >= NO_INSTITUTION:
            found += [
                (number, urns[author.topic].draw(rng)) for _ in range(2 if rng.random() < SECOND_INSTITUTION else 1)
            ]
    return found


# Authorship, fields and citations


def _teams(topic: _Topic, authors: Sequence[_Author]) -> Pairs:
    rng = random.Random(f"knowledge/teams/{topic.name}")
    everyone = (topic.authors, Urn([authors[number].drive for number in topic.authors]))
    by_theme = {
        theme: (numbers, Urn([authors[number].drive for number in numbers]))
        for theme, numbers in topic.by_theme.items()
    }
    with_whom: dict[int, list[int]] = defaultdict(list)
    teams: dict[int, list[int]] = {}
    for paper, entry in topic.entries:
        near, urn = by_theme.get(entry.theme, everyone)
        team = [near[urn.draw(rng)]]
        size = 1 + Urn(TEAM).draw(rng)
        for _ in range(MAX_TRIES):
            known = with_whom[team[0]]
            if known and rng.random() < TOGETHER_AGAIN:
                other = pick(rng, known)
            else:
                numbers, urn = by_theme.get(entry.theme, everyone) if rng.random() < SAME_THEME else everyone
                other = numbers[urn.draw(rng)]
            if len(team) < size and other not in team:
                team.append(other)
        for one in team:
            with_whom[one] += [other for other in team if other != one]
        teams[paper] = team
    _give_work_to_the_idle(topic, authors, teams, rng)
    return [(author, paper) for paper, team in teams.items() for author in team]


def _give_work_to_the_idle(
    topic: _Topic, authors: Sequence[_Author], teams: dict[int, list[int]], rng: random.Random
) -> None:
    busy = {author for team in teams.values() for author in team}
    for author in topic.authors:
        if author not in busy:
            near = [paper for paper, entry in topic.entries if entry.theme == authors[author].themes[0]]
            free = [paper for paper in near if len(teams[paper]) < len(TEAM)]
            if free:
                teams[pick(rng, free)].append(author)


def _fields(topic: _Topic, fields: FieldNames) -> list[tuple[int, str]]:
    rng = random.Random(f"knowledge/fields/{topic.name}")
    hubs, broad = fields.topic_hubs[topic.name], fields.of_topic[topic.name]
    falling = Urn([1 / (place + 2) for place in range(len(broad))])
    found: list[tuple[int, str]] = []
    for paper, entry in topic.entries:
        own = fields.of_theme[entry.theme]
        names = [pick(rng, own) for _ in range(1 + int(3 * rng.random()))]
        names += [broad[falling.draw(rng)] for _ in range(1 + int(2 * rng.random()))]
        names += [hub for place, hub in enumerate(hubs) if rng.random() < (0.6, 0.25, 0.15, 0.08)[place]]
        names += [pick(rng, fields.hubs)] if rng.random() < 0.1 else []
        names += [pick(rng, fields.methods)] if rng.random() < 0.45 else []
        found += [(paper, name) for name in dict.fromkeys(names)]
    return found


def _citations(topic: _Topic) -> Pairs:
    """Pair each publication with earlier ones that it cites, mostly of its sub-theme; highly cited ones more often."""
    rng = random.Random(f"knowledge/citations/{topic.name}")
    before: dict[str, tuple[list[int], Urn]] = defaultdict(lambda: ([], Urn()))
    found: Pairs = []
    for paper, entry in topic.entries:
        n_wanted = min(MOST_CITED, int(-math.log(1 - rng.random()) * MEAN_CITED))
        cited: set[int] = set()
        for _ in range(n_wanted):
            numbers, urn = before[entry.theme if rng.random() < 0.8 else ""]
            if numbers:
                cited.add(numbers[urn.draw(rng)])
        found += [(paper, other) for other in sorted(cited)]
        for name in (entry.theme, ""):
            numbers, urn = before[name]
            numbers.append(paper)
            urn.add(2 + (entry.publication.times_cited or 0))
    return found
