"""Secrets stay out of what a service sends back, however it quotes them."""

from __future__ import annotations

import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.sources.connection import Connection, Secrets

SIGNS = "abcXYZ0189-._~+/=&%<>\"'\\:;,@!$*()[]{}|^`#?"
KEYS = [
    "ab/cd+ef&gh=ij12",
    "plainkey1234567890",
    'q"uo\\te/key<1>234',
    "a%2Fbcd%efgh12",
    "////++++====",
    "ey.JhbG-ci_Oi~J9",
]


def ways(key: str) -> dict[str, str]:
    """The same key as services, frameworks and pages write it."""
    return {
        "as it is": key,
        "in capitals": key.upper(),
        "in an address": quote(key, safe=""),
        "in an address, small": quote(key, safe="").lower(),
        "in an address with its strokes": quote(key),
        "in a form": quote_plus(key),
        "in an address that is in an address": quote(quote(key, safe=""), safe=""),
        "JSON": json.dumps(key),
        "JSON with escaped strokes": json.dumps(key).replace("/", "\\/"),
        "JSON for pages": json.dumps(key).replace("&", "\\u0026").replace("<", "\\u003C").replace("+", "\\u002b"),
        "JSON in JSON": json.dumps(json.dumps(key)),
        "HTML": html.escape(key),
        "HTML by number": "".join(f"&#{ord(sign)};" if not sign.isalnum() else sign for sign in key),
        "HTML by another number": "".join(f"&#x{ord(sign):04X};" if not sign.isalnum() else sign for sign in key),
    }


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_hidden_however_it_is_quoted(key: str) -> None:
    connection = Connection("Tea", "http://tea.example", key=key, key_place=("query", "api_key"))
    secrets = Secrets()
    secrets.add(key)
    for way, quoted in ways(key).items():
        bare = quoted.strip('\\"')
        assert connection.without_key(f"before {bare} after") == "before … after", way
        assert secrets.without_bytes(f"before {bare} after".encode()) == b"before ... after", way


@given(st.text(SIGNS, min_size=8, max_size=40), st.text(max_size=30))
def test_any_key_is_hidden_and_other_texts_are_not(key: str, other: str) -> None:
    secrets = Secrets()
    secrets.add(key)
    for quoted in ways(key).values():
        left = secrets.without(f"é{quoted}é")
        assert len(left) <= 10
    if not any(sign.isascii() for sign in other):
        assert secrets.without(other) == other
        assert secrets.without_bytes(other.encode()) == other.encode()


def test_a_short_text_is_no_secret() -> None:
    secrets = Secrets()
    secrets.add("tea")
    assert secrets.without("a cup of tea") == "a cup of tea"
