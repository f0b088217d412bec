"""Surveys that a workspace holds already: publications whose titles say that they are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.query.matching.matched import match, rows_of
from core.studies.core_sets import SurveyKind, needles, survey_words
from core.types import Ids, Publication
from data.index import CorpusIndex
from data.indexing import in_memory
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Candidate:
    """A publication that calls itself a survey."""

    publication: Publication
    topics: Ids
    """Topics that have it among their publications."""
    survey_of: Ids
    """Topics whose core publications it has named already."""


def candidates(workspace: Workspace, topic_ids: Sequence[str], kind: SurveyKind) -> tuple[Candidate, ...]:
    """Publications of these topics, and their own surveys, that match the template's words; the most cited first."""
    root = survey_words(kind)
    likely = _likely(workspace, needles(root))
    if not likely:
        return ()
    found = workspace.store.load_publications(likely)
    matched = match(root, CorpusIndex(in_memory(found)), "literal").root
    kept = [] if matched is None else [found[row] for row in rows_of(matched)]
    ids = [p.publication_id for p in kept]
    homes, surveys = _homes(workspace, topic_ids, ids), _surveys(workspace, topic_ids, ids)
    listed = [
        Candidate(p, homes.get(p.publication_id, ()), surveys.get(p.publication_id, ()))
        for p in kept
        if p.publication_id in homes or p.publication_id in surveys
    ]
    return tuple(sorted(listed, key=lambda c: (-(c.publication.times_cited or 0), c.publication.title)))


def _likely(workspace: Workspace, pieces: Sequence[str]) -> Ids:
    """Those that hold a piece of any term in their title: a few, so that the matcher need not index the rest."""
    found = workspace.store.rows(
        """
        SELECT DISTINCT publication_id
        FROM publications, (SELECT unnest($pieces::VARCHAR[]) AS piece)
        WHERE contains(strip_accents(lower(title)), piece) ORDER BY publication_id
        """,
        {"pieces": list(pieces)},
    )
    return tuple(publication_id for (publication_id,) in found)


def _homes(workspace: Workspace, topic_ids: Sequence[str], ids: Sequence[str]) -> dict[str, Ids]:
    found = workspace.store.rows(
        """
        SELECT DISTINCT publication_id, topic_id FROM (
            SELECT publication_id, topic_id FROM core_publications
            UNION ALL
            SELECT publication_id, v.topic_id FROM retrieved JOIN query_versions AS v USING (query_id)
            UNION ALL
            SELECT publication_id, topic_id FROM corpus
        )
        WHERE publication_id IN (SELECT unnest($ids::VARCHAR[]))
        AND topic_id IN (SELECT unnest($topics::VARCHAR[])) ORDER BY ALL
        """,
        {"ids": list(ids), "topics": list(topic_ids)},
    )
    return _by_publication(found)


def _surveys(workspace: Workspace, topic_ids: Sequence[str], ids: Sequence[str]) -> dict[str, Ids]:
    found = workspace.store.rows(
        """
        SELECT DISTINCT survey_id, topic_id FROM core_publications
        WHERE survey_id IN (SELECT unnest($ids::VARCHAR[])) AND topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY ALL
        """,
        {"ids": list(ids), "topics": list(topic_ids)},
    )
    return _by_publication(found)


def _by_publication(rows: Sequence[tuple[str, str]]) -> dict[str, Ids]:
    found: dict[str, list[str]] = {}
    for publication_id, topic_id in rows:
        found.setdefault(publication_id, []).append(topic_id)
    return {publication_id: tuple(topics) for publication_id, topics in found.items()}
