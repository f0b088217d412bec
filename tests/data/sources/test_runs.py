"""Runs in live sources as the store keeps them: read back whole, offered again, deleted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import CorruptStoreError, InputError, NotFoundError
from core.query.adaptation import Loss
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.explore.workspace import Workspace
from data.sources.fetch import go_on, plan_run, same_run
from data.sources.runs import (
    LiveRun,
    alone,
    delete_live_run,
    fetched_of,
    find_live_run,
    live_pages,
    live_runs,
    save_new_run,
)
from data.sources.types import SentRequest
from tests.data.listed_source import ListedSource, numbered
from tests.messages import refusal

TOPIC = "Tea"
PREPARED = PreparedSearch(
    *("openalex", "pubmed", "a OR b’s", (Form(0, "title_and_abstract.search:(a)"), Form(1, "b"))),
    losses=(Loss(3, 2, 5, "approximated", 'a "*" is left out'), Loss(4, 5, 6, "dropped", "no such field")),
    choices=SourceOptions(stem=False, wildcards="send", synonyms=True),
)


def clock(day: int = 22, hour: int = 10) -> str:
    return f"2026-11-{day}T{hour}:00:00+00:00"


def a_run(run_id: str, made_at: str = clock(), topic_id: str = TOPIC) -> LiveRun:
    return LiveRun(
        *(run_id, topic_id, "openalex", "a OR b’s*", PREPARED, 500, "planned", None, None, "r0", None, None, 0, 0, 0),
        *(None, made_at, None, "https://api.example"),
        notes=("one", "two"),
        label_wanted="Mine",
    )


def test_a_run_is_read_as_it_was_saved(workspace: Workspace) -> None:
    save_new_run(workspace.store, a_run("r1"))
    assert find_live_run(workspace.store, "r1") == a_run("r1")


def test_runs_are_listed_newest_first_by_topic_or_all(workspace: Workspace) -> None:
    days = {"r1": clock(20), "r2": clock(22), "r3": clock(21), "r4": clock(22)}
    for run_id, day in days.items():
        save_new_run(workspace.store, a_run(run_id, day, "Other" if run_id == "r3" else TOPIC))
    assert [run.run_id for run in live_runs(workspace.store)] == ["r4", "r2", "r3", "r1"]
    assert [run.run_id for run in live_runs(workspace.store, TOPIC)] == ["r4", "r2", "r1"]
    assert live_runs(workspace.store, "none") == ()


def test_pages_calls_and_dollars_are_those_of_the_run(workspace: Workspace) -> None:
    source = ListedSource([numbered(35)], dollars=0.25)
    other = go_on(workspace, plan_run(workspace, TOPIC, source, "tea").run_id, source)
    source = ListedSource([numbered(15)], dollars=0.5)
    run = go_on(workspace, plan_run(workspace, TOPIC, source, "tea", fresh=True).run_id, source)
    assert [(r.n_pages, r.n_calls, r.dollars) for r in live_runs(workspace.store)] == [(2, 2, 1.0), (4, 4, 1.0)]
    assert (find_live_run(workspace.store, other.run_id).n_pages, run.n_pages) == (4, 2)
    pages = live_pages(workspace.store, run.run_id)
    assert pages[0].requests == (
        SentRequest("GET", "https://pubmed.example/eutils?at=0", "", clock(), 1.0, 200, 9, 0.5),
    )
    folder = workspace.paths.pages(run.run_id)
    records = [each for page in pages for each in fetched_of(folder / page.name)]
    assert [(key, record.pmid) for key, record in records] == [(str(n), str(n)) for n in range(1, 16)]


def test_a_run_that_is_not_there(workspace: Workspace) -> None:
    with refusal(NotFoundError):
        find_live_run(workspace.store, "nowhere")
    with refusal(NotFoundError):
        delete_live_run(workspace, "nowhere")
    assert live_pages(workspace.store, "nowhere") == ()


@pytest.mark.parametrize("document", ["[]", "{}", '{"prepared": {"source": 1}, "address": "", "label": null}'])
def test_what_a_later_version_wrote_otherwise_is_told(workspace: Workspace, document: str) -> None:
    save_new_run(workspace.store, a_run("r1"))
    workspace.store.execute("UPDATE live_runs SET document = ?", [document])
    with refusal(CorruptStoreError):
        find_live_run(workspace.store, "r1")


def test_deleting_takes_rows_and_files_and_leaves_the_version(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run, other = (plan_run(workspace, TOPIC, source, text, clock=clock) for text in ("tea", "leaf"))
    run = go_on(workspace, run.run_id, source, clock=clock)
    go_on(workspace, other.run_id, source, clock=clock)
    with alone(workspace.store, run.run_id), refusal(InputError):
        delete_live_run(workspace, run.run_id)
    folder = workspace.paths.pages(run.run_id)
    assert folder.is_dir()
    delete_live_run(workspace, run.run_id)
    assert not folder.exists()
    assert [each.run_id for each in live_runs(workspace.store)] == [other.run_id]
    assert live_pages(workspace.store, run.run_id) == ()
    assert len(live_pages(workspace.store, other.run_id)) == 2
    assert workspace.version(TOPIC, str(run.label)).n_retrieved == 15


# What was asked today already


def test_a_run_of_today_is_given_back_instead_of_asking_again(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = plan_run(workspace, TOPIC, source, "tea", clock=clock)
    assert plan_run(workspace, TOPIC, source, "tea", clock=clock).run_id != run.run_id  # it is not done
    run = go_on(workspace, run.run_id, source, clock=clock)
    n = len(source.asked)
    later = plan_run(workspace, TOPIC, source, "tea", clock=lambda: clock(22, 23))
    assert later == run
    assert go_on(workspace, later.run_id, source, clock=clock) == run
    assert len(source.asked) == n


def test_what_differs_is_asked_anew(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = go_on(workspace, plan_run(workspace, TOPIC, source, "tea", clock=clock).run_id, source, clock=clock)
    same = {"most": 10_000, "clock": clock}
    assert same_run(workspace, TOPIC, run.prepared, **same) == run  # type: ignore[arg-type]
    assert same_run(workspace, TOPIC, run.prepared, **same | {"most": 9}) is None  # type: ignore[arg-type]
    assert same_run(workspace, TOPIC, run.prepared, clock=lambda: clock(23)) is None
    assert same_run(workspace, "Other", run.prepared, clock=clock) is None
    for other in (
        replace(run.prepared, forms=(Form(0, "leaf"),)),
        replace(run.prepared, source="openalex"),
        replace(run.prepared, choices=SourceOptions(synonyms=True)),
    ):
        assert same_run(workspace, TOPIC, other, clock=clock) is None
    assert plan_run(workspace, TOPIC, source, "tea", fresh=True, clock=clock).run_id != run.run_id
    version = workspace.version(TOPIC, str(run.label)).version
    workspace.store.say_of_version(version.query_id, name=None, note=None, deleted_at=clock())
    assert same_run(workspace, TOPIC, run.prepared, clock=clock) is None


# Planning


def test_planning_makes_the_topic_and_sends_nothing(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = plan_run(workspace, "New", source, "tea", most=7, label=" A  label ", clock=clock)
    assert source.asked == []
    assert [topic.topic_id for topic in workspace.topics()] == ["New"]
    assert find_live_run(workspace.store, run.run_id) == run
    assert (run.most, run.label_wanted, run.address) == (7, "A label", "https://pubmed.example/eutils")


@pytest.mark.parametrize(
    ("topic_id", "most", "message"),
    [
        ("Tea", 0, "from 1 to 1,000,000 publications, not 0"),
        ("Tea", 1_000_001, "not 1,000,001"),
        (" Tea", 5, "a topic's name"),
        ("TEA", 5, 'topic "Tea" exists'),
    ],
)
def test_what_can_not_be_planned(workspace: Workspace, topic_id: str, most: int, message: str) -> None:
    workspace.store.save_topic("Tea", ())
    with pytest.raises(InputError, match=message):
        plan_run(workspace, topic_id, ListedSource([[]]), "tea", most=most)
    assert live_runs(workspace.store) == ()


def test_the_wrong_source(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    run = plan_run(workspace, TOPIC, source, "tea")
    source.about = replace(source.about, id="openalex", label="OpenAlex")
    with refusal(InputError):
        go_on(workspace, run.run_id, source)
    assert find_live_run(workspace.store, run.run_id).state == "planned"
