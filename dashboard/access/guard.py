"""The guard of every request: Host, Origin, token or cookie, size, and the headers of every response.

It is an ASGI middleware around Streamlit's own, so that no endpoint is without it.
"""

from __future__ import annotations

import logging
from html import escape
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from dashboard.access.gate import PARAMETER, AccessGate, base_path, cookie_name, current_gate
from data.access import AccessRole

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
HEALTH = "/_stcore/health"
OVERHEAD = 1024**2
"""Bytes that a form may add to the file in it."""
HOW_TO_ENTER = (
    "Open the address that the app printed when it started; it ends with its token. "
    "On the computer where the app runs, the command <code>queryscape address</code> prints it again. "
    "A restart of the app makes a new token, so an older address or an open page no longer works."
)


class BodyTooLarge(Exception):
    """A request that sends more than is allowed, whatever it announced."""


class Guard:
    def __init__(self, app: ASGIApp, gate: AccessGate | None = None) -> None:
        self._app, self._gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        gate = self._gate or current_gate()
        request = HTTPConnection(scope)
        new_cookie, has_started = "", False

        async def guarded_send(message: Message) -> None:
            nonlocal has_started
            has_started = True
            if message["type"] in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update(HEADERS)
                if new_cookie:
                    headers.append("Set-Cookie", new_cookie)
                message["headers"] = headers.raw
            await send(message)

        allowed_bytes = int(config.get_option("server.maxUploadSize")) * 1024**2 + OVERHEAD

        async def limited_receive() -> Message:
            nonlocal allowed_bytes
            message = await receive()
            if message["type"] == "http.request":
                allowed_bytes -= len(message.get("body", b""))
                if allowed_bytes < 0:
                    raise BodyTooLarge
            return message

        answer = _refused_name(gate, request) or _too_large(request, allowed_bytes)
        if answer is None and scope["path"] != base_path() + HEALTH:
            role, answer = _entrance(gate, request)
            if role is not None:
                new_cookie = _cookie(gate, request, role)
        if answer is not None:
            await answer(scope, receive, guarded_send)
            return
        try:
            await self._app(_under_public_name(gate, request), limited_receive, guarded_send)
        except BodyTooLarge:
            if not has_started:
                await _page(413, "Too large", "This file is larger than the app accepts.")(scope, receive, guarded_send)
        except Exception:
            if not has_started and scope["type"] == "http":
                text = "Reload the page; details are in the server log."
                await _page(500, "Something went wrong", text)(scope, receive, guarded_send)
            raise


def _page(status: int, title: str, html: str) -> Response:
    document = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{title} · Queryscape</title><body style="font:1rem/1.5 system-ui;max-width:36rem;margin:4rem auto;'
        f'padding:0 1rem"><h1 style="font-size:1.4rem">{title}</h1><p>{html}</p></body></html>'
    )
    return HTMLResponse(document, status, {"Cache-Control": "no-store"})


# The name under which the app was reached.


def _refused_name(gate: AccessGate, request: HTTPConnection) -> Response | None:
    hosts, origin = request.headers.getlist("host"), request.headers.get("origin")
    if len(hosts) != 1 or not gate.knows_host(hosts[0]):
        name = hosts[0][:200] if hosts else ""
        logging.getLogger("queryscape").warning("refused the Host %r: is --public-address missing?", name)
        return _page(
            403,
            "Unknown address",
            f"This app is not known as <b>{escape(name)}</b>. To reach it by this name, start it with "
            f"<code>--public-address</code> and the address that you opened.",
        )
    if origin is not None and not gate.knows_origin(origin, hosts[0]):
        logging.getLogger("queryscape").warning("refused the Origin %r: is --public-address missing?", origin[:200])
        return _page(
            403,
            "Unknown origin",
            "Another site sent this request. Behind a proxy, start the app with <code>--public-address</code> and "
            "the address that you opened.",
        )
    return None


def _under_public_name(gate: AccessGate, request: HTTPConnection) -> Scope:
    """Return the scope; for a page at the public address with the Host that it has there, if a proxy changed it."""
    public = urlsplit(gate.public_address)
    origin = request.headers.get("origin")
    if not public.netloc or origin is None or urlsplit(origin).netloc != public.netloc:
        return request.scope
    headers = MutableHeaders(raw=list(request.scope["headers"]))
    headers["host"] = public.netloc
    return {**request.scope, "headers": headers.raw}


# Token and cookie.


def _entrance(gate: AccessGate, request: HTTPConnection) -> tuple[AccessRole | None, Response | None]:
    """Return the role for which a cookie is set now, if any, and the response if the request goes no further."""
    identity = gate.identity(request.cookies)
    token = request.query_params.get(PARAMETER)
    if token is not None and request.scope["type"] == "http" and request.scope["method"] in ("GET", "HEAD"):
        role = "owner" if gate.is_open else gate.role_of(token)
        if role or identity:
            return role, _redirect_without_token(request)
        return None, _page(403, "This token is not valid", HOW_TO_ENTER)
    if gate.is_open:
        is_page = request.scope["type"] == "http" and "text/html" in request.headers.get("accept", "")
        return ("owner" if is_page and identity is None else None), None
    return None, None if identity else _page(403, "This app needs its token", HOW_TO_ENTER)


def _redirect_without_token(request: HTTPConnection) -> Response:
    kept = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != PARAMETER])
    path = "/" + quote(request.scope["path"].lstrip("/\\"))  # two slashes would be another host
    return RedirectResponse(path + (f"?{kept}" if kept else ""), 303, {"Cache-Control": "no-store"})


def _cookie(gate: AccessGate, request: HTTPConnection, role: AccessRole) -> str:
    """Return the header. Lax: links from mail and chat open the app; other sites can neither embed nor call it."""
    host, public = request.headers["host"], urlsplit(gate.public_address)
    is_secure = request.scope["scheme"] in ("https", "wss") or (public.scheme == "https" and public.netloc == host)
    before = gate.identity(request.cookies)
    value = gate.new_cookie(role, before[1] if before else "")
    return f"{cookie_name(host)}={value}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if is_secure else "")


# Size.


def _too_large(request: HTTPConnection, allowed: int) -> Response | None:
    length = Headers(scope=request.scope).get("content-length", "")
    if not length.isdigit() or int(length[:20]) <= allowed:
        return None
    return _page(413, "Too large", "This file is larger than the app accepts.")
