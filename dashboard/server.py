"""Start the web app: a free port, the address, Streamlit's settings, and the browser."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import click

from core.errors import InputError
from dashboard.access.gate import HOST, AccessGate, set_gate
from dashboard.access.opening import app_address
from dashboard.silence import silence
from data.files import IN_CHECKOUT, WorkspacePaths
from data.public_demo import is_public_demo

APP = Path(__file__).with_name("app.py")
FIRST_PORT, N_TRIED = 8501, 20
SWITCH_SECONDS = 0.001
"""Time slice of a thread while another waits. Python's default makes each step of a page wait five times as long."""
OPEN_SECONDS = 60
"""The browser is not opened after that: whoever waited longer has looked already."""
SETTINGS = {
    "server.headless": "true",
    "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "none",
    "server.enableXsrfProtection": "true",
}
"""Given as flags, so that no file and no variable of the user's can change them. The others are in `.streamlit/`."""


def start_app(
    port: int | None = None,
    host: str = HOST,
    *,
    with_browser: bool = True,
    with_token: bool = True,
    public_address: str = "",
) -> None:
    from dashboard.kit.output import say

    check_host(host)
    if not with_token and (public_address or not is_loopback(host)):
        raise InputError("--no-token is for this machine only: leave it out where others can reach the app")
    is_open = is_public_demo() or not with_token
    set_gate(AccessGate(is_open=is_open, host=host, public_address=public_address, is_announced=True))
    chosen = port if port is not None else free_port(host)
    if port is not None and not is_free(port, host):
        raise InputError(f"port {port} is in use: choose another with --port")
    if not is_public_demo():
        WorkspacePaths.of().make_root()  # a folder that can't be written is told now, not on the page
    address = app_address(host, chosen)
    say(f"Queryscape is at {address.owner} (stop it with Ctrl-C)", always=True)
    if is_open and not is_public_demo():
        say("Without a token, every program and user of this machine can open the app.", "yellow", always=True)
    if other := workspace_passed_over():
        say(f"{other} has a workspace, too. To open it, start with --data-dir {other}.")
    if with_browser and can_open_browser(os.environ, sys.platform):
        Thread(target=_open_when_ready, args=(address.base, address.owner), daemon=True).start()
    _load_pages()
    silence()
    if is_public_demo():
        from dashboard.visits import all_visits

        say("Building the demo data")
        all_visits()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # modules are never freed, so no collection needs to scan them
    flags = {**SETTINGS, "server.port": str(chosen), "server.address": host}
    sys.argv = ["streamlit", "run", str(APP), *(part for name, value in flags.items() for part in (f"--{name}", value))]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server ends first, then raises the signal again
    try:
        import_module("streamlit.web.cli").main(standalone_mode=False)
    except click.Abort:  # Ctrl-C
        sys.exit(0)
    finally:
        from dashboard.jobs import stop_all
        from dashboard.visits import close_all

        close_all()
        stop_all()  # Python waits for them
        gc.unfreeze()  # else extensions warn about objects that are never collected


def _load_pages() -> None:
    """Import what the first page needs, so that it does not wait for it. Streamlit itself asks for pandas."""
    import pandas  # noqa: F401
    import scipy.ndimage
    import scipy.spatial  # noqa: F401
    import streamlit.elements.plotly_chart  # noqa: F401

    import dashboard.selection
    import dashboard.workbench.page  # noqa: F401


# Port and address.


def check_host(host: str) -> None:
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError) as e:
        raise InputError(
            f'--host "{host[:80]}" is no address of this machine: use localhost, or 0.0.0.0 for all'
        ) from e


def is_loopback(host: str) -> bool:
    addresses = {str(found[4][0]).partition("%")[0] for found in socket.getaddrinfo(host, None)}
    return all(ipaddress.ip_address(each).is_loopback for each in addresses)


def is_free(port: int, host: str = HOST) -> bool:
    if not 0 < port < 65536:
        raise InputError(f"--port must be a number from 1 to 65535, got {port}")
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family) as tried:
        # On Windows, the option of other systems would give away a port that is in use.
        option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        tried.setsockopt(socket.SOL_SOCKET, option, 1)
        try:
            tried.bind(address)
        except OSError:
            return False
    return True


def free_port(host: str = HOST) -> int:
    for port in range(FIRST_PORT, FIRST_PORT + N_TRIED):
        if is_free(port, host):
            return port
    raise InputError(f"ports {FIRST_PORT} to {FIRST_PORT + N_TRIED - 1} are all in use: choose another with --port")


# What the person sees first.


def workspace_passed_over() -> Path | None:
    """Return the workspace of a checkout in the current folder, if another one is opened."""
    other = Path.cwd() / "data" / "local"
    opened = WorkspacePaths.of().root
    is_checkout = (Path.cwd() / "queryscape" / "__main__.py").is_file() and other != IN_CHECKOUT.resolve()
    return other if is_checkout and other != opened and WorkspacePaths(other).store.is_file() else None


def can_open_browser(environment: Mapping[str, str], platform: str) -> bool:
    """Not in CI and not over SSH; on Linux only with a display."""
    if environment.get("CI") or environment.get("SSH_CONNECTION"):
        return False
    has_display = bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
    return has_display or not platform.startswith("linux")


def _open_when_ready(base: str, address: str) -> None:
    end = monotonic() + OPEN_SECONDS
    direct = build_opener(ProxyHandler({}))  # a proxy has no way to this machine's own address
    while monotonic() < end:
        try:
            with direct.open(f"{base}/_stcore/health", timeout=5):
                break
        except (URLError, OSError):
            sleep(0.1)
    else:
        return
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        from dashboard.kit.output import say

        say(f"No browser could be opened: go to {address} yourself.")
