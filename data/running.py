"""Runs the text of a query over a topic's publications."""

from __future__ import annotations

from core.errors import InputError
from core.protocols import OnProgress
from core.query.boolean import parse_boolean, words_of
from core.text import publication_text
from core.types import Ids, QueryVersion
from data.lookup import check_topic
from data.store import Store, VersionRow, content_hash

BATCH = 2_000
LONGEST_QUERY = 20_000


def matching_ids(store: Store, topic_id: str, text: str, on_progress: OnProgress | None = None) -> Ids:
    """The topic's publications whose title and abstract match."""
    if len(text) > LONGEST_QUERY:
        raise InputError(f"the query has {len(text):,} characters, more than {LONGEST_QUERY:,}: shorten it")
    query = parse_boolean(text)
    ids = store.topic_publication_ids(topic_id)
    found: list[str] = []
    for start in range(0, len(ids), BATCH):
        for p in store.load_publications(ids[start : start + BATCH]):
            if query.matches(words_of(publication_text(p.title, p.abstract))):
                found.append(p.publication_id)
        if on_progress:
            on_progress(min(start + BATCH, len(ids)), len(ids))
    return tuple(found)


def run_query(store: Store, topic_id: str, text: str, on_progress: OnProgress | None = None) -> VersionRow:
    """A new version of the topic's query; the one there is, if this text was run before."""
    check_topic(store, topic_id)
    wording = " ".join(text.split())
    versions = store.versions(topic_id)
    for row in versions:
        if row.over_corpus and " ".join(row.version.text.split()) == wording:
            return row
    retrieved_ids = matching_ids(store, topic_id, text, on_progress)
    number = max((row.version.number for row in versions), default=0) + 1
    labels = {row.version.label for row in versions}
    label = next(name for n in range(number, number + len(labels) + 1) if (name := f"v{n}") not in labels)
    version = QueryVersion(content_hash([topic_id, label]), topic_id, label, number, text.strip(), "manual")
    with store.transaction():
        store.save_version(version, retrieved_ids, over_corpus=True)
    return VersionRow(version, len(retrieved_ids), content_hash(retrieved_ids), over_corpus=True)
