"""The yield of each recorded search, the core publications it found, and the overlap, for a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.audit.strategies import AuditFacts, CoreFound, RecordedSearch
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


def _summary(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> str:
    n = sum(search.n_records or 0 for search in searches)
    parts = [f"{many(len(searches), 'search')} brought {many(n, 'record')}"]
    if facts.n_found is not None:
        parts.append(f" of {many(facts.n_found, 'different publication')}")
    text = f"{''.join(parts)}."
    if facts.core_found:
        n_found = sum(bool(core.searches) for core in facts.core_found)
        text += f" Together they found {n_found:,} of {many(len(facts.core_found), 'core publication')}."
        without = [search for search in searches if not _found(facts.core_found, search, alone=True)]
        if without and len(searches) > 1:
            names = listed([search.name for search in without])
            each = "Without it" if len(without) == 1 else "Without any one of them"
            text += f" No core publication is found by {names} alone. {each}, the others find as many."
    return text


def _found(core: Sequence[CoreFound], search: RecordedSearch, *, alone: bool = False) -> int:
    return sum(search.number in each.searches and (not alone or len(each.searches) == 1) for each in core)


def _yields(facts: AuditFacts, searches: Sequence[RecordedSearch]) -> Table:
    n_core = len(facts.core_found)
    rows: list[tuple[Value, ...]] = []
    for search in searches:
        n, found = search.n_publications or 0, _found(facts.core_found, search)
        rows.append(
            (
                *(search.name, search.n_hits, search.n_records, n, search.n_unique),
                *((found, _found(facts.core_found, search, alone=True)) if n_core else (None, None)),
                *((found / n_core, found / n if n else None) if n_core else (None, None)),
                n / found if found else None,
            )
        )
    columns = (
        ReportColumn("Search"),
        *columns_of("Hits", "Records", "Publications", "Only here", "Core", "Core only here", kind="count"),
        *columns_of("Recall", "Precision", "To read for one", kind="number"),
    )
    note = (
        "Recall and precision: of core publications. To read for one: publications per core publication. –: not known."
    )
    return Table("searches-brought", "Yield of each search", columns, tuple(rows), note)


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
