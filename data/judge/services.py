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

# Services that a judge may be asked at: where they are, which key they want, and what suits them.

OWN = "own"
"""Any other service that speaks OpenAI's language."""
JUDGE_PATIENCE = Patience(n_attempts=5, timeout=120.0)
"""Nobody waits for a single answer, and a model on one's own machine may take a minute over it."""
WITHOUT_KEY = f'The judge "{DEMO_MODEL}" works without one, but is not a language model'


@dataclass(frozen=True, slots=True)
class Preset:
    preset_id: str
    label: str
    base_url: str
    """Empty: whatever OPENAI_BASE_URL says, else OpenAI's own."""
    key_variable: str
    """The variable that the key is in; empty: none is sent."""
    models: tuple[str, ...] = ()
    """Some that suit judging; others can be named."""
    temperature: float = 0.01
    max_tokens: int = 1024
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else goes with every question to one of these models."""
    needs_key: bool = False
    """Whether nothing is answered without one."""

    @property
    def is_local(self) -> bool:
        return self.base_url.startswith("http://localhost:")


PRESETS: Mapping[str, Preset] = {
    preset.preset_id: preset
    for preset in (
        Preset(
            "openai",
            "OpenAI",
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            ("gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o-mini"),
            needs_key=True,
        ),
        Preset(
            "gemini",
            "Google Gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            ("gemini-2.5-flash-lite", "gemini-2.5-flash"),
            max_tokens=4096,
            extra={"reasoning_effort": "none"},
            needs_key=True,
        ),
        Preset("ollama", "Ollama, on this machine", "http://localhost:11434/v1", "", ("llama3.1:8b", "qwen2.5:7b")),
        Preset("vllm", "vLLM, on this machine", "http://localhost:8000/v1", "VLLM_API_KEY"),
        Preset("lmstudio", "LM Studio, on this machine", "http://localhost:1234/v1", ""),
        Preset(OWN, "Another service, by its address", "", "OPENAI_API_KEY"),
    )
}


def find_preset(preset_id: str | None) -> Preset:
    """By its id; none: a service of one's own."""
    found = PRESETS.get(preset_id or OWN)
    if found is None:
        raise InputError(f'there is no preset "{(preset_id or "")[:40]}": choose from {listed(list(PRESETS))}')
    return found


def missing_key(preset: Preset, base_url: str | None = None) -> str:
    """What to do where the key of a service is not set; empty: it is, or none is needed there."""
    needs = preset.needs_key or (preset.preset_id == OWN and not os.environ.get("OPENAI_BASE_URL"))
    if base_url or not needs or os.environ.get(preset.key_variable, "").strip():
        return ""
    where = preset.label if preset.needs_key else "OpenAI"
    return (
        f"{where} needs your key in the variable {preset.key_variable}: "
        f"set it where Queryscape is started. {WITHOUT_KEY}"
    )


def open_judge_model(
    model: str,
    *,
    preset: str | None = None,
    base_url: str | None = None,
    patience: Patience | None = None,
    only_plan: bool = False,
) -> JsonModel:
    """The model that a judge asks, or the demo judge. Nothing is sent yet.

    `base_url`: in the place of the preset's address. Keys come from the environment and are never kept. `only_plan`:
    it is not going to be asked, so no key is looked for.
    """
    if model == DEMO_MODEL:
        return DemoJudge()
    chosen = find_preset(preset)
    if not model.strip():
        raise InputError(f'a judge needs a model: its name at the service, or "{DEMO_MODEL}"')
    if not only_plan and (problem := missing_key(chosen, base_url)):
        raise InputError(problem)
    extra = chosen.extra if model in chosen.models else {}
    key = "" if only_plan else chosen.key_variable
    return open_chat(model, base_url or chosen.base_url or None, patience or JUDGE_PATIENCE, key=key, extra=extra)
