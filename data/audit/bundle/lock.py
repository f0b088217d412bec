"""The lock file: what would have to be the same for the same search to give the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from core.audit.quality.summary import QualityFacts, VersionFacts
from core.audit.types import AuditFacts, SearchFacts
from data.audit.bundle.encoding import Encoder
from data.audit.bundle.layout import Making

LOCK_FORMAT = "queryscape-lock"
LOCK_VERSION = 1


def lock(audit: AuditFacts, quality: QualityFacts, making: Making) -> Mapping[str, object]:
    """Everything by name; what is not known is null."""
    found: dict[str, object] = {
        "format": LOCK_FORMAT,
        "version": LOCK_VERSION,
        "topic": quality.topic_id,
        "made_up": quality.made_up,
        "made_at": making.made_at,
        "made_with": making.made_with,
        "python": making.python,
        "platform": making.platform,
        "software": {**dict(audit.software), **dict(making.software)},
        "corpus": {"hash": quality.corpus_hash, "n_publications": quality.n_corpus},
        "core": {"hash": quality.core_hash, "n_publications": audit.n_core},
        "embedder": asdict(quality.embedder),
        "landscape": None if quality.landscape is None else asdict(quality.landscape),
        "versions": [_version(version) for version in quality.versions],
        "searches": [_search(search) for search in audit.searches],
        "files": [asdict(file) for file in audit.files],
        "deduplication": asdict(audit.deduplication),
        "reports": [{"name": each.name, "title": each.title, "made_at": each.made_at} for each in making.reports],
    }
    # Settings may hold numbers that JSON can't write.
    encoded = Encoder().encode(found, "facts")
    assert isinstance(encoded, dict)
    return encoded


def _version(version: VersionFacts) -> dict[str, object]:
    evaluation = version.evaluation
    return {
        "label": version.label,
        "number": version.number,
        "name": version.name,
        "origin": version.origin,
        "made_at": version.made_at,
        "text": version.text,
        "dialect": version.dialect,
        "semantics": version.semantics,
        "n_searched": version.n_searched,
        "n_retrieved": evaluation.n_retrieved,
        "n_without_vector": len(version.unscored_ids),
        "retrieved_hash": version.retrieved_hash,
        "projection_id": evaluation.projection_id,
        "settings": asdict(evaluation.settings),
        "regions": {kind: dict(scores.defines) for kind, scores in evaluation.regions.items()},
    }


def _search(search: SearchFacts) -> dict[str, object]:
    """The search as it was written and as it was sent."""
    return asdict(search)
