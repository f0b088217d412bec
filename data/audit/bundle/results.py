"""The results of a version as a table: what was retrieved, the most similar first, then the core that was missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.audit.quality.summary import QualityFacts, VersionFacts
from core.audit.whole import Column, Table, Value
from core.projection import NO_GROUP
from core.types import RegionKind

_HEAD = (
    Column("publication_id"),
    Column("title"),
    Column("doi"),
    Column("year"),
    Column("retrieved", "count"),
    Column("core", "count"),
    Column("similarity", "number"),
    Column("x", "number"),
    Column("y", "number"),
    Column("group"),
)


def results_table(version: VersionFacts) -> Table:
    """One row for each publication; what has no vector has neither similarity nor place."""
    kinds = tuple(version.rows.masks)
    columns = (*_HEAD, *(Column(kind, "count") for kind in kinds))
    return Table("results", f"Results of {version.label}", columns, tuple(_rows(version, kinds)))


def _rows(version: VersionFacts, kinds: tuple[RegionKind, ...]) -> Iterator[tuple[Value, ...]]:
    rows, n = version.rows, version.rows.n_retrieved
    for row in reversed(range(n)):
        yield _scored(version, row, kinds)
    for publication_id in version.unscored_ids:
        yield _unscored(version, publication_id, len(kinds), is_retrieved=True)
    for row in range(n, len(rows.ids)):
        yield _scored(version, row, kinds)
    known = {*rows.ids, *version.unscored_ids}
    for core in version.core:
        if core.publication_id not in known:
            yield _unscored(version, core.publication_id, len(kinds), is_retrieved=False)


def _scored(version: VersionFacts, row: int, kinds: tuple[RegionKind, ...]) -> tuple[Value, ...]:
    rows = version.rows
    is_retrieved = row < rows.n_retrieved
    group = int(rows.groups.group_of[row])
    places = (None, None) if rows.points is None else tuple(float(value) for value in rows.points[row])
    return (
        rows.ids[row],
        rows.titles[row],
        rows.dois[row] or None,
        int(rows.years[row]) or None,
        int(is_retrieved),
        int(rows.core_mask[row]),
        float(rows.similarities[row]),
        *places,
        None if group == NO_GROUP else rows.groups.coloured[group],
        *(int(rows.masks[kind][row]) if is_retrieved else None for kind in kinds),
    )


def _unscored(version: VersionFacts, publication_id: str, n_regions: int, *, is_retrieved: bool) -> tuple[Value, ...]:
    """Its title is known where it is a core publication."""
    core = next((core for core in version.core if core.publication_id == publication_id), None)
    known = (None, None, None) if core is None else (core.title, core.doi, core.year)
    is_core = publication_id in version.evaluation.core_ids
    return (publication_id, *known, int(is_retrieved), int(is_core), *(None,) * (4 + n_regions))


def abstracts_table(quality: QualityFacts, abstracts: Mapping[str, str]) -> Table:
    """Abstracts with the titles that are known."""
    titles: dict[str, str] = {}
    for version in quality.versions:
        titles |= dict(zip(version.rows.ids, version.rows.titles, strict=True))
    columns = (Column("publication_id"), Column("title"), Column("abstract"))
    rows = tuple((name, titles.get(name), text) for name, text in abstracts.items())
    return Table("abstracts", "Abstracts", columns, rows)
