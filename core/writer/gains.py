"""Gains of a search string on held-out core publications, as numbers and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.explore.uncertainty import resample_weights
from core.metrics import decay, f_beta
from core.query.contributions import Stakes
from core.query.match import Bits, count, rows_of
from core.stats import LEVEL, Interval, percentile_range, wilson
from core.types import Floats, Ids
from core.writer.sheets import Brief, Budget, Gain, Judged, Split, Standing, Step

FEWEST = 6
"""Core publications from which half of them are held out: a region wants some on either side."""


def split(core_ids: Ids, *, seed: int, hold_out: bool = True) -> Split:
    """Two halves by chance, the same for the same seed whatever the order; the used one has one more if it is odd.

    >>> split(("a", "b", "c"), seed=0)
    Split(used=('a', 'b', 'c'), held_out=())
    """
    if not hold_out or len(core_ids) < FEWEST:
        return Split(core_ids, ())
    mixed = np.random.default_rng(seed).permutation(sorted(core_ids))
    used = set(mixed[: -(-len(core_ids) // 2)].tolist())
    return Split(tuple(i for i in core_ids if i in used), tuple(i for i in core_ids if i not in used))


# How what a string retrieves stands against the core publications in use, those held out, and all.


@dataclass(frozen=True, eq=False)
class Sides:
    """What decides a string's worth, by the core publications that count; each side has a region of its own."""

    used: Stakes
    """Those that whoever writes may see; the same as `whole` where none are held out."""
    held_out: Stakes | None
    whole: Stakes


def standing(stakes: Stakes, retrieved: Bits) -> Standing:
    n_found = count(stakes.core & retrieved)
    return Standing(
        n_core=stakes.n_core,
        n_found=n_found,
        recall=stakes.recall(retrieved),
        recall_interval=wilson(n_found, stakes.n_core),
        semantic_precision=stakes.semantic_precision(retrieved) if stakes.accepted.any() else None,
        f_beta=stakes.f_beta(retrieved) if stakes.accepted.any() else None,
    )


def judged(sides: Sides, retrieved: Bits) -> Judged:
    return Judged(
        n_retrieved=count(retrieved),
        used=standing(sides.used, retrieved),
        held_out=None if sides.held_out is None else standing(sides.held_out, retrieved),
        whole=standing(sides.whole, retrieved),
    )


# Which of several strings is best.


def score_order(judged: Judged) -> tuple[float, float, int]:
    """Sort by this for the best first: F-beta on the held-out half, then on the used half, then the fewest to read.

    Where nothing is held out, F-beta on the used half decides. A string without a score comes after every scored one.
    """
    unseen = judged.used if judged.held_out is None else judged.held_out
    return -_score(unseen), -_score(judged.used), judged.n_retrieved


def _score(standing: Standing) -> float:
    return -1.0 if standing.f_beta is None else standing.f_beta


def is_small(judged: Judged, budget: Budget) -> bool:
    """Whether it retrieves no more than the budget allows."""
    return budget.most_publications is None or judged.n_retrieved <= budget.most_publications


def ranked(steps: Sequence[Step], budget: Budget) -> list[Step]:
    """The best first, by `score_order`; what is beyond the budget comes after what keeps to it."""
    return sorted(
        steps,
        key=lambda s: (*_beyond(s, budget), *score_order(s.judged), s.made_by, s.number),
    )


def best_of(steps: Sequence[Step], budget: Budget) -> Step | None:
    """The first by rank of all that are strings; None: there is none beside the topic's name."""
    return next(iter(ranked(_written(steps), budget)), None)


def best_by_used(steps: Sequence[Step], budget: Budget) -> Step | None:
    """The best on the used half alone, for a study that takes the held-out half as a test."""
    return min(_written(steps), key=lambda s: (*_beyond(s, budget), -_score(s.judged.used), s.number), default=None)


def _written(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.parent is not None and step.text]


def _beyond(step: Step, budget: Budget) -> tuple[bool, float]:
    return not is_small(step.judged, budget), -min(step.judged.used.recall, budget.min_recall)


def ranking_sentence(split: Split, brief: Brief) -> str:
    """What candidates are ranked by, and what that does to the score of the first."""
    if split.held_out:
        return (
            f"Candidates are ranked by F-beta on the {len(split.held_out):,} core publications that were held out "
            "while they were written. The best was chosen by that score, so expect slightly less on new publications."
        )
    why = f"There are fewer than {FEWEST} core publications" if brief.hold_out else "You chose to hold none out"
    return (
        f"{why}, so candidates are ranked by F-beta on the core publications they were written with. That flatters "
        "all of them: look for more core publications before you trust it."
    )


# Whether a string is better than another on core publications that nobody who wrote it knew to be core.

N_RESAMPLES = 2000
FEWEST_CORE = 6
"""Held-out core publications from which there is an interval. Where one string finds all of fewer and the other none,
resamples can't differ, and a sign test finds nothing either (2 / 2^5 > 0.05)."""


def gain(stakes: Stakes | None, retrieved: Bits, baseline: Bits, *, seed: int = 0) -> Gain:
    """F-beta of one retrieved set minus that of another, on the held-out side.

    Interval: the middle 95 % of the same difference over 2,000 resamples of the held-out core publications, each drawn
    for both sets at once. Two more are drawn with them, one that only the first set finds and one that only the second
    does: resamples of some ten publications vary too little, and not at all where both sets find the same ones, so
    that a hair of precision would be clear. The region, and so the precision of both, stays as it is. Simulated with 6
    to 20 core publications, it held the true difference in 95 % and more; without the two, in 44 to 100 %.

    Undefined: nothing is held out, or nothing of one of the sets can be scored; without an interval: fewer than 6 core
    publications. Reference: Bonett and Price (2012), doi 10.3102/1076998611411915, for the two more.
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
    mirrored = np.hstack([weights[:, :-2], weights[:, :-3:-1]])  # the two exchanged: turned round, a gain is a loss
    weights = np.vstack([weights, mirrored])
    drawn = resampled(stakes, retrieved, weights, (1, 0)) - resampled(stakes, baseline, weights, (0, 1))
    return Gain(first - second, percentile_range(drawn))


def resampled(stakes: Stakes, retrieved: Bits, weights: Floats, more: Sequence[int] = ()) -> Floats:
    """F-beta with each core publication counted as often as a row of weights says; the rows are the resamples, and
    columns beyond the core publications of the corpus are those that are not in it.

    `more`: of core publications that were added, the last columns, whether each is found.
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


# What a gain on the held-out half lets one say, in one sentence that claims no more than its interval.

BROAD = 0.5
"""Share of the corpus above which a string is called broad."""
GainStanding = Literal["better", "worse", "not clear", "not known"]
"""Of a string against the topic's name on the held-out half."""


def standing_of(gain: Gain | None) -> GainStanding:
    """Better or worse only where the interval leaves 0 out, and the value itself is on that side.

    >>> standing_of(Gain(0.1, None))
    'not known'
    """
    if gain is None or gain.value is None or gain.interval is None:
        return "not known"
    if min(gain.value, gain.interval.low) > 0:
        return "better"
    return "worse" if max(gain.value, gain.interval.high) < 0 else "not clear"


def gain_sentence(step: Step) -> str:
    """Whether a string beats the topic's name on core publications that nobody who wrote it knew."""
    if step.parent is None:
        return "The topic's name alone: what every other string is held against."
    return gain_words(step.gain, step.judged.held_out)


def gain_words(gain: Gain | None, held_out: Standing | None) -> str:
    """The same for anything that is judged on both halves."""
    if held_out is None:
        return "No core publications are held out: nothing tells what was fitted to them."
    if gain is None or gain.value is None:
        which = "it" if held_out.f_beta is None else "the topic's name"
        return f"Not known on the held-out half: {which} retrieves nothing that can be scored there."
    if gain.interval is None:
        return (
            f"F-beta {gain.value:+.3f} against the topic's name on the held-out half, which is too small for an "
            "interval: not clear."
        )
    value = f"F-beta {gain.value:+.3f} ({gain.interval.low:+.3f} to {gain.interval.high:+.3f}) on the held-out half"
    verdict = {
        "better": "Better than the topic's name",
        "worse": "Worse than the topic's name",
    }.get(standing_of(gain), "Not clear whether it is better than the topic's name")
    return f"{verdict}: {value}."


def gains_sentence(steps: Sequence[Step]) -> str:
    """How many of several strings are clearly better than the topic's name; empty: there is none beside it."""
    written = [step for step in steps if step.parent is not None]
    if not written:
        return ""
    found = [standing_of(step.gain) for step in written]
    if all(each == "not known" for each in found):
        return "Whether any string is better than the topic's name is not known: see why beside each."
    of = f"of {len(written)} strings" if len(written) > 1 else "of 1 string"
    counts = {
        "clearly better than the topic's name": found.count("better"),
        "clearly worse": found.count("worse"),
        "not clear": found.count("not clear"),
        "not known": found.count("not known"),
    }
    said = ", ".join(f"{n} {words}" for words, n in counts.items() if n or words.startswith("clearly better"))
    return f"On the held-out half, {of}: {said}."


def breadth_note(n_retrieved: int, n_corpus: int) -> str:
    """What a string that retrieves most of a corpus can't show; empty: it does not.

    A corpus is often what earlier queries retrieved: in it nearly everything belongs to the topic, and words that
    would bring millions in a database look precise.

    >>> breadth_note(10, 100)
    ''
    """
    if n_retrieved <= BROAD * n_corpus:
        return ""
    return (
        f"It retrieves {n_retrieved / n_corpus:.0%} of the {n_corpus:,} publications that the topic has here. If "
        "earlier queries gathered these, they can't tell what so broad a string brings in a database: count it there "
        "first."
    )


# What the numbers of the query writer say about themselves.


@dataclass(frozen=True, slots=True)
class WriterMetric:
    """The definition of a number, in the words that tooltips, tables and the About page use."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    range: str
    undefined: str
    reference: str
    higher_is_better: bool | None = True
    """None: no end is the better one."""


WRITER_METRICS: dict[str, WriterMetric] = {
    metric.metric_id: metric
    for metric in (
        WriterMetric(
            "used",
            "Used half",
            "A score against the core publications that whoever wrote the string was allowed to see, with a region "
            "fitted to them alone. It flatters: the string was made for them. It decides between candidates that are "
            "equal on the held-out half, and alone where nothing is held out.",
            "the score, with the used core publications as the core set",
            "0 to 1",
            f"Below {FEWEST} core publications nothing is held out, and all of them are used.",
            "halves by chance, the same for the same seed; the used one has one more if their number is odd",
        ),
        WriterMetric(
            "held_out",
            "Held-out half",
            "The same score against the other core publications, which nobody who wrote the string knew to be core, "
            "with a region of their own: they may be read as any other publication of the corpus is. What is much "
            "lower here than on the used half was fitted to what was seen. Candidates are ranked by it.",
            "the score, with the held-out core publications as the core set",
            "0 to 1",
            f"– below {FEWEST} core publications, or where holding out was not wanted.",
            "a split of the truth into one part to write with and one to try on, as in the objective method of Scells, "
            "Zuccon, Koopman and Clark (2020), doi 10.1007/s10791-020-09381-1",
        ),
        WriterMetric(
            "gain",
            "Gain on the held-out half",
            "By how much F-beta on the held-out half is above that of the topic's name alone, the string that anybody "
            "would type first.",
            "F-beta of the string - F-beta of the topic's name, both on the held-out half",
            "-1 to 1; 0: no better than the topic's name",
            f"– if nothing is held out, or one of the two retrieves nothing that can be scored; without an interval "
            f"below {FEWEST_CORE} held-out core publications.",
            f"interval: the middle {LEVEL:.0%} over {N_RESAMPLES:,} resamples of the held-out core publications and "
            "two more, one that only the one string finds and one that only the other does (Bonett and Price 2012, doi "
            "10.3102/1076998611411915), the same for both strings. It is clear if the interval leaves 0 out. The "
            "region stays as it is, so that precision is taken as known, and another split into halves would give "
            "another gain",
        ),
        WriterMetric(
            "unique_share",
            "Unique share",
            "Of what a keyword brings to the string, the share that no other keyword of it brings; behind a NOT, of "
            "what it keeps out.",
            "publications lost without the keyword / publications that it retrieves in the string",
            "0 to 1; 0: other keywords bring all of it",
            "– if it brings nothing, or is one of several overarching keywords that are joined by AND.",
            "",
            None,
        ),
        WriterMetric(
            "price",
            "F-beta without it",
            "By how much F-beta on the used half changes if a keyword is left out of the string. Above 0 the string "
            "is better without it.",
            "F-beta without the keyword - F-beta with it, both on the used half",
            "-1 to 1; 0: it makes no difference",
            "– if the string retrieves nothing that can be scored, with or without it.",
            "as the terms of a search string are weighed on the Workbench",
            False,
        ),
    )
}
