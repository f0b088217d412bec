"""From what a question names to the templates that it may be asking for.

A mention counts by how sure it is that a name is meant, and not a plain word: by capitals, by words before it that
lead to a name ("authored by"), by words of the question that speak for the template. A template counts by how sure its
mentions are and by how much of what the question names it uses. Only sure mentions fill blanks: a field's name amid a
plain question is only words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from core.knowledge.evidence import SURE, Reading, overlap
from core.knowledge.linking import Mention
from core.knowledge.templates import Template, compose
from core.knowledge.types import Entity
from core.text import folded

WITHOUT_CUE = 0.9
"""What is left of a proposal where nothing but the mention speaks for the template."""
MOST_JOINED = 3
"""Templates that are asked together."""
MOST_SINGLE = 12
"""Single proposals that are tried together."""
MOST_ASSIGNED = 2_000
"""Ways to fill the blanks of one template that are tried."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """A template that a question may be asking for, with its blanks filled."""

    template: Template
    given: Mapping[str, tuple[int, ...]]
    """For each blank the rows of the entities that may be meant: namesakes are all here."""
    score: float
    """0 to 1; 1: everything that the question names is used, and surely meant."""
    mentions: tuple[Mention, ...]
    """What fills the blanks, in their order."""

    @property
    def titles(self) -> Mapping[str, str]:
        """What fills each blank, in words."""
        return {
            slot: next(entity.title for entity in mention.entities if entity.row in self.given[slot])
            for slot, mention in zip(self.given, self.mentions, strict=True)
        }

    @property
    def n_meant(self) -> int:
        """Entities that fill the blanks; more than there are blanks where some have namesakes."""
        return sum(map(len, self.given.values()))


def propose(question: str, mentions: Sequence[Mention], templates: Sequence[Template]) -> tuple[Proposal, ...]:
    """The likeliest first; none where the question names nothing surely."""
    reading = Reading(question, mentions)
    single = sorted(_among_rivals(reading, templates), key=lambda one: -one.score)[:MOST_SINGLE]
    found = {_meaning(one.proposal): one.proposal for one in reversed(single)}
    for n in range(2, MOST_JOINED + 1):
        for some in combinations(single, n):
            if (joined := _joined(reading, some)) is not None:
                found.setdefault(_meaning(joined), joined)
    return tuple(sorted(found.values(), key=lambda each: (-each.score, len(each.template.legs))))


@dataclass(frozen=True, eq=False)
class _Single:
    """A proposal of one template, as it is put together with others."""

    proposal: Proposal
    used: Mapping[int, float]
    """Places of its mentions, with what each is worth in it."""
    said: tuple[int, float]
    """Of its mentions those that its relations stand beside, then how many of its cues the question holds."""
    score: float


def _among_rivals(reading: Reading, templates: Sequence[Template]) -> list[_Single]:
    """Every template with every filling. Of several that fill the same with the same, those that are said most stay."""
    found = [one for template in templates for one in _fillings(reading, template)]
    most: dict[object, tuple[int, float]] = {}
    rivals = Counter(map(_rivalry, found))
    for one in found:
        most[_rivalry(one)] = max(most.get(_rivalry(one), one.said), one.said)
    return [one for one in found if rivals[_rivalry(one)] == 1 or (any(one.said) and one.said == most[_rivalry(one)])]


def _rivalry(one: _Single) -> tuple[object, ...]:
    rows = sorted(one.proposal.given.values())
    return one.proposal.template.answer_type, tuple(sorted(one.used)), tuple(rows)


def _fillings(reading: Reading, template: Template) -> Iterator[_Single]:
    n_cues = reading.n_cues(template)
    fitting = [list(_fitting(reading, template, slot, n_cues)) for slot in template.slots]
    for chosen in islice(product(*fitting), MOST_ASSIGNED if fitting else 0):
        used = {filler.place: filler.worth for filler in chosen}
        mentions = tuple(reading.mentions[filler.place] for filler in chosen)
        if any(overlap(one, other) for one, other in combinations(mentions, 2)):
            continue
        given = {slot: filler.rows for slot, filler in zip(template.slots, chosen, strict=True)}
        said = (sum(filler.is_related for filler in chosen), n_cues)
        score = _spoken(template, said) * reading.score(used)
        yield _Single(Proposal(template, given, score, mentions), used, said, score)


def _spoken(template: Template, said: tuple[int, float]) -> float:
    return 1.0 if any(said) or not template.cues else WITHOUT_CUE


@dataclass(frozen=True, slots=True)
class _Filler:
    """A mention that fills a blank."""

    place: int
    worth: float
    rows: tuple[int, ...]
    """Of the entities that it means."""
    is_related: bool
    """Whether the template's relation stands beside it."""


def _fitting(reading: Reading, template: Template, slot: str, n_cues: float) -> Iterator[_Filler]:
    """The mentions that surely fill a blank."""
    for place, mention in enumerate(reading.mentions):
        if meant := _meant(mention, template.slots[slot]):
            worth = reading.worth(mention, slot, template, n_cues)
            if worth >= SURE:
                related = reading.is_related(mention, slot, template)
                yield _Filler(place, worth, tuple(entity.row for entity in meant), related)


def _meant(mention: Mention, kind: str) -> tuple[Entity, ...]:
    """The likeliest entity of a type that a mention may name, and its namesakes."""
    of_kind = [entity for entity in mention.entities if entity.type == kind]
    return tuple(entity for entity in of_kind if folded(entity.title) == folded(of_kind[0].title))


def _joined(reading: Reading, some: Sequence[_Single]) -> Proposal | None:
    """Several templates at once, each with mentions of its own, at least one of them sure; None: they don't fit."""
    templates = [one.proposal.template for one in some]
    chosen = [mention for one in some for mention in one.proposal.mentions]
    if len({template.answer_type for template in templates}) > 1:
        return None
    if any(overlap(one, other) for one, other in combinations(chosen, 2)):
        return None
    composed = compose(templates)
    given, mentions = _refilled(composed, [one.proposal for one in some])
    used = {place: worth for one in some for place, worth in one.used.items()}
    spoken = min(_spoken(one.proposal.template, one.said) for one in some)
    return Proposal(composed, given, spoken * reading.score(used), mentions)


def _refilled(composed: Template, parts: Sequence[Proposal]) -> tuple[dict[str, tuple[int, ...]], tuple[Mention, ...]]:
    """The blanks of templates put together, which may have other names there; the legs keep their order."""
    given: dict[str, tuple[int, ...]] = {}
    mentions: dict[str, Mention] = {}
    legs = iter(composed.legs)
    for part in parts:
        mention_of = dict(zip(part.given, part.mentions, strict=True))
        for leg, now in zip(part.template.legs, legs, strict=False):
            if leg.slot is not None and now.slot is not None:
                given[now.slot] = part.given[leg.slot]
                mentions[now.slot] = mention_of[leg.slot]
    return given, tuple(mentions.values())


def _meaning(proposal: Proposal) -> frozenset[object]:
    """Two proposals with this in common ask for the same."""
    return frozenset(
        (leg.steps, leg.type, leg.is_negated, proposal.given.get(leg.slot or "")) for leg in proposal.template.legs
    )


def relaxed(proposals: Sequence[Proposal]) -> tuple[tuple[Proposal, ...], ...]:
    """The best proposal and those that ask for less of the same, in tiers: those of one score stand together."""
    if not proposals:
        return ()
    kept = set(map(id, proposals[0].mentions))
    tiers: dict[float, list[Proposal]] = {}
    for each in proposals:
        if kept.issuperset(map(id, each.mentions)):
            tiers.setdefault(round(each.score, 6), []).append(each)
    return tuple(tuple(tier) for tier in tiers.values())


def without_names(question: str, mentions: Iterable[Mention]) -> str:
    """A question without what it names, for ranking by the rest.

    >>> without_names("Night work by Ito in Elm", [Mention(14, 17, (), 1.0)])
    'Night work by in Elm'
    """
    kept = list(question)
    for mention in mentions:
        kept[mention.start : mention.end] = " " * (mention.end - mention.start)
    return " ".join("".join(kept).split())
