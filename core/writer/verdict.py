"""What a gain on the held-out half lets one say, in one sentence that claims no more than its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.writer.types import Gain, Step

BROAD = 0.5
"""Share of the corpus above which a string is called broad."""
Standing = Literal["better", "worse", "not clear", "not known"]
"""Of a string against the topic's name on the held-out half."""


def standing_of(gain: Gain | None) -> Standing:
    """Better or worse only where the interval leaves 0 out, and the value itself is on that side.

    >>> standing_of(Gain(0.1, None))
    'not known'
    """
    if gain is None or gain.value is None or gain.interval is None:
        return "not known"
    if min(gain.value, gain.interval.low) > 0:
        return "better"
    return "worse" if max(gain.value, gain.interval.high) < 0 else "not clear"


def gain_sentence(step: Step) -> str:
    """Whether a string beats the topic's name on core publications that nobody who wrote it knew."""
    gain, held_out = step.gain, step.judged.held_out
    if step.parent is None:
        return "The topic's name alone: what every other string is held against."
    if held_out is None:
        return "No core publications are held out: nothing tells what was fitted to them."
    if gain is None or gain.value is None:
        which = "it" if held_out.f_beta is None else "the topic's name"
        return f"Not known on the held-out half: {which} retrieves nothing that can be scored there."
    if gain.interval is None:
        return (
            f"F-beta {gain.value:+.3f} against the topic's name on the held-out half, which is too small for an "
            "interval: not clear."
        )
    value = f"F-beta {gain.value:+.3f} ({gain.interval.low:+.3f} to {gain.interval.high:+.3f}) on the held-out half"
    verdict = {
        "better": "Better than the topic's name",
        "worse": "Worse than the topic's name",
    }.get(standing_of(gain), "Not clear whether it is better than the topic's name")
    return f"{verdict}: {value}."


def gains_sentence(steps: Sequence[Step]) -> str:
    """How many of several strings are clearly better than the topic's name; empty: there is none beside it."""
    written = [step for step in steps if step.parent is not None]
    if not written:
        return ""
    found = [standing_of(step.gain) for step in written]
    if all(each == "not known" for each in found):
        return "Whether any string is better than the topic's name is not known: see why beside each."
    of = f"of {len(written)} strings" if len(written) > 1 else "of 1 string"
    counts = {
        "clearly better than the topic's name": found.count("better"),
        "clearly worse": found.count("worse"),
        "not clear": found.count("not clear"),
        "not known": found.count("not known"),
    }
    said = ", ".join(f"{n} {words}" for words, n in counts.items() if n or words.startswith("clearly better"))
    return f"On the held-out half, {of}: {said}."


def breadth_note(n_retrieved: int, n_corpus: int) -> str:
    """What a string that retrieves most of a corpus can't show; empty: it does not.

    A corpus is often what earlier queries retrieved: in it nearly everything belongs to the topic, and words that
    would bring millions in a database look precise.

    >>> breadth_note(10, 100)
    ''
    """
    if n_retrieved <= BROAD * n_corpus:
        return ""
    return (
        f"It retrieves {n_retrieved / n_corpus:.0%} of the {n_corpus:,} publications that the topic has here. If "
        "earlier queries gathered these, they can't tell what so broad a string brings in a database: count it there "
        "first."
    )
