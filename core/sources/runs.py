"""Source runs: estimates, the effect of a cap, the methods sentence, and changes between runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from core.errors import InputError
from core.library.records import Record
from core.metrics import Metric
from core.report import utc
from core.sources.source_forms import SourceId, SourceOptions
from core.text import listed, many, signed, was
from core.types import Ids


@dataclass(frozen=True, slots=True)
class SourceRunEstimate:
    n_records: int
    """Records to read. A record that several forms find is read once for each."""
    n_calls: int
    """Requests: one count for each form, and the pages."""
    seconds: float
    """By the rate limit, or by the response time if that is longer."""
    dollars: float | None
    """0: free of charge; None: the price is unknown."""
    n_forms: int = 1

    @property
    def sentence(self) -> str:
        """The estimate as a sentence.

        >>> estimate(10_000, per_page=100, per_second=10, dollars_per_call=0.001, n_forms=1).sentence
        'At most 10,000 records in 101 requests, about 10 seconds, $0.10.'
        """
        records, requests = many(self.n_records, "record"), many(self.n_calls, "request")
        return f"At most {records} in {requests}, {in_time(self.seconds)}, {in_dollars(self.dollars)}."

    def as_document(self) -> dict[str, Any]:
        return asdict(self) | {"sentence": self.sentence}


def estimate(
    n: int,
    *,
    per_page: int,
    per_second: float,
    dollars_per_call: float | None,
    n_forms: int,
    per_search: int | None = None,
    ms_per_call: float | None = None,
) -> SourceRunEstimate:
    """Estimate the requests, time and price of reading n records through `n_forms` forms, each counted first.

    Each form starts on a page of its own, even if it finds nothing, and may end on a page that is not full: ceil(n /
    per_page) pages, at least one, and one more for each further form. `per_search`: the records are read from a stored
    search of at most this many; more records need several searches, some of which find too many and are divided again.
    `ms_per_call`: the measured response time.

    >>> estimate(0, per_page=100, per_second=10, dollars_per_call=None, n_forms=1).n_calls
    2
    >>> estimate(40_000, per_page=500, per_second=3, dollars_per_call=0, n_forms=1, per_search=9_999).n_calls
    89
    """
    if per_page < 1 or n_forms < 1 or n < 0 or per_second <= 0:
        raise InputError(
            f"an estimate needs a page of at least 1 record, 1 form, 0 records and some requests a second; got "
            f"{per_page}, {n_forms}, {n} and {per_second}"
        )
    n_pages = max(math.ceil(n / per_page), 1) + n_forms - 1
    n_calls = n_forms + n_pages + _n_searches(n, n_forms, per_search)
    each = max(1 / per_second, (ms_per_call or 0.0) / 1000)
    dollars = None if dollars_per_call is None else n_calls * dollars_per_call
    return SourceRunEstimate(n, n_calls, n_calls * each, dollars, n_forms)


SEARCHES_TO_DIVIDE = 3
"""Extra searches that find too many and must be divided, for results spread over time as usual: 1 to 2 were needed."""


def _n_searches(n: int, n_forms: int, per_search: int | None) -> int:
    if per_search is None:
        return 0
    return n_forms if n <= per_search else math.ceil(n / per_search) + SEARCHES_TO_DIVIDE + n_forms - 1


def in_time(seconds: float) -> str:
    """Format a duration in words.

    >>> in_time(0.4), in_time(35.2), in_time(150), in_time(9000)
    ('less than a second', 'about 35 seconds', 'about 3 minutes', 'about 2.5 hours')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        whole = round(seconds)
        return f"about {many(whole, 'second')}"
    if seconds < 5400:
        return f"about {math.ceil(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"


def in_dollars(dollars: float | None) -> str:
    """Format a price in words.

    >>> in_dollars(0.0), in_dollars(None), in_dollars(0.104), in_dollars(0.002)
    ('free of charge', 'at an unknown price', '$0.10', '$0.002')
    """
    if dollars is None:
        return "at an unknown price"
    if dollars == 0:
        return "free of charge"
    return f"${dollars:.2f}" if dollars >= 0.01 else f"${dollars:.1g}" if dollars >= 0.0001 else "less than $0.0001"


def dollar_amount(dollars: float) -> str:
    """Format the rest of a budget, with as many digits as a small amount needs.

    >>> dollar_amount(0.0015), dollar_amount(0.99), dollar_amount(0.0)
    ('$0.0015', '$0.99', '$0.00')
    """
    return f"${dollars:.2f}" if dollars >= 0.1 or dollars < 0.0001 else f"${dollars:.4f}"


# The effect of a cap on the number of publications on recall.


@dataclass(frozen=True, slots=True)
class CapEffect:
    """The share of the results of a search string that a cap lets through."""

    is_capped: bool
    """The cap may cut. With several forms, their united total is known only as a range."""
    share_least: float
    """The smallest possible share of the results that is fetched; 1 if all are, or if there are none."""
    share_most: float
    """The largest possible share. Below 1: the cap certainly cuts."""
    sentence: str
    advice: str = ""
    """The recommended action; empty if none is needed."""

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


def cap_effect(total_least: int, total_most: int, most: int) -> CapEffect:
    """Return the effect of a cap of `most` publications on a search that finds `total_least` to `total_most`.

    >>> cap_effect(37_112, 37_112, 10_000).sentence[:62]
    'Of 37,112 publications at most 10,000 are fetched: 27 %. Recal'
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
    measured = "Recall measured on them is a lower bound, since the source decides which come first."
    if share_most < 1:
        sentence = (
            f"Of {_between(total_least, total_most)} publications at most {most:,} are fetched: {_percent(least)}"
        )
        sentence += f" to {_percent(share_most)}" if _percent(least) != _percent(share_most) else ""
        sentence += f". {measured} Core publications beyond them appear missed."
    else:
        sentence = (
            f"The string finds {_between(total_least, total_most)} publications, and at most {most:,} are fetched: "
            f"perhaps all, at least {_percent(least)}. If some are missing, recall measured on the rest is a lower "
            "bound, since the source decides which come first."
        )
    advice = f"Raise the cap to {total_most:,}, or split the search by year and run the parts."
    return CapEffect(is_capped=True, share_least=least, share_most=share_most, sentence=sentence, advice=advice)


def _all_come(least: int, most: int) -> str:
    if most == 0:
        return "No publications found, so none are fetched."
    if most == 1:
        return "The one publication found is fetched."
    return f"All of the {_between(least, most)} publications are fetched."


def _between(least: int, most: int) -> str:
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _percent(share: float) -> str:
    """Format a share as a percentage; a share that is neither 0 nor 1 never rounds to 0 or 100 %."""
    if share < 0.01:
        return "less than 1 %"
    return f"{min(round(share * 100), 99)} %"


# The search as the methods section of a review reports it.


@dataclass(frozen=True, slots=True)
class SearchMethodsFacts:
    source: str
    """The display name of the source."""
    address: str
    """The address of its API."""
    began: str
    """ISO 8601."""
    ended: str | None
    """None: the search is not finished."""
    forms: tuple[str, ...]
    """The exact texts that were sent."""
    total_first: int | None
    """The source's own total at the start; with several forms, their sum. None: the source gave none."""
    total_last: int | None
    """The same total at the end."""
    n_fetched: int
    """Distinct records that were stored."""
    n_aside: int
    most: int
    """The cap."""
    n_repeated: int = 0
    """Records that were fetched again, on another page or for another form."""
    n_begun: int | None = None
    """Forms that were sent; None: all of them."""
    choices: str = ""
    """A sentence on the source's options, or empty if it has none."""
    repeats: str = ""
    """The time of the search that this one repeats, ISO 8601; empty: it repeats none."""


def methods_sentence(searched: SearchMethodsFacts) -> str:
    """Report the source, interface, date and time, exact string, total, records fetched and cap; omit unknown facts.

    >>> print(methods_sentence(SearchMethodsFacts("PubMed", "https://eutils.example", "2031-05-06T12:00:00+00:00",
    ...     "2031-05-06T12:03:00+00:00", ("heat[tiab]",), 812, 812, 812, 0, 10_000)))
    PubMed was searched through its API (https://eutils.example) on 6 May 2031 at 12:00 UTC with the string \
“heat[tiab]”. The source reported 812 records. All 812 were fetched; the cap was 10,000.
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


def choices_in_words(source: SourceId, choices: SourceOptions, *, has_wildcards: bool = True) -> str:
    """Describe the source's options in words; empty: it has none."""
    if source == "openalex":
        forms = "Other forms of a word counted as well." if choices.stem else "Words counted only as they are written."
        wild = "Wildcards were sent as they are." if choices.wildcards == "send" else "Wildcards were left out."
        return f"{forms} {wild}" if has_wildcards else forms
    if source == "europepmc":
        return "Synonyms of MeSH counted as well." if choices.synonyms else "Synonyms did not count."
    return ""


def _when(searched: SearchMethodsFacts) -> str:
    began = f"{_day(searched.began)} at {utc(searched.began):%H:%M} UTC"
    if searched.ended is None or utc(searched.ended).date() <= utc(searched.began).date():
        return began
    return f"{began} (until {_day(searched.ended)})"


def _day(moment: str) -> str:
    at = utc(moment)
    return f"{at.day} {at:%B %Y}"


def _with(searched: SearchMethodsFacts) -> str:
    if len(searched.forms) == 1:
        return f"the string “{searched.forms[0]}”"
    listed = "; ".join(f"({number}) “{form}”" for number, form in enumerate(searched.forms, start=1))
    return f"one string in {len(searched.forms)} parts, whose results were combined: {listed}"


def _n_begun(searched: SearchMethodsFacts) -> int:
    return len(searched.forms) if searched.n_begun is None else searched.n_begun


def _found(searched: SearchMethodsFacts) -> str:
    first, last, n = searched.total_first, searched.total_last, _n_begun(searched)
    if first is None:
        return "The source gave no total."
    if len(searched.forms) == 1:
        text = f"The source reported {many(first, 'record')}"
    else:
        which = "parts" if n == len(searched.forms) else f"first {n} parts"
        twice = ", counting those that several parts find several times" if n > 1 else ""
        whose = f"Its counts for the {which} together" if n > 1 else "Its count for the first part"
        text = f"{whose} gave {many(first, 'record')}{twice}"
    return f"{text}; the count was {last:,} at the end of the search." if last not in (None, first) else f"{text}."


def _fetched(searched: SearchMethodsFacts) -> str:
    n, total = searched.n_fetched, searched.total_last if searched.total_last is not None else searched.total_first
    left = len(searched.forms) - _n_begun(searched)
    all_came = total is not None and n == total and len(searched.forms) == 1
    head = f"All {n:,} were fetched" if all_came and n > 1 else f"{n:,} {was(n)} fetched"
    parts = [f"{head}; the cap was {searched.most:,}."]
    if searched.n_repeated:
        parts.append(
            f"{many(searched.n_repeated, 'record')} that had already been fetched {was(searched.n_repeated)} left out."
        )
    if searched.ended is None:
        parts.append("The search is not finished.")
    elif n >= searched.most and (total is None or total > n or left):
        parts.append("The cap cut the search, so the source's order decided which records were fetched.")
        if left:
            parts.append(f"The last {left} parts were not searched." if left > 1 else "The last part was not searched.")
    if searched.n_aside:
        parts.append(f"{many(searched.n_aside, 'record')} that could not be read {was(searched.n_aside)} set aside.")
    return " ".join(parts)


# Changes between two runs of a search: publications that are new, gone, or described differently.

COMPARED_FIELDS = (
    "title",
    "abstract",
    "year",
    "doi",
    "pmid",
    "authors",
    "venue",
    "volume",
    "issue",
    "pages",
    "kind",
    "keywords",
)
"""The compared fields of a record. Citation counts are left out because they change daily while nothing else does."""
FIELD_WORDS = {"doi": "DOI", "pmid": "PMID", "venue": "journal", "kind": "type"}


@dataclass(frozen=True, slots=True)
class SourceRunChanges:
    new: Ids
    """In the later run only."""
    gone: Ids
    """In the earlier run only."""
    changed: Ids
    """In both runs, with different content."""
    n_same: int
    """In both runs, with identical content."""
    total_before: int | None
    """The source's own totals; None: it gave none."""
    total_after: int | None
    cautions: tuple[str, ...] = ()
    """Reasons why new or gone publications may not be changes in the source."""

    @property
    def sentence(self) -> str:
        """The changes as a sentence.

        >>> changes({"1": "a", "2": "b"}, {"2": "c", "3": "d"}).sentence
        '1 new, 1 gone, 1 changed, 0 unchanged.'
        """
        if not (self.new or self.gone or self.changed):
            text = f"Nothing changed: {self.n_same:,} unchanged."
        else:
            text = (
                f"{len(self.new):,} new, {len(self.gone):,} gone, {len(self.changed):,} changed, {self.n_same:,} "
                "unchanged."
            )
        if self.total_before is not None and self.total_after is not None and self.total_before != self.total_after:
            text += f" Hits in the source went from {self.total_before:,} to {self.total_after:,}."
        return text

    def as_document(self) -> dict[str, Any]:
        return asdict(self) | {"sentence": self.sentence}


def changes(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    total_before: int | None = None,
    total_after: int | None = None,
    is_cut_before: bool = False,
    is_cut_after: bool = False,
    is_whole_before: bool = True,
    is_whole_after: bool = True,
) -> SourceRunChanges:
    """Compare two runs by the fingerprint of each key. `is_cut`: the cap ended that run before the source did.

    `is_whole`: the run was completed. If either run is cut or not whole, a publication may seem gone or new only
    because the other run never reached it; `cautions` says so.
    """
    common = [key for key in before if key in after]
    return SourceRunChanges(
        new=tuple(key for key in after if key not in before),
        gone=tuple(key for key in before if key not in after),
        changed=tuple(key for key in common if before[key] != after[key]),
        n_same=sum(before[key] == after[key] for key in common),
        total_before=total_before,
        total_after=total_after,
        cautions=tuple(
            text
            for holds, text in (
                (is_cut_after, "The later run stopped at its cap: a publication listed as gone may be beyond it."),
                (
                    is_cut_before,
                    ("The earlier run stopped at its cap: a publication listed as new may have been beyond it."),
                ),
                (
                    not is_whole_after,
                    ("The later run is unfinished: a publication listed as gone may not have been fetched yet."),
                ),
                (
                    not is_whole_before,
                    ("The earlier run is unfinished: a publication listed as new may not have been fetched then."),
                ),
            )
            if holds
        ),
    )


def fingerprint(record: Record) -> str:
    """Return a short hash of a record's compared fields; a change of title, abstract or year changes it."""
    text = repr(tuple(_field_of(record, name) for name in COMPARED_FIELDS))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def changed_fields(before: Record, after: Record) -> tuple[str, ...]:
    """Return the fields in which two records of one publication differ, in the order of `COMPARED_FIELDS`.

    >>> changed_fields(Record(1, title="Heat", year=2019), Record(7, title="Heat", year=2020, times_cited=3))
    ('year',)
    """
    return tuple(name for name in COMPARED_FIELDS if _field_of(before, name) != _field_of(after, name))


def _field_of(record: Record, name: str) -> object:
    """Return a field's value. Headings count as keywords, because older records store them there."""
    return record.subjects if name == "keywords" else getattr(record, name)


def change_words(fields: tuple[str, ...]) -> str:
    """Format the changed fields for a sentence.

    >>> change_words(("title", "doi"))
    'title and DOI'
    """
    return listed([FIELD_WORDS.get(name, name) for name in fields]) if fields else ""


# The drift of one search's total over its runs.

DAYS_PER_MONTH = 365.25 / 12
SHORTEST = 7.0
"""Minimum days for a monthly rate; a difference over hours would be extrapolated to a month."""
JUMP = 0.2
"""Share of the count by which two runs may differ before a warning."""
LEAST_JUMP = 20
"""Minimum difference in publications for a jump, whatever its share."""


class DriftPoint(NamedTuple):
    at: str
    """ISO 8601."""
    total: int


@dataclass(frozen=True, slots=True)
class Drift:
    points: tuple[DriftPoint, ...]
    """Oldest first."""
    days: float
    """Days from the first to the last point; 0: there is only one."""
    per_month: float | None
    """Publications gained (or lost) per month; None: too few points, or too short a time."""
    jumps: tuple[int, ...]
    """Indexes of the points that differ from the previous one by more than a usual drift."""
    sentence: str
    warning: str = ""
    """Possible causes of a jump; empty: there is none."""

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


def drift(points: Sequence[DriftPoint], *, jump: float = JUMP) -> Drift:
    """Compute the rate from the first to the last point, and find jumps of more than a share of the count."""
    if not jump > 0:
        raise InputError(f"a jump must be a share above 0, got {jump:g}")
    in_time = sorted(((_drift_moment(point.at), point) for point in points), key=lambda pair: pair[0])
    ordered = tuple(point for _, point in in_time)
    days = (in_time[-1][0] - in_time[0][0]).total_seconds() / 86_400 if ordered else 0.0
    per_month = (ordered[-1].total - ordered[0].total) / days * DAYS_PER_MONTH if days >= SHORTEST else None
    jumps = tuple(i for i in range(1, len(ordered)) if _jumps(ordered[i - 1].total, ordered[i].total, jump))
    return Drift(ordered, days, per_month, jumps, _sentence(ordered, days, per_month), _warning(ordered, jumps))


def _drift_moment(at: str) -> datetime:
    try:
        found = datetime.fromisoformat(at)
    except ValueError as e:
        raise InputError(f'"{at}" is not a time: use the form 2026-05-01T12:00:00+00:00') from e
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _jumps(before: int, after: int, jump: float) -> bool:
    return abs(after - before) >= LEAST_JUMP and abs(after - before) > jump * min(before, after)


def _sentence(points: tuple[DriftPoint, ...], days: float, per_month: float | None) -> str:
    if not points:
        return "No count yet."
    first, last = points[0], points[-1]
    if len(points) == 1:
        return f"{first.total:,} on {first.at[:10]}: repeat the run to see how the count drifts."
    text = f"{first.total:,} on {first.at[:10]}, {last.total:,} on {last.at[:10]}"
    if per_month is None:
        change = signed(last.total - first.total) if last.total != first.total else "no change"
        return f"{text}: {change}, over too short a time for a rate."
    if first.total == last.total:
        return f"{text}: no drift in {days:,.0f} days."
    size = signed(per_month, 0 if abs(per_month) >= 10 else 1)
    share = f" ({per_month / first.total:+.1%})".replace("%", " %") if first.total else ""
    return f"{text}: {size} a month{share}."


def _warning(points: tuple[DriftPoint, ...], jumps: tuple[int, ...]) -> str:
    if not jumps:
        return ""
    worst = max(jumps, key=lambda i: abs(points[i].total - points[i - 1].total))
    before, after = points[worst - 1], points[worst]
    more = f" ({len(jumps)} jumps in all)" if len(jumps) > 1 else ""
    return (
        f"The count jumped from {before.total:,} on {before.at[:10]} to {after.total:,} on {after.at[:10]}{more}: "
        "more than literature grows. The source may have changed its search or its content. Check the new and "
        "removed publications."
    )


# Definitions of the numbers about live sources.


SOURCE_METRICS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "recall_within",
            "Recall within a source",
            "Of the core publications that a source indexes, the share that the string finds there. Publications "
            "that the source lacks do not count against the string.",
            "found core publications / core publications that the source indexes",
            "– if the source indexes none of them. If it is unknown for some whether the string finds them, a "
            "range is given. Publications that the source may not have are left out and counted.",
            "core publications are looked up one by one by DOI, PMID or title; the source itself checks whether "
            "the string finds each one",
            range="0 to 1; 1: everything that can be found there is found",
        ),
        Metric(
            "attainable",
            "Attainable recall within a source",
            "The highest core recall that any string can reach in a source: the share of the core publications "
            "that it indexes. Only another source can add the missing ones.",
            "core publications that the source indexes / core publications with a known index status",
            "– if the status of none is known.",
            "",
            range="0 to 1; 1: the source has them all",
        ),
        Metric(
            "share_fetched",
            "Share under the cap",
            "The share of a string's hits in a source that was fetched. Below 1, the cap or a ceiling of the "
            "source cut the search, and the source's order decided which publications are missing.",
            "min(fetched, hits in the source) / hits in the source; a string that was sent in parts has a total "
            "between the largest and the sum of its parts, and so has this share",
            "– if the source gives no total, or nothing was found.",
            "",
            range="0 to 1; 1: everything was fetched",
        ),
        Metric(
            "drift",
            "Drift per month",
            "The monthly growth of the hits in a source for the same string. A search that is a year old lacks "
            "about twelve times as much.",
            "(last total - first total) / months between the two runs; a month has 365.25 / 12 days",
            f"– with fewer than two runs of the same string, or fewer than {SHORTEST:g} days between them.",
            "",
            range="any number; 0: the total stayed as it was. It can fall: sources merge and withdraw records",
            higher_is_better=None,
        ),
    )
}
