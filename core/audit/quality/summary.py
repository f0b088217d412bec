"""The quality of a search in a few sentences that claim no more than the intervals allow."""

from __future__ import annotations

from core.audit.quality.types import QualityFacts


def summary(facts: QualityFacts) -> tuple[str, ...]:
    """A few plain sentences, the most important first."""
    first = facts.versions[0].evaluation
    return (f"{len(first.found_core_ids)} of {len(first.core_ids)} core publications were found.",)
