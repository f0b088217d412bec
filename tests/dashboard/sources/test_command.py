"""`source`: previews, runs that are paused and go on, repeats, the list of requests, and core publications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.sources.source_forms import SOURCE_IDS
from core.types import Publication
from data.explore.workspace import Workspace
from data.http.client import Patience
from data.sources import registry
from tests.dashboard.runs import Run, Runner, ordered
from tests.data.sources.fake_sources.corpus import Corpus, made_up, works
from tests.data.sources.fake_sources.registry import KEYS, VARIABLES, services
from tests.data.sources.fake_sources.server import FakeSources, from_request, on, serving

TOPIC = "Tea"
NATIVE = "made[tiab] AND heat*[tiab]"
TEXT = "study OR review OR trial OR model OR results"
"""Finds every made-up work: each says in its title which of these it is."""
N = 230
PREVIEW = [
    *("source", "text", "forms", "is_unchanged", "losses", "total", "total_least", "total_most", "notes", "estimate"),
    *("cap", "budget"),
]
RUN = [
    *("run_id", "source", "topic", "version", "state", "total", "n_records", "n_new", "n_calls", "dollars", "forms"),
    *("started", "ended", "notes"),
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_up(N)


@pytest.fixture
def served(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSources]:
    """Sources that are asked without waiting."""
    monkeypatch.setattr(registry, "PATIENCE", Patience(n_attempts=3, timeout=20.0, sleep=lambda seconds: None))
    for name in ("QUERYSCAPE_OFFLINE", "QUERYSCAPE_MAIL", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    with serving(services(corpus)) as server:
        _point(server, monkeypatch)
        yield server


def _point(server: FakeSources, monkeypatch: pytest.MonkeyPatch) -> None:
    for source_id, variable in VARIABLES.items():
        monkeypatch.setenv(variable, server.address(source_id))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], served: FakeSources) -> Runner:
    return Runner(tmp_path / "ws", capsys)


def searched(run: Runner, *more: object, source: str = "openalex", text: str = TEXT) -> Run:
    return run("source", "run", text, "--topic", TOPIC, "--source", source, *more)


def without_keys(*said: Run) -> None:
    for each in said:
        assert not [key for key in KEYS.values() if key in each.out + each.err]


# A string with errors


def test_a_string_with_errors_is_run_with_a_warning_for_each(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_QUIET", "")  # --quiet sets it
    for more in ((), ("--quiet", "--fresh")):
        done = searched(run, *more, source="pubmed", text="(heat AND")
        assert done.status == 0
        for fact in ("2 errors", "0-1", "6-9"):
            assert done.err.count(fact) == 1
    assert "error" not in searched(run).err


# Preview


def test_every_source_says_what_it_would_be_sent(run: Runner, served: FakeSources, corpus: Corpus) -> None:
    previewed = run("source", "preview", "(heat* AND tree)", "--sources", *SOURCE_IDS, "--most", 5, "--json")
    document = previewed.document
    assert [each["source"] for each in document["sources"]] == list(SOURCE_IDS)
    for each in document["sources"]:
        ordered(each, PREVIEW)
        assert "problem" not in each
        (form,) = each["forms"]
        assert each["total"] == each["total_least"] == each["total_most"] == form["total"]
        assert each["estimate"]["n_calls"] >= 2
        assert each["cap"]["is_capped"] is (each["total"] > 5)
        assert (each["cap"]["share_most"] < 1) is (each["total"] > 5)
        assert each["budget"]["n_calls"] == len(served.of(each["source"]))
    openalex = next(each for each in document["sources"] if each["source"] == "openalex")
    assert any("*" in loss["message"] for loss in openalex["losses"])
    assert openalex["budget"]["left_dollars"] is not None
    assert openalex["budget"]["dollars"] == pytest.approx(0.001)
    table = run("source", "preview", "(heat* AND tree)", "--sources", "openalex,pubmed")
    for fact in ("OpenAlex", "PubMed", "title_and_abstract.search:", "narrowed", "Left today"):
        assert fact in table.out
    without_keys(previewed, table)


def test_a_pubmed_text_goes_to_pubmed_unchanged(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "search.txt"
    file.write_text(NATIVE, "utf-8")
    for where in ((NATIVE,), ("--file", file)):
        (found,) = run("source", "preview", *where, "--sources", "pubmed", "--json").document["sources"]
        assert (found["is_unchanged"], found["text"], found["losses"]) == (True, NATIVE, [])


def test_choices_change_what_is_sent(run: Runner) -> None:
    def text(*flags: str) -> str:
        (found,) = run("source", "preview", "tree*", "--sources", "openalex", *flags, "--json").document["sources"]
        return str(found["text"])

    assert "no_stem" in text("--no-stem")
    assert "no_stem" not in text()
    assert "tree*" in text("--send-wildcards")
    assert "tree*" not in text()


def test_a_source_that_fails_does_not_stop_the_others(run: Runner, served: FakeSources) -> None:
    served.script = from_request("pubmed", 1, "html")
    document = run("source", "preview", TEXT, "--json").document
    pubmed, openalex, europepmc = document["sources"]
    assert set(pubmed) == {*openalex, "problem"}
    assert (pubmed["total"], pubmed["estimate"], pubmed["cap"]) == (None, None, None)
    assert "web page" in pubmed["problem"]
    assert openalex["total"] == europepmc["total"] == N
    table = run("source", "preview", TEXT)
    assert table.status == 0
    assert "web page" in table.err
    assert re.search(r"PubMed +– +– +– +–", table.out), "what it would be sent is known though it does not count"
    served.script = lambda asked: "html"
    behind_a_sign_in_page = run("source", "preview", TEXT, "--json").document["sources"]
    assert all("web page" in each["problem"] and each["total"] is None for each in behind_a_sign_in_page)


def test_offline_there_are_translations_and_losses_and_no_counts(
    run: Runner, served: FakeSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("source", "preview", "(heat* AND tree)", "--sources", *SOURCE_IDS)
    online = {each["source"]: each for each in run(*asked, "--json").document["sources"]}
    n_before = sum(len(served.of(each)) for each in SOURCE_IDS)
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    document = run(*asked, "--json").document
    assert [each["source"] for each in document["sources"]] == list(SOURCE_IDS)
    for each in document["sources"]:
        ordered(each, [*PREVIEW, "problem"])
        assert (each["text"], each["losses"]) == (online[each["source"]]["text"], online[each["source"]]["losses"])
        assert (each["total"], each["total_least"], each["forms"][0]["total"]) == (None, None, None)
        assert each["problem"]
    table = run(*asked)
    assert table.status == 0
    assert re.search(r"OpenAlex +– +– +– +–", table.out)
    assert "title_and_abstract.search:" in table.out
    assert "no count: OpenAlex is offline" in table.err
    assert sum(len(served.of(each)) for each in SOURCE_IDS) == n_before, "nothing was sent"


def test_the_text_of_a_version_is_previewed(run: Runner) -> None:
    assert searched(run, "--as", "mine", "--most", 3, "--json").document["version"] == "mine"
    document = run("source", "preview", "--version", "mine", "--topic", TOPIC, "--sources", "pubmed", "--json").document
    assert document["text"] == TEXT


MISTAKES: list[tuple[tuple[str, ...], str]] = [
    (("preview",), "the search string"),
    (("preview", "a", "b"), "than one text"),
    (("preview", "a", "--sources", "scopus"), 'unknown source "scopus": choose from openalex'),
    (("preview", "a", "--version", "v", "--topic", "t"), "--version already has"),
    (("preview", "--version", "v"), "--topic T"),
    (("preview", ""), "PubMed"),
    (("run", "a", "--topic", "t"), "choose a source: --source"),
    (("run", "a", "--source", "pubmed"), "--topic NAME"),
    (("run", "--resume", "nobody"), 'no run "nobody"'),
    (("run", "a", "--resume", "nobody"), "--resume uses"),
    (("run", "a", "--topic", "t", "--source", "pubmed", "--most", "0"), "--most"),
    (("update",), "choose a run: its ID"),
    (("update", "nobody"), 'no run "nobody"'),
    (("update", "--version", "v"), "--topic T"),
    (("update", "--version", "v", "--topic", "t"), "no run of"),
    (("runs", "--requests"), "--requests needs"),
    (("runs", "--topic", "t"), "workspace is empty"),
    (("core",), "ID of a"),
    (("core", "nobody"), 'no run "nobody"'),
    (("core", "a", "--source", "pubmed"), "--topic T"),
    (("core", "a", "--topic", "t"), "--source"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_sent(
    run: Runner, served: FakeSources, arguments: tuple[str, ...], words: str
) -> None:
    assert words in run("source", *arguments).mistake
    assert not served.of("pubmed")


# Run


def test_a_run_becomes_a_version_with_every_request_as_it_was_sent(run: Runner, served: FakeSources) -> None:
    done = searched(run, "--json")
    document = done.document
    ordered(document, RUN)
    assert (document["state"], document["total"], document["n_records"]) == ("done", N, N)
    assert document["n_new"] == N - N // 50, "the second entry of a work is the same publication"
    assert document["forms"] == [f"title_and_abstract.search:({TEXT})"]
    assert f"It finds {N} publications" in done.err
    assert "$0.00" in done.err
    with Workspace.open(run.root) as workspace:
        version = workspace.version(TOPIC, document["version"])
        assert (version.version.text, version.n_retrieved) == (TEXT, N - N // 50)
    assert document["address"] == served.address("openalex")
    listed = run("source", "runs", "--topic", TOPIC, "--json").document["runs"]
    assert [each["run_id"] for each in listed] == [document["run_id"]]
    shown = run("source", "runs", document["run_id"], "--requests", "--json").document
    requests = [sent for page in shown["pages"] for sent in page["requests"]]
    pages = [asked for asked in served.of("openalex") if "cursor" in asked.params]
    assert len(requests) == len(pages) == document["n_calls"] == 4, "the last is empty"
    for sent, asked in zip(requests, pages, strict=True):
        assert asked.target == sent["address"].removeprefix(served.url) + f"&api_key={KEYS['OPENALEX_API_KEY']}"
    tables = run("source", "runs"), run("source", "runs", document["run_id"], "--requests"), searched(run)
    assert document["run_id"] in tables[0].out
    assert requests[0]["address"] in tables[1].out
    without_keys(done, *tables)


def test_the_same_is_not_asked_twice_a_day_unless_it_is_wanted(run: Runner, served: FakeSources) -> None:
    first = searched(run, "--json").document
    n_asked = len(served.asked)
    again = searched(run, "--json")
    assert again.document == first
    assert "already run today" in again.err
    assert len(served.asked) == n_asked
    fresh = searched(run, "--fresh", "--json").document
    assert fresh["run_id"] != first["run_id"]
    assert (fresh["n_records"], fresh["n_new"]) == (N, 0)
    other = searched(run, "--most", 7, "--json")
    assert (other.document["n_records"], other.document["is_capped"]) == (7, True)
    assert "lower bound" in other.err


def test_ctrl_c_pauses_and_the_same_command_goes_on(
    run: Runner, served: FakeSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(seconds: float) -> None:
        if seconds >= 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(registry, "PATIENCE", Patience(n_attempts=3, timeout=20.0, sleep=interrupted))
    served.script = on({("openalex", 3): "429"})
    stopped = searched(run, "--json")
    assert (stopped.status, stopped.out) == (130, "")
    (paused,) = run("source", "runs", "--json").document["runs"]
    assert f"Resume with: source run --resume {paused['run_id']}" in stopped.err
    assert (paused["state"], paused["n_records"], paused["version"]) == ("paused", 100, None)
    n_asked = len(served.asked)
    done = searched(run, "--json")
    assert f"Resuming run {paused['run_id']}" in done.err
    assert (done.document["run_id"], done.document["n_records"]) == (paused["run_id"], N)
    assert len(served.asked) - n_asked == 3, "no page came twice, and nothing was counted anew"


FAILURES: list[tuple[str, str]] = [
    ("html", "web page"),
    ("500", "answered 500, 3 times"),
    ("401", "rejected the key"),
    ("spent", "used up"),
    ("format", "OpenAlex"),
]


@pytest.mark.parametrize(("fault", "words"), FAILURES)
def test_what_fails_says_how_to_go_on(run: Runner, served: FakeSources, fault: str, words: str) -> None:
    served.script = from_request("openalex", 3, fault)
    failed = searched(run, "--json")
    assert (failed.status, failed.out) == (2, "")
    line = failed.err.splitlines()[-1]
    (kept,) = run("source", "runs", "--json").document["runs"]
    assert words in line
    assert f"(resume with source run --resume {kept['run_id']})" in line
    assert (kept["state"], kept["n_records"]) == ("failed", 100)
    assert kept["problem"]
    assert words in run("source", "runs", kept["run_id"]).err
    without_keys(failed)
    if fault != "spent":  # of which the stand-in gives nothing back
        served.script = lambda asked: ""
        assert run("source", "run", "--resume", kept["run_id"], "--json").document["n_records"] == N


def test_without_a_key_what_is_left_of_the_day_is_told_before_a_run_and_where_to_put_one(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENALEX_API_KEY")
    first, second, failed = (searched(run, "--fresh") for _ in range(3))
    assert (first.status, second.status, failed.status) == (0, 0, 2)
    assert "stops before its end" not in first.err + second.err
    assert "budget is left" in " ".join(failed.err.split())
    assert "OPENALEX_API_KEY" in failed.err
    done = next(each for each in run("source", "runs", "--json").document["runs"] if each["state"] == "done")
    assert "stop early" in " ".join(run("source", "update", done["run_id"]).err.split())
    assert {each["n_records"] for each in run("source", "runs", "--json").document["runs"]} == {N, 100, 0}


# Update


def test_a_repeat_says_what_is_new_gone_and_changed(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    first = searched(run, "--json").document
    made = works(N + 5)
    changed = replace(made[9], title="Quite another study")
    later = Corpus([*made[1:9], changed, *made[10:]])
    with serving(services(later)) as server:
        _point(server, monkeypatch)
        again = run("source", "update", first["run_id"], "--json").document
        by_version = run("source", "update", "--version", first["version"], "--topic", TOPIC)
    ordered(again, ["run_id", "earlier", "new", "gone", "changed", "n_same", "totals", "drift", "sentence"])
    assert [len(again[fate]) for fate in ("new", "gone", "changed")] == [5, 1, 1]
    assert again["n_same"] == N - 2
    assert again["totals"] == {"before": N, "after": N + 4}
    assert [each["fields"] for each in again["changed"]] == [["title"]]
    assert [each["title"] for each in again["changed"]] == ["Quite another study"]
    assert [point["total"] for point in again["drift"]["points"]] == [N, N + 4]
    assert (again["earlier"], again["run"]["state"]) == (first["run_id"], "done")
    with Workspace.open(run.root) as workspace:
        there = set(workspace.store.topic_publication_ids(TOPIC))
    told = [each["publication_id"] for fate in ("new", "gone", "changed") for each in again[fate]]
    assert there.issuperset(told)
    assert f"5 new, 1 gone, 1 changed, {N - 2} unchanged" in by_version.out
    assert "Quite another study" in by_version.out


def test_a_repeat_that_was_stopped_goes_on(run: Runner, served: FakeSources) -> None:
    first = searched(run, "--json").document
    served.script = on({("openalex", served.n_of["openalex"] + 2): "html"})
    assert run("source", "update", first["run_id"]).status == 2
    done = run("source", "update", first["run_id"], "--json")
    assert "Resuming run" in done.err
    assert (done.document["n_same"], done.document["sentence"]) == (N, f"Nothing changed: {N} unchanged.")
    assert len(run("source", "runs", "--json").document["runs"]) == 2


# Core publications


@pytest.fixture
def with_core(run: Runner, corpus: Corpus) -> Runner:
    """Core publications: two of the source, and one that it does not have."""
    known = [work for work in corpus.works if work.doi and work.sentences and work.number % 50 not in (0, 49)][:2]
    core = [Publication(f"c{k}", work.title, doi=work.doi) for k, work in enumerate(known)]
    core.append(Publication("c2", "A work that nobody ever published anywhere", doi="10.1/none"))
    with Workspace.open(run.root) as workspace, workspace.store.transaction():
        workspace.store.save_publications(core)
        workspace.save_topic(TOPIC, tuple(each.publication_id for each in core), [], corpus_ids=("c0", "c1", "c2"))
    return run


def test_core_publications_are_looked_for_in_the_source(with_core: Runner, corpus: Corpus) -> None:
    document = with_core("source", "core", TEXT, "--topic", TOPIC, "--source", "openalex", "--json").document
    verdicts = {each["publication_id"]: each["verdict"] for each in document["items"]}
    assert verdicts == {"c0": "found", "c1": "found", "c2": "not indexed"}
    assert (document["n"], document["verdicts"]["not indexed"], document["is_cut"]) == (3, 1, False)
    missed = with_core("source", "core", "made AND zzz", "--topic", TOPIC, "--source", "openalex", "--json").document
    items = {each["publication_id"]: each for each in missed["items"]}
    assert items["c0"]["verdict"] == "missed"
    assert [part["text"] for part in items["c0"]["failing"]] == ["zzz"]
    table = with_core("source", "core", "made AND zzz", "--topic", TOPIC, "--source", "openalex")
    assert "Not indexed by OpenAlex" in " ".join(table.out.split())
    cut = with_core("source", "core", TEXT, "--topic", TOPIC, "--source", "openalex", "--most-calls", 0)
    assert "--most-calls" in cut.err


def test_what_a_run_brought_is_found_for_certain(with_core: Runner, served: FakeSources) -> None:
    done = searched(with_core, "--json").document
    document = with_core("source", "core", done["run_id"], "--json").document
    assert (document["run_id"], document["topic"], document["n_calls"]) == (done["run_id"], TOPIC, 0)
    assert [each["verdict"] for each in document["items"]] == ["found", "found", "not indexed"]


def test_a_topic_without_core_publications_says_so(run: Runner) -> None:
    done = searched(run, "--most", 5, "--json").document
    assert "core" in run("source", "core", done["run_id"]).mistake


# Scheduled searches, and what they brought


def test_a_search_is_scheduled_and_its_news_are_listed_and_written_as_a_feed(run: Runner, tmp_path: Path) -> None:
    found = searched(run, "--most", 5, "--json").document
    run_id = found["run_id"]
    (listed,) = run("source", "schedule", run_id, "--every", "weekly", "--json").document["scheduled"]
    assert (listed["run_id"], listed["topic"], listed["every"], listed["state"]) == (run_id, TOPIC, "weekly", "done")
    assert run_id in run("source", "schedule").out
    assert run("source", "update", "--due", "--json").document == {"updates": []}
    assert "no run" in run("source", "schedule", "nothing", "--every", "daily").mistake
    assert "--due" in run("source", "update", run_id, "--due").mistake
    new = run("source", "new", "--topic", TOPIC, "--since", "2020-01-01", "--json").document
    assert new["n_new"] == len(new["new"]) == found["n_records"] == 5
    assert new["new"][0]["title"] in " ".join(run("source", "new", "--topic", TOPIC).out.split())
    assert run("source", "new", "--topic", TOPIC, "--since", "2999-01-01", "--json").document["new"] == []
    feed = tmp_path / "tea.atom"
    assert run("source", "feed", "--topic", TOPIC, "--out", feed, "--json").document["n_entries"] == 5
    assert feed.read_bytes().count(b"<entry>") == 5
    assert "exists" in run("source", "feed", "--topic", TOPIC, "--out", feed).mistake
    out = ("--topic", TOPIC, "--out", tmp_path / "new.csv", "--json")
    assert run("export", *out, "--since", "2020-01-01").document["n_publications"] == 5
    assert "--since" in run("export", *out, "--since", "2999-01-01", "--force").mistake
    assert run("source", "schedule", run_id, "--every", "never", "--json").document == {"scheduled": []}
