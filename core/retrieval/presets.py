"""Retrievers by the names that people know from the literature: which model each is, and what it needs to run."""

from __future__ import annotations

from dataclasses import dataclass

from core.retrieval.spec import Spec

OPENAI = "openai:"
ADA_002 = f"{OPENAI}text-embedding-ada-002"
OPENAI_KEY = "a key of OpenAI (OPENAI_API_KEY)"
OPENAI_FORM = "a service in OpenAI's form that has this model: its address (OPENAI_BASE_URL) and key (OPENAI_API_KEY)"
BOTH_MODELS = (
    "a service in OpenAI's form that has this model and text-embedding-ada-002: its address (OPENAI_BASE_URL) and key "
    "(OPENAI_API_KEY)"
)
LATE_WEIGHTS = "its weights, and sentence-transformers 6, which reads models made for late interaction"
WEIGHTS = "its weights, and the extra for models on this machine"


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


def _reranker(name: str, model: str) -> Spec:
    """Of the first 20 that ada-002 finds, as in STaRK."""
    return Spec("llm_reranker", name=name, model=model, first="dense", embedder=ADA_002, depth=20)


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
        None,
        "facebook-dpr-question_encoder-single-nq-base and facebook-dpr-ctx_encoder-single-nq-base",
        "two encoders, one for questions and one for passages; dense retrieval here has one for both",
        "Karpukhin et al. (2020), Dense Passage Retrieval for Open-Domain Question Answering",
        "One vector for the question and one for the passage, by two encoders. STaRK trained them on its own queries.",
    ),
    Preset(
        "ANCE",
        _dense("ANCE", "st:sentence-transformers/msmarco-roberta-base-ance-firstp"),
        "msmarco-roberta-base-ance-firstp",
        WEIGHTS,
        "Xiong et al. (2021), Approximate Nearest Neighbor Negative Contrastive Learning",
        "Dense vectors trained against the negatives that are hardest at the time, here on MS MARCO.",
    ),
    Preset(
        "ada-002",
        _dense("ada-002", ADA_002),
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
        _dense("LLM2Vec", "openai:McGill-NLP/LLM2Vec-Meta-Llama-3-8B-Instruct-mntp"),
        "LLM2Vec-Meta-Llama-3-8B-Instruct-mntp",
        OPENAI_FORM,
        "BehnamGhader et al. (2024), LLM2Vec",
        "A language model turned into an encoder that reads both ways.",
    ),
    Preset(
        "GritLM-7b",
        _dense("GritLM-7b", "openai:GritLM/GritLM-7B"),
        "GritLM/GritLM-7B",
        OPENAI_FORM,
        "Muennighoff et al. (2024), Generative Representational Instruction Tuning",
        "One language model trained both to write and to embed.",
    ),
    Preset(
        "multi-ada-002",
        Spec("multi_vector", name="multi-ada-002", embedder=ADA_002),
        "text-embedding-ada-002",
        OPENAI_KEY,
        STARK,
        "Documents cut into overlapping chunks, each with an ada-002 vector.",
    ),
    Preset(
        "ColBERTv2",
        Spec("late_interaction", name="ColBERTv2", embedder="st:colbert-ir/colbertv2.0"),
        "colbert-ir/colbertv2.0",
        LATE_WEIGHTS,
        "Santhanam et al. (2022), ColBERTv2",
        "One vector for every word; each word of the query looks for its best match.",
    ),
    Preset(
        "Claude reranker",
        _reranker("Claude reranker", "claude-3-opus-20240229"),
        "claude-3-opus-20240229",
        BOTH_MODELS,
        STARK,
        "Claude says how far each of the best candidates satisfies the query.",
    ),
    Preset(
        "GPT-4 reranker",
        _reranker("GPT-4 reranker", "gpt-4-1106-preview"),
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


def _elsewhere(preset: Preset) -> str | None:
    if preset.spec is None or preset.needs not in (OPENAI_FORM, BOTH_MODELS):
        return None
    return preset.spec.model or str(preset.spec.embedder).removeprefix(OPENAI)


NOT_OF_OPENAI = frozenset(model for preset in PRESETS if (model := _elsewhere(preset)))
"""Models that OpenAI's own service does not have: a key alone does not reach them."""
