"""The public demo in two browsers: what one visitor makes, the other never sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.servers import Server, serving

pytestmark = pytest.mark.slow
TEXT = "batter* AND charging"
N_VERSIONS = 4
"""Of a demo topic."""


def _visit(chromium: Browser, server: Server) -> Page:
    page = chromium.new_context().new_page()
    page.goto(server.url)
    expect(page.get_by_text("your own demo copy")).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    return page


def _copies(folder: Path) -> int:
    return len([path for path in folder.glob("queryscape-visits-*/*") if path.is_dir() and path.name != "original"])


def test_a_version_of_one_visitor_is_not_in_the_copy_of_another(chromium: Browser, tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    environment = {"QUERYSCAPE_DEMO": "1", "TMPDIR": str(copies)}
    with serving(tmp_path / "unused", tmp_path / "log", environment) as server:
        first = _visit(chromium, server)
        second = _visit(chromium, server)
        assert _copies(copies) == 2
        editor = first.get_by_role("textbox", name="Search string")
        editor.fill(TEXT)
        editor.press("Control+Enter")
        expect(first.get_by_role("textbox", name="Search string")).to_have_value(TEXT)
        first.wait_for_url(re.compile(r"version=(?!baseline)"))
        for page, n in ((first, N_VERSIONS + 1), (second, N_VERSIONS)):
            page.get_by_role("combobox", name="Query version").click()
            expect(page.get_by_role("option")).to_have_count(n)
        assert str(copies) not in first.inner_text("body") + second.inner_text("body")
        assert server.blamed() == []
    assert list(copies.iterdir()) == []
