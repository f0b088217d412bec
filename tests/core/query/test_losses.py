"""What a loss says is true: nothing is missed where a leaf is widened, nothing is added where it is narrowed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.query.dialects import DIALECTS
from core.query.translation import write
from core.query.tree import DialectId, Gap, Group, Heading, Near, Node, Term
from tests.core.query_oracle import Fields, holds
from tests.core.query_trees import PLAIN_WORDS, in_fields, leaves

FIELDS = frozenset({"title", "abstract", "keywords", "year"})
FORMS = (*PLAIN_WORDS, "heat wave", "adapting", "adapts", "behavior", "behaviour", "climatic", "planta", "coolingr")
TEXTS = st.lists(st.sampled_from(FORMS), max_size=14).map(" ".join)
PUBLICATIONS: st.SearchStrategy[list[Fields]] = st.lists(
    st.fixed_dictionaries(
        {
            "title": TEXTS.map(lambda text: [text]),
            "abstract": TEXTS.map(lambda text: [text]),
            "keywords": st.lists(TEXTS, max_size=2),
            "year": st.integers(1988, 2032).map(lambda year: [str(year)]),
        }
    ),
    min_size=3,
    max_size=8,
)
SEARCHED = st.sampled_from(((), ("title",), ("title", "abstract"), ("title", "abstract", "keywords"), ("abstract",)))
LEAVES = st.tuples(leaves("plain").filter(lambda leaf: not isinstance(leaf, Heading)), SEARCHED).map(
    lambda drawn: in_fields(*drawn)
)
A, B, C = (Term((word,)) for word in ("heat", "urban", "shade"))
ONE: list[Fields] = [{"title": ["urban heat shade"], "abstract": ["heat cool urban cool cool shade"], "keywords": []}]


def found(node: Node | None, publication: Fields) -> bool:
    """Whether a publication matches; what can't be tested matches nothing."""
    return node is not None and bool(holds(node, publication, "literal", str, FIELDS))


@pytest.mark.parametrize("dialect_id", DIALECTS)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(leaf=LEAVES, publications=PUBLICATIONS)
@example(leaf=Near((A, B, C), 1), publications=ONE)
@example(leaf=Near((A, B, C), 3, whole=True), publications=ONE)
@example(leaf=Near((A, Group("OR", (B, C))), 0, ordered=True), publications=ONE)
@example(leaf=Term(("heat ", Gap(0, None), " cool"), True), publications=ONE)
def test_a_leaf_changes_only_as_its_loss_says(dialect_id: DialectId, leaf: Node, publications: list[Fields]) -> None:
    written = write(leaf, dialect_id)
    statuses = {loss.status for loss in written.losses}
    if "unsupported" in statuses:
        return
    for publication in publications:
        before, after = found(leaf, publication), found(written.meant, publication)
        if "narrowed" not in statuses:
            assert after or not before, (written.text, publication)
        if "widened" not in statuses:
            assert before or not after, (written.text, publication)
