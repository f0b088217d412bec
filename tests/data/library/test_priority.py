"""The preferred files lend the fields of merged publications; without a preference all is as before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.library.records import combined
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.duplicates import join, merges, undo
from data.library.filing import delete_source
from data.library.imports import bring
from data.library.priority import prefer, preferred
from data.library.records import SourceRole, load_details, load_sources, records_of
from tests.dashboard.library.test_page import TITLES
from tests.messages import refusal

TOPIC = "Tea"


def described(by: str, *dois: str, venue: str = "") -> bytes:
    where = f"T2  - {venue}\n" if venue else ""
    entries = [f"TY  - JOUR\nTI  - {TITLES[int(doi[-1])]}, {by}\nDO  - {doi}\n{where}ER  - \n" for doi in dois]
    return "".join(entries).encode()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Three files describe the publications 10.1000/1 and 10.1000/2, each with other titles."""
    with Workspace.open(tmp_path_factory.mktemp("tea")) as workspace:
        for name, venue in (("a", ""), ("b", "Soil"), ("c", "Fire")):
            file = read_data(
                described(name, "10.1000/1", "10.1000/2", f"10.200{'abc'.index(name)}/3", venue=venue), f"{name}.ris"
            )
            bring(workspace, TOPIC, SourceRole("corpus"), [file])
        yield workspace


def state_of(workspace: Workspace) -> object:
    store = workspace.store
    ids = sorted(store.topic_publication_ids(TOPIC))
    records = store.rows("SELECT source_id, number, publication_id, rule, began_as FROM records ORDER BY ALL")
    return store.load_publications(ids), store.corpus_ids(TOPIC), records


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 2), unique=True))
def test_fields_come_from_the_first_file_that_has_them(workspace: Workspace, order: list[int]) -> None:
    before, sources = state_of(workspace), [s.source_id for s in load_sources(workspace.store, TOPIC)]
    n_changed = prefer(workspace, TOPIC, [sources[i] for i in order])
    assert preferred(workspace.store, TOPIC) == tuple(sources[i] for i in order)
    all_in_order = [*order, *(i for i in range(3) if i not in order)]
    assert n_changed == (0 if all_in_order[0] == 0 else 2)
    for doi in ("10.1000/1", "10.1000/2"):
        (details,) = load_details(workspace.store, [f"doi:{doi}"])
        (shown,) = workspace.store.load_publications([f"doi:{doi}"])
        assert shown.title == details.title == f"{TITLES[int(doi[-1])]}, {'abc'[all_in_order[0]]}"
        assert details.venue == next({1: "Soil", 2: "Fire"}[i] for i in all_in_order if i)
        assert details == combined(records_of(workspace.store, [f"doi:{doi}"])[f"doi:{doi}"])
    prefer(workspace, TOPIC, [])
    assert state_of(workspace) == before
    assert preferred(workspace.store, TOPIC) == ()


def test_later_merges_follow_the_order_and_their_undo_too(workspace: Workspace) -> None:
    before, sources = state_of(workspace), [s.source_id for s in load_sources(workspace.store, TOPIC)]
    prefer(workspace, TOPIC, [sources[2], sources[1]])
    then = state_of(workspace)
    join(workspace, TOPIC, "doi:10.2000/3", "doi:10.2002/3")
    assert workspace.store.load_publications(["doi:10.2000/3"])[0].title.endswith(", c")
    (merge,) = merges(workspace, TOPIC, rule="asked")
    undo(workspace, TOPIC, merge.source_id, merge.number)
    assert state_of(workspace) == then
    prefer(workspace, TOPIC, [])
    assert state_of(workspace) == before


def test_unknown_files_are_refused(workspace: Workspace) -> None:
    before = state_of(workspace)
    with refusal(InputError):
        prefer(workspace, TOPIC, ["nothing"])
    assert state_of(workspace) == before


def test_a_preferred_file_can_be_deleted(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        for name in "ab":
            bring(workspace, TOPIC, SourceRole("corpus"), [read_data(described(name, "10.1000/1"), f"{name}.ris")])
        last = load_sources(workspace.store, TOPIC)[-1].source_id
        assert prefer(workspace, TOPIC, [last]) == 1
        delete_source(workspace, TOPIC, last)
        assert preferred(workspace.store, TOPIC) == ()
        assert workspace.store.load_publications(["doi:10.1000/1"])[0].title.endswith(", a")
