"""The versions of a topic on one strip: the core that each finds, and the number of publications to read."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.errors import QueryscapeError
from core.settings import EvaluationSettings
from dashboard import cache, state
from dashboard.explore.versions import rerun_without
from dashboard.jobs import Job
from dashboard.kit.components import mount_part
from dashboard.messages import guarded
from dashboard.state import Selection
from dashboard.status import JobFamily, repeat_until_over
from data.explore.versions import HistoryEntry
from data.store import content_hash

PART = "versions_strip"
AGAIN_AFTER_MS = 900
SCORE_JOBS = JobFamily("version-scores")


@st.fragment
def draw_versions(selection: Selection) -> None:
    """Draw a dot for each version that was run. A click on one opens it."""
    with guarded():
        rerun_without(selection)
        entries = [entry for entry in cache.versions_of(selection.topic_id) if entry.row.n_retrieved is not None]
        if len(entries) < 2:
            return
        ask = state.take_ask(PART)
        if ask and ask.get("label") in {entry.row.version.label for entry in entries}:
            state.choose_version_next(str(ask["label"]))
            st.rerun()
        scores, missing = _scores(selection, entries)
        document = {
            "topic": selection.topic_id,
            "opened": selection.label,
            "newest": max(entries, key=lambda entry: entry.row.version.number).row.version.label,
            "versions": [_version(entry, scores) for entry in entries],
            "seq": state.last_ask(PART),
        }
        mount_part(PART, document, key=PART, states=("ask",))
        job = _start_scores(selection, missing) if missing else None
        repeat_until_over(job, "version-scores", AGAIN_AFTER_MS)


def _version(entry: HistoryEntry, scores: dict[str, float | None]) -> dict[str, Any]:
    version = entry.row.version
    return {
        "label": version.label,
        "name": version.name,
        "parent": entry.made_from,
        "is_run": version.semantics is not None and version.name is None and version.note is None,
        "n_retrieved": entry.row.n_retrieved,
        "n_found": entry.n_core_found,
        "n_core": entry.n_core,
        "f_beta": scores.get(version.label),
    }


def _scores(selection: Selection, entries: list[HistoryEntry]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return F2 of the versions where it is cached, and the cache keys of the others."""
    workspace = cache.workspace()
    embedding = workspace.embedding(selection.topic_id, selection.embedder)
    of_all = (embedding.fingerprint, workspace.store.core_hash(selection.topic_id))
    kept = cache.version_scores()
    keys = {
        entry.row.version.label: content_hash([entry.row.version.query_id, entry.row.retrieved_hash or "", *of_all])
        for entry in entries
    }
    return (
        {label: kept[key] for label, key in keys.items() if key in kept},
        {label: key for label, key in keys.items() if key not in kept},
    )


def _start_scores(selection: Selection, missing: dict[str, str]) -> Job:
    def work(_: object) -> None:
        for label, key in missing.items():
            cache.version_scores()[key] = _f_beta(selection, label)

    return SCORE_JOBS.start_latest(content_hash(list(missing.values())), "Scoring the versions", work)


def _f_beta(selection: Selection, label: str) -> float | None:
    try:
        evaluation = cache.workspace().evaluate(
            selection.topic_id,
            label,
            embedder=selection.embedder,
            settings=EvaluationSettings(),
            regions=("cosine",),
        )
    except QueryscapeError:
        return None
    return evaluation.regions["cosine"].f_beta
