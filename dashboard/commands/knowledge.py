"""`knowledge`: knowledge bases, each subcommand in a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dashboard.commands import options
from dashboard.commands.knowledge_answers import answers
from dashboard.commands.knowledge_entity import entity
from dashboard.commands.knowledge_statistics import statistics
from dashboard.commands.knowledge_synthesize import synthesize
from dashboard.commands.output import print_json, results, row, say, table
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
        found = [workspace.knowledge.open(about.name) for about in workspace.knowledge.list()]
        types = [{kind.name: kind.n for kind in base.types.values()} for base in found]
    abouts = [base.about for base in found]
    if as_json:
        print_json({"knowledge_bases": list(map(_document, abouts, types))})
        return
    if not abouts:
        say("There is no knowledge base yet. Bring one in with: get knowledge --from FOLDER.")
        return
    out = table("Knowledge bases", "Name", "Entities", "Relations", "Types", "Origin", right=(1, 2))
    for about, of_base in zip(abouts, types, strict=True):
        row(out, about.name, f"{about.n_entities:,}", f"{about.n_relations:,}", ", ".join(of_base), about.origin)
    results().print(out)


def _document(about: About, types: dict[str, int]) -> dict[str, Any]:
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
