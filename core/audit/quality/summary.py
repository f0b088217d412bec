"""The quality of a search in a few sentences that claim no more than the intervals allow."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.quality.types import QualityFacts, VersionFacts
from core.audit.quality.wording import ends, many, score, score_name
from core.comparing.compare import REGION_LABELS, Difference
from core.evaluate import FEW_CORE
from core.text import listed
from core.types import Ids, RegionKind
from core.uncertainty import Interval

MOST_TOLD = 3
"""Versions that have a sentence each, and differences that do."""


def summary(facts: QualityFacts) -> tuple[str, ...]:
    """A few plain sentences.

    That one version scores higher is said only where the paired range leaves out zero; where nothing can be said, that
    is said.
    """
    return tuple(sentence for paragraph in paragraphs(facts) for sentence in paragraph)


def paragraphs(facts: QualityFacts) -> tuple[Ids, ...]:
    """The same sentences, those that belong together together: one group for each version, then how they compare."""
    said: list[Sequence[str]] = [[_made_up(facts)] if facts.made_up else []]
    said += [_version(version, facts.region) for version in facts.versions[:MOST_TOLD]]
    if len(facts.versions) > MOST_TOLD:
        rest = listed([_named(version.label) for version in facts.versions[MOST_TOLD:]])
        said.append([f"What was found by {rest}, with the scores, stands in the tables."])
    said += [_compared(facts), [*_ranges(facts), *_few(facts)]]
    return tuple(tuple(group) for group in said if group)


def _named(label: str) -> str:
    """A label as it stands in a sentence."""
    return f"“{label}”"


def _made_up(facts: QualityFacts) -> str:
    return f"The topic {facts.topic_id} is made up for demonstration: none of its publications exists."


def _version(version: VersionFacts, region: RegionKind) -> list[str]:
    found = version.evaluation
    n_core, n_found = len(found.core_ids), len(found.found_core_ids)
    if not found.n_retrieved:
        return [f"{_named(version.label)} retrieves nothing, so it finds none of {many(n_core, 'core publication')}."]
    said = (
        f"{_named(version.label)} retrieves {many(found.n_retrieved, 'publication')} and finds {n_found:,} of "
        f"{many(n_core, 'core publication')}: core recall {score(found.recall)} "
        f"(95 % interval {ends(found.recall_interval)})."
    )
    return [said, _scores(version, region)]


def _scores(version: VersionFacts, region: RegionKind) -> str:
    """What the region in front says of a version, or why it says nothing."""
    found, name = version.evaluation, REGION_LABELS[region]
    scores = found.regions.get(region)
    if scores is None or scores.f_beta is None:
        why = scores.status if scores else "it was not asked for"
        return f"There is no score by {name} for {_named(version.label)}: {why}."
    if scores.degenerate:
        return f"The region {name} says nothing about {_named(version.label)}: {scores.degenerate}."
    sensitivity = found.sensitivity.get(region)
    precision, f_beta = (
        (sensitivity.semantic_precision_range, sensitivity.f_beta_range) if sensitivity else (None, None)
    )
    return (
        f"Of {many(found.n_scorable, 'publication')} with a vector, {scores.n_relevant or 0:,} are semantically close "
        f"to the core by {name}: semantic precision {_with_range(scores.semantic_precision, precision)}, "
        f"{score_name(found.settings.beta)} with decay {_with_range(scores.f_beta, f_beta)}."
    )


def _with_range(value: float | None, interval: Interval | None) -> str:
    return score(value) if interval is None else f"{score(value)} ({ends(interval)} under other core sets)"


def _compared(facts: QualityFacts) -> list[str]:
    """Which versions score higher, which are not told apart, and which can't be compared."""
    if facts.comparison is None:
        return [] if len(facts.versions) < 2 else ["The versions are not compared with one another."]
    if not facts.comparison.has_ranges:
        return ["It is not said which version scores higher: the differences have no ranges yet."]
    found = [d for d in facts.comparison.differences if (d.metric, d.region) == ("f_beta", facts.region)]
    without = frozenset(version.label for version in facts.versions if says_nothing(version, facts.region))
    sayable = [d for d in found if not {d.a, d.b} & without and d.interval is not None]
    clear = [d for d in sayable if is_clear(d)]
    name = f"{score_name(facts.versions[0].evaluation.settings.beta)} ({REGION_LABELS[facts.region]})"
    said = [_clear(d, name) for d in clear[:MOST_TOLD]]
    if len(clear) > MOST_TOLD:
        said.append(f"As clear are the differences of {many(len(clear) - MOST_TOLD, 'more pair')}, in the tables.")
    if unclear := [d for d in sayable if not is_clear(d)]:
        said.append(f"It is not clear which has the higher {name} of {_pairs(unclear)}.")
    if unsaid := [d for d in found if d not in sayable]:
        said.append(f"Nothing can be said about which has the higher {name} of {_pairs(unsaid)}.")
    return said


def says_nothing(version: VersionFacts, region: RegionKind) -> bool:
    """Whether a region has no score for a version, or one that means nothing."""
    scores = version.evaluation.regions.get(region)
    return scores is None or scores.f_beta is None or scores.degenerate is not None


def is_clear(difference: Difference) -> bool:
    """Whether the paired range leaves out zero; the value itself belongs to what fits."""
    if difference.difference is None or difference.interval is None:
        return False
    low = min(difference.interval.low, difference.difference)
    high = max(difference.interval.high, difference.difference)
    return low > 0 or high < 0


def _clear(difference: Difference, name: str) -> str:
    value, interval = difference.difference or 0.0, difference.interval or Interval(0.0, 0.0)
    low, high = min(interval.low, value), max(interval.high, value)
    first, second = map(_named, (difference.b, difference.a) if value > 0 else (difference.a, difference.b))
    fits = Interval(low, high) if value > 0 else Interval(-high, -low)
    return f"{first} has a higher {name} than {second}: by {score(abs(value))} ({ends(fits)} under other core sets)."


def _pairs(differences: Sequence[Difference]) -> str:
    shown = [f"{_named(d.a)} and {_named(d.b)}" for d in differences[:MOST_TOLD]]
    more = len(differences) - len(shown)
    return "; ".join([*shown, *([f"{many(more, 'more pair')}"] if more else [])])


def _ranges(facts: QualityFacts) -> Ids:
    """Versions whose scores have no range although there are scores."""
    bare = [
        _named(version.label)
        for version in facts.versions
        if not says_nothing(version, facts.region) and not has_range(version, facts.region)
    ]
    if not bare:
        return ()
    return (f"No ranges are given for {listed(bare)}: how far the scores move with the core set is not known.",)


def has_range(version: VersionFacts, region: RegionKind) -> bool:
    """Whether a region's F-beta has a range over resampled core sets."""
    sensitivity = version.evaluation.sensitivity.get(region)
    return sensitivity is not None and sensitivity.f_beta_range is not None


def _few(facts: QualityFacts) -> Ids:
    n_core = len(facts.versions[0].evaluation.core_ids)
    if n_core >= FEW_CORE:
        return ()
    return (f"Everything here rests on few core publications: there {'is' if n_core == 1 else 'are'} only {n_core}.",)
