"""The way to a service: through which proxy, and how the key gets into a request that nobody else sees with it."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from core.errors import InputError

MAIL = "QUERYSCAPE_MAIL"
KeyPlace = tuple[Literal["query", "header", "none"], str]
"""Where a key stands in a request, and its name there. In a form that is posted, "query" is the form.
"none": nowhere by itself; the source signs in with it."""
_FORM = "application/x-www-form-urlencoded"
_MAIL = re.compile(r"[^@\s()<>,;:\"]+@[^@\s()<>,;:\"]+")


def own_mail() -> str:
    """The address that the user wants to be reached at by a service; empty: none was given."""
    mail = os.environ.get(MAIL, "").strip()
    if mail and not (mail.isascii() and mail.isprintable() and _MAIL.fullmatch(mail)):
        raise InputError(f"the variable {MAIL} holds no mail address: one such as me@example.org, or unset it")
    return mail


def user_agent() -> str:
    """How services may know us, and whom to write to if we are a nuisance."""
    mail = own_mail()
    return f"queryscape/0.1 (mailto:{mail})" if mail else "queryscape/0.1"


def checked_address(address: str, variable: str) -> str:
    """An address that requests may be sent to, without the slash at its end."""
    said = address.strip().rstrip("/")
    try:
        parts = urlsplit(said)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not (said.isascii() and said.isprintable()):
        raise InputError(f"{variable} must be an address such as http://localhost:8080/works")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(f"{variable} takes no name, password or query: a key goes into a variable of its own")
    return said


def checked_key(key: str, variable: str) -> str:
    """A key that a request can carry."""
    said = key.strip()
    if not (said.isascii() and said.isprintable() and " " not in said):
        raise InputError(f"the variable {variable or 'with the key'} holds signs that no key has")
    return said


def proxy_for(address: str) -> str | None:
    """The proxy that the environment names for this address; None: there is none."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{host}:{parts.port}" if parts.port else host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def transport_for(address: str) -> httpx.BaseTransport:
    """What carries requests there."""
    try:
        return httpx.HTTPTransport(proxy=proxy_for(address))
    except (ValueError, TypeError, ImportError, httpx.InvalidURL):  # they quote the address, which may hold a password
        pass
    raise InputError("the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names can't be used: mend it, or unset it")


@dataclass(eq=False)
class Keyed(httpx.BaseTransport):
    """Puts the key into a request at the last moment: what is logged, shown and kept is the request without it."""

    inner: httpx.BaseTransport
    key: str = field(repr=False)
    place: KeyPlace = ("none", "")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to the request with its key."""
        return self.inner.handle_request(self._with_key(request))

    def close(self) -> None:
        """The connections that are open."""
        self.inner.close()

    def _with_key(self, request: httpx.Request) -> httpx.Request:
        kind, name = self.place
        if not self.key or kind == "none":
            return request
        url, headers, content = request.url, request.headers.copy(), request.read()
        if kind == "header":
            headers[name] = self.key
        else:
            pair = f"{quote(name, safe='')}={quote(self.key, safe='')}".encode()
            if headers.get("content-type", "").startswith(_FORM):
                content = content + b"&" + pair if content else pair
                headers["content-length"] = str(len(content))
            else:
                url = url.copy_with(query=url.query + b"&" + pair if url.query else pair)
        return httpx.Request(request.method, url, headers=headers, content=content, extensions=request.extensions)


def quieten() -> None:
    """The library below tells its log every header that comes, and a service may send back what it was sent."""
    logging.getLogger("httpcore").setLevel(logging.WARNING)
