"""A bundle is written: the same facts give the same bytes, whenever they are written."""

from __future__ import annotations

import hashlib
import io
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import BinaryIO

from core.audit.press.domains import Review
from core.audit.quality.summary import QualityFacts
from core.audit.types import AuditFacts
from core.audit.whole import Document
from core.errors import InputError
from data.audit.bundle.archive import write_archive
from data.audit.bundle.checking import check_quality
from data.audit.bundle.contents import Facts, contents, report_entries
from data.audit.bundle.layout import BundleSummary, Making
from data.files import written_aside

PACKAGES = {"NumPy": "numpy", "SciPy": "scipy", "scikit-learn": "scikit-learn", "umap-learn": "umap-learn"}
"""What vectors, regions and landscapes are counted with: as it is called, and as it is installed."""


def write_bundle(
    file: Path | BinaryIO,
    audit: AuditFacts,
    quality: QualityFacts,
    documents: Sequence[Document],
    *,
    made_at: str,
    abstracts: Mapping[str, str] | None = None,
    reviews: Sequence[Review] = (),
) -> BundleSummary:
    """Write the zip; a path gets it whole or not at all.

    `documents`: the reports that it holds, not the audit that unites them. `reviews`: in the order of the documents of
    kind press. `abstracts` by publication; None: left out.
    """
    if sum(document.kind == "press" for document in documents) > len(reviews):
        raise InputError("a bundle with a peer review needs the review itself")
    check_quality(quality)
    making = Making(
        made_at=made_at,
        made_with=documents[0].made_with if documents else "",
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}".strip(),
        software=_software(),
        reports=report_entries(documents),
    )
    files = contents(Facts(audit, quality, making, tuple(reviews), abstracts), documents)
    out = io.BytesIO()
    write_archive(out, files)
    content = out.getvalue()
    if isinstance(file, Path):
        with written_aside(file) as opened:
            opened.write(content)
    else:
        file.write(content)
    return BundleSummary(
        n_files=len(files) + 1,
        n_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        has_abstracts=abstracts is not None,
    )


def _software() -> tuple[tuple[str, str], ...]:
    found = []
    for name, package in PACKAGES.items():
        try:
            found.append((name, version(package)))
        except PackageNotFoundError:
            continue
    return tuple(found)
