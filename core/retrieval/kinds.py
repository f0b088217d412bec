"""The kinds of retriever: what each does and needs, in the words that the page and the commands use."""

from __future__ import annotations

from dataclasses import dataclass

from core.retrieval.spec import RetrieverKind


@dataclass(frozen=True, slots=True)
class KindInfo:
    """One kind of retriever."""

    label: str
    sentence: str
    """What it does."""
    needs: str
    """What it needs to run."""
    reference: str


RETRIEVERS: dict[RetrieverKind, KindInfo] = {
    "boolean": KindInfo(
        "Boolean",
        "Every document that the search string matches, in no order; a plain question must match in all its words.",
        "nothing",
        "Queryscape's query language",
    ),
    "bm25": KindInfo(
        "BM25",
        "Ranks by the words that query and document share: rare words and short documents count more.",
        "nothing",
        "Robertson et al. (1995), Okapi at TREC-3; in Lucene's form",
    ),
    "dense": KindInfo(
        "Dense",
        "Ranks by the cosine of one vector for the query and one for each document.",
        "an embedder",
        "Karpukhin et al. (2020), Dense Passage Retrieval",
    ),
    "multi_vector": KindInfo(
        "Multi-vector",
        "Cuts documents into overlapping chunks; one is as similar as its three best chunks on average, or its best.",
        "an embedder",
        "Wu et al. (2024), STaRK (multi-ada-002)",
    ),
    "late_interaction": KindInfo(
        "Late interaction",
        "Ranks a first stage's candidates again: every word of the query looks for its best match among the words.",
        "a sentence-transformers model",
        "Khattab and Zaharia (2020), ColBERT",
    ),
    "hybrid": KindInfo(
        "Hybrid",
        "Fuses BM25 and dense: by their ranks, or by their scores.",
        "an embedder",
        "Cormack, Clarke and Büttcher (2009), reciprocal rank fusion",
    ),
    "llm_reranker": KindInfo(
        "LLM reranker",
        "A language model says how far each of a first stage's candidates satisfies the query.",
        "a chat model and its key",
        "Wu et al. (2024), STaRK (Claude and GPT-4 rerankers)",
    ),
    "graph": KindInfo(
        "Graph",
        "Finds the entities that a question names and the relations it asks for: what these lead to comes first, in a "
        "text retriever's order. A question that names none is answered by that one alone.",
        "a knowledge base that holds the documents",
        "Queryscape's own; questions as in Wu et al. (2024), STaRK",
    ),
}
