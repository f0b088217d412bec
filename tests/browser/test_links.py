"""An address opens the same view again, one that can't be followed says so, and visitors don't meet."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server
from tests.browser.truth import BATTERY, HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

LEADING_NOWHERE = (
    ({"topic": "Coffee"}, 'topic in the link: "Coffee"'),
    ({"topic": HEAT, "version": "deleted"}, 'version in the link: "deleted"'),
    ({"topic": HEAT, "beta": "nan"}, "beta must be"),
    ({"topic": HEAT, "region": "<b>circle</b>"}, "region must be one of"),
    ({"topic": HEAT, "mode": "fixed", "similarity": "9"}, "min_similarity must be in"),
    ({"topic": HEAT, "mode": "fixed", "similarity": "abc"}, "min_similarity must be a number, got abc"),
)


def test_a_link_opens_the_same_view(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    at = explore.set_threshold(0.7).min_similarity
    explore.move_slider("Beta", 0.4)
    explore.move_slider("Decay limit", 0.02)
    explore.choose_region("hull")
    for name in ("similarity", "beta", "limit", "region"):
        explore.expect_in_link(name)
    link = {name: values[0] for name, values in parse_qs(urlsplit(explore.address()).query).items()}
    settings = {
        "cosine_mode": "fixed",
        "min_similarity": at,
        "beta": float(link["beta"]),
        "decay_limit": float(link["limit"]),
    }
    evaluation = truth.evaluate(HEAT, "generated", **settings)
    here = explore.expect_numbers(lambda numbers: numbers.f_beta_name != "F2" and numbers.decay != "–")
    truth.check_region(here, "hull", evaluation)
    assert float(link["similarity"]) == at

    other = visitors.enter(demo)
    other.page.goto(explore.address())
    other.wait_until_painted(HEAT, "generated")
    expect(other.card("hull")).to_have_attribute("aria-checked", "true")
    assert other.numbers() == here
    other.choose_region("cosine")
    there = other.expect_numbers(lambda numbers: numbers != here)
    truth.check_region(there, "cosine", evaluation)


def test_a_link_that_leads_nowhere_says_so_and_the_page_works(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "baseline")
    for link, said in LEADING_NOWHERE:
        explore.page.goto(f"{demo.url}/?{urlencode(link)}")
        message = explore.expect_message(said)
        assert "Traceback" not in message.inner_text()
        explore.wait_until_painted(link["topic"] if link["topic"] == HEAT else "", "baseline")
        numbers = explore.set_threshold(0.7)
        explore.expect_in_link("similarity", str(numbers.min_similarity))
    truth.check_threshold(numbers, HEAT, "baseline")


def test_visitors_of_one_server_do_not_meet(demo: Server, visitors: Visitors) -> None:
    one = visitors.open(demo, HEAT, "review")
    two = visitors.open(demo, HEAT, "review")
    untouched = two.numbers()

    moved = one.set_threshold(0.8)
    one.expect_in_link("similarity", str(moved.min_similarity))
    one.table.locator(".line .pick").first.click()
    expect(one.picked_note).to_contain_text("1 picked")
    two.choose_region("hull")
    two.expect_in_link("region", "hull")
    two.choose_region("cosine")
    two.expect_in_link("region", None)
    assert two.numbers() == untouched
    two.expect_chip("picked", 0)
    assert moved != untouched

    two.choose("Topic", BATTERY)
    two.wait_until_painted(BATTERY)
    one.page.reload()
    one.wait_until_painted(HEAT, "review")
    assert one.numbers() == moved
    expect(one.picked_note).to_be_hidden()
    assert "topic=Urban" in one.address()
