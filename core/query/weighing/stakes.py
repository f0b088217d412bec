"""What a set of publications is worth: core publications, semantic precision and F-beta, by counting bits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.metrics import decay, f_beta, recall, semantic_precision
from core.query.matching.bits import Bits, count, of_rows, rows_of
from core.settings import EvaluationSettings
from core.types import Floats

Counts = npt.NDArray[np.int64]


def counts(stack: Bits) -> Counts:
    """How many rows each set of a stack holds."""
    n: Counts = np.bitwise_count(stack).sum(axis=-1, dtype=np.int64)
    return n


@dataclass(frozen=True, slots=True)
class Price:
    """What changes from one retrieved set to another."""

    n_added: int
    """Publications newly retrieved."""
    n_removed: int
    semantic_precision_added: float | None
    """Of those newly retrieved; None: none of them can be scored."""
    core_gained: tuple[int, ...]
    """Rows of core publications newly retrieved."""
    core_lost: tuple[int, ...]
    f_beta_change: float | None
    """None: one of the two sets has no F-beta."""


@dataclass(frozen=True, eq=False)
class Stakes:
    """What decides the worth of any retrieved set of one corpus under the cosine region.

    The region accepts the same publications whatever was retrieved, so every score is a count of bits.
    """

    core: Bits
    """Core publications that are in the corpus."""
    n_core: int
    """All core publications, also those that are not in the corpus."""
    scorable: Bits
    """Publications with a vector."""
    accepted: Bits
    """Those that the cosine region accepts."""
    settings: EvaluationSettings
    """Where decay and beta come from."""

    def recall(self, retrieved: Bits) -> float:
        """Share of the core publications in the set."""
        return recall(n_found=count(self.core & retrieved), n_core=self.n_core)

    def semantic_precision(self, bits: Bits) -> float | None:
        """Share of the set that the region accepts; None: nothing of it can be scored."""
        scorable = self.scorable & bits
        return semantic_precision(n_relevant=count(self.accepted & scorable), n_scorable=count(scorable))

    def f_beta(self, retrieved: Bits) -> float | None:
        """F-beta of the cosine region; None: nothing of the set can be scored."""
        score = float(self.f_betas(retrieved[None])[0])
        return None if np.isnan(score) else score

    def f_betas(self, stack: Bits) -> Floats:
        """The same for many sets at once, one in each row; NaN where it is undefined."""
        scorable = counts(stack & self.scorable)
        relevant = stack & (self.accepted & self.scorable)
        n_relevant, n_accepted_core = counts(relevant), counts(relevant & self.core)
        share = n_relevant / np.maximum(scorable, 1) * decay(n_relevant, **self.settings.decay_curve)
        found = n_accepted_core / max(self.n_core, 1)
        return np.where(scorable > 0, f_beta(share, found, beta=self.settings.beta), np.nan)

    def price(self, before: Bits, after: Bits) -> Price:
        """What it brings and costs to retrieve `after` in place of `before`."""
        added, removed = after & ~before, before & ~after
        old, new = self.f_betas(np.stack([before, after])).tolist()
        change = new - old
        return Price(
            n_added=count(added),
            n_removed=count(removed),
            semantic_precision_added=self.semantic_precision(added),
            core_gained=tuple(rows_of(added & self.core).tolist()),
            core_lost=tuple(rows_of(removed & self.core).tolist()),
            f_beta_change=None if np.isnan(change) else change,
        )

    def with_core(self, rows: npt.NDArray[np.integer], n_core: int, n: int) -> Stakes:
        """The same region with only some of the core publications as truth. `n`: publications in the corpus."""
        return replace(self, core=of_rows(rows, n), n_core=n_core)
