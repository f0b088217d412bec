"""Makes queries: samples requirements and asks the models. Whatever ends it, what was answered is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.errors import InputError, ServiceError
from core.knowledge.synthesis.reading import Call, Made, Outcome, Place, Read, Reads, Sampled, SynthesisSettings, Wanted
from core.knowledge.synthesis.steps import checked_ids, outcome, pending, read_answer
from core.knowledge.templates import Template
from core.protocols import Answer, ChatModel, OnProgress, OnStage, silent
from core.ranking.check import Document
from data.asking import N_THREADS, Breaker, ask_all
from data.chat import Question, open_chat
from data.clock import Clock, utc_now
from data.embedders.retrying import Patience
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis import demo_writer
from data.knowledge.synthesis.keeping import DONE, RUNNING, STOPPED, Keeper
from data.knowledge.synthesis.pacing import Paced
from data.knowledge.synthesis.sampling import Sampler, documents_of, wanted_templates

AT_ONCE = 16
"""Queries that are made side by side."""
MOST_REASONS = 3
WITHOUT_KEY = 'the model "demo" works without one, but is not a language model'


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it this time."""

    made: tuple[Made, ...]
    """All queries that were begun, also earlier ones."""
    n_wanted: int
    n_asked: int
    """Questions that were answered this time."""
    failures: Mapping[str, int]
    """Why questions were not answered, and how many; running it again asks them again."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known of it."""
        said = []
        if len(self.made) < self.n_wanted:
            said.append(f"only {len(self.made):,} of {self.n_wanted:,} requirements were found: no template gives more")
        if self.failures:
            n = sum(self.failures.values())
            reasons = "; ".join(list(self.failures)[:MOST_REASONS])
            said.append(f"{n:,} questions were not answered ({reasons}): run it again to ask them again")
        return tuple(said)


def open_models(
    settings: SynthesisSettings, base_url: str | None = None, patience: Patience | None = None
) -> dict[str, ChatModel]:
    """Every model that is asked, by its name: "demo", or one at an address that speaks OpenAI's language."""
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
    keeper: Keeper,
    *,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
) -> Done:
    """Make all queries that are not made yet. What is kept is not asked again; a dead service ends it."""
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
    """One synthesis at work."""

    base: KnowledgeBase
    settings: SynthesisSettings
    models: Mapping[str, ChatModel]
    keeper: Keeper
    clock: Clock
    report: OnProgress = lambda done, total: None
    failures: Counter[str] = field(default_factory=Counter)
    n_asked: int = 0
    _made: dict[int, Made] = field(default_factory=dict)
    _over: set[int] = field(default_factory=set)
    """Queries of which nothing more will come."""
    _failed: set[Place] = field(default_factory=set)
    _breakers: dict[str, Breaker] = field(default_factory=dict)

    def run(self, sampler: Sampler, on_stage: OnStage) -> Done:
        """Batch after batch; the next requirements are sampled when they are needed."""
        self.report = on_stage("making queries")
        kept = self.keeper.items()
        for sampled, came in kept:
            sampler.known(sampled)
            self._made[sampled.item] = Made(sampled, came or Outcome("waiting"))
        states = {item: made.outcome.state for item, made in self._made.items() if item < self.settings.n}
        waiting = [self._made[item].sampled for item, state in states.items() if state == "waiting"]
        self._over = {item for item, state in states.items() if state != "waiting"}
        items = iter(range(len(kept), self.settings.n))
        while batch := [*waiting[:AT_ONCE], *self._sampled(sampler, items, AT_ONCE - len(waiting))]:
            del waiting[:AT_ONCE]
            self._make(batch)
        self._heed()
        made = tuple(self._made[item] for item in sorted(self._made) if item < self.settings.n)
        return Done(made, self.settings.n, self.n_asked, dict(self.failures))

    def _heed(self) -> None:
        """Say how far it is; whoever no longer waits ends it here."""
        self.report(len(self._over), self.settings.n)

    def _sampled(self, sampler: Sampler, items: Iterator[int], most: int) -> Iterator[Sampled]:
        for item in islice(items, max(most, 0)):
            self._heed()
            sampled = sampler.next(item)
            if sampled is None:
                for _ in items:  # no template gives another one
                    pass
                return
            self.keeper.keep_item(sampled)
            yield sampled

    def _make(self, batch: Sequence[Sampled]) -> None:
        """Ask until nothing more can be asked of these."""
        documents = documents_of(self.base, [doc_id for sampled in batch for doc_id in checked_ids(sampled)])
        kept = self.keeper.reads([sampled.item for sampled in batch])
        reads = {sampled.item: dict(kept.get(sampled.item, {})) for sampled in batch}
        for sampled in batch:
            self._came(sampled, reads[sampled.item])
        while wanted := self._wanted(batch, reads, documents):
            for model in dict.fromkeys(each.place.model for each in wanted):
                self._ask(model, [each for each in wanted if each.place.model == model], reads)

    def _came(self, sampled: Sampled, reads: Reads) -> None:
        came = outcome(sampled, reads, self.settings)
        self._made[sampled.item] = Made(sampled, came)
        if came.state != "waiting":
            self._over.add(sampled.item)
            self.keeper.keep_item(sampled, came)

    def _wanted(
        self, batch: Sequence[Sampled], reads: Mapping[int, Reads], documents: Mapping[str, Document]
    ) -> list[Wanted]:
        every = [each for s in batch for each in pending(s, reads[s.item], self.settings, documents)]
        return [each for each in every if each.place not in self._failed]

    def _ask(self, model: str, wanted: Sequence[Wanted], reads: dict[int, dict[Place, Read]]) -> None:
        """All questions to one model. What it answers is kept as it comes."""
        breaker = self._breakers.setdefault(model, Breaker())
        n_threads = 1 if model == demo_writer.MODEL else N_THREADS  # counting words is no waiting
        chat = Paced(self.models[model], N_THREADS)

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
            raise ServiceError(
                f"{model} is taken for dead ({reason}): what was answered is kept, run it again to go on"
            )

    def _hear(self, wanted: Wanted, came: Answer, chat: ChatModel, reads: dict[Place, Read]) -> None:
        place, sampled = wanted.place, self._made[wanted.place.item].sampled
        read = read_answer(sampled, reads, self.settings, place.step, came.text)
        tokens = (came.n_prompt_tokens, came.n_answer_tokens)
        self.keeper.keep_call(Call(place, wanted.prompt, chat.fingerprint, came.text, read, *tokens, self.clock()))
        reads[place] = read
        self.n_asked += 1
        self._came(sampled, reads)
