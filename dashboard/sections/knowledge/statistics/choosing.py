"""Which sets of queries stand side by side, and what they are held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard import cache, state
from dashboard.words import plain
from data.collections.bringing import load_queries
from data.collections.stored import CollectionRow, list_collections
from data.knowledge.statistics.query_words import (
    Chosen,
    Queries,
    Reference,
    reference_documents,
    reference_file,
    set_name,
)
from data.knowledge.statistics.query_words import reference_text as text_as_reference
from data.store import content_hash

AT_FIRST = 4
MOST_SETS = 12
MOST_MB = 20
NOTHING, TEXT, DOCUMENTS = "none", "text", "documents:"
SLASH = "/"
"""Between a collection and a part of it in the link; no collection's name holds it."""


@dataclass(frozen=True, eq=False)
class Choice:
    """What is chosen, loaded."""

    chosen: tuple[Chosen, ...]
    loaded: dict[str, Queries]
    reference: Reference | None
    queries_key: str
    """Changes with the collections and what is in them."""
    key: str
    """Changes with anything in it."""


def choose_sets() -> Choice | None:
    """None while there is nothing to choose, or nothing is chosen."""
    collections = list_collections(cache.workspace().store)
    if not collections:
        st.info(
            "There are no queries yet. Bring a collection in on the page Retrievers, or on the command line: "
            "`python -m dashboard get collection --from FOLDER`."
        )
        return None
    left, right = st.columns([0.64, 0.36])
    with left:
        chosen = _choose(collections)
    with right:
        kind = _choose_reference(collections)
    reference, reference_key = _reference(kind)
    if not chosen:
        st.info("Choose a set of queries.")
        return None
    names = dict.fromkeys(collection for collection, _ in chosen)
    states = [cache.collection_state(name) for name in names]
    loaded = {name: _load(name, now) for name, now in zip(names, states, strict=True)}
    queries_key = content_hash([*names, *states])
    return Choice(
        chosen, loaded, reference, queries_key, content_hash([queries_key, *map(repr, chosen), reference_key])
    )


def _choose(collections: Sequence[CollectionRow]) -> tuple[Chosen, ...]:
    options = {
        row.name if split is None else f"{row.name}{SLASH}{split}": (row.name, split)
        for row in collections
        for split in (None, *row.splits)
    }
    state.settle_many_named("sets", list(options), most=AT_FIRST)
    picked = st.multiselect(
        "Sets of queries",
        list(options),
        key="sets",
        format_func=lambda option: set_name(*options[option]) if option in options else option,
        max_selections=MOST_SETS,
        help="Collections of the workspace and the parts that they name: to train, to choose, to test, human.",
    )
    state.write_in_link("sets", picked)
    return tuple(options[option] for option in picked if option in options)


def _choose_reference(collections: Sequence[CollectionRow]) -> str:
    names = {f"{DOCUMENTS}{row.name}": row.name for row in collections if row.n_documents}
    options = [NOTHING, TEXT, *names]
    state.settle_named("reference", options)
    kind = st.selectbox(
        "Held against",
        options,
        key="reference",
        format_func=lambda option: {NOTHING: "No text", TEXT: "A text of mine"}.get(
            option, f"Documents of {names.get(option, option)}"
        ),
        help="A text whose wording is measured in the same way.",
    )
    state.write_in_link("reference", [kind] if kind != NOTHING else [])
    return str(kind)


def _reference(kind: str) -> tuple[Reference | None, str]:
    """The text, and what names it."""
    if kind == TEXT:
        return _own_text()
    if not kind.startswith(DOCUMENTS):
        return None, ""
    name = kind.removeprefix(DOCUMENTS)
    key = f"reference-{cache.collection_state(name)}"
    kept = cache.knowledge_found()
    if key not in kept:
        with st.spinner("Reading the documents"):
            kept[key] = reference_documents(cache.workspace().store, name)
    found: Reference = kept[key]
    if found.note:
        st.caption(plain(f"{found.name}: {found.note}."))
    return found, key


def _own_text() -> tuple[Reference | None, str]:
    """Pasted or uploaded; only the numbers of its words are kept."""
    left, right = st.columns(2)
    text = left.text_area("Text", key="reference-text", height=120, placeholder="Paste a text")
    file = right.file_uploader("Or a text file", key="reference-file", max_upload_size=MOST_MB)
    if file is not None:
        key, kept = f"reference-{file.file_id}", cache.knowledge_found()
        if key not in kept:
            kept[key] = reference_file(file.getvalue(), file.name)
        return kept[key], key
    if text.strip():
        return text_as_reference(text, "text"), content_hash([text])
    st.caption("There is no text yet.")
    return None, ""


def _load(name: str, now: str) -> Queries:
    kept, key = cache.knowledge_found(), f"queries-{name}-{now}"
    if key not in kept:
        kept[key] = load_queries(cache.workspace(), name)
    found: Queries = kept[key]
    return found
