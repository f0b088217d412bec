"""The whole audit as one document: a title page with the summaries, then the record, the peer reviews and the quality."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.document import Document


def whole(
    parts: Sequence[Document], *, topic: str, made_at: str, made_with: str, remarks: Sequence[str] = ()
) -> Document:
    """The parts in their order. `remarks`: what is missing and why, for the title page."""
    raise NotImplementedError
