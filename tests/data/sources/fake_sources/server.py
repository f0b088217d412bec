"""A local server that plays every source, and every way in which a source or what lies before it fails.

One event loop answers all; a script names the fault for a request, and every request is kept. Names of faults that a
service plays itself (its answer is well-formed HTTP, but what it says is odd) are handed on to it.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import parse_qs, unquote

HTML = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body><p>Please sign in to use the network.</p></body>"
PAUSE = 0.02
SKEW = 3 * 60 * 60.0
"""Seconds that the clock of a skewed answer is ahead."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    source: str
    """First part of the path."""
    number: int
    """Of the requests to this source, from 1."""
    method: str
    path: str
    """Behind the source, decoded; begins with a stroke."""
    query: str
    """As it was sent, still encoded."""
    headers: Mapping[str, str]
    """With names in small letters."""
    body: bytes = b""
    target: str = ""
    """Path and query as they stood in the request's first line."""

    @property
    def params(self) -> dict[str, str]:
        """Of the query; of a name that comes twice, the last."""
        return {name: values[-1] for name, values in parse_qs(self.query, keep_blank_values=True).items()}

    @property
    def form(self) -> dict[str, str]:
        """Of a body that is a form."""
        return {name: values[-1] for name, values in parse_qs(self.body.decode(), keep_blank_values=True).items()}

    @property
    def n_bytes_of_url(self) -> int:
        """Of what a service counts as the URL: without the stand-in's own first part."""
        return len(f"https://{self.headers.get('host', '')}{self.target}".encode()) - len(f"/{self.source}")


Reaction = Literal["answer", "reset", "cut", "silence"]


@dataclass(frozen=True)
class Answer:
    """What is sent back."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    reaction: Reaction = "answer"
    """reset: the connection is broken off. cut: less comes than was promised. silence: the headers come, and then
    nothing."""


class Service(Protocol):
    """One stand-in."""

    def answer(self, asked: Asked, fault: str) -> Answer:
        """What it says; `fault`: what of it is odd, empty for nothing."""
        ...


T = TypeVar("T")
Good = Callable[[], Answer]
Fault = Callable[[Asked, Good], Answer]
Script = Callable[[Asked], str]
"""Names the fault for a request; empty: none."""


def as_json(document: Any, status: int = 200, **headers: str) -> Answer:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(body, status, {"content-type": "application/json"} | named)


class Says:
    """A service with one answer, whatever it is asked; those who sign in get a token."""

    def __init__(self, document: Any) -> None:
        self._answer = as_json(document)

    def answer(self, asked: Asked, fault: str) -> Answer:
        return as_json({"token": "abc"}) if asked.path == "/api/auth" else self._answer


def with_odd(records: Sequence[T], odd: Sequence[T], fault: str) -> list[T]:
    """A page whose first records are odd: two of them, or most."""
    n = {"odd": 2, "mostly odd": len(records) * 2 // 3}.get(fault, 0)
    return [*(odd[k % len(odd)] for k in range(n)), *records[n:]]


def mark_of(place: int, *more: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps([place, *more]).encode()).decode()


def place_of(mark: str, fault: str) -> int | None:
    """The place of a mark; None: it is none, or it is lost."""
    try:
        return None if fault == "lost" else int(json.loads(base64.urlsafe_b64decode(mark))[0])
    except (ValueError, TypeError, IndexError):
        return None


def error(status: int, words: str = "made to fail", **headers: str) -> Fault:
    """An error in the words of most services; it quotes what was sent, as real ones do."""
    return lambda asked, good: as_json({"error": words, "message": f"{words}: {asked.target}"}, status, **headers)


def _html(status: int) -> Fault:
    return lambda asked, good: Answer(HTML, status, {"content-type": "text/html; charset=utf-8"})


def _zipped(damage: Callable[[bytes], bytes]) -> Fault:
    def fault(asked: Asked, good: Good) -> Answer:
        fine = good()
        zipped = damage(gzip.compress(fine.body))
        return replace(fine, body=zipped, headers={**fine.headers, "content-encoding": "gzip"})

    return fault


def _later(asked: Asked, good: Good) -> Answer:
    """Its clock is ahead by hours: the wait that it means can only be told from its own Date header."""
    now = datetime.now(UTC).timestamp() + SKEW
    dates = [format_datetime(datetime.fromtimestamp(t, UTC), usegmt=True) for t in (now, now + 7)]
    return as_json({"error": "slow down"}, 429, date=dates[0], retry_after=dates[1])


def _reacting(reaction: Reaction) -> Fault:
    return lambda asked, good: replace(good(), reaction=reaction)


FAULTS: Mapping[str, Fault] = {
    "400": error(400, "Invalid query parameters error."),
    "401": error(401, "API key required"),
    "403": error(403, "Forbidden"),
    "404": error(404, "Not found"),
    "429": error(429, "Too many requests", retry_after="2"),
    "429 at once": error(429, "Too many requests", retry_after="0"),
    "429 date": _later,
    "429 silent": error(429, "Too many requests"),
    "500": error(500, "Internal error"),
    "503": error(503, "Unavailable", retry_after="1"),
    "html": _html(200),
    "html 502": _html(502),
    "html 403": _html(403),
    "not json": lambda asked, good: replace(good(), body=b'{"results": [', headers={}),
    "empty": lambda asked, good: replace(good(), body=b""),
    "gzip": _zipped(lambda body: body),
    "broken gzip": _zipped(lambda body: b"\x1f\x8b" + b"rubbish" * 20),
    "cut gzip": _zipped(lambda body: body[: len(body) // 2]),
    "redirect": lambda asked, good: Answer(b"", 302, {"location": "http://sign-in.invalid/"}),
    "reset": _reacting("reset"),
    "cut": _reacting("cut"),
    "silence": _reacting("silence"),
}
"""What goes wrong below what a service says."""


def nothing(asked: Asked) -> str:
    return ""


def on(faults: Mapping[tuple[str, int], str]) -> Script:
    """Faults by source and number of the request, from 1."""
    return lambda asked: faults.get((asked.source, asked.number), "")


def from_request(source: str, number: int, fault: str) -> Script:
    """The same fault for every request from one on."""
    return lambda asked: fault if asked.source == source and asked.number >= number else ""


def in_words(texts: Sequence[str]) -> Script:
    """Faults as the command line names them: "openalex:3=429", "pubmed:5+=html" for every request from the fifth."""
    once: dict[tuple[str, int], str] = {}
    ever: list[tuple[str, int, str]] = []
    for text in texts:
        where, _, fault = text.partition("=")
        source, _, number = where.partition(":")
        if number.endswith("+"):
            ever.append((source, int(number[:-1]), fault))
        else:
            once[source, int(number)] = fault
    always = [from_request(*of) for of in ever]
    return lambda asked: on(once)(asked) or next((fault for script in always if (fault := script(asked))), "")


@dataclass(eq=False)
class FakeSources:
    """What is served, what it was asked, and how it goes wrong."""

    services: Mapping[str, Service]
    script: Script = nothing
    seconds: float = 0.0
    """That every answer takes."""
    keeps: bool = True
    """Whether requests are kept; a long run has many."""
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    n_of: Counter[str] = field(default_factory=Counter)
    go_on: threading.Event = field(default_factory=threading.Event)
    """Ends a silence."""

    def address(self, source: str) -> str:
        return f"{self.url}/{source}"

    def of(self, source: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.source == source]

    def answer(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Note a request and choose what comes back."""
        path, _, query = target.partition("?")
        source, _, rest = path.lstrip("/").partition("/")
        self.n_of[source] += 1
        asked = Asked(source, self.n_of[source], method, f"/{unquote(rest)}", query, headers, body, target)
        if self.keeps:
            self.asked.append(asked)
        service = self.services.get(source)
        if service is None:
            return as_json({"error": f"no source {source}"}, 404)
        fault = self.script(asked)
        if fault in FAULTS:
            return FAULTS[fault](asked, lambda: service.answer(asked, ""))
        return service.answer(asked, fault)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        try:
            while (head := await _head(reader)) is not None:
                method, target, headers = head
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                answer = self.answer(method, target, headers, body)
                if self.seconds:
                    await asyncio.sleep(self.seconds)
                if not await self._send(answer, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return  # the other side is gone, or the server ends
        finally:
            writer.close()

    async def _send(self, answer: Answer, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection stays open."""
        head, body = _head_of(answer), answer.body
        if answer.reaction == "reset":
            writer.transport.abort()
            return False
        if answer.reaction == "cut":
            writer.write(head + body[: len(body) // 2])
            await writer.drain()
            return False
        if answer.reaction == "silence":
            writer.write(head)
            await writer.drain()
            while not self.go_on.is_set():
                await asyncio.sleep(PAUSE)
            return False
        writer.write(head + body)
        await writer.drain()
        return True


async def _head(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str]] | None:
    """Method, target and headers of the next request; None: the other side is done."""
    try:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    method, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    return method, target, {name.strip().lower(): value.strip() for name, _, value in pairs}


def _head_of(answer: Answer) -> bytes:
    headers = {**answer.headers, "content-length": str(len(answer.body))}
    lines = [f"HTTP/1.1 {answer.status} Played", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def listen(server: FakeSources, port: int, is_up: Callable[[], None], end: asyncio.Event) -> None:
    """Until `end` is set."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await server.serve(reader, writer)

    listening = await asyncio.start_server(connected, "127.0.0.1", port, limit=1 << 20)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    is_up()
    await end.wait()
    listening.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def serving(services: Mapping[str, Service], script: Script = nothing, **options: Any) -> Iterator[FakeSources]:
    """A server in a thread of its own, for as long as the block lasts."""
    server = FakeSources(services, script, **options)
    loop, end, is_up = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(listen(server, 0, is_up.set, end)), daemon=True)
    thread.start()
    assert is_up.wait(20)
    try:
        yield server
    finally:
        server.go_on.set()
        loop.call_soon_threadsafe(end.set)
        thread.join(20)
        loop.close()
