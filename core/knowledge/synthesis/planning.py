"""What a synthesis would ask and cost, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.knowledge.synthesis.prompts import extract_prompt, filter_prompt, fuse_prompt, rewrite_prompt
from core.knowledge.synthesis.records import STEPS, Place, Reads, Sampled, Step
from core.knowledge.synthesis.settings import SynthesisSettings
from core.knowledge.synthesis.steps import (
    MOST_WORDINGS,
    checked_ids,
    names_of,
    outcome,
    properties_of,
    worded,
)
from core.ranking.types import Document

CHARACTERS_PER_TOKEN = 4
ANSWER_TOKENS: Mapping[Step, int] = {"extract": 20, "fuse": 45, "rewrite": 45, "filter": 3}
"""Of a usual answer; of the step extract for each property."""
USUAL_PROPERTY = "a property of some six words here"
USUAL_QUERY = "x" * 180
HOW = (
    f"Prompt tokens are its characters divided by {CHARACTERS_PER_TOKEN}, answer tokens those of usual answers: both "
    "are estimates. At most: every wording is refused until the last. Models that think aloud take more."
)


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens."""

    prompt: float
    answer: float

    def __post_init__(self) -> None:
        for value in (self.prompt, self.answer):
            if not 0 <= value < 1e6:
                raise InputError(f"a price must be from 0 to a million dollars for a million tokens, got {value}")


@dataclass(frozen=True, slots=True)
class Load:
    """Calls to one model in one step, as expected and at most."""

    step: Step
    model: str
    n_calls: int
    most_calls: int
    n_prompt_tokens: int
    n_answer_tokens: int
    most_prompt_tokens: int
    most_answer_tokens: int

    def cost(self, price: Price) -> tuple[float, float]:
        """Dollars, as expected and at most."""
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


class Estimate:
    """Adds up what the queries of a synthesis still take."""

    def __init__(self, settings: SynthesisSettings) -> None:
        self.settings = settings
        self.n_items = 0
        self._sums: dict[tuple[Step, str], _Sums] = {}

    def add(self, sampled: Sampled, reads: Reads, documents: Mapping[str, Document]) -> None:
        """One query; what was read of it already is not asked again."""
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
            anew = rewrite_prompt(now.query or USUAL_QUERY, names_of(sampled), sampled.role)
            self._wordings(sampled, reads, "rewrite", settings.rewrite, len(anew.system) + len(anew.user))
        self._filters(sampled, reads, texts, documents)

    def _sum(self, step: Step, model: str) -> _Sums:
        return self._sums.setdefault((step, model), _Sums())

    def _wordings(self, sampled: Sampled, reads: Reads, step: Step, model: str, characters: int) -> None:
        so_far = worded(sampled, reads, step, model)
        if not so_far.is_over:
            most = MOST_WORDINGS - len(so_far.refused)
            self._sum(step, model).add(1, most, characters, ANSWER_TOKENS[step])

    def _filters(self, sampled: Sampled, reads: Reads, texts: Sequence[str], documents: Mapping[str, Document]) -> None:
        for number, doc_id in enumerate(checked_ids(sampled)):
            prompt = filter_prompt(texts, documents[doc_id])
            for model in self.settings.filters:
                if Place(sampled.item, "filter", number, model) not in reads:
                    characters = len(prompt.system) + len(prompt.user)
                    self._sum("filter", model).add(1, 1, characters, ANSWER_TOKENS["filter"])

    def loads(self, n_items: int | None = None) -> tuple[Load, ...]:
        """By step and model. `n_items`: how many queries there are in all, if only some of them were added."""
        scale = 1.0 if not n_items or not self.n_items else n_items / self.n_items
        ordered = sorted(self._sums.items(), key=lambda each: STEPS.index(each[0][0]))
        return tuple(
            Load(
                step,
                model,
                *(round(value * scale) for value in (s.n, s.most, s.prompt, s.answer, s.most_prompt, s.most_answer)),
            )
            for (step, model), s in ordered
        )


def total_cost(loads: Iterable[Load], prices: Mapping[str, Price]) -> tuple[float, float] | None:
    """Dollars, as expected and at most; None where the price of a model that is asked is not known."""
    found = list(loads)
    if any(load.model not in prices for load in found):
        return None
    costs = [load.cost(prices[load.model]) for load in found]
    return sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)
