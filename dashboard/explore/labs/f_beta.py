"""The lab of F-beta: one number from recall, precision, size and beta, each varied alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from core.metrics import LITQEVAL, Counts, decay, f_beta
from core.settings import EvaluationSettings
from core.types import Floats
from dashboard.explore.labs.bench import Axis, Chart, Lab, LabBench, LabMark, LabNumber, Series, Slider, Values
from dashboard.explore.labs.controls import f_name, listed, score, settings_from, slider_of, spaced, whole

N_SAMPLES = 160
N_BETAS = 60
OTHER_BETAS: tuple[tuple[float, tuple[int, ...]], ...] = ((0.5, (2, 3)), (1.0, (6, 3)), (2.0, (10, 3, 2, 3)))
"""Precision weighs more, both weigh alike, recall weighs more; with the dash of each."""
LEAST_BETA, MOST_BETA = 0.25, 8.0
MOST_RELEVANT = 60_000


@dataclass(frozen=True, slots=True)
class _Parts:
    recall: float
    precision: float
    n_relevant: int
    settings: EvaluationSettings

    @property
    def price(self) -> float:
        return decay(self.n_relevant, **self.settings.decay_curve)

    @property
    def score(self) -> float:
        return f_beta(self.precision * self.price, self.recall, beta=self.settings.beta)


def controls(material: Any) -> tuple[Slider, ...]:
    return (
        Slider("recall", "Core recall", "Share of the core publications that count as found.", 0, 1, 0.01, 0.6),
        Slider("precision", "Semantic precision", "Share of the retrieved that are relevant.", 0, 1, 0.01, 0.4),
        Slider(
            "n_relevant",
            "Relevant publications",
            "Only the decay depends on it: the longer the list, the less its precision is worth.",
            min=0,
            max=MOST_RELEVANT,
            step=50,
            value=3_000,
        ),
        slider_of("beta"),
        *(slider_of(name, expert=True) for name in ("decay_limit", "decay_onset", "decay_steepness")),
    )


def bench(material: Any, values: Values) -> LabBench:
    parts = _Parts(
        recall=float(values["recall"]),
        precision=float(values["precision"]),
        n_relevant=round(float(values["n_relevant"])),
        settings=settings_from(values),
    )
    return LabBench(
        charts=(_over_recall(parts), _over_precision(parts), _over_size(parts), _over_beta(parts)),
        numbers=_numbers(parts),
        sentence=_sentence(parts),
        columns=("Panel", "Value", *(f"F{beta:g}" for beta, _ in OTHER_BETAS), f"{f_name(parts.settings.beta)} now"),
        rows=_rows(parts),
    )


def _scores(parts: _Parts, beta: float, *, recall: Floats | float, precision: Floats | float) -> Floats:
    r, p = np.broadcast_arrays(np.asarray(recall, np.float64), np.asarray(precision, np.float64))
    return f_beta(p, r, beta=beta)


def _lines(parts: _Parts, x: Floats | Counts, *, recall: Floats | float, precision: Floats | float) -> list[Series]:
    beta = parts.settings.beta
    thin = [
        Series(
            "line",
            f"F{b:g}",
            "faint",
            listed(x),
            listed(_scores(parts, b, recall=recall, precision=precision)),
            dash,
            1.3,
            expert=True,
        )
        for b, dash in OTHER_BETAS
        if b != beta
    ]
    now = listed(_scores(parts, beta, recall=recall, precision=precision))
    return [*thin, Series("line", f"{f_name(beta)} (set)", "text", listed(x), now, width=2.6)]


def _here(parts: _Parts, x: float) -> Series:
    return Series("dots", "Now", "core", [x], [parts.score], width=6, edge="core_edge")


def _score_axis() -> Axis:
    return Axis("F-beta (with decay), 0 to 1", 0, 1)


def _over_recall(parts: _Parts) -> Chart:
    x = np.linspace(0, 1, N_SAMPLES)
    return Chart(
        id="recall",
        title="Over recall: without a found core publication it is 0",
        x=Axis("Core recall, 0 to 1", 0, 1),
        y=_score_axis(),
        series=(*_lines(parts, x, recall=x, precision=parts.precision * parts.price), _here(parts, parts.recall)),
        marks=(LabMark("x", parts.recall, f"recall {parts.recall:.2f}", control="recall"),),
        description=(
            f"F-beta over recall for beta 0.5, 1, 2 and {parts.settings.beta:g}, precision and size as set: lines that "
            f"rise from 0; the place that is set is at recall {parts.recall:.2f}, {parts.score:.3f}."
        ),
    )


def _over_precision(parts: _Parts) -> Chart:
    x = np.linspace(0, 1, N_SAMPLES)
    return Chart(
        id="precision",
        title="Over precision: the higher beta, the sooner more of it stops paying",
        x=Axis("Semantic precision, 0 to 1", 0, 1),
        y=_score_axis(),
        series=(*_lines(parts, x, recall=parts.recall, precision=x * parts.price), _here(parts, parts.precision)),
        marks=(LabMark("x", parts.precision, f"precision {parts.precision:.2f}", control="precision"),),
        description=(
            f"F-beta over semantic precision for beta 0.5, 1, 2 and {parts.settings.beta:g}: lines that rise from 0 "
            f"and flatten; the place that is set is at precision {parts.precision:.2f}, {parts.score:.3f}."
        ),
    )


def _over_size(parts: _Parts) -> Chart:
    n = whole(spaced(0, MOST_RELEVANT, N_SAMPLES, "linear"))
    precision = parts.precision * decay(n, **parts.settings.decay_curve)
    limit = parts.settings.decay_limit
    return Chart(
        id="size",
        title="Over size: the same precision is worth less in a longer list",
        x=Axis("Relevant publications", 0, MOST_RELEVANT, digits=0),
        y=_score_axis(),
        series=(*_lines(parts, n, recall=parts.recall, precision=precision), _here(parts, parts.n_relevant)),
        marks=(
            LabMark("x", parts.n_relevant, f"size {parts.n_relevant:,}", control="n_relevant"),
            *([LabMark("x", limit, f"limit {limit:,.0f}", "faint", "decay_limit")] if limit <= MOST_RELEVANT else []),
        ),
        description=(
            "F-beta over the number of relevant publications, recall and precision as set: lines that fall to 0 at "
            f"the decay limit of {limit:,.0f}; the place that is set is at {parts.n_relevant:,}, {parts.score:.3f}."
        ),
    )


def _over_beta(parts: _Parts) -> Chart:
    betas = spaced(LEAST_BETA, MOST_BETA, N_BETAS, "log")
    decayed = parts.precision * parts.price
    line = np.array([f_beta(decayed, parts.recall, beta=float(beta)) for beta in betas])
    return Chart(
        id="beta",
        title="Over beta: from (decayed) precision to recall",
        x=Axis("Beta", LEAST_BETA, MOST_BETA, scale="log"),
        y=_score_axis(),
        series=(
            Series("line", "F-beta", "text", listed(betas), listed(line), width=2.6),
            _here(parts, parts.settings.beta),
        ),
        marks=(
            LabMark("y", parts.recall, f"recall {parts.recall:.2f}", "core"),
            LabMark("y", decayed, f"precision · decay {decayed:.2f}", "relevant"),
            LabMark("x", parts.settings.beta, f"beta {parts.settings.beta:g}", control="beta"),
        ),
        description=(
            f"F-beta over beta: near the decayed precision of {decayed:.3f} for a small beta, near the recall of "
            f"{parts.recall:.2f} for a large one; the place that is set is at {parts.settings.beta:g}, "
            f"{parts.score:.3f}."
        ),
    )


def _numbers(parts: _Parts) -> tuple[LabNumber, ...]:
    return (
        LabNumber(f"{f_name(parts.settings.beta)} (with decay)", score(parts.score)),
        LabNumber("Core recall R", score(parts.recall), role="core"),
        LabNumber("Semantic precision", score(parts.precision), role="relevant"),
        LabNumber("Decay", score(parts.price), "The cost of the result's size."),
        LabNumber("Precision · decay P", score(parts.precision * parts.price), "Precision in the formula."),
        LabNumber(
            f"Formula of {f_name(parts.settings.beta)}", score(parts.score), "(1 + b²)·P·R / (b²·P + R)", expert=True
        ),
    )


def _sentence(parts: _Parts) -> str:
    name, settings = f_name(parts.settings.beta), parts.settings
    if not parts.recall or not parts.precision:
        which = "recall" if not parts.recall else "precision"
        return f"{name} is 0 because {which} is 0: the other can't compensate."
    if not parts.price:
        return f"{name} is 0 because {parts.n_relevant:,} relevant publications reach the decay limit."
    weighs = "recall" if settings.beta > 1 else "precision" if settings.beta < 1 else "neither"
    return (
        f"{name} is {score(parts.score)}: {_growth(parts, 'recall')}, {_growth(parts, 'precision')}; "
        f"beta {settings.beta:g} favours {weighs}."
    )


def _growth(parts: _Parts, which: Literal["recall", "precision"]) -> str:
    """Describe the effect of raising one of them by 0.1, or up to 1 if that is less."""
    now = getattr(parts, which)
    more = round(min(0.1, 1 - now), 6)
    if more <= 0:
        return f"{which} can't grow"
    bigger = replace(parts, recall=now + more) if which == "recall" else replace(parts, precision=now + more)
    return f"{more:g} more {which} would add {score(bigger.score - parts.score)}"


def _rows(parts: _Parts) -> list[list[float | int | str | None]]:
    steps = [round(float(step), 2) for step in np.linspace(0, 1, 11)]
    sizes = [0, 1_000, 5_000, 10_000, 20_000, 30_000, 50_000]
    cases: list[tuple[str, float, _Parts]] = [
        *(("Recall", step, replace(parts, recall=step)) for step in steps),
        *(("Precision", step, replace(parts, precision=step)) for step in steps),
        *(("Relevant publications", size, replace(parts, n_relevant=size)) for size in sizes),
        ("Now", parts.score, parts),
    ]
    return [[panel, value, *_under_each(case)] for panel, value, case in cases]


def _under_each(parts: _Parts) -> list[float]:
    decayed = parts.precision * parts.price
    betas = (*(beta for beta, _ in OTHER_BETAS), parts.settings.beta)
    return [round(f_beta(decayed, parts.recall, beta=beta), 6) for beta in betas]


LAB = Lab(
    id="f_beta",
    title="F-beta: recall and precision in one number",
    explanation=(
        "F-beta is the weighted harmonic mean of core recall and of semantic precision times decay.\nEach panel "
        "varies one part and keeps the others as set by the sliders. Drag the line in a panel, or use the sliders."
    ),
    controls=controls,
    bench=bench,
    reference=f"van Rijsbergen (1979); with decay: {LITQEVAL}",
)
