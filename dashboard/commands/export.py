"""`export`: a selection of a topic's publications as a file for other programs."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import FileError, InputError
from core.regions import REGIONS
from core.types import RegionKind
from dashboard.commands import options
from dashboard.commands.output import print_json, results, say, shown, waiting
from data.exports.bibtex import EXPORTS, ExportFormat, export_named
from data.exports.selection import Among, Selected, Selection, select, what_to_loosen
from data.files import written_aside
from data.workspace import Workspace

STANDARD_OUTPUT = "-"
AMONG: dict[str, Among] = {
    "retrieved": "retrieved",
    "corpus": "corpus",
    "core": "core",
    "core-missed": "core_missed",
    "everything": "everything",
}

_SELECTION = (
    click.option("--version", "versions", multiple=True, help="Found by this version; may stand several times."),
    click.option(
        "--among", type=click.Choice(list(AMONG)), default="retrieved", show_default=True, help="Which publications."
    ),
    click.option("--found-by-all", is_flag=True, help="Found by every one of the versions rather than by any."),
    click.option("--not-version", "not_versions", multiple=True, help="Not found by this version; several times too."),
    click.option("--region", type=click.Choice(list(REGIONS)), help="Only what this region accepts as relevant."),
    click.option("--not-relevant", is_flag=True, help="Only what the region does not accept."),
    click.option("--similarity-from", type=float, help="Smallest similarity to the centre of the core."),
    click.option("--similarity-to", type=float, help="Largest similarity to the centre of the core."),
)


def _selection(command: options.Command) -> options.Command:
    for option in reversed(_SELECTION):
        command = option(command)
    return command


def _read_selection(flags: dict[str, Any]) -> Selection:
    """The selection from its flags; what is left in `flags` are settings."""
    region: RegionKind | None = flags.pop("region")
    not_relevant = flags.pop("not_relevant")
    if not_relevant and region is None:
        raise InputError("--not-relevant needs a region that says so: add --region")
    return Selection(
        versions=tuple(dict.fromkeys(flags.pop("versions"))),
        among=AMONG[flags.pop("among")],
        all_versions=flags.pop("found_by_all"),
        not_by=tuple(dict.fromkeys(flags.pop("not_versions"))),
        region=region,
        relevant=None if region is None else not not_relevant,
        min_similarity=flags.pop("similarity_from"),
        max_similarity=flags.pop("similarity_to"),
    )


@click.command()
@options.topic
@_selection
@click.option("--format", "export_id", type=click.Choice(list(EXPORTS)), help="[default: as the file's name ends]")
@click.option("--out", required=True, help="The file to write; - is standard output.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@options.embedder
@options.regions
@options.settings
@options.data_dir
@options.as_json
def export(
    topic: str,
    export_id: str | None,
    out: str,
    force: bool,
    embedder: str | None,
    regions: str,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Write a selection of publications for screening tools and reference managers: RIS, CSV, BibTeX or JSON Lines."""
    selection = _read_selection(flags)
    settings, kinds = options.read_settings(flags), options.read_regions(regions)
    form = export_named(export_id, "" if out == STANDARD_OUTPUT else out)
    _check_place(out, force=force, as_json=as_json)
    with Workspace.open(data_dir) as workspace, waiting(f"Selecting from {topic}") as on_stage:
        selected = select(
            workspace, topic, selection, embedder=embedder, settings=settings, regions=kinds, on_stage=on_stage
        )
        if not len(selected):
            raise InputError(f"no publication of {topic} is selected: try {what_to_loosen(selection)}")
        on_stage("writing")
        n = _write(selected, form, out)
    if selected.judged.why_not:
        say(f"Note: similarity and regions are left empty: {selected.judged.why_not}.", "yellow")
    if as_json:
        print_json(_document(topic, form, out, n, selection))
    else:
        _say_how_many(n, form, out)


def _check_place(out: str, *, force: bool, as_json: bool) -> None:
    if out == STANDARD_OUTPUT:
        if as_json:
            raise InputError("--json and --out - both write to standard output: name a file")
        return
    path = Path(out)
    if path.is_dir():
        raise FileError(f"{out} is a folder: name a file in it")
    if path.exists() and not force:
        raise FileError(f"{out} is there already: choose another name, or replace it with --force")


def _write(selected: Selected, form: ExportFormat, out: str) -> int:
    if out == STANDARD_OUTPUT:
        n = form.write(selected.rows(), sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return n
    with written_aside(Path(out)) as file:
        return form.write(selected.rows(), file)


def _document(topic: str, form: ExportFormat, out: str, n: int, selection: Selection) -> dict[str, Any]:
    """`export --json`."""
    return {
        "topic": topic,
        "format": form.export_id,
        "file": out,
        "n_publications": n,
        "selection": asdict(selection),
    }


def _say_how_many(n: int, form: ExportFormat, out: str) -> None:
    what = f"{n:,} publication{'' if n == 1 else 's'} written as {form.label}"
    if out == STANDARD_OUTPUT:
        say(f"{what}.")
    else:
        results().print(shown(f"{what} to {out}"), soft_wrap=True)
