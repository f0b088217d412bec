"""What query versions retrieved, as something to be judged: each label is an engine, each topic a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from core.errors import InputError, NotFoundError
from core.judging.types import USUAL_K, Candidate, Field, checked_k
from core.query.reading.parser import parse
from core.ranking.check import Query
from core.text import listed
from core.types import Ids, unique_ids
from data.store import Store, VersionRow, content_hash
from data.workspace import Workspace

Take = Literal["top", "sample"]
TAKES: tuple[Take, ...] = ("top", "sample")
NO_ORDER = (
    "a Boolean search has no order: of {what} the first {k} in the topic's own order were taken, and their ranks mean "
    "nothing; a sample would be fairer"
)
AS_IN_FILE = "{what}: in the order of the list that was brought in; whether that is a ranking is not known"
DRAWN = (
    "{k} publications of each version were drawn with seed {seed}; ranks are the order of the drawing. All versions "
    "share one draw, so that what two of them retrieved is likely drawn for both"
)
BY_NAME = "no research question was given for {what}: the judge is asked about the topic's name"
NO_VERSION = '{what}: there is no version "{label}"'
NOT_RUN = "{label} has not been run yet for {what}"
NOTHING = "{label} retrieved nothing for {what}"
LEFT_OUT = "nothing is there to judge for {what}"
MOST_VERSIONS_NAMED = 3


def version_field(
    workspace: Workspace,
    topics: Sequence[str],
    labels: Sequence[str] = (),
    *,
    k: int = USUAL_K,
    question: Mapping[str, str] | None = None,
    take: Take = "top",
    seed: int = 0,
) -> Field:
    """Up to k publications of what each version of these topics retrieved. No label: all versions.

    `question`: by topic, what the judge is asked about; a topic's name stands in for one that is missing. `take`: the
    first k, or a draw that the seed decides.
    """
    checked_k(k)
    if take not in TAKES:
        raise InputError(f'take must be "top" or "sample", got "{take}"')
    wanted, asked = unique_ids(topics), question or {}
    _check_topics(workspace.store, wanted)
    queries = tuple(Query(topic, (asked.get(topic) or "").strip() or topic) for topic in wanted)
    gathered = _Gathered(workspace.store, k, take, seed)
    for topic in wanted:
        gathered.take_topic(topic, labels)
    return gathered.field(queries, labels)


def _check_topics(store: Store, wanted: Ids) -> None:
    there = [row.topic_id for row in store.topics()]
    if not wanted:
        raise InputError("choose at least one topic")
    if missing := [topic for topic in wanted if topic not in there]:
        raise NotFoundError(f'no topic "{missing[0][:80]}"; there is {", ".join(there[:20]) or "none"}')


def drawn(ids: Sequence[str], k: int, *, seed: int, of: str) -> Ids:
    """k of the ids, each as likely as the others. What is in two lists is drawn for both or is crowded out by others.

    >>> drawn(("a", "b", "c"), 2, seed=0, of="x") == drawn(("c", "b", "a"), 2, seed=0, of="x")
    True
    """
    return tuple(sorted(ids, key=lambda own_id: content_hash([str(seed), of, own_id]))[:k])


def _named(names: Sequence[str]) -> str:
    """Some names; where there are many, how many more."""
    more = len(names) - MOST_VERSIONS_NAMED
    return listed(list(names)) if more <= 0 else listed([*names[:MOST_VERSIONS_NAMED], f"{more:,} more"])


class _Gathered:
    """Candidates of one topic after the other."""

    def __init__(self, store: Store, k: int, take: Take, seed: int) -> None:
        self.store, self.k, self.how, self.seed = store, k, take, seed
        self.candidates: dict[str, list[Candidate]] = {}
        self.notes: dict[str, None] = {}
        self.notes_of: dict[tuple[str, str], dict[str, None]] = {}

    def note(self, text: str) -> None:
        self.notes[text] = None

    def note_of(self, text: str, what: str, label: str = "") -> None:
        """The same of several is said once."""
        self.notes_of.setdefault((text, label), {})[what] = None

    def take_topic(self, topic: str, labels: Sequence[str]) -> None:
        """Its versions of these labels, or all."""
        rows = {row.version.label: row for row in self.store.versions(topic)}
        for label in unique_ids(labels) or tuple(rows):
            row = rows.get(label)
            if row is None:
                self.note_of(NO_VERSION, topic, label)
            elif row.n_retrieved is None:
                self.note_of(NOT_RUN, topic, label)
            elif not row.n_retrieved:
                self.note_of(NOTHING, topic, label)
            else:
                self._take(topic, row)

    def _take(self, topic: str, row: VersionRow) -> None:
        label, found = row.version.label, self.store.load_retrieved_ids(row.version.query_id)
        if self.how == "sample":
            chosen = drawn(found, self.k, seed=self.seed, of=topic)
        else:
            chosen = found[: self.k]
            self._note_order(row)
        known = {each.publication_id: each for each in self.store.load_publications(chosen)}
        n_nothing = 0
        for rank, own_id in enumerate(chosen, start=1):
            each = known.get(own_id)
            if each is None or not (each.title.strip() or (each.abstract or "").strip()):
                n_nothing += 1
                continue
            candidate = Candidate(label, topic, rank, own_id, each.title, each.abstract or "")
            self.candidates.setdefault(label, []).append(candidate)
        if n_nothing:
            self.note(f"{label} of {topic}: {n_nothing:,} without title and abstract were left out")

    def _note_order(self, row: VersionRow) -> None:
        """What the order of a version is worth."""
        if row.n_retrieved is not None and row.n_retrieved <= self.k:
            return
        label = row.version.label
        if not row.over_corpus:
            self.note_of(AS_IN_FILE, label)
        elif parse(row.version.text).kind != "question":
            self.note_of(NO_ORDER, label)

    def _said(self) -> list[str]:
        """Each note once, with all that it is about."""
        return [
            text.format(what=_named(list(what)), label=label, k=self.k) for (text, label), what in self.notes_of.items()
        ]

    def field(self, queries: tuple[Query, ...], labels: Sequence[str]) -> Field:
        """What was gathered. Without a candidate there is nothing to judge."""
        if not self.candidates:
            said = "; ".join(self._said()[:MOST_VERSIONS_NAMED])
            raise InputError(f"these versions hold nothing to judge{f': {said}' if said else ''}")
        judged = {each.query_id for some in self.candidates.values() for each in some}
        for query in queries:
            if query.query_id not in judged:
                self.note_of(LEFT_OUT, query.query_id)
            elif query.text == query.query_id:
                self.note_of(BY_NAME, query.query_id)
        queries = tuple(query for query in queries if query.query_id in judged)
        for said in self._said():
            self.note(said)
        if self.how == "sample":
            self.note(DRAWN.format(k=self.k, seed=self.seed))
        order = [label for label in unique_ids(labels) if label in self.candidates] or list(self.candidates)
        how = f"top {self.k}" if self.how == "top" else f"{self.k} drawn"
        name = f"{_named(order)} of {_named([query.query_id for query in queries])}, {how}"
        return Field(name, queries, tuple(each for label in order for each in self.candidates[label]), (*self.notes,))
