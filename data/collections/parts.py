"""What the files of a collection hold, gathered: the first of an id counts, and nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from core.ranking.check import Document, Judgment, Query
from data.collections.lines import TextFile

Item = Document | Query | Judgment
CollectionPart = tuple[int | None, Item | str]
"""Where it begins, and what it is; a text says why nothing could be made of it."""
Role = Literal["documents", "queries"]
MOST_NAMED = 1_000
"""Rejected parts that are kept with their lines; beyond them they are counted."""
SHOWN = 3


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A part of a file of which nothing was made."""

    file: str
    line: int | None
    """From 1; None where the file has no lines to speak of."""
    reason: str

    def __str__(self) -> str:
        """As a person reads it.

        >>> str(RejectedLine("corpus.jsonl", 7, "no valid JSON"))
        'corpus.jsonl, line 7: no valid JSON'
        """
        return f"{self.file}{'' if self.line is None else f', line {self.line:,}'}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file: how it is recognised by what stands at its beginning, and how it is read."""

    kind_id: str
    label: str
    """What a message calls it."""
    holds: Literal["documents", "queries", "judgments", "queries and judgments", "either"]
    """"either": documents or queries, by what else there is."""
    fits: Callable[[str], bool]
    read: Callable[[TextFile, Role], Iterator[CollectionPart]]
    """The role matters for files that hold either."""


class Gathering:
    """Documents, queries and judgments of many files."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.queries: dict[str, Query] = {}
        self.judgments: list[Judgment] = []
        self.rejected: list[RejectedLine] = []
        self.n_rejected = 0
        self.notes: list[str] = []

    def take(self, file: TextFile, parts: Iterable[CollectionPart], prefix: str = "") -> tuple[str, ...]:
        """All of a file. Queries get a prefix where files number theirs alike. Gives back which queries it names."""
        repeated: list[str] = []
        n_repeated = 0
        named: dict[str, None] = {}
        for line, item in parts:
            if isinstance(item, str):
                self.reject(file, line, item)
                continue
            if isinstance(item, Document):
                known = self.documents.setdefault(item.doc_id, item) is not item
                own_id = item.doc_id
            else:
                if prefix:
                    item = replace(item, query_id=prefix + item.query_id)
                named[item.query_id] = None
                known, own_id = self._keep(item), item.query_id
            if known:
                n_repeated += 1
                if len(repeated) < SHOWN:
                    repeated.append(f"“{own_id}” in line {line:,}" if line else f"“{own_id}”")
        if n_repeated:
            what = "1 id stands" if n_repeated == 1 else f"{n_repeated:,} ids stand"
            self.notes.append(f"{file.name}: {what} there again, and the first of each was kept: {'; '.join(repeated)}")
        return tuple(named)

    def _keep(self, item: Query | Judgment) -> bool:
        """Whether there is another one of that id."""
        if isinstance(item, Query):
            return self.queries.setdefault(item.query_id, item) is not item
        self.judgments.append(item)
        return False

    def reject(self, file: TextFile, line: int | None, reason: str) -> None:
        """One more of which nothing was made."""
        self.n_rejected += 1
        if len(self.rejected) < MOST_NAMED:
            self.rejected.append(RejectedLine(file.name, line, reason))


def relevance_of(text: str) -> int | str:
    """A grade; or why it is none.

    >>> relevance_of("2.0"), relevance_of("-1"), relevance_of("nan")
    (2, -1, 'its relevance “nan” is no whole number')
    """
    text = text.strip()
    if not text:
        return "its relevance is missing"
    try:
        value = float(text) if len(text) <= 30 and "_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if value != value or abs(value) > 1e9 or value != int(value):
        return f"its relevance “{text[:30]}” is no whole number"
    return int(value)


def clean_text(text: str) -> str:
    """Without what no file can hold: halves of characters and NUL."""
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text.strip()
