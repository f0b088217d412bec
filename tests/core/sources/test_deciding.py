"""What a narrower text keeps of a run: nothing is said that the source would not say, whatever it looks at itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.match import all_of, none_of, of_mask, of_rows, rows_of
from core.query.parser import parse
from core.query.tree import ANY_ENDING, Group, Heading, Node, Not, Range, Term, walk
from core.sources.narrowing import LocalMatcher, as_read, demands_of, kept_of, looks_further, semantics_of
from core.sources.source_forms import SourceOptions
from tests.core.query_oracle import without
from tests.core.query_trees import nested
from tests.core.sources.test_narrowing import Slow


def read(text: str) -> Node:
    root = parse(text, "pubmed").root
    assert root is not None
    return root


def decided(titles: list[str], before: str, after: str) -> list[list[int]]:
    """Rows that are kept, dropped and not decided. Words without a tag are looked for in more than is known here."""
    publications = [{"title": [title], "abstract": [""], "keywords": [], "year": []} for title in titles]
    deciding = LocalMatcher(
        Slow(publications), "literal", lambda leaf: looks_further(leaf, "pubmed", SourceOptions(), is_native=True)
    )
    found = kept_of(deciding, read(before), read(after))
    return [rows_of(bits).tolist() for bits in found]


FOUR = ["heat in trees", "shade of trees", "heat and shade of trees", "leaves"]
BLOCKS = "(heat[ti] OR shade[ti]) AND trees[ti]"


@pytest.mark.parametrize(
    ("titles", "before", "after", "expected"),
    [
        # the heading brought the last one
        (FOUR, "(heat[ti] OR shade[ti] OR Stress[mh]) AND trees[ti]", BLOCKS, [[0, 1, 2], [3], []]),
        (FOUR, BLOCKS, "heat[ti] AND trees[ti]", [[0, 2], [1], [3]]),
        # trees is not in the title, but the run brought it: only what was switched off has to be read
        (["heat", "shade"], BLOCKS, "heat[ti] AND trees[ti]", [[0], [1], []]),
        (["heat", "shade"], "(heat OR shade) AND trees", "heat AND trees", [[0], [], [1]]),
        (["heat", "leaves"], "heat[ti] AND trees[ti]", "heat[ti]", [[0, 1], [], []]),
        (["heat"], "heat[ti]", "heat[ti] AND 2010:2020[dp]", [[], [], [0]]),
        (["heat", "x"], "heat[ti] OR Stress[mh]", "Stress[mh]", [[], [], [0, 1]]),
        (["heat", "x"], "heat[ti] OR Stress[mh]", "heat[ti]", [[0], [1], []]),
    ],
    ids=["heading", "two blocks", "not changed", "without a tag", "wider", "years", "heading alone", "no heading"],
)
def test_a_change_keeps_drops_or_does_not_decide(titles, before, after, expected) -> None:
    assert decided(titles, before, after) == expected


@pytest.mark.parametrize(
    ("source", "choices", "semantics"),
    [
        ("openalex", SourceOptions(), "stemmed"),
        ("openalex", SourceOptions(stem=False), "literal"),
        ("semanticscholar", SourceOptions(stem=False), "stemmed"),
        ("pubmed", SourceOptions(), "literal"),
        ("europepmc", SourceOptions(), "literal"),
        ("dimensions", SourceOptions(), "literal"),
    ],
)
def test_how_a_source_matches_words(source, choices, semantics) -> None:
    assert semantics_of(source, choices) == semantics


def test_keywords_are_not_looked_at_where_the_source_does_not() -> None:
    heat = Term(("heat",))
    tree = Group("AND", (heat, Not(Term(("shade",), fields=("title", "keywords")))))
    assert as_read(tree, "pubmed") == tree
    both = ("title", "abstract")
    expected = Group("AND", (Term(("heat",), fields=both), Not(Term(("shade",), fields=both))))
    assert as_read(tree, "openalex") == expected  # it leaves out where it searches


def test_words_are_read_where_the_source_looks_for_them() -> None:
    title, both = ("title",), ("title", "abstract")
    tree = Group("AND", (Term(("heat",), fields=title), Term(("shade",))))
    assert [part.fields for part in as_read(tree, "openalex").parts] == [title, both]
    assert [part.fields for part in as_read(tree, "dimensions").parts] == [both, both]
    assert as_read(Term(("heat",), fields=title), "semanticscholar").fields == both
    assert as_read(Term(("smith",), fields=("author",)), "semanticscholar").fields == ("author",)


def test_wildcards_are_not_read_where_the_source_passes_over_them() -> None:
    tree = Not(Term(("heat", ANY_ENDING), fields=("title", "abstract")))
    assert as_read(tree, "openalex").part.pieces == ("heat",)
    assert as_read(tree, "openalex", SourceOptions(wildcards="send")) == tree


def test_what_may_be_found_in_more_than_is_known_here() -> None:
    bare, tagged, wide = (
        Term(("heat",)),
        Term(("heat",), fields=("title",)),
        Term(("heat",), fields=("title", "subject")),
    )
    assert looks_further(bare, "pubmed", SourceOptions(), is_native=True)
    assert not looks_further(bare, "pubmed", SourceOptions(), is_native=False)
    assert not looks_further(tagged, "pubmed", SourceOptions(), is_native=True)
    assert looks_further(wide, "openalex", SourceOptions(), is_native=False)
    assert looks_further(tagged, "europepmc", SourceOptions(synonyms=True), is_native=False)
    assert looks_further(bare, "europepmc", SourceOptions(), is_native=False)  # its keywords hold subject headings
    assert not looks_further(tagged, "europepmc", SourceOptions(), is_native=False)


# The law


_FIELDS = st.sampled_from([(), ("title",), ("title", "abstract")])
_LEAVES = st.one_of(
    st.builds(Term, st.sampled_from([("heat",), ("shade",), ("tree",), ("heat tree",)]), st.booleans(), _FIELDS),
    st.builds(Heading, st.sampled_from(["Stress", "Climate"])),
    st.builds(Range, st.sampled_from([None, 2010]), st.sampled_from([2012, 2020])),
)
_TREES = nested(_LEAVES, 8, ("AND", "AND", "OR"))
_TEXT = st.lists(st.sampled_from(("heat", "shade", "tree", "leaf")), max_size=4).map(" ".join)
_CORPORA = st.lists(
    st.fixed_dictionaries(
        {
            "title": _TEXT.map(lambda text: [text]),
            "abstract": _TEXT.map(lambda text: [text]),
            "keywords": st.just([]),
            "year": st.sampled_from([[], ["2009"], ["2011"], ["2016"]]),
        }
    ),
    min_size=1,
    max_size=6,
)


def _further(leaf: Node) -> bool:
    return isinstance(leaf, Term) and not leaf.fields


class _Source:
    """Finds a leaf without a field, a heading and an unknown year where it likes, and all else where it stands."""

    def __init__(self, corpus: Slow, seed: int) -> None:
        self.corpus, self.rng = corpus, np.random.default_rng(seed)
        self.known: dict[Node, np.ndarray] = {}
        n = len(corpus.ids)
        self.years = self.rng.integers(2005, 2025, n)
        for i, publication in enumerate(corpus.publications):
            if publication["year"]:
                self.years[i] = int(publication["year"][0])

    def leaf(self, leaf: Node) -> np.ndarray:
        n = len(self.corpus.ids)
        if isinstance(leaf, Range):
            return of_mask((self.years >= (leaf.low or 0)) & (self.years <= (leaf.high or 9999)))
        if leaf not in self.known:
            found = self.corpus.look_up(leaf, "literal")
            more = of_mask(self.rng.random(n) < 0.4)
            self.known[leaf] = more if found is None else found | more if _further(leaf) else found
        return self.known[leaf]

    def finds(self, node: Node) -> np.ndarray:
        n = len(self.corpus.ids)
        if isinstance(node, Not):
            return all_of(n) & ~self.finds(node.part)
        if isinstance(node, Group):
            parts = [self.finds(part) for part in node.parts]
            join = np.bitwise_and if node.operator == "AND" else np.bitwise_or
            return join.reduce(parts)
        return self.leaf(node)


@settings(max_examples=500, deadline=None)
@given(_TREES, _CORPORA, st.integers(0, 10_000), st.data())
def test_what_is_kept_the_source_would_keep_and_what_is_dropped_it_would_drop(before, publications, seed, data) -> None:
    n_nodes = sum(1 for _ in walk(before))
    off = data.draw(st.sets(st.integers(0, n_nodes - 1), max_size=2))
    after = without(before, off)
    if after is None or data.draw(st.integers(0, 4)) == 0:
        after = data.draw(_TREES)
    corpus = Slow(publications)
    source = _Source(corpus, seed)
    brought, found = source.finds(before), source.finds(after)
    kept, dropped, unknown = kept_of(LocalMatcher(corpus, "literal", _further), before, after)
    everything = all_of(len(corpus.ids))
    assert not (kept & brought & ~found).any()
    assert not (dropped & brought & found).any()
    assert ((kept | dropped | unknown) == everything).all()
    assert not (unknown & (kept | dropped)).any()


@settings(max_examples=200, deadline=None)
@given(_TREES)
def test_the_demands_together_are_the_tree(tree) -> None:
    rng = np.random.default_rng(5)
    leaves = {node: of_rows(np.flatnonzero(rng.random(64) < 0.5), 64) for node in walk(tree) if _is_leaf(node)}

    def value(node):
        if isinstance(node, Not):
            return all_of(64) & ~value(node.part)
        if isinstance(node, Group):
            join = np.bitwise_and if node.operator == "AND" else np.bitwise_or
            return join.reduce([value(part) for part in node.parts])
        return leaves.get(node, none_of(64))

    together = all_of(64)
    for part in demands_of(tree):
        together = together & value(part)
    assert (together == value(tree)).all()


def _is_leaf(node: Node) -> bool:
    return not isinstance(node, Group | Not)
