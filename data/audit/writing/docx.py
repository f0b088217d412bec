"""A report as DOCX."""

from __future__ import annotations

from typing import BinaryIO

from core.audit.document import Document


def write_docx(document: Document, file: BinaryIO) -> None:
    """Writes the whole report."""
    raise NotImplementedError
