"""Recount reported scores from saved arrays, and compare them with the reported ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from core.audit.quality_facts import CoreFacts, LandscapeRows, QualityFacts, VersionFacts
from core.explore.compare import Comparison, Difference, Entrant, compare, sentence_for
from core.explore.evaluate import Evaluation, RegionScores, evaluate_scene, fit_of
from core.explore.regions import REGION_LABELS, REGIONS
from core.explore.scene import Fit, FittedRegion, Region, Scene, UndefinedRegion
from core.explore.scene import Rows as RegionRows
from core.metrics import similar_mask, sweep_min_similarity
from core.stats import Interval
from core.types import EmbeddedSet, Floats, Ids, Mask, Points, Projection, RegionKind, Space

# Compare two records of the same scores: values that agree to 1e-9, and sentences on those that do not.

TOLERANCE = 1e-9
OTHER_CORPORA = "were run over different publications"
"""The reason why two versions are not compared, which is known only where they were run."""
_ACCURACY = {"area": 1e-6}
"""Relative tolerance of numbers that are computed iteratively and differ between processors."""
_YET = ", so far without a range."
_SCORES = {
    "semantic_precision": "semantic precision",
    "decay": "decay",
    "recall_used": "the recall in F-beta",
    "f_beta": "F-beta",
}
Number = float | int | str | None


@dataclass(frozen=True, slots=True)
class RecountCheck:
    differing: Ids
    """One sentence for each value that differs."""
    largest_difference: float

    @property
    def is_same(self) -> bool:
        return not self.differing


def labelled(comparison: Comparison) -> Iterator[tuple[str, Evaluation]]:
    return zip(comparison.labels, comparison.versions, strict=True)


def _apart(a: Number, b: Number) -> float:
    """Return the distance of two numbers; 1 if only one of them is defined, or if words differ."""
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
    def __init__(self, label: str) -> None:
        self._label = label
        self.sentences: list[str] = []
        self.largest = 0.0

    def number(self, what: str, recorded: Number, again: Number, *, within: float = TOLERANCE) -> None:
        gap = _apart(recorded, again)
        if gap > within:
            self.say(f"{what} was recorded as {_shown(recorded)} and is recounted as {_shown(again)}")
        is_score = isinstance(recorded, float) or isinstance(again, float)
        self.largest = max(self.largest, gap if is_score else 0.0)

    def same(self, what: str, is_same: bool) -> None:
        if not is_same:
            self.say(f"{what} differs from the record")

    def say(self, sentence: str) -> None:
        self.sentences.append(f"{self._label}: {sentence}.")

    @property
    def settled(self) -> RecountCheck:
        return RecountCheck(tuple(self.sentences), self.largest)


def evaluation_settled(label: str, recorded: Evaluation, again: Evaluation) -> RecountCheck:
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
    ledger.same("the list of warnings", recorded.warnings == again.warnings)
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
    ledger.number(f"{name}, the reason why it is meaningless,", recorded.degenerate, again.degenerate)
    for key in dict.fromkeys((*recorded.defines, *again.defines)):
        told, counted = recorded.defines.get(key), again.defines.get(key)
        size = max([abs(float(v)) for v in (told, counted) if isinstance(v, float | int)], default=1.0)
        if _apart(told, counted) > _ACCURACY.get(key, TOLERANCE) * max(size, 1.0):
            ledger.number(f"{name}, {key.replace('_', ' ')},", told, counted)


def _same_mask(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    return a is None and b is None


def comparison_settled(recorded: Comparison, plain: Comparison) -> tuple[RecountCheck, Comparison]:
    """Compare sets and plain differences, and return the corrected comparison, with ranges as recorded."""
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
    value, interval = recorded.difference, recorded.interval
    if value is not None and isinstance(interval, Interval):
        return sentence_for(plain.metric, plain.region, plain.a, plain.b, value, interval)
    text = plain.sentence.removesuffix(_YET)
    return recorded.sentence if has_ranges and recorded.sentence.startswith(text) else plain.sentence


# Recompute scores from arrays, without vectors, texts or a workspace, to verify a report.
#
# The functions that scored a version score it again. The decisions of a region are recomputed from similarities and
# coordinates. Only the decisions of a region that needs vectors are taken from the record; what follows is recomputed.

CHOSEN_FROM_VECTORS = frozenset({"leave_one_out", "quantile"})
"""Cosine modes whose threshold can't be derived from similarities alone."""
ON_THE_LANDSCAPE: tuple[RegionKind, ...] = ("mvee", "hull")
SIMILARITY_ROUNDING = 1e-5
"""The tolerance for float32 similarities that were multiplied in another order."""
OUTLINE_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class RecountResult:
    """Facts with recomputed scores, and the differences from the record."""

    facts: QualityFacts
    differing: Ids
    """Scores that differ from the record, one sentence each; empty: all are as recorded."""
    largest_difference: float
    """The largest difference between a recorded and a recomputed score; 1 if only one of them is defined."""


@dataclass(frozen=True, eq=False)
class RecordedRegion(Region):
    """A region taken from the record: it has its decisions, but no boundary."""

    kind: ClassVar[RegionKind] = "cluster"
    space: ClassVar[Space] = "embedding"
    recall_counts: ClassVar[Literal["accepted", "found"]] = "accepted"

    numbers: Mapping[str, float | int | str]
    says_nothing: str | None = None

    def contains(self, rows: RegionRows) -> Mask:
        """Accept nothing: without vectors, the region can't decide."""
        return np.zeros(len(rows), dtype=np.bool_)

    def defines(self) -> Mapping[str, float | int | str]:
        return self.numbers

    @property
    def degenerate(self) -> str | None:
        return self.says_nothing


def recount(facts: QualityFacts) -> RecountResult:
    """Recompute everything that follows from the arrays.

    A number that agrees to 1e-9 keeps its recorded value to the last digit, so the same facts give the same bytes on a
    machine that rounds differently.
    """
    settled: list[RecountCheck] = []
    versions = []
    for version in facts.versions:
        again = _again(version, version.evaluation)
        result = evaluation_settled(version.label, version.evaluation, again)
        settled.append(result)
        evaluation = version.evaluation if result.is_same else again
        rows = _rows(version, evaluation)
        versions.append(replace(version, evaluation=evaluation, rows=rows, core=_core(version)))
    comparison = None
    if facts.comparison is not None:
        comparison = _comparison(facts.comparison, {v.label: v for v in versions}, settled)
    return RecountResult(
        facts=replace(facts, versions=tuple(versions), comparison=comparison),
        differing=tuple(dict.fromkeys(sentence for each in settled for sentence in each.differing)),
        largest_difference=max((each.largest_difference for each in settled), default=0.0),
    )


def retrieved_ids(version: VersionFacts, evaluation: Evaluation) -> Ids:
    """Return all publications that a version retrieved; those without a vector come last."""
    return (*evaluation.scorable_ids, *version.unscored_ids)


def scene_of(version: VersionFacts, evaluation: Evaluation) -> Scene:
    """Build the version's scene with zero vectors, which are not used here."""
    rows = version.rows
    members = set(retrieved_ids(version, evaluation))
    scorable = set(evaluation.scorable_ids)
    with_vectors = _core_with_vectors(version, evaluation, members)
    name = evaluation.projection_id or "recorded"
    return Scene(
        core_ids=evaluation.core_ids,
        n_retrieved=len(members),
        all_found_ids=tuple(i for i in evaluation.core_ids if i in members),
        retrieved=_without_vectors(evaluation.scorable_ids, evaluation.model_id),
        core=_without_vectors(with_vectors, evaluation.model_id),
        found_ids=tuple(i for i in evaluation.core_ids if i in scorable),
        projection=None if rows.points is None else Projection(rows.ids, rows.points, name),
    )


def _without_vectors(ids: Ids, model_id: str) -> EmbeddedSet:
    return EmbeddedSet(ids, np.zeros((len(ids), 1), dtype=np.float32), model_id)


def _core_with_vectors(version: VersionFacts, evaluation: Evaluation, members: set[str]) -> Ids:
    """Return the core publications that have a vector.

    A missed one without coordinates on the landscape is in no row; the number of these is taken from the record.
    """
    known = {*version.rows.ids, *(core.publication_id for core in version.core if core.similarity is not None)}
    unseen = [i for i in evaluation.core_ids if i not in known and i not in members]
    n_known = sum(i in known for i in evaluation.core_ids)
    n_taken = max(0, evaluation.n_core_with_vectors - n_known)
    taken = known | set(unseen[:n_taken])
    return tuple(i for i in evaluation.core_ids if i in taken)


def _again(version: VersionFacts, recorded: Evaluation) -> Evaluation:
    scene = scene_of(version, recorded)
    kinds = tuple(recorded.regions)
    known: dict[RegionKind, Fit] = {}
    if len(scene.retrieved):
        known = {kind: _fit(kind, scene, version.rows, recorded) for kind in kinds}
    again = evaluate_scene(
        scene,
        topic_id=recorded.topic_id,
        query_id=recorded.query_id,
        settings=recorded.settings,
        regions=kinds,
        known=known,
        sensitivity=recorded.sensitivity,
    )
    # The warnings of a region are known only where it was fitted.
    of_regions = (warning for warning in recorded.warnings if warning not in again.warnings)
    return replace(again, warnings=(*again.warnings, *of_regions), model_id=recorded.model_id)


def _fit(kind: RegionKind, scene: Scene, rows: LandscapeRows, recorded: Evaluation) -> Fit:
    settings = recorded.settings
    if kind in ON_THE_LANDSCAPE:
        if scene.projection is None:
            return UndefinedRegion("needs a projection")
        return fit_of(kind, settings)(scene, settings)
    scores = recorded.regions[kind]
    if scores.status != "ok" or scores.relevant_mask is None:
        return UndefinedRegion(scores.status)
    numbers, mask, n_reported = dict(scores.defines), scores.relevant_mask, None
    cut = numbers.get("min_similarity")
    if kind == "cosine" and isinstance(cut, float | int):
        similarities = _in_order_of(recorded.scorable_ids, rows.ids, rows.similarities)
        cut = _threshold(float(cut), similarities, scene, rows, recorded)
        if cut is None:
            return UndefinedRegion("F-beta is 0 at every threshold, so none is best")
        numbers["min_similarity"] = cut
        mask = similarities >= cut if settings.compat else similar_mask(similarities, cut)
    elif kind == "nearest_core" and isinstance(cut, float | int) and rows.nearest is not None:
        mask = similar_mask(_in_order_of(recorded.scorable_ids, rows.ids, rows.nearest), float(cut))
    elif settings.compat and scores.recall_used is not None:
        n_reported = round(scores.recall_used * scene.n_core)
    return FittedRegion(RecordedRegion(numbers, scores.degenerate), mask, (), n_reported)


def _in_order_of(
    ids: Ids, row_ids: Ids, values: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    row_of = {publication_id: row for row, publication_id in enumerate(row_ids)}
    return values[np.array([row_of[i] for i in ids], dtype=np.intp)]


def _threshold(
    recorded_cut: float,
    similarities: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    scene: Scene,
    rows: LandscapeRows,
    recorded: Evaluation,
) -> float | None:
    """Recompute the similarity threshold if similarities suffice, else return the recorded one; None: there is none."""
    settings = recorded.settings
    if settings.cosine_mode == "fixed":
        return settings.min_similarity
    if settings.cosine_mode == "best":
        sweep = sweep_min_similarity(
            similarities=similarities,
            core_similarities=similarities[scene.found_rows],
            n_core=scene.n_core,
            settings=settings,
        )
        return float(sweep.min_similarity[sweep.best]) if sweep.f_beta.any() else None
    core = set(scene.core.ids)
    of_core = [float(s) for i, s in zip(rows.ids, rows.similarities, strict=True) if i in core]
    if settings.cosine_mode == "least_similar_core" and len(of_core) == len(scene.core):
        least = min(of_core)
        return recorded_cut if abs(least - recorded_cut) <= SIMILARITY_ROUNDING else least
    return recorded_cut


def _rows(version: VersionFacts, evaluation: Evaluation) -> LandscapeRows:
    rows = version.rows
    core = set(evaluation.core_ids)
    position = {publication_id: n for n, publication_id in enumerate(evaluation.scorable_ids)}
    order = np.array([position[i] for i in rows.ids[: rows.n_retrieved]], dtype=np.intp)
    masks: dict[RegionKind, Mask] = {}
    for kind in dict.fromkeys((*rows.masks, *evaluation.regions)):
        mask = evaluation.regions[kind].relevant_mask if kind in evaluation.regions else rows.masks[kind]
        if mask is not None:
            masks[kind] = mask[order] if kind in evaluation.regions else mask
    return replace(
        rows,
        core_mask=np.array([i in core for i in rows.ids], dtype=np.bool_),
        masks=masks,
        outlines=_outlines(version, evaluation),
    )


def _outlines(version: VersionFacts, evaluation: Evaluation) -> dict[RegionKind, Points]:
    """Redraw each recorded boundary; one that agrees keeps its recorded coordinates to the last digit."""
    scene, drawn = scene_of(version, evaluation), dict(version.rows.outlines)
    for kind, recorded in version.rows.outlines.items():
        if kind not in ON_THE_LANDSCAPE or scene.projection is None or evaluation.settings.compat:
            continue
        fit = REGIONS[kind].fit(scene, evaluation.settings)
        outline = fit.region.outline() if isinstance(fit, FittedRegion) else None
        if outline is None:
            del drawn[kind]
        elif not _same_outline(recorded, outline):
            drawn[kind] = outline
    return drawn


def _same_outline(recorded: Floats, again: Floats) -> bool:
    extent = float(np.ptp(again, axis=0).max(initial=0.0))
    if recorded.shape != again.shape:
        return False
    return bool(np.allclose(recorded, again, rtol=0, atol=OUTLINE_ROUNDING * max(extent, 1e-300)))


def _core(version: VersionFacts) -> tuple[CoreFacts, ...]:
    members = set(retrieved_ids(version, version.evaluation))
    similarity = dict(zip(version.rows.ids, version.rows.similarities.tolist(), strict=True))

    def again(core: CoreFacts) -> CoreFacts:
        told = core.similarity
        counted = similarity.get(core.publication_id, told)
        if told is not None and counted is not None and abs(told - counted) <= SIMILARITY_ROUNDING:
            counted = told
        return replace(core, is_found=core.publication_id in members, similarity=counted)

    return tuple(again(core) for core in version.core)


def _comparison(recorded: Comparison, versions: Mapping[str, VersionFacts], settled: list[RecountCheck]) -> Comparison:
    """Recompute sets and plain differences; ranges come from the record, as they need all core sets that were drawn."""
    evaluations: list[Evaluation] = []
    entrants: list[Entrant] = []
    for label, evaluation in labelled(recorded):
        version = versions[label]
        again = _again(version, evaluation)
        result = evaluation_settled(label, evaluation, again)
        settled.append(result)
        kept = evaluation if result.is_same else again
        evaluations.append(kept)
        ids = retrieved_ids(version, kept)
        entrants.append(Entrant(label, scene_of(version, kept), ids, kept))
    plain = compare(entrants, settings=evaluations[0].settings, ranges=False)
    result, comparison = comparison_settled(recorded, replace(plain, versions=tuple(evaluations)))
    settled.append(result)
    return comparison


def taken_over(facts: QualityFacts) -> Ids:
    """List the values that can't be recomputed without vectors and texts, with reasons, one sentence each."""
    return tuple(_taken_over(facts))


def _taken_over(facts: QualityFacts) -> Iterable[str]:
    scores = [(kind, region) for v in facts.versions for kind, region in v.evaluation.regions.items()]
    defined = {kind for kind, region in scores if region.status == "ok"}
    yield "Similarities, landscape positions, titles and group names come from vectors and texts."
    modes = {v.evaluation.settings.cosine_mode for v in facts.versions}
    if "cosine" in defined and modes & CHOSEN_FROM_VECTORS:
        yield "The similarity threshold of Cosine was chosen from the vectors of the core publications."
    if "nearest_core" in defined:
        yield "The similarity threshold of Nearest core was chosen from the vectors of the core publications."
        if any(v.rows.nearest is None and "nearest_core" in v.rows.masks for v in facts.versions):
            yield "The decisions of Nearest core come from vectors; the numbers that follow were recounted."
    if defined - {"cosine", "nearest_core", *ON_THE_LANDSCAPE}:
        yield "The decisions of other vector regions come from vectors; the numbers that follow were recounted."
    if any(v.evaluation.settings.compat and v.rows.outlines for v in facts.versions):
        yield "Boundaries on the landscape are drawn as recorded, because choices of the published code apply."
    if facts.comparison is not None or any(v.evaluation.sensitivity for v in facts.versions):
        yield "The sensitivity to the core set comes from resampling it, which needs the vectors."
    if any(v.terms or v.findings or any(core.reason for core in v.core) for v in facts.versions):
        yield "The contributions of terms, the checks of the string and the reasons for misses need the texts."
    if facts.honesty is not None or facts.changed_decisions:
        yield "The distortion of the landscape was measured against the vectors."
