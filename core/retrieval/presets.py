"""Retrievers by the names that people know from the literature: which model each is, and what it needs to run."""

from __future__ import annotations

from dataclasses import dataclass

from core.retrieval.spec import Spec

OPENAI_KEY = "an API key of OpenAI (OPENAI_API_KEY)"
OPENAI_FORM = "a server that speaks OpenAI's form and has this model: its address and key"
LARGE_WEIGHTS = "weights of some 14 GB and a machine with the memory for them"


@dataclass(frozen=True, slots=True)
class Preset:
    """One retriever of the literature."""

    name: str
    spec: Spec | None
    """How it is run here; None: it is only published."""
    model: str
    """The model that it is made of; empty where there is none."""
    needs: str
    """What it takes to run; "nothing" where it always does."""
    reference: str
    sentence: str
    """What it is."""


def _dense(name: str, embedder: str) -> Spec:
    return Spec("dense", name=name, embedder=embedder)


STARK = "Wu et al. (2024), STaRK"
PRESETS: tuple[Preset, ...] = (
    Preset(
        "BM25",
        Spec("bm25", name="BM25"),
        "",
        "nothing",
        "Robertson et al. (1995), Okapi at TREC-3",
        "Words that query and document share, rare ones counting more.",
    ),
    Preset(
        "DPR",
        _dense("DPR", "st:sentence-transformers/facebook-dpr-question_encoder-single-nq-base"),
        "facebook-dpr-question_encoder-single-nq-base, facebook-dpr-ctx_encoder-single-nq-base",
        "its weights",
        "Karpukhin et al. (2020), Dense Passage Retrieval for Open-Domain Question Answering",
        "One vector for the question and one for the passage, by two encoders trained on Natural Questions.",
    ),
    Preset(
        "ANCE",
        _dense("ANCE", "st:sentence-transformers/msmarco-roberta-base-ance-firstp"),
        "msmarco-roberta-base-ance-firstp",
        "its weights",
        "Xiong et al. (2021), Approximate Nearest Neighbor Negative Contrastive Learning",
        "Dense vectors trained against the negatives that are hardest at the time.",
    ),
    Preset(
        "ada-002",
        _dense("ada-002", "openai:text-embedding-ada-002"),
        "text-embedding-ada-002",
        OPENAI_KEY,
        "OpenAI (2022), text-embedding-ada-002",
        "Dense vectors of 1,536 numbers from OpenAI.",
    ),
    Preset(
        "voyage-large-2-instruct",
        _dense("voyage-large-2-instruct", "openai:voyage-large-2-instruct"),
        "voyage-large-2-instruct",
        OPENAI_FORM,
        "Voyage AI (2024), voyage-large-2-instruct",
        "Dense vectors of a model that follows instructions.",
    ),
    Preset(
        "LLM2Vec",
        _dense("LLM2Vec", "st:McGill-NLP/LLM2Vec-Meta-Llama-3-8B-Instruct-mntp"),
        "LLM2Vec-Meta-Llama-3-8B-Instruct-mntp",
        LARGE_WEIGHTS,
        "BehnamGhader et al. (2024), LLM2Vec",
        "A language model turned into an encoder that reads both ways.",
    ),
    Preset(
        "GritLM-7b",
        _dense("GritLM-7b", "st:GritLM/GritLM-7B"),
        "GritLM/GritLM-7B",
        LARGE_WEIGHTS,
        "Muennighoff et al. (2024), Generative Representational Instruction Tuning",
        "One language model trained both to write and to embed.",
    ),
    Preset(
        "multi-ada-002",
        Spec("multi_vector", name="multi-ada-002", embedder="openai:text-embedding-ada-002"),
        "text-embedding-ada-002",
        OPENAI_KEY,
        STARK,
        "Documents cut into overlapping chunks, each with an ada-002 vector.",
    ),
    Preset(
        "ColBERTv2",
        Spec("late_interaction", name="ColBERTv2", embedder="st:colbert-ir/colbertv2.0"),
        "colbert-ir/colbertv2.0",
        "its weights",
        "Santhanam et al. (2022), ColBERTv2",
        "One vector for every word; each word of the query looks for its best match.",
    ),
    Preset(
        "Claude reranker",
        Spec("llm_reranker", name="Claude reranker", model="claude-3-opus-20240229"),
        "claude-3-opus-20240229",
        OPENAI_FORM,
        STARK,
        "Claude says how far each of the best candidates satisfies the query.",
    ),
    Preset(
        "GPT-4 reranker",
        Spec("llm_reranker", name="GPT-4 reranker", model="gpt-4-1106-preview"),
        "gpt-4-1106-preview",
        OPENAI_KEY,
        STARK,
        "GPT-4 says how far each of the best candidates satisfies the query.",
    ),
    Preset(
        "QAGNN",
        None,
        "RoBERTa with a graph network",
        "training on the knowledge base of the benchmark; it is shown as published only",
        "Yasunaga et al. (2021), QA-GNN",
        "Reasons over the relations of a knowledge base; it isn't run here.",
    ),
)
