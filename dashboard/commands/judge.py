"""`judge`: publications graded by a language model, with what may be said of the grades."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from core.errors import InputError, ServiceError
from core.judging.scores import engine_scores
from core.judging.types import Field
from core.knowledge.synthesis.steps import Price
from core.protocols import JsonModel, OnStage
from dashboard.commands import judge_what, judge_who, options
from dashboard.commands.judge_tables import NOT_A_MODEL, judged_document, print_judged, show_plan
from dashboard.commands.judge_what import What, gathered, read_what
from dashboard.commands.judge_who import Who, opened, read_who, reopened
from dashboard.commands.output import print_json, say, waiting, warn
from data.judging.demo_judge import DEMO_MODEL, find_preset
from data.judging.export.qrels import FORMS, form_named, write_export
from data.judging.keeping.runs import (
    LONGEST_NAME,
    Judge,
    checked_name,
    find_judge_run,
    load_field,
    load_judge,
    load_judged,
    save_run,
)
from data.judging.planning import MOST_UNASKED, Plan, plan
from data.judging.prices import FREE, load_prices
from data.judging.running.asking import Done, judge_run
from data.knowledge.synthesis.sampling import read_prices
from data.workspace import Workspace

DEMO_SECONDS = 0.004
"""Of one answer of the demo judge."""

_FLAGS = (
    *judge_what.ITEM_FLAGS,
    *judge_who.MODEL_FLAGS,
    click.option("--workers", type=int, default=16, show_default=True, help="Questions under way at the same time."),
    click.option("--per-minute", type=float, default=None, help="Most questions in a minute. [default: no limit]"),
    click.option("--price", "prices", multiple=True, metavar="MODEL=IN,OUT", help="Dollars for a million tokens."),
    click.option("--name", default=None, help="What the run is called."),
    click.option(
        "--dry-run", "only_plan", is_flag=True, help="Count calls, tokens, dollars and minutes; send nothing."
    ),
    click.option("--yes", is_flag=True, help=f"Make the calls even if they are more than {MOST_UNASKED:,}."),
    click.option("--resume", default=None, metavar="RUN", help="Go on with a run, by its name or id."),
    click.option("--again", is_flag=True, help="Ask anew about everything that has no grade."),
    click.option("--judge-alone", is_flag=True, help="Leave out grades that people gave in the judge's place."),
    click.option("--cut", type=int, default=None, help="Points that count as good. [default: the upper half]"),
    click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write every judgment."),
    click.option(
        "--format", "form", type=click.Choice(list(FORMS)), default=None, help="Of --out. [default: its ending]"
    ),
)


def _flags(command: Any) -> Any:
    for option in reversed(_FLAGS):
        command = option(command)
    return command


@dataclass(frozen=True, eq=False)
class Begun:
    """A judge, what it judges, and the model that is asked."""

    judge: Judge
    field: Field
    model: JsonModel
    document: dict[str, Any]
    """What was chosen, as a run keeps it."""
    name: str
    run_id: str | None = None
    """None: not kept yet."""


@click.command()
@click.argument("more", nargs=-1)
@_flags
@options.data_dir
@options.as_json
def judge(more: tuple[str, ...], data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Grade what retrievers, query versions or search engines found, by a language model and a rubric.

    Every answer is kept at once, and none is paid for twice: the same command goes on where it ended. Keys come from
    the environment (OPENAI_API_KEY, GEMINI_API_KEY). --dry-run first says what it costs.
    """
    what, who = read_what(given, more), read_who(given)
    prices = read_prices(given.pop("prices"))
    only_plan, resume, out = given["only_plan"], given["resume"], given["out"]
    if out is not None:  # said before anything is paid for
        form_named(given["form"], out.name)
    with Workspace.open(data_dir) as workspace, waiting("Judging") as on_stage:
        begun = (
            _resumed(workspace, resume, given["name"], only_plan=only_plan)
            if resume
            else _begun(workspace, what, who, given["name"], on_stage, only_plan=only_plan)
        )
        _check_cut(begun.judge, given["cut"])
        planned = _planned(workspace, begun, given, prices)
        if not only_plan:
            _confirm(planned, yes=given["yes"])
            if planned.n_calls and begun.judge.settings.model != DEMO_MODEL:
                say(f"Asking {planned.n_calls:,} times, {_dollars(planned)}. What is answered is kept at once.")
            run_id, done = _judged(workspace, begun, given, on_stage)
            _finish(workspace, begun, run_id, done, given, seed=what.seed, as_json=as_json)
    if only_plan:
        show_plan(planned, begun.field.notes, as_json=as_json)
        warn([] if as_json else [note.rstrip(".") for note in begun.field.notes])


def _begun(
    workspace: Workspace, what: What, who: Who, name: str | None, on_stage: OnStage, *, only_plan: bool
) -> Begun:
    name = None if name is None else checked_name(name)
    judge, model = opened(workspace.store, who, only_plan=only_plan)
    field, document = gathered(workspace, what, on_stage)
    called = name or " ".join(f"{field.name}, {judge.settings.model}".split())[:LONGEST_NAME]
    return Begun(judge, field, model, {**document, **who.document}, called)


def _resumed(workspace: Workspace, resume: str, name: str | None, *, only_plan: bool) -> Begun:
    if _is_said(*Who.__slots__, *(each for each in What.__slots__ if each != "seed")) or name:
        raise InputError("--resume goes on with a run as it was begun: leave out its name, what is judged and by whom")
    store = workspace.store
    row = find_judge_run(store, resume)
    model = reopened(row, only_plan=only_plan)
    return Begun(
        load_judge(store, row.judge_key), load_field(store, row), model, dict(row.document), row.name, row.run_id
    )


def _is_said(*names: str) -> bool:
    """Whether any of these options stands in the command; most have a default."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in names)


def _planned(workspace: Workspace, begun: Begun, given: dict[str, Any], prices: dict[str, Price]) -> Plan:
    store, model = workspace.store, begun.judge.settings.model
    is_demo = model == DEMO_MODEL
    is_local = find_preset(begun.document.get("preset")).is_local and not begun.document.get("base_url")
    known = {model: FREE} if is_local else load_prices(store)
    return plan(
        store,
        begun.judge,
        begun.field,
        price=(known | prices).get(model),
        per_minute=given["per_minute"],
        n_workers=1 if is_demo else given["workers"],
        seconds_per_call=DEMO_SECONDS if is_demo else None,
        again=given["again"],
    )


def _check_cut(judge: Judge, cut: int | None) -> None:
    """Before anything is paid for."""
    points = judge.rubric.points
    if cut is not None and cut not in points:
        raise InputError(f"--cut must be a grade of the rubric, {points[0]} to {points[-1]}, got {cut}")


def _confirm(planned: Plan, *, yes: bool) -> None:
    """More calls than anybody means by mistake are only made if that is said."""
    if planned.is_large and not yes:
        raise InputError(
            f"these are {planned.n_calls:,} calls, {_dollars(planned)}: look at --dry-run, ask about fewer "
            "with --sample or --k, or confirm with --yes"
        )


def _dollars(planned: Plan) -> str:
    return "at a price that is not known" if planned.cost is None else f"about ${planned.cost[0]:,.2f}"


def _judged(workspace: Workspace, begun: Begun, given: dict[str, Any], on_stage: OnStage) -> tuple[str, Done]:
    store = workspace.store
    run_id = begun.run_id or save_run(store, begun.name, begun.judge, begun.field, begun.document)
    done = judge_run(
        store,
        run_id,
        begun.model,
        n_workers=given["workers"],
        per_minute=given["per_minute"],
        on_stage=on_stage,
        again=given["again"],
    )
    if done.failures and set(done.statuses) == {"http_error"}:
        raise ServiceError(f"nothing was graded: {done.notes[0]}")
    return run_id, done


def _finish(
    workspace: Workspace, begun: Begun, run_id: str, done: Done, given: dict[str, Any], *, seed: int, as_json: bool
) -> None:
    """Scores from what is kept, shown and written."""
    store = workspace.store
    row = find_judge_run(store, run_id)
    judged = load_judged(store, row, begun.field)
    scores = engine_scores(
        begun.field, judged, begun.judge.rubric, cut=given["cut"], judge_alone=given["judge_alone"], seed=seed
    )
    notes = [*([NOT_A_MODEL] if begun.judge.settings.model == DEMO_MODEL else []), *begun.field.notes, *done.notes]
    if given["out"] is not None:
        write_export(store, row, given["out"], form_id=given["form"])
    if as_json:
        print_json(judged_document(row, begun.judge, scores, done, notes))
        return
    print_judged(row, begun.judge, scores)
    warn([note.rstrip(".") for note in dict.fromkeys((*scores.warnings, *notes))])
    if given["out"] is not None:
        say(f"Every judgment is in {given['out']}.")
