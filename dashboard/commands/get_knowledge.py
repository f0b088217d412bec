"""`get knowledge`: entities, their texts and their relations."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, shown, table, waiting
from data.knowledge.base import KnowledgeBase
from data.knowledge.loading.openalex import BroughtBase, bring_knowledge
from data.workspace import Workspace

SHOWN = 10
"""Rejected lines that are printed; --json gives all."""


def _knowledge_document(brought: BroughtBase, base: KnowledgeBase) -> dict[str, Any]:
    about, built = brought.about, brought.built
    return {
        "knowledge_base": about.name,
        "folder": about.origin,
        "n_entities": about.n_entities,
        "n_relations": about.n_relations,
        "templates": about.templates,
        "types": [{"type": k.name, "n": k.n, "is_answer": k.is_answer} for k in base.types.values()],
        "relations": [
            {"relation": r.name, "source": r.source, "target": r.target, "n": r.n} for r in base.relation_types
        ],
        "n_dangling": built.n_dangling,
        "n_twice": built.n_twice,
        "n_same_id": built.n_same_id,
        "notes": list(brought.notes),
        "rejected": [asdict(line) for line in brought.rejected],
    }


def _print_knowledge(brought: BroughtBase, base: KnowledgeBase) -> None:
    out, about = results(), brought.about
    counts = f"{about.n_entities:,} entities, {about.n_relations:,} relations, from {about.origin}"
    out.print(shown(about.name, "bold"), shown(counts))
    types = table("Entities", "Type", "Number", "Questions ask for them", right=(1,))
    for kind in base.types.values():
        row(types, kind.name, f"{kind.n:,}", "yes" if kind.is_answer else "no")
    out.print(types)
    relations = table("Relations", "Relation", "From", "To", "Number", right=(3,))
    for relation in base.relation_types:
        row(relations, relation.name, relation.source, relation.target, f"{relation.n:,}")
    out.print(relations)
    for note in brought.notes:
        out.print(shown(f"Note: {note}"))
    if n := len(brought.rejected):
        out.print(shown(f"{n:,} {'line was' if n == 1 else 'lines were'} left out:"))
        for line in brought.rejected[:SHOWN]:
            out.print(shown(f"  {line}"))
        if n > SHOWN:
            out.print(shown("  ..."))
    out.print(shown("\nNext: python -m dashboard, page Knowledge"))


@click.command()
@click.option("--from", "where", required=True, help="A folder, an archive or a file.")
@click.option("--name", default=None, help="What to call it. [default: as its folder]")
@click.option("--replace", is_flag=True, help="In the place of a knowledge base of the same name.")
@click.option("--answers", "first", default=None, help="Types that questions ask for: --answers A B ... [default: all]")
@click.argument("others", nargs=-1)
@options.data_dir
@options.as_json
def knowledge(
    where: str,
    name: str | None,
    replace: bool,
    first: str | None,
    others: tuple[str, ...],
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """A knowledge base: STaRK's MAG, Amazon or Prime, tables of your own, or works of OpenAlex.

    Tables are entities.csv (id, type, title, text, ...) and relations.csv (source, relation, target). What was left
    out is said.
    """
    if first is None and others:
        raise InputError(f'"{others[0]}" stands alone: give the folder with --from, types with --answers')
    answers = (first, *others) if first is not None else ()
    with Workspace.open(data_dir) as workspace, waiting("Loading the knowledge base") as on_stage:
        brought = bring_knowledge(
            workspace.knowledge, where, name=name, replace=replace, answers=answers, on_stage=on_stage
        )
        base = workspace.knowledge.open(brought.about.name)
        if as_json:
            print_json(_knowledge_document(brought, base))
        else:
            _print_knowledge(brought, base)
