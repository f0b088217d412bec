"""The lab of the similarity threshold: one slider, and the number of publications that it accepts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.explore.labs import LabTopic
from core.metrics import LITQEVAL, METRICS, SimilaritySweep
from core.settings import EvaluationSettings
from core.types import Floats
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
    TIMES,
    LabTopics,
    count,
    f_name,
    listed,
    score,
    settings_from,
    similarity,
    slider_of,
    times_from,
    topic_choice,
    topic_from,
    workspace_topics,
)

N_BINS = 48
N_SAMPLES = 200
START = 0.5


@dataclass(frozen=True, eq=False)
class _Split:
    topic: LabTopic
    at: float
    settings: EvaluationSettings
    times: int
    best: float | None

    def sweep(self, thresholds: Floats) -> SimilaritySweep:
        return self.topic.scores(thresholds, self.settings, times=self.times)

    @property
    def n(self) -> int:
        return int(self.topic.n_relevant(np.array([self.at]))[0])

    @cached_property
    def axis(self) -> Axis:
        low, high = self.topic.span
        space = 0.02 * (high - low) or 0.05
        return Axis("Similarity to the core's centre (cosine)", low - space, high + space)

    @property
    def marks(self) -> tuple[LabMark, ...]:
        best, usual = self.best, self.topic.left_out
        marks = [
            LabMark("x", self.at, f"set {similarity(self.at)}", control="min_similarity"),
            *([LabMark("x", best, f"best {similarity(best)}", "text")] if best is not None else []),
            *([LabMark("x", usual, f"default {similarity(usual)}", "core")] if usual is not None else []),
        ]
        return tuple(mark for mark in marks if self.is_drawn(mark.at))

    def is_drawn(self, at: float) -> bool:
        return self.axis.min <= at <= self.axis.max


def controls(material: LabTopics | None) -> tuple[Slider | LabChoice, ...]:
    threshold = slider_of("min_similarity")
    at = Slider(threshold.name, threshold.label, threshold.help, -1, 1, 0.005, START)
    return (at, topic_choice(material), TIMES, slider_of("beta", expert=True), slider_of("decay_limit", expert=True))


def bench(material: LabTopics | None, values: Values) -> LabBench:
    topic, settings = topic_from(material, values), settings_from(values)
    times = times_from(topic, values)
    split = _Split(topic, settings.min_similarity, settings, times, topic.best(settings, times=times))
    here = split.sweep(np.array([split.at]))
    return LabBench(
        charts=(_strip(split, here), _curves(split), _gain(split, here)),
        numbers=_numbers(split, here),
        sentence=_sentence(split, here),
        columns=(
            *("Similarity threshold", "Relevant", "Core accepted"),
            *("Semantic precision", "Core accepted, share", "Decay"),
            f_name(settings.beta),
            "Source's variant",
        ),
        rows=_rows(split),
    )


def _strip(split: _Split, here: SimilaritySweep) -> Chart:
    topic, axis = split.topic, split.axis
    edges = np.linspace(axis.min, axis.max, N_BINS + 1)
    all_of = np.histogram(topic.ascending, edges)[0]
    accepted = np.histogram(topic.ascending[topic.n - split.n :], edges)[0]
    middles, top = (edges[:-1] + edges[1:]) / 2, float(max(all_of.max(initial=0), 1))
    core, n_in = topic.core_ascending, int(here.n_accepted_core[0])
    core_in, core_out = core[len(core) - n_in :], core[: len(core) - n_in]
    lane = -0.09 * top
    return Chart(
        id="publications",
        title="Everything to the right of the threshold counts as relevant",
        x=axis,
        y=Axis("Publications", -0.18 * top, 1.05 * top, digits=0),
        series=(
            Series("bars", "Not relevant", "not_relevant", listed(middles), listed(all_of)),
            Series("bars", "Relevant", "relevant", listed(middles), listed(accepted)),
            Series(
                "dots", "Core, not accepted", "core", listed(core_out), [lane] * len(core_out), width=5, hollow=True
            ),
            Series("dots", "Core accepted", "core", listed(core_in), [lane] * len(core_in), width=5, edge="core_edge"),
        ),
        marks=split.marks,
        wide=True,
        height=260,
        description=(
            f"Histogram of {topic.n:,} publications by similarity to the core's centre, from {topic.span[0]:.2f} to "
            f"{topic.span[1]:.2f}. {split.n:,} lie right of {split.at:.3f}; below "
            f"them a row of dots, the core publications, {n_in} of {topic.n_core} accepted."
        ),
    )


def _curves(split: _Split) -> Chart:
    axis, name = split.axis, f_name(split.settings.beta)
    special = [at for at in (split.at, split.best) if at is not None and split.is_drawn(at)]
    x = np.unique([*np.linspace(axis.min, axis.max, N_SAMPLES), *special])
    sweep, here = split.sweep(x), split.sweep(np.array([split.at]))
    return Chart(
        id="curves",
        title=f"{name} weighs recall retained against list length",
        x=axis,
        y=Axis("Score, 0 to 1", 0, 1),
        series=(
            Series("line", METRICS["core_accepted"].label, "core", listed(x), listed(sweep.core_accepted), width=1.5),
            Series("line", "Semantic precision", "relevant", listed(x), listed(sweep.semantic_precision), (6, 3), 1.5),
            Series("line", "Decay", "faint", listed(x), listed(sweep.decay), (2, 3), 1.5),
            Series("line", f"{name} (with decay)", "text", listed(x), listed(sweep.f_beta), width=2.6),
            *(
                [Series("dots", "Now", "text", [split.at], listed(here.f_beta), width=6)]
                if split.is_drawn(split.at)
                else []
            ),
        ),
        marks=split.marks[:2],
        description=(
            f"Core accepted, semantic precision, decay and {name} over the similarity threshold. The first two "
            f"fall as it rises, the decay rises. {name} is {float(here.f_beta[0]):.3f} at {split.at:.3f}"
            + (f" and highest at {split.best:.3f}." if split.best is not None else ".")
        ),
    )


def _gain(split: _Split, here: SimilaritySweep) -> Chart:
    topic = split.topic
    is_core = np.concatenate([[0], np.cumsum(topic.core_mask[::-1])])
    kept = np.unique(
        np.concatenate(
            [np.linspace(0, topic.n, min(topic.n + 1, 400)).astype(int), 1 + np.flatnonzero(np.diff(is_core))]
        )
    )
    n, accepted = split.n, int(here.n_accepted_core[0])
    chance = topic.core_mask.sum()
    return Chart(
        id="gain",
        title="Accepted core publications, cumulative from the most similar",
        x=Axis("Relevant publications", 0, max(topic.n, 1), digits=0),
        y=Axis("Core publications accepted", 0, max(topic.n_core, 1), digits=0),
        series=(
            Series("line", "If drawn by chance", "faint", [0, topic.n], [0, float(chance)], (2, 3), 1.2),
            Series("line", "Most similar first", "core", listed(kept), listed(is_core[kept])),
            Series("dots", "Now", "core", [n], [accepted], width=6, edge="core_edge"),
        ),
        marks=(LabMark("y", topic.n_core, f"all {topic.n_core} core", "faint"),) if topic.scene.missed_ids else (),
        description=(
            f"Accepted core publications over the number of relevant ones, the most similar first: {accepted} of "
            f"{topic.n_core} after {n:,} of {topic.n:,}. The straight line is what chance would give."
        ),
    )


def _numbers(split: _Split, here: SimilaritySweep) -> tuple[LabNumber, ...]:
    topic = split.topic
    stands = f" Each stands for {split.times}." if split.times > 1 else ""
    missed = len(topic.scene.missed_ids)
    share = score(float(here.core_accepted[0]) if topic.n else None)
    return (
        LabNumber(
            "Relevant",
            f"{split.n:,} of {topic.n:,}" if topic.n else score(None),
            f"Retrieved publications that reach the threshold.{stands}",
            "relevant",
        ),
        LabNumber(
            "Core accepted",
            f"{int(here.n_accepted_core[0])} of {topic.n_core} ({share})" if topic.n else share,
            f"{missed} of them can't be: they were not retrieved." if missed else "All were retrieved.",
            "core",
        ),
        LabNumber("Semantic precision", score(float(here.semantic_precision[0]) if topic.n else None)),
        LabNumber("Decay", score(float(here.decay[0]) if topic.n else None)),
        LabNumber(f"{f_name(split.settings.beta)} (with decay)", score(float(here.f_beta[0]) if topic.n else None)),
    )


def _sentence(split: _Split, here: SimilaritySweep) -> str:
    topic, name = split.topic, f_name(split.settings.beta)
    if not topic.n:
        return "Nothing that could be scored was retrieved: a threshold has no effect."
    n, accepted = split.n, int(here.n_accepted_core[0])
    now = (
        f"At {similarity(split.at)}, {count(n)} of {count(topic.n)} publications are relevant and {accepted} of "
        f"{topic.n_core} core publications are accepted: {name} is {score(float(here.f_beta[0]))}"
    )
    if split.best is None:
        return f"{now}, as it is everywhere: no core publication was found."
    at_best = score(float(split.sweep(np.array([split.best])).f_beta[0]))
    if split.best <= topic.span[0]:
        return f"{now}; it would be highest, {at_best}, with everything accepted: this list is too short to cost much."
    return f"{now}; it would be highest, {at_best}, at {similarity(split.best)}."


def _rows(split: _Split) -> list[list[float | int | str | None]]:
    low, high = split.topic.span
    marked = [at for at in (split.at, split.best, split.topic.left_out) if at is not None]
    sweep = split.sweep(np.unique([*np.arange(np.floor(low * 20) / 20, high + 0.05, 0.05).round(2), *marked]))
    parts = (sweep.semantic_precision, sweep.core_accepted, sweep.decay, sweep.f_beta, sweep.f_beta_inverse)
    return [
        [
            *(round(float(at), 6), int(n) // split.times, int(core)),
            *(round(float(part[i]), 6) if split.topic.n else None for part in parts),
        ]
        for i, (at, n, core) in enumerate(
            zip(sweep.min_similarity, sweep.n_relevant, sweep.n_accepted_core, strict=True)
        )
    ]


LAB = Lab(
    id="threshold",
    title="Similarity threshold: strict or loose",
    explanation=(
        "A publication counts as relevant if it is similar enough to the centre of the core; you set the "
        "threshold.\nA stricter threshold shortens the list but loses core publications; a looser one keeps more but "
        "costs reading."
    ),
    controls=controls,
    bench=bench,
    reference=LITQEVAL,
    material=workspace_topics,
)
