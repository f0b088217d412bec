"""Evidence in the words of a publication, and rescues against matching the edited query again."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given, settings

from core.query.evidence import evidence
from core.query.explanations import HARDLY, Rescuer, from_title
from core.query.match import holds, match, rows_of
from core.query.parser import parse
from core.query.tree import Group, Near, Not, Term, apply_edits, parts_of, walk
from core.text import words
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
    written_down,
)


def kinds(leaf, publication, semantics="literal"):
    texts = texts_of([publication, "adapt adaptive adaptation reconfigure behaviour"])
    return [(e.kind, " ".join(e.words)) for e in evidence(leaf, texts, 0, semantics)]


@pytest.mark.parametrize(
    ("asked", "there", "expected"),
    [
        ("adapt", "an adaptive system", [("form", "adaptive")]),
        ("adaptation", "an adaptive system", [("form", "adaptive")]),
        ('"adapt system"', "an adaptive systems", [("form", "adaptive systems")]),
        ("behaviour", "human behavior", [("variant", "behavior")]),
        ("organis*", "the organization", [("variant", "organization")]),
        ("centre", "two centers in centers center", [("variant", "center")]),
        ("modelling", "modeling", [("variant", "modeling")]),
        ("anaesthesia", "anesthesia", [("variant", "anesthesia")]),
        ("multicore", "a multi core chip", [("spelling", "multi core")]),
        ('"multi core"', "a multicore chip", [("spelling", "multicore")]),
        ("multi-core*", "many multicores", [("spelling", "multicores")]),
        ('"petri net"', "petri and other net", [("apart", "petri and other net")]),
        ('"petri net"', "net by petri", [("apart", "net by petri")]),
        ('"petri net"', "net alone", []),
        ("cat", "dogs", []),
        ("adapt*", "an adaptive system", []),
    ],
)
def test_the_nearest_words(asked, there, expected):
    assert kinds(term(asked), there) == expected


def test_the_closest_evidence_comes_first_and_says_what_it_is():
    publication = {"title": "adaptive nets", "abstract": "Petri flow and adapt then net"}
    texts = texts_of([publication, "adapt"])
    first, second = evidence(term("adapt", "title"), texts, 0)
    assert (first.kind, first.field, first.first, first.last) == ("other_field", "abstract", 3, 3)
    assert "abstract has adapt" in first.message
    assert second.kind == "form"
    assert "title has adaptive, another form of adapt" in second.message
    (apart,) = evidence(term('"net petri"'), texts, 0)
    assert (apart.between, apart.words, apart.is_close) == (4, ("petri", "flow", "and", "adapt", "then", "net"), True)
    assert "net petri 4 words apart, in another order" in apart.message


def test_a_near_whose_parts_are_too_far_apart_or_turned_round():
    near = Near((term("robot"), one_of_these("heat", "fire")), 2)
    texts = texts_of(["robot a b c fire d e f g heat", "fire robot"])
    (found,) = evidence(near, texts, 0)
    assert (found.kind, found.between, found.words[-1]) == ("too_far", 3, "fire")
    assert "robot and heat … 3 words apart; at most 2 allowed" in found.message
    (turned,) = evidence(replace(near, ordered=True), texts, 1)
    assert turned.kind == "order"
    assert "robot and heat … in another order" in turned.message
    (form,) = evidence(Near((term("robot"), term("fires")), 3), texts, 1)
    assert (form.kind, form.words) == ("form", ("fire",))


def test_a_phrase_does_not_reach_from_one_keyword_into_the_next():
    apart = {"keywords": "petri; net"}
    assert kinds(term('"petri net"'), apart) == [("apart", "petri net")]
    assert kinds(term("petrinetwork*"), {"keywords": "petri network"}) == [("spelling", "petri network")]
    assert kinds(term("petrinetwork*"), {"keywords": "petri; network"}) == []
    assert kinds(term('"petri net"', "title"), {"keywords": "petri net"}) == [("other_field", "petri net")]
    assert kinds(term('"petri net"', "title"), apart) == []


def test_what_stemming_matches_is_no_evidence():
    assert kinds(term("adapt"), "adaptive") == [("form", "adaptive")]
    assert kinds(term("adapt"), "adaptive", "stemmed") == []
    assert kinds(term("adapt", exact=True), "adaptive", "stemmed") == [("form", "adaptive")]


def changed(root, changes):
    """The tree with other nodes in place of some; None: nothing is left."""
    numbers = iter(range(len(list(walk(root)))))

    def rebuilt(node):
        number = next(numbers)
        parts = [rebuilt(part) for part in parts_of(node)]
        if number in changes:
            return changes[number]
        if isinstance(node, Not):
            return None if parts[0] is None else replace(node, part=parts[0])
        if isinstance(node, Group):
            kept = tuple(part for part in parts if part is not None)
            return replace(node, parts=kept) if len(kept) > 1 else kept[0] if kept else None
        return node

    return rebuilt(root)


def check(rescue, asked, row):
    """A rescue against matching the edited tree."""
    corpus, before = asked.corpus, asked.retrieved
    tree = changed(asked.matched.nodes[0], {c.number: c.node for c in rescue.changes})
    after = match(tree, corpus, asked.semantics).root
    assert holds(after, row)
    added = set(rows_of(after & ~before).tolist())
    assert rescue.n_added == len(added)
    assert rescue.core_gained == tuple(f"p{r}" for r in sorted(added) if holds(asked.stakes.core, r))
    assert rescue.semantic_precision_added == asked.stakes.semantic_precision(after & ~before)
    assert rescue.f_beta == asked.stakes.f_beta(after)
    old = asked.stakes.f_beta(before)
    assert rescue.f_beta_change == (None if None in (old, rescue.f_beta) else rescue.f_beta - old)
    return tree


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_every_rescue_retrieves_its_publication_at_its_price(scene):
    asked = weighed(*scene)
    rescuer = Rescuer(asked)
    for row in range(asked.matched.n):
        found = rescuer.rescues(row)
        assert len(found) <= 5
        assert (found == ()) or not holds(asked.retrieved, row)
        given_up = [sum(change.node is None for change in r.changes) for r in found]
        assert given_up == sorted(given_up)
        for one, other in pairwise(found):
            if sum(c.node is None for c in one.changes) == sum(c.node is None for c in other.changes):
                assert len(one.core_gained) >= len(other.core_gained)
                if len(one.core_gained) == len(other.core_gained):
                    assert (one.f_beta or -1) >= (other.f_beta or -1) - HARDLY
        for rescue in found:
            check(rescue, asked, row)
            assert apply_edits(asked.text, rescue.edits) != asked.text


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_the_edited_text_read_again_retrieves_the_same(scene):
    text, _, corpus, stakes = scene
    root = parse(text, "plain").root
    assume("[" not in text)
    asked = weighed(text, match(root, corpus, "literal"), corpus, stakes)
    rescuer = Rescuer(asked)
    for row in range(asked.matched.n):
        for rescue in rescuer.rescues(row):
            again = match(parse(apply_edits(text, rescue.edits), "plain").root, corpus, "literal").root
            assert holds(again, row)
            assert rescue.n_added == len(rows_of(again & ~asked.retrieved))


PUBLICATIONS = [
    {"title": "Adaptive robots", "abstract": "heat in the graph"},
    {"title": "Robot plans", "abstract": "we adapt heat"},
    {"title": "Adapt a robot", "abstract": "heat"},
    {"title": "Robot heat", "abstract": "net of petri"},
    {"title": "Rabbit robot", "abstract": "adapt"},
    {"title": "Nothing of this", "abstract": "or of adaptive robots"},
    {"title": "Adaptive plans"},
    *({"title": "filler of the corpus"} for _ in range(30)),
    {"title": "Adaptation of robots", "abstract": "heat"},
    {"title": "Robot net", "abstract": "of one or another petri"},
    {"title": "Robot cat"},
]


def rescued(root, row, *, core=(0, 1, 2, 3, 4), semantics="literal"):
    asked = asked_about(root, PUBLICATIONS, core, semantics=semantics)
    edited = {}
    for rescue in Rescuer(asked).rescues(row, most=30):
        tree = check(rescue, asked, row)
        edited[rescue.label] = apply_edits(asked.text, rescue.edits)
        if "leave out" not in rescue.label and "drop" not in rescue.label:
            assert without_brackets(edited[rescue.label]) == without_brackets(written_down(tree)[0])
    return edited


def without_brackets(text):
    return text.replace("(", "").replace(")", "")


def test_other_forms_and_words_of_the_title_are_added_to_the_block_that_fails():
    edited = rescued(all_of_these("robot*", one_of_these("adapt", "change"), "heat"), 0)
    assert edited["add adaptive to block 2"] == "robot* AND (adapt OR change OR adaptive) AND heat"
    assert edited["truncate adapt to adapt*"] == "robot* AND (adapt* OR change) AND heat"
    assert edited["leave out block 2"] == "robot* AND heat"
    lone = rescued(all_of_these("robot*", "adapting"), 0)
    assert lone["add adaptive to block 2"] == "robot* AND (adapting OR adaptive)"
    assert lone["leave out block 2"] == "robot*"


def rescues_among(titles, root, row, core):
    return Rescuer(asked_about(root, [*titles, *(["filler of the corpus"] * 60)], core)).rescues(row)


def test_what_gains_most_of_all_missed_core_publications_comes_first():
    titles = ["robot heat", "shade robot plan", "shade robot graph", "robot plan", "shade of a robot", "plan graph"]
    found = rescues_among(titles, all_of_these("robot", "heat"), 1, {0, 1, 2, 4})
    assert found[0].label == "add shade to block 2"
    assert found[0].reach == "rescues 3 of the 3 missed"
    assert {rescue.n_missed for rescue in found} == {3}
    kept = [rescue for rescue in found if "leave out" not in rescue.label]
    assert [len(rescue.core_gained) for rescue in kept] == sorted((len(r.core_gained) for r in kept), reverse=True)
    alone = next(rescue for rescue in found if "plan" in rescue.label)
    assert alone.core_gained == ("p1",)
    assert "only this" in alone.reach


def test_no_phrase_goes_across_punctuation():
    titles = ["robot heat", "robot patterns: shade, trees", "patterns shade trees", "shade trees of patterns"]
    labels = [rescue.label for rescue in rescues_among(titles, all_of_these("robot", "heat"), 1, {0, 1})]
    assert not any('"' in label for label in labels)
    joined = ["robot heat", "robot patterns shade trees", "patterns shade trees", "shade trees of patterns"]
    terms = from_title(("patterns", "shade", "trees"), (1, 1, 1), 6)
    assert ("patterns", "shade") in terms
    assert ("patterns", "shade") not in from_title(("patterns", "shade", "trees"), (1, 1, 1), 6, {1, 2})
    assert rescues_among(joined, all_of_these("robot", "heat"), 1, {0, 1})


def test_words_of_any_scholarly_text_are_not_offered():
    titles = ["robot heat", "evidence of two effects of shade: a robot study", "two evidence of effects", "shade study"]
    labels = [rescue.label for rescue in rescues_among(titles, all_of_these("robot", "heat"), 1, {0, 1})]
    assert "add shade to block 2" in labels
    assert not any(word in label for label in labels for word in ("evidence", "effect", "study", "two"))


@pytest.mark.parametrize(("n_others", "is_offered"), [(10, True), (60, False)])
def test_a_word_of_the_publication_alone_is_offered_in_a_small_corpus_the_most_alike_first(n_others, is_offered):
    titles = ["wildfire smoke", "birth weight after bushfire smoke", *["traffic noise"] * n_others]
    asked = asked_about(all_of_these("wildfire*", "smoke"), titles, {0, 1})
    (first, *_) = Rescuer(asked).rescues(1)
    assert first.label == ("add bushfire to block 1" if is_offered else "leave out block 1")


def test_a_word_of_another_block_is_not_offered():
    """It would be the same as leaving the block out."""
    titles = ["robot heat", "robots shade", "robots", "robots", "shade"]
    labels = [rescue.label for rescue in rescues_among(titles, all_of_these("robot*", "heat"), 1, {0, 1})]
    assert "leave out block 2" in labels
    assert not any("robots to" in label for label in labels)


def test_words_of_the_block_itself_are_offered_in_another_order():
    titles = ["shift work sleep", "night work sleep", "night work", *["night sleep", "work sleep"] * 3]
    root = all_of_these(one_of_these('"shift work"', '"night shifts"'), "sleep")
    labels = [rescue.label for rescue in rescues_among(titles, root, 1, {0, 1})]
    assert 'add "night work" to block 1' in labels


def test_no_term_goes_into_two_blocks_alone_and_in_a_phrase():
    titles = ["robot heat", "shade trees grow", "shade trees", "shade grow", "trees grow"]
    found = rescues_among(titles, all_of_these("robot", "heat"), 1, {0, 1})
    added = [
        [set(words(part.removeprefix("add "))) - {"to", "block", "1", "2"} for part in rescue.label.split(", and ")]
        for rescue in found
        if "leave out" not in rescue.label
    ]
    assert added
    assert not any(one <= other or other <= one for one, other in added)


def test_of_edits_that_are_nearly_the_same_only_one_is_offered():
    titles = [
        "robot heat",
        "robot shade trees parks",
        "shade trees parks",
        "shade trees",
        "trees parks",
        "a shade robot",
    ]
    found = rescues_among(titles, all_of_these("robot", "heat"), 1, {0, 1})
    added = [set(words(rescue.label.removeprefix("add ").removesuffix(" to block 2"))) for rescue in found]
    named = [each for each, rescue in zip(added, found, strict=True) if rescue.label.startswith("add")]
    assert named
    assert not any(one & other for one, other in combinations(named, 2))


def test_fields_are_widened():
    edited = rescued(all_of_these("robot", term("adapt", "title")), 1)
    label = "search adapt in title and abstract instead of title"
    assert edited[label] == "robot AND adapt[title,abstract]"


def test_a_phrase_is_loosened_and_a_near_widened():
    edited = rescued(all_of_these("robot", '"petri net"'), 3)
    loosened = {label.rpartition('"petri net" ')[2]: text for label, text in edited.items() if '"petri net"' in label}
    assert loosened["anywhere"] == "robot AND (petri AND net)"
    assert loosened["at most 1 apart"] == "robot AND (petri NEAR/1 net)"
    near = Near((term("adapt"), term("robot")), 0)
    assert rescued(all_of_these(near, "heat"), 2)["widen NEAR/0 to NEAR/1"] == "(adapt NEAR/1 robot) AND heat"


def test_a_not_is_dropped_whole_or_in_part():
    edited = rescued(all_of_these("robot", none_of_these(one_of_these("rabbit", "cat"))), 4)
    assert edited == {
        "drop rabbit from the NOT": "robot AND NOT (cat)",
        "drop NOT rabbit OR cat": "robot",
    }
    assert rescued(all_of_these(none_of_these("rabbit"), "robot"), 4) == {"drop NOT rabbit": "robot"}


def test_several_blocks_are_rescued_together():
    edited = rescued(all_of_these("graph", "cat", "adapt"), 1)
    assert edited
    assert all(label.count(", and ") == 1 for label in edited)
    assert all(("block 1" in label) and ("block 2" in label) for label in edited)


def test_a_publication_that_is_found_needs_no_rescue():
    assert rescued(all_of_these("robot", "adapt"), 2) == {}
    assert rescued(term("robot", "author"), 2) == {}


def test_a_line_that_is_used_twice_changes_in_both_places():
    corpus = FakeCorpus(texts_of(["robot heat", "robots heat", "robots graph", "robot graph"]))
    text, first = written_down(one_of_these("robot", "cat"))
    root = Group("OR", (all_of_these(first, "heat"), all_of_these(first, "graph")))
    asked = weighed(text, match(root, corpus, "literal"), corpus, stakes_of(4, {1, 2}))
    found = {rescue.label: rescue for rescue in Rescuer(asked).rescues(1)}
    truncated = found["truncate robot to robot*"]
    assert truncated.n_added == 2
    assert len(truncated.changes) == 2
    check(truncated, asked, 1)


def test_terms_are_looked_up_once_for_all_publications():
    asked = asked_about(all_of_these("graph", one_of_these("adapt", "cat")), PUBLICATIONS, {0, 1})
    rescuer = Rescuer(asked)
    rescuer.rescues(1)
    n = asked.corpus.n_looked_up
    rescuer.rescues(1)
    assert asked.corpus.n_looked_up == n


@pytest.mark.parametrize("row", [0, 1])
def test_alternatives_take_over_a_field_that_stands_outside_their_brackets(row):
    corpus = FakeCorpus(texts_of(PUBLICATIONS))
    text = "TI=(adapting OR cat)"
    parts = tuple(
        Term((w,), fields=("title",), span=replace(term("x").span, start=s, end=e))
        for w, s, e in (("adapting", 4, 12), ("cat", 16, 19))
    )
    root = Group("OR", parts, span=replace(term("x").span, start=4, end=19))
    asked = weighed(text, match(root, corpus, "literal"), corpus, stakes_of(corpus.texts.n, {0}))
    added = [edit.text for rescue in Rescuer(asked).rescues(row) for edit in rescue.edits]
    assert added
    assert [t for t in added if "[" in t] == []
