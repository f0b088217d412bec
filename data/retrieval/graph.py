"""The `graph` retriever over a corpus: the knowledge base that holds its documents, its templates and its names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import InputError, QueryscapeError
from core.knowledge.evidence import Proposal
from core.knowledge.templates import Template
from core.protocols import OnStage, silent
from core.ranking.check import Rows
from core.retrieval.graph import Graph
from core.retrieval.spec import RETRIEVERS, Spec
from data.knowledge.holders import Holder, Holders
from data.knowledge.reading import in_words, mentions_in
from data.knowledge.templates import templates_of
from data.retrieval.corpus import Corpus, Opened
from data.store import content_hash

VERSION = 2
"""Rises whenever questions are read differently."""
NONE = "a knowledge base that holds these documents"


def open_graph(corpus: Corpus, spec: Spec, first: Opened, on_stage: OnStage = silent) -> Opened:
    """The retriever over a text retriever that is ready."""
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
    return Opened(graph, first.index_seconds, first.index_bytes, notes)


def _notes(holder: Holder, templates: Sequence[Template]) -> list[str]:
    about, n = holder.base.about, len(holder.rows)
    notes = [f'relations of the knowledge base "{about.name}", asked by {len(templates):,} templates']
    if holder.n_held < n:
        notes.append(f"it holds {holder.n_held:,} of {n:,} documents: the others answer no relational question")
    return notes


def answers_in(holder: Holder) -> Callable[[Proposal], Rows]:
    """Finds the documents that a proposal leads to."""
    return lambda proposal: holder.places(holder.base.answers(proposal.template, proposal.given))


def relations_key(spec: Spec, holders: Holders | None) -> str:
    """Changes with anything in the knowledge base, and with the templates that it is asked by."""
    if holders is None:
        raise InputError(f"graph needs {NONE}")
    try:
        base = holders.base(spec.knowledge)
    except QueryscapeError as e:
        raise InputError(f"graph needs {e}") from e
    return content_hash([str(VERSION), base.about.key, *map(repr, templates_of(base, holders.store))])
