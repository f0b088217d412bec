"""Evaluation settings as controls: their labels, their ranges, and their form in the link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args

from core.errors import SettingsError
from core.explore.regions import DEFAULT_REGIONS
from core.settings import CosineMode, EvaluationSettings
from core.types import RegionKind

Control = dict[str, Any]

COSINE_MODES: dict[CosineMode, tuple[str, str]] = {
    "leave_one_out": (
        "Leave one out",
        "Each core publication is compared with the centre of the others. The lowest similarity is the threshold.",
    ),
    "least_similar_core": (
        "Least similar core",
        "The lowest similarity of a core publication to the centre. Optimistic: it is itself part of the centre.",
    ),
    "quantile": (
        "Quantile of the core",
        "Leaves out a share of the core publications, the least typical first.",
    ),
    "best": ("Best F-beta", "The threshold at which F-beta is highest for this version."),
    "fixed": ("Fixed", "Your own threshold. The published 0.69 applies to text-embedding-3-small."),
}

CONTROLS: dict[str, Control] = {
    "min_similarity": {
        "label": "Similarity threshold",
        "help": "A publication is relevant if its cosine similarity to the core's centre is at least this.",
        "min": -1.0,
        "max": 1.0,
        "step": 0.001,
    },
    "quantile": {
        "label": "Core outside",
        "help": "Share of the core publications that may fall below the threshold.",
        "min": 0.0,
        "max": 1.0,
        "step": 0.01,
    },
    "min_core_share": {
        "label": "Core share",
        "help": "The cluster must hold more than this share of the found core publications.",
        "min": 0.5,
        "max": 0.95,
        "step": 0.05,
    },
    "decay_limit": {
        "label": "Decay limit",
        "help": "Number of relevant publications at which the decay reaches 0: too many to read.",
        "min": 500,
        "max": 500_000,
        "step": 1,
        "scale": "log",
    },
    "decay_onset": {
        "label": "Decay onset",
        "help": "Start of the decay; a larger value starts it later.",
        "min": 0.2,
        "max": 6.0,
        "step": 0.01,
        "scale": "log",
    },
    "decay_steepness": {
        "label": "Decay steepness",
        "help": "Speed of the decay after its onset.",
        "min": 0.5,
        "max": 60.0,
        "step": 0.1,
        "scale": "log",
    },
    "beta": {
        "label": "Beta",
        "help": "Weight of recall against precision in F-beta: 1 weighs both equally, 2 favours recall.",
        "min": 0.25,
        "max": 8.0,
        "step": 0.01,
        "scale": "log",
    },
    "cosine_mode": {
        "label": "Method",
        "help": "Method that sets the similarity threshold.",
        "options": [{"value": mode, "label": label, "help": text} for mode, (label, text) in COSINE_MODES.items()],
    },
}
"""Controls by the name of the setting that each one changes."""


# Everything tuned on the Workbench, and its two other forms: browser messages and links.

COLOURINGS = ("region", "decay", "year", "theme", "source")
NUMBERS = (
    "min_similarity",
    "quantile",
    "min_core_share",
    "decay_limit",
    "decay_onset",
    "decay_steepness",
    "beta",
)
IN_LINK = {
    "region": "region",
    "cosine_mode": "mode",
    "colour_by": "colour",
    "min_similarity": "similarity",
    "quantile": "quantile",
    "min_core_share": "share",
    "decay_limit": "limit",
    "decay_onset": "onset",
    "decay_steepness": "steepness",
    "beta": "beta",
}
"""Setting -> its short name in a link."""
MODE_OF: dict[str, CosineMode] = {"min_similarity": "fixed", "quantile": "quantile"}
"""The cosine mode in which a setting applies; in another it is at most shown."""


@dataclass(frozen=True, slots=True)
class Tuning:
    region: RegionKind = "cosine"
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    colour_by: str = "region"


def tuning_from(values: Mapping[str, Any], base: Tuning | None = None) -> Tuning:
    """Build a tuning from loose values over a base. Invalid values are an error, unknown names are ignored.

    >>> tuning_from({"region": "hull", "beta": "1", "min_similarity": 0.5}).settings.cosine_mode
    'fixed'
    """
    base = base or Tuning()
    changes: dict[str, Any] = {name: _number(name, values[name]) for name in NUMBERS if values.get(name) is not None}
    mode = values.get("cosine_mode", base.settings.cosine_mode)
    if mode is None and "min_similarity" in changes:
        mode = "fixed"
    for name, its_mode in MODE_OF.items():
        if mode != its_mode:  # shown, but not applied
            changes.pop(name, None)
    region = values.get("region", base.region)
    colour_by = values.get("colour_by", base.colour_by)
    for name, value, choices in (
        ("cosine_mode", mode, (None, *get_args(CosineMode))),
        ("region", region, DEFAULT_REGIONS),
        ("colour_by", colour_by, COLOURINGS),
    ):
        if value not in choices:
            raise SettingsError(f"{name} must be one of {', '.join(map(str, choices))}, got {value}")
    return Tuning(region, replace(base.settings, cosine_mode=mode, **changes), colour_by)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(f"{name} must be a number, got {value}") from None


def link_of(tuning: Tuning) -> dict[str, str]:
    """Return the differences from the defaults under short names. Thresholds are written without loss."""
    default = Tuning()
    link: dict[str, str] = {}
    if tuning.region != default.region:
        link["region"] = tuning.region
    if tuning.colour_by != default.colour_by:
        link["colour"] = tuning.colour_by
    for known in fields(EvaluationSettings):
        value = getattr(tuning.settings, known.name)
        if known.name in IN_LINK and value != getattr(default.settings, known.name):
            link[IN_LINK[known.name]] = str(value)
    for name, its_mode in MODE_OF.items():
        link.pop(IN_LINK[name], None)
        if tuning.settings.cosine_mode == its_mode:
            link[IN_LINK[name]] = str(getattr(tuning.settings, name))
    return link


def tuning_in_link(link: Mapping[str, str]) -> Tuning:
    """Read the tuning from a link; an error names an invalid value."""
    return tuning_from({name: link[short] for name, short in IN_LINK.items() if short in link})


def browser_values(tuning: Tuning, *, min_similarity: float | None) -> dict[str, Any]:
    """Return the values that the browser shows. `min_similarity`: the threshold in use, whichever mode set it."""
    settings = tuning.settings
    values: dict[str, Any] = {name: getattr(settings, name) for name in NUMBERS}
    if min_similarity is not None:
        values["min_similarity"] = min_similarity
    return values | {"region": tuning.region, "cosine_mode": settings.cosine_mode, "colour_by": tuning.colour_by}
