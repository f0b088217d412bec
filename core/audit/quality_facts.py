"""Facts of a quality report, the format of its numbers, and a short summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.explore.compare import Comparison, Difference
from core.explore.evaluate import FEW_CORE, Evaluation
from core.explore.landscape import Honesty, LandscapeGroups
from core.explore.regions import REGION_LABELS
from core.explore.studies import SurveyKind
from core.query.tree import Severity
from core.report import shown
from core.stats import Interval
from core.text import listed, many, upper_first
from core.types import Ids, Mask, Points, RegionKind

# All inputs of a quality report on query versions, independent of a workspace.

Similarities = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LandscapeRows:
    """Retrieved publications with a vector by rising similarity, then missed core publications, as in a `Landscape`."""

    ids: Ids
    n_retrieved: int
    """The number of rows that were retrieved; the others are missed core publications with a vector."""
    similarities: Similarities
    """Cosine to the core centroid."""
    nearest: Similarities | None
    """Mean cosine to the three nearest core publications; None: too few core publications."""
    points: Points | None
    """The coordinates of each row; None without a landscape."""
    core_mask: Mask
    titles: Ids
    years: npt.NDArray[np.int16]
    """0: not known."""
    dois: Ids
    """Empty: none."""
    masks: Mapping[RegionKind, Mask]
    """For each defined region, the mask of the retrieved rows that it accepts."""
    outlines: Mapping[RegionKind, Points]
    """Boundaries of the regions on the landscape."""
    groups: LandscapeGroups


@dataclass(frozen=True, slots=True)
class CoreFacts:
    publication_id: str
    title: str
    year: int | None
    doi: str | None
    is_found: bool
    similarity: float | None
    """None: it has no vector."""
    verdict: str
    """The verdict of `query explain`; empty: not explained, as the version has no text that can be read here."""
    reason: str
    """One sentence; empty as above."""
    rescue: str
    """The cheapest change of the string that would find it, with its cost; empty: none is known."""
    times_cited: int | None = None


@dataclass(frozen=True, slots=True)
class TermFacts:
    text: str
    kind: str
    """"term", "AND", "OR", "NOT" or "near"."""
    depth: int
    n_alone: int
    n_in_context: int
    n_unique: int
    n_core: int
    n_core_unique: int
    semantic_precision_unique: float | None
    f_beta_change_if_removed: float | None
    flags: Ids


@dataclass(frozen=True, slots=True)
class FindingFacts:
    rule: str
    severity: Severity
    place: str
    """The words of the string that the finding refers to."""
    message: str


@dataclass(frozen=True, eq=False)
class VersionFacts:
    label: str
    number: int
    name: str | None
    note: str | None
    made_at: str | None
    text: str
    dialect: str | None
    semantics: str | None
    origin: str
    retrieved_hash: str
    n_searched: int | None
    """The number of publications searched; None: not known, or not run here."""
    evaluation: Evaluation
    rows: LandscapeRows
    core: tuple[CoreFacts, ...]
    terms: tuple[TermFacts, ...]
    """Empty: the version has no text that can be read here."""
    findings: tuple[FindingFacts, ...]
    unscored_ids: Ids
    """Retrieved publications without a vector."""


@dataclass(frozen=True, slots=True)
class EmbedderFacts:
    embedder: str
    fingerprint: str
    """Identifies the model and its vectors."""
    n_dimensions: int
    fitted_here: bool
    """The model was fitted to this topic's texts, so its vectors exist nowhere else."""


@dataclass(frozen=True, slots=True)
class LandscapeFacts:
    projection_id: str
    settings: Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, eq=False)
class QualityFacts:
    """The versions of one topic under the same settings and embedder."""

    topic_id: str
    made_up: bool
    core_hash: str
    corpus_hash: str | None
    n_corpus: int
    """The number of publications that the topic's queries search."""
    embedder: EmbedderFacts
    landscape: LandscapeFacts | None
    honesty: Honesty | None
    changed_decisions: Mapping[RegionKind, int]
    """For each region of the landscape, publications of the last version that the corresponding region in the
    embedding space decides differently."""
    versions: tuple[VersionFacts, ...]
    comparison: Comparison | None
    """None for a single version."""
    notes: Ids
    """Warnings before a comparison, such as versions that were run over different publications."""
    region: RegionKind = "cosine"
    """The region whose scores are presented first."""
    survey_kind: SurveyKind | None = None
    """The kind of survey that the core publications come from; None: not known."""


# Numbers and names in the sentences of the quality report, formatted as in its tables.


def score(value: float | None) -> str:
    return shown(value, "number")


def signed(value: float) -> str:
    """Format a change with its sign.

    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+0.250', '−0.250', '0.000')
    """
    return f"+{shown(value, 'number')}" if value > 0 else shown(value, "number")


def ends(interval: Interval) -> str:
    """Format the ends of an interval.

    >>> ends(Interval(0.25, 0.5))
    '0.250 to 0.500'
    """
    return f"{score(interval.low)} to {score(interval.high)}"


def score_name(beta: float) -> str:
    """Name F-beta by its weight.

    >>> score_name(2.0)
    'F2'
    """
    return f"F{beta:g}"


def sentence(text: str) -> str:
    """Turn a text into a sentence with a capital and a full stop.

    >>> sentence("nothing was retrieved")
    'Nothing was retrieved.'
    """
    words = text.strip()
    return f"{upper_first(words)}{'' if words.endswith(('.', '!', '?')) else '.'}"


# A summary of search quality in a few sentences that claim no more than the intervals allow.

MOST_TOLD = 3
"""Differences that get a sentence each."""
MOST_VERSIONS = 6
"""Versions that get an item each."""


@dataclass(frozen=True, slots=True)
class QualitySummary:
    """The summary of a quality report: a few sentences, and details item by item."""

    lead: Ids
    """A few sentences."""
    items: Ids
    """The results of each version, then their comparison; empty for a single version."""


def summary(facts: QualityFacts) -> Ids:
    """Summarise the report in a few plain sentences, with one or more about each version.

    One version is reported to score higher only if the paired range excludes zero. If nothing can be concluded, the
    summary says so.
    """
    told = summed_up(facts)
    return (*told.lead, *told.items)


def summed_up(facts: QualityFacts) -> QualitySummary:
    """Return the same sentences, with general ones separate from those about one version or pair."""
    parts = [_made_up(facts)] if facts.made_up else []
    ends_with = [*_ranges(facts), *_few(facts)]
    if len(facts.versions) == 1:
        return QualitySummary((*parts, *_version(facts.versions[0], facts.region), *ends_with), ())
    items = [" ".join(_version(version, facts.region)) for version in facts.versions[:MOST_VERSIONS]]
    if len(facts.versions) > MOST_VERSIONS:
        rest = listed([_named(version.label) for version in facts.versions[MOST_VERSIONS:]])
        items.append(f"The results and scores of {rest} are in the tables.")
    compared = _compared(facts)
    if len(compared) > 1:
        items += compared
        compared = _counted(facts)
    return QualitySummary((*parts, _overview(facts), *compared, *ends_with), tuple(items))


def _overview(facts: QualityFacts) -> str:
    found = sorted(len(version.evaluation.found_core_ids) for version in facts.versions)
    n_core = many(len(facts.versions[0].evaluation.core_ids), "core publication")
    each = f"each finds {found[0]:,}" if found[0] == found[-1] else f"they find {found[0]:,} to {found[-1]:,}"
    return f"{many(len(facts.versions), 'version')} were evaluated, and {each} of {n_core}."


def _named(label: str) -> str:
    return f"“{label}”"


def _made_up(facts: QualityFacts) -> str:
    return f"The topic {facts.topic_id} is demo data: none of its publications is real."


def _version(version: VersionFacts, region: RegionKind) -> list[str]:
    found = version.evaluation
    n_core, n_found = len(found.core_ids), len(found.found_core_ids)
    if not found.n_retrieved:
        return [f"{_named(version.label)} retrieves nothing, so it finds none of {many(n_core, 'core publication')}."]
    text = (
        f"{_named(version.label)} retrieves {many(found.n_retrieved, 'publication')} and finds {n_found:,} of "
        f"{many(n_core, 'core publication')}: core recall {score(found.recall)} "
        f"(95 % interval {ends(found.recall_interval)})."
    )
    return [text, _scores(version, region)]


def _scores(version: VersionFacts, region: RegionKind) -> str:
    found, name = version.evaluation, REGION_LABELS[region]
    scores = found.regions.get(region)
    if scores is None or scores.f_beta is None:
        why = scores.status if scores else "it was not requested"
        return f"{_named(version.label)} has no score by {name}: {why}."
    if scores.degenerate:
        return f"The score by {name} is meaningless for {_named(version.label)}: {scores.degenerate}."
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
    if facts.comparison is None:
        return [] if len(facts.versions) < 2 else ["The versions are not compared with one another."]
    if not facts.comparison.has_ranges:
        return ["No version is reported to score higher, because the differences have no ranges yet."]
    found, sayable, clear = _told_apart(facts)
    name = _name(facts)
    parts = [_clear(d, name) for d in clear[:MOST_TOLD]]
    if len(clear) > MOST_TOLD:
        parts.append(f"The tables show clear differences for {many(len(clear) - MOST_TOLD, 'more pair')}.")
    if unclear := [d for d in sayable if not d.is_clear]:
        parts.append(f"It is not clear which has the higher {name}: {_pairs(unclear)}.")
    if unsaid := [d for d in found if d not in sayable]:
        parts.append(f"It can't be determined which has the higher {name}: {_pairs(unsaid)}.")
    return parts


def _counted(facts: QualityFacts) -> list[str]:
    found, _, clear = _told_apart(facts)
    n = f"{len(clear):,}" if clear else "none"
    return [f"It is clear which version has the higher {_name(facts)} for {n} of {many(len(found), 'pair')}."]


def _told_apart(facts: QualityFacts) -> tuple[list[Difference], list[Difference], list[Difference]]:
    """Split the differences of the region in front: all, those that allow a statement, and those that are clear."""
    differences = facts.comparison.differences if facts.comparison else ()
    found = [d for d in differences if (d.metric, d.region) == ("f_beta", facts.region)]
    without = frozenset(version.label for version in facts.versions if says_nothing(version, facts.region))
    sayable = [d for d in found if not {d.a, d.b} & without and d.interval is not None]
    return found, sayable, [d for d in sayable if d.is_clear]


def _name(facts: QualityFacts) -> str:
    """Name the score that the differences are about, such as "F2 (Cosine)"."""
    return f"{score_name(facts.versions[0].evaluation.settings.beta)} ({REGION_LABELS[facts.region]})"


def says_nothing(version: VersionFacts, region: RegionKind) -> bool:
    """Return True if a region has no score for a version, or a meaningless one."""
    scores = version.evaluation.regions.get(region)
    return scores is None or scores.f_beta is None or scores.degenerate is not None


def _clear(difference: Difference, name: str) -> str:
    value, interval = difference.difference or 0.0, difference.interval or Interval(0.0, 0.0)
    low, high = interval.holding(value)
    first, second = map(_named, (difference.b, difference.a) if value > 0 else (difference.a, difference.b))
    fits = Interval(low, high) if value > 0 else Interval(-high, -low)
    return f"{first} has a higher {name} than {second}: by {score(abs(value))} ({ends(fits)} under other core sets)."


def _pairs(differences: Sequence[Difference]) -> str:
    shown = [f"{_named(d.a)} and {_named(d.b)}" for d in differences[:MOST_TOLD]]
    more = len(differences) - len(shown)
    return "; ".join([*shown, *([f"{many(more, 'more pair')}"] if more else [])])


def _ranges(facts: QualityFacts) -> Ids:
    """Describe the versions that have scores but no ranges."""
    bare = [
        _named(version.label)
        for version in facts.versions
        if not says_nothing(version, facts.region) and not has_range(version, facts.region)
    ]
    if not bare:
        return ()
    return (f"No ranges are given for {listed(bare)}: their sensitivity to the core set is not known.",)


def has_range(version: VersionFacts, region: RegionKind) -> bool:
    """Return True if a region's F-beta has a range over resampled core sets."""
    sensitivity = version.evaluation.sensitivity.get(region)
    return sensitivity is not None and sensitivity.f_beta_range is not None


def _few(facts: QualityFacts) -> Ids:
    n_core = len(facts.versions[0].evaluation.core_ids)
    if n_core >= FEW_CORE:
        return ()
    return (f"All these results rest on only {many(n_core, 'core publication')}.",)
