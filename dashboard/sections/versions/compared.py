"""The chosen versions side by side under the settings of Explore: values at once, ranges and clusters as they come."""

from __future__ import annotations

from dataclasses import dataclass

from core.comparing.compare import Comparison
from core.protocols import OnStage
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.sections.versions.chosen import Chosen
from data.versions.comparing import compare_in_full


@dataclass(frozen=True, eq=False)
class Compared:
    """What is known of the chosen versions by now."""

    chosen: Chosen
    settings: EvaluationSettings
    states: tuple[str, ...]
    """One word for everything that each version's scores depend on, settings aside."""
    comparison: Comparison
    waiting: tuple[RegionKind, ...]
    """Regions that are still being computed."""
    pair: tuple[str, str]
    """The two that sentences and differences are about: the later minus the earlier."""
    jobs: tuple[Job, ...]
    """What runs in the background."""


def compare_chosen(chosen: Chosen, settings: EvaluationSettings, pair: tuple[str, str]) -> Compared:
    """At least two versions must be chosen."""
    topic_id, labels, embedder = chosen.topic_id, chosen.labels, chosen.embedder
    states = cache.version_states(topic_id, labels, embedder)
    comparison, waiting = cache.comparison(topic_id, labels, embedder, settings, states)
    jobs = _start(chosen, settings, states, comparison, waiting)
    return Compared(chosen, settings, states, comparison, waiting, pair, jobs)


def _start(
    chosen: Chosen,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    comparison: Comparison,
    waiting: tuple[RegionKind, ...],
) -> tuple[Job, ...]:
    """Ranges of what is there first, because a sweep over clusters takes longer."""
    jobs = []
    if not comparison.has_ranges:
        at_once = tuple(kind for kind in DEFAULT_REGIONS if kind not in waiting)
        jobs.append(_start_one("ranges", "Resampling the core", chosen, settings, states, at_once))
    if waiting:
        jobs.append(_start_one("clusters", "Splitting into clusters", chosen, settings, states, DEFAULT_REGIONS))
    return tuple(jobs)


def _start_one(
    what: str,
    title: str,
    chosen: Chosen,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    regions: tuple[RegionKind, ...],
) -> Job:
    def work(on_stage: OnStage) -> None:
        compare_in_full(
            cache.workspace(),
            chosen.topic_id,
            chosen.labels,
            embedder=chosen.embedder,
            settings=settings,
            regions=regions,
            on_stage=on_stage,
        )

    key = f"{'-'.join(states)}-{hash(settings)}-{'-'.join(regions)}"
    return cache.jobs().start_latest(f"compared {what} of {state.visitor()}", key, title, work)
