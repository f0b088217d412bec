"""Gains of a search string on held-out core publications, as numbers and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.explore.uncertainty import resample_weights
from core.metrics import Metric, decay, f_beta
from core.query.contributions import Stakes
from core.query.match import Bits, count, rows_of
from core.stats import LEVEL, Interval, percentile_range, wilson
from core.text import signed
from core.types import Floats, Ids
from core.writer.sheets import Brief, CoreScores, CoreSplit, Gain, SheetStep, StringScores, WriterBudget

FEWEST = 6
"""The minimum number of core publications to hold out half of them: a region needs some on either side."""


def split(core_ids: Ids, *, seed: int, hold_out: bool = True) -> CoreSplit:
    """Split core publications into random halves. The seed decides, not their order; the used half may have one more.

    >>> split(("a", "b", "c"), seed=0)
    CoreSplit(used=('a', 'b', 'c'), held_out=())
    """
    if not hold_out or len(core_ids) < FEWEST:
        return CoreSplit(core_ids, ())
    mixed = np.random.default_rng(seed).permutation(sorted(core_ids))
    used = set(mixed[: -(-len(core_ids) // 2)].tolist())
    return CoreSplit(tuple(i for i in core_ids if i in used), tuple(i for i in core_ids if i not in used))


# Scores of retrieved publications against the core publications in use, those held out, and all.


@dataclass(frozen=True, eq=False)
class SplitStakes:
    """The criteria for the score of a string by group of core publications; each group has a region of its own."""

    used: Stakes
    """The core publications that the writer may see; the same as `whole` if none are held out."""
    held_out: Stakes | None
    whole: Stakes


def standing(stakes: Stakes, retrieved: Bits) -> CoreScores:
    n_found = count(stakes.core & retrieved)
    return CoreScores(
        n_core=stakes.n_core,
        n_found=n_found,
        recall=stakes.recall(retrieved),
        recall_interval=wilson(n_found, stakes.n_core),
        semantic_precision=stakes.semantic_precision(retrieved) if stakes.accepted.any() else None,
        f_beta=stakes.f_beta(retrieved) if stakes.accepted.any() else None,
    )


def judged(sides: SplitStakes, retrieved: Bits) -> StringScores:
    return StringScores(
        n_retrieved=count(retrieved),
        used=standing(sides.used, retrieved),
        held_out=None if sides.held_out is None else standing(sides.held_out, retrieved),
        whole=standing(sides.whole, retrieved),
    )


# Ranking of strings.


def score_order(judged: StringScores) -> tuple[float, float, int]:
    """Return a sort key, best first: F-beta on the held-out half, then on the used half, then the smallest result.

    If nothing is held out, F-beta on the used half decides. A string without a score comes after all scored ones.
    """
    unseen = judged.used if judged.held_out is None else judged.held_out
    return -_score(unseen), -_score(judged.used), judged.n_retrieved


def _score(standing: CoreScores) -> float:
    return -1.0 if standing.f_beta is None else standing.f_beta


def is_small(judged: StringScores, budget: WriterBudget) -> bool:
    """Return True if the string retrieves no more than the budget allows."""
    return budget.most_publications is None or judged.n_retrieved <= budget.most_publications


def ranked(steps: Sequence[SheetStep], budget: WriterBudget) -> list[SheetStep]:
    """Rank steps by `score_order`; those that exceed the budget come last."""
    return sorted(
        steps,
        key=lambda s: (*_beyond(s, budget), *score_order(s.judged), s.made_by, s.number),
    )


def best_of(steps: Sequence[SheetStep], budget: WriterBudget) -> SheetStep | None:
    """Return the best step that has a string; None: there is none besides the topic's name."""
    return next(iter(ranked(_written(steps), budget)), None)


def best_by_used(steps: Sequence[SheetStep], budget: WriterBudget) -> SheetStep | None:
    """Return the best step on the used half alone, for a study that uses the held-out half as a test."""
    return min(_written(steps), key=lambda s: (*_beyond(s, budget), -_score(s.judged.used), s.number), default=None)


def _written(steps: Sequence[SheetStep]) -> list[SheetStep]:
    return [step for step in steps if step.parent is not None and step.text]


def _beyond(step: SheetStep, budget: WriterBudget) -> tuple[bool, float]:
    return not is_small(step.judged, budget), -min(step.judged.used.recall, budget.min_recall)


def ranking_sentence(split: CoreSplit, brief: Brief) -> str:
    """Explain the ranking of candidates, and its effect on the score of the best."""
    if split.held_out:
        return (
            f"Candidates are ranked by F2 on the {len(split.held_out):,} core publications that were held out "
            "while they were written. The best was chosen by that score, so expect slightly less on new "
            "publications."
        )
    why = f"There are fewer than {FEWEST} core publications" if brief.hold_out else "None are held out, as chosen"
    return (
        f"{why}, so candidates are ranked by F2 on the core publications they were written with. That flatters all "
        "of them: add more core publications before you trust it."
    )


# The gain of a string over another on core publications unknown to its writer.

N_RESAMPLES = 2000
FEWEST_CORE = 6
"""The minimum number of held-out core publications for an interval. If one string finds all of fewer and the other
none, resamples can't differ, and a sign test finds nothing either (2 / 2^5 > 0.05)."""


def gain(stakes: Stakes | None, retrieved: Bits, baseline: Bits, *, seed: int = 0) -> Gain:
    """Return the F-beta of a retrieved set minus that of a baseline, on the held-out side.

    Interval: the middle 95 % of the same difference over 2,000 resamples of the held-out core publications, each drawn
    for both sets at once. Two pseudo-publications are drawn with them, one found only by the first set and one only by
    the second: resamples of about ten publications vary too little, or not at all if both sets find the same ones, so
    that a minimal difference in precision would seem clear. The region, and so the precision of both, stays fixed. In
    simulations with 6 to 20 core publications, the interval contained the true difference in at least 95 % of cases;
    without the two, in 44 to 100 %.

    Undefined: nothing is held out, or nothing of one of the sets can be scored; without an interval: fewer than 6 core
    publications. Reference: Bonett and Price (2012), doi 10.3102/1076998611411915, for the two pseudo-publications.
    """
    if stakes is None:
        return Gain(None, None)
    first, second = stakes.f_beta(retrieved), stakes.f_beta(baseline)
    if first is None or second is None:
        return Gain(None, None)
    if stakes.n_core < FEWEST_CORE:
        return Gain(first - second, None)
    if not (retrieved ^ baseline).any():
        return Gain(0.0, Interval(0.0, 0.0))
    weights = resample_weights(stakes.n_core + 2, N_RESAMPLES // 2, seed=seed)
    # The two are exchanged in half of the resamples, so that gains and losses are symmetric.
    mirrored = np.hstack([weights[:, :-2], weights[:, :-3:-1]])
    weights = np.vstack([weights, mirrored])
    drawn = resampled(stakes, retrieved, weights, (1, 0)) - resampled(stakes, baseline, weights, (0, 1))
    return Gain(first - second, percentile_range(drawn))


def resampled(stakes: Stakes, retrieved: Bits, weights: Floats, more: Sequence[int] = ()) -> Floats:
    """Compute F-beta for resamples, the rows of `weights`, which count each core publication that many times.

    Columns after the core publications of the corpus are those outside it. `more`: for added core publications, in the
    last columns, 1 if found.
    """
    scorable = retrieved & stakes.scorable
    relevant = scorable & stakes.accepted
    n_relevant = count(relevant)
    precision = n_relevant / count(scorable) * decay(n_relevant, **stakes.settings.decay_curve)
    rows = rows_of(stakes.core)
    found = np.isin(rows, rows_of(relevant & stakes.core))
    n_found = weights[:, : len(rows)] @ found + weights[:, weights.shape[1] - len(more) :] @ np.array(more, dtype=float)
    recall = n_found / weights.sum(axis=1)
    return f_beta(np.full(len(weights), precision), recall, beta=stakes.settings.beta)


# A statement about the gain on the held-out half that claims no more than its interval allows.

BROAD = 0.5
"""The share of the corpus above which a string is considered broad."""
GainStanding = Literal["better", "worse", "not clear", "not known"]
"""The rating of a string compared with the topic's name on the held-out half."""


def standing_of(gain: Gain | None) -> GainStanding:
    """Rate a gain: better or worse only if the interval excludes 0, and the value is on the same side.

    >>> standing_of(Gain(0.1, None))
    'not known'
    """
    if gain is None or gain.value is None or gain.interval is None:
        return "not known"
    if min(gain.value, gain.interval.low) > 0:
        return "better"
    return "worse" if max(gain.value, gain.interval.high) < 0 else "not clear"


def gain_sentence(step: SheetStep) -> str:
    """Describe the gain over the topic's name on core publications that the writer did not know."""
    if step.parent is None:
        return "The topic's name alone: the baseline for every other string."
    return gain_words(step.gain, step.judged.held_out)


def gain_words(gain: Gain | None, held_out: CoreScores | None) -> str:
    """Describe a gain of anything that is judged on both halves."""
    if held_out is None:
        return "No core publications are held out: overfitting can't be detected."
    if gain is None or gain.value is None:
        which = "it" if held_out.f_beta is None else "the topic's name"
        return f"Not known on the held-out half: {which} retrieves nothing that can be scored there."
    if gain.interval is None:
        return (
            f"F2 {signed(gain.value)} against the topic's name on the held-out half, which is too small for an "
            "interval: not clear."
        )
    value = (
        f"F2 {signed(gain.value)} ({signed(gain.interval.low)} to {signed(gain.interval.high)}) on the held-out half"
    )
    verdict = {
        "better": "Better than the topic's name",
        "worse": "Worse than the topic's name",
    }.get(standing_of(gain), "Not clear whether it is better than the topic's name")
    return f"{verdict}: {value}."


def gains_sentence(steps: Sequence[SheetStep]) -> str:
    """State how many strings are clearly better than the topic's name; empty: there are no others."""
    written = [step for step in steps if step.parent is not None]
    if not written:
        return ""
    found = [standing_of(step.gain) for step in written]
    if all(each == "not known" for each in found):
        return "It is not known whether any string is better than the topic's name: each one shows the reason."
    of = f"of {len(written)} strings" if len(written) > 1 else "of 1 string"
    counts = {
        "clearly better than the topic's name": found.count("better"),
        "clearly worse": found.count("worse"),
        "not clear": found.count("not clear"),
        "not known": found.count("not known"),
    }
    text = ", ".join(f"{n} {words}" for words, n in counts.items() if n or words.startswith("clearly better"))
    return f"On the held-out half, {of}: {text}."


def breadth_note(n_retrieved: int, n_corpus: int) -> str:
    """Warn about a string that retrieves most of a corpus; empty: it does not.

    A corpus often consists of the results of earlier queries. Nearly everything in it then belongs to the topic, and
    words that would retrieve millions in a database look precise.

    >>> breadth_note(10, 100)
    ''
    """
    if n_retrieved <= BROAD * n_corpus:
        return ""
    return (
        f"It retrieves {n_retrieved / n_corpus:.0%} of the topic's {n_corpus:,} publications. If earlier queries "
        "collected these, they can't show how much such a broad string finds in a database: count it there first."
    )


# Definitions of the query writer's metrics.


WRITER_METRICS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "used",
            "Used half",
            "A score against the core publications that were available while the string was written, with a region "
            "fitted to them alone. It flatters the string, which was made for them. It decides between candidates "
            "that are equal on the held-out half, and alone if nothing is held out.",
            "the score, with the used core publications as the core set",
            f"Below {FEWEST} core publications nothing is held out, and all of them are used.",
            "halves by chance, the same for the same seed; the used one has one more if their number is odd",
        ),
        Metric(
            "held_out",
            "Held-out half",
            "The same score against the other core publications, which were not marked as core while the string "
            "was written, with a region of their own: they may still be read like any other publication of the "
            "corpus. A much lower score than on the used half means overfitting. Candidates are ranked by it.",
            "the score, with the held-out core publications as the core set",
            f"– below {FEWEST} core publications, or if none are held out by choice.",
            "a split of the truth into one part to write with and one to try on, as in the objective method of Scells, "
            "Zuccon, Koopman and Clark (2020), doi 10.1007/s10791-020-09381-1",
        ),
        Metric(
            "gain",
            "Gain on the held-out half",
            "The gain in F2 on the held-out half over the topic's name alone, the string that most people would "
            "type first.",
            "F2 of the string - F2 of the topic's name, both on the held-out half",
            f"– if nothing is held out, or one of the two retrieves nothing that can be scored; without an interval "
            f"below {FEWEST_CORE} held-out core publications.",
            f"interval: the middle {LEVEL:.0%} over {N_RESAMPLES:,} resamples of the held-out core publications "
            "and two more, one that only the one string finds and one that only the other does (Bonett and Price "
            "2012, doi 10.3102/1076998611411915), the same for both strings. It is clear if the interval excludes "
            "0. The region stays the same, so precision is taken as known, and another split into halves would "
            "give another gain",
            range="-1 to 1; 0: no better than the topic's name",
        ),
        Metric(
            "unique_share",
            "Unique share",
            "The share of a keyword's publications that no other keyword of the string retrieves; for an excluded "
            "keyword, that no other one excludes.",
            "publications lost without the keyword / publications that it retrieves in the string",
            "– if it retrieves nothing, or is one of several overarching keywords that are joined by AND.",
            "",
            range="0 to 1; 0: other keywords retrieve all of them",
            higher_is_better=None,
        ),
        Metric(
            "price",
            "F2 without it",
            "The change in F2 on the used half if the keyword is left out of the string. Above 0 the string is "
            "better without it.",
            "F2 without the keyword - F2 with it, both on the used half",
            "– if the string retrieves nothing that can be scored, with or without it.",
            "calculated like the term weights on the Workbench",
            range="-1 to 1; 0: it makes no difference",
            higher_is_better=False,
        ),
    )
}
