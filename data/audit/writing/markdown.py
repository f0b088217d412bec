"""A report as Markdown (CommonMark with the tables of GitHub): what stands in it stays text."""

from __future__ import annotations

from core.audit.document import Document


def markdown(document: Document) -> str:
    """The whole report."""
    raise NotImplementedError
