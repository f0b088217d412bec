"""A server that plays the part of a source as a test wants it, and connections to it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from data.http.client import Patience
from data.sources.connection import Connection
from data.sources.types import SentRequest

KEY = "very/secret+key-0123"
NOW = datetime(2031, 5, 6, 14, 0, tzinfo=UTC).timestamp()
HTML = "<!DOCTYPE html><html><head><title>Welcome  guest</title></head><body>Sign in</body></html>"
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "QUERYSCAPE_OFFLINE", "QUERYSCAPE_MAIL")
"""Of the environment, that change how a source is asked."""
Play = Callable[[Request], Response]


class Bench:
    """A server that plays what it is told, one play for each request and the last one for all that follow."""

    def __init__(self, server: HTTPServer) -> None:
        self.server, self.slept, self.sent = server, list[float](), list[tuple[SentRequest, float | None]]()
        self.plays: list[Play] = []
        self.asked: list[Request] = []
        server.expect_request("/base", method="GET").respond_with_handler(self._answer)
        for path in ("/base/works", "/base/other"):
            server.expect_request(path).respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        request.get_data()
        self.asked.append(request)
        return (self.plays.pop(0) if len(self.plays) > 1 else self.plays[0])(request)

    def connection(self, *plays: Play, n_attempts: int = 4, timeout: float = 20.0, **how: Any) -> Connection:
        self.plays = list(plays) or [fine]
        patience = Patience(n_attempts, 1.0, 60.0, timeout, self.slept.append, lambda: NOW)
        how = {"per_second": 1e4, "key_variable": "TEA_KEY", "address_variable": "TEA_URL", **how}
        on_sent = lambda sent, left: self.sent.append((sent, left))  # noqa: E731
        return Connection("Tea base", self.server.url_for("/base"), patience=patience, on_sent=on_sent, **how)


def fine(request: Request) -> Response:
    return Response('{"ok": true}', 200, content_type="application/json")


def plays(body: str | bytes = "no", status: int = 200, **headers: str) -> Play:
    return lambda request: Response(body, status, {name.replace("_", "-"): text for name, text in headers.items()})


def echo(status: int = 200) -> Play:
    """Sends back all that came, as text and in a header."""

    def play(request: Request) -> Response:
        came = f"{request.full_path} {request.url} {request.headers} {request.get_data().decode()} {KEY.upper()}"
        said = json.dumps({"message": came, "error": {"message": came}})
        return Response(said, status, {"X-Came": request.query_string.decode()}, content_type="application/json")

    return play


@contextmanager
def raw_server(answer: bytes) -> Iterator[str]:
    """Host and port of a server that sends these bytes for each request, whole or not, and hangs up."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            line, _ = listening.accept()
            with line:
                if line.recv(65536) == b"bye":
                    return
                line.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        with socket.create_connection(listening.getsockname()) as line:
            line.sendall(b"bye")
        thread.join(10)
        listening.close()
