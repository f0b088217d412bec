"""`knowledge`: knowledge bases, each subcommand in a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.errors import CorruptStoreError
from dashboard.commands import options
from dashboard.commands.knowledge_answers import answers
from dashboard.commands.knowledge_entity import entity
from dashboard.commands.knowledge_statistics import statistics
from dashboard.commands.knowledge_synthesize import synthesize
from dashboard.commands.output import print_json, results, row, say, table, warn
from data.knowledge.base import About
from data.workspace import Workspace


@click.group()
def knowledge() -> None:
    """Knowledge bases: text and relations together."""


@knowledge.command("list")
@options.data_dir
@options.as_json
def list_bases(data_dir: Path | None, as_json: bool) -> None:
    """List the knowledge bases of the workspace."""
    with Workspace.open(data_dir) as workspace:
        abouts, types, damaged = _found(workspace)
    if as_json:
        print_json({"knowledge_bases": list(map(_listing_document, abouts, types)), "damaged": damaged})
        return
    if damaged:
        warn([f"{', '.join(damaged)} can't be read: bring it in again with get knowledge --replace"])
    if not abouts and not damaged:
        say("There is no knowledge base yet. Bring one in with: get knowledge --from FOLDER.")
        return
    out = table("Knowledge bases", "Name", "Entities", "Relations", "Types", "Origin", right=(1, 2))
    for about, of_base in zip(abouts, types, strict=True):
        row(out, about.name, f"{about.n_entities:,}", f"{about.n_relations:,}", ", ".join(of_base), about.origin)
    if abouts:
        results().print(out)


def _found(workspace: Workspace) -> tuple[list[About], list[dict[str, int]], list[str]]:
    """Those that can be read with their types, and the names of those that can't."""
    abouts, types, damaged = [], [], []
    for name in workspace.knowledge.names():
        try:
            base = workspace.knowledge.open(name)
            types.append({kind.name: kind.n for kind in base.types.values()})
            abouts.append(base.about)
        except CorruptStoreError:
            damaged.append(name)
    return abouts, types, damaged


def _listing_document(about: About, types: dict[str, int]) -> dict[str, Any]:
    return {
        "name": about.name,
        "n_entities": about.n_entities,
        "n_relations": about.n_relations,
        "types": types,
        "made_up": about.made_up,
        "origin": about.origin,
        "notes": about.notes,
    }


for subcommand in (entity, answers, statistics, synthesize):
    knowledge.add_command(subcommand)
