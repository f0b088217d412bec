"""The PRISMA-S appendix and the PRISMA 2020 numbers as one report."""

from __future__ import annotations

from core.audit.document import Document
from core.audit.types import AuditFacts


def prisma_s(facts: AuditFacts, *, made_at: str, made_with: str) -> Document:
    """All sixteen items, then the flow diagram with its numbers."""
    return Document("prisma-s", "PRISMA-S", facts.topic_id, (), made_at, made_with, facts.made_up)
