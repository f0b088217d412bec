"""Answers in JSON from a server that fails in every way: what is asked, in which form, how often, what is said."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from core.errors import EndsAllError, ServiceError
from core.protocols import Answer
from data.http.client import GaveUpError, Patience
from data.models.chat import FORMS, MOST_IN_VAIN, Breaker, RefusedError, ServiceModel, open_chat
from tests.data.judge_server import (
    PLAYS,
    JudgeServer,
    Reply,
    Request,
    always,
    as_json,
    completion,
    judge_server,
    takes_only,
)
from tests.data.services import KEY, no_key_in
from tests.messages import refusal

pytestmark = pytest.mark.usefixtures("key")

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}}
SENT = "a whole question about tea"


def model_of(server: JudgeServer, slept: list[float] | None = None, **patience: Any) -> ServiceModel:
    kept = {"n_attempts": 3, "timeout": 10.0, "sleep": [].append if slept is None else slept.append}
    return open_chat("m", server.url, Patience(**{**kept, **patience}))


def ask(model: ServiceModel, user: str = SENT) -> Answer:
    return model.ask_json("Judge.", user, schema=SCHEMA, max_tokens=64, temperature=0.01)


def forms(server: JudgeServer) -> list[str]:
    return [request.form for request in server.asked]


def test_what_is_asked_and_what_comes_back() -> None:
    with judge_server(always("good")) as server:
        answer = ask(model_of(server))
    (asked,) = server.asked
    assert asked.document["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
    }
    assert (asked.system, asked.user, asked.authorization) == ("Judge.", SENT, f"Bearer {KEY}")
    assert (asked.document["max_tokens"], asked.document["temperature"]) == (64, 0.01)
    assert json.loads(answer.text)["relevance"]["score"] == asked.points
    assert (answer.model, answer.n_prompt_tokens, answer.n_answer_tokens) == ("judge-2030", 400, 30)
    assert (answer.finish, answer.refusal) == ("stop", "")


TEXTS = {
    "flat": '{"score"',
    "fenced": "```json",
    "prose": "This publication",
    "84": '"score": 84',
    "4.5": '"score": 4.5',
    '"4"': '"score": "4"',
    "empty": "",
    "slow": '{"relevance"',
}


@pytest.mark.parametrize("name", TEXTS)
def test_whatever_is_said_comes_back_as_it_was_said(name: str) -> None:
    with judge_server(always("good")) as server:
        model = model_of(server)
        ask(model, "one that shows which form works")
        server.script = always(name)
        answer = ask(model)
    assert (TEXTS[name] in answer.text) if TEXTS[name] else answer.text == ""
    assert len(server.asked) == 2, "what is wrong with an answer is not for the client to mend"


@pytest.mark.parametrize(
    ("name", "finish", "refusal"),
    [("truncated", "length", ""), ("filtered", "content_filter", ""), ("refusal", "stop", "I can't help with that.")],
)
def test_an_answer_that_ended_otherwise_says_so_and_is_not_asked_for_again(
    name: str, finish: str, refusal: str
) -> None:
    with judge_server(always(name)) as server:
        answer = ask(model_of(server))
    assert (answer.finish, answer.refusal, len(server.asked)) == (finish, refusal, 1)


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("SAFETY", "content_filter"),
        ("content_filter: RECITATION", "content_filter"),
        ("eos", "stop"),
        ("STOP", "stop"),
        ("", ""),
        ("new_word", "new_word"),
    ],
)
def test_why_an_answer_ended_is_put_into_common_words(said: str, finish: str) -> None:
    with judge_server(lambda request: completion('{"score": 1}', said)) as server:
        assert ask(model_of(server)).finish == finish


def test_a_filter_may_leave_no_message_or_refuse_the_question() -> None:
    bare = {"choices": [{"index": 0, "finish_reason": "PROHIBITED_CONTENT"}]}
    refused = as_json({"error": {"message": SENT, "code": "content_filter"}}, 400)
    for reply in (as_json(bare), refused):
        with judge_server(lambda request, reply=reply: reply) as server:
            answer = ask(model_of(server))
        assert (answer.text, answer.finish) == ("", "content_filter")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("429", "answered 429"),
        ("reset", "can't be reached"),
        ("hang", "did not answer within"),
    ],
)
def test_a_failure_on_the_way_is_asked_again_and_then_an_error(name: str, words: str) -> None:
    slept: list[float] = []
    with judge_server(lambda request: "good" if request.n_before else name) as server:
        assert "score" in ask(model_of(server, slept, timeout=0.3)).text
        assert (len(server.asked), len(slept)) == (2, 1)
    with judge_server(always(name)) as server:
        with pytest.raises(GaveUpError, match=f"{words}.*, 2 times") as caught:
            ask(model_of(server, timeout=0.3, n_attempts=2))
        assert len(server.asked) == 2
    no_key_in(caught.value)
    assert SENT not in str(caught.value)


def test_an_answer_that_is_called_an_error_is_asked_for_again() -> None:
    def play(request: Request) -> Reply:
        return PLAYS["good"](request) if request.n_before else completion("", "error")

    with judge_server(play) as server:
        assert "score" in ask(model_of(server)).text
    assert len(server.asked) == 2


def wait_of(reply: Reply) -> list[float]:
    slept: list[float] = []
    with judge_server(lambda request: PLAYS["good"](request) if request.n_before else reply) as server:
        ask(model_of(server, slept))
    return slept


def test_a_service_that_asks_to_wait_is_waited_for() -> None:
    words = {"error": {"message": "Too many. Please retry in 12.5s.", "code": 429}}
    assert wait_of(as_json({}, 429, **{"retry-after": "7"})) == [7.0]
    assert wait_of(as_json([words], 429)) == [12.5], "Gemini says it in words, in a list"
    assert wait_of(as_json(words, 429, **{"retry-after": "3"})) == [3.0]
    assert wait_of(as_json({"error": "busy"}, 503)) == [1.0]


QUOTA = {"error": {"code": 429, "message": "quota", "details": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}}
BAD_KEY = {"error": {"code": 400, "message": f"{KEY} not valid", "details": [{"reason": "API_KEY_INVALID"}]}}
LONG = {"error": {"message": "x" * 400, "code": "insufficient_quota"}}
ENDS: dict[str, tuple[Callable[[Request], Reply], str]] = {
    "wrong key": (
        PLAYS["wrong key"],
        r"does not accept the key \(401\): check the variable QUERYSCAPE_KEY_",
    ),
    "not allowed": (lambda request: as_json({"error": SENT}, 403), r"does not accept the key \(403\)"),
    "no quota": (PLAYS["no quota"], r"no credit left \(429\)"),
    "no quota, said late": (lambda request: as_json(LONG, 429), r"no credit left \(429\)"),
    "to be paid": (lambda request: as_json({"error": SENT}, 402), r"no credit left \(402\)"),
    "the day is over": (lambda request: as_json([QUOTA], 429), r"no credit left \(429\)"),
    "Gemini's wrong key": (lambda request: as_json([BAD_KEY], 400), r"does not accept the key \(400\)"),
    "no such model": (PLAYS["no such model"], 'no such model or address \\("m"\\)'),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_every_further_question_would_meet_ends_all_at_once(name: str, caplog: pytest.LogCaptureFixture) -> None:
    play, words = ENDS[name]
    slept: list[float] = []
    with judge_server(play) as server, caplog.at_level(logging.DEBUG):
        model = model_of(server, slept)
        with pytest.raises(EndsAllError, match=words) as caught:
            ask(model)
    assert (len(server.asked), slept) == (1, [])
    no_key_in(caught.value, repr(model), model.fingerprint, *(record.getMessage() for record in caplog.records))
    assert SENT not in str(caught.value)


def test_a_breaker_is_open_at_once_however_much_was_answered_before() -> None:
    breaker = Breaker()
    breaker.told(Answer("4", "m"))
    breaker.told(ServiceError("answered 418"))
    assert not breaker.is_open
    breaker.told(EndsAllError("the account has no credit left"))
    assert breaker.is_open


# The form of an answer


@pytest.mark.parametrize("prose", [False, True])
@pytest.mark.parametrize("at", [1, 2])
def test_a_form_that_is_refused_or_not_heeded_is_left_for_a_weaker_one_and_that_is_remembered(
    at: int, prose: bool
) -> None:
    with judge_server(takes_only(FORMS[at:], always("good"), prose=prose)) as server:
        model = model_of(server)
        answers = [ask(model, f"{SENT} {n}") for n in range(3)]
    assert forms(server) == [*FORMS[: at + 1], FORMS[at], FORMS[at]]
    assert all("score" in answer.text for answer in answers)
    n_paid = at + 1 if prose else 1
    assert [answer.n_prompt_tokens for answer in answers] == [400 * n_paid, 400, 400], "all that was answered is paid"
    assert answers[0].n_answer_tokens == 30 * n_paid


def test_a_form_that_worked_is_not_left_for_one_answer_in_prose() -> None:
    with judge_server(always("good")) as server:
        model = model_of(server)
        ask(model)
        server.script = always("prose")
        ask(model, "another")
        server.script = always("good")
        ask(model, "a third")
    assert forms(server) == ["json_schema"] * 3


def test_a_model_that_always_answers_in_prose_is_soon_asked_plainly() -> None:
    with judge_server(always("prose")) as server:
        model = model_of(server)
        for n in range(MOST_IN_VAIN + 2):
            assert "substantially" in ask(model, f"{SENT} {n}").text
    assert forms(server) == [*FORMS] * MOST_IN_VAIN + ["plain"] * 2


def test_a_question_that_is_refused_is_not_taken_for_a_form_that_is() -> None:
    with judge_server(always("too long")) as server:
        model = model_of(server)
        with refusal(RefusedError) as caught:
            ask(model)
        assert forms(server) == [*FORMS], "before any answer nobody knows what it is about"
        server.script = always("good")
        ask(model, "another")
        server.script = always("too long")
        with pytest.raises(RefusedError):
            ask(model, "a third")
    assert forms(server)[3:] == ["json_schema", "json_schema"]
    no_key_in(caught.value)
    assert SENT not in str(caught.value)


def test_a_service_of_many_servers_may_refuse_a_form_now_and_then() -> None:
    with judge_server(always("good")) as server:
        model = model_of(server)
        ask(model)
        server.script = takes_only(("plain",), always("good"))
        assert "score" in ask(model, "another").text
        server.script = always("good")
        ask(model, "a third")
    assert forms(server) == ["json_schema", *FORMS, "json_schema"]


def test_a_service_that_could_not_make_json_of_one_answer_is_asked_for_it_plainly() -> None:
    words = as_json({"error": {"message": "Failed to validate JSON", "code": "json_validate_failed"}}, 400)
    with judge_server(always("good")) as server:
        model = model_of(server)
        ask(model)
        server.script = lambda request: words if request.form != "plain" else PLAYS["prose"](request)
        assert "substantially" in ask(model, "another").text
        server.script = always("good")
        ask(model, "a third")
    assert forms(server) == ["json_schema", *FORMS, "json_schema"]


def test_what_else_goes_with_every_question_is_sent_and_changes_the_fingerprint() -> None:
    with judge_server(always("good")) as server:
        plain = model_of(server)
        thinks = open_chat("m", server.url, extra={"reasoning_effort": "none"})
        ask(thinks)
        thinks.ask("s", "u", max_tokens=16)
    assert [request.document["reasoning_effort"] for request in server.asked] == ["none", "none"]
    assert plain.fingerprint != thinks.fingerprint
    assert plain.fingerprint == open_chat("m", server.url, extra={}).fingerprint


def test_no_other_service_learns_whose_account_at_openai_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-mine")
    with judge_server(always("good")) as server:
        ask(model_of(server))
    assert not [value for value in server.asked[0].headers.values() if "of-mine" in value]


def test_threads_share_a_model_and_what_it_learned() -> None:
    with judge_server(takes_only(("plain",), always("good")), 0.005) as server:
        model = model_of(server)
        answers: dict[int, Answer] = {}
        threads = [
            threading.Thread(target=lambda n=n: answers.update({n: ask(model, f"question {n}")})) for n in range(24)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        ask(model, "the last")
        points = {request.user: request.points for request in server.asked}
    assert forms(server)[-1] == "plain"
    assert {n: json.loads(answer.text)["relevance"]["score"] for n, answer in answers.items()} == {
        n: points[f"question {n}"] for n in range(24)
    }


def test_a_wait_that_no_clock_knows_is_none_that_was_asked_for() -> None:
    for date in ("Thu, 01 Jan 1970 00:00:00 +" + "9" * 13, "Thu, 01 Jan 99999 00:00:00 GMT"):
        assert wait_of(as_json({}, 429, **{"retry-after": date})) == [1.0]
