"""Keys stay with their host: which addresses are one host, and whether a key may travel to it."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from core.errors import InputError

_PORTS = {"http": 80, "https": 443}


def origin_of(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address; two addresses are one place if these are equal.

    >>> origin_of("HTTPS://API.openai.com/v1") == origin_of("https://api.openai.com:443/v2")
    True
    """
    parts = urlsplit(address.strip())
    return parts.scheme, (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme, 0)


def host_of(address: str) -> str:
    """Return the host as people read it, with its port if it is an unusual one."""
    scheme, host, port = origin_of(address)
    shown = f"[{host}]" if ":" in host else host
    return shown if port == _PORTS.get(scheme) else f"{shown}:{port}"


def is_loopback(address: str) -> bool:
    """Return True if an address stays on this machine. No name is looked up.

    >>> [is_loopback(f"http://{host}/v1") for host in ("localhost:1234", "127.0.0.1", "[::1]:80", "10.0.0.1")]
    [True, True, True, False]
    """
    _, host, _ = origin_of(address)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_encrypted(address: str, variable: str) -> None:
    """Refuse to send a key in the clear. `variable`: the variable that holds it."""
    if not (address.lower().startswith("https://") or is_loopback(address)):
        raise InputError(
            f"the key in {variable} would go to {host_of(address)} unencrypted: use an address with https://, "
            f"or unset {variable} if the service needs no key"
        )
