"""A review as the one file that goes from requestor to reviewer and back: plain JSON, strictly read."""

from __future__ import annotations

from dataclasses import dataclass

from core.audit.press.types import Review
from core.types import Ids

FORMAT = "queryscape-press"
FORMAT_VERSION = 1
ENDING = ".press.json"


@dataclass(frozen=True, slots=True)
class ReadReview:
    """A review that came in a file."""

    review: Review
    edited: Ids
    """What was changed after signing, in words; empty: nothing, or it is not signed."""
    notes: Ids
    """What of the file was left out, in words."""


def as_json(review: Review) -> str:
    """The text of the file; the same review gives the same text."""
    raise NotImplementedError


def read_review(content: bytes | str) -> ReadReview:
    """The review in a file. An error with one sentence if it is none, too large, or of a newer Queryscape."""
    raise NotImplementedError


def file_name(review: Review) -> str:
    """What to call the file."""
    raise NotImplementedError
