"""Strings of several origins over many topics: which is better where, by how much, and whether that is clear.

LitQEval asks this twice: baseline against generated over all topics, and both beside the review's own string over the
topics that have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from core.ranking.significance import EXACT_QUERIES, LEVEL, Interval
from core.settings import EvaluationSettings
from core.studies.scores import Column, TopicScores, column_label
from core.types import Floats, Origin
from core.writer.types import Gain
from core.writer.verdict import standing_of

EXPERIMENTS: tuple[tuple[Origin, ...], ...] = (("baseline", "generated"), ("baseline", "review", "generated"))
GAIN_BETA = EvaluationSettings().beta
"""What writes judges by it, whatever beta the strings are compared by."""
FEWEST = 6
"""Topics from which a difference can be clear: with five, one of 32 patterns of signs is already 3 % of them."""
N_DRAWN = 10_000
"""Sets of topics that are drawn where there are too many to take them all."""
TIE = 5e-4
"""A smaller difference does not show in three digits after the point."""


@dataclass(frozen=True, slots=True)
class TopicStrings:
    """What is compared in one topic."""

    topic_id: str
    scores: Mapping[Origin, TopicScores]
    gain: Gain | None = None
    """Of the generated string over the topic's name, on core publications that nobody who wrote it knew; None: it
    was not written here, or none were held out."""

    def counted(self, origin: Origin, what: Column) -> float | None:
        """A number, if it is there and says something."""
        scores = self.scores.get(origin)
        return None if scores is None or scores.degenerate(what) else scores.value(what)


def by_topic(
    scores: Iterable[tuple[Origin, TopicScores]], gains: Mapping[str, Gain] | None = None
) -> tuple[TopicStrings, ...]:
    """One row for each topic, by name."""
    found: dict[str, dict[Origin, TopicScores]] = {}
    for origin, of in scores:
        found.setdefault(of.topic_id, {})[origin] = of
    return tuple(TopicStrings(topic, found[topic], (gains or {}).get(topic)) for topic in sorted(found))


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of one number for each origin, over the same topics."""

    values: Mapping[Origin, float]
    """Empty: no topic has the number for all of them."""
    n_topics: int


def mean_of(rows: Sequence[TopicStrings], origins: Sequence[Origin], what: Column) -> Mean:
    """Over the topics in which every origin has the number, so that the means can be compared.

    >>> mean_of((), ("baseline", "generated"), Column("recall"))
    Mean(values={}, n_topics=0)
    """
    whole = [values for row in rows if None not in (values := [row.counted(origin, what) for origin in origins])]
    if not whole:
        return Mean({}, 0)
    means = {origin: fmean(v[place] or 0.0 for v in whole) for place, origin in enumerate(origins)}
    return Mean(means, len(whole))


@dataclass(frozen=True, slots=True)
class Paired:
    """One number of B against that of A, topic by topic."""

    a: str
    b: str
    column: Column
    wins: int
    """Topics in which B is higher."""
    losses: int
    ties: int
    mean: float | None
    """B minus A; None: no topic has both."""
    interval: Interval | None
    """What the mean may be; None: too few topics to tell."""
    n_left_out: int = 0
    """Topics in which one of the two is undefined or says nothing."""

    @property
    def n_topics(self) -> int:
        """Topics that have both."""
        return self.wins + self.losses + self.ties

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not hold 0."""
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


def paired(
    a: str, b: str, what: Column, values: Mapping[str, tuple[float | None, float | None]], *, seed: int = 0
) -> Paired:
    """From the two numbers of each topic.

    >>> found = paired("baseline", "generated", Column("recall"), {"Tea": (0.2, 0.5), "Nets": (0.5, 0.4)})
    >>> found.wins, found.losses, round(found.mean or 0, 3), found.interval
    (1, 1, 0.1, None)
    """
    pairs = [(one, other) for one, other in values.values() if one is not None and other is not None]
    differences = np.array([other - one for one, other in pairs], dtype=np.float64)
    wins, losses = int((differences >= TIE).sum()), int((differences <= -TIE).sum())
    return Paired(
        a=a,
        b=b,
        column=what,
        wins=wins,
        losses=losses,
        ties=len(pairs) - wins - losses,
        mean=float(differences.mean()) if len(pairs) else None,
        interval=mean_interval(differences, seed=seed),
        n_left_out=len(values) - len(pairs),
    )


def paired_over(rows: Sequence[TopicStrings], a: Origin, b: Origin, what: Column, *, seed: int = 0) -> Paired:
    """The same from what is compared; what says nothing does not count."""
    both = [row for row in rows if a in row.scores and b in row.scores]
    values = {row.topic_id: (row.counted(a, what), row.counted(b, what)) for row in both}
    return paired(a, b, what, values, seed=seed)


def pairs_of(origins: Sequence[Origin]) -> tuple[tuple[Origin, Origin], ...]:
    """Every two of them, the earlier one first.

    >>> pairs_of(("baseline", "review", "generated"))
    (('baseline', 'review'), ('baseline', 'generated'), ('review', 'generated'))
    """
    return tuple(combinations(origins, 2))


def mean_interval(differences: Floats, *, seed: int = 0) -> Interval | None:
    """Which mean differences fit, 95 %: those that a sign-flip test over topics would not refuse.

    Both ends on one side of 0: the difference is clear. Formula: the means of all non-empty sets of topics, in order,
    cut the line into pieces that hold the true mean equally often; the outer 2.5 % on either side are left out. Up to
    14 topics take every set, more take 10,000 that are drawn. It supposes that differences fall evenly around their
    mean, and that the topics stand for others like them. Undefined below 6 topics. Reference: Hartigan (1969).

    >>> mean_interval(np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.3]))
    Interval(low=0.1, high=0.3)
    """
    n = len(differences)
    if n < FEWEST:
        return None
    ordered = np.sort(differences)  # so that the order of topics does not matter to what is drawn
    if n <= EXACT_QUERIES:
        taken = (np.arange(1, 2**n)[:, None] >> np.arange(n) & 1).astype(np.float64)
    else:
        taken = np.random.default_rng(seed).integers(0, 2, size=(N_DRAWN, n)).astype(np.float64)
        taken = taken[taken.any(axis=1)]
    means = np.sort(taken @ ordered / taken.sum(axis=1))
    outside = int((1 - LEVEL) / 2 * (len(means) + 1))
    low, high = np.round(means[[outside - 1, -outside]], 12)  # sums that differ by their order only are the same
    return Interval(float(low), float(high))


def sentence_of(found: Paired, *, beta: float = 2.0) -> str:
    """What a paired comparison says, in a sentence or two that claim no more than it shows."""
    name = column_label(found.column, beta)
    n = found.n_topics
    if found.mean is None:
        return f"{name}: no topic has it for both {found.a} and {found.b}."
    digits = 1 if found.column.metric.startswith("n_") else 3
    of = f"{n} topic" if n == 1 else f"{n} topics"
    where = f"{found.b} is higher than {found.a} in {found.wins} of {of} and lower in {found.losses}"
    said = f"{name}: {where}; the mean difference is {found.mean:+,.{digits}f}"
    if found.interval is None:
        said = f"{said}. Not clear: fewer than {FEWEST} topics."
    else:
        fits = f"{found.interval.low:+,.{digits}f} to {found.interval.high:+,.{digits}f} fits"
        said = f"{said} ({fits}), which is {'clear' if found.is_clear else 'not clear'}."
    if not found.n_left_out:
        return said
    more = "1 more topic does" if found.n_left_out == 1 else f"{found.n_left_out} more topics do"
    return f"{said} {more} not count: one of the two is undefined there or says nothing."


def mean_gain(rows: Sequence[TopicStrings], *, seed: int = 0) -> tuple[Gain, int]:
    """The mean of the held-out gains over topics, and how many topics have one."""
    values = np.array([row.gain.value for row in rows if row.gain is not None and row.gain.value is not None])
    if not len(values):
        return Gain(None, None), 0
    return Gain(float(values.mean()), mean_interval(values, seed=seed)), len(values)


def gain_sentence(rows: Sequence[TopicStrings]) -> str | None:
    """What generated strings gain on core publications that were held out; None: none of them was written here."""
    gain, n = mean_gain(rows, seed=0)
    if gain.value is None:
        return None
    clear = sum(standing_of(row.gain) == "better" for row in rows)
    over = "1 topic" if n == 1 else f"{n} topics"
    said = (
        f"On core publications that nobody who wrote knew to be core, the generated string stands {gain.value:+.3f} in "
        f"F{GAIN_BETA:g} (cosine) against the topic's name, over {over}; by itself it is clearly "
        f"better in {clear} of {n}"
    )
    if gain.interval is None:
        return f"{said}. For all topics together not clear: fewer than {FEWEST} topics."
    fits = f"{gain.interval.low:+.3f} to {gain.interval.high:+.3f} fits"
    return f"{said}. For all topics together {fits}, which is {'clear' if gain.is_clear else 'not clear'}."
