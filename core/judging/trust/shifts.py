"""What a change of the texts does to grades, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.judging.trust.resampling import Estimate, clustered_mean, clustered_share

NO_ROOM_UP = "all had the highest grade already"
NO_ROOM_DOWN = "all had the lowest grade already"


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One triple and its changed twin."""

    query_id: str
    before: int
    after: int | None
    """None: asked, and no grade came of it."""
    triple_key: str = ""
    """Tells triples apart that are changed in several ways; empty: each pair is a triple of its own."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How a change moves grades, in points of the rubric."""

    shift: Estimate
    share_changed: Estimate
    share_raised: Estimate
    """Of those below the highest grade."""
    share_lowered: Estimate
    """Of those above the lowest."""
    mean_before: float | None
    mean_after: float | None
    n_triples: int
    """Different ones among the pairs with a grade on both sides."""
    n_without: int
    """Changed triples that have no grade: neither moved nor unmoved, only counted."""

    @property
    def n(self) -> int:
        """Pairs with a grade on both sides."""
        return self.shift.n


def shift_of(pairs: Sequence[BeforeAfter], *, lowest: int, highest: int, seed: int = 0) -> Shift:
    """From all pairs; those without a grade after the change are counted and left out."""
    kept = [(pair.query_id, pair.before, pair.after) for pair in pairs if pair.after is not None]
    queries = [query_id for query_id, _, _ in kept]
    moves = [after - before for _, before, after in kept]
    up = [place for place, (_, before, _) in enumerate(kept) if before < highest]
    down = [place for place, (_, before, _) in enumerate(kept) if before > lowest]
    n = len(kept)
    return Shift(
        shift=clustered_mean([float(move) for move in moves], queries, seed=seed),
        share_changed=clustered_share([move != 0 for move in moves], queries, seed=seed),
        share_raised=_among(up, [move > 0 for move in moves], queries, NO_ROOM_UP if n else "", seed),
        share_lowered=_among(down, [move < 0 for move in moves], queries, NO_ROOM_DOWN if n else "", seed),
        mean_before=sum(before for _, before, _ in kept) / n if n else None,
        mean_after=sum(after for _, _, after in kept) / n if n else None,
        n_triples=len({pair.triple_key or str(place) for place, pair in enumerate(pairs) if pair.after is not None}),
        n_without=len(pairs) - n,
    )


def _among(places: Sequence[int], holds: Sequence[bool], queries: Sequence[str], reason: str, seed: int) -> Estimate:
    if not places and reason:
        return Estimate(None, 0, None, reason)
    return clustered_share([holds[place] for place in places], [queries[place] for place in places], seed=seed)
