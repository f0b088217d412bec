"""What the tool notices in one version's string, for its peer review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from core.audit.press.concepts import Counted, Grounds
from core.audit.press.domains import DOMAINS, DomainReview, Evidence
from core.audit.press.words import evidence_by_domain
from core.audit.types import SearchFacts
from core.errors import InputError, NoCoreError
from core.query.matching.matched import Semantics, match, none_of, of_rows
from core.query.reading.parser import parse
from core.query.tree import ParsedQuery
from core.query.weighing.contributions import Asked, Stakes
from core.query.writing.printing import writer_for
from core.settings import EvaluationSettings
from core.types import Ids
from data.audit.gathering.live import live_search
from data.desk import set_up
from data.index import CorpusIndex
from data.lookup import check_topic, version_named
from data.running import dialect_of
from data.sources.fetching.runs import live_runs
from data.store import VersionRow
from data.workspace import Workspace

MOST_NODES = 5_000
"""Larger strings are not counted part by part."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The string and the evidence, domain by domain."""

    text: str
    dialect: str | None
    counted_in: str
    domains: tuple[DomainReview, ...]


def gather_evidence(workspace: Workspace, topic_id: str, label: str, embedder: str | None = None) -> Gathered:
    """Evidence of all six domains. Vectors are not needed; with some, words that are missing are told better."""
    row = _row(workspace, topic_id, label)
    version = row.version
    if not version.text.strip():
        raise InputError(f'version "{label}" has no search string: give it its string, then it can be reviewed')
    named = dialect_of(version)
    parsed = parse(version.text, named)
    n = len(workspace.store.searchable_ids(topic_id))
    where = f"the {n:,} publication{'' if n == 1 else 's'} of this topic"
    counted = None
    is_large = len(parsed.nodes) > MOST_NODES
    if parsed.root is not None and n and not is_large:
        counted = _counted(workspace, topic_id, parsed, _semantics(version.semantics), embedder)
    found = evidence_by_domain(Grounds(parsed, named is not None, counted, where, _live(workspace, row)))
    if is_large:
        note = Evidence(f"The string has {len(parsed.nodes):,} parts, too many to count what each finds.", look=True)
        found = tuple(
            DomainReview(d.domain, (note, *d.evidence), d.tables) if d.domain == DOMAINS[0].id else d for d in found
        )
    return Gathered(version.text, parsed.dialect, where, found)


def _row(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    """Also a version that was never run: its string can be reviewed all the same."""
    check_topic(workspace.store, topic_id)
    rows = {row.version.label: row for row in workspace.store.versions(topic_id)}
    return rows[label] if label in rows else version_named(workspace.store, topic_id, label)


def _semantics(written: str | None) -> Semantics:
    return next((each for each in get_args(Semantics) if each == written), "literal")


def _counted(
    workspace: Workspace, topic_id: str, parsed: ParsedQuery, semantics: Semantics, embedder: str | None
) -> Counted:
    """The string matched over what the topic has today."""
    assert parsed.root is not None
    core_ids = _core_ids(workspace, topic_id)
    corpus = workspace.corpora.of(topic_id)
    rows = corpus.rows_of_ids(core_ids)
    stakes = _stakes(workspace, topic_id, corpus, core_ids, embedder)
    asked = Asked(
        text=parsed.text,
        matched=match(parsed.root, corpus, semantics),
        corpus=corpus,
        texts=corpus.texts,
        semantics=semantics,
        stakes=stakes,
        writer=writer_for(parsed.dialect),
    )
    titles = {p.publication_id: p.title for p in workspace.publications(core_ids)}
    names = {int(row): titles.get(corpus.ids[int(row)], "") for row in rows}
    return Counted(asked, names, len(core_ids))


def _core_ids(workspace: Workspace, topic_id: str) -> Ids:
    try:
        return workspace.store.load_core(topic_id).ids
    except NoCoreError:
        return ()


def _stakes(workspace: Workspace, topic_id: str, corpus: CorpusIndex, core_ids: Ids, embedder: str | None) -> Stakes:
    """What is core; with an embedder also what is close to it."""
    if embedder is not None and core_ids:
        return set_up(workspace, topic_id, embedder).stakes
    n = len(corpus.ids)
    core = of_rows(corpus.rows_of_ids(core_ids), n)
    return Stakes(core, len(core_ids), none_of(n), none_of(n), EvaluationSettings())


def _live(workspace: Workspace, row: VersionRow) -> SearchFacts | None:
    """How a live source ran it."""
    store = workspace.store
    runs = live_runs(store, row.version.topic_id)
    run = next((run for run in runs if run.state == "done" and run.label == row.version.label), None)
    return None if run is None else live_search(store, row, run)
