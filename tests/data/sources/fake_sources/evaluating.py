"""A tree over made-up works, where some of its leaves ask for more than words: numbers, DOIs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.query.match import Semantics, all_of, combine, none_of, of_rows, rows_of
from core.query.tree import Group, Leaf, Node, Not, Term, walk
from tests.data.sources.fake_sources.corpus import Corpus

LookUp = Callable[[Leaf], Iterable[int] | None]
"""Rows of a leaf; None: it is a matter of words."""


def text_of(leaf: Leaf) -> str:
    """A term as it was written, without quotes."""
    return "".join(piece for piece in leaf.pieces if isinstance(piece, str)) if isinstance(leaf, Term) else ""


def rows_of_tree(root: Node, corpus: Corpus, look_up: LookUp, semantics: Semantics = "literal") -> tuple[int, ...]:
    """Rows that a tree finds, ascending. What nobody can test is left out; the word "everything" finds all."""
    n = len(corpus.works)
    sets = {}
    for number, leaf in enumerate(nodes := tuple(walk(root))):
        if isinstance(leaf, Group | Not):
            continue
        if text_of(leaf) == "everything":
            sets[number] = all_of(n)
        elif (rows := look_up(leaf)) is not None:
            sets[number] = of_rows(rows, n)
        else:
            sets[number] = corpus.index.look_up(leaf, semantics)
    found = combine(nodes, sets, n).root
    return tuple(rows_of(none_of(n) if found is None else found).tolist())
