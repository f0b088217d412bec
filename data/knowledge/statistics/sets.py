"""Sets of queries side by side, with everything that is known of their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.knowledge.statistics.query_sets import SetStatistics, WordKinds, compare_sets
from core.types import Ids
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics.query_sets import SEED, Queries, Reference, set_name
from data.knowledge.statistics.query_words import BASES, QueryWords, known_query_words
from data.store import Store

Chosen = tuple[str, str | None]
"""A collection, and a part of its queries; None: all."""
BASIS_WORDS = {
    "labels": "by what they say they require",
    "proposed": "guessed from the template that fits best",
    "mentions": "guessed from names of entities alone",
}


@dataclass(frozen=True, eq=False)
class Compared:
    """Sets side by side, the reference last."""

    statistics: tuple[SetStatistics, ...]
    told: Mapping[str, Mapping[str, int]]
    """For sets by name: how many queries' words were told apart in which way."""
    untold: Ids
    """Collections whose words were not looked at yet, though there is a knowledge base that can tell."""

    def told_words(self, name: str) -> str:
        """How the words of a set were told apart, in words; empty: they were not."""
        told = self.told.get(name, {})
        return "; ".join(f"{n:,} {'query' if n == 1 else 'queries'} {BASIS_WORDS[b]}" for b, n in told.items() if n)


def compare_chosen(
    loaded: Mapping[str, Queries],
    chosen: Sequence[Chosen],
    *,
    words: Mapping[str, QueryWords | None],
    reference: Reference | None = None,
    seed: int = SEED,
) -> Compared:
    """Each set in numbers. `words`: for collections that a knowledge base was asked about; None: not looked at yet."""
    kinds: dict[str, WordKinds | None] = {}
    told: dict[str, dict[str, int]] = {}
    for collection, split in chosen:
        if collection not in words:
            continue
        known, places = words[collection], loaded[collection].places(split)
        name = set_name(collection, split)
        kinds[name] = known.of(places) if known is not None else None
        if known is not None:
            told[name] = {str(basis): known.n_by(basis, places) for basis in BASES}
    found = compare_sets(
        [loaded[collection].part(split) for collection, split in chosen],
        reference.wording if reference else None,
        kinds=kinds,
        reference_name=reference.name if reference else "",
        seed=seed,
    )
    return Compared(found, told, tuple(name for name, known in words.items() if known is None))


def known_words(base: KnowledgeBase, store: Store, loaded: Mapping[str, Queries]) -> dict[str, QueryWords | None]:
    """What was found before, by collection."""
    return {name: known_query_words(base, store, queries.whole.queries) for name, queries in loaded.items()}
