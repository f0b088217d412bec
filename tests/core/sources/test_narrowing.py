"""Narrower, wider or both: examples, and the law that what is called narrower finds nothing new in any corpus."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.query.match import match, of_mask
from core.query.parser import parse
from core.query.tree import ANY_ENDING, Gap, Group, Heading, Near, Not, Range, Term, parts_of, walk
from core.sources.narrowing import standing
from tests.core.query_oracle import holds, without
from tests.core.query_scenes import toy_stem
from tests.core.query_trees import nested

FIELDS = frozenset({"title", "abstract", "keywords", "year"})


def read(text):
    root = parse(text, "pubmed").root
    assert root is not None
    return root


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("(a OR b) AND c", "(a OR b) AND c", "same"),
        ("(a OR b) AND c", "c AND (b OR a)", "same"),
        ("(a OR b OR c) AND d", "(a OR c) AND d", "narrower"),
        ("(a OR b) AND c", "a AND c", "narrower"),
        ("(a OR b) AND c AND d", "(a OR b) AND d", "wider"),
        ("(a OR b) NOT c", "a OR b", "wider"),
        ("a NOT (b OR c)", "a NOT b", "wider"),
        ("a NOT b", "a NOT (b OR c)", "narrower"),
        ("(a OR b) AND c", "(a OR d) AND c", "both"),
        ("(a OR b) AND c AND d", "a AND d", "both"),
        ("(a AND b) OR (a AND c)", "a AND (b OR c)", "same"),
        ("(a AND b) OR (a AND c)", "a AND b AND c", "narrower"),
        ("heat[tiab]", "heat[ti]", "narrower"),
        ("heat[tiab]", '"heat wave"[tiab]', "narrower"),
        ("heat[ti]", '"heat wave"[tiab]', "both"),
        ("climat*", "climatic*", "narrower"),
        ("a AND 2010:2020[dp]", "a AND 2012:2018[dp]", "narrower"),
        ("a AND 2010:2020[dp]", "a", "wider"),
        ("a AND 2010:2020[dp]", "a AND 2012:2024[dp]", "both"),
        ("(Stress[mh] OR stress[ti]) AND a", "stress[ti] AND a", "narrower"),
        ("Stress[mh] AND a", "Stress[majr] AND a", "narrower"),
        ('"heat wave city"[ti:~5]', '"heat wave city"[ti:~2]', "narrower"),
    ],
)
def test_what_a_change_makes_of_a_string(before, after, kind):
    opposite = {"narrower": "wider", "wider": "narrower"}
    assert standing(read(before), read(after)).kind == kind
    assert standing(read(after), read(before)).kind == opposite.get(kind, kind)


def test_an_ending_is_narrower_only_where_words_are_taken_as_they_are_written():
    """With stems, generous finds generic, which generous* does not."""
    before, after = read("gener*[ti]"), read("generous[ti]")
    assert standing(before, after).kind == "both"
    assert standing(before, after, may_stem=False).kind == "narrower"
    assert standing(before, replace(after, exact=True)).kind == "narrower"


def test_what_is_left_to_headings_alone_is_not_said_to_be_known_offline():
    found = standing(read("(Stress[mh] OR stress[ti]) AND a"), read("Stress[mh] AND a"))
    assert (found.kind, found.needs_run) == ("both", True)
    assert "subject headings" in found.sentence


def test_only_what_may_find_more_needs_a_run():
    asked = {kind: standing(read(one), read(other)).needs_run for kind, one, other in [
        ("same", "a", "a"), ("narrower", "a OR b", "a"), ("wider", "a", "a OR b"), ("both", "a", "b")
    ]}  # fmt: skip
    assert asked == {"same": False, "narrower": False, "wider": True, "both": True}


def test_hundreds_of_terms_are_told_apart():
    """Too many for a table of every case: the proof goes by parts."""
    terms = [f"word{i}" for i in range(400)]
    before = read(f"({' OR '.join(terms)}) AND ({' OR '.join(reversed(terms))}) AND x")
    after = read(f"({' OR '.join(terms[::2])}) AND ({' OR '.join(reversed(terms))}) AND x")
    assert standing(before, after).kind == "narrower"
    assert standing(after, before).kind == "wider"


def test_nothing_is_left_without_everything():
    root = read("(a OR b) AND NOT c")
    assert without(root, ()) == root
    assert without(root, {0}) is None
    assert without(root, {2, 3}) == Not(read("c"))
    assert without(root, {4}) == read("a OR b")


@pytest.mark.collections
def test_in_published_strings_a_term_less_is_narrower_and_a_block_less_is_wider(collections_dir):
    """Hundreds of terms in blocks of title and abstract words with headings among them."""
    n = 0
    for line in (collections_dir / "ielab_seed" / "topics.jsonl").read_text("utf-8").splitlines():
        root = read(json.loads(line)["query"])
        if not isinstance(root, Group) or root.operator != "AND":
            continue
        at, nodes = 1, list(walk(root))
        for part in root.parts:
            assert standing(root, without(root, {at})).kind == "wider"
            block = isinstance(part, Group) and part.operator == "OR"
            for member in range(at + 1, at + sum(1 for _ in walk(part)), 6) if block else ():
                if isinstance(nodes[member], Term) and nodes[member] in part.parts:
                    others = [each for each in part.parts if each is not nodes[member]]
                    is_known_here = any(isinstance(each, Term) for each in others)
                    found = standing(root, without(root, {member}))
                    assert found.kind in (("narrower", "same") if is_known_here else ("both",))
                    n += 1
            at += sum(1 for _ in walk(part))
    assert n > 100


# Laws


WORDS = ("adapt", "adaptive", "adapts", "robot", "robots", "heat", "net", "petri", "generic", "generous")
_terms = st.one_of(
    st.builds(
        Term,
        st.sampled_from([("adapt",), ("adaptive",), ("robot",), ("heat",), ("petri net",), ("net",), ("heat petri",)]),
        st.booleans(),
        st.sampled_from([(), ("title",), ("abstract",), ("title", "abstract"), ("keywords",), ("author",)]),
        st.booleans(),
    ),
    st.builds(
        Term,
        st.sampled_from(
            [("adapt", ANY_ENDING), ("ad", ANY_ENDING), ("robot", Gap(0, 1)), ("robot", Gap(1, 1)), ("?*",), ("",)]
        ),
        st.booleans(),
        st.sampled_from([(), ("title",)]),
    ),
)
_single = st.sampled_from(
    [Term((word,)) for word in ("heat", "robot", "adapt", "net")] + [Term(("robot",), exact=True)]
)
_near_part = st.one_of(_single, st.builds(Group, st.just("OR"), st.tuples(_single, _single)))
_leaves = st.one_of(
    _terms,
    _terms,
    st.builds(Heading, st.sampled_from(["Heat", "Stress"]), st.booleans(), st.booleans()),
    st.builds(Range, st.sampled_from([None, 2010, 2015]), st.sampled_from([None, 2012, 2018])),
    st.builds(Near, st.tuples(_near_part, _near_part), st.integers(0, 3), st.booleans()),
    st.builds(Near, st.tuples(_single, _single, _single), st.integers(0, 3), st.booleans(), st.booleans()),
)
_trees = nested(_leaves, 8)
_text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
_publications = st.lists(
    st.fixed_dictionaries(
        {
            "title": _text.map(lambda t: [t]),
            "abstract": _text.map(lambda t: [t]),
            "keywords": st.lists(_text, max_size=2),
            "year": st.sampled_from([[], ["2009"], ["2011"], ["2016"], ["2020"]]),
        }
    ),
    min_size=1,
    max_size=8,
)


class Slow:
    """A corpus that has every field; each publication is asked by itself."""

    def __init__(self, publications):
        self.publications = publications
        self.ids = tuple(f"p{i}" for i in range(len(publications)))
        self.fields = FIELDS

    def look_up(self, leaf, semantics):
        found = [holds(leaf, p, semantics, toy_stem, FIELDS) for p in self.publications]
        return None if found[0] is None else of_mask(np.array(found, dtype=np.bool_))


@st.composite
def _changed(draw):
    """A tree and what was made of it: parts switched off, one put in another's place, or another tree altogether."""
    before = draw(_trees)
    n = sum(1 for _ in walk(before))
    how = draw(st.sampled_from(["off", "off", "put", "more", "other"]))
    if how == "off":
        after = without(before, draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=3)))
    elif how == "put":
        after = _put(before, draw(st.integers(0, n - 1)), draw(_leaves))
    elif how == "more":
        after = Group(draw(st.sampled_from(["AND", "OR"])), (before, draw(_leaves)))
    else:
        after = draw(_trees)
    assume(after is not None)
    return before, after


def _put(root, number, leaf):
    left = iter(range(10_000))

    def made(node):
        is_here = next(left) == number
        parts = tuple(made(part) for part in parts_of(node))
        if is_here:
            return leaf
        return replace(node, part=parts[0]) if isinstance(node, Not) else replace(node, parts=parts) if parts else node

    return made(root)


@settings(max_examples=300, deadline=None)
@given(_changed(), _publications, st.sampled_from(["literal", "stemmed"]))
def test_what_is_narrower_finds_nothing_new_in_any_corpus(trees, publications, semantics):
    before, after = trees
    kind = standing(before, after, may_stem=semantics == "stemmed").kind
    corpus = Slow(publications)
    first, second = (match(root, corpus, semantics).root for root in trees)
    if kind in ("narrower", "same"):
        assert (first is None) == (second is None)
    if first is None or second is None:
        return
    if kind in ("narrower", "same"):
        assert not (second & ~first).any()
    if kind in ("wider", "same"):
        assert not (first & ~second).any()


@settings(max_examples=200, deadline=None)
@given(_changed())
def test_looked_at_from_the_other_side_it_is_the_opposite(trees):
    before, after = trees
    opposite = {"narrower": "wider", "wider": "narrower", "same": "same", "both": "both"}
    there, back = standing(before, after).kind, standing(after, before).kind
    known_everywhere = all(
        not isinstance(node, Heading) and not (isinstance(node, Term) and node.fields == ("author",))
        for tree in trees
        for node in walk(tree)
    )
    assert back == opposite[there] if known_everywhere else "both" in (there, back) or back == opposite[there]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=6, unique=True), st.data())
def test_switching_off_is_told_for_what_it_is(words, data):
    """One of an OR: narrower; an ANDed block: wider; a NOT: wider."""
    *block, other = (Term((word,)) for word in words)
    excluded = Term(("z",))
    root = Group("AND", (Group("OR", tuple(block)), other, Not(excluded)))
    member = data.draw(st.integers(2, len(block) + 1))
    assert standing(root, without(root, {member})).kind == "narrower"
    assert standing(root, without(root, {1})).kind == "wider"
    n = sum(1 for _ in walk(root))
    assert standing(root, without(root, {n - 2})).kind == "wider"
