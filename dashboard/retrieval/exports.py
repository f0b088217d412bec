"""Downloads for other evaluation programs: a collection or a topic in BEIR's layout, judgments and runs of TREC."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.collections import Collection
from core.errors import InputError
from core.types import Ids
from dashboard import cache
from dashboard.kit.components import draw_download
from dashboard.messages import sentence
from dashboard.words import plain
from data.retrieval.collections import collection_state, topic_as_query, version_run
from data.retrieval.evaluation_files import beir_files, beir_zip, trec_qrels
from data.retrieval.runs import write_run

READERS = "For BEIR, ir_measures, trec_eval, ranx and Pyserini."


@dataclass(frozen=True, slots=True)
class ExportCheck:
    """The mistake that stops each file, if any, and notes on both."""

    beir: str | None
    qrels: str | None
    notes: Ids


def draw_collection_export(collection: Collection, state: str) -> None:
    """Draw the downloads of a collection. `state` changes with anything in it."""
    st.caption(READERS)
    _draw_files(lambda: collection, f"collection-files {state}", _stem(collection.name), "collection")


def draw_topic_export(topic_id: str, labels: list[str]) -> None:
    """Draw the downloads of a topic as one query, and of the results of its versions. `labels`: versions that ran."""
    workspace = cache.workspace()
    state = collection_state(workspace, f"topic:{topic_id}")
    stem = _stem(topic_id)
    st.caption(
        f"{READERS} The topic is one query, named like the topic, and its core publications are relevant to it. "
        "The run holds the results of a version."
    )
    _draw_files(lambda: topic_as_query(cache.workspace(), topic_id), f"topic-files {state}", stem, "topic")
    if not labels:
        return
    left, right = st.columns([0.5, 0.5], vertical_alignment="bottom")
    label = left.selectbox("Version", labels, key="export-topic-version")
    with right:
        draw_download(
            "Run (TREC)",
            lambda: _run_bytes(topic_id, label),
            file_name=f"{stem}_{_stem(label)}.run",
            mime="text/plain",
            width="stretch",
            key="export-topic-run",
        )
    st.caption(
        "A question is written as it was ranked. Other results are a set: every publication scores 1, so measure them "
        "without ranks, for example with SetP and SetR."
    )


def _draw_files(load: Callable[[], Collection], key: str, stem: str, name: str) -> None:
    check: ExportCheck = cache.ranked().of(key, lambda: _check(load()))
    left, right = st.columns(2)
    with left:
        draw_download(
            "BEIR (.zip)",
            lambda: beir_zip(beir_files(load())),
            file_name=f"{stem}_beir.zip",
            mime="application/zip",
            width="stretch",
            disabled=check.beir is not None,
            key=f"export-{name}-beir",
        )
    with right:
        draw_download(
            "Qrels (TREC)",
            lambda: trec_qrels(load().judgments).content,
            file_name=f"{stem}.qrels",
            mime="text/plain",
            width="stretch",
            disabled=check.qrels is not None,
            key=f"export-{name}-qrels",
        )
    for text in dict.fromkeys([check.beir, check.qrels, *check.notes]):
        if text:
            st.caption(plain(sentence(text)))


def _check(collection: Collection) -> ExportCheck:
    """Find what stops an export, before anything is offered."""
    beir, notes = _problem(lambda: beir_files(collection).notes)
    if not collection.judgments:
        return ExportCheck(beir, "there are no judgments", notes)
    qrels, more = _problem(lambda: trec_qrels(collection.judgments).notes)
    return ExportCheck(beir, qrels, (*notes, *more))


def _problem(make: Callable[[], Ids]) -> tuple[str | None, Ids]:
    try:
        return None, make()
    except InputError as e:
        return str(e), ()


def _run_bytes(topic_id: str, label: str) -> bytes:
    run, is_ranked = version_run(cache.workspace(), topic_id, label)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        write_run(run, path, is_ranked=is_ranked)
        return path.read_bytes()


def _stem(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name.lower()).strip("-.")[:60] or "export"
