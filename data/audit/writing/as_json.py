"""A report as JSON: its blocks in their order, values at full precision."""

from __future__ import annotations

from typing import Any

from core.audit.document import Document


def document_json(document: Document) -> dict[str, Any]:
    """Everything that the report holds."""
    raise NotImplementedError
