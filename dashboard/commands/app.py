"""No subcommand: the web app."""

from __future__ import annotations

import os
import socket
import sys
from importlib import import_module
from pathlib import Path

from core.errors import InputError
from dashboard.commands.output import say

APP = Path(__file__).parents[1] / "app.py"
FIRST_PORT, N_TRIED = 8501, 20
HOST = "localhost"
LOADED_FIRST = ("data.workspace", "core.projection", "dashboard.figures.landscape", "streamlit.elements.plotly_chart")
"""What takes long to import, so that the first page does not wait for it."""


def start_app(port: int | None) -> None:
    """Start the web app in this process, and say where it is."""
    chosen = port if port is not None else _free_port()
    if port is not None and not _is_free(port):
        raise InputError(f"port {port} is taken: choose another one with --port")
    say(f"Queryscape is at http://{HOST}:{chosen} (stop it with Ctrl-C)")
    # Settings are in .streamlit/config.toml, which Streamlit looks for in the current folder.
    os.chdir(APP.parents[1])
    for module in LOADED_FIRST:
        import_module(module)
    sys.argv = ["streamlit", "run", str(APP), "--server.port", str(chosen)]
    try:
        sys.exit(import_module("streamlit.web.cli").main())
    finally:
        import_module("dashboard.jobs").stop_all()  # Python waits for them


def _is_free(port: int) -> bool:
    if not 0 < port < 65536:
        raise InputError(f"a port is a number from 1 to 65535, got {port}")
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    for port in range(FIRST_PORT, FIRST_PORT + N_TRIED):
        if _is_free(port):
            return port
    raise InputError(f"no port from {FIRST_PORT} to {FIRST_PORT + N_TRIED - 1} is free: choose one with --port")
