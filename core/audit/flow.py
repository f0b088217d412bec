"""The numbers of a PRISMA 2020 flow diagram: recorded values, answers, and the agreement between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.audit.prisma_items import FLOW_LABELS, called, grouped, named, number_of, reasons_of
from core.audit.strategies import ANSWERED, AuditAnswer, AuditFacts, ItemState, SearchFacts
from core.report import ReportColumn, Table, Value, columns_of
from core.text import listed, lower_first, many
from core.types import Ids, unique_ids

FLOW_STATES = {
    "known": "recorded",
    "likely": "to be confirmed",
    "open": "not answered yet",
    ANSWERED: "answered",
    "changed": "the record has changed",
}


@dataclass(frozen=True, slots=True)
class FlowNumber:
    item: str
    """The question of the audit, such as "flow:screened"; "flow:topic" can only be recorded, not answered."""
    label: str
    """The label in the diagram."""
    n: int | None
    """None: not known, and not answered yet."""
    state: ItemState
    sentence: str = ""
    """The origin of the number, or the next step."""
    recorded: int | None = None
    """The number that Queryscape recorded itself."""


@dataclass(frozen=True, slots=True)
class FlowSource:
    name: str
    kind: str
    """"database", or "topic": the topic's own publications, which are not a database."""
    version: str
    n: int | None
    """Records received, including unreadable ones; publications if the records are not stored."""
    is_cut: bool = False
    """A cap cut the search, so more records exist than were received."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The diagram for new systematic reviews that searched only databases and registers."""

    sources: tuple[FlowSource, ...]
    numbers: tuple[FlowNumber, ...]
    """In the order of the diagram."""
    reasons: tuple[tuple[str, int], ...]
    """Reasons for exclusion with the number of reports for each, as answered."""
    disagreements: Ids
    """Sums that do not add up; empty: all sums that can be checked agree."""
    notes: Ids = ()
    """Notes on the numbers."""
    warnings: Ids = ()
    """Warnings for readers: searches that a cap cut, or that are unfinished."""

    def of(self, item: str) -> FlowNumber:
        return next(number for number in self.numbers if number.item == item)

    def n(self, item: str) -> int | None:
        """Return the number of an item; None: open, or not part of this diagram."""
        return next((number.n for number in self.numbers if number.item == item), None)

    @property
    def n_identified(self) -> int | None:
        """All records; None: no source has a known number."""
        known = [n for item in ("flow:databases", "flow:registers", "flow:topic") if (n := self.n(item)) is not None]
        return sum(known) if known else None

    @property
    def n_removed(self) -> int:
        """Records removed before screening, as far as known."""
        return sum(self.n(item) or 0 for item in ("flow:duplicates", "flow:automation", "flow:other"))


_ASK = {
    "flow:databases": "Enter the number of records from databases.",
    "flow:registers": "Enter the number of records from study registers; 0 if none was searched.",
    "flow:duplicates": "Enter the number of duplicate records removed.",
    "flow:automation": "Enter the number of records that automation tools marked as ineligible; 0 if none.",
    "flow:other": "Enter the number of records removed for other reasons; 0 if none.",
    "flow:screened": "Enter the number of records screened by title and abstract.",
    "flow:excluded": "Enter the number of records excluded by title and abstract.",
    "flow:sought": "Enter the number of full texts sought.",
    "flow:not-retrieved": "Enter the number of full texts that could not be obtained.",
    "flow:assessed": "Enter the number of full texts assessed.",
    "flow:reports-excluded": "Enter the number excluded, one line for each reason, such as “Wrong population: 12”.",
    "flow:studies": "Enter the number of included studies.",
    "flow:reports": "Enter the number of reports of these studies.",
}


def flow_of(facts: AuditFacts) -> Flow:
    sources = tuple(map(_source, facts.searches))
    recorded = _recorded(facts, sources)
    numbers = [_number(facts, item, recorded.get(item)) for item in FLOW_LABELS]
    if (n_topic := _sum(sources, "topic")) is not None:
        sentence = "Found among the topic's own publications, which are not a database."
        numbers.insert(
            2, FlowNumber("flow:topic", "This topic's publications (no database)", *_known(n_topic, sentence))
        )
    answer = facts.answers.get("flow:reports-excluded")
    flow = Flow(
        sources,
        tuple(numbers),
        reasons_of(answer.text) if answer else (),
        (),
        tuple(_notes(facts)),
        tuple(_warnings(facts)),
    )
    flow = _with_screened(flow, facts.answers.get("flow:screened"))
    return replace(flow, disagreements=tuple(_disagreements(flow)))


def _known(n: int, sentence: str) -> tuple[int, ItemState, str, int]:
    return n, "known", sentence, n


def _source(search: SearchFacts) -> FlowSource:
    if search.how == "local":
        return FlowSource(search.source, "topic", search.version, search.n_publications)
    name = search.source or "a source that is not recorded"
    n = search.n_publications if search.n_records is None else search.n_records + search.n_aside
    return FlowSource(name, "database", search.version, n, search.is_cut)


def _sum(sources: Sequence[FlowSource], kind: str) -> int | None:
    known = [source.n for source in sources if source.kind == kind and source.n is not None]
    return sum(known) if known else None


def _recorded(facts: AuditFacts, sources: Sequence[FlowSource]) -> dict[str, tuple[int, str]]:
    out: dict[str, tuple[int, str]] = {}
    n_databases = _sum(sources, "database")
    if n_databases is not None:
        names = unique_ids(source.name for source in sources if source.kind == "database" and source.n is not None)
        out["flow:databases"] = n_databases, f"All records from {listed(names)}."
    no_registers = facts.answers.get("prisma-s:3")
    if no_registers is not None and no_registers.state == "not done":
        out["flow:registers"] = 0, "Item 3 says that no register was searched."
    known = [source.n for source in sources if source.n is not None]
    n_aside = sum(search.n_aside for search in facts.searches)
    if known and facts.n_found is not None:
        n = sum(known) - n_aside - facts.n_found
        if n >= 0:
            out["flow:duplicates"] = n, "Further records of publications that another record already covers."
    if n_aside:
        out["flow:other"] = n_aside, "Records that could not be read."
    return out


def _number(facts: AuditFacts, item: str, recorded: tuple[int, str] | None) -> FlowNumber:
    label, answer = FLOW_LABELS[item], facts.answers.get(item)
    ours, sentence = recorded if recorded is not None else (None, _ASK[item])
    if answer is None:
        return FlowNumber(item, label, ours, "open" if ours is None else "known", sentence, ours)
    reasons = reasons_of(answer.text) if item == "flow:reports-excluded" else ()
    total = sum(n for _, n in reasons) if reasons else number_of(answer.text)
    if total is None:
        return FlowNumber(item, label, ours, "open", f"“{answer.text[:40]}” is not a whole number. {_ASK[item]}", ours)
    by = f"Answered by {answer.said_by or 'an unnamed person'}."
    if answer.state == "confirmed" and ours is not None and total != ours:
        changed = f"{total:,} was confirmed, but {ours:,} is recorded now: confirm it again, or enter another number."
        return FlowNumber(item, label, ours, "changed", changed, ours)
    return FlowNumber(item, label, total, ANSWERED, by, ours)


def _with_screened(flow: Flow, answer: AuditAnswer | None) -> Flow:
    """Derive the number of screened records: likely until answered, changed if another number was confirmed."""
    number = flow.of("flow:screened")
    left = None if flow.n_identified is None else flow.n_identified - flow.n_removed
    if left is None or left < 0:
        return flow
    if number.n is None:
        sentence = "Confirm that all remaining records were screened, or enter another number."
        number = replace(number, n=left, state="likely", sentence=sentence)
    elif answer is not None and answer.state == "confirmed" and number.n != left:
        sentence = f"{number.n:,} was confirmed, but {left:,} are left now: confirm it again, or enter another number."
        number = replace(number, n=left, state="changed", sentence=sentence)
    number = replace(number, recorded=left)
    return replace(flow, numbers=tuple(number if each.item == number.item else each for each in flow.numbers))


def _notes(facts: AuditFacts) -> Iterator[str]:
    for name, labels in grouped(facts.searches):
        if len(labels) > 1:
            yield (
                f"{called(labels)} searched {name or 'the same source'}: a record that several of them found counts "
                "several times and is removed as a duplicate. Report only the versions that the review uses."
            )
    for search in facts.searches:
        if search.n_publications is None:
            yield f"{called([search.version])} was not run, so it is not counted."
    if any(search.how == "local" for search in facts.searches):
        yield "Runs over the topic's own publications are counted in publications, not in records of a database."


def _warnings(facts: AuditFacts) -> Iterator[str]:
    for search in facts.searches:
        if search.is_cut:
            yield f"The search of {named([search.version])} was cut by its cap, so the source has more records."
    for run in facts.unfinished:
        so_far = many(run.n_records, "record")
        yield f"A search in {run.source} is unfinished and not counted ({so_far} so far)."


def _disagreements(flow: Flow) -> Iterator[str]:
    for number in flow.numbers:
        if number.item == "flow:screened":  # its sum is checked below
            continue
        if number.state == ANSWERED and number.recorded is not None and number.n != number.recorded:
            yield f"{number.label}: {number.n:,} was answered, but {number.recorded:,} is recorded."
    identified = flow.n_identified
    if identified is not None:
        yield from _differs(
            "records identified",
            identified,
            "records removed before screening",
            flow.n_removed,
            flow.of("flow:screened"),
        )
    for whole, part, rest in (
        ("flow:screened", "flow:excluded", "flow:sought"),
        ("flow:sought", "flow:not-retrieved", "flow:assessed"),
        ("flow:assessed", "flow:reports-excluded", "flow:reports"),
    ):
        a, b = flow.of(whole), flow.of(part)
        if a.n is not None and b.n is not None:
            yield from _differs(lower_first(a.label), a.n, lower_first(b.label), b.n, flow.of(rest))
    studies, reports = flow.n("flow:studies"), flow.n("flow:reports")
    if studies is not None and reports is not None and studies > reports:
        yield f"{many(studies, 'study')} can't have only {many(reports, 'report')}."


def _differs(a: str, n_a: int, b: str, n_b: int, rest: FlowNumber) -> Iterator[str]:
    left = n_a - n_b
    if left < 0:
        yield f"The number of {b} ({n_b:,}) is higher than that of {a} ({n_a:,})."
    elif rest.n is not None and rest.n != left:
        yield f"Of {a} ({n_a:,}), {left:,} are left without {b} ({n_b:,}), but {lower_first(rest.label)}: {rest.n:,}."


def flow_tables(flow: Flow) -> tuple[Table, ...]:
    """Tabulate all numbers with their origin, and the records of each source."""
    rows: list[tuple[Value, ...]] = [
        (number.label, number.n, FLOW_STATES[number.state], number.sentence or None) for number in flow.numbers
    ]
    columns = (ReportColumn("Number of"), ReportColumn("n", "count"), *columns_of("State", "Origin, or next step"))
    tables = [Table("prisma-flow-numbers", "Numbers of the flow diagram", columns, tuple(rows))]
    if flow.sources:
        kinds = {"database": "database or its file", "topic": "publications of this topic"}
        found = tuple(
            (source.name, source.version, kinds[source.kind], source.n, "yes" if source.is_cut else "no")
            for source in flow.sources
        )
        heads = (*columns_of("Source", "Version", "Kind"), ReportColumn("n", "count"), ReportColumn("Cut by a cap"))
        note = "Records, including unreadable ones; publications where the records were not counted."
        tables.append(Table("prisma-flow-sources", "Records identified from each source", heads, found, note))
    if flow.reasons:
        by_reason = (ReportColumn("Reason"), ReportColumn("n", "count"))
        tables.append(Table("prisma-flow-reasons", "Reports excluded, by reason", by_reason, flow.reasons))
    return tuple(tables)
