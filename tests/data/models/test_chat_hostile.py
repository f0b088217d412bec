"""A service that means no good: it quotes the key, sends without end, in drops or in parts."""

from __future__ import annotations

import itertools
import json

import pytest

from data.http.client import GaveUpError
from data.models import openai
from data.models.chat import read_completion
from data.models.embedding_model import BadAnswer
from tests.data.judge_server import PLAYS, Reply, Request, always, as_json, completion, judge_server
from tests.data.models.test_chat_json import ask, model_of
from tests.data.services import KEY, no_key_in
from tests.messages import refusal

pytestmark = pytest.mark.usefixtures("key")


def test_an_answer_that_quotes_the_key_is_kept_without_it() -> None:
    def echoing(request: Request) -> Reply:
        said = json.loads(completion(json.dumps({"score": 3, "reason": request.authorization})).body)
        said["model"] = f"judge {KEY}"
        said["choices"][0]["message"]["refusal"] = f"no, {KEY.swapcase()}"
        return as_json(said)

    with judge_server(echoing) as server:
        answer = ask(model_of(server))
    assert server.asked[0].authorization == f"Bearer {KEY}"
    no_key_in(None, *(said.lower() for said in (answer.text, answer.model, answer.refusal)))
    assert KEY.lower() not in answer.refusal.lower()
    assert json.loads(answer.text) == {"score": 3, "reason": "Bearer …"}


def test_a_word_that_stands_for_a_key_may_stand_in_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "score")
    with judge_server(always("good")) as server:
        assert "score" in ask(model_of(server)).text


def test_an_answer_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "MOST_BYTES", 1_000)
    with judge_server(lambda request: Reply(b" " * 5_000 + PLAYS["good"](request).body)) as server:
        with refusal(GaveUpError):
            ask(model_of(server))
        assert len(server.asked) == 3
        server.script = always("good")
        assert "score" in ask(model_of(server)).text


def test_an_answer_that_comes_in_drops_is_given_up() -> None:
    now = itertools.count(0.0, openai.MOST_SECONDS / 4)
    assert list(openai.bounded([b"a", b"b"], lambda: next(now))) == [b"a", b"b"]
    with pytest.raises(openai.EndlessError):
        list(openai.bounded(itertools.repeat(b" "), lambda: next(now)))
    assert next(now) < 4 * openai.MOST_SECONDS


def test_an_answer_may_come_in_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": '{"sco'},
        {"type": "text", "text": 're"}'},
    ]
    for content, text in ((parts, '{"score"}'), ([], ""), (parts[:1], "")):
        sent = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
        assert read_completion(sent, "m").text == text
    for content in (7, {"text": "a"}, [{"type": "text", "text": 5}]):
        with pytest.raises(BadAnswer):
            read_completion(json.dumps({"choices": [{"message": {"content": content}}]}).encode(), "m")
