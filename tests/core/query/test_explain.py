"""Verdicts on core publications, one example each, and what must hold for any query."""

from __future__ import annotations

from hypothesis import given, settings

from core.query.explanations import Rescuer, explain, failing
from core.query.match import holds, match
from core.query.parser import parse
from core.query.tree import Not
from tests.core.query_scenes import (
    FakeCorpus,
    all_of_these,
    asked_about,
    none_of_these,
    one_of_these,
    scenes,
    stakes_of,
    term,
    texts_of,
    weighed,
)
from tests.messages import assert_message

PUBLICATIONS = [
    {"title": "Robot adapt", "abstract": "heat"},
    {"title": "Robot work", "abstract": "an adaptive kind of heat"},
    {"title": "Robot work"},
    {"title": "Robot adapt", "abstract": "heat of a rabbit"},
    {"title": "Other things", "abstract": "entirely"},
    {"title": "Robot heat", "abstract": "reconfigured"},
]
QUERY = all_of_these("robot", one_of_these("adapt", "reconfigur"), "heat", none_of_these("rabbit"))


def explained(root, *ids, publications=PUBLICATIONS, with_rescues=()):
    return explain(asked_about(root, publications, range(len(publications))), ids, with_rescues=with_rescues)


def test_every_core_publication_gets_its_verdict_in_the_order_given():
    ids = ("p4", "p0", "nowhere", "p1", "p2", "p3")
    found = explained(QUERY, *ids)
    assert tuple(e.publication_id for e in found) == ids
    verdicts = ["fails_block", "found", "not_in_corpus", "near_miss", "no_abstract", "removed_by_not"]
    assert [e.verdict for e in found] == verdicts
    assert_message(*(e.sentence for e in found))
    assert [[f.block for f in e.failing] for e in found] == [[1, 2, 3], [], [], [2], [2, 3], [4]]


def test_a_missing_abstract_is_no_excuse_where_only_titles_are_searched():
    root = all_of_these(term("robot", "title"), term("adapting", "title"))
    assert [e.verdict for e in explained(root, "p2", "p1", "p0")] == ["fails_block", "fails_block", "near_miss"]
    assert "match for work" in explained(term("work"), "p2", "p4")[1].sentence


def test_a_query_that_can_not_be_tested_says_so():
    (only,) = explained(term("smith", "author"), "p0")
    assert only.verdict == "fails_block"
    assert "be tested" in only.sentence


def test_a_not_among_several_reasons_is_named():
    (only,) = explained(all_of_these("reconfigur", none_of_these("rabbit")), "p3")
    assert only.verdict == "fails_block"
    assert "1 and 2 of 2: no match for reconfigur and NOT rabbit" in only.sentence


def test_long_blocks_are_cut_in_the_sentence():
    block = one_of_these(*(f"word{i}" for i in range(30)))
    (only,) = explained(all_of_these("robot", block), "p4")
    assert len(only.sentence) < 150
    assert "…" in only.sentence


def test_rescues_are_worked_out_only_for_those_asked_for():
    one, other = explained(QUERY, "p1", "p5", with_rescues={"p1"})
    assert "truncate adapt to adapt*" in {rescue.label for rescue in one.rescues}
    assert other.rescues == ()


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_verdicts_agree_with_what_was_retrieved_and_what_fails(scene):
    _, matched, corpus, _ = scene
    asked = weighed(*scene)
    found = explain(asked, corpus.ids, with_rescues=corpus.ids, rescuer=Rescuer(asked))
    for row, each in enumerate(found):
        assert (each.verdict == "found") == holds(asked.retrieved, row)
        assert tuple(f.number for f in each.failing) == failing(matched, row).numbers
        assert all(f.span == matched.nodes[f.number].span for f in each.failing)
        only_nots = bool(each.failing) and all(isinstance(matched.nodes[f.number], Not) for f in each.failing)
        assert (each.verdict == "removed_by_not") == only_nots
        if each.verdict == "near_miss":
            assert len(each.failing) == 1
            assert each.evidence
        for e in each.evidence:
            assert corpus.texts.words_of(row, e.field)[e.first : e.last + 1] == e.words
        assert each.sentence.endswith(".")
        assert each.rescues == () or each.verdict not in ("found", "not_in_corpus")


def test_lines_that_are_referred_to_are_named_by_their_words():
    text = "1. robot.ti.\n2. adapt.ti.\n3. reconfigur.ti.\n4. or/2-3\n5. 1 and 4"
    corpus = FakeCorpus(texts_of(PUBLICATIONS))
    parsed = parse(text, "ovid")
    matched = match(parsed.root, corpus, "literal")
    asked = weighed(text, matched, corpus, stakes_of(corpus.texts.n, range(corpus.texts.n)))
    (found,) = explain(asked, ["p2"], with_rescues=())
    assert "adapt.ti. OR reconfigur.ti." in found.sentence
