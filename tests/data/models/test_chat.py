"""The chat client against a real server on this machine: what is asked, what is believed, what is said."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from werkzeug import Response

from core.errors import InputError, ServiceError
from core.protocols import Answer as Said
from data.http.client import GaveUpError, Patience
from data.models.chat import Question, RefusedError, open_chat, read_completion, recalled, remember
from data.models.embedding_model import BadAnswer
from data.store import Store
from tests.data.chats import BROKEN_OFF, ChatService, FullDisk, fails, raw, raw_server, says
from tests.data.services import KEY, Answer, as_json, no_key_in
from tests.messages import refusal

SENT = "the whole question about tea"


@pytest.fixture
def service(chat_service: ChatService) -> ChatService:
    return chat_service


def ask(service: ChatService) -> Said:
    return service.model().ask("Judge.", SENT, max_tokens=7)


def nothing_told(e: BaseException, *texts: str) -> None:
    """One plain line, without the key and without what was sent."""
    no_key_in(e, *texts)
    assert "\n" not in str(e)
    assert not [text for text in (str(e), repr(e), repr(e.__cause__), *texts) if "tea" in text or "Judge" in text]


def test_what_is_asked_and_what_comes_back(service: ChatService) -> None:
    assert ask(service) == Said("0.5", "m-2030", 40, 3, "stop")
    (asked,) = service.asked
    assert [(m["role"], m["content"]) for m in asked.pop("messages")] == [("system", "Judge."), ("user", SENT)]
    assert asked == {"model": "m", "max_tokens": 7, "temperature": 0.0}


def test_a_service_that_says_little_is_believed(service: ChatService) -> None:
    service.odd = [lambda r: as_json({"choices": [{"message": {"content": "0.1"}}]})]
    assert ask(service) == Said("0.1", "m", None, None)
    service.odd = [says(None, usage={"prompt_tokens": -1, "completion_tokens": True}, model=None)]
    assert ask(service) == Said("", "m", None, None, "stop")


BAD_ANSWERS: dict[str, tuple[Answer, str]] = {
    "html": (lambda r: Response("<html>Sign in</html>", content_type="text/html"), "sent a web page"),
    "empty": (lambda r: Response("", content_type="application/json"), "cut off or not JSON"),
    "broken": (lambda r: Response('{"choices": [', content_type="application/json"), "cut off or not JSON"),
    "deep": (lambda r: Response("[" * 100_000, content_type="application/json"), "cut off or not JSON"),
    "a list": (lambda r: as_json([1, 2]), "JSON without an answer"),
    "another shape": (lambda r: as_json({"answer": "0.5"}), "JSON without an answer"),
    "no choices": (says("0.5", choices=[]), "JSON without an answer"),
    "odd choices": (says("0.5", choices={"0": 1}), "JSON without an answer"),
    "no message": (says("0.5", choices=[{"text": "0.5"}]), "an answer that is not text"),
    "parts": (says("0.5", choices=[{"message": {"content": ["0.5"]}}]), "an answer that is not text"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_a_bad_answer_is_asked_again_and_then_an_error(service: ChatService, name: str) -> None:
    answer, _ = BAD_ANSWERS[name]
    service.odd = [answer]
    assert ask(service).text == "0.5"
    assert (len(service.asked), service.slept) == (2, [1.0])
    service.odd = [answer] * 3
    with refusal(GaveUpError) as caught:
        ask(service)
    assert len(service.asked) == 5
    nothing_told(caught.value)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_service_that_is_busy_is_asked_again(service: ChatService, status: int) -> None:
    service.odd = [fails(status)] * 2
    assert ask(service).text == "0.5"
    assert service.slept == [1.0, 2.0]
    service.odd = [fails(status)] * 3
    with pytest.raises(GaveUpError, match=f"answered {status}, 3 times") as caught:
        ask(service)
    nothing_told(caught.value)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "does not accept the key"),
        (403, "does not accept the key"),
        (404, "no such model or address"),
        (418, r"answered 418 \(because_418\)"),
        (302, "redirects to another address"),
        (307, "the address in OPENAI_BASE_URL"),
    ],
)
def test_what_will_not_change_is_an_error_at_once(
    service: ChatService, status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Location": service.server.url_for("/elsewhere")} if status < 400 else {}
    service.odd = [fails(status, **headers)]
    with caplog.at_level(logging.DEBUG), pytest.raises(ServiceError, match=words) as caught:
        ask(service)
    assert (len(service.asked), service.slept) == (1, [])
    assert not isinstance(caught.value, GaveUpError)
    assert [request.path for request, _ in service.server.log] == ["/v1/chat/completions"], "no redirect is followed"
    nothing_told(caught.value, repr(service.model()))
    no_key_in(None, *(record.getMessage() for record in caplog.records))


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_question_that_is_refused_is_not_asked_again(service: ChatService, status: int) -> None:
    service.odd = [fails(status)]
    with refusal(RefusedError) as caught:
        ask(service)
    assert (len(service.asked), service.slept) == (1, [])
    nothing_told(caught.value)
    service.odd = [lambda r: as_json({"error": {"message": SENT, "code": f"{SENT} {KEY}"}}, status)]
    with pytest.raises(RefusedError, match=rf"\({status}\)") as caught:
        ask(service)
    nothing_told(caught.value)


def unsupported(name: str, instead: str) -> Answer:
    words = f"Unsupported parameter: '{name}' is not supported with this model. {instead}"
    return lambda r: as_json({"error": {"message": words, "code": "unsupported_parameter"}}, 400)


def test_newer_models_count_tokens_under_another_name_and_take_no_temperature(service: ChatService) -> None:
    service.odd = [unsupported("max_tokens", "Use 'max_completion_tokens' instead."), unsupported("temperature", "")]
    model = service.model()
    assert [model.ask("s", "u", max_tokens=7).text for _ in range(2)] == ["0.5", "0.5"]
    settings = [asked.keys() - {"model", "messages"} for asked in service.asked]
    newer = {"max_completion_tokens"}
    assert settings == [{"max_tokens", "temperature"}, newer | {"temperature"}, newer, newer]
    assert service.asked[-1]["max_completion_tokens"] > 1_000, "room to think"
    service.odd = [unsupported("max_tokens", "")] * 9
    with pytest.raises(RefusedError):
        model.ask("s", "u", max_tokens=7)
    assert len(service.asked) == 5


@pytest.mark.parametrize(
    ("sent", "words"),
    [(BROKEN_OFF, "connection broke"), (b"", "connection broke"), (b"nonsense\r\n\r\n", "can't be reached")],
)
def test_a_connection_that_breaks_off(sent: bytes, words: str, key: str) -> None:
    slept: list[float] = []
    with raw_server(lambda number: sent if number < 5 else raw("0.25")) as (url, asked):
        model = open_chat("m", url, Patience(n_attempts=3, sleep=slept.append))
        with pytest.raises(GaveUpError, match=words) as caught:
            model.ask("Judge.", SENT, max_tokens=7)
        nothing_told(caught.value)
        assert (len(asked), slept) == (3, [1.0, 2.0])
        assert model.ask("Judge.", SENT, max_tokens=7).text == "0.25"


def test_keys_and_addresses(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with refusal(InputError):
        open_chat("m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1/")
    local = open_chat("m")
    assert local.service.base_url == "http://localhost:1/v1"
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert open_chat("m", "HTTP://LOCALHOST:1/v1").fingerprint == local.fingerprint, "no key is in it"
    assert len({local.fingerprint, open_chat("m").fingerprint, open_chat("n").fingerprint}) == 3
    for address, words in (
        ("localhost", "must be an address"),
        (f"http://me:{KEY}@x/v1", "must not contain a name, password"),
    ):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        with pytest.raises(InputError, match=f"OPENAI_BASE_URL {words}") as caught:
            open_chat("m")
        no_key_in(caught.value)


def test_an_answer_that_can_not_be_read_names_no_content() -> None:
    with pytest.raises(BadAnswer) as caught:
        read_completion(f'{{"choices": "{SENT}"}}'.encode(), "m")
    assert "tea" not in str(caught.value)


def test_answers_are_remembered_under_all_that_they_depend_on(tmp_path: Path, service: ChatService) -> None:
    model, question = service.model(), Question("s", "u", 7)
    key = question.key(model, "v1")
    answer = Said("0.5", "m-2030", 40, None)
    with Store.open(tmp_path / "x.duckdb") as store:
        assert recalled(store, key) is None
        assert remember(store, key, answer)
        assert recalled(store, key) == answer
        store.remember(key, "chat", '{"of": "a later form"}', None)
        assert recalled(store, key) is None
    others = [Question("S", "u", 7), Question("s", "U", 7), Question("s", "u", 8), Question("s", "u", 7, 1.0)]
    keys = [key, question.key(model, "v2"), question.key(open_chat("n", service.url), "v1")]
    keys += [question.key(open_chat("m", "http://other/v1"), "v1"), *(other.key(model, "v1") for other in others)]
    assert len(set(keys)) == len(keys)
    assert question.key(service.model(), "v1") == key


def test_a_full_disk_loses_the_memory_and_not_the_answer() -> None:
    assert not remember(FullDisk(), "k", Said("0.5", "m"))
