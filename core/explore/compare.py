"""Compare two query versions: score differences, changed publications, and a summary sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.errors import InputError, SettingsError
from core.explore.evaluate import Evaluation
from core.explore.regions import REGION_LABELS
from core.explore.regions.hull import hull_around, lies_on_a_line
from core.explore.regions.mvee import ellipsoid_around
from core.explore.scene import Scene
from core.explore.uncertainty import (
    RESAMPLERS,
    ResampledCounts,
    ScoreSamples,
    columns,
    n_resamples_for,
    resample_area,
    resample_weights,
    sample_scores,
)
from core.metrics import METRICS
from core.settings import EvaluationSettings
from core.stats import Interval, percentile_range
from core.text import signed, upper_first
from core.types import Floats, Ids, Mask, RegionKind, unique_ids

# Two versions of a query: their differences, and the uncertainty of the differences under other core sets.

N_RESAMPLES_RECALL = 2000
REGION_METRICS = ("semantic_precision", "f_beta")
SHARED_AREAS: frozenset[RegionKind] = frozenset({"mvee", "hull"})
"""Differences are between areas around the full core set, so they need not equal the differences of the scores."""
NO_DIFFERENCE = "No difference is given: "


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A of one metric. None if undefined, with the reason in the sentence."""

    a: str
    b: str
    metric: str
    region: RegionKind | None
    difference: float | None
    interval: Interval | None
    """The middle 95 % over paired resamples of the core set."""
    sentence: str

    @property
    def reason(self) -> str | None:
        """The reason why there is no difference; None if there is one."""
        return self.sentence.removeprefix(NO_DIFFERENCE).removesuffix(".") if self.difference is None else None

    @property
    def is_clear(self) -> bool | None:
        """True if the interval, extended to the difference itself, excludes 0; None: there is no interval."""
        if self.difference is None or self.interval is None:
            return None
        return self.interval.holding(self.difference).excludes_zero


@dataclass(frozen=True, slots=True)
class VersionPair:
    a: str
    b: str
    n_both: int
    n_only_a: int
    n_only_b: int
    core_gained: Ids
    """Core publications that B finds and A misses."""
    core_lost: Ids


@dataclass(frozen=True, eq=False)
class Comparison:
    versions: tuple[Evaluation, ...]
    pairs: tuple[VersionPair, ...]
    differences: tuple[Difference, ...]
    has_ranges: bool = True
    """True if the core set was resampled; otherwise no difference has an interval yet."""

    def __repr__(self) -> str:
        return f"Comparison({self.labels}, {len(self.differences)} differences)"

    @property
    def labels(self) -> tuple[str, ...]:
        first = self.pairs[0].a
        return (first, *(pair.b for pair in self.pairs if pair.a == first))


@dataclass(frozen=True, eq=False)
class Entrant:
    label: str
    scene: Scene
    retrieved_ids: Ids
    evaluation: Evaluation
    corpus_state: str | None = None
    """The state of the corpus that its text was run on; None: unknown."""


def over_different_corpora(a: str | None, b: str | None) -> bool:
    """Return True if two versions are known to have been run on different publications.

    >>> over_different_corpora("x", "y"), over_different_corpora("x", None)
    (True, False)
    """
    return a is not None and b is not None and a != b


def _named(metric: str, region: RegionKind | None) -> str:
    name = METRICS[metric].label
    name = name if name.startswith("F-") else name.lower()
    if region is None:
        return name
    shared = " around the full core set" if region in SHARED_AREAS else ""
    return f"{name} ({REGION_LABELS[region]}{shared})"


def sentence_for(metric: str, region: RegionKind | None, a: str, b: str, value: float, interval: Interval) -> str:
    """Describe a difference in plain words; "not clear" if it may be zero.

    >>> sentence_for("recall", None, "baseline", "slr", 0.35, Interval(0.15, 0.54))
    'slr has 0.350 more core recall than baseline (0.150 to 0.540).'
    """
    name = _named(metric, region)
    # The value itself always fits, even if it lies outside the range of the resamples.
    low, high = interval.holding(value)
    if low <= 0 <= high:
        return (
            f"It is not clear whether {a} and {b} differ in {name}: {signed(value)}, anything from {signed(low)} to "
            f"{signed(high)} fits."
        )
    more, ends = ("more", (low, high)) if value > 0 else ("less", (-high, -low))
    return f"{b} has {abs(value):.3f} {more} {name} than {a} ({ends[0]:.3f} to {ends[1]:.3f})."


def _undefined(metric: str, region: RegionKind | None, a: str, b: str, reason: str) -> Difference:
    return Difference(a, b, metric, region, None, None, f"{NO_DIFFERENCE}{reason}.")


def _difference(
    metric: str, region: RegionKind | None, a: str, b: str, value: float, drawn: Floats | None
) -> Difference:
    """Build a difference. `drawn`: the differences under the resampled core sets; None if there are none yet."""
    text = f"{b} minus {a} is {signed(value)} in {_named(metric, region)}"
    if drawn is None:
        return Difference(a, b, metric, region, value, None, f"{text}, so far without a range.")
    interval = percentile_range(drawn)
    if interval is None:
        why = "the region seldom exists when the core set is resampled"
        return Difference(a, b, metric, region, value, None, f"{text}, but without a range: {why}.")
    return Difference(a, b, metric, region, value, interval, sentence_for(metric, region, a, b, value, interval))


def _recall_difference(a: Entrant, b: Entrant, settings: EvaluationSettings, *, ranges: bool) -> Difference:
    value = b.evaluation.recall - a.evaluation.recall
    if not ranges:
        return _difference("recall", None, a.label, b.label, value, None)
    weights = resample_weights(a.scene.n_core, N_RESAMPLES_RECALL, seed=settings.seed)
    drawn = [weights[:, columns(e.scene, e.scene.all_found_ids)].sum(axis=1) for e in (a, b)]
    return _difference("recall", None, a.label, b.label, value, (drawn[1] - drawn[0]) / a.scene.n_core)


def _counts(kind: RegionKind, scene: Scene, weights: Floats, settings: EvaluationSettings) -> ResampledCounts:
    """Count under resampling; ellipsoid and hull surround the full core set, so that both versions share one area."""
    if kind not in SHARED_AREAS or scene.projection is None:
        return RESAMPLERS[kind](scene, weights, settings)
    around = ellipsoid_around if kind == "mvee" else hull_around
    points = scene.projection.take(scene.core.ids).points
    return resample_area(scene, weights, around, points, weights[:, columns(scene, scene.core.ids)])


def _reason_against(kind: RegionKind, a: Entrant, b: Entrant) -> str | None:
    if kind not in RESAMPLERS:
        return f"{REGION_LABELS[kind].lower()} is not fitted to resampled core sets"
    if over_different_corpora(a.corpus_state, b.corpus_state):
        return f"{a.label} and {b.label} were run over different publications"
    for entrant in (a, b):
        status = entrant.evaluation.regions[kind].status
        scene = entrant.scene
        if kind in SHARED_AREAS and len(scene.retrieved) and scene.projection is not None:
            if any(i not in scene.projection for i in scene.core.ids):
                return "the landscape does not hold every core publication"
            if lies_on_a_line(scene.projection.take(scene.core.ids).points):
                return "the core publications lie on one line of the landscape"
        elif status != "ok":
            return f"{entrant.label}: {status}"
    return None


class _Sampler:
    """Scores under resampled core sets, the same sets for every version; the last sample is the core set itself."""

    def __init__(self, settings: EvaluationSettings, *, ranges: bool) -> None:
        self._settings = settings
        self._ranges = ranges
        self._kept: dict[tuple[str, RegionKind], ScoreSamples] = {}

    def of(self, entrant: Entrant, kind: RegionKind) -> ScoreSamples:
        """Return the samples of a version, which is resampled only once for all of its pairs."""
        name = (entrant.label, kind)
        if name not in self._kept:
            scene, settings = entrant.scene, self._settings
            n = n_resamples_for(kind, settings) if self._ranges else 0
            drawn = resample_weights(scene.n_core, n, seed=settings.seed)
            weights = np.vstack([drawn, np.ones((1, scene.n_core))])
            self._kept[name] = sample_scores(scene, _counts(kind, scene, weights, settings), weights, settings)
        return self._kept[name]

    def differences(self, kind: RegionKind, a: Entrant, b: Entrant, metric: str) -> tuple[float, Floats | None]:
        """Return B minus A, for the core set itself and for every resample."""
        shared = kind in SHARED_AREAS
        value = 0.0
        if not shared:
            value = getattr(b.evaluation.regions[kind], metric) - getattr(a.evaluation.regions[kind], metric)
            if not self._ranges:
                return value, None
        moves = getattr(self.of(b, kind), metric) - getattr(self.of(a, kind), metric)
        return float(moves[-1]) if shared else value, moves[:-1] if self._ranges else None


def _region_differences(kind: RegionKind, a: Entrant, b: Entrant, sampler: _Sampler) -> list[Difference]:
    if reason := _reason_against(kind, a, b):
        return [_undefined(metric, kind, a.label, b.label, reason) for metric in REGION_METRICS]
    return [
        _difference(metric, kind, a.label, b.label, *sampler.differences(kind, a, b, metric))
        for metric in REGION_METRICS
    ]


def _pair(a: Entrant, b: Entrant) -> VersionPair:
    ids_a, ids_b = set(a.retrieved_ids), set(b.retrieved_ids)
    found_a, found_b = set(a.scene.all_found_ids), set(b.scene.all_found_ids)
    return VersionPair(
        a=a.label,
        b=b.label,
        n_both=len(ids_a & ids_b),
        n_only_a=len(ids_a - ids_b),
        n_only_b=len(ids_b - ids_a),
        core_gained=tuple(i for i in b.scene.all_found_ids if i not in found_a),
        core_lost=tuple(i for i in a.scene.all_found_ids if i not in found_b),
    )


def _check(entrants: Sequence[Entrant]) -> None:
    if len(entrants) < 2:
        raise InputError(f"a comparison needs at least two versions, got {len(entrants)}")
    labels = [e.label for e in entrants]
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"a version can't be compared with itself: {', '.join(repeated)}")
    if len({tuple(e.evaluation.regions) for e in entrants}) > 1:
        raise InputError("versions can be compared only if the same regions were evaluated for each")
    if len({e.scene.core_ids for e in entrants}) > 1:
        raise InputError("versions of different topics can't be compared: their core publications differ")


def compare(entrants: Sequence[Entrant], *, settings: EvaluationSettings, ranges: bool = True) -> Comparison:
    """Compare every pair of versions: sets, differences of every score with a paired range, and a sentence for each.

    The scores are those of `evaluate`. Ellipsoid and hull differences are computed between areas around the full core
    set; cosine and nearest core use the same core in both versions anyway. A cluster belongs to one list: no
    difference. Without `ranges` nothing is resampled: the values are the same and immediate, but no sentence states if
    they are clear.
    """
    _check(entrants)
    settings = settings.resolved(entrants[0].scene.retrieved.model_id)
    if settings.compat:
        raise SettingsError(
            "compat reproduces the published scores of one version and can't compare versions: leave it out"
        )
    sampler = _Sampler(settings, ranges=ranges)
    differences: list[Difference] = []
    for a, b in combinations(entrants, 2):
        differences.append(_recall_difference(a, b, settings, ranges=ranges))
        for kind in a.evaluation.regions:
            differences.extend(_region_differences(kind, a, b, sampler))
    return Comparison(
        versions=tuple(e.evaluation for e in entrants),
        pairs=tuple(_pair(a, b) for a, b in combinations(entrants, 2)),
        differences=tuple(differences),
        has_ranges=ranges,
    )


# Publications that all versions of a query retrieve, and those that only some retrieve.

MOST_VERSIONS = 60


@dataclass(frozen=True, eq=False)
class VersionChanges:
    """Every publication retrieved by any of the versions, with the versions that retrieve it."""

    labels: Ids
    ids: Ids
    bits: npt.NDArray[np.int64]
    """The versions that retrieve each publication, as bits: bit 0 is the first version."""
    core_mask: Mask

    @property
    def every(self) -> int:
        """The bits of a publication that all versions retrieve."""
        return (1 << len(self.labels)) - 1

    @property
    def are_same(self) -> bool:
        return bool((self.bits == self.every).all())

    def parts(self) -> dict[str, Mask]:
        """Return a mask of each named part. Of two versions: gained by the second, lost, kept."""
        if len(self.labels) == 2:
            return {"Gained": self.bits == 2, "Lost": self.bits == 1, "Kept": self.bits == 3}
        parts = {f"Only {label}": self.bits == 1 << i for i, label in enumerate(self.labels)}
        return {"In some": self.bits != self.every, "In all": self.bits == self.every, **parts}

    def retrieved_by(self, row: int) -> Ids:
        held = int(self.bits[row])
        return tuple(label for i, label in enumerate(self.labels) if held >> i & 1)

    def same_as(self) -> tuple[Ids, ...]:
        """Return the groups of two or more versions that retrieve the same publications."""
        groups: dict[bytes, list[str]] = {}
        for i, label in enumerate(self.labels):
            groups.setdefault(np.packbits(self.bits >> i & 1).tobytes(), []).append(label)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def changes(retrieved: Mapping[str, Ids], core_ids: Collection[str]) -> VersionChanges:
    """Compare the publications of the versions, in the order of their first retrieval.

    >>> found = changes({"old": ("a", "b"), "new": ("b", "c")}, {"c"})
    >>> found.ids, found.bits.tolist(), found.core_mask.tolist()
    (('a', 'b', 'c'), [1, 3, 2], [False, False, True])
    >>> {name: int(mask.sum()) for name, mask in found.parts().items()}
    {'Gained': 1, 'Lost': 1, 'Kept': 1}
    """
    if len(retrieved) > MOST_VERSIONS:
        raise InputError(f"at most {MOST_VERSIONS} versions can be shown at once, got {len(retrieved)}")
    ids = unique_ids(i for some in retrieved.values() for i in some)
    row_of = {publication_id: row for row, publication_id in enumerate(ids)}
    bits = np.zeros(len(ids), dtype=np.int64)
    for i, some in enumerate(retrieved.values()):
        rows = np.fromiter((row_of[publication_id] for publication_id in some), dtype=np.intp, count=len(some))
        bits[rows] |= 1 << i
    core = frozenset(core_ids)
    core_mask = np.fromiter((i in core for i in ids), dtype=np.bool_, count=len(ids))
    return VersionChanges(tuple(retrieved), ids, bits, core_mask)


# Two versions in one sentence: core publications found, publications to read, F-beta of one region.

NEARLY_ALL, NEARLY_AS_MANY, MANY_TIMES, FEW = 0.05, 0.95, 10, 10


@dataclass(frozen=True, slots=True)
class ComparisonVerdict:
    """The effect of a change of the query, for the head of a page."""

    sentence: str
    clear: bool | None
    """True if F-beta differs beyond the choice of core publications; None while ranges are missing."""


@dataclass(frozen=True, eq=False)
class _Two:
    """Two versions and their differences, always from A to B."""

    pair: VersionPair
    a: Evaluation
    b: Evaluation
    f_beta: Difference | None
    """None if the region has not been evaluated yet."""

    @property
    def n_gained(self) -> int:
        return len(self.pair.core_gained) - len(self.pair.core_lost)


def _turned(difference: Difference) -> Difference:
    """Return the same difference from the other version's side; its sentence is not used."""
    value, interval = difference.difference, difference.interval
    return replace(
        difference,
        a=difference.b,
        b=difference.a,
        difference=None if value is None else -value,
        interval=None if interval is None else Interval(-interval.high, -interval.low),
    )


def _two(comparison: Comparison, a: str, b: str, region: RegionKind) -> _Two:
    versions = dict(zip(comparison.labels, comparison.versions, strict=True))
    if a == b or not {a, b} <= set(versions):
        raise InputError(f"no pair {a}, {b} was compared; there are {', '.join(versions)}")
    pair = next(p for p in comparison.pairs if {p.a, p.b} == {a, b})
    found = [d for d in comparison.differences if (d.metric, d.region, d.a) == ("f_beta", region, pair.a)]
    f_beta = next((d for d in found if d.b == pair.b), None)
    if pair.a != a:
        pair = VersionPair(a, b, pair.n_both, pair.n_only_b, pair.n_only_a, pair.core_lost, pair.core_gained)
        f_beta = _turned(f_beta) if f_beta else None
    return _Two(pair, versions[a], versions[b], f_beta)


def _core_words(two: _Two) -> str:
    a, b, n_core = two.pair.a, two.pair.b, len(two.b.core_ids)
    gained, lost, n_found = len(two.pair.core_gained), len(two.pair.core_lost), len(two.b.found_core_ids)
    of_core = f"of {n_core:,} core publication{'s' * (n_core != 1)}"
    if not gained and not lost:
        if not n_found:
            return f"{b} finds none {of_core}, nor does {a},"
        return f"{b} finds the same {n_found:,} {of_core} as {a}"
    if gained == lost:
        swapped = f"{gained:,} gained, {lost:,} lost"
        return f"{b} finds as many core publications as {a} ({n_found:,} of {n_core:,}; {swapped})"
    how_many = f"{abs(gained - lost):,} {'more' if gained > lost else 'fewer'}"
    both = f" ({gained:,} gained, {lost:,} lost)" if gained and lost else ""
    return f"{b} finds {how_many} {of_core} than {a}{both}"


def _publications(n: int) -> str:
    return f"{n:,} publication{'s' * (n != 1)}"


def _size_change(n_before: int, n: int) -> tuple[str, str]:
    """Return how many are retrieved compared with before, in two parts. Small numbers are named: a ratio says little.

    >>> [" ".join(filter(None, _size_change(*sizes))) for sizes in [(1, 3), (20, 20), (20, 50), (20, 12), (99, 100)]]
    ['3 instead of 1', 'as many', '2.5 times as many', '40 % fewer', 'about as many (100 instead of 99)']
    """
    if n == n_before:
        return "as many", ""
    ratio = n / n_before
    if min(n, n_before) < FEW or ratio < NEARLY_ALL:
        return f"{n:,}", f"instead of {n_before:,}"
    if NEARLY_AS_MANY < ratio < 1 / NEARLY_AS_MANY:
        return "about as many", f"({n:,} instead of {n_before:,})"
    if ratio < 1:
        return f"{1 - ratio:.0%} fewer".replace("%", " %"), ""
    return f"{ratio:,.0f} times as many" if ratio >= MANY_TIMES else f"{ratio:.1f} times as many", ""


def _size_words(two: _Two) -> str:
    n_a, n_b = two.a.n_retrieved, two.b.n_retrieved
    if not n_a or not n_b:
        return f"retrieves {_publications(n_b)} where {two.pair.a} retrieves nothing" if n_b else "retrieves nothing"
    return " ".join(filter(None, ("retrieves", *_size_change(n_a, n_b))))


def _verdict_named(two: _Two, region: RegionKind) -> str:
    around = " around the full core set" if region in SHARED_AREAS else ""
    return f"F{two.b.settings.beta:g} ({REGION_LABELS[region]}{around})"


def _amount(value: float) -> str:
    return f"{abs(value):.2f}" if abs(value) >= 0.005 else "less than 0.01"


def _score_words(two: _Two, region: RegionKind, *, has_ranges: bool) -> tuple[str, bool | None]:
    """Return the clause about F-beta, and whether its difference is clear."""
    name, difference = _verdict_named(two, region), two.f_beta
    if difference is None:
        return f"its {name} is not known yet", None
    if difference.difference is None:
        return _undefined_words(two, region), False
    if not two.a.found_core_ids and not two.b.found_core_ids:
        return f"{name} is 0 for both", False
    value, contrary = difference.difference, two.n_gained * difference.difference < 0
    higher = f"{_amount(value)} {'higher' if value > 0 else 'lower'}"
    if difference.interval is None:
        text = f"its {name} is {higher}" if value else f"its {name} is the same"
        but = "yet " * contrary + text
        if not has_ranges:
            return but, None
        return f"{but}, but it is unknown whether that is clear: the region rarely exists in other core sets", False
    low, high = difference.interval.holding(value)
    if low == high == 0:
        return f"its {name} is the same", False
    if low <= 0 <= high:
        fits = f"{signed(value, 2)}; it may be anything from {signed(low, 2)} to {signed(high, 2)}"
        return f"it is not clear whether its {name} is higher or lower ({fits})", False
    return f"{'yet ' * contrary}its {name} is {higher}, and that is clear", True


def _undefined_words(two: _Two, region: RegionKind) -> str:
    name = f"F{two.b.settings.beta:g} ({REGION_LABELS[region]})"
    if region not in RESAMPLERS:
        return f"their {name} is not compared: each list has a region of its own"
    reason = (two.f_beta.reason if two.f_beta else None) or ""
    for label in (two.pair.a, two.pair.b):
        if reason.startswith(f"{label}: "):
            return f"their {name} can't be compared: {label} has none ({reason.removeprefix(f'{label}: ')})"
    return f"their {name} can't be compared: {reason}"


def verdict(comparison: Comparison, a: str, b: str, *, region: RegionKind) -> ComparisonVerdict:
    """Describe in one plain sentence the gains and losses of B against A; A and B may be given in either order.

    "Clear" is used for F-beta only, and only if every resampled core set that counts agrees on the better version.
    Numbers of found and retrieved publications are plain counts.
    """
    two = _two(comparison, a, b, region)
    if not two.a.n_retrieved and not two.b.n_retrieved:
        return ComparisonVerdict(f"Neither {a} nor {b} retrieves anything, so there is nothing to compare.", False)
    if not two.pair.n_only_a and not two.pair.n_only_b:
        same = _publications(two.pair.n_both).removeprefix("1 ")
        return ComparisonVerdict(f"{b} and {a} retrieve the same {same}: their scores do not differ.", False)
    score, clear = _score_words(two, region, has_ranges=comparison.has_ranges)
    return ComparisonVerdict(f"{_core_words(two)} and {_size_words(two)}; {score}.", clear)


def result_sentence(comparison: Comparison, parent: str, version: str, *, region: RegionKind) -> ComparisonVerdict:
    """State if a version is better than its parent by F-beta, and the cost of the change."""
    two = _two(comparison, parent, version, region)
    if not two.pair.n_only_a and not two.pair.n_only_b:
        return ComparisonVerdict(f"The same publications as {parent}.", False)
    score, clear = _score_words(two, region, has_ranges=comparison.has_ranges)
    difference = two.f_beta.difference if two.f_beta else None
    is_better = (difference or 0) > 0 or (not two.a.n_retrieved and bool(two.pair.core_gained))
    is_worse = (difference or 0) < 0 or not two.b.n_retrieved
    is_certain = not two.b.n_retrieved or (is_better and not two.a.n_retrieved)
    compared = "Compared with"
    if difference and clear is False and not is_certain:
        compared = "Not clear whether it is better or worse than"
    elif clear or is_certain:
        compared = "Better than" if is_better else "Worse than" if is_worse else compared
    changes = f"{compared} {parent}: {_core_change(two)}, {_reading_change(two)}."
    if is_certain:
        return ComparisonVerdict(changes, None)
    if not difference:
        return ComparisonVerdict(f"{changes} {upper_first(score)}.", clear)
    return ComparisonVerdict(f"{changes} Clear." if clear else changes, clear)


def _core_change(two: _Two) -> str:
    gained, lost = len(two.pair.core_gained), len(two.pair.core_lost)
    if gained and lost:
        return f"{gained:,} core publication{'s' * (gained != 1)} gained and {lost:,} lost"
    n = gained or lost
    if not n:
        return "the same core publications found"
    return f"{n:,} {'more' if gained else 'fewer'} core publication{'s' * (n != 1)} found"


def _reading_change(two: _Two) -> str:
    n_parent, n = two.a.n_retrieved, two.b.n_retrieved
    if not n:
        return "nothing to read"
    if not n_parent:
        return f"{n:,} to read instead of nothing"
    amount, before = _size_change(n_parent, n)
    return " ".join(filter(None, (amount, "to read", before)))


# Versions that no other version beats on both counts: more core publications found, fewer publications to read.


def pareto_front(n_retrieved: Sequence[int], n_found: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of the versions on the front, shortest list first.

    A version is on the front if no other finds at least as many core publications in at most as many records, with one
    of the two strictly better. Versions that are equal in both are on the front together.

    >>> pareto_front([100, 50, 200, 60], [5, 3, 9, 3])
    (1, 0, 2)
    """
    order = sorted(range(len(n_retrieved)), key=lambda i: (n_retrieved[i], -n_found[i]))
    front: list[int] = []
    for i in order:
        last = front[-1] if front else None
        if (
            last is None
            or n_found[i] > n_found[last]
            or (n_retrieved[i], n_found[i]) == (n_retrieved[last], n_found[last])
        ):
            front.append(i)
    return tuple(front)
