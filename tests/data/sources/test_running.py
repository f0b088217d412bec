"""Running a search in a live source: page after page is kept, and whatever ends it, it goes on from there."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, QueryscapeError, ReadOnlyError
from core.protocols import OnProgress
from data.explore.workspace import Workspace
from data.library.records import load_sources
from data.sources.runs import LiveRun, find_live_run, is_under_way, live_pages
from tests.data.listed_source import ListedSource, fetched, numbered
from tests.data.sources.live_runs import DAY, TOPIC, done, gone_on, planned, raising
from tests.messages import refusal


class Pause(Exception):
    """What a page raises when nobody waits any more."""


def numbers_of(workspace: Workspace, run: LiveRun) -> list[int]:
    """What a run became, by the numbers of its records, in the order in which they came."""
    found = workspace.store.rows("SELECT pmid FROM records WHERE source_id = ? ORDER BY number", [run.file_id])
    assert run.label is not None
    retrieved = workspace.store.load_retrieved_ids(workspace.version(TOPIC, run.label).version.query_id)
    assert sorted(retrieved) == sorted(f"pmid:{number}" for (number,) in found)
    return [int(number) for (number,) in found]


def stopping(after: int, error: Callable[[], BaseException] = Pause) -> Callable[[str], OnProgress]:
    """Raises at the report with this number, from 0."""
    n = -1

    def report(finished: int, total: int) -> None:
        nonlocal n
        n += 1
        if n == after:
            raise error()

    return lambda stage: report


def test_a_run_becomes_a_version_and_every_page_is_kept_as_it_came(workspace: Workspace) -> None:
    source = ListedSource([numbered(25)])
    told: list[tuple[str, int, int]] = []
    run = planned(workspace, source)
    assert (run.state, run.label, run.most, run.n_pages) == ("planned", None, 10_000, 0)
    finished = gone_on(workspace, run, source, on_stage=lambda stage: lambda n, total: told.append((stage, n, total)))
    assert finished.state == "done"
    assert (finished.label, finished.ended_at, finished.problem) == ("PubMed 2026-11-22", DAY, None)
    assert (finished.n_records, finished.n_repeated, finished.n_pages, finished.n_calls) == (25, 0, 3, 3)
    assert (finished.total_first, finished.total_last, finished.notes) == (25, 25, ())
    assert numbers_of(workspace, finished) == list(range(1, 26))
    version = workspace.version(TOPIC, "PubMed 2026-11-22").version
    assert (version.text, version.origin) == ("tea", "manual")
    assert [(n, total) for stage, n, total in told if stage == "fetching from PubMed"] == [
        (0, 0),  # nobody knows yet
        (10, 25),
        (20, 25),
        (25, 25),
    ]
    (row,) = load_sources(workspace.store, TOPIC)
    assert (row.name, row.n_in_file, row.n_records, row.source_id) == ("PubMed, 2026-11-22", 25, 25, finished.file_id)
    assert ["understood" in note for note in row.report.notes] == [True]
    folder = workspace.paths.pages(run.run_id)
    pages = live_pages(workspace.store, run.run_id)
    assert [(page.number, page.form, page.next, page.n_records, page.n_new) for page in pages] == [
        (1, 0, ":10", 10, 10),
        (2, 0, ":20", 10, 10),
        (3, 0, None, 5, 5),
    ]
    raw = [gzip.decompress((folder / page.name).read_bytes()) for page in pages]
    assert raw[2] == b"21 22 23 24 25"
    assert [sha256(each).hexdigest() for each in raw] == [page.sha256 for page in pages]
    assert pages[1].requests[0].address == "https://pubmed.example/eutils?at=10"


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_stopped_wherever_it_is_a_run_ends_as_if_it_had_not_been(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lists = data.draw(st.lists(st.lists(st.integers(1, 40), max_size=30), min_size=1, max_size=3))
    per_page, most = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 45))
    stops = data.draw(st.lists(st.integers(0, 6), max_size=4))
    expected = list(dict.fromkeys(number for each in lists for number in each))[:most]
    with Workspace.open(tmp_path_factory.mktemp("ws")) as workspace:
        source = ListedSource([[fetched(number) for number in each] for each in lists], per_page)
        run = planned(workspace, source, most=most)
        for after in stops:
            try:
                gone_on(workspace, run, source, on_stage=stopping(after))
            except Pause:
                assert find_live_run(workspace.store, run.run_id).state == "paused"
        finished = gone_on(workspace, run, source)
        assert numbers_of(workspace, finished) == expected
        assert finished.n_records == len(expected)
        places = [place[:2] for place in source.asked]
        assert len(set(places)) == len(places)  # nothing was asked twice
        if len(expected) < most:
            assert finished.n_records + finished.n_repeated == sum(map(len, lists))


def test_the_cap_is_exact_and_no_more_is_asked_for(workspace: Workspace) -> None:
    source = ListedSource([numbered(95)])
    run = done(workspace, source, most=34)
    assert numbers_of(workspace, run) == list(range(1, 35))
    assert [most for _, _, most in source.asked] == [34, 24, 14, 4]
    assert run.is_capped
    assert ["limit of 34; PubMed counts 95" in note for note in run.notes] == [True]
    assert not done(workspace, ListedSource([numbered(34)]), most=34).is_capped
    two = done(workspace, ListedSource([numbered(34), numbered(9, 90)]), most=34)
    assert two.is_capped  # the second form was never asked
    assert numbers_of(workspace, two) == list(range(1, 35))


def test_where_records_may_come_again_whole_pages_are_asked_for(workspace: Workspace) -> None:
    """Else a cap that is nearly reached would ask for one known record after the other."""
    source = ListedSource([numbered(9), [*numbered(9), *numbered(5, 50)]], 100)
    run = done(workspace, source, most=10)
    assert numbers_of(workspace, run) == [*range(1, 10), 50]
    assert source.asked == [(0, None, 10), (1, None, 100)]
    assert run.n_repeated == 9


def test_a_record_on_two_pages_is_one_and_the_first_counts(workspace: Workspace) -> None:
    source = ListedSource([[*numbered(12), fetched(3, title="Said otherwise, on another page"), *numbered(4, 13)]])
    run = done(workspace, source)
    assert numbers_of(workspace, run) == list(range(1, 17))
    assert run.n_repeated == 1
    assert workspace.publications(["pmid:3"])[0].title == "Study number 3 of many cups of tea"
    assert ["reported 17 but returned 16" in note for note in run.notes] == [True]


def test_a_total_that_changes_while_the_pages_come_is_told(workspace: Workspace) -> None:
    source = ListedSource([numbered(25)], total=lambda form, begin: 25 + begin)
    run = done(workspace, source)
    assert (run.total_first, run.total_last) == (25, 45)
    changed, fewer = run.notes
    assert "from 25 to 45" in changed
    assert "reported 45 but returned 25" in fewer
    silent = done(workspace, ListedSource([numbered(5)], total=lambda form, begin: None))
    assert (silent.total_first, silent.total_last, silent.notes, silent.n_records) == (None, None, (), 5)


def test_several_forms_are_united_and_their_totals_are_bounds(workspace: Workspace) -> None:
    run = done(workspace, ListedSource([numbered(12), numbered(12, 7), []]))
    assert numbers_of(workspace, run) == list(range(1, 19))
    assert (run.total_first, run.total_last, run.n_repeated, run.notes) == (24, 24, 6, ())
    fewer = done(workspace, ListedSource([numbered(12), numbered(3)], total=lambda form, begin: 20))
    assert ["up to 40 but returned 12" in note for note in fewer.notes] == [True]


@pytest.mark.parametrize("error", [Pause, KeyboardInterrupt])
def test_a_pause_takes_effect_within_a_page(workspace: Workspace, error: Callable[[], BaseException]) -> None:
    source = ListedSource([numbered(60)])
    run = planned(workspace, source)
    with pytest.raises((Pause, KeyboardInterrupt)):
        gone_on(workspace, run, source, on_stage=stopping(2, error))
    paused = find_live_run(workspace.store, run.run_id)
    assert (paused.state, paused.n_records, paused.problem, paused.label) == ("paused", 20, None, None)
    assert len(source.asked) == 2
    assert not is_under_way(workspace.store, run.run_id)
    assert gone_on(workspace, run, source).n_records == 60
    assert source.asked[2][:2] == (0, ":20")


def test_a_pause_may_come_with_a_stage_or_amid_a_page(workspace: Workspace) -> None:
    source = ListedSource([numbered(30)])
    run = planned(workspace, source)

    def at_once(stage: str) -> OnProgress:
        raise Pause

    with pytest.raises(Pause):
        gone_on(workspace, run, source, on_stage=at_once)
    assert find_live_run(workspace.store, run.run_id).state == "paused"
    source.before = raising(KeyboardInterrupt(), 20)
    with pytest.raises(KeyboardInterrupt):
        gone_on(workspace, run, source)
    assert find_live_run(workspace.store, run.run_id).state == "paused"
    source.before = lambda form, begin: None
    assert gone_on(workspace, run, source).n_records == 30


def test_a_pause_while_it_becomes_a_version_leaves_none(workspace: Workspace) -> None:
    source = ListedSource([numbered(30)])
    run = planned(workspace, source)

    def on_stage(stage: str) -> OnProgress:
        return stopping(0)(stage) if stage.startswith("recognising") else lambda done, total: None

    with pytest.raises(Pause):
        gone_on(workspace, run, source, on_stage=on_stage)
    paused = find_live_run(workspace.store, run.run_id)
    assert (paused.state, paused.n_records, paused.label) == ("paused", 30, None)
    assert workspace.store.versions() == ()
    assert load_sources(workspace.store) == ()
    assert numbers_of(workspace, gone_on(workspace, run, source)) == list(range(1, 31))
    assert len(source.asked) == 3


def test_a_run_that_is_done_is_given_back(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    run = done(workspace, source)
    assert gone_on(workspace, run, source) == run
    assert len(source.asked) == 1


def test_nothing_found_is_a_version_too(workspace: Workspace) -> None:
    run = done(workspace, ListedSource([[]]))
    assert (run.state, run.n_records, run.total_last, run.notes) == ("done", 0, 0, ())
    assert workspace.version(TOPIC, str(run.label)).n_retrieved == 0
    again = done(workspace, ListedSource([numbered(2)]))
    assert numbers_of(workspace, again) == [1, 2]
    assert workspace.version(TOPIC, str(run.label)).n_retrieved == 0


def test_what_is_under_way_is_not_begun_twice(workspace: Workspace) -> None:
    seen = []

    def again(form: int, begin: int) -> None:
        source.before = lambda form, begin: None
        with refusal(InputError) as error:
            gone_on(workspace, run, source)
        seen.append(error)

    source = ListedSource([numbered(3)], before=again)
    run = planned(workspace, source)
    assert gone_on(workspace, run, source).state == "done"
    assert len(seen) == 1


def test_files_without_a_row_are_taken_over(workspace: Workspace) -> None:
    """What a kill leaves between the files of a page and its row."""
    source = ListedSource([numbered(30)])
    run = planned(workspace, source)
    with pytest.raises(Pause):
        gone_on(workspace, run, source, on_stage=stopping(1))
    folder = workspace.paths.pages(run.run_id)
    (folder / "page-00002.gz").write_bytes(b"half of a page")
    (folder / "page-00002.records.gz.0f.part").write_bytes(b"")
    (folder / "aside.jsonl").write_text(json.dumps({"page": 2, "reason": "?", "raw": "x"}) + '\n{"page": ')
    finished = gone_on(workspace, run, source)
    assert numbers_of(workspace, finished) == list(range(1, 31))
    assert finished.n_aside == 0
    assert not list(folder.glob("*.part"))
    assert (folder / "aside.jsonl").read_bytes() == b""
    assert gzip.decompress((folder / "page-00002.gz").read_bytes()).startswith(b"11 12 ")


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_records_that_are_gone_or_damaged_are_told(workspace: Workspace, damage: str) -> None:
    source = ListedSource([numbered(30)])
    run = planned(workspace, source)
    with pytest.raises(Pause):
        gone_on(workspace, run, source, on_stage=stopping(2))
    path = workspace.paths.pages(run.run_id) / "page-00001.records.gz"
    data = path.read_bytes()
    path.unlink() if damage == "gone" else path.write_bytes(data[:20] if damage == "cut" else gzip.compress(b"[]"))
    with refusal(QueryscapeError):
        gone_on(workspace, run, source)
    assert find_live_run(workspace.store, run.run_id).state == "failed"
    path.write_bytes(data)
    assert numbers_of(workspace, gone_on(workspace, run, source)) == list(range(1, 31))


def test_a_copy_of_a_store_runs_nothing(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    run = planned(workspace, source)
    workspace.store.is_read_only = True
    with refusal(ReadOnlyError):
        planned(workspace, source)
    with refusal(ReadOnlyError):
        gone_on(workspace, run, source)
    assert source.asked == []
