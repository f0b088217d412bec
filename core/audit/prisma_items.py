"""The sixteen items of PRISMA-S, recorded answers to them, and automatic drafts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.audit.strategies import AnswerState, AuditFacts, SearchFacts
from core.errors import InputError, NotFoundError
from core.report import Block
from core.text import listed, many, was
from core.types import Ids, unique_ids

# The sixteen items of PRISMA-S: the details of a search that others need to check and repeat it.
#
# Titles and parts are those of the checklist: Rethlefsen ML, Kirtley S, Waffenschmidt S, et al. PRISMA-S: an
# extension to the PRISMA Statement for Reporting Literature Searches in Systematic Reviews. Systematic Reviews
# 2021;10:39, doi 10.1186/s13643-020-01542-z, table 1. The explanation of each item is in our own words.

PRISMA_S = (
    "Rethlefsen ML, Kirtley S, Waffenschmidt S, Ayala AP, Moher D, Page MJ, Koffel JB. PRISMA-S: an extension to the "
    "PRISMA Statement for Reporting Literature Searches in Systematic Reviews. Systematic Reviews 2021;10:39. "
    "doi 10.1186/s13643-020-01542-z"
)
PRISMA_2020 = (
    "Page MJ, McKenzie JE, Bossuyt PM, et al. The PRISMA 2020 statement: an updated guideline for reporting systematic "
    "reviews. BMJ 2021;372:n71. doi 10.1136/bmj.n71"
)

Part = Literal["Information sources and methods", "Search strategies", "Peer review", "Managing records"]


@dataclass(frozen=True, slots=True)
class PrismaItem:
    item: str
    """The id used everywhere, such as "prisma-s:5"."""
    number: int
    title: str
    part: Part
    asks: str
    """The information that the item requires, in one sentence."""
    may_be_left: bool = True
    """True if "not part of the search" is a valid answer."""


def _item(number: int, title: str, part: Part, asks: str, *, may_be_left: bool = True) -> PrismaItem:
    return PrismaItem(f"prisma-s:{number}", number, title, part, asks, may_be_left)


_SOURCES: Part = "Information sources and methods"
_STRATEGIES: Part = "Search strategies"
_RECORDS: Part = "Managing records"

ITEMS: tuple[PrismaItem, ...] = (
    _item(1, "Database name", _SOURCES, "Each database that was searched, and its platform.", may_be_left=False),
    _item(
        *(2, "Multi-database searching", _SOURCES),
        "Databases that were searched simultaneously on one platform, and the platform.",
    ),
    _item(3, "Study registries", _SOURCES, "Each study registry that was searched."),
    _item(
        *(4, "Online resources and browsing", _SOURCES),
        "Websites, tables of contents, proceedings and similar that were purposefully searched or browsed, and how.",
    ),
    _item(
        *(5, "Citation searching", _SOURCES),
        "Any examination of reference lists or citing publications, and the method used.",
    ),
    _item(6, "Contacts", _SOURCES, "Any contact with authors, experts, manufacturers or others to find more studies."),
    _item(7, "Other methods", _SOURCES, "Any other source or search method."),
    _item(
        *(8, "Full search strategies", _STRATEGIES),
        "The strategy for each source, exactly as it was run.",
        may_be_left=False,
    ),
    _item(
        *(9, "Limits and restrictions", _STRATEGIES),
        "Limits such as dates, languages or study types, with the reasons; or a statement that there were none.",
    ),
    _item(
        *(10, "Search filters", _STRATEGIES),
        "Published search filters that were used, unchanged or modified, with citations.",
    ),
    _item(11, "Prior work", _STRATEGIES, "Strategies of earlier reviews that were reused or adapted, with citations."),
    _item(12, "Updates", _STRATEGIES, "Any updates of the search, such as rerunning it."),
    _item(13, "Dates of searches", _STRATEGIES, "The date when each strategy was last run.", may_be_left=False),
    _item(14, "Peer review", "Peer review", "Any peer review of the strategies, and the method used."),
    _item(15, "Total Records", _RECORDS, "The number of records from each source.", may_be_left=False),
    _item(16, "Deduplication", _RECORDS, "The method and software used to remove duplicate records."),
)
"""In the order of the checklist."""


# Answers to the items, checked before they are stored.

LONGEST = 10_000
"""Characters of an answer."""
LONGEST_CONFIRMED = 500_000
"""Characters of a confirmed record: a hundred searches need more than a person writes."""
LONGEST_NAME = 200
MOST_ON_TITLE_PAGE = 1_000
LARGEST = 10**9
FLOW_LABELS: dict[str, str] = {
    "flow:databases": "Databases",
    "flow:registers": "Registers",
    "flow:duplicates": "Duplicate records removed",
    "flow:automation": "Records marked as ineligible by automation tools",
    "flow:other": "Records removed for other reasons",
    "flow:screened": "Records screened",
    "flow:excluded": "Records excluded",
    "flow:sought": "Reports sought for retrieval",
    "flow:not-retrieved": "Reports not retrieved",
    "flow:assessed": "Reports assessed for eligibility",
    "flow:reports-excluded": "Reports excluded",
    "flow:studies": "Studies included in review",
    "flow:reports": "Reports of included studies",
}
"""The numbers of every diagram that can be answered, by item, labelled as in the PRISMA 2020 template."""
OTHER_METHODS: dict[str, str] = {
    "flow:websites": "Websites",
    "flow:organisations": "Organisations and other sources",
    "flow:citations": "Citation searching",
    "flow:other-sought": "Reports sought for retrieval (other methods)",
    "flow:other-not-retrieved": "Reports not retrieved (other methods)",
    "flow:other-assessed": "Reports assessed for eligibility (other methods)",
    "flow:other-excluded": "Reports excluded (other methods)",
}
"""Further numbers of the diagrams with other methods."""
EARLIER_REVIEW: dict[str, str] = {
    "flow:previous-studies": "Studies included in previous version of review",
    "flow:previous-reports": "Reports of studies included in previous version of review",
    "flow:total-studies": "Total studies included in review",
    "flow:total-reports": "Reports of total included studies",
}
"""Further numbers of the diagrams for updated reviews."""
ALL_FLOW_LABELS = FLOW_LABELS | OTHER_METHODS | EARLIER_REVIEW
WITH_REASONS = ("flow:reports-excluded", "flow:other-excluded")
"""Answered with a line for each reason."""
TITLE_PAGE = {"title:review": "Review", "title:authors": "Authors", "title:registration": "Registration"}
"""What the title page of a report says, as a person entered it."""
TEMPLATE = "flow:template"
FLOW_TEMPLATES = {
    "new": "New review, databases and registers only",
    "new-other": "New review, with other methods",
    "update": "Updated review, databases and registers only",
    "update-other": "Updated review, with other methods",
}
"""The four diagrams of PRISMA 2020; the answer to `flow:template` names one."""
_BETWEEN = ",. '’\u00a0\u2009\u202f"
"""Characters between thousands."""
_NUMBER = re.compile(rf"\d{{1,3}}(?:[{_BETWEEN}]\d{{3}})+|\d+")
_REASON = re.compile(rf"^(?P<reason>.*?\S)\s*[:=(]\s*(?:n\s*=\s*)?(?P<n>\d[\d{_BETWEEN}]*?)\s*\)?\s*$")
_TURNS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
"""Control characters that change the direction of the text after them."""
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029]")
MOST_DIGITS = 15
"""More digits than any number here has."""


def checked_text(item: str, state: AnswerState, text: str) -> str:
    """Return the text in the form that is stored. Raise an error that describes what is wrong with it."""
    kept = _LINE_ENDS.sub("\n", text).strip()
    longest = LONGEST_CONFIRMED if state == "confirmed" else LONGEST
    if len(kept) > longest:
        raise InputError(f"an answer can have up to {longest:,} characters, got {len(kept):,}")
    if any(map(_is_control, kept)):
        raise InputError("an answer must be plain text: remove its control characters")
    if item in ALL_FLOW_LABELS:
        return _checked_number(item, state, kept)
    if item in TITLE_PAGE:
        if len(kept) > MOST_ON_TITLE_PAGE:
            raise InputError(f"the title page has room for {MOST_ON_TITLE_PAGE:,} characters a line")
        return " ".join(kept.split())
    if item == TEMPLATE:
        if kept not in FLOW_TEMPLATES:
            raise InputError(f'a diagram is one of {", ".join(FLOW_TEMPLATES)}; got "{kept[:40]}"')
        return kept
    found = next((one for one in ITEMS if one.item == item), None)
    if found is None:
        others = ", ".join((TEMPLATE, *ALL_FLOW_LABELS, *TITLE_PAGE))
        raise NotFoundError(f'there is no item "{item[:80]}": they are prisma-s:1 to prisma-s:16, {others}')
    if state == "not done" and not found.may_be_left:
        raise InputError(f'"{found.title}" is part of every search: answer in your own words instead of "not done"')
    if state != "not done" and not kept:
        raise InputError(f'the answer to "{found.title}" is empty: write one, or choose "not done"')
    return kept


def _is_control(sign: str) -> bool:
    """Return True for a control character; special spaces, special hyphens and script marks count as text."""
    return sign not in "\n\t" and (unicodedata.category(sign) in ("Cc", "Cs") or sign in _TURNS)


def _checked_number(item: str, state: AnswerState, text: str) -> str:
    label = ALL_FLOW_LABELS[item]
    if state == "not done":
        raise InputError(f'"{label}" is a number: enter 0 instead of "not done"')
    if item in WITH_REASONS and (reasons := reasons_of(text)):
        number_checked(label, str(sum(n for _, n in reasons)))
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if item in WITH_REASONS and (len(lines) > 1 or ":" in text):
        wrong = next((line for line in lines if not reasons_of(line)), lines[0])
        raise InputError(
            f'"{label}" is a whole number, or a reason with its whole number on each line, such as “Wrong population: '
            f'12”; got "{wrong[:80]}"'
        )
    number_checked(label, text)
    return text


def number_checked(label: str, text: str) -> int:
    n = number_of(text)
    if n is None or n > LARGEST:
        raise InputError(f'"{label}" is a whole number such as 1,234, got "{text[:40]}"')
    return n


def number_of(text: str) -> int | None:
    """Parse a whole number, with or without thousands separators; None: not a whole number.

    >>> number_of("1,234"), number_of(" 17 "), number_of("about 5"), number_of("-3")
    (1234, 17, None, None)
    """
    found = _NUMBER.fullmatch(text.strip())
    digits = re.sub(r"\D", "", found[0]).lstrip("0") if found else ""
    if not found or not digits.isascii() or len(digits) > MOST_DIGITS:
        return None
    return int(digits or "0")


def reasons_of(text: str) -> tuple[tuple[str, int], ...]:
    """Parse reasons and numbers, one per line; empty if any line is something else.

    >>> reasons_of("Wrong population: 12\\nNo outcome (n = 3)")
    (('Wrong population', 12), ('No outcome', 3))
    >>> reasons_of("12")
    ()
    """
    out = []
    for line in text.splitlines():
        if not line.strip():
            continue
        found = _REASON.match(line.strip())
        n = number_of(found["n"]) if found else None
        if found is None or n is None:
            return ()
        out.append((found["reason"], n))
    return tuple(out)


# Automatic drafts of the items, and the wording of times, counts and versions.


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """The automatic draft of an item, before anyone answers it."""

    state: Literal["known", "likely", "open"]
    text: str = ""
    next_step: str = ""
    evidence: str = ""
    warnings: Ids = ()
    blocks: tuple[Block, ...] = ()
    denials: Ids = ()
    """Lines of the text that say that something was not done, only because nothing of it is recorded."""


NOTHING_RUN = ItemDraft(
    "open",
    "No search of this topic was run or imported.",
    "Search a source, run a search string, or import search results; this item is then filled in automatically.",
)


def moment(at: str) -> str:
    """Format a date and time with its time zone.

    >>> moment("2031-05-06T12:03:09+00:00"), moment("2031-05-06T12:03:09+02:00"), moment("yesterday")
    ('6 May 2031, 12:03 UTC', '6 May 2031, 12:03 UTC+02:00', 'yesterday')
    """
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return at
    zone = "zone not recorded" if found.tzinfo is None else found.strftime("%Z")
    return f"{found.day} {found:%B %Y}, {found:%H:%M} {zone}"


def day(at: str) -> str:
    """Format the date alone.

    >>> day("2031-05-06T12:03:09+00:00")
    '6 May 2031'
    """
    return moment(at).split(",")[0]


def called(labels: Sequence[str]) -> str:
    """List versions by their labels, at the beginning of a sentence.

    >>> called(["a"]), called(["a", "b"])
    ('Version “a”', 'Versions “a” and “b”')
    """
    names = listed([f"“{label}”" for label in labels])
    return f"Version{'s' if len(labels) > 1 else ''} {names}"


def named(labels: Sequence[str]) -> str:
    """List versions by their labels, within a sentence.

    >>> named(["Pilot"])
    'version “Pilot”'
    """
    return f"v{called(labels)[1:]}"


def live(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Return the searches that were sent to a live source."""
    return tuple(search for search in facts.searches if search.how == "live")


def local(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Return the searches that were run over the topic's own publications."""
    return tuple(search for search in facts.searches if search.how == "local")


def filed(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    return tuple(search for search in facts.searches if search.how == "file")


def grouped(searches: Sequence[SearchFacts]) -> list[tuple[str, list[str]]]:
    """Group the labels of the versions by source, in order of first appearance."""
    found: dict[str, list[str]] = {}
    for search in searches:
        found.setdefault(search.source, []).append(search.version)
    return list(found.items())


def where_run(searches: Sequence[SearchFacts]) -> str:
    """Name the publications that local runs searched, and state that they are not a database."""
    places = unique_ids(search.source for search in searches)
    n = len(searches)
    return (
        f"{called([search.version for search in searches])} {was(n)} run by Queryscape over {listed(places)}, "
        "not over a database."
    )


def cut_warning(search: SearchFacts) -> str:
    """Describe the effect of a cap; empty: it did not cut the search."""
    return f"{called([search.version])} was cut by its cap. {search.advice}".strip() if search.is_cut else ""


def cut_warnings(facts: AuditFacts) -> Ids:
    return tuple(warning for search in facts.searches if (warning := cut_warning(search)))


def unfinished_warnings(facts: AuditFacts) -> Ids:
    """List unfinished searches, so that the record is not mistaken for complete."""
    return tuple(
        f"A search in {run.source} of {moment(run.made_at)} is unfinished ({run.state}, "
        f"{many(run.n_records, 'record')} so far): it is not a version yet and is not reported."
        for run in facts.unfinished
    )
