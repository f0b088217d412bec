"""A search that is run again: what is new, gone and changed, by the source's own names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.protocols import OnProgress
from data.explore.workspace import Workspace
from data.library.duplicates import join
from data.library.filing import delete_version
from data.sources.fetch import changes_between, go_on, history, plan_run, repeat
from data.sources.runs import LiveRun, delete_live_run
from tests.data.listed_source import ListedSource, fetched, numbered
from tests.messages import refusal

TOPIC = "Tea"


def clock(day: int = 22) -> str:
    return f"2026-11-{day}T10:00:00+00:00"


def done(workspace: Workspace, source: ListedSource, *, most: int = 10_000) -> LiveRun:
    return go_on(workspace, plan_run(workspace, TOPIC, source, "tea", most=most, fresh=True).run_id, source)


def repeated(workspace: Workspace, run: LiveRun, source: ListedSource) -> LiveRun:
    return go_on(workspace, repeat(workspace, run.run_id, source).run_id, source)


def test_a_repeated_run_sends_exactly_what_was_sent(workspace: Workspace) -> None:
    source = ListedSource([numbered(5), numbered(5, 3)])
    run = plan_run(workspace, TOPIC, source, "tea", most=6, label="Mine", clock=clock)
    run = go_on(workspace, run.run_id, source, clock=clock)
    assert run.earlier_id is None
    otherwise = ListedSource([numbered(5), numbered(5, 3), numbered(9, 50)])  # it would translate otherwise now
    later = repeat(workspace, run.run_id, otherwise, clock=lambda: clock(29))
    assert (later.earlier_id, later.prepared, later.text, later.most) == (run.run_id, run.prepared, run.text, 6)
    assert later.state == "planned"
    assert otherwise.asked == []
    later = go_on(workspace, later.run_id, otherwise, clock=lambda: clock(29))
    assert (later.label, later.n_records) == ("PubMed 2026-11-29", 6)
    assert repeat(workspace, run.run_id, source, most=50).most == 50


def test_new_gone_and_changed(workspace: Workspace) -> None:
    before = done(workspace, ListedSource([numbered(12)]))
    lately = [*numbered(9, 3), fetched(12, title="Another title"), *numbered(2, 20)]
    after = repeated(workspace, before, ListedSource([lately]))
    found = changes_between(workspace, before.run_id, after.run_id)
    assert (found.new, found.gone, found.changed, found.n_same) == (("20", "21"), ("1", "2"), ("12",), 9)
    assert (found.total_before, found.total_after, found.cautions) == (12, 12, ())
    same = changes_between(workspace, before.run_id, before.run_id)
    assert (same.new, same.gone, same.changed, same.n_same) == ((), (), (), 12)


def test_what_the_library_takes_for_one_does_not_matter(workspace: Workspace) -> None:
    before = done(workspace, ListedSource([numbered(6)]))
    after = repeated(workspace, before, ListedSource([numbered(5)]))
    expected = changes_between(workspace, before.run_id, after.run_id)
    assert expected.gone == ("6",)
    join(workspace, TOPIC, "pmid:1", "pmid:6")
    assert changes_between(workspace, before.run_id, after.run_id) == expected
    delete_version(workspace, TOPIC, str(before.label))
    assert changes_between(workspace, before.run_id, after.run_id) == expected


def test_runs_that_are_cut_or_not_whole_are_compared_with_cautions(workspace: Workspace) -> None:
    whole = done(workspace, ListedSource([numbered(30)]))
    cut = done(workspace, ListedSource([numbered(30)]), most=20)
    (caution,) = changes_between(workspace, whole.run_id, cut.run_id).cautions
    assert "later run stopped" in caution

    def at_second(stage: str) -> OnProgress:
        def report(finished: int, total: int) -> None:
            if finished:
                raise KeyboardInterrupt

        return report

    source = ListedSource([numbered(30)])
    half = repeat(workspace, whole.run_id, source)
    with pytest.raises(KeyboardInterrupt):
        go_on(workspace, half.run_id, source, on_stage=at_second)
    found = changes_between(workspace, whole.run_id, half.run_id)
    assert (len(found.gone), found.n_same, len(found.cautions)) == (20, 10, 1)


@settings(max_examples=10, deadline=None)
@given(
    before=st.dictionaries(st.integers(1, 30), st.sampled_from(["tea", "cup"]), max_size=20),
    after=st.dictionaries(st.integers(1, 30), st.sampled_from(["tea", "cup"]), max_size=20),
)
def test_changes_are_those_of_sets(
    before: dict[int, str], after: dict[int, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Workspace.open(tmp_path_factory.mktemp("ws")) as workspace:
        runs = [
            done(workspace, ListedSource([[fetched(n, title=f"{word} {n} of a kind") for n, word in each.items()]], 7))
            for each in (before, after)
        ]
        found = changes_between(workspace, runs[0].run_id, runs[1].run_id)
    assert {int(key) for key in found.new} == after.keys() - before.keys()
    assert {int(key) for key in found.gone} == before.keys() - after.keys()
    assert {int(key) for key in found.changed} == {n for n in before.keys() & after.keys() if before[n] != after[n]}
    assert found.n_same + len(found.changed) + len(found.gone) == len(before)


def test_the_history_of_a_run_is_the_same_from_each_of_its_runs(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    other = done(workspace, source)
    first = done(workspace, source)
    second = repeated(workspace, first, source)
    third = repeated(workspace, second, source)
    again = repeated(workspace, first, source)
    chain = (first, second, third, again)
    assert [history(workspace, run.run_id) for run in chain] == [chain] * 4
    assert history(workspace, other.run_id) == (other,)
    delete_live_run(workspace, first.run_id)
    assert history(workspace, third.run_id) == (second, third)
    assert history(workspace, again.run_id) == (again,)


def test_another_source_is_no_repetition(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    run = done(workspace, source)
    with refusal(InputError):
        repeat(workspace, run.run_id, _named(source))
    other = done(workspace, _named(source))
    with refusal(InputError):
        changes_between(workspace, run.run_id, other.run_id)


def _named(source: ListedSource) -> ListedSource:
    return ListedSource(source.lists, about=replace(source.about, id="europepmc", label="Europe PMC"))
