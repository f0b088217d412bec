"""What an answer of a source means: an error of ours, something to wait for, or a day that is used up."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import (
    BudgetSpentError,
    EndsAllError,
    FormatChangedError,
    OutOfReachError,
    RefusedRequestError,
    ServiceError,
)
from data.http.client import GaveUpError, Patience
from data.sources.connection import Connection, RequestCost, RetryableFailure, json_of, object_of
from data.sources.types import SentRequest
from tests.data.sources.source_bench import HTML, KEY, NOW, Bench, Play, fine, plays, raw_server
from tests.messages import refusal

# What an answer means

OUTCOMES: list[tuple[Play, type[ServiceError], str]] = [
    (plays("{}", 401), EndsAllError, r"needs a key for this \(401\): .* TEA_KEY"),
    (plays("{}", 403), EndsAllError, "needs a key"),
    (plays('{"error": "Bad query", "message": "no field x"}', 400), RefusedRequestError, r"\(400: no field x\)"),
    (plays('{"detail": [{"message": "gone"}]}', 404), RefusedRequestError, r"\(404: gone\)"),
    (plays("", 414), RefusedRequestError, r"\(414: no reason given\)"),
    (plays(HTML, 404), RefusedRequestError, r"\(404: Welcome guest\)"),
    (plays(HTML, 200), OutOfReachError, r"answered with a web page \(200\): a proxy or a sign-in page"),
    (plays("\n<!-- x --><HTML>", 200), OutOfReachError, "web page"),
    (plays(HTML, 403), OutOfReachError, "web page"),
    (plays(HTML, 451), OutOfReachError, "web page"),
    (plays(HTML, 511), OutOfReachError, "web page"),
    (plays("", 407), OutOfReachError, r"can't be reached: the proxy .*\(407\)"),
    (plays("", 302, Location="https://login.example.org/x"), OutOfReachError, "login.example.org"),
    (plays("{}", 402), BudgetSpentError, "used up"),
    (plays("slow down", 429), GaveUpError, r"answered 429, 4 times"),
    (plays(HTML, 502), GaveUpError, "answered 502 with a web page, 4 times"),
    (plays("x", 501), GaveUpError, "answered 501"),
]


@pytest.mark.parametrize(("play", "kind", "words"), OUTCOMES)
def test_what_an_answer_means(bench: Bench, play: Play, kind: type[ServiceError], words: str) -> None:
    with pytest.raises(kind, match=words) as failed:
        bench.connection(play).get("/works")
    assert type(failed.value) is kind
    assert "\n" not in str(failed.value)
    assert str(failed.value).startswith("Tea base ")
    is_asked_again = kind is GaveUpError
    assert (len(bench.asked), bench.slept) == ((4, [1.0, 2.0, 4.0]) if is_asked_again else (1, []))
    assert len(bench.sent) == len(bench.asked), "what fails is counted too"


def test_a_wrong_key_is_not_a_missing_one(bench: Bench) -> None:
    connection = bench.connection(plays("{}", 401), key=KEY, key_place=("header", "x-api-key"))
    with refusal(EndsAllError):
        connection.get("/works")
    keyless = bench.connection(plays("closed", 401), key_variable="")
    with refusal(EndsAllError):
        keyless.get("/works")


def test_a_page_is_fine_where_any_answer_is(bench: Bench) -> None:
    assert bench.connection(plays(HTML)).get("/works", expects="any").content == HTML.encode()
    xml = '<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "x.dtd"><PubmedArticleSet/>'
    assert bench.connection(plays(xml)).get("/works", expects="xml").content == xml.encode()


def test_what_is_not_json_is_a_changed_format(bench: Bench) -> None:
    reply = bench.connection(plays("[1, 2")).get("/works")
    with refusal(FormatChangedError) as failed:
        json_of(reply, "Tea base, works")
    assert failed.value.raw == b"[1, 2"
    for body, words in (
        ("[1]", "not an object"),
        ("[" * 200_000, "nested too deeply"),
        ("9" * 5000, "other than JSON"),
    ):
        with pytest.raises(FormatChangedError, match=words):
            object_of(bench.connection(plays(body)).get("/works"), "Tea")


# Waiting, and what is spent

SPENT: list[tuple[Play, str]] = [
    (plays('{"error": "Rate limit", "message": "Daily budget exceeded"}', 429), r"\(429\): .* again tomorrow \(UTC\)"),
    (plays("{}", 429, Retry_After="36000"), "at 2031-05-07 00:00 UTC"),
    (plays("{}", 429, X_RateLimit_Remaining_USD="0", X_RateLimit_Reset="3600"), "at 2031-05-06 15:00 UTC"),
    (plays('{"message": "Insufficient credits"}', 403), "tomorrow"),
    (plays("{}", 403, X_RateLimit_Remaining_USD="0.0"), "or sooner with a key in TEA_KEY"),
]


@pytest.mark.parametrize(("play", "words"), SPENT)
def test_a_day_that_is_used_up_is_not_waited_for(bench: Bench, play: Play, words: str) -> None:
    with pytest.raises(BudgetSpentError, match=words):
        bench.connection(play).get("/works")
    assert (len(bench.asked), bench.slept) == (1, [])


def test_what_is_left_of_a_day_is_compared_with_the_price_of_the_request(bench: Bench) -> None:
    half = plays('{"message": "Rate limit"}', 429, X_RateLimit_Remaining_USD="0.0005", Retry_After="7")
    dear = bench.connection(half, prices=lambda address: 0.001)
    with refusal(BudgetSpentError):
        dear.get("/works")
    assert (len(bench.asked), bench.slept) == (1, [])
    cheap = bench.connection(half, fine, prices=lambda address: 0.0001)
    assert json_of(cheap.get("/works"), "Tea") == {"ok": True}
    assert bench.slept == [7.0]


@pytest.mark.parametrize(
    "body",
    ['{"error": "API rate limit exceeded", "count": "4", "limit": "3"}', '{"message": "Too Many Requests"}', HTML],
)
def test_too_fast_is_waited_for(bench: Bench, body: str) -> None:
    connection = bench.connection(plays(body, 429, Retry_After="7"), plays(body, 429), fine)
    assert json_of(connection.get("/works"), "Tea") == {"ok": True}
    assert bench.slept == [7.0, 2.0]
    left = bench.connection(plays('{"message": "daily limits"}', 429, X_RateLimit_Remaining_USD="0.4"), fine)
    assert json_of(left.get("/works"), "Tea") == {"ok": True}, "there is something left of the day"


def test_a_date_counts_from_the_clock_of_the_one_who_says_it(bench: Bench) -> None:
    """The clock here is years off."""
    date = "Sun, 01 Jan 2040 12:00:0"
    times = f"Date: {date}0 GMT\r\nRetry-After: {date}9 GMT"
    head = f"HTTP/1.1 503 Busy\r\n{times}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    patience = Patience(3, sleep=bench.slept.append, clock=lambda: NOW)
    with raw_server(head.encode()) as skewed:
        connection = Connection("Tea", f"http://{skewed}", patience=patience, per_second=1e4)
        with pytest.raises(GaveUpError, match="answered 503, 3 times"):
            connection.get("works")
    assert bench.slept == [9.0, 9.0]


def test_a_long_wait_is_said_and_not_waited_for(bench: Bench) -> None:
    with pytest.raises(GaveUpError, match="at 2031-05-06 14:10 UTC"):
        bench.connection(plays("{}", 503, Retry_After="600")).get("/works")
    with pytest.raises(GaveUpError, match="much later"):
        bench.connection(plays("{}", 503, Retry_After="9" * 30)).get("/works")
    assert bench.slept == []


def test_a_source_may_judge_otherwise(bench: Bench) -> None:
    def judge(status: int, headers: Any, body: bytes) -> RetryableFailure | RefusedRequestError | None:
        if status == 403:
            return RetryableFailure("is asked too fast", 3.0)
        return RefusedRequestError(f"Tea base does not know {KEY}", 200, KEY) if b"ERROR" in body else None

    connection = bench.connection(plays("{}", 403), fine, judge=judge, key=KEY, key_place=("query", "k"))
    assert json_of(connection.get("/works"), "Tea") == {"ok": True}
    assert bench.slept == [3.0]
    bench.plays = [plays('{"ERROR": "no such field"}')]
    with refusal(RefusedRequestError) as failed:
        connection.get("/works")
    assert failed.value.words == "…"


def test_what_a_request_cost_is_noted_as_the_source_says_it(bench: Bench) -> None:
    def costs(sent: SentRequest, headers: Any) -> RequestCost:
        return RequestCost(0.001 * (sent.status == 200), float(headers["x-left"]))

    paid = plays('{"ok": true}', 200, X_Left="0.9")
    reply = bench.connection(plays("", 503, X_Left="1"), paid, costs=costs).get("/works")
    assert reply.sent.dollars == 0.001
    assert [(sent.status, sent.dollars, left) for sent, left in bench.sent] == [(503, 0.0, 1.0), (200, 0.001, 0.9)]
