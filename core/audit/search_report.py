"""The yield of each recorded search, the core publications it found, and the overlap, for a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.audit.strategies import AuditFacts, FoundPublication, RecordedSearch
from core.report import Block, Listing, Paragraph, ReportColumn, ReportHeading, Table, Value, columns_of
from core.text import listed, many

MOST_MISSED = 200


def brought_blocks(facts: AuditFacts) -> Iterator[Block]:
    """Yield the section, for which no vectors are needed; nothing without a table of searches."""
    searches = [search for search in facts.recorded if search.n_publications is not None]
    if not searches:
        return
    yield ReportHeading("What each search brought")
    yield Paragraph(_summary(facts, searches))
    yield _yields(facts, searches)
    if facts.core_found:
        yield _core(facts, searches)
        missed = [core for core in facts.core_found if not core.searches]
        if missed:
            yield Paragraph(f"Core publications that no search found ({len(missed):,}):")
            titles = [core.title or core.publication_id for core in missed[:MOST_MISSED]]
            yield Listing((*titles, *([f"and {len(missed) - MOST_MISSED:,} more"] if missed[MOST_MISSED:] else [])))
    if len(searches) > 1 and facts.overlap:
        yield _overlap(facts, searches)


def found_table(found: Sequence[FoundPublication], searches: Sequence[RecordedSearch]) -> Table:
    """Tabulate every publication and the searches that found it: 1 for yes, 0 for no."""
    rows: list[tuple[Value, ...]] = [
        (
            *(each.publication_id, each.title, each.doi or None, each.year),
            *(int(search.number in each.searches) for search in searches),
        )
        for each in found
    ]
    names = [f"{search.number} {search.name}" for search in searches]
    columns = (*columns_of("publication_id", "title", "doi", "year"), *columns_of(*names, kind="count"))
    return Table("searches-publications", "Publications and the searches that found them", columns, tuple(rows))


def _summary(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> str:
    n = sum(search.n_records or 0 for search in searches)
    parts = [f"{many(len(searches), 'search')} brought {many(n, 'record')}"]
    if facts.n_found is not None:
        parts.append(f" of {many(facts.n_found, 'different publication')}")
    text = f"{''.join(parts)}."
    if facts.core_found:
        n_found = sum(bool(core.searches) for core in facts.core_found)
        text += f" Together they found {n_found:,} of {many(len(facts.core_found), 'core publication')}."
        found_by = [core.searches for core in facts.core_found]
        without = [search for search in searches if not _found(found_by, search, alone=True)]
        if without and len(searches) > 1:
            names = listed([search.name for search in without])
            each = "Without it" if len(without) == 1 else "Without any one of them"
            text += f" No core publication is found by {names} alone. {each}, the others find as many."
    return text


def _found(found_by: Iterable[tuple[int, ...]], search: RecordedSearch, *, alone: bool = False) -> int:
    return sum(search.number in numbers and (not alone or len(numbers) == 1) for numbers in found_by)


def _yields(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> Table:
    """Tabulate each search. Precision is that of the final selection if it is known, else that of the core."""
    sets = [("Core", [core.searches for core in facts.core_found]), ("Included", list(facts.included_found))]
    sets = [(name, found_by) for name, found_by in sets if found_by]
    rows: list[tuple[Value, ...]] = []
    for search in searches:
        n = search.n_publications or 0
        row: list[Value] = [search.name, search.n_hits, search.n_records, n, search.n_unique]
        for _, found_by in sets:
            row += [_found(found_by, search), _found(found_by, search, alone=True)]
        for _, found_by in sets:
            row.append(_found(found_by, search) / len(found_by))
        if sets:
            hit = _found(sets[-1][1], search)
            row += [hit / n if n else None, n / hit if hit else None]
        rows.append(tuple(row))
    counts = [title for name, _ in sets for title in (name, f"{name} only here")]
    measures = [f"Recall of {name.lower()}" for name, _ in sets] + (["Precision", "To read for one"] if sets else [])
    columns = (
        ReportColumn("Search"),
        *columns_of("Hits", "Records", "Publications", "Only here", *counts, kind="count"),
        *columns_of(*measures, kind="number"),
    )
    of = f"Precision and publications to read: for one {sets[-1][0].lower()} publication. " if sets else ""
    return Table("searches-brought", "Yield of each search", columns, tuple(rows), f"{of}–: not known.")


def _core(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> Table:
    found = sorted(facts.core_found, key=lambda core: (len(core.searches), core.title))
    rows = tuple(
        (
            core.title or core.publication_id,
            len(core.searches),
            listed([s.name for s in searches if s.number in core.searches]) if core.searches else None,
        )
        for core in found
    )
    columns = (ReportColumn("Core publication"), ReportColumn("Searches", "count"), ReportColumn("Found by"))
    note = "Those that the fewest searches found come first. –: not found."
    return Table("searches-core", "Core publications and the searches that found them", columns, rows, note)


def _overlap(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> Table:
    places = [facts.recorded.index(search) for search in searches]
    rows: list[tuple[Value, ...]] = [
        (search.name, *(facts.overlap[i][j] for j in places)) for search, i in zip(searches, places, strict=True)
    ]
    columns = (ReportColumn("Publications in both"), *columns_of(*(s.name for s in searches), kind="count"))
    return Table("searches-overlap", "Overlap of the searches", columns, tuple(rows))
