"""A judge beside itself: whether it says the same when it is asked the same again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import MisalignedError
from core.judging.agreement import Agreed, krippendorff_alpha
from core.judging.trust.resampling import Estimate, clustered_mean, clustered_share


@dataclass(frozen=True, slots=True)
class Repeated:
    """One triple, and what it got each time; None where there was no grade."""

    query_id: str
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """How steady a judge is, in points of the rubric."""

    n_times: int
    """How often each triple was asked, the first time included."""
    n_asked: int
    """Triples that were asked so often."""
    share_same: Estimate
    """Of those with a grade every time; its `n` says how many these are."""
    mean_range: Estimate
    largest_range: int | None
    alpha: Agreed
    """Krippendorff's, ordinal; grades that are missing are left out."""

    @property
    def n_incomplete(self) -> int:
        """Triples without a grade at least once: they say nothing here, neither good nor bad."""
        return self.n_asked - self.share_same.n


def consistency(repeated: Sequence[Repeated], *, seed: int = 0) -> Consistency:
    """From all times together. Every triple must have been asked equally often."""
    times = {len(each.points) for each in repeated}
    if len(times) > 1:
        raise MisalignedError(f"some triples were asked {min(times)} times and others {max(times)} times")
    whole = [(each.query_id, [p for p in each.points if p is not None]) for each in repeated]
    n_times = max(times, default=0)
    kept = [(query_id, points) for query_id, points in whole if len(points) == n_times and n_times > 1]
    queries = [query_id for query_id, _ in kept]
    ranges = [max(points) - min(points) for _, points in kept]
    return Consistency(
        n_times=n_times,
        n_asked=len(repeated),
        share_same=clustered_share([not each for each in ranges], queries, seed=seed),
        mean_range=clustered_mean([float(each) for each in ranges], queries, seed=seed),
        largest_range=max(ranges, default=None),
        alpha=krippendorff_alpha([points for _, points in whole], level="ordinal"),
    )
