"""What a bundle holds, where each file stands in it, and how large it may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.audit.document import ReportKind
from core.audit.quality.types import QualityFacts
from core.audit.types import AuditFacts
from core.errors import FormatError

FORMAT = "queryscape-bundle"
VERSION = 1
MANIFEST = "manifest.json"
LOCK = "lock.json"
README = "README.txt"
REPORTS = "facts/reports.json"
LARGEST_MANIFEST = 4 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024
LARGEST_BUNDLE = 512 * 1024 * 1024
"""Of all files together, once they are unpacked."""
MOST_FILES = 5_000


class NewerBundleError(FormatError):
    """The bundle was written by a later Queryscape."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """What the manifest says of one file."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """A report as the bundle keeps it: enough to build it again from the facts."""

    name: str
    """Unique in the bundle: its kind, with a number from the second of a kind on."""
    kind: ReportKind
    title: str
    made_at: str
    made_with: str
    review_id: str | None = None
    """The peer review that it shows; None: it shows none."""


@dataclass(frozen=True, slots=True)
class BundleSummary:
    """What was written."""

    n_files: int
    n_bytes: int
    """Of the zip itself."""
    sha256: str
    """Of the zip: the same facts give the same sum on every machine."""
    has_abstracts: bool


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle that was read: every file is there, none was edited."""

    name: str
    """What the file is called."""
    made_at: str
    made_with: str
    """Queryscape and its version."""
    files: Mapping[str, bytes]
    """Every file by its name, without the manifest."""
    lock: Mapping[str, object]
    audit: AuditFacts
    quality: QualityFacts
    reports: Sequence[ReportEntry] = ()
    abstracts: Mapping[str, str] | None = None
    """None: left out, as nobody asked for them."""
    reviews: Sequence[object] = field(default_factory=tuple)
    """The peer reviews that the reports show."""
