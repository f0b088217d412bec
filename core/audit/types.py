"""What an audit knows of a search: what was searched, how, when, with what result; and what people say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from core.types import Ids

How = Literal["live", "local", "file"]
"""live: a source was asked through its interface; local: run over what the topic holds; file: brought in as a file."""
ItemState = Literal["known", "likely", "open", "said", "changed"]
"""known: Queryscape recorded it; likely: prefilled, to be confirmed; open: somebody has to say; said: somebody did;
changed: what was confirmed is no longer what is recorded."""
AnswerState = Literal["confirmed", "own", "not done"]
"""confirmed: what was prefilled is right; own: in the person's words; not done: this was no part of the search."""


@dataclass(frozen=True, slots=True)
class StrategyLine:
    """A line of a search strategy, and how many it finds by itself."""

    number: int
    text: str
    n_hits: int | None
    """None: nobody counted."""
    counted_in: str = ""
    """Where it was counted: "PubMed" or "the 3,000 publications of this topic"."""


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """One search as it was really run."""

    version: str
    """The label of the version that it became."""
    source: str
    """What was searched: a database, a file, or the topic's own publications."""
    platform: str
    """Through what it was searched; empty: not known."""
    how: How
    text: str
    """As the searcher wrote it."""
    dialect: str | None
    sent: Ids
    """Exactly as it was run, if several in parts whose results were united; empty: not known."""
    lines: tuple[StrategyLine, ...]
    limits: Ids
    """Each limit or restriction in words; empty: none was set by the string or the source's choices."""
    began: str | None
    """ISO 8601 with zone."""
    ended: str | None
    n_total: int | None
    """The source's own count."""
    n_records: int | None
    """Records that came."""
    n_publications: int | None
    """Different publications in the version."""
    most: int | None = None
    """The cap; None: there was none."""
    n_aside: int = 0
    """Records that could not be read."""
    losses: Ids = ()
    """What of the text could not be said to the source."""
    repeats: str | None = None
    """When the search that it repeats was run."""
    sentence: str = ""
    """The search as a methods section tells it; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was brought in."""

    name: str
    role: str
    version: str | None
    format: str | None
    n_in_file: int
    n_rejected: int


@dataclass(frozen=True, slots=True)
class Deduplication:
    """What became of records of the same publication."""

    n_records: int
    n_publications: int
    by_rule: tuple[tuple[str, int], ...]
    """Records that each rule merged, in words."""
    n_by_hand: int
    n_kept_apart: int
    n_undecided: int | None
    """Pairs that look alike and that nobody decided about; None: not counted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says about one question of the audit."""

    item: str
    state: AnswerState
    text: str
    said_by: str
    """Empty: unnamed."""
    said_at: str


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """Everything recorded about the searches of one topic."""

    topic_id: str
    made_up: bool
    n_core: int
    searches: tuple[SearchFacts, ...]
    """The versions that are reported, in the order of their numbers."""
    files: tuple[FileFacts, ...]
    deduplication: Deduplication
    answers: dict[str, Answer] = field(default_factory=dict)
    """By item."""
    software: tuple[tuple[str, str], ...] = ()
    """Name and version of whatever took part."""
    n_reviews_signed: int = 0
    """Peer reviews (PRESS) of the reported versions that are signed."""
