"""Keys stay with their host: which address gets which key, whoever wrote the address."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from core.errors import QueryscapeError
from data.http.client import Patience
from data.models.chat import open_chat
from data.models.destination import HOMES, KEY, find_destination, own_variable
from data.models.openai import open_openai
from data.sources.registry import ABOUT, _opened
from tests.messages import refusal

SECRET = "sk-very-secret-0123456789"
ONCE = Patience(n_attempts=1, timeout=10.0)
SOURCES = (*ABOUT, "crossref")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key that a service or a source can have is set, and no address."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for about in ABOUT.values():
        monkeypatch.delenv(about.address_variable, raising=False)
        if about.key_variable:
            monkeypatch.setenv(about.key_variable, SECRET)
    for name in HOMES:
        monkeypatch.setenv(name, SECRET)


@pytest.mark.parametrize(
    ("address", "has_key"),
    [
        ("https://api.openai.com/v1", True),
        ("https://API.OpenAI.com:443/another", True),
        ("https://api.openai.com.tea.example/v1", False),
        ("https://api-openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://tea.example/api.openai.com/v1", False),
        ("http://localhost:9999/v1", False),
        ("http://localhost:8000/another", True),
        ("https://localhost:8000/v1", False),
    ],
)
def test_an_address_gets_a_well_known_key_only_if_it_is_the_same_host(address: str, has_key: bool) -> None:
    place = find_destination(address)
    assert (place.key == SECRET) is has_key
    assert SECRET not in repr(place) + place.words
    assert place.variable in place.words


def test_the_address_of_the_environment_gets_the_key_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://llm.tea.example/v1")
    assert find_destination().key == SECRET
    assert find_destination("https://llm.tea.example/v2").key == SECRET
    assert find_destination("https://tea.example/v1").key == ""
    assert find_destination().variable == KEY


def test_other_hosts_have_variables_of_their_own_and_no_two_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = (
        "a-b.example",
        "a.b.example",
        "ab.example",
        "a.b-example",
        "a.example:81",
        "10.0.0.1:8",
        "[::1]:8",
        "[::18]",
    )
    assert len({own_variable(f"https://{host}/v1") for host in hosts}) == len(hosts)
    for host in hosts:
        monkeypatch.setenv(own_variable(f"https://{host}"), f"key-of-{host}")
    assert [find_destination(f"https://{host}/v1").key for host in hosts] == [f"key-of-{host}" for host in hosts]


def test_a_key_is_not_sent_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://llm.tea.example/v1"
    assert find_destination(address).key == ""
    monkeypatch.setenv(own_variable(address), SECRET)
    with refusal(QueryscapeError):
        find_destination(address)
    monkeypatch.setenv(own_variable("http://localhost:7"), SECRET)
    assert find_destination("http://localhost:7/v1").key == SECRET


@pytest.mark.parametrize("status", [200, 302, 307, 401])
def test_no_request_to_another_host_holds_a_key(httpserver: HTTPServer, status: int) -> None:
    """Every service and source, played by a host that is not theirs, and which sends them on to another one."""
    with HTTPServer() as other:
        headers = {"Location": other.url_for("/there")} if 300 <= status < 400 else {}
        httpserver.expect_request(re.compile(".*")).respond_with_handler(lambda _: Response("{}", status, headers))
        address = httpserver.url_for("/v1").rstrip("/")
        with suppress(QueryscapeError):
            open_chat("m", address, ONCE).ask_json("s", "u", schema={}, max_tokens=9, temperature=0.0)
        with suppress(QueryscapeError):
            open_openai("m", address, ONCE).embed(["tea"])
        for source in SOURCES:
            opened = _opened(source, None, address, lambda: "2026-01-01T00:00:00+00:00", lambda _: None)
            with suppress(QueryscapeError):
                opened._connection.get("works", {"q": "tea"})
        sent = [(request.url, str(request.headers), request.get_data(as_text=True)) for request, _ in httpserver.log]
        assert len(sent) >= 2 + len(SOURCES)
        assert not [each for each in sent if SECRET in repr(each)]
        assert other.log == []
