"""The models that recipes name, opened; nothing is sent yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.errors import InputError
from core.protocols import JsonModel
from data.chat import open_chat
from data.judging.demo_judge import DEMO_MODEL
from data.judging.presets import JUDGE_PATIENCE, find_preset, missing_key
from data.writer.demo_model import DemoWriterModel
from data.writer.wanted import Recipe

Models = Mapping[str, JsonModel]
"""By name."""
MOST_TOKENS = 4_000
"""Of an answer: forty keywords with a sentence each take some 1,600, and models that think aloud need room."""


@dataclass(frozen=True, eq=False)
class Opened:
    """A recipe with the model that it names."""

    recipe: Recipe
    model: JsonModel
    temperature: float
    """As the service's preset has it. Seeds change the order of what is read, and nothing else."""
    max_tokens: int


def open_models(
    recipes: Iterable[Recipe], given: Models | None = None, *, only_plan: bool = False
) -> tuple[Opened, ...]:
    """One for each recipe that asks a model, in their order. `given`: in the place of those at services.

    `only_plan`: none is going to be asked, so no key is looked for.
    """
    return tuple(_opened_with(recipe, given or {}, only_plan) for recipe in recipes if not recipe.is_statistics)


def _opened_with(recipe: Recipe, given: Models, only_plan: bool) -> Opened:
    preset = find_preset(recipe.preset)
    model = _opened(recipe, given, only_plan)
    return Opened(recipe, model, preset.temperature, max(MOST_TOKENS, preset.max_tokens))


def _opened(recipe: Recipe, given: Models, only_plan: bool) -> JsonModel:
    if recipe.model in given:
        return given[recipe.model]
    if recipe.model == DEMO_MODEL:
        return DemoWriterModel()
    preset = find_preset(recipe.preset)
    if not only_plan and (problem := missing_key(preset, recipe.base_url)):
        raise InputError(_for_writing(problem))
    extra = preset.extra if recipe.model in preset.models else {}
    key = "" if only_plan else preset.key_variable
    return open_chat(recipe.model, recipe.base_url or preset.base_url or None, JUDGE_PATIENCE, key=key, extra=extra)


def _for_writing(problem: str) -> str:
    """What works without a key is named as this page names it."""
    said, *_ = problem.partition(" The judge ")
    return f'{said} The model "{DEMO_MODEL}" and corpus statistics work without one'
