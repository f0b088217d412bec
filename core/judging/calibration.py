"""Whether a judge's stated confidence means something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.judging.metrics import SMALL
from core.judging.types import HIGHEST_CONFIDENCE, Judged, Rubric
from core.ranking.significance import Interval, wilson

Source = Literal["people", "spread"]
Finding = Literal["more", "less", "unclear", "none"]
FINDINGS: Mapping[Finding, str] = {
    "more": "it is right more often where it is sure",
    "less": "it is right less often where it is sure",
    "unclear": "not clear whether it is right where it is sure",
    "none": "what its confidence means can't be said",
}


@dataclass(frozen=True, slots=True)
class Bin:
    """What was graded with one stated confidence."""

    confidence: int
    n: int
    """Triples."""
    levels: Mapping[int, int]
    """How often each grade was given, by points."""
    mean: float
    """Mean grade, on the scale that is shown."""
    n_both: int
    """Triples that a person graded as well."""
    n_same: int
    """Those with the same grade."""
    mean_gap: float | None
    """Mean distance between judge and person, on the scale that is shown; None: no person graded any of them."""

    @property
    def share_same(self) -> float | None:
        """How often judge and person agree; None: no person graded any of them."""
        return self.n_same / self.n_both if self.n_both else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's range of that share."""
        return wilson(self.n_same, self.n_both) if self.n_both else None

    @property
    def is_small(self) -> bool:
        """Whether too few were graded by both to say much."""
        return self.n_both < SMALL


@dataclass(frozen=True, eq=False)
class Calibration:
    """Stated confidence against what came of it."""

    source: Source
    """people: grades of people are there. spread: they are not, and only the spread of grades can be shown."""
    bins: tuple[Bin, ...]
    """Ascending; only confidences that were stated."""
    n: int
    """Triples with a grade and a confidence, each once."""
    n_silent: int
    """Triples with a grade but without a confidence."""
    n_both: int
    finding: Finding
    """Whether people agree more where it is sure; none: there is nothing to compare."""
    sentence: str


def calibration(judged: Iterable[Judged], rubric: Rubric, *, human: Mapping[str, int] | None = None) -> Calibration:
    """By stated confidence: how often people agree where they graded, else only which grades were given.

    A triple counts once, whoever found it. `human`: grades of people by triple, in the place of those that overrule the
    judge. The grades of the judge are its own here, overruled or not.
    """
    given = dict(human or {})
    own: dict[str, tuple[int, int]] = {}
    silent: set[str] = set()
    for each in judged:
        if human is None and each.overruled is not None and each.overruled.points is not None:
            given[each.triple_key] = each.overruled.points
        if each.verdict is None or each.verdict.points is None:
            continue
        if each.verdict.confidence is None:
            silent.add(each.triple_key)
        else:
            own[each.triple_key] = (each.verdict.confidence, each.verdict.points)
    at: dict[int, list[tuple[int, int | None]]] = {}
    for key, (confidence, points) in own.items():
        at.setdefault(confidence, []).append((points, given.get(key)))
    bins = tuple(_bin(confidence, at[confidence], rubric) for confidence in sorted(at))
    n_both = sum(each.n_both for each in bins)
    source: Source = "people" if n_both else "spread"
    finding, said = _by_people(bins) if n_both else ("none", _sentence_spread(bins))
    return Calibration(source, bins, len(own), len(silent), n_both, finding, said)


def _bin(confidence: int, pairs: Sequence[tuple[int, int | None]], rubric: Rubric) -> Bin:
    points = Counter(own for own, _ in pairs)
    both = [(own, person) for own, person in pairs if person is not None]
    gaps = [abs(own - person) for own, person in both]
    return Bin(
        confidence=confidence,
        n=len(pairs),
        levels={level: points[level] for level in rubric.points},
        mean=rubric.shown(sum(own for own, _ in pairs) / len(pairs)),
        n_both=len(both),
        n_same=gaps.count(0),
        mean_gap=rubric.shown(sum(gaps) / len(gaps)) if gaps else None,
    )


def _by_people(bins: Sequence[Bin]) -> tuple[Finding, str]:
    """Sure against less sure, halved where the stated confidences are."""
    there = [each for each in bins if each.n_both]
    head = f"A person graded {sum(each.n_both for each in there):,} of the triples as well."
    if len(there) < 2:
        return "none", f"{head} All of them were given confidence {there[0].confidence}: {FINDINGS['none']}."
    cut = _halving(there)
    low, high = ([each for each in there if (each.confidence >= cut) is upper] for upper in (False, True))
    (same_low, n_low), (same_high, n_high) = (
        (sum(each.n_same for each in part), sum(each.n_both for each in part)) for part in (low, high)
    )
    below, above = wilson(same_low, n_low), wilson(same_high, n_high)
    finding: Finding = "more" if above.low > below.high else "less" if above.high < below.low else "unclear"
    said = (
        f"From confidence {cut} the judge agrees with people on {100 * same_high / n_high:.0f} % of {n_high:,}, below "
        f"on {100 * same_low / n_low:.0f} % of {n_low:,}: {FINDINGS[finding]}."
    )
    return finding, f"{head} {said}"


def _halving(bins: Sequence[Bin]) -> int:
    """The confidence from which about half of what both graded lies above, and something below."""
    half, seen = sum(each.n_both for each in bins) / 2, 0
    options = []
    for before, each in pairwise(bins):
        seen += before.n_both
        options.append((abs(seen - half), each.confidence))
    return min(options)[1]


def _sentence_spread(bins: Sequence[Bin]) -> str:
    n = sum(each.n for each in bins)
    if not n:
        return "The judge stated no confidence."
    said = "No person has graded any of this, so whether the judge is right where it is sure can't be said."
    most = max(bins, key=lambda each: each.n)
    if len(bins) == 1:
        return f"{said} It states the same confidence, {most.confidence}, for everything."
    top = sum(each.n for each in bins if each.confidence >= HIGHEST_CONFIDENCE - 1) / n
    return f"{said} It is sure, with confidence 9 or 10, of {100 * top:.0f} % of {n:,} triples."
