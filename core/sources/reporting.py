"""A search as the methods section of a review reports it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.sources.types import Choices, SourceId


@dataclass(frozen=True, slots=True)
class Searched:
    """What a reader needs to judge a search, and to repeat it."""

    source: str
    """What the source is called."""
    address: str
    """Where it was asked."""
    began: str
    """ISO 8601."""
    ended: str | None
    """None: it has not come to its end."""
    forms: tuple[str, ...]
    """Exactly as they were sent."""
    total_first: int | None
    """The source's own total as the search began; of several forms, their sum. None: the source gave none."""
    total_last: int | None
    """And as it ended."""
    n_fetched: int
    """Different records that were kept."""
    n_aside: int
    most: int
    """The cap."""
    n_repeated: int = 0
    """Records that came again, on another page or part."""
    n_begun: int | None = None
    """Forms that were asked; None: all of them."""
    choices: str = ""
    """How the source was asked, where it can be asked in more than one way; a sentence or none."""
    repeats: str = ""
    """When the search was made that this one repeats, ISO 8601; empty: it repeats none."""


def methods_sentence(searched: Searched) -> str:
    """Source, interface, date and time, exact string, total, what was fetched, and the cap; nothing that is not known.

    >>> print(methods_sentence(Searched("PubMed", "https://eutils.example", "2031-05-06T12:00:00+00:00",
    ...     "2031-05-06T12:03:00+00:00", ("heat[tiab]",), 812, 812, 812, 0, 10_000)))
    PubMed was searched through its API (https://eutils.example) on 6 May 2031 at 12:00 UTC with the string \
“heat[tiab]”. By its own count it found 812 records. All 812 were fetched; the cap was 10,000.
    """
    parts = [
        f"{searched.source} was searched through its API ({searched.address}) on {_when(searched)} with "
        f"{_with(searched)}.",
        searched.choices,
        f"This repeats the search of {_day(searched.repeats)}." if searched.repeats else "",
        _found(searched),
        _fetched(searched),
    ]
    return " ".join(part for part in parts if part)


def choices_in_words(source: SourceId, choices: Choices, *, has_wildcards: bool = True) -> str:
    """How a source was asked, where it can be asked in more than one way; empty: there is only one."""
    if source == "openalex":
        forms = "Other forms of a word counted as well." if choices.stem else "Words counted only as they are written."
        wild = "Wildcards were sent as they are." if choices.wildcards == "send" else "Wildcards were left out."
        return f"{forms} {wild}" if has_wildcards else forms
    if source == "europepmc":
        return "Synonyms of MeSH counted as well." if choices.synonyms else "Synonyms did not count."
    return ""


def _when(searched: Searched) -> str:
    """The moment at which it began, and the day on which it ended, if that was another one."""
    began = f"{_day(searched.began)} at {_moment(searched.began):%H:%M} UTC"
    if searched.ended is None or _moment(searched.ended).date() <= _moment(searched.began).date():
        return began
    return f"{began} (until {_day(searched.ended)})"


def _day(moment: str) -> str:
    at = _moment(moment)
    return f"{at.day} {at:%B %Y}"


def _with(searched: Searched) -> str:
    if len(searched.forms) == 1:
        return f"the string “{searched.forms[0]}”"
    listed = "; ".join(f"({number}) “{form}”" for number, form in enumerate(searched.forms, start=1))
    return f"one string in {len(searched.forms)} parts, whose results were united: {listed}"


def _n_begun(searched: Searched) -> int:
    return len(searched.forms) if searched.n_begun is None else searched.n_begun


def _found(searched: Searched) -> str:
    first, last, n = searched.total_first, searched.total_last, _n_begun(searched)
    if first is None:
        return "It gave no count of its own."
    if len(searched.forms) == 1:
        text = f"By its own count it found {_records(first)}"
    else:
        which = "parts" if n == len(searched.forms) else f"first {n} parts"
        twice = ", those that several parts find counted several times" if n > 1 else ""
        whose = f"By its own counts the {which} together" if n > 1 else "By its own count the first part"
        text = f"{whose} found {_records(first)}{twice}"
    return f"{text}; the count was {last:,} as the search ended." if last not in (None, first) else f"{text}."


def _fetched(searched: Searched) -> str:
    n, total = searched.n_fetched, searched.total_last if searched.total_last is not None else searched.total_first
    left = len(searched.forms) - _n_begun(searched)
    all_came = total is not None and n == total and len(searched.forms) == 1
    head = f"All {n:,} were fetched" if all_came and n > 1 else f"{n:,} {_were(n)} fetched"
    parts = [f"{head}; the cap was {searched.most:,}."]
    if searched.n_repeated:
        parts.append(f"{_records(searched.n_repeated)} that had come before {_were(searched.n_repeated)} left out.")
    if searched.ended is None:
        parts.append("The search has not come to its end.")
    elif n >= searched.most and (total is None or total > n or left):
        parts.append("So the cap cut the search, and the source's order decided what came.")
        if left:
            parts.append(f"The last {left} parts were not searched." if left > 1 else "The last part was not searched.")
    if searched.n_aside:
        parts.append(f"{_records(searched.n_aside)} that could not be read {_were(searched.n_aside)} put aside.")
    return " ".join(parts)


def _were(n: int) -> str:
    return "was" if n == 1 else "were"


def _records(n: int) -> str:
    return f"{n:,} record{'' if n == 1 else 's'}"


def _moment(at: str) -> datetime:
    found = datetime.fromisoformat(at)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
