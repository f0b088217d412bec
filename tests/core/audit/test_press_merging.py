"""A file that comes back: who wrote what is told apart, and neither side's words are ever lost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.audit.press import PARTS, OtherText, Person, PressEvidence, Request, edited_parts, signed, words_of
from core.audit.press_exchange import as_json, choose, merge, read_review, shown_other
from core.errors import InputError
from tests.core.audit.press_scenes import AT, LAST, LATER, decided, handed_over, review, with_comments
from tests.messages import refusal

LATEST = "2031-05-07T18:00:00+00:00"
SOON = "2031-05-06T18:00:00+00:00"


def written(each, at):
    """A copy as it is written down at this time."""
    return replace(each, written_at=at)


def returned(sent, change=lambda copy: copy, at=LATER):
    """What the other side sends back."""
    return written(change(handed_over(sent)), at)


def test_what_only_the_reviewer_wrote_is_taken():
    ours = review()
    found = merge(ours, returned(ours, decided))
    assert found.review.domain("words").comments == "On Text word searching."
    assert found.review.overall == "suggested"
    assert found.review.reviewer.name == "Rob Reads"
    assert words_of("words.comments") in found.taken
    assert found.both_kept == found.notes == found.review.others == ()


def test_what_only_the_requestor_wrote_since_stays():
    sent = review()
    ours = written(replace(sent, request=Request("A better question")), SOON)
    found = merge(ours, returned(sent, decided))
    assert found.review.request.question == "A better question"
    assert found.both_kept == ()


def test_where_both_wrote_the_owner_stands_and_the_other_is_kept():
    sent = review()
    ours = written(with_comments(sent, "words", "Add synonyms."), SOON)
    found = merge(ours, returned(sent, lambda copy: with_comments(copy, "words", "Too many synonyms.")))
    assert found.review.domain("words").comments == "Too many synonyms."
    assert found.review.others == (OtherText("words.comments", "Add synonyms.", "requestor", SOON),)
    assert found.both_kept == (words_of("words.comments"),)


def test_a_signed_comment_that_the_requestor_changed_comes_back_as_it_was_signed():
    sent = review()
    there = written(signed(decided(handed_over(sent)), at=LATER), LATER)
    ours = written(merge(sent, there).review, LATER)
    ours = written(with_comments(ours, "words", "All is well."), LATEST)
    assert edited_parts(ours) == (words_of("words.comments"),)
    there = written(merge(there, ours).review, LAST)
    assert edited_parts(there) == (), "the reviewer's words stand on the reviewer's side"
    found = merge(ours, written(there, LAST)).review
    assert found.domain("words").comments == "On Text word searching."
    assert edited_parts(found) == ()
    assert "All is well." in [other.text for other in found.others]


def test_the_reviewer_does_not_overwrite_the_request():
    sent = review()
    back = returned(sent, lambda copy: replace(copy, request=replace(copy.request, question="Other?")))
    found = merge(sent, back)
    assert found.review.request.question == sent.request.question
    assert found.review.others == (OtherText("request.question", "Other?", "reviewer", LATER),)


def test_the_requestor_does_not_overwrite_the_comments():
    sent = review()
    copy = written(with_comments(handed_over(sent), "words", "Mine."), SOON)
    again = written(with_comments(sent, "words", "Theirs."), LATER)
    found = merge(copy, again)
    assert found.review.domain("words").comments == "Mine."
    assert [other.text for other in found.review.others] == ["Theirs."]


def test_a_second_sending_brings_what_is_new_and_leaves_what_was_written():
    sent = review()
    copy = written(with_comments(handed_over(sent), "words", "Mine."), SOON)
    again = written(replace(sent, request=replace(sent.request, notes="One thing more.")), LATER)
    found = merge(copy, again)
    assert found.review.request.notes == "One thing more."
    assert found.review.domain("words").comments == "Mine."
    assert found.both_kept == ()


def test_to_and_fro_three_times_without_a_conflict():
    ours = review()
    theirs = returned(ours, decided, LATER)
    ours = written(merge(ours, theirs).review, LATER)
    ours = ours.with_domain(replace(ours.domain("words"), reply="Which ones?"))
    theirs = merge(theirs, written(ours, LAST)).review
    assert theirs.domain("words").reply == "Which ones?"
    theirs = written(with_comments(theirs, "words", "These: a, b."), "2031-05-09T12:00:00+00:00")
    found = merge(written(ours, LAST), theirs)
    assert found.review.domain("words").comments == "These: a, b."
    assert found.review.domain("words").reply == "Which ones?"
    assert found.review.others == theirs.others == ()
    assert found.taken == (words_of("words.comments"),)


def test_the_same_file_twice_changes_nothing_more():
    sent = review()
    ours = written(with_comments(sent, "words", "Ours."), SOON)
    back = returned(sent, decided)
    once = merge(ours, back)
    twice = merge(written(once.review, LAST), back)
    assert (twice.taken, twice.both_kept, twice.notes) == ((), (), ())
    assert twice.review.others == once.review.others


def test_an_older_file_changes_nothing_and_says_so():
    sent = review()
    first, second = returned(sent, decided, SOON), returned(sent, lambda c: decided(c, name="Rob Reads"), LATER)
    kept = merge(sent, second).review
    found = merge(kept, first)
    assert found.review == kept
    (note,) = found.notes
    assert 0 < note.index(SOON) < note.index(LATER)


def test_ones_own_file_changes_nothing_and_says_so():
    sent = review()
    ours = written(replace(sent, request=Request("Changed since")), SOON)
    found = merge(ours, sent)
    assert found.review == ours
    assert "is your own" in found.notes[0]


def test_two_reviewers_of_one_request_do_not_erase_each_other():
    sent = review()
    first = returned(sent, lambda c: with_comments(decided(c, name="Rob"), "words", "From Rob."), SOON)
    second = returned(sent, lambda c: with_comments(decided(c, name="Sue"), "words", "From Sue."), LATER)
    found = merge(written(merge(sent, first).review, SOON), second)
    assert found.review.domain("words").comments == "From Sue."
    assert "From Rob." in [other.text for other in found.review.others]


def test_another_review_is_refused():
    with refusal(InputError):
        merge(review(), review(review_id="f" * 16))


def test_a_signature_comes_with_the_file_and_holds():
    sent = review()
    found = merge(sent, returned(sent, lambda copy: signed(decided(copy), at=LATER)))
    assert found.review.state == "signed"
    assert edited_parts(found.review) == ()
    assert "the signature" in found.taken


def test_a_reply_goes_back_to_the_reviewer():
    sent = review()
    theirs = returned(sent, lambda copy: signed(decided(copy), at=LATER))
    ours = merge(sent, theirs).review
    ours = written(replace(ours, overall_reply="Thank you.", replied_at=LAST), LAST)
    found = merge(theirs, ours)
    assert found.review.state == "replied"
    assert found.review.overall_reply == "Thank you."
    assert edited_parts(found.review) == ()
    assert any("requestor's reply" in part for part in found.taken)


def test_a_second_signature_stands_and_the_first_is_told():
    sent = review()
    first = merge(sent, returned(sent, lambda copy: signed(decided(copy), at=SOON), SOON)).review
    second = returned(sent, lambda copy: signed(with_comments(decided(copy), "words", "New."), at=LATER))
    found = merge(written(first, SOON), second)
    assert found.review.signature.signed_at == LATER
    assert edited_parts(found.review) == ()
    assert [o.part for o in found.review.others] == ["signature"]
    assert f"Rob Reads on {SOON}" in found.review.others[0].text


def test_a_string_that_was_changed_in_the_file_does_not_become_ours():
    sent = review()
    found = merge(sent, returned(sent, lambda copy: replace(copy, text="cats")))
    assert found.review.text == sent.text
    assert "search string" in found.notes[0]
    assert found.review.others[0].part == "string"
    with refusal(InputError):
        choose(found.review, found.review.others[0], take_it=True)
    assert choose(found.review, found.review.others[0], take_it=False).others == ()


def test_evidence_comes_from_the_requestor():
    sent = review()
    newer = written(sent.with_domain(replace(sent.domain("words"), evidence=(PressEvidence("Counted anew."),))), LATER)
    assert merge(handed_over(sent), newer).review.domain("words").evidence == (PressEvidence("Counted anew."),)
    back = returned(sent, lambda c: c.with_domain(replace(c.domain("words"), evidence=(PressEvidence("Made up."),))))
    assert merge(sent, back).review.domain("words").evidence == sent.domain("words").evidence


def test_choosing_swaps_the_two_texts_and_letting_go_ends_it():
    sent = review()
    ours = written(with_comments(sent, "words", "Ours."), SOON)
    kept = merge(ours, returned(sent, lambda c: with_comments(c, "words", "Theirs."))).review
    taken = choose(kept, kept.others[0], take_it=True)
    assert taken.domain("words").comments == "Ours."
    assert [other.text for other in taken.others] == ["Theirs."]
    back = choose(taken, taken.others[0], take_it=True)
    assert back.domain("words").comments == "Theirs."
    assert choose(back, back.others[0], take_it=False).others == ()
    with refusal(InputError):
        choose(kept, OtherText("words.comments", "x", "reviewer", AT), take_it=True)


def test_a_verdict_is_shown_in_words():
    assert shown_other(OtherText("words.verdict", "required", "reviewer", AT)) == "Revision(s) required"
    assert shown_other(OtherText("words.comments", "none", "reviewer", AT)) == "none"
    assert (words_of("string"), words_of("signature")) == ("the search string", "the signature")


TEXT_PARTS = [part for part in PARTS if not part.endswith((".verdict", ".name"))]
PLACES = st.dictionaries(st.sampled_from(TEXT_PARTS), st.sampled_from(["", "a", "b", "c"]), max_size=5)


def _write(each, places):
    for place, text in places.items():
        each = PARTS[place].write(each, text)
    return each


def _all_texts(each, place):
    return {PARTS[place].read(each), *(other.text for other in each.others if other.part == place)}


@given(before=PLACES, ours=PLACES, theirs=PLACES)
def test_neither_sides_words_are_ever_lost(before, ours, theirs):
    sent = _write(review(requestor=Person()), before)
    here = written(_write(sent, ours), SOON)
    there = returned(sent, lambda copy: _write(copy, theirs))
    found = read_review(as_json(merge(here, there).review)).review
    for place in TEXT_PARTS:
        start, mine, yours = (PARTS[place].read(each) for each in (sent, here, there))
        texts = _all_texts(found, place)
        if mine not in (start, ""):
            assert mine in texts, "what the requestor wrote since"
        if yours not in (start, ""):
            assert yours in texts, "what the reviewer wrote since"
        if mine != start and yours != start and mine != yours:
            assert PARTS[place].read(found) == (yours if PARTS[place].owner == "reviewer" else mine)
        if mine == start and yours != start and PARTS[place].owner == "reviewer":
            assert PARTS[place].read(found) == yours
        if yours == start:
            emptied_for_the_reviewer = mine == "" and PARTS[place].owner == "reviewer"
            assert mine == start or mine in texts or emptied_for_the_reviewer


@given(ours=PLACES, theirs=PLACES)
def test_both_copies_agree_on_what_stands_after_to_and_fro(ours, theirs):
    sent = review(requestor=Person())
    here = written(_write(sent, {p: t for p, t in ours.items() if PARTS[p].owner == "requestor"}), SOON)
    there = returned(sent, lambda copy: _write(copy, {p: t for p, t in theirs.items() if PARTS[p].owner == "reviewer"}))
    at_home = written(merge(here, there).review, LAST)
    away = merge(there, at_home).review
    for place in PARTS:
        assert PARTS[place].read(at_home) == PARTS[place].read(away)
    assert at_home.others == away.others == ()
