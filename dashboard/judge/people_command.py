"""The command `judge people`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.judge.judgments import JudgedCandidate
from core.text import many
from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, say, table, warn
from data.changes import author
from data.explore.workspace import Workspace
from data.files import written_aside
from data.importers.source import read_bytes
from data.judge.people import import_people, judgment_of, overruled, people_csv
from data.judge.runs import (
    Judge,
    JudgeRunRow,
    find_judge_run,
    load_field,
    load_judge,
    load_judged,
    overrule,
    overrules_of,
)
from data.store import Store


@click.command("judge people")
@click.argument("run")
@click.option("--grade", nargs=3, metavar="QUERY DOC POINTS", help="Give a grade that replaces the judge's.")
@click.option("--withdraw", nargs=2, metavar="QUERY DOC", help="Withdraw a grade; the judge's own grade counts again.")
@click.option("--by", "who", default="", help="Your name or initials, for --grade and --withdraw.")
@click.option("--why", default="", help="Reason in one sentence, for --grade.")
@click.option(
    "--import",
    "imported",
    type=click.Path(path_type=Path),
    default=None,
    help='Import grades from a CSV file written by --out, or from a whole run written by "judge --out".',
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Also write the grades as CSV."
)
@options.data_dir
@options.as_json
def people(
    run: str,
    grade: tuple[str, str, str] | None,
    withdraw: tuple[str, str] | None,
    who: str,
    why: str,
    imported: Path | None,
    out: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List, give, withdraw, import and export grades that people gave in the judge's place.

    RUN is a name or ID of "judge runs". A grade counts under its rubric, for every judge; all grades ever given are
    stored.
    """
    n, problems, who = 0, tuple[str, ...](), who or author()
    with Workspace.open(data_dir) as workspace:
        store = workspace.store
        about = find_judge_run(store, run)
        judge, field = load_judge(store, about.judge_key), load_field(store, about)
        judged = load_judged(store, about, field)
        if grade is not None:
            if not grade[2].isdecimal():
                raise InputError(f'a grade must be a number of the rubric, got "{grade[2][:80]}"')
            key = judgment_of(judged, *grade[:2]).triple_key
            overrule(store, judge.rubric, key, int(grade[2]), who=who, why=why)
        if withdraw is not None:
            overrule(store, judge.rubric, judgment_of(judged, *withdraw).triple_key, None, who=who, why=why)
        if imported is not None:
            n, problems = import_people(store, judge, judged, read_bytes(imported), imported.name)
        judged = load_judged(store, about, field)
        document = people_document(store, about, judge, judged)
    if out is not None:
        with written_aside(out) as file:
            file.write(people_csv(judged))
    if as_json:
        print_json(document | ({} if imported is None else {"n_imported": n, "rejected": list(problems)}))
        return
    _print(about, overruled(judged))
    if imported is not None:
        say(f"New or changed by {imported.name}: {many(n, 'grade')}.")
    warn(problems)
    if out is not None:
        say(f"Written to {out}.")


def people_document(
    store: Store, about: JudgeRunRow, judge: Judge, judged: Sequence[JudgedCandidate]
) -> dict[str, Any]:
    """Build the document of `judge people --json`. `history`: all grades, oldest first; null points withdraw one."""
    history = overrules_of(store, judge.rubric_key, {each.triple_key for each in judged})
    return {
        "run_id": about.run_id,
        "name": about.name,
        "rubric": judge.rubric.rubric_id,
        "points": list(judge.rubric.points),
        "grades": [
            {
                "query_id": each.candidate.query_id,
                "doc_id": each.candidate.doc_id,
                "title": each.candidate.title,
                "judge_points": None if each.verdict is None else each.verdict.points,
                **asdict(each.overruled),
                "history": [asdict(overrule) for overrule in history.get(each.triple_key, ())],
            }
            for each in overruled(judged)
            if each.overruled is not None
        ],
    }


def _print(about: JudgeRunRow, found: Sequence[JudgedCandidate]) -> None:
    if not found:
        say(f"No grades by people yet for the judge of {about.name}.")
        return
    grid = table(
        f"Grades of people: {about.name}", "Query", "Publication", "Judge", "Person", "By", "Why", right=(2, 3)
    )
    for each in found:
        own = NONE if each.verdict is None or each.verdict.points is None else str(each.verdict.points)
        if (overrule := each.overruled) is not None:
            row(
                grid,
                each.candidate.query_id,
                each.candidate.doc_id,
                own,
                str(overrule.points),
                overrule.who,
                overrule.why,
            )
    results().print(grid)
