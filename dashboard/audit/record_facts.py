"""The facts of a topic's record, gathered once and kept until one of them changes."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.audit.strategies import AuditFacts
from dashboard import cache
from data.audit.reports import gather_audit
from data.audit.reviews import reviews
from data.audit.searches import answers
from data.library.records import apart, load_sources
from data.library.searches import load_searches
from data.sources.runs import live_runs
from data.store import content_hash

MOST_KEPT = 8


def known_of(topic_id: str) -> AuditFacts:
    """Return all recorded facts, with the current answers."""
    kept, key = cache.kept("audit-facts", MOST_KEPT), _state(topic_id)

    def gather() -> AuditFacts:
        with st.spinner("Gathering the record", show_time=True):
            return gather_audit(cache.workspace(), topic_id)

    facts = kept.of(key, gather)
    return replace(facts, answers=answers(cache.workspace().store, topic_id))


def _state(topic_id: str) -> str:
    """Return a key that changes with all gathered facts, except the answers, which are loaded each time."""
    store = cache.workspace().store
    versions = [
        "\n".join(map(str, (v.label, v.name, v.text, v.dialect, v.semantics, row.retrieved_hash, row.corpus_state)))
        for row in store.versions(topic_id)
        for v in (row.version,)
    ]
    runs = [f"{run.run_id} {run.state} {run.label}" for run in live_runs(store, topic_id)]
    signed = [f"{each.review_id} {each.state} {each.written_at}" for each in reviews(store, topic_id)]
    kept_apart = sorted("\n".join(pair) for pair in apart(store, topic_id))  # undecided pairs depend on it
    table = [repr(search) for search in load_searches(store, topic_id)]
    roles = [f"{source.source_id} {source.role}" for source in load_sources(store, topic_id)]
    parts = (str(cache.workspace().paths.root), topic_id, store.topic_state(topic_id))
    return content_hash([*parts, *versions, *runs, *signed, *kept_apart, *table, *roles])
