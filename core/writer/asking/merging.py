"""One row for each keyword, with all who proposed it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.writer.types import Keyword, Proposal


@dataclass(frozen=True, slots=True)
class Merged:
    """A keyword with everybody who proposed it."""

    keyword: Keyword
    """As the first of them wrote it."""
    proposals: tuple[Proposal, ...]


def merged(proposals: Iterable[Proposal]) -> tuple[Merged, ...]:
    """In the order in which keywords first came; two with one key are one."""
    rows: dict[str, list[Proposal]] = {}
    for each in proposals:
        rows.setdefault(each.keyword.key, []).append(each)
    return tuple(Merged(found[0].keyword, tuple(found)) for found in rows.values())
