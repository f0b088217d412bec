"""The lab of sensitivity: a map of F-beta over any two parameters, and the effect of each one alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.explore.labs import PARAMETERS, LabTopic, Parameter, f_beta_grid, f_beta_map, reach
from core.metrics import LITQEVAL
from core.settings import EvaluationSettings
from core.stats import Interval
from core.types import Floats
from dashboard.controls import CONTROLS
from dashboard.explore.labs.bench import (
    Axis,
    Chart,
    Lab,
    LabBench,
    LabChoice,
    LabHeatMap,
    LabMark,
    LabNumber,
    Series,
    Slider,
    Values,
)
from dashboard.explore.labs.controls import (
    TIMES,
    LabTopics,
    f_name,
    listed,
    score,
    settings_from,
    slider_of,
    spaced,
    times_from,
    topic_choice,
    topic_from,
    workspace_topics,
)

N_CELLS = 40
START = 0.5
LABELS: dict[Parameter, str] = {name: CONTROLS[name]["label"] for name in PARAMETERS}
IN_WORDS: dict[Parameter, str] = {
    "min_similarity": "similarity thresholds",
    "decay_limit": "decay limits",
    "decay_onset": "decay onsets",
    "decay_steepness": "decay steepnesses",
    "beta": "betas",
}


def controls(material: LabTopics | None) -> tuple[Slider | LabChoice, ...]:
    threshold = slider_of("min_similarity")
    at = Slider(threshold.name, threshold.label, threshold.help, -1, 1, 0.005, START)
    options = tuple((name, LABELS[name]) for name in PARAMETERS)
    return (
        at,
        *(slider_of(name, expert=name not in ("decay_limit", "beta")) for name in PARAMETERS[1:]),
        LabChoice("x", "Across", "The parameter along the map.", options, "min_similarity"),
        LabChoice(
            "y",
            "Up",
            "The parameter up the map. If equal to across, the next one is used.",
            options,
            "decay_limit",
        ),
        topic_choice(material),
        TIMES,
    )


@dataclass(frozen=True, eq=False)
class _Span:
    name: Parameter
    low: float
    high: float
    is_log: bool

    @classmethod
    def of(cls, name: Parameter, topic: LabTopic) -> _Span:
        """Return its slider's range; for the threshold, the range of similarities."""
        if name == "min_similarity":
            low, high = topic.span
            space = 0.02 * (high - low) or 0.05
            return cls(name, low - space, high + space, False)
        control = CONTROLS[name]
        return cls(name, float(control["min"]), float(control["max"]), control.get("scale") == "log")

    @cached_property
    def values(self) -> Floats:
        """The centres of the cells."""
        edges = spaced(self.low, self.high, 2 * N_CELLS + 1, "log" if self.is_log else "linear")
        return edges[1::2]

    @property
    def axis(self) -> Axis:
        label = LABELS[self.name] + (" (relevant publications)" if self.name == "decay_limit" else "")
        digits = 0 if self.name == "decay_limit" else 2
        return Axis(label, self.low, self.high, "log" if self.is_log else "linear", digits)

    def place(self, value: float) -> float:
        """Return the position of a value, in cells from the start, within the map."""
        low, high, at = np.log([self.low, self.high, value]) if self.is_log else (self.low, self.high, value)
        return float(np.clip((at - low) / (high - low), 0, 1) * N_CELLS)

    def written(self, value: float) -> str:
        return (f"{value:,.0f}" if self.name == "decay_limit" else f"{value:.3g}").replace("-", "−")


@dataclass(frozen=True, eq=False)
class _Map:
    topic: LabTopic
    settings: EvaluationSettings
    times: int
    x: _Span
    y: _Span

    @cached_property
    def scores(self) -> Floats:
        return f_beta_map(
            self.topic,
            self.settings,
            x=(self.x.name, self.x.values),
            y=(self.y.name, self.y.values),
            times=self.times,
        )

    @cached_property
    def now(self) -> float:
        """F-beta with the current settings."""
        return float(f_beta_grid(self.topic, self.settings, {}, times=self.times))

    @cached_property
    def best(self) -> tuple[int, int]:
        """Row and column of the highest cell."""
        row, column = np.unravel_index(int(self.scores.argmax()), self.scores.shape)
        return int(row), int(column)

    @cached_property
    def reaches(self) -> dict[Parameter, Interval]:
        spans = (_Span.of(name, self.topic) for name in PARAMETERS)
        return {s.name: reach(self.topic, self.settings, s.name, s.values, times=self.times) for s in spans}

    @property
    def name(self) -> str:
        """The name of F-beta here; it has no number if beta varies."""
        return "F-beta" if "beta" in (self.x.name, self.y.name) else f_name(self.settings.beta)


def bench(material: LabTopics | None, values: Values) -> LabBench:
    topic = topic_from(material, values)
    x, y = _axes(values)
    found = _Map(topic, settings_from(values), times_from(topic, values), _Span.of(x, topic), _Span.of(y, topic))
    return LabBench(
        charts=(_map_chart(found), _reach_chart(found)),
        numbers=_numbers(found),
        sentence=_sentence(found),
        columns=(f"{LABELS[y]} \\ {LABELS[x]}", *(f"{value:.5g}" for value in found.x.values)),
        rows=[[round(float(value), 6), *listed(row)] for value, row in zip(found.y.values, found.scores, strict=True)],
    )


def _axes(values: Values) -> tuple[Parameter, Parameter]:
    x = next(name for name in PARAMETERS if name == values["x"])
    y = next(name for name in PARAMETERS if name == values["y"])
    return x, y if y != x else PARAMETERS[(PARAMETERS.index(x) + 1) % len(PARAMETERS)]


def _map_chart(found: _Map) -> Chart:
    x, y, scores = found.x, found.y, found.scores
    row, column = found.best
    set_x, set_y = getattr(found.settings, x.name), getattr(found.settings, y.name)
    return Chart(
        id="map",
        title=f"{found.name} over {IN_WORDS[x.name]} and {IN_WORDS[y.name]}",
        x=x.axis,
        y=y.axis,
        cells=LabHeatMap(
            [listed(line) for line in scores],
            found.name,
            low=0.0,
            high=max(float(np.ceil(scores.max() * 10) / 10), 0.1),
            at=(x.place(set_x), y.place(set_y)),
        ),
        series=(
            *_ridge(found),
            Series(
                "dots",
                "Best cell",
                "core",
                [float(x.values[column])],
                [float(y.values[row])],
                width=6,
                edge="background",
            ),
        ),
        marks=(LabMark("x", set_x, "", "text", control=x.name), LabMark("y", set_y, "", "text", control=y.name)),
        height=420,
        description=(
            f"A map of {N_CELLS} times {N_CELLS} cells: {found.name} from {scores.min():.3f} to {scores.max():.3f}, "
            f"highest at {LABELS[x.name].lower()} {x.written(x.values[column])} and {LABELS[y.name].lower()} "
            f"{y.written(y.values[row])}; as set it is {found.now:.3f}."
        ),
    )


def _ridge(found: _Map) -> tuple[Series, ...]:
    """Draw the best threshold for each value of the other parameter: only a threshold has an interior optimum."""
    x, y, scores = found.x, found.y, found.scores
    if "min_similarity" not in (x.name, y.name):
        return ()
    is_across = x.name == "min_similarity"
    lines = scores if is_across else scores.T
    # Where a line is flat, its best cell is arbitrary.
    stands_out = lines.max(axis=1) - lines.min(axis=1) > 0.005
    best, other = (x, y) if is_across else (y, x)
    places = listed(best.values[lines.argmax(axis=1)[stands_out]]), listed(other.values[stands_out])
    across, up = places if is_across else places[::-1]
    return (Series("line", "Best threshold for each", "core", across, up, (4, 4), 1.5, expert=True),) if across else ()


def _reach_chart(found: _Map) -> Chart:
    order = PARAMETERS[::-1]  # from the bottom up, and always the same: nothing jumps while a slider moves
    lines = [
        Series("line", "", "relevant", [found.reaches[name].low, found.reaches[name].high], [i, i], width=7)
        for i, name in enumerate(order)
    ]
    most = max(PARAMETERS, key=lambda name: found.reaches[name].width)
    return Chart(
        id="reach",
        title=f"Alone, the {LABELS[most].lower()} moves F-beta the most",
        x=Axis("F-beta over the parameter's whole range", 0, 1),
        y=Axis("", -0.5, len(order) - 0.5, names=tuple(LABELS[name] for name in order)),
        series=(
            *lines,
            Series("dots", "As set", "text", [found.now] * len(order), list(range(len(order))), width=4, cross=True),
        ),
        height=420,
        description="How far F-beta moves if one parameter alone takes every value of its range: "
        + "; ".join(
            f"{LABELS[name].lower()} {found.reaches[name].low:.3f} to {found.reaches[name].high:.3f}"
            for name in reversed(order)
        )
        + ".",
    )


def _numbers(found: _Map) -> tuple[LabNumber, ...]:
    row, column = found.best
    x, y = found.x, found.y
    return (
        LabNumber(f"{f_name(found.settings.beta)} as set", score(found.now)),
        LabNumber(
            "Highest on the map",
            score(float(found.scores.max())),
            f"{LABELS[x.name]} {x.written(x.values[column])}, {LABELS[y.name].lower()} {y.written(y.values[row])}.",
        ),
        LabNumber("Lowest on the map", score(float(found.scores.min()))),
        *(
            LabNumber(
                f"Over {IN_WORDS[span.name]}", f"{found.reaches[span.name].width:.3f}", "Highest minus lowest F-beta."
            )
            for span in (x, y)
        ),
    )


def _sentence(found: _Map) -> str:
    if not found.topic.n:
        return "Nothing that could be scored was retrieved, so F-beta is 0 everywhere."
    first, second = sorted((found.x.name, found.y.name), key=lambda name: -found.reaches[name].width)
    return (
        f"{found.name} moves by {found.reaches[first].width:.2f} across {IN_WORDS[first]} and by "
        f"{found.reaches[second].width:.2f} across {IN_WORDS[second]}, the others as set."
    )


LAB = Lab(
    id="sensitivity",
    title="Sensitivity: which parameter matters",
    explanation=(
        "Every cell of the map is one evaluation: F-beta under two parameters, the others where the sliders are.\n"
        "Where the colour hardly changes, the choice hardly matters. The cross is what is set, the dot the best cell."
    ),
    controls=controls,
    bench=bench,
    reference=LITQEVAL,
    material=workspace_topics,
)
