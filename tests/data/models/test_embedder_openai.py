"""The openai embedder against a real server on this machine: what is asked, what is believed, what is said."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from werkzeug import Request, Response

from core.errors import InputError, ServiceError
from data.http.client import Patience
from data.models.embedders import EmbedderName, read_name
from data.models.embedding_model import most_tokens
from data.models.openai import MOST_TOKENS, open_openai
from tests.data.chats import BROKEN_OFF, raw_server
from tests.data.services import KEY, Answer, Service, as_json, document, no_key_in, refuses, vector
from tests.messages import refusal

TEXTS = ["green tea", "black tea", "", "petri nets", "  "]


def test_rows_follow_the_texts_and_empty_texts_are_not_sent(service: Service) -> None:
    model = service.model()
    rows = model.embed(TEXTS)
    assert service.asked == [["green tea", "black tea", "petri nets"]]
    np.testing.assert_array_equal(rows, [vector(t) if t.strip() else [0.0] * 8 for t in TEXTS])
    assert (rows.dtype, model.model_id, service.slept) == (np.float32, "text-embedding-3-small", [])


def shuffled(request: Request) -> Response:
    found = document(json.loads(request.data)["input"])
    return as_json(found | {"data": found["data"][::-1]})


def in_base64(request: Request) -> Response:
    texts = json.loads(request.data)["input"]
    coded = [base64.b64encode(np.array(vector(t), dtype="<f4").tobytes()).decode() for t in texts]
    return as_json({"data": [{"index": k, "embedding": code} for k, code in enumerate(coded)]})


@pytest.mark.parametrize("answer", [shuffled, in_base64])
def test_another_order_and_another_encoding_are_the_same_vectors(service: Service, answer: Answer) -> None:
    service.odd = [answer]
    rows = service.model().embed(["a", "b", "c"])
    np.testing.assert_array_equal(rows, [vector(t) for t in "abc"])
    assert len(service.asked) == 1


def changed(change: Callable[[list[dict[str, Any]]], Any]) -> Answer:
    def answer(request: Request) -> Response:
        found = document(json.loads(request.data)["input"])
        return as_json(found | {"data": change(found["data"])})

    return answer


def cut_off(request: Request) -> Response:
    whole = json.dumps(document(json.loads(request.data)["input"]))
    return Response(whole[: len(whole) // 2], content_type="application/json")


BAD_ANSWERS: dict[str, tuple[Answer, str]] = {
    "cut off": (cut_off, "cut off or not JSON"),
    "html": (lambda r: Response("<html><h1>Sign in</h1></html>", content_type="text/html"), "sent a web page"),
    "empty": (lambda r: Response("", content_type="application/json"), "cut off or not JSON"),
    "no list": (lambda r: as_json({"data": "x"}), "without a list of vectors"),
    "a list": (lambda r: as_json([1, 2]), "without a list of vectors"),
    "one missing": (changed(lambda items: items[:-1]), "2 vectors for 3 texts"),
    "one more": (changed(lambda items: [*items, items[0] | {"index": 3}]), "4 vectors for 3 texts"),
    "repeated": (changed(lambda items: [items[0], items[0], items[2]]), "don't match the texts"),
    "out of range": (changed(lambda items: [*items[:2], items[2] | {"index": 7}]), "don't match the texts"),
    "no index": (changed(lambda items: [{"embedding": i["embedding"]} for i in items]), "don't match the texts"),
    "two widths": (changed(lambda items: [*items[:2], items[2] | {"embedding": [1.0]}]), "1 and 8 dimensions"),
    "no numbers": (changed(lambda items: [i | {"embedding": ["a"]} for i in items]), "not a list of numbers"),
    "nan": (changed(lambda items: [i | {"embedding": [float("nan")] * 8} for i in items]), "not finite"),
    "infinite": (changed(lambda items: [i | {"embedding": [1e300] * 8} for i in items]), "not finite"),
    "no base64": (changed(lambda items: [i | {"embedding": "?!"} for i in items]), "can't be decoded"),
    "odd bytes": (changed(lambda items: [i | {"embedding": "AAAA"} for i in items]), "can't be decoded"),
    "deep": (lambda r: Response("[" * 100_000, content_type="application/json"), "cut off or not JSON"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_a_bad_answer_is_asked_again_and_then_an_error(service: Service, name: str) -> None:
    answer, words = BAD_ANSWERS[name]
    service.odd = [answer]
    np.testing.assert_array_equal(service.model().embed(["a", "b", "c"]), [vector(t) for t in "abc"])
    assert (len(service.asked), service.slept) == (2, [1.0])
    service.odd = [answer] * 4
    with pytest.raises(ServiceError, match=words) as caught:
        service.model().embed(["a", "b", "c"])
    assert "4 times:" in str(caught.value)
    assert len(service.asked) == 6
    no_key_in(caught.value)


def test_another_width_than_before_is_an_error(service: Service) -> None:
    model = service.model()
    model.embed(["a"])
    service.odd = [changed(lambda items: [i | {"embedding": [1.0] * 5} for i in items])] * 4
    with refusal(ServiceError):
        model.embed(["b"])


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_service_that_is_busy_is_asked_again(service: Service, status: int) -> None:
    service.odd = [lambda r: as_json({"error": {"message": "busy"}}, status)] * 3
    np.testing.assert_array_equal(service.model().embed(["a"]), [vector("a")])
    assert service.slept == [1.0, 2.0, 4.0]
    service.odd = [lambda r: as_json({}, status)] * 4
    with pytest.raises(ServiceError, match=f"answered {status}, 4 times"):
        service.model().embed(["a"])


@pytest.mark.parametrize(
    ("header", "waited"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("86400", 60.0),
        ("Fri, 31 Dec 2100 00:00:00 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:13:20 GMT", 0.0),
        ("soon", 1.0),
        ("-3", 1.0),
        ("\u00b2", 1.0),
    ],
)
def test_what_retry_after_says_is_kept_within_reason(service: Service, header: str, waited: float) -> None:
    service.odd = [lambda r: as_json({}, 429, **{"Retry-After": header})]
    service.model().embed(["a"])
    assert service.slept == [waited]


def test_an_account_without_credit_is_not_asked_again(service: Service) -> None:
    service.odd = [lambda r: as_json({"error": {"message": "Quota", "code": "insufficient_quota"}}, 429)]
    with refusal(ServiceError):
        service.model().embed(["a"])
    assert len(service.asked) == 1


def test_nobody_there(key: str) -> None:
    slept: list[float] = []
    model = open_openai("m", "http://127.0.0.1:9/v1", Patience(n_attempts=3, sleep=slept.append))
    with refusal(ServiceError) as caught:
        model.embed(["a"])
    assert slept == [1.0, 2.0]
    no_key_in(caught.value)


def test_a_connection_that_breaks_off_in_the_answer(key: str) -> None:
    slept: list[float] = []
    with raw_server(lambda number: BROKEN_OFF) as (url, _):
        model = open_openai("m", url, Patience(n_attempts=3, sleep=slept.append))
        with pytest.raises(ServiceError, match="connection broke") as caught:
            model.embed(["a"])
    assert slept == [1.0, 2.0]
    no_key_in(caught.value)


ECHO = {"error": {"message": f"Incorrect API key provided: {KEY}. Bearer {KEY}", "code": f"{KEY}"}}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "does not accept the key"),
        (404, "no such model or address"),
        (418, "answered 418"),
        (307, "redirects to another address"),
    ],
)
def test_what_will_not_change_is_an_error_at_once(
    service: Service, status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Location": service.server.url_for("/elsewhere")} if status < 400 else {}
    service.odd = [lambda r: as_json(ECHO, status, **headers)]
    with caplog.at_level(logging.DEBUG), pytest.raises(ServiceError, match=words) as caught:
        service.model().embed(["a"])
    assert (len(service.asked), service.slept) == (1, [])
    assert service.url in str(caught.value)
    no_key_in(caught.value, repr(service.model()), *(record.getMessage() for record in caplog.records))


@pytest.mark.parametrize("status", [400, 413, 422])
def test_the_text_that_is_refused_is_found_and_left_out(service: Service, status: int) -> None:
    texts = [f"text {k}" for k in range(33)]
    texts[20] = "offends"
    service.odd = [refuses("offends", status)] * 200
    model = service.model()
    rows = model.embed(texts)
    expected = np.array([vector(t) for t in texts])
    expected[20] = 0
    np.testing.assert_array_equal(rows, expected)
    assert list(model.mishaps.refused) == ["offends"]
    no_key_in(None, *model.mishaps.refused.values())
    assert len(service.asked) < 24, "halving finds it"


def test_a_service_that_refuses_everything_is_not_asked_for_every_text(service: Service) -> None:
    service.odd = [refuses("")] * 1000
    with refusal(ServiceError):
        service.model().embed([f"text {k}" for k in range(500)])
    assert len(service.asked) < 20


def test_a_text_that_is_too_long_for_this_model_is_cut(service: Service) -> None:
    def answer(request: Request) -> Response | None:
        if max(map(len, json.loads(request.data)["input"])) > 1000:
            return as_json({"error": {"message": "maximum context length exceeded"}}, 400)
        return None

    service.odd = [answer] * 100
    model, long = service.model(), "word " * 900
    rows = model.embed(["a", long, "b"])
    np.testing.assert_array_equal(rows[[0, 2]], [vector("a"), vector("b")])
    assert rows[1].any()
    assert (model.mishaps.cut, model.mishaps.refused) == ({long}, {})


def test_no_request_is_larger_than_the_limits(service: Service) -> None:
    texts = [f"{k} " + "word " * 3_000 for k in range(120)] + ["x" * 60_000, "緑" * 9_000] + ["s"] * 2_500
    model = service.model()
    model.embed(texts)
    assert service.asked[0][0].startswith("0 word")
    assert sum(map(len, service.asked)) == len(texts)
    for some in service.asked:
        assert len(some) <= 2_048
        assert sum(map(most_tokens, some)) <= MOST_TOKENS
        assert max(map(most_tokens, some)) <= 8_192
    assert model.mishaps.cut == set(texts[120:122])


def test_addresses_and_keys_that_can_not_be(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        open_openai("m")
    local = open_openai("m", "http://localhost:1/v1")
    assert local.estimate(["a"]).dollars is None
    for address in ("localhost", "ftp://x", "http://", "http://[", "http://x:y"):
        with refusal(InputError):
            open_openai("m", address)
    for address in (f"http://me:{KEY}@x/v1", f"http://x/v1?key={KEY}"):
        with refusal(InputError) as caught:
            open_openai("m", address)
        no_key_in(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n{KEY}")
    with refusal(InputError) as caught:
        open_openai("m")
    no_key_in(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    paid = open_openai("text-embedding-3-large")
    assert paid.estimate(["x" * 4_000_000]).dollars == pytest.approx(0.13)
    assert open_openai("m").estimate(["x"]).dollars is None


def test_the_fingerprint_names_service_and_model(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [None, "https://API.openai.com/v1/", "https://other.example/v1", "https://api.openai.com/v2"]
    prints = [open_openai("m", address).fingerprint for address in addresses]
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    assert prints[0] == prints[1] == open_openai("m").fingerprint
    assert len({*prints, open_openai("n").fingerprint}) == 4


def test_names() -> None:
    small = EmbedderName("openai", "text-embedding-3-small")
    assert read_name("openai") == read_name("text-embedding-3-small") == read_name("openai:text-embedding-3-small")
    assert read_name("openai") == small == read_name("openai", "text-embedding-3-small")
    assert read_name("openai:nomic") == EmbedderName("openai", "nomic")
    assert [read_name(name) for name in ("lsa", "mine", "gpt:4")] == [None] * 3
    for wrong in (("st", None), ("openai:a", "b"), ("mine", "b")):
        with pytest.raises(InputError):
            read_name(*wrong)
