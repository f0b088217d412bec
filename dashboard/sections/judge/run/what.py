"""What is judged: where candidates come from, and how many of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.judging.sampling import dimension_counts, missing_combinations, sample_queries
from core.judging.types import Field
from core.protocols import OnStage
from core.ranking.check import Query
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.judge.run.widgets import choose_many, choose_named, choose_number
from dashboard.sections.retrievers.adding import draw_nothing_here
from dashboard.sections.retrievers.picking import choose_retrievers
from dashboard.words import plain
from data.collections.stored import TOPIC_PREFIX, list_collections
from data.demo.writing import DEMO_COLLECTION
from data.judging.fields.results_files import retriever_field
from data.store import content_hash

USUAL_K, MOST_K, USUAL_QUERIES = 10, 1_000, 100
DIMENSIONS_SHOWN = 3
MOST_KINDS, MOST_MISSING, KINDS_PX = 200, 5, 300


@dataclass(frozen=True, eq=False)
class What:
    """What is to be judged, as it was chosen."""

    document: Mapping[str, Any]
    """The choice, as the run keeps it."""
    key: str
    """Changes with all that the candidates depend on."""
    make: Callable[[OnStage], Field]
    """Gathers them; may take a while."""

    @classmethod
    def of(cls, document: Mapping[str, Any], make: Callable[[OnStage], Field], *states: str) -> What:
        """`states`: change with what the choice names."""
        return cls(document, content_hash([json.dumps(document, sort_keys=True), *states]), make)


def choose_retrieved() -> What | None:
    """Retrievers over a collection; None while there is no collection or no retriever."""
    names = collection_names()
    if not names:
        draw_nothing_here()
        return None
    which, part, k_at = st.columns([0.5, 0.3, 0.2], vertical_alignment="bottom")
    collection = choose_named(
        which,
        "Collection",
        names,
        "collection",
        at_first=DEMO_COLLECTION,
        help="Documents and queries. More are added on the page Retrievers.",
    )
    opened = cache.collection(collection)
    splits = opened.collection.splits
    split = choose_named(
        part,
        "Queries",
        {"all": f"All {len(opened.collection.queries):,}"}
        | {name: f"{name} ({len(ids):,})" for name, ids in splits.items()},
        "split",
        disabled=not splits,
    )
    k = choose_k(k_at)
    documents = "" if opened.collection.documents else choose_documents(names)
    if documents is None:
        return None
    wanted = choose_engines(documents or collection)
    queries = choose_sample(opened.collection.of_split(None if split == "all" else split))
    if not wanted or not queries:
        return None
    part_of = None if split == "all" else split
    return _retrieved(collection, part_of, documents or None, wanted, k, queries)


def _retrieved(
    collection: str, split: str | None, documents: str | None, wanted: list[str], k: int, queries: Sequence[Query]
) -> What:
    workspace = cache.workspace()
    document = {
        "source": "retrievers",
        "collection": collection,
        "split": split,
        "documents": documents,
        "retrievers": wanted,
        "k": k,
        "query_ids": [query.query_id for query in queries],
    }

    def make(on_stage: OnStage) -> Field:
        return retriever_field(
            workspace, collection, wanted, k=k, queries=queries, documents=documents, on_stage=on_stage
        )

    return What.of(document, make, cache.collection_state(documents or collection), cache.collection_state(collection))


def collection_names() -> dict[str, str]:
    """What can be searched or asks, and what people call it: collections first, then topics."""
    workspace = cache.workspace()
    stored = {row.name: f"{row.name} ({_n_queries(row.n_queries)})" for row in list_collections(workspace.store)}
    topics = {
        f"{TOPIC_PREFIX}{topic.topic_id}": f"Topic {topic.topic_id}"
        for topic in workspace.topics()
        if topic.n_core and any(row.version.text.strip() for row in topic.versions)
    }
    return stored | topics


def _n_queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def choose_k(where: Any, label: str = "First results of each") -> int:
    """How many of each answer are judged."""
    return choose_number(
        where,
        label,
        1,
        MOST_K,
        USUAL_K,
        "judge_k",
        help="So many of what each of them gives are judged.",
    )


def choose_documents(names: Mapping[str, str]) -> str | None:
    """Whose documents are searched, where the queries come without any; None: nobody has documents."""
    store = cache.workspace().store
    with_documents = {row.name for row in list_collections(store) if row.n_documents}
    there = {name: said for name, said in names.items() if name in with_documents or name.startswith(TOPIC_PREFIX)}
    if not there:
        st.info("These queries come without documents, and there are none here to search. Add a collection first.")
        return None
    return choose_named(
        st,
        "Documents of",
        there,
        "judge_documents",
        help="The queries come without documents of their own: these are searched.",
    )


def choose_engines(documents: str) -> list[str]:
    """The retrievers that are compared, as the store writes them; those that lack something are left out."""
    _, wishes = choose_retrievers(cache.collection(documents).holders)
    for wish in wishes:
        if wish.lacks:
            st.warning(plain(sentence(f"{wish.name} is left out: {wish.lacks}")), icon=":material/warning:")
    able = [wish.spec.text for wish in wishes if wish.lacks is None]
    if not able:
        st.info("Choose at least one retriever.")
    return able


def choose_sample(queries: Sequence[Query]) -> tuple[Query, ...]:
    """All of the queries or some of each kind."""
    if not queries:
        st.info("There are no queries to ask.")
        return ()
    names = list(dict.fromkeys(name for query in queries for name, _ in query.labels))
    n_at, by_at, seed_at = st.columns([0.2, 0.6, 0.2], vertical_alignment="bottom")
    n = choose_number(
        n_at, f"Queries (of {len(queries):,})", 1, len(queries), min(USUAL_QUERIES, len(queries)), "judge_n"
    )
    by: list[str] = []
    if names:
        by = choose_many(
            by_at,
            "Each kind with its share, by",
            names,
            "judge_by",
            most=DIMENSIONS_SHOWN,
            disabled=n == len(queries),
            help="Queries often stand in the order of their kind, so the first ones are no sample. Here every value of "
            "what you choose gets its share.",
        )
    seed = choose_number(seed_at, "Seed", 0, 2**31 - 1, 0, "judge_seed", disabled=n == len(queries))
    chosen = tuple(queries) if n == len(queries) else sample_queries(queries, n, by=by, seed=seed)
    if names:
        _draw_kinds(queries, chosen)
    return chosen


def _draw_kinds(queries: Sequence[Query], chosen: Sequence[Query]) -> None:
    """How many queries there are of each kind, in all and in the sample, and which kinds never come together."""
    counts, taken = dimension_counts(queries), dimension_counts(chosen)
    rows = [(name, value, n) for name, values in counts.items() for value, n in values.items()][:MOST_KINDS]
    with st.expander("Kinds of query", icon=":material/category:"):
        st.dataframe(
            {
                "Kind": [name for name, _, _ in rows],
                "Value": [value for _, value, _ in rows],
                "Queries": [n for _, _, n in rows],
                "Of these judged": [taken.get(name, {}).get(value, 0) for name, value, _ in rows],
            },
            hide_index=True,
            height=min(38 + 35 * len(rows), KINDS_PX),
        )
        telling = [str(pair) for pair in missing_combinations(queries) if pair.is_telling][:MOST_MISSING]
        if telling:
            st.caption(
                plain(
                    f"Kinds that never come together, though chance would hardly keep them apart: {'; '.join(telling)}."
                )
            )
