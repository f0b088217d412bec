"""Searches in the store: each file brings one, and what is said of it stays with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.audit.searches import Search
from core.errors import NotFoundError
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.filing import delete_source, delete_topic
from data.library.imports import bring, bring_files
from data.library.records import SourceRole, load_sources
from data.library.roles import change_role
from data.library.searches import (
    add_search_of,
    brought_by,
    delete_search,
    drop_of,
    drop_prices,
    drop_words,
    find_search,
    group_searches,
    join_searches,
    load_searches,
    new_search,
    phase_ids,
    problems_of,
    save_search,
    save_searches,
    search_names,
    unfound_ids,
    without_search,
    yields_of,
)

TEA = "tea"
STAGES = {
    "Dimensions_246": ("Dimensions", 246, 21),
    "econlit_3": ("EconLit (EBSCOhost)", 3, 0),
    "envindex_100": ("Environment Index (EBSCOhost)", 100, 16),
    "lens_343": ("The Lens", 343, 21),
    "medline_84": ("MEDLINE (Ovid)", 84, 14),
    "wos_278": ("Web of Science", 278, 22),
}


def bring_titles(workspace: Workspace, name: str, *titles: str, role: str = "corpus") -> None:
    data = "".join(f"TY  - JOUR\nTI  - {title}\nDB  - Embase\nER  - \n" for title in titles).encode()
    bring(workspace, TEA, SourceRole.named(role), [read_data(data, name)])


@pytest.mark.collections
def test_the_exports_of_a_review_are_six_searches(workspace: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    bring_files(workspace, "wildfire", SourceRole("corpus"), [folder / f"{name}.ris" for name in STAGES])
    bring_files(workspace, "wildfire", SourceRole("core"), [folder / "final_24.ris"])
    found = yields_of(workspace.store, "wildfire")
    assert [(each.name, each.n_records, each.n_core) for each in found] == list(STAGES.values())
    assert sum(each.n_records for each in found) == 1_054
    assert sum(each.n_unique for each in found) == 259
    assert len({i for each in brought_by(workspace.store, "wildfire").values() for i in each.publication_ids}) == 507
    assert problems_of(workspace.store, "wildfire", date(2026, 11, 27)) == ()


def test_a_file_becomes_a_search_and_a_core_list_does_not(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea", "Black tea")
    bring_titles(workspace, "b.ris", "Black tea", role="v1")
    bring_titles(workspace, "c.ris", "Black tea", role="core")
    bring_titles(workspace, "a.ris", "Green tea", "Black tea")  # again: nothing happens
    first, second = load_searches(workspace.store, TEA)
    assert (first.database, first.label, second.label) == ("Embase", None, "v1")
    assert [len(search.source_ids) for search in (first, second)] == [1, 1]
    assert without_search(workspace.store, TEA) == ()


def test_what_is_said_of_a_search_is_stored(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea")
    search = replace(
        find_search(workspace.store, TEA, 1), platform="Ovid", searched_on="2026-11-04", n_hits=7, text="1. tea (7)"
    )
    save_search(workspace.store, TEA, search)
    added = new_search(workspace.store, TEA, database="a register", kind="register")
    save_search(workspace.store, TEA, added)
    assert load_searches(workspace.store, TEA) == (search, added)
    with pytest.raises(NotFoundError):
        save_search(workspace.store, TEA, replace(added, source_ids=("nothing",)))
    assert load_searches(workspace.store, TEA) == (search, added)


def test_several_searches_are_added_in_order_and_with_clean_names(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea")
    (known,) = load_searches(workspace.store, TEA)
    added = [Search("", 0, database=f"Base\u00a0{n}") for n in range(3)]
    save_searches(workspace.store, TEA, [added[0], replace(known, n_hits=9), *added[1:]])
    found = load_searches(workspace.store, TEA)
    assert [search.number for search in found] == [1, 2, 3, 4]
    assert [search.database for search in found[1:]] == ["Base 0", "Base 1", "Base 2"]
    assert found[0].n_hits == 9
    assert len({search.search_id for search in found}) == 4


def test_two_files_of_one_search_are_joined(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea", "Black tea")
    bring_titles(workspace, "b.ris", "Black tea", "White tea")
    assert len(problems_of(workspace.store, TEA, date(2026, 11, 27))) == 1  # Embase is listed twice
    whole = join_searches(workspace.store, TEA, 1, [2])
    assert load_searches(workspace.store, TEA) == (whole,)
    (found,) = yields_of(workspace.store, TEA)
    assert (found.n_records, found.n_publications, found.n_duplicates) == (4, 3, 1)
    assert problems_of(workspace.store, TEA, date(2026, 11, 27)) == ()


def test_a_search_leaves_with_its_only_file_unless_something_is_said_of_it(workspace: Workspace) -> None:
    for name, titles in (("a.ris", ("Green tea",)), ("b.ris", ("White tea",))):
        bring_titles(workspace, name, *titles)
    save_search(workspace.store, TEA, replace(find_search(workspace.store, TEA, 2), n_hits=3))
    for source in load_sources(workspace.store, TEA):
        delete_source(workspace, TEA, source.source_id)
    (left,) = load_searches(workspace.store, TEA)
    assert (left.number, left.n_hits, left.source_ids) == (2, 3, ())


def test_a_deleted_search_leaves_its_files_which_can_have_another(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea")
    delete_search(workspace.store, TEA, 1)
    (source,) = without_search(workspace.store, TEA)
    with workspace.store.transaction():
        add_search_of(workspace.store, TEA, source, read_data(b"TY  - JOUR\nTI  - a\nER  - \n", "a.ris").origin)
    assert without_search(workspace.store, TEA) == ()
    with pytest.raises(NotFoundError):
        delete_search(workspace.store, TEA, 9)


def test_a_deleted_topic_leaves_nothing(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea")
    delete_topic(workspace, TEA)
    for table in ("searches", "search_files"):
        assert workspace.store.rows(f"SELECT count(*) FROM {table}") == [(0,)]


def test_screened_and_included_publications_are_phases_and_no_search_results(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea", "Black tea")
    assert phase_ids(workspace.store, TEA) == {}
    bring_titles(workspace, "screened.ris", "Black tea", "Tea from nowhere", role="screened")
    bring_titles(workspace, "final.ris", "Black tea", role="Included")
    phases = phase_ids(workspace.store, TEA)
    assert {phase: len(ids) for phase, ids in phases.items()} == {"screened": 2, "included": 1}
    assert len(load_searches(workspace.store, TEA)) == 1
    assert without_search(workspace.store, TEA) == ()
    assert len(workspace.store.topic_publication_ids(TEA)) == 2  # nowhere is in no search: it can't be found
    assert len(workspace.store.load_publications(phases["screened"])) == 2
    delete_topic(workspace, TEA)
    assert workspace.store.rows("SELECT count(*) FROM publications") == [(0,)]


@pytest.mark.collections
def test_the_phases_of_a_review(workspace: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    bring_files(workspace, "wildfire", SourceRole("corpus"), [folder / f"{name}.ris" for name in STAGES])
    for role, name in (("screened", "screened_128.ris"), ("included", "final_24.ris")):
        bring_files(workspace, "wildfire", SourceRole.named(role), [folder / name])
    phases = phase_ids(workspace.store, "wildfire")
    assert {phase: len(ids) for phase, ids in phases.items()} == {"screened": 127, "included": 24}  # one screened twice


def test_what_no_search_found_is_named_with_its_place(workspace: Workspace) -> None:
    bring_titles(workspace, "a.ris", "Green tea", "Black tea")
    data = b"TY  - JOUR\nTI  - Black tea\nER  - \nTY  - JOUR\nTI  - Tea from nowhere\nER  - \n"
    done = bring(workspace, TEA, SourceRole("screened"), [read_data(data, "passed.ris")])
    assert done.files[0].unfound == ((2, 4, "Tea from nowhere"),)
    assert {phase: len(ids) for phase, ids in unfound_ids(workspace.store, TEA).items()} == {"screened": 1}
    bring_titles(workspace, "last.ris", "Green tea", "Black tea", role="included")
    problems = problems_of(workspace.store, TEA, date(2026, 11, 27))
    assert any("Tea from nowhere" in problem for problem in problems)
    assert any("Green tea" in problem for problem in problems)  # included, but not screened
    bring_titles(workspace, "b.ris", "Tea from nowhere")
    assert unfound_ids(workspace.store, TEA) == {}


def test_a_file_in_the_wrong_role_is_suspected_by_its_name(workspace: Workspace) -> None:
    bring_titles(workspace, "Screened 2026.ris", "Green tea")
    (problem,) = problems_of(workspace.store, TEA, date(2026, 11, 27))
    assert "Screened 2026.ris" in problem
    change_role(workspace, TEA, load_sources(workspace.store, TEA)[0].source_id, SourceRole("screened"))
    assert not any("Screened 2026.ris" in each for each in problems_of(workspace.store, TEA, date(2026, 11, 27)))


def test_searches_share_a_version(workspace: Workspace) -> None:
    for name, title in (("a.ris", "Green tea"), ("b.ris", "White tea")):
        bring_titles(workspace, name, title)
    bring_titles(workspace, "c.ris", "Black tea", role="v1")
    group_searches(workspace.store, TEA, [1, 2], "v1")
    assert [search.label for search in load_searches(workspace.store, TEA)] == ["v1"] * 3
    for numbers, label in (([1], "v9"), ([1, 9], None)):
        with pytest.raises(NotFoundError):
            group_searches(workspace.store, TEA, numbers, label)
    assert [search.label for search in load_searches(workspace.store, TEA)] == ["v1"] * 3


def test_names_of_searches_are_unique(workspace: Workspace) -> None:
    for name in ("a.ris", "b.ris"):
        bring_titles(workspace, name, name)
    names = search_names(load_searches(workspace.store, TEA))
    assert len(set(names.values())) == 2


@pytest.mark.collections
def test_searches_of_a_review_that_could_be_dropped(workspace: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    bring_files(workspace, "wildfire", SourceRole("corpus"), [folder / f"{name}.ris" for name in STAGES])
    bring_files(workspace, "wildfire", SourceRole("included"), [folder / "final_24.ris"])
    found = yields_of(workspace.store, "wildfire")
    assert [each.n_included for each in found] == [n for *_, n in STAGES.values()]
    assert {each.measured_on for each in found} == {"included"}
    price = drop_of(workspace.store, "wildfire")
    assert price is not None
    assert (len(price.search_ids), price.n_saved, price.loses_nothing) == (3, 14, True)
    assert all(name in drop_words(workspace.store, "wildfire") for name in ("EconLit", "Environment Index", "MEDLINE"))
    lost = [len(each.lost_included) for each in drop_prices(workspace.store, "wildfire").values()]
    assert lost == [each.n_included_unique for each in found]
