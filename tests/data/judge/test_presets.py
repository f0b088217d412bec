"""Services that a judge may be asked at: what is sent there, which key, and what is said where it is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.errors import InputError
from core.judge.judgments import JudgeSettings
from core.protocols import JsonModel
from data.http.client import Patience
from data.judge.services import PRESETS, find_preset, missing_key, open_judge_model, sends_to
from data.models.chat import ServiceModel
from data.models.destination import own_variable
from data.sources.registry import ABOUT
from tests.data.judge_server import JudgeServer, always, judge_server
from tests.data.services import KEY, no_key_in
from tests.messages import refusal

KEYS = ("OPENAI_API_KEY", "GEMINI_API_KEY", "VLLM_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def asked(server: JudgeServer, model: str, preset: str | None) -> Mapping[str, Any]:
    opened = open_judge_model(model, preset=preset, base_url=server.url, patience=Patience(n_attempts=1, timeout=10.0))
    opened.ask_json("s", "u", schema={}, max_tokens=16, temperature=0.01)
    request = server.asked[-1]
    return {**request.document, "authorization": request.authorization}


@pytest.mark.parametrize("preset_id", PRESETS)
def test_every_preset_holds_what_a_judge_needs(preset_id: str) -> None:
    preset = PRESETS[preset_id]
    assert preset.preset_id == preset_id
    assert preset.label
    JudgeSettings("m", "r", temperature=preset.temperature, max_tokens=preset.max_tokens)
    if preset.base_url:
        address = urlsplit(preset.base_url)
        assert address.scheme == ("http" if address.hostname == "localhost" else "https")
        assert preset.needs_key == (address.hostname != "localhost"), "what runs on this machine wants no key"
        assert preset.is_local == (address.hostname == "localhost")
    assert find_preset(preset_id) is preset


def test_gemini_is_asked_without_thinking_and_others_of_its_models_as_they_are() -> None:
    gemini = PRESETS["gemini"]
    assert (gemini.max_tokens, gemini.temperature, gemini.models[0]) == (4096, 0.01, "gemini-2.5-flash-lite")
    with judge_server(always("good")) as server:
        assert asked(server, "gemini-2.5-flash-lite", "gemini")["reasoning_effort"] == "none"
        assert "reasoning_effort" not in asked(server, "another-model", "gemini")
        assert "reasoning_effort" not in asked(server, "gemini-2.5-flash-lite", None)


def test_no_service_gets_the_key_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever service is chosen, an address that is given in its place gets none of the keys that are set."""
    with judge_server(always("good")) as server:
        for name in (*KEYS, *(about.key_variable for about in ABOUT.values() if about.key_variable)):
            monkeypatch.setenv(name, f"key-in-{name}")
        for preset_id in PRESETS:
            asked(server, "m", preset_id)
        assert not [request for request in server.asked if "key-in-" in repr(request)]
        monkeypatch.setenv(own_variable(server.url), "its-own")
        assert {asked(server, "m", preset_id)["authorization"] for preset_id in PRESETS} == {"Bearer its-own"}
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert asked(server, "m", None)["authorization"] == "Bearer key-in-OPENAI_API_KEY"


def test_each_preset_is_sent_to_with_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, f"key-in-{name}")
    for preset in PRESETS.values():
        place = sends_to(preset.preset_id)
        assert place.key == (f"key-in-{preset.key_variable}" if preset.key_variable else "")
        assert place.host in place.words
        no_key_in(None, place.words, repr(place))


@pytest.mark.parametrize(("preset", "variable"), [("openai", KEYS[0]), ("gemini", KEYS[1]), (None, KEYS[0])])
def test_a_key_that_is_missing_is_named_by_its_variable(
    preset: str | None, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in KEYS:
        monkeypatch.setenv(other, " " if other == variable else KEY)
    with refusal(InputError) as caught:
        open_judge_model("m", preset=preset)
    no_key_in(caught.value)
    monkeypatch.setenv(variable, KEY)
    assert missing_key(find_preset(preset)) == ""
    opened = open_judge_model("m", preset=preset)
    no_key_in(None, repr(opened), opened.fingerprint)


def test_a_key_with_signs_that_no_key_has_is_named_by_its_variable_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", f"{KEY}ü")
    with pytest.raises(InputError, match="GEMINI_API_KEY has characters") as caught:
        open_judge_model("m", preset="gemini")
    no_key_in(caught.value)


def test_a_service_of_ones_own_needs_an_address_and_perhaps_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert address_of(open_judge_model("m", base_url="http://localhost:9/v1/")) == "http://localhost:9/v1"
    assert address_of(open_judge_model("m", preset="ollama")) == "http://localhost:11434/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:7/v1")
    assert missing_key(PRESETS["own"]) == ""
    assert address_of(open_judge_model("m")) == "http://localhost:7/v1"
    assert address_of(open_judge_model("m", preset="ollama")) == "http://localhost:11434/v1"
    with refusal(InputError):
        open_judge_model("m", preset="openai")


def address_of(model: JsonModel) -> str:
    assert isinstance(model, ServiceModel)
    return model.service.base_url


def test_what_can_not_be_opened() -> None:
    with refusal(InputError):
        open_judge_model("m", preset="claude")
    with refusal(InputError):
        open_judge_model(" ", preset="ollama")


def test_the_demo_judge_needs_nothing() -> None:
    model = open_judge_model("demo", preset="openai")
    assert model.model_id == "demo"
    assert not isinstance(model, ServiceModel)


@pytest.mark.parametrize("preset", ["openai", "gemini", None])
def test_a_dry_run_needs_no_key_and_counts_for_the_same_judge(
    preset: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = open_judge_model("gemini-2.5-flash-lite", preset=preset, only_plan=True)
    for name in KEYS:
        monkeypatch.setenv(name, KEY)
    assert planned.fingerprint == open_judge_model("gemini-2.5-flash-lite", preset=preset).fingerprint
    assert planned.fingerprint != open_judge_model("gemini-2.5-flash", preset=preset).fingerprint
