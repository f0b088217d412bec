"""Create and import embeddings for a topic."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.protocols import OnStage
from core.text import many, upper_first
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.status import JobFamily, draw_end, watch, why_locked
from dashboard.visits import is_switched_off, upload_limit
from dashboard.words import plain
from data.explore.embedding import EmbedPreview, EmbedRequest
from data.models.destination import USUAL_ADDRESS, find_destination
from data.models.embedders import OPENAI_DEFAULT
from data.models.local_embedders import EXTRA
from data.models.onnx_model import EXTRA as ONNX_EXTRA
from data.store import content_hash

KINDS = {
    "lsa": "LSA: local, fitted to the topic's texts",
    "openai": "OpenAI-compatible service",
    "onnx": "Local model in ONNX format (light)",
    "sentence_transformers": "Local sentence-transformers model",
    "npz": "Your own vectors from a file",
}
LOCAL_MODELS = {
    "onnx": ("onnxruntime", ONNX_EXTRA, "Folder with model.onnx and tokenizer.json", "/models/all-MiniLM-L6-v2"),
    "sentence_transformers": (
        "sentence_transformers",
        EXTRA,
        "Name or folder",
        "intfloat/multilingual-e5-small",
    ),
}
"""By provider: the library it needs, how to install it, and the label and example of its field."""
EMBEDDING_JOBS = JobFamily("embed", lane="long")


def draw_vectors(topic_id: str) -> None:
    _draw_table(topic_id)
    st.header("Add vectors")
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
        return
    job = EMBEDDING_JOBS.find(topic_id)
    if job is not None and not job.is_over:
        st.markdown(f"{plain(job.title)}. Finished batches are saved.")
        watch(job)
        return
    draw_end(job)
    kind = st.selectbox("Method", list(KINDS), format_func=KINDS.__getitem__, key="vectors-how")
    if kind == "npz":
        _draw_bringing()
    elif wish := _wish(kind):
        _draw_embedding(topic_id, wish)


def _draw_table(topic_id: str) -> None:
    coverage = cache.workspace().catalogue.coverage(topic_id)
    if not coverage:
        st.caption("This topic has no vectors yet. LSA vectors are computed when you open the Workbench.")
        return
    rows = [
        {
            "Embedder": c.embedding.embedder,
            "Publications with vectors": f"{c.n_with_vectors:,} of {c.n_publications:,}",
            "Dimensions": c.embedding.n_dimensions,
            "Scope": "this topic" if c.embedding.topic_id else "any topic",
        }
        for c in coverage
    ]
    st.dataframe(rows, hide_index=True)
    st.caption("Choose the embedder to use in the Workbench; similarity thresholds depend on it.")


def _wish(kind: str) -> EmbedRequest | None:
    if kind == "lsa":
        return EmbedRequest("lsa")
    if is_switched_off("Any other model"):
        return None
    if kind == "openai":
        left, right = st.columns(2)
        model = left.text_input("Model", OPENAI_DEFAULT, key="openai-model").strip()
        address = right.text_input("Address (default: OpenAI)", key="openai-url", placeholder="http://...").strip()
        try:
            place = find_destination(address or None, "the address")
        except InputError as e:
            st.error(plain(upper_first(str(e)) + "."), icon=":material/error:")
            return None
        st.caption(plain(place.words))
        if not place.key and place.address == USUAL_ADDRESS:
            st.caption("Set the key before you start Queryscape, or enter the address of a service that needs none.")
            return None
        return EmbedRequest("openai", model=model or None, base_url=address or None)
    library, extra, label, example = LOCAL_MODELS[kind]
    if find_spec(library) is None:
        st.info(plain(extra), icon=":material/download:")
        return None
    name = st.text_input(label, key=f"{kind}-name", placeholder=example).strip()
    return EmbedRequest(kind, model=name) if name else None


def _draw_embedding(topic_id: str, wish: EmbedRequest) -> None:
    try:
        preview = cache.embed_preview(topic_id, _state(topic_id), wish)
    except QueryscapeError as e:
        st.error(plain(upper_first(str(e)) + "."), icon=":material/error:")
        return
    st.markdown(plain(_cost(preview)))
    if preview.n_new and st.button(f"Embed {many(preview.estimate.n_texts, 'text')}", key="embed", type="primary"):
        start_embedding(topic_id, wish)
        st.rerun()


def _state(topic_id: str) -> str:
    """Return a key that changes with the topic's texts and vectors."""
    workspace = cache.workspace()
    covered = [f"{c.embedding.fingerprint}:{c.n_with_vectors}" for c in workspace.catalogue.coverage(topic_id)]
    jobs = EMBEDDING_JOBS.find(topic_id)
    return content_hash([str(workspace.paths.root), workspace.store.topic_state(topic_id), str(id(jobs)), *covered])


def _cost(preview: EmbedPreview) -> str:
    if not preview.n_new:
        return f"Every publication with text already has a {preview.embedder} vector. Nothing to embed."
    estimate = preview.estimate
    parts = [f"{many(estimate.n_texts, 'text')} to embed"]
    if estimate.n_tokens:
        parts.append(f"about {estimate.n_tokens:,} tokens")
    if estimate.dollars is None:
        parts.append("price of this model unknown")
    elif estimate.dollars:
        parts.append(f"about ${estimate.dollars:.2f} (prices of {estimate.as_of})")
    else:
        parts.append("free")
    return ", ".join(parts) + "."


def start_embedding(topic_id: str, wish: EmbedRequest) -> Job:
    """Start embedding in the background; finished batches are kept in any case."""

    def work(on_stage: OnStage) -> None:
        on_progress = on_stage(f"embedding with {wish.model or wish.embedder}")
        cache.workspace().embed(topic_id, wish, on_progress=on_progress)

    return EMBEDDING_JOBS.start(topic_id, f"Embedding {topic_id}", work)


def _draw_bringing() -> None:
    st.caption("An .npz with the arrays ids (publication ids as in exports) and vectors, one row each.")
    with st.form("npz", border=False, clear_on_submit=False):
        file = st.file_uploader("File (.npz)", max_upload_size=upload_limit(500), key=f"npz-{state.flag('npz')}")
        model = st.text_input("Model name", key="npz-model", placeholder="specter2")
        if not st.form_submit_button("Import"):
            return
    try:
        if file is None:
            raise InputError("choose a file")
        message = _bring(file.getvalue(), model.strip())
    except QueryscapeError as e:
        st.error(plain(upper_first(str(e)) + "."), icon=":material/error:")
        return
    state.raise_flag("npz")
    state.say_once("library", message)
    st.rerun()


def _bring(data: bytes, model: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "the-file.npz"
        path.write_bytes(data)
        try:
            report = cache.workspace().add_vectors(path, model)
        except QueryscapeError as e:
            raise InputError(str(e).replace(str(path), "the file")) from e
    whole = (
        f"{many(len(report.topics), 'topic')} can now use them" if report.topics else "No topic has enough vectors yet"
    )
    return f"{many(report.n_with_vectors, 'vector')} of {model} imported. {whole}."
