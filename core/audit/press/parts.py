"""The places of a review in which somebody writes: whose each is, what stands there, and a short mark of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import cast

from core.audit.press.domains import DOMAINS, VERDICTS, Domain, Verdict
from core.audit.press.types import DomainReview, Person, Request, Review, Side

SIGNATURE = "signature"
STRING = "string"
"""Two places that nobody writes in, but that may differ."""
MARK_LENGTH = 24
"""Characters of a hash that tell one text of a place from another."""


@dataclass(frozen=True, slots=True)
class Part:
    """One place."""

    id: str
    """As "operators.comments" or "reviewer.name"."""
    words: str
    """What a sentence calls it."""
    owner: Side
    """Whose words stand there where both sides wrote."""
    read: Callable[[Review], str]
    write: Callable[[Review, str], Review]


def shown(part: Part, text: str) -> str:
    """What stands in a place, as a person reads it."""
    return VERDICTS.get(cast(Verdict, text), text) if part.id.endswith(".verdict") else text


def canonical(value: object) -> str:
    """The one way of writing a value down, so that the same value has the same hash everywhere."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(value: object) -> str:
    """Of the canonical form."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def mark(text: str) -> str:
    """A short name for what stands in a place."""
    return sha256(text)[:MARK_LENGTH]


def marks(review: Review) -> tuple[tuple[str, str], ...]:
    """Of every place."""
    return tuple((part.id, mark(part.read(review))) for part in PARTS.values())


def _verdict(text: str) -> Verdict | None:
    return text if text in VERDICTS else None


_REQUEST = {
    "question": "the research question",
    "database": "the database",
    "included": "the criteria for what is included",
    "excluded": "the criteria for what is excluded",
    "notes": "the requestor's notes",
    "wanted_by": "the date by which the review is wanted",
}
_PERSON = {"name": "name", "affiliation": "affiliation", "email": "address"}


def _request_part(name: str) -> Part:
    def read(review: Review) -> str:
        return cast(str, getattr(review.request, name))

    def write(review: Review, text: str) -> Review:
        changes: dict[str, str] = {name: text}
        return replace(review, request=replace(review.request, **changes))

    return Part(f"request.{name}", _REQUEST[name], "requestor", read, write)


def _person_part(side: Side, name: str) -> Part:
    def read(review: Review) -> str:
        return cast(str, getattr(getattr(review, side), name))

    def write(review: Review, text: str) -> Review:
        changes: dict[str, str] = {name: text}
        changed = replace(cast(Person, getattr(review, side)), **changes)
        return replace(review, requestor=changed) if side == "requestor" else replace(review, reviewer=changed)

    return Part(f"{side}.{name}", f"the {side}'s {_PERSON[name]}", side, read, write)


def _domain_parts(domain: Domain) -> Iterator[Part]:
    def part(field: str, owner: Side, write: Callable[[DomainReview, str], DomainReview]) -> Part:
        def read(review: Review) -> str:
            return getattr(review.domain(domain.id), field) or ""

        def written(review: Review, text: str) -> Review:
            return review.with_domain(write(review.domain(domain.id), text))

        return Part(f"{domain.id}.{field}", f"the {field} on domain {domain.number}", owner, read, written)

    yield part("verdict", "reviewer", lambda d, text: replace(d, verdict=_verdict(text)))
    yield part("comments", "reviewer", lambda d, text: replace(d, comments=text))
    yield part("reply", "requestor", lambda d, text: replace(d, reply=text))


def _overall_parts() -> Iterator[Part]:
    yield Part(
        "overall.verdict",
        "the overall verdict",
        "reviewer",
        lambda review: review.overall or "",
        lambda review, text: replace(review, overall=_verdict(text)),
    )
    yield Part(
        "overall.comments",
        "the overall comments",
        "reviewer",
        lambda review: review.overall_comments,
        lambda review, text: replace(review, overall_comments=text),
    )
    yield Part(
        "overall.reply",
        "the overall reply",
        "requestor",
        lambda review: review.overall_reply,
        lambda review, text: replace(review, overall_reply=text),
    )


def _parts() -> Iterator[Part]:
    yield from (_request_part(field.name) for field in fields(Request))
    sides: tuple[Side, ...] = ("requestor", "reviewer")
    yield from (_person_part(side, field.name) for side in sides for field in fields(Person))
    for domain in DOMAINS:
        yield from _domain_parts(domain)
    yield from _overall_parts()


PARTS: dict[str, Part] = {part.id: part for part in _parts()}
"""By id, in the order of the form."""


def words_of(part: str) -> str:
    """What a sentence calls a place."""
    if part == STRING:
        return "the search string"
    return "the signature" if part == SIGNATURE else PARTS[part].words
