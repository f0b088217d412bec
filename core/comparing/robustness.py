"""How far F-beta, and the order of versions, hang on choices that could as well have been others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from core.comparing.compare import REGION_LABELS, Entrant, over_different_corpora
from core.comparing.turning import EQUAL, Turn, hangs_on_formula, turns_of
from core.comparing.variations import AS_SET, JOINT, VARIATIONS, Choice, choices_around
from core.errors import InputError, SettingsError
from core.evaluate import RegionScores, evaluate_scene
from core.metrics import decay, f_beta
from core.regions import DEFAULT_REGIONS
from core.regions.base import Fit
from core.regions.cosine import cut
from core.settings import EvaluationSettings
from core.types import RegionKind

Clusters = Mapping[str, Mapping[float, Fit]]
"""By version: the cluster for each core share that is known."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Every version under one choice."""

    choice: Choice
    f_beta: tuple[float | None, ...]
    """In the order of the versions; None where it is undefined."""
    problem: tuple[str | None, ...]
    """Why it is undefined, or says nothing although it has a value (degenerate)."""
    rank: tuple[int | None, ...]
    """1 is best, equal ones share a rank; None without a value that says something."""


@dataclass(frozen=True, slots=True)
class Span:
    """How far F-beta of one version goes. None where no choice gives it a value that says something."""

    label: str
    as_set: float | None
    lowest: float | None
    lowest_under: Choice | None
    highest: float | None
    highest_under: Choice | None
    joint_lowest: float | None
    """With decay and beta at the ends of their ranges all at once."""
    joint_highest: float | None


@dataclass(frozen=True, slots=True)
class Order:
    """Whether two versions keep their order."""

    a: str
    b: str
    difference: float | None
    """B minus A as set; None if one of them says nothing, or they were run over different publications."""
    n_compared: int
    """Choices under which both have a value."""
    turned_by: tuple[Choice, ...]
    """Choices under which the other one is ahead."""
    turns: tuple[Turn, ...]
    """Of the settings that move without a step: where the order turns, if it does within their range."""


@dataclass(frozen=True, slots=True)
class Special:
    """A version without a value, or with one that says nothing, and under how many choices."""

    label: str
    region: RegionKind
    what: Literal["undefined", "degenerate"]
    reason: str
    n_choices: int


@dataclass(frozen=True, slots=True)
class Robustness:
    """The sensitivity report of one version or several."""

    labels: tuple[str, ...]
    region: RegionKind
    outcomes: tuple[Outcome, ...]
    """As set first."""
    spans: tuple[Span, ...]
    orders: tuple[Order, ...]
    special: tuple[Special, ...]
    left_out: tuple[str, ...]
    """What was not looked at, and why."""


def _formula(scores: RegionScores, settings: EvaluationSettings) -> RegionScores:
    """The same region under another formula."""
    if scores.status != "ok" or scores.n_relevant is None:
        return scores
    price = decay(scores.n_relevant, **settings.decay_curve)
    score = f_beta((scores.semantic_precision or 0.0) * price, scores.recall_used or 0.0, beta=settings.beta)
    return replace(scores, decay=price, f_beta=score)


def _scores(entrant: Entrant, choice: Choice, settings: EvaluationSettings, clusters: Clusters) -> RegionScores:
    """What `evaluate` would give under this choice, without fitting again what stays as it is."""
    changed, kind = choice.applied(settings), choice.region
    if choice.only_formula and not hangs_on_formula(kind, settings):
        return _formula(entrant.evaluation.regions[kind], changed)
    known: dict[RegionKind, Fit] = {}
    if kind == "cluster":
        known = {"cluster": clusters[entrant.label][changed.min_core_share]}
    evaluation = evaluate_scene(entrant.scene, topic_id="", query_id="", settings=changed, regions=(kind,), known=known)
    return evaluation.regions[kind]


def _ranks(values: Sequence[float | None]) -> tuple[int | None, ...]:
    """1 is best; what is equal shares a rank.

    >>> _ranks([0.2, None, 0.5, 0.5])
    (3, None, 1, 1)
    """
    there = [value for value in values if value is not None]
    return tuple(None if v is None else 1 + sum(other > v + EQUAL for other in there) for v in values)


def _outcome(choice: Choice, scores: Sequence[RegionScores], *, ranked: bool) -> Outcome:
    problems = tuple(s.status if s.status != "ok" else s.degenerate for s in scores)
    telling = [None if problem else s.f_beta for s, problem in zip(scores, problems, strict=True)]
    ranks = _ranks(telling) if ranked else (None,) * len(scores)
    return Outcome(choice, tuple(s.f_beta for s in scores), problems, ranks)


def _values(outcomes: Sequence[Outcome], version: int) -> list[tuple[float, Choice]]:
    """What says something about this version."""
    found = []
    for outcome in outcomes:
        value = outcome.f_beta[version]
        if value is not None and outcome.problem[version] is None:
            found.append((value, outcome.choice))
    return found


def _span(label: str, version: int, outcomes: Sequence[Outcome]) -> Span:
    single = _values([o for o in outcomes if o.choice.setting != JOINT], version)
    joint = [value for value, _ in _values([o for o in outcomes if o.choice.setting == JOINT], version)]
    as_set = next((value for value, choice in single if choice.setting == AS_SET), None)
    if not single:
        return Span(label, None, None, None, None, None, None, None)
    low, high = min(single, key=lambda each: each[0]), max(single, key=lambda each: each[0])
    return Span(label, as_set, *low, *high, min(joint, default=None), max(joint, default=None))


def _special(labels: Sequence[str], outcomes: Sequence[Outcome]) -> tuple[Special, ...]:
    counted: dict[tuple[str, RegionKind, Literal["undefined", "degenerate"], str], int] = {}
    for outcome in outcomes:
        for label, value, problem in zip(labels, outcome.f_beta, outcome.problem, strict=True):
            if problem is not None:
                what: Literal["undefined", "degenerate"] = "undefined" if value is None else "degenerate"
                name = (label, outcome.choice.region, what, problem)
                counted[name] = counted.get(name, 0) + 1
    return tuple(Special(*name, n) for name, n in counted.items())


def _order(
    entrants: Sequence[Entrant],
    at: tuple[int, int],
    outcomes: Sequence[Outcome],
    region: RegionKind,
    threshold: float | None,
    settings: EvaluationSettings,
) -> Order:
    a, b = entrants[at[0]], entrants[at[1]]
    if over_different_corpora(a.corpus_state, b.corpus_state):
        return Order(a.label, b.label, None, 0, (), ())
    values = [{choice: value for value, choice in _values(outcomes, version)} for version in at]
    moves = {choice: values[1][choice] - value for choice, value in values[0].items() if choice in values[1]}
    as_set = next((move for choice, move in moves.items() if choice.setting == AS_SET), None)
    if as_set is None or abs(as_set) <= EQUAL:
        return Order(a.label, b.label, as_set, len(moves), (), ())
    turned = tuple(choice for choice, move in moves.items() if move * as_set < 0 and abs(move) > EQUAL)
    return Order(a.label, b.label, as_set, len(moves), turned, turns_of(a, b, as_set, region, threshold, settings))


def _threshold(scene_of: Entrant, settings: EvaluationSettings) -> float | None:
    """The one in force, which is the same for every version; for `best`, where it is not, leave-one-out's."""
    mode = "leave_one_out" if settings.cosine_mode == "best" else settings.cosine_mode
    found = cut(scene_of.scene, replace(settings, cosine_mode=mode))
    return found if isinstance(found, float) else None


def _left_out(
    entrants: Sequence[Entrant], kinds: Sequence[RegionKind], shares: Sequence[float], settings: EvaluationSettings
) -> tuple[str, ...]:
    notes = [f"{REGION_LABELS[kind]}: not evaluated yet" for kind in DEFAULT_REGIONS if kind not in kinds]
    wanted = [float(share) for share in VARIATIONS["min_core_share"].values if share != settings.min_core_share]
    if missing := [f"{share:g}" for share in wanted if share not in shares]:
        notes.append(f"Cluster with core share {', '.join(missing)}: its search takes long and was not made yet")
    notes += [
        f"the order of {a.label} and {b.label}: they were run over different publications"
        for a, b in combinations(entrants, 2)
        if over_different_corpora(a.corpus_state, b.corpus_state)
    ]
    return tuple(notes)


def check_varied(settings: EvaluationSettings) -> None:
    """An error for settings that stand for one publication's choices."""
    if settings.compat:
        raise SettingsError("compat reproduces the published choices, which are not varied: leave it out")


def _check(entrants: Sequence[Entrant], region: RegionKind, settings: EvaluationSettings) -> None:
    if not entrants:
        raise InputError("a sensitivity report needs at least one version")
    check_varied(settings)
    if len({e.label for e in entrants}) < len(entrants):
        raise InputError("every version can be in a sensitivity report only once")
    if any(region not in e.evaluation.regions for e in entrants):
        raise InputError(f"{REGION_LABELS[region]} has not been evaluated for every version")


def robustness(
    entrants: Sequence[Entrant],
    *,
    settings: EvaluationSettings,
    region: RegionKind = "cosine",
    clusters: Clusters = MappingProxyType({}),
) -> Robustness:
    """F-beta of every version under every reasonable choice, one change at a time, and what that does to their order.

    `region` is the one that is varied around; `entrants` hold their evaluations under `settings`. Clusters are never
    fitted here: only those handed in are looked at, and what is left out is said. Each value is what `evaluate` gives.
    """
    settings = settings.resolved(entrants[0].scene.retrieved.model_id) if entrants else settings
    _check(entrants, region, settings)
    labels = tuple(e.label for e in entrants)
    kinds = [kind for kind in DEFAULT_REGIONS if all(kind in e.evaluation.regions for e in entrants)]
    known = [set(clusters.get(label, ())) for label in labels]
    shares = sorted(set.intersection(*known).intersection(map(float, VARIATIONS["min_core_share"].values)))
    threshold = _threshold(entrants[0], settings)
    choices = choices_around(settings, region=region, threshold=threshold, kinds=kinds, shares=shares)
    one_corpus = len({e.corpus_state for e in entrants} - {None}) < 2
    outcomes = tuple(
        _outcome(choice, [_scores(e, choice, settings, clusters) for e in entrants], ranked=one_corpus)
        for choice in choices
    )
    pairs = combinations(range(len(entrants)), 2)
    return Robustness(
        labels=labels,
        region=region,
        outcomes=outcomes,
        spans=tuple(_span(label, version, outcomes) for version, label in enumerate(labels)),
        orders=tuple(_order(entrants, at, outcomes, region, threshold, settings) for at in pairs),
        special=_special(labels, outcomes),
        left_out=_left_out(entrants, kinds, shares, settings),
    )
