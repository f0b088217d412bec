"""Two servers on one workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server, serving
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow


def test_a_second_server_is_a_guest_of_the_first(
    demo: Server, truth: Truth, visitors: Visitors, tmp_path: Path
) -> None:
    with serving(demo.data_dir, tmp_path / "log") as second:
        explore = visitors.open(second, HEAT, "review")
        expect(explore.page.get_by_test_id("stSidebar")).not_to_contain_text("Read-only")
        assert explore.n_pixels("relevant") > 100
        numbers = explore.set_threshold(0.7)
        truth.check_threshold(numbers, HEAT, "review")
        explore.expect_in_link("similarity", str(numbers.min_similarity))
        explore.table.locator(".line:visible .cell.title").first.click()
        explore.expect_record(explore.table_titles()[0])
        explore.leave()
        assert second.blamed() == []
    first = visitors.open(demo, HEAT, "review")
    expect(first.page.get_by_test_id("stSidebar")).not_to_contain_text("Read-only")
    assert demo.blamed() == []
