"""Write strings for a topic, with a dry run first, and refine them in rounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from statistics import median

import numpy as np
import numpy.typing as npt

from core.documents import as_document
from core.errors import InputError, StoreError
from core.knowledge.synthesis_steps import TokenPrice
from core.protocols import JsonModel, OnStage, silent
from core.query.match import Bits, rows_of
from core.query.suggestions import Suggestion, suggest
from core.text import many
from core.types import Floats, Publication
from core.writer.keyword_effects import (
    KeywordSuggestion,
    PricedChange,
    SheetChange,
    differences,
    exchanged,
    phrase_of,
    possible,
    priced,
)
from core.writer.prompts import VERSION as PROMPTS
from core.writer.prompts import schema
from core.writer.sheets import (
    Keyword,
    KeywordProposal,
    Mode,
    Sheet,
    SheetStep,
    WriterBudget,
    WriterReading,
    tree_of,
)
from data.explore.workspace import Workspace
from data.judge.demo_judge import DEMO_MODEL
from data.judge.services import find_preset
from data.models.chat import alone, recalled
from data.models.prices import FREE, find_price, load_prices, price_note
from data.store import Clock, Store, content_hash, utc_now
from data.writer.desk import (
    SIZES,
    WriterDesk,
    check_halves,
    held_out_among,
    looked_at,
    nearest,
    nearness,
    readings,
    removed_core,
    set_up_writer,
)
from data.writer.proposals import (
    ANSWERED,
    N_THREADS,
    N_WANTED,
    PAID,
    ModelCaller,
    RecipeModel,
    Task,
    asked_about,
    open_models,
    proposing,
    wishes_of,
)
from data.writer.runs import (
    ReadingRow,
    Recipe,
    WriterCall,
    WriterRequest,
    WriterSession,
    WritingState,
    begin,
    find_writing,
    has_writing,
    in_reading_order,
    keep_state,
    keep_step,
    note,
)
from data.writer.steps import (
    TOGETHER,
    CandidateBuilder,
    baseline_step,
    keep_candidates,
    made_from,
    retrieved_by,
    save_step,
    step_named,
    step_of,
)

# Writing strings for a topic: models propose keywords for each reading, proposals are sorted, every string is scored.

VERSION = "writing-3"
"""Incremented with any change to how keywords are counted, sorted, searched or scored; older sessions don't match."""

NOTHING_OF = " proposed nothing that a string could be made of: "


def write(
    workspace: Workspace,
    wanted: WriterRequest,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> WriterSession:
    """Run a query-writing session. If it ends early, answers so far are kept and the next call resumes it.

    `models`: by name, used instead of those in the recipes. If a service fails, the session's `problem` reports it, and
    strings that don't need it are still made. Equal settings over the same topic are the same session.
    """
    workspace.store.check_writable()  # before anything is paid for
    opened = open_models(wanted.recipes, models)
    on_stage("reading the topic")(0, 0)
    desk = _desk(workspace, wanted)
    writing_id = writing_id_of(workspace, wanted, desk)
    with alone(workspace.store, writing_id, on_stage, WAITING):
        if not has_writing(workspace.store, writing_id):
            _begin(workspace, writing_id, wanted, desk, clock)
        return _written(workspace, writing_id, desk, opened, clock, on_stage)


def resume(
    workspace: Workspace,
    writing_id: str,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> WriterSession:
    """Resume a session that ended early; answered requests are not repeated."""
    workspace.store.check_writable()  # before anything is paid for
    writing = find_writing(workspace.store, writing_id)
    opened = open_models(writing.recipes, models)
    on_stage("reading the topic")(0, 0)
    desk = desk_of(workspace, writing)
    with alone(workspace.store, writing_id, on_stage, WAITING):
        return _written(workspace, writing_id, desk, opened, clock, on_stage)


def desk_of(workspace: Workspace, writing: WriterSession) -> WriterDesk:
    """Set up the desk of a session, with its original halves.

    Raise an error if the topic's core publications changed: publications held out before would no longer be.
    """
    brief = writing.brief
    desk = set_up_writer(workspace, writing.topic_id, writing.embedder, seed=brief.seed, hold_out=brief.hold_out)
    check_halves(desk, writing.split)
    return desk


def changed_since(store: Store, writing: WriterSession) -> tuple[str, ...]:
    """Return a remark if the topic's publications have changed since the session."""
    if writing.topic_state == store.topic_state(writing.topic_id):
        return ()
    return (
        (
            "The topic's publications or texts have changed since this session began: later steps are scored on the "
            "new ones."
        ),
    )


def writing_id_of(workspace: Workspace, wanted: WriterRequest, desk: WriterDesk) -> str:
    """Return an id that is the same for equal settings over the same publications and vectors."""
    embedding = workspace.embedding(wanted.topic_id, desk.desk.embedder)
    return content_hash(
        [
            *(VERSION, PROMPTS),
            wanted.topic_id,
            json.dumps(as_document(wanted.brief), sort_keys=True),
            json.dumps(as_document(wanted.budget), sort_keys=True),
            json.dumps([asdict(recipe) for recipe in wanted.recipes]),
            json.dumps([asdict(publication) for publication in wanted.supporting]),
            wanted.live or "",
            *(embedding.embedder, embedding.fingerprint),
            workspace.store.topic_state(wanted.topic_id),
        ]
    )


def _desk(workspace: Workspace, wanted: WriterRequest) -> WriterDesk:
    brief = wanted.brief
    return set_up_writer(workspace, wanted.topic_id, wanted.embedder, seed=brief.seed, hold_out=brief.hold_out)


def _begin(workspace: Workspace, writing_id: str, wanted: WriterRequest, desk: WriterDesk, clock: Clock) -> None:
    """Start a session with its readings, the topic's name and proposals of statistics, without any request."""
    store, brief = workspace.store, wanted.brief
    notes = [each.sentence + "." for each in removed_core(desk.desk, brief)]
    if not desk.split.held_out:
        notes.append("No core publications are held out: overfitting can't be detected.")
    found = readings(workspace, desk, brief, live=wanted.live, supporting=wanted.supporting)
    if told := held_out_among(desk, found):
        notes.append(told)
    bench = CandidateBuilder(desk, brief, wanted.budget)
    modes = dict.fromkeys([brief.mode, *(recipe.mode for recipe in wanted.recipes if recipe.is_statistics)])
    begin(
        store,
        writing_id,
        wanted,
        embedder=desk.desk.embedder,
        split=desk.split,
        readings=[reading_row(reading) for reading in found],
        counted={mode: bench.counted(mode, wanted.supporting) for mode in modes},
        notes=notes,
        clock=clock,
    )
    keep_step(store, writing_id, baseline_step(desk, brief), clock=clock)


def reading_row(reading: WriterReading) -> ReadingRow:
    ids = tuple(p.publication_id for p in reading.publications)
    outside = reading.publications if reading.kind in ("live", "supporting") else ()
    return ReadingRow(reading.reading_id, reading.kind, ids, reading.note, reading.source, outside)


def read_again(workspace: Workspace, rows: Sequence[ReadingRow]) -> tuple[WriterReading, ...]:
    """Restore readings with the same publications in the same order, so that requests stay the same."""
    return tuple(
        WriterReading(row.kind, row.outside or workspace.publications(row.ids), row.source, row.note) for row in rows
    )


def _written(
    workspace: Workspace,
    writing_id: str,
    desk: WriterDesk,
    opened: Sequence[RecipeModel],
    clock: Clock,
    on_stage: OnStage,
) -> WriterSession:
    store = workspace.store
    writing = find_writing(store, writing_id)
    if writing.state == "done":
        return writing
    keep_state(store, writing_id, "running", clock=clock)
    asking = ModelCaller(store, writing_id, list(writing.calls), writing.budget.most_calls, clock, on_stage)
    problem: str | None = "stopped early: resume it; answered requests are not repeated"
    try:
        bench = CandidateBuilder(desk, writing.brief, writing.budget)
        _make(store, writing, bench, (), on_stage)
        if writing.budget.most_calls:
            asking.ask(proposing(opened, read_again(workspace, writing.readings), writing.brief, bench.vocabulary))
        _make(store, find_writing(store, writing_id), bench, _proposed(opened, asking, writing), on_stage)
        problem = "; ".join(asking.problems.values()) or None
        parts = [each for each in writing.notes if NOTHING_OF not in each]
        note(store, writing_id, [*parts, *changed_since(store, writing), *_notes(writing, asking)])
    finally:
        with suppress(StoreError):  # the store may have failed itself and accept nothing more
            keep_state(store, writing_id, "stopped" if problem else "done", problem, clock=clock)
    return find_writing(store, writing_id)


def _make(
    store: Store,
    writing: WriterSession,
    bench: CandidateBuilder,
    asked: Sequence[tuple[Recipe, Sequence[KeywordProposal]]],
    on_stage: OnStage,
) -> None:
    made = made_from(writing.counted, asked)
    keep_candidates(store, writing.writing_id, bench, made, writing.steps, on_stage("sorting keywords"))


def _proposed(
    opened: Sequence[RecipeModel], asking: ModelCaller, writing: WriterSession
) -> list[tuple[Recipe, Sequence[KeywordProposal]]]:
    """Return each recipe's proposals in the order of readings: the order of answers must not change a string."""
    calls = in_reading_order(asking.calls, writing.readings)
    found: list[tuple[Recipe, Sequence[KeywordProposal]]] = []
    for each in opened:
        recipe = each.recipe
        own = (c for c in calls if (c.model, c.mode, c.seed) == (recipe.model, recipe.mode, recipe.seed))
        found.append((recipe, [proposal for c in own if c.purpose == "propose" for proposal in c.proposals]))
    return found


def _notes(writing: WriterSession, asking: ModelCaller) -> list[str]:
    n = asking.n_left_out
    if not writing.budget.most_calls and any(not recipe.is_statistics for recipe in writing.recipes):
        return ["The budget allows no requests, so no model was used: the keywords come from the corpus."]
    found = _gave_nothing(writing, asking.calls)
    if not n:
        return found
    left = "1 request was" if n == 1 else f"{n} requests were"
    return [*found, f"{left} not sent: the budget allows {writing.budget.most_calls} requests."]


def _gave_nothing(writing: WriterSession, calls: Sequence[WriterCall]) -> list[str]:
    found = []
    for recipe in writing.recipes:
        own = [c for c in calls if c.purpose == "propose" and (c.model, c.mode, c.seed) == recipe.key]
        heard = [c for c in own if c.status in ANSWERED]
        if not heard or any(call.proposals for call in heard):
            continue
        n = sum(len(call.held_back) for call in heard)
        why = f"{n} of its keywords are held back" if n else heard[-1].problem or "its lists are empty"
        found.append(f"{recipe.name}{NOTHING_OF}{why.rstrip('.')}.")
    return found


WAITING = "waiting for the same session to finish"
TO_WRITE = "close that one to write"


# The dry run: the requests, their cost and duration. Nothing is sent.

BYTES_PER_TOKEN = 4
TOKENS_PER_KEYWORD = 40
"""Tokens of a typical answer per keyword: the keyword, its list, and a sentence."""
SECONDS_PER_CALL = 10.0
"""Seconds for an answer of a thousand tokens, for a service without measurements."""
LEAST_MEASURED = 3
"""Smallest number of a model's answers from which its time is estimated."""


@dataclass(frozen=True, slots=True)
class PlanLine:
    model: str
    mode: Mode
    seed: int
    reading: str
    n_publications: int
    is_known: bool
    """True: already answered, nothing is sent."""
    n_prompt_tokens: int = 0
    n_answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class WriterPlan:
    n_calls: int
    """Requests still to be sent."""
    n_known: int
    """Requests already answered."""
    n_prompt_tokens: int
    n_answer_tokens: int
    cost: tuple[float, float] | None
    """Expected and largest cost in dollars; None: the price of a model is not known."""
    minutes: float
    lines: tuple[PlanLine, ...]
    notes: tuple[str, ...] = ()
    """How these numbers were estimated, and what would be left out."""


def plan(workspace: Workspace, wanted: WriterRequest) -> WriterPlan:
    """Estimate the remaining requests of a session. Invalid settings raise the same errors as in writing."""
    store, brief, budget = workspace.store, wanted.brief, wanted.budget
    opened = open_models(wanted.recipes, only_plan=True) if budget.most_calls else ()
    desk = _desk(workspace, wanted)
    notes = [f"{each.sentence}." for each in removed_core(desk.desk, brief)]
    writing_id = writing_id_of(workspace, wanted, desk)
    calls: Sequence[WriterCall] = ()
    if has_writing(store, writing_id):
        writing = find_writing(store, writing_id)
        found, calls = read_again(workspace, writing.readings), writing.calls
    else:
        found = readings(workspace, desk, brief, live=wanted.live, supporting=wanted.supporting, search=_as_if_searched)
    tasks = proposing(opened, found, brief, CandidateBuilder(desk, brief, budget).vocabulary)
    known = [task for task in tasks if _is_known(store, task, calls)]
    n_sent = sum(call.status in ("ok", "not read", "refused") for call in calls)
    asked = [task for task in tasks if task not in known][: max(budget.most_calls - n_sent, 0)]
    if n_left := len(tasks) - len(known) - len(asked):
        notes.append(f"{n_left} of {len(tasks)} requests would not be sent: the budget allows {budget.most_calls}.")
    if opened:
        notes.append(_how(wanted))
    lines = tuple(_line(task, task in known) for task in tasks if task in known or task in asked)
    return _summed(store, wanted, lines, asked, notes)


def _is_known(store: Store, task: Task, calls: Sequence[WriterCall]) -> bool:
    if any(call.status in ANSWERED and task.is_asked_by(call) for call in calls):
        return True
    return recalled(store, task.key) is not None


def _as_if_searched(workspace: Workspace, source_id: str, text: str, size: int) -> WriterReading:
    """Return a placeholder of typical length for a live reading: a search would send a request."""
    blank = Publication(f"{source_id}:0", "x" * 90, "x" * 1_200)
    return WriterReading("live", (blank,) * size, source_id, f"Would search for: {text}.")


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
    store: Store, wanted: WriterRequest, lines: tuple[PlanLine, ...], asked: Sequence[Task], notes: Sequence[str]
) -> WriterPlan:
    sent = [line for line in lines if not line.is_known]
    prices = _prices(store, wanted)
    priced_as = dict.fromkeys(price_note(line.model, find_price(line.model, prices)) for line in sent)
    return WriterPlan(
        n_calls=len(sent),
        n_known=len(lines) - len(sent),
        n_prompt_tokens=sum(line.n_prompt_tokens for line in sent),
        n_answer_tokens=sum(line.n_answer_tokens for line in sent),
        cost=_cost(sent, asked, prices),
        minutes=_minutes(store, sent),
        lines=lines,
        notes=(*notes, *filter(None, priced_as)),
    )


def _prices(store: Store, wanted: WriterRequest) -> Mapping[str, TokenPrice]:
    """Return prices by model. Local models are free."""
    own = {recipe.model: FREE for recipe in wanted.recipes if _is_local(recipe)}
    return {**load_prices(store), **own}


def _is_local(recipe: Recipe) -> bool:
    return recipe.base_url is None and find_preset(recipe.preset).is_local


def _cost(
    sent: Sequence[PlanLine], asked: Sequence[Task], prices: Mapping[str, TokenPrice]
) -> tuple[float, float] | None:
    found = {line.model: price for line in sent if (price := find_price(line.model, prices)) is not None}
    if any(line.model not in found for line in sent):
        return None
    expected = most = 0.0
    for line, task in zip(sent, asked, strict=True):
        price = found[line.model]
        expected += line.n_prompt_tokens * price.prompt + line.n_answer_tokens * price.answer
        # Requested twice, the second time with the unreadable answer in the prompt.
        full = task.opened.max_tokens
        most += (2 * line.n_prompt_tokens + 500) * price.prompt + 2 * full * price.answer
    return expected / 1e6, most / 1e6


def _minutes(store: Store, sent: Sequence[PlanLine]) -> float:
    """Estimate the duration: models run one after another, each with several requests at once."""
    seconds = 0.0
    for model in {line.model for line in sent if line.model != DEMO_MODEL}:
        n = sum(line.model == model for line in sent)
        seconds += _seconds_per_call(store, model) * -(-n // N_THREADS)
    return seconds / 60


def _seconds_per_call(store: Store, model: str) -> float:
    rows = store.rows("SELECT ms FROM writer_calls WHERE model = ? AND status = 'ok'", [model])
    return median(ms for (ms,) in rows) / 1000 if len(rows) >= LEAST_MEASURED else SECONDS_PER_CALL


def _how(wanted: WriterRequest) -> str:
    n = N_WANTED[wanted.brief.depth]
    return (
        f"Prompt tokens: bytes of instructions and publications divided by {BYTES_PER_TOKEN}, an estimate; up to "
        f"{SIZES[wanted.brief.depth]} publications per request. Answer tokens: {n} keywords of "
        f"{TOKENS_PER_KEYWORD} each. Maximum: every answer is requested twice and has full length. Identical "
        "requests are paid once."
    )


# One round of refinement: what a string finds and misses, the suggested changes, and those that pay off.

Rows = npt.NDArray[np.intp]
MOST_PER_ROUND = 3
"""Most changes in one round; after them the results are read again."""
MOST_SUGGESTED = 40
"""Terms taken from relevant results, and as many from missed publications."""
MOST_READ = 60
"""Publications available for a request to choose from."""


@dataclass(frozen=True, eq=False)
class Refiner:
    workspace: Workspace
    bench: CandidateBuilder
    asking: ModelCaller
    opened: Sequence[RecipeModel]
    near: Floats
    baseline: Bits
    keep: Callable[[SheetStep], SheetStep]
    """Function that saves a step as a version and numbers it."""

    def round(self, step: SheetStep, number: int) -> SheetStep:
        """Run one round and return its last step; the same step if no change paid off.

        Each change is first rated by its effect alone; after other changes it may do less, and is rated again.
        """
        add, remove = self._wishes(step)
        changed = self._one_by_one(step, add, remove, number)
        return self._exchanged(step, add, number) if changed is step else changed

    def _one_by_one(
        self, step: SheetStep, add: Sequence[KeywordSuggestion], remove: Sequence[KeywordSuggestion], number: int
    ) -> SheetStep:
        done: set[str] = set()
        for each in self._priced(possible(step.sheet, add, remove), step.sheet):
            key = each.change.keyword.key
            if not each.is_better or len(done) == MOST_PER_ROUND:
                break
            now = next(iter(self._priced((each.change,), step.sheet)), None) if done else each
            if key in done or now is None or not now.is_better:
                continue
            done.add(key)
            step = self.keep(self._step(step, now.sheet, each, number))
        return step

    def _exchanged(self, step: SheetStep, add: Sequence[KeywordSuggestion], number: int) -> SheetStep:
        found = exchanged(step.sheet, add, self.bench.scale)
        if found is None or not found.is_better:
            return step
        changes = differences(step.sheet, found.sheet)
        made = self._step(step, found.sheet, found, number)
        told = f"No single change helped: {phrase_of(changes, most=None)}."
        return self.keep(replace(made, made_by=phrase_of(changes), model="", notes=(told,)))

    def _priced(self, changes: Sequence[SheetChange], sheet: Sheet) -> tuple[PricedChange, ...]:
        return priced(changes, sheet, self.bench.scale)

    def _step(self, before: SheetStep, sheet: Sheet, made: PricedChange, number: int) -> SheetStep:
        return step_of(
            self.bench.desk,
            sheet,
            parent=before.number,
            made_by=made.change.phrase,
            semantics=self.bench.brief.semantics,
            baseline=self.baseline,
            seed=before.seed or 0,
            model=made.change.model,
            round=number,
            predicted=made.f_beta_change,
            notes=(made.change.reason,) if made.change.reason else (),
        )

    def _wishes(self, step: SheetStep) -> tuple[list[KeywordSuggestion], list[KeywordSuggestion]]:
        """Collect additions and removals proposed by corpus statistics and by the models, if any."""
        desk, look_up = self.bench.desk, self.bench.look_up
        ids = desk.desk.corpus.ids
        retrieved = look_up.retrieved(step.sheet)
        wanted = desk.sides.used.core | desk.sides.used.accepted
        found = rows_of(looked_at(self.workspace, desk, retrieved, self.near) & wanted)
        lacking = rows_of(wanted & ~retrieved & ~look_up.any_of(step.sheet.excluded))
        missed = nearest(lacking, self.near, ids)
        add = [*self._suggested(step.sheet, missed, "missed"), *self._suggested(step.sheet, found, "found")]
        if not self.opened:
            return add, []
        relevant = nearest(found, self.near, ids)
        tasks = asked_about(
            self.opened,
            self.bench.brief,
            step.sheet,
            step.text,
            relevant=self._publications(relevant),
            missed=self._publications(missed),
            vocabulary=self.bench.vocabulary,
        )
        self.asking.ask(tasks)
        wishes, remove = wishes_of([call for task in tasks if (call := self.asking.last(task))], step.sheet)
        return [*wishes, *add], remove

    def _suggested(self, sheet: Sheet, rows: Sequence[int] | Rows, what: str) -> list[KeywordSuggestion]:
        """Suggest terms that distinguish some rows from the corpus and are not on the sheet."""
        texts, semantics = self.bench.desk.desk.corpus.texts, self.bench.brief.semantics
        target = np.asarray(rows, dtype=np.intp)
        found = suggest(texts, target, query=tree_of(sheet), semantics=semantics, most=MOST_SUGGESTED)
        return [KeywordSuggestion(Keyword(each.text), _reason(each, len(target), texts.n, what)) for each in found]

    def _publications(self, rows: Sequence[int]) -> tuple[Publication, ...]:
        ids = self.bench.desk.desk.corpus.ids
        return self.workspace.publications([ids[row] for row in rows[:MOST_READ]])


def _reason(each: Suggestion, n_target: int, n: int, what: str) -> str:
    return (
        f"In {each.n_target:,} of {n_target:,} relevant publications that it {what}, and in {each.n_corpus:,} "
        f"of {n:,} overall."
    )


# Rounds of refinement: run, read relevant and missed publications, make the changes that pay off, score again.

NONE_BETTER = "no change that was tried improves the score enough on the core publications in use"


def refine(
    workspace: Workspace,
    writing_id: str,
    number: int,
    *,
    budget: WriterBudget | None = None,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> WriterSession:
    """Refine one step until F-beta on the used half stops rising or the budget is spent.

    Every change becomes a step, and a version whose parent is the one before. The model that proposed the step's
    keywords is asked for changes once a round, within the budget of calls. `budget`: None: what is left of the
    session's own. The last remark of the session states why refining ended.
    """
    store = workspace.store
    store.check_writable()  # before anything is paid for
    writing = find_writing(store, writing_id)
    allowed = budget or writing.budget
    start = step_named(writing, number)
    if not start.text:
        raise InputError(f"step {number} makes no string yet: there is nothing to refine")
    opened = open_models(_recipes(writing, start), models) if allowed.most_calls and allowed.most_rounds else ()
    on_stage("reading the topic")(0, 0)
    desk = desk_of(workspace, writing)
    with alone(store, writing_id, on_stage, WAITING), _running(store, writing, clock):
        # Another process may have continued the session while this one waited.
        writing = find_writing(store, writing_id)
        n_paid = sum(call.status in PAID for call in writing.calls) if budget else 0
        asking = ModelCaller(store, writing_id, list(writing.calls), n_paid + allowed.most_calls, clock, on_stage)
        refiner = Refiner(
            workspace,
            CandidateBuilder(desk, writing.brief, allowed),
            asking,
            opened,
            nearness(workspace, desk),
            retrieved_by(desk, writing.steps[0].sheet, writing.brief.semantics),
            keep=_Keeper(workspace, writing_id, clock),
        )
        why = _rounds(refiner, start, allowed.most_rounds, on_stage)
        _tell(store, writing, start, [why, *asking.problems.values()])
    return find_writing(store, writing_id)


def _rounds(refiner: Refiner, start: SheetStep, most: int, on_stage: OnStage) -> str:
    """Refine, and return why it ended, as the end of a sentence."""
    if not most:
        return "0 rounds: the budget allows none"
    report, step = on_stage("refining"), start
    for number in range(1, most + 1):
        report(number - 1, most)
        after = refiner.round(step, number)
        if after is step:
            n = number - 1
            return f"{many(n, 'round')}: {NONE_BETTER}"
        step = after
    report(most, most)
    return f"{many(most, 'round')}: the budget allows no more"


@dataclass(frozen=True, eq=False)
class _Keeper:
    """A callback that saves each change as a step and a version; a repeated change returns the existing step."""

    workspace: Workspace
    writing_id: str
    clock: Clock

    def __call__(self, step: SheetStep) -> SheetStep:
        store = self.workspace.store
        writing = find_writing(store, self.writing_id)
        parent = next(each for each in writing.steps if each.number == step.parent)
        if parent.label is None and parent.round is None:
            self._save(parent)
        same = (s for s in writing.steps if (s.parent, s.sheet, s.round) == (step.parent, step.sheet, step.round))
        kept = next(same, None) or keep_step(store, self.writing_id, step, clock=self.clock)
        return kept if kept.label else replace(kept, label=self._save(kept))

    def _save(self, step: SheetStep) -> str:
        return save_step(self.workspace, self.writing_id, step.number, clock=self.clock).version.label


@contextmanager
def _running(store: Store, writing: WriterSession, clock: Clock) -> Iterator[None]:
    """Mark the session as running, and restore its state afterwards."""
    keep_state(store, writing.writing_id, "running", clock=clock)
    state: WritingState = "done" if writing.state == "done" else "stopped"
    try:
        yield
    finally:
        with suppress(StoreError):  # the store may have failed itself and accept nothing more
            keep_state(store, writing.writing_id, state, writing.problem, clock=clock)


def _tell(store: Store, writing: WriterSession, start: SheetStep, parts: Sequence[str]) -> None:
    begins = f"Refining step {start.number} ended after "
    sentence = begins + "; ".join(each.rstrip(".") for each in parts) + "."
    kept = [each for each in writing.notes if not each.startswith(begins)]
    note(store, writing.writing_id, [*kept, *changed_since(store, writing), sentence])


def _recipes(writing: WriterSession, step: SheetStep) -> tuple[Recipe, ...]:
    """Return the recipes that proposed a step's keywords: one, or all if combined; none for statistics."""
    of_number = {each.number: each for each in writing.steps}
    while step.round is not None and step.parent is not None:
        step = of_number[step.parent]
    asking = tuple(recipe for recipe in writing.recipes if not recipe.is_statistics)
    if step.made_by == TOGETHER:
        return asking
    return tuple(r for r in asking if (r.model, r.mode, r.seed) == (step.model, step.mode, step.seed))
