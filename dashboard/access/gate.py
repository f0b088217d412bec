"""The gate of the app: tokens, cookies, and the names under which it may be reached."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import InputError
from data.access import AccessRole, derived, is_same, new_token, read_role_with
from data.public_demo import is_public_demo

ROLES: tuple[AccessRole, ...] = ("owner", "visitor")
HOST = "localhost"
PARAMETER = "token"
COOKIE = "queryscape"
_COOKIE = re.compile(r"(owner|visitor)\.([0-9a-f]{32})\.([0-9a-f]{43})")


@dataclass(frozen=True)
class AccessGate:
    """`is_open`: no token is needed. `public_address`: the address at a proxy. `is_announced`: it was printed."""

    is_open: bool = False
    host: str = HOST
    public_address: str = ""
    is_announced: bool = False
    token: str = field(default_factory=new_token, repr=False)

    def __post_init__(self) -> None:
        at = urlsplit(self.public_address)
        if self.public_address and (at.scheme not in ("http", "https") or not at.hostname or at.query or at.fragment):
            raise InputError(f"{self.public_address[:80]!r} is no address such as https://queryscape.example.org")

    def token_of(self, role: AccessRole) -> str:
        return self.token if role == "owner" else derived(self.token, "visitor")

    def role_of(self, token: str) -> AccessRole | None:
        """Return the role that a token gives."""
        return next((role for role in ROLES if is_same(token, self.token_of(role))), None)

    def address(self, base: str, role: AccessRole) -> str:
        """Return the address to open: the public one if there is one, with the token."""
        shown = self.public_address.rstrip("/") or base
        return shown if self.is_open else f"{shown}/?{PARAMETER}={self.token_of(role)}"

    # Cookies. They name a role and a browser, and are signed, so that they hold no token.

    def new_cookie(self, role: AccessRole, browser: str = "") -> str:
        browser = browser or secrets.token_hex(16)
        return f"{role}.{browser}.{derived(self.token, 'cookie', role, browser)}"

    def read_cookie(self, value: str) -> tuple[AccessRole, str] | None:
        """Return the role and the browser's id of a cookie that this gate signed."""
        if (parts := _COOKIE.fullmatch(value)) is None:
            return None
        role: AccessRole = "owner" if parts[1] == "owner" else "visitor"
        return (role, parts[2]) if is_same(parts[3], derived(self.token, "cookie", role, parts[2])) else None

    def identity(self, cookies: Mapping[str, str]) -> tuple[AccessRole, str] | None:
        """Return the role and the browser's id, from the one of our cookies that this gate signed."""
        found = (self.read_cookie(value) for name, value in cookies.items() if name.startswith(COOKIE))
        return next((identity for identity in found if identity), None)

    # Names.

    def knows_host(self, host: str) -> bool:
        """Check a Host header. A foreign name that was pointed at this machine (DNS rebinding) is unknown.

        >>> gate = AccessGate(host="0.0.0.0", public_address="https://team.example.org")
        >>> [gate.knows_host(host) for host in ("localhost:8501", "127.0.0.1", "[::1]:1", "team.example.org")]
        [True, True, True, True]
        >>> [gate.knows_host(host) for host in ("evil.example", "localhost.evil.example", "", "a@localhost", "x y")]
        [False, False, False, False, False]
        """
        try:
            at = urlsplit(f"//{host}")
            name, _ = at.hostname or "", at.port
        except ValueError:
            return False
        if not name or at.netloc != host or "@" in host:
            return False
        name = name.rstrip(".")
        known = {"localhost", self.host.lower(), urlsplit(self.public_address).hostname}
        return name in known or _is_ip(name)  # no name was resolved for an IP address, so none was forged

    def knows_origin(self, origin: str, host: str) -> bool:
        """Check an Origin header: the app's own pages only."""
        at, public = urlsplit(origin), urlsplit(self.public_address)
        return at.netloc == host or (bool(public.netloc) and (at.scheme, at.netloc) == (public.scheme, public.netloc))


def shown_host(host: str) -> str:
    """Return the host as it stands in an address; one that means every interface is reached as localhost here."""
    if host in ("0.0.0.0", "::"):
        return HOST
    return f"[{host}]" if ":" in host else host


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def cookie_name(host: str) -> str:
    """Name the cookie by the port that the browser sees: cookies of one host are shared by all its ports."""
    port = re.search(r":(\d{1,5})$", host)
    return f"{COOKIE}_{port[1]}" if port else COOKIE


def base_path() -> str:
    """Return the path below which the app is served; empty: it is at the top."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


_gate: list[AccessGate] = []


def set_gate(gate: AccessGate) -> None:
    _gate[:] = [gate]


def current_gate() -> AccessGate:
    """Return the gate of this server. A server that nobody set up, such as `streamlit run`, asks for a token."""
    if not _gate:
        set_gate(AccessGate(is_open=is_public_demo()))
    return _gate[0]


# The person who looks at a page.


def _identity() -> tuple[AccessRole, str] | None:
    return current_gate().identity(st.context.cookies)


def role() -> AccessRole:
    """Return the role of the person who looks at this page; owner: there is no server, or it asks for no token."""
    if get_script_run_ctx(suppress_warning=True) is None or not st.context.headers or current_gate().is_open:
        return "owner"
    identity = _identity()
    return identity[0] if identity else "visitor"


def browser_id() -> str:
    """Return a random id of this browser, the same in all its tabs; empty: there is no browser, or no cookie."""
    identity = _identity() if st.context.headers else None
    return identity[1] if identity else ""


read_role_with(role)
