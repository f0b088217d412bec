"""Services of models that tests share: each answers well, until a test puts odd answers before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from tests.data.chats import ChatService
from tests.data.services import KEY, Service


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key in the environment, and no address."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return KEY


@pytest.fixture
def service(httpserver: HTTPServer, key: str) -> Iterator[Service]:
    made = Service(httpserver)
    httpserver.expect_request("/v1/embeddings", method="POST").respond_with_handler(made.answer)
    yield made
    made.done.set()


@pytest.fixture
def chat_service(httpserver: HTTPServer, key: str) -> Iterator[ChatService]:
    made = ChatService(httpserver)
    httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_handler(made.answer)
    yield made
    made.done.set()
