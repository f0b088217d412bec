"""Two records of the same scores side by side: what is the same to 1e-9, and what is not, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.comparing.compare import REGION_LABELS, Comparison, Difference, sentence_for
from core.evaluate import Evaluation, RegionScores
from core.ranking.significance import Interval
from core.types import Ids

TOLERANCE = 1e-9
OTHER_CORPORA = "were run over different publications"
"""Why two versions are not compared: known only where they were run."""
_ACCURACY = {"area": 1e-6}
"""Relative: how far a number that is approached step by step comes out the same on another processor."""
_YET = ", so far without a range."
_SCORES = {
    "semantic_precision": "semantic precision",
    "decay": "decay",
    "recall_used": "the recall in F-beta",
    "f_beta": "F-beta",
}
Number = float | int | str | None


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of laying the two records side by side."""

    differing: Ids
    """One sentence for each thing that is not the same."""
    largest_difference: float

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differing


def labelled(comparison: Comparison) -> Iterator[tuple[str, Evaluation]]:
    """Each version of a comparison with what it is called."""
    return zip(comparison.labels, comparison.versions, strict=True)


def _apart(a: Number, b: Number) -> float:
    """How far two numbers are apart; 1 where only one of them is there, or words differ."""
    if isinstance(a, float | int) and isinstance(b, float | int):
        if a == b or (np.isnan(a) and np.isnan(b)):
            return 0.0
        gap = abs(float(a) - float(b))
        return gap if np.isfinite(gap) else 1.0
    return 0.0 if a == b else 1.0


def _shown(value: Number) -> str:
    if value is None:
        return "undefined"
    return f"{value:.9g}" if isinstance(value, float) else f"“{value}”" if isinstance(value, str) else f"{value:,}"


class _Ledger:
    """Collects what differs."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.sentences: list[str] = []
        self.largest = 0.0

    def number(self, what: str, recorded: Number, again: Number, *, within: float = TOLERANCE) -> None:
        """A score, a count or a word."""
        gap = _apart(recorded, again)
        if gap > within:
            self.say(f"{what} was recorded as {_shown(recorded)} and comes out as {_shown(again)}")
        is_score = isinstance(recorded, float) or isinstance(again, float)
        self.largest = max(self.largest, gap if is_score else 0.0)

    def same(self, what: str, is_same: bool) -> None:
        """Something that is the same or not."""
        if not is_same:
            self.say(f"{what} comes out otherwise than recorded")

    def say(self, sentence: str) -> None:
        """One difference."""
        self.sentences.append(f"{self._label}: {sentence}.")

    @property
    def settled(self) -> Settled:
        """What was collected."""
        return Settled(tuple(self.sentences), self.largest)


def evaluation_settled(label: str, recorded: Evaluation, again: Evaluation) -> Settled:
    """Every score and decision of one version."""
    ledger = _Ledger(label)
    ledger.number("the number of retrieved publications", recorded.n_retrieved, again.n_retrieved)
    ledger.number("the number of core publications with a vector", *_both(recorded, again, "n_core_with_vectors"))
    ledger.same("the list of core publications that were found", recorded.found_core_ids == again.found_core_ids)
    ledger.same("the list of core publications that were missed", recorded.missed_core_ids == again.missed_core_ids)
    ledger.number("core recall", recorded.recall, again.recall)
    for end in ("low", "high"):
        values = _both(recorded.recall_interval, again.recall_interval, end)
        ledger.number(f"the {end} end of the interval of core recall", *values)
    ledger.number("attainable recall", recorded.attainable_recall, again.attainable_recall)
    for kind, scores in recorded.regions.items():
        _region(ledger, REGION_LABELS[kind], scores, again.regions[kind])
    ledger.same("what to beware of", recorded.warnings == again.warnings)
    ledger.same("the landscape", recorded.projection_id == again.projection_id)
    return ledger.settled


def _both(recorded: object, again: object, name: str) -> tuple[Number, Number]:
    return getattr(recorded, name), getattr(again, name)


def _region(ledger: _Ledger, name: str, recorded: RegionScores, again: RegionScores) -> None:
    ledger.number(f"{name}, whether it is defined,", recorded.status, again.status)
    ledger.number(f"{name}, relevant publications,", recorded.n_relevant, again.n_relevant)
    masks = recorded.relevant_mask, again.relevant_mask
    ledger.same(f"{name}, which publications are relevant,", _same_mask(*masks))
    ledger.same(f"{name}, which core is accepted,", recorded.accepted_core_ids == again.accepted_core_ids)
    for field, words in _SCORES.items():
        ledger.number(f"{name}, {words},", *_both(recorded, again, field))
    ledger.number(f"{name}, why it says nothing,", recorded.degenerate, again.degenerate)
    for key in dict.fromkeys((*recorded.defines, *again.defines)):
        told, counted = recorded.defines.get(key), again.defines.get(key)
        size = max([abs(float(v)) for v in (told, counted) if isinstance(v, float | int)], default=1.0)
        if _apart(told, counted) > _ACCURACY.get(key, TOLERANCE) * max(size, 1.0):
            ledger.number(f"{name}, {key.replace('_', ' ')},", told, counted)


def _same_mask(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    return a is None and b is None


def comparison_settled(recorded: Comparison, plain: Comparison) -> tuple[Settled, Comparison]:
    """Sets and plain differences of a comparison, and the comparison as it should be: ranges stay as recorded."""
    ledger = _Ledger("Comparison")
    pairs = {(p.a, p.b): p for p in recorded.pairs}
    for pair in plain.pairs:
        ledger.same(f"{pair.a} and {pair.b} as sets", pairs.get((pair.a, pair.b)) == pair)
    known = {(d.a, d.b, d.metric, d.region): d for d in recorded.differences}
    ledger.same("the list of what is compared", _names(recorded) == _names(plain))
    differences = tuple(
        _difference(ledger, known.get((d.a, d.b, d.metric, d.region)), d, has_ranges=recorded.has_ranges)
        for d in plain.differences
    )
    kept = recorded.pairs if recorded.pairs == plain.pairs else plain.pairs
    return ledger.settled, replace(plain, pairs=kept, differences=differences, has_ranges=recorded.has_ranges)


def _names(comparison: Comparison) -> list[tuple[str, str, str, str | None]]:
    return [(d.a, d.b, d.metric, d.region) for d in comparison.differences]


def _difference(ledger: _Ledger, recorded: Difference | None, plain: Difference, *, has_ranges: bool) -> Difference:
    if recorded is None:
        return plain
    if recorded.difference is None and (recorded.reason or "").endswith(OTHER_CORPORA):
        return recorded
    what = f"{plain.b} minus {plain.a} in {plain.metric.replace('_', ' ')}"
    what += f" ({REGION_LABELS[plain.region]})" if plain.region else ""
    before = len(ledger.sentences)
    ledger.number(what, recorded.difference, plain.difference)
    if len(ledger.sentences) > before or plain.difference is None:
        ledger.same(f"{what}, its sentence,", recorded.difference is not None or recorded == plain)
        return plain
    sentence = _sentence(recorded, plain, has_ranges=has_ranges)
    ledger.same(f"{what}, its sentence,", sentence == recorded.sentence)
    return replace(recorded, sentence=sentence)


def _sentence(recorded: Difference, plain: Difference, *, has_ranges: bool) -> str:
    """What follows from value and range; where there is none, the reason for that is as recorded."""
    value, interval = recorded.difference, recorded.interval
    if value is not None and isinstance(interval, Interval):
        return sentence_for(plain.metric, plain.region, plain.a, plain.b, value, interval)
    said = plain.sentence.removesuffix(_YET)
    return recorded.sentence if has_ranges and recorded.sentence.startswith(said) else plain.sentence
