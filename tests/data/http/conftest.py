"""Local servers of downloads."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer


@pytest.fixture
def served(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    """A server that has no file but those that a test gives it."""
    monkeypatch.setattr(httpserver, "no_handler_status_code", 404)
    return httpserver
