"""A review as a document, in the order of the form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.audit.document import (
    Block,
    Column,
    Document,
    Heading,
    Listing,
    Paragraph,
    Prompt,
    Remark,
    Strategy,
    Table,
    Value,
)
from core.audit.formatting import moment
from core.audit.press.domains import CITATION, VERDICTS, Verdict
from core.audit.press.merging import shown_other
from core.audit.press.parts import words_of
from core.audit.press.signing import NO_PROOF, edited_parts
from core.audit.press.types import DomainReview, Evidence, Person, Review
from core.query.dialects import DIALECTS
from core.text import listed

LOOK = "Worth a look: "
"""Stands before evidence that a reviewer may want a revision for."""


def press_document(review: Review, *, made_at: str, made_with: str) -> Document:
    """Request, string, each domain with its evidence, verdict, comments and reply, then the whole and the signature."""
    blocks: list[Block] = [
        *_head(review),
        *_request(review),
        *_string(review),
        *(block for each in review.domains for block in _domain(review, each)),
        *_overall(review),
        *_others(review),
        *_signature(review),
        Heading("How this review was made"),
        Paragraph(
            f"The six domains and the three verdicts are those of PRESS 2015: {CITATION}. The questions and the "
            "evidence are in Queryscape's words. Evidence is counted or checked by the tool; verdicts and comments are "
            "the reviewer's."
        ),
    ]
    return Document(
        kind="press",
        title="Peer review of a search strategy (PRESS 2015)",
        subtitle=f"{review.topic}, version “{review.version}”",
        blocks=tuple(_with_own_names(blocks)),
        made_at=made_at,
        made_with=made_with,
        made_up=review.made_up,
    )


def _with_own_names(blocks: list[Block]) -> Iterator[Block]:
    """A foreign file may give two tables one name."""
    seen: Counter[str] = Counter()
    for block in blocks:
        if isinstance(block, Table):
            seen[block.name] += 1
            if seen[block.name] > 1:
                yield replace(block, name=f"{block.name}-again-{seen[block.name]}")
                continue
        yield block


def _head(review: Review) -> Iterator[Block]:
    yield Paragraph(_state_in_words(review), is_lead=True)
    edited = edited_parts(review)
    if edited:
        yield Remark(f"Changed after signing: {listed(edited)}.", is_warning=True)
    if review.others:
        n = len(review.others)
        places = "one place" if n == 1 else f"{n:,} places"
        yield Remark(f"Both sides wrote in {places}. Both texts are below; somebody still has to choose.", True)
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.about.number, each.about.title, VERDICTS[each.verdict] if each.verdict else None, _n_to_look_at(each))
        for each in review.domains
    )
    yield Table(
        "press-verdicts",
        "The verdicts, domain by domain",
        (Column("Domain", "count"), Column("Title"), Column("Verdict"), Column("Worth a look", "count")),
        (*rows, (None, "Over all", VERDICTS[review.overall] if review.overall else None, None)),
        note="Worth a look: how much of the evidence a reviewer may want a revision for.",
    )


def _n_to_look_at(each: DomainReview) -> int:
    return sum(found.look for found in each.evidence)


def _state_in_words(review: Review) -> str:
    who = review.reviewer.name.strip() or "nobody named yet"
    if review.signature is not None:
        said = VERDICTS[review.overall] if review.overall else "no overall verdict"
        signed = f"Signed by {review.signature.name} on {moment(review.signature.signed_at)}. Over all: {said}."
        return f"{signed} The requestor replied on {moment(review.replied_at)}." if review.replied_at else signed
    asked = f"Requested on {moment(review.requested_at)}."
    if review.state == "requested":
        return f"{asked} The review has not begun. Reviewer: {who}."
    return f"{asked} Under review: {review.n_decided} of {len(review.domains)} domains have a verdict. Reviewer: {who}."


def _request(review: Review) -> Iterator[Block]:
    yield Heading("Request")
    request = review.request
    rows: list[tuple[Value, ...]] = [
        ("Requestor", _person(review.requestor)),
        ("Reviewer", _person(review.reviewer)),
        ("Requested on", moment(review.requested_at) if review.requested_at else None),
        ("Wanted by", request.wanted_by or None),
        ("Database and platform", request.database or None),
    ]
    yield Table("press-request", "Who asks, who is asked, and when", (Column("What"), Column("Said")), tuple(rows))
    for title, text, item in (
        ("Research question", request.question, "press:question"),
        ("What is included", request.included, ""),
        ("What is excluded", request.excluded, ""),
        ("Notes", request.notes, ""),
    ):
        if text.strip():
            yield Heading(title, 3)
            yield from _written(text)
        elif item:
            yield Heading(title, 3)
            yield Prompt("The requestor has not said yet what the search is to answer.", item)


def _person(person: Person) -> str | None:
    said = [person.name.strip() or "unnamed", person.affiliation.strip(), person.email.strip()]
    return ", ".join(each for each in said if each) if any((person.name, person.affiliation, person.email)) else None


def _written(text: str) -> Iterator[Block]:
    """What somebody wrote: an empty line begins a paragraph."""
    for part in text.replace("\r\n", "\n").split("\n\n"):
        if part.strip():
            yield Paragraph(part.strip())


def _string(review: Review) -> Iterator[Block]:
    yield Heading("Search string")
    names: dict[str, str] = {dialect.id: dialect.label for dialect in DIALECTS.values()}
    dialect = f", read as {names.get(review.dialect, review.dialect)}" if review.dialect not in (None, "plain") else ""
    yield Strategy(review.text, f"Version “{review.version}”{dialect}, exactly as it was sent for review")
    if review.counted_in:
        yield Paragraph(f"Everything below was counted among {review.counted_in}, when the review was requested.")


def _domain(review: Review, each: DomainReview) -> Iterator[Block]:
    about = each.about
    yield Heading(f"{about.number}. {about.title}")
    yield Paragraph("To think about:")
    yield Listing(about.asks)
    if each.evidence:
        yield Paragraph("What the tool found:")
        yield Listing(tuple(_sentence(found) for found in each.evidence))
    else:
        yield Paragraph("The tool found nothing.")
    yield from each.tables
    yield from _verdict(each.verdict, about.item, f"on domain {about.number}")
    if each.verdict is not None or each.comments.strip():
        yield from _comments(each.comments)
    yield from _reply(review, each.reply)


def _sentence(found: Evidence) -> str:
    return f"{LOOK}{found.text}" if found.look else found.text


def _verdict(verdict: Verdict | None, item: str, where: str) -> Iterator[Block]:
    if verdict is None:
        yield Prompt(f"The reviewer has given no verdict {where} yet.", item)
    else:
        yield Heading(f"Verdict {where}: {VERDICTS[verdict]}", 3)


def _comments(text: str) -> Iterator[Block]:
    if text.strip():
        yield Paragraph("Comments of the reviewer:")
        yield from _written(text)
    else:
        yield Paragraph("The reviewer wrote no comments.")


def _reply(review: Review, text: str) -> Iterator[Block]:
    if text.strip():
        yield Paragraph("Reply of the requestor:")
        yield from _written(text)
    elif review.replied_at:
        yield Paragraph("The requestor replied nothing to this.")


def _overall(review: Review) -> Iterator[Block]:
    yield Heading("Over all")
    yield from _verdict(review.overall, "press:overall", "over all")
    if review.requires_revision and review.overall not in (None, "required"):
        yield Remark("A domain requires revisions, so PRESS asks for this verdict over all too.", is_warning=True)
    if review.overall is not None or review.overall_comments.strip():
        yield from _comments(review.overall_comments)
    yield from _reply(review, review.overall_reply)


def _others(review: Review) -> Iterator[Block]:
    if not review.others:
        return
    yield Heading("Written by the other side in the same place")
    for other in review.others:
        when = f" on {moment(other.written_at)}" if other.written_at else ""
        place = words_of(other.part)
        yield Heading(f"{place[:1].upper()}{place[1:]}, by the {other.side}{when}", 3)
        text = shown_other(other)
        if other.part == "string":
            yield Strategy(text)
        else:
            yield from _written(text)


def _signature(review: Review) -> Iterator[Block]:
    yield Heading("Signature")
    signature = review.signature
    if signature is None:
        yield Prompt("The review is not signed yet. A reviewer needs a name to sign.", "press:signature")
        return
    edited = edited_parts(review)
    rows: tuple[tuple[Value, ...], ...] = (
        ("Signed by", signature.name),
        ("On", moment(signature.signed_at)),
        ("SHA-256 of what was signed", signature.sha256),
        ("Changed since", listed(edited) if edited else "nothing"),
    )
    yield Table("press-signature", "The reviewer's signature", (Column("What"), Column("Said", "code")), rows)
    yield Paragraph(NO_PROOF)
