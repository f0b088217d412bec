"""`query write`, `query writings` and `query steps`: strings written for a topic, each with its scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from core.errors import InputError, NotFoundError
from core.protocols import OnStage
from core.writer.types import Step
from dashboard.commands import options
from dashboard.commands.output import print_json, say, waiting, warn
from dashboard.commands.query_write_documents import writing_document, writings_document
from dashboard.commands.query_write_tables import (
    NOT_A_MODEL,
    print_calls,
    print_held_back,
    print_step,
    print_steps,
    print_writing,
    print_writings,
    show_plan,
)
from dashboard.commands.query_write_what import FLAGS, NAMES, read_wanted
from data.desk import set_up
from data.judging.demo_judge import DEMO_MODEL
from data.lookup import check_topic
from data.workspace import Workspace
from data.writer.candidates import save_step
from data.writer.desk import removed_core
from data.writer.keeping import Wanted, Writing, find_writing, list_writings
from data.writer.writing import plan, refine
from data.writer.writing import resume as go_on
from data.writer.writing import write as write_strings

SAVED = ("best", "all")


def _flags(command: Any) -> Any:
    for option in reversed(FLAGS):
        command = option(command)
    return command


@click.command("write")
@click.option("--topic", default=None, help="The topic's name.")
@_flags
@options.embedder
@click.option("--dry-run", "only_plan", is_flag=True, help="Count questions, tokens and dollars; send nothing.")
@click.option(
    "--save",
    "saved",
    type=click.Choice(SAVED),
    is_flag=False,
    flag_value="best",
    default=None,
    help="Save the best string, or with --save all every string, as a version.",
)
@click.option("--resume", default=None, metavar="WRITING", help="Go on with a writing; query writings lists them.")
@options.data_dir
@options.as_json
def write_command(
    topic: str | None,
    only_plan: bool,
    saved: str | None,
    resume: str | None,
    data_dir: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Write search strings for a topic, each with its scores beside those of the topic's name alone.

    Keywords come from the corpus, and from any model that you name. Half of the core publications is held out: nobody
    who writes knows which they are, and they show what a string is worth. Everything asked and answered is kept; the
    same command goes on where it ended. With --json, `writing, topic, about, embedder, state, problem, made_at,
    ended_at, brief, budget, models[model, mode, seed, is_language_model], n_used, n_held_out, readings[reading,
    n_publications, note], best, sentence, steps[number, parent, made_by, sheet, text, judged{n_retrieved, used,
    held_out, whole}, gain{value, interval, is_clear}, label, model, mode, seed, round, notes, predicted, standing,
    sentence], proposals[keyword, by], held_back[text, why, reading, model, keyword], removed_core[keyword,
    publications], n_calls, calls_by_status, notes`. Step 0 is the topic's name.
    """
    _check(topic, resume, only_plan=only_plan, saved=saved)
    wanted = None if topic is None else read_wanted(topic, given)
    with Workspace.open(data_dir) as workspace, waiting("Writing") as on_stage:
        if wanted is not None:
            on_stage("indexing")
            removed = removed_core(set_up(workspace, wanted.topic_id, wanted.embedder), wanted.brief)
        if only_plan and wanted is not None:
            planned = plan(workspace, wanted)
        else:
            writing = _written(workspace, wanted, resume, on_stage)
            writing = _refined(workspace, writing, given["most_rounds"], on_stage)
            if wanted is None:
                removed = removed_core(set_up(workspace, writing.topic_id, writing.embedder), writing.brief)
            _save(workspace, writing, saved)
            writing = find_writing(workspace.store, writing.writing_id)
    if only_plan:
        show_plan(planned, removed, as_json=as_json)
        warn([] if as_json else [each.sentence for each in removed])
    elif as_json:
        print_json(writing_document(writing, removed=removed, notes=_notes(writing)))
    else:
        print_writing(writing)
        _warn(writing)
        say(f"Kept as writing {writing.writing_id}.")


def _check(topic: str | None, resume: str | None, *, only_plan: bool, saved: str | None) -> None:
    """What does not go together, before anything is opened."""
    if (topic is None) == (resume is None):
        raise InputError("name the topic with --topic, or a writing to go on with by --resume")
    if resume is not None and (only_plan or _is_said(*(name for name in NAMES if name != "most_rounds"))):
        raise InputError(
            "--resume goes on with a writing as it was begun: beside it only --rounds and --save have a meaning"
        )
    if only_plan and saved is not None:
        raise InputError("--dry-run makes no string that could be saved: leave out --save")


def _is_said(*names: str) -> bool:
    """Whether any of these options stands in the command; most have a default."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in names)


def _written(workspace: Workspace, wanted: Wanted | None, resume: str | None, on_stage: OnStage) -> Writing:
    """The writing at its end. What is stopped leaves what was answered, and how to go on is said."""
    try:
        if wanted is None:
            assert resume is not None
            return go_on(workspace, resume, on_stage=on_stage)
        return write_strings(workspace, wanted, on_stage=on_stage)
    except KeyboardInterrupt:
        topic_id = None if wanted is None else wanted.topic_id
        there = [row.writing_id for row in list_writings(workspace.store, topic_id) if row.state != "done"]
        if again := resume or next(iter(there), None):
            say(f"Stopped. Go on with: query write --resume {again}")
        raise


def _refined(workspace: Workspace, writing: Writing, n_rounds: int, on_stage: OnStage) -> Writing:
    """The best string refined, if that is wished."""
    best = writing.best
    if not n_rounds or best is None:
        return writing
    budget = replace(writing.budget, most_rounds=n_rounds)
    return refine(workspace, writing.writing_id, best.number, budget=budget, on_stage=on_stage)


def _save(workspace: Workspace, writing: Writing, saved: str | None) -> None:
    """The best string, or all of them, as versions; a string that retrieves nothing is none."""
    if saved is None:
        return
    best = writing.best
    steps = writing.steps[1:] if saved == "all" else () if best is None else (best,)
    with_text = [step for step in steps if step.text]
    if not with_text:
        raise NotFoundError(f"writing {writing.writing_id} has no string to save: look at it with query steps")
    for step in with_text:
        save_step(workspace, writing.writing_id, step.number)


def _notes(writing: Writing) -> list[str]:
    """What has to be known beside the numbers."""
    notes = [NOT_A_MODEL] if any(recipe.model == DEMO_MODEL for recipe in writing.recipes) else []
    if writing.steps and not writing.steps[0].judged.n_retrieved:
        notes.append(
            "No publication has all words of the topic's name, so no gain on it can be told: say it in other words "
            "with --about"
        )
    if writing.problem:
        notes.append(f"{writing.problem.rstrip('.')}. Go on with: query write --resume {writing.writing_id}")
    return notes


def _warn(writing: Writing) -> None:
    """Everything that has to be known, also of what was read."""
    read = [f"{row.reading_id}: {row.note}" for row in writing.readings if row.note]
    warn([note.rstrip(".") for note in (*_notes(writing), *writing.notes, *read)])


@click.command("writings")
@click.option("--topic", default=None, help="Only those of this topic.")
@options.data_dir
@options.as_json
def writings_command(topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """List the times that strings were written."""
    with Workspace.open(data_dir) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        rows = list_writings(workspace.store, topic)
    if as_json:
        print_json(writings_document(rows))
    else:
        print_writings(rows)


@click.command("steps")
@click.argument("writing_id", metavar="WRITING")
@click.option("--step", "step_number", type=int, default=None, metavar="N", help="One string with its keywords.")
@click.option("--asked", is_flag=True, help="Every question to a model and its answer, as they went and came.")
@options.data_dir
@options.as_json
def steps_command(writing_id: str, step_number: int | None, asked: bool, data_dir: Path | None, as_json: bool) -> None:
    """Every string of a writing with its scores, from the topic's name on; with --step one of them with its keywords.

    With --json the same document as of `query write`; with --asked also `calls`.
    """
    with Workspace.open(data_dir) as workspace:
        writing = find_writing(workspace.store, writing_id)
    step = None if step_number is None else _step(writing, step_number)
    if as_json:
        document = writing_document(writing, notes=_notes(writing), with_calls=asked)
        print_json(document if step is None else {"writing": writing_id, **document["steps"][step.number]})
    elif step is not None:
        print_step(writing, step)
    else:
        print_steps(writing)
        print_held_back(writing)
        if asked:
            print_calls(writing.calls)
        _warn(writing)


def _step(writing: Writing, number: int) -> Step:
    for step in writing.steps:
        if step.number == number:
            return step
    last = writing.steps[-1].number if writing.steps else None
    there = "it has none yet" if last is None else f"it has 0 to {last}"
    raise NotFoundError(f"writing {writing.writing_id} has no string {number}; {there}")
