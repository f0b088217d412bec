"""What the guard lets through, on the application that the server runs: each of its endpoints, each role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from streamlit import config
from streamlit.runtime import Runtime

from core.errors import InputError
from dashboard.access import gate as gates
from dashboard.access.gate import AccessGate
from dashboard.access.guard import HEADERS, HEALTH, Guard
from dashboard.server import start_app
from data import access
from tests.dashboard.access.asgi import HOST, Answer, ask, cookie_of

APP = Path(__file__).parents[3] / "dashboard" / "app.py"
GATE = AccessGate(public_address="https://team.example.org")
ORIGIN = f"http://{HOST}"


@pytest.fixture(scope="module")
def app() -> Iterator[Any]:
    """The application with Streamlit's own endpoints; its runtime is made, but not started."""
    before = Runtime._instance
    Runtime._instance = None
    made = st.App(APP, middleware=[Middleware(Guard, gate=GATE)])._build_starlette_app()
    yield made
    Runtime._instance = before


def routes(app: Any) -> list[tuple[str, str, str]]:
    """Kind, method and an address of each endpoint."""
    return [entry for route in app.routes for entry in _of(route)]


def _of(route: BaseRoute) -> list[tuple[str, str, str]]:
    path = re.sub(r"\{[^}]*\}", "x", getattr(route, "path", "")) or "/"
    if isinstance(route, WebSocketRoute):
        return [("websocket", "GET", path)]
    if isinstance(route, Mount):
        return [("http", "GET", f"{path.rstrip('/')}/index.html")]
    assert isinstance(route, Route)
    return [("http", method, path) for method in sorted(route.methods or {"GET"})]


def test_the_application_has_the_endpoints_that_the_guide_lists(app: Any) -> None:
    paths = {path for _, _, path in routes(app)}
    assert len(paths) >= 8
    for word in (HEALTH, "/_stcore/stream", "/_stcore/upload_file/", "/media/", "/component/", "/_stcore/metrics"):
        assert any(path.startswith(word) for path in paths), word


def test_no_endpoint_but_health_answers_a_stranger(app: Any) -> None:
    for kind, method, path in routes(app):
        for cookie in ("", "queryscape_8501=owner", f"queryscape_8501={AccessGate().new_cookie('owner')}"):
            answer = ask(app, path, kind=kind, method=method, cookie=cookie)
            assert (answer.status == 403) == (path != HEALTH), (path, method, answer)
            assert "set-cookie" not in answer.headers or path == HEALTH


def test_every_response_has_the_headers(app: Any) -> None:
    cookie = f"queryscape_8501={GATE.new_cookie('owner')}"
    for kind, method, path in [*routes(app), ("http", "GET", "/no/such/page"), ("http", "GET", "/?token=x")]:
        for headers in ({"cookie": cookie}, {}, {"host": "evil.example"}, {"content_length": "9" * 12}):
            if kind == "websocket" and headers.get("cookie"):
                continue  # it would need a runtime that was started
            answer = ask(app, path, kind=kind, method=method, **headers)
            told = {name: answer.headers.get(name.lower()) for name in HEADERS}
            assert told == HEADERS or not answer.status, (path, headers)


def test_every_endpoint_lets_both_roles_in(app: Any) -> None:
    for role in gates.ROLES:
        for kind, method, path in routes(app):
            if kind == "http":
                cookie = f"queryscape_8501={GATE.new_cookie(role)}"
                answer = ask(app, path, method=method, cookie=cookie)
                assert "its token" not in answer.body, (role, path)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "localhost.evil.example", "", "a@localhost", None]
)
def test_a_foreign_host_is_refused_everywhere(app: Any, host: str | None) -> None:
    cookie = f"queryscape_8501={GATE.new_cookie('owner')}"
    for kind, method, path in routes(app):
        assert ask(app, path, kind=kind, method=method, host=host, cookie=cookie).status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:1", "null", "https://localhost:8502", ""])
def test_a_foreign_origin_is_refused_everywhere(app: Any, origin: str) -> None:
    cookie = f"queryscape_8501={GATE.new_cookie('owner')}"
    for kind, method, path in routes(app):
        assert ask(app, path, kind=kind, method=method, origin=origin, cookie=cookie).status == 403


# An application behind the guard that tells what reaches it.


class Inner:
    """Reads the whole body, and notes the scope."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.n_bytes = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.scope, more = scope, True
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        if scope["path"] == "/fails":
            raise RuntimeError("secret")
        while more:
            message = await receive()
            self.n_bytes += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"referrer-policy", b"unsafe-url")]})
        await send({"type": "http.response.body", "body": b"in"})


@pytest.fixture
def inner() -> Inner:
    return Inner()


def entered(inner: Inner, role: access.AccessRole = "owner", gate: AccessGate = GATE, **headers: str) -> Answer:
    return ask(Guard(inner, gate), f"/?token={gate.token_of(role)}", **headers)


@pytest.mark.parametrize("role", gates.ROLES)
def test_a_token_becomes_a_cookie_and_leaves_the_address(inner: Inner, role: access.AccessRole) -> None:
    guard = Guard(inner, GATE)
    answer = ask(guard, f"/library?topic=a%20b&token={GATE.token_of(role)}&topic=c")
    assert answer.status == 303
    assert answer.headers["location"] == "/library?topic=a+b&topic=c"
    flags = answer.headers["set-cookie"].split("; ")[1:]
    assert {"Path=/", "HttpOnly", "SameSite=Lax"} == set(flags)
    cookie = cookie_of(answer)
    assert cookie.startswith("queryscape_8501=")
    assert GATE.token_of(role) not in cookie
    identity = GATE.identity(dict([cookie.split("=", 1)]))
    assert identity is not None
    assert identity[0] == role
    assert ask(guard, "/", cookie=cookie).body == "in"
    assert ask(guard, "/", cookie=cookie, kind="websocket", origin=ORIGIN).status == 101


def test_the_redirect_stays_here(inner: Inner) -> None:
    for path in ("//evil.example/x", "/\\evil.example", "/%2F/evil.example"):
        location = ask(Guard(inner, GATE), f"{path}?token={GATE.token}").headers["location"]
        assert not location.startswith(("//", "/\\")), location


def test_a_wrong_or_old_token_tells_how_to_get_the_address(inner: Inner) -> None:
    for token in ("", "x", AccessGate().token, GATE.token[:-1], GATE.token + "a", "ü"):
        answer = ask(Guard(inner, GATE), f"/?token={token}")
        assert answer.status == 403
        assert "queryscape address" in answer.body
        assert "set-cookie" not in answer.headers
    cookie = cookie_of(entered(inner))
    assert ask(Guard(inner, GATE), f"/?token={AccessGate().token}", cookie=cookie).status == 303  # an old bookmark
    assert not inner.scope


def test_two_apps_of_one_host_keep_their_cookies_and_a_browser_its_id(inner: Inner) -> None:
    other = AccessGate()
    one, two = cookie_of(entered(inner)), cookie_of(entered(inner, gate=other, host="localhost:8502"))
    both = f"{one}; {two}"
    assert ask(Guard(inner, GATE), cookie=both).status == ask(Guard(inner, other), cookie=both).status == 200
    again = cookie_of(entered(inner, "visitor", cookie=both))
    assert again.split(".")[1] == one.split(".")[1]
    assert again.split(".")[1] != two.split(".")[1]


def test_a_visitor_can_make_no_token_or_cookie_of_the_owner(inner: Inner) -> None:
    cookie = cookie_of(entered(inner, "visitor"))
    assert GATE.token_of("visitor") not in GATE.token
    assert ask(Guard(inner, GATE), cookie=cookie.replace("visitor", "owner")).status == 403
    assert ask(Guard(inner, GATE), cookie=cookie[:-1]).status == 403


def test_an_open_gate_gives_every_browser_an_id(inner: Inner) -> None:
    guard = Guard(inner, AccessGate(is_open=True))
    assert "set-cookie" not in ask(guard, "/").headers
    cookie = cookie_of(ask(guard, "/", accept="text/html,*/*"))
    assert "set-cookie" not in ask(guard, "/", accept="text/html", cookie=cookie).headers
    assert ask(guard, "/", host="evil.example").status == 403
    assert ask(guard, "/?token=old&x=1").headers["location"] == "/?x=1"


def test_a_proxy_may_rewrite_the_host(inner: Inner) -> None:
    cookie, guard = cookie_of(entered(inner)), Guard(inner, GATE)
    answer = ask(guard, cookie=cookie, origin="https://team.example.org", kind="websocket")
    assert answer.status == 101
    assert dict(inner.scope["headers"])[b"host"] == b"team.example.org"  # the origin is its own for Streamlit, too
    assert entered(inner, host="team.example.org").headers["set-cookie"].endswith("; Secure")
    assert ask(Guard(inner, AccessGate()), cookie=cookie, origin="https://team.example.org").status == 403


def test_an_upload_that_is_too_large_is_refused_early(inner: Inner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "get_option", {"server.maxUploadSize": 1, "server.baseUrlPath": ""}.__getitem__)
    cookie, guard = cookie_of(entered(inner, "visitor")), Guard(inner, GATE)
    announced = ask(guard, "/x", method="PUT", cookie=cookie, content_length=str(2 * 1024**3), body=[b"x"] * 9)
    assert (announced.status, announced.n_read, inner.n_bytes) == (413, 0, 0)
    endless = (bytes(2**16) for _ in range(10_000))
    streamed = ask(guard, "/x", method="PUT", cookie=cookie, body=endless)
    assert streamed.status == 413
    assert inner.n_bytes <= 2 * 1024**2
    assert ask(guard, "/x", method="PUT", cookie=cookie, body=[bytes(2**20)]).status == 200


def test_a_failure_says_nothing_and_has_the_headers(inner: Inner) -> None:
    cookie = cookie_of(entered(inner))
    sent: list[dict[str, Any]] = []

    async def noting(scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def note(message: dict[str, Any]) -> None:
            sent.append(message)

        try:
            await Guard(inner, GATE)(scope, receive, note)
        except RuntimeError:
            for message in sent:
                await send(message)

    answer = ask(noting, "/fails", cookie=cookie)
    assert answer.status == 500
    assert "secret" not in answer.body
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", ["team.example.org", "ftp://x", "https://", "https://x/?a=1"])
def test_a_public_address_that_is_none_is_a_mistake(address: str) -> None:
    with pytest.raises(InputError, match="address"):
        AccessGate(public_address=address)


def test_a_token_of_a_person_is_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for token in ("short", "x" * 20 + " ", "y" * 20 + "&z"):
        monkeypatch.setenv(access.VARIABLE, f"a{token}" if token == "short" else token.replace(" ", "%"))
        with pytest.raises(InputError, match="QUERYSCAPE_TOKEN"):
            AccessGate()
    monkeypatch.setenv(access.VARIABLE, "a-token-of-a-team_1")
    assert AccessGate().token == "a-token-of-a-team_1"
    assert AccessGate().token_of("visitor") == AccessGate().token_of("visitor") != AccessGate().token


@pytest.mark.parametrize("given", [{"host": "0.0.0.0"}, {"public_address": "https://team.example.org"}])
def test_nothing_listens_beyond_this_machine_without_a_token(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="--no-token"):
        start_app(with_token=False, **given)  # type: ignore[arg-type]
