"""Which publications are looked at: the nearest, newest and most cited, whatever row they stand in."""

from __future__ import annotations

import numpy as np
import pytest

from core.query.match import of_rows, rows_of
from data.explore.workspace import Workspace
from data.writer import desk as nearness
from data.writer.desk import looked_at, nearest, set_up_writer
from tests.data.workspaces import MODEL, TOPIC

IDS = ("d", "c", "b", "a")


def test_what_is_as_near_goes_by_id_and_what_has_no_vector_comes_last() -> None:
    near = np.array([0.5, -np.inf, 0.5, -np.inf])
    assert nearest([0, 1, 2, 3], near, IDS) == [2, 0, 3, 1]
    assert nearest([3, 1, 0], near, IDS, 2) == [0, 3]


def test_of_equals_those_in_the_first_rows_are_not_preferred(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Core publications stand there, and those that are held out would be told by it."""
    monkeypatch.setattr(nearness, "MOST", 3)
    desk = set_up_writer(workspace, TOPIC, MODEL)
    ids = desk.desk.corpus.ids
    n = len(ids)
    known = dict(zip(ids, workspace.publications(ids), strict=True))
    found = looked_at(workspace, desk, of_rows(range(n), n), np.zeros(n))
    newest = sorted(ids, key=lambda i: (-(known[i].year or 0), i))[:3]
    cited = sorted(ids, key=lambda i: (-(known[i].times_cited or 0), i))[:3]
    assert {ids[row] for row in rows_of(found)} == {*newest, *cited, *sorted(ids)[:3]}
