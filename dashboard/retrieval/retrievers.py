"""Choose retrievers and their settings, by kind or by a name from the literature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.retrieval.leaderboard import (
    CITATION,
    KNOWLEDGE_BASES,
    PUBLISHED_METRICS,
    QUERY_PARTS,
    KnowledgeBase,
    QueryPart,
    published,
    published_for,
)
from core.retrieval.metrics import COMPATS, Compat, read_metric
from core.retrieval.specs import (
    CHOICES,
    OF_KIND,
    POSITIONAL,
    PRESETS,
    RETRIEVERS,
    RetrieverKind,
    RetrieverPreset,
    Spec,
    read_spec,
)
from dashboard import state
from dashboard.kit.components import Row, mount_files
from dashboard.kit.link_controls import choose_many, choose_one
from dashboard.messages import draw_problem, sentence
from dashboard.words import plain
from data.knowledge.bases import Holders
from data.retrieval.retrievers import destination_of, needs, settled
from data.retrieval.runs import DEPTH

BASE = ("bm25", "dense", "hybrid", "multi_vector", "late_interaction", "boolean", "llm_reranker:demo")
"""In the usual order of trying them; the first two are chosen by default."""
GRAPH = "graph"
"""Offered if a knowledge base holds the documents."""
DEPTHS = (DEPTH, 10, 1_000)
EMBEDDERS = ("lsa",)
NAMED: Mapping[str, Spec] = {
    preset.name: preset.spec for preset in PRESETS if preset.spec and replace(preset.spec, name="").text not in BASE
}
ONLY_PUBLISHED = {preset.name: preset.needs for preset in PRESETS if preset.spec is None}
STARK: Compat = COMPATS[0]
DEMO_MODEL = "demo, not a language model"
DEMO_SENTENCE = "A script that compares words, not a language model, scores a first stage's candidates."
SEE = "Published results are under Literature."
PLACEHOLDERS = {"model": "demo", "knowledge": "The one with these documents"}
SETTING_HELP = {
    "k1": "Saturation of repeated words; 0: repetitions don't count.",
    "b": "Penalty for long documents, 0 to 1.",
    "analysis": "With English stop words and stems, or exact words.",
    "aggregate": "The mean of a document's three best chunks, or its best one.",
    "fusion": "By ranks (reciprocal rank fusion), or by scores.",
    "weight": "The share of the dense score when scores are fused.",
    "first": "Text retriever: finds the candidates to rerank, or orders the entities that relations lead to.",
    "depth": "Number of candidates to rerank; 0: the default.",
    "model": "Name of the chat model; demo is a script, not a language model.",
    "embedder": "lsa, st:NAME_OR_FOLDER or openai:MODEL.",
    "knowledge": "Name of a knowledge base; empty: the one with the documents.",
}


@dataclass(frozen=True, slots=True)
class RetrieverChoice:
    spec: Spec
    """With its embedder."""
    name: str
    """Its name on the page; unique."""
    lacks: str | None
    """The missing requirement for running it here."""


def choose_retrievers(holders: Holders | None = None) -> tuple[tuple[str, ...], tuple[RetrieverChoice, ...]]:
    """Choose retrievers, below the choice of collection; return their text forms and the resulting requests.

    `holders`: the knowledge bases that may hold its documents.
    """
    has_graph = holders is not None and bool(holders.names())
    which, by = st.columns([0.72, 0.28], vertical_alignment="bottom")
    with by:
        embedder = _choose_embedder()
    with which:
        texts = _choose_texts((*BASE, GRAPH) if has_graph else BASE)
    wishes, refused = _wishes(texts, embedder, holders)
    for message in refused:
        draw_problem(message)
    st.caption("\n".join(_line(wish) for wish in wishes))
    return texts, wishes


def draw_more(texts: Sequence[str]) -> tuple[int, Compat | None]:
    with st.popover("More", icon=":material/tune:"):
        _draw_own(texts)
        return _choose_depth(), _choose_compat()


def _choose_texts(kinds: Sequence[str]) -> tuple[str, ...]:
    known = [*kinds, *NAMED, *ONLY_PUBLISHED]
    if not state.is_chosen("retrievers"):
        state.set_value("retrievers", list(BASE[:2]))
    asked = state.asked_for("retrievers")
    options = list(dict.fromkeys([*known, *asked]))
    chosen = choose_many(
        st,
        "Retrievers",
        options,
        "retrievers",
        most=2,
        format_func=lambda text: NAMES.get(text, text),
        accept_new_options=True,
        placeholder="Choose retrievers",
        help="Choose kinds or names from the literature, or write one with its settings, such as bm25:k1=0.9,b=0.4.",
    )
    return tuple(chosen)


def _choose_embedder() -> str:
    options = list(dict.fromkeys([*EMBEDDERS, *state.asked_for("by_model")]))
    state.settle_named("by_model", options)
    chosen = st.selectbox(
        "Embedder",
        options,
        key="by_model",
        accept_new_options=True,
        help="Embedder for dense, multi-vector and hybrid: lsa is computed on this machine from the documents; "
        "st:NAME_OR_FOLDER is a sentence-transformers model, onnx:FOLDER a model in ONNX format, openai:MODEL a model "
        "of a service.",
    )
    state.write_in_link("by_model", [chosen] if chosen and chosen != EMBEDDERS[0] else [])
    return str(chosen or EMBEDDERS[0])


def _wishes(
    texts: Sequence[str], embedder: str, holders: Holders | None
) -> tuple[tuple[RetrieverChoice, ...], list[str]]:
    specs: dict[str, Spec] = {}
    refused = []
    for text in texts:
        if text in ONLY_PUBLISHED:
            refused.append(f"{text} can't run here: it needs {ONLY_PUBLISHED[text]}. {SEE}")
            continue
        try:
            spec = settled(NAMED.get(text) or read_spec(text), embedder)
        except QueryscapeError as e:
            refused.append(str(e))
            continue
        specs.setdefault(spec.text, spec)
    short = {text: called(spec) for text, spec in specs.items()}
    taken = list(short.values())
    names = {text: name if taken.count(name) == 1 else text for text, name in short.items()}
    return tuple(RetrieverChoice(spec, names[text], needs(spec, holders)) for text, spec in specs.items()), refused


def called(spec: Spec) -> str:
    """Return the display name of a retriever.

    >>> called(Spec("bm25", k1=0.9)), called(Spec("dense", embedder="st:org/some-model"))
    ('BM25 (k1 0.9)', 'Dense (some-model)')
    >>> called(Spec("graph", knowledge="demo", embedder="lsa"))
    'Graph (demo, lsa)'
    """
    if spec.name:
        return spec.name
    parts = []
    for name, value in spec.changed_settings.items():
        if name == "model" and value == "demo":
            parts.append(DEMO_MODEL)
        elif name == POSITIONAL.get(spec.kind) or (spec.kind == GRAPH and name == "embedder"):
            parts.append(str(value).rstrip("/").rsplit("/", 1)[-1])
        else:
            parts.append(f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}")
    label = RETRIEVERS[spec.kind].label
    return f"{label} ({', '.join(parts)})" if parts else label


NAMES = {text: called(read_spec(text)) for text in (*BASE, GRAPH)}


def _line(wish: RetrieverChoice) -> str:
    kind = RETRIEVERS[wish.spec.kind]
    preset = next((preset for preset in PRESETS if preset.name == wish.spec.name), None)
    what = preset.sentence if preset else kind.sentence
    if wish.spec.kind == "llm_reranker" and wish.spec.model == "demo":
        what = DEMO_SENTENCE
    text = f"- **{plain(wish.name)}**: {plain(what)}"
    with suppress(InputError):  # what is wrong with the address shows when it runs
        if (place := destination_of(wish.spec)) is not None:
            text += f" {plain(place.words)}"
    if wish.lacks:
        lacks = preset.needs if preset else wish.lacks
        text += f" :material/block: **Can't run here: it needs {plain(lacks.rstrip('.'))}.**"
        if wish.spec.name:
            text += f" {SEE}"
    elif _asks_a_service(wish.spec):
        text += " It calls a service for every query, which may cost money."
    return text


def _asks_a_service(spec: Spec) -> bool:
    has_chat = spec.kind == "llm_reranker" and spec.model not in (None, "demo")
    return has_chat or str(spec.embedder or "").startswith("openai:")


def _draw_own(texts: Sequence[str]) -> None:
    st.caption("Add a retriever with its own settings to those above.")
    kinds = list(RETRIEVERS)
    kind: RetrieverKind = st.selectbox(
        "Retriever", kinds, index=1, key="own-kind", format_func=lambda kind: RETRIEVERS[kind].label
    )
    st.caption(plain(f"{RETRIEVERS[kind].sentence} Needs {RETRIEVERS[kind].needs}. {RETRIEVERS[kind].reference}."))
    settings = _choose_settings(kind)
    text = name = None
    try:
        own = replace(Spec(kind), **settings)
        text, name = own.text, called(own)
    except QueryscapeError as e:
        st.error(plain(sentence(str(e))))
    st.button(
        f"Add {plain(name)}" if name else "Add",
        key="add-own",
        icon=":material/add:",
        disabled=text is None or text in texts,
        on_click=state.set_value,
        args=("retrievers", [*texts, text]),
    )


def _choose_depth() -> int:
    depths = sorted(DEPTHS)
    state.settle_named("kept", [str(DEPTH), *(str(depth) for depth in depths)])
    depth = st.segmented_control(
        "Documents per ranking",
        [str(depth) for depth in depths],
        key="kept",
        required=True,
        help="Metrics look no deeper. A different number starts new runs.",
    )
    state.write_in_link("kept", [str(depth)] if depth != str(DEPTH) else [])
    return int(depth or DEPTH)


def _choose_compat() -> Compat | None:
    chosen = choose_one(
        st.selectbox,
        "Scoring rules",
        ["", STARK],
        "scored_as",
        usual="",
        names={"": "standard definitions", STARK: f"{STARK}: the rules of STaRK's published code"},
        help="To reproduce STaRK's tables: its rules on ties, and documents without a score just below the lowest.",
        width=400,
    )
    return STARK if chosen == STARK else None


def _choose_settings(kind: RetrieverKind) -> dict[str, Any]:
    """Draw a control for each setting of this kind; defaults are omitted from the result."""
    names = OF_KIND[kind]
    if not names:
        st.caption("It has no settings.")
        return {}
    found: dict[str, Any] = {}
    defaults = {field.name: field.default for field in fields(Spec)}
    for place, column in enumerate(st.columns(min(len(names), 3)) * 3):
        if place >= len(names):
            break
        name, default = names[place], defaults[names[place]]
        with column:
            found[name] = _choose_setting(kind, name, default)
    return {name: value for name, value in found.items() if value is not None and value != ""}


def _choose_setting(kind: RetrieverKind, name: str, default: object) -> object:
    key, label, words = f"own-{kind}-{name}", name if name in ("k1", "b") else name.capitalize(), SETTING_HELP.get(name)
    if name in CHOICES:
        usual = getattr(Spec(kind), name)
        return st.selectbox(label, CHOICES[name], CHOICES[name].index(usual), key=key, help=words)
    if isinstance(default, float):
        most = 1.0 if name in ("b", "weight") else 100.0
        return st.number_input(label, 0.0, most, default, 0.05, key=key, help=words)
    if isinstance(default, int):
        return st.number_input(label, 0, 1_000, default, 10, key=key, help=words)
    typed = st.text_input(label, key=key, help=words, placeholder=PLACEHOLDERS.get(name, "As above"))
    return " ".join(typed.split()).replace(",", " ")


# Retrievers of the literature: a description, the requirements here, and published results.

MOST_COMPLETE: QueryPart = "synthesized, 10 %"
PUBLISHED = ", published"
SECONDS = f"Seconds per query{PUBLISHED}"
NOTE = "Published by others, on their machines and their copy of the data; nothing in these columns was measured here."


def draw_literature(collection: str, split: str | None) -> None:
    base, part = _choose(collection, split)
    st.caption(plain(f"{NOTE} {CITATION}."))
    rows = [_row(preset, base, part) for preset in PRESETS]
    shown = [{**row, **{column: _digits(row[column], column) for column in _numbers(row)}} for row in rows]
    right = dict.fromkeys(_numbers(rows[0]), st.column_config.TextColumn(alignment="right"))
    right["Retriever"] = st.column_config.TextColumn(width=150, pinned=True)
    st.dataframe(shown, hide_index=True, key="literature", height="content", column_config=right)
    mount_files(rows, key="literature", name=f"retrievers {base} {part}", description=NOTE)
    for name in [preset.name for preset in PRESETS if (row := published(preset.name, base, part)) and row.oddity]:
        row = published(name, base, part)
        st.caption(plain(f"{name}: {row.oddity if row else ''}."))


def _choose(collection: str, split: str | None) -> tuple[KnowledgeBase, QueryPart]:
    near = published_for(collection, split)
    # The part with the most published results comes first.
    parts = sorted(QUERY_PARTS, key=lambda part: part != MOST_COMPLETE)
    bases = list(KNOWLEDGE_BASES)
    if near:
        bases = [near[0].knowledge_base, *(base for base in bases if base != near[0].knowledge_base)]
        parts = [near[0].part, *(part for part in parts if part != near[0].part)]
    left, right = st.columns(2)
    base = choose_one(left.selectbox, "Published on", bases, "published_on")
    part = choose_one(right.selectbox, "Queries, published", parts, "published_part", format_func=str.capitalize)
    return base, part


def _numbers(row: Row) -> list[str]:
    return [column for column in row if column.endswith(PUBLISHED)]


def _digits(value: object, column: str) -> str:
    """Format a value with the same number of digits in every row; a dash if nothing was published."""
    if not isinstance(value, int | float):
        return "–"
    return f"{value:.2f}" if column == SECONDS else f"{value:.4f}"


def _row(preset: RetrieverPreset, base: KnowledgeBase, part: QueryPart) -> Row:
    found = published(preset.name, base, part)
    lacks = preset.needs if preset.spec is None or needs(preset.spec) else None
    return {
        "Retriever": preset.name,
        **{f"{read_metric(m).label}{PUBLISHED}": found.share(m) if found else None for m in PUBLISHED_METRICS},
        SECONDS: found.seconds if found else None,
        "Here": "can be run" if lacks is None else f"needs {lacks}",
        "Description": preset.sentence,
        "Model": preset.model or "–",
        "Reference": preset.reference,
    }
