"""Signing a review: what it takes, and every later edit is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.press import DOMAINS, PARTS, Person, PressEvidence, Request, edited_parts, missing, signed
from core.errors import InputError
from tests.core.audit.press_scenes import AT, LATER, decided, review, with_comments
from tests.messages import refusal


def test_an_unnamed_reviewer_may_work_but_not_sign():
    unnamed = replace(decided(review()), reviewer=Person("  "))
    assert unnamed.state == "under review"
    with refusal(InputError):
        signed(unnamed, at=LATER)


def test_what_is_missing_is_said_all_at_once():
    assert missing(decided(review())) == ()
    some = review()
    some = some.with_domain(replace(some.domain("words"), verdict="required"))
    facts = ("reviewer's name", "domains 1, 2, 3, 5 and 6", "comments on domain 4", "overall verdict")
    for step, fact in zip(missing(some), facts, strict=True):
        assert fact in step


def test_the_overall_verdict_is_no_milder_than_a_revision_that_is_required():
    done = decided(review())
    done = done.with_domain(replace(done.domain("limits"), verdict="required"))
    with refusal(InputError):
        signed(done, at=LATER)
    assert signed(replace(done, overall="required"), at=LATER).state == "signed"


def test_a_signature_has_name_and_time_and_holds():
    done = signed(decided(review(), name=" Rob Reads "), at=LATER)
    assert (done.signature.name, done.signature.signed_at) == ("Rob Reads", LATER)
    assert done.state == "signed"
    assert edited_parts(done) == ()


def test_replying_does_not_break_the_signature():
    done = signed(decided(review()), at=LATER)
    answered = done.with_domain(replace(done.domain("words"), reply="Done."))
    answered = replace(answered, overall_reply="Thank you.", replied_at=LATER, written_at=LATER)
    assert edited_parts(answered) == ()
    assert answered.state == "replied"


SIGNATURE_ITSELF = "the name or time of the signature"


def _with_evidence(each, text):
    return replace(each, evidence=(PressEvidence(text), *each.evidence[1:]))


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (lambda r: replace(r, text=r.text + " "), "the search string"),
        (lambda r: replace(r, dialect="pubmed"), "the search string"),
        (lambda r: replace(r, request=Request("Another question")), "the request"),
        (lambda r: with_comments(r, "words", "Fine."), "the comments on domain 4"),
        (lambda r: r.with_domain(replace(r.domain("limits"), verdict="required")), "the verdict on domain 6"),
        (lambda r: r.with_domain(_with_evidence(r.domain("operators"), "x")), "the evidence on domain 2"),
        (lambda r: replace(r, overall="none"), "the overall verdict"),
        (lambda r: replace(r, overall_comments=""), "the overall comments"),
        (lambda r: replace(r, reviewer=replace(r.reviewer, name="Somebody else")), "the reviewer's name"),
        (lambda r: replace(r, signature=replace(r.signature, name="Somebody else")), SIGNATURE_ITSELF),
        (lambda r: replace(r, signature=replace(r.signature, signed_at=AT)), SIGNATURE_ITSELF),
    ],
)
def test_an_edit_after_signing_is_named(edit, named):
    assert edited_parts(edit(signed(decided(review()), at=LATER))) == (named,)


def test_parts_of_the_signature_cannot_be_swapped_unseen():
    done = signed(decided(review()), at=LATER)
    changed = with_comments(done, "words", "Fine.")
    forged = signed(changed, at=LATER).signature
    mixed = replace(changed, signature=replace(done.signature, parts=forged.parts))
    assert edited_parts(mixed) == (SIGNATURE_ITSELF,)


REVIEWERS = [part.id for part in PARTS.values() if part.owner == "reviewer" and not part.id.startswith("reviewer.")]


@given(st.sampled_from(REVIEWERS), st.text(max_size=20))
def test_any_change_of_what_the_reviewer_said_is_detected(place, text):
    done, part = signed(decided(review()), at=LATER), PARTS[place]
    changed = part.write(done, text)
    assert bool(edited_parts(changed)) == (part.read(changed) != part.read(done))


def test_every_domain_and_the_whole_have_their_places():
    assert {f"{domain.id}.{name}" for domain in DOMAINS for name in ("verdict", "comments", "reply")} <= set(PARTS)
    assert {"overall.verdict", "overall.comments", "overall.reply", "reviewer.name", "request.question"} <= set(PARTS)
