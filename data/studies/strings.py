"""Baseline, generated and review strings of many topics: what is there, and how to make what is still missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import InputError, QueryscapeError, StoreError
from core.protocols import JsonModel, OnStage, silent
from core.studies.core_sets import TopicScores
from core.studies.strings import TopicStrings, by_topic
from core.writer.types import STATISTICS, Brief, Gain
from data.clock import Clock, utc_now
from data.studies.scores import Wanted, named_stages, runs_by_origin
from data.workspace import Workspace
from data.writer.keeping import find_writing
from data.writer.saving import save_step
from data.writer.wanted import Recipe
from data.writer.wanted import Wanted as WantedWriting
from data.writer.writing import write

Way = Literal["statistics", "demo"]
"""Who writes what is missing; both need neither a key nor a connection."""
WAYS: tuple[Way, ...] = get_args(Way)
Lack = Literal["string", "run", "corpus", "core"]
"""string: none was generated. run: its text is there, but what it retrieves is not. corpus, core: without
publications beside the core, or without core publications, a string can be neither written nor judged."""
OUTSIDE = (
    "lists brought in from outside stand beside lists that were run here, over what the workspace has of the topic: "
    "neither their sizes nor their scores compare fairly"
)
_MADE_UP = re.compile(r"\s*\(made up\)\s*$", re.IGNORECASE)


def about(topic_id: str) -> str:
    """What a topic is about, from its name.

    >>> about("Sleep and shift work (made up)")
    'Sleep and shift work'
    """
    return _MADE_UP.sub("", topic_id) or topic_id


# What is there


def rows_of(
    workspace: Workspace, wanted: Sequence[Wanted], scores: Mapping[Wanted, TopicScores]
) -> tuple[TopicStrings, ...]:
    """One row for each topic: what its strings score, and what the generated one gained when it was written here."""
    return by_topic(((w.origin, scores[w]) for w in wanted), gains_of(workspace, wanted))


def gains_of(workspace: Workspace, wanted: Iterable[Wanted]) -> dict[str, Gain]:
    """By topic: what its generated string gained on the held-out half, where it was written here."""
    found = {}
    for w in wanted:
        if w.origin != "generated":
            continue
        steps = workspace.store.rows(
            """
            SELECT writing_id, number FROM writer_steps JOIN writings USING (writing_id)
            WHERE topic_id = ? AND label = ? ORDER BY writings.made_at DESC, number LIMIT 1
            """,
            [w.topic_id, w.row.version.label],
        )
        for writing_id, number in steps:
            step = next(s for s in find_writing(workspace.store, writing_id).steps if s.number == number)
            if step.gain is not None:
                found[w.topic_id] = step.gain
    return found


def beware(wanted: Sequence[Wanted]) -> tuple[tuple[str, str], ...]:
    """Topics whose lists may come from different publications, each with the reason."""
    found = []
    for topic_id in dict.fromkeys(w.topic_id for w in wanted):
        of = [w.row for w in wanted if w.topic_id == topic_id]
        states = {row.corpus_state for row in of}
        if len(states - {None}) > 1:
            found.append((topic_id, "its strings were run over different states of its corpus"))
        elif None in states and len(states) > 1:
            found.append((topic_id, OUTSIDE))
    return tuple(found)


# What is missing


@dataclass(frozen=True, slots=True)
class Lacking:
    """A topic without a generated string that was run."""

    topic_id: str
    lack: Lack
    label: str | None = None
    """The version whose text was never run."""
    text: str = ""
    has_baseline: bool = False

    @property
    def can_be_made(self) -> bool:
        """Whether the string can be written, or run, over what the topic has."""
        return self.lack in ("string", "run")


def lacking(workspace: Workspace, topics: Sequence[str], *, anew: bool = False) -> tuple[Lacking, ...]:
    """Which of these topics have no generated string that was run. `anew`: all of them count as having none."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    texts: dict[str, tuple[str, str]] = {}
    for row in workspace.store.versions():
        version = row.version
        if version.origin == "generated" and version.text.strip() and row.retrieved_hash is None:
            texts[version.topic_id] = (version.label, version.text)
    found = []
    for topic_id in topics:
        if "generated" in runs[topic_id] and not anew:
            continue
        label, text = (None, "") if anew else texts.get(topic_id, (None, ""))
        lack: Lack = "run" if label else "string"
        if not n_core.get(topic_id):
            lack = "core"
        elif set(workspace.store.searchable_ids(topic_id)) <= set(workspace.store.load_core(topic_id).ids):
            lack = "corpus"  # whatever a string retrieved there would be a core publication
        found.append(Lacking(topic_id, lack, label, text, "baseline" in runs[topic_id]))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Making:
    """How what is missing is made."""

    way: Way = "statistics"
    embedder: str | None = None
    """None: the only one that a topic has."""
    seed: int = 0
    """Of the choice which core publications are held out."""
    models: Mapping[str, JsonModel] | None = None
    """By name, in the place of those that the way names."""
    clock: Clock = utc_now


@dataclass(frozen=True, slots=True)
class Made:
    """A version that a topic has now."""

    topic_id: str
    label: str
    writing_id: str | None = None
    """None: it was not written, only run."""
    problem: str | None = None
    """What went wrong on the way to it."""


def make_missing(
    workspace: Workspace, missing: Sequence[Lacking], making: Making, *, on_stage: OnStage = silent
) -> tuple[Made, ...]:
    """Write or run what can be made, topic by topic; what is done when it is stopped stays, and is not done again."""
    if making.way not in WAYS:
        raise InputError(f'nobody writes by "{making.way}": choose one of {", ".join(WAYS)}')
    waiting = [each for each in missing if each.can_be_made]
    made, failed = [], []
    for number, each in enumerate(waiting, start=1):
        stages = named_stages(on_stage, f"{number} of {len(waiting)}: {each.topic_id}")
        try:
            made.append(
                _run(workspace, each, making) if each.lack == "run" else _write(workspace, each, making, stages)
            )
        except StoreError:
            raise
        except QueryscapeError as e:
            failed.append(f"{each.topic_id}: {e}")
    if failed:
        raise InputError(f"{len(failed)} of {len(waiting)} could not be made: {'; '.join(failed)}")
    return tuple(made)


def _run(workspace: Workspace, each: Lacking, making: Making) -> Made:
    row = workspace.run_query(each.topic_id, each.text, origin="generated", parent=each.label, clock=making.clock)
    return Made(each.topic_id, row.version.label)


def _write(workspace: Workspace, each: Lacking, making: Making, on_stage: OnStage) -> Made:
    recipes = () if making.way == STATISTICS else (Recipe(making.way, seed=making.seed),)
    brief = Brief(about(each.topic_id), seed=making.seed)
    wanted = WantedWriting(each.topic_id, brief, recipes=recipes, embedder=making.embedder)
    writing = write(workspace, wanted, models=making.models, clock=making.clock, on_stage=on_stage)
    best = writing.best
    if best is None or not best.text:
        raise InputError(writing.problem or "its publications give no keyword to write a string with")
    if not each.has_baseline and writing.baseline is not None and writing.baseline.text:
        save_step(workspace, writing.writing_id, 0, origin="baseline", clock=making.clock)
    row = save_step(workspace, writing.writing_id, best.number, origin="generated", clock=making.clock)
    problem = writing.problem
    if row.version.origin != "generated":  # a text that was run before is that version again
        problem = f'what was written is the same as version "{row.version.label}", of origin {row.version.origin}'
    return Made(each.topic_id, row.version.label, writing.writing_id, problem)
