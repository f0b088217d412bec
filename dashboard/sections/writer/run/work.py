"""Work that the page has done in the background: dry runs, writing, going on with it, and refining."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from core.protocols import OnStage
from core.writer.types import Budget
from dashboard import cache, state
from dashboard.jobs import Job, Work
from dashboard.sections.writer.opened import CANDIDATES, REFINE, open_writing
from data.store import content_hash
from data.writer.keeping import Wanted
from data.writer.writing import Plan, plan, refine, resume, write

WRITING_JOB, REFINING_JOB, PLAN_JOB = "writing", "refining", "writer-plan"
MOST_PLANS, MOST_WRITTEN = 16, 64
BEGUN = "writer-begun"
"""The job that this visitor waits for; its end opens what it wrote."""


def job_of(topic_id: str) -> Job | None:
    """The job that writes for this topic, at work or over: one at a time."""
    return cache.jobs().find(f"{WRITING_JOB}:{topic_id}")


def refining_of(writing_id: str) -> Job | None:
    """The job that refines a string of this writing, at work or over."""
    return cache.jobs().find(f"{REFINING_JOB}:{writing_id}")


def is_at_work(job: Job | None) -> bool:
    """Whether something may still come of it."""
    return job is not None and not job.is_over


def start_writing(wanted: Wanted) -> None:
    """Write in the background; what was begun for the topic before goes on first."""
    key = f"{WRITING_JOB}:{wanted.topic_id}"
    _start(key, "Writing search strings", partial(_write, key, wanted))


def start_again(topic_id: str, writing_id: str) -> None:
    """Go on with a writing that ended early."""
    key = f"{WRITING_JOB}:{topic_id}"
    _start(key, "Going on with writing", partial(_resume, key, writing_id))


def start_refining(writing_id: str, number: int, budget: Budget) -> None:
    """Refine one step of a writing."""
    key = f"{REFINING_JOB}:{writing_id}"
    _start(key, "Refining the string", partial(_refine, key, writing_id, number, budget))


def _start(key: str, title: str, work: Work) -> None:
    state.say(BEGUN, key)
    cache.jobs().start(key, title, work, lane="long", anew=True)


def _written() -> dict[str, str]:
    return cache.kept("writer-written", MOST_WRITTEN)


def _write(key: str, wanted: Wanted, on_stage: OnStage) -> None:
    _written()[key] = write(cache.workspace(), wanted, on_stage=on_stage).writing_id


def _resume(key: str, writing_id: str, on_stage: OnStage) -> None:
    _written()[key] = resume(cache.workspace(), writing_id, on_stage=on_stage).writing_id


def _refine(key: str, writing_id: str, number: int, budget: Budget, on_stage: OnStage) -> None:
    _written()[key] = refine(cache.workspace(), writing_id, number, budget=budget, on_stage=on_stage).writing_id


def open_what_came(job: Job | None) -> bool:
    """Whether the job that this visitor waited for has come to its end: then what it wrote is opened."""
    if job is None or not job.is_over or state.said(BEGUN) != job.key:
        return False
    if not job.finished:
        return False
    state.say(BEGUN, None)
    if (writing_id := _written().get(job.key)) is not None:
        open_writing(writing_id, REFINE if job.key.startswith(f"{REFINING_JOB}:") else CANDIDATES)
    return True


def forget(job: Job) -> None:
    """How it ended is no longer spoken of."""
    if job.is_over:
        cache.jobs().forget(job.key)
    if state.said(BEGUN) == job.key:
        state.say(BEGUN, None)


# The dry run


def plan_key(wanted: Wanted) -> str:
    """The same for the same choices over the same topic."""
    store = cache.workspace().store
    supporting = content_hash([repr(each) for each in wanted.supporting])
    answered = store.rows("SELECT count(*) FROM writer_calls")
    return content_hash(
        [repr(replace(wanted, supporting=())), supporting, store.topic_state(wanted.topic_id), repr(answered)]
    )


def planned(wanted: Wanted) -> tuple[Plan | None, Job | None]:
    """What was counted, or the job that counts; neither: nobody asked for it."""
    key = plan_key(wanted)
    found: Plan | None = cache.kept(PLAN_JOB, MOST_PLANS).get(key)
    return found, cache.jobs().find(f"{PLAN_JOB}:{key}")


def start_plan(wanted: Wanted) -> None:
    """Count what a writing would ask. Nothing is sent."""
    key = plan_key(wanted)
    work = partial(_plan, key, wanted)
    cache.jobs().start(f"{PLAN_JOB}:{key}", "Counting what would be asked", work, lane="count", anew=True)


def _plan(key: str, wanted: Wanted, on_stage: OnStage) -> None:
    on_stage("reading the topic")
    cache.kept(PLAN_JOB, MOST_PLANS)[key] = plan(cache.workspace(), wanted)
