"""The app asks a browser for its token: once in the address, then never again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.servers import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_token_opens_the_app_and_leaves_the_address(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "workspace", tmp_path / "app.log", with_token=True) as server:
        (file,) = server.data_dir.glob("address-*.json")
        address = json.loads(file.read_text("utf-8"))
        assert address["owner"] in server.said()
        context, stranger = chromium.new_context(), chromium.new_context()
        outside = stranger.new_page()
        answer = outside.goto(server.url)
        assert answer is not None
        assert answer.status == 403
        expect(outside.get_by_role("heading")).to_contain_text("token")
        page = context.new_page()
        page.goto(address["owner"])
        expect(page.get_by_role("heading").first).to_be_visible(timeout=60_000)  # the pages came over the WebSocket
        assert "token" not in page.url
        page.goto(f"{server.url}/library")
        expect(page.get_by_role("heading").first).to_be_visible(timeout=60_000)
        assert [cookie["httpOnly"] for cookie in context.cookies() if "queryscape" in cookie["name"]] == [True]
        context.close()
        stranger.close()
    assert not list(server.data_dir.glob("address-*.json"))
