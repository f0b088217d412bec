"""Work that a run of a judge takes, in the background: gathering what is judged, and judging it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from core.judging.types import Field
from core.protocols import OnStage
from core.text import listed
from dashboard import cache
from dashboard.jobs import Job
from dashboard.kept import Kept
from dashboard.sections.judge.run.what import What
from data.judging.demo_judge import open_judge_model
from data.judging.keeping.runs import JudgeRunRow, find_judge_run
from data.judging.running.asking import Done, judge_run

FIELD, JUDGING, FIRST = "judge-field", "judging", "judging-demo"
MOST_FIELDS = 4
"""That are kept, of up to 50,000 candidates each."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a service is asked; it changes no grade."""

    n_workers: int = 16
    per_minute: float | None = None
    """None: as fast as the workers are."""

    @classmethod
    def of(cls, document: Any) -> Pace:
        """As a run keeps it."""
        n = document.get("n_workers")
        rate = document.get("per_minute")
        return cls(n if isinstance(n, int) else 16, float(rate) if isinstance(rate, int | float) else None)


def _gathered() -> Kept:
    return cache.kept("judge-field", MOST_FIELDS)


def find_field(what: What) -> tuple[Field | None, Job | None]:
    """What was gathered, or how far that is; neither: nobody asked for it."""
    found = _gathered().get(what.key)
    return found, cache.jobs().find(f"{FIELD}:{what.key}")


def gather(what: What) -> None:
    """Have it gathered, unless it is there or on its way."""
    kept, key = _gathered(), f"{FIELD}:{what.key}"
    if what.key in kept:
        return

    def work(on_stage: OnStage) -> None:
        kept[what.key] = what.make(on_stage)

    job = cache.jobs().find(key)
    if job is not None and job.is_over:
        cache.jobs().forget(key)
    cache.jobs().start(key, "Gathering what is to be judged", work, lane="long")


def job_of(run_id: str) -> Job | None:
    """The job that judges this run, at work or over."""
    return cache.jobs().find(f"{JUDGING}:{run_id}")


def is_judging(run_id: str) -> bool:
    """Whether it is at work."""
    job = job_of(run_id)
    return job is not None and not job.is_over


def start_judging(row: JudgeRunRow, *, again: bool = False) -> None:
    """Begin or go on. A model without a key is an error before anything is asked."""
    if is_judging(row.run_id):
        return
    model = open_judge_model(
        row.settings.model, preset=row.document.get("preset"), base_url=row.document.get("base_url")
    )
    pace, key = Pace.of(row.document), f"{JUDGING}:{row.run_id}"
    cache.jobs().forget(key)
    cache.run_failures().pop(key, None)
    work = partial(_judge, row.run_id, model, pace, again)
    cache.jobs().start(key, f"Judging {row.name}", work, lane="judge")


def _judge(run_id: str, model: Any, pace: Pace, again: bool, on_stage: OnStage) -> None:
    store = cache.workspace().store
    row = find_judge_run(store, run_id)
    done = judge_run(
        store, row, model, n_workers=pace.n_workers, per_minute=pace.per_minute, on_stage=on_stage, again=again
    )
    notes = () if done.statuses.get("http_error") else done.notes  # failures are spoken of where the runs are
    said = {"done": _summary(done)} | {f"note {place}": note for place, note in enumerate(notes)}
    cache.run_failures()[f"{JUDGING}:{run_id}"] = said


def _summary(done: Done) -> str:
    parts = [f"{done.n_asked:,} asked by {done.n_calls:,} calls"]
    if done.n_known:
        parts.append(f"{done.n_known:,} were known")
    return listed(parts)


def what_came(run_id: str) -> list[str]:
    """What the last work on a run has to say."""
    return list(cache.run_failures().get(f"{JUDGING}:{run_id}", {}).values())


def forget(run_id: str) -> None:
    """What ended is no longer spoken of."""
    if not is_judging(run_id):
        cache.jobs().forget(f"{JUDGING}:{run_id}")
        cache.run_failures().pop(f"{JUDGING}:{run_id}", None)
