"""A file that came back, and what is kept here: who changed what, and neither side's words are ever lost."""

from __future__ import annotations

from dataclasses import dataclass

from core.audit.press.types import OtherText, Review
from core.types import Ids


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a file and the review that is kept."""

    review: Review
    taken: Ids
    """What the file changed, in words."""
    both_kept: Ids
    """Where both sides wrote: the other text is among `review.others`."""
    notes: Ids


def merge(ours: Review, theirs: Review) -> Merged:
    """The reviewer's words stand in the reviewer's parts, the requestor's in theirs; what differs is kept beside."""
    raise NotImplementedError


def choose(review: Review, other: OtherText, *, take_it: bool) -> Review:
    """Put the other text in its place, or let go of it."""
    raise NotImplementedError
