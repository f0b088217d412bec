"""Searches of a review: where and when each was run, what the database showed, and what it brought."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, get_args

from core.errors import InputError
from core.library.overlap import yields
from core.query.parser import parse
from core.query.translation import PLATFORMS, reading_summary
from core.query.tree import DialectId
from core.text import many
from core.types import Ids

SearchKind = Literal["database", "register", "website", "citations", "other"]
"""As the flow diagram of PRISMA 2020 tells them apart."""
SEARCH_KINDS: tuple[SearchKind, ...] = get_args(SearchKind)
LONGEST_NAME = 200
MOST_HITS = 10**9


@dataclass(frozen=True, slots=True)
class Search:
    """One strategy in one database on one day. Everything but its id and number may be unknown."""

    search_id: str
    number: int
    kind: SearchKind = "database"
    database: str = ""
    platform: str = ""
    searched_on: str = ""
    """ISO 8601: 2026-11-04."""
    searched_by: str = ""
    text: str = ""
    """The search string, or the lines of its history with their hits."""
    limits: str = ""
    n_hits: int | None = None
    """As the database showed them; None: not given."""
    label: str | None = None
    """The version of the query that it belongs to."""
    note: str = ""
    source_ids: Ids = ()
    """The files with its records."""

    @property
    def name(self) -> str:
        """The database with its platform, as in a record of searches.

        >>> Search("a", 1, database="MEDLINE", platform="Ovid").name, Search("b", 2, database="Scopus").name
        ('MEDLINE (Ovid)', 'Scopus')
        >>> Search("c", 3).name
        'Search 3'
        """
        if not self.database:
            return f"Search {self.number}"
        return f"{self.database} ({self.platform})" if self.platform not in ("", self.database) else self.database


def dialect_of(search: Search) -> DialectId | None:
    """Return the dialect of the platform; None: unknown, or the database is on several platforms.

    >>> dialect_of(Search("a", 1, database="MEDLINE", platform="Ovid")), dialect_of(Search("b", 2, database="PubMed"))
    ('ovid', 'pubmed')
    >>> dialect_of(Search("c", 3, database="MEDLINE"))
    """
    return dialect_on(search.platform, search.database)


def dialect_on(platform: str, database: str) -> DialectId | None:
    platform, database = platform.strip().lower(), database.strip().lower()
    if platform:
        known = next((name.lower() for sign, name in _PLATFORMS if sign in platform), platform)
        return PLATFORMS.get(known)
    return PLATFORMS.get(database) if database in _ONE_PLATFORM else None


def string_mistakes(name: str, text: str, dialect: DialectId | None) -> str:
    """Return a sentence about a search string that can't be read as a whole; empty: it can.

    >>> string_mistakes("Scopus", "(heat", "scopus")
    'Scopus: check its search string. Read with 1 error: This bracket is never closed.'
    """
    mistakes = reading_summary(parse(text, dialect)) if text.strip() else ""
    return f"{name}: check its search string. {mistakes}" if mistakes else ""


_ONE_PLATFORM = frozenset({"pubmed", "web of science", "scopus", "dimensions", "openalex", "embase.com"})


@dataclass(frozen=True, slots=True)
class SearchRecords:
    """The records of the files of one search."""

    n_records: int
    publication_ids: Ids
    """Distinct."""


@dataclass(frozen=True, slots=True)
class SearchYield:
    """The contribution of one search."""

    search_id: str
    name: str
    n_hits: int | None
    n_records: int
    n_publications: int
    n_duplicates: int
    """Records of a publication that the same search had brought already."""
    n_unique: int
    """Publications that no other search has."""
    n_core: int
    n_core_unique: int
    recall: float | None
    precision: float | None
    """Share of the publications that are included, or core if no file says which are included: see `measured_on`."""
    n_to_read: float | None
    """Publications to read for one of these; None without any."""
    measured_on: Literal["core", "included"] = "core"
    n_screened: int | None = None
    """Publications that passed the screening of titles and abstracts; None: no file says which."""
    n_screened_unique: int | None = None
    n_included: int | None = None
    n_included_unique: int | None = None
    """Included publications that no other search has."""


def search_yields(
    searches: Sequence[Search],
    brought: Mapping[str, SearchRecords],
    core_ids: Collection[str],
    phases: Mapping[str, Collection[str]] | None = None,
) -> tuple[SearchYield, ...]:
    """Return the contribution of each search that has files.

    `brought`: by search id. `phases`: the publications that are "screened" and "included", as far as files say so.
    """
    with_files = [search for search in searches if search.search_id in brought]
    ids = {search.search_id: brought[search.search_id].publication_ids for search in with_files}
    found = yields(ids, core_ids)
    reached = {phase: yields(ids, some) for phase, some in (phases or {}).items()}
    screened, included = reached.get("screened"), reached.get("included")
    relevant = included or found
    return tuple(
        SearchYield(
            search_id=search.search_id,
            name=search.name,
            n_hits=hits_of(search),
            n_records=(records := brought[search.search_id]).n_records,
            n_publications=own.n,
            n_duplicates=records.n_records - own.n,
            n_unique=own.n_unique,
            n_core=own.n_core,
            n_core_unique=own.n_core_unique,
            recall=own.recall,
            precision=relevant[place].precision,
            n_to_read=own.n / relevant[place].n_core if relevant[place].n_core else None,
            measured_on="core" if included is None else "included",
            n_screened=screened[place].n_core if screened else None,
            n_screened_unique=screened[place].n_core_unique if screened else None,
            n_included=included[place].n_core if included else None,
            n_included_unique=included[place].n_core_unique if included else None,
        )
        for place, (search, own) in enumerate(zip(with_files, found, strict=True))
    )


# The searches of one strategy: a version with its databases and days.


@dataclass(frozen=True, slots=True)
class SearchGroup:
    label: str | None
    """The version; None: the searches belong to none."""
    searches: tuple[Search, ...]

    @property
    def name(self) -> str:
        """The version with its databases and days.

        >>> day = "2026-11-04"
        >>> some = Search("a", 1, database="MEDLINE", searched_on=day), Search("b", 2, database="CENTRAL")
        >>> SearchGroup("v3", some).name
        'v3: MEDLINE, CENTRAL, 4 Nov 2026'
        """
        names = dict.fromkeys(search.database or search.name for search in self.searches)
        days = sorted({search.searched_on for search in self.searches if search.searched_on})
        when = [" to ".join(map(day_in_words, dict.fromkeys((days[0], days[-1]))))] if days else []
        return f"{self.label or 'No version'}: {', '.join([*names, *when])}"


def day_in_words(day: str) -> str:
    """
    >>> day_in_words("2026-11-04")
    '4 Nov 2026'
    """
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def grouped_searches(searches: Sequence[Search]) -> tuple[SearchGroup, ...]:
    """Return the searches by version, in the order of each version's first search; those of none come last."""
    groups: dict[str | None, list[Search]] = {}
    for search in searches:
        groups.setdefault(search.label, []).append(search)
    labels = sorted(groups, key=lambda label: label is None)
    return tuple(SearchGroup(label, tuple(groups[label])) for label in labels)


# What a search says of itself: the hits of its history, and what contradicts what.


def hits_of(search: Search) -> int | None:
    """Return the hits: those given, else those written after the last line of the history."""
    return search.n_hits if search.n_hits is not None else history_hits(search.text)


def history_hits(text: str) -> int | None:
    """Return the hits written after the last line of a history.

    >>> history_hits("1. heat* (1200)\\n2. tree* (900)\\n3. 1 AND 2 (75)"), history_hits("heat AND tree")
    (75, None)
    """
    parsed = parse(text)
    whole = [line.hits for line in parsed.lines if line.root is not None and line.root is parsed.root]
    return whole[-1] if whole else None


def contradictions(search: Search, n_records: int, today: date) -> Iterator[str]:
    """Yield a sentence for each value that can't be right, or contradicts another one."""
    if search.searched_on and date.fromisoformat(search.searched_on) > today:
        yield f"{search.name}: the date of the search, {search.searched_on}, is in the future."
    if mistakes := string_mistakes(search.name, search.text, dialect_of(search)):
        yield mistakes
    in_history = history_hits(search.text)
    if search.n_hits is not None and in_history is not None and search.n_hits != in_history:
        yield f"{search.name}: {search.n_hits:,} hits are given, but the last line of its history has {in_history:,}."
    if (hits := hits_of(search)) is not None and hits < n_records:
        yield (
            f"{search.name}: the database showed {many(hits, 'hit')}, but its files have {many(n_records, 'record')}. "
            "Check the number, or whether a file belongs to another search."
        )


def alike(searches: Sequence[Search]) -> tuple[str, ...]:
    """Return the names of databases that were searched several times on the same day or an unknown one."""
    counts = Counter((search.name, search.searched_on) for search in searches if search.database)
    return tuple(dict.fromkeys(name for (name, _), n in counts.items() if n > 1))


def checked_search(search: Search) -> Search:
    """Return the search if all of its values can be stored; raise an error that says what to correct."""
    if search.kind not in SEARCH_KINDS:
        raise InputError(f'a search is of one of these kinds: {", ".join(SEARCH_KINDS)}; got "{search.kind}"')
    names = (_one_line(search.database), _one_line(search.platform), _one_line(search.searched_by))
    for what, text in zip(("database", "platform", "name"), names, strict=True):
        if len(text) > LONGEST_NAME:
            raise InputError(f"the {what} of a search must be one line of up to {LONGEST_NAME} characters")
    search = replace(search, database=names[0], platform=names[1], searched_by=names[2])
    if search.searched_on:
        checked_day(search.searched_on)
    if search.n_hits is not None and not 0 <= search.n_hits <= MOST_HITS:
        raise InputError(f"the hits of a search must be a number from 0 to {MOST_HITS:,}, got {search.n_hits:,}")
    return search


def _one_line(text: str) -> str:
    """Return the text with single spaces, and without signs that can't be seen, as they come with a paste."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def checked_day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as e:
        raise InputError(f'the date of a search must be written like 2026-11-04, got "{text}"') from e


# Where the records of a file come from, by its tags, its format, its identifiers and its name.


@dataclass(frozen=True, slots=True)
class SearchOrigin:
    database: str = ""
    platform: str = ""
    day: str = ""
    """The day of the export, where most records have it; a search is seldom exported on another day."""


UNKNOWN_ORIGIN = SearchOrigin()

DATABASES = {
    "pubmed": ("PubMed", "PubMed"),
    "wos": ("Web of Science", "Web of Science"),
    "scopus": ("Scopus", "Scopus"),
    "dimensions": ("Dimensions", "Dimensions"),
    "ieee": ("IEEE Xplore", "IEEE Xplore"),
    "springer": ("SpringerLink", "SpringerLink"),
    "lens": ("The Lens", "The Lens"),
    "embase": ("Embase", "Embase.com"),
    "openalex": ("OpenAlex", "OpenAlex"),
    "crossref": ("Crossref", "Crossref"),
    "europepmc": ("Europe PMC", "Europe PMC"),
    "semanticscholar": ("Semantic Scholar", "Semantic Scholar"),
    "proquest": ("", "ProQuest"),
}
"""Database and platform by the prefix of the ids of their export formats."""
_EBSCO = {
    "8gh": "GreenFILE",
    "a9h": "Academic Search Complete",
    "aph": "Academic Search Premier",
    "asn": "Academic Search Ultimate",
    "bth": "Business Source Complete",
    "buh": "Business Source Premier",
    "c8h": "CINAHL",
    "ccm": "CINAHL Complete",
    "cin20": "CINAHL",
    "cmedm": "MEDLINE",
    "ecn": "EconLit",
    "egh": "Environment Index",
    "eih": "Environment Complete",
    "eric": "ERIC",
    "lxh": "Library, Information Science & Technology Abstracts",
    "mdc": "MEDLINE Complete",
    "mnh": "MEDLINE with Full Text",
    "psyh": "APA PsycInfo",
    "rzh": "CINAHL",
    "s3h": "SPORTDiscus",
    "sih": "SocINDEX",
}
"""The short names of databases in the exports of EBSCOhost."""
_OVID = (("medline", "MEDLINE"), ("embase", "Embase"), ("psycinfo", "APA PsycInfo"), ("cab abstracts", "CAB Abstracts"))
_PLATFORMS = (("ovid", "Ovid"), ("ebsco", "EBSCOhost"), ("proquest", "ProQuest"))
_HOSTS = (
    ("ovidsp.ovid.com", "Ovid"),
    ("ebscohost.com", "EBSCOhost"),
    ("proquest.com", "ProQuest"),
    ("embase.com", "Embase.com"),
    ("cochranelibrary.com", "Cochrane Library"),
)
_IDENTIFIERS = (
    (re.compile(r"^(?:AN|UT) *-? *(?:UT )?WOS:", re.MULTILINE), "wos"),
    (re.compile(r"^(?:AN|ID|UR) *-? .*2-s2\.0-\d", re.MULTILINE), "scopus"),
    (re.compile(r"^(?:AN|ID) *- *pub\.\d", re.MULTILINE), "dimensions"),
    (re.compile(r"^ID *- *(?:\d{3}-){4}\d{2}[\dX]\s*$", re.MULTILINE), "lens"),
)
_IN_NAMES = (
    (r"medline", "MEDLINE"),
    (r"embase", "Embase"),
    (r"central", "CENTRAL"),
    (r"cinahl", "CINAHL"),
    (r"psyc-?info", "APA PsycInfo"),
    (r"pubmed", "PubMed"),
    (r"web.?of.?science|wos", "Web of Science"),
    (r"scopus", "Scopus"),
    (r"econlit", "EconLit"),
    (r"dimensions", "Dimensions"),
    (r"lens", "The Lens"),
    (r"eric", "ERIC"),
)
_NAMES = tuple((re.compile(rf"(?<![a-z])(?:{sign})(?![a-z])", re.IGNORECASE), name) for sign, name in _IN_NAMES)
_RECORD = re.compile(r"^ER  -", re.MULTILINE)
_TAG = {tag: re.compile(rf"^{tag}  - *(\S[^\r\n]*)", re.MULTILINE) for tag in ("DB", "DP", "Y2")}
LOOKED_AT = 4_000_000
"""Characters at the beginning of a file: the records of one export are alike."""


def origin_of(text: str, format_id: str, file_name: str) -> SearchOrigin:
    """Return where the records of a file come from, as far as most of them tell.

    >>> origin_of("DP  - EBSCOhost\\nDB  - ecn\\nER  - ", "ris", "a.ris")
    SearchOrigin(database='EconLit', platform='EBSCOhost', day='')
    >>> origin_of("DB  - Ovid MEDLINE(R) Daily\\nER  - ", "ris", "a.ris").database
    'MEDLINE'
    """
    text = text[:LOOKED_AT]
    n = len(_RECORD.findall(text)) or 1
    database, provider, day = (_most(_TAG[tag].findall(text), n) for tag in ("DB", "DP", "Y2"))
    platform = next((name for sign, name in _PLATFORMS if sign in f"{provider} {database}".lower()), "")
    platform = platform or next((name for host, name in _HOSTS if text.count(host) * 2 > n), "")
    by_id = next((name for sign, name in _IDENTIFIERS if len(sign.findall(text)) * 2 > n), "")
    prefix = format_id.split("_")[0]
    database = _EBSCO.get(database.lower()) or next((name for s, name in _OVID if s in database.lower()), database)
    known = DATABASES.get(by_id) or DATABASES.get(prefix) or ("", "")
    by_name = next((name for sign, name in _NAMES if sign.search(file_name)), "")
    return SearchOrigin(database or known[0] or by_name, platform or known[1], _day(day))


def _most(values: Sequence[str], n: int) -> str:
    """Return the value that more than half of the records have; parts of one database count together."""
    counts = Counter(" ".join(value.split()) for value in values)
    value, times = counts.most_common(1)[0] if counts else ("", 0)
    together = sum(c for other, c in counts.items() if other.split()[:2] == value.split()[:2])
    return value if max(times, together) * 2 > n else ""


def _day(text: str) -> str:
    found = re.match(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", text)
    if found is None:
        return ""
    try:
        return date(*map(int, found.groups())).isoformat()
    except ValueError:
        return ""
