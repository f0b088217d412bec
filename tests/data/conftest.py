"""Stores, workspaces and services that tests of data/ share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from data.demo.loading import bring_litqeval
from data.explore.workspace import Workspace
from data.http import client
from data.models.destination import own_variable
from data.store import Store
from tests.data.chats import ChatService
from tests.data.services import KEY


@pytest.fixture(autouse=True, scope="session")
def _waits_are_whole() -> Iterator[None]:
    """Take no random part off the waits between attempts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "random", lambda: 0.0)
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store."""
    with Store.open(tmp_path / "queryscape.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for tests and drawn examples that have nothing to do with each other."""
    with Store.open(tmp_path_factory.mktemp("shared") / "queryscape.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def litqeval(collections_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """LitQEval as it was published, with its lists."""
    with Workspace.open(tmp_path_factory.mktemp("litqeval")) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        yield workspace


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a key of OpenAI's nor another service in its place."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def key(no_key: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of OpenAI's."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def service(key: None, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatService]:
    """A chat service on this machine, and its key."""
    made = ChatService(httpserver)
    monkeypatch.setenv(own_variable(made.url), KEY)
    httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_handler(made.answer)
    yield made
    made.done.set()
