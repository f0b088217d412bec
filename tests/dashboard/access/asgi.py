"""One request to an ASGI application, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

HOST = "localhost:8501"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str
    n_read: int
    """Messages of the request's body that were read."""


def ask(
    app: Any,
    address: str = "/",
    *,
    method: str = "GET",
    host: str | None = HOST,
    body: Iterable[bytes] = (),
    kind: str = "http",
    **headers: str,
) -> Answer:
    """Send one request; of a WebSocket, the handshake. Headers as keywords, with _ for -."""
    at = urlsplit(address)
    named = {name.replace("_", "-").lower(): value for name, value in headers.items()} | (
        {"host": host} if host else {}
    )
    scope = {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": unquote(at.path),
        "raw_path": at.path.encode(),
        "query_string": at.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "server": ("127.0.0.1", 8501),
        "client": ("127.0.0.1", 50000),
        "subprotocols": [],
        "state": {},
        "extensions": {"websocket.http.response": {}},
    } | ({"method": method} if kind == "http" else {})
    chunks, sent, n_read, is_over = iter(body), [], 0, False

    async def receive() -> dict[str, Any]:
        nonlocal n_read
        if kind == "websocket":
            n_read += 1
            return {"type": "websocket.connect"} if n_read == 1 else {"type": "websocket.disconnect", "code": 1000}
        nonlocal is_over
        if is_over:
            return {"type": "http.disconnect"}
        chunk = next(chunks, None)
        n_read += chunk is not None
        is_over = chunk is None
        return {"type": "http.request", "body": chunk or b"", "more_body": not is_over}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    start = sent[0] if sent else {"type": "none"}  # it had nobody to answer
    status = start.get("status", {"websocket.accept": 101, "websocket.close": 403}.get(start["type"], 0))
    told = {name.decode().lower(): value.decode() for name, value in start.get("headers", ())}
    text = b"".join(message.get("body", b"") for message in sent).decode(errors="replace")
    return Answer(status, told, text, n_read)


def cookie_of(answer: Answer) -> str:
    """The cookie that a browser would send from now on."""
    return answer.headers["set-cookie"].partition(";")[0]
