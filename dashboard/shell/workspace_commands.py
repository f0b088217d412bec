"""The commands `workspace check`, `workspace repair`, `workspace save` and `workspace load`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.text import many
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyGroup
from dashboard.kit.output import print_json, results, row, say, table, tell, warn
from dashboard.kit.progress import waiting
from data.archive import SavedWorkspace, load_workspace, save_workspace
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.upkeep import WorkspaceProblem, check_workspace, existing, repair_workspace


@click.group(cls=LazyGroup)
def workspace() -> None:
    """Check, repair, save and load a workspace: its store, vectors, indexes and knowledge bases."""


@workspace.command()
@options.output
def check(data_dir: Path | None, as_json: bool) -> None:
    """Check a workspace: store, vectors, indexes, knowledge bases, and files that belong to nothing.

    Exit status 1: there are problems. Vectors from before Queryscape had digests get them.
    """
    with waiting("Checking the workspace") as on_stage:
        found = check_workspace(data_dir, on_stage=on_stage)
    counts = {area: sum(problem.area == area for problem in found.problems) for area in found.n_checked}
    if as_json:
        print_json(
            {
                "folder": str(found.folder),
                "areas": [
                    {"area": area, "n_checked": n, "n_problems": counts[area]} for area, n in found.n_checked.items()
                ],
                "problems": _problems(found.problems),
                "notes": list(found.notes),
            }
        )
    else:
        areas = table(f"Workspace {found.folder}", "part", "checked", "problems", right=(1, 2))
        for area, n in found.n_checked.items():
            row(areas, area, f"{n:,}", f"{counts[area]:,}")
        results().print(areas)
        _print_problems(found.problems)
        warn(found.notes)
        if not found.problems:
            tell("No problems.")
    if found.problems:
        sys.exit(1)


@workspace.command()
@click.option("--from-copy", is_flag=True, help="Restore the newest copy that can be read if the store can't be.")
@options.output
def repair(from_copy: bool, data_dir: Path | None, as_json: bool) -> None:
    """Repair a workspace: remove leftovers, build indexes and built-in embeddings again, list what is left.

    A damaged file of the store is set aside, never deleted. Exit status 1: there are problems left.
    """
    with waiting("Repairing the workspace") as on_stage:
        done = repair_workspace(data_dir, from_copy=from_copy, on_stage=on_stage)
    if as_json:
        document = {"folder": str(done.folder), "repaired": list(done.repaired), "problems": _problems(done.problems)}
        print_json(document)
    else:
        for action in done.repaired:
            tell(f"{action[0].upper()}{action[1:]}.", soft_wrap=True)
        if not done.repaired:
            tell("Nothing was repaired.")
        _print_problems(done.problems)
    if done.problems:
        sys.exit(1)


@workspace.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@options.output
def save(file: Path, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Save a workspace as one zip file, also while the app is open.

    It holds the store, vectors, models, knowledge bases and pages of live sources. Indexes are built again.
    """
    with (
        Workspace.open(existing(data_dir).root) as opened,
        waiting("Saving the workspace") as on_stage,
    ):
        saved = save_workspace(opened, file, force=force, on_stage=on_stage)
    _print_saved("Saved", saved, as_json=as_json)


@workspace.command()
@click.argument("file", type=click.Path(path_type=Path))
@options.output
def load(file: Path, data_dir: Path | None, as_json: bool) -> None:
    """Load a saved workspace into a new or empty folder, given with --data-dir.

    Every file is compared with its checksum. Nothing is overwritten.
    """
    with waiting("Loading the workspace") as on_stage:
        loaded = load_workspace(file, WorkspacePaths.of(data_dir).root, on_stage=on_stage)
    _print_saved("Loaded", loaded, as_json=as_json)


def _print_saved(verb: str, saved: SavedWorkspace, *, as_json: bool) -> None:
    if as_json:
        print_json({"path": str(saved.path), "n_files": saved.n_files, "n_bytes": saved.n_bytes})
    else:
        tell(f"{verb} {saved.path}: {many(saved.n_files, 'file')}, {saved.n_bytes / 1e6:,.1f} MB.", soft_wrap=True)


def _problems(problems: Iterable[WorkspaceProblem]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(problem).items() if name != "repair"} for problem in problems]


def _print_problems(problems: tuple[WorkspaceProblem, ...]) -> None:
    for problem in problems:
        tell(f"{problem.place}: {problem.problem}; {problem.remedy}.", "yellow", soft_wrap=True)
    if problems:
        say(f"{many(len(problems), 'problem')} found.", always=True)
