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


CHECKS: Mapping[str, CheckAbout] = {
    "people": CheckAbout(
        "Agreement with people",
        f"passes from a weighted kappa of {KAPPA_GOOD:g} on whose range begins at {KAPPA_MIXED:g} or higher, fails "
        f"below {KAPPA_MIXED:g}",
    ),
    "repeats": CheckAbout(
        "The same answer when asked again",
        f"passes if {100 * SAME_GOOD:.0f} % keep their grade every time, fails below {100 * SAME_MIXED:.0f} %",
    ),
    "longer": CheckAbout(
        "Untouched by longer abstracts",
        f"passes if the mean moves by {100 * SHIFT_GOOD:.0f} % of the scale at most and its range stays within "
        f"{100 * SHIFT_MIXED:.0f} %, fails beyond {100 * SHIFT_MIXED:.0f} %",
    ),
    "demanded": CheckAbout(
        "Untouched by a demanded grade",
        f"passes if {100 * RAISED_GOOD:.0f} % at most are raised, fails beyond {100 * RAISED_MIXED:.0f} %",
    ),
    "swapped": CheckAbout(
        "Who does what to whom",
        f"passes if {100 * LOWERED_GOOD:.0f} % are lowered and the mean clearly falls, fails below {100 * LOWERED_MIXED:.0f} %",
    ),
    "judges": CheckAbout(
        "Agreement with other judges",
        f"passes if every two have a weighted kappa of {KAPPA_GOOD:g} or more, fails below {KAPPA_MIXED:g}; judges of "
        "one model never pass",
    ),
    "core": CheckAbout(
        "The core set above the rest",
        f"passes if core publications are graded higher in {100 * ABOVE_GOOD:.0f} % of pairs and clearly so on average, fails "
        f"below {100 * ABOVE_MIXED:.0f} %; needs {FEW_CORE} of both",
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
