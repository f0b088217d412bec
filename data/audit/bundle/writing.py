"""A bundle is written: the same facts give the same bytes, whenever and wherever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from core.audit.document import Document
from core.audit.quality.types import QualityFacts
from core.audit.types import AuditFacts
from data.audit.bundle.layout import BundleSummary


def write_bundle(
    file: Path | BinaryIO,
    audit: AuditFacts,
    quality: QualityFacts,
    documents: Sequence[Document],
    *,
    made_at: str,
    abstracts: Mapping[str, str] | None = None,
    reviews: Sequence[object] = (),
) -> BundleSummary:
    """Write the zip; a path gets it whole or not at all. `reviews`: in the order of the documents of kind press."""
    raise NotImplementedError
