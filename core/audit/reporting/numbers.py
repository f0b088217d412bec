"""The numbers of a PRISMA 2020 flow diagram: what is recorded of them, what was said, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.audit.reporting.drafts import called, grouped, many, named
from core.audit.reporting.saying import FLOW_LABELS, number_of, reasons_of
from core.audit.types import Answer, AuditFacts, ItemState, SearchFacts
from core.text import listed
from core.types import Ids, unique_ids


@dataclass(frozen=True, slots=True)
class FlowNumber:
    """One number of the diagram."""

    item: str
    """Which question of the audit it is: "flow:screened"; "flow:topic" can't be said, only recorded."""
    label: str
    """As the diagram calls it."""
    n: int | None
    """None: nobody knows or has said."""
    state: ItemState
    sentence: str = ""
    """Where it comes from, or what to say."""
    recorded: int | None = None
    """What Queryscape would say by itself."""


@dataclass(frozen=True, slots=True)
class FlowSource:
    """Records of one source."""

    name: str
    kind: str
    """database, or topic: the publications of the topic itself, which are no database."""
    version: str
    n: int | None
    """Records that came, those that could not be read among them; publications where no records are kept."""
    is_cut: bool = False
    """A cap cut the search, so there are more than came."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The diagram for new systematic reviews of databases and registers only."""

    sources: tuple[FlowSource, ...]
    numbers: tuple[FlowNumber, ...]
    """In the order of the diagram."""
    reasons: tuple[tuple[str, int], ...]
    """Why reports were excluded, and how many for each reason, as somebody said it."""
    disagreements: Ids
    """Sums that do not come out; empty: all that can be checked agree."""
    notes: Ids = ()
    """What to know of the numbers."""
    warnings: Ids = ()
    """What a reader must not miss: searches that a cap cut, or that have not come to their end."""

    def of(self, item: str) -> FlowNumber:
        """One number by its item."""
        return next(number for number in self.numbers if number.item == item)

    def n(self, item: str) -> int | None:
        """The number itself; None: open, or it does not stand in this diagram."""
        return next((number.n for number in self.numbers if number.item == item), None)

    @property
    def n_identified(self) -> int | None:
        """All records; None: nothing is known of any source."""
        known = [n for item in ("flow:databases", "flow:registers", "flow:topic") if (n := self.n(item)) is not None]
        return sum(known) if known else None

    @property
    def n_removed(self) -> int:
        """Before screening, as far as it is known."""
        return sum(self.n(item) or 0 for item in ("flow:duplicates", "flow:automation", "flow:other"))


_ASK = {
    "flow:databases": "Say how many records the databases gave.",
    "flow:registers": "Say how many records came from registers of studies; 0 if none was searched.",
    "flow:duplicates": "Say how many duplicate records were removed.",
    "flow:automation": "Say how many records a tool marked as ineligible; 0 if none did.",
    "flow:other": "Say how many records were removed for other reasons; 0 if none were.",
    "flow:screened": "Say how many records were screened by title and abstract.",
    "flow:excluded": "Say how many records were excluded by title and abstract.",
    "flow:sought": "Say how many full texts were looked for.",
    "flow:not-retrieved": "Say how many full texts could not be had.",
    "flow:assessed": "Say how many full texts were read.",
    "flow:reports-excluded": "Say how many were excluded, one line for each reason, such as “Wrong population: 12”.",
    "flow:studies": "Say how many studies are included.",
    "flow:reports": "Say how many reports these studies have.",
}


def flow_of(facts: AuditFacts) -> Flow:
    """What is recorded, and what was said."""
    sources = tuple(map(_source, facts.searches))
    recorded = _recorded(facts, sources)
    numbers = [_number(facts, item, recorded.get(item)) for item in FLOW_LABELS]
    if (n_topic := _sum(sources, "topic")) is not None:
        sentence = "Found among the topic's own publications, which are no database."
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
    """By item: the number and where it comes from."""
    out: dict[str, tuple[int, str]] = {}
    n_databases = _sum(sources, "database")
    if n_databases is not None:
        names = unique_ids(source.name for source in sources if source.kind == "database" and source.n is not None)
        out["flow:databases"] = n_databases, f"All that came from {listed(names)}."
    no_registers = facts.answers.get("prisma-s:3")
    if no_registers is not None and no_registers.state == "not done":
        out["flow:registers"] = 0, "Item 3 says that no register was searched."
    known = [source.n for source in sources if source.n is not None]
    n_aside = sum(search.n_aside for search in facts.searches)
    if known and facts.n_found is not None:
        n = sum(known) - n_aside - facts.n_found
        if n >= 0:
            out["flow:duplicates"] = n, "Records of a publication that another record had brought."
    if n_aside:
        out["flow:other"] = n_aside, "Records that could not be read."
    return out


def _number(facts: AuditFacts, item: str, recorded: tuple[int, str] | None) -> FlowNumber:
    label, answer = FLOW_LABELS[item], facts.answers.get(item)
    ours, sentence = recorded if recorded is not None else (None, _ASK[item])
    if answer is None:
        return FlowNumber(item, label, ours, "open" if ours is None else "known", sentence, ours)
    reasons = reasons_of(answer.text) if item == "flow:reports-excluded" else ()
    said = sum(n for _, n in reasons) if reasons else number_of(answer.text)
    if said is None:
        return FlowNumber(item, label, ours, "open", f"“{answer.text[:40]}” is no whole number. {_ASK[item]}", ours)
    by = f"Said by {answer.said_by or 'somebody unnamed'}."
    if answer.state == "confirmed" and ours is not None and said != ours:
        changed = f"{said:,} was confirmed, and {ours:,} is recorded now: confirm it again, or say another number."
        return FlowNumber(item, label, ours, "changed", changed, ours)
    return FlowNumber(item, label, said, "said", by, ours)


def _with_screened(flow: Flow, answer: Answer | None) -> Flow:
    """Those that were left: likely until somebody says so, and changed if somebody confirmed another number."""
    number = flow.of("flow:screened")
    left = None if flow.n_identified is None else flow.n_identified - flow.n_removed
    if left is None or left < 0:
        return flow
    if number.n is None:
        sentence = "Confirm that all that were left were screened, or say how many were."
        number = replace(number, n=left, state="likely", sentence=sentence)
    elif answer is not None and answer.state == "confirmed" and number.n != left:
        sentence = f"{number.n:,} was confirmed, and {left:,} are left now: confirm it again, or say another number."
        number = replace(number, n=left, state="changed", sentence=sentence)
    number = replace(number, recorded=left)
    return replace(flow, numbers=tuple(number if each.item == number.item else each for each in flow.numbers))


def _notes(facts: AuditFacts) -> Iterator[str]:
    """What a reader has to know before adding up."""
    for name, labels in grouped(facts.searches):
        if len(labels) > 1:
            yield (
                f"{called(labels)} searched {name or 'the same'} each: what several of them found counts several times "
                "and is taken out as duplicates. Report only those that the review uses."
            )
    for search in facts.searches:
        if search.n_publications is None:
            yield f"{called([search.version])} was not run, so nothing of it is counted."
    if any(search.how == "local" for search in facts.searches):
        yield "Runs over the topic's own publications are counted in publications, not in records of a database."


def _warnings(facts: AuditFacts) -> Iterator[str]:
    """What makes the first number too small."""
    for search in facts.searches:
        if search.is_cut:
            yield f"The search of {named([search.version])} was cut by its cap, so there are more records than came."
    for run in facts.unfinished:
        so_far = many(run.n_records, "record")
        yield f"A search in {run.source} has not come to its end and is not counted ({so_far} so far)."


def _disagreements(flow: Flow) -> Iterator[str]:
    for number in flow.numbers:
        if number.item == "flow:screened":  # its sum is checked below
            continue
        if number.state == "said" and number.recorded is not None and number.n != number.recorded:
            yield f"{number.label}: {number.n:,} was said, and {number.recorded:,} is recorded."
    identified = flow.n_identified
    if identified is not None:
        yield from _differs(
            "the records identified",
            identified,
            "those removed before screening",
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
            yield from _differs(_lower(a.label), a.n, _lower(b.label), b.n, flow.of(rest))
    studies, reports = flow.n("flow:studies"), flow.n("flow:reports")
    if studies is not None and reports is not None and studies > reports:
        yield f"{many(studies, 'study').replace('studys', 'studies')} can't have only {many(reports, 'report')}."


def _differs(a: str, n_a: int, b: str, n_b: int, rest: FlowNumber) -> Iterator[str]:
    left = n_a - n_b
    if left < 0:
        yield f"There are more of {b} ({n_b:,}) than of {a} ({n_a:,})."
    elif rest.n is not None and rest.n != left:
        yield f"Of {a} ({n_a:,}) without {b} ({n_b:,}) {left:,} are left, but {_lower(rest.label)}: {rest.n:,}."


def _lower(label: str) -> str:
    return f"{label[:1].lower()}{label[1:]}"
