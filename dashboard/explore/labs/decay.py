"""The lab of decay: the cost of a result's size, and the size with the highest F-beta for any topic."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.explore.labs import REFERENCE_SIZES, half_size, published_decay, saturated_f_beta
from core.metrics import LITQEVAL, Counts, best_size, decay
from core.settings import EvaluationSettings
from dashboard.explore.labs.bench import (
    Axis,
    Chart,
    Lab,
    LabBench,
    LabChoice,
    LabMark,
    LabNumber,
    Series,
    Slider,
    Values,
)
from dashboard.explore.labs.controls import (
    DEFAULTS,
    count,
    f_name,
    listed,
    score,
    settings_from,
    slider_of,
    spaced,
    whole,
)

N_SAMPLES = 240
LINEAR_UP_TO = 60_000
LOG_FROM, LOG_UP_TO = 10, 1_000_000
AXES = (("linear", "Even steps"), ("log", "Powers of ten"))


def controls(material: Any) -> tuple[Slider | LabChoice, ...]:
    retrieved = Slider(
        "n_retrieved",
        "Publications retrieved",
        "Semantic precision is relevant / retrieved. This setting doesn't move the peak.",
        min=500,
        max=500_000,
        step=1,
        value=40_000,
        scale="log",
        expert=True,
    )
    return (
        *(slider_of(name) for name in ("decay_limit", "decay_onset", "decay_steepness")),
        slider_of("beta", expert=True),
        retrieved,
        LabChoice(
            "axis", "Size axis", "Powers of ten show small results as well as large ones.", AXES, "linear", expert=True
        ),
    )


def bench(material: Any, values: Values) -> LabBench:
    settings, n_retrieved = settings_from(values), round(float(values["n_retrieved"]))
    axis = _axis(settings, values)
    n = whole(spaced(axis.min, axis.max, N_SAMPLES, axis.scale))
    peak = best_size(**settings.decay_curve)
    return LabBench(
        charts=(_decay_chart(n, axis, settings, peak), _f_chart(n, axis, settings, n_retrieved, peak)),
        numbers=_numbers(settings, peak),
        sentence=_sentence(settings, peak, n_retrieved),
        columns=("Relevant publications", "Decay", "Decay by default", f"{f_name(settings.beta)} at full recall"),
        rows=_rows(n, settings, n_retrieved, peak),
    )


def _axis(settings: EvaluationSettings, values: Values) -> Axis:
    label = "Relevant publications"
    if values["axis"] == "log":
        return Axis(label, LOG_FROM, LOG_UP_TO, scale="log", digits=0)
    return Axis(label, 0, max(LINEAR_UP_TO, 1.1 * settings.decay_limit), digits=0)


def _decay_chart(n: Counts, axis: Axis, settings: EvaluationSettings, peak: float) -> Chart:
    half = half_size(**settings.decay_curve)
    return Chart(
        id="decay",
        title=f"The decay is 0.5 at {count(round(half, 1))} and 0 from {count(round(settings.decay_limit))} on",
        x=axis,
        y=Axis("Decay, 0 to 1", 0, 1),
        series=(
            Series(
                "line",
                "By default",
                "not_relevant",
                listed(n),
                listed(decay(n, **DEFAULTS.decay_curve)),
                (4, 4),
                1.5,
                expert=True,
            ),
            Series("line", "Decay", "text", listed(n), listed(decay(n, **settings.decay_curve))),
            Series("dots", "Decay 0.5", "text", [half], [0.5], width=5, hollow=True),
        ),
        marks=(
            LabMark("x", peak, f"n* {peak:,.0f}", "text"),
            LabMark("x", settings.decay_limit, f"limit {settings.decay_limit:,.0f}", control="decay_limit"),
        ),
        description=(
            "A line that falls from 1 for an empty result to 0 at the decay limit, over the number of relevant "
            f"publications, beside the same line with the default settings. It passes 0.5 at {half:,.0f}."
        ),
    )


def _f_chart(n: Counts, axis: Axis, settings: EvaluationSettings, n_retrieved: int, peak: float) -> Chart:
    name = f_name(settings.beta)
    best = min(round(peak), n_retrieved)
    top = saturated_f_beta(np.array([best]), n_retrieved=n_retrieved, settings=settings)
    fits = n[n <= n_retrieved]
    usual = EvaluationSettings(beta=settings.beta)
    by_default = saturated_f_beta(fits, n_retrieved=n_retrieved, settings=usual)
    now = saturated_f_beta(fits, n_retrieved=n_retrieved, settings=settings)
    is_cut = peak > n_retrieved
    return Chart(
        id="f_beta",
        title=f"{name} with every core publication accepted: highest at {count(best)}",
        x=axis,
        y=Axis(f"{name} at recall 1", 0, 1),
        series=(
            Series("line", "By default", "not_relevant", listed(fits), listed(by_default), (4, 4), 1.5, expert=True),
            Series("line", f"{name} at recall 1", "text", listed(fits), listed(now)),
            Series("dots", "Highest", "core", [best], listed(top), width=5),
        ),
        marks=() if is_cut else (LabMark("x", peak, f"n* {peak:,.0f}", "text"),),
        description=(
            f"{name} over the number of relevant publications where recall is 1 and precision is the share of the "
            f"{n_retrieved:,} retrieved. It rises to {float(top[0]):.3f} at {best:,} and falls beyond."
        ),
    )


def _numbers(settings: EvaluationSettings, peak: float) -> tuple[LabNumber, ...]:
    beyond = 2 * settings.decay_limit
    published = published_decay(beyond, **settings.decay_curve)
    shown = "–" if published is None else f"{published:,.1f}" if abs(published) < 1e6 else f"{published:.2e}"
    return (
        LabNumber("Best size n*", f"{peak:,.1f}", "Relevant publications at which F-beta is highest."),
        LabNumber("Decay at n*", score(decay(round(peak), **settings.decay_curve))),
        LabNumber("Decay is 0.5 at", f"{half_size(**settings.decay_curve):,.1f}", "Relevant publications."),
        LabNumber("Formula of n*", f"{peak:,.1f}", "limit · (1 + onset · steepness)^(-1/onset)", expert=True),
        LabNumber(
            f"Published formula at {beyond:,.0f}",
            shown,
            "No value: a negative number to a fractional power. Here it is 0."
            if published is None
            else "Not 0: beyond the limit it rises again. Here it stays 0.",
            expert=True,
        ),
    )


def _sentence(settings: EvaluationSettings, peak: float, n_retrieved: int) -> str:
    name = f_name(settings.beta)
    start = f"Whatever the topic, once every core publication is accepted {name} is highest at {peak:,.1f} relevant "
    if peak > n_retrieved:
        return f"{start}publications; only {n_retrieved:,} were retrieved here, so it rises to the end of the list."
    return f"{start}publications: below that a longer list still pays, beyond it every publication costs."


def _rows(n: Counts, settings: EvaluationSettings, n_retrieved: int, peak: float) -> list[list[float | None]]:
    sizes = np.unique([*REFERENCE_SIZES, round(peak), *n[::24]])
    now, usual = decay(sizes, **settings.decay_curve), decay(sizes, **DEFAULTS.decay_curve)
    f = saturated_f_beta(sizes, n_retrieved=n_retrieved, settings=settings)
    return [
        [int(size), round(float(a), 6), round(float(b), 6), round(float(c), 6) if size <= n_retrieved else None]
        for size, a, b, c in zip(sizes, now, usual, f, strict=True)
    ]


LAB = Lab(
    id="decay",
    title="Decay: the cost of size",
    explanation=(
        "No one reads 50,000 publications, so semantic precision is multiplied by the decay: 1 for an empty result, "
        "0 at the limit.\nMove limit, onset and steepness to see where F-beta is highest once recall can't grow."
    ),
    controls=controls,
    bench=bench,
    reference=LITQEVAL,
)
