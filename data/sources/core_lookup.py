"""Core publications looked up in the source itself: not indexed there, or indexed and missed by the string."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.protocols import OnProgress
from core.sources.types import Prepared
from data.sources.types import LiveSource, Located, Wanted
from data.workspace import Workspace

if TYPE_CHECKING:
    from core.sources.clauses import Clause

Verdict = Literal["found", "missed", "not indexed", "unsure", "not asked"]
MOST_CALLS = 200
"""Requests that a lookup may make, besides those that find the publications in the source."""


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one core publication in a source."""

    wanted: Wanted
    located: Located
    verdict: Verdict
    failing: tuple[Clause, ...]
    """Parts of the string that it is missed by; empty where it is not missed, or where that could not be told."""
    sentence: str
    is_our_reading: bool = False
    """The source can't be asked: the record's own words were read here."""

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
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
    """All of them."""

    items: tuple[Item, ...]
    """In the order in which they were wanted."""
    n_calls: int
    """Counts that were asked for, besides finding the publications."""
    is_cut: bool
    """The budget ended before everything was asked: some verdicts are "not asked", some explanations are missing."""

    def n(self, verdict: Verdict) -> int:
        """How many have this verdict."""
        return sum(item.verdict == verdict for item in self.items)

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return {"items": [i.as_document() for i in self.items], "n_calls": self.n_calls, "is_cut": self.is_cut}


def wanted_core(workspace: Workspace, topic_id: str) -> tuple[Wanted, ...]:
    """The core publications of a topic, with all that they can be looked for by."""
    core = workspace.store.load_core(topic_id)
    known = {p.publication_id: p for p in workspace.publications(core.ids)}
    return tuple(
        Wanted(i, known[i].title, known[i].year, known[i].doi) if i in known else Wanted(i, "") for i in core.ids
    )


def look_up(
    source: LiveSource,
    wanted: Sequence[Wanted],
    prepared: Prepared,
    clauses: Sequence[Clause],
    fetched_ids: Collection[str] | None,
    *,
    most_calls: int = MOST_CALLS,
    on_progress: OnProgress | None = None,
) -> Lookup:
    """Find the publications in the source, and say of each missed one which parts of the string miss it.

    `fetched_ids`: publication ids that a run brought; None: the source is asked whether the string finds each one.
    """
    located = source.find(wanted)
    items = tuple(
        Item(one, place, "not asked", (), "Not asked yet.") for one, place in zip(wanted, located, strict=True)
    )
    return Lookup(items, 0, is_cut=True)


def remembered_lookup(workspace: Workspace, topic_id: str, prepared: Prepared, run_id: str | None) -> Lookup | None:
    """A lookup that was made before for this core set, this text and this run; None: there is none."""
    return None


def remember_lookup(workspace: Workspace, topic_id: str, prepared: Prepared, run_id: str | None, found: Lookup) -> None:
    """Keep it, so that a page shows it again without asking the source."""
