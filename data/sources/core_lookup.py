"""Look up core publications in a live source, and store the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.documents import decoded
from core.errors import (
    BudgetSpentError,
    NoCoreError,
    NotFoundError,
    OutOfReachError,
    QueryscapeError,
    RefusedRequestError,
)
from core.library.records import Record
from core.protocols import OnProgress
from core.query.match import holds
from core.query.parser import parse
from core.query.tree import Leaf
from core.sources.core_lookup import CoreVerdict, FailingPart, finds_less, looked_for_by, why_missed
from core.sources.narrowing import LocalMatcher, as_read, looks_further, semantics_of
from core.sources.preparation import Clause
from core.sources.source_forms import Form, PreparedSearch
from data.explore.workspace import Workspace
from data.http.client import GaveUpError
from data.library.records import load_details
from data.memory import key_for
from data.query.index import CorpusIndex, in_memory
from data.sources.runs import find_live_run
from data.sources.types import LiveSource, LookupResult, LookupTarget, title_words
from data.store import Clock, utc_now

# Core publications looked up in the source itself: not indexed there, or indexed and missed by the search string.

MOST_CALLS = 200
"""Maximum number of counts that a lookup requests, besides finding the publications in the source."""
FOUND_AT_ONCE = 50
"""Publications looked up before the lookup can be stopped again; about as many as the source takes in one request."""
_ENDS_ASKING = (BudgetSpentError, OutOfReachError, GaveUpError)


@dataclass(frozen=True, slots=True)
class CoreLookupItem:
    wanted: LookupTarget
    located: LookupResult
    verdict: CoreVerdict
    failing: tuple[Clause, ...]
    """Parts of the search string that miss it; empty if it is not missed, or if they are unknown."""
    sentence: str
    is_our_reading: bool = False
    """The source can't be asked for one record, so the record's own words were matched locally."""
    is_whole: bool = True
    """Every question about it was asked."""

    @property
    def is_settled(self) -> bool:
        return self.verdict != "not asked" and self.is_whole

    def as_document(self) -> dict[str, Any]:
        return {
            "publication_id": self.wanted.publication_id,
            "title": self.wanted.title,
            "verdict": self.verdict,
            "key": self.located.key,
            "by": self.located.by,
            "failing": [
                {"start": c.span.start, "end": c.span.end, "text": c.text, "is_excluded": c.is_excluded}
                for c in self.failing
            ],
            "is_our_reading": self.is_our_reading,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Lookup:
    items: tuple[CoreLookupItem, ...]
    """In the order of the request."""
    n_calls: int
    """Number of counts requested, besides finding the publications."""
    is_cut: bool
    """The lookup ended early: some verdicts are "not asked", some explanations are incomplete."""
    problem: str = ""
    """The reason for the end, if it was not the limit on calls."""
    at: str = ""
    """The time, ISO 8601 in UTC."""

    def n(self, verdict: CoreVerdict) -> int:
        return sum(item.verdict == verdict for item in self.items)

    def as_document(self) -> dict[str, Any]:
        kept = {"n_calls": self.n_calls, "is_cut": self.is_cut, "problem": self.problem, "at": self.at}
        return {"items": [item.as_document() for item in self.items], **kept}


def wanted_core(workspace: Workspace, topic_id: str) -> tuple[LookupTarget, ...]:
    """Return the core publications of a topic, with the titles, years and identifiers to look them up by."""
    ids = workspace.store.load_core(topic_id).ids
    known = load_details(workspace.store, ids)
    return tuple(LookupTarget(i, r.title, r.year, r.doi, r.pmid) for i, r in zip(ids, known, strict=True))


def look_up(
    source: LiveSource,
    wanted: Sequence[LookupTarget],
    prepared: PreparedSearch,
    clauses: Sequence[Clause],
    fetched_ids: Collection[str] | None,
    *,
    most_calls: int = MOST_CALLS,
    on_progress: OnProgress | None = None,
    known: Lookup | None = None,
    keep: Callable[[Lookup], None] | None = None,
    clock: Clock = utc_now,
) -> Lookup:
    """Find the publications in the source, and name the parts of the search string that miss each missed one.

    `fetched_ids`: publications that a run fetched, so the search string certainly finds them. The source is asked about
    the others one at a time, and about all if there was no run (None): a run may have ended at its cap. `known`: a
    lookup that ended early; its settled results are not requested again. `keep`: receives the results so far if
    `on_progress` or the source ends the lookup with an exception.
    """
    at = clock()
    settled = {item.wanted: item for item in known.items if item.is_settled} if known and known.is_cut else {}
    rest = list(dict.fromkeys(one for one in wanted if one not in settled))
    asker = _Asker(
        source, prepared, tuple(clauses), None if fetched_ids is None else frozenset(fetched_ids), most_calls
    )

    def found() -> Lookup:
        items = tuple(settled.get(one) or asker.unasked(one, places.get(one)) for one in wanted)
        n_before = known.n_calls if known is not None and len(rest) < len(wanted) else 0
        return Lookup(items, n_before + asker.n_calls, asker.is_cut, asker.problem, at)

    places: dict[LookupTarget, LookupResult] = {}
    report = on_progress or (lambda done, total: None)
    try:
        for done, one in enumerate(rest, start=len(wanted) - len(rest)):
            report(done, len(wanted))
            if one not in places:
                some = rest[len(places) : len(places) + FOUND_AT_ONCE]
                places |= zip(some, source.find(some), strict=True)
            settled[one] = asker.item(one, places[one])
        report(len(wanted), len(wanted))
    except BaseException as e:
        asker.stop(str(e) if isinstance(e, QueryscapeError) else "it was stopped")
        if keep is not None and places:
            keep(found())
        raise
    return found()


class _EndedError(Exception):
    """No more requests are made."""


class _Asker:
    def __init__(
        self,
        source: LiveSource,
        prepared: PreparedSearch,
        clauses: tuple[Clause, ...],
        fetched: frozenset[str] | None,
        most_calls: int,
    ) -> None:
        self.source, self.prepared, self.clauses, self.fetched = source, prepared, clauses, fetched
        self.left = most_calls
        self.n_calls = 0
        self.is_cut = False
        self.is_stopped = False
        self.problem = ""
        self.label = source.about.label

    def stop(self, problem: str) -> None:
        """Stop all requests and local matching for the remaining publications."""
        self.is_cut, self.is_stopped, self.problem = True, True, problem

    def unasked(self, wanted: LookupTarget, located: LookupResult | None) -> CoreLookupItem:
        """Return the result without a request; located None: the source was not asked for the publication."""
        if located is not None:
            return self.item(wanted, located)
        why = "the lookup stopped before"
        nowhere = LookupResult(wanted.publication_id, "unsure", why=why)
        if self.fetched is not None and wanted.publication_id in self.fetched:
            return self.item(wanted, nowhere)
        return CoreLookupItem(
            wanted, nowhere, "not asked", (), f"It was not checked whether {self.label} has it.", is_whole=False
        )

    def item(self, wanted: LookupTarget, located: LookupResult) -> CoreLookupItem:
        if self.fetched is not None and wanted.publication_id in self.fetched:
            return CoreLookupItem(wanted, located, "found", (), f"{self._indexed(located)}, and the run fetched it.")
        if located.status == "not indexed":
            has = looked_for_by(doi=bool(wanted.doi), pmid=bool(wanted.pmid), title=bool(title_words(wanted.title)))
            return CoreLookupItem(wanted, located, "not indexed", (), f"Not indexed by {self.label}: {has}.")
        if located.status == "unsure" or located.key is None:
            why = located.why or looked_for_by(doi=False, pmid=False, title=False)
            return CoreLookupItem(wanted, located, "unsure", (), f"It is unclear whether {self.label} has it: {why}.")
        if self.is_stopped:
            return self._not_asked(wanted, located)
        if self._restricted(self.prepared.forms[0], located.key) is None:
            return self._read(wanted, located)
        return self._asked(wanted, located, located.key)

    def _indexed(self, located: LookupResult) -> str:
        return f"Indexed by {self.label}" + (f" ({located.key})" if located.key else "")

    # Requests to the source

    def _asked(self, wanted: LookupTarget, located: LookupResult, key: str) -> CoreLookupItem:
        failing: list[Clause] = []
        by_whole: bool | None = None
        is_whole = True
        try:
            if self.fetched is None and (by_whole := self._finds(self.prepared.forms, key)):
                return CoreLookupItem(
                    wanted, located, "found", (), f"{self._indexed(located)}, and the string finds it."
                )
            for clause in self.clauses:
                holds_there = self._finds(clause.forms, key)
                if holds_there is not None and holds_there == clause.is_excluded:
                    failing.append(clause)
            if self.fetched is not None and not failing:
                by_whole = self._finds(self.prepared.forms, key)
        except _EndedError:
            is_whole = False
        if failing or by_whole is False:
            return self._missed(wanted, located, tuple(failing), is_whole=is_whole)
        if not is_whole:
            return self._not_asked(wanted, located)
        if by_whole:
            sentence = (
                f"{self._indexed(located)}, and the string finds it, but the run did not fetch it: it is beyond "
                "the cap, or was added later."
            )
            return CoreLookupItem(wanted, located, "found", (), sentence)
        sentence = f"{self._indexed(located)}; {self.label} could not check whether the string finds it."
        return CoreLookupItem(wanted, located, "unsure", (), sentence)

    def _not_asked(self, wanted: LookupTarget, located: LookupResult) -> CoreLookupItem:
        sentence = f"{self._indexed(located)}; the lookup stopped before it checked whether the string finds it."
        return CoreLookupItem(wanted, located, "not asked", (), sentence, is_whole=False)

    def _missed(
        self, wanted: LookupTarget, located: LookupResult, failing: tuple[Clause, ...], *, is_whole: bool
    ) -> CoreLookupItem:
        if failing:
            why = self._why(failing) + ("" if is_whole else " (not all parts were checked)")
        elif is_whole:
            why = "every part that can be checked finds it, the whole does not"
        else:
            why = "the lookup stopped before it checked which part"
        sentence = f"{self._indexed(located)}, but the string misses it: {why}."
        return CoreLookupItem(wanted, located, "missed", failing, sentence, is_whole=is_whole)

    def _finds(self, forms: Sequence[Form], key: str) -> bool | None:
        """Return True if one of the forms finds the record; None: none is known to, and not all could be asked."""
        n_told = 0
        for form in forms:
            asked = self._restricted(form, key)
            if asked is None:
                continue
            try:
                found = self._count(asked) > 0
            except RefusedRequestError:  # a part may be more than the source accepts by itself
                continue
            if found:
                return True
            n_told += 1
        return False if forms and n_told == len(forms) else None

    def _restricted(self, form: Form, key: str) -> Form | None:
        return self.source.restricted(form, key) if self.source.about.can_explain else None

    def _count(self, form: Form) -> int:
        if self.is_cut or self.left < 1:
            self.is_cut = True
            raise _EndedError
        self.left -= 1
        self.n_calls += 1
        try:
            return self.source.count(form, self.prepared.choices).total
        except _ENDS_ASKING as e:
            self.is_cut, self.problem = True, str(e)
            raise _EndedError from e

    def _why(self, failing: Sequence[Clause]) -> str:
        why = why_missed([FailingPart(c.text, c.is_excluded) for c in failing], self.prepared.dialect)
        less = [
            self.prepared.text[loss.start : loss.end]
            for loss in self.prepared.losses
            if loss.status == "narrowed"
            and any(c.span.start <= loss.start and loss.end <= c.span.end for c in failing if not c.is_excluded)
        ]
        return why + finds_less(less)

    # Local matching of the record

    def _read(self, wanted: LookupTarget, located: LookupResult) -> CoreLookupItem:
        if located.record is None:
            sentence = f"{self._indexed(located)}; {self.label} can't check whether the string finds it."
            return CoreLookupItem(wanted, located, "unsure", (), sentence)
        told = [(clause, self._holds(clause, located.record)) for clause in self.clauses]
        failing = tuple(c for c, found in told if found is not None and found == c.is_excluded)
        if failing:
            sentence = f"{self._indexed(located)}. Matched locally, the string misses it: {self._why(failing)}."
            return CoreLookupItem(wanted, located, "missed", failing, sentence, is_our_reading=True)
        if not told or any(found is None for _, found in told):
            sentence = f"{self._indexed(located)}. Title, abstract and keywords don't show whether the string finds it."
            return CoreLookupItem(wanted, located, "unsure", (), sentence, is_our_reading=True)
        if self.fetched is not None:
            sentence = (
                f"{self._indexed(located)}. Matched locally, the string finds it, but the run did not fetch it: it "
                "is beyond the cap, or the source matches differently."
            )
            return CoreLookupItem(wanted, located, "unsure", (), sentence, is_our_reading=True)
        sentence = f"{self._indexed(located)}. Matched locally, the string finds it."
        return CoreLookupItem(wanted, located, "found", (), sentence, is_our_reading=True)

    def _holds(self, clause: Clause, record: Record) -> bool | None:
        """Return True if the words of a record satisfy a part of the search string; None: they don't decide it."""
        root = clause.node or parse(clause.text, self.prepared.dialect).root
        if root is None:
            return None
        source, choices = self.prepared.source, self.prepared.choices

        def further(leaf: Leaf) -> bool:
            return looks_further(leaf, source, choices, is_native=self.prepared.dialect == source)

        corpus = CorpusIndex(in_memory([record.publication("it")]))
        told = LocalMatcher(corpus, semantics_of(source, choices), further).told(as_read(root, source, choices))
        return True if holds(told.sure, 0) else None if holds(told.possible, 0) else False


# Stored lookups of core publications, so that a page can show them again without a request.

LAYOUT = 2
"""The version of the stored document; it is raised when its content changes."""


def remembered_lookup(
    workspace: Workspace, topic_id: str, prepared: PreparedSearch, run_id: str | None
) -> Lookup | None:
    """Return the stored lookup for this core set, text and run; None: there is none."""
    try:
        kept = workspace.store.recall(_key(workspace, topic_id, prepared, run_id))
    except NoCoreError:
        return None
    return None if kept is None else _from_document(json.loads(kept[0]))


def remember_lookup(
    workspace: Workspace, topic_id: str, prepared: PreparedSearch, run_id: str | None, found: Lookup
) -> None:
    """Store a lookup, so that a page can show it again without a request."""
    items = [
        {
            "wanted": asdict(item.wanted),
            "located": asdict(replace(item.located, record=None))
            | {"record": None if item.located.record is None else item.located.record.document()},
            "verdict": item.verdict,
            "failing": [asdict(replace(clause, node=None)) for clause in item.failing],
            "sentence": item.sentence,
            "is_our_reading": item.is_our_reading,
            "is_whole": item.is_whole,
        }
        for item in found.items
    ]
    document = found.as_document() | {"items": items}
    workspace.store.remember(
        _key(workspace, topic_id, prepared, run_id), "live lookup", json.dumps(document), arrays=None
    )


def _key(workspace: Workspace, topic_id: str, prepared: PreparedSearch, run_id: str | None) -> str:
    """Return a key for the core set with its identifiers, the text as sent, and the run with its current state."""
    return key_for(
        "live-lookup", LAYOUT, topic_id, wanted_core(workspace, topic_id), prepared, run_id, _label(workspace, run_id)
    )


def _label(workspace: Workspace, run_id: str | None) -> str | None:
    try:
        return None if run_id is None else find_live_run(workspace.store, run_id).label
    except NotFoundError:
        return None


def _from_document(document: dict[str, Any]) -> Lookup:
    records = [fields["located"].pop("record") for fields in document["items"]]
    found = decoded(document, Lookup)
    items = [
        replace(item, located=replace(item.located, record=record and Record.from_document(record)))
        for item, record in zip(found.items, records, strict=True)
    ]
    return replace(found, items=tuple(items))
