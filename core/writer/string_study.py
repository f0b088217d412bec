"""Compare baseline, generated, and review search strings over many topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from core.explore.regions import REGION_LABELS
from core.explore.studies import ORIGIN_LABELS, SIZES, TopicScoreColumn, TopicScores, column_label, metric_label
from core.report import Block, Listing, ReportColumn, ReportDocument, ReportHeading, Table, Value, columns_of
from core.settings import EvaluationSettings
from core.stats import EXACT_QUERIES, LEVEL, Interval
from core.text import many, signed
from core.types import Floats, Origin, RegionKind
from core.writer.gains import standing_of
from core.writer.sheets import Gain

# Compare strings of several origins over many topics: the better one, the difference, and its clarity.
#
# LitQEval does this twice: baseline against generated over all topics, and both against the review's own string over
# the topics that have one.

EXPERIMENTS: tuple[tuple[Origin, ...], ...] = (("baseline", "generated"), ("baseline", "review", "generated"))
GAIN_BETA = EvaluationSettings().beta
"""The beta of the writer's own judgments, independent of the beta of the comparison."""
FEWEST = 6
"""The minimum number of topics for a clear difference: with five, one of 32 sign patterns already makes up 3 %."""
N_DRAWN = 10_000
"""The number of topic sets that are drawn if there are too many to enumerate."""
TIE = 5e-4
"""A smaller difference is invisible in three decimals."""


@dataclass(frozen=True, slots=True)
class TopicStrings:
    topic_id: str
    scores: Mapping[Origin, TopicScores]
    gain: Gain | None = None
    """The gain of the generated string over the topic's name, on core publications unknown to its writer; None: it was
    not written here, or none were held out."""

    def counted(self, origin: Origin, what: TopicScoreColumn) -> float | None:
        scores = self.scores.get(origin)
        return None if scores is None or scores.degenerate(what) else scores.value(what)


def by_topic(
    scores: Iterable[tuple[Origin, TopicScores]], gains: Mapping[str, Gain] | None = None
) -> tuple[TopicStrings, ...]:
    """Group scores into one row per topic, sorted by name."""
    found: dict[str, dict[Origin, TopicScores]] = {}
    for origin, of in scores:
        found.setdefault(of.topic_id, {})[origin] = of
    return tuple(TopicStrings(topic, found[topic], (gains or {}).get(topic)) for topic in sorted(found))


@dataclass(frozen=True, slots=True)
class OriginMeans:
    """The mean of one number for each origin, over the same topics."""

    values: Mapping[Origin, float]
    """Empty: no topic has the number for all origins."""
    n_topics: int


def mean_of(rows: Sequence[TopicStrings], origins: Sequence[Origin], what: TopicScoreColumn) -> OriginMeans:
    """Average over the topics in which every origin has the number, so that the means are comparable.

    >>> mean_of((), ("baseline", "generated"), TopicScoreColumn("recall"))
    OriginMeans(values={}, n_topics=0)
    """
    whole = [values for row in rows if None not in (values := [row.counted(origin, what) for origin in origins])]
    if not whole:
        return OriginMeans({}, 0)
    means = {origin: fmean(v[place] or 0.0 for v in whole) for place, origin in enumerate(origins)}
    return OriginMeans(means, len(whole))


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """A comparison of one number of B with that of A, topic by topic."""

    a: str
    b: str
    column: TopicScoreColumn
    wins: int
    """Topics in which B is higher."""
    losses: int
    ties: int
    mean: float | None
    """B minus A; None: no topic has both."""
    interval: Interval | None
    """Plausible values of the mean; None: too few topics."""
    n_left_out: int = 0
    """Topics in which one of the two is undefined or meaningless."""

    @property
    def n_topics(self) -> int:
        """Topics that have both."""
        return self.wins + self.losses + self.ties

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.interval is not None and self.interval.excludes_zero


def paired(
    a: str, b: str, what: TopicScoreColumn, values: Mapping[str, tuple[float | None, float | None]], *, seed: int = 0
) -> PairedComparison:
    """Compare the two numbers of each topic.

    >>> found = paired("baseline", "generated", TopicScoreColumn("recall"), {"Tea": (0.2, 0.5), "Nets": (0.5, 0.4)})
    >>> found.wins, found.losses, round(found.mean or 0, 3), found.interval
    (1, 1, 0.1, None)
    """
    pairs = [(one, other) for one, other in values.values() if one is not None and other is not None]
    differences = np.array([other - one for one, other in pairs], dtype=np.float64)
    wins, losses = int((differences >= TIE).sum()), int((differences <= -TIE).sum())
    return PairedComparison(
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


def paired_over(
    rows: Sequence[TopicStrings], a: Origin, b: Origin, what: TopicScoreColumn, *, seed: int = 0
) -> PairedComparison:
    both = [row for row in rows if a in row.scores and b in row.scores]
    values = {row.topic_id: (row.counted(a, what), row.counted(b, what)) for row in both}
    return paired(a, b, what, values, seed=seed)


def pairs_of(origins: Sequence[Origin]) -> tuple[tuple[Origin, Origin], ...]:
    """Pair every two origins, the earlier one first.

    >>> pairs_of(("baseline", "review", "generated"))
    (('baseline', 'review'), ('baseline', 'generated'), ('review', 'generated'))
    """
    return tuple(combinations(origins, 2))


def mean_interval(differences: Floats, *, seed: int = 0) -> Interval | None:
    """Compute a 95 % interval of the mean difference: values that a sign-flip test over topics would not reject.

    Both ends on one side of 0: the difference is clear. Formula: the sorted means of all non-empty sets of topics
    divide the line into intervals that contain the true mean with equal probability; the outer 2.5 % on either side are
    omitted. Up to 14 topics use every set, more use 10,000 random ones. Assumes that differences are symmetric around
    their mean, and that the topics represent others like them. Undefined below 6 topics. Reference: Hartigan (1969).

    >>> mean_interval(np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.3]))
    Interval(low=0.1, high=0.3)
    """
    n = len(differences)
    if n < FEWEST:
        return None
    ordered = np.sort(differences)  # sorted, so that the order of topics does not affect the draws
    if n <= EXACT_QUERIES:
        taken = (np.arange(1, 2**n)[:, None] >> np.arange(n) & 1).astype(np.float64)
    else:
        taken = np.random.default_rng(seed).integers(0, 2, size=(N_DRAWN, n)).astype(np.float64)
        taken = taken[taken.any(axis=1)]
    means = np.sort(taken @ ordered / taken.sum(axis=1))
    outside = int((1 - LEVEL) / 2 * (len(means) + 1))
    low, high = np.round(means[[outside - 1, -outside]], 12)  # sums that differ only in their order are equal
    return Interval(float(low), float(high))


def sentence_of(found: PairedComparison, *, beta: float = 2.0) -> str:
    name = column_label(found.column, beta)
    n = found.n_topics
    if found.mean is None:
        return f"{name}: no topic has it for both {found.a} and {found.b}."
    digits = 1 if found.column.metric.startswith("n_") else 3
    of = f"{n} topic" if n == 1 else f"{n} topics"
    where = f"{found.b} is higher than {found.a} in {found.wins} of {of} and lower in {found.losses}"
    text = f"{name}: {where}; the mean difference is {signed(found.mean, digits)}"
    if found.interval is None:
        text = f"{text}. Not clear: fewer than {FEWEST} topics."
    else:
        fits = f"{signed(found.interval.low, digits)} to {signed(found.interval.high, digits)} fits"
        text = f"{text} ({fits}), which is {'clear' if found.is_clear else 'not clear'}."
    if not found.n_left_out:
        return text
    more = "1 more topic does" if found.n_left_out == 1 else f"{found.n_left_out} more topics do"
    return f"{text} {more} not count: one of the two is undefined or not informative there."


def mean_gain(rows: Sequence[TopicStrings], *, seed: int = 0) -> tuple[Gain, int]:
    """Average the held-out gains over topics, and count the topics that have one."""
    values = np.array([row.gain.value for row in rows if row.gain is not None and row.gain.value is not None])
    if not len(values):
        return Gain(None, None), 0
    return Gain(float(values.mean()), mean_interval(values, seed=seed)), len(values)


def gain_sentence(rows: Sequence[TopicStrings]) -> str | None:
    """Describe the gain of generated strings on held-out core publications; None: no string was written here."""
    gain, n = mean_gain(rows, seed=0)
    if gain.value is None:
        return None
    clear = sum(standing_of(row.gain) == "better" for row in rows)
    over = "1 topic" if n == 1 else f"{n} topics"
    text = (
        f"On held-out core publications, the generated string scores {signed(gain.value)} in F{GAIN_BETA:g} (cosine) "
        f"against the topic's name, over {over}; it is clearly better in {clear} of {n}"
    )
    if gain.interval is None:
        return f"{text}. For all topics together not clear: fewer than {FEWEST} topics."
    fits = f"{signed(gain.interval.low)} to {signed(gain.interval.high)} fits"
    return f"{text}. For all topics together {fits}, which is {'clear' if gain.is_clear else 'not clear'}."


# The results of a comparison over topics as tables, for pages, terminals and files.

GAIN = "Held-out gain"
BOTH_METRICS = ("semantic_precision", "f_beta")


def result_columns(regions: Sequence[RegionKind]) -> tuple[TopicScoreColumn, ...]:
    first = (TopicScoreColumn("n_retrieved"), TopicScoreColumn("recall"))
    return (*first, *(TopicScoreColumn(metric, region) for region in regions for metric in BOTH_METRICS))


def column_title(what: TopicScoreColumn, origin: Origin, beta: float = 2.0, *, with_region: bool = True) -> str:
    """Title the column for a number of one origin.

    >>> column_title(TopicScoreColumn("f_beta", "cosine"), "review")
    'F2, cosine: review'
    >>> column_title(TopicScoreColumn("recall"), "baseline")
    'Recall: baseline'
    """
    names = {"n_retrieved": "Retrieved", "recall": "Recall", "f_beta": f"F{beta:g}"}
    region = f", {REGION_LABELS[what.region].lower()}" if what.region is not None and with_region else ""
    return f"{names.get(what.metric) or metric_label(what.metric, beta)}{region}: {ORIGIN_LABELS[origin].lower()}"


def result_table(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], regions: Sequence[RegionKind], *, beta: float = 2.0
) -> Table:
    """Tabulate topics, and at the end the means over topics that have a number for every origin."""
    whats = result_columns(regions)
    columns = [ReportColumn("Topic"), ReportColumn("Core publications", "count")]
    columns += columns_of(*(f"Version: {ORIGIN_LABELS[origin].lower()}" for origin in origins))
    alone = REGION_LABELS[regions[0]] if len(regions) == 1 else None
    columns += [
        ReportColumn(
            column_title(what, origin, beta, with_region=alone is None), "count" if what.metric in SIZES else "number"
        )
        for what in whats
        for origin in origins
    ]
    columns += [
        *columns_of(*(f"{GAIN}: {part}" for part in ("value", "from", "to")), kind="number"),
        ReportColumn("Remarks"),
    ]
    lines = [_line(row, origins, whats) for row in rows]
    if rows:
        lines.append(_means(rows, origins, whats))
    return Table(
        name="strings",
        caption="Strings of each topic, by origin" + (f"; semantic precision and F{beta:g}: {alone}" if alone else ""),
        columns=tuple(columns),
        rows=tuple(lines),
        note=(
            "Means are over the topics in which every origin has an informative value. Held-out gain: "
            f"F{GAIN_BETA:g} (cosine) of the generated string minus that of the topic's name, on core publications "
            "held out while it was written, with its 95 % interval; other scores count all core publications."
        ),
    )


def _line(row: TopicStrings, origins: Sequence[Origin], whats: Sequence[TopicScoreColumn]) -> tuple[Value, ...]:
    of = [row.scores[origin] for origin in origins]
    values = [_whole(s.value(what), what) for what in whats for s in of]
    terms = dict.fromkeys(
        f"{s.label}: {REGION_LABELS[what.region].lower()}, {why}"
        for what in whats
        if what.region is not None
        for s in of
        if (why := s.reason(what) or s.degenerate(what))
    )
    return (row.topic_id, of[0].n_core, *(s.label for s in of), *values, *_ends(row.gain), "; ".join(terms) or None)


def _ends(gain: Gain | None) -> tuple[Value, Value, Value]:
    if gain is None or gain.value is None:
        return None, None, None
    return (gain.value, *(gain.interval or (None, None)))


def _whole(value: float | None, what: TopicScoreColumn) -> Value:
    return int(value) if value is not None and what.metric in SIZES else value


def _means(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], whats: Sequence[TopicScoreColumn]
) -> tuple[Value, ...]:
    values: list[Value] = []
    fewest = len(rows)
    for what in whats:
        mean = mean_of(rows, origins, what)
        fewest = min(fewest, mean.n_topics)
        means = [mean.values.get(origin) for origin in origins]
        values += [round(m) if m is not None and what.metric in SIZES else m for m in means]
    remarks = [f"some over {many(fewest, 'topic')} only"] if fewest < len(rows) else []
    gain, n_gains = mean_gain(rows)
    remarks += [f"held-out gain over {many(n_gains, 'topic')} only"] if 0 < n_gains < len(rows) else []
    return (
        f"Mean over {many(len(rows), 'topic')}",
        None,
        *([None] * len(origins)),
        *values,
        *_ends(gain),
        "; ".join(remarks) or None,
    )


def pairs_table(found: Sequence[PairedComparison], *, beta: float = 2.0) -> Table:
    """Tabulate each number of every two origins: topics in which either is higher, and the mean difference."""
    return Table(
        name="differences",
        caption="Differences over topics",
        columns=(
            *columns_of("Number", "Region", "Of", "Against"),
            *columns_of("Topics", "Higher", "Lower", "As high", kind="count"),
            *columns_of("Mean", "From", "To", kind="number"),
            ReportColumn("Clear"),
        ),
        rows=tuple(
            (
                metric_label(p.column.metric, beta),
                None if p.column.region is None else REGION_LABELS[p.column.region],
                p.b,
                p.a,
                p.n_topics,
                *(p.wins, p.losses, p.ties),
                p.mean,
                p.interval.low if p.interval else None,
                p.interval.high if p.interval else None,
                "clear" if p.is_clear else "not clear" if p.n_topics else None,
            )
            for p in found
        ),
        note=(
            "Mean: of the differences. From, To: the 95 % interval of the mean, by sign flips over topics; none "
            "below 6 topics. Each interval is for its number alone: of twenty such, one excludes 0 by chance."
        ),
    )


def published_table(found: Sequence[tuple[PairedComparison, int, int]], *, beta: float = 2.0) -> Table:
    """Tabulate the published results for the same pairs, with the topics available here, and those that agree."""
    columns = columns_of("Here too", "The same way", kind="count")
    table = pairs_table([p for p, _, _ in found], beta=beta)
    return Table(
        name="published",
        caption="The same differences as they were published",
        columns=(*table.columns, *columns),
        rows=tuple((*row, *counts) for row, (_, *counts) in zip(table.rows, found, strict=True)),
        note=(
            "Published with other vectors and another landscape. Here too: topics that have both strings here. The "
            "same way: topics among these in which the same string is higher."
        ),
    )


def strings_report(
    tables: Sequence[Table],
    sentences: Sequence[str],
    left_out: Sequence[tuple[str, str]],
    *,
    made_at: str,
    made_with: str,
    made_up: bool,
) -> ReportDocument:
    blocks: list[Block] = [Listing(tuple(sentences))] if sentences else []
    blocks += list(tables)
    if left_out:
        blocks += [ReportHeading("Left out"), Listing(tuple(f"{topic}: {why}" for topic, why in left_out))]
    n = sum(row[1] is not None for row in tables[0].rows) if tables else 0
    return ReportDocument(
        kind="quality",
        title="Search strings compared over topics",
        subtitle=many(n, "topic"),
        blocks=tuple(blocks),
        made_at=made_at,
        made_with=made_with,
        made_up=made_up,
    )
