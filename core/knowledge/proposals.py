"""Propose the templates and entities that a question asks about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, dropwhile, islice, product

from core.knowledge.entities import TURNED, Direction, Entity, Mention
from core.knowledge.templates import Template, compose, relation_words
from core.text import STOP_WORDS, folded, words

SURE = 0.7
"""The minimum worth of a mention that fills a blank."""
NAMED, LED, CUED, PLAIN = 1.0, 0.95, 0.65, 0.45
"""The worth of a mention: written as a name, next to a cue, with a cue elsewhere, or none of these."""
SKIPPED = frozenset(
    words("a an the of in on at by with from as to for this both either called named titled entitled"),
)
MOST_SKIPPED = 3
"""The maximum number of such words, including words for the type, between a cue and a name."""
NEGATIONS = frozenset({"not", "no", "without", "except", "excluding", "nor", "never", "outside"})
NEAR = 5
"""The number of words before a name that are checked for a negation."""
EVERYDAY = STOP_WORDS | {
    *("article", "author", "find", "list", "literature", "paper", "product", "publication", "research", "studie"),
    *("study", "work"),
}
"""Words common to all questions, in stemmed form."""
QUOTES = ('"', "“", "”", "„", "«", "»", "‘", "’", "'")
PASSIVE = frozenset({"is", "was", "are", "were", "be", "been", "being"})
BETWEEN = PASSIVE | {"has", "have", "had", "itself", "also"}
"""Words allowed between a name and its verb."""
ARTICLES = frozenset({"a", "an", "the", "this"})
MOST_MENTIONS = 12
_AND = re.compile(r"\s*(?:,|&|,?\s(?:and|or|nor))\s+", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,;:!?]\s")
_JOINED = re.compile(r"[\s-]*\w")
"""Another word, preceded by only spaces or hyphens."""


def says_something(text: str) -> bool:
    """Return True if the text has a word that is not common to all questions.

    >>> says_something("papers by"), says_something("papers by on shade")
    (False, True)
    """
    return not EVERYDAY.issuperset(map(_stem, words(text)))


class QuestionReading:
    def __init__(self, question: str, mentions: Sequence[Mention]) -> None:
        self.question = question
        self.has_case = any(c.lower() != c.upper() for c in question)
        self.has_capitals = any(c.isupper() for c in question)
        self.is_in_capitals = _is_in_capitals(question, mentions)
        sure = sorted(mentions, key=lambda m: (-self.worth_alone(m), m.start - m.end, m.start))
        self.mentions = sure[:MOST_MENTIONS]
        blanked = list(question)
        for mention in self.mentions:
            if self.worth_alone(mention) >= SURE:
                blanked[mention.start : mention.end] = " " * (mention.end - mention.start)
        self.stems = f" {' '.join(map(_stem, words(''.join(blanked))))} "
        """The words around the names."""

    def worth_alone(self, mention: Mention) -> float:
        return mention.score * (NAMED if self._is_name(mention) else PLAIN)

    def _is_name(self, mention: Mention) -> bool:
        """Return True if the mention is written as a name or, in a question without capitals, its title is one."""
        written = self.question[mention.start : mention.end]
        begins = not self.question[: mention.start].strip()
        if any(c.isalpha() and c.lower() == c.upper() for c in written) and self.has_case:
            return True  # in a script without case, within a question that has case
        if self.question[: mention.start].endswith(QUOTES) and self.question.startswith(QUOTES, mention.end):
            return True
        title = mention.entities[0].title if mention.entities else ""
        if not self.is_in_capitals:
            marked = [word for word in written.split() if word[:1].isupper() and word.lower() not in STOP_WORDS]
            if len(marked) > begins:
                return True
        says_nothing = not self.has_capitals or self.is_in_capitals or begins
        return says_nothing and mention.is_exact and _reads_as_name(title)

    def worth(self, mention: Mention, slot: str, template: Template, n_cues: float) -> float:
        kind, alone = template.slots[slot], self.worth_alone(mention)
        start = self._listed_from(mention, kind)
        before = self._before(start)
        leads = list(self._leading(mention, before, slot, template))
        denied = NEGATIONS & set(before[-NEAR:])
        if denied and not any(denied & set(cue) for cue in leads):
            return 0.0
        if leads:
            return max(alone, LED * mention.score)
        if kind == template.answer_type and not n_cues:
            return min(alone, PLAIN * mention.score)  # such words also describe the answers
        return max(alone, CUED * mention.score if n_cues >= 1 else 0.0)

    def is_related(self, mention: Mention, slot: str, template: Template) -> bool:
        """Return True if the relation is next to the mention, on the side that matches its direction."""
        start = self._listed_from(mention, template.slots[slot])
        return any(True for _ in self._relating(mention, self._before(start), slot, template))

    def _listed_from(self, mention: Mention, kind: str) -> int:
        """Return the start of the mention's list: in "by Ito and Roy", the words before Ito also apply to Roy."""
        start = mention.start
        for other in sorted(self.mentions, key=lambda each: -each.end):
            between = self.question[other.end : start]
            if other.end <= start and _AND.fullmatch(between) and any(e.type == kind for e in other.entities):
                start = other.start
        return start

    def _leading(self, mention: Mention, before: Sequence[str], slot: str, template: Template) -> Iterator[list[str]]:
        cues = list(self._leads(slot, template))
        yield from self._beside(mention, before, template.slots[slot], against=cues, along=cues)
        yield from self._relating(mention, before, slot, template)

    def _relating(self, mention: Mention, before: Sequence[str], slot: str, template: Template) -> Iterator[list[str]]:
        """Yield cues for the relation that leads from the blank: "cited by Ito" and "cited Ito" differ in meaning."""
        against, along = (list(_relations(slot, template, is_turned=is_turned)) for is_turned in (True, False))
        yield from self._beside(mention, before, template.slots[slot], against=against, along=along)
        lead = list(dropwhile(ARTICLES.union(words(template.slots[slot])).__contains__, reversed(before)))
        behind = words(self.question[mention.end : mention.end + 40])
        verb = list(dropwhile(BETWEEN.__contains__, behind))
        is_passive = not PASSIVE.isdisjoint(behind[: len(behind) - len(verb)])
        for done, direction in _participles(slot, template):
            is_object = direction == "back"
            if (is_object and lead[:1] == [done]) or (
                verb[:1] == [done] and verb[1:2] != ["by"] and is_passive == is_object
            ):
                yield [done]

    def _beside(
        self,
        mention: Mention,
        before: Sequence[str],
        kind: str,
        *,
        against: Sequence[list[str]],
        along: Sequence[list[str]],
    ) -> Iterator[list[str]]:
        after = [_stem(word) for word in words(self.question[mention.end : mention.end + 40])]
        skipped = {_stem(word) for word in words(kind.replace("_", " "))} | SKIPPED
        ends = [[_stem(word) for word in before]]
        while ends[-1] and ends[-1][-1] in skipped and len(ends) <= MOST_SKIPPED:
            ends.append(ends[-1][:-1])
        is_whole = not after or after[0] in STOP_WORDS or _JOINED.match(self.question, mention.end) is None
        yield from (cue for cue in against if is_whole and any(end[-len(cue) :] == cue for end in ends))
        parts = list(dropwhile(BETWEEN.__contains__, after))
        yield from (cue for cue in along if parts[: len(cue)] == cue or after[: len(cue)] == cue)

    def _before(self, start: int) -> list[str]:
        return words(_CLAUSE.split(self.question[max(0, start - 80) : start])[-1])

    def _leads(self, slot: str, template: Template) -> Iterator[list[str]]:
        pattern, blank = template.question, f"{{{slot}}}"
        lead = words(pattern[: pattern.index(blank)]) if blank in pattern else []
        for cue in (*map(words, template.cues), lead[-2:], lead[-3:]):
            stems = [_stem(word) for word in cue]
            if (stems and not (EVERYDAY - NEGATIONS).issuperset(stems)) or (cue and cue == lead[-3:] and len(cue) == 3):
                yield stems

    def n_cues(self, template: Template) -> float:
        """Count the words of the template's cues in the question; stop words count a tenth."""
        return sum(
            sum(0.1 if word in STOP_WORDS else 1.0 for word in cue)
            for text in template.cues
            if (cue := words(text)) and self._says(cue)
        )

    def _says(self, cue: Sequence[str]) -> bool:
        return f" {' '.join(map(_stem, cue))} " in self.stems

    def score(self, used: Mapping[int, float]) -> float:
        """Score mentions by their average worth, and by the share of all mentioned names that they cover."""
        spans = [self.mentions[place] for place in used]
        rest = 0.0
        for place, mention in enumerate(self.mentions):
            if place not in used and not any(overlap(mention, other) for other in spans):
                spans.append(mention)
                rest += self.worth_alone(mention)
        sure = sum(used.values())
        return (sure / len(used)) * (sure / (sure + rest))


def _relations(slot: str, template: Template, *, is_turned: bool) -> Iterator[list[str]]:
    """Yield the words of the relation that leads from a blank: "Ito writes" forward, "written by Ito" turned."""
    for leg in template.legs:
        if leg.slot == slot:
            first = leg.steps[0]
            direction = TURNED[first.direction] if is_turned else first.direction
            for name in first.relations:
                stems = [_stem(word) for word in words(relation_words(name, direction))]
                if not EVERYDAY.issuperset(stems):
                    yield stems


def _participles(slot: str, template: Template) -> Iterator[tuple[str, Direction]]:
    for leg in template.legs:
        first = leg.steps[0]
        if leg.slot == slot and first.direction != "either":
            for name in first.relations:
                done = words(relation_words(name, "back"))
                if done[1:] == ["by"]:
                    yield done[0], first.direction


def overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_in_capitals(question: str, mentions: Iterable[Mention]) -> bool:
    """Return True if most words are capitalised, so that capitals do not indicate a name."""
    if question.isupper():
        return True
    rest = list(question)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    plain = [word for word in "".join(rest).split()[1:] if word[0].isalpha() and word.lower() not in STOP_WORDS]
    return bool(plain) and sum(word[0].isupper() for word in plain) > len(plain) / 2


def _reads_as_name(title: str) -> bool:
    """Check for several words, all capitalised except small ones: "University of Elm", not "Deep learning".

    >>> _reads_as_name("University of Elm"), _reads_as_name("Deep learning"), _reads_as_name("Physics")
    (True, False, False)
    """
    counted = [word for word in title.split() if word.lower() not in STOP_WORDS and word[0].isalpha()]
    return len(counted) > 1 and all(word[0].isupper() for word in counted)


# Propose templates for the entities that a question mentions.
#
# A mention is rated by the certainty that it is a name rather than a plain word: by capitals, by preceding words that
# lead to a name ("authored by"), and by cues for the template in the question. A template is rated by the certainty of
# its mentions, and by the share of the question's names that it uses. Only certain mentions fill blanks: the name of a
# research field within a plain question is just words.

WITHOUT_CUE = 0.9
"""The factor for a proposal that only its mentions support."""
MOST_JOINED = 3
"""Templates that are combined."""
MOST_SINGLE = 12
"""Single proposals that are considered for combination."""
MOST_ASSIGNED = 2_000
"""Assignments of mentions to the blanks of one template that are tried."""


@dataclass(frozen=True, eq=False)
class TemplateProposal:
    """A template that may match a question, with its blanks filled."""

    template: Template
    given: Mapping[str, tuple[int, ...]]
    """For each blank, the rows of the possible entities, including all namesakes."""
    score: float
    """0 to 1; 1: all names in the question are used, with certainty."""
    mentions: tuple[Mention, ...]
    """The mentions that fill the blanks, in their order."""

    @property
    def titles(self) -> Mapping[str, str]:
        return {
            slot: next(entity.title for entity in mention.entities if entity.row in self.given[slot])
            for slot, mention in zip(self.given, self.mentions, strict=True)
        }

    @property
    def n_meant(self) -> int:
        """The number of entities that fill the blanks; more than one per blank if there are namesakes."""
        return sum(map(len, self.given.values()))


def propose(question: str, mentions: Sequence[Mention], templates: Sequence[Template]) -> tuple[TemplateProposal, ...]:
    """Propose filled templates, best first; none if the question mentions nothing with certainty."""
    reading = QuestionReading(question, mentions)
    single = sorted(_among_rivals(reading, templates), key=lambda one: -one.score)[:MOST_SINGLE]
    found = {_meaning(one.proposal): one.proposal for one in reversed(single)}
    for n in range(2, MOST_JOINED + 1):
        for some in combinations(single, n):
            if (joined := _joined(reading, some)) is not None:
                found.setdefault(_meaning(joined), joined)
    return tuple(sorted(found.values(), key=lambda each: (-each.score, len(each.template.legs))))


@dataclass(frozen=True, eq=False)
class _Single:
    proposal: TemplateProposal
    used: Mapping[int, float]
    """Indices of its mentions, with the worth of each in this template."""
    cues: tuple[int, float]
    """The number of mentions next to their relation, then the number of cues in the question."""
    score: float


def _among_rivals(reading: QuestionReading, templates: Sequence[Template]) -> list[_Single]:
    """Fill every template in every way; of rivals that use the same entities, keep those with the most cues."""
    found = [one for template in templates for one in _fillings(reading, template)]
    most: dict[object, tuple[int, float]] = {}
    rivals = Counter(map(_rivalry, found))
    for one in found:
        most[_rivalry(one)] = max(most.get(_rivalry(one), one.cues), one.cues)
    return [one for one in found if rivals[_rivalry(one)] == 1 or (any(one.cues) and one.cues == most[_rivalry(one)])]


def _rivalry(one: _Single) -> tuple[object, ...]:
    rows = sorted(one.proposal.given.values())
    return one.proposal.template.answer_type, tuple(sorted(one.used)), tuple(rows)


def _fillings(reading: QuestionReading, template: Template) -> Iterator[_Single]:
    n_cues = reading.n_cues(template)
    fitting = [list(_fitting(reading, template, slot, n_cues)) for slot in template.slots]
    for chosen in islice(product(*fitting), MOST_ASSIGNED if fitting else 0):
        used = {filler.place: filler.worth for filler in chosen}
        mentions = tuple(reading.mentions[filler.place] for filler in chosen)
        if any(overlap(one, other) for one, other in combinations(mentions, 2)):
            continue
        given = {slot: filler.rows for slot, filler in zip(template.slots, chosen, strict=True)}
        strength = (sum(filler.is_related for filler in chosen), n_cues)
        score = _spoken(template, strength) * reading.score(used)
        yield _Single(TemplateProposal(template, given, score, mentions), used, strength, score)


def _spoken(template: Template, parts: tuple[int, float]) -> float:
    return 1.0 if any(parts) or not template.cues else WITHOUT_CUE


@dataclass(frozen=True, slots=True)
class _Filler:
    place: int
    worth: float
    rows: tuple[int, ...]
    """Rows of the entities that it may refer to."""
    is_related: bool
    """True if the template's relation is next to it."""


def _fitting(reading: QuestionReading, template: Template, slot: str, n_cues: float) -> Iterator[_Filler]:
    for place, mention in enumerate(reading.mentions):
        if meant := _meant(mention, template.slots[slot]):
            worth = reading.worth(mention, slot, template, n_cues)
            if worth >= SURE:
                related = reading.is_related(mention, slot, template)
                yield _Filler(place, worth, tuple(entity.row for entity in meant), related)


def _meant(mention: Mention, kind: str) -> tuple[Entity, ...]:
    of_kind = [entity for entity in mention.entities if entity.type == kind]
    return tuple(entity for entity in of_kind if folded(entity.title) == folded(of_kind[0].title))


def _joined(reading: QuestionReading, some: Sequence[_Single]) -> TemplateProposal | None:
    """Combine templates that use different mentions, at least one of them certain; None: they are incompatible."""
    templates = [one.proposal.template for one in some]
    chosen = [mention for one in some for mention in one.proposal.mentions]
    if len({template.answer_type for template in templates}) > 1:
        return None
    if any(overlap(one, other) for one, other in combinations(chosen, 2)):
        return None
    composed = compose(templates)
    given, mentions = _refilled(composed, [one.proposal for one in some])
    used = {place: worth for one in some for place, worth in one.used.items()}
    spoken = min(_spoken(one.proposal.template, one.cues) for one in some)
    return TemplateProposal(composed, given, spoken * reading.score(used), mentions)


def _refilled(
    composed: Template, parts: Sequence[TemplateProposal]
) -> tuple[dict[str, tuple[int, ...]], tuple[Mention, ...]]:
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


def _meaning(proposal: TemplateProposal) -> frozenset[object]:
    """Return a key that is equal for proposals with the same meaning."""
    return frozenset(
        (leg.steps, leg.type, leg.is_negated, proposal.given.get(leg.slot or "")) for leg in proposal.template.legs
    )


def relaxed(proposals: Sequence[TemplateProposal]) -> tuple[tuple[TemplateProposal, ...], ...]:
    """Group the best proposal and less specific versions of it into tiers of equal score."""
    if not proposals:
        return ()
    kept = set(map(id, proposals[0].mentions))
    tiers: dict[float, list[TemplateProposal]] = {}
    for each in proposals:
        if kept.issuperset(map(id, each.mentions)):
            tiers.setdefault(round(each.score, 6), []).append(each)
    return tuple(tuple(tier) for tier in tiers.values())


def without_names(question: str, mentions: Iterable[Mention]) -> str:
    """Remove the mentions from a question, to rank by the rest.

    >>> without_names("Night work by Ito in Elm", [Mention(14, 17, (), 1.0)])
    'Night work by in Elm'
    """
    kept = list(question)
    for mention in mentions:
        kept[mention.start : mention.end] = " " * (mention.end - mention.start)
    return " ".join("".join(kept).split())
