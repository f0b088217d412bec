"""Decisions about possible duplicates: taken back in turn, everything is as before."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.duplicates import filing_of, join, reconsider, restore, separate
from data.library.imports import bring
from data.library.records import SourceRole, apart
from tests.dashboard.library.test_page import TITLES, ris

TOPIC = "Tea"
DECISIONS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), max_size=5)


def state_of(workspace: Workspace) -> object:
    store = workspace.store
    records = store.rows("SELECT source_id, number, publication_id, rule, began_as FROM records ORDER BY ALL")
    ids = sorted(store.topic_publication_ids(TOPIC))
    return records, store.load_publications(ids), sorted(apart(store, TOPIC))


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DECISIONS)
def test_undoing_all_decisions_restores_the_publications(
    tmp_path_factory: object, decisions: list[tuple[bool, int, int]]
) -> None:
    root: Path = tmp_path_factory.mktemp("tea")  # type: ignore[attr-defined]
    with Workspace.open(root) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(ris(*TITLES[:6]), "a.ris")])
        states, withdrawals = [state_of(workspace)], []
        for same, i, j in decisions:
            ids = sorted(workspace.store.topic_publication_ids(TOPIC))
            a, b = sorted((ids[i % len(ids)], ids[j % len(ids)]))
            if a == b or (a, b) in apart(workspace.store, TOPIC):
                continue
            if same:
                before = filing_of(workspace, TOPIC, (a, b))
                join(workspace, TOPIC, a, b)
                withdrawals.append(lambda before=before: restore(workspace, TOPIC, before))
            else:
                separate(workspace, TOPIC, a, b)
                withdrawals.append(lambda a=a, b=b: reconsider(workspace, TOPIC, [(a, b)]))
            states.append(state_of(workspace))
        for withdraw in reversed(withdrawals):
            assert state_of(workspace) == states.pop()
            withdraw()
        assert state_of(workspace) == states.pop()
