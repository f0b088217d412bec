"""What the tool notices in one version's string, for its peer review."""

from __future__ import annotations

from dataclasses import dataclass

from core.audit.press.types import DomainReview
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Gathered:
    """The string and the evidence, domain by domain."""

    text: str
    dialect: str | None
    counted_in: str
    domains: tuple[DomainReview, ...]


def gather_evidence(workspace: Workspace, topic_id: str, label: str, embedder: str | None = None) -> Gathered:
    """Evidence of all six domains. Vectors are not needed; with some, words that are missing are told better."""
    raise NotImplementedError
