"""Steps of a query synthesis: pending requests, cost estimates, and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.collections import Document
from core.errors import InputError
from core.knowledge.synthesis import (
    STEPS,
    UNREADABLE,
    YES,
    ParsedAnswer,
    Reads,
    RequirementSample,
    State,
    Step,
    SynthesisOutcome,
    SynthesisPosition,
    SynthesisPrompt,
    SynthesisRequest,
    SynthesisSettings,
    SynthesizedQuery,
    extract_prompt,
    filter_prompt,
    fuse_prompt,
    missing_names,
    read_properties,
    read_query,
    read_verdict,
    rewrite_prompt,
)
from core.stats import Interval, wilson
from core.types import Ids

# The next requests and the outcome of a query: both follow only from the answers parsed so far.
#
# So an interrupted synthesis can be resumed: answers that are stored are not requested again.

MOST_WORDINGS = 3
"""The number of attempts at a wording, including refused ones."""


@dataclass(frozen=True, slots=True)
class WordingAttempts:
    text: str = ""
    """Empty: none yet, or none at all."""
    refused: Ids = ()
    """Reasons for refusing earlier wordings."""

    @property
    def is_over(self) -> bool:
        return bool(self.text) or len(self.refused) >= MOST_WORDINGS


def names_of(sampled: RequirementSample) -> Ids:
    return tuple(dict.fromkeys(sampled.titles.values()))


def properties_of(sampled: RequirementSample, reads: Reads, settings: SynthesisSettings) -> ParsedAnswer | None:
    """Return the properties of the gold answer; None: not requested yet."""
    return reads.get(SynthesisPosition(sampled.item, "extract", 0, settings.extract))


def worded(sampled: RequirementSample, reads: Reads, step: Step, model: str) -> WordingAttempts:
    refused: list[str] = []
    for number in range(MOST_WORDINGS):
        read = reads.get(SynthesisPosition(sampled.item, step, number, model))
        if read is None:
            break
        if not read.refused:
            return WordingAttempts(read.text, tuple(refused))
        refused.append(read.refused)
    return WordingAttempts("", tuple(refused))


def checked_ids(sampled: RequirementSample) -> Ids:
    """Return the answers that the models check, the gold answer first."""
    return (sampled.gold_id, *sampled.others)


def pending(
    sampled: RequirementSample, reads: Reads, settings: SynthesisSettings, documents: Mapping[str, Document]
) -> tuple[SynthesisRequest, ...]:
    """Return the requests that can be made now; none: the query is done. `documents`: texts of all answers to check."""
    properties = properties_of(sampled, reads, settings)
    if properties is None:
        prompt = extract_prompt(documents[sampled.gold_id], sampled.role, settings.n_properties)
        return (SynthesisRequest(SynthesisPosition(sampled.item, "extract", 0, settings.extract), prompt),)
    if properties.refused:
        return ()
    fused = worded(sampled, reads, "fuse", settings.fuse)
    if not fused.is_over:
        names = names_of(sampled)
        prompt = fuse_prompt(sampled.relation, names, properties.texts, sampled.role, fused.refused)
        return (_wording(sampled, "fuse", fused, settings.fuse, prompt),)
    if not fused.text:
        return ()
    again = worded(sampled, reads, "rewrite", settings.rewrite)
    if settings.rewrite and not again.is_over:
        prompt = rewrite_prompt(fused.text, _held_names(sampled, fused.text), sampled.role, again.refused)
        return (_wording(sampled, "rewrite", again, settings.rewrite, prompt),)
    return tuple(_checks(sampled, reads, settings, documents, properties.texts))


def _wording(
    sampled: RequirementSample, step: Step, so_far: WordingAttempts, model: str, prompt: SynthesisPrompt
) -> SynthesisRequest:
    return SynthesisRequest(SynthesisPosition(sampled.item, step, len(so_far.refused), model), prompt)


def _held_names(sampled: RequirementSample, query: str) -> Ids:
    lost = missing_names(query, names_of(sampled))
    return tuple(name for name in names_of(sampled) if name not in lost)


def _checks(
    sampled: RequirementSample,
    reads: Reads,
    settings: SynthesisSettings,
    documents: Mapping[str, Document],
    properties: Sequence[str],
) -> list[SynthesisRequest]:
    wanted = []
    for number, doc_id in enumerate(checked_ids(sampled)):
        places = [SynthesisPosition(sampled.item, "filter", number, model) for model in settings.filters]
        if missing := [place for place in places if place not in reads]:
            prompt = filter_prompt(properties, documents[doc_id])
            wanted += [SynthesisRequest(place, prompt) for place in missing]
    return wanted


def read_answer(
    sampled: RequirementSample, reads: Reads, settings: SynthesisSettings, step: Step, answer: str
) -> ParsedAnswer:
    if step == "extract":
        return read_properties(answer, sampled.gold_title, settings.n_properties)
    if step == "fuse":
        return read_query(answer, sampled.gold_title)
    if step == "rewrite":
        fused = worded(sampled, reads, "fuse", settings.fuse).text
        return read_query(answer, sampled.gold_title, _held_names(sampled, fused))
    return read_verdict(answer)


def outcome(sampled: RequirementSample, reads: Reads, settings: SynthesisSettings) -> SynthesisOutcome:
    properties = properties_of(sampled, reads, settings)
    if properties is None:
        return SynthesisOutcome("waiting")
    if properties.refused:
        return SynthesisOutcome("failed", f"no properties: {properties.refused}")
    fused = worded(sampled, reads, "fuse", settings.fuse)
    if not fused.text:
        reason = f"no query: {fused.refused[-1]}" if fused.is_over else ""
        return SynthesisOutcome("failed" if fused.is_over else "waiting", reason, properties.texts)
    query: str = fused.text
    notes: Ids = ()
    if settings.rewrite:
        again = worded(sampled, reads, "rewrite", settings.rewrite)
        if not again.is_over:
            return SynthesisOutcome("waiting", "", properties.texts, query)
        query = again.text or query
        notes = () if again.text else (f"not paraphrased: {again.refused[-1]}",)
    missing = missing_names(query, names_of(sampled))
    return _filtered(
        sampled, reads, settings, SynthesisOutcome("waiting", "", properties.texts, query, {}, (), missing, notes)
    )


def _filtered(
    sampled: RequirementSample, reads: Reads, settings: SynthesisSettings, so_far: SynthesisOutcome
) -> SynthesisOutcome:
    verdicts: dict[str, dict[str, str]] = {}
    for number, doc_id in enumerate(checked_ids(sampled)):
        found = {
            model: reads.get(SynthesisPosition(sampled.item, "filter", number, model)) for model in settings.filters
        }
        verdicts[doc_id] = {model: read.text or UNREADABLE for model, read in found.items() if read is not None}
    is_whole = all(len(answer) == len(settings.filters) for answer in verdicts.values())
    accepted = tuple(doc_id for doc_id, answer in verdicts.items() if is_accepted(answer, settings))
    state: State = "waiting" if not is_whole else "complete" if sampled.gold_id in accepted else "gold refused"
    return SynthesisOutcome(
        state,
        "the models don't accept the gold answer" if state == "gold refused" else "",
        so_far.properties,
        so_far.query,
        verdicts,
        accepted,
        so_far.missing_names,
        so_far.notes,
    )


def is_accepted(entries: Mapping[str, str], settings: SynthesisSettings) -> bool:
    """Return True if enough models say yes: all of them, or more than half."""
    n_yes = sum(entries.get(model) == YES for model in settings.filters)
    return n_yes == len(settings.filters) if settings.rule == "all" else 2 * n_yes > len(settings.filters)


# The expected requests and cost of a synthesis, before anything is sent.

CHARACTERS_PER_TOKEN = 4
ANSWER_TOKENS: Mapping[Step, int] = {"extract": 20, "fuse": 45, "rewrite": 45, "filter": 3}
"""Of a typical answer; for "extract", of each property."""
USUAL_PROPERTY = "a property of some six words here"
USUAL_QUERY = "x" * 180
HOW = (
    f"Prompt tokens are its characters divided by {CHARACTERS_PER_TOKEN}, answer tokens those of usual answers: both "
    "are estimates. At most: every wording is refused until the last. Reasoning models use more."
)


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Dollars per million tokens."""

    prompt: float
    answer: float
    listed_as: str = ""
    """The model's name in the price list, if it differs from the name in requests."""

    def __post_init__(self) -> None:
        for value in (self.prompt, self.answer):
            if not 0 <= value < 1e6:
                raise InputError(f"a price must be from 0 to a million dollars for a million tokens, got {value}")

    def dollars(self, *, n_prompt_tokens: int, n_answer_tokens: int) -> float:
        """Compute the cost of a number of tokens.

        >>> TokenPrice(2.0, 8.0).dollars(n_prompt_tokens=500_000, n_answer_tokens=250_000)
        3.0
        """
        return (n_prompt_tokens * self.prompt + n_answer_tokens * self.answer) / 1e6


@dataclass(frozen=True, slots=True)
class ModelLoad:
    """The calls to one model in one step, expected and at most."""

    step: Step
    model: str
    n_calls: int
    most_calls: int
    n_prompt_tokens: int
    n_answer_tokens: int
    most_prompt_tokens: int
    most_answer_tokens: int

    def cost(self, price: TokenPrice) -> tuple[float, float]:
        """Return the cost in dollars, expected and at most."""
        expected = self.n_prompt_tokens * price.prompt + self.n_answer_tokens * price.answer
        most = self.most_prompt_tokens * price.prompt + self.most_answer_tokens * price.answer
        return expected / 1e6, most / 1e6


@dataclass
class _Sums:
    n: float = 0
    most: float = 0
    prompt: float = 0
    answer: float = 0
    most_prompt: float = 0
    most_answer: float = 0

    def add(self, n: int, most: int, characters: int, answer: int) -> None:
        tokens = -(-characters // CHARACTERS_PER_TOKEN)
        self.n += n
        self.most += most
        self.prompt += n * tokens
        self.answer += n * answer
        self.most_prompt += most * tokens
        self.most_answer += most * answer


class SynthesisEstimate:
    """The sum of the remaining requests for the queries of a synthesis."""

    def __init__(self, settings: SynthesisSettings) -> None:
        self.settings = settings
        self.n_items = 0
        self._sums: dict[tuple[Step, str], _Sums] = {}

    def add(self, sampled: RequirementSample, reads: Reads, documents: Mapping[str, Document]) -> None:
        """Add one query; answers that are already parsed are not requested again."""
        self.n_items += 1
        now, settings = outcome(sampled, reads, self.settings), self.settings
        if now.state != "waiting":
            return
        properties = properties_of(sampled, reads, settings)
        if properties is None:
            prompt = extract_prompt(documents[sampled.gold_id], sampled.role, settings.n_properties)
            answer = ANSWER_TOKENS["extract"] * settings.n_properties
            self._sum("extract", settings.extract).add(1, 1, len(prompt.system) + len(prompt.user), answer)
        texts = properties.texts if properties else (USUAL_PROPERTY,) * settings.n_properties
        fuse = fuse_prompt(sampled.relation, names_of(sampled), texts, sampled.role)
        self._wordings(sampled, reads, "fuse", settings.fuse, len(fuse.system) + len(fuse.user))
        if settings.rewrite:
            rewriting = rewrite_prompt(now.query or USUAL_QUERY, names_of(sampled), sampled.role)
            self._wordings(sampled, reads, "rewrite", settings.rewrite, len(rewriting.system) + len(rewriting.user))
        self._filters(sampled, reads, texts, documents)

    def _sum(self, step: Step, model: str) -> _Sums:
        return self._sums.setdefault((step, model), _Sums())

    def _wordings(self, sampled: RequirementSample, reads: Reads, step: Step, model: str, characters: int) -> None:
        so_far = worded(sampled, reads, step, model)
        if not so_far.is_over:
            most = MOST_WORDINGS - len(so_far.refused)
            self._sum(step, model).add(1, most, characters, ANSWER_TOKENS[step])

    def _filters(
        self, sampled: RequirementSample, reads: Reads, texts: Sequence[str], documents: Mapping[str, Document]
    ) -> None:
        for number, doc_id in enumerate(checked_ids(sampled)):
            prompt = filter_prompt(texts, documents[doc_id])
            for model in self.settings.filters:
                if SynthesisPosition(sampled.item, "filter", number, model) not in reads:
                    characters = len(prompt.system) + len(prompt.user)
                    self._sum("filter", model).add(1, 1, characters, ANSWER_TOKENS["filter"])

    def loads(self, n_items: int | None = None) -> tuple[ModelLoad, ...]:
        """Return the load by step and model. `n_items`: the total number of queries, if only some were added."""
        scale = 1.0 if not n_items or not self.n_items else n_items / self.n_items
        ordered = sorted(self._sums.items(), key=lambda each: STEPS.index(each[0][0]))
        return tuple(
            ModelLoad(
                step,
                model,
                *(round(value * scale) for value in (s.n, s.most, s.prompt, s.answer, s.most_prompt, s.most_answer)),
            )
            for (step, model), s in ordered
        )


def total_cost(loads: Iterable[ModelLoad], prices: Mapping[str, TokenPrice]) -> tuple[float, float] | None:
    """Return the cost in dollars, expected and at most; None if the price of a model is not known."""
    found = list(loads)
    if any(load.model not in prices for load in found):
        return None
    costs = [load.cost(prices[load.model]) for load in found]
    return sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)


# The results of a synthesis: numbers of queries, and the share of gold answers that models accept.


@dataclass(frozen=True, slots=True)
class AcceptanceRate:
    """A share with its 95 % interval."""

    n_yes: int
    n: int

    @property
    def share(self) -> float | None:
        """None: nothing was counted."""
        return self.n_yes / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        return wilson(self.n_yes, self.n) if self.n else None


@dataclass(frozen=True, slots=True)
class SynthesisSummary:
    n: int
    states: Mapping[str, int]
    templates: Mapping[str, int]
    """Complete queries, by template."""
    verification: AcceptanceRate
    """Gold answers that the models accept, among those that were checked."""
    by_model: Mapping[str, AcceptanceRate]
    """The same for each model separately."""
    reasons: Mapping[str, int]
    """Reasons for failures, most frequent first."""
    n_unnamed: int
    """Complete queries that don't name a given entity."""


def summarise(made: Sequence[SynthesizedQuery], filters: Ids) -> SynthesisSummary:
    checked = [each for each in made if each.outcome.state in ("complete", "gold refused")]
    complete = [each for each in made if each.outcome.state == "complete"]
    gold = [each.outcome.verdicts[each.sampled.gold_id] for each in checked]
    return SynthesisSummary(
        len(made),
        Counter(each.outcome.state for each in made),
        Counter(each.sampled.template_id for each in complete),
        AcceptanceRate(len(complete), len(checked)),
        {model: AcceptanceRate(sum(entries.get(model) == YES for entries in gold), len(gold)) for model in filters},
        dict(Counter(each.outcome.reason for each in made if each.outcome.state == "failed").most_common()),
        sum(bool(each.outcome.missing_names) for each in complete),
    )
