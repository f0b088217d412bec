"""A judge against known judgments: agreement of its grades, and confirmation of its clear differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.judge.reliability import GradeAgreement
from core.judge.scores import CLEAR, JudgeComparison, JudgeScores, best_engines
from core.retrieval.leaderboard import ALPHA, Leaderboard, comparison
from core.retrieval.metrics import read_metric

Says = Literal["the same", "the opposite", "not clear", "unknown"]
"""The verdict of judgments on a difference between two engines, on one metric."""


@dataclass(frozen=True, eq=False)
class KnownTruth:
    """A collection's judgments of the engines that were judged."""

    collection: str
    made_up: bool
    agreement: GradeAgreement
    """Between grades and judgments, triple by triple."""
    board: Leaderboard
    """Of the engines, by the judgments."""
    over: str
    """Whole rankings, or only the judged publications."""
    note: str = ""
    """A note on the judgments for readers."""
    only_relevant: bool = False
    """They contain only relevant publications, so generous grading can't be distinguished from agreement."""

    @property
    def name(self) -> str:
        return f'judgments of "{self.collection}"{", which are synthetic" if self.made_up else ""}'


@dataclass(frozen=True, slots=True)
class TruthOfPair:
    """One difference of a judge, with the same difference by the judgments."""

    a: str
    b: str
    is_clear: bool
    """For the judge."""
    says: Mapping[str, Says]
    """By metric."""
    values: Mapping[str, tuple[float | None, float | None]]
    """Of a and b, by metric."""

    @property
    def verdict(self) -> Says:
        found = set(self.says.values())
        if "the opposite" in found:
            return "the opposite"
        return "unknown" if found <= {"unknown"} else "the same" if found <= {"the same"} else "not clear"


def truth_of_pairs(truth: KnownTruth, scores: JudgeScores) -> tuple[TruthOfPair, ...]:
    """Check every pair of engines that the judge compared over all queries."""
    return tuple(_of_pair(truth.board, pair) for pair in scores.comparisons_all)


def _of_pair(board: Leaderboard, pair: JudgeComparison) -> TruthOfPair:
    rows = {run.name: run for run in board.scores}
    metrics = tuple(board.scores[0].values) if board.scores else ()
    values = {
        metric: tuple(rows[name].values.get(metric) if name in rows else None for name in (pair.a, pair.b))
        for metric in metrics
    }
    return TruthOfPair(
        pair.a,
        pair.b,
        pair.is_clear,
        {metric: _says(board, metric, pair) for metric in metrics},
        {metric: (found[0], found[1]) for metric, found in values.items()},
    )


def _says(board: Leaderboard, metric: str, pair: JudgeComparison) -> Says:
    found = comparison(board, metric, pair.a, pair.b)
    if found is None or pair.difference is None:
        return "unknown"
    if found.p_holm >= ALPHA or not found.difference:
        return "not clear"
    return "the same" if (found.difference > 0) == (pair.difference > 0) else "the opposite"


def truth_sentences(truth: KnownTruth, scores: JudgeScores) -> tuple[str, ...]:
    """Describe the agreement, then the judgments on the judge's best two engines; for the head of a page."""
    parts = [_agreement(truth)]
    order = best_engines(scores)
    if len(order) > 1:
        names = {order[0].engine, order[1].engine}
        pair = next((each for each in truth_of_pairs(truth, scores) if {each.a, each.b} == names), None)
        if pair is not None and pair.verdict != "unknown":
            parts.append(_beside(pair, order[0].engine))
    return tuple(parts)


def contradicts(truth: KnownTruth, scores: JudgeScores) -> bool:
    """Return True if the judgments do not confirm a difference that is clear for the judge."""
    return any(
        each.is_clear and each.verdict in ("the opposite", "not clear") for each in truth_of_pairs(truth, scores)
    )


def _agreement(truth: KnownTruth) -> str:
    found, kappa = truth.agreement, truth.agreement.quadratic
    head = f"Agreement with {truth.name}"
    if kappa.value is None:
        return f"{head}: – ({kappa.reason or 'nothing was graded by both'})."
    ends = found.quadratic_range
    told = "" if ends is None else f" ({ends.low:.2f} to {ends.high:.2f})"
    which = (
        ", all relevant in the judgments: publications without a judgment are not compared"
        if truth.only_relevant
        else ""
    )
    return f"{head}: weighted kappa {kappa.value:.2f}{told}".replace("-0", "−0") + f" over {found.n:,} pairs{which}."


def _beside(pair: TruthOfPair, first: str) -> str:
    """Describe a pair, with the judge's best engine first."""
    second, turned = (pair.b, False) if pair.a == first else (pair.a, True)
    parts = []
    for place, (metric, (a, b)) in enumerate(pair.values.items()):
        one, other = (b, a) if turned else (a, b)
        if one is None or other is None:
            continue
        names = (f" for {first}", f" for {second}") if not place else ("", "")
        parts.append(
            f"{read_metric(metric).label} {one:.3f}{names[0]} against {other:.3f}{names[1]}{_WORDS[pair.says[metric]]}"
        )
    return f"By these judgments: {'; '.join(parts)}. {_conclusion(pair)}"


_WORDS: Mapping[Says, str] = {
    "the same": ", clearly in the same direction",
    "the opposite": ", clearly in the other direction",
    "not clear": ", not clear",
    "unknown": "",
}


def _conclusion(pair: TruthOfPair) -> str:
    if not pair.is_clear:
        return "For the judge this difference is not clear."
    if pair.verdict == "the opposite":
        metrics = [read_metric(metric).label for metric, says in pair.says.items() if says == "the opposite"]
        return f"The difference is {CLEAR}, but the judgments show the opposite by {' and '.join(metrics)}."
    if pair.verdict == "the same":
        return "The judgments confirm the difference."
    return f"The difference is {CLEAR}, but the judgments do not confirm it."


def truth_document(truth: KnownTruth, scores: JudgeScores) -> dict[str, Any]:
    """Return the comparison for JSON."""
    agreement = truth.agreement
    ends = agreement.quadratic_range
    return {
        "collection": truth.collection,
        "made_up": truth.made_up,
        "n_pairs": agreement.n,
        "weighted_kappa": agreement.quadratic.value,
        "weighted_kappa_range": None if ends is None else list(ends),
        "raw_agreement": agreement.raw.value,
        "kappa_at_cut": agreement.kappa_at_cut.value,
        "scale": {str(value): points for value, points in agreement.scale.items()},
        "over": truth.over,
        "n_queries": len(truth.board.query_ids),
        "engines": {run.name: dict(run.values) for run in truth.board.scores},
        "pairs": [
            {"a": each.a, "b": each.b, "clear_for_judge": each.is_clear, "says": dict(each.says)}
            for each in truth_of_pairs(truth, scores)
        ],
        "sentences": list(truth_sentences(truth, scores)),
        "note": truth.note,
    }
