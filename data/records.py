"""What the workspace takes in and hands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from core.judging.agreement import Interval
from core.types import Ids, Origin, RegionKind
from data.store import VersionRow


class ImportedVersion(Protocol):
    """A version as collections hand it over."""

    @property
    def label(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def origin(self) -> Origin: ...
    @property
    def retrieved_ids(self) -> Ids | None: ...


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A topic as lists show it."""

    topic_id: str
    made_up: bool
    n_core: int
    embedders: tuple[str, ...]
    versions: tuple[VersionRow, ...]


@dataclass(frozen=True, slots=True)
class LandscapeEffect:
    """What a version's scores owe to the picture."""

    seed_ranges: Mapping[RegionKind, Interval]
    """Lowest and highest semantic precision of each landscape region over six seeds."""
    changed_decisions: Mapping[RegionKind, int]
    """Publications that a landscape region decides differently from its twin in the embedding space."""

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> LandscapeEffect:
        ranges = {kind: Interval(*ends) for kind, ends in document["seed_ranges"].items()}
        return cls(ranges, document["changed_decisions"])
