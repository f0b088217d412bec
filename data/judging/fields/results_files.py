"""What a search engine gave, in a file that a person kept: a table or JSON lines, one answer in each row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from core.errors import FormatError
from core.judging.types import Candidate, Field
from core.ranking.check import Query
from core.records.cleaning import abstract_text
from data.collections.beir import LONGEST_LABEL, MOST_LABELS
from data.collections.named_rows import Cells, NamedRow, named_rows
from data.collections.parts import RejectedLine
from data.importers.decoding import no_text, opened, plain_name, read_bytes
from data.store import content_hash

MOST_BYTES = 200_000_000
MOST_LINES_NAMED = 1_000
"""Rejected rows that are kept one by one; beyond them they are counted."""
SHOWN = 3
NAMES: Mapping[str, tuple[str, ...]] = {
    "engine": ("engine", "search_engine", "system", "retriever"),
    "query_id": ("query_id", "qid"),
    "query": ("query", "query_text", "search_query", "question"),
    "rank": ("rank", "position"),
    "title": ("title",),
    "abstract": ("abstract", "text", "snippet"),
    "doc_id": ("doc_id", "docid", "docno", "document_id", "publication_id", "id"),
}
"""What a row can say, and what its column may be called."""
OF_DOCUMENTS = frozenset({"year", "date", "doi", "url", "link", "author", "authors", "journal", "venue", "score"}) | {
    *("pmid", "keywords", "citations", "times_cited", "source", "type"),
}
"""Columns that speak of a publication and not of a query."""
WANTED = frozenset(NAMES["query"]) | frozenset(NAMES["query_id"])
LONGEST_ID = 80
LONGEST_NONE = 60
"""Characters of what only says that there is no abstract."""


@dataclass(frozen=True, eq=False)
class ResultsFile:
    """What a file holds, and the rows that nothing could be made of."""

    field: Field
    rejected: tuple[RejectedLine, ...]
    """The first thousand, if there are more."""
    n_rejected: int
    n_rows: int


def results_field(path: Path) -> Field:
    """What a file of results holds; its notes say how many rows were rejected, and why."""
    return read_results(read_bytes(path), path.name).field


def read_results(data: bytes, name: str) -> ResultsFile:
    """The same for a file that a browser sent, with every row that was rejected."""
    name = plain_name(name)
    if len(data) > MOST_BYTES:
        raise FormatError(
            f"{name} has {len(data) / 1e6:,.0f} MB; results of up to {MOST_BYTES / 1e6:,.0f} MB can be read"
        )
    if what := no_text(data):
        raise FormatError(f"{name} is {what}: save it as CSV or JSON lines")
    source = opened(data, name)
    if source.data:
        raise FormatError(f"{name} is a workbook: save it as CSV")
    reading = _Reading(name)
    for row in named_rows(source.text, name, WANTED):
        reading.take(row)
    return reading.finished(source.notes)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One row that can be read."""

    line: int | None
    place: int
    """Among the rows, from 0."""
    candidate: Candidate
    """Rank 0: none is said."""
    cells: Cells


@dataclass(eq=False)
class _Reading:
    """Rows become answers; what is wrong with one is said when all are known."""

    name: str
    answers: list[_Answer] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """Of each query, the first that is given."""
    rejected: list[RejectedLine] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    first_line: dict[str, int | None] = field(default_factory=dict)
    """Of each reason."""
    n_rows: int = 0

    def reject(self, line: int | None, reason: str, kind: str | None = None) -> None:
        """One more of which nothing was made. `kind`: the reason without what differs from row to row."""
        self.reasons[kind or reason] += 1
        self.first_line.setdefault(kind or reason, line)
        if len(self.rejected) < MOST_LINES_NAMED:
            self.rejected.append(RejectedLine(self.name, line, reason))

    def take(self, row: NamedRow) -> None:
        """One row."""
        self.n_rows += 1
        if isinstance(row.cells, str):
            self.reject(row.line, row.cells)
            return
        said = {
            what: next((row.cells[name] for name in names if name in row.cells), "") for what, names in NAMES.items()
        }
        if len(said["abstract"]) <= LONGEST_NONE and abstract_text(said["abstract"]) is None:
            said["abstract"] = ""
        rank = _rank(said["rank"])
        query_id = said["query_id"] or _id_of(said["query"])
        if not query_id:
            self.reject(row.line, "no query")
        elif not (said["title"] or said["abstract"]):
            self.reject(row.line, "neither a title nor an abstract")
        elif rank is None:
            self.reject(row.line, f"its rank “{said['rank'][:30]}” is no whole number from 1", "a rank that is none")
        elif said["query"] and self.texts.setdefault(query_id, said["query"]) != said["query"]:
            self.reject(row.line, f"query {query_id[:60]} has another text before", "another text for a query")
        else:
            doc_id = said["doc_id"] or content_hash([said["title"], said["abstract"]])
            candidate = Candidate(said["engine"], query_id, rank, doc_id, said["title"], said["abstract"])
            self.answers.append(_Answer(row.line, self.n_rows, candidate, row.cells))

    def finished(self, notes: Iterable[str]) -> ResultsFile:
        """Everything checked against everything else."""
        kept = self._checked()
        if not kept:
            why = f"{self.rejected[0]}" if self.rejected else "it is empty"
            raise FormatError(
                f"{self.name} holds no results that can be judged ({why}): it needs the columns query and title or "
                "abstract, and can have engine, query_id, rank, doc_id and columns that say what kind of query it is"
            )
        labels, dropped = _dimensions(kept)
        used = dict.fromkeys(answer.candidate.query_id for answer in kept)
        queries = tuple(Query(own_id, self.texts[own_id], labels[own_id]) for own_id in used)
        made = Field(
            PurePath(self.name).stem or self.name,
            queries,
            _ranked(kept, list(used)),
            (*notes, *self._notes(kept, dropped)),
        )
        return ResultsFile(made, tuple(self.rejected), self.reasons.total(), self.n_rows)

    def _checked(self) -> list[_Answer]:
        """Those that name an engine and a query with a text, each rank and each publication once."""
        names_engines = any(answer.candidate.engine for answer in self.answers)
        seen: set[tuple[str, str, str]] = set()
        ranks: set[tuple[str, str, int]] = set()
        kept: list[_Answer] = []
        for answer in self.answers:
            each = answer.candidate
            if not names_engines:
                each = replace(each, engine=PurePath(self.name).stem or self.name)
            place = each.engine, each.query_id
            if not each.engine:
                self.reject(answer.line, "no engine")
            elif each.query_id not in self.texts:
                self.reject(answer.line, f"query {each.query_id[:60]} has no text anywhere", "a query without a text")
            elif (*place, each.doc_id) in seen:
                self.reject(answer.line, f"{each.doc_id[:60]} is there again for this query", "a publication again")
            elif each.rank and (*place, each.rank) in ranks:
                self.reject(answer.line, f"rank {each.rank} is there again for this query", "a rank again")
            else:
                seen.add((*place, each.doc_id))
                ranks.add((*place, each.rank))
                kept.append(replace(answer, candidate=each))
        return kept

    def _notes(self, kept: Sequence[_Answer], dropped: Sequence[str]) -> Iterator[str]:
        if n := self.reasons.total():
            why = ", ".join(map(self._said, self.reasons.most_common(SHOWN)))
            more = ", ..." if len(self.reasons) > SHOWN else ""
            yield f"{self.name}: {n:,} of {self.n_rows:,} rows were rejected: {why}{more}"
        if any(not answer.candidate.rank for answer in kept):
            yield f"{self.name}: where no rank is said, the order of the rows was taken"
        if dropped:
            yield f"{self.name}: no kinds of query, as they differ within one or are long: {', '.join(dropped[:8])}"

    def _said(self, counted: tuple[str, int]) -> str:
        reason, n = counted
        line = self.first_line[reason]
        return f"{reason} ({n:,}{'' if line is None else f', first in line {line:,}'})"


def _rank(text: str) -> int | None:
    """A rank; 0: none is said; None: it is no rank.

    >>> _rank("3"), _rank("3.0"), _rank(""), _rank("0"), _rank("third")
    (3, 3, 0, None, None)
    """
    if not text:
        return 0
    digits = text.strip().removesuffix(".0")
    rank = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 7 else 0
    return rank or None


def _id_of(text: str) -> str:
    """An id for a query without one: its text, and where that is long, its beginning and a code for the whole."""
    return text if len(text) <= LONGEST_ID else f"{text[: LONGEST_ID - 10].rstrip()} {content_hash([text])[:8]}"


def _dimensions(kept: Sequence[_Answer]) -> tuple[dict[str, tuple[tuple[str, str], ...]], list[str]]:
    """What is said of each query by all of its rows alike, and the columns that say something else."""
    known = {name for names in NAMES.values() for name in names} | OF_DOCUMENTS
    values: dict[str, dict[str, str]] = {}
    dropped: dict[str, None] = {}
    for answer in kept:
        for column, value in answer.cells.items():
            if not value or column in known:
                continue
            of_query = values.setdefault(column, {}).setdefault(answer.candidate.query_id, value)
            if of_query != value or len(value) > LONGEST_LABEL or len(column) > LONGEST_LABEL:
                dropped[column] = None
    used = [column for column in values if column not in dropped][:MOST_LABELS]
    labels = {
        query_id: tuple(
            (column.replace("_", " "), values[column][query_id]) for column in used if query_id in values[column]
        )
        for query_id in {answer.candidate.query_id for answer in kept}
    }
    return labels, [column for column in values if column in dropped]


def _ranked(kept: Sequence[_Answer], queries: Sequence[str]) -> tuple[Candidate, ...]:
    """By engine, query and rank; where no rank is said, in the order of the rows, behind those that have one."""
    engines = {name: n for n, name in enumerate(dict.fromkeys(answer.candidate.engine for answer in kept))}
    place_of = {query_id: n for n, query_id in enumerate(queries)}
    ordered = sorted(
        kept,
        key=lambda answer: (
            engines[answer.candidate.engine],
            place_of[answer.candidate.query_id],
            not answer.candidate.rank,
            answer.candidate.rank,
            answer.place,
        ),
    )
    found: list[Candidate] = []
    for answer in ordered:
        each, last = answer.candidate, found[-1] if found else None
        follows = last is not None and (last.engine, last.query_id) == (each.engine, each.query_id)
        after = last.rank + 1 if last is not None and follows else 1
        found.append(each if each.rank else replace(each, rank=after))
    return tuple(found)
