"""The file that goes to and fro: nothing of it is lost, and nothing of a foreign one is taken on trust."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.press import PARTS, OtherText, signed, words_of
from core.audit.press_exchange import FORMAT_VERSION, LARGEST_FILE, LONGEST_TEXT, as_json, file_name, read_review
from core.errors import FormatError
from tests.core.audit.press_scenes import AT, LATER, decided, handed_over, review, with_comments
from tests.messages import refusal


def changed(**changes):
    """The text of a file with other values at its top."""
    return json.dumps({**json.loads(as_json(decided(review()))), **changes})


def with_cells(*cells):
    """The text of a file with a table of one column and these cells in its row."""
    return changed(domains=[{"domain": "words", "tables": [{"name": "x", "columns": [{}], "rows": [cells]}]}])


def test_a_review_comes_back_as_it_was():
    other = OtherText("words.comments", "Ours.", "requestor", AT)
    done = replace(signed(decided(review()), at=LATER), others=(other,), replied_at=LATER)
    for each in (review(), done, handed_over(done)):
        read = read_review(as_json(each).encode())
        assert read.review == each
        assert read.edited == read.notes == ()
        assert as_json(read.review) == as_json(each)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(st.dictionaries(st.sampled_from(sorted(PARTS)), TEXTS, max_size=8), TEXTS)
def test_whatever_somebody_writes_comes_back(written, string):
    begun = review(text=string or "heat")
    for place, text in written.items():
        begun = PARTS[place].write(begun, text)
    assert read_review(as_json(begun)).review == begun


def test_the_file_holds_all_a_reviewer_needs_and_is_plain_json():
    document = json.loads(as_json(review()))
    assert document["format"] == "queryscape-press"
    assert document["text"] == "(heat OR tree*) AND shade NOT cats"
    assert document["request"]["question"] == review().request.question
    assert [domain["title"] for domain in document["domains"]][3] == "Text word searching"
    assert all(domain["evidence"] for domain in document["domains"])


def test_an_edit_after_signing_is_told_on_reading():
    text = as_json(signed(decided(review()), at=LATER))
    assert read_review(text).edited == ()
    assert read_review(text.replace("On Subject headings.", "Fine.")).edited == (words_of("headings.comments"),)


def test_a_newer_file_is_refused_with_a_sentence():
    with refusal(FormatError):
        read_review(changed(version=FORMAT_VERSION + 1, anything="goes"))


def test_unknown_keys_are_kept_out_with_a_note():
    document = json.loads(changed(mood="good"))
    document["domains"][1]["colour"] = "red"
    document["domains"].append({"domain": "translation", "verdict": "none"})
    read = read_review(json.dumps(document))
    assert read.review == decided(review())
    facts = ('in the file, as unknown here: "mood"', 'in domains.2, as unknown here: "colour"', 'domain "translation"')
    for note, fact in zip(read.notes, facts, strict=True):
        assert fact in note


@pytest.mark.parametrize(
    ("content", "said"),
    [
        *(
            (text, "can't be read as JSON")
            for text in ("", "PK\x03\x04", b"\xff\xfe\x00", "[" * 100_000, '{"n": ' + "9" * 5000 + "}")
        ),
        ("[]", "it contains something else"),
        ("{}", '"format" is not "queryscape-press"'),
        ('{"format": "queryscape-bundle"}', '"format" is not "queryscape-press"'),
        ('{"format": "a", "format": "b"}', "the same key twice"),
        ('{"format": NaN}', "NaN, which is not a number"),
        (changed(version="1"), '"version" must be a whole number from 1, got a text'),
        (changed(version=True), '"version" must be a whole number from 1'),
        (changed(version=0), '"version" must be a whole number from 1'),
        (changed(review_id="../../etc/passwd"), "review_id"),
        (changed(review_id=None), '"review_id" must be a text, got nothing'),
        (changed(text=5), '"text" must be a text, got a number'),
        (changed(text="x" * 100_001), "has 100,001 characters; at most 100,000 are read"),
        (changed(text="\ud800"), "half a character"),
        (changed(domains={}), '"domains" must be a list'),
        (changed(domains=[1]), '"domains.1" must be an object, got a number'),
        (changed(domains=[{"domain": "words"}, {"domain": "words"}]), 'contains domain "words" twice'),
        (changed(domains=[{"domain": "words", "verdict": "fine"}]), "must be one of none, suggested, required"),
        (changed(domains=[{"domain": "words", "evidence": [{}] * 301}]), "301 entries; at most 300"),
        (changed(domains=[{"domain": "words", "comments": "x" * (LONGEST_TEXT + 1)}]), "20,001 characters"),
        (changed(domains=[{"domain": "words", "tables": [{"name": "../x"}]}]), "letters, digits and hyphens"),
        (with_cells(1, 2), "lists of 1 cells"),
        (with_cells(True), "texts and numbers"),
        (with_cells(10**4000), "texts and numbers"),
        (changed(made_up="yes"), '"made_up" must be true or false'),
        (changed(written_at="yesterday"), '"written_at" must be a date and time'),
        (changed(written_at="2031-05-06T12:00:00"), "with its zone"),
        (changed(signature={"name": "Rob"}), '"signature.signed_at" must be a date'),
        (changed(side="judge"), '"side" must be one of requestor, reviewer'),
        (changed(base={"words.comments": 5}), '"base" must be an object of texts'),
    ],
)
def test_what_is_no_review_is_refused_with_one_sentence(content, said):
    with pytest.raises(FormatError) as found:
        read_review(content)
    assert said in str(found.value)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300


def test_a_huge_file_is_refused_before_it_is_read():
    with refusal(FormatError):
        read_review(b" " * (LARGEST_FILE + 1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(json.loads(as_json(review())))), JSON)
def test_a_file_with_any_other_value_is_read_or_refused(key, value):
    content = json.dumps({**json.loads(as_json(review())), key: value})
    with suppress(FormatError):
        read = read_review(content)
        assert read_review(as_json(read.review)).review == read.review


def test_a_file_is_named_after_topic_and_version():
    assert file_name(review(topic="Tea / Brewing", version="v 2")) == "tea-brewing-v-2.press.json"
    assert file_name(review(topic="茶", version="版")) == "review.press.json"
    assert len(file_name(review(topic="x" * 300))) < 100


def test_titles_with_markup_stay_titles():
    text = '<script>alert(1)</script> =1+1 $\\frac{a}{b}$ "quoted"'
    assert read_review(as_json(with_comments(review(), "words", text))).review.domain("words").comments == text
