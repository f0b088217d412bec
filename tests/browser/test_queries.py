"""A query is changed and run: every run makes a new version over the topic's publications."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pages import Explore
from tests.browser.query_page import QueryPage
from tests.browser.servers import Server
from tests.browser.truth import BATTERY, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

SOME = 'lithium AND (ageing OR aging) NOT "second life"'
NONE = "zeppelin AND unicorn"
ALL = "battery OR NOT battery"
HOSTILE = '"<img src=x onerror=document.title=1>" OR lithium'
HOSTILE_MISTAKE = "lithium[**<img src=x onerror=document.title=1>** javascript:1]"


def _run(explore: Explore, text: str, n: int) -> str:
    """Run it; gives back the label of the new version."""
    before = explore.version.input_value()
    explore.run(text)
    expect(explore.version).not_to_have_value(before)
    label = explore.version.input_value()
    assert re.fullmatch(r"v\d+", label)
    expect(explore.page.locator(".st-key-page-head")).to_contain_text("Manual")
    QueryPage.of(explore).expect_number("Retrieved", f"{n:,}")
    explore.expect_in_link("version", label)
    expect(explore.query).to_have_value(text)
    return label


def test_an_edited_query_becomes_a_version(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    n = truth.matching(BATTERY, SOME)
    label = _run(explore, SOME, n)
    explore.wait_until_painted(BATTERY, label)
    expect(explore.readout).to_contain_text(f"of {n:,}")
    explore.expect_chip("all", n)

    explore.page.reload()
    explore.wait_until_painted(BATTERY, label)
    expect(explore.query).to_have_value(SOME)
    explore.choose("Query version", "manual")
    explore.wait_until_painted(BATTERY, "manual")
    explore.run(SOME)
    expect(explore.version).to_have_value(label)


def test_a_query_that_retrieves_nothing_or_everything(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    _run(explore, NONE, 0)
    expect(explore.page.get_by_text("This query retrieved no publication")).to_be_visible()
    expect(explore.card("cosine")).to_contain_text("–")
    everything = truth.matching(BATTERY, ALL)
    assert everything > 1_000
    label = _run(explore, ALL, everything)
    explore.wait_until_painted(BATTERY, label)
    explore.expect_chip("all", everything)
    explore.expect_chip("missed", 0)


def test_a_query_that_makes_no_sense_is_answered_and_kept(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    for text, said in (("OR", "term is missing"), ("heat[mesh]", "can be tested here"), ("", "query is empty")):
        explore.run(text)
        message = explore.expect_message(re.compile(said))
        assert "Traceback" not in message.inner_text()
        expect(explore.query).to_have_value(text)
        expect(explore.version).to_have_value("manual")
        assert explore.numbers().n_relevant > 0


def test_a_query_that_is_run_while_the_one_before_opens_is_not_lost(
    demo: Server, truth: Truth, visitors: Visitors
) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    number = int(_run(explore, "lithium", truth.matching(BATTERY, "lithium"))[1:])
    for n in range(1, 4):
        explore.run(f"lithium OR cathode OR first{n}")
        explore.run(f"lithium OR anode OR second{n}")
        expect(explore.version).to_have_value(f"v{number + 2 * n}")
        expect(explore.query).to_have_value(f"lithium OR anode OR second{n}")


def test_the_text_of_a_query_is_never_markup(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    title = explore.page.title()
    _run(explore, HOSTILE, truth.matching(BATTERY, HOSTILE))
    explore.run(HOSTILE_MISTAKE)
    explore.expect_message("Plain has no field **<img src=x")
    expect(explore.query).to_have_value(HOSTILE_MISTAKE)
    expect(explore.page.locator("img[src=x], a[href^=javascript]")).to_have_count(0)
    assert explore.page.title() == title
