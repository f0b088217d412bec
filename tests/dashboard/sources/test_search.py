"""The view "Search" of the page Sources: what each source would be sent, and what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import EndsAllError, OutOfReachError
from core.query.adaptation import Loss
from core.sources.source_forms import Form, PreparedSearch
from dashboard import cache
from dashboard.sources.preview import SHOWN_LOSSES, how_it_is_sent, loss_line
from data.sources.registry import ABOUT
from tests.dashboard.apps import keys, messages, shown
from tests.dashboard.sources.search_pages import TEXT, Services, page, pressed, texts, totals, typed

NASTY = '"<script>alert(1)</script>" AND tea*'


# Before anything is sent


def test_opening_the_page_and_typing_sends_nothing_and_shows_what_each_would_be_sent(
    topic: str, services: Services
) -> None:
    app = page()
    assert texts(app)[0] == TEXT
    assert texts(app)[1] == "title_and_abstract.search:(tea AND (cup OR mug))"
    assert "Sent exactly" in shown(app)
    assert "**cup*[tiab]** (finds less)" in shown(app).replace("\\", "")
    assert totals(app) == ["–", "–", "–"]
    assert "Nothing sent yet." in shown(app)
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
    assert "Sent exactly" in shown(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Enter a search"),
        ("   \n", "Enter a search"),
        ("Which cups keep tea warm the longest?", "question"),
        ("tea AND " * 15_000, "120,000 characters; at most 100,000"),
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


@pytest.mark.slow
def test_a_long_string_is_shown_in_part_and_its_losses_are_all_there(topic: str, services: Services) -> None:
    words = [f"tea{number}*" for number in range(4000)]
    app = page(" OR ".join(words), live_source="openalex")
    cache.jobs().wait()
    app.run()
    assert len(texts(app)[0]) == 20_000
    assert "20,000 of" in shown(app)
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
    exact = PreparedSearch("openalex", "pubmed", "a", (Form(0, "a"),))
    assert how_it_is_sent(exact) == "Translated without loss."
    split = replace(exact, forms=(Form(0, "a"), Form(1, "b")), losses=(Loss(0, 0, 1, "widened", "w"),))
    assert all(fact in how_it_is_sent(split) for fact in ("; 1 term changes", "in 2 parts"))


# Previews


def test_a_preview_asks_each_source_for_its_count_alone(topic: str, services: Services) -> None:
    app = pressed(page(), "live-preview-button")
    assert totals(app) == ["25", "25", "25"]
    assert [len(each.counted) for each in services.opened if each.counted] == [1, 1, 1]
    assert not any(each.asked for each in services.opened)
    told = shown(app)
    assert "A run takes: at most 25 records in 4 requests" in told
    assert f"It was read as: {TEXT}." in told
    assert "Only counts" in told


def test_one_source_that_fails_stands_in_its_own_row(topic: str, services: Services) -> None:
    services.wrong["openalex"] = OutOfReachError("No <b>internet</b>?")
    services.wrong["europepmc"] = EndsAllError("a refused key")
    app = pressed(page(), "live-preview-button")
    assert totals(app) == ["25", "–", "–"]
    assert "No <b>internet</b>?" in messages(app)
    assert "A refused key." in messages(app)


def test_several_forms_give_a_total_between_two_ends(topic: str, services: Services) -> None:
    services.room = 100
    many = " OR ".join(f"tea{number}" for number in range(40))
    app = pressed(page(many, live_source="openalex"), "live-preview-button")
    n = len(services.opened[-1].counted)
    assert n > 2
    assert totals(app) == [f"25 to {25 * n:,}"]
    assert f"sent in {n} parts" in shown(app)
    assert f"The {n} parts" in [each.label for each in app.expander]


def test_what_the_cap_means_is_said_before_a_run(topic: str, services: Services) -> None:
    app = page(live_source="pubmed")
    app.number_input(key="live_cap").set_value(10).run()
    pressed(app, "live-preview-button")
    assert "Of 25 publications at most 10 are fetched: 40 %." in messages(app)
    app.number_input(key="live_cap").set_value(10_000).run()
    assert totals(app) == ["–"]  # another wish


def test_a_source_without_its_key_is_not_asked_and_says_which_one(topic: str, services: Services) -> None:
    app = page(live_source=["pubmed", "dimensions"])
    about = ABOUT["dimensions"]
    assert f"a key: set {about.key_variable}" in shown(app)
    assert app.button(key="live-run-dimensions").disabled
    assert not app.button(key="live-run-pubmed").disabled
    pressed(app, "live-preview-button")
    assert totals(app) == ["25", "–"]


def test_offline_by_choice_nothing_can_be_asked(
    topic: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    app = page()
    assert "Offline by choice (QUERYSCAPE_OFFLINE is set): no data leaves" in shown(app)
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
    assert "budget of OpenAlex" in shown(app)
    assert any("9 calls today · $0.00 left" in each.value.replace("\\", "") for each in app.markdown)


def test_a_budget_that_ends_before_the_run_is_told_before_it_begins(topic: str, services: Services) -> None:
    services.n = 60
    app = pressed(page(live_source="openalex"), "live-preview-button")
    assert "budget is left" not in shown(app)
    cache.workspace().store.execute(
        "INSERT INTO live_calls VALUES ('openalex', strftime(now() AT TIME ZONE 'UTC', '%Y-%m-%d'), 9, 0.9, 0.0015)"
    )
    app.run()
    assert "$0.0015 of today's" in messages(app)
    assert any("9 calls today · $0.0015 left" in each.value.replace("\\", "") for each in app.markdown)
    assert not app.button(key="live-run-openalex").disabled
