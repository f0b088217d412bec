"""Who judges for `judge`: a model at a service, or the demo judge, with its rubric and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.judging.types import ORDERS, JudgeSettings, Order, Rubric, WithoutAbstract
from core.protocols import JsonModel
from data.importers.source import read_bytes
from data.judging.demo_judge import DEMO_MODEL, PRESETS, find_preset, open_judge_model
from data.judging.keeping.runs import Judge, JudgeRunRow
from data.judging.rubrics import DEFAULT_RUBRIC, find_rubric, read_rubric, save_rubric
from data.judging.running.asking import make_judge
from data.store import Store

DEMO_SETTINGS = {"temperature": 0.01, "max_tokens": 4096}
MODEL_FLAGS = (
    click.option("--model", default=None, help=f"Who judges: a model's name at the service, or {DEMO_MODEL}."),
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default=None, help="The service. [default: own, at --base-url]"
    ),
    click.option("--base-url", default=None, help="Where the service is. [default: the preset's, or OPENAI_BASE_URL]"),
    click.option("--rubric", default=DEFAULT_RUBRIC, show_default=True, help="Its id, or a file that holds one."),
    click.option(
        "--order", type=click.Choice(ORDERS), default="score_first", show_default=True, help="Of what it answers."
    ),
    click.option(
        "--without-abstract",
        type=click.Choice(("grade", "skip")),
        default="grade",
        show_default=True,
        help="Publications without one are graded by their title, or not asked about.",
    ),
    click.option("--temperature", type=float, default=None, help="[default: the preset's]"),
    click.option("--max-tokens", type=int, default=None, help="Of an answer. [default: the preset's]"),
    click.option("--repeat", type=int, default=0, show_default=True, help="Another number asks the same once more."),
)


@dataclass(frozen=True, slots=True)
class Who:
    """A judge as it was asked for."""

    model: str | None
    preset: str | None
    base_url: str | None
    rubric: str
    order: Order
    without_abstract: WithoutAbstract
    temperature: float | None
    max_tokens: int | None
    repeat: int

    @property
    def document(self) -> Mapping[str, Any]:
        """As a run keeps it; no key is ever part of it."""
        return {"preset": self.preset, "base_url": self.base_url}


def read_who(given: dict[str, Any]) -> Who:
    """The choice in these flags."""
    return Who(**{name: given.pop(name) for name in Who.__slots__})


def opened(store: Store, who: Who, *, only_plan: bool) -> tuple[Judge, JsonModel]:
    """The judge that was asked for, and the model behind it."""
    if who.model is None:
        raise InputError(
            f"name who judges: --model {DEMO_MODEL} (it compares words and is not a language model), or a model with "
            f"--preset {'|'.join(PRESETS)}"
        )
    is_demo = who.model == DEMO_MODEL
    preset = find_preset(who.preset)
    usual = DEMO_SETTINGS if is_demo else {"temperature": preset.temperature, "max_tokens": preset.max_tokens}
    said = {"temperature": who.temperature, "max_tokens": who.max_tokens}
    numbers: dict[str, Any] = {name: usual[name] if value is None else value for name, value in said.items()}
    rubric = _rubric(store, who.rubric, only_plan=only_plan)
    settings = JudgeSettings(
        who.model,
        rubric.rubric_id,
        order=who.order,
        without_abstract=who.without_abstract,
        repeat=who.repeat,
        **numbers,
    )
    model = open_judge_model(who.model, preset=who.preset, base_url=who.base_url, only_plan=only_plan)
    return make_judge(store, settings, model, rubric), model


def reopened(row: JudgeRunRow, *, only_plan: bool) -> JsonModel:
    """The model that a run was begun with."""
    return open_judge_model(
        row.settings.model,
        preset=row.document.get("preset"),
        base_url=row.document.get("base_url"),
        only_plan=only_plan,
    )


def _rubric(store: Store, name: str, *, only_plan: bool) -> Rubric:
    """By its id, or from a file, which is then kept."""
    path = Path(name)
    if not path.suffix and not path.is_file():
        return find_rubric(store, name)
    rubric = read_rubric(read_bytes(path).decode("utf-8", "replace"))
    return rubric if only_plan else save_rubric(store, rubric)
