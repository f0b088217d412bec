"""The view "Core publications" of the page Sources: what a source has, what the string misses there, and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import OutOfReachError
from core.query.tree import Span
from core.sources.core_lookup import VERDICTS, CoreCounts, core_counts
from core.sources.preparation import Clause
from core.sources.source_forms import Form, SourceOptions
from core.types import Publication
from dashboard import cache
from dashboard.sources import jobs
from dashboard.sources.core_lookup import marked_html, most_counts, n_open
from data.explore.versions import delete_version as hide
from data.explore.workspace import Workspace
from data.library.filing import delete_version
from data.sources.core_lookup import wanted_core
from data.sources.fetch import plan_run
from data.sources.runs import LiveRun, brought_ids, find_live_run, live_runs
from data.sources.types import SourceCount
from data.store import utc_now
from tests.dashboard.apps import click, messages, numbers, open_alone, shown
from tests.data.live_scenes import finished, repeated
from tests.data.tiny_source import TinySource, record

pytestmark = pytest.mark.usefixtures("nobody_is_looked_for")

TOPIC = "Tea <b>"
TEXT = "tea[tiab] AND (cup[tiab] OR mug[tiab])"
NASTY = "Tea in a pot <script>alert(1)</script>"
CORE = {"10.1/a": "Tea in a cup", "10.1/b": NASTY, "10.1/c": "Tea that nobody indexed", "": ""}


def source(**more: object) -> TinySource:
    """It has two of the core publications; the string finds one of them."""
    return TinySource({"1": record("Tea in a cup", "10.1/a"), "2": record(NASTY, "10.1/b")}, **more)  # type: ignore[arg-type]


def made(root: Path, *, with_core: bool = True, text: str = TEXT) -> LiveRun:
    """A topic, and a run that was planned and not begun."""
    with Workspace.open(root) as workspace:
        store = workspace.store
        publications = [
            Publication(f"p{n}", title, None, 2015, doi or None) for n, (doi, title) in enumerate(CORE.items())
        ]
        store.save_publications(publications)
        store.save_topic(TOPIC, tuple(p.publication_id for p in publications) if with_core else ())
        return plan_run(workspace, TOPIC, source(), text, clock=utc_now)


def page(**link: str) -> AppTest:
    """The view alone."""
    return open_alone("sources/page.py", {"chosen_topic": TOPIC}, **{"sources": "Core publications", **link})


def looked(app: AppTest, monkeypatch: pytest.MonkeyPatch, asked: TinySource, *, most: int | None = None) -> AppTest:
    """Press the button, and wait until the source has answered."""
    monkeypatch.setattr(jobs, "opened", lambda source_id: asked)
    if most is not None:
        app.number_input(key="core_most_calls").set_value(most).run()
    app.button(key="core-look").click().run()
    cache.jobs().wait()
    return app.run()


def test_where_nothing_was_run_the_next_step_is_named(root: Path) -> None:
    app = page()
    assert "for this topic" in messages(app)
    app.button(key="core-search").click().run()
    assert app.session_state["sources"] == "Search"


def test_without_core_publications_the_way_to_them_is_shown(root: Path) -> None:
    made(root, with_core=False)
    app = page()
    assert "Tea <b> has no core" in messages(app)
    assert any(button.label == "Import core publications" for button in app.button)


def test_not_indexed_is_told_from_missed_and_the_ceiling_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    app = page()
    told = app.button(key="core-look").label.replace("\\", "")
    assert told == "Look up 4 core publications in PubMed: at most 12 counts"
    assert not app.dataframe
    looked(app, monkeypatch, source())
    assert not app.exception
    facts = ("Of 4 core", "indexes 2", "finds 1", "PubMed is 0.500. 1 can't", "more than 0.667", "For 1 it is unclear")
    assert [fact for fact in facts if fact not in shown(app)] == []
    (table,) = app.dataframe
    assert list(table.value["Verdict"]) == ["Missed", "Not indexed", "Unsure", "Found"]
    assert table.value["Title"].tolist()[0] == NASTY
    assert "within a source: 0.667" in shown(app)


def test_the_part_that_misses_is_marked_in_the_string(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    told = shown(looked(page(), monkeypatch, source()))
    assert 'tea[tiab] AND <mark>(cup[tiab] OR mug[tiab])<span class="why"> (misses it)</span></mark>' in told


def test_what_was_found_is_kept_with_its_date(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    looked(page(), monkeypatch, source())
    monkeypatch.setattr(jobs, "opened", lambda source_id: pytest.fail("nothing is to be asked"))
    told = shown(page())
    assert "Looked up " in told
    assert "UTC, with " in told
    assert "Of 4 core publications" in told


def test_only_one_verdict_can_be_shown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    looked(page(), monkeypatch, source())
    app = page(core_verdict="not indexed")
    assert list(app.dataframe[0].value["Title"]) == ["Tea that nobody indexed"]
    assert "<mark>" not in shown(app)


def test_it_stops_at_the_counts_that_are_allowed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    asked = source()
    app = looked(page(), monkeypatch, asked, most=1)
    assert len(asked.asked) == 1
    assert "limit of count" in messages(app)
    assert "1 was not looked" in shown(app)


def test_the_rest_is_asked_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the two that the source has, one was settled."""
    made(root)
    looked(page(), monkeypatch, source(), most=2)
    app = page()
    told = app.button(key="core-look").label.replace("\\", "")
    assert told == "Resume with 1 core publication in PubMed: at most 3 counts"
    asked = source()
    looked(app, monkeypatch, asked)
    assert {text.partition(" @")[2] for text in asked.asked} == {"2"}
    assert "It ended early" not in messages(page())


def test_what_was_asked_before_a_stop_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = made(root)
    asked = source()
    count = asked.count

    def counted(form: Form, choices: SourceOptions) -> SourceCount:
        for job in jobs.LOOKUP_JOBS.running():
            job.cancel.set()
        return count(form, choices)

    monkeypatch.setattr(asked, "count", counted)
    app = looked(page(), monkeypatch, asked)
    assert "It was stopped." in messages(app)
    found, _ = jobs.lookup_of(run.run_id)
    assert found is not None
    assert [item.verdict for item in found.items] == ["found", "not asked", "not indexed", "unsure"]


@pytest.mark.parametrize("delete", [hide, delete_version])
def test_a_run_whose_version_is_deleted_is_looked_at_still(
    root: Path, monkeypatch: pytest.MonkeyPatch, delete: Callable[[Workspace, str, str], object]
) -> None:
    with Workspace.open(root) as workspace:
        run = finished(workspace)
        assert run.label is not None
        delete(workspace, TOPIC, run.label)
        repeated(workspace, run)  # may take the same label
        workspace.store.save_publications([Publication("core", "Tea in a cup", None, 2015, "10.1/a")])
        workspace.store.save_topic(TOPIC, ("core",))
        gone = find_live_run(workspace.store, run.run_id)
        assert (brought_ids(workspace, gone) is None) == (delete is delete_version)
    app = looked(page(live_run=run.run_id), monkeypatch, source())
    assert not app.exception
    assert "Of 1 core publication PubMed indexes 1" in shown(app)
    told = shown(page(live_run=run.run_id, sources="Runs"))
    assert f"Version {run.label} is deleted." in told


def test_a_source_that_goes_away_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    asked = source(fails={1: OutOfReachError("no <b>internet</b>")})
    app = looked(page(), monkeypatch, asked)
    assert "stopped early. No <b>internet</b>." in messages(app)


def test_offline_it_says_so_and_asks_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(root)
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    button = page().button(key="core-look")
    assert button.disabled
    assert "QUERYSCAPE" in button.help


def test_another_string_is_tried_without_a_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = made(root)
    monkeypatch.setattr(jobs, "opened", lambda source_id: source())
    app = page()
    app.text_area(key="core_text").set_value("pot[tiab]").run()
    click(app, "core-take")
    (other,) = (each for each in live_runs(cache.workspace().store) if each.run_id != run.run_id)
    assert (other.text, other.state, other.n_calls) == ("pot[tiab]", "planned", 0)
    assert app.selectbox(key="core_run").value == other.run_id
    app.button(key="core-take").click().run()
    assert "Enter a search" in messages(app)


def test_at_most_as_many_counts_as_the_string_has_parts(root: Path) -> None:
    run = made(root)
    wanted = wanted_core(cache.workspace(), TOPIC)
    assert n_open(run, wanted) == 4
    assert most_counts(run, 4) == 4 * (1 + 2)


def test_a_text_is_marked_as_it_stands_whatever_it_holds() -> None:
    text = 'a<b> AND "c" NOT d'
    parts = [Clause(Span(0, 4), "a<b>", False, ()), Clause(Span(2, 6), "b> A", False, ())]
    told = marked_html(text, [*parts, Clause(Span(17, 99), "d", True, ())], "light").partition("<style>")[0]
    assert "<mark>a&lt;b&gt;" in told
    assert "<mark> A<" in told
    assert '<mark>d<span class="why"> (excludes it)' in told
    assert "<b>" not in told


def test_every_verdict_is_counted_and_only_what_is_known_is_in_a_share() -> None:
    assert core_counts(VERDICTS) == CoreCounts(1, 1, 1, 1, 1)
    counts = CoreCounts(0, 0, 3, 1, 0)
    assert (counts.recall, counts.attainable) == (None, 0.0)
    assert numbers(counts.sentence("X")) == ["4", "0", "3", "1"]
    cut = core_counts(["found", "missed", "not asked", "not asked", "unsure", "not indexed"], ["not asked", "unsure"])
    assert (cut.n_indexed, cut.recall, cut.attainable) == (4, None, 0.8)
    assert numbers(cut.sentence("X")) == ["6", "4", "1", "0.250", "0.750", "1", "0.800", "1", "2"]
    assert "so recall within X is 1.000" in CoreCounts(1, 0, 0, 0, 0).sentence("X")
    assert "not find it" in CoreCounts(0, 1, 0, 0, 0).sentence("X")
