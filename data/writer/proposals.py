"""Ask models for keywords and for changes to a string."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import InputError, ServiceError, StoreError
from core.protocols import Answer, JsonModel, OnStage, silent
from core.types import Publication
from core.writer.keyword_effects import KeywordSuggestion
from core.writer.prompts import (
    VERSION,
    Removal,
    read_changes,
    read_proposals,
    refine_prompt,
    refine_schema,
    refine_system_prompt,
    repair_prompt,
    schema,
    system_prompt,
    user_prompt,
)
from core.writer.sheets import IN_STRING, Brief, Depth, HeldBackProposal, Keyword, KeywordProposal, Sheet, WriterReading
from data.judge.demo_judge import DEMO_MODEL
from data.judge.services import JUDGE_PATIENCE, find_preset, missing_key, sends_to
from data.models.chat import (
    FILTERED,
    Breaker,
    NotAskedError,
    Question,
    RefusedError,
    ask_all,
    open_chat,
    recalled,
    remember,
)
from data.models.destination import Destination
from data.store import Clock, Store, utc_now
from data.writer.demo_model import DemoWriterModel
from data.writer.desk import SIZES
from data.writer.runs import CallStatus, Purpose, Recipe, WriterCall, keep_call

# The models named by recipes, opened; nothing is sent yet.

Models = Mapping[str, JsonModel]
"""Models by name."""
MOST_TOKENS = 4_000
"""Tokens of an answer: forty keywords with a sentence each take about 1,600, and reasoning models need extra room."""


@dataclass(frozen=True, eq=False)
class RecipeModel:
    recipe: Recipe
    model: JsonModel
    temperature: float
    """The temperature of the service's preset. Seeds only change the order of what is read."""
    max_tokens: int


def open_models(
    recipes: Iterable[Recipe], given: Models | None = None, *, only_plan: bool = False
) -> tuple[RecipeModel, ...]:
    """Open a model for each recipe that uses one, in order. `given`: used instead of models at services.

    `only_plan`: no request will follow, so no key is needed.
    """
    return tuple(_opened_with(recipe, given or {}, only_plan) for recipe in recipes if not recipe.is_statistics)


def destinations_of(recipes: Iterable[Recipe]) -> tuple[Destination, ...]:
    """Return where the requests of these recipes go, each place once."""
    asked = (recipe for recipe in recipes if not recipe.is_statistics and recipe.model != DEMO_MODEL)
    able = (recipe for recipe in asked if not missing_key(find_preset(recipe.preset), recipe.base_url))
    return tuple(dict.fromkeys(sends_to(recipe.preset, recipe.base_url) for recipe in able))


def _opened_with(recipe: Recipe, given: Models, only_plan: bool) -> RecipeModel:
    preset = find_preset(recipe.preset)
    model = _opened(recipe, given, only_plan)
    return RecipeModel(recipe, model, preset.temperature, max(MOST_TOKENS, preset.max_tokens))


def _opened(recipe: Recipe, given: Models, only_plan: bool) -> JsonModel:
    if recipe.model in given:
        return given[recipe.model]
    if recipe.model == DEMO_MODEL:
        return DemoWriterModel()
    preset = find_preset(recipe.preset)
    if not only_plan and (problem := missing_key(preset, recipe.base_url)):
        raise InputError(_for_writing(problem))
    extra = preset.extra if recipe.model in preset.models else {}
    address = recipe.base_url or preset.base_url or None
    return open_chat(recipe.model, address, JUDGE_PATIENCE, with_key=not only_plan, extra=extra)


def _for_writing(problem: str) -> str:
    text, *_ = problem.partition(" The judge ")
    return f'{text} The model "{DEMO_MODEL}" and corpus statistics work without one'


# Requests for keywords, one per reading. Every answer is saved on arrival, and none is paid for twice.

N_WANTED: Mapping[Depth, int] = {"quick": 15, "usual": 25, "deep": 40}
"""Keywords requested at once; any beyond these are held back."""
ANSWERED: tuple[CallStatus, ...] = ("ok", "not read", "refused", "known")
"""Statuses that count as answered; a request that failed is repeated."""
PAID: tuple[CallStatus, ...] = ("ok", "not read", "refused")
"""Statuses that count towards the budget of calls."""
N_THREADS = 4
"""Concurrent requests to one model."""
Vocabulary = Callable[[Keyword], int]


@dataclass(frozen=True, slots=True)
class KeywordAnswer:
    proposals: tuple[KeywordProposal, ...] = ()
    held_back: tuple[HeldBackProposal, ...] = ()
    removals: tuple[Removal, ...] = ()
    problem: str | None = None

    @property
    def is_nothing(self) -> bool:
        return self.problem is not None and not (self.proposals or self.held_back or self.removals)


@dataclass(frozen=True, eq=False)
class Task:
    opened: RecipeModel
    purpose: Purpose
    reading: WriterReading
    question: Question
    shape: Mapping[str, Any]
    """JSON schema of the answer."""
    read: Callable[[str], KeywordAnswer]
    n_wanted: int
    """Number of keywords requested."""

    @property
    def key(self) -> str:
        """Cache key: identifies everything the answer depends on."""
        return self.question.key(self.opened.model, VERSION)

    def is_asked_by(self, call: WriterCall) -> bool:
        recipe = self.opened.recipe
        who = (call.model, call.mode, call.seed) == (recipe.model, recipe.mode, recipe.seed)
        return who and call.question == self.question.user and call.system == self.question.system

    def repaired(self, call: WriterCall) -> Task:
        """Return the task with a prompt to repair an unreadable answer."""
        text = call.answers[-1] if call.answers else ""
        user = repair_prompt(self.question.user, text, call.problem or "")
        return replace(self, question=replace(self.question, user=user))


def proposing(
    opened: Sequence[RecipeModel], readings: Sequence[WriterReading], brief: Brief, vocabulary: Vocabulary | None = None
) -> tuple[Task, ...]:
    """Make a task of each reading for each model, grouped by reading."""
    return tuple(
        _task(each, reading, replace(brief, mode=each.recipe.mode), vocabulary)
        for reading in readings
        if reading.publications
        for each in opened
    )


def _task(opened: RecipeModel, reading: WriterReading, brief: Brief, vocabulary: Vocabulary | None) -> Task:
    most = N_WANTED[brief.depth]
    recipe = opened.recipe
    user = user_prompt(brief, reading, n_wanted=most, seed=recipe.seed)

    def read(text: str) -> KeywordAnswer:
        found = read_proposals(text, reading, recipe.model, most=most, vocabulary=vocabulary, brief=brief)
        return KeywordAnswer(found.proposals, found.held_back, problem=found.problem)

    question = Question(system_prompt(brief), user, opened.max_tokens, opened.temperature)
    return Task(opened, "propose", reading, question, schema(), read, most)


@dataclass
class ModelCaller:
    """The requests of one session: the remaining budget, the answers, and the errors."""

    store: Store
    writing_id: str
    calls: list[WriterCall]
    """Calls of the session so far, including those of earlier processes."""
    most_calls: int
    clock: Clock = utc_now
    on_stage: OnStage = silent
    problems: dict[str, str] = field(default_factory=dict)
    """Error that stopped the requests to a model, by its name."""
    n_left_out: int = 0
    """Requests beyond the budget."""

    @property
    def n_left(self) -> int:
        return max(self.most_calls - sum(call.status in PAID for call in self.calls), 0)

    def ask(self, tasks: Sequence[Task]) -> None:
        """Send all unanswered tasks; repeat each one with an unreadable answer once."""
        self._ask(tasks)
        again = [(task, call) for task in tasks if (call := self.call_of(task)) and _is_worth_a_repair(call)]
        self._ask([task.repaired(call) for task, call in again])

    def call_of(self, task: Task) -> WriterCall | None:
        found = (call for call in self.calls if call.status in ANSWERED and task.is_asked_by(call))
        return next(found, None)

    def last(self, task: Task) -> WriterCall | None:
        """Return the last call of a task: its repair, if one was sent."""
        call = self.call_of(task)
        again = self.call_of(task.repaired(call)) if call and _is_worth_a_repair(call) else None
        return again or call

    def _ask(self, tasks: Sequence[Task]) -> None:
        waiting = [task for task in tasks if self.call_of(task) is None]
        known = {task.key: answer for task in waiting if (answer := recalled(self.store, task.key))}
        for task in waiting:
            if (answer := known.get(task.key)) is not None:
                self._keep(task, answer, 0.0, is_known=True)
        waiting = [task for task in waiting if task.key not in known]
        allowed = waiting[: self.n_left]
        self.n_left_out += len(waiting) - len(allowed)
        for opened in dict.fromkeys(task.opened for task in allowed):
            self._ask_one([task for task in allowed if task.opened is opened])

    def _ask_one(self, tasks: Sequence[Task]) -> None:
        opened, (name, *_) = tasks[0].opened, [task.opened.recipe.name for task in tasks]
        report, breaker = self.on_stage(f"asking {name}"), Breaker()
        if opened.recipe.model in self.problems:
            return
        keeper = _Keeper(self.store, opened, {task.question: task for task in tasks})
        n_done = 0

        def heard(place: int, outcome: Answer | ServiceError) -> None:
            nonlocal n_done
            n_done += 1
            task = tasks[place]
            self._take(task, outcome, keeper.ms.get(task.question, 0.0))

        questions = [task.question for task in tasks]
        n_threads = 1 if opened.recipe.model == DEMO_MODEL else N_THREADS  # counting words needs no waiting
        ask_all(
            keeper,
            questions,
            n_threads=n_threads,
            breaker=breaker,
            heard=heard,
            heed=lambda: report(n_done, len(tasks)),
        )

    def _take(self, task: Task, outcome: Answer | ServiceError, ms: float) -> None:
        if isinstance(outcome, Answer):
            self._keep(task, outcome, ms)
        elif not isinstance(outcome, NotAskedError):
            status: CallStatus = "refused" if isinstance(outcome, RefusedError) else "failed"
            if status == "failed":
                self.problems[task.opened.recipe.model] = str(outcome)
            self._add(task, status, KeywordAnswer(problem=str(outcome)), ms=ms)

    def _keep(self, task: Task, answer: Answer, ms: float, *, is_known: bool = False) -> None:
        if not answer.text.strip() and (answer.refusal or answer.finish == FILTERED):
            text = " ".join(answer.refusal.split())[:300]
            self._add(
                task,
                "refused",
                KeywordAnswer(problem=(f"The model refuses to answer: {text or 'no reason given'}")),
                answer,
                ms,
            )
            return
        heard = task.read(answer.text)
        status: CallStatus = "known" if is_known else "not read" if heard.is_nothing else "ok"
        self._add(task, status, heard, answer, ms)

    def _add(
        self, task: Task, status: CallStatus, heard: KeywordAnswer, answer: Answer | None = None, ms: float = 0.0
    ) -> None:
        recipe, question = task.opened.recipe, task.question
        call = WriterCall(
            number=0,
            purpose=task.purpose,
            reading=task.reading.reading_id,
            model=recipe.model,
            mode=recipe.mode,
            seed=recipe.seed,
            prompt_version=VERSION,
            system=question.system,
            question=question.user,
            answers=() if answer is None else (answer.text or answer.refusal,),
            status=status,
            proposals=heard.proposals,
            removals=heard.removals,
            held_back=heard.held_back,
            problem=heard.problem,
            n_prompt_tokens=answer.n_prompt_tokens if answer else None,
            n_answer_tokens=answer.n_answer_tokens if answer else None,
            ms=ms,
            made_at=self.clock(),
        )
        self.calls.append(keep_call(self.store, self.writing_id, call))


def _is_worth_a_repair(call: WriterCall) -> bool:
    """Return True if the answer is unreadable. Cached ones count too: their repair may never have been requested."""
    return call.status in ("not read", "known") and not call.proposals and not call.held_back and bool(call.answers)


@dataclass
class _Keeper:
    """A JSON model wrapped as a text model; its answers are saved on arrival.

    Requests in progress when a session is stopped are paid for; their answers are used when it is resumed.
    """

    store: Store
    opened: RecipeModel
    tasks: Mapping[Question, Task]
    ms: dict[Question, float] = field(default_factory=dict)

    @property
    def model_id(self) -> str:
        return self.opened.model.model_id

    @property
    def fingerprint(self) -> str:
        return self.opened.model.fingerprint

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        question = Question(system, user, max_tokens, temperature)
        task, began = self.tasks[question], time.perf_counter()
        answer = self.opened.model.ask_json(
            system, user, schema=task.shape, max_tokens=max_tokens, temperature=temperature
        )
        self.ms[question] = (time.perf_counter() - began) * 1000
        with suppress(StoreError):  # the store may be closed by now; the answer is returned all the same
            remember(self.store, task.key, answer)
        return answer


# Requests about an existing string: what to add and what to remove, given what it finds and misses.

N_WANTED_CHANGES = 12
"""Changes requested at once."""


def asked_about(
    opened: Sequence[RecipeModel],
    brief: Brief,
    sheet: Sheet,
    text: str,
    *,
    relevant: Sequence[Publication],
    missed: Sequence[Publication],
    vocabulary: Vocabulary,
) -> tuple[Task, ...]:
    """Make one task per model about one string."""
    size = max(SIZES[brief.depth] // 2, 1)
    found = WriterReading("nearest", tuple(relevant[:size]), "found")
    lacking = WriterReading("nearest", tuple(missed[:size]), "missed")
    return tuple(_refine_questions_task(each, brief, sheet, text, found, lacking, vocabulary) for each in opened)


def _refine_questions_task(
    opened: RecipeModel,
    brief: Brief,
    sheet: Sheet,
    text: str,
    found: WriterReading,
    lacking: WriterReading,
    vocabulary: Vocabulary,
) -> Task:
    recipe = opened.recipe
    brief = replace(brief, mode=recipe.mode)
    known = [keyword.key for name in IN_STRING for keyword in sheet.of(name)]

    def read(answer: str) -> KeywordAnswer:
        reply = read_changes(
            answer, lacking, recipe.model, most=N_WANTED_CHANGES, known=known, vocabulary=vocabulary, brief=brief
        )
        return KeywordAnswer(reply.added.proposals, reply.added.held_back, reply.removals, reply.added.problem)

    user = refine_prompt(brief, text, found, lacking, n_wanted=N_WANTED_CHANGES, seed=recipe.seed)
    question = Question(refine_system_prompt(brief), user, opened.max_tokens, opened.temperature)
    return Task(opened, "refine", lacking, question, refine_schema(), read, N_WANTED_CHANGES)


def wishes_of(calls: Sequence[WriterCall], sheet: Sheet) -> tuple[list[KeywordSuggestion], list[KeywordSuggestion]]:
    """Collect the proposed additions and removals. Keywords that a person excluded are not removed."""
    keyword_of = {keyword.key: keyword for name in IN_STRING[:-1] for keyword in sheet.of(name)}
    add = [KeywordSuggestion(each.keyword, each.reason, call.model) for call in calls for each in call.proposals]
    remove = [
        KeywordSuggestion(keyword_of[each.key], each.reason, call.model)
        for call in calls
        for each in call.removals
        if each.key in keyword_of
    ]
    return add, remove
