"""What is recorded of a topic's searches, gathered for its audit."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from core.audit.press.domains import Review, edited_parts, holds_since
from core.audit.types import AuditFacts, ReviewFacts, SearchFacts
from core.audit.whole import VERSION
from core.types import Ids
from data.audit.answers import answers
from data.audit.gathering.duplicates import deduplication
from data.audit.gathering.here import file_facts, file_search, local_search, told_by_identifiers
from data.audit.gathering.live import live_search, unfinished_runs
from data.audit.reviews import reviews
from data.library.tables import SourceRow, load_sources
from data.lookup import check_topic, version_named
from data.sources.fetching.runs import LiveRun, live_runs
from data.store import VersionRow
from data.workspace import Workspace

PACKAGES = {"DuckDB": "duckdb", "Tantivy": "tantivy", "NumPy": "numpy", "HTTPX": "httpx"}
"""What stores, matches, counts and fetches: as it is called, and as it is installed."""


def gather_audit(workspace: Workspace, topic_id: str, labels: Ids | None = None) -> AuditFacts:
    """Everything recorded about the searches of one topic. None: every version that was run or brought, not hidden."""
    store = workspace.store
    check_topic(store, topic_id)
    topic = next(t for t in store.topics() if t.topic_id == topic_id)
    rows = _rows(workspace, topic_id, labels)
    runs, sources = live_runs(store, topic_id), load_sources(store, topic_id)
    live_files = {run.file_id for run in runs if run.file_id}
    files = [source for source in sources if source.content_hash is not None and source.source_id not in live_files]
    shown = {row.version.label for row in rows}
    everything = any(row.over_corpus for row in rows)  # what is run here finds what any file brought
    reported = [s.source_id for s in sources if s.role.kind != "core" and (everything or s.role.label in shown)]
    over = "the files and searches that this topic's publications came from" if everything else "the reported searches"
    reviewed = tuple(map(_review, (r for r in reviews(store, topic_id) if r.version in shown)))
    identified = told_by_identifiers(store, topic_id) if files else {}
    return AuditFacts(
        topic_id=topic_id,
        made_up=topic.made_up,
        n_core=topic.n_core,
        searches=tuple(_search(workspace, row, runs, files) for row in rows),
        files=tuple(file_facts(file, identified.get(file.source_id, "")) for file in files),
        deduplication=deduplication(workspace, topic_id, reported, over),
        answers=answers(store, topic_id),
        software=_software(),
        n_reviews_signed=sum(review.signed_at is not None for review in reviewed),
        reviews=reviewed,
        unfinished=unfinished_runs(runs),
        n_corpus=len(store.searchable_ids(topic_id)),
        n_found=_n_found(workspace, rows),
    )


def _review(review: Review) -> ReviewFacts:
    """One that was changed after it was signed is no longer signed."""
    signed_at, edited = holds_since(review), edited_parts(review)
    return ReviewFacts(review.version, review.reviewer.name, signed_at, review.overall or "", edited)


def _rows(workspace: Workspace, topic_id: str, labels: Ids | None) -> list[VersionRow]:
    """The versions to report, in the order of their numbers."""
    if labels is None:
        return [row for row in workspace.store.versions(topic_id) if row.retrieved_hash is not None]
    found = {label: version_named(workspace.store, topic_id, label) for label in labels}
    return sorted(found.values(), key=lambda row: row.version.number)


def _search(workspace: Workspace, row: VersionRow, runs: Sequence[LiveRun], files: Sequence[SourceRow]) -> SearchFacts:
    label = row.version.label
    run = next((run for run in runs if run.state == "done" and run.label == label), None)
    if run is not None:
        return live_search(workspace.store, row, run)
    if row.over_corpus:
        return local_search(workspace, row)
    return file_search(row, [source for source in files if source.role.label == label])


def _n_found(workspace: Workspace, rows: Sequence[VersionRow]) -> int | None:
    """Different publications in all of them together."""
    ran = [row.version.query_id for row in rows if row.retrieved_hash is not None]
    if not ran:
        return None
    sql = "SELECT count(DISTINCT publication_id) FROM retrieved WHERE query_id IN (SELECT unnest($ids::VARCHAR[]))"
    return int(workspace.store.rows(sql, {"ids": ran})[0][0])


def _software() -> tuple[tuple[str, str], ...]:
    found = [("Queryscape", VERSION), ("Python", platform.python_version())]
    for name, package in PACKAGES.items():
        try:
            found.append((name, version(package)))
        except PackageNotFoundError:
            continue
    return tuple(found)
