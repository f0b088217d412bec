"""The sixteen items of PRISMA-S: what a search has to say of itself so that another person can check and repeat it.

Titles and parts are those of the checklist: Rethlefsen ML, Kirtley S, Waffenschmidt S, et al. PRISMA-S: an extension to
the PRISMA Statement for Reporting Literature Searches in Systematic Reviews. Systematic Reviews 2021;10:39,
doi 10.1186/s13643-020-01542-z, table 1. What each asks for is told in our own words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
class Item:
    """One question of PRISMA-S."""

    item: str
    """What it is called everywhere: "prisma-s:5"."""
    number: int
    title: str
    part: Part
    asks: str
    """What has to be said, in one sentence."""
    may_be_left: bool = True
    """Whether "this was no part of the search" can be an answer."""


def _item(number: int, title: str, part: Part, asks: str, *, may_be_left: bool = True) -> Item:
    return Item(f"prisma-s:{number}", number, title, part, asks, may_be_left)


_SOURCES: Part = "Information sources and methods"
_STRATEGIES: Part = "Search strategies"
_RECORDS: Part = "Managing records"

ITEMS: tuple[Item, ...] = (
    _item(1, "Database name", _SOURCES, "Each database that was searched, and its platform.", may_be_left=False),
    _item(
        *(2, "Multi-database searching", _SOURCES),
        "Whether several databases were searched at once on one platform, and which ones.",
    ),
    _item(3, "Study registries", _SOURCES, "Which registries of studies were searched."),
    _item(
        *(4, "Online resources and browsing", _SOURCES),
        "Websites, tables of contents, proceedings and the like that were searched or browsed on purpose, and how.",
    ),
    _item(
        *(5, "Citation searching", _SOURCES),
        "Whether reference lists or citing publications were looked through, and how they were found.",
    ),
    _item(6, "Contacts", _SOURCES, "Whether authors, experts, manufacturers or others were asked for more."),
    _item(7, "Other methods", _SOURCES, "Any other source or way of searching."),
    _item(
        *(8, "Full search strategies", _STRATEGIES),
        "The strategy for each source, exactly as it was run.",
        may_be_left=False,
    ),
    _item(
        *(9, "Limits and restrictions", _STRATEGIES),
        "Limits such as dates, languages or kinds of study with the reasons for them; or that there were none.",
    ),
    _item(
        *(10, "Search filters", _STRATEGIES),
        "Whether published search filters were used, as they are or changed, with their citations.",
    ),
    _item(
        11, "Prior work", _STRATEGIES, "Whether strategies of earlier reviews were taken over, with their citations."
    ),
    _item(12, "Updates", _STRATEGIES, "How the search was brought up to date, such as by running it again."),
    _item(13, "Dates of searches", _STRATEGIES, "When each strategy was last run.", may_be_left=False),
    _item(14, "Peer review", "Peer review", "Whether and how the strategies were peer reviewed."),
    _item(15, "Total Records", _RECORDS, "How many records each source gave.", may_be_left=False),
    _item(16, "Deduplication", _RECORDS, "How records of the same publication were found, and with what software."),
)
"""In the order of the checklist."""
