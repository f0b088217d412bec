"""Words of made-up works: a handful of subjects, each with titles and sentences of its own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

FAMILY = ("Abenroth", "Birkwell", "Castrel", "van den Dorn", "Eklöv-Sand", "Fanzini", "Groß", "Hirano", "Ibáñez-Rue")
GIVEN = ("Ada", "Bo", "Chiara", "D. E.", "Émile", "Femke", "Goro", "Hanna")
JOURNALS = (
    "Annals of Things That Are Not",
    "Journal of Invented Results",
    "Imaginary Letters",
    "Proceedings of the Conference on Made-up Studies",
)
KINDS = (
    ("a field study", "article"),
    ("a review", "review"),
    ("a randomised trial", "article"),
    ("a model, part", "conference"),
    ("early results", "preprint"),
)
"""What a title calls itself, and what a service calls it."""


@dataclass(frozen=True)
class Subject:
    """What works of one field are about."""

    things: tuple[str, ...]
    effects: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every sentence that one of its abstracts may hold."""
        return _SENTENCES[self.things]


_PATTERNS = (
    "We asked whether {thing} change {effect} in {place}.",
    "Little is known about {thing} and {effect}.",
    "{effect} fell by a third where {thing} were present in {place}.",
    "Measurements in {place} over two years showed no link between {thing} and {effect}.",
    "A systematic review of {thing} is overdue, because {effect} matters to planners.",
    "Our model of {effect} was fitted to data from {place}.",
)
SUBJECTS = (
    Subject(
        ("street trees", "urban parks", "green roofs", "shade structures", "cool pavements"),
        ("surface temperature", "heat stress", "thermal comfort", "cooling demand"),
        ("dense cities", "coastal towns", "schoolyards", "the city of Ombrell"),
    ),
    Subject(
        ("night shifts", "rotating rosters", "short naps", "bright light", "melatonin tablets"),
        ("sleep quality", "insomnia", "vigilance", "medication errors"),
        ("hospital nurses", "bus drivers", "intensive care units", "the hospital of Marrow Bay"),
    ),
    Subject(
        ("lithium-ion batteries", "solid electrolytes", "battery management systems", "fast charging"),
        ("capacity fade", "state of health estimation", "thermal runaway", "remaining useful life"),
        ("electric vehicles", "delivery fleets", "cold climates", "the test track of Quellin"),
    ),
    Subject(
        ("search strings", "Boolean queries", "citation screening tools", "language models", "query expansion"),
        ("recall", "precision", "screening workload", "retrieval effectiveness"),
        ("systematic reviews", "technology-assisted reviews", "medical libraries", "literature search"),
    ),
    Subject(
        ("statins", "exercise programmes", "dietary fibre", "telephone coaching", "screening invitations"),
        ("blood pressure", "mortality", "quality of life", "hospital admission", "diabetes"),
        ("older adults", "primary care", "pregnant women", "children with asthma"),
    ),
)


def _written(subject: Subject) -> tuple[str, ...]:
    every = product(_PATTERNS, subject.things, subject.effects, subject.places)
    filled = (pattern.format(thing=thing, effect=effect, place=place) for pattern, thing, effect, place in every)
    return tuple(dict.fromkeys(text[0].upper() + text[1:] for text in filled))


_SENTENCES = {subject.things: _written(subject) for subject in SUBJECTS}
