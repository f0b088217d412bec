"""Which other settings would have been as reasonable: the choices that a sensitivity report goes through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from core.comparing.compare import REGION_LABELS
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.sweep import FormulaSetting
from core.types import RegionKind

Value = float | str

FORMULA: tuple[FormulaSetting, ...] = ("decay_limit", "decay_onset", "decay_steepness", "beta")
"""Settings that change the formula but not what is relevant: nothing is fitted again."""
AS_SET, JOINT = "as_set", "joint"


@dataclass(frozen=True, slots=True)
class Variation:
    """A setting, and what else it could reasonably have been."""

    label: str
    values: tuple[Value, ...]
    why: str


VARIATIONS: dict[str, Variation] = {
    "decay_limit": Variation(
        "decay limit",
        (10_000.0, 20_000.0, 50_000.0, 100_000.0, 200_000.0),
        "How much can be read at most depends on the team; nothing in the data says it.",
    ),
    "decay_onset": Variation(
        "decay onset", (1.0, 1.25, 1.5, 2.0, 3.0), "From a cost that grows at once to one that waits."
    ),
    "decay_steepness": Variation("decay steepness", (1.0, 5.0, 10.0, 20.0), "From a gentle fall to a sudden one."),
    "beta": Variation("beta", (0.5, 1.0, 1.5, 2.0, 3.0), "From reading little to missing little."),
    "cosine_mode": Variation(
        "threshold", ("leave_one_out", "least_similar_core", "best"), "Ways to find the similarity threshold."
    ),
    "quantile": Variation(
        "threshold: quantile", (0.05, 0.1, 0.2), "The share of the core that may fall outside is a matter of taste."
    ),
    "min_similarity": Variation(
        "threshold", (-0.05, -0.02, 0.02, 0.05), "Steps from the threshold in force: as far as core sets move it."
    ),
    "min_core_share": Variation(
        "core share", (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9), "The source shows 0.7, 0.75 and 0.85."
    ),
    "region": Variation("region", DEFAULT_REGIONS, "Each kind of region is a view of its own on what is relevant."),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Settings that differ from those in force, and the region that F-beta is read from."""

    setting: str
    """What is varied: a key of VARIATIONS, `as_set` for nothing, `joint` for several at once."""
    changes: tuple[tuple[str, Value], ...]
    region: RegionKind

    def applied(self, settings: EvaluationSettings) -> EvaluationSettings:
        """The settings in force with these changes."""
        changes: dict[str, Any] = dict(self.changes)
        return replace(settings, **changes)

    @property
    def only_formula(self) -> bool:
        """Whether what is relevant stays as it is."""
        return all(name in FORMULA for name, _ in self.changes)

    @property
    def label(self) -> str:
        """How it reads in a table.

        >>> Choice("decay_limit", (("decay_limit", 20_000.0),), "cosine").label
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


def _threshold_choices(threshold: float | None) -> Iterable[Choice]:
    for mode in VARIATIONS["cosine_mode"].values:
        yield Choice("cosine_mode", (("cosine_mode", mode),), "cosine")
    for value in VARIATIONS["quantile"].values:
        yield Choice("quantile", (("cosine_mode", "quantile"), ("quantile", value)), "cosine")
    if threshold is None:
        return
    for step in VARIATIONS["min_similarity"].values:
        moved = round(min(max(threshold + float(step), -1.0), 1.0), 4)
        yield Choice("min_similarity", (("cosine_mode", "fixed"), ("min_similarity", moved)), "cosine")


def joint_extremes(region: RegionKind) -> tuple[Choice, ...]:
    """Every corner of the formula's settings: all of them at an end of their range at once."""
    ends = [(min(VARIATIONS[name].values), max(VARIATIONS[name].values)) for name in FORMULA]
    return tuple(Choice(JOINT, tuple(zip(FORMULA, corner, strict=True)), region) for corner in product(*ends))


def choices_around(
    settings: EvaluationSettings,
    *,
    region: RegionKind,
    threshold: float | None,
    kinds: Iterable[RegionKind],
    shares: Iterable[float],
) -> tuple[Choice, ...]:
    """What is in force first, then one change at a time, then the joint extremes.

    `kinds`: the regions that were evaluated; `shares`: the core shares whose clusters are known.
    """
    kinds = tuple(kinds)
    there = [
        *(Choice(name, ((name, value),), region) for name in FORMULA for value in VARIATIONS[name].values),
        *(_threshold_choices(threshold) if "cosine" in kinds else ()),
        *(Choice("min_core_share", (("min_core_share", share),), "cluster") for share in shares),
    ]
    changed = [choice for choice in there if choice.applied(settings) != settings]
    others = [Choice("region", (), kind) for kind in kinds if kind != region]
    return (Choice(AS_SET, (), region), *changed, *others, *joint_extremes(region))
