"""How what a string retrieves stands against the core publications in use, those held out, and all."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.matching.bits import Bits, count
from core.query.weighing.stakes import Stakes
from core.ranking.significance import wilson
from core.writer.types import Judged, Standing


@dataclass(frozen=True, eq=False)
class Sides:
    """What decides a string's worth, by the core publications that count; each side has a region of its own."""

    used: Stakes
    """Those that whoever writes may see; the same as `whole` where none are held out."""
    held_out: Stakes | None
    whole: Stakes


def standing(stakes: Stakes, retrieved: Bits) -> Standing:
    """A retrieved set against some core publications."""
    n_found = count(stakes.core & retrieved)
    return Standing(
        n_core=stakes.n_core,
        n_found=n_found,
        recall=stakes.recall(retrieved),
        recall_interval=wilson(n_found, stakes.n_core),
        semantic_precision=stakes.semantic_precision(retrieved) if stakes.accepted.any() else None,
        f_beta=stakes.f_beta(retrieved) if stakes.accepted.any() else None,
    )


def judged(sides: Sides, retrieved: Bits) -> Judged:
    """A retrieved set against each side."""
    return Judged(
        n_retrieved=count(retrieved),
        used=standing(sides.used, retrieved),
        held_out=None if sides.held_out is None else standing(sides.held_out, retrieved),
        whole=standing(sides.whole, retrieved),
    )
