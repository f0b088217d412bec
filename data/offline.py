"""Offline by choice: with QUERYSCAPE_OFFLINE set, whatever would open a connection says so instead."""

from __future__ import annotations

import os

from core.errors import OutOfReachError

VARIABLE = "QUERYSCAPE_OFFLINE"
_NO = ("", "0", "false", "no")


def is_offline() -> bool:
    """Whether nothing may be sent anywhere, by the user's own choice."""
    return os.environ.get(VARIABLE, "").strip().lower() not in _NO


def offline_words(what: str) -> str:
    """Why something is out of reach, and how to undo it. `what` begins the sentence: "PubMed"."""
    return f"{what} is out of reach: {VARIABLE} is set, so nothing is sent anywhere; unset it to go online"


def check_online(what: str) -> None:
    """OutOfReachError where we are offline by choice; called by all that makes connections, before they are made."""
    if is_offline():
        raise OutOfReachError(offline_words(what))
