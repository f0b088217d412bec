"""What a string is worth to whoever searches for one: F-beta that leans on more than a few core publications.

A search that may choose among thousands of strings finds one that fits the core publications it can see and no others.
So here recall is that of the core publications in use together with how much of the region is found, a keyword needs
more behind it than one core publication, and every keyword has its price: a low one where the topic's name speaks for
it, a higher one where only this corpus does, because elsewhere it may retrieve anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.metrics import decay, f_beta
from core.query.matching.bits import Bits, count
from core.query.weighing.stakes import Stakes, counts
from core.text import STOP_WORDS, words
from core.types import Floats, Mask
from core.writer.types import Keyword, ListName

PRIOR = 10.0
"""Core publications' worth of belief that a string finds the same share of the core publications that nobody knows of
as it finds of what the region accepts."""
FEWEST_CORE = 2
"""Core publications in use that a keyword needs, or else ..."""
FEWEST_ACCEPTED = 5
"""... so many publications that the region accepts, and more of them than chance gives."""
PRICE = 0.005
"""What a keyword has to add to F-beta."""
ALONE_PRICE = 0.02
"""What a single word has to add beyond that to retrieve by itself, if the topic's name does not have it."""
OVERARCHING_PRICE = 0.01
"""What a keyword has to add beyond that to be overarching, if the topic's name has no word of it."""
SHORTEST_KIN = 4
LONGEST_ENDING = 3
"""Words are akin that share so many first letters and differ in no more than so many last ones."""


def to_search_by(stakes: Stakes) -> Stakes | None:
    """The same, or, where the region accepts nothing, with the core publications in its place; None: with nothing to
    search by."""
    if (stakes.accepted & stakes.scorable).any():
        return stakes
    if not stakes.core.any():
        return None
    return replace(stakes, accepted=stakes.core, scorable=stakes.scorable | stakes.core)


def worths(stakes: Stakes, stack: Bits) -> Floats:
    """F-beta with a recall that leans on the region, one for each row of a stack.

    0: nothing of it is accepted. Formula: F-beta with recall (a + 10·c) / (n + 10), where a of n core publications in
    use are retrieved and accepted, and c is the share of all accepted publications that is retrieved.
    """
    relevant = stack & (stakes.accepted & stakes.scorable)
    n_relevant, n_scorable = counts(relevant), counts(stack & stakes.scorable)
    precision = n_relevant / np.maximum(n_scorable, 1) * decay(n_relevant, **stakes.settings.decay_curve)
    covered = n_relevant / max(count(stakes.accepted & stakes.scorable), 1)
    found = (counts(relevant & stakes.core) + PRIOR * covered) / (stakes.n_core + PRIOR)
    return f_beta(precision, found, beta=stakes.settings.beta)


def supported(stakes: Stakes, stack: Bits) -> Mask:
    """Which keywords have more behind them than one core publication, one for each row of a stack."""
    scorable, accepted = counts(stack & stakes.scorable), counts(stack & stakes.scorable & stakes.accepted)
    by_chance = count(stakes.accepted & stakes.scorable) / max(count(stakes.scorable), 1) * scorable
    has_core = counts(stack & stakes.core) >= FEWEST_CORE
    return np.asarray(has_core | ((accepted >= FEWEST_ACCEPTED) & (accepted > by_chance)), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Prices:
    """What one keyword has to bring in each list."""

    specific: float = PRICE
    general: float = PRICE
    overarching: float = PRICE

    def of(self, name: ListName) -> float:
        """Nothing for a keyword that stands aside."""
        found: float = getattr(self, name, 0.0)
        return found


def prices(keyword: Keyword, topic: Sequence[str]) -> Prices:
    """Of a keyword, given the words of the topic's name; with none of those, all are alike.

    >>> prices(Keyword("urban trees"), ("trees",)).overarching, prices(Keyword("days"), ("trees",)).specific
    (0.005, 0.025)
    """
    own = words(keyword.text)
    if not topic or any(akin(word, other) for word in own for other in topic):
        return Prices()
    return Prices(specific=PRICE + ALONE_PRICE * (len(own) < 2), overarching=PRICE + OVERARCHING_PRICE)


def topic_words(topic: str) -> tuple[str, ...]:
    """The words of a topic's name that say something.

    >>> topic_words("Resilience in business and management")
    ('resilience', 'business', 'management')
    """
    return tuple(word for word in dict.fromkeys(words(topic)) if word not in STOP_WORDS)


def akin(one: str, other: str) -> bool:
    """Whether two words are the same but for their ending.

    >>> akin("biofuels", "biofuel"), akin("study", "studies"), akin("car", "cars"), akin("cars", "care")
    (True, True, True, False)
    """
    short, long = sorted((one, other), key=len)
    if long in (short, f"{short}s"):
        return True
    shared = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return shared >= max(SHORTEST_KIN, len(short) - 1) and len(long) - shared <= LONGEST_ENDING
