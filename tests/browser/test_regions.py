"""Another region, the same picture."""

from __future__ import annotations

from typing import get_args

import pytest

from core.explore.regions import DEFAULT_REGIONS
from core.types import RegionKind
from tests.browser.places import Places
from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

CLOSER = -300
"""Of a mouse wheel, in pixels."""


def test_each_region_is_that_of_a_direct_call_and_the_view_stays(
    demo: Server, truth: Truth, visitors: Visitors
) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    explore.wait_until_computed()
    evaluation = truth.evaluate(HEAT, "generated")
    points = truth.view(HEAT, "generated").landscape.points
    assert points is not None
    box = explore.box(explore.overlay)
    explore.page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.55)
    before = explore.fingerprint()
    explore.page.mouse.wheel(0, CLOSER)  # scrolls the page
    explore.page.keyboard.down("Control")
    explore.page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.5)
    explore.page.mouse.wheel(0, CLOSER)
    explore.page.keyboard.up("Control")
    explore.expect_another_picture(before)
    places = Places(explore, points, truth.titles(HEAT, "generated"))

    kinds: tuple[RegionKind, ...] = get_args(RegionKind)
    for kind in (*(k for k in kinds if k in DEFAULT_REGIONS and k != "cosine"), "cosine"):
        explore.choose_region(kind)
        n = evaluation.regions[kind].n_relevant
        numbers = explore.expect_numbers(lambda seen, n=n: seen.relevant.startswith(f"{n:,} of"))
        truth.check_region(numbers, kind, evaluation)
        explore.expect_in_link("region", None if kind == "cosine" else kind)
        assert places.have_stayed(), kind

    numbers = explore.set_threshold(0.75)
    explore.expect_in_link("similarity", str(numbers.min_similarity))
    assert places.have_stayed()
