"""Keep the server from looking up the addresses of its machine.

To judge a foreign Origin, and to print its address, Streamlit asks a service on the internet for the public address of
the machine, and opens a socket for the local one. An app at another name than its own is named by
`server.corsAllowedOrigins` or `browser.serverAddress`.
"""

from __future__ import annotations

from streamlit import net_util


def silence() -> None:
    """Replace both look-ups, for every way in which the app is started."""
    for name in ("get_external_ip", "get_internal_ip"):
        if not callable(getattr(net_util, name)):  # a Streamlit that has moved them must not pass unnoticed
            raise AttributeError(f"streamlit.net_util has no {name}")
        setattr(net_util, name, lambda: None)
