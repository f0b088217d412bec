"""Retracted publications: as their records state it, and as notices in a file of Retraction Watch state it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal, get_args

from core.text import upper_first
from core.types import Ids

# Statements of a record: its types, the flag of its source, and its title.

_RETRACTED = r"retracted(?: (?:article|paper|publication|chapter|conference paper))?"
_WITHDRAWN = r"withdrawn(?: (?:article|paper|publication))?"
_RETRACTED_TITLE = re.compile(
    rf"\W?{_RETRACTED}(?:\s?[:\])—–]|\s-\s)|.*\S\s*[(\[]{_RETRACTED}\b[^()\[\]]{{0,200}}[)\]]\W?$", re.IGNORECASE
)
"""At the beginning, or in brackets at the end: "Soup (Retracted article. See vol. 12, pg 3, 2010)"."""
_WITHDRAWN_TITLE = re.compile(rf"\W?{_WITHDRAWN}\s?[:\])—–]", re.IGNORECASE)
_NOTICE_TITLE = re.compile(
    r"\W?(?:(?:notice|note|statement) of (?:partial )?retraction\b"
    r"|(?:partial |editorial )?retraction(?:\s?[:\])—–]|\s-\s|\W*$| (?:of|to|for) [“\"'‘«])"
    r"|(?:partial )?retraction (?:notice|note|statement)\b"
    r"|(?:notice of )?withdrawal(?: (?:notice|note))?\s?[:\])])",
    re.IGNORECASE,
)
_NOTICE_ABSTRACT = re.compile(r"\W?this retracts (?:the|an) article\b", re.IGNORECASE)
"""PubMed's text for notices, which may repeat the title: "Retracted: Soup", "[This retracts the article DOI: ...]"."""
_RETRACTED_ABSTRACT = re.compile(r"notice of retraction\b|this (?:article|paper) has been retracted\b", re.IGNORECASE)
"""How the abstract of a retracted publication begins at IEEE and Elsevier, whose titles may be unchanged."""
_NOTICE_TYPES = frozenset({"retraction of publication", "retraction notice", "retraction"})


def is_retraction_notice(title: str, types: Sequence[str] = (), abstract: str = "") -> bool:
    """Return True if a record is the notice about a retraction, not the retracted publication.

    >>> is_retraction_notice("Retraction: Soup"), is_retraction_notice("Soup", ["Retraction of Publication"])
    (True, True)
    >>> is_retraction_notice("RETRACTED: Soup"), is_retraction_notice("Retraction of the tongue in sleep")
    (False, False)
    """
    if any(text.strip().lower() in _NOTICE_TYPES for text in types):
        return True
    return _NOTICE_TITLE.match(title) is not None or _NOTICE_ABSTRACT.match(abstract) is not None


def stated_retraction(
    title: str, types: Sequence[str], stated: bool | None, venue: str = "", abstract: str = ""
) -> bool | None:
    """Return True if a record states that its publication was retracted; None if it states nothing.

    `stated`: the flag of the source. A notice about a retraction is never retracted itself, even if a source flags it.
    A review that Cochrane marks as withdrawn is out of date, not retracted.
    """
    if any("retracted publication" in text.lower() for text in types):
        return True
    if is_retraction_notice(title, types, abstract):
        return None
    if stated or _RETRACTED_ABSTRACT.match(abstract):
        return True
    low = title.lower()
    if "retracted" in low and _RETRACTED_TITLE.match(title):
        return True
    if low[:1] in "w[(" and _WITHDRAWN_TITLE.match(title) and "cochrane" not in venue.lower():
        return True
    return stated


# Notices of Retraction Watch: what happened to a publication, and when.

NoticeNature = Literal["retraction", "expression of concern", "correction", "reinstatement"]
NATURES: tuple[NoticeNature, ...] = get_args(NoticeNature)
_NATURE_OF: Mapping[str, NoticeNature] = {nature: nature for nature in NATURES}


@dataclass(frozen=True, slots=True)
class RetractionNotice:
    doi: str | None
    """Of the publication, not of the notice; normalised."""
    pmid: str | None
    nature: NoticeNature
    date: str = ""
    """ISO date; empty: unknown."""
    reason: str = ""

    @property
    def label(self) -> str:
        """One or two words for a list."""
        return "Retracted" if self.nature == "retraction" else upper_first(self.nature)

    @property
    def text(self) -> str:
        """One line for the details of a publication.

        >>> RetractionNotice("10.1000/x", None, "retraction", "2021-05-03", "Error in data").text
        'Retraction, 2021-05-03: Error in data'
        """
        head = ", ".join(filter(None, (upper_first(self.nature), self.date)))
        return f"{head}: {self.reason}" if self.reason else head


def nature_of(text: str) -> NoticeNature | None:
    """Return the nature that a cell names, in any case.

    >>> nature_of(" Expression of Concern"), nature_of("Removal")
    ('expression of concern', None)
    """
    return _NATURE_OF.get(" ".join(text.lower().split()))


_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\b")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\b")


def notice_date(text: str) -> str:
    """Return the ISO date of a cell with month/day/year, as Retraction Watch writes it, or an ISO date; "" if neither.

    >>> notice_date("8/5/2023 0:00"), notice_date("2023-08-05"), notice_date("31/12/2023")
    ('2023-08-05', '2023-08-05', '')
    """
    if found := _AMERICAN.match(text.strip()):
        month, day, year = map(int, found.groups())
    elif found := _ISO.match(text.strip()):
        year, month, day = map(int, found.groups())
    else:
        return ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def notice_reason(text: str) -> str:
    """Return the reasons of a cell as one line.

    >>> notice_reason("+Error in Data;+Results Not Reproducible;")
    'Error in Data; Results Not Reproducible'
    """
    return "; ".join(part for each in text.split(";") if (part := " ".join(each.strip(" +").split())))


def notice_in_force(notices: Iterable[RetractionNotice]) -> RetractionNotice | None:
    """Return the notice that flags a publication: a retraction, else an expression of concern; None: it is not flagged.

    A later reinstatement withdraws both. A correction flags nothing. Notices without a date count as the oldest.
    """
    kept: RetractionNotice | None = None
    # On one day a reinstatement comes last; without a date it comes before all, since it may be older than any.
    for notice in sorted(notices, key=lambda each: (each.date, (each.nature == "reinstatement") == bool(each.date))):
        if notice.nature == "reinstatement":
            kept = None
        elif notice.nature == "retraction" or (
            notice.nature == "expression of concern" and (kept is None or kept.nature == notice.nature)
        ):
            kept = notice
    return kept


@dataclass(frozen=True, eq=False)
class RetractionList:
    notices: tuple[RetractionNotice, ...]
    source: str
    """Name of the file."""
    n_without_id: int = 0
    """Rows without a DOI and a PMID: they can't be matched."""
    notes: Ids = ()
    """Damage in the file, with its place."""

    @property
    def counts(self) -> dict[NoticeNature, int]:
        return {nature: sum(notice.nature == nature for notice in self.notices) for nature in NATURES}

    @property
    def latest(self) -> str:
        """Date of the newest notice."""
        return max((notice.date for notice in self.notices), default="")

    @cached_property
    def _named(self) -> Mapping[tuple[str, str], list[RetractionNotice]]:
        named: defaultdict[tuple[str, str], list[RetractionNotice]] = defaultdict(list)
        for notice in self.notices:
            for scheme, name in (("doi", notice.doi), ("pmid", notice.pmid)):
                if name:
                    named[scheme, name].append(notice)
        return dict(named)

    def has_doi(self, doi: str) -> bool:
        return ("doi", doi) in self._named

    def has_pmid(self, pmid: str) -> bool:
        return ("pmid", pmid) in self._named

    def find(self, dois: Iterable[str], pmids: Iterable[str]) -> RetractionNotice | None:
        """Return the notice in force for a publication with these identifiers."""
        names = (*(("doi", doi) for doi in dois), *(("pmid", pmid) for pmid in pmids))
        found = [notice for name in names for notice in self._named.get(name, ())]
        return notice_in_force(dict.fromkeys(found)) if found else None
