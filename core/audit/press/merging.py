"""A file that came back, and what is kept here: who changed what, and neither side's words are ever lost.

Each copy remembers a mark of every place as the other side last had it. So a place that only one side wrote in since is
told from one that both wrote in. The owner's words stand; what else was written is kept beside them, to choose from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.audit.press.parts import PARTS, SIGNATURE, STRING, Part, mark, marks, shown, words_of
from core.audit.press.types import OtherText, Review, Side, Signature
from core.errors import InputError
from core.types import Ids

MOST_OTHERS = 200


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
    if ours.review_id != theirs.review_id:
        raise InputError("these are two reviews: the file belongs to another one")
    if note := _too_late(ours, theirs):
        return Merged(ours, (), (), (note,))
    merged, taken, others = ours, [], []
    for part in PARTS.values():
        text, other = _settled(part, ours, theirs)
        if text != part.read(ours):
            merged = part.write(merged, text)
            taken.append(part.words)
        if other is not None:
            others.append(other)
    merged, was_signed, left = _with_signature(merged, theirs)
    taken += was_signed
    others += left
    notes: Ids = ()
    if ours.text != theirs.text:
        others.append(OtherText(STRING, theirs.text, theirs.side, theirs.written_at))
        notes = ("The search string in the file is not the one that is kept here, which stands.",)
    fresh = [other for other in others if other not in ours.others]
    kept = replace(
        _with_their_evidence(merged, theirs),
        others=(*ours.others, *fresh)[-MOST_OTHERS:],
        seen_at=theirs.written_at,
        base=marks(theirs),
    )
    return Merged(kept, tuple(taken), tuple(words_of(other.part) for other in fresh), notes)


def _too_late(ours: Review, theirs: Review) -> str | None:
    """Why a file changes nothing."""
    if theirs.side == ours.side and theirs.written_at <= ours.written_at:
        return (
            f"This file is your own of {theirs.written_at}: it does not come from the other side. Nothing was changed."
        )
    if theirs.written_at < ours.seen_at:
        return (
            f"This file was written on {theirs.written_at}, before the one of {ours.seen_at} that was brought in "
            "already. Nothing was changed."
        )
    return None


def _settled(part: Part, ours: Review, theirs: Review) -> tuple[str, OtherText | None]:
    """What stands in a place, and what is kept beside it."""
    here, there = part.read(ours), part.read(theirs)
    if here == there:
        return here, None
    known = {dict(each).get(part.id) for each in (ours.base, theirs.base)}
    by_another = _are_two_people(ours, theirs, part.owner)
    we_changed, they_changed = by_another or mark(here) not in known, by_another or mark(there) not in known
    they_own = part.owner == theirs.side != ours.side
    if dict(ours.base).get(part.id) == mark(there):
        if they_own and here and dict(theirs.base).get(part.id) == mark(here):
            return there, OtherText(part.id, here, ours.side, ours.written_at)  # they saw this, and kept their own
        return here, None  # they had this when we last heard of them: what is here came later
    if they_own:
        if we_changed and here:
            return there, OtherText(part.id, here, ours.side, ours.written_at)
        return there, None
    return here, OtherText(part.id, there, theirs.side, theirs.written_at) if they_changed and there else None


def _are_two_people(ours: Review, theirs: Review, side: Side) -> bool:
    """Whether the two copies name different people: then neither builds on the words of the other."""
    here, there = ((each.reviewer if side == "reviewer" else each.requestor).name.strip() for each in (ours, theirs))
    return bool(here and there) and here.casefold() != there.casefold()


def _with_signature(merged: Review, theirs: Review) -> tuple[Review, list[str], list[OtherText]]:
    """The later signature stands; another person's, or an earlier one, is told of."""
    here, there = merged.signature, theirs.signature
    taken: list[str] = []
    others: list[OtherText] = []
    if there is not None and there != here:
        if here is None or there.signed_at >= here.signed_at:
            merged = replace(merged, signature=there, replied_at="")
            taken.append("the signature")
        others += [OtherText(SIGNATURE, _told(one), theirs.side, theirs.written_at) for one in _left(here, there)]
    if theirs.replied_at > merged.replied_at and merged.signature == there:
        merged = replace(merged, replied_at=theirs.replied_at)
        taken.append("that the requestor replied")
    return merged, taken, others


def _left(here: Signature | None, there: Signature) -> list[Signature]:
    """The signature that does not stand."""
    return [] if here is None else [here if there.signed_at >= here.signed_at else there]


def _told(signature: Signature) -> str:
    return f"Signed by {signature.name} on {signature.signed_at}, SHA-256 {signature.sha256}"


def _with_their_evidence(merged: Review, theirs: Review) -> Review:
    """What the tool told the requestor comes from their copy."""
    if merged.side == "requestor":
        return merged
    found = {each.domain: each for each in theirs.domains}
    domains = tuple(
        replace(each, evidence=found[each.domain].evidence, tables=found[each.domain].tables) for each in merged.domains
    )
    return replace(merged, domains=domains, counted_in=theirs.counted_in)


def choose(review: Review, other: OtherText, *, take_it: bool) -> Review:
    """Put the other text in its place, or let go of it. What stood there is then kept beside."""
    if other not in review.others:
        raise InputError("this text is no longer there to choose: open the review again")
    left = tuple(each for each in review.others if each != other)
    if not take_it:
        return replace(review, others=left)
    part = PARTS.get(other.part)
    if part is None:
        raise InputError(f"{words_of(other.part)} can't be put in place of the one that stands: only let go of it")
    before = part.read(review)
    back = (OtherText(part.id, before, review.side, review.written_at),) if before else ()
    return replace(part.write(review, other.text), others=(*left, *back))


def shown_other(other: OtherText) -> str:
    """The other text as a person reads it."""
    part = PARTS.get(other.part)
    return other.text if part is None else shown(part, other.text)
