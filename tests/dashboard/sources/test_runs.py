"""The view "Runs" of the page Sources: what was sent, what came, what changed since, and what a run lets be done."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import OutOfReachError
from core.query.adaptation import Loss
from core.sources.runs import choices_in_words
from core.sources.source_forms import SourceOptions
from dashboard import cache
from dashboard.sources import jobs
from dashboard.sources.figures import TOTAL, counts_fetched, drift_figure
from dashboard.sources.labels import csv_bytes, json_bytes
from dashboard.sources.runs import aside_rows, loss_rows, moved_totals, request_rows, requests_document
from dashboard.sources.updates import change_rows, moments_of
from data.explore.workspace import Workspace
from data.sources.fetch import changes_between, repeat_estimate
from data.sources.runs import changed_records, find_live_run, live_pages, live_runs, put_aside, records_of, searched_of
from tests.dashboard.apps import SECONDS, messages, open_alone, press, ran, shown
from tests.data.listed_source import ListedSource, numbered
from tests.data.live_scenes import BROKEN, LATER, TEXT, TOPIC, failed, finished, paused, repeated, run_of

pytestmark = pytest.mark.usefixtures("nobody_is_looked_for")


def page(**link: str) -> AppTest:
    """The view alone, for the topic of the scenes."""
    return open_alone("sources/page.py", {"chosen_topic": TOPIC}, **{"sources": "Runs", **link})


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def test_without_a_run_the_way_to_the_first_one_is_shown(root: Path) -> None:
    app = page()
    assert "No runs yet." in messages(app)
    app.button(key="runs-search").click().run()
    assert app.session_state["sources"] == "Search"


def test_the_list_says_how_each_run_stands(root: Path) -> None:
    with Workspace.open(root) as workspace:
        done, waiting, spent = finished(workspace), paused(workspace), failed(workspace)
    app = page()
    told = shown(app)
    assert "PubMed** · finished · 25 of 27 publications" in told
    assert f"version {done.label}" in told
    assert "PubMed** · paused · 20 of 25 publications" in told
    assert "PubMed** · stopped · 10 of 25 publications" in told
    assert "budget of PubMed" in told
    assert TEXT in told
    keys = {button.key for button in app.button}
    assert {f"live-go-on-{run.run_id}" for run in (waiting, spent)} <= keys
    assert f"live-go-on-{done.run_id}" not in keys


def test_every_count_of_what_came_leads_to_as_many_publications(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
        again = repeated(workspace, run)
        pages = live_pages(workspace.store, run.run_id)
        assert len(pages) > 1
        for page_of_run in pages:
            assert len(records_of(workspace, run.run_id, page_of_run.number)) == page_of_run.n_new
        for each in (run, again):
            assert len({key for key, _ in records_of(workspace, each.run_id)}) == each.n_records
    app = page(live_run=run.run_id, live_part="What came")
    assert not [table for table in app.dataframe if "ID in source" in table.value]
    ran(app.toggle(key="live-list-came").set_value(True))
    assert [len(table.value) for table in app.dataframe if "ID in source" in table.value] == [run.n_records]
    app = page(live_run=run.run_id, live_part="Since then")
    assert not app.exception
    assert "the fetched publications" in shown(app)
    moments = moments_of([run, again])
    figure = drift_figure(moments, source="PubMed", theme="light")
    for curve, trace in enumerate(figure.data):
        for index, n in enumerate(trace.y):
            if counts_fetched(moments, {"curve_number": curve, "point_index": index}):
                assert n == moments[index].n_fetched
            else:
                assert trace.name == TOTAL


def test_runs_of_other_topics_are_shown_on_demand(root: Path) -> None:
    with Workspace.open(root) as workspace:
        finished(workspace)
    app = open_alone("sources/page.py", {"chosen_topic": "Another"}, sources="Runs")
    assert "for this topic" in messages(app)
    app.toggle(key="live_all_topics").set_value(True).run()
    assert "finished · 25 of 27" in shown(app)
    assert TOPIC in shown(app)


def test_a_run_goes_on_where_it_was_paused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(root) as workspace:
        run = paused(workspace)
    source = ListedSource([numbered(25)])
    monkeypatch.setattr(jobs, "opened", lambda source_id: source)
    app = page()
    press(app, f"live-go-on-{run.run_id}")
    assert "finished · 25 of 25" in shown(app)
    assert [at for _, at, _ in source.asked] == [":20"]


def test_what_ends_a_run_is_said_where_it_stands(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(root) as workspace:
        run = paused(workspace)

    def gone(source_id: str) -> ListedSource:
        raise OutOfReachError("no <b>internet</b>")

    monkeypatch.setattr(jobs, "opened", gone)
    app = page()
    press(app, f"live-go-on-{run.run_id}")
    assert "No <b>internet</b>." in messages(app)


def test_offline_nothing_can_be_asked_and_everything_can_be_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(root) as workspace:
        run, done = paused(workspace), finished(workspace)
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    button = page().button(key=f"live-go-on-{run.run_id}")
    assert button.disabled
    assert "QUERYSCAPE" in button.help
    app = page(live_run=done.run_id, live_part="Since then")
    assert app.button(key="live-again").disabled
    assert "PubMed was searched" in shown(page(live_run=done.run_id))


def asking(run_id: str) -> AppTest:
    """The dialog alone: the page draws it for one click, a browser until it is closed."""

    def draw(run_id: str) -> None:
        from dashboard import cache
        from dashboard.sources.run_list import ask_before_deleting
        from data.sources.runs import find_live_run

        ask_before_deleting(find_live_run(cache.workspace().store, run_id))

    return AppTest.from_function(draw, default_timeout=SECONDS, kwargs={"run_id": run_id}).run()


def test_deleting_asks_first_and_keeps_the_version(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
    app = page(live_run=run.run_id)
    app.button(key=f"live-delete-{run.run_id}").click().run()
    told = shown(app)
    assert "3 pages as received" in told
    assert f"Version {run.label} and its publications" in told
    asking(run.run_id).button(key="live-delete-not").click().run()
    assert len(live_runs(cache.workspace().store)) == 1
    asking(run.run_id).button(key="live-delete-now").click().run()
    store = cache.workspace().store
    assert live_runs(store) == ()
    assert [row.version.label for row in store.versions(TOPIC)] == [run.label]
    assert not cache.workspace().paths.pages(run.run_id).exists()
    assert "no longer exists" not in messages(page())


def test_a_link_to_a_run_that_is_gone_says_so(root: Path) -> None:
    with Workspace.open(root) as workspace:
        finished(workspace)
    told = shown(page(live_run="../../etc"))
    assert "no longer exists" in told
    assert "finished · 25 of 27" in told


def test_the_search_is_told_as_a_methods_section_tells_it(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
    told = shown(page(live_run=run.run_id))
    facts = (
        "https://pubmed.example/eutils",
        "22 November 2026 at 10:00 UTC (until 5 January 2031)",
        f"“{TEXT} part 0”",
        "25 records; the count was 27 at the end",
        "25 were fetched; the cap was 10,000. 1 record that had",
        "1 record that could not",
    )
    assert [fact for fact in facts if fact not in told] == []
    assert "As typed" in told


def test_every_request_stands_in_the_table_and_in_the_files(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
        pages = live_pages(workspace.store, run.run_id)
    app = page(live_run=run.run_id, live_part="Requests")
    (table,) = app.dataframe
    assert list(table.value["Address"]) == [f"https://pubmed.example/eutils?at={at}" for at in (0, 10, 20)]
    assert list(table.value["Total"]) == [25, 25, 27]
    assert list(table.value["Records"]) == [10, 10, 6]
    assert list(table.value["New"]) == [10, 9, 6]
    assert "3 requests for 3 pages" in shown(app)
    lines = list(csv.DictReader(io.StringIO(csv_bytes(request_rows(pages)).decode("utf-8-sig"))))
    assert [line["Method"] for line in lines] == ["GET"] * 3
    document = json.loads(json_bytes(requests_document(run, pages)))
    assert document["forms"] == [f"{TEXT} part 0"]
    assert [each["sha256"] for each in document["pages"]] == [each.sha256 for each in pages]


def test_what_came_names_what_was_odd(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
    app = page(live_run=run.run_id, live_part="What came")
    told = shown(app)
    assert "Duplicates: 1" in told
    assert "Set aside: 1" in told
    assert "The total changed at page 3, from 25 to 27." in told
    assert "The source reported 27 but returned 26 different records." in told
    assert "written. (3 pages)" in told
    assert str(root / "sources" / run.run_id) in told
    assert "5 Jan 2031, 09:30 UTC" in told


def test_records_put_aside_are_kept_as_they_came_and_harmless_in_a_table(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
        (only,) = put_aside(workspace, run.run_id)
    assert (only.raw, only.page) == (BROKEN.raw, 2)
    assert aside_rows([only]) == [{"Page": "2", "Why": "It has no title.", "As received": BROKEN.raw}]
    assert b"'=1" in csv_bytes([{"As received": "=1+1"}])


def test_a_cap_that_cuts_is_said_with_what_it_means(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = run_of(workspace, ListedSource([numbered(25)]), most=10)
    assert run.is_capped
    assert "cap of 10 (40 %)" in shown(page())
    assert "Of 25 publications at most 10 are fetched: 40 %." in shown(page(live_run=run.run_id, live_part="What came"))


def test_since_then_lists_what_is_new_gone_and_changed(root: Path) -> None:
    with Workspace.open(root) as workspace:
        first = finished(workspace)
        later = repeated(workspace, first)
        found = changes_between(workspace, first.run_id, later.run_id)
        rows = change_rows(changed_records(workspace, first.run_id, later.run_id, found))
    assert [(row["Fate"], row["ID in source"]) for row in rows] == [
        ("new", "26"),
        ("new", "27"),
        ("gone", "1"),
        ("changed", "2"),
    ]
    assert rows[-1]["What changed"] == "title"
    for run in (first, later):
        app = page(live_run=run.run_id, live_part="Since then")
        told = shown(app)
        assert "From 5 Jan 2031, 09:30 UTC to 6 Mar 2031, 10:00 UTC: 2 new, 1 gone, 1 changed, 23 unchanged." in told
        assert "27 on 2031-01-05, 26 on 2031-03-06: −0.5 a month" in told
    app.session_state["live_fate"] = "gone"
    app.run()
    assert list(app.dataframe[0].value["ID in source"]) == ["1"]


def test_gone_because_of_a_cap_or_an_unfinished_run_is_cautioned_about(root: Path) -> None:
    with Workspace.open(root) as workspace:
        first = run_of(workspace, ListedSource([numbered(25)]), most=10)
        later = repeated(workspace, first)
    told = shown(page(live_run=later.run_id, live_part="Since then"))
    assert "later run stopped" in told
    assert "earlier run stopped" in told


def test_running_it_again_says_what_it_takes_and_opens_the_new_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
    monkeypatch.setattr(jobs, "opened", lambda source_id: ListedSource([numbered(30)]))
    app = page(live_run=run.run_id, live_part="Since then")
    assert repeat_estimate(run, ms_per_call=1.0).sentence in shown(app)
    press(app, "live-again")
    (newest,) = (each for each in live_runs(cache.workspace().store) if each.earlier_id)
    assert (newest.earlier_id, newest.state, newest.n_records) == (run.run_id, "done", 30)
    assert app.session_state["live_run"] == newest.run_id


def test_a_finished_run_leads_to_its_version_and_to_the_core(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
    app = page(live_run=run.run_id)
    assert {"Workbench", "Library", "Core publications"} <= set(labels(app))
    app.button(key="live-to-core").click().run()
    assert app.session_state["sources"] == "Core publications"


def test_a_copy_of_the_workspace_changes_nothing(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = paused(workspace)
    cache.workspace().store.is_read_only = True
    app = page()
    assert app.button(key=f"live-go-on-{run.run_id}").disabled
    assert app.button(key=f"live-delete-{run.run_id}").disabled


def test_a_moment_of_the_figure_says_whether_the_run_ended(root: Path) -> None:
    with Workspace.open(root) as workspace:
        done = finished(workspace)
        half = find_live_run(workspace.store, paused(workspace).run_id)
        later = repeated(workspace, done)
    first, second, third = moments_of([later, done, half])
    assert {first.at, second.at} < {third.at, first.at}
    assert third.at == LATER
    assert {m.is_whole for m in (first, second)} == {True, False}


def test_totals_that_move_are_told_by_part() -> None:
    assert list(moved_totals([])) == []


def test_losses_stand_beside_the_words_they_are_about() -> None:
    (row,) = loss_rows("heat*", [Loss(1, 0, 5, "narrowed", "the wildcard is left out")])
    assert row == {"In your text": "heat*", "In the source": "finds less", "Why": "The wildcard is left out"}


def test_choices_are_said_where_a_source_has_some() -> None:
    assert "are written" in choices_in_words("openalex", SourceOptions(stem=False))
    assert "sent as" in choices_in_words("openalex", SourceOptions(wildcards="send"))
    assert choices_in_words("pubmed", SourceOptions()) == ""


def test_a_search_began_when_its_first_request_was_sent(root: Path) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
        assert searched_of(run, live_pages(workspace.store, run.run_id)).began == "2026-11-22T10:00:00+00:00"
        assert searched_of(run, ()).began == run.made_at
