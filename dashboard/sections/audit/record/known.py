"""What is known of a topic's searches, gathered once and kept until something in the workspace changes."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.audit.types import AuditFacts
from dashboard import cache
from data.audit.gathering.here import answers
from data.audit.reports import gather_audit
from data.audit.reviews import reviews
from data.library.tables import apart
from data.sources.fetching.journal import live_runs
from data.store import content_hash

MOST_KEPT = 8


def known_of(topic_id: str) -> AuditFacts:
    """Everything recorded, with what was said as of now."""
    kept, key = cache.kept("audit-facts", MOST_KEPT), _state(topic_id)
    if key not in kept:
        with st.spinner("Gathering what is recorded", show_time=True):
            kept[key] = gather_audit(cache.workspace(), topic_id)
    facts: AuditFacts = kept[key]
    return replace(facts, answers=answers(cache.workspace().store, topic_id))


def _state(topic_id: str) -> str:
    """Changes with all that is gathered, but for the answers, which are read anew each time."""
    store = cache.workspace().store
    versions = [
        "\n".join(map(str, (v.label, v.name, v.text, v.dialect, v.semantics, row.retrieved_hash, row.corpus_state)))
        for row in store.versions(topic_id)
        for v in (row.version,)
    ]
    runs = [f"{run.run_id} {run.state} {run.label}" for run in live_runs(store, topic_id)]
    signed = [f"{each.review_id} {each.state} {each.written_at}" for each in reviews(store, topic_id)]
    kept_apart = sorted("\n".join(pair) for pair in apart(store, topic_id))  # what is undecided changes with it
    parts = (str(cache.workspace().paths.root), topic_id, store.topic_state(topic_id))
    return content_hash([*parts, *versions, *runs, *signed, *kept_apart])
