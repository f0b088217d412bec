"""The dry run of a benchmark: the remaining requests of paid retrievers, and their cost. Nothing is sent."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np

from core.collections import Document, Query
from core.errors import InputError, QueryscapeError
from core.knowledge.synthesis_steps import TokenPrice
from core.retrieval.multi_vector import OVERLAP, SIZE
from core.retrieval.specs import Spec
from data.explore.workspace import Workspace
from data.models.destination import ADDRESS
from data.models.embedders import read_name
from data.models.prices import FREE, Priced, find_price, load_prices, price_note
from data.retrieval.collections import OpenedCollection
from data.retrieval.llm_reranker import MOST_OF_DOCUMENT, MOST_TOKENS, ask_about
from data.retrieval.retrievers import first_of, is_service, settled
from data.retrieval.runs import known_run

BYTES_PER_TOKEN = 4
ANSWER_TOKENS = 5
"""Tokens of a usual answer: one number."""
TEXTS_PER_CALL = 128
"""Texts per request to an embedding service; a guess."""
HOW = (
    f"Tokens: bytes divided by {BYTES_PER_TOKEN}, an estimate. A reranker is asked about every candidate of every "
    "query that is not answered yet: expected with documents of mean length, at most with the longest. An embedder "
    "reads every document and query once. Stored answers and vectors are not paid for again, so it may cost less."
)


@dataclass(frozen=True, slots=True)
class PaidRequests(Priced):
    """The remaining requests to one model of a service."""

    model: str
    n_calls: int
    n_prompt_tokens: int
    n_answer_tokens: int
    most_prompt_tokens: int
    most_answer_tokens: int
    price: TokenPrice | None
    """None: unknown."""


@dataclass(frozen=True, slots=True)
class RetrieverPlan:
    n_queries: int
    n_known: int
    """Queries that are already answered."""
    paid: tuple[PaidRequests, ...]
    """Empty: it runs locally and is free."""

    @property
    def cost(self) -> tuple[float, float] | None:
        return _together(each.cost for each in self.paid)

    @property
    def n_calls(self) -> int:
        return sum(each.n_calls for each in self.paid)


def plan_benchmark(
    workspace: Workspace,
    opened: OpenedCollection,
    specs: Mapping[str, Spec],
    split: str | None,
    *,
    depth: int,
    again: bool = False,
    prices: Mapping[str, TokenPrice] | None = None,
) -> dict[str, RetrieverPlan]:
    """Plan each retriever, by name. `prices`: dollars per million tokens, which take precedence over the table."""
    known = {**load_prices(workspace.store), **(prices or {})}
    texts = _Texts(opened.collection.documents)
    queries = opened.collection.of_split(split)
    embedded: set[str] = set()
    plans = {}
    for name, spec in specs.items():
        waiting = _waiting(workspace, opened, settled(spec), split, queries, depth, again=again)
        paid = tuple(_paid(settled(spec), waiting, texts, known, embedded)) if waiting else ()
        plans[name] = RetrieverPlan(len(queries), len(queries) - len(waiting), paid)
    return plans


def total_cost(plans: Mapping[str, RetrieverPlan]) -> tuple[float, float] | None:
    """Return the cost of all plans; None if a price is unknown."""
    return _together(plan.cost for plan in plans.values())


def _together(costs: Iterable[tuple[float, float] | None]) -> tuple[float, float] | None:
    expected = most = 0.0
    for cost in costs:
        if cost is None:
            return None
        expected, most = expected + cost[0], most + cost[1]
    return expected, most


def check_budget(cost: tuple[float, float] | None, budget: float | None, unpriced: Sequence[str] = ()) -> None:
    """Raise InputError if the cost may exceed the budget, or is unknown."""
    if budget is None:
        return
    if cost is None:
        models = ", ".join(unpriced) or "a model"
        raise InputError(f"--budget needs a price for {models}: give it with --price MODEL=IN,OUT")
    expected, most = cost
    if most > budget:
        raise InputError(
            f"this may cost up to ${most:,.2f} (expected: ${expected:,.2f}), above the budget of ${budget:,.2f}: "
            f"check --dry-run, ask less, or raise --budget"
        )


def price_notes(plans: Mapping[str, RetrieverPlan]) -> list[str]:
    """Name the models whose prices are used for models that are not listed themselves."""
    notes = (price_note(each.model, each.price) for plan in plans.values() for each in plan.paid)
    return list(dict.fromkeys(filter(None, notes)))


def unpriced(plans: Mapping[str, RetrieverPlan]) -> list[str]:
    """Return the models with requests at an unknown price."""
    return list(dict.fromkeys(each.model for plan in plans.values() for each in plan.paid if each.cost is None))


def _waiting(
    workspace: Workspace,
    opened: OpenedCollection,
    spec: Spec,
    split: str | None,
    queries: Sequence[Query],
    depth: int,
    *,
    again: bool,
) -> tuple[Query, ...]:
    try:
        before = known_run(workspace, opened, spec, split, depth=depth)
    except QueryscapeError:  # something it needs is missing, so nothing was run
        before = None
    if before is None or (again and before.n_failed):
        return tuple(queries)
    done = set(before.run.query_ids)
    return tuple(query for query in queries if query.query_id not in done)


class _Texts:
    """Sizes in bytes of the documents as they are sent."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    @cached_property
    def sizes(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The sizes, largest first."""
        found = np.array([len(each.whole.encode(errors="replace")) for each in self._documents], dtype=np.int64)
        return np.sort(found)[::-1]

    @property
    def n_bytes(self) -> int:
        return int(self.sizes.sum())

    def __len__(self) -> int:
        return len(self._documents)


def _paid(
    spec: Spec, waiting: Sequence[Query], texts: _Texts, prices: Mapping[str, TokenPrice], embedded: set[str]
) -> list[PaidRequests]:
    found = []
    if spec.kind == "llm_reranker" and spec.model and spec.model != "demo":
        found.append(_reranked(spec, waiting, texts, _price(spec.model, prices)))
    first = first_of(spec) if spec.kind in ("llm_reranker", "graph") else spec
    name = read_name(first.embedder) if first.embedder and is_service(first.embedder) else None
    if name is not None:
        found.append(_embedded(first, name.model, waiting, texts, _price(name.model, prices), embedded))
    return found


def _price(model: str, prices: Mapping[str, TokenPrice]) -> TokenPrice | None:
    host = urlsplit(os.environ.get(ADDRESS, "")).hostname
    return find_price(model, prices) or (FREE if host in ("localhost", "127.0.0.1", "::1") else None)


def _reranked(spec: Spec, waiting: Sequence[Query], texts: _Texts, price: TokenPrice | None) -> PaidRequests:
    n_each = min(spec.candidates, len(texts))
    nothing = Document("", "", "")
    frame = sum(
        len(asked.question.system.encode()) + len(asked.question.user.encode())
        for asked in (ask_about(query.text, nothing) for query in waiting)
    )
    read = np.minimum(texts.sizes, MOST_OF_DOCUMENT)
    mean = float(read.mean()) if len(read) else 0.0
    n_calls = n_each * len(waiting)
    longest = int(read[:n_each].sum()) * len(waiting)
    return PaidRequests(
        spec.model or "",
        n_calls,
        round((frame * n_each + mean * n_calls) / BYTES_PER_TOKEN),
        n_calls * ANSWER_TOKENS,
        -(-(frame * n_each + longest) // BYTES_PER_TOKEN),
        n_calls * MOST_TOKENS,
        price,
    )


def _embedded(
    spec: Spec, model: str, waiting: Sequence[Query], texts: _Texts, price: TokenPrice | None, embedded: set[str]
) -> PaidRequests:
    """Plan each document once for all retrievers that share the vectors, and every query."""
    kind = f"{spec.kind == 'multi_vector'} {model}"
    documents = 0 if kind in embedded else texts.n_bytes
    embedded.add(kind)
    if spec.kind == "multi_vector":
        documents = round(documents * SIZE / (SIZE - OVERLAP))
    n_texts = len(waiting) + (len(texts) if documents else 0)
    asked = sum(len(query.text.encode(errors="replace")) for query in waiting)
    tokens = -(-(documents + asked) // BYTES_PER_TOKEN)
    return PaidRequests(model, -(-n_texts // TEXTS_PER_CALL), tokens, 0, tokens, 0, price)
