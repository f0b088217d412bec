"""Others are at the same run, topic or name; sources go in circles; clocks are put back; files are damaged."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from core.errors import CorruptStoreError, FormatChangedError, InputError, NotFoundError, ServiceError
from core.protocols import OnProgress
from core.sources.source_forms import Form, SourceOptions
from data.explore.workspace import Workspace
from data.http.client import json_in, words_of
from data.library.filing import delete_topic
from data.library.records import load_sources
from data.sources import fetch
from data.sources.connection import count_at
from data.sources.fetch import go_on, history, plan_run, repeat
from data.sources.pubmed import read_records, read_search
from data.sources.runs import delete_live_run, find_live_run, live_pages
from data.sources.types import OddRecord, SourcePage
from data.store import Store
from tests.data.listed_source import ListedSource, numbered
from tests.data.sources.live_runs import TOPIC, clock, done, gone_on, planned
from tests.messages import refusal


def before_freezing(act: Callable[[], object]) -> Callable[[str], OnProgress]:
    """What another thread does when all records are there and none is in the library yet."""

    def on_stage(name: str) -> OnProgress:
        if name.startswith("recognising"):
            act()
        return lambda done, total: None

    return on_stage


# Others


@pytest.mark.parametrize("ends", ["done", "deleted"])
def test_who_waited_for_a_run_looks_what_became_of_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """The other one ends between our asking for the run and our turn."""
    source, late = ListedSource([numbered(15)]), ListedSource([numbered(15)])
    run, alone = planned(workspace, source), fetch.alone

    @contextmanager
    def turn(store: Store, run_id: str) -> Iterator[None]:
        monkeypatch.setattr(fetch, "alone", alone)
        if ends == "done":
            go_on(workspace, run_id, source, clock=clock)
        else:
            delete_live_run(workspace, run_id)
        with alone(store, run_id):
            yield

    monkeypatch.setattr(fetch, "alone", turn)
    if ends == "done":
        assert gone_on(workspace, run, late) == find_live_run(workspace.store, run.run_id)
        assert find_live_run(workspace.store, run.run_id).state == "done"
        assert len(load_sources(workspace.store, TOPIC)) == 1
    else:
        with pytest.raises(NotFoundError):
            gone_on(workspace, run, late)
    assert late.asked == []


def test_two_runs_that_end_together_are_two_versions(workspace: Workspace) -> None:
    source, other = ListedSource([numbered(15)]), ListedSource([numbered(12, 50)])
    run, second = planned(workspace, source), planned(workspace, other)
    quicker = before_freezing(lambda: gone_on(workspace, second, other))
    run = gone_on(workspace, run, source, on_stage=quicker)
    assert run.label == "PubMed 2026-11-22 (2)"
    assert workspace.version(TOPIC, "PubMed 2026-11-22").n_retrieved == 12
    assert workspace.version(TOPIC, "PubMed 2026-11-22 (2)").n_retrieved == 15


def test_a_topic_that_goes_at_the_last_moment_leaves_nothing_behind(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = planned(workspace, source)
    with refusal(NotFoundError):
        gone_on(workspace, run, source, on_stage=before_freezing(lambda: delete_topic(workspace, TOPIC)))
    assert find_live_run(workspace.store, run.run_id).state == "failed"
    for table in ("query_versions", "sources", "records", "publications", "retrieved"):
        assert workspace.store.rows(f"SELECT count(*) FROM {table}") == [(0,)], table


# Circles


@dataclass
class Circle(ListedSource):
    """Gives the same pages round after round, each under a name of its own."""

    n_pages: int = 1

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        self.asked.append((form.number, at, most))
        place = (len(self.asked) - 1) % self.n_pages
        aside = (OddRecord(f"odd {place}", "it has no title"),)
        return SourcePage(tuple(numbered(10, 1 + 10 * place)), aside, 1000, f"page {len(self.asked)}", b"the same")


@pytest.mark.parametrize("n_pages", [1, 2, 70])
def test_a_source_that_goes_in_a_circle_is_left(workspace: Workspace, n_pages: int) -> None:
    source = Circle([[]], n_pages=n_pages)
    run = planned(workspace, source)
    with refusal(ServiceError):
        gone_on(workspace, run, source)
    assert len(source.asked) == 2 * n_pages - 1 + 50, "once for its records, once to see them again"
    run = find_live_run(workspace.store, run.run_id)
    assert (run.state, run.n_records, run.n_aside) == ("failed", 10 * n_pages, n_pages)


def test_many_pages_of_what_is_known_are_no_circle(workspace: Workspace) -> None:
    """All forms find what the first did, and the last one more at its end."""
    source = ListedSource([numbered(600), numbered(600), numbered(604)])
    run = done(workspace, source)
    assert (run.state, run.n_records, run.n_repeated) == ("done", 604, 1200)


def test_a_run_that_is_full_says_which_of_its_searches_were_not_begun(workspace: Workspace) -> None:
    source = ListedSource([numbered(12), numbered(12, 30), numbered(12, 60)])
    run = plan_run(workspace, TOPIC, source, "tea", most=20, clock=clock)
    run = gone_on(workspace, run, source)
    assert (run.n_records, run.is_capped) == (20, True)
    said = "it stopped at its limit of 20; 1 of its 3 searches were not started"
    assert run.notes == (said,)


# What can't be kept as it is

HALF = rb'{"esearchresult": {"count": "3", "querytranslation": "half \ud83c a sign", "webenv": "W", "querykey": "1"}}'


def test_halves_of_signs_come_no_further_than_the_answer(workspace: Workspace) -> None:
    assert [note.partition(": ")[2] for note in read_search(HALF).notes] == ["half ? a sign"]
    assert json_in(rb'["\uD83C\uDF75", "\\ud83c", "\udf75"]', "Tea") == ["🍵", "\\ud83c", "?"]
    assert json_in(b'["\xed\xa0\x80"]', "Tea") == ["?"]
    assert words_of(rb'{"message": "no \ud83c field"}') == "no ? field"
    with pytest.raises(InputError, match="incomplete character"):
        plan_run(workspace, TOPIC, ListedSource([[]]), "tea \ud83c", clock=clock)


def test_records_that_are_nested_without_end_are_put_aside() -> None:
    fine = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>Tea</ArticleTitle></Article>"
    fine += "</MedlineCitation></PubmedArticle>"
    deep = f"<PubmedArticle>{'<i>' * 50_000}{'</i>' * 50_000}</PubmedArticle>"
    found = read_records(f"<PubmedArticleSet>{fine}{deep}</PubmedArticleSet>".encode())
    assert [each.key for each in found.fetched] == ["1"]
    assert ["nested" in each.reason for each in found.aside] == [True]
    alone = f"<PubmedArticleSet>{deep}</PubmedArticleSet>".encode()
    assert ["nested" in each.reason for each in read_records(alone).aside] == [True]
    with refusal(FormatChangedError):
        read_records(alone, by_name=True)
    with refusal(FormatChangedError):
        read_records(f"<PubmedArticleSet>{deep}{deep}</PubmedArticleSet>".encode())


def test_a_count_beyond_all_counts_is_another_format() -> None:
    assert count_at({"n": 10**12}, "n", "Tea", b"") == 10**12
    for value in (2**63, 10**400, -1, "9" * 30):
        with pytest.raises(FormatChangedError):
            count_at({"n": value}, "n", "Tea", b"")


@pytest.mark.parametrize("line", [b"rubbish\n", b'{"page": 1}\n', b"[]\n", b'{"page": null, "raw": "x"}\n'])
def test_a_damaged_list_of_records_put_aside_is_told(workspace: Workspace, line: bytes) -> None:
    source = ListedSource([numbered(25)], aside={0: OddRecord("odd", "it has no title")})
    run = planned(workspace, source)

    def stop(done: int, total: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gone_on(workspace, run, source, on_stage=lambda name: stop)
    path = workspace.paths.pages(run.run_id) / "aside.jsonl"
    fine = path.read_bytes()
    path.write_bytes(line + fine)
    with refusal(CorruptStoreError):
        gone_on(workspace, run, source)
    path.write_bytes(fine)
    assert gone_on(workspace, run, source).n_aside == 1
    assert len(live_pages(workspace.store, run.run_id)) == 3


@pytest.mark.parametrize("line", [b"", b"\nrubbish"], ids=["fewer", "other"])
def test_a_page_with_other_records_than_its_keys_becomes_no_version(workspace: Workspace, line: bytes) -> None:
    source = ListedSource([numbered(30)])
    run = planned(workspace, source)
    path = workspace.paths.pages(run.run_id) / "page-00002.records.gz"

    def damage() -> None:
        kept = gzip.decompress(path.read_bytes()).split(b"\n")
        path.write_bytes(gzip.compress(b"\n".join(kept[:-1]) + line))

    with refusal(CorruptStoreError):
        gone_on(workspace, run, source, on_stage=before_freezing(damage))
    assert load_sources(workspace.store) == ()


def test_a_history_is_whole_though_the_clock_was_put_back(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    chain = [done(workspace, source)]
    for day in (12, 20, 5, 9, 2):

        def later(day: int = day) -> str:
            return f"2026-11-{day:02d}T10:00:00+00:00"

        again = repeat(workspace, chain[-1].run_id, source, clock=later)
        chain.append(go_on(workspace, again.run_id, source, clock=later))
    ids = [run.run_id for run in chain]
    for run_id in ids:
        assert [run.run_id for run in history(workspace, run_id)] == ids
