"""From what is asked to a report and on to a file: the one place where gathering meets the documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.audit.document import Document, ReportKind
from core.audit.press.types import Review
from core.audit.quality.types import QualityFacts
from core.audit.types import AuditFacts
from core.settings import EvaluationSettings
from core.types import Ids
from data.cases import OnStage, silent
from data.clock import Clock, utc_now
from data.workspace import Workspace

FileFormat = Literal["docx", "md", "json", "zip"]
"""What is written here; HTML is written by `dashboard.reports`. zip: a bundle."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which report of what."""

    kind: ReportKind
    topic_id: str
    labels: Ids | None = None
    """Which versions; None: every one that was run or brought and is not hidden."""
    embedder: str | None = None
    """None: the only one there is."""
    settings: EvaluationSettings = EvaluationSettings()
    abstracts: bool = False
    """Whether abstracts leave with it."""


@dataclass(frozen=True, eq=False)
class Made:
    """A report with all that it was made from."""

    asked: Asked
    document: Document
    """What was asked for, in one piece."""
    parts: tuple[Document, ...]
    """The reports that it consists of, in their order; the document itself where it is one of a kind."""
    made_at: str
    audit: AuditFacts
    quality: QualityFacts | None
    """None: not asked for, or there is none, see `without_quality`."""
    reviews: tuple[Review, ...]
    """The peer reviews of the versions, in the order of the documents of kind press."""
    abstracts: Mapping[str, str] | None
    """By publication; None: nobody asked for them."""
    without_quality: str = ""
    """Why there is no quality report in an audit; empty: there is one, or it was not asked for."""


def make(workspace: Workspace, asked: Asked, *, clock: Clock = utc_now, on_stage: OnStage = silent) -> Made:
    """Gather, then build. Nothing is written, and nothing is sent."""
    raise NotImplementedError


def file_bytes(made: Made, form: FileFormat) -> bytes:
    """The report in one of the formats that lie here. A bundle needs the quality report."""
    raise NotImplementedError
