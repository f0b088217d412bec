"""One connection to a source: what is sent, where the key is and is not, and lines that break."""

from __future__ import annotations

import gzip
import itertools
import logging
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug import Request, Response

from core.errors import EndsAllError, InputError, OutOfReachError, RefusedRequestError
from core.version import VERSION
from data.http.client import GaveUpError, Patience, trusted_certificates, unpacked
from data.sources.connection import Connection, encoded, json_of, object_of
from tests.data.sources.source_bench import KEY, Bench, Play, echo, fine, plays, raw_server
from tests.messages import refusal

# What is sent


def test_a_request_is_sent_as_it_is_kept(bench: Bench) -> None:
    with_own = bench.connection(params={"tool": "queryscape"}, headers={"Accept": "application/json"})
    reply = with_own.get("/works", {"filter": "search:(tea OR té),year:2010", "n": 3})
    (request,) = bench.asked
    assert request.args.to_dict() == {"tool": "queryscape", "filter": "search:(tea OR té),year:2010", "n": "3"}
    assert (request.headers["User-Agent"], request.headers["Accept"]) == (f"queryscape/{VERSION}", "application/json")
    sent = reply.sent
    assert sent.address == bench.server.url_for("/base/works") + "?" + request.query_string.decode()
    assert (sent.method, sent.body, sent.status, sent.n_bytes) == ("GET", "", 200, len(reply.content))
    assert sent.ms >= 0
    assert [each for each, _ in bench.sent] == [sent]
    assert object_of(reply, "Tea base, works") == {"ok": True}


def test_forms_json_and_text_are_posted(bench: Bench) -> None:
    connection = bench.connection(params={"db": "tea"})
    posted = [
        connection.post("works", {"term": "a & b=c"}),
        connection.post("works", json={"ids": ["DOI:1/é"]}, params={"fields": "a,b"}),
        connection.post("works", text='search "tea" return x'),
    ]
    form, document, text = bench.asked
    assert form.form.to_dict() == {"db": "tea", "term": "a & b=c"}
    assert document.get_json() == {"ids": ["DOI:1/é"]}
    assert document.args.to_dict() == {"fields": "a,b"}
    assert text.get_data().decode() == 'search "tea" return x'
    assert [each.sent.body for each in posted] == [request.get_data().decode() for request in bench.asked]
    assert {each.sent.method for each in posted} == {"POST"}


def test_who_we_are_is_only_said_as_far_as_the_user_says_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_MAIL", "me@example.org")
    bench.connection().get("/works")
    assert bench.asked[0].headers["User-Agent"] == f"queryscape/{VERSION} (mailto:me@example.org)"
    for bad in ("me", "a@b\nX-Evil: 1", "a b@c", "é@example.org"):
        monkeypatch.setenv("QUERYSCAPE_MAIL", bad)
        with pytest.raises(InputError, match="QUERYSCAPE_MAIL"):
            bench.connection().get("/works")
    assert len(bench.asked) == 1


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=60), max_size=4))
def test_any_text_arrives_as_it_is_and_its_length_is_known(params: dict[str, str]) -> None:
    params = {
        name.encode(errors="ignore").decode(): text.encode(errors="ignore").decode() for name, text in params.items()
    }
    params.pop("", None)
    connection = Connection("Tea", "http://localhost:1/x", key=KEY, key_place=("query", "api_key"))
    url = connection._url("works", params, with_own=True)
    assert url.isascii()
    assert parse_qs(urlsplit(url).query, keep_blank_values=True) == {name: [text] for name, text in params.items()}
    with_key = connection.n_bytes("works", params)
    assert with_key - len(url) == len(f"&api_key={encoded(KEY)}")


def test_the_length_of_an_address_is_that_of_the_request(bench: Bench) -> None:
    connection = bench.connection(key=KEY, key_place=("query", "api_key"))
    params = {"filter": "tea OR (té)"}
    connection.get("/works", params)
    request = bench.asked[0]
    real = f"{bench.server.url_for('/base/works')}?{request.query_string.decode()}"
    assert connection.n_bytes("/works", params) == len(real)


def test_half_a_sign_is_refused_before_anything_is_sent(bench: Bench) -> None:
    with pytest.raises(InputError, match="incomplete character"):
        bench.connection().get("/works", {"q": "\ud800"})
    with pytest.raises(InputError, match="incomplete character"):
        encoded("\udfff")
    assert not bench.asked


def test_requests_go_no_faster_than_agreed(bench: Bench) -> None:
    connection = bench.connection(per_second=0.01)
    for _ in range(3):
        connection.get("/works")
    assert [round(seconds, -1) for seconds in bench.slept] == [100, 200], "the clock of the test stands still"


# The key

PLACES: list[tuple[Any, Callable[[Request], str | None]]] = [
    (("query", "api_key"), lambda request: request.values.get("api_key")),
    (("header", "x-api-key"), lambda request: request.headers.get("x-api-key")),
]


@pytest.mark.parametrize(("place", "read"), PLACES, ids=["query", "header"])
def test_the_key_is_in_the_request_and_nowhere_else(
    bench: Bench, place: Any, read: Callable[[Request], str | None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    connection = bench.connection(echo(), key=KEY, key_place=place)
    replies = [connection.get("/works", {"q": "tea"}), connection.post("/works", {"q": "tea"})]
    replies += [connection.post("/works", json={"q": 1}, params={"a": "b"}), connection.get("/works")]
    assert [read(request) for request in bench.asked] == [KEY] * 4
    assert bench.asked[1].form["q"] == "tea"
    bench.plays = [echo(400)]
    seen = [repr(connection), repr(replies), *(reply.content.decode() for reply in replies)]
    for status, kind in ((400, RefusedRequestError), (401, EndsAllError), (500, GaveUpError), (429, GaveUpError)):
        bench.plays = [echo(status)]
        with pytest.raises(kind) as failed:
            connection.get("/works", {"q": "tea"})
        e: BaseException | None = failed.value
        while e is not None:
            seen += [str(e), repr(e), repr(vars(e))]
            e = e.__cause__ or e.__context__
    ours = [each.getMessage() for each in caplog.records if not each.name.startswith("werkzeug")]
    assert any("/base/works" in line for line in ours), "the library does log addresses"
    for text in (*seen, *ours, repr(bench.sent)):
        for form in (KEY, encoded(KEY), KEY.upper()):
            assert form.lower() not in text.lower()


def test_what_signing_in_brought_is_as_secret_as_the_key(bench: Bench) -> None:
    connection = bench.connection(echo(), key=KEY, key_place=("none", ""))
    reply = connection.post("/works", json={"key": connection.key})
    assert bench.asked[0].get_json() == {"key": KEY}
    connection.carry("Authorization", "JWT abc.def.ghi")
    reply = connection.get("/works")
    assert bench.asked[1].headers["Authorization"] == "JWT abc.def.ghi"
    for text in (repr(bench.sent), repr(connection), reply.content.decode()):
        assert KEY not in text
        assert "abc.def.ghi" not in text


def test_a_key_or_an_address_that_can_be_none_is_refused(bench: Bench) -> None:
    for bad in ("a key", "clé", "x\ny"):
        with pytest.raises(InputError, match="TEA_KEY") as failed:
            bench.connection(key=bad)
        assert bad not in str(failed.value)
    for bad in (
        "localhost:80",
        "ftp://x",
        "http://",
        "http://me:pw@x/",
        "http://x/?key=1",
        "http://x:99999",
        "http://é",
    ):
        with pytest.raises(InputError, match="TEA_URL") as failed:
            Connection("Tea", bad, address_variable="TEA_URL")
        assert "pw" not in str(failed.value)


def test_the_key_does_not_follow_to_another_host(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = f"http://127.0.0.1:{bench.server.port}/base/other"
    connection = bench.connection(plays("", 302, Location=elsewhere), key=KEY, key_place=("query", "api_key"))
    with refusal(OutOfReachError):
        connection.get("/works")
    assert len(bench.asked) == 1
    there = bench.connection(plays("", 301, Location="other?q=1"), fine, key=KEY, key_place=("query", "api_key"))
    assert json_of(there.get("/works"), "Tea") == {"ok": True}
    assert [request.path for request in bench.asked[1:]] == ["/base/works", "/base/other"]
    assert bench.asked[-1].args["api_key"] == KEY
    round_and_round = bench.connection(plays("", 302, Location="works"))
    with pytest.raises(OutOfReachError, match="circle"):
        round_and_round.get("/works")


# Lines that break


def packed(body: bytes = b'{"ok": true}', cut: int = 0, encoding: str = "gzip") -> Play:
    whole = gzip.compress(body)
    return plays(whole[: len(whole) - cut], 200, Content_Encoding=encoding)


def test_what_is_packed_is_unpacked(bench: Bench) -> None:
    assert json_of(bench.connection(packed()).get("/works"), "Tea") == {"ok": True}
    assert bench.asked[0].headers["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize("broken", [packed(cut=9), packed(encoding="br"), plays("not packed", Content_Encoding="gzip")])
def test_a_broken_packing_is_asked_again_and_then_said(bench: Bench, broken: Play) -> None:
    assert json_of(bench.connection(broken, fine).get("/works"), "Tea") == {"ok": True}
    with refusal(GaveUpError):
        bench.connection(broken).get("/works")


@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=5), st.booleans())
def test_a_packed_body_is_the_same_however_it_arrives(body: bytes, cuts: list[int], is_twofold: bool) -> None:
    whole = gzip.compress(body) + (gzip.compress(b"more") if is_twofold else b"")
    ends = sorted({0, *(min(cut, len(whole)) for cut in cuts), len(whole)})
    pieces = [whole[a:b] for a, b in itertools.pairwise(ends)]
    assert b"".join(unpacked(pieces, "gzip")) == body + (b"more" if is_twofold else b"")


def test_an_answer_without_an_end_is_given_up_by_size_and_by_time(bench: Bench) -> None:
    with refusal(GaveUpError):
        bench.connection(plays(b" " * 5000), most_bytes=4999).get("/works")
    bomb = packed(b" " * 1_000_000)
    with pytest.raises(GaveUpError, match="endless answer"):
        bench.connection(bomb, most_bytes=100_000).get("/works")
    now = itertools.count(0.0, 70.0)

    def drip(request: Request) -> Response:
        return Response(iter(["{", " ", " ", " ", " ", " ", "}"]), 200)

    with pytest.raises(GaveUpError, match="endless answer"):
        bench.connection(drip, most_seconds=60.0, ticks=lambda: next(now)).get("/works")


def test_a_silent_line_is_given_up(bench: Bench) -> None:
    done = threading.Event()

    def silent(request: Request) -> Response:
        done.wait(20)
        return fine(request)

    try:
        with refusal(GaveUpError):
            bench.connection(silent, n_attempts=2, timeout=0.2).get("/works")
    finally:
        done.set()
    assert [sent.status for sent, _ in bench.sent] == [0, 0], "it was sent, whatever came of it"


def test_a_line_that_breaks_is_asked_again(bench: Bench) -> None:
    patience = Patience(3, sleep=bench.slept.append)
    with raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{} ") as rude:
        with refusal(GaveUpError):
            Connection("Tea", f"http://{rude}/", patience=patience, per_second=1e4).get("works")
        with refusal(OutOfReachError):
            Connection("Tea", f"https://{rude}/", patience=patience, per_second=1e4).get("works")


def test_nobody_there(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    patience = Patience(9, sleep=bench.slept.append)
    nobody = Connection("Tea", f"http://127.0.0.1:{port}", patience=patience, per_second=1e4)
    with pytest.raises(OutOfReachError, match="no connection"):
        nobody.get("works")
    assert bench.slept == [1.0, 2.0], "three attempts are enough to know"

    def unknown(*asked: Any, **how: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with refusal(OutOfReachError):
        Connection("Tea", "http://tea.invalid", patience=patience).get("works")
    assert bench.slept == [1.0, 2.0], "without internet nothing is waited for"


def test_certificates_are_read_once_for_each_file_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    usual = trusted_certificates()
    assert usual is trusted_certificates()
    assert (usual.verify_mode, usual.check_hostname) == (ssl.CERT_REQUIRED, True)
    first, *others = usual.get_ca_certs(binary_form=True)
    assert others
    own = tmp_path / "own.pem"
    own.write_text(ssl.DER_cert_to_PEM_cert(first))
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert trusted_certificates().get_ca_certs(binary_form=True) == [first]


def test_the_way_leads_through_the_proxy_of_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", bench.server.url_for("/"))
    bench.server.expect_request("/works").respond_with_data('{"by": "proxy"}', content_type="application/json")
    patience = Patience(2, sleep=bench.slept.append)
    reply = Connection("Tea", "http://tea.invalid", patience=patience).get("works")
    assert json_of(reply, "Tea") == {"by": "proxy"}
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with refusal(OutOfReachError):
        Connection("Tea", "http://tea.invalid", patience=patience).get("works")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    assert json_of(bench.connection().get("/works"), "Tea") == {"ok": True}
    monkeypatch.setenv("http_proxy", "ftp://me:password@nowhere")
    with refusal(InputError) as failed:
        Connection("Tea", "http://tea.invalid").get("works")
    assert "password" not in f"{failed.value} {failed.value.__cause__} {failed.value.__context__}"
