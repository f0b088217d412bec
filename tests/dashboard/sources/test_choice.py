"""Where a text is run, as the Workbench offers it, and what they say of versions from live sources."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.query.tree import DialectId
from core.sources.narrowing import NarrowingVerdict
from dashboard import cache
from dashboard.sources import origin
from dashboard.sources.origin import how_exact, where_and_when, where_from
from data.explore.workspace import Workspace
from data.sources.fetch import Replay, go_on, plan_run, replay_run
from data.sources.runs import LiveRun
from tests.dashboard.apps import clean, click, open_app, ran, settled, told
from tests.data.listed_source import ListedSource, fetched
from tests.data.workspaces import TOPIC, fill

TEXT = "tea AND (cup OR mug)"
NEVER = "https://never.example"


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this asks anybody outside."""
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")


def records() -> ListedSource:
    """Four publications of which the run's text finds three here; the fourth came by a subject heading, perhaps."""
    titles = ("Tea in a cup", "Tea in a mug", "Tea, a cup and a mug", "Of hot drinks")
    return ListedSource([[fetched(n, title=title) for n, title in enumerate(titles, start=1)]])


@pytest.fixture
def run(root: Path) -> LiveRun:
    """A version of the topic that came from PubMed."""
    fill(root)
    with Workspace.open(root) as workspace:
        source = records()
        planned = plan_run(workspace, TOPIC, source, TEXT)
        return go_on(workspace, planned.run_id, source)


def line(app: AppTest) -> str:
    """What is said of where the publications came from."""
    return clean(" ".join(each.value for each in app.caption))


def of_version(run: LiveRun) -> AppTest:
    assert run.label
    return settled(settled(open_app(version=run.label)))


def ask(app: AppTest, kind: str, **more: str) -> AppTest:
    """What the Workbench sends."""
    seq = told(app)["workbench"]["seq"] + 1
    app.session_state["workbench"] = {"ask": {"seq": seq, "kind": kind, **more}}
    return ran(app)


def test_the_text_as_it_stands_leads_to_a_source(root: Path) -> None:
    fill(root)
    app = ask(ask(settled(open_app()), "edit", text="tea AND pots"), "live", source="europepmc")
    assert app.title[0].value == "Sources"
    assert app.text_area(key="live-text").value == "tea AND pots"
    assert app.session_state["live_source"] == ["europepmc"]
    assert [each.value for each in app.metric] == ["–"]


def test_sources_are_offered_and_get_what_is_switched_on(root: Path) -> None:
    fill(root)
    app = open_app()
    app.switch_page("workbench/page.py").run()
    document = told(app)["workbench"]
    assert [each["id"] for each in document["live_sources"]] == [
        "pubmed", "openalex", "europepmc", "semanticscholar", "dimensions"
    ]  # fmt: skip
    for seq, ask in enumerate(({"kind": "edit", "text": "tea OR leaf"}, {"kind": "switch", "off": [2]}), start=1):
        app.session_state["workbench"] = {"ask": {"seq": seq, **ask}}
        app.run()
    app.session_state["workbench"] = {"ask": {"seq": 3, "kind": "live", "source": "openalex"}}
    ran(app)
    assert app.title[0].value == "Sources"
    assert app.text_area(key="live-text").value == "tea"
    assert app.session_state["live_source"] == ["openalex"]


def test_a_source_that_is_none_leads_nowhere(root: Path) -> None:
    fill(root)
    app = open_app()
    app.switch_page("workbench/page.py").run()
    n = len(cache.workspace().store.versions(TOPIC))
    app.session_state["workbench"] = {"ask": {"seq": 1, "kind": "live", "source": NEVER}}
    ran(app)
    assert "workbench" in told(app)
    assert len(cache.workspace().store.versions(TOPIC)) == n


def test_a_version_says_which_source_it_came_from_and_others_say_nothing(run: LiveRun) -> None:
    app = of_version(run)
    assert where_from(run) in line(app)
    assert "came from PubMed on" in line(app)
    assert "(hits in source: 4)" in line(app)
    assert "exact here for 3 of 4." in line(app)
    assert "came from" not in line(settled(open_app(version="review")))


def test_the_sidebar_says_the_source_and_the_day_instead_of_the_origin(run: LiveRun) -> None:
    notes = [caption.value.replace("\\", "").replace("\u2060", "") for caption in of_version(run).caption]
    assert where_and_when(run) in notes
    assert where_and_when(run).startswith("PubMed, ")
    assert any(caption.value == "Baseline" for caption in open_app(version="baseline").caption)


def test_a_narrower_text_is_exact_here_and_a_wider_one_needs_a_run(run: LiveRun) -> None:
    app = of_version(run)
    settled(ask(app, "edit", text="tea AND cup"))
    assert "Narrower: it keeps 2, exact here for 3 of 4 publications." in line(app)
    assert not [button for button in app.button if button.key == "live-came-again"]
    ask(app, "edit", text="tea")
    assert "It is wider" in line(app)
    ask(app, "edit", text="tea OR leaf")
    assert "It is wider" in line(app)
    click(app, "live-came-again")
    assert app.title[0].value == "Sources"
    assert app.text_area(key="live-text").value == "tea OR leaf"
    assert app.session_state["live_source"] == ["pubmed"]


def test_a_text_with_nothing_in_it_is_no_mistake(run: LiveRun) -> None:
    app = of_version(run)
    for text in ("", "Which cups keep tea warm?", "((("):
        ask(app, "edit", text=text)
        assert not app.error
        assert "came from PubMed" in line(app)


def test_how_exact_it_is_counts_what_can_be_told() -> None:
    plain = Replay(10, 7, "literal")
    assert how_exact(plain).endswith("exact here for 7 of 10.")
    narrower = Replay(1_000, 990, "literal", NarrowingVerdict("narrower", ""), ("a",) * 5, ("b",) * 985, ("c",) * 10)
    assert how_exact(narrower) == "Narrower: it keeps 5, exact here for 990 of 1,000 publications."
    capped = replace(narrower, is_capped=True)
    assert "at its cap" in how_exact(capped).removeprefix(how_exact(narrower))


def test_a_changed_text_is_read_again_in_its_own_dialect(run: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of PubMed, tested as the text of another service that it became."""
    asked = []

    def replayed(
        workspace: Workspace, run: LiveRun, changed: str | None = None, *, dialect: DialectId | None
    ) -> Replay:
        asked.append((changed, dialect))
        return replay_run(workspace, run, changed, dialect=dialect)

    monkeypatch.setattr(origin, "replay_run", replayed)
    assert run.label

    def script(label: str, topic_id: str) -> None:
        from dashboard.sources.origin import draw_came

        draw_came(topic_id, label, "TS=(tea AND cup)", "wos")

    app = settled(AppTest.from_function(script, args=(run.label, TOPIC)).run())
    assert asked == [("TS=(tea AND cup)", "wos")]
    assert "Narrower: it keeps 2" in line(app)
