"""Files that a local server offers under /base, and what was asked of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

BODY = bytes(range(256)) * 2000
Handler = Callable[[Request], Response]


def base(server: HTTPServer) -> str:
    return server.url_for("/base")


def answers(server: HTTPServer, name: str, *handlers: Handler) -> None:
    """One handler per request, in order; the last one for all that follow."""
    left = list(handlers)
    server.expect_request(f"/base/{name}").respond_with_handler(
        lambda request: (left.pop(0) if len(left) > 1 else left[0])(request)
    )


def requests_for(server: HTTPServer, name: str) -> list[Request]:
    return [request for request, _ in server.log if request.path == f"/base/{name}"]


def no_sleep(seconds: float) -> None:
    """Tests never wait."""


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if ".part" in path.name or path.name.endswith(".new"))
