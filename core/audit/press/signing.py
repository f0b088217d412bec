"""Signing a review: what the reviewer stood by, and whether it was changed since.

A signature is a name, a time and a SHA-256 for each part that was signed. Anybody can write one: it shows that nothing
was changed since, by accident or in passing, and is no proof of who signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from core.audit.press.parts import PARTS, sha256
from core.audit.press.types import Review, Signature
from core.errors import InputError
from core.text import listed
from core.types import Ids

NO_PROOF = (
    "The signature shows whether anything was changed after signing. It is not a cryptographic proof of who signed."
)


def missing(review: Review) -> Ids:
    """What is still to be done before it can be signed, in words; empty: nothing."""
    return tuple(_missing(review))


def _missing(review: Review) -> Iterator[str]:
    if not review.reviewer.name.strip():
        yield "give the reviewer's name"
    open_ones = [str(each.about.number) for each in review.domains if each.verdict is None]
    if open_ones:
        yield f"give a verdict on domain{'s' if len(open_ones) > 1 else ''} {listed(open_ones)}"
    silent = [str(d.about.number) for d in review.domains if d.verdict in ("suggested", "required") and not d.comments]
    if silent:
        yield f"say in the comments what to revise in domain{'s' if len(silent) > 1 else ''} {listed(silent)}"
    if review.overall is None:
        yield "give the overall verdict"
    elif review.requires_revision and review.overall != "required":
        yield "make the overall verdict “Revision(s) required”, as that of a domain is"


def signed(review: Review, *, at: str) -> Review:
    """The same, signed by its reviewer at this time. An error that says what is missing."""
    to_do = missing(review)
    if to_do:
        raise InputError(f"the review can't be signed yet: {'; '.join(to_do)}. What was written is kept")
    name, parts = review.reviewer.name.strip(), _hashes(review)
    return replace(review, signature=Signature(name, at, parts, _whole(name, at, parts)), replied_at="")


def edited_parts(review: Review) -> Ids:
    """What was changed after signing, in words; empty: nothing, or it is not signed."""
    signature = review.signature
    if signature is None:
        return ()
    then, words = dict(signature.parts), {name: said for name, said, _ in _signed(review)}
    found = [words[name] for name, now in _hashes(review) if then.get(name) != now]
    if signature.sha256 != _whole(signature.name, signature.signed_at, signature.parts):
        found.append("the signature itself, its name or its time")
    elif review.reviewer.name.strip() != signature.name:
        found.append("the reviewer's name")
    return tuple(found)


def holds_since(review: Review) -> str | None:
    """When it was signed; None: it was not, or something was changed since, so that it has to be signed again."""
    return None if review.signature is None or edited_parts(review) else review.signature.signed_at


def _whole(name: str, at: str, parts: tuple[tuple[str, str], ...]) -> str:
    return sha256([name, at, [list(part) for part in parts]])


def _hashes(review: Review) -> tuple[tuple[str, str], ...]:
    return tuple((name, sha256(value)) for name, _, value in _signed(review))


def _signed(review: Review) -> Iterator[tuple[str, str, object]]:
    """What a reviewer stands by: id, what a sentence calls it, and its value."""
    yield "string", "the search string", [review.text, review.dialect, review.topic, review.version]
    yield "request", "the request", asdict(review.request)
    for each in review.domains:
        number = each.about.number
        evidence = [[asdict(found) for found in each.evidence], [asdict(table) for table in each.tables]]
        yield f"{each.domain}.evidence", f"the evidence on domain {number}", evidence
        for field in ("verdict", "comments"):
            part = PARTS[f"{each.domain}.{field}"]
            yield part.id, part.words, part.read(review)
    for name in ("overall.verdict", "overall.comments"):
        yield name, PARTS[name].words, PARTS[name].read(review)
