"""The command `labs`: the results of each lab for given values of its controls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.errors import InputError, NotFoundError
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import Lab, LabBench, LabChoice, Slider, lab_document, mistakes_in, read_values
from dashboard.kit import options
from dashboard.kit.output import NONE, few, print_json, results, row, shown, table
from dashboard.kit.progress import waiting
from data.explore.workspace import Workspace

MOST_ROWS, MOST_OPTIONS = 15, 13


@click.command()
@click.argument("name", required=False)
@click.option("--set", "parts", multiple=True, metavar="CONTROL=VALUE", help="Move a control; repeatable.")
@options.data_dir
@options.as_json
def labs(name: str | None, parts: tuple[str, ...], data_dir: Path | None, as_json: bool) -> None:
    """Show the effect of each parameter, on demo data or a version: numbers and curves.

    Without NAME the labs are listed. With it, the controls and the results are shown; --set moves a control, such as
    --set decay_limit=30000. --json includes every curve.
    """
    if name is None:
        _list(as_json)
        return
    if name not in LABS:
        raise NotFoundError(f'no lab "{name[:80]}"; there are {", ".join(LABS)}')
    lab = LABS[name]
    with Workspace.open(data_dir) as workspace, waiting(lab.title) as on_stage:
        material = lab.material(workspace, lambda key, title, work: work(on_stage)) if lab.material else None
        controls = lab.controls(material)
        sent = _sent(parts)
        if mistakes := mistakes_in(controls, sent):
            raise InputError(" ".join(mistakes).rstrip("."))
        values = read_values(controls, sent)
        bench = lab.bench(material, values)
    if as_json:
        document = lab_document(lab, controls, values, bench, ())
        print_json({key: value for key, value in document.items() if key != "mistakes"})
    else:
        _print(lab, controls, values, bench)


def _sent(parts: tuple[str, ...]) -> dict[str, str]:
    sent = {}
    for each in parts:
        control, equals, value = each.partition("=")
        if not equals:
            raise InputError(f'"{each[:80]}" sets no control: use --set CONTROL=VALUE')
        sent[control.strip()] = value.strip()
    return sent


def _list(as_json: bool) -> None:
    if as_json:
        listed = [{"lab": lab.id, "title": lab.title, "explanation": lab.explanation} for lab in LABS.values()]
        print_json({"labs": listed})
        return
    grid = table("Labs", "Name", "Title")
    for lab in LABS.values():
        row(grid, lab.id, lab.title)
    results().print(grid)


def _print(lab: Lab, controls: Any, values: Any, bench: LabBench) -> None:
    out = results()
    out.print(shown(lab.title, "bold"))
    out.print(shown(f"{lab.explanation}\n"))
    grid = table("Controls", "Name", "Value", "Can be", "What it is", right=(1,))
    for control in controls:
        row(grid, control.name, _short(values[control.name]), _range(control), control.label)
    out.print(grid)
    grid = table("\nNumbers", "", "", "", right=(1,))
    for each in bench.numbers:
        row(grid, each.label, each.value, each.help)
    out.print(grid)
    out.print(shown(f"\n{bench.sentence}"))
    if bench.rows:
        grid = table("", *bench.columns, right=range(1, len(bench.columns)))
        for line in bench.rows[:MOST_ROWS]:
            row(grid, *map(_short, line))
        out.print(grid)
        if len(bench.rows) > MOST_ROWS:
            out.print(shown(f"and {len(bench.rows) - MOST_ROWS:,} more rows; --json has all"))


def _range(control: Slider | LabChoice) -> str:
    if isinstance(control, LabChoice):
        return few(tuple(value for value, _ in control.options), MOST_OPTIONS)
    return f"{control.min:g} to {control.max:g}"


def _short(value: float | str | None) -> str:
    return NONE if value is None else value if isinstance(value, str) else f"{value:.5g}"
