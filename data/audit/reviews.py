"""Peer reviews that the workspace keeps: beginning one, saving, bringing a file back, signing, replying."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.audit.press.domains import DomainId
from core.audit.press.types import Person, Request, Review
from core.types import Ids
from data.clock import Clock, utc_now
from data.store import Store
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Brought:
    """What a file brought."""

    review: Review
    """As it is kept now."""
    is_new: bool
    """It was not known here before."""
    taken: Ids
    """What the file changed, in words."""
    both_kept: Ids
    """Where both sides wrote, in words: the other text is among `review.others`."""
    edited: Ids
    """What was changed after signing, in words."""
    notes: Ids


def reviews(store: Store, topic_id: str | None = None) -> tuple[Review, ...]:
    """Those of a topic, or all, the last changed first."""
    raise NotImplementedError


def load_review(store: Store, review_id: str) -> Review:
    """One review; an error if there is none."""
    raise NotImplementedError


def new_review(
    workspace: Workspace,
    topic_id: str,
    label: str,
    *,
    requestor: Person,
    request: Request,
    embedder: str | None = None,
    clock: Clock = utc_now,
) -> Review:
    """Begin a review of a version's string: the evidence is gathered and kept with it."""
    raise NotImplementedError


def save_review(store: Store, review: Review, *, clock: Clock = utc_now) -> Review:
    """Keep what was written; given back with the time. A signature stays, and shows what was changed after it."""
    raise NotImplementedError


def bring_review(
    workspace: Workspace, content: bytes, *, topic_id: str | None = None, clock: Clock = utc_now
) -> Brought:
    """Read a file and keep it, or merge it with what is kept. `topic_id`: where a new one is listed; else its own."""
    raise NotImplementedError


def sign(store: Store, review_id: str, *, clock: Clock = utc_now) -> Review:
    """Sign in the name of its reviewer."""
    raise NotImplementedError


def reply(
    store: Store,
    review_id: str,
    *,
    replies: Mapping[DomainId, str] | None = None,
    overall: str | None = None,
    clock: Clock = utc_now,
) -> Review:
    """The requestor's replies, and that they are done. The signature stays whole."""
    raise NotImplementedError


def choose(store: Store, review_id: str, number: int, *, take_it: bool, clock: Clock = utc_now) -> Review:
    """Of `review.others`, put one in its place, or let go of it."""
    raise NotImplementedError


def delete_review(store: Store, review_id: str) -> None:
    """Take a review away."""
    raise NotImplementedError


def n_signed(store: Store, topic_id: str, labels: Sequence[str]) -> int:
    """Reviews of these versions that are signed and were not changed since."""
    raise NotImplementedError
