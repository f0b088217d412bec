"""What a cap on the publications of a run means for recall."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class CapEffect:
    """How much of what a string finds comes under a cap."""

    is_capped: bool
    """The cap may cut. Where several forms are sent, how many they find together is only known between two ends."""
    share_least: float
    """Of what the string finds, the share that comes at least; 1 where all comes, or nothing is found."""
    share_most: float
    """And at most. Below 1: the cap cuts for certain."""
    sentence: str
    advice: str = ""
    """What to do about it; empty where nothing is to be done."""

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def cap_effect(total_least: int, total_most: int, most: int) -> CapEffect:
    """What a cap of `most` publications does to a string that finds between `total_least` and `total_most`.

    >>> cap_effect(37_112, 37_112, 10_000).sentence[:62]
    'Of 37,112 publications at most 10,000 come: 27 %. A recall mea'
    >>> cap_effect(800, 800, 10_000).is_capped
    False
    """
    if not 0 <= total_least <= total_most or most < 1:
        raise InputError(
            "a cap needs a total from 0 and at least 1 publication; got a total of "
            f"{total_least:,} to {total_most:,} and a cap of {most:,}"
        )
    if total_most <= most:
        return CapEffect(is_capped=False, share_least=1.0, share_most=1.0, sentence=_all_come(total_least, total_most))
    least, share_most = most / total_most, min(1.0, most / total_least) if total_least else 1.0
    measured = "A recall measured on them is a lower bound, since the source decides which come first."
    if share_most < 1:
        sentence = f"Of {_between(total_least, total_most)} publications at most {most:,} come: {_percent(least)}"
        sentence += f" to {_percent(share_most)}" if _percent(least) != _percent(share_most) else ""
        sentence += f". {measured} Core publications beyond them look missed."
    else:
        sentence = (
            f"The string finds {_between(total_least, total_most)} publications, and at most {most:,} come: perhaps "
            f"all, at least {_percent(least)}. If some stay away, a recall measured on the rest is a lower bound, "
            "since the source decides which come first."
        )
    advice = f"Raise the cap to {total_most:,}, or split the search by year and run the parts."
    return CapEffect(is_capped=True, share_least=least, share_most=share_most, sentence=sentence, advice=advice)


def _all_come(least: int, most: int) -> str:
    if most == 0:
        return "Nothing is found, so nothing comes."
    if most == 1:
        return "The one publication that is found comes."
    return f"All of the {_between(least, most)} publications come."


def _between(least: int, most: int) -> str:
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _percent(share: float) -> str:
    """Never 0 or 100 % for what is neither."""
    if share < 0.01:
        return "less than 1 %"
    return f"{min(round(share * 100), 99)} %"
