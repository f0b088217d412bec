"""A local service that grades, fails in every way that services fail, and counts what it is asked.

It knows no rubric and no prompt: a grade hangs on nothing but the text of the question, so the same question gets the
same grade from every process. A script says for each request what is played; `python tests/data/judge_server.py`
serves until it is ended, and prints its address.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

import pytest

from core.judge.judgments import STATUSES, Status
from data.models.destination import own_variable

HIGHEST = 5
LATE = 0.3
"""Seconds that a slow answer takes, beyond what every answer takes."""
Reaction = Literal["answer", "reset", "hang"]


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    number: int
    """From 0, in the order in which they come."""
    n_before: int
    """How often the same message of the user came before, in whatever form."""
    document: Mapping[str, Any]
    headers: Mapping[str, str]
    """With names in small letters."""

    @property
    def authorization(self) -> str:
        return self.headers.get("authorization", "")

    @property
    def system(self) -> str:
        return str(self.document["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.document["messages"][-1]["content"])

    @property
    def form(self) -> str:
        """json_schema, json_object or plain."""
        return str((self.document.get("response_format") or {}).get("type", "plain"))

    @property
    def chance(self) -> float:
        """In [0, 1): hangs on nothing but the message of the user."""
        return int.from_bytes(sha256(self.user.encode()).digest()[:6], "big") / 2**48

    @property
    def points(self) -> int:
        """The grade that this question gets."""
        return int(self.chance * 1e6) % (HIGHEST + 1)


@dataclass(frozen=True)
class Reply:
    """What is sent back, or done in its place."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    reaction: Reaction = "answer"


Play = Callable[[Request], Reply]
Script = Callable[[Request], str]
"""Names the play for a request."""


def graded(request: Request, **change: Any) -> dict[str, Any]:
    """The inner object of a good answer."""
    return {"score": request.points, "confidence": 8, "reason": "They share a subject."} | change


def completion(text: str | None, finish: str = "stop", **message: Any) -> Reply:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text} | message}
    usage = {"prompt_tokens": 400, "completion_tokens": 30, "total_tokens": 430}
    return as_json({"object": "chat.completion", "model": "judge-2030", "choices": [choice], "usage": usage})


def as_json(document: Any, status: int = 200, **headers: str) -> Reply:
    return Reply(json.dumps(document).encode(), status, {"content-type": "application/json"} | headers)


def error(status: int, code: str, **headers: str) -> Play:
    """An error that quotes the key and what was sent, as real ones do."""

    def play(request: Request) -> Reply:
        words = f"bad request {request.authorization} {request.user}"
        return as_json({"error": {"message": words, "code": code}}, status, **headers)

    return play


def says(text: Callable[[Request], str], finish: str = "stop") -> Play:
    return lambda request: completion(text(request), finish)


def enveloped(request: Request, **change: Any) -> str:
    return json.dumps({"relevance": graded(request, **change)})


def scored(score: object) -> Play:
    return says(lambda request: enveloped(request, score=score))


def _html(request: Request) -> Reply:
    return Reply(b"<html><body>Sign in</body></html>", 200, {"content-type": "text/html"})


def _late(request: Request) -> Reply:
    good = PLAYS["good"](request)
    return Reply(good.body, good.status, good.headers, LATE)


PLAYS: Mapping[str, Play] = {
    "good": says(enveloped),
    "flat": says(lambda request: json.dumps(graded(request))),
    "fenced": says(lambda request: f"Here it is:\n```json\n{enveloped(request)}\n```"),
    "prose": says(lambda request: "This publication seems substantially relevant to the query."),
    "84": scored(84),
    "4.5": scored(4.5),
    '"4"': scored("4"),
    "empty": says(lambda request: ""),
    "truncated": says(lambda request: enveloped(request)[:-20], "length"),
    "filtered": lambda request: completion(None, "content_filter"),
    "refusal": lambda request: completion(None, refusal="I can't help with that."),
    "html": _html,
    "no choices": lambda request: as_json({"object": "chat.completion", "model": "judge-2030", "choices": []}),
    "429": error(429, "rate_limit_exceeded", **{"retry-after": "0"}),
    "500": error(500, "internal_error"),
    "slow": _late,
    "reset": lambda request: Reply(reaction="reset"),
    "hang": lambda request: Reply(reaction="hang"),
    "wrong key": error(401, "invalid_api_key"),
    "no quota": error(429, "insufficient_quota"),
    "no such model": error(404, "model_not_found"),
    "too long": error(400, "context_length_exceeded"),
}
"""Every way in which an answer goes right or wrong."""

ENDS_IN: Mapping[str, Status] = {
    **dict.fromkeys(("good", "flat", "fenced", "slow"), "ok"),
    **dict.fromkeys(("prose", "empty"), "invalid_json"),
    **dict.fromkeys(("84", "4.5", '"4"'), "invalid_scale"),
    "truncated": "truncated",
    "filtered": "filtered",
    "refusal": "refused",
    **dict.fromkeys(("html", "no choices", "429", "500", "reset", "hang", "too long"), "http_error"),
}
"""The status of a triple whose every request is played so; what ends everything at once is not here."""
assert set(ENDS_IN.values()) <= set(STATUSES)


def always(name: str) -> Script:
    """The same for every request."""
    return lambda request: name


def some_fail(names: list[str], share: float = 0.1, n_times: int = 1) -> Script:
    """This share of questions fails, each in one of these ways, the first times that it is asked; then it is good."""

    def script(request: Request) -> str:
        if request.chance >= share or request.n_before >= n_times:
            return "good"
        return names[int(request.chance / share * len(names))]

    return script


def takes_only(forms: tuple[str, ...], script: Script, *, prose: bool = False) -> Callable[[Request], Reply]:
    """A service that does not take every form: it refuses the others, or answers them in prose."""

    def play(request: Request) -> Reply:
        if request.form in forms:
            return PLAYS[script(request)](request)
        if prose:
            return PLAYS["prose"](request)
        words = f"This response_format type is unavailable now: {request.form}"
        return as_json({"error": {"message": words, "code": "invalid_request_error"}}, 400)

    return play


@dataclass
class JudgeServer:
    """What the server was asked and what it played."""

    script: Script | Callable[[Request], Reply]
    """Names the play of each request, or plays it."""
    seconds: float = 0.0
    """That every answer takes."""
    keeps_open: bool = False
    """Whether a connection serves more than one request; who opens such a connection has to close it."""
    url: str = ""
    asked: list[Request] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)
    n_at_once: int = 0
    most_at_once: int = 0
    _n_of: Counter[str] = field(default_factory=Counter)

    @property
    def n_questions(self) -> int:
        """Different messages of the user."""
        return len(self._n_of)

    def times_asked(self, user: str) -> int:
        """How often this message came."""
        return self._n_of[user]

    def take(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Note a request and choose what is played."""
        document = json.loads(body)
        user = str(document["messages"][-1]["content"])
        request = Request(len(self.asked), self._n_of[user], document, headers)
        self._n_of[user] += 1
        self.asked.append(request)
        chosen = self.script(request)
        if isinstance(chosen, Reply):
            return chosen
        self.played[chosen] += 1
        return PLAYS[chosen](request)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        try:
            while (head := await _head(reader)) is not None:
                body = await reader.readexactly(int(head.get("content-length", "0")))
                reply = self.take(body, head)
                self.n_at_once += 1
                self.most_at_once = max(self.most_at_once, self.n_at_once)
                try:
                    await asyncio.sleep(self.seconds + reply.seconds)
                finally:
                    self.n_at_once -= 1
                if reply.reaction == "hang":
                    await asyncio.sleep(3600)
                if reply.reaction == "reset":
                    writer.transport.abort()
                    return
                writer.write(_sent(reply, self.keeps_open))
                await writer.drain()
                if not self.keeps_open:
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()


async def _head(reader: asyncio.StreamReader) -> dict[str, str] | None:
    """Headers of the next request; None: the other side is done."""
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[1:]
    except asyncio.IncompleteReadError:
        return None
    pairs = (line.partition(":") for line in lines if line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _sent(reply: Reply, keeps_open: bool) -> bytes:
    connection = "keep-alive" if keeps_open else "close"
    headers = {**reply.headers, "content-length": str(len(reply.body)), "connection": connection}
    lines = [f"HTTP/1.1 {reply.status} Played", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + reply.body


async def _listen(server: JudgeServer, port: int, is_up: Callable[[], None], end: asyncio.Event) -> None:
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await server.serve(reader, writer)

    listening = await asyncio.start_server(connected, "127.0.0.1", port)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    is_up()
    await end.wait()
    listening.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def judge_server(
    script: Script | Callable[[Request], Reply], seconds: float = 0.0, *, keeps_open: bool = False
) -> Iterator[JudgeServer]:
    """A server in a thread of its own, for as long as the block lasts. `seconds`: that every answer takes.

    Its key is the one that the test has set for OpenAI.
    """
    server = JudgeServer(script, seconds, keeps_open)
    loop, end, is_up = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(_listen(server, 0, is_up.set, end)), daemon=True)
    thread.start()
    assert is_up.wait(20)
    try:
        with pytest.MonkeyPatch.context() as patch:
            if key := os.environ.get("OPENAI_API_KEY"):
                patch.setenv(own_variable(server.url), key)
            yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(20)
        loop.close()


def main(seconds: float = 0.2, script: str = "good") -> None:
    """Serve in this process until it is ended; the address is the first line."""
    server = JudgeServer(always(script), seconds, keeps_open=True)
    asyncio.run(_listen(server, 0, lambda: print(server.url, flush=True), asyncio.Event()))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *sys.argv[2:3])
