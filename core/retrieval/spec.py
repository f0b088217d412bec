"""Which retriever, with what settings, as people write it: `bm25`, `bm25:k1=0.9,b=0.4`, `dense:lsa`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Literal, cast, get_args

from core.errors import SettingsError

RetrieverKind = Literal[
    "boolean", "bm25", "dense", "multi_vector", "late_interaction", "hybrid", "llm_reranker", "graph"
]
KINDS: tuple[RetrieverKind, ...] = get_args(RetrieverKind)
FirstStage = Literal["bm25", "dense", "hybrid"]
USUAL_FIRST: dict[RetrieverKind, FirstStage] = {"graph": "hybrid"}
"""The first stage of a kind where none is named; of all others it is BM25."""
_USUAL = cast(FirstStage, "")


@dataclass(frozen=True, slots=True)
class Spec:
    """One retriever. A setting that is not of its kind stays at its default."""

    kind: RetrieverKind
    name: str = ""
    """What a leaderboard calls it; empty: its text."""
    knowledge: str | None = None
    """graph: the name of a knowledge base. None: the one that holds the documents."""
    embedder: str | None = None
    """dense, multi_vector, hybrid, graph: as `--embedder` names it. late_interaction: a sentence-transformers model.
    None: the one that the caller chooses for all."""
    k1: float = 1.2
    """bm25: how soon more of the same word says nothing more; 0: at once."""
    b: float = 0.75
    """bm25: how much a long document is held against it, 0 to 1."""
    analysis: Literal["english", "words"] = "english"
    """bm25: with English stop words and stems, or words as they are."""
    aggregate: Literal["top3", "max"] = "top3"
    """multi_vector: a document is as similar as the mean of its three best chunks, or as its best."""
    fusion: Literal["rrf", "weighted"] = "rrf"
    """hybrid: by ranks (reciprocal rank fusion) or by scores."""
    weight: float = 0.5
    """hybrid, weighted: the share of the dense score, 0 to 1."""
    first: FirstStage = _USUAL
    """late_interaction, llm_reranker: what finds the candidates. graph: what ranks by text. Empty: the usual one."""
    depth: int = 0
    """late_interaction, llm_reranker: how many candidates are ranked again; 0: 50 and 20."""
    model: str | None = None
    """llm_reranker: a chat model's name; "demo" is the scripted one, which is no language model."""

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
        """The first stage where none is named."""
        return USUAL_FIRST.get(self.kind, "bm25")

    @property
    def candidates(self) -> int:
        """How many of the first stage are ranked again."""
        return self.depth or (50 if self.kind == "late_interaction" else 20)

    @property
    def said(self) -> dict[str, Any]:
        """The settings that differ from the defaults."""
        given = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        given["first"] = self.first, self.usual_first
        return {
            name: value for name, (value, usual) in given.items() if name not in ("kind", "name") and value != usual
        }

    @property
    def text(self) -> str:
        """As `read_spec` reads it: the kind, and what differs from the defaults.

        >>> Spec("bm25", k1=0.9).text, Spec("dense", embedder="st:some/model").text
        ('bm25:k1=0.9', 'dense:st:some/model')
        """
        plain = POSITIONAL.get(self.kind)
        # With its name where it would be taken for one.
        said = [
            str(value) if name == plain and "=" not in str(value) else f"{name}={value}"
            for name, value in self.said.items()
        ]
        return ":".join([self.kind, *([",".join(said)] if said else [])])

    @property
    def label(self) -> str:
        """What a leaderboard calls it."""
        return self.name or self.text


POSITIONAL: dict[RetrieverKind, str] = {
    "dense": "embedder",
    "multi_vector": "embedder",
    "hybrid": "embedder",
    "late_interaction": "embedder",
    "llm_reranker": "model",
    "graph": "knowledge",
}
"""What may stand after the colon without a name."""
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
"""The settings that each kind has."""


def read_spec(text: str) -> Spec:
    """What a person wrote.

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
    """In the type of the field; choices are checked here, since a dataclass does not."""
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
