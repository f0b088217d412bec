"""Services of models that tests share: each answers well, until a test puts odd answers before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from data.models.destination import own_variable
from tests.data.chats import ChatService
from tests.data.services import KEY, Service


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key in the environment, and no address."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return KEY


@pytest.fixture
def service(httpserver: HTTPServer, key: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    made = Service(httpserver)
    monkeypatch.setenv(own_variable(made.url), key)
    httpserver.expect_request("/v1/embeddings", method="POST").respond_with_handler(made.answer)
    yield made
    made.done.set()


@pytest.fixture
def chat_service(httpserver: HTTPServer, key: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatService]:
    made = ChatService(httpserver)
    monkeypatch.setenv(own_variable(made.url), key)
    httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_handler(made.answer)
    yield made
    made.done.set()
