"""Who proposes keywords: corpus statistics always, the demo, and models at any service."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import streamlit as st

from core.writer.types import Mode
from dashboard import state
from dashboard.sections.writer.brief.texts import fill, key_of
from dashboard.words import plain
from data.judging.demo_judge import DEMO_MODEL, OWN, PRESETS, Preset, missing_key
from data.writer.keeping import Recipe

DEMO = DEMO_MODEL
WHO: dict[str, str] = {DEMO: "Demo (not a language model)"} | {
    preset.preset_id: preset.label for preset in PRESETS.values()
}
ALWAYS = "Corpus statistics always make a candidate of their own: they count words, and ask nobody."
LONGEST_NAME, LONGEST_ADDRESS, MOST_MODELS = 200, 500, 8
MOST_SEEDS = 5


@dataclass(frozen=True, slots=True)
class Who:
    """Models as they were chosen, and what keeps one from being asked."""

    models: tuple[tuple[str, str | None, str | None], ...]
    """Name, preset and address of each."""
    problems: tuple[str, ...]
    is_paid: bool
    """Whether a service is asked that may bill somebody."""

    def recipes(self, modes: tuple[Mode, ...], n_seeds: int) -> tuple[Recipe, ...]:
        """A candidate for each model, mode and seed."""
        return tuple(
            Recipe(model, mode, seed, preset, base_url)
            for (model, preset, base_url), mode, seed in product(self.models, modes, range(n_seeds))
        )


def draw_who(topic_id: str) -> Who:
    """The services, and for each that is chosen its models."""
    chosen = st.pills(
        "Who proposes keywords",
        list(WHO),
        selection_mode="multi",
        key=fill(key_of("who", topic_id), [DEMO]),
        format_func=WHO.__getitem__,
        persist_state="session",
        help="Any service that speaks OpenAI's language. Its key comes from the environment and is never stored.",
    )
    st.caption(ALWAYS)
    models: list[tuple[str, str | None, str | None]] = []
    problems: list[str] = []
    for each in (each for each in WHO if each in (chosen or ())):
        if each == DEMO:
            models.append((DEMO, None, None))
            continue
        named, problem = _draw_service(topic_id, PRESETS[each])
        models += named
        problems += [problem] if problem else []
    is_paid = any(preset is not None and not PRESETS[preset].is_local for _, preset, _ in models)
    return Who(tuple(models), tuple(problems), is_paid)


def _draw_service(topic_id: str, preset: Preset) -> tuple[list[tuple[str, str | None, str | None]], str]:
    """Its models and its address; the second: what is missing."""
    models_at, address_at = st.columns([0.55, 0.45], vertical_alignment="bottom")
    key = key_of(f"models-{preset.preset_id}", topic_id)
    fill(key, list(preset.models[:1]))
    there = [str(each) for each in state.said(key, ())]
    names = models_at.multiselect(
        plain(f"Models at {preset.label}"),
        list(dict.fromkeys([*preset.models, *there])),
        key=key,
        accept_new_options=True,
        max_selections=MOST_MODELS,
        placeholder="As the service calls them",
        persist_state="session",
        help="Each makes candidates of its own. Another one? Type its name as the service has it.",
    )
    base_url = _draw_address(address_at, topic_id, preset)
    named: list[tuple[str, str | None, str | None]] = [
        (name, preset.preset_id, base_url) for name in (str(each).strip()[:LONGEST_NAME] for each in names) if name
    ]
    if not named:
        return [], f"Name a model at {preset.label}, or leave the service out."
    return named, missing_key(preset, base_url)


def _draw_address(where: st.delta_generator.DeltaGenerator, topic_id: str, preset: Preset) -> str | None:
    """Never in the link: whoever sends one could have your key sent to an address of their own."""
    typed = where.text_input(
        "Address of the service",
        key=fill(key_of(f"address-{preset.preset_id}", topic_id), ""),
        placeholder=preset.base_url or "As OPENAI_BASE_URL says, else OpenAI's own",
        help="Where its /chat/completions lies. Left empty, the usual one."
        if preset.preset_id != OWN
        else "Where its /chat/completions lies, such as http://localhost:8000/v1.",
        max_chars=LONGEST_ADDRESS,
        persist_state="session",
    )
    return str(typed or "").strip() or None
