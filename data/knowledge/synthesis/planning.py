"""The dry run: requirements are sampled and prompts are measured; nothing is sent and nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.knowledge.synthesis.reading import Sampled, SynthesisSettings
from core.knowledge.synthesis.steps import HOW, Estimate, Load, Price, checked_ids, total_cost
from core.knowledge.templates import Template
from core.protocols import OnStage, silent
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.demo_writer import MODEL
from data.knowledge.synthesis.keeping import InMemory, Keeper
from data.knowledge.synthesis.sampling import Sampler, documents_of, wanted_templates

MOST_SAMPLED = 200
"""Queries that are really sampled; from these the rest is inferred."""
FREE = Price(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is still to be asked, and what that costs."""

    n_queries: int
    n_sampled: int
    """Queries that this was counted over."""
    n_found: int
    """Fewer than were sampled: the templates give no more."""
    loads: tuple[Load, ...]
    prices: Mapping[str, Price]
    """By model; the demo model is free."""
    how: str = HOW

    @property
    def cost(self) -> tuple[float, float] | None:
        """Dollars, as expected and at most; None where a price is missing."""
        return total_cost(self.loads, self.prices)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models without a price."""
        return tuple(dict.fromkeys(load.model for load in self.loads if load.model not in self.prices))


def dry_run(
    base: KnowledgeBase,
    templates: Sequence[Template],
    settings: SynthesisSettings,
    prices: Mapping[str, Price],
    *,
    keeper: Keeper | None = None,
    on_stage: OnStage = silent,
) -> Plan:
    """Counts questions, tokens and dollars. `keeper`: of a synthesis that was begun; what it has is not asked again."""
    keeper = keeper or InMemory()
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
    return Plan(settings.n, n_sampled, len(found), loads, {MODEL: FREE, **prices})


def _counted(
    base: KnowledgeBase, settings: SynthesisSettings, found: Sequence[Sampled], keeper: Keeper, at_once: int = 50
) -> Estimate:
    estimate = Estimate(settings)
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        reads = keeper.reads([sampled.item for sampled in some])
        documents = documents_of(base, [doc_id for sampled in some for doc_id in checked_ids(sampled)])
        for sampled in some:
            estimate.add(sampled, reads.get(sampled.item, {}), documents)
    return estimate


def read_prices(given: Sequence[str]) -> dict[str, Price]:
    """Prices as they are typed: MODEL=IN,OUT, in dollars for a million tokens.

    >>> read_prices(["m-1=0.5,1.5"])
    {'m-1': Price(prompt=0.5, answer=1.5)}
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
                f'"{text[:80]}" is no price: MODEL=IN,OUT, in dollars for a million tokens of prompts and of answers'
            )
        prices[model.strip()] = Price(prompt, answer)
    return prices
