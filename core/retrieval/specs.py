"""Retriever specifications such as `bm25:k1=0.9`, the kinds of retriever, and presets from the literature."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Literal, cast, get_args

from core.errors import InputError, SettingsError

RetrieverKind = Literal[
    "boolean", "bm25", "dense", "multi_vector", "late_interaction", "hybrid", "llm_reranker", "graph"
]
KINDS: tuple[RetrieverKind, ...] = get_args(RetrieverKind)
FirstStage = Literal["bm25", "dense", "hybrid"]
USUAL_FIRST: dict[RetrieverKind, FirstStage] = {"graph": "hybrid"}
"""The default first stage by kind; BM25 for all others."""
_USUAL = cast(FirstStage, "")


@dataclass(frozen=True, slots=True)
class Spec:
    """The specification of one retriever. Settings of other kinds stay at their defaults."""

    kind: RetrieverKind
    name: str = ""
    """The name on a leaderboard; empty: the specification's text."""
    knowledge: str | None = None
    """graph: the name of a knowledge base. None: the one that contains the documents."""
    embedder: str | None = None
    """dense, multi_vector, hybrid, graph: a name as for `--embedder`. None: the caller's choice for all.

    late_interaction: a sentence-transformers model.
    """
    k1: float = 1.2
    """bm25: the saturation of repeated words; 0: repetitions do not count."""
    b: float = 0.75
    """bm25: the penalty for long documents, 0 to 1."""
    analysis: Literal["english", "words"] = "english"
    """bm25: with English stop words and stems, or exact words."""
    aggregate: Literal["top3", "max"] = "top3"
    """multi_vector: the similarity of a document is the mean of its three best chunks, or its best."""
    fusion: Literal["rrf", "weighted"] = "rrf"
    """hybrid: by ranks (reciprocal rank fusion) or by scores."""
    weight: float = 0.5
    """hybrid, weighted: the share of the dense score, 0 to 1."""
    first: FirstStage = _USUAL
    """late_interaction, llm_reranker: finds the candidates. graph: ranks by text. Empty: the default."""
    depth: int = 0
    """late_interaction, llm_reranker: the number of candidates to rerank; 0: 50 and 20."""
    model: str | None = None
    """llm_reranker: the name of a chat model; "demo" is scripted, not a language model."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f'there is no retriever "{self.kind}"; there are {", ".join(KINDS)}')
        if not self.first:
            object.__setattr__(self, "first", self.usual_first)
        if not 0 <= self.k1 <= 100:
            raise SettingsError(f"k1 must be from 0 to 100, got {self.k1:g}")
        for name, share in (("b", self.b), ("weight", self.weight)):
            if not 0 <= share <= 1:
                raise SettingsError(f"{name} must be from 0 to 1, got {share:g}")
        if not 0 <= self.depth <= 1_000:
            raise SettingsError(f"depth must be from 0 to 1,000, got {self.depth:,}")

    @property
    def usual_first(self) -> FirstStage:
        return USUAL_FIRST.get(self.kind, "bm25")

    @property
    def candidates(self) -> int:
        """The number of first-stage documents to rerank."""
        return self.depth or (50 if self.kind == "late_interaction" else 20)

    @property
    def changed_settings(self) -> dict[str, Any]:
        """The settings that differ from the defaults."""
        given = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        given["first"] = self.first, self.usual_first
        return {
            name: value for name, (value, usual) in given.items() if name not in ("kind", "name") and value != usual
        }

    @property
    def text(self) -> str:
        """The text that `read_spec` parses: the kind, and the settings that differ from the defaults.

        >>> Spec("bm25", k1=0.9).text, Spec("dense", embedder="st:some/model").text
        ('bm25:k1=0.9', 'dense:st:some/model')
        """
        plain = POSITIONAL.get(self.kind)
        # With its name if the value could be taken for a named setting.
        parts = [
            str(value) if name == plain and "=" not in str(value) else f"{name}={value}"
            for name, value in self.changed_settings.items()
        ]
        return ":".join([self.kind, *([",".join(parts)] if parts else [])])

    @property
    def label(self) -> str:
        return self.name or self.text


POSITIONAL: dict[RetrieverKind, str] = {
    "dense": "embedder",
    "multi_vector": "embedder",
    "hybrid": "embedder",
    "late_interaction": "embedder",
    "llm_reranker": "model",
    "graph": "knowledge",
}
"""The setting that may follow the colon without its name."""
OF_KIND: dict[RetrieverKind, tuple[str, ...]] = {
    "boolean": (),
    "bm25": ("k1", "b", "analysis"),
    "dense": ("embedder",),
    "multi_vector": ("embedder", "aggregate"),
    "late_interaction": ("embedder", "first", "depth"),
    "hybrid": ("embedder", "fusion", "weight", "k1", "b", "analysis"),
    "llm_reranker": ("model", "first", "depth", "embedder"),
    "graph": ("knowledge", "first", "embedder", "fusion", "weight", "k1", "b", "analysis"),
}
"""The settings of each kind."""


def read_spec(text: str) -> Spec:
    """Parse a written specification.

    >>> read_spec("bm25:k1=0.9,b=0.4").b, read_spec("dense:st:some/model").embedder
    (0.4, 'st:some/model')
    """
    kind, _, rest = text.strip().partition(":")
    if kind not in KINDS:
        raise SettingsError(f'there is no retriever "{kind[:60]}"; there are {", ".join(KINDS)}')
    settings: dict[str, Any] = {}
    for part in [part.strip() for part in rest.split(",") if part.strip()]:
        name, equals, value = part.partition("=")
        if not equals and kind in POSITIONAL:
            name, value = POSITIONAL[kind], part
        if name not in OF_KIND[kind] or not value:
            takes = ", ".join(OF_KIND[kind]) or "no settings"
            raise SettingsError(f'"{part[:60]}" is no setting of {kind}; it takes {takes}')
        settings[name] = _value(name, value)
    return replace(Spec(kind), **settings)


def _value(name: str, value: str) -> Any:
    """Convert a value to the type of the field, and check its choices, since a dataclass does not."""
    default = next(field.default for field in fields(Spec) if field.name == name)
    if isinstance(default, str):
        allowed = CHOICES[name]
        if value not in allowed:
            raise SettingsError(f'{name} must be {" or ".join(allowed)}, got "{value[:60]}"')
        return value
    if default is None or default is MISSING:
        return value
    try:
        return type(default)(value)
    except ValueError:
        raise SettingsError(f'{name} must be a number, got "{value[:60]}"') from None


CHOICES: dict[str, tuple[str, ...]] = {
    "analysis": ("english", "words"),
    "aggregate": ("top3", "max"),
    "fusion": ("rrf", "weighted"),
    "first": ("bm25", "dense", "hybrid"),
}


def spec_lines() -> tuple[str, ...]:
    """Return the written form of each kind of retriever, one line each, for the help of commands.

    >>> spec_lines()[1]
    'bm25[:k1=1.2,b=0.75,analysis=english|words]'
    """
    settings = {kind: ",".join(_written(kind, name) for name in OF_KIND[kind]) for kind in KINDS}
    return tuple(f"{kind}[:{values}]" if values else kind for kind, values in settings.items())


def _written(kind: RetrieverKind, name: str) -> str:
    """Return the form of one setting: its position, its choices, or its default."""
    if name == POSITIONAL.get(kind):
        return name.upper()
    if name in CHOICES:
        return f"{name}={'|'.join(CHOICES[name])}"
    default = next(field.default for field in fields(Spec) if field.name == name)
    if name == "depth":
        return f"depth={Spec(kind).candidates}"
    return f"{name}={name.upper() if default is None else default}"


# The kinds of retriever: their behaviour and requirements, in the words that the page and the commands use.


@dataclass(frozen=True, slots=True)
class KindInfo:
    label: str
    sentence: str
    """The retriever's behaviour."""
    needs: str
    """The requirements to run it."""
    reference: str


RETRIEVERS: dict[RetrieverKind, KindInfo] = {
    "boolean": KindInfo(
        "Boolean",
        "Finds every document that the search string matches, unordered; a plain question must match in all its words.",
        "nothing",
        "Queryscape's query language",
    ),
    "bm25": KindInfo(
        "BM25",
        "Ranks by words shared by query and document: rare words and short documents count more.",
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
        "Cuts documents into overlapping chunks; the similarity of a document is the mean of its three best "
        "chunks, or its best one.",
        "an embedder",
        "Wu et al. (2024), STaRK (multi-ada-002)",
    ),
    "late_interaction": KindInfo(
        "Late interaction",
        "Reranks a first stage's candidates: each word of the query is compared with its best match in the document.",
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
        "A language model scores how well each of a first stage's candidates satisfies the query.",
        "a chat model and its key",
        "Wu et al. (2024), STaRK (Claude and GPT-4 rerankers)",
    ),
    "graph": KindInfo(
        "Graph",
        "Finds the entities and relations named in a question and ranks the entities they lead to first, in a "
        "text retriever's order. Other questions are answered by the text retriever alone.",
        "a knowledge base with the documents",
        "Queryscape's own; questions as in Wu et al. (2024), STaRK",
    ),
}


# Retrievers by their names in the literature: the model of each, and its requirements.

OPENAI = "openai:"
ADA_002 = f"{OPENAI}text-embedding-ada-002"
OPENAI_KEY = "a key of OpenAI (OPENAI_API_KEY)"
OPENAI_FORM = "an OpenAI-compatible service with this model: its address (OPENAI_BASE_URL) and key (OPENAI_API_KEY)"
BOTH_MODELS = (
    "an OpenAI-compatible service with this model and text-embedding-ada-002: its address (OPENAI_BASE_URL) and key "
    "(OPENAI_API_KEY)"
)
LATE_WEIGHTS = "its weights, and sentence-transformers 6, which supports late-interaction models"
WEIGHTS = "its weights, and the extra for local models"


@dataclass(frozen=True, slots=True)
class RetrieverPreset:
    name: str
    spec: Spec | None
    """The specification used here; None: published scores only."""
    model: str
    """The model it uses; empty if there is none."""
    needs: str
    """The requirements to run it; "nothing" if there are none."""
    reference: str
    sentence: str
    """A description."""


def _dense(name: str, embedder: str) -> Spec:
    return Spec("dense", name=name, embedder=embedder)


def _reranker(name: str, model: str) -> Spec:
    """Build a reranker of the first 20 documents that ada-002 finds, as in STaRK."""
    return Spec("llm_reranker", name=name, model=model, first="dense", embedder=ADA_002, depth=20)


STARK = "Wu et al. (2024), STaRK"
PRESETS: tuple[RetrieverPreset, ...] = (
    RetrieverPreset(
        "BM25",
        Spec("bm25", name="BM25"),
        "",
        "nothing",
        "Robertson et al. (1995), Okapi at TREC-3",
        "Words shared by query and document; rare ones count more.",
    ),
    RetrieverPreset(
        "DPR",
        None,
        "facebook-dpr-question_encoder-single-nq-base and facebook-dpr-ctx_encoder-single-nq-base",
        "two encoders, one for questions and one for passages; dense retrieval here has one for both",
        "Karpukhin et al. (2020), Dense Passage Retrieval for Open-Domain Question Answering",
        "One vector for the question and one for the passage, by two encoders. STaRK trained them on its own queries.",
    ),
    RetrieverPreset(
        "ANCE",
        _dense("ANCE", "st:sentence-transformers/msmarco-roberta-base-ance-firstp"),
        "msmarco-roberta-base-ance-firstp",
        WEIGHTS,
        "Xiong et al. (2021), Approximate Nearest Neighbor Negative Contrastive Learning",
        "Dense vectors trained against the negatives that are hardest at the time, here on MS MARCO.",
    ),
    RetrieverPreset(
        "ada-002",
        _dense("ada-002", ADA_002),
        "text-embedding-ada-002",
        OPENAI_KEY,
        "OpenAI (2022), text-embedding-ada-002",
        "Dense vectors of 1,536 numbers from OpenAI.",
    ),
    RetrieverPreset(
        "voyage-large-2-instruct",
        _dense("voyage-large-2-instruct", "openai:voyage-large-2-instruct"),
        "voyage-large-2-instruct",
        OPENAI_FORM,
        "Voyage AI (2024), voyage-large-2-instruct",
        "Dense vectors of a model that follows instructions.",
    ),
    RetrieverPreset(
        "LLM2Vec",
        _dense("LLM2Vec", "openai:McGill-NLP/LLM2Vec-Meta-Llama-3-8B-Instruct-mntp"),
        "LLM2Vec-Meta-Llama-3-8B-Instruct-mntp",
        OPENAI_FORM,
        "BehnamGhader et al. (2024), LLM2Vec",
        "A language model turned into an encoder that reads both ways.",
    ),
    RetrieverPreset(
        "GritLM-7b",
        _dense("GritLM-7b", "openai:GritLM/GritLM-7B"),
        "GritLM/GritLM-7B",
        OPENAI_FORM,
        "Muennighoff et al. (2024), Generative Representational Instruction Tuning",
        "One language model trained both to write and to embed.",
    ),
    RetrieverPreset(
        "multi-ada-002",
        Spec("multi_vector", name="multi-ada-002", embedder=ADA_002),
        "text-embedding-ada-002",
        OPENAI_KEY,
        STARK,
        "Documents cut into overlapping chunks, each with an ada-002 vector.",
    ),
    RetrieverPreset(
        "ColBERTv2",
        Spec("late_interaction", name="ColBERTv2", embedder="st:colbert-ir/colbertv2.0"),
        "colbert-ir/colbertv2.0",
        LATE_WEIGHTS,
        "Santhanam et al. (2022), ColBERTv2",
        "One vector for every word; each word of the query is compared with its best match.",
    ),
    RetrieverPreset(
        "Claude reranker",
        _reranker("Claude reranker", "claude-3-opus-20240229"),
        "claude-3-opus-20240229",
        BOTH_MODELS,
        STARK,
        "Claude scores how well each of the best candidates satisfies the query.",
    ),
    RetrieverPreset(
        "GPT-4 reranker",
        _reranker("GPT-4 reranker", "gpt-4-1106-preview"),
        "gpt-4-1106-preview",
        OPENAI_KEY,
        STARK,
        "GPT-4 scores how well each of the best candidates satisfies the query.",
    ),
    RetrieverPreset(
        "QAGNN",
        None,
        "RoBERTa with a graph network",
        "training on the knowledge base of the benchmark; only published scores are shown",
        "Yasunaga et al. (2021), QA-GNN",
        "Reasons over the relations of a knowledge base; it isn't run here.",
    ),
)


def preset_named(text: str) -> RetrieverPreset | None:
    return next((preset for preset in PRESETS if preset.name.casefold() == text.strip().casefold()), None)


def spec_named(text: str) -> Spec:
    """Return the retriever for `bm25:k1=0.9`, or for a name from the literature, such as ANCE."""
    preset = preset_named(text)
    kind = text.partition(":")[0].strip()
    if preset is None or kind in KINDS:
        try:
            return read_spec(text)
        except SettingsError as e:
            if kind in KINDS:
                raise
            names = ", ".join(preset.name for preset in PRESETS if preset.spec)
            raise SettingsError(f"{e}; or by name: {names}") from None
    if preset.spec is None:
        raise InputError(f"{preset.name} needs {preset.needs}")
    return preset.spec


def _elsewhere(preset: RetrieverPreset) -> str | None:
    if preset.spec is None or preset.needs not in (OPENAI_FORM, BOTH_MODELS):
        return None
    return preset.spec.model or str(preset.spec.embedder).removeprefix(OPENAI)


NOT_OF_OPENAI = frozenset(model for preset in PRESETS if (model := _elsewhere(preset)))
"""Models that OpenAI's own service does not offer, so that a key alone is not enough."""
