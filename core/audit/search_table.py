"""A table of searches as a librarian keeps it in a spreadsheet, and the searches that its rows describe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.audit.searches import SEARCH_KINDS, Search, checked_search
from core.errors import InputError
from core.text import folded
from core.types import Ids

COLUMNS: dict[str, str] = {
    "number": "number|no|nr|search|search number",
    "files": "file|files|file name|filename|export",
    "database": "database|db|source|information source|register|resource",
    "platform": "platform|interface|host|provider|vendor",
    "kind": "kind|type|category",
    "searched_on": "date|searched on|date searched|date of search|search date|searched|last searched",
    "searched_by": "by|who|searcher|searched by|name of searcher",
    "text": "string|search string|strategy|search strategy|query|full strategy|line history|history",
    "limits": "limits|limit|restrictions|limits and restrictions",
    "n_hits": "hits|results|n|number of hits|number of results|hit count|total",
    "label": "version|group|label",
    "note": "note|notes|comment|comments|remark|remarks",
}
"""Fields of a search, and the names of their columns in lower case."""
FIELD_OF = {name: field for field, names in COLUMNS.items() for name in names.split("|")}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class SearchChange:
    search: Search
    """As it will be; a new one has no id and no number yet."""
    before: Search | None
    """None: it is added."""


@dataclass(frozen=True, slots=True)
class SearchTable:
    changes: tuple[SearchChange, ...]
    n_same: int
    """Rows that say what is known already."""
    problems: Ids
    """A sentence for each row that can't be used, with its line; the other rows are not affected."""
    unknown: Ids
    """Columns that are not read."""


def field_of(column: str) -> str | None:
    """Return the field that a column holds, by its name.

    >>> field_of("Search Strategy"), field_of("Date searched:"), field_of("Colour")
    ('text', 'searched_on', None)
    """
    return FIELD_OF.get(re.sub(r"[\W_]+", " ", folded(column)).strip())


def n_known(header: Sequence[str]) -> int:
    return sum(field_of(name) is not None for name in header)


def read_table(
    header: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    searches: Sequence[Search],
    files: Mapping[str, Ids],
) -> SearchTable:
    """Read rows with their lines. `files`: the names of the files of each search, by its id.

    A row belongs to the search with its number, its file or its database and platform; without one, it is a new search.
    An empty cell changes nothing.
    """
    fields = [field_of(name) for name in header]
    unknown = tuple(name for name, field in zip(header, fields, strict=True) if field is None and name.strip())
    changes: list[SearchChange] = []
    problems: list[str] = []
    n_same = 0
    taken: dict[str, int] = {}
    for line, cells in rows:
        given = {field: cell.strip() for field, cell in zip(fields, cells, strict=False) if field and cell.strip()}
        if not given:
            continue
        try:
            before = _search_of(given, searches, files)
            if before is not None and (first := taken.setdefault(before.search_id, line)) != line:
                raise InputError(f"{before.name} has a row already, in line {first}")
            search = checked_search(replace(before or Search("", 0), **dict(_values(given, before))))  # type: ignore[arg-type]
        except InputError as e:
            problems.append(f"Line {line} is not used: {e}.")
            continue
        if search == before:
            n_same += 1
        else:
            changes.append(SearchChange(search, before))
    return SearchTable(tuple(changes), n_same, tuple(problems), unknown)


def _search_of(given: Mapping[str, str], searches: Sequence[Search], files: Mapping[str, Ids]) -> Search | None:
    if number := given.get("number"):
        found = [search for search in searches if str(search.number) == number]
        if not found and number.isdecimal():
            raise InputError(f"there is no search {number}: leave the number empty to add one")
        if found:
            return found[0]
    if file := given.get("files"):
        found = [search for search in searches if file in files.get(search.search_id, ())]
        if not found:
            raise InputError(f'no search has the file "{file[:80]}": import it first, or leave the cell empty')
        return found[0]
    database = given.get("database", "")
    if not database:
        raise InputError("it has neither number, file nor database")
    named = _named(database, searches)
    if platform := given.get("platform"):
        named = [search for search in named if folded(search.platform) in ("", folded(platform))]
    if len(named) > 1:
        numbers = ", ".join(str(search.number) for search in named)
        raise InputError(f"searches {numbers} are all of {database[:80]}: add a column Number")
    return named[0] if named else None


_ALSO = {"wos": "web of science", "psycinfo": "apa psycinfo", "cochrane central": "central", "embase.com": "embase"}


def _named(database: str, searches: Sequence[Search]) -> list[Search]:
    """Return the searches of this name or, if there are none, the only one whose database holds it or is in it."""
    wanted = folded(database)
    wanted = _ALSO.get(wanted, wanted)
    if same := [search for search in searches if wanted in (folded(search.database), folded(search.name))]:
        return same
    near = [search for search in searches if search.database and _is_part(wanted, folded(search.database))]
    return near if len({folded(search.database) for search in near}) == 1 else []


_OTHERS = frozenset({("pubmed", "pubmed central"), ("central", "pubmed central"), ("google", "google scholar")})
"""Different databases of which one has the name of the other in its own."""


def _is_part(one: str, other: str) -> bool:
    """Return True for medline and ovid medline, but not for base 1 and base 10."""
    short, long = sorted((one, other), key=len)
    is_whole = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long) is not None
    return is_whole and (short, long) not in _OTHERS


def _values(given: Mapping[str, str], before: Search | None) -> Iterator[tuple[str, object]]:
    for field, text in given.items():
        if field in ("number", "files"):
            continue
        if field == "database":
            if before is not None and before.database and _named(text, [before]):
                continue
            database, _, platform = text.removesuffix(")").partition(" (")
            yield field, database if text.endswith(")") and platform else text
            if text.endswith(")") and platform and "platform" not in given:
                yield "platform", platform
        elif field == "searched_on":
            yield field, day_of(text)
        elif field == "n_hits":
            yield field, _hits(text)
        elif field == "kind":
            yield field, _kind(text)
        else:
            yield field, text


def _kind(text: str) -> str:
    kind = next((kind for kind in SEARCH_KINDS if folded(text).startswith(kind.rstrip("s")[:8])), None)
    if kind is None:
        raise InputError(f'a search is of one of these kinds: {", ".join(SEARCH_KINDS)}; got "{text[:40]}"')
    return kind


def _hits(text: str) -> int:
    found = re.fullmatch(
        r"(?:n\s*=\s*)?(\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+|\d+)(?:\.0+)?", text.strip(), re.IGNORECASE
    )
    if found is None:
        raise InputError(f'the hits must be a whole number, got "{text[:40]}"')
    return int(re.sub(r"\D", "", found[1]))


def day_of(text: str) -> str:
    """Return a date in ISO 8601; raise an error if the day can't be told from the month.

    >>> day_of("2026-11-04"), day_of("4 Nov 2026"), day_of("November 4, 2026"), day_of("13/11/2026")
    ('2026-11-04', '2026-11-04', '2026-11-04', '2026-11-13')
    """
    parts = re.findall(r"\d+|[^\W\d_]+", folded(text).split("t00:00")[0])
    numbers = [int(part) for part in parts if part.isdecimal() and len(part) <= 4]
    months = [_MONTHS.index(part[:3]) + 1 for part in parts if not part.isdecimal() and part[:3] in _MONTHS]
    found: set[date] = set()
    if months and len(numbers) >= 2:
        day, year = (numbers[0], numbers[1]) if numbers[1] > 31 else (numbers[1], numbers[0])
        found |= _dates(year, months[0], day)
    elif not months and len(numbers) >= 3 and numbers[0] > 31:
        found |= _dates(*numbers[:3])
    elif not months and len(numbers) >= 3:
        a, b, year = numbers[:3]
        found |= _dates(year, a, b) | _dates(year, b, a)
    if len(found) == 1:
        return found.pop().isoformat()
    why = "the day can't be told from the month" if found else "this is not a date"
    raise InputError(f'write the date like 2026-11-04: {why} in "{text[:40]}"')


def _dates(year: int, month: int, day: int) -> set[date]:
    try:
        return {date(year, month, day)}
    except ValueError:
        return set()
