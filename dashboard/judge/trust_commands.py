"""The commands `judge runs` and `judge trust`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.judge.judgments import Rubric
from core.judge.reliability import GradeAgreement, Judges, Scale, checked_scale
from core.judge.trust import whether_to_believe
from core.knowledge.synthesis_steps import TokenPrice
from core.protocols import OnStage
from dashboard.judge.commands import DEMO_SECONDS, check_cut, plan_document
from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, say, shown, table
from dashboard.kit.progress import waiting
from data.explore.workspace import Workspace
from data.judge.demo_judge import DEMO_MODEL
from data.judge.findings import TrustReport, found_of
from data.judge.plan import MOST_UNASKED, JudgePlan
from data.judge.runs import Judge, JudgeRunRow, find_judge_run, list_judge_runs, load_field, load_judge, load_judged
from data.judge.trust import (
    KINDS,
    PeopleSource,
    Probes,
    ProbeSettings,
    decide,
    make_probes,
    open_model,
    plan_probes,
    run_probes,
)
from data.knowledge.synthesis import read_prices
from data.models.prices import load_prices
from data.retrieval.plan import check_budget

# `judge runs`: the list of runs.


@click.command("judge runs")
@options.data_dir
@options.as_json
def runs(data_dir: Path | None, as_json: bool) -> None:
    """List judged runs with model, date and progress."""
    with Workspace.open(data_dir) as workspace:
        found = list_judge_runs(workspace.store)
    if as_json:
        print_json({"runs": [_run_document(each) for each in found]})
        return
    if not found:
        say('No judged runs yet: see "judge --help".')
        return
    grid = table("Judged runs", "Name", "Judge", "Rubric", "State", "Begun", "Id")
    for each in found:
        made_at = each.made_at[:16].replace("T", " ")
        row(grid, each.name, each.settings.model, each.settings.rubric_id, each.state, made_at, each.run_id[:16])
    results().print(grid)


def _run_document(each: JudgeRunRow) -> dict[str, Any]:
    about = {"run_id": each.run_id, "name": each.name, "state": each.state, "made_at": each.made_at}
    return about | {"judge": {**asdict(each.settings), "judge_key": each.judge_key}}


# `judge trust`: the reliability of a judge, tested with repeated and altered samples.


@click.command("judge trust")
@click.argument("run")
@click.option(
    "--people",
    "source",
    default=None,
    help="Source of human grades: a collection, or overruled. [default: largest overlap]",
)
@click.option(
    "--count",
    "counted",
    multiple=True,
    metavar="VALUE=POINTS",
    help="Map a human value to points on the judge's scale (repeatable). Unmapped values are left out.",
)
@click.option("--cut", type=int, default=None, help="Lowest points that count as relevant. [default: the upper half]")
@options.embedder
@click.option("--regions", is_flag=True, help="Also compare with regions and similarity; slow the first time.")
@click.option(
    "--try",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="First run this test on a sample: repeats or changed texts (repeatable).",
)
@click.option("--n", "n", type=int, default=50, show_default=True, help="Triples per --try.")
@click.option("--repeats", type=int, default=2, show_default=True, help="Number of repeats of --try repeat.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed for the sample.")
@click.option("--workers", type=int, default=16, show_default=True, help="Maximum concurrent requests.")
@click.option("--per-minute", type=float, default=None, help="Maximum requests per minute. [default: no limit]")
@click.option("--price", "prices", multiple=True, metavar="MODEL=IN,OUT", help="Dollars per million tokens.")
@click.option("--budget", type=click.FloatRange(min=0), default=None, help="Maximum cost in dollars.")
@click.option("--dry-run", "only_plan", is_flag=True, help="Count the calls of --try; send nothing.")
@click.option("--yes", is_flag=True, help=f"Confirm more than {MOST_UNASKED:,} calls.")
@options.data_dir
@options.as_json
def trust(
    run: str,
    source: str | None,
    counted: tuple[str, ...],
    cut: int | None,
    embedder: str | None,
    regions: bool,
    data_dir: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Check the judge of a run: agreement with people and other judges, repeats, changed texts, regions.

    RUN is a name or ID of "judge runs". Without --try no request is sent: stored measurements are read.
    """
    prices = read_prices(given.pop("prices"))
    with Workspace.open(data_dir) as workspace, waiting(f"Judge of {run}") as on_stage:
        store = workspace.store
        about = find_judge_run(store, run)
        judge, field = load_judge(store, about.judge_key), load_field(store, about)
        check_cut(judge, cut)
        judged = load_judged(store, about, field)
        if given["only_plan"] or given["kinds"]:
            wish = ProbeSettings(given["kinds"] or KINDS, given["n"], given["repeats"], given["seed"])
            made = make_probes(about, judge, field, judged, wish)
            plans = _planned(workspace, about, made, given, prices)
            if given["only_plan"]:
                _show_plans(made, plans, as_json=as_json)
                return
            _try(workspace, about, judge, made, plans, given, on_stage)
        scale = _scale(counted, judge.rubric)

        def decisions(key: str, placed: Any, chosen: str) -> Any:
            return decide(workspace, placed, chosen, on_stage=on_stage) if regions else None

        found = found_of(
            workspace,
            about,
            judge,
            judged,
            cut=cut,
            source=source,
            embedder=embedder,
            scale_of=lambda people: scale,
            decisions_of=decisions,
        )
    _check_named("people's grades", source, found.source, tuple(found.sources))
    _check_named("vectors for these topics", embedder, found.embedder, found.embedders)
    if as_json:
        print_json(trust_document(about, judge, found))
    else:
        _print_trust(about, judge.rubric, found)


def _check_named(what: str, named: str | None, chosen: str | None, there: tuple[str, ...]) -> None:
    if named is not None and named != chosen:
        raise InputError(f'no {what} called "{named[:80]}"; available: {", ".join(there) or "none"}')


def _scale(counted: Sequence[str], rubric: Rubric) -> Scale | None:
    if not counted:
        return None
    scale = {}
    for text in counted:
        value, _, points = text.partition("=")
        try:
            scale[int(value)] = int(points)
        except ValueError:
            raise InputError(f'can\'t read "{text[:80]}" as a value with points: write --count VALUE=POINTS') from None
    return checked_scale(scale, rubric.points)


def _planned(
    workspace: Workspace, about: JudgeRunRow, made: Probes, given: Mapping[str, Any], prices: Mapping[str, TokenPrice]
) -> tuple[JudgePlan, ...]:
    is_demo = about.settings.model == DEMO_MODEL
    return plan_probes(
        workspace.store,
        made.probes,
        price=({**load_prices(workspace.store), **prices}).get(about.settings.model),
        n_workers=1 if is_demo else given["workers"],
        per_minute=given["per_minute"],
        seconds_per_call=DEMO_SECONDS if is_demo else None,
    )


def _try(
    workspace: Workspace,
    about: JudgeRunRow,
    judge: Judge,
    made: Probes,
    plans: Sequence[JudgePlan],
    given: Mapping[str, Any],
    on_stage: OnStage,
) -> None:
    check_budget(_cost(plans), given["budget"], [about.settings.model])
    n_calls = sum(plan.n_calls for plan in plans)
    if n_calls > MOST_UNASKED and not given["yes"]:
        raise InputError(
            f"this needs {n_calls:,} calls: check with --dry-run, test fewer with --n, or confirm with --yes"
        )
    model = open_model(about, judge)
    done = run_probes(
        workspace.store,
        made.probes,
        model,
        n_workers=given["workers"],
        per_minute=given["per_minute"],
        on_stage=on_stage,
    )
    for note in dict.fromkeys(note for each in done for note in each.notes):
        say(f"Note: {note}", "yellow")


def _cost(plans: Sequence[JudgePlan]) -> tuple[float, float] | None:
    costs = [plan.cost for plan in plans]
    known = [cost for cost in costs if cost is not None]
    return (sum(c[0] for c in known), sum(c[1] for c in known)) if len(known) == len(costs) else None


def _show_plans(made: Probes, plans: Sequence[JudgePlan], *, as_json: bool) -> None:
    if as_json:
        listed = [
            {"kind": probe.kind, "name": probe.name} | plan_document(plan)
            for probe, plan in zip(made.probes, plans, strict=True)
        ]
        print_json({"dry_run": True, "n_graded": made.n_graded, "n_fit": dict(made.n_fit), "tries": listed})
        return
    grid = table(
        "Dry run: nothing was sent", "Test", "Triples", "Already answered", "Calls", "Dollars", right=(1, 2, 3, 4)
    )
    for probe, plan in zip(made.probes, plans, strict=True):
        dollars = NONE if plan.cost is None else f"{plan.cost[0]:,.2f}"
        row(grid, probe.name, f"{plan.n_triples:,}", f"{plan.n_known:,}", f"{plan.n_calls:,}", dollars)
    results().print(grid)
    results().print(shown(f"{made.n_graded:,} different triples of the run have a grade."))


def trust_document(about: JudgeRunRow, judge: Judge, found: TrustReport) -> dict[str, Any]:
    """Build the document of `judge trust --json`; null is not measured.

    `verdict` with its `paragraph`, and the `checks` that it is based on. Grades are points of the rubric. `people`:
    agreement with the grades of `source`; `repeats`: the same prompts again; `changes`: texts altered on purpose, and
    `demands`: by the wording that demanded the highest grade; `judges`: every pair with common triples. `n_waiting`:
    altered or repeated triples without an answer yet.
    """
    belief, findings = whether_to_believe(found.findings), found.findings
    return {
        **_run_document(about),
        "points": list(judge.rubric.points),
        "cut": found.cut,
        "verdict": belief.state,
        "paragraph": belief.paragraph,
        "checks": [asdict(check) for check in belief.checks],
        "sources": [asdict(each) | {"source": name} for name, each in found.sources.items()],
        "people": None if found.people is None else {"source": found.source} | _people_document(found.people),
        "repeats": None if findings.repeats is None else asdict(findings.repeats),
        "changes": {kind: asdict(shift) for kind, shift in findings.shifts.items()},
        "demands": {name: asdict(shift) for name, shift in found.measured.by_demand.items()},
        "judges": None if found.judges is None else _judges_document(found.judges),
        "core": None if findings.core is None else asdict(findings.core),
        "embedders": list(found.embedders),
        "embedder": found.embedder,
        "regions": {name: asdict(each) for name, each in findings.regions.items()},
        "similarity": None if findings.similarity is None else asdict(findings.similarity),
        "notes": [] if found.beside is None else list(found.beside.notes),
        "n_waiting": found.n_waiting,
    }


def _people_document(people: GradeAgreement) -> dict[str, Any]:
    table = [{"judge": judge, "people": human, "n": n} for (judge, human), n in people.table.items()]
    return asdict(replace(people, table={})) | {"table": table, "n": people.n}


def _judges_document(judges: Judges) -> dict[str, Any]:
    return asdict(replace(judges, majorities=())) | {"n_triples": len(judges.majorities), "n_split": judges.n_split}


def _print_trust(about: JudgeRunRow, rubric: Rubric, found: TrustReport) -> None:
    out, belief = results(), whether_to_believe(found.findings)
    out.print(shown(f"{about.name}, graded by {about.settings.model}", "bold"))
    out.print(shown(f"{belief.paragraph}\n"))
    grid = table("Checks", "Check", "Outcome", "Result")
    for check in belief.checks:
        row(grid, check.label, check.state, check.found or check.sentence)
    out.print(grid)
    if found.source is not None:
        _print_people(found.sources[found.source], found)
    if found.judges is not None:
        grid = table(
            "\nPairs of judges", "Judges", "Common", "Weighted kappa", "Kappa", "Same grade", right=(1, 2, 3, 4)
        )
        for pair in found.judges.pairs:
            values = (_two(agreed.value) for agreed in (pair.quadratic, pair.kappa, pair.raw))
            row(grid, f"{pair.first} and {pair.second}", f"{pair.raw.n:,}", *values)
        out.print(grid)
    if found.n_waiting:
        out.print(
            shown(f"{found.n_waiting:,} changed or repeated triples have no answer yet; request them with --try.")
        )


def _print_people(source: PeopleSource, found: TrustReport) -> None:
    out, people = results(), found.people
    if people is None:
        return
    counted = ", ".join(f"{value} counts as {people.scale.get(value, 'nothing')}" for value in source.values)
    grid = table(f"\nCompared with {source.label}", "Agreement", "Value", right=(1,))
    named = {
        "Weighted kappa (quadratic)": people.quadratic,
        "Kappa": people.kappa,
        "Same grade": people.raw,
        "At most one grade apart": people.within_one,
        f"Kappa at {people.cut} or more": people.kappa_at_cut,
    }
    for label, agreed in named.items():
        row(grid, label, _two(agreed.value))
    row(grid, "Pairs", f"{people.n:,}")
    out.print(grid)
    out.print(shown(f"Human values: {counted}. Change this with --count."))
    for name, other in found.sources.items():
        if name != found.source:
            out.print(shown(f"Also available, with --people {name}: {other.label}, {other.n:,} pairs."))


def _two(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"
