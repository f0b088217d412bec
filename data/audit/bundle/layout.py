"""What a bundle holds, where each file stands in it, and how large it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.audit.press.domains import Review
from core.audit.quality.summary import QualityFacts
from core.audit.types import AuditFacts
from core.audit.whole import ReportKind
from core.errors import FormatError

FORMAT = "queryscape-bundle"
VERSION = 1
MANIFEST = "manifest.json"
LOCK = "lock.json"
README = "README.txt"
ABSTRACTS_TABLE = "abstracts.csv"
MAKING = "facts/making.json"
AUDIT = "facts/audit.json"
QUALITY = "facts/quality.json"
REVIEWS = "facts/reviews.json"
ABSTRACTS = "facts/abstracts.json"
LARGEST_MANIFEST = 4 * 1024 * 1024
LARGEST_ZIP = 256 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024
LARGEST_BUNDLE = 512 * 1024 * 1024
"""Of all files together, once they are unpacked."""
LARGEST_RATIO = 200
"""How many times larger the files may be than the zip; small bundles may be up to `HARMLESS`."""
HARMLESS = 32 * 1024 * 1024
MOST_FILES = 5_000
LONGEST_NAME = 200
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)", re.IGNORECASE)
"""Names that are no files on Windows, whatever follows the dot."""
_SLUG = re.compile(r"[^a-z0-9]+")


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


@dataclass(frozen=True, slots=True)
class Making:
    """When, with what and as what a bundle was written."""

    made_at: str
    """ISO 8601 in UTC."""
    made_with: str
    """Queryscape and its version; empty: no report says so."""
    python: str
    platform: str
    software: tuple[tuple[str, str], ...]
    """What counted and drew the numbers, each with its version."""
    reports: tuple[ReportEntry, ...]


@dataclass(frozen=True, slots=True)
class BundleSummary:
    """What was written."""

    n_files: int
    n_bytes: int
    """Of the zip itself."""
    sha256: str
    """Of the zip: the same facts give the same sum."""
    has_abstracts: bool


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle that was read: every file is there, and each is the one that the manifest tells of."""

    name: str
    """What the file is called."""
    making: Making
    files: Mapping[str, bytes]
    """Every file by its name, without the manifest."""
    lock: Mapping[str, object]
    audit: AuditFacts
    quality: QualityFacts
    reviews: tuple[Review, ...] = ()
    """The peer reviews, in the order of the reports of kind press."""
    abstracts: Mapping[str, str] | None = None
    """By publication; None: left out, as nobody asked for them."""

    @property
    def made_at(self) -> str:
        """ISO 8601 in UTC."""
        return self.making.made_at

    @property
    def made_with(self) -> str:
        """Queryscape and its version."""
        return self.making.made_with

    @property
    def reports(self) -> tuple[ReportEntry, ...]:
        """What reports it holds."""
        return self.making.reports


def is_safe_name(name: str) -> bool:
    r"""Whether a file of this name lies within the bundle on every system.

    >>> is_safe_name("tables/quality/scores.csv")
    True
    >>> is_safe_name("../secret"), is_safe_name("C:\\x"), is_safe_name("/etc")
    (False, False, False)
    >>> is_safe_name("tables/con/scores.csv"), is_safe_name("tables/scores.")
    (False, False)
    """
    if len(name) > LONGEST_NAME or _NAME.fullmatch(name) is None or ".." in name:
        return False
    return not any(_DEVICE.match(part) or part.endswith(".") for part in name.split("/"))


def slug(text: str, *, most: int = 40) -> str:
    """Words that may stand in the name of a file.

    >>> slug("Bäume & Hitze (2)"), slug("気温")
    ('b-ume-hitze-2', 'version')
    """
    return _SLUG.sub("-", text.lower())[:most].strip("-") or "version"


def table_file(report: str, table: str) -> str:
    """Where a table stands."""
    return f"tables/{report}/{table}.csv"


def figure_file(report: str, figure: str) -> str:
    """Where a figure stands."""
    return f"figures/{report}/{figure}.svg"


def report_file(report: str) -> str:
    """Where a report stands as text."""
    return f"reports/{report}.md"
