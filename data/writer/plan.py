"""The dry run: what would be asked, what that costs and how long it takes. Nothing is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from core.knowledge.synthesis.steps import Price
from core.types import Publication
from core.writer.asking.reading import schema
from core.writer.types import Mode, Reading
from data.chat import recalled
from data.judging.demo_judge import DEMO_MODEL
from data.judging.presets import find_preset
from data.judging.prices import FREE, load_prices
from data.store import Store
from data.workspace import Workspace
from data.writer.asking import ANSWERED, N_THREADS, N_WANTED, Task, proposing
from data.writer.candidates import Bench
from data.writer.desk import set_up_writer
from data.writer.excluding import removed_core
from data.writer.keeping import find_writing, has_writing
from data.writer.opening import open_models
from data.writer.readings import SIZES, readings
from data.writer.records import Call
from data.writer.wanted import Recipe, Wanted
from data.writer.writing import read_again, writing_id_of

BYTES_PER_TOKEN = 4
TOKENS_PER_KEYWORD = 40
"""Of a usual answer: a keyword, its list, and a sentence."""
SECONDS_PER_CALL = 10.0
"""Of a service that nothing is known of, for an answer of a thousand tokens."""
LEAST_MEASURED = 3
"""Answers of a model from which its usual time is taken."""


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One question that would be asked."""

    model: str
    mode: Mode
    seed: int
    reading: str
    n_publications: int
    is_known: bool
    """Answered before: nothing is sent."""
    n_prompt_tokens: int = 0
    n_answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a writing would ask."""

    n_calls: int
    """Still to be asked."""
    n_known: int
    """Answered before."""
    n_prompt_tokens: int
    n_answer_tokens: int
    cost: tuple[float, float] | None
    """Dollars, as expected and at most; None: the price of a model is not known."""
    minutes: float
    lines: tuple[PlanLine, ...]
    notes: tuple[str, ...] = ()
    """How all of this was counted, and what would be left out."""


def plan(workspace: Workspace, wanted: Wanted) -> Plan:
    """Count what a writing would still ask. What can't be wanted is an error, as it is when writing."""
    store, brief, budget = workspace.store, wanted.brief, wanted.budget
    opened = open_models(wanted.recipes, only_plan=True) if budget.most_calls else ()
    desk = set_up_writer(workspace, wanted.topic_id, wanted.embedder, seed=brief.seed, hold_out=brief.hold_out)
    notes = [f"{each.sentence}." for each in removed_core(desk.desk, brief)]
    writing_id = writing_id_of(workspace, wanted, desk)
    calls: Sequence[Call] = ()
    if has_writing(store, writing_id):
        writing = find_writing(store, writing_id)
        found, calls = read_again(workspace, writing.readings), writing.calls
    else:
        found = readings(workspace, desk, brief, live=wanted.live, supporting=wanted.supporting, search=_as_if_searched)
    tasks = proposing(opened, found, brief, Bench(desk, brief, budget).vocabulary)
    known = [task for task in tasks if _is_known(store, task, calls)]
    n_sent = sum(call.status in ("ok", "not read", "refused") for call in calls)
    asked = [task for task in tasks if task not in known][: max(budget.most_calls - n_sent, 0)]
    if n_left := len(tasks) - len(known) - len(asked):
        notes.append(f"{n_left} of {len(tasks)} questions would not be asked: the budget allows {budget.most_calls}.")
    if opened:
        notes.append(_how(wanted))
    lines = tuple(_line(task, task in known) for task in tasks if task in known or task in asked)
    return _summed(store, wanted, lines, asked, notes)


def _is_known(store: Store, task: Task, calls: Sequence[Call]) -> bool:
    if any(call.status in ANSWERED and task.is_asked_by(call) for call in calls):
        return True
    return recalled(store, task.key) is not None


def _as_if_searched(workspace: Workspace, source_id: str, text: str, size: int) -> Reading:
    """A live reading as long as usual ones are: searching would send something."""
    blank = Publication(f"{source_id}:0", "x" * 90, "x" * 1_200)
    return Reading("live", (blank,) * size, source_id, f"Would be searched for: {text}.")


def _line(task: Task, is_known: bool) -> PlanLine:
    recipe, question = task.opened.recipe, task.question
    n_bytes = len((question.system + question.user + json.dumps(schema())).encode())
    return PlanLine(
        recipe.model,
        recipe.mode,
        recipe.seed,
        task.reading.reading_id,
        len(task.reading.publications),
        is_known,
        0 if is_known else -(-n_bytes // BYTES_PER_TOKEN),
        0 if is_known else task.n_wanted * TOKENS_PER_KEYWORD,
    )


def _summed(
    store: Store, wanted: Wanted, lines: tuple[PlanLine, ...], asked: Sequence[Task], notes: Sequence[str]
) -> Plan:
    sent = [line for line in lines if not line.is_known]
    return Plan(
        n_calls=len(sent),
        n_known=len(lines) - len(sent),
        n_prompt_tokens=sum(line.n_prompt_tokens for line in sent),
        n_answer_tokens=sum(line.n_answer_tokens for line in sent),
        cost=_cost(sent, asked, _prices(store, wanted)),
        minutes=_minutes(store, sent),
        lines=lines,
        notes=tuple(notes),
    )


def _prices(store: Store, wanted: Wanted) -> Mapping[str, Price]:
    """By model. What runs on one's own machine costs nothing."""
    own = {recipe.model: FREE for recipe in wanted.recipes if _is_local(recipe)}
    return {**load_prices(store), **own}


def _is_local(recipe: Recipe) -> bool:
    return recipe.base_url is None and find_preset(recipe.preset).is_local


def _cost(sent: Sequence[PlanLine], asked: Sequence[Task], prices: Mapping[str, Price]) -> tuple[float, float] | None:
    if any(line.model not in prices for line in sent):
        return None
    expected = most = 0.0
    for line, task in zip(sent, asked, strict=True):
        price = prices[line.model]
        expected += line.n_prompt_tokens * price.prompt + line.n_answer_tokens * price.answer
        # Asked twice, the second time with an answer that could not be read.
        full = task.opened.max_tokens
        most += (2 * line.n_prompt_tokens + 500) * price.prompt + 2 * full * price.answer
    return expected / 1e6, most / 1e6


def _minutes(store: Store, sent: Sequence[PlanLine]) -> float:
    """Models are asked one after the other, each some questions at once."""
    seconds = 0.0
    for model in {line.model for line in sent if line.model != DEMO_MODEL}:
        n = sum(line.model == model for line in sent)
        seconds += _seconds_per_call(store, model) * -(-n // N_THREADS)
    return seconds / 60


def _seconds_per_call(store: Store, model: str) -> float:
    rows = store.rows("SELECT ms FROM writer_calls WHERE model = ? AND status = 'ok'", [model])
    return median(ms for (ms,) in rows) / 1000 if len(rows) >= LEAST_MEASURED else SECONDS_PER_CALL


def _how(wanted: Wanted) -> str:
    n = N_WANTED[wanted.brief.depth]
    return (
        f"Prompt tokens: bytes of instructions and publications divided by {BYTES_PER_TOKEN}, a guess; up to "
        f"{SIZES[wanted.brief.depth]} publications in one question. Answer tokens: {n} keywords of "
        f"{TOKENS_PER_KEYWORD} each. At most: every answer is asked for twice and fills its limit. The same question "
        "is paid once."
    )
