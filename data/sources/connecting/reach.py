"""Whether a source can be reached, found out without asking it anything: its name is looked up and a line opened."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Literal
from urllib.parse import urlsplit

from core.errors import QueryscapeError
from data.offline import VARIABLE, is_offline
from data.sources.connecting.routes import proxy_for

SECONDS = 2.0
"""That looking up the name and opening a line may take together."""
_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080, "socks4": 1080}


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a source can be reached now."""

    state: Literal["reachable", "out of reach", "offline"]
    """offline: by choice, so nothing was tried."""
    why: str = ""
    """Completes "PubMed is out of reach: ..."; where it is reachable, by what way."""


def reach(address: str, *, seconds: float = SECONDS) -> Reach:
    """Blocks for up to `seconds`: for a thread in the background. No request is sent.

    Through a proxy the line is opened to the proxy; what lies behind it shows with the first request.
    """
    if is_offline():
        return Reach("offline", f"{VARIABLE} is set, so nothing is sent anywhere; unset it to go online")
    found: SimpleQueue[Reach] = SimpleQueue()
    # Looking up a name knows no limit of time, so it is left behind where it takes too long.
    Thread(target=lambda: found.put(_tried(address, seconds)), daemon=True).start()
    try:
        return found.get(timeout=seconds)
    except Empty:
        return Reach("out of reach", f"no answer within {seconds:g} s")


def _tried(address: str, seconds: float) -> Reach:
    try:
        proxy = proxy_for(address)
        parts = urlsplit(proxy or address)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80)
    except (ValueError, QueryscapeError):
        return Reach("out of reach", "its address, or that of the proxy, can't be read")
    who = "the proxy" if proxy else "it"
    try:
        with socket.create_connection((host, port), timeout=seconds):
            return Reach("reachable", "by way of a proxy" if proxy else "")
    except socket.gaierror:
        name = "the name of the proxy" if proxy else "its name"
        return Reach("out of reach", f"{name} is not known here: is there internet?")
    except TimeoutError:
        return Reach("out of reach", f"{who} does not answer within {seconds:g} s")
    except (OSError, UnicodeError):
        return Reach("out of reach", f"{who} takes no connection: is there internet?")
