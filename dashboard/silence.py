"""Keep the server from looking up the addresses of its machine.

To judge a foreign Origin, and to print its address, Streamlit asks a service on the internet for the public address of
the machine, and opens a socket for the local one. An app at another name than its own is named by
`server.corsAllowedOrigins` or `browser.serverAddress`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from streamlit import config, net_util
from streamlit.web.server.server_util import get_display_address, get_url
from streamlit.web.server.starlette import App

from dashboard.kit.output import say

has_told_address = False
"""The command tells its address before the libraries load; `streamlit run` leaves that to `announce`."""


def silence() -> None:
    """Replace both look-ups, for every way in which the app is started."""
    for name in ("get_external_ip", "get_internal_ip"):
        if not callable(getattr(net_util, name)):  # a Streamlit that has moved them must not pass unnoticed
            raise AttributeError(f"streamlit.net_util has no {name}")
        setattr(net_util, name, lambda: None)


@asynccontextmanager
async def announce(app: App) -> AsyncIterator[None]:
    """Print the address of an app that `streamlit run` started, and that is about to answer."""
    if not has_told_address:
        address = get_url(get_display_address(config.get_option("server.address") or "localhost"))
        say(f"Queryscape is at {address} (stop it with Ctrl-C)")
    yield
