"""The address of a running app: printed, and kept in the workspace for `queryscape address`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit as st
from streamlit import config

from core.errors import NotAllowedError, QueryscapeError
from dashboard.access.gate import base_path, current_gate, shown_host
from data.access import AppAddress, write_address
from data.files import WorkspacePaths
from data.parts import start_of
from data.public_demo import is_public_demo


def app_address(host: str, port: int, scheme: str = "http", path: str = "") -> AppAddress:
    """Return the address of an app at this host and port."""
    gate = current_gate()
    base = f"{scheme}://{shown_host(host)}:{port}{path}"
    return AppAddress(
        base, gate.address(base, "owner"), gate.address(base, "visitor"), os.getpid(), start_of(os.getpid())
    )


@asynccontextmanager
async def announced(_app: Any) -> AsyncIterator[None]:
    """Print the address, unless the command has, and keep it in the workspace while the server runs."""
    from dashboard.kit.output import say

    gate, port = current_gate(), int(config.get_option("server.port"))
    host = config.get_option("server.address") or "0.0.0.0"
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    address = app_address(host, port, scheme, base_path())
    if not gate.is_announced:
        say(f"Queryscape is at {address.owner}", always=True)
    file = None
    if not is_public_demo():
        with suppress(QueryscapeError):  # a folder that can't be written: the address was printed
            file = write_address(WorkspacePaths.of(), port, address)
    try:
        yield
    finally:
        if file is not None:
            file.unlink(missing_ok=True)


def show_refusal(error: Exception) -> bool:
    """Show what only the owner may do as a sentence. Called for every error that no page handles."""
    if isinstance(error, NotAllowedError):
        st.error(f"{error}.", icon=":material/block:")
    return isinstance(error, NotAllowedError)
