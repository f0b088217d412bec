"""The numbers of a PRISMA 2020 flow diagram: recorded values, answers, and the agreement between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.audit.prisma_items import (
    ALL_FLOW_LABELS,
    EARLIER_REVIEW,
    FLOW_LABELS,
    FLOW_TEMPLATES,
    OTHER_METHODS,
    TEMPLATE,
    WITH_REASONS,
    called,
    grouped,
    named,
    number_of,
    reasons_of,
)
from core.audit.recorded_items import not_recorded
from core.audit.strategies import ANSWERED, AuditAnswer, AuditFacts, ItemState, RecordedSearch, SearchFacts
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
    """The kind of a recorded search, or "topic": the topic's own publications, which are not a database."""
    version: str
    """Empty: it belongs to none."""
    n: int | None
    """Records received, including unreadable ones; publications if the records are not stored."""
    is_cut: bool = False
    """A cap cut the search, so more records exist than were received."""
    n_publications: int | None = None
    number: int | None = None
    """The number of the search in the table of searches; None: it is not listed there."""

    @property
    def item(self) -> str:
        """The number of the diagram that its records are part of."""
        return _ITEM_OF[self.kind]


_ITEM_OF = {
    "database": "flow:databases",
    "register": "flow:registers",
    "topic": "flow:topic",
    "website": "flow:websites",
    "citations": "flow:citations",
    "other": "flow:organisations",
}


@dataclass(frozen=True, slots=True)
class Flow:
    """The numbers of one of the four PRISMA 2020 diagrams."""

    template: str
    """One of `FLOW_TEMPLATES`."""
    sources: tuple[FlowSource, ...]
    numbers: tuple[FlowNumber, ...]
    """In the order of the diagram."""
    reasons: tuple[tuple[str, int], ...]
    """Reasons for exclusion with the number of reports for each, as answered."""
    other_reasons: tuple[tuple[str, int], ...]
    """The same for reports found by other methods."""
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
    def has_other_methods(self) -> bool:
        return self.template.endswith("-other")

    @property
    def is_update(self) -> bool:
        return self.template.startswith("update")

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
    "flow:websites": "Enter the number of records found on websites; 0 if none.",
    "flow:organisations": "Enter the number of records from organisations and other sources; 0 if none.",
    "flow:citations": "Enter the number of records found by citation searching; 0 if none.",
    "flow:other-sought": "Enter the number of full texts sought that other methods found.",
    "flow:other-not-retrieved": "Enter the number of these that could not be obtained.",
    "flow:other-assessed": "Enter the number of these that were assessed.",
    "flow:other-excluded": "Enter the number of these that were excluded, one line for each reason.",
    "flow:previous-studies": "Enter the number of studies in the previous version of the review.",
    "flow:previous-reports": "Enter the number of reports of these studies.",
    "flow:total-studies": "Enter the number of studies, previous and new.",
    "flow:total-reports": "Enter the number of reports, previous and new.",
}


def template_of(facts: AuditFacts) -> str:
    """Return the diagram that was chosen, or else the one that the searches and answers need."""
    answer = facts.answers.get(TEMPLATE)
    if answer is not None and answer.text in FLOW_TEMPLATES:
        return answer.text
    kinds = {search.kind for search in facts.recorded}
    has_other = bool(kinds & {"website", "citations", "other"}) or bool(facts.answers.keys() & OTHER_METHODS.keys())
    is_update = bool(facts.answers.keys() & EARLIER_REVIEW.keys())
    return f"{'update' if is_update else 'new'}{'-other' if has_other else ''}"


def _items_of(template: str) -> Iterator[str]:
    yield from FLOW_LABELS
    if template.endswith("-other"):
        yield from OTHER_METHODS
    if template.startswith("update"):
        yield from EARLIER_REVIEW


def flow_of(facts: AuditFacts) -> Flow:
    template = template_of(facts)
    sources = (*map(_table_source, facts.recorded), *map(_source, not_recorded(facts)))
    recorded = dict(_recorded(facts, sources))
    numbers = [_number(facts, item, recorded.get(item)) for item in _items_of(template)]
    if (n_topic := _sum(sources, "topic")) is not None:
        sentence = "Found among the topic's own publications, which are not a database."
        label = "This topic's publications (no database)"
        numbers.insert(2, FlowNumber("flow:topic", label, n_topic, "known", sentence, n_topic))
    reasons, other_reasons = (
        reasons_of(facts.answers[item].text) if item in facts.answers else () for item in WITH_REASONS
    )
    flow = Flow(
        template,
        sources,
        tuple(numbers),
        reasons,
        other_reasons,
        (),
        tuple(_notes(facts)),
        tuple(_warnings(facts, template)),
    )
    flow = _with_screened(flow, facts.answers.get("flow:screened"))
    flow = _with_sums(flow)
    return replace(flow, disagreements=tuple(_disagreements(flow)))


def _table_source(search: RecordedSearch) -> FlowSource:
    n = search.n_records if search.n_records is not None else search.n_hits
    version = search.version or ""
    return FlowSource(search.name, search.kind, version, n, n_publications=search.n_publications, number=search.number)


def _source(search: SearchFacts) -> FlowSource:
    if search.how == "local":
        n = search.n_publications
        return FlowSource(search.source, "topic", search.version, n, n_publications=n)
    name = search.source or "a source that is not recorded"
    n = search.n_publications if search.n_records is None else search.n_records + search.n_aside
    return FlowSource(name, "database", search.version, n, search.is_cut, search.n_publications)


def _sum(sources: Sequence[FlowSource], kind: str) -> int | None:
    known = [source.n for source in sources if source.kind == kind and source.n is not None]
    return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A number that Queryscape knows or can guess, and its origin."""

    n: int
    sentence: str
    state: ItemState = "known"


_NONE_OF_KIND = {
    "register": "The table of searches lists no register.",
    "website": "The table of searches lists no website.",
    "citations": "The table of searches lists no citation search.",
    "other": "The table of searches lists no other source.",
}


def _recorded(facts: AuditFacts, sources: Sequence[FlowSource]) -> Iterator[tuple[str, Recorded]]:
    for kind, item in _ITEM_OF.items():
        names = unique_ids(source.name for source in sources if source.kind == kind and source.n is not None)
        if kind != "topic" and (n := _sum(sources, kind)) is not None:
            yield item, Recorded(n, f"All records from {listed(names)}.")
        elif facts.recorded and kind in _NONE_OF_KIND:
            yield item, Recorded(0, _NONE_OF_KIND[kind])
    no_registers = facts.answers.get("prisma-s:3")
    if no_registers is not None and no_registers.state == "not done":
        yield "flow:registers", Recorded(0, "Item 3 says that no register was searched.")
    screened = [source for source in sources if source.kind in ("database", "register", "topic")]
    known = [source.n for source in screened if source.n is not None and source.n_publications is not None]
    n_aside = sum(search.n_aside for search in not_recorded(facts))
    n_aside += sum(search.n_aside for search in facts.recorded if search.kind in ("database", "register"))
    n_left = facts.n_found if facts.n_to_screen is None else facts.n_to_screen
    if known and n_left is not None:
        n = sum(known) - n_aside - n_left
        if n >= 0:
            yield "flow:duplicates", Recorded(n, "Further records of publications that another record already covers.")
    if n_aside or facts.recorded:
        yield "flow:other", Recorded(n_aside, "Records that could not be read.")
    if facts.recorded:
        yield "flow:automation", Recorded(0, "Confirm that no automation tool removed records.", "likely")
    if facts.n_sought is not None:
        yield "flow:sought", Recorded(facts.n_sought, "Publications of the files with the role “screened”.")
    if facts.n_included is not None:
        yield "flow:reports", Recorded(facts.n_included, "Publications of the files with the role “included”.")
        yield "flow:studies", Recorded(facts.n_included, "Confirm that each included publication is a study.", "likely")


def _number(facts: AuditFacts, item: str, recorded: Recorded | None) -> FlowNumber:
    label, answer = ALL_FLOW_LABELS[item], facts.answers.get(item)
    ours, sentence = (recorded.n, recorded.sentence) if recorded is not None else (None, _ASK[item])
    if answer is None:
        return FlowNumber(item, label, ours, recorded.state if recorded is not None else "open", sentence, ours)
    reasons = reasons_of(answer.text) if item in WITH_REASONS else ()
    total = sum(n for _, n in reasons) if reasons else number_of(answer.text)
    if total is None:
        return FlowNumber(item, label, ours, "open", f"“{answer.text[:40]}” is not a whole number. {_ASK[item]}", ours)
    by = f"By {answer.said_by or 'an unnamed person'}."
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


SUMS = (
    ("flow:screened", "flow:excluded", "flow:sought"),
    ("flow:sought", "flow:not-retrieved", "flow:assessed"),
    ("flow:assessed", "flow:reports-excluded", "flow:reports"),
    ("flow:other-sought", "flow:other-not-retrieved", "flow:other-assessed"),
    ("flow:total-studies", "flow:previous-studies", "flow:studies"),
    ("flow:total-reports", "flow:previous-reports", "flow:reports"),
)
"""Of a number, a part is left out, and the rest remains."""


def _sums(flow: Flow) -> Iterator[tuple[str, str, str]]:
    """Yield the sums of a diagram. With other methods, reports come from two columns, so one of them does not hold."""
    items = {number.item for number in flow.numbers}
    for sum_ in SUMS:
        if items.issuperset(sum_) and not (flow.has_other_methods and sum_[0] == "flow:assessed"):
            yield sum_


def _follows(flow: Flow, known: Mapping[str, int | None]) -> dict[str, int]:
    """Return an open number that the other two of its sum leave no choice; empty: there is none."""
    for whole, part, rest in _sums(flow):
        n, m, k = known[whole], known[part], known[rest]
        if n is None and m is not None and k is not None:
            return {whole: m + k}
        if m is None and n is not None and k is not None and n >= k and part not in WITH_REASONS:
            return {part: n - k}
        if k is None and n is not None and m is not None and n >= m:
            return {rest: n - m}
    return {}


def _with_sums(flow: Flow) -> Flow:
    """Derive the open numbers that others determine; they are likely until confirmed."""
    known = {number.item: number.n for number in flow.numbers}
    derived: dict[str, int] = {}
    while found := _follows(flow, known | derived):
        derived |= found
    sentence = "Follows from the numbers beside it. Confirm it, or enter another number."
    return replace(
        flow,
        numbers=tuple(
            replace(each, n=n, state="likely", sentence=sentence, recorded=n)
            if each.n is None and (n := derived.get(each.item)) is not None
            else each
            for each in flow.numbers
        ),
    )


def _notes(facts: AuditFacts) -> Iterator[str]:
    for name, labels in grouped(not_recorded(facts)):
        if len(labels) > 1:
            yield (
                f"{called(labels)} searched {name or 'the same source'}: a record that several of them found counts "
                "several times and is removed as a duplicate. Report only the versions that the review uses."
            )
    for search in not_recorded(facts):
        if search.n_publications is None:
            yield f"{called([search.version])} was not run, so it is not counted."
    if any(search.how == "local" for search in not_recorded(facts)):
        yield "Runs over the topic's own publications are counted in publications, not in records of a database."
    without = [s.name for s in facts.recorded if s.n_records is None and s.n_hits is not None]
    if without:
        yield f"The records of {listed(without)} are not here: hits are counted, and duplicates among them are not."


def _warnings(facts: AuditFacts, template: str) -> Iterator[str]:
    for search in facts.searches:
        if search.is_cut:
            yield f"The search of {named([search.version])} was cut by its cap, so the source has more records."
    for run in facts.unfinished:
        so_far = many(run.n_records, "record")
        yield f"A search in {run.source} is unfinished and not counted ({so_far} so far)."
    left_out = [s.name for s in facts.recorded if s.kind in ("website", "citations", "other")]
    if left_out and not template.endswith("-other"):
        are = "is" if len(left_out) == 1 else "are"
        yield f"{listed(left_out)} {are} missing: choose a diagram with other methods."


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
    for whole, part, rest in _sums(flow):
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
            (
                source.name,
                source.version or None,
                kinds.get(source.kind, source.kind),
                source.n,
                "yes" if source.is_cut else "no",
            )
            for source in flow.sources
        )
        heads = (*columns_of("Source", "Version", "Kind"), ReportColumn("n", "count"), ReportColumn("Cut by a cap"))
        note = "Records, including unreadable ones; publications where the records were not counted."
        tables.append(Table("prisma-flow-sources", "Records identified from each source", heads, found, note))
    by_reason = (ReportColumn("Reason"), ReportColumn("n", "count"))
    if flow.reasons:
        tables.append(Table("prisma-flow-reasons", "Reports excluded, by reason", by_reason, flow.reasons))
    if flow.other_reasons:
        caption = "Reports found by other methods and excluded, by reason"
        tables.append(Table("prisma-flow-other-reasons", caption, by_reason, flow.other_reasons))
    return tuple(tables)
