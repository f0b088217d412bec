"""Choose the judge model: service, model, rubric and settings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import InputError, SettingsError
from core.judge.judgments import JudgeSettings, Order, WithoutAbstract
from dashboard import cache, state
from dashboard.judge.runs import Pace
from dashboard.kit.link_controls import choose_decimal, choose_named, choose_number, choose_text
from dashboard.messages import sentence
from dashboard.words import plain
from data.access import is_allowed
from data.judge.demo_judge import DEMO_MODEL
from data.judge.rubric import load_rubrics
from data.judge.services import OWN, PRESETS, ServicePreset, sends_to

DEMO = "demo"
SERVICES = {DEMO: "Demo judge, offline"} | {preset.preset_id: preset.label for preset in PRESETS.values()}
DEMO_SENTENCE = (
    "The demo judge is a script that compares words, not a language model: its grades show how Judge works but "
    "say nothing about your queries."
)
ORDER_WORDS: dict[Order, str] = {"score_first": "Grade, then reason", "reason_first": "Reason, then grade"}
WITHOUT_WORDS: dict[WithoutAbstract, str] = {"grade": "Graded by the title alone", "skip": "Not judged"}
MODEL, ADDRESS, TEMPERATURE, TOKENS = BY_SERVICE = (
    "judge_model_",
    "judge-address-",
    "judge_temperature_",
    "judge_tokens_",
)
"""Prefixes of the keys that belong to one service."""
LOCAL = ("ollama", "vllm", "lmstudio")
"""Presets of services on the visitor's own machine, which are free."""
UNLIMITED = 0
MOST_A_MINUTE = 100_000


@dataclass(frozen=True, eq=False)
class JudgeChoice:
    settings: JudgeSettings
    preset: str | None
    base_url: str | None
    pace: Pace

    @property
    def is_demo(self) -> bool:
        return bool(self.settings.model == DEMO_MODEL)

    @property
    def document(self) -> Mapping[str, Any]:
        """The choice as the run stores it; no API key is ever part of it."""
        return {
            "preset": self.preset,
            "base_url": self.base_url,
            "n_workers": self.pace.n_workers,
            "per_minute": self.pace.per_minute,
        }


def choose_judge() -> JudgeChoice | None:
    """Draw the main choices in a row, the rest under More; None while the choice is invalid."""
    service_at, model_at, rubric_at = st.columns([0.32, 0.36, 0.32], vertical_alignment="bottom")
    service = choose_named(
        service_at,
        "Judge",
        SERVICES,
        "judge_service",
        help="Any OpenAI-compatible service. Its key is read from the environment and never stored.",
    )
    preset = PRESETS.get(service)
    model = DEMO_MODEL if preset is None else _choose_model(model_at, preset)
    if preset is None:
        model_at.text_input("Model", "Compares words", disabled=True, key="judge-demo-model")
    rubric = _choose_rubric(rubric_at)
    is_own = preset is not None and preset.preset_id == OWN
    base_url = _choose_address(preset) if preset is not None and is_own else None
    with st.expander("Advanced settings", icon=":material/tune:"):
        more = _choose_more(preset)
        repeat, pace = _choose_pace(is_demo=preset is None)
        if preset is not None and not is_own:
            base_url = _choose_address(preset)
    if preset is None:
        st.caption(DEMO_SENTENCE)
    else:
        draw_destination(preset, base_url)
    if not model:
        st.info("Enter the name of the judge model.")
        return None
    try:
        settings = JudgeSettings(model, rubric, repeat=repeat, **more)
    except (SettingsError, InputError) as e:
        st.warning(plain(sentence(str(e))))
        return None
    return JudgeChoice(settings, None if preset is None else preset.preset_id, base_url, pace)


def draw_destination(preset: ServicePreset, base_url: str | None) -> None:
    """Draw the host that requests go to, before there are any."""
    with suppress(InputError):  # shown where the model is opened
        st.caption(plain(sends_to(preset.preset_id, base_url).words))


def _choose_model(where: Any, preset: ServicePreset) -> str:
    key = f"{MODEL}{preset.preset_id}"
    options = list(dict.fromkeys([*preset.models, *state.asked_for(key)]))
    if not preset.models:
        return choose_text(where, "Model", key, most=200, placeholder="Name at the service")
    state.settle_named(key, options)
    chosen = where.selectbox(
        "Model", options, key=key, accept_new_options=True, help="Another model? Type its name at the service."
    )
    state.write_in_link(key, [chosen] if chosen and chosen != preset.models[0] else [])
    return str(chosen or "").strip()


def _choose_rubric(where: Any) -> str:
    rubrics = load_rubrics(cache.workspace().store)
    return choose_named(
        where,
        "Rubric",
        {rubric_id: rubric.name for rubric_id, rubric in rubrics.items()},
        "judge_rubric",
        help="The meaning of each grade. The view Rubric shows it with its prompt.",
    )


def _choose_address(preset: ServicePreset) -> str | None:
    """Draw the address. It is never in the link: a sender could have your key sent to an address of their own."""
    if not is_allowed("server"):
        return None
    key = f"{ADDRESS}{preset.preset_id}"
    needed = preset.preset_id == OWN
    typed = st.text_input(
        "Address of the service",
        key=key,
        placeholder=preset.base_url or "OPENAI_BASE_URL, or else OpenAI",
        help="The address with /chat/completions, such as http://localhost:8000/v1."
        + ("" if needed else " If empty, the default is used."),
        max_chars=500,
    )
    return str(typed).strip() or None


def _choose_more(preset: ServicePreset | None) -> dict[str, Any]:
    a, b, c, d = st.columns(4, vertical_alignment="bottom")
    order = choose_named(
        a,
        "Answer order",
        ORDER_WORDS,
        "judge_order",
        help="Some models grade better when they give the reason first. The answer is equally long.",
    )
    without = choose_named(
        b, "No abstract", WITHOUT_WORDS, "judge_without", help="Treatment of publications without an abstract."
    )
    service = preset.preset_id if preset is not None else DEMO
    temperature = choose_decimal(
        c,
        "Temperature",
        0.0,
        2.0,
        preset.temperature if preset is not None else 0.01,
        f"{TEMPERATURE}{service}",
        step=0.01,
        help="Randomness of an answer. Near 0, the same request gets nearly the same grade.",
    )
    max_tokens = choose_number(
        d,
        "Maximum answer tokens",
        16,
        1_000_000,
        preset.max_tokens if preset is not None else 4_096,
        f"{TOKENS}{service}",
    )
    return {
        "order": order,
        "without_abstract": without,
        "temperature": temperature,
        "max_tokens": max_tokens,
    }


def _choose_pace(*, is_demo: bool) -> tuple[int, Pace]:
    c, a, b, _ = st.columns(4, vertical_alignment="bottom")
    repeat = choose_number(
        c,
        "Repeat",
        0,
        99,
        0,
        "judge_repeat",
        help="Use another number to judge the same publications again and compare the answers with repeat 0.",
    )
    workers = choose_number(
        a,
        "Concurrent requests",
        1,
        256,
        16,
        "judge_workers",
        disabled=is_demo,
        help="Maximum number of requests at the same time.",
    )
    rate = choose_number(
        b,
        "Requests per minute",
        UNLIMITED,
        MOST_A_MINUTE,
        UNLIMITED,
        "judge_rate",
        disabled=is_demo,
        help="The limit of your service, if it has one; 0: no limit. All workers share it.",
    )
    return repeat, Pace(4 if is_demo else workers, float(rate) if rate and not is_demo else None)
