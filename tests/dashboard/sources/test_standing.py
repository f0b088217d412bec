"""How the sources stand: looked up when somebody asks, without a request to any of them, and said in few words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.sources.source_forms import SOURCE_IDS, SourceId
from dashboard import cache
from dashboard.sources import availability
from dashboard.sources.availability import ALL_AWAY, chip_of, why_not
from data.http.client import ServiceReach
from data.sources.registry import ABOUT, DailyUsage, SourceStanding
from tests.dashboard.apps import keys, messages, press, shown
from tests.dashboard.sources.search_pages import page

AWAY = ServiceReach("out of reach", "its name is not known here: is there internet?")
THERE = ServiceReach("reachable")


def stands(source: SourceId = "pubmed", **more: object) -> SourceStanding:
    about = ABOUT[source]
    found = SourceStanding(about, False, about.address, False, DailyUsage(), about.dollars_per_day)
    return replace(found, **more)  # type: ignore[arg-type]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that were looked for; none can be reached."""
    found: list[str] = []
    monkeypatch.setattr(availability, "reach", lambda address: (found.append(address), AWAY)[1])
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
    return found


def test_sources_are_looked_for_when_somebody_asks_and_not_before(root: Path, looked: list[str]) -> None:
    app = page("", None)
    cache.jobs().wait()
    assert looked == []
    app = press(app, "live-check")
    app.run()
    cache.jobs().wait()
    assert sorted(looked) == sorted(ABOUT[source].address for source in SOURCE_IDS)
    assert f":material/cloud_off: {ALL_AWAY}" in shown(app)


def test_offline_by_choice_nothing_is_looked_for(
    root: Path, looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    app = page("", None)
    cache.jobs().wait()
    assert looked == []
    assert "Offline by choice" in shown(app)
    assert "live-check" not in keys(app)
    assert ALL_AWAY not in shown(app)


def test_a_visitor_of_the_public_demo_is_not_told_to_change_the_server(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    monkeypatch.setattr(availability, "is_public_demo", lambda: True)
    assert {availability.why_not(source) for source in SOURCE_IDS} == {availability.in_demo()}
    assert "QUERYSCAPE" not in availability.in_demo()


@pytest.mark.parametrize(
    ("found", "reach", "text", "colour"),
    [
        (stands(), None, "PubMed", "gray"),
        (stands(), THERE, "PubMed", "green"),
        (stands(), AWAY, "PubMed · offline", "gray"),
        (stands(is_offline=True), None, "PubMed · offline", "gray"),
        (stands(day=DailyUsage(1)), THERE, "PubMed · 1 call today", "green"),
        (stands("dimensions"), THERE, "Dimensions · needs a key", "gray"),
        (
            stands("openalex", day=DailyUsage(99, 0.2), allowed=1.0),
            None,
            "OpenAlex · 99 calls today · $0.80 left",
            "gray",
        ),
        (
            stands("openalex", day=DailyUsage(9, 1.0), allowed=1.0),
            THERE,
            "OpenAlex · 9 calls today · $0.00 left",
            "orange",
        ),
    ],
)
def test_a_chip_says_what_matters(found: SourceStanding, reach: ServiceReach | None, text: str, colour: str) -> None:
    chip = chip_of(found, reach)
    assert (chip.text, chip.colour) == (text, colour)
    assert found.address in chip.more


def test_what_is_left_of_a_day_is_never_below_nothing() -> None:
    assert stands("pubmed").left is None
    assert stands("openalex", day=DailyUsage(9, 3.0), allowed=1.0).left == 0.0


def test_a_key_is_named_by_its_variable_and_never_shown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
    variable = ABOUT["dimensions"].key_variable
    monkeypatch.delenv(variable, raising=False)
    assert variable in why_not("dimensions")
    monkeypatch.setenv(variable, "a-secret-that-nobody-sees")
    assert why_not("dimensions") == ""
    assert "a-secret-that-nobody-sees" not in str(page("", None)._tree)


def test_an_address_that_makes_no_sense_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
    monkeypatch.setenv(ABOUT["pubmed"].address_variable, "ftp://[nowhere")
    assert why_not("pubmed")
    app = page("tea", None)
    assert not app.error
    assert why_not("pubmed") in messages(app)
    assert "OpenAlex" in shown(app)
