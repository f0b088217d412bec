"""Robustness of F-beta and of the order of versions against other reasonable settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from core.errors import InputError, SettingsError
from core.explore.compare import Entrant, over_different_corpora
from core.explore.evaluate import RegionScores, evaluate_scene
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.regions.cosine import similarity_threshold
from core.explore.scene import Fit
from core.metrics import SIMILARITY_TOLERANCE, FormulaSetting, decay, f_beta, sweep_at, sweep_formula
from core.settings import EvaluationSettings
from core.text import many
from core.types import Floats, RegionKind

Value = float | str

FORMULA: tuple[FormulaSetting, ...] = ("decay_limit", "decay_onset", "decay_steepness", "beta")
"""Settings that change the formula but not the relevant publications: no region is fitted again."""
AS_SET, JOINT = "as_set", "joint"


@dataclass(frozen=True, slots=True)
class Variation:
    """A setting, and the other values it could reasonably have."""

    label: str
    values: tuple[Value, ...]
    why: str


VARIATIONS: dict[str, Variation] = {
    "decay_limit": Variation(
        "decay limit",
        (10_000.0, 20_000.0, 50_000.0, 100_000.0, 200_000.0),
        "The most that can be read depends on the team, not on the data.",
    ),
    "decay_onset": Variation(
        "decay onset", (1.0, 1.25, 1.5, 2.0, 3.0), "From a cost that grows at once to a delayed one."
    ),
    "decay_steepness": Variation("decay steepness", (1.0, 5.0, 10.0, 20.0), "From a gentle fall to a sudden one."),
    "beta": Variation("beta", (0.5, 1.0, 1.5, 2.0, 3.0), "From reading little to missing little."),
    "cosine_mode": Variation(
        "threshold", ("leave_one_out", "least_similar_core", "best"), "Ways to find the similarity threshold."
    ),
    "quantile": Variation(
        "threshold: quantile", (0.05, 0.1, 0.2), "The share of the core that may fall outside is arbitrary."
    ),
    "min_similarity": Variation(
        "threshold",
        (-0.05, -0.02, 0.02, 0.05),
        ("Steps from the current threshold, within its variation over core sets."),
    ),
    "min_core_share": Variation(
        "core share", (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9), "The source shows 0.7, 0.75 and 0.85."
    ),
    "region": Variation("region", DEFAULT_REGIONS, "Each kind of region defines relevance in its own way."),
}


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """Settings that differ from the current ones, and the region that F-beta is read from."""

    setting: str
    """The varied setting: a key of VARIATIONS, `as_set` for none, `joint` for several at once."""
    changes: tuple[tuple[str, Value], ...]
    region: RegionKind

    def applied(self, settings: EvaluationSettings) -> EvaluationSettings:
        changes: dict[str, Any] = dict(self.changes)
        return replace(settings, **changes)

    @property
    def only_formula(self) -> bool:
        """True if the relevant publications stay the same."""
        return all(name in FORMULA for name, _ in self.changes)

    @property
    def label(self) -> str:
        """The name of the choice in a table.

        >>> SettingChoice("decay_limit", (("decay_limit", 20_000.0),), "cosine").label
        'decay limit 20,000'
        """
        if self.setting == AS_SET:
            return "as set"
        if self.setting == "region":
            return REGION_LABELS[self.region]
        if self.setting in ("quantile", "min_similarity", "cosine_mode"):
            mode = str(self.changes[0][1]).replace("_", " ")
            numbers = "".join(f" {value:g}" for _, value in self.changes[1:])
            return f"threshold {mode}{numbers}"
        if self.setting == "min_core_share":
            return f"{REGION_LABELS[self.region]}, core share {self.changes[0][1]:g}"
        return ", ".join(f"{VARIATIONS[name].label} {value:,.10g}" for name, value in self.changes)


def _threshold_choices(threshold: float | None) -> Iterable[SettingChoice]:
    for mode in VARIATIONS["cosine_mode"].values:
        yield SettingChoice("cosine_mode", (("cosine_mode", mode),), "cosine")
    for value in VARIATIONS["quantile"].values:
        yield SettingChoice("quantile", (("cosine_mode", "quantile"), ("quantile", value)), "cosine")
    if threshold is None:
        return
    for step in VARIATIONS["min_similarity"].values:
        moved = round(min(max(threshold + float(step), -1.0), 1.0), 4)
        yield SettingChoice("min_similarity", (("cosine_mode", "fixed"), ("min_similarity", moved)), "cosine")


def joint_extremes(region: RegionKind) -> tuple[SettingChoice, ...]:
    """Return every corner of the formula's settings: all of them at an end of their range at once."""
    ends = [(min(VARIATIONS[name].values), max(VARIATIONS[name].values)) for name in FORMULA]
    return tuple(SettingChoice(JOINT, tuple(zip(FORMULA, corner, strict=True)), region) for corner in product(*ends))


def choices_around(
    settings: EvaluationSettings,
    *,
    region: RegionKind,
    threshold: float | None,
    kinds: Iterable[RegionKind],
    shares: Iterable[float],
) -> tuple[SettingChoice, ...]:
    """Return the current settings first, then one change at a time, then the joint extremes.

    `kinds`: the evaluated regions; `shares`: the core shares with a known cluster.
    """
    kinds = tuple(kinds)
    there = [
        *(SettingChoice(name, ((name, value),), region) for name in FORMULA for value in VARIATIONS[name].values),
        *(_threshold_choices(threshold) if "cosine" in kinds else ()),
        *(SettingChoice("min_core_share", (("min_core_share", share),), "cluster") for share in shares),
    ]
    changed = [choice for choice in there if choice.applied(settings) != settings]
    others = [SettingChoice("region", (), kind) for kind in kinds if kind != region]
    return (SettingChoice(AS_SET, (), region), *changed, *others, *joint_extremes(region))


# The point at which the order of two versions reverses: the smallest change of a setting that puts the other one ahead.

EQUAL = 1e-12
"""F-beta values that differ by no more are equal."""
N_STEPS, N_BISECTIONS = 48, 40


@dataclass(frozen=True, slots=True)
class OrderReversal:
    """The smallest change of one setting that reverses the order of two versions."""

    setting: str
    as_set: float
    at: float


def hangs_on_formula(kind: RegionKind, settings: EvaluationSettings) -> bool:
    """Return True if the region itself depends on the formula, as the best threshold does."""
    return kind == "cosine" and settings.cosine_mode == "best"


def _bisected(turned: Callable[[float], bool], before: float, after: float) -> float:
    """Return the first value that reverses the order, between one that keeps it and one that does not."""
    for _ in range(N_BISECTIONS):
        middle = (before + after) / 2
        if turned(middle):
            after = middle
        else:
            before = middle
    return after


def _formula_turn(
    name: FormulaSetting, a: RegionScores, b: RegionScores, ahead: float, settings: EvaluationSettings
) -> OrderReversal | None:
    def difference(values: Floats) -> Floats:
        return _swept(name, values, b, settings) - _swept(name, values, a, settings)

    def turned(value: float) -> bool:
        return bool(difference(np.array([value]))[0] * ahead < -EQUAL * abs(ahead))

    as_set = float(getattr(settings, name))
    found = []
    for end in (min(VARIATIONS[name].values), max(VARIATIONS[name].values)):
        steps = np.geomspace(as_set, float(end), N_STEPS + 1)
        beyond = np.flatnonzero(difference(steps) * ahead < -EQUAL * abs(ahead))
        if len(beyond):
            found.append(_bisected(turned, float(steps[beyond[0] - 1]), float(steps[beyond[0]])))
    if not found:
        return None
    return OrderReversal(name, as_set, min(found, key=lambda value: abs(np.log(value / as_set))))


def _swept(name: FormulaSetting, values: Floats, scores: RegionScores, settings: EvaluationSettings) -> Floats:
    return sweep_formula(
        name,
        values,
        n_relevant=scores.n_relevant or 0,
        precision=scores.semantic_precision or 0.0,
        recall=scores.recall_used or 0.0,
        settings=settings,
    )


def _threshold_turn(
    a: Entrant, b: Entrant, ahead: float, threshold: float, settings: EvaluationSettings
) -> OrderReversal | None:
    """Return the similarity threshold nearest to the current one at which the other version is ahead."""
    reach = max(float(step) for step in VARIATIONS["min_similarity"].values)
    near = [e.scene.similarities_to_centre.astype(np.float64) for e in (a, b)]
    at_each = np.unique(np.concatenate([s[np.abs(s - threshold) <= reach] for s in near]))
    candidates = np.concatenate([at_each, at_each + 2 * SIMILARITY_TOLERANCE])  # just accepts or just excludes it
    curves = [
        sweep_at(
            candidates,
            similarities=e.scene.similarities_to_centre,
            core_similarities=e.scene.similarities_to_centre[e.scene.found_rows],
            n_core=e.scene.n_core,
            settings=settings,
        ).f_beta
        for e in (a, b)
    ]
    turned = candidates[(curves[1] - curves[0]) * ahead < -EQUAL * abs(ahead)]
    if not len(turned):
        return None
    return OrderReversal("min_similarity", threshold, float(turned[np.abs(turned - threshold).argmin()]))


def turns_of(
    a: Entrant, b: Entrant, ahead: float, region: RegionKind, threshold: float | None, settings: EvaluationSettings
) -> tuple[OrderReversal, ...]:
    """Return for each continuous setting the smallest change after which the other version is ahead.

    `ahead` is F-beta of B minus that of A as set, and not 0; both versions have the region. If the region itself
    depends on the formula, there is no search: the region would have to be fitted at every step.
    """
    if hangs_on_formula(region, settings):
        return ()
    of_a, of_b = a.evaluation.regions[region], b.evaluation.regions[region]
    found = [_formula_turn(name, of_a, of_b, ahead, settings) for name in FORMULA]
    if region == "cosine" and threshold is not None:
        found.append(_threshold_turn(a, b, ahead, threshold, settings))
    return tuple(turn for turn in found if turn)


# Dependence of F-beta, and of the order of versions, on choices that could equally well have been others.

Clusters = Mapping[str, Mapping[float, Fit]]
"""By version: the cluster for each known core share."""


@dataclass(frozen=True, slots=True)
class ChoiceOutcome:
    choice: SettingChoice
    f_beta: tuple[float | None, ...]
    """In the order of the versions; None if undefined."""
    problem: tuple[str | None, ...]
    """The reason why a value is undefined or degenerate."""
    rank: tuple[int | None, ...]
    """1 is best, equal values share a rank; None without a meaningful value."""


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The range of F-beta for one version. None if no choice gives a meaningful value."""

    label: str
    as_set: float | None
    lowest: float | None
    lowest_under: SettingChoice | None
    highest: float | None
    highest_under: SettingChoice | None
    joint_lowest: float | None
    """With decay and beta all at an end of their range."""
    joint_highest: float | None


@dataclass(frozen=True, slots=True)
class VersionOrder:
    a: str
    b: str
    difference: float | None
    """B minus A as set; None if one value is meaningless, or the versions were run on different publications."""
    n_compared: int
    """Number of choices under which both versions have a value."""
    turned_by: tuple[SettingChoice, ...]
    """Choices under which the other version is ahead."""
    turns: tuple[OrderReversal, ...]
    """For the continuous settings: the point at which the order reverses, if it does within their range."""


@dataclass(frozen=True, slots=True)
class VersionProblem:
    """A version with an undefined or degenerate value, and the number of choices with this problem."""

    label: str
    region: RegionKind
    what: Literal["undefined", "degenerate"]
    reason: str
    n_choices: int


@dataclass(frozen=True, slots=True)
class Robustness:
    labels: tuple[str, ...]
    region: RegionKind
    outcomes: tuple[ChoiceOutcome, ...]
    """The choice "as set" first."""
    spans: tuple[VersionRange, ...]
    orders: tuple[VersionOrder, ...]
    special: tuple[VersionProblem, ...]
    left_out: tuple[str, ...]
    """Parts that were not examined, with the reason."""


def _formula(scores: RegionScores, settings: EvaluationSettings) -> RegionScores:
    if scores.status != "ok" or scores.n_relevant is None:
        return scores
    price = decay(scores.n_relevant, **settings.decay_curve)
    score = f_beta((scores.semantic_precision or 0.0) * price, scores.recall_used or 0.0, beta=settings.beta)
    return replace(scores, decay=price, f_beta=score)


def _scores(entrant: Entrant, choice: SettingChoice, settings: EvaluationSettings, clusters: Clusters) -> RegionScores:
    """Return the scores of `evaluate` under this choice, without fitting unchanged regions again."""
    changed, kind = choice.applied(settings), choice.region
    if choice.only_formula and not hangs_on_formula(kind, settings):
        return _formula(entrant.evaluation.regions[kind], changed)
    known: dict[RegionKind, Fit] = {}
    if kind == "cluster":
        known = {"cluster": clusters[entrant.label][changed.min_core_share]}
    evaluation = evaluate_scene(entrant.scene, topic_id="", query_id="", settings=changed, regions=(kind,), known=known)
    return evaluation.regions[kind]


def _ranks(values: Sequence[float | None]) -> tuple[int | None, ...]:
    """Rank values; 1 is best, and equal values share a rank.

    >>> _ranks([0.2, None, 0.5, 0.5])
    (3, None, 1, 1)
    """
    there = [value for value in values if value is not None]
    return tuple(None if v is None else 1 + sum(other > v + EQUAL for other in there) for v in values)


def _outcome(choice: SettingChoice, scores: Sequence[RegionScores], *, ranked: bool) -> ChoiceOutcome:
    problems = tuple(s.status if s.status != "ok" else s.degenerate for s in scores)
    telling = [None if problem else s.f_beta for s, problem in zip(scores, problems, strict=True)]
    ranks = _ranks(telling) if ranked else (None,) * len(scores)
    return ChoiceOutcome(choice, tuple(s.f_beta for s in scores), problems, ranks)


def _values(outcomes: Sequence[ChoiceOutcome], version: int) -> list[tuple[float, SettingChoice]]:
    found = []
    for outcome in outcomes:
        value = outcome.f_beta[version]
        if value is not None and outcome.problem[version] is None:
            found.append((value, outcome.choice))
    return found


def _span(label: str, version: int, outcomes: Sequence[ChoiceOutcome]) -> VersionRange:
    single = _values([o for o in outcomes if o.choice.setting != JOINT], version)
    joint = [value for value, _ in _values([o for o in outcomes if o.choice.setting == JOINT], version)]
    as_set = next((value for value, choice in single if choice.setting == AS_SET), None)
    if not single:
        return VersionRange(label, None, None, None, None, None, None, None)
    low, high = min(single, key=lambda each: each[0]), max(single, key=lambda each: each[0])
    return VersionRange(label, as_set, *low, *high, min(joint, default=None), max(joint, default=None))


def _special(labels: Sequence[str], outcomes: Sequence[ChoiceOutcome]) -> tuple[VersionProblem, ...]:
    counted: dict[tuple[str, RegionKind, Literal["undefined", "degenerate"], str], int] = {}
    for outcome in outcomes:
        for label, value, problem in zip(labels, outcome.f_beta, outcome.problem, strict=True):
            if problem is not None:
                what: Literal["undefined", "degenerate"] = "undefined" if value is None else "degenerate"
                name = (label, outcome.choice.region, what, problem)
                counted[name] = counted.get(name, 0) + 1
    return tuple(VersionProblem(*name, n) for name, n in counted.items())


def _order(
    entrants: Sequence[Entrant],
    at: tuple[int, int],
    outcomes: Sequence[ChoiceOutcome],
    region: RegionKind,
    threshold: float | None,
    settings: EvaluationSettings,
) -> VersionOrder:
    a, b = entrants[at[0]], entrants[at[1]]
    if over_different_corpora(a.corpus_state, b.corpus_state):
        return VersionOrder(a.label, b.label, None, 0, (), ())
    values = [{choice: value for value, choice in _values(outcomes, version)} for version in at]
    moves = {choice: values[1][choice] - value for choice, value in values[0].items() if choice in values[1]}
    as_set = next((move for choice, move in moves.items() if choice.setting == AS_SET), None)
    if as_set is None or abs(as_set) <= EQUAL:
        return VersionOrder(a.label, b.label, as_set, len(moves), (), ())
    turned = tuple(choice for choice, move in moves.items() if move * as_set < 0 and abs(move) > EQUAL)
    return VersionOrder(
        a.label, b.label, as_set, len(moves), turned, turns_of(a, b, as_set, region, threshold, settings)
    )


def _threshold(scene_of: Entrant, settings: EvaluationSettings) -> float | None:
    """Return the current threshold, the same for every version; for `best`, where it differs, that of leave-one-out."""
    mode = "leave_one_out" if settings.cosine_mode == "best" else settings.cosine_mode
    found = similarity_threshold(scene_of.scene, replace(settings, cosine_mode=mode))
    return found if isinstance(found, float) else None


def _left_out(
    entrants: Sequence[Entrant], kinds: Sequence[RegionKind], shares: Sequence[float], settings: EvaluationSettings
) -> tuple[str, ...]:
    notes = [f"{REGION_LABELS[kind]}: not evaluated yet" for kind in DEFAULT_REGIONS if kind not in kinds]
    wanted = [float(share) for share in VARIATIONS["min_core_share"].values if share != settings.min_core_share]
    if missing := [f"{share:g}" for share in wanted if share not in shares]:
        notes.append(f"Cluster with core share {', '.join(missing)}: its slow search has not been run yet")
    notes += [
        f"the order of {a.label} and {b.label}: they were run over different publications"
        for a, b in combinations(entrants, 2)
        if over_different_corpora(a.corpus_state, b.corpus_state)
    ]
    return tuple(notes)


def check_varied(settings: EvaluationSettings) -> None:
    """Raise an error for settings that reproduce one publication's choices."""
    if settings.compat:
        raise SettingsError("compat fixes the published choices, so they can't be varied: leave it out")


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
    """Compute F-beta of every version under every reasonable choice, one change at a time, and the effect on order.

    `region` is the base of the variations; `entrants` hold their evaluations under `settings`. Clusters are never
    fitted here: only those passed in are used, and the others are listed as left out. Each value equals that of
    `evaluate`.
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


# A sensitivity report in words: the stability of the order of versions, the choices that reverse it, missing values.

EXTREMES = "with decay and beta all at an end of their range"


def turns_order(found: Robustness, choice: SettingChoice) -> bool:
    """Return True if a choice puts any version ahead of one that is ahead of it as set."""
    return any(choice in order.turned_by for order in found.orders)


def other_choices(found: Robustness) -> tuple[SettingChoice, ...]:
    """Return the choices that change one thing; "as set" and the extremes are excluded."""
    return tuple(o.choice for o in found.outcomes if o.choice.setting not in (AS_SET, JOINT))


def order_title(found: Robustness) -> str:
    """Describe how many choices reverse the order of any two versions, for the head of a picture."""
    choices = other_choices(found)
    if not any(order.difference for order in found.orders):
        return f"F-beta under {many(len(choices), 'other choice')}"
    if n := sum(turns_order(found, choice) for choice in choices):
        return f"{n} of {many(len(choices), 'other choice')} {'changes' if n == 1 else 'change'} the order"
    rare = ["extremes"] if any(order.turned_by for order in found.orders) else []
    rare += ["values in between"] if any(order.turns for order in found.orders) else []
    if rare:
        return f"Only {' and '.join(rare)} change the order"
    return f"None of {many(len(choices), 'other choice')} changes the order"


def order_sentences(found: Robustness) -> list[str]:
    """Describe for every two versions which one is ahead, and which choices reverse that.

    Only choices under which both versions have a meaningful value count; extremes are counted separately.
    """
    return [_order_sentence(found, order) for order in found.orders]


def _order_sentence(found: Robustness, order: VersionOrder) -> str:
    compared = [o.choice for o in found.outcomes if _has_both(found, order, o)]
    if order.difference is None:
        as_set = any(choice.setting == AS_SET for choice in compared)
        why = "they were run over different publications" if as_set else "as set, not both have a value that counts"
        return f"The order of {order.a} and {order.b} is not checked: {why}."
    if not order.difference:
        return f"{order.a} and {order.b} are equal as set, so there is no order to change."
    first, second = (order.b, order.a) if order.difference > 0 else (order.a, order.b)
    text = f"{first} is ahead of {second} by {abs(order.difference):.3f}"
    n_extremes = sum(choice.setting == JOINT for choice in compared)
    n_others = sum(choice.setting not in (AS_SET, JOINT) for choice in compared)
    if not order.turned_by and not order.turns:
        scored = "" if n_others == len(other_choices(found)) else f" that score{'s' * (n_others == 1)} both"
        under = [f"all of {many(n_others, 'other choice')}{scored}"] if n_others else []
        under += [f"{many(n_extremes, 'extreme')} {EXTREMES}"] if n_extremes else []
        return f"{text}, and stays so under {' and '.join(under)}." if under else f"{text}."
    parts = _turning_parts(order, second, n_others, n_extremes)
    return f"{text}, but {'; '.join(parts)}."


def _turning_parts(order: VersionOrder, second: str, n_others: int, n_extremes: int) -> list[str]:
    singles = [choice.label for choice in order.turned_by if choice.setting != JOINT]
    n_joint = len(order.turned_by) - len(singles)
    parts = []
    if singles:
        parts.append(
            f"{second} is ahead under {len(singles)} of {many(n_others, 'other choice')}: {', '.join(singles)}"
        )
    if n_joint:
        ahead = "it is also ahead" if singles else f"{second} is ahead"
        parts.append(f"{ahead} in {n_joint} of {many(n_extremes, 'extreme')} {EXTREMES}")
    if order.turns:
        parts.append(f"the order changes at {', '.join(_turn(turn) for turn in order.turns)}")
    return parts


def _has_both(found: Robustness, order: VersionOrder, outcome: ChoiceOutcome) -> bool:
    at = [found.labels.index(label) for label in (order.a, order.b)]
    return all(outcome.f_beta[i] is not None and outcome.problem[i] is None for i in at)


def _turn(turn: OrderReversal) -> str:
    name = "similarity threshold" if turn.setting == "min_similarity" else VARIATIONS[turn.setting].label
    return f"{name} {turn.at:,.4g} (set: {turn.as_set:,.4g})"


def special_sentences(found: Robustness) -> list[str]:
    n_of = {kind: sum(o.choice.region == kind for o in found.outcomes) for kind in REGION_LABELS}
    return [_special_sentence(special, n_of[special.region]) for special in found.special]


def _special_sentence(special: VersionProblem, n_choices: int) -> str:
    what = "has no value" if special.what == "undefined" else "is meaningless"
    where = f"{REGION_LABELS[special.region]} of {special.label} {what}"
    return f"{where} under {special.n_choices} of {many(n_choices, 'choice')}: {special.reason}."
