"""An embedding service on this machine that answers well, or oddly where a test wants that."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from data.http.client import Patience
from data.models.openai import OpenAIModel, open_openai

KEY = "sk-very-secret-0123456789"
NOW = 1_700_000_000.0
Answer = Callable[[Request], Response | None]


def vector(text: str, width: int = 8) -> list[float]:
    """Numbers that float32 holds exactly."""
    return [byte / 256 for byte in hashlib.sha256(text.encode()).digest()[:width]]


def document(texts: list[str], **change: Any) -> dict[str, Any]:
    items = [{"object": "embedding", "index": k, "embedding": vector(text)} for k, text in enumerate(texts)]
    return {"object": "list", "data": items, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}} | change


def as_json(body: Any, status: int = 200, **headers: str) -> Response:
    return Response(json.dumps(body), status, headers, content_type="application/json")


@dataclass
class Service:
    """A service that answers well, once the odd answers that were put before are used up."""

    server: HTTPServer
    odd: list[Answer] = field(default_factory=list)
    asked: list[list[str]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    def answer(self, request: Request) -> Response:
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        texts = json.loads(request.data)["input"]
        self.asked.append(texts)
        odd = self.odd.pop(0)(request) if self.odd else None
        return odd or as_json(document(texts))

    @property
    def url(self) -> str:
        return self.server.url_for("/v1").rstrip("/")

    def model(self, **patience: Any) -> OpenAIModel:
        kept = {"n_attempts": 4, "timeout": 10.0, "sleep": self.slept.append, "clock": lambda: NOW}
        return open_openai("text-embedding-3-small", self.url, Patience(**{**kept, **patience}))


def no_key_in(e: BaseException | None, *texts: str) -> None:
    """Neither an error, nor what it came from, nor any of these texts holds the key or a part of it."""
    seen: list[str] = list(texts)
    while e is not None:
        seen += [str(e), repr(e)]
        e = e.__cause__ or e.__context__
    assert not [text for text in seen if KEY in text or KEY[-8:] in text]


def refuses(bad: str, status: int = 400, words: str = "bad input") -> Answer:
    def answer(request: Request) -> Response | None:
        if any(bad in text for text in json.loads(request.data)["input"]):
            return as_json({"error": {"message": f"{words} {KEY}"}}, status)
        return None

    return answer
