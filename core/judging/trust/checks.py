"""The checks of a judge: what each is called, and from where on it passes. Limits are ours, and said beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FEW = 30
"""Pairs below which nothing is said of a judge."""
FEW_CORE = 5
"""Publications of the core, or beside it, below which the same holds."""
KAPPA_GOOD, KAPPA_MIXED = 0.6, 0.4
"""Weighted kappa: "substantial" and "moderate" of Landis and Koch (1977)."""
SAME_GOOD, SAME_MIXED = 0.9, 0.75
SHIFT_GOOD, SHIFT_MIXED = 0.05, 0.1
"""Of the whole scale."""
RAISED_GOOD, RAISED_MIXED = 0.05, 0.2
LOWERED_GOOD, LOWERED_MIXED = 0.5, 0.2
ABOVE_GOOD, ABOVE_MIXED = 0.8, 0.65
CORRELATION_GOOD = 0.4


@dataclass(frozen=True, slots=True)
class CheckAbout:
    """A check in the words of the page."""

    label: str
    limits: str
    """When it passes, and when it fails; in between it is so-so."""


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


CHECKS: Mapping[str, CheckAbout] = {
    "people": CheckAbout(
        "Agreement with people",
        f"passes from a weighted kappa of {KAPPA_GOOD:g} on whose range begins at {KAPPA_MIXED:g} or higher, fails "
        f"below {KAPPA_MIXED:g}",
    ),
    "repeats": CheckAbout(
        "The same answer when asked again",
        f"passes if {_percent(SAME_GOOD)} keep their grade every time, fails below {_percent(SAME_MIXED)}",
    ),
    "longer": CheckAbout(
        "Untouched by longer abstracts",
        f"passes if the mean moves by {_percent(SHIFT_GOOD)} of the scale at most and its range stays within "
        f"{_percent(SHIFT_MIXED)}, fails beyond {_percent(SHIFT_MIXED)}",
    ),
    "demanded": CheckAbout(
        "Untouched by a demanded grade",
        f"passes if {_percent(RAISED_GOOD)} at most are raised, fails beyond {_percent(RAISED_MIXED)}",
    ),
    "swapped": CheckAbout(
        "Who does what to whom",
        f"passes if {_percent(LOWERED_GOOD)} are lowered and the mean clearly falls, fails below "
        f"{_percent(LOWERED_MIXED)}",
    ),
    "judges": CheckAbout(
        "Agreement with other judges",
        f"passes if every two have a weighted kappa of {KAPPA_GOOD:g} or more, fails below {KAPPA_MIXED:g}; judges of "
        "one model never pass",
    ),
    "core": CheckAbout(
        "The core set above the rest",
        f"passes if core publications are graded higher in {_percent(ABOVE_GOOD)} of pairs and clearly so on average, "
        f"fails below {_percent(ABOVE_MIXED)}; needs {FEW_CORE} of both",
    ),
    "regions": CheckAbout(
        "In line with regions and similarity",
        f"passes from a rank correlation of {CORRELATION_GOOD:g} on; never fails, as regions are no truth",
    ),
}
LIMITS_ABOUT = (
    f"The limits are ours; those of kappa follow Landis and Koch (1977). Fewer than {FEW} are too little to say, and "
    "what comes from one query alone is passed by none. In between, and without a range, it is so-so."
)
"""What holds of all of them."""
