"""The command `reproduce`: published numbers compared with ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import click

from core.explore.reproduction import (
    REPRODUCTION_RESULTS,
    ReproducedNumber,
    ReproductionResult,
    count_results,
)
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyGroup
from dashboard.kit.output import print_json, results, row, shown, table, warn
from dashboard.kit.progress import waiting
from data.explore.workspace import Workspace

not_equal = click.option("--not-equal", is_flag=True, help="List only the numbers that are not equal.")


@click.group(cls=LazyGroup)
def reproduce() -> None:
    """Compare published numbers with ours, and explain differences."""


@reproduce.command()
@click.option(
    "--from",
    "folder",
    type=click.Path(path_type=Path),
    default=None,
    help="A copy of LitQEval's repository. [default: the data in the workspace]",
)
@not_equal
@options.data_dir
@options.as_json
def litqeval(folder: Path | None, not_equal: bool, data_dir: Path | None, as_json: bool) -> None:
    """Reproduce LitQEval's tables, threshold curves, similarity threshold, toy and decay.

    Ours are computed from published counts and result lists, as the vectors were not published. With vectors of your
    own, "evaluate --compat litqeval-2024 --points FILE.npz" makes the choices of the published code.
    """
    from data.library.reproduction import reproduce_folder, reproduce_workspace

    with waiting("Reproducing LitQEval"):
        if folder is not None:
            found = reproduce_folder(folder)
        else:
            with Workspace.open(data_dir) as workspace:
                found = reproduce_workspace(workspace.store)
    _answer("litqeval", found.numbers, found.notes, not_equal=not_equal, as_json=as_json)


@reproduce.command()
@not_equal
@options.data_dir
@options.as_json
def stark(not_equal: bool, data_dir: Path | None, as_json: bool) -> None:
    """Compare STaRK's printed Tables 2, 3 and 5 with the workspace's knowledge bases and queries of these names."""
    from data.knowledge.stark_tables import reproduce_stark

    with Workspace.open(data_dir) as workspace, waiting("Reproducing STaRK"):
        numbers = reproduce_stark(workspace.knowledge, workspace.store)
    _answer("stark", numbers, (), not_equal=not_equal, as_json=as_json)


def _answer(
    source: str, numbers: Sequence[ReproducedNumber], notes: Sequence[str], *, not_equal: bool, as_json: bool
) -> None:
    listed = [number for number in numbers if number.result != "equal" or not not_equal]
    if as_json:
        print_json(reproduction_document(source, numbers, listed, notes))
        return
    for group, of_group in groupby(listed, key=lambda number: number.group):
        _print_group(group, list(of_group))
    _print_counts(numbers)
    warn(notes)


def reproduction_document(
    source: str, numbers: Sequence[ReproducedNumber], listed: Sequence[ReproducedNumber], notes: Sequence[str]
) -> dict[str, Any]:
    """Build `reproduce litqeval|stark --json`; unknown `ours` is null, with its requirement in `note`."""
    return {
        "source": source,
        "results": dict(REPRODUCTION_RESULTS),
        "groups": [
            {"group": group, "n": counts.total(), **{result: counts[result] for result in get_args(ReproductionResult)}}
            for group, counts in count_results(numbers).items()
        ],
        "numbers": [asdict(number) for number in listed],
        "notes": list(notes),
    }


def _print_group(group: str, numbers: Sequence[ReproducedNumber]) -> None:
    columns: dict[str, list[str]] = {
        "Topic or base": [number.subject for number in numbers],
        "Search or set": [number.part.replace("_", " ") for number in numbers],
        "Region": [number.region_label for number in numbers],
        "Number": [number.number for number in numbers],
        "Published": [number.published_text for number in numbers],
        "Ours": [number.ours_text for number in numbers],
        "Result": [number.result for number in numbers],
        "Note": [number.note for number in numbers],
    }
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    if len(numbers) > 1 and len(set(columns["Number"])) == 1:  # the title has it already
        del columns["Number"]
    right = [place for place, name in enumerate(columns) if name in ("Published", "Ours")]
    grid = table(group, *columns, right=right)
    for cells in zip(*columns.values(), strict=True):
        row(grid, *cells)
    results().print(grid)
    results().print()


def _print_counts(numbers: Sequence[ReproducedNumber]) -> None:
    names = get_args(ReproductionResult)
    grid = table("Results", "Group", "Numbers", *(name.capitalize() for name in names), right=range(1, len(names) + 2))
    for group, counts in count_results(numbers).items():
        row(grid, group, f"{counts.total():,}", *(f"{counts[name]:,}" for name in names))
    results().print(grid)
    for name, meaning in REPRODUCTION_RESULTS.items():
        results().print(shown(f"{name.capitalize()}: {meaning}."))
