"""From what a person wrote to a retriever that is ready. Each kind is imported when it is wanted: some take seconds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from core.errors import InputError, QueryscapeError
from core.protocols import OnStage, silent
from core.retrieval.spec import NOT_OF_OPENAI, OF_KIND, RetrieverKind, Spec
from data.chat import AnswerCache
from data.embedders import EMBEDDERS, SPELLINGS, EmbedderName, read_name
from data.knowledge.holders import Holders
from data.retrieval.corpus import Corpus, Opened
from data.store import content_hash

DEFAULT_EMBEDDER = "lsa"
WITH_EMBEDDER: tuple[RetrieverKind, ...] = ("dense", "multi_vector", "hybrid")
EXTRA = 'the extra for models on this machine: pip install ".[sentence-transformers]"'
N = TypeVar("N", int, float)
KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"


def settled(spec: Spec, embedder: str | None = None) -> Spec:
    """With an embedder where one is needed and none is named: the one given, else LSA, which any machine can fit.

    The usual number of candidates is written as 0, so that a run with it is one run however it was asked for.
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
    """What is missing here to run it; None: nothing that can be told without starting.

    `holders`: the knowledge bases that may hold the documents; without, that nothing is known of them.
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
        return f'an embedder of another name than "{embedder}": {SPELLINGS}'
    if name.provider == "openai":
        return _service_needs(name.model)
    if find_spec("sentence_transformers") is None:
        return EXTRA
    is_path = name.model.startswith((".", "/", "~"))
    return f"the folder {name.model[:200]}, which is not there" if is_path and not os.path.isdir(name.model) else None


def _service_needs(*models: str) -> str | None:
    """What a service lacks that has these models, all of them at one address."""
    if os.environ.get(ADDRESS):
        return None
    if not NOT_OF_OPENAI.isdisjoint(models):
        has = " and ".join(models)
        return (
            f"the address of a service in OpenAI's form that has {has} in the variable {ADDRESS}, and its key in {KEY}"
        )
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


def identity(spec: Spec, holders: Holders | None = None) -> str:
    """What its text does not say: which weights, which service or which relations stand behind a name here."""
    name = read_name(spec.embedder) if spec.embedder and spec.embedder not in EMBEDDERS else None
    by_chat = spec.kind == "llm_reranker" and spec.model != "demo"
    parts = [os.environ.get(ADDRESS, "")] if by_chat or (name and name.provider == "openai") else []
    if name and name.provider == "sentence_transformers":
        parts.append(_weights(name))
    if spec.kind == "graph":
        from data.retrieval.graph import relations_key

        parts.append(relations_key(spec, holders))
    return content_hash(parts) if parts else ""


def _weights(name: EmbedderName) -> str:
    """Of a folder, what its files hold; of a name on a hub, the version that is kept here."""
    folder = Path(name.spelled_model)
    if not os.path.isdir(folder):
        from data.embedders.sentence_transformers import snapshot_of

        kept = snapshot_of(name.model) if find_spec("huggingface_hub") else None
        return f"{name.model}@{kept.name if kept else ''}"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    newest = max((path.stat().st_mtime_ns for path in files), default=0)
    return _fingerprint(folder, newest, sum(path.stat().st_size for path in files))


@lru_cache(maxsize=16)
def _fingerprint(folder: Path, newest: int, n_bytes: int) -> str:
    """Reads the weights again only when a file has changed."""
    from data.embedders.sentence_transformers import folder_fingerprint

    return folder_fingerprint(folder)


def open_retriever(
    corpus: Corpus,
    spec: Spec,
    on_stage: OnStage = silent,
    *,
    answers: AnswerCache | None = None,
    heed: Callable[[], None] | None = None,
) -> Opened:
    """The retriever over these documents; what it needs on disk is made if it is not there.

    `answers`: where the answers of a chat model are remembered. `heed`: called while a service is waited for; what it
    raises ends that.
    """
    spec = settled(spec)
    if lacking := needs(spec, corpus.holders):
        raise InputError(f"{spec.kind} needs {lacking}")
    if not corpus.documents:
        raise InputError("this collection has no documents: bring them with `get collection --documents`")
    if spec.kind in ("late_interaction", "llm_reranker"):
        return _open_reranker(corpus, spec, on_stage, answers, heed)
    if spec.kind == "graph":
        return _open_graph(corpus, spec, on_stage)
    return _open_first_stage(corpus, spec, on_stage)


def _open_first_stage(corpus: Corpus, spec: Spec, on_stage: OnStage) -> Opened:
    if spec.kind == "boolean":
        from data.retrieval.boolean import open_boolean

        return open_boolean(corpus, spec, on_stage)
    if spec.kind == "bm25":
        from data.retrieval.tantivy_bm25 import open_bm25

        return open_bm25(corpus, spec, on_stage)
    if spec.kind == "multi_vector":
        from data.retrieval.multi_vector import open_multi_vector

        return open_multi_vector(corpus, spec, on_stage)
    if spec.kind == "hybrid":
        return _open_hybrid(corpus, spec, on_stage)
    from data.retrieval.dense import open_dense

    return open_dense(corpus, spec, on_stage)


def _open_hybrid(corpus: Corpus, spec: Spec, on_stage: OnStage) -> Opened:
    from core.retrieval.hybrid import Hybrid

    words = _open_first_stage(corpus, replace(spec, kind="bm25"), on_stage)
    meaning = _open_first_stage(corpus, replace(spec, kind="dense"), on_stage)
    hybrid = Hybrid(words.retriever, meaning.retriever, corpus.id_ranks, fusion=spec.fusion, weight=spec.weight)
    return Opened(
        hybrid,
        _sum(words.index_seconds, meaning.index_seconds),
        _sum(words.index_bytes, meaning.index_bytes),
        (*words.notes, *meaning.notes),
    )


def _open_reranker(
    corpus: Corpus, spec: Spec, on_stage: OnStage, answers: AnswerCache | None, heed: Callable[[], None] | None
) -> Opened:
    first = _open_first_stage(corpus, first_of(spec), on_stage)
    if spec.kind == "late_interaction":
        from data.retrieval.late_interaction import open_late_interaction

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


def _open_graph(corpus: Corpus, spec: Spec, on_stage: OnStage) -> Opened:
    from data.retrieval.graph import open_graph

    first = _open_first_stage(corpus, first_of(spec), on_stage)
    return open_graph(corpus, spec, first, on_stage)


def first_of(spec: Spec) -> Spec:
    """What finds the candidates. The model of a late interaction also serves a dense first stage."""
    if spec.kind == "graph":
        return settled(Spec(spec.first, **{name: getattr(spec, name) for name in OF_KIND[spec.first]}))
    return settled(Spec(spec.first, embedder=None if spec.first == "bm25" else spec.embedder))


def _sum(a: N | None, b: N | None) -> N | None:
    return a if b is None else b if a is None else a + b
