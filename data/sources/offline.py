"""Offline by choice: with QUERYSCAPE_OFFLINE set, whatever would open a connection says so instead."""

from __future__ import annotations

import os

from core.errors import OutOfReachError

VARIABLE = "QUERYSCAPE_OFFLINE"
_NO = ("", "0", "false", "no")


def is_offline() -> bool:
    """Whether nothing may be sent anywhere, by the user's own choice."""
    return os.environ.get(VARIABLE, "").strip().lower() not in _NO


def check_online(what: str) -> None:
    """`what` begins the sentence: "PubMed", "the service at http://...". OutOfReachError where we are offline."""
    if is_offline():
        raise OutOfReachError(f"{what} is out of reach: {VARIABLE} is set, so nothing is sent; unset it to go online")
