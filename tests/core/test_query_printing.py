"""Trees as text in every dialect."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.query.dialects import DIALECTS
from core.query.parse import parse
from core.query.printing import write
from core.query.tree import (
    DialectId,
    Node,
)
from core.query.truth_table import same
from tests.core.query_trees import any_trees, trees

HEAVY = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)


@pytest.mark.parametrize("dialect_id", DIALECTS)
@HEAVY
@given(data=st.data())
def test_what_is_written_is_read_as_the_same_tree(dialect_id: DialectId, data: st.DataObject) -> None:
    tree = data.draw(trees(dialect_id))
    written = write(tree, dialect_id)
    assert not written.losses
    assert parse(written.text, dialect_id).root == tree, written.text


@pytest.mark.parametrize("dialect_id", DIALECTS)
@HEAVY
@given(tree=any_trees())
def test_any_tree_is_written_so_that_nothing_changes_silently(dialect_id: DialectId, tree: Node) -> None:
    written = write(tree, dialect_id)
    again = parse(written.text, dialect_id).root
    assert again is not None, written.text
    assert written.losses or same(tree, again), written.text
    if written.meant is not None:
        assert same(written.meant, again), written.text
