"""Facts that were read fit together: what counts and draws from them meets no surprise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.audit.quality.summary import QualityFacts, Rows, VersionFacts
from core.comparing.compare import Comparison
from core.errors import FormatError
from core.evaluate import Evaluation
from core.projection import NO_GROUP
from core.types import Ids
from data.audit.bundle.layout import QUALITY

FURTHEST = 1e12
"""No landscape reaches further."""
_ROUNDING = 1e-3


def check_quality(facts: QualityFacts) -> None:
    """An error with the first thing that does not fit."""
    for problem in _problems(facts):
        raise FormatError(f"{QUALITY}: {problem}")


def _problems(facts: QualityFacts) -> Iterator[str]:
    versions = facts.versions
    if not versions:
        yield "it holds no version"
    if _repeats([v.label for v in versions]) or _repeats([str(v.number) for v in versions]):
        yield "two versions have the same label or number"
    if any(v.number < 1 for v in versions):
        yield "a version's number must be 1 or more"
    if facts.n_corpus < 0:
        yield "the number of publications is below 0"
    for version in versions:
        for problem in (*_in_rows(version.rows), *_in_version(version)):
            yield f"version {version.label[:40]}: {problem}"
    if len({v.evaluation.core_ids for v in versions}) > 1:
        yield "versions have different core publications"
    if facts.comparison is not None:
        yield from _in_comparison(facts.comparison, {v.label: v for v in versions})


def _repeats(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)


def _in_rows(rows: Rows) -> Iterator[str]:
    n = len(rows.ids)
    if _repeats(rows.ids):
        yield "a publication has two rows"
    if not 0 <= rows.n_retrieved <= n:
        yield f"{rows.n_retrieved} rows were retrieved, but there are {n}"
        return
    columns = {
        "similarities": len(rows.similarities),
        "nearest": n if rows.nearest is None else len(rows.nearest),
        "points": n if rows.points is None else len(rows.points),
        "core_mask": len(rows.core_mask),
        "titles": len(rows.titles),
        "years": len(rows.years),
        "dois": len(rows.dois),
        "groups": len(rows.groups.group_of),
    }
    yield from (f"{n} rows, but {name} of {length}" for name, length in columns.items() if length != n)
    for name, array in {"similarities": rows.similarities, "nearest": rows.nearest}.items():
        if array is not None and (array.ndim != 1 or not np.all(np.abs(array) <= 1 + _ROUNDING)):
            yield f"{name} must be between -1 and 1, one for each row"
    if rows.core_mask.ndim != 1 or rows.years.ndim != 1 or rows.groups.group_of.ndim != 1:
        yield "a column has two dimensions"
    elif rows.similarities.ndim == 1 and np.any(np.diff(rows.similarities[: rows.n_retrieved]) < 0):
        yield "the rows are not in the order of their similarities"
    for outline in (rows.points, *rows.outlines.values()):
        if outline is not None and (outline.ndim != 2 or outline.shape[1] != 2 or not _within(outline)):
            yield "places must have two coordinates within reach"
    for kind, mask in rows.masks.items():
        if mask.shape != (rows.n_retrieved,):
            yield f"{kind} decides about {len(mask)} of {rows.n_retrieved} rows"
    group_of = rows.groups.group_of
    if np.any((group_of != NO_GROUP) & (group_of >= len(rows.groups.coloured))):
        yield "a row belongs to a group that is not there"


def _within(places: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    return bool(np.all(np.abs(places) <= FURTHEST))


def _in_version(version: VersionFacts) -> Iterator[str]:
    evaluation = version.evaluation
    retrieved = version.rows.ids[: version.rows.n_retrieved]
    if set(retrieved) != set(evaluation.scorable_ids) or len(retrieved) != len(evaluation.scorable_ids):
        yield "the rows are not the publications that were scored"
    if _repeats((*evaluation.scorable_ids, *version.unscored_ids)):
        yield "a publication was retrieved twice"
    if unknown := set(version.rows.ids[version.rows.n_retrieved :]) - set(evaluation.core_ids):
        yield f"{len(unknown)} rows are neither retrieved nor core"
    if set(version.unscored_ids) & set(version.rows.ids):
        yield "a publication has a vector and has none"
    if _repeats([core.publication_id for core in version.core]):
        yield "a core publication is told of twice"
    yield from _in_evaluation(evaluation)


def _in_evaluation(evaluation: Evaluation) -> Iterator[str]:
    if not evaluation.core_ids or _repeats(evaluation.core_ids):
        yield "there is no core publication, or one stands there twice"
    if _repeats(evaluation.scorable_ids):
        yield "a publication was scored twice"
    core = set(evaluation.core_ids)
    named: tuple[Ids, ...] = (evaluation.found_core_ids, evaluation.missed_core_ids)
    named += tuple(scores.accepted_core_ids for scores in evaluation.regions.values())
    if any(not core.issuperset(ids) for ids in named):
        yield "a core publication is told of that is none"
    for kind, scores in evaluation.regions.items():
        if scores.kind != kind:
            yield f"{kind} holds the scores of {scores.kind}"
        if scores.relevant_mask is not None and scores.relevant_mask.shape != (evaluation.n_scorable,):
            yield f"{kind} does not decide about each publication that was scored"
        if (scores.status == "ok") == (scores.relevant_mask is None):
            yield f"{kind} is defined and decides nothing, or decides and is not defined"


def _in_comparison(comparison: Comparison, versions: dict[str, VersionFacts]) -> Iterator[str]:
    if len(comparison.versions) < 2 or not comparison.pairs:
        yield "a comparison needs two versions or more"
        return
    labels = comparison.labels
    if len(labels) != len(comparison.versions) or _repeats(labels) or not versions.keys() >= set(labels):
        yield "the comparison is of other versions"
        return
    for label, evaluation in zip(labels, comparison.versions, strict=True):
        own = versions[label].evaluation
        if (evaluation.scorable_ids, evaluation.core_ids) != (own.scorable_ids, own.core_ids):
            yield f"the comparison scores other publications than version {label[:40]}"
        yield from _in_evaluation(evaluation)
    known = {(pair.a, pair.b) for pair in comparison.pairs}
    if len(known) != len(comparison.pairs) or any((d.a, d.b) not in known for d in comparison.differences):
        yield "the comparison tells of a pair that was not compared, or of one twice"
