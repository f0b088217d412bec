"""Core recall and scores by citations, year, kind of survey, and the version's own year limits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Literal

import numpy as np

from core.errors import NoCoreError
from core.explore.evaluate import Evaluation, RegionScores
from core.explore.studies import FEWEST_TOPICS, SurveyKind, TopicCore
from core.metrics import core_accepted, f_beta, recall
from core.query.tree import Group, Node, Not, ParsedQuery, Range, walk
from core.stats import Interval, bootstrap_means, newcombe, percentile_range, wilson
from core.text import lower_first, signed
from core.types import Ids, RegionKind

# Years that a search string admits, regardless of its words.

_FIRST, _LAST = -(10**6), 10**6
"""Placeholders for an open end."""


@dataclass(frozen=True, slots=True)
class YearLimits:
    """Spans of years, ascending, with a gap between any two."""

    spans: tuple[tuple[int | None, int | None], ...]
    """First and last year of each span, both included; None: open. Without a span, no year is admitted."""

    def admits(self, year: int) -> bool:
        return any((low is None or low <= year) and (high is None or year <= high) for low, high in self.spans)

    def __str__(self) -> str:
        return ", ".join(map(_span_words, self.spans)) or "no year"


def _span_words(span: tuple[int | None, int | None]) -> str:
    low, high = span
    if low is None:
        return f"up to {high}"
    return f"{low} or later" if high is None else str(low) if low == high else f"{low}–{high}"


def year_limits(root: Node | None) -> YearLimits | None:
    """Return the years in which a publication with the right words can match. None: any year.

    A year is excluded only if no words could make a publication of it match. A first or last year that is limited to
    some of its days is admitted as a whole.

    >>> from core.query.parser import parse
    >>> str(year_limits(parse("trees AND year:2010-2020", "plain").root))
    '2010–2020'
    >>> year_limits(parse("trees OR year:2010-2020", "plain").root) is None
    True
    """
    if root is None:
        return None
    ranges = [node for node in walk(root) if isinstance(node, Range)]
    edges = {_FIRST, *(year for r in ranges if r.low is not None for year in (r.low, r.low + 1))}
    edges |= {year for r in ranges if r.high is not None for year in (r.high, r.high + 1)}
    starts = sorted(edges)
    spans: list[tuple[int, int]] = []
    for start, after in zip(starts, [*starts[1:], _LAST], strict=True):
        if _can_match(root, start) is False:
            continue
        if spans and spans[-1][1] == start - 1:
            spans[-1] = (spans[-1][0], after - 1)
        else:
            spans.append((start, after - 1))
    if spans == [(_FIRST, _LAST - 1)]:
        return None
    return YearLimits(
        tuple((None if low == _FIRST else low, None if high == _LAST - 1 else high) for low, high in spans)
    )


def limits_of(parsed: ParsedQuery) -> YearLimits | None:
    """Return the year limits of a parsed text; a text that is not a search string has none."""
    return year_limits(parsed.root) if parsed.kind == "boolean" else None


def _can_match(node: Node, year: int) -> bool | None:
    """Return True if a publication of this year matches. None: that depends on its words or its day."""
    if isinstance(node, Range):
        return _in_range(node, year)
    if isinstance(node, Not):
        inside = _can_match(node.part, year)
        return None if inside is None else not inside
    if isinstance(node, Group):
        decides = node.operator == "OR"
        found = [_can_match(part, year) for part in node.parts]
        if decides in found:
            return decides
        return None if None in found else not decides
    return None


def _in_range(node: Range, year: int) -> bool | None:
    if (node.low is not None and year < node.low) or (node.high is not None and year > node.high):
        return False
    is_partial = (year == node.low and bool(node.low_day)) or (year == node.high and bool(node.high_day))
    return None if is_partial else True


# The strata of one version: recall in each part of the core, and the acceptance of each part by the regions.

StrataKind = Literal["citations", "year", "survey", "year_limits"]
STRATA_LABELS: Mapping[StrataKind, str] = MappingProxyType(
    {
        "citations": "Citations",
        "year": "Year of publication",
        "survey": "Kind of survey",
        "year_limits": "Year limits of the search string",
    }
)
CITATION_QUARTERS = ("Least cited quarter", "Second quarter", "Third quarter", "Most cited quarter")
YEAR_QUARTERS = ("Earliest quarter", "Second quarter", "Third quarter", "Latest quarter")
SURVEY_NAMES: Mapping[SurveyKind, str] = MappingProxyType(
    {"bibliometric": "Bibliometric", "systematic review": "Systematic review"}
)
UNKNOWN: Mapping[StrataKind, str] = MappingProxyType(
    {
        "citations": "Citations not known",
        "year": "Year not known",
        "survey": "Kind of survey not known",
        "year_limits": "Year not known",
    }
)
"""The stratum of core publications with an unknown value."""


@dataclass(frozen=True, slots=True)
class CoreMember:
    """The properties by which a core publication is assigned to strata. None: unknown."""

    publication_id: str
    year: int | None = None
    times_cited: int | None = None
    survey_kind: SurveyKind | None = None


def members_of(topic: TopicCore) -> tuple[CoreMember, ...]:
    return tuple(CoreMember(p.publication_id, p.year, p.times_cited, topic.survey_kind) for p in topic.publications)


@dataclass(frozen=True, slots=True)
class StratumScores:
    """The scores of one region for a stratum. Undefined numbers are None, and `status` gives the reason."""

    status: str
    """As in `RegionScores`."""
    n_accepted: int | None = None
    core_accepted: float | None = None
    core_accepted_interval: Interval | None = None
    f_beta: float | None = None
    """F-beta with the recall of this stratum alone; precision and decay are those of the whole list."""
    f_beta_interval: Interval | None = None
    """From the interval of that recall; the region is taken as given."""


@dataclass(frozen=True, slots=True)
class Stratum:
    name: str
    core_ids: Ids
    n_found: int
    low: int | None
    """Smallest citation count, or first year, in the stratum; None: unknown, or not the basis of these strata."""
    high: int | None
    recall: float
    recall_interval: Interval
    """Wilson, 95 %."""
    regions: Mapping[RegionKind, StratumScores] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.core_ids)

    @property
    def span(self) -> str:
        """The lowest and highest value; empty if there is none."""
        if self.low is None:
            return ""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Recall of the last quarter minus recall of the first."""

    last: str
    first: str
    difference: float
    interval: Interval
    """Newcombe, 95 %."""

    @property
    def is_clear(self) -> bool:
        return self.interval.excludes_zero


@dataclass(frozen=True, slots=True)
class Strata:
    """Several partitions of the same core: in each, every core publication is in exactly one stratum."""

    n_core: int
    n_found: int
    year_limits: YearLimits | None
    """None: the search string admits any year."""
    partitions: Mapping[StrataKind, tuple[Stratum, ...]]
    """Without `year_limits` if the search string has none. Strata without core publications are omitted."""

    @property
    def n_outside(self) -> int:
        """The number of core publications that the year limits exclude."""
        outside = outside_name(self.year_limits)
        return sum(len(s) for s in self.partitions.get("year_limits", ()) if s.name == outside)

    def contrast(self, kind: Literal["citations", "year"]) -> Contrast | None:
        """Return the contrast of the last and first quarter. None: fewer than two quarters hold core publications."""
        quarters = [s for s in self.partitions[kind] if s.name in quarter_names(kind)]
        if len(quarters) < 2:
            return None
        first, last = quarters[0], quarters[-1]
        interval = newcombe(first.n_found, len(first), last.n_found, len(last))
        return Contrast(last.name, first.name, last.recall - first.recall, interval)


def quarter_names(kind: Literal["citations", "year"]) -> tuple[str, ...]:
    return CITATION_QUARTERS if kind == "citations" else YEAR_QUARTERS


def outside_name(limits: YearLimits | None) -> str:
    return f"Outside {limits}"


def quarters(values: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the quarter of each value, from 0, cut at the quartiles of the known ones. Equal values stay together.

    >>> quarters([5, 1, None, 3, 3, 9])
    (2, 0, None, 0, 0, 3)
    """
    known = [value for value in values if value is not None]
    if not known:
        return (None,) * len(values)
    cuts = np.quantile(known, [0.25, 0.5, 0.75])
    return tuple(None if value is None else int(np.searchsorted(cuts, value, side="left")) for value in values)


def stratify(
    members: Sequence[CoreMember],
    found_ids: Collection[str],
    *,
    limits: YearLimits | None,
    evaluation: Evaluation | None = None,
) -> Strata:
    """Split the core in each way, and count the found publications in every stratum. Scores need an evaluation.

    >>> core = [CoreMember(f"p{n}", 2000 + n, n, None) for n in range(8)]
    >>> found = stratify(core, {"p6", "p7"}, limits=None)
    >>> [(s.name, s.low, s.high, s.recall) for s in found.partitions["citations"]][-1]
    ('Most cited quarter', 6, 7, 1.0)
    """
    if not members:
        raise NoCoreError("strata need at least one core publication")
    found = frozenset(found_ids)
    sorting = _Sorting(members, found, evaluation)
    cited, years = [m.times_cited for m in members], [m.year for m in members]
    names = {
        "citations": [None if q is None else CITATION_QUARTERS[q] for q in quarters(cited)],
        "year": [None if q is None else YEAR_QUARTERS[q] for q in quarters(years)],
        "survey": [None if m.survey_kind is None else SURVEY_NAMES[m.survey_kind] for m in members],
    }
    partitions: dict[StrataKind, tuple[Stratum, ...]] = {
        "citations": sorting.split("citations", names["citations"], CITATION_QUARTERS, cited),
        "year": sorting.split("year", names["year"], YEAR_QUARTERS, years),
        "survey": sorting.split("survey", names["survey"], tuple(SURVEY_NAMES.values())),
    }
    if limits is not None:
        sides = (f"Within {limits}", outside_name(limits))
        side = [None if year is None else sides[not limits.admits(year)] for year in years]
        partitions["year_limits"] = sorting.split("year_limits", side, sides)
    n_found = sum(m.publication_id in found for m in members)
    return Strata(len(members), n_found, limits, MappingProxyType(partitions))


@dataclass(frozen=True, eq=False)
class _Sorting:
    members: Sequence[CoreMember]
    found: frozenset[str]
    evaluation: Evaluation | None

    def split(
        self,
        kind: StrataKind,
        names: Sequence[str | None],
        order: Sequence[str],
        values: Sequence[int | None] | None = None,
    ) -> tuple[Stratum, ...]:
        rows: dict[str, list[int]] = {name: [] for name in (*order, UNKNOWN[kind])}
        for row, name in enumerate(names):
            rows[UNKNOWN[kind] if name is None else name].append(row)
        return tuple(
            self._stratum(name, of_name, [value for row in of_name if values and (value := values[row]) is not None])
            for name, of_name in rows.items()
            if of_name
        )

    def _stratum(self, name: str, rows: Sequence[int], values: Sequence[int]) -> Stratum:
        ids = tuple(self.members[row].publication_id for row in rows)
        n_found = sum(i in self.found for i in ids)
        regions = self.evaluation.regions.items() if self.evaluation else ()
        return Stratum(
            name=name,
            core_ids=ids,
            n_found=n_found,
            low=min(values, default=None),
            high=max(values, default=None),
            recall=recall(n_found=n_found, n_core=len(ids)),
            recall_interval=wilson(n_found, len(ids)),
            regions={kind: self._scores(scores, ids, n_found) for kind, scores in regions},
        )

    def _scores(self, scores: RegionScores, ids: Ids, n_found: int) -> StratumScores:
        assert self.evaluation is not None
        if scores.status != "ok":
            return StratumScores(scores.status)
        n, accepted = len(ids), frozenset(scores.accepted_core_ids)
        n_accepted = sum(i in accepted for i in ids)
        score, interval = None, None
        if not self.evaluation.settings.compat:  # the published code counts and rounds in its own way
            # Ellipsoid and hull count all found core publications; if both counts agree, they agree in every stratum.
            counted = wilson(n_found, n) if scores.recall_used == self.evaluation.recall else wilson(n_accepted, n)
            n_counted = n_found if scores.recall_used == self.evaluation.recall else n_accepted
            precision, beta = (scores.semantic_precision or 0.0) * (scores.decay or 0.0), self.evaluation.settings.beta
            score = f_beta(precision, recall(n_found=n_counted, n_core=n), beta=beta)
            interval = Interval(*(f_beta(precision, end, beta=beta) for end in counted))
        return StratumScores(
            status="ok",
            n_accepted=n_accepted,
            core_accepted=core_accepted(n_accepted=n_accepted, n_core=n),
            core_accepted_interval=wilson(n_accepted, n),
            f_beta=score,
            f_beta_interval=interval,
        )


FEW_IN_QUARTER = 20
"""Quarters with fewer core publications get a sentence that they are small."""


def strata_sentences(strata: Strata) -> Ids:
    """Describe whether the most cited and the latest are found more often, and what the year limits exclude."""
    sentences = []
    kinds: tuple[Literal["citations", "year"], ...] = ("citations", "year")
    for kind in kinds:
        found = strata.contrast(kind)
        if found is not None:
            low, high = (signed(end) for end in found.interval)
            verdict = "0 lies outside" if found.is_clear else "0 lies inside, so it is not clear"
            sentences.append(
                f"{found.last} minus {lower_first(found.first)}: core recall "
                f"{signed(found.difference)} (95 % interval {low} to {high}; {verdict})."
            )
    if sentences and strata.n_core < 4 * FEW_IN_QUARTER:
        sentences.append("The quarters are small: a single publication can change their comparison.")
    if strata.year_limits is not None:
        sentences.append(_outside_sentence(strata, strata.n_outside))
    return tuple(sentences)


def _outside_sentence(strata: Strata, n_outside: int) -> str:
    counted = f"{n_outside} of {strata.n_core} core publications lie outside {strata.year_limits}"
    n_others = strata.n_core - n_outside
    if not n_outside or not n_others:
        return f"{counted}, the years of the search string."
    outside = next(s for s in strata.partitions["year_limits"] if s.name == outside_name(strata.year_limits))
    n_found = strata.n_found - outside.n_found
    share = recall(n_found=n_found, n_core=n_others)
    return f"{counted}, the years of the search string; of the other {n_others}, {n_found} are found ({share:.3f})."


# The same strata pooled over many topics.


@dataclass(frozen=True, slots=True)
class PooledStratum:
    name: str
    n_topics: int
    n_core: int
    """Core publications, counted once for each topic that contains them."""
    n_found: int
    recall: float
    interval: Interval | None
    """The middle 95 % over resampled topics; None: too few topics."""


PooledStrata = Mapping[StrataKind, tuple[PooledStratum, ...]]


def pool(topics: Iterable[Strata]) -> PooledStrata:
    """Sum found and all core publications of each stratum over topics. Year limits differ, so they are omitted.

    Publications of one topic are found or missed together, so the interval resamples whole topics instead of single
    publications.
    """
    gathered = tuple(topics)
    pooled: dict[StrataKind, tuple[PooledStratum, ...]] = {}
    orders: Mapping[StrataKind, tuple[str, ...]] = {
        "citations": CITATION_QUARTERS,
        "year": YEAR_QUARTERS,
        "survey": tuple(SURVEY_NAMES.values()),
    }
    for kind, order in orders.items():
        counts: dict[str, list[tuple[int, int]]] = {name: [] for name in (*order, UNKNOWN[kind])}
        for stratum in chain.from_iterable(strata.partitions[kind] for strata in gathered):
            counts[stratum.name].append((stratum.n_found, len(stratum)))
        pooled[kind] = tuple(_pooled(name, of_topics) for name, of_topics in counts.items() if of_topics)
    return pooled


def _pooled(name: str, of_topics: Sequence[tuple[int, int]]) -> PooledStratum:
    n_found, n_core = (sum(column) for column in zip(*of_topics, strict=True))
    interval = None
    if len(of_topics) >= FEWEST_TOPICS:
        drawn = bootstrap_means(np.array(of_topics, dtype=np.float64))
        interval = percentile_range(drawn[:, 0] / drawn[:, 1])
    return PooledStratum(name, len(of_topics), n_core, n_found, recall(n_found=n_found, n_core=n_core), interval)
