"""A chat service on this machine that answers well, or oddly where a test wants that."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.errors import DiskFullError
from data.http.client import Patience
from data.models.chat import ServiceModel, open_chat
from tests.data.services import KEY, NOW, Answer, as_json


def completion(text: str | None, **change: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 43}
    return {"object": "chat.completion", "model": "m-2030", "choices": [choice], "usage": usage} | change


def says(text: str | None, **change: Any) -> Answer:
    return lambda request: as_json(completion(text, **change))


def fails(status: int, **headers: str) -> Answer:
    """An error that quotes the key and the whole question."""

    def answer(request: Request) -> Response:
        words = f"bad: {KEY} {request.data.decode()}"
        return as_json({"error": {"message": words, "code": f"because_{status}"}}, status, **headers)

    return answer


def asked_about(request: Request) -> str:
    """The document in the marks of a question."""
    user = json.loads(request.data)["messages"][1]["content"]
    found = re.search(r"\[document \w+\]\n(.*)\n\[end of document", user, re.DOTALL)
    return found[1] if found else user


@dataclass
class ChatService:
    """A service that answers 0.5, once the odd answers that were put before are used up."""

    server: HTTPServer
    odd: list[Answer] = field(default_factory=list)
    usual: Answer = field(default_factory=lambda: says("0.5"))
    asked: list[dict[str, Any]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    def answer(self, request: Request) -> Response:
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        self.asked.append(json.loads(request.data))
        odd = self.odd.pop(0)(request) if self.odd else None
        return odd or self.usual(request) or Response("nothing", 500)

    @property
    def url(self) -> str:
        return self.server.url_for("/v1").rstrip("/")

    def patience(self, **patience: Any) -> Patience:
        kept = {"n_attempts": 3, "timeout": 10.0, "sleep": self.slept.append, "clock": lambda: NOW}
        return Patience(**{**kept, **patience})

    def model(self, **patience: Any) -> ServiceModel:
        return open_chat("m", self.url, self.patience(**patience))


@dataclass
class Memory:
    """Where answers are remembered, as in a store."""

    kept: dict[str, tuple[str, str]] = field(default_factory=dict)

    def recall(self, key: str) -> tuple[str, None] | None:
        return (self.kept[key][1], None) if key in self.kept else None

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None:
        assert key not in self.kept
        self.kept[key] = (kind, document)


class FullDisk(Memory):
    """A store that no longer has room."""

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None:
        raise DiskFullError("no room")


@contextmanager
def raw_server(answer: Callable[[int], bytes]) -> Iterator[tuple[str, list[int]]]:
    """The address of a server that sends these bytes for each request (from 0) and hangs up, and what was asked."""
    asked: list[int] = []
    lock = threading.Lock()

    class Raw(StreamRequestHandler):
        def handle(self) -> None:
            self.request.recv(1 << 20)
            with lock:
                number = len(asked)
                asked.append(number)
            self.wfile.write(answer(number))

    with ThreadingTCPServer(("127.0.0.1", 0), Raw) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
        finally:
            server.shutdown()
            thread.join()


def raw(text: str) -> bytes:
    """A whole answer as bytes; the connection is closed after it."""
    body = json.dumps(completion(text)).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


BROKEN_OFF = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"choices": ['
