"""Which core publications keywords of what is not wanted would remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.query.matching.bits import Bits, rows_of
from core.writer.looking import LookUp
from core.writer.types import Keyword


@dataclass(frozen=True, slots=True)
class Excluded:
    """What one negative keyword takes away."""

    keyword: Keyword
    core_rows: tuple[int, ...]
    """Rows of the core publications that have it, in the corpus."""


def excluded_core(negative: Sequence[Keyword], look_up: LookUp, core: Bits) -> tuple[Excluded, ...]:
    """The core publications that each negative keyword removes, keyword by keyword; those that remove none too."""
    return tuple(Excluded(keyword, tuple(rows_of(look_up(keyword) & core).tolist())) for keyword in negative)
