"""What a search says of itself, what contradicts what, and what each search brings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.searches import (
    Search,
    SearchOrigin,
    SearchRecords,
    alike,
    checked_search,
    contradictions,
    grouped_searches,
    hits_of,
    origin_of,
    search_yields,
)
from core.errors import InputError

TODAY = date(2026, 11, 27)
HISTORY = "1. exp Asthma/ (12,345)\n2. wheez*.ti,ab. (2000)\n3. 1 or 2 (13000)"
OVID = Search("a", 1, database="MEDLINE", platform="Ovid")


@pytest.mark.parametrize(
    ("text", "format_id", "name", "database", "platform"),
    [
        ("DP  - EBSCOhost\nDB  - ccm\nER  - \n", "ris", "a.ris", "CINAHL Complete", "EBSCOhost"),
        ("DB  - Ovid MEDLINE(R) Daily Update\nER  - \n", "ris", "a.ris", "MEDLINE", "Ovid"),
        ("DB  - Embase\nUR  - https://ovidsp.ovid.com/x\nER  - \n", "ris", "a.ris", "Embase", "Ovid"),
        ("AN  - WOS:000491685000028\nER  -\n", "ris", "a.ris", "Web of Science", "Web of Science"),
        ("ID  - 000-454-299-663-96X\nER  - \n", "ris", "a.ris", "The Lens", "The Lens"),
        ("Authors,Title", "scopus_csv", "a.csv", "Scopus", "Scopus"),
        ("TI  - a\nER  - \n", "ris", "2026 Cinahl export.ris", "CINAHL", ""),
        ("TI  - a\nER  - \n", "ris", "generic.ris", "", ""),
        ("DB  - ecn\nER  - \nTI  - a\nER  - \n", "ris", "a.ris", "", ""),  # half of the records are not most
    ],
)
def test_where_records_come_from_is_read_from_most_of_them(
    text: str, format_id: str, name: str, database: str, platform: str
) -> None:
    found = origin_of(text, format_id, name)
    assert (found.database, found.platform) == (database, platform)


@pytest.mark.parametrize(("written", "day"), [("2024/08/09", "2024-08-09"), ("2024/13/09", ""), ("August", "")])
def test_the_day_of_an_export_is_a_day(written: str, day: str) -> None:
    assert origin_of(f"Y2  - {written}\nER  - \n", "ris", "a.ris") == SearchOrigin(day=day)


def test_hits_are_those_given_else_those_of_the_history() -> None:
    assert hits_of(replace(OVID, text=HISTORY)) == 13_000
    assert hits_of(replace(OVID, text=HISTORY, n_hits=5)) == 5
    assert hits_of(replace(OVID, text="asthma AND child")) is None


@pytest.mark.parametrize(
    ("search", "n_records", "n_problems"),
    [
        (OVID, 10, 0),
        (replace(OVID, n_hits=10), 10, 0),
        (replace(OVID, n_hits=9), 10, 1),
        (replace(OVID, text=HISTORY, n_hits=13_000), 10, 0),
        (replace(OVID, text=HISTORY, n_hits=12_999), 10, 1),
        (replace(OVID, text=HISTORY), 13_001, 1),
        (replace(OVID, searched_on="2026-11-27"), 10, 0),
        (replace(OVID, searched_on="2026-11-28"), 10, 1),
    ],
)
def test_what_contradicts_itself_is_told_once(search: Search, n_records: int, n_problems: int) -> None:
    assert len(list(contradictions(search, n_records, TODAY))) == n_problems


def test_one_database_twice_on_one_day_is_alike() -> None:
    again = replace(OVID, search_id="b", number=2)
    assert alike([OVID, again]) == ("MEDLINE (Ovid)",)
    assert alike([OVID, replace(again, searched_on="2026-11-04")]) == ()
    assert alike([Search("a", 1), Search("b", 2)]) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"searched_on": "4.11.2026"},
        {"n_hits": -1},
        {"n_hits": 10**12},
        {"kind": "guess"},
        {"platform": "x" * 201},
    ],
)
def test_what_can_not_be_stored_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InputError):
        checked_search(replace(OVID, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Web\nof Science", "Web\u00a0of  Science ", "\u202eWeb of\u200b Science\x00"])
def test_a_name_is_one_line_of_visible_signs(name: str) -> None:
    checked = checked_search(replace(OVID, database=name, platform=name, searched_by=name))
    assert {checked.database, checked.platform, checked.searched_by} == {"Web of Science"}


IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


@given(records=st.lists(IDS, max_size=4), core=st.sets(st.sampled_from("abcdefgh")))
def test_yields_are_those_of_plain_sets(records: list[list[str]], core: set[str]) -> None:
    searches = [Search(str(n), n) for n in range(len(records) + 1)]  # the last one has no file
    brought = {str(n): SearchRecords(len(ids), tuple(dict.fromkeys(ids))) for n, ids in enumerate(records)}
    found = search_yields(searches, brought, core)
    assert [each.search_id for each in found] == list(brought)
    for n, (ids, each) in enumerate(zip(records, found, strict=True)):
        alone = {i for i in ids if all(i not in other for m, other in enumerate(records) if m != n)}
        assert (each.n_records, each.n_publications, each.n_duplicates) == (
            len(ids),
            len({*ids}),
            len(ids) - len({*ids}),
        )
        assert (each.n_unique, each.n_core, each.n_core_unique) == (len(alone), len({*ids} & core), len(alone & core))
        assert each.n_to_read == (len({*ids}) / len({*ids} & core) if {*ids} & core else None)


FEW = st.frozensets(st.sampled_from("abcdef"))


@given(st.lists(FEW, max_size=4), FEW, FEW)
def test_phases_are_counted_as_core_is(
    found: list[frozenset[str]], core: frozenset[str], final: frozenset[str]
) -> None:
    searches = [Search(str(n), n) for n in range(len(found))]
    brought = {str(n): SearchRecords(len(ids), tuple(ids)) for n, ids in enumerate(found)}
    as_core = search_yields(searches, brought, final)
    for each, same in zip(search_yields(searches, brought, core, {"included": final}), as_core, strict=True):
        assert (each.n_included, each.n_included_unique) == (same.n_core, same.n_core_unique)
        assert (each.precision, each.n_to_read, each.measured_on) == (same.precision, same.n_to_read, "included")
        assert each.n_screened is None


def test_a_version_groups_its_searches() -> None:
    day = "2026-11-04"
    some = [
        Search("a", 1, database="Scopus"),
        Search("b", 2, database="MEDLINE", platform="Ovid", label="v3", searched_on=day),
        Search("c", 3, database="Embase", label="v3", searched_on=day),
        Search("d", 4, database="CENTRAL", label="v4", searched_on="2026-12-01"),
        Search("e", 5, database="CENTRAL", label="v4", searched_on=day),
    ]
    names = [group.name for group in grouped_searches(some)]
    assert names == [
        "v3: MEDLINE, Embase, 4 Nov 2026",
        "v4: CENTRAL, 4 Nov 2026 to 1 Dec 2026",
        "No version: Scopus",
    ]
    assert sum(len(group.searches) for group in grouped_searches(some)) == len(some)
