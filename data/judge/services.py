"""Services and models that can judge: their addresses, keys, and usual settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import InputError
from core.protocols import JsonModel
from core.text import listed
from data.http.client import Patience
from data.judge.demo_judge import (
    DEMO_MODEL,
    DemoJudge,
)
from data.models.chat import open_chat
from data.models.destination import (
    ADDRESS,
    GEMINI_ADDRESS,
    KEY,
    USUAL_ADDRESS,
    VLLM_ADDRESS,
    Destination,
    find_destination,
)

# Services for judging: their addresses, required keys and suitable settings.

OWN = "own"
"""Any other OpenAI-compatible service."""
JUDGE_PATIENCE = Patience(n_attempts=5, timeout=120.0)
"""Generous: single answers can wait, and a local model may take a minute for one."""
WITHOUT_KEY = f'The judge "{DEMO_MODEL}" needs no key, but is not a language model'


@dataclass(frozen=True, slots=True)
class ServicePreset:
    preset_id: str
    label: str
    base_url: str
    """Empty: the value of OPENAI_BASE_URL, or OpenAI's own address."""
    key_variable: str
    """Environment variable with the key of its own address; empty: it needs no key."""
    models: tuple[str, ...] = ()
    """Models suitable for judging; others can be entered."""
    temperature: float = 0.01
    max_tokens: int = 1024
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Extra parameters sent with every request to one of these models."""
    needs_key: bool = False
    """True: nothing is answered without a key."""

    @property
    def is_local(self) -> bool:
        return self.base_url.startswith("http://localhost:")


PRESETS: Mapping[str, ServicePreset] = {
    preset.preset_id: preset
    for preset in (
        ServicePreset(
            "openai",
            "OpenAI",
            USUAL_ADDRESS,
            KEY,
            ("gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o-mini"),
            needs_key=True,
        ),
        ServicePreset(
            "gemini",
            "Google Gemini",
            GEMINI_ADDRESS,
            "GEMINI_API_KEY",
            ("gemini-2.5-flash-lite", "gemini-2.5-flash"),
            max_tokens=4096,
            extra={"reasoning_effort": "none"},
            needs_key=True,
        ),
        ServicePreset(
            "ollama", "Ollama, on this machine", "http://localhost:11434/v1", "", ("llama3.1:8b", "qwen2.5:7b")
        ),
        ServicePreset("vllm", "vLLM, on this machine", VLLM_ADDRESS, "VLLM_API_KEY"),
        ServicePreset("lmstudio", "LM Studio, on this machine", "http://localhost:1234/v1", ""),
        ServicePreset(OWN, "Another service, by its address", "", KEY),
    )
}


def find_preset(preset_id: str | None) -> ServicePreset:
    """Return the preset with this id; without an id, a service of the user's own."""
    found = PRESETS.get(preset_id or OWN)
    if found is None:
        raise InputError(f'no preset "{(preset_id or "")[:40]}": choose from {listed(list(PRESETS))}')
    return found


def missing_key(preset: ServicePreset, base_url: str | None = None) -> str:
    """Return advice if the key of a service is missing; empty if it is set or not needed."""
    needs = preset.needs_key or (preset.preset_id == OWN and not os.environ.get(ADDRESS))
    if base_url or not needs or os.environ.get(preset.key_variable, "").strip():
        return ""
    where = preset.label if preset.needs_key else "OpenAI"
    return (
        f"{where} needs your key in the variable {preset.key_variable}: set it where Queryscape is started. "
        f"{WITHOUT_KEY}"
    )


def open_judge_model(
    model: str,
    *,
    preset: str | None = None,
    base_url: str | None = None,
    patience: Patience | None = None,
    only_plan: bool = False,
) -> JsonModel:
    """Open the model that a judge uses, or the demo judge. Nothing is sent yet.

    `base_url`: used instead of the preset's address. Keys come from the environment and are never stored.
    `only_plan`: no request will follow, so no key is needed.
    """
    if model == DEMO_MODEL:
        return DemoJudge()
    chosen = find_preset(preset)
    if not model.strip():
        raise InputError(f'choose a judge model: its name at the service, or "{DEMO_MODEL}"')
    if not only_plan and (problem := missing_key(chosen, base_url)):
        raise InputError(problem)
    extra = chosen.extra if model in chosen.models else {}
    address = base_url or chosen.base_url or None
    return open_chat(model, address, patience or JUDGE_PATIENCE, with_key=not only_plan, extra=extra)


def sends_to(preset: str | None, base_url: str | None = None) -> Destination:
    """Return where the requests to a model of this service go."""
    return find_destination(base_url or find_preset(preset).base_url or None)
