"""From what a question names to the templates that it may be asking for.

A mention counts by how sure it is that a name is meant, and not a plain word: by capitals, by words before it that
lead to a name ("authored by"), by words of the question that speak for the template. A template counts by how sure its
mentions are and by how much of what the question names it uses. Only sure mentions fill blanks: a field's name amid a
plain question is only words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from core.knowledge.linking import Mention
from core.knowledge.templates import Template, compose
from core.knowledge.types import Entity
from core.text import STOP_WORDS, folded, words

SURE = 0.7
"""From here on a mention fills a blank."""
NAMED, LED, CUED, PLAIN = 1.0, 0.95, 0.65, 0.45
"""What a mention is worth: written as a name, beside a cue, with a cue elsewhere, none of these."""
MOST_SKIPPED = 3
"""Words without meaning that may stand between a cue and a name."""
WITHOUT_CUE = 0.9
"""What is left of a proposal where nothing but the mention speaks for the template."""
EVERYDAY = STOP_WORDS | {
    *("article", "author", "find", "list", "literature", "paper", "product", "publication", "research", "studie"),
    *("study", "work"),
}
"""Words of any question, as they are compared."""
MOST_MENTIONS = 12
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
    reading = _Reading(question, mentions)
    single = sorted(_among_rivals(reading, templates), key=lambda one: -one.score)[:MOST_SINGLE]
    found = {_meaning(one.proposal): one.proposal for one in reversed(single)}
    for n in range(2, MOST_JOINED + 1):
        for some in combinations(single, n):
            if (joined := _joined(reading, some)) is not None:
                found.setdefault(_meaning(joined), joined)
    return tuple(sorted(found.values(), key=lambda each: (-each.score, len(each.template.legs))))


class _Reading:
    """A question, its mentions, and what each is worth."""

    def __init__(self, question: str, mentions: Sequence[Mention]) -> None:
        self.question = question
        self.has_case = any(c.lower() != c.upper() for c in question)
        self.is_in_capitals = _is_in_capitals(question, mentions)
        sure = sorted(mentions, key=lambda m: (-self.worth_alone(m), m.start - m.end, m.start))
        self.mentions = sure[:MOST_MENTIONS]
        blanked = list(question)
        for mention in self.mentions:
            if self.worth_alone(mention) >= SURE:
                blanked[mention.start : mention.end] = " " * (mention.end - mention.start)
        self.said = f" {' '.join(map(_stem, words(''.join(blanked))))} "
        """The words around the names."""

    def worth_alone(self, mention: Mention) -> float:
        """Without any template."""
        return mention.score * (NAMED if self._is_name(mention) else PLAIN)

    def _is_name(self, mention: Mention) -> bool:
        """Whether it is written as a name; where the question has no capitals, whether its title is one."""
        written = self.question[mention.start : mention.end]
        begins = not self.question[: mention.start].strip()
        if any(c.isalpha() and c.lower() == c.upper() for c in written) and self.has_case:
            return True  # in a script without capitals, amid one that has them
        title = mention.entities[0].title if mention.entities else ""
        if not self.is_in_capitals:
            marked = [word for word in written.split() if word[:1].isupper() and word.lower() not in STOP_WORDS]
            if len(marked) > begins:
                return True
        has_none = not any(c.isupper() for c in self.question)
        return (has_none or self.is_in_capitals or begins) and mention.is_exact and _reads_as_name(title)

    def worth(self, mention: Mention, slot: str, template: Template, n_cues: float) -> float:
        """As what fills this blank."""
        kind, alone = template.slots[slot], self.worth_alone(mention)
        if self._is_led(mention, slot, template):
            return max(alone, LED * mention.score)
        if kind == template.answer_type and not n_cues:
            return min(alone, PLAIN * mention.score)  # what is asked for is described by such words
        return max(alone, CUED * mention.score if n_cues >= 1 else 0.0)

    def _is_led(self, mention: Mention, slot: str, template: Template) -> bool:
        """Whether a cue of the template, or the words before its blank, stand beside the mention."""
        before = [_stem(word) for word in words(self.question[max(0, mention.start - 80) : mention.start])]
        after = [_stem(word) for word in words(self.question[mention.end : mention.end + 40])]
        skipped = {_stem(word) for word in words(template.slots[slot].replace("_", " "))} | STOP_WORDS
        kept = list(before)
        while kept and kept[-1] in skipped and len(before) - len(kept) < MOST_SKIPPED:
            kept.pop()
        goes_on = bool(re.match(r"[\s-]*\w", self.question[mention.end :])) and after[:1] and after[0] not in STOP_WORDS
        for cue in self._leads(slot, template):
            if after[: len(cue)] == cue:
                return True
            if not goes_on and cue in (before[-len(cue) :], kept[-len(cue) :]):
                return True
        return False

    def _leads(self, slot: str, template: Template) -> Iterator[list[str]]:
        """Words that tell a name when they stand beside it; those of any question tell none."""
        pattern, blank = template.question, f"{{{slot}}}"
        lead = words(pattern[: pattern.index(blank)])[-2:] if blank in pattern else []
        for cue in (*map(words, template.cues), lead):
            stems = [_stem(word) for word in cue]
            if not EVERYDAY.issuperset(stems):
                yield stems

    def n_cues(self, template: Template) -> float:
        """How many words of the template's cues the question holds; those without meaning hardly count."""
        return sum(
            sum(0.1 if word in STOP_WORDS else 1.0 for word in cue)
            for text in template.cues
            if (cue := words(text)) and self._says(cue)
        )

    def _says(self, cue: Sequence[str]) -> bool:
        return f" {' '.join(map(_stem, cue))} " in self.said

    def score(self, used: Mapping[int, float]) -> float:
        """Of mentions with what each is worth: how sure they are, and how much of what is named they cover."""
        spans = [self.mentions[place] for place in used]
        rest = 0.0
        for place, mention in enumerate(self.mentions):
            if place not in used and not any(_overlap(mention, other) for other in spans):
                spans.append(mention)
                rest += self.worth_alone(mention)
        sure = sum(used.values())
        return (sure / len(used)) * (sure / (sure + rest))


@dataclass(frozen=True, eq=False)
class _Single:
    """A proposal of one template, as it is put together with others."""

    proposal: Proposal
    used: Mapping[int, float]
    """Places of its mentions, with what each is worth in it."""
    n_cues: float
    score: float


def _among_rivals(reading: _Reading, templates: Sequence[Template]) -> list[_Single]:
    """Every template with every filling. Of several that fill the same with the same, those with most cues stay."""
    found = [one for template in templates for one in _fillings(reading, template)]
    most: dict[object, float] = {}
    rivals = Counter(map(_rivalry, found))
    for one in found:
        most[_rivalry(one)] = max(most.get(_rivalry(one), 0.0), one.n_cues)
    return [one for one in found if rivals[_rivalry(one)] == 1 or (one.n_cues and one.n_cues == most[_rivalry(one)])]


def _rivalry(one: _Single) -> tuple[object, ...]:
    rows = sorted(one.proposal.given.values())
    return one.proposal.template.answer_type, tuple(sorted(one.used)), tuple(rows)


def _fillings(reading: _Reading, template: Template) -> Iterator[_Single]:
    slots, n_cues = template.slots, reading.n_cues(template)
    of_type: dict[str, list[int]] = {}
    for kind in set(slots.values()):
        of_type[kind] = [place for place, mention in enumerate(reading.mentions) if _meant(mention, kind)]
    candidates = sorted({place for places in of_type.values() for place in places})
    for tried, places in enumerate(permutations(candidates, len(slots))):
        if tried >= MOST_ASSIGNED or not slots:
            return
        if any(place not in of_type[kind] for place, kind in zip(places, slots.values(), strict=True)):
            continue
        chosen = [reading.mentions[place] for place in places]
        if any(_overlap(one, other) for one, other in combinations(chosen, 2)):
            continue
        used = {
            place: reading.worth(mention, slot, template, n_cues)
            for place, mention, slot in zip(places, chosen, slots, strict=True)
        }
        if min(used.values()) < SURE:
            continue
        given = {
            slot: tuple(entity.row for entity in _meant(mention, kind))
            for mention, (slot, kind) in zip(chosen, slots.items(), strict=True)
        }
        spoken = 1.0 if n_cues or not template.cues else WITHOUT_CUE
        score = spoken * reading.score(used)
        yield _Single(Proposal(template, given, score, tuple(chosen)), used, n_cues, score)


def _meant(mention: Mention, kind: str) -> tuple[Entity, ...]:
    """The likeliest entity of a type that a mention may name, and its namesakes."""
    of_kind = [entity for entity in mention.entities if entity.type == kind]
    return tuple(entity for entity in of_kind if folded(entity.title) == folded(of_kind[0].title))


def _joined(reading: _Reading, some: Sequence[_Single]) -> Proposal | None:
    """Several templates at once, each with mentions of its own, at least one of them sure; None: they don't fit."""
    templates = [one.proposal.template for one in some]
    chosen = [mention for one in some for mention in one.proposal.mentions]
    if len({template.answer_type for template in templates}) > 1:
        return None
    if any(_overlap(one, other) for one, other in combinations(chosen, 2)):
        return None
    composed = compose(templates)
    given, mentions = _refilled(composed, [one.proposal for one in some])
    used = {place: worth for one in some for place, worth in one.used.items()}
    spoken = min(1.0 if one.n_cues or not one.proposal.template.cues else WITHOUT_CUE for one in some)
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

    >>> elm = Mention(15, 18, (), 1.0)
    >>> without_names("Night work by E. Elm", [elm])
    'Night work by Elm'
    """
    kept = list(question)
    for mention in mentions:
        kept[mention.start : mention.end] = " " * (mention.end - mention.start)
    return " ".join("".join(kept).split())


def _overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def _stem(word: str) -> str:
    """One and many are the same."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_in_capitals(question: str, mentions: Iterable[Mention]) -> bool:
    """Whether most words begin with a capital, so that capitals tell no name."""
    rest = list(question)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    plain = [word for word in "".join(rest).split()[1:] if word[0].isalpha() and word.lower() not in STOP_WORDS]
    return len(plain) > 1 and sum(word[0].isupper() for word in plain) > len(plain) / 2


def _reads_as_name(title: str) -> bool:
    """Two words or more, all with capitals but for the small ones between: "University of Elm", not "Deep learning".

    >>> _reads_as_name("University of Elm"), _reads_as_name("Deep learning"), _reads_as_name("Physics")
    (True, False, False)
    """
    counted = [word for word in title.split() if word.lower() not in STOP_WORDS and word[0].isalpha()]
    return len(counted) > 1 and all(word[0].isupper() for word in counted)
