"""Items of PRISMA-S from the table of searches: what was searched where, when, with which string, and what came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.audit.prisma_items import ItemDraft, day
from core.audit.searches import dialect_on, string_mistakes
from core.audit.strategies import AuditFacts, RecordedSearch, SearchFacts
from core.report import (
    Block,
    Paragraph,
    Remark,
    ReportColumn,
    ReportHeading,
    Strategy,
    Table,
    Value,
    columns_of,
)
from core.text import listed, many, upper_first, was
from core.types import unique_ids

ENTERED = "As entered in the table of searches, or read from the files."


def not_recorded(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Return the searches that the table of searches does not list.

    With a table, runs over the topic's own publications are trials of a string and no searches of the review.
    """
    named = {search.version for search in facts.recorded}
    return tuple(
        search
        for search in facts.searches
        if search.how == "live"
        or (search.how == "file" and search.version not in named)
        or (search.how == "local" and not facts.recorded)
    )


def with_recorded(facts: AuditFacts, number: int, draft: Callable[[AuditFacts], ItemDraft]) -> ItemDraft:
    """Return the draft of an item, with what the table of searches says about it first."""
    ours = _DRAFTS.get(number)
    if not facts.recorded or ours is None:
        return draft(facts)
    in_table = {name for search in facts.recorded for name in search.files}
    rest = replace(
        facts,
        recorded=(),
        searches=not_recorded(facts),
        files=tuple(file for file in facts.files if file.name not in in_table),
    )
    first = ours(facts)
    return _joined(first, draft(rest)) if rest.searches else first


def _joined(first: ItemDraft, second: ItemDraft) -> ItemDraft:
    """Return both drafts as one, as sure as the less sure of them."""
    order = ("open", "likely", "known")
    state = min(first.state, second.state, key=order.index)
    parts = unique_ids([*first.text.splitlines(), *second.text.splitlines()])
    steps = unique_ids(draft.next_step for draft in (first, second) if draft.state == state and draft.next_step)
    evidence = unique_ids(draft.evidence for draft in (first, second) if draft.evidence)
    return ItemDraft(
        state,
        "\n".join(parts),
        " ".join(steps),
        " ".join(evidence),
        unique_ids([*first.warnings, *second.warnings]),
        (*first.blocks, *second.blocks),
        unique_ids([*first.denials, *second.denials]),
    )


def _of_kind(facts: AuditFacts, *kinds: str) -> tuple[RecordedSearch, ...]:
    return tuple(search for search in facts.recorded if search.kind in kinds)


def _names(searches: Sequence[RecordedSearch]) -> str:
    return listed([search.name for search in searches])


# Items 1 to 5: the sources.


def _databases(facts: AuditFacts) -> ItemDraft:
    found = _of_kind(facts, "database")
    own = unique_ids(search.database for search in found if search.database and search.platform == search.database)
    parts = (
        [f"{listed(own)} {was(len(own))} searched on {'its' if len(own) == 1 else 'their'} own platform."]
        if own
        else []
    )
    parts += [
        f"{listed(databases)} {was(len(databases))} searched through {platform}."
        for platform, names in _by_platform(found).items()
        if platform and (databases := [name for name in names if name != platform])
    ]
    if bare := [search for search in found if search.database and not search.platform]:
        parts.append(f"{_names(bare)} {was(len(bare))} searched; the platform is not recorded.")
    nameless = [search for search in found if not search.database]
    parts += [f"The database of {listed(search.files) or search.name} is not recorded." for search in nameless]
    if others := _of_kind(facts, "register", "website", "citations", "other"):
        parts.append(f"Beside databases: {_names(others)}.")
    table = _sources_table(facts.recorded)
    if unknown := [*nameless, *bare]:
        step = f"Enter the database and platform of {_names(unknown)} in the Library, under Searches."
        return ItemDraft("open", "\n".join(parts), step, blocks=(table,))
    if not found:
        step = "Add the databases that were searched in the Library, under Searches."
        return ItemDraft("open", "\n".join(parts), step, blocks=(table,))
    return ItemDraft("likely", "\n".join(parts), "Confirm the databases and platforms.", ENTERED, blocks=(table,))


def _by_platform(searches: Sequence[RecordedSearch]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for search in searches:
        if search.database:
            names = found.setdefault(search.platform, [])
            if search.database not in names:
                names.append(search.database)
    return found


def _sources_table(searches: Sequence[RecordedSearch]) -> Table:
    rows = tuple(
        (one.number, one.database or None, one.platform or None, one.kind, one.version, one.day or None, one.by or None)
        for one in searches
    )
    columns = (
        ReportColumn("Search", "count"),
        *columns_of("Database", "Platform", "Kind", "Version", "Searched on", "By"),
    )
    return Table("prisma-s-searches", "The searches of this review", columns, rows, "–: not recorded.")


def _at_once(facts: AuditFacts) -> ItemDraft:
    shared = {p: names for p, names in _by_platform(_of_kind(facts, "database")).items() if p and len(names) > 1}
    if not shared:
        text = "No databases were searched simultaneously on one platform: each was searched on a platform of its own."
        return ItemDraft("likely", text, "Confirm, or name the databases that were searched together.", ENTERED)
    parts = [f"{listed(names)} were searched through {p}, each by itself." for p, names in shared.items()]
    step = "Confirm that each was searched by itself, or name those that were searched simultaneously."
    return ItemDraft("likely", "\n".join(parts), step, "Several databases of one platform have searches of their own.")


def _kind_draft(facts: AuditFacts, kind: str, none: str, step: str) -> ItemDraft:
    found = _of_kind(facts, kind)
    if not found:
        return ItemDraft("likely", none, f"Confirm, or {step}", "The table of searches lists none.", denials=(none,))
    parts = [f"{search.name}{_when(search)}{_note(search)}" for search in found]
    return ItemDraft("likely", "\n".join(parts), f"Confirm, and {step}", ENTERED)


def _when(search: RecordedSearch) -> str:
    return f" was searched on {day(search.day)}." if search.day else " was searched; the date is not recorded."


def _note(search: RecordedSearch) -> str:
    return f" {search.note}" if search.note else ""


def _registers(facts: AuditFacts) -> ItemDraft:
    step = "add each register that was searched, such as ClinicalTrials.gov, to the table of searches."
    return _kind_draft(facts, "register", "No study register was searched.", step)


def _browsing(facts: AuditFacts) -> ItemDraft:
    step = "describe how the websites, journals or proceedings were browsed."
    return _kind_draft(facts, "website", "No websites, tables of contents or proceedings were browsed.", step)


def _citations(facts: AuditFacts) -> ItemDraft:
    step = "describe whose references or citations were examined, and how."
    return _kind_draft(facts, "citations", "Reference lists and citing publications were not examined.", step)


# Items 8 to 13: the strings, their limits, and when they were run.


def _strategies(facts: AuditFacts) -> ItemDraft:
    blocks = tuple(block for search in facts.recorded for block in _strategy(search))
    without = [
        search for search in facts.recorded if not search.text.strip() and search.kind in ("database", "register")
    ]
    borrowed = [search for search in facts.recorded if search.text.strip() and search.is_text_of_version]
    shown = [search for search in facts.recorded if search.text.strip()]
    checked = (string_mistakes(s.name, s.text, dialect_on(s.platform, s.database)) for s in shown)
    warnings = tuple(sentence for sentence in checked if sentence)
    parts = []
    if shown:
        stand = "The strategy of {} is" if len(shown) == 1 else "The strategies of {} are"
        parts.append(f"{stand.format(_names(shown))} below, with the hits of each line where they are recorded.")
    if borrowed:
        parts.append(f"For {_names(borrowed)}, the string is that of the version; the string as run is not recorded.")
    if without:
        parts.append(f"The string of {_names(without)} is not recorded.")
        step = f"Paste the string or line history of {_names(without)} in the Library, under Searches."
        return ItemDraft("open", "\n".join(parts), step, "", warnings, blocks)
    step = "Confirm that these are the strategies exactly as they were run."
    return ItemDraft("likely", "\n".join(parts), step, ENTERED, warnings, blocks)


def _strategy(search: RecordedSearch) -> Iterator[Block]:
    yield ReportHeading(search.name, 4)
    facts = [
        f"Searched on {day(search.day)}" if search.day else "",
        f"by {search.by}" if search.by else "",
        many(search.n_hits, "hit") if search.n_hits is not None else "",
    ]
    if told := [fact for fact in facts if fact]:
        yield Paragraph(f"{upper_first(', '.join(told))}.")
    if not search.text.strip():
        yield Remark("The string is not recorded.")
        return
    if len(search.lines) < 2:
        yield Strategy(search.text, "The string of the version" if search.is_text_of_version else "As entered")
    else:
        rows = tuple((line.number, line.text, line.n_hits) for line in search.lines)
        columns = (ReportColumn("Line", "count"), ReportColumn("Search", "code"), ReportColumn("Hits", "count"))
        note = "–: not recorded." if any(line.n_hits is None for line in search.lines) else ""
        yield Table(f"search-{search.number}-lines", f"Lines of {search.name}", columns, rows, note)


def _limits(facts: AuditFacts) -> ItemDraft:
    parts = [f"{search.name}: {limit.rstrip('.')}." for search in facts.recorded for limit in search.limits]
    free = [search for search in facts.recorded if not search.limits and search.text.strip()]
    without = f"{_names(free)}: no limit to years, languages, kinds of publication or the like." if free else ""
    if free:
        parts.append(without)
    unknown = [search for search in facts.recorded if not search.limits and not search.text.strip()]
    if unknown:
        parts.append(f"{_names(unknown)}: neither limits nor a string are recorded.")
        return ItemDraft("open", "\n".join(parts), "Enter their limits, or state that there were none.")
    reasons = " and give the reason for each limit" if any(search.limits for search in facts.recorded) else ""
    step = f"Confirm{reasons}, or correct them in the table of searches."
    return ItemDraft("likely", "\n".join(parts), step, ENTERED, denials=(without,) if free else ())


def _again(facts: AuditFacts) -> ItemDraft | None:
    """Return what the table says about updates: the same database on several days."""
    days: dict[str, list[str]] = {}
    for search in facts.recorded:
        if search.database and search.day:
            days.setdefault(search.name, []).append(search.day)
    parts = [
        f"{name} was searched on {day(min(on))} and again on {listed([day(one) for one in sorted(set(on))[1:]])}."
        for name, on in days.items()
        if len(set(on)) > 1
    ]
    if not parts:
        return None
    step = "Confirm, and describe any other updates of the search, such as alerts."
    return ItemDraft("likely", "\n".join(parts), step, "The table of searches lists the same database several times.")


def _updates(facts: AuditFacts) -> ItemDraft:
    none = "Each database was searched once; the search was not updated."
    step = "Confirm, or describe any updates of the search, such as reruns or alerts."
    once = "The table of searches lists each database once."
    return _again(facts) or ItemDraft("likely", none, step, once, denials=(none,))


def _dates(facts: AuditFacts) -> ItemDraft:
    parts = [f"{search.name} was searched on {day(search.day)}." for search in facts.recorded if search.day]
    undated = [search for search in facts.recorded if not search.day]
    if undated:
        parts.append(f"Not dated: {_names(undated)}.")
        step = f"Enter the dates of {_names(undated)} in the Library, under Searches."
        return ItemDraft("open", "\n".join(parts), step)
    step = "Confirm the dates: a day read from a file is that of the export."
    return ItemDraft("likely", "\n".join(parts), step, ENTERED)


# Item 15: the records.


def _total_records(facts: AuditFacts) -> ItemDraft:
    parts = list(map(_came, facts.recorded))
    n_records = sum(search.n_records or 0 for search in facts.recorded)
    if facts.n_found is not None and len(facts.recorded) > 1:
        parts.append(f"In all: {many(n_records, 'record')}, {many(facts.n_found, 'different publication')}.")
    table = _records_table(facts.recorded)
    missing = [search for search in facts.recorded if search.n_records is None and search.n_hits is None]
    if missing:
        step = f"Enter the hits of {_names(missing)}, or add its file."
        return ItemDraft("open", "\n".join(parts), step, blocks=(table,))
    if all(search.n_hits is not None for search in facts.recorded):
        return ItemDraft("known", "\n".join(parts), blocks=(table,))
    step = "Confirm, or enter the hits that each database showed in the table of searches."
    evidence = "The records in the files are counted; whether every hit was exported is not recorded."
    return ItemDraft("likely", "\n".join(parts), step, evidence, blocks=(table,))


def _came(search: RecordedSearch) -> str:
    hits = [] if search.n_hits is None else [many(search.n_hits, "hit")]
    if search.n_records is None:
        return f"{search.name}: {', '.join(hits) or 'no number is recorded'}; its records were not imported."
    aside = f" ({search.n_aside:,} unreadable)" if search.n_aside else ""
    records = f"{many(search.n_records, 'record')} imported{aside}"
    return f"{search.name}: {', '.join([*hits, records, many(search.n_publications or 0, 'publication')])}."


def _records_table(searches: Sequence[RecordedSearch]) -> Table:
    rows: list[tuple[Value, ...]] = [
        (s.name, s.n_hits, s.n_records, None if s.n_records is None else s.n_aside, s.n_publications) for s in searches
    ]
    columns = (
        ReportColumn("Search"),
        *columns_of("Hits", "Records", "Unreadable", "Publications", kind="count"),
    )
    caption = "Hits, records and publications of each search"
    return Table("prisma-s-searches-records", caption, columns, tuple(rows), "–: not recorded.")


_DRAFTS: dict[int, Callable[[AuditFacts], ItemDraft]] = {
    1: _databases,
    2: _at_once,
    3: _registers,
    4: _browsing,
    5: _citations,
    8: _strategies,
    9: _limits,
    12: _updates,
    13: _dates,
    15: _total_records,
}
