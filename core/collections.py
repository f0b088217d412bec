"""Collections of documents, queries, and judgments, the runs over them, and checks for their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError
from core.text import publication_text
from core.types import Floats, Ids

# Collections with known relevance judgments, and the runs of retrievers over them.

Rows = npt.NDArray[np.int64]
"""Row numbers of documents in their collection, from 0."""


@dataclass(frozen=True, slots=True)
class Document:
    doc_id: str
    title: str
    """Empty if there is no title."""
    text: str
    """The text after the title; empty if there is none."""

    @property
    def whole(self) -> str:
        """The title and text, in the form that every retriever reads."""
        return publication_text(self.title, self.text)


@dataclass(frozen=True, slots=True)
class Query:
    query_id: str
    text: str
    labels: tuple[tuple[str, str], ...] = ()
    """The kinds of the query, as pairs of name and value, in the order of the source."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """The known relevance of a document to a query."""

    query_id: str
    doc_id: str
    relevance: int
    """Above 0: relevant, and a higher level is better. 0 and below: judged, but not relevant."""


@dataclass(frozen=True, eq=False)
class Collection:
    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    judgments: tuple[Judgment, ...]
    splits: Mapping[str, Ids] = field(default_factory=dict)
    """Named parts of the queries, each a tuple of query ids."""
    made_up: bool = False

    def __post_init__(self) -> None:
        for what, ids in (("document", self.doc_ids), ("query", self.query_ids)):
            if len(set(ids)) != len(ids):
                raise InputError(f'collection "{self.name}" holds a {what} id twice')

    @cached_property
    def doc_ids(self) -> Ids:
        return tuple(document.doc_id for document in self.documents)

    @cached_property
    def query_ids(self) -> Ids:
        return tuple(query.query_id for query in self.queries)

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        return {doc_id: row for row, doc_id in enumerate(self.doc_ids)}

    def of_split(self, split: str | None) -> tuple[Query, ...]:
        """Return the queries of a split, in the collection's order, or all queries if `split` is None."""
        if split is None:
            return self.queries
        if split not in self.splits:
            there = ", ".join(self.splits) or "none"
            raise InputError(f'collection "{self.name}" has no split "{split}"; it has {there}')
        wanted = set(self.splits[split])
        return tuple(query for query in self.queries if query.query_id in wanted)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The documents retrieved for one query, best first."""

    query_id: str
    doc_ids: Ids
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.doc_ids) != len(self.scores):
            raise MisalignedError(f"{len(self.doc_ids)} documents but {len(self.scores)} scores")


@dataclass(frozen=True, eq=False)
class Run:
    """The rankings of one retriever for many queries. Row r of every ranking is `doc_ids[r]`.

    Rankings keep the order they came in. Metrics sort them by score descending, then doc_id ascending.
    """

    name: str
    query_ids: Ids
    doc_ids: Ids
    starts: Rows
    """Start of each query's ranking, and the end of the last one; one entry more than there are queries."""
    rows: Rows
    scores: Floats

    def __post_init__(self) -> None:
        if len(self.starts) != len(self.query_ids) + 1:
            raise MisalignedError(f"{len(self.query_ids)} queries but {len(self.starts) - 1} rankings")
        if not len(self.rows) == len(self.scores) == int(self.starts[-1]):
            raise MisalignedError(f"{len(self.rows)} documents but {len(self.scores)} scores")

    def __len__(self) -> int:
        return len(self.query_ids)

    @classmethod
    def of(cls, name: str, doc_ids: Sequence[str], rankings: Iterable[tuple[str, Rows, Floats]]) -> Run:
        """Build a run from the ranking of each query: its id, rows and scores."""
        answers = list(rankings)
        starts = np.array([0, *accumulate(len(rows) for _, rows, _ in answers)], dtype=np.int64)
        rows = np.concatenate([np.zeros(0, np.int64), *(rows for _, rows, _ in answers)]).astype(np.int64)
        scores = np.concatenate([np.zeros(0), *(scores for _, _, scores in answers)]).astype(np.float64)
        return cls(name, tuple(query_id for query_id, _, _ in answers), tuple(doc_ids), starts, rows, scores)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    def answer(self, query_id: str) -> tuple[Rows, Floats]:
        """Return the rows and scores of one query; both are empty if it has no ranking."""
        place = self.place_of.get(query_id)
        if place is None:
            return np.zeros(0, np.int64), np.zeros(0)
        part = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.rows[part], self.scores[part]

    def ranking(self, query_id: str) -> Ranking:
        rows, scores = self.answer(query_id)
        return Ranking(query_id, tuple(self.doc_ids[row] for row in rows), tuple(map(float, scores)))


# Checks of a collection, to run before trusting a number measured on it.

SHOWN = 5
"""Maximum number of examples per oddity."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """An irregularity in a collection that affects how its results are read."""

    kind: str
    """numbering, queries_without_judgments, judged_without_query, documents_missing, ..."""
    sentence: str
    """A description of the irregularity and its consequence."""
    n: int
    """Number of affected queries, documents or judgments."""
    examples: Ids = ()
    """Ids of some of the affected queries, documents or judgments."""
    fix: str | None = None
    """The change that `renumbered` would make; None: no fix available."""


def check(collection: Collection) -> tuple[Oddity, ...]:
    """Return all irregularities, most important first."""
    return (
        *_numbering(collection),
        *_judged_queries(collection),
        *_judged_documents(collection),
        *_repeated_judgments(collection),
        *_levels(collection),
        *_queries(collection),
        *_documents(collection),
    )


def is_misnumbered(collection: Collection) -> bool:
    """Return True if the judgments number the queries from 1 in order, but the queries have other ids."""
    judged = {judgment.query_id for judgment in collection.judgments}
    places = {str(place) for place in range(1, len(collection.queries) + 1)}
    return bool(judged) and judged == places and judged != set(collection.query_ids)


def renumbered(collection: Collection) -> Collection:
    """Renumber the queries from 1 in order, as the judgments do. Splits follow."""
    if not is_misnumbered(collection):
        raise InputError(f'the queries of "{collection.name}" are numbered as its judgments are: nothing to do')
    new = {query_id: str(place) for place, query_id in enumerate(collection.query_ids, start=1)}
    queries = tuple(replace(query, query_id=new[query.query_id]) for query in collection.queries)
    splits = {name: tuple(new[i] for i in ids if i in new) for name, ids in collection.splits.items()}
    return replace(collection, queries=queries, splits=splits)


def _numbering(collection: Collection) -> Iterator[Oddity]:
    if not is_misnumbered(collection):
        return
    ids = collection.query_ids
    n, judged = len(ids), {judgment.query_id for judgment in collection.judgments}
    n_match = sum(query_id in judged for query_id in ids)
    other = [query_id for place, query_id in enumerate(ids, start=1) if query_id in judged and query_id != str(place)]
    by_chance = (
        f"only {n_match:,} of {n:,} query ids match by chance, and {len(other):,} of those mean other queries"
        if n_match
        else f"none of the {n:,} query ids matches"
    )
    sentence = (
        f"The judgments number the queries from 1 to {n:,} in their order, and the queries have other ids "
        f"({_shown(ids)}): {by_chance}. Metrics on this mean nothing."
    )
    moved = sum(query_id != str(place) for place, query_id in enumerate(ids, start=1))
    yield Oddity("numbering", sentence, moved, _examples(other), f"number the queries 1 to {n:,} in their order")


def _judged_queries(collection: Collection) -> Iterator[Oddity]:
    queries = collection.query_ids
    if not collection.judgments:
        yield Oddity("no_judgments", "There are no judgments: retrievers can be run, and not be scored.", len(queries))
        return
    judged = {judgment.query_id for judgment in collection.judgments}
    relevant = {judgment.query_id for judgment in collection.judgments if judgment.relevance > 0}
    without = [query_id for query_id in queries if query_id not in judged]
    if without:
        what = _count(len(without), "query has", "queries have")
        sentence = f"{what} no judgments, of {len(queries):,}: metrics leave them out."
        yield Oddity("queries_without_judgments", sentence, len(without), _examples(without))
    known = set(queries)
    strange = list(dict.fromkeys(j.query_id for j in collection.judgments if j.query_id not in known))
    if strange:
        what = _count(len(strange), "judged id belongs", "judged ids belong")
        sentence = f"{what} to no query, so these judgments can't be used."
        yield Oddity("judged_without_query", sentence, len(strange), _examples(strange))
    none = [query_id for query_id in queries if query_id in judged and query_id not in relevant]
    if none:
        what = _count(len(none), "query has", "queries have")
        sentence = f"{what} judgments and not one relevant document: metrics leave them out."
        yield Oddity("queries_without_relevant", sentence, len(none), _examples(none))


def _judged_documents(collection: Collection) -> Iterator[Oddity]:
    if not collection.documents:
        sentence = "There are no documents: the queries can be looked at, and retrieval needs the corpus beside them."
        yield Oddity("no_documents", sentence, 0)
        return
    missing: dict[str, bool] = {}
    for judgment in collection.judgments:
        if judgment.doc_id not in collection.row_of:
            missing[judgment.doc_id] = missing.get(judgment.doc_id, False) or judgment.relevance > 0
    if missing:
        n_relevant = sum(missing.values())
        sentence = (
            f"{_count(len(missing), 'judged document is', 'judged documents are')} not in the corpus, "
            f"{n_relevant:,} of them relevant to a query: no retriever can find them."
        )
        yield Oddity("documents_missing", sentence, len(missing), _examples(missing))


def _repeated_judgments(collection: Collection) -> Iterator[Oddity]:
    first: dict[tuple[str, str], int] = {}
    differing: dict[tuple[str, str], None] = {}
    n_again = 0
    for judgment in collection.judgments:
        pair = (judgment.query_id, judgment.doc_id)
        relevance = first.setdefault(pair, judgment.relevance)
        if relevance != judgment.relevance:
            differing[pair] = None
    n_again = len(collection.judgments) - len(first)
    if differing:
        what = _count(len(differing), "pair of query and document is", "pairs of query and document are")
        sentence = f"{what} judged more than once, with different relevance."
        yield Oddity("judgments_differ", sentence, len(differing), _examples(" / ".join(pair) for pair in differing))
    elif n_again:
        what = _count(n_again, "judgment repeats", "judgments repeat")
        yield Oddity("judgments_repeated", f"{what} another one word for word.", n_again)


def _levels(collection: Collection) -> Iterator[Oddity]:
    levels = Counter(judgment.relevance for judgment in collection.judgments)
    if set(levels) <= {1}:
        return
    counts = [f"{level} ({levels[level]:,})" for level in sorted(levels, reverse=True)]
    shown = ", ".join(counts if len(counts) <= 2 * SHOWN else [*counts[: 2 * SHOWN], "…"])
    sentence = f"Relevance has these levels: {shown}. Above 0 is relevant, and nDCG counts a higher one for more."
    if min(levels) < 0:
        sentence += " Below 0 counts as 0."
    yield Oddity("relevance_levels", sentence, len(levels))


def _queries(collection: Collection) -> Iterator[Oddity]:
    empty = [query.query_id for query in collection.queries if not query.text.strip()]
    if empty:
        what = _count(len(empty), "query is", "queries are")
        after = "it, and it counts" if len(empty) == 1 else "them, and they count"
        sentence = f"{what} empty: nothing is found for {after} 0."
        yield Oddity("queries_empty", sentence, len(empty), _examples(empty))
    repeated = _repeated_queries(collection.queries)
    if repeated:
        what = _count(len(repeated), "query asks", "queries ask")
        sentence = f"{what} word for word what one before asks."
        yield Oddity("queries_repeated", sentence, len(repeated), _examples(repeated))


def _repeated_queries(queries: Sequence[Query]) -> list[str]:
    seen: set[str] = set()
    repeated = []
    for query in queries:
        text = " ".join(query.text.split())
        if text in seen:
            repeated.append(query.query_id)
        if text:
            seen.add(text)
    return repeated


def _documents(collection: Collection) -> Iterator[Oddity]:
    untitled: list[str] = []
    textless: list[str] = []
    empty: list[str] = []
    repeated: list[str] = []
    seen: set[bytes] = set()
    for document in collection.documents:
        title, text = document.title.strip(), document.text.strip()
        if not title and not text:
            empty.append(document.doc_id)
            continue
        if not title:
            untitled.append(document.doc_id)
        elif not text:
            textless.append(document.doc_id)
        # A corpus can be large, so texts are compared by digest instead of being stored twice.
        digest = blake2b(document.whole.encode(errors="surrogatepass"), digest_size=16).digest()
        if digest in seen:
            repeated.append(document.doc_id)
        seen.add(digest)
    n = len(collection.documents)
    for kind, ids, one, many, after in (
        ("documents_empty", empty, "document has", "documents have", "neither title nor text: no retriever finds them"),
        ("documents_without_text", textless, "document has", "documents have", "a title and no text"),
        ("documents_without_title", untitled, "document has", "documents have", "no title"),
        ("documents_repeated", repeated, "document has", "documents have", "the very text of one before"),
    ):
        if ids:
            what = f"None of the {n:,} documents has" if len(ids) == n > 1 and after == "no title" else None
            words = f"{what} a title" if what else f"{_count(len(ids), one, many)} {after}"
            yield Oddity(kind, f"{words}.", len(ids), _examples(ids))


def _count(n: int, one: str, many: str) -> str:
    return f"1 {one}" if n == 1 else f"{n:,} {many}"


def _examples(ids: Iterable[str]) -> Ids:
    return tuple(query_id for query_id, _ in zip(ids, range(SHOWN), strict=False))


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(ids) if len(ids) <= SHOWN else f"{', '.join(ids[: SHOWN - 1])}, … {ids[-1]}"
