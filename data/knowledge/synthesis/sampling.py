"""Relational requirements at random: from an answer backwards to what could be given, then forwards to all answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.errors import InputError
from core.knowledge.spans import TURNED, Rows
from core.knowledge.synthesis.reading import Sampled, SynthesisSettings, holds_name
from core.knowledge.templates import Leg, Step, Template, question_words
from core.ranking.check import Document
from core.text import words
from core.types import Ids
from data.knowledge.base import KnowledgeBase

TRIES = 40
"""Answers that are begun from, before a template is passed over."""
MOST_PASSED_OVER = 5
"""How often a template is passed over before it is given up."""
FEWEST_CHARACTERS = 40
"""Of a text that properties can be read out of."""
LONGEST_TITLE = 300
"""Characters of the title of what is given."""
FROM = "from"
"""The blank of a way back."""
Given = dict[str, int]
"""The row that fills each blank."""


def settled(settings: SynthesisSettings, templates: Sequence[Template]) -> SynthesisSettings:
    """With every template named, so that one that is added later makes another synthesis."""
    if settings.templates:
        return settings
    return replace(settings, templates=tuple((template.template_id, 1.0) for template in templates))


def wanted_templates(templates: Sequence[Template], settings: SynthesisSettings) -> tuple[tuple[Template, float], ...]:
    """The templates that are chosen, with their weights; every chosen one has to be there."""
    by_id = {template.template_id: template for template in templates}
    if not by_id:
        raise InputError("this knowledge base has no templates: add one before queries are made from it")
    chosen = dict(settled(settings, templates).templates)
    if unknown := [name for name in chosen if name not in by_id]:
        there = ", ".join(by_id)
        raise InputError(f'there is no template "{unknown[0][:80]}" for this knowledge base; there are {there}')
    return tuple((by_id[name], weight) for name, weight in chosen.items())


@dataclass
class Sampler:
    """Gives one requirement after the other, each another one. The same for the same settings and knowledge base."""

    base: KnowledgeBase
    templates: Sequence[tuple[Template, float]]
    settings: SynthesisSettings
    _seen: set[tuple[str, tuple[int, ...]]] = field(default_factory=set, init=False)
    _unfit: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict, init=False)
    """How many answers those have that have too many: not computed again."""
    _counts: Counter[str] = field(default_factory=Counter, init=False)
    _passed_over: Counter[str] = field(default_factory=Counter, init=False)

    def known(self, sampled: Sampled) -> None:
        """One that was given before."""
        rows = self.base.rows_of([entity_id for ids in sampled.given.values() for entity_id in ids])
        self._note(sampled, tuple(rows[entity_id] for ids in sampled.given.values() for entity_id in ids))

    def _note(self, sampled: Sampled, rows: tuple[int, ...]) -> None:
        self._seen.add((sampled.template_id, rows))
        self._counts[sampled.template_id] += 1
        self._passed_over.update(sampled.passed_over)

    def next(self, item: int) -> Sampled | None:
        """The requirement of this number; None: no template gives another one."""
        rng = random.Random(f"{self.settings.seed}/{item}")
        role = self.settings.roles[item % len(self.settings.roles)]
        passed_over: list[str] = []
        for template in self._in_turn(item):
            found = self._one_of(template, rng, item, role, tuple(passed_over))
            if found is not None:
                return found
            passed_over.append(template.template_id)
        return None

    def _in_turn(self, item: int) -> Iterator[Template]:
        """Those furthest behind their share first, so that all stay in proportion."""
        total = sum(weight for _, weight in self.templates)
        behind = {
            template.template_id: weight / total * (item + 1) - self._counts[template.template_id]
            for template, weight in self.templates
            if self._passed_over[template.template_id] < MOST_PASSED_OVER
        }
        there = [template for template, _ in self.templates if template.template_id in behind]
        yield from sorted(there, key=lambda template: -behind[template.template_id])

    def _one_of(self, template: Template, rng: random.Random, item: int, role: str, passed_over: Ids) -> Sampled | None:
        backwards = False
        for _ in range(TRIES):
            given = _given(self.base, template, rng, backwards=backwards)
            key = (template.template_id, tuple((given or {}).values()))
            if given is None or len(set(given.values())) < len(given) or key in self._seen:
                continue
            n = self._unfit.get(key)
            rows = [] if n else self.base.answers(template, {slot: [row] for slot, row in given.items()}).tolist()
            n = n or len(rows)
            backwards = n <= self.settings.most_answers
            if not 1 <= n <= self.settings.most_answers:
                self._unfit[key] = n
                continue
            found = self._described(template, given, rows, rng, item, role, passed_over)
            if found is not None:
                self._note(found, key[1])
                return found
        return None

    def _described(
        self,
        template: Template,
        given: Given,
        rows: Sequence[int],
        rng: random.Random,
        item: int,
        role: str,
        passed_over: Ids,
    ) -> Sampled | None:
        """With one of the answers as the gold answer; None: no answer can be one."""
        known = described(self.base, [*given.values(), *rows])
        entities = {slot: known[row] for slot, row in given.items()}
        titles = {slot: entity.title for slot, entity in entities.items()}
        if not all(0 < len(title) <= LONGEST_TITLE and words(title) for title in titles.values()):
            return None  # nobody could name it in a query
        relation = question_words(template, titles)
        answers = [known[row] for row in rows]
        rng.shuffle(answers)
        gold = next((each for each in answers if _can_be_gold(each, (relation, *titles.values()))), None)
        if gold is None:
            return None
        others = tuple(each.entity_id for each in answers if each is not gold)
        return Sampled(
            item,
            template.template_id,
            {slot: (entity.entity_id,) for slot, entity in entities.items()},
            titles,
            relation,
            gold.entity_id,
            gold.title,
            others[: self.settings.most_checked],
            len(rows),
            role,
            passed_over,
        )


@dataclass(frozen=True, slots=True)
class Described:
    """An entity, and how much it says."""

    entity_id: str
    title: str
    n_characters: int


def described(base: KnowledgeBase, rows: Sequence[int]) -> dict[int, Described]:
    """These entities, by row."""
    found = base.rows(
        """
        SELECT row, entity_id, title, length(text) FROM entities JOIN texts USING (row)
        WHERE row IN (SELECT unnest($rows::INTEGER[]))
        """,
        {"rows": list(rows)},
    )
    return {row: Described(*more) for row, *more in found}


def _can_be_gold(answer: Described, named: Sequence[str]) -> bool:
    """Whether it has a text to read properties from, and a title that the query need not hold anyway."""
    if answer.n_characters < FEWEST_CHARACTERS or not words(answer.title):
        return False
    return not any(holds_name(text, answer.title) for text in named)


def documents_of(base: KnowledgeBase, entity_ids: Sequence[str]) -> dict[str, Document]:
    """Their texts as a retriever reads them, by id."""
    rows = sorted(set(base.rows_of(entity_ids).values()))
    found = base.rows(
        """
        SELECT entity_id, title, text FROM entities JOIN texts USING (row)
        WHERE row IN (SELECT unnest($rows::INTEGER[]))
        """,
        {"rows": rows},
    )
    return {entity_id: Document(entity_id, title, text) for entity_id, title, text in found}


# Backwards


def _given(base: KnowledgeBase, template: Template, rng: random.Random, *, backwards: bool) -> Given | None:
    """What could fill the blanks; None: nothing was found.

    Back from an answer, which leads to something always, and often to what has many answers; or, where there is one
    blank, any entity of its type.
    """
    if len(template.slots) == 1 and not backwards:
        ((slot, slot_type),) = template.slots.items()
        found = _any_of(base, slot_type, rng)
        return None if found is None else {slot: found}
    answer = _any_of(base, template.answer_type, rng)
    given: Given = {}
    for slot, slot_type in template.slots.items():
        towards = [leg for leg in template.legs if leg.slot == slot and not leg.is_negated]
        if answer is None:
            return None
        if not towards:  # anything may be what there is no way from
            found = _any_of(base, slot_type, rng)
        elif len(towards) == 1:
            found = _walked_back(base, towards[0], answer, rng)
        else:
            found = _met_back(base, towards, answer, rng)
        if found is None:
            return None
        given[slot] = found
    return given


def _any_of(base: KnowledgeBase, kind: str, rng: random.Random) -> int | None:
    there = base.types[kind]
    return there.first + rng.randrange(there.n) if there.n else None


def _walked_back(base: KnowledgeBase, leg: Leg, answer: int, rng: random.Random) -> int | None:
    """A start from which this leg leads to the answer: one step back at a time, each at random."""
    row, kind = answer, leg.steps[-1].type
    for step in _turned(leg).steps:
        found = _reached(base, (step,), kind, row)
        if not len(found):
            return None
        row, kind = int(found[rng.randrange(len(found))]), step.type
    return row


def _met_back(base: KnowledgeBase, legs: Sequence[Leg], answer: int, rng: random.Random) -> int | None:
    """A start from which every one of these legs leads to the answer."""
    found = base.answers(Template("back", tuple(map(_turned, legs)), ""), {FROM: [answer]})
    return int(found[rng.randrange(len(found))]) if len(found) else None


def _turned(leg: Leg) -> Leg:
    """The same way from its answer to its start."""
    types = [leg.type, *(step.type for step in leg.steps)]
    backwards = reversed(list(zip(leg.steps, types, strict=False)))
    steps = [Step(step.relations, before, TURNED[step.direction]) for step, before in backwards]
    return Leg(tuple(steps), types[-1], FROM)


def _reached(base: KnowledgeBase, steps: tuple[Step, ...], kind: str, row: int) -> Rows:
    """Where these steps lead from one entity; back to itself does not count."""
    return base.answers(Template("back", (Leg(steps, kind, FROM),), ""), {FROM: [row]})
