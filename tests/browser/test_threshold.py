"""The similarity threshold under the hand: numbers and picture follow, and the server hears of it on release."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth, says
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
PLACES = (0.4, 0.55, 0.62, 0.69, 0.76, 0.83)
"""Along the track."""


def test_every_number_follows_the_hand(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    explore.wait_until_computed()
    mouse = explore.page.mouse
    n_sent = visitors.watch.n_sent

    mouse.move(*explore.grip(0.3))
    mouse.down()
    seen = []
    for place in PLACES:
        mouse.move(*explore.grip(place), steps=4)
        explore.next_frame()
        seen.append(explore.numbers())
        assert float(explore.slider.input_value()) == seen[-1].min_similarity
        truth.check_threshold(seen[-1], HEAT, "review")
    assert len({numbers.relevant for numbers in seen}) == len(PLACES)
    assert visitors.watch.n_sent == n_sent, "nothing is sent before the hand lets go"
    mouse.up()

    last = seen[-1]
    explore.expect_in_link("similarity", str(last.min_similarity))
    card = explore.card("cosine")
    expect(card).to_have_attribute("aria-label", f"Cosine: F2 {last.f_beta}")
    expect(card).to_contain_text(f"{last.n_relevant:,} relevant")
    expect(card).to_contain_text(f"decay {last.decay}")
    expect(card).to_contain_text(f"semantic precision {last.semantic_precision}")
    assert explore.numbers() == last
    evaluation = truth.evaluate(HEAT, "review", cosine_mode="fixed", min_similarity=last.min_similarity)
    truth.check_region(last, "cosine", evaluation)
    assert says(explore.page.get_by_test_id("recall-card").locator(".value").inner_text(), evaluation.recall)


def test_blue_turns_grey_as_the_threshold_rises(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    low = explore.set_threshold(0.3)
    blue, grey = explore.n_pixels("relevant"), explore.n_pixels("not_relevant")
    assert blue > 100
    high = explore.set_threshold(0.8)
    assert high.n_relevant < low.n_relevant
    assert 0 < explore.n_pixels("relevant") < blue
    assert explore.n_pixels("not_relevant") > grey
