"""Two versions in one sentence: core publications found, records to read, F-beta of one region."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.comparing.compare import REGION_LABELS, SHARED_AREAS, Comparison, Difference, Pair
from core.errors import InputError
from core.evaluate import Evaluation
from core.ranking.significance import Interval
from core.resampling import RESAMPLERS
from core.types import RegionKind

NEARLY_ALL, NEARLY_AS_MANY, MANY_TIMES = 0.05, 0.95, 10


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change of the query has done, for the head of a page."""

    sentence: str
    clear: bool | None
    """Whether F-beta differs beyond the choice of core publications; None while ranges are missing."""


@dataclass(frozen=True, eq=False)
class _Two:
    """Two versions and how they differ, always from A to B."""

    pair: Pair
    a: Evaluation
    b: Evaluation
    f_beta: Difference | None
    """None where the region is not known yet."""

    @property
    def n_gained(self) -> int:
        return len(self.pair.core_gained) - len(self.pair.core_lost)


def _turned(difference: Difference) -> Difference:
    """The same difference, seen from the other version; its sentence is not used."""
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
        pair = Pair(a, b, pair.n_both, pair.n_only_b, pair.n_only_a, pair.core_lost, pair.core_gained)
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


def _size_words(two: _Two) -> str:
    n_a, n_b = two.a.n_retrieved, two.b.n_retrieved
    if not n_a or not n_b:
        return f"retrieves {_publications(n_b)} where {two.pair.a} retrieves nothing" if n_b else "retrieves nothing"
    if n_a == n_b:
        return "retrieves as many"
    ratio = n_b / n_a
    if ratio < NEARLY_ALL:
        return f"retrieves {n_b:,} instead of {n_a:,}"
    if NEARLY_AS_MANY < ratio < 1 / NEARLY_AS_MANY:
        return f"retrieves about as many ({n_b:,} instead of {n_a:,})"
    if ratio < 1:
        return f"retrieves {1 - ratio:.0%} fewer".replace("%", " %")
    return f"retrieves {ratio:,.0f} times as many" if ratio >= MANY_TIMES else f"retrieves {ratio:.1f} times as many"


def _named(two: _Two, region: RegionKind) -> str:
    around = " around the full core set" if region in SHARED_AREAS else ""
    return f"F{two.b.settings.beta:g} ({REGION_LABELS[region]}{around})"


def _amount(value: float) -> str:
    return f"{abs(value):.2f}" if abs(value) >= 0.005 else "less than 0.01"


def _ends(interval: Interval, value: float) -> tuple[float, float]:
    """The value belongs to what fits, even where the resamples leave it outside their range."""
    return min(interval.low, value), max(interval.high, value)


def _signed(value: float) -> str:
    """A minus sign before nothing would be read as something."""
    text = f"{value:+.2f}"
    return "0" if float(text) == 0 else text


def _score_words(two: _Two, region: RegionKind, *, has_ranges: bool) -> tuple[str, bool | None]:
    """The clause about F-beta, and whether its difference is clear."""
    name, difference = _named(two, region), two.f_beta
    if difference is None:
        return f"its {name} is not known yet", None
    if difference.difference is None:
        return _undefined_words(two, region), False
    if not two.a.found_core_ids and not two.b.found_core_ids:
        return f"{name} is 0 for both", False
    value, contrary = difference.difference, two.n_gained * difference.difference < 0
    higher = f"{_amount(value)} {'higher' if value > 0 else 'lower'}"
    if difference.interval is None:
        said = f"its {name} is {higher}" if value else f"its {name} is the same"
        but = "yet " * contrary + said
        if not has_ranges:
            return but, None
        return f"{but}, but whether that is clear can't be said: the region seldom exists in other core sets", False
    low, high = _ends(difference.interval, value)
    if low == high == 0:
        return f"its {name} is the same", False
    if low <= 0 <= high:
        fits = f"{_signed(value)}; anything from {_signed(low)} to {_signed(high)} fits"
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


def verdict(comparison: Comparison, a: str, b: str, *, region: RegionKind) -> Verdict:
    """What B does that A does not, in one plain sentence; A and B may stand in either order.

    "Clear" is said only of F-beta, and only where every resampled core set that counts agrees on who is ahead. What was
    found and what was retrieved are plain counts.
    """
    two = _two(comparison, a, b, region)
    if not two.a.n_retrieved and not two.b.n_retrieved:
        return Verdict(f"Neither {a} nor {b} retrieves anything: there is nothing to compare.", False)
    if not two.pair.n_only_a and not two.pair.n_only_b:
        same = _publications(two.pair.n_both).removeprefix("1 ")
        return Verdict(f"{b} and {a} retrieve the same {same}: their scores do not differ.", False)
    score, clear = _score_words(two, region, has_ranges=comparison.has_ranges)
    return Verdict(f"{_core_words(two)} and {_size_words(two)}; {score}.", clear)
