"""Choose the items to judge: retrieved documents, query versions, own queries or result files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st

from core.collections import Query
from core.judge.judgments import JudgeField, joined
from core.judge.sampling import dimension_counts, missing_combinations, sample_queries
from core.protocols import OnStage
from core.text import many
from dashboard import cache, state
from dashboard.kit.link_controls import choose_many, choose_named, choose_number
from dashboard.messages import sentence
from dashboard.retrieval.collection import draw_nothing_here
from dashboard.retrieval.retrievers import choose_retrievers
from dashboard.words import plain
from data.collections import TOPIC_PREFIX, list_collections
from data.demo.publications import DEMO_COLLECTION
from data.importers.collection_files import pasted_queries, read_collection
from data.importers.collection_parts import RejectedLine
from data.judge.fields import Take, read_results, retriever_field, version_field
from data.lookup import TopicSummary
from data.store import content_hash

USUAL_K, MOST_K, USUAL_QUERIES = 10, 1_000, 100
DIMENSIONS_SHOWN = 3
MOST_KINDS, MOST_MISSING, KINDS_PX = 200, 5, 300


@dataclass(frozen=True, eq=False)
class JudgeItems:
    document: Mapping[str, Any]
    """The choice, as the run stores it."""
    key: str
    """Changes with everything that the candidates depend on."""
    make: Callable[[OnStage], JudgeField]
    """Collects the candidates; may take a while."""

    @classmethod
    def of(cls, document: Mapping[str, Any], make: Callable[[OnStage], JudgeField], *states: str) -> JudgeItems:
        return cls(document, content_hash([json.dumps(document, sort_keys=True), *states]), make)


def choose_retrieved() -> JudgeItems | None:
    """Choose retrievers over a collection; None if there is no collection or no retriever."""
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
        help="Documents and queries. Add more on the page Retrievers.",
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
) -> JudgeItems:
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

    def make(on_stage: OnStage) -> JudgeField:
        return retriever_field(
            workspace, collection, wanted, k=k, queries=queries, documents=documents, on_stage=on_stage
        )

    return JudgeItems.of(
        document, make, cache.collection_state(documents or collection), cache.collection_state(collection)
    )


def collection_names() -> dict[str, str]:
    """Return the names of everything with queries or documents, for display: collections first, then topics."""
    workspace = cache.workspace()
    stored = {row.name: f"{row.name} ({many(row.n_queries, 'query')})" for row in list_collections(workspace.store)}
    topics = {
        f"{TOPIC_PREFIX}{topic.topic_id}": f"Topic {topic.topic_id}"
        for topic in workspace.topics()
        if topic.n_core and any(row.version.text.strip() for row in topic.versions)
    }
    return stored | topics


def choose_k(where: Any, label: str = "First results of each") -> int:
    return choose_number(
        where,
        label,
        1,
        MOST_K,
        USUAL_K,
        "judge_k",
        help="Number of results to judge for each query and engine.",
    )


def choose_documents(names: Mapping[str, str]) -> str | None:
    """Choose the documents for queries that have none; None: no collection or topic has documents."""
    store = cache.workspace().store
    with_documents = {row.name for row in list_collections(store) if row.n_documents}
    there = {name: label for name, label in names.items() if name in with_documents or name.startswith(TOPIC_PREFIX)}
    if not there:
        st.info("These queries have no documents, and there is no collection to search. Add a collection first.")
        return None
    return choose_named(
        st,
        "Documents of",
        there,
        "judge_documents",
        help="The queries have no documents of their own; search these.",
    )


def choose_engines(documents: str) -> list[str]:
    """Choose the retrievers to compare, as the store writes them; those with missing requirements are left out."""
    _, wishes = choose_retrievers(cache.collection(documents).holders)
    for wish in wishes:
        if wish.lacks:
            st.warning(plain(sentence(f"{wish.name} is left out: {wish.lacks}")), icon=":material/warning:")
    able = [wish.spec.text for wish in wishes if wish.lacks is None]
    if not able:
        st.info("Choose at least one retriever.")
    return able


def choose_sample(queries: Sequence[Query]) -> tuple[Query, ...]:
    if not queries:
        st.info("There are no queries to judge.")
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
            "Stratify by",
            names,
            "judge_by",
            most=DIMENSIONS_SHOWN,
            disabled=n == len(queries),
            help="Queries are often sorted by kind, so the first ones are not a fair sample. Every value of the "
            "chosen dimensions gets its share.",
        )
    seed = choose_number(seed_at, "Seed", 0, 2**31 - 1, 0, "judge_seed", disabled=n == len(queries))
    chosen = tuple(queries) if n == len(queries) else sample_queries(queries, n, by=by, seed=seed)
    if names:
        _draw_kinds(queries, chosen)
    return chosen


def _draw_kinds(queries: Sequence[Query], chosen: Sequence[Query]) -> None:
    counts, taken = dimension_counts(queries), dimension_counts(chosen)
    rows = [(name, value, n) for name, values in counts.items() for value, n in values.items()][:MOST_KINDS]
    with st.expander("Kinds of query", icon=":material/category:"):
        st.dataframe(
            {
                "Kind": [name for name, _, _ in rows],
                "Value": [value for _, value, _ in rows],
                "Queries": [n for _, _, n in rows],
                "Sampled": [taken.get(name, {}).get(value, 0) for name, value, _ in rows],
            },
            hide_index=True,
            height=min(38 + 35 * len(rows), KINDS_PX),
        )
        telling = [str(pair) for pair in missing_combinations(queries) if pair.is_telling][:MOST_MISSING]
        if telling:
            st.caption(
                plain(f"Kinds that never occur together, although chance makes that unlikely: {'; '.join(telling)}.")
            )


# Query versions as items to judge: their publications, judged against the research question.

HOW: dict[Take, str] = {"sample": "A random sample of each", "top": "The first of each"}
LONGEST_QUESTION = 1_000


def choose_versions() -> JudgeItems | None:
    """Choose versions of one or more topics; None while nothing is chosen."""
    topics = {topic.topic_id: topic for topic in cache.workspace().topics() if _versions(topic)}
    if not topics:
        st.info("No topic has a query version with results. Import one on the page Library, or run one on Query.")
        return None
    which, labels_at = st.columns(2, vertical_alignment="bottom")
    chosen = choose_many(which, "Topics", list(topics), "judge_topics", most=1)
    there = list(dict.fromkeys(label for topic in chosen for label in _versions(topics[topic])))
    labels = choose_many(labels_at, "Versions", there, "judge_versions", most=3)
    how_at, k_at, seed_at = st.columns([0.5, 0.25, 0.25], vertical_alignment="bottom")
    take: Take = "sample" if choose_named(how_at, "Selection", HOW, "judge_take") == "sample" else "top"
    k = choose_k(k_at, "Publications of each")
    seed = choose_number(seed_at, "Seed", 0, 2**31 - 1, 0, "judge_seed", disabled=take == "top")
    if take == "top":
        st.caption(
            "A Boolean search has no ranking: its first publications are no better than its last. A random "
            "sample is fairer."
        )
    question = {topic: _ask(topic) for topic in chosen}
    if not chosen or not labels:
        st.info("Choose at least one topic and one version.")
        return None
    document = {
        "source": "versions",
        "topics": chosen,
        "versions": labels,
        "question": question,
        "take": take,
        "k": k,
        "seed": seed,
    }

    def make(on_stage: OnStage) -> JudgeField:
        on_stage("gathering publications")
        return version_field(cache.workspace(), chosen, labels, k=k, question=question, take=take, seed=seed)

    return JudgeItems.of(document, make, *_states(chosen))


def _versions(topic: TopicSummary) -> list[str]:
    return [row.version.label for row in topic.versions if row.n_retrieved]


def _states(topics: Sequence[str]) -> list[str]:
    store = cache.workspace().store
    found = [row.retrieved_hash or "" for topic in topics for row in store.versions(topic)]
    return [*(store.topic_state(topic) for topic in topics), *found]


def _ask(topic: str) -> str:
    key = f"judge-question-{topic}"
    state.hold(key)
    return st.text_input(
        f"Research question of {plain(topic)}",
        key=key,
        placeholder=topic,
        max_chars=LONGEST_QUESTION,
        help="The question that the judge grades against, in one sentence. A Boolean query describes how to "
        "search, not what is relevant. If empty, the topic's name is used.",
    ).strip()


# Queries that a visitor provides, and results of other search engines.

PASTED = "judge-pasted"
LONGEST = 200_000
"""Maximum number of characters of pasted queries."""
MOST_REJECTED = 20
QUERY_FILES = ["json", "jsonl", "csv", "tsv"]
RESULT_FILES = ["csv", "tsv", "jsonl", "txt"]


@dataclass(frozen=True, slots=True)
class ResultUpload:
    name: str
    content: bytes

    @property
    def key(self) -> str:
        """The same for the same content."""
        return sha256(self.content).hexdigest()

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Write the content to a temporary file for readers of files."""
        with TemporaryDirectory(prefix="queryscape-") as folder:
            safe = "".join(c if c.isalnum() or c in "-_. " else "-" for c in Path(self.name).name).strip(". ")
            path = Path(folder) / (safe[-80:] or "file")
            path.write_bytes(self.content)
            yield path


def choose_own() -> JudgeItems | None:
    """Choose queries, pasted or from a file, answered by retrievers over local documents."""
    names = collection_names()
    if not names:
        draw_nothing_here()
        return None
    queries, key = _choose_queries()
    documents_at, k_at = st.columns([0.8, 0.2], vertical_alignment="bottom")
    documents = choose_named(
        documents_at,
        "Documents of",
        names,
        "collection",
        at_first=DEMO_COLLECTION,
        help="The documents to search. Add more on the page Retrievers.",
    )
    k = choose_k(k_at)
    wanted = choose_engines(documents)
    if not queries:
        st.info("Paste queries, one on each line, or choose a file.")
        return None
    chosen = choose_sample(queries)
    if not wanted or not chosen:
        return None
    document = {
        "source": "own",
        "documents": documents,
        "retrievers": wanted,
        "k": k,
        "query_ids": [query.query_id for query in chosen],
    }

    def make(on_stage: OnStage) -> JudgeField:
        return retriever_field(cache.workspace(), documents, wanted, k=k, queries=chosen, on_stage=on_stage)

    return JudgeItems.of(document, make, cache.collection_state(documents), key)


def _choose_queries() -> tuple[tuple[Query, ...], str]:
    paste_at, file_at = st.columns([0.6, 0.4])
    state.hold(PASTED)
    pasted = str(
        paste_at.text_area(
            "Queries",
            key=PASTED,
            height=136,
            max_chars=LONGEST,
            placeholder="effect of street trees on night temperatures\nheat stress of cyclists",
            help="One on each line; or a table with a column named query; or JSON.",
        )
    )
    file = file_at.file_uploader(
        "Or a file",
        type=QUERY_FILES,
        key="judge-query-file",
        help="CSV with a column query (other columns are kinds of query), or JSON: a list, or Paper Lantern's format.",
    )
    if file is not None:
        if pasted.strip():
            file_at.caption("The file is used; the pasted queries are ignored.")
        return _in_file(ResultUpload(file.name, file.getvalue()))
    if not pasted.strip():
        return (), ""
    read = pasted_queries(pasted)
    _draw_notes(read.notes, read.rejected)
    return read.queries, sha256(pasted.encode(errors="replace")).hexdigest()


def _in_file(upload: ResultUpload) -> tuple[tuple[Query, ...], str]:
    with upload.on_disk() as path:
        read = read_collection(path)
    _draw_notes(read.notes, read.rejected)
    return read.collection.queries, upload.key


def _draw_notes(notes: Sequence[str], rejected: Sequence[RejectedLine]) -> None:
    for note in notes:
        st.caption(plain(sentence(note)))
    if rejected:
        with st.expander(f"Left out: {len(rejected):,}", icon=":material/warning:"):
            st.markdown("\n".join(f"- {plain(str(each))}" for each in rejected[:MOST_REJECTED]))


def choose_file() -> JudgeItems | None:
    files = st.file_uploader(
        "Results",
        type=RESULT_FILES,
        key="judge-result-files",
        accept_multiple_files=True,
        help="One row for each result, with the columns engine, query, rank, title and abstract, and optionally "
        "query_id and doc_id. Other columns are kinds of query.",
    )
    st.caption("One row for each result: engine, query, rank, title, abstract. Other columns are kinds of query.")
    uploads = [ResultUpload(file.name, file.getvalue()) for file in files or ()]
    if not uploads:
        st.info("Choose a file with search results: CSV or JSON Lines.")
        return None
    document = {"source": "file", "files": [upload.name for upload in uploads]}
    return JudgeItems.of(document, lambda on_stage: _read(uploads, on_stage), *(upload.key for upload in uploads))


def _read(uploads: Sequence[ResultUpload], on_stage: OnStage) -> JudgeField:
    fields = []
    for upload in uploads:
        on_stage(f"reading {upload.name}")
        fields.append(read_results(upload.content, upload.name).field)
    return joined(fields)
