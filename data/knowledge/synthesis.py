"""Write new queries over a knowledge base: sampling, the dry run, and the models' answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Event, Semaphore

from core.collections import Document
from core.errors import InputError, ServiceError
from core.knowledge.entities import TURNED, Rows
from core.knowledge.synthesis import (
    ParsedAnswer,
    Reads,
    RequirementSample,
    SynthesisCall,
    SynthesisOutcome,
    SynthesisPosition,
    SynthesisRequest,
    SynthesisSettings,
    SynthesizedQuery,
    holds_name,
)
from core.knowledge.synthesis_steps import (
    HOW,
    ModelLoad,
    SynthesisEstimate,
    TokenPrice,
    checked_ids,
    outcome,
    pending,
    read_answer,
    total_cost,
)
from core.knowledge.templates import Leg, Template, TemplateStep, question_words
from core.protocols import Answer, ChatModel, OnProgress, OnStage, silent
from core.text import words
from core.types import Ids
from data.http.client import Patience
from data.knowledge import demo_writer
from data.knowledge.base import KnowledgeBase
from data.knowledge.demo_writer import MODEL
from data.knowledge.synthesis_runs import DONE, RUNNING, STOPPED, MemorySynthesisLog, SynthesisLog
from data.models.chat import BEAT, N_THREADS, Breaker, NotAskedError, Question, ask_all, open_chat
from data.models.prices import FREE
from data.store import Clock, utc_now

# Random relational requirements: from an answer backwards to possible inputs, then forwards to all answers.

TRIES = 40
"""Number of attempts before a template is passed over."""
MOST_PASSED_OVER = 5
"""Number of times that a template is passed over before it is dropped."""
FEWEST_CHARACTERS = 40
"""Smallest length of a text from which properties can be extracted, in characters."""
LONGEST_TITLE = 300
"""Largest length of an input entity's title, in characters."""
FROM = "from"
"""The blank of a reversed leg."""
Given = dict[str, int]
"""The row that fills each blank."""


def settled(settings: SynthesisSettings, templates: Sequence[Template]) -> SynthesisSettings:
    """List every template in the settings, so that a template added later makes another synthesis."""
    if settings.templates:
        return settings
    return replace(settings, templates=tuple((template.template_id, 1.0) for template in templates))


def wanted_templates(templates: Sequence[Template], settings: SynthesisSettings) -> tuple[tuple[Template, float], ...]:
    """Return the chosen templates with their weights; a missing one is an error."""
    by_id = {template.template_id: template for template in templates}
    if not by_id:
        raise InputError("this knowledge base has no templates: add one before writing queries")
    chosen = dict(settled(settings, templates).templates)
    if unknown := [name for name in chosen if name not in by_id]:
        there = ", ".join(by_id)
        raise InputError(f'there is no template "{unknown[0][:80]}" for this knowledge base; there are {there}')
    return tuple((by_id[name], weight) for name, weight in chosen.items())


@dataclass
class Sampler:
    """A sampler of distinct requirements, identical for the same settings and knowledge base."""

    base: KnowledgeBase
    templates: Sequence[tuple[Template, float]]
    settings: SynthesisSettings
    _seen: set[tuple[str, tuple[int, ...]]] = field(default_factory=set, init=False)
    _unfit: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict, init=False)
    """Numbers of answers of fillings with too many: not computed again."""
    _counts: Counter[str] = field(default_factory=Counter, init=False)
    _passed_over: Counter[str] = field(default_factory=Counter, init=False)

    def known(self, sampled: RequirementSample) -> None:
        rows = self.base.rows_of([entity_id for ids in sampled.given.values() for entity_id in ids])
        self._note(sampled, tuple(rows[entity_id] for ids in sampled.given.values() for entity_id in ids))

    def _note(self, sampled: RequirementSample, rows: tuple[int, ...]) -> None:
        self._seen.add((sampled.template_id, rows))
        self._counts[sampled.template_id] += 1
        self._passed_over.update(sampled.passed_over)

    def next(self, item: int) -> RequirementSample | None:
        """Return the requirement with this number; None: no template has another one."""
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
        """Yield the templates furthest behind their share first, so that all stay in proportion."""
        total = sum(weight for _, weight in self.templates)
        behind = {
            template.template_id: weight / total * (item + 1) - self._counts[template.template_id]
            for template, weight in self.templates
            if self._passed_over[template.template_id] < MOST_PASSED_OVER
        }
        there = [template for template, _ in self.templates if template.template_id in behind]
        yield from sorted(there, key=lambda template: -behind[template.template_id])

    def _one_of(
        self, template: Template, rng: random.Random, item: int, role: str, passed_over: Ids
    ) -> RequirementSample | None:
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
    ) -> RequirementSample | None:
        """Complete a requirement with one of its answers as the gold answer; None: no answer is suitable."""
        known = described(self.base, [*given.values(), *rows])
        entities = {slot: known[row] for slot, row in given.items()}
        titles = {slot: entity.title for slot, entity in entities.items()}
        if not all(0 < len(title) <= LONGEST_TITLE and words(title) for title in titles.values()):
            return None  # no query could mention it
        relation = question_words(template, titles)
        answers = [known[row] for row in rows]
        rng.shuffle(answers)
        gold = next((each for each in answers if _can_be_gold(each, (relation, *titles.values()))), None)
        if gold is None:
            return None
        others = tuple(each.entity_id for each in answers if each is not gold)
        return RequirementSample(
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
class EntitySummary:
    entity_id: str
    title: str
    n_characters: int


def described(base: KnowledgeBase, rows: Sequence[int]) -> dict[int, EntitySummary]:
    found = base.rows(
        """
        SELECT row, entity_id, title, length(text) FROM entities JOIN texts USING (row)
        WHERE row IN (SELECT unnest($rows::INTEGER[]))
        """,
        {"rows": list(rows)},
    )
    return {row: EntitySummary(*more) for row, *more in found}


def _can_be_gold(answer: EntitySummary, named: Sequence[str]) -> bool:
    if answer.n_characters < FEWEST_CHARACTERS or not words(answer.title):
        return False
    return not any(holds_name(text, answer.title) for text in named)


def documents_of(base: KnowledgeBase, entity_ids: Sequence[str]) -> dict[str, Document]:
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
    """Return a filling of the blanks; None: nothing was found.

    A filling found by going back from an answer has at least that answer, and often many; with one blank and without
    `backwards`, any entity of its type is used.
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
        if not towards:  # any entity will do if no leg starts from it
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
    """Return a start from which this leg leads to the answer: one random step back at a time."""
    row, kind = answer, leg.steps[-1].type
    for step in _turned(leg).steps:
        found = _reached(base, (step,), kind, row)
        if not len(found):
            return None
        row, kind = int(found[rng.randrange(len(found))]), step.type
    return row


def _met_back(base: KnowledgeBase, legs: Sequence[Leg], answer: int, rng: random.Random) -> int | None:
    """Return a start from which every one of these legs leads to the answer."""
    found = base.answers(Template("back", tuple(map(_turned, legs)), ""), {FROM: [answer]})
    return int(found[rng.randrange(len(found))]) if len(found) else None


def _turned(leg: Leg) -> Leg:
    types = [leg.type, *(step.type for step in leg.steps)]
    backwards = reversed(list(zip(leg.steps, types, strict=False)))
    steps = [TemplateStep(step.relations, before, TURNED[step.direction]) for step, before in backwards]
    return Leg(tuple(steps), types[-1], FROM)


def _reached(base: KnowledgeBase, steps: tuple[TemplateStep, ...], kind: str, row: int) -> Rows:
    return base.answers(Template("back", (Leg(steps, kind, FROM),), ""), {FROM: [row]})


# The dry run: requirements are sampled and prompts are measured; nothing is sent or saved.

MOST_SAMPLED = 200
"""Largest number of queries that are sampled; the rest is extrapolated."""


@dataclass(frozen=True, slots=True)
class SynthesisPlan:
    n_queries: int
    n_sampled: int
    """Number of queries that were sampled."""
    n_found: int
    """Smaller than `n_sampled` if the templates have no more."""
    loads: tuple[ModelLoad, ...]
    prices: Mapping[str, TokenPrice]
    """By model; the demo model is free."""
    how: str = HOW

    @property
    def cost(self) -> tuple[float, float] | None:
        """Dollars, as expected and at most; None if a price is missing."""
        return total_cost(self.loads, self.prices)

    @property
    def unpriced(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(load.model for load in self.loads if load.model not in self.prices))


def dry_run(
    base: KnowledgeBase,
    templates: Sequence[Template],
    settings: SynthesisSettings,
    prices: Mapping[str, TokenPrice],
    *,
    keeper: SynthesisLog | None = None,
    on_stage: OnStage = silent,
) -> SynthesisPlan:
    """Count requests, tokens and dollars. `keeper`: an earlier synthesis, whose results are not requested again."""
    keeper = keeper or MemorySynthesisLog()
    sampler = Sampler(base, wanted_templates(templates, settings), settings)
    kept = [sampled for sampled, _ in keeper.items()][: settings.n]
    for sampled in kept:
        sampler.known(sampled)
    n_sampled = max(len(kept), min(settings.n, MOST_SAMPLED))
    report = on_stage("sampling requirements")
    found = list(kept)
    for item in range(len(kept), n_sampled):
        report(item, n_sampled)
        another = sampler.next(item)
        if another is None:
            break
        found.append(another)
    loads = _counted(base, settings, found, keeper).loads(settings.n if len(found) == n_sampled else None)
    return SynthesisPlan(settings.n, n_sampled, len(found), loads, {MODEL: FREE, **prices})


def _counted(
    base: KnowledgeBase,
    settings: SynthesisSettings,
    found: Sequence[RequirementSample],
    keeper: SynthesisLog,
    at_once: int = 50,
) -> SynthesisEstimate:
    estimate = SynthesisEstimate(settings)
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        reads = keeper.reads([sampled.item for sampled in some])
        documents = documents_of(base, [doc_id for sampled in some for doc_id in checked_ids(sampled)])
        for sampled in some:
            estimate.add(sampled, reads.get(sampled.item, {}), documents)
    return estimate


def read_prices(given: Sequence[str]) -> dict[str, TokenPrice]:
    """Parse prices as people type them: MODEL=IN,OUT, in dollars per million tokens.

    >>> read_prices(["m-1=0.5,1.5"])
    {'m-1': TokenPrice(prompt=0.5, answer=1.5, listed_as='')}
    """
    prices = {}
    for text in given:
        model, equals, numbers = text.rpartition("=")
        parts = numbers.split(",")
        try:
            prompt, answer = map(float, parts)
        except ValueError:
            equals = ""
        if not equals or not model.strip():
            raise InputError(
                f'"{text[:80]}" is not a price: use MODEL=IN,OUT, in dollars per million prompt and answer tokens'
            )
        prices[model.strip()] = TokenPrice(prompt, answer)
    return prices


# A model that is called no faster than its answers are saved: an unsaved answer is lost with the process.


class PacedChatModel:
    """A chat model with room for a few answers; saving one makes room for the next."""

    def __init__(self, model: ChatModel, room: int) -> None:
        self.model_id = model.model_id
        self.fingerprint = model.fingerprint
        self._model = model
        self._room = Semaphore(room)
        self._over = Event()

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """Call the model as soon as there is room."""
        while not self._room.acquire(timeout=BEAT):
            if self._over.is_set():
                raise NotAskedError("the answer is no longer needed")
        return self._model.ask(system, user, max_tokens=max_tokens, temperature=temperature)

    def kept(self) -> None:
        self._room.release()

    def end(self) -> None:
        self._over.set()


# Make queries: sample requirements and call the models. All answers are saved, even if the run is interrupted.

AT_ONCE = 16
"""Number of queries that are made concurrently."""
MOST_REASONS = 3
WITHOUT_KEY = 'the model "demo" works without one, but is not a language model'


@dataclass(frozen=True, slots=True)
class SynthesisResult:
    made: tuple[SynthesizedQuery, ...]
    """All queries that were started, including earlier ones."""
    n_wanted: int
    n_asked: int
    """Number of requests answered in this run."""
    failures: Mapping[str, int]
    """Reasons for unanswered requests, with their number; another run repeats them."""

    @property
    def notes(self) -> tuple[str, ...]:
        parts = []
        if len(self.made) < self.n_wanted:
            parts.append(
                f"only {len(self.made):,} of {self.n_wanted:,} requirements were found: no template gives more"
            )
        if self.failures:
            n = sum(self.failures.values())
            reasons = "; ".join(list(self.failures)[:MOST_REASONS])
            parts.append(f"{n:,} questions were not answered ({reasons}): run it again to retry")
        return tuple(parts)


def open_models(
    settings: SynthesisSettings, base_url: str | None = None, patience: Patience | None = None
) -> dict[str, ChatModel]:
    """Open every model by its name: "demo", or one with an OpenAI-compatible API."""
    found: dict[str, ChatModel] = {}
    for name in settings.models:
        if name == demo_writer.MODEL:
            found[name] = demo_writer.DemoWriter()
            continue
        try:
            found[name] = open_chat(name, base_url, patience)
        except InputError as e:
            raise InputError(f"{e}; {WITHOUT_KEY}") from None
    return found


def synthesise(
    base: KnowledgeBase,
    templates: Sequence[Template],
    settings: SynthesisSettings,
    models: Mapping[str, ChatModel],
    keeper: SynthesisLog,
    *,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
) -> SynthesisResult:
    """Make all missing queries. Saved answers are not requested again; an unresponsive service ends the run."""
    making = _Making(base, settings, models, keeper, clock)
    keeper.keep_state(RUNNING)
    is_whole = False
    try:
        done = making.run(Sampler(base, wanted_templates(templates, settings), settings), on_stage)
        is_whole = all(each.outcome.state != "waiting" for each in done.made)
        return done
    finally:
        keeper.keep_state(DONE if is_whole else STOPPED)


@dataclass
class _Making:
    base: KnowledgeBase
    settings: SynthesisSettings
    models: Mapping[str, ChatModel]
    keeper: SynthesisLog
    clock: Clock
    report: OnProgress = lambda done, total: None
    failures: Counter[str] = field(default_factory=Counter)
    n_asked: int = 0
    _made: dict[int, SynthesizedQuery] = field(default_factory=dict)
    _over: set[int] = field(default_factory=set)
    """Finished queries."""
    _failed: set[SynthesisPosition] = field(default_factory=set)
    _breakers: dict[str, Breaker] = field(default_factory=dict)

    def run(self, sampler: Sampler, on_stage: OnStage) -> SynthesisResult:
        self.report = on_stage("making queries")
        kept = self.keeper.items()
        for sampled, came in kept:
            sampler.known(sampled)
            self._made[sampled.item] = SynthesizedQuery(sampled, came or SynthesisOutcome("waiting"))
        states = {item: made.outcome.state for item, made in self._made.items() if item < self.settings.n}
        waiting = [self._made[item].sampled for item, state in states.items() if state == "waiting"]
        self._over = {item for item, state in states.items() if state != "waiting"}
        items = iter(range(len(kept), self.settings.n))
        while batch := [*waiting[:AT_ONCE], *self._sampled(sampler, items, AT_ONCE - len(waiting))]:
            del waiting[:AT_ONCE]
            self._make(batch)
        self._heed()
        made = tuple(self._made[item] for item in sorted(self._made) if item < self.settings.n)
        return SynthesisResult(made, self.settings.n, self.n_asked, dict(self.failures))

    def _heed(self) -> None:
        self.report(len(self._over), self.settings.n)

    def _sampled(self, sampler: Sampler, items: Iterator[int], most: int) -> Iterator[RequirementSample]:
        for item in islice(items, max(most, 0)):
            self._heed()
            sampled = sampler.next(item)
            if sampled is None:
                for _ in items:  # no template has another one
                    pass
                return
            self.keeper.keep_item(sampled)
            yield sampled

    def _make(self, batch: Sequence[RequirementSample]) -> None:
        documents = documents_of(self.base, [doc_id for sampled in batch for doc_id in checked_ids(sampled)])
        kept = self.keeper.reads([sampled.item for sampled in batch])
        reads = {sampled.item: dict(kept.get(sampled.item, {})) for sampled in batch}
        for sampled in batch:
            self._came(sampled, reads[sampled.item])
        while wanted := self._wanted(batch, reads, documents):
            for model in dict.fromkeys(each.place.model for each in wanted):
                self._ask(model, [each for each in wanted if each.place.model == model], reads)

    def _came(self, sampled: RequirementSample, reads: Reads) -> None:
        came = outcome(sampled, reads, self.settings)
        self._made[sampled.item] = SynthesizedQuery(sampled, came)
        if came.state != "waiting":
            self._over.add(sampled.item)
            self.keeper.keep_item(sampled, came)

    def _wanted(
        self, batch: Sequence[RequirementSample], reads: Mapping[int, Reads], documents: Mapping[str, Document]
    ) -> list[SynthesisRequest]:
        every = [each for s in batch for each in pending(s, reads[s.item], self.settings, documents)]
        return [each for each in every if each.place not in self._failed]

    def _ask(
        self, model: str, wanted: Sequence[SynthesisRequest], reads: dict[int, dict[SynthesisPosition, ParsedAnswer]]
    ) -> None:
        breaker = self._breakers.setdefault(model, Breaker())
        n_threads = 1 if model == demo_writer.MODEL else N_THREADS  # counting words involves no waiting
        chat = PacedChatModel(self.models[model], N_THREADS)

        def heard(at: int, came: Answer | ServiceError) -> None:
            if isinstance(came, ServiceError):
                self._failed.add(wanted[at].place)
                self.failures[str(came)] += 1
            else:
                self._hear(wanted[at], came, chat, reads[wanted[at].place.item])
            chat.kept()

        questions = [Question(each.prompt.system, each.prompt.user, each.prompt.max_tokens) for each in wanted]
        try:
            ask_all(chat, questions, n_threads=n_threads, breaker=breaker, heard=heard, heed=self._heed)
        finally:
            chat.end()
        if breaker.is_open:
            reason = next(iter(self.failures), "it does not answer")
            raise ServiceError(f"{model} is unavailable ({reason}): answers are stored, run it again to resume")

    def _hear(
        self, wanted: SynthesisRequest, came: Answer, chat: ChatModel, reads: dict[SynthesisPosition, ParsedAnswer]
    ) -> None:
        place, sampled = wanted.place, self._made[wanted.place.item].sampled
        read = read_answer(sampled, reads, self.settings, place.step, came.text)
        tokens = (came.n_prompt_tokens, came.n_answer_tokens)
        self.keeper.keep_call(
            SynthesisCall(place, wanted.prompt, chat.fingerprint, came.text, read, *tokens, self.clock())
        )
        reads[place] = read
        self.n_asked += 1
        self._came(sampled, reads)
