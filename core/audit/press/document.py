"""A review as a document, in the order of the form."""

from __future__ import annotations

from core.audit.document import Document
from core.audit.press.types import Review


def press_document(review: Review, *, made_at: str, made_with: str) -> Document:
    """Request, string, each domain with its evidence, verdict, comments and reply, then the whole and the signature."""
    raise NotImplementedError
