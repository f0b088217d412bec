"""A search string on its way to a live source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.query.tree import DialectId
from core.query.writing.adapting import Loss

SourceId = Literal["openalex", "pubmed", "europepmc", "semanticscholar", "dimensions"]
SOURCE_IDS: tuple[SourceId, ...] = get_args(SourceId)
MOST = 10_000
"""Publications that a run fetches at most, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Where a source can be asked in more than one way. Each source looks at what is its own."""

    stem: bool = True
    """OpenAlex: other forms of a word count as well; else only what is written."""
    wildcards: Literal["drop", "send"] = "drop"
    """OpenAlex: whether * and ? are left out, which its filters that stem do not take, or sent to those that do."""
    synonyms: bool = False
    """Europe PMC: it looks for synonyms of MeSH too."""


@dataclass(frozen=True, slots=True)
class Form:
    """One text that is sent. What several forms of one search find is united."""

    number: int
    """From 0."""
    text: str
    """In the source's language; how it is packed into a request is the adapter's business."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A search string as a source takes it."""

    source: SourceId
    dialect: DialectId
    """How the text was read."""
    text: str
    """The whole of it in the source's language, before it was split."""
    forms: tuple[Form, ...]
    """One, or several where one would be too long; never none."""
    losses: tuple[Loss, ...] = ()
    """What means something else there, or was left out."""
    is_unchanged: bool = False
    """It is sent as it was typed, letter for letter."""
    choices: Choices = Choices()
