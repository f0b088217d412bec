"""Open a retriever by its specification, including `graph` and `boolean`, and find reasons for a document's rank."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from core.collections import Query, Rows
from core.errors import InputError, QueryscapeError
from core.knowledge.proposals import TemplateProposal
from core.knowledge.templates import Template
from core.protocols import OnStage, silent
from core.retrieval.bm25 import TermShare
from core.retrieval.boolean import BooleanRetriever
from core.retrieval.graph import Graph
from core.retrieval.misses import CollectionRank, QueryWordMatches
from core.retrieval.retriever import Hits
from core.retrieval.specs import NOT_OF_OPENAI, OF_KIND, RETRIEVERS, RetrieverKind, Spec
from core.types import Publication
from data.knowledge.bases import Holder, Holders
from data.knowledge.templates import templates_of
from data.knowledge.titles import in_words, mentions_in
from data.models.chat import AnswerCache
from data.models.destination import ADDRESS, KEY, Destination, find_destination
from data.models.embedders import EMBEDDERS, SPELLINGS, EmbedderName, read_name
from data.query.index import CorpusIndex, index_key, keep_index, read_index
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus
from data.store import content_hash

# The `graph` retriever over a corpus: the knowledge base that holds its documents, its templates and its names.

VERSION = 2
"""Increased whenever questions are read differently."""
NONE = "a knowledge base that holds these documents"


def _open_graph(
    corpus: RetrievalCorpus, spec: Spec, first: OpenedRetriever, on_stage: OnStage = silent
) -> OpenedRetriever:
    if corpus.holders is None:
        raise InputError(f"graph needs {NONE}")
    on_stage("opening the knowledge base")
    holder = corpus.holders.find(spec.knowledge)
    templates = templates_of(holder.base, corpus.holders.store)
    graph = Graph(
        first.retriever,
        mentions_in(holder.base, templates),
        templates,
        answers_in(holder),
        corpus.id_ranks,
        say=in_words,
        first_name=RETRIEVERS[spec.first].label if spec.first == "bm25" else spec.first,
    )
    notes = (*first.notes, *_notes(holder, templates))
    return OpenedRetriever(graph, first.index_seconds, first.index_bytes, notes)


def _notes(holder: Holder, templates: Sequence[Template]) -> list[str]:
    about, n = holder.base.about, len(holder.rows)
    notes = [f'relations of the knowledge base "{about.name}", with {len(templates):,} templates']
    if holder.n_held < n:
        notes.append(f"it holds {holder.n_held:,} of {n:,} documents: the others can't answer relational questions")
    return notes


def answers_in(holder: Holder) -> Callable[[TemplateProposal], Rows]:
    return lambda proposal: holder.places(holder.base.answers(proposal.template, proposal.given))


def relations_key(spec: Spec, holders: Holders | None) -> str:
    """Return a hash of the knowledge base and of its templates."""
    if holders is None:
        raise InputError(f"graph needs {NONE}")
    try:
        base = holders.base(spec.knowledge)
    except QueryscapeError as e:
        raise InputError(f"graph needs {e}") from e
    return content_hash([str(VERSION), base.about.key, *map(repr, templates_of(base, holders.store))])


# Boolean search strings over a collection's documents, through the index that queries of topics use.

NOTE = "Words are matched as they are written. Every match scores 1: a Boolean result has no order, ties go by id."


def open_boolean(corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage) -> OpenedRetriever:
    """Open the retriever over these documents; a missing index is built."""
    publications = [
        Publication(document.doc_id, document.title, document.text or None, None) for document in corpus.documents
    ]
    folder = corpus.folder / "boolean" / index_key(publications)
    kept = keep_index(folder, publications, on_stage("indexing words"))
    n_bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    retriever = BooleanRetriever(CorpusIndex(read_index(kept.folder)), corpus.id_ranks)
    return OpenedRetriever(retriever, kept.seconds, n_bytes, (NOTE,))


# From a written specification to an open retriever. Each kind is imported on demand, since some take seconds.

DEFAULT_EMBEDDER = "lsa"
WITH_EMBEDDER: tuple[RetrieverKind, ...] = ("dense", "multi_vector", "hybrid")
EXTRA = 'the extra for local models: pip install ".[sentence-transformers]"'
ONNX_EXTRA = 'the extra for models in ONNX format: pip install ".[onnx]"'
N = TypeVar("N", int, float)


def settled(spec: Spec, embedder: str | None = None) -> Spec:
    """Add an embedder if one is needed and missing: the one given, or else LSA, which any machine can fit.

    The default number of candidates becomes 0, so that equivalent specifications give the same run.
    """
    if spec.depth and spec.candidates == replace(spec, depth=0).candidates:
        spec = replace(spec, depth=0)
    if spec.embedder is not None:
        return spec
    if spec.kind in WITH_EMBEDDER or (spec.kind in ("llm_reranker", "graph") and spec.first != "bm25"):
        return replace(spec, embedder=embedder or DEFAULT_EMBEDDER)
    if spec.kind == "late_interaction" and embedder and _provider(embedder) == "sentence_transformers":
        return replace(spec, embedder=embedder)
    return spec


def needs(spec: Spec, holders: Holders | None = None) -> str | None:
    """Return the missing requirement to run it here; None: none that is visible without starting.

    `holders`: the knowledge bases that may hold the documents; None: they are not checked.
    """
    spec = settled(spec)
    if spec.kind == "graph" and holders is not None and (lacking := _base_needs(spec, holders)):
        return lacking
    if spec.kind == "llm_reranker":
        lacking = _chat_needs(spec.model, spec.embedder)
        return lacking if lacking or spec.first == "bm25" else _embedder_needs(str(spec.embedder))
    if spec.kind == "late_interaction":
        if spec.embedder is None or _provider(spec.embedder) != "sentence_transformers":
            return "a sentence-transformers model: late_interaction:st:NAME_OR_FOLDER"
        return _embedder_needs(spec.embedder)
    return _embedder_needs(spec.embedder) if spec.embedder is not None else None


def _base_needs(spec: Spec, holders: Holders) -> str | None:
    try:
        holders.base(spec.knowledge)
    except QueryscapeError as e:
        return str(e)
    return None


def _provider(embedder: str) -> str | None:
    try:
        name = read_name(embedder)
    except QueryscapeError:
        return None
    return name.provider if name else None


def _embedder_needs(embedder: str) -> str | None:
    if embedder in EMBEDDERS:
        return None
    try:
        name = read_name(embedder)
    except QueryscapeError as e:
        return str(e)
    if name is None:
        return f'an embedder other than "{embedder}": {SPELLINGS}'
    if name.provider == "openai":
        return _service_needs(name.model)
    if lacking := _library_needs(name.provider):
        return lacking
    is_path = name.model.startswith((".", "/", "~"))
    return f"the folder {name.model[:200]}, which does not exist" if is_path and not os.path.isdir(name.model) else None


def _library_needs(provider: str) -> str | None:
    if provider == "onnx":
        return None if find_spec("onnxruntime") and find_spec("tokenizers") else ONNX_EXTRA
    return None if find_spec("sentence_transformers") else EXTRA


def _service_needs(*models: str) -> str | None:
    if os.environ.get(ADDRESS):
        return None
    if not NOT_OF_OPENAI.isdisjoint(models):
        has = " and ".join(models)
        return f"the address of an OpenAI-compatible service with {has} in the variable {ADDRESS}, and its key in {KEY}"
    return None if os.environ.get(KEY) else f"your key in the variable {KEY}"


def _chat_needs(model: str | None, embedder: str | None) -> str | None:
    if model is None:
        return "a chat model: llm_reranker:MODEL, or llm_reranker:demo to see the page at work (not a language model)"
    if model in NOT_OF_OPENAI:
        name = read_name(embedder) if embedder and _provider(embedder) == "openai" else None
        return _service_needs(model, *([name.model] if name else []))
    if model == "demo" or os.environ.get(KEY) or os.environ.get(ADDRESS):
        return None
    without = "llm_reranker:demo runs without"
    return f"your key in the variable {KEY}, or the address of a service of your own in {ADDRESS} ({without})"


def destination_of(spec: Spec, embedder: str | None = None) -> Destination | None:
    """Return where texts and questions go when it runs; None: it stays on this machine."""
    spec = settled(spec, embedder)
    by_chat = spec.kind == "llm_reranker" and spec.model != "demo"
    by_embedder = spec.embedder is not None and _provider(spec.embedder) == "openai"
    return find_destination(option=ADDRESS) if by_chat or by_embedder else None


def identity(spec: Spec, holders: Holders | None = None) -> str:
    """Return a hash of the weights, service or relations behind the names in a specification."""
    name = read_name(spec.embedder) if spec.embedder and spec.embedder not in EMBEDDERS else None
    by_chat = spec.kind == "llm_reranker" and spec.model != "demo"
    parts = [os.environ.get(ADDRESS, "")] if by_chat or (name and name.provider == "openai") else []
    if name and name.is_local:
        parts.append(_weights(name))
    if spec.kind == "graph":
        parts.append(relations_key(spec, holders))
    return content_hash(parts) if parts else ""


def _weights(name: EmbedderName) -> str:
    """Return the fingerprint of the files in a folder, or the downloaded version of a name on a hub."""
    folder = Path(name.spelled_model)
    if not os.path.isdir(folder):
        from data.models.local_embedders import snapshot_of

        kept = snapshot_of(name.model) if find_spec("huggingface_hub") else None
        return f"{name.model}@{kept.name if kept else ''}"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    newest = max((path.stat().st_mtime_ns for path in files), default=0)
    return _fingerprint(folder, name.provider, newest, sum(path.stat().st_size for path in files))


@lru_cache(maxsize=16)
def _fingerprint(folder: Path, provider: str, newest: int, n_bytes: int) -> str:
    """Hash the weights, again only if a file has changed."""
    from data.models.local_embedders import WEIGHTS, folder_fingerprint
    from data.models.onnx_model import WEIGHTS as ONNX_WEIGHTS

    return folder_fingerprint(folder, ONNX_WEIGHTS if provider == "onnx" else WEIGHTS)


def open_retriever(
    corpus: RetrievalCorpus,
    spec: Spec,
    on_stage: OnStage = silent,
    *,
    answers: AnswerCache | None = None,
    heed: Callable[[], None] | None = None,
) -> OpenedRetriever:
    """Open the retriever over these documents; missing files are built.

    `answers`: the cache for answers of a chat model. `heed`: called while waiting for a service; if it raises, the
    waiting ends.
    """
    spec = settled(spec)
    if lacking := needs(spec, corpus.holders):
        raise InputError(f"{spec.kind} needs {lacking}")
    if not corpus.documents:
        raise InputError("this collection has no documents: add them with `get collection --documents`")
    if spec.kind in ("late_interaction", "llm_reranker"):
        return _open_reranker(corpus, spec, on_stage, answers, heed)
    if spec.kind == "graph":
        return _open_graph(corpus, spec, _open_first_stage(corpus, first_of(spec), on_stage), on_stage)
    return _open_first_stage(corpus, spec, on_stage)


def _open_first_stage(corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage) -> OpenedRetriever:
    if spec.kind == "boolean":
        return open_boolean(corpus, spec, on_stage)
    if spec.kind == "bm25":
        from data.retrieval.bm25 import open_bm25

        return open_bm25(corpus, spec, on_stage)
    if spec.kind == "multi_vector":
        from data.retrieval.dense import open_multi_vector

        return open_multi_vector(corpus, spec, on_stage)
    if spec.kind == "hybrid":
        return _open_hybrid(corpus, spec, on_stage)
    from data.retrieval.dense import open_dense

    return open_dense(corpus, spec, on_stage)


def _open_hybrid(corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage) -> OpenedRetriever:
    from core.retrieval.hybrid import HybridRetriever

    words = _open_first_stage(corpus, replace(spec, kind="bm25"), on_stage)
    meaning = _open_first_stage(corpus, replace(spec, kind="dense"), on_stage)
    hybrid = HybridRetriever(
        words.retriever, meaning.retriever, corpus.id_ranks, fusion=spec.fusion, weight=spec.weight
    )
    return OpenedRetriever(
        hybrid,
        _sum(words.index_seconds, meaning.index_seconds),
        _sum(words.index_bytes, meaning.index_bytes),
        (*words.notes, *meaning.notes),
    )


def _open_reranker(
    corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage, answers: AnswerCache | None, heed: Callable[[], None] | None
) -> OpenedRetriever:
    first = _open_first_stage(corpus, first_of(spec), on_stage)
    if spec.kind == "late_interaction":
        from data.retrieval.dense import open_late_interaction

        again = open_late_interaction(corpus, spec, first.retriever, on_stage)
    else:
        from data.retrieval.llm_reranker import open_llm_reranker

        again = open_llm_reranker(corpus, spec, first.retriever, on_stage, answers=answers, heed=heed)
    return replace(
        again,
        index_seconds=_sum(first.index_seconds, again.index_seconds),
        index_bytes=_sum(first.index_bytes, again.index_bytes),
        notes=(*first.notes, *again.notes),
    )


def first_of(spec: Spec) -> Spec:
    """Return the first stage. The model of a late interaction also serves a dense first stage."""
    if spec.kind == "graph":
        return settled(Spec(spec.first, **{name: getattr(spec, name) for name in OF_KIND[spec.first]}))
    return settled(Spec(spec.first, embedder=None if spec.first == "bm25" else spec.embedder))


def _sum(a: N | None, b: N | None) -> N | None:
    return a if b is None else b if a is None else a + b


# Explanations for single documents and one query: their ranks in the whole collection, and their words.
#
# Every retriever that can run here at no cost ranks the whole collection; a reranker is replaced by its first stage.

RERANKERS = ("late_interaction", "llm_reranker")


@runtime_checkable
class TermExplainer(Protocol):
    def explain(self, query: Query, row: int) -> tuple[TermShare, ...]:
        """Return the contribution of each term, largest first, missing terms last."""
        ...


@dataclass(frozen=True, eq=False)
class RankReasons:
    deep: Mapping[str, Mapping[str, tuple[CollectionRank, ...]]]
    """By a retriever's text and a document's id. Retrievers that were not asked are missing."""
    words: Mapping[str, QueryWordMatches]
    """By a document's id."""
    not_asked: tuple[str, ...]
    """One sentence for each retriever that was not asked, with the reason."""


def asked_specs(spec: Spec) -> tuple[Spec, ...]:
    """Return the retrievers that rank the whole collection in place of this one; none: it would cost, or has no order.

    A hybrid fuses only the tops of two rankings, so both of these are asked: by words, then by vectors.
    """
    spec = replace(settled(spec), name="")
    if spec.kind in (*RERANKERS, "graph"):
        spec = first_of(spec)
    if spec.kind == "boolean" or is_service(spec.embedder) or needs(spec) is not None:
        return ()
    if spec.kind == "hybrid":
        return Spec("bm25", k1=spec.k1, b=spec.b, analysis=spec.analysis), Spec("dense", embedder=spec.embedder)
    return (spec,)


def is_service(embedder: str | None) -> bool:
    """Return True if the vector of a query would be requested over the network."""
    name = None if embedder is None or embedder in EMBEDDERS else read_name(embedder)
    return name is not None and not name.is_local


def reasons_for(
    corpus: RetrievalCorpus, query: Query, doc_ids: Sequence[str], specs: Sequence[Spec], on_stage: OnStage = silent
) -> RankReasons:
    """Explain the ranks of these documents for this query. Missing indexes are built."""
    row_of = {doc_id: row for row, doc_id in enumerate(corpus.doc_ids)}
    rows = {doc_id: row_of[doc_id] for doc_id in doc_ids if doc_id in row_of}
    deep: dict[str, Mapping[str, tuple[CollectionRank, ...]]] = {}
    by_asked: dict[str, Mapping[str, CollectionRank]] = {}
    not_asked: list[str] = []
    for spec in specs:
        asked = asked_specs(spec)
        for each in asked:
            if each.text not in by_asked:
                hits = open_retriever(corpus, each, on_stage).retriever.search(query, len(corpus.documents))
                by_asked[each.text] = _deep(hits, rows, len(corpus.documents))
        if asked:
            deep[spec.text] = {doc_id: tuple(by_asked[each.text][doc_id] for each in asked) for doc_id in rows}
        elif spec.kind != "boolean":
            not_asked.append(f"{spec.label} was not run again: it needs a service, or something missing here.")
    return RankReasons(deep, _words(corpus, query, rows, specs, on_stage), tuple(dict.fromkeys(not_asked)))


def _deep(hits: Hits, rows: Mapping[str, int], n: int) -> Mapping[str, CollectionRank]:
    place = np.zeros(n, dtype=np.int64)
    place[hits.rows] = np.arange(1, len(hits) + 1)
    return {
        doc_id: CollectionRank(int(rank) or None, float(hits.scores[rank - 1]) if rank else None, n)
        for doc_id, row in rows.items()
        for rank in (int(place[row]),)
    }


def _words(
    corpus: RetrievalCorpus, query: Query, rows: Mapping[str, int], specs: Sequence[Spec], on_stage: OnStage
) -> Mapping[str, QueryWordMatches]:
    """Explain the words by the first BM25 among the retrievers, or else by the default one."""
    spec = next((spec for spec in specs if spec.kind == "bm25"), Spec("bm25"))
    retriever = open_retriever(corpus, replace(spec, name=""), on_stage).retriever
    if not isinstance(retriever, TermExplainer):
        return {}
    return {doc_id: QueryWordMatches.of(retriever.explain(query, row)) for doc_id, row in rows.items()}
