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
    number: int = 0
    """Of the version."""
    origin: str = ""
    """Where its wording came from: baseline, generated, manual or review."""
    n_searched: int | None = None
    """Publications that it was run over, if it was run over the topic's own; None: not known, or it was not."""
    semantics: str | None = None
    """How words were matched, where it was run over the topic's own publications."""
    is_ranked: bool = False
    """A question in plain words: the best of a ranking, not all that match."""
    was_run: bool = True
    """False: its wording is kept, and nothing that it found."""
    total_last: int | None = None
    """The source's own count as the search ended, if `n_total` is the one as it began."""
    n_repeated: int = 0
    """Records that came again in the same search."""
    is_cut: bool = False
    """The cap cut it, or may have: the source's order decided what came."""
    advice: str = ""
    """What the cap means and what to do about it; empty: it does not cut."""
    form_totals: tuple[int | None, ...] = ()
    """The source's own count of each part that was sent; a part without one is None."""
    address: str = ""
    """Where the source was asked."""
    choices: str = ""
    """How the source was asked, where it can be asked in more than one way."""
    notes: Ids = ()
    """What the source or the run said that has to be known."""
    brought_at: str | None = None
    """When a file was brought in; says nothing of when its search was run."""
    changed_since: bool = False
    """The topic's publications are no longer those that it was run over, so its lines are counted over others."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was brought in."""

    name: str
    role: str
    version: str | None
    format: str | None
    n_in_file: int
    n_rejected: int
    n_records: int = 0
    """Records that came in."""
    n_publications: int = 0
    """Different ones among them."""
    provider: str = ""
    """The database that it seems to come from; empty: it can't be told."""
    told_by: str = ""
    """What tells it: "form", as only that database writes such files, or "identifiers" of its records."""


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
    is_at_least: bool = False
    """There may be more undecided pairs than were counted."""
    over: str = "the reported searches"
    """Whose records these are."""


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A search in a live source that has not come to its end: it is no version yet, and is not reported."""

    source: str
    state: str
    """planned, running, paused or failed."""
    text: str
    n_records: int
    """Those that came so far."""
    made_at: str


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """A peer review (PRESS) of one version, as far as the record of the search needs it."""

    version: str
    reviewer: str
    """Empty: unnamed."""
    signed_at: str | None
    """None: not signed, or changed since."""
    verdict: str = ""
    """Over all; empty: none was given."""
    edited: Ids = ()
    """What was changed after it was signed, in words: such a review counts as not signed."""


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
    reviews: tuple[ReviewFacts, ...] = ()
    """Peer reviews of the reported versions, signed or not."""
    unfinished: tuple[UnfinishedRun, ...] = ()
    n_corpus: int = 0
    """Publications that a query of this topic would be run over now."""
    n_found: int | None = None
    """Different publications in all reported versions together; None: none of them was run."""
