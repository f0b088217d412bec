"""The view "Search" of the page Sources: what each source would be sent, what it says, and running in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import EndsAllError, OutOfReachError
from core.query.tree import ParsedQuery
from core.query.writing.adapting import Loss
from core.sources.preparing import prepare
from core.sources.types import Choices, Form, Prepared, SourceId
from dashboard import cache
from dashboard.sections.sources import work
from dashboard.sections.sources.search.sending import SHOWN_LOSSES, how_it_is_sent, loss_line
from data.sources.opening import ABOUT
from data.sources.running import plan_run
from data.sources.runs import keep_state, live_runs
from data.sources.types import Count
from data.workspace import Workspace
from tests.dashboard.apps import SECONDS, messages, open_app
from tests.data.listed_source import ListedSource, numbered

PAGE = Path(__file__).parents[2] / "dashboard" / "app_pages" / "sources.py"
TOPIC = "Tea *b* [c](d)"
TEXT = "tea[tiab] AND (cup*[tiab] OR mug[tiab])"
NASTY = '"<script>alert(1)</script>" AND tea*'


@dataclass
class Asked(ListedSource):
    """It has so many records of tea, and takes a string as the source of its name does."""

    room: int | None = None
    wrong: Exception | None = None
    """What its count raises."""
    counted: list[str] = field(default_factory=list)

    def prepare(self, parsed: ParsedQuery, choices: Choices) -> Prepared:
        return prepare(parsed, self.about.id, choices, room=self.room)

    def count(self, form: Form, choices: Choices) -> Count:
        self.counted.append(form.text)
        if self.wrong is not None:
            raise self.wrong
        return Count(len(self.lists[form.number]), (f"it was read as: {form.text}",))


@dataclass
class Services:
    """In the place of those outside."""

    n: int = 25
    """Records that each has, of each form."""
    wrong: dict[SourceId, Exception] = field(default_factory=dict)
    room: int | None = None
    before: Callable[[int, int], None] = lambda form, begin: None
    opened: list[Asked] = field(default_factory=list)

    def open(self, source_id: SourceId) -> Asked:
        about = replace(ABOUT[source_id], per_page=10, per_second=1000.0)
        records = [numbered(self.n, 1 + 1000 * form) for form in range(9)]
        source = Asked(records, 10, about, room=self.room, wrong=self.wrong.get(source_id), before=self.before)
        self.opened.append(source)
        return source

    @property
    def n_asked(self) -> int:
        """Requests that went out."""
        return sum(len(each.counted) + len(each.asked) for each in self.opened)


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    """Nobody outside is asked or looked for, and no keys are set."""
    found = Services()
    monkeypatch.setattr(work, "opened", found.open)
    monkeypatch.setattr("dashboard.sections.sources.standing._look", lambda standings: None)
    for about in ABOUT.values():
        if about.key_variable:
            monkeypatch.delenv(about.key_variable, raising=False)
    return found


@pytest.fixture
def topic(root: Path) -> str:
    """A topic without a version."""
    with Workspace.open(root) as workspace:
        workspace.store.save_topic(TOPIC, ())
    return TOPIC


def page(text: str = TEXT, topic_id: str | None = TOPIC, **link: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=SECONDS)
    for name, value in link.items():
        app.query_params[name] = value
    app.session_state["chosen_topic"] = topic_id
    app.run()
    assert not app.exception
    return typed(app, text) if text else app


def named(name: str) -> AppTest:
    """An empty workspace, in which a topic was named."""
    app = AppTest.from_file(str(PAGE), default_timeout=SECONDS)
    app.query_params["live_source"] = "pubmed"
    for key, value in {"live-topic": name, "live-text": TEXT, "live-for": "None\n", "live-dialect": "found"}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def typed(app: AppTest, text: str) -> AppTest:
    app.text_area(key="live-text").input(text).run()
    assert not app.exception
    return app


def pressed(app: AppTest, key: str, *, wait: bool = True) -> AppTest:
    app.button(key=key).click().run()
    if wait:
        cache.jobs().wait()
        app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    texts = [each.value for each in (*app.markdown, *app.caption, *app.code)]
    return " ".join([*texts, messages(app)]).replace("\\", "").replace("\u2060", "")


def totals(app: AppTest) -> list[str]:
    return [each.value for each in app.metric]


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.code]


def keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key}


# Before anything is sent


def test_opening_the_page_and_typing_sends_nothing_and_shows_what_each_would_be_sent(
    topic: str, services: Services
) -> None:
    app = page()
    assert texts(app)[0] == TEXT
    assert texts(app)[1] == "title_and_abstract.search:(tea AND (cup OR mug))"
    assert "Sent as it is, letter for letter." in shown(app)
    assert "**cup*[tiab]** (finds less)" in shown(app).replace("\\", "")
    assert totals(app) == ["–", "–", "–"]
    assert "Nothing was sent yet." in shown(app)
    assert services.n_asked == 0


def test_more_choices_change_what_is_sent(topic: str, services: Services) -> None:
    app = page(live_source="openalex")
    app.selectbox(key="live-stem").select(False).run()
    assert texts(app) == ["title_and_abstract.search.no_stem:(tea AND (cup OR mug))"]
    app.selectbox(key="live-wildcards").select("send").run()
    assert "cup*" in texts(app)[0]
    assert services.n_asked == 0


def test_the_dialect_is_found_and_can_be_chosen(topic: str, services: Services) -> None:
    app = page("TI=tea AND TS=cup", live_source="pubmed")
    assert texts(app) == ["tea[ti] AND cup[tiab]"]
    app.selectbox(key="live-dialect").select("pubmed").run()
    assert "Sent as it is, letter for letter." in shown(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Type a search string to see what each source would be sent."),
        ("   \n", "Type a search string"),
        ("Which cups keep tea warm the longest?", "question"),
        ("tea AND " * 15_000, "120,000 characters, and no more than 100,000 are sent"),
    ],
)
def test_a_bad_string_is_explained_and_nothing_can_be_run(topic: str, services: Services, text: str, said: str) -> None:
    app = page()
    typed(app, text)
    assert said in shown(app)
    assert not app.error
    assert all(button.disabled for button in app.button if button.key == "live-preview-button")
    assert not [key for key in keys(app) if key.startswith("live-run-")]
    assert services.n_asked == 0


ODD = ("NOT tea", '(((tea AND "cup', "\x00 tea \u202e\U0001f375", "[tiab]", "AND OR", "*", '""')


@pytest.mark.parametrize("text", ODD)
def test_an_odd_string_breaks_nothing(topic: str, services: Services, text: str) -> None:
    app = page()
    typed(app, text)
    if not app.button(key="live-preview-button").disabled:
        pressed(app, "live-preview-button")
    assert not app.error


def test_a_long_string_is_shown_in_part_and_its_losses_are_all_there(topic: str, services: Services) -> None:
    words = [f"tea{number}*" for number in range(4000)]
    app = page(" OR ".join(words), live_source="openalex")
    assert len(texts(app)[0]) == 20_000
    assert "characters are shown; all of them are sent" in shown(app)
    assert f"{4001 - SHOWN_LOSSES:,} more: finds less" in [each.label for each in app.expander]
    assert "**tea3999***" in shown(app)


def test_text_of_a_user_is_never_markup(root: Path, services: Services) -> None:
    app = page(NASTY, "a [b](http://c) <i>")
    app.run()
    assert NASTY in " ".join(texts(app)) or "script" in " ".join(texts(app))
    assert not [each for each in app.markdown if "<script>" in each.value]
    assert not [each for each in app.caption if "](http" in each.value.replace("\\](", "")]


def test_a_place_in_the_text_stands_before_each_loss() -> None:
    loss = Loss(3, 4, 9, "widened", "It is looked for everywhere")
    assert loss_line(loss, "tea *cup* tea").replace("\\", "") == (
        "- :small[***cup*** (finds more): It is looked for everywhere.]"
    )
    assert "…" in loss_line(Loss(0, 0, 500, "narrowed", "Left out."), "word " * 101)


def test_how_it_is_sent_is_said_in_one_line() -> None:
    exact = Prepared("openalex", "pubmed", "a", (Form(0, "a"),))
    assert how_it_is_sent(exact) == "Translated, and exact: it asks for the same."
    split = replace(exact, forms=(Form(0, "a"), Form(1, "b")), losses=(Loss(0, 0, 1, "widened", "w"),))
    assert how_it_is_sent(split) == (
        "Translated; one place means something else there; too long for one request, so it goes in 2 forms, and what "
        "they find is united."
    )


# Previews


def test_a_preview_asks_each_source_for_its_count_alone(topic: str, services: Services) -> None:
    app = pressed(page(), "live-preview-button")
    assert totals(app) == ["25", "25", "25"]
    assert [len(each.counted) for each in services.opened if each.counted] == [1, 1, 1]
    assert not any(each.asked for each in services.opened)
    told = shown(app)
    assert "A run takes: at most 25 records in 4 requests" in told
    assert f"It was read as: {TEXT}." in told
    assert "Only counts were asked for" in told


def test_one_source_that_fails_stands_in_its_own_row(topic: str, services: Services) -> None:
    services.wrong["openalex"] = OutOfReachError("OpenAlex is out of reach: <b>is there</b> internet?")
    services.wrong["europepmc"] = EndsAllError("the key is refused: mend it")
    app = pressed(page(), "live-preview-button")
    assert totals(app) == ["25", "–", "–"]
    assert "OpenAlex is out of reach: <b>is there</b> internet?" in messages(app)
    assert "The key is refused: mend it." in messages(app)


def test_several_forms_give_a_total_between_two_ends(topic: str, services: Services) -> None:
    services.room = 100
    many = " OR ".join(f"tea{number}" for number in range(40))
    app = pressed(page(many, live_source="openalex"), "live-preview-button")
    n = len(services.opened[-1].counted)
    assert n > 2
    assert totals(app) == [f"25 to {25 * n:,}"]
    assert f"too long for one request, so it goes in {n} forms" in shown(app)
    assert f"The {n} forms" in [each.label for each in app.expander]


def test_what_the_cap_means_is_said_before_a_run(topic: str, services: Services) -> None:
    app = page(live_source="pubmed")
    app.number_input(key="live_cap").set_value(10).run()
    pressed(app, "live-preview-button")
    assert "Of 25 publications at most 10 come: 40 %." in messages(app)
    app.number_input(key="live_cap").set_value(10_000).run()
    assert totals(app) == ["–"]  # another wish


def test_a_source_without_its_key_is_not_asked_and_says_which_one(topic: str, services: Services) -> None:
    app = page(live_source=["pubmed", "dimensions"])
    about = ABOUT["dimensions"]
    assert f"Dimensions needs a key: set {about.key_variable}" in shown(app)
    assert app.button(key="live-run-dimensions").disabled
    assert not app.button(key="live-run-pubmed").disabled
    pressed(app, "live-preview-button")
    assert totals(app) == ["25", "–"]


def test_offline_by_choice_nothing_can_be_asked(
    topic: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    app = page()
    assert "Offline by choice (QUERYSCAPE_OFFLINE is set): nothing is sent anywhere" in shown(app)
    assert app.button(key="live-preview-button").disabled
    assert all(app.button(key=f"live-run-{source}").disabled for source in ("pubmed", "openalex", "europepmc"))
    assert texts(app)[0] == TEXT  # what would be sent is still shown


def test_a_spent_budget_disables_the_source(topic: str, services: Services) -> None:
    app = page(live_source="openalex")
    cache.workspace().store.execute(
        "INSERT INTO live_calls VALUES ('openalex', strftime(now() AT TIME ZONE 'UTC', '%Y-%m-%d'), 9, 1.0, 0.0)"
    )
    app.run()
    assert app.button(key="live-run-openalex").disabled
    assert "What OpenAlex gives in a day is spent: go on after midnight UTC." in shown(app)
    assert any("9 calls today · $0.00 left" in each.value.replace("\\", "") for each in app.markdown)


# Runs


def test_a_run_becomes_a_version_and_says_so_once(topic: str, services: Services) -> None:
    app = pressed(page(live_source="pubmed"), "live-run-pubmed")
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records, run.topic_id, run.text) == ("done", 25, TOPIC, TEXT)
    assert [each.value.replace("\\", "") for each in app.toast] == [
        f"PubMed: 25 publications came. They are version {run.label} of {TOPIC}."
    ]
    assert "**Finished** · 25 of 25 publications" in shown(app)
    assert f"live-explore-{run.run_id}" in keys(app)
    app.run()
    assert not app.toast
    app.button(key=f"live-open-{run.run_id}").click().run()
    assert app.session_state["sources"] == "Runs"
    assert app.session_state["live_run"] == run.run_id


def test_what_was_fetched_today_is_shown_instead_of_fetched_again(topic: str, services: Services) -> None:
    pressed(page(live_source="pubmed"), "live-run-pubmed")
    n = services.n_asked
    app = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert services.n_asked == n
    assert len(live_runs(cache.workspace().store)) == 1
    assert "This was fetched today already" in " ".join(each.value for each in app.toast)
    pressed(app, "live-again-pubmed")
    assert services.n_asked > n
    assert len(live_runs(cache.workspace().store)) == 2


def test_a_run_is_paused_and_goes_on_without_asking_twice(topic: str, services: Services) -> None:
    reached, may_go_on = Event(), Event()

    def before(form: int, begin: int) -> None:
        if begin == 10:
            reached.set()
            may_go_on.wait(SECONDS)

    services.before = before
    app = pressed(page(live_source="pubmed"), "live-run-pubmed", wait=False)
    assert reached.wait(SECONDS)
    app.run()
    (run,) = live_runs(cache.workspace().store)
    assert work.is_running(run.run_id)
    assert f"cancel-live-run:{run.run_id}" in keys(app)
    work.pause(run.run_id)
    may_go_on.set()
    cache.jobs().wait()
    app.run()
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records) == ("paused", 20)
    pressed(app, f"live-go-on-{run.run_id}")
    (run,) = live_runs(cache.workspace().store)
    assert (run.state, run.n_records) == ("done", 25)
    begun = [at for source in services.opened for _, at, _ in source.asked]
    assert len(begun) == len(set(begun)) == 3


def test_a_run_that_a_closed_server_left_behind_is_shown_with_a_way_on(root: Path, services: Services) -> None:
    with Workspace.open(root) as workspace:
        run = planned(workspace)
        keep_state(workspace.store, run, "running")
    app = page("something else AND other")
    assert "PubMed** · interrupted · 0 publications · Tea" in shown(app)
    pressed(app, f"live-go-on-{run}")
    assert live_runs(cache.workspace().store)[0].state == "done"
    assert f"live-go-on-{run}" not in keys(app)


def planned(workspace: Workspace) -> str:
    return plan_run(workspace, "Tea", Asked([numbered(25)]), TEXT).run_id


def test_a_source_that_fails_during_a_run_says_why_and_can_go_on(topic: str, services: Services) -> None:
    def before(form: int, begin: int) -> None:
        if begin == 10:
            raise OutOfReachError("PubMed is out of reach: is there internet?")

    services.before = before
    app = pressed(page(live_source="pubmed"), "live-run-pubmed")
    assert "PubMed is out of reach: is there internet?" in messages(app)
    (run,) = live_runs(cache.workspace().store)
    services.before = lambda form, begin: None
    pressed(app, f"live-go-on-{run.run_id}")
    assert live_runs(cache.workspace().store)[0].n_records == 25


def test_a_run_makes_a_new_topic_also_in_an_empty_workspace(root: Path, services: Services) -> None:
    app = page(TEXT, None, live_source="pubmed")
    assert app.button(key="live-run-pubmed").disabled
    assert "Name a topic first" in shown(app)
    app = named("Cups  and\nsaucers")
    assert "Makes the new topic Cups and saucers." in shown(app)
    pressed(app, "live-run-pubmed")
    assert [each.topic_id for each in cache.workspace().topics()] == ["Cups and saucers"]


def test_a_name_that_no_topic_can_have_is_refused_and_said(root: Path, services: Services) -> None:
    app = named("a\x00b")
    pressed(app, "live-run-pubmed", wait=False)
    assert app.error
    assert not live_runs(cache.workspace().store)


def test_the_form_stays_while_another_view_is_looked_at(topic: str, services: Services) -> None:
    app = page(live_source="europepmc")
    app.number_input(key="live_cap").set_value(77).run()
    app.segmented_control(key="sources").set_value("Runs").run()
    app.segmented_control(key="sources").set_value("Search").run()
    assert app.text_area(key="live-text").value == TEXT
    assert app.number_input(key="live_cap").value == 77
    assert app.query_params["live_source"] in ("europepmc", ["europepmc"])


def test_a_copy_can_only_be_looked_at(topic: str, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    app = page()
    monkeypatch.setattr(cache.workspace().store, "is_copy", True)
    app.run()
    assert "This is a copy to look at" in messages(app)
    assert not app.text_area


def test_pages_of_the_app_lead_here_with_their_text(root: Path, services: Services) -> None:
    """As Query and Explore hand it over."""
    app = open_app()
    app.session_state["live-brought"] = (TEXT, "semanticscholar", "pubmed")
    app.session_state["live-topic"] = None
    app.switch_page("app_pages/sources.py").run()
    assert app.text_area(key="live-text").value == TEXT
    assert app.session_state["live_source"] == ["semanticscholar"]
