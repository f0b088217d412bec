"""STaRK's printed tables next to the workspace's knowledge bases and queries with STaRK's names."""

from __future__ import annotations

from core.explore.reproduction import ReproducedNumber
from core.knowledge.stark_tables import StarkQueries, stark_base_named, stark_numbers
from core.knowledge.statistics import BaseRow, QuerySet, SetStatistics, compare_sets
from data.collections import list_collections
from data.importers.collection_files import HUMAN
from data.knowledge.bases import KnowledgeBases
from data.knowledge.statistics import SEED, base_row, known_statistics, splits_of, stored_set
from data.store import Store


def reproduce_stark(bases: KnowledgeBases, store: Store) -> tuple[ReproducedNumber, ...]:
    """Compare with STaRK's numbers without slow computations: words are included only if counted before."""
    rows: dict[str, BaseRow] = {}
    for about in bases.list():
        name = stark_base_named(about.name)
        if name is not None and not about.made_up:
            base = bases.open(about.name)
            rows.setdefault(name, base_row(base, known_statistics(base, store)))
    return stark_numbers(rows, _query_sets(store))


def _query_sets(store: Store) -> dict[tuple[str, StarkQueries], SetStatistics]:
    """Return query sets by STaRK's name; people's queries are part of the collection, or a collection of their own."""
    found: dict[tuple[str, StarkQueries], SetStatistics] = {}
    for row in list_collections(store):
        name = stark_base_named(row.name)
        if name is None or row.made_up:
            continue
        whole = stored_set(store, row.name)
        human_ids = frozenset(splits_of(store, row.name).get(HUMAN, ()))
        by_people = tuple(query for query in whole.queries if query.query_id in human_ids)
        synthesized = tuple(query for query in whole.queries if query.query_id not in human_ids)
        parts: dict[StarkQueries, QuerySet] = {
            "synthesized": QuerySet(row.name, synthesized, whole.n_answers),
            "human-generated": QuerySet(f"{row.name}, {HUMAN}", by_people, whole.n_answers),
        }
        for part, queries in parts.items():
            if queries.queries:
                found.setdefault((name, part), compare_sets([queries], seed=SEED)[0])
    return found
