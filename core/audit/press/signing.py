"""Signing a review: what the reviewer stood by, and whether it was changed since."""

from __future__ import annotations

from core.audit.press.types import Review
from core.types import Ids


def signed(review: Review, *, at: str) -> Review:
    """The same, signed by its reviewer at this time. An error that says what is missing: a name, a verdict."""
    raise NotImplementedError


def edited_parts(review: Review) -> Ids:
    """What was changed after signing, in words; empty: nothing, or it is not signed."""
    raise NotImplementedError
