"""A translation that leaves a part out loses no publication, except by an alternative outside NOT, with a loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.adaptation import adapt
from core.query.dialects import DIALECTS
from core.query.dialects.meanings import meant
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import DialectId, Group, Heading, Node, Not, Range, Term, leaves_in, walk
from tests.core.query.tag_samples import samples

WORDS = ("amber", "basalt", "cedar")
LOST = "lost"
"""The part that the other dialect leaves out."""
PAIRS = [(source, target) for source, target in product(DIALECTS, DIALECTS) if source != target]
MOST_LOST = 3
"""Parts of each pair of dialects that are tried."""


def left_out(source: DialectId, target: DialectId) -> Iterator[Node]:
    """Parts of one dialect that the other leaves out, of different kinds."""
    kinds = set()
    for sample in samples():
        root = parse(sample.text, source).root if sample.dialect == source else None
        if root is None or isinstance(root, Group | Not | Heading):
            continue
        leaf = meant(root, source, "")
        made = adapt(Group("AND", (leaf, Term((WORDS[0],)))), DIALECTS[target])
        kind = ("years",) if isinstance(leaf, Range) else getattr(leaf, "fields", ())
        if kind not in kinds and made.root is not None and names_in(made.root) == {WORDS[0]}:
            kinds.add(kind)
            yield leaf


def names_in(root: Node) -> set[str]:
    return {name_of(leaf) for leaf in leaves_in(root)}


def name_of(leaf: Node) -> str:
    found = str(leaf.pieces[0]) if isinstance(leaf, Term) else LOST
    return found if found in WORDS else LOST


def is_true(node: Node, facts: Mapping[str, bool]) -> bool:
    if isinstance(node, Not):
        return not is_true(node.part, facts)
    if isinstance(node, Group):
        return (all if node.operator == "AND" else any)(is_true(part, facts) for part in node.parts)
    return facts[name_of(node)]


LOST_BY_PAIR = {pair: found for pair in PAIRS if (found := list(left_out(*pair))[:MOST_LOST])}
TREES = st.recursive(
    st.sampled_from([*WORDS, LOST]),
    lambda part: st.one_of(
        st.tuples(st.sampled_from(["AND", "OR"]), part, part),
        st.tuples(st.just("AND NOT"), part, part),
        st.tuples(st.just("AND"), part, part, part),
    ),
    max_leaves=8,
)


def tree_of(plan: str | tuple, lost: Node) -> Node:
    if isinstance(plan, str):
        return lost if plan == LOST else Term((plan,))
    operator, *parts = plan
    made = [tree_of(part, lost) for part in parts]
    if operator == "AND NOT":
        return Group("AND", (made[0], Not(made[1])))
    return Group(operator, tuple(made))


def is_alternative(node: Node, lost: Node, *, in_or: bool = False) -> bool:
    """Return True if the part is in an OR, and in no NOT."""
    if isinstance(node, Group):
        return any(is_alternative(part, lost, in_or=in_or or node.operator == "OR") for part in node.parts)
    return in_or and node == lost


def test_most_pairs_of_dialects_leave_something_out() -> None:
    assert len(LOST_BY_PAIR) > len(PAIRS) / 2


@settings(max_examples=1000)
@given(TREES, st.sampled_from(sorted(LOST_BY_PAIR)), st.integers(0, MOST_LOST - 1))
def test_no_publication_is_lost_with_a_part_that_is_left_out(
    plan: str | tuple, pair: tuple[DialectId, DialectId], which: int
) -> None:
    found = LOST_BY_PAIR[pair]
    lost = found[which % len(found)]
    root = tree_of(plan, lost)
    made = adapt(root, DIALECTS[pair[1]])
    if made.root is None or LOST in names_in(made.root):  # nothing of it is left, so the part is written as words
        return
    names = (*WORDS, LOST)
    for values in product((False, True), repeat=len(names)):
        facts = dict(zip(names, values, strict=True))
        if is_true(root, facts) and not is_true(made.root, facts):
            assert is_alternative(root, lost), (root, made.root)
            assert {loss.status for loss in made.losses} & {"unsupported", "narrowed"}


ANIMALS = "asthma[tiab] NOT (animals[mh] NOT humans[mh])"
RESCUES = [
    (ANIMALS, "pubmed"),
    ("asthma[tiab] NOT ((animals[mh] OR rats[ti]) NOT humans[mh])", "pubmed"),
    ('asthma[tiab] NOT ("Child"[Mesh] NOT "Adult"[Mesh])', "pubmed"),
    ("asthma[tiab] NOT (rats[ti] NOT (humans[mh] OR patients[tiab]))", "pubmed"),
    ("1. asthma.tw.\n2. exp animals/ not humans.sh.\n3. 1 not 2", "ovid"),
    ("'asthma':ti,ab NOT ('animal'/exp NOT 'human'/exp)", "embase"),
    ('TI asthma NOT ((MH "animals+" OR TI rat) NOT MH "human")', "ebsco"),
]


@pytest.mark.parametrize(("text", "source"), RESCUES)
@pytest.mark.parametrize("target", ["wos", "scopus", "dimensions", "openalex"])
def test_a_heading_that_rescues_from_an_exclusion_is_never_written_as_words(
    text: str, source: DialectId, target: DialectId
) -> None:
    made = translate(parse(text, source), target)
    root = parse(made.text, target).root
    assert root is not None
    assert not any(isinstance(node, Not) for node in walk(root))
    assert any(loss.status == "unsupported" and text[loss.start : loss.end].strip() for loss in made.losses)
    assert not any("written as words" in loss.message for loss in made.losses)


@pytest.mark.parametrize("target", ["ovid", "cochrane", "plain"])
def test_the_animal_filter_stays_where_headings_are_the_same(target: DialectId) -> None:
    made = translate(parse(ANIMALS, "pubmed"), target)
    root = parse(made.text, target).root
    assert root is not None
    assert sum(isinstance(node, Not) for node in walk(root)) == 2
    assert sum(isinstance(node, Heading) for node in walk(root)) == 2
