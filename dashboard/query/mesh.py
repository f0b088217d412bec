"""The commands `get mesh`, `query mesh` and `query headings`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from core.errors import InputError, NotFoundError
from core.library.headings import HeadingGrid
from core.library.mesh import MeshHeading, MeshThesaurus
from core.query.match import Semantics, of_rows
from core.query.suggestions import HeadingSuggestion, suggest_headings
from core.query.tree import DialectId
from core.text import listed, many
from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, say, shown, table, tell
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import read_query
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.query.mesh import MeshImport, bring_mesh, core_grid, load_mesh

NO_MESH = "no MeSH file is loaded: run get mesh --from FILE"
MOST_COLUMNS = 12
"""Headings of the grid that fit into a terminal; --json lists all."""


@click.command("mesh")
@click.option("--from", "where", required=True, metavar="FILE_OR_ADDRESS", help="NLM's file, or its web address.")
@click.option("--replace", is_flag=True, help="Overwrite a file of another year, or use one that is cut off.")
@options.output
def get_mesh_command(where: str, replace: bool, data_dir: Path | None, as_json: bool) -> None:
    """Load NLM's MeSH: tree file, descriptor XML or ASCII, also as .gz.

    Tree files have no entry terms or years: load the descriptor file of the same year, too.
    """
    paths = WorkspacePaths.of(data_dir)
    paths.make_root()
    with waiting("Reading MeSH"):
        brought = bring_mesh(paths, where, replace=replace)
    if as_json:
        print_json(_import_document(brought))
    else:
        _print_import(brought)


def _import_document(brought: MeshImport) -> dict[str, Any]:
    mesh = brought.thesaurus
    return {
        "year": mesh.year,
        "sources": list(mesh.sources),
        "n_read": brought.n_read,
        "n_headings": len(mesh.headings),
        "n_places": sum(len(heading.places) for heading in mesh.headings),
        "n_entry_terms": sum(len(heading.entry_terms) for heading in mesh.headings),
        "replaced": brought.replaced or None,
        "notes": list(brought.notes),
    }


def import_lines(brought: MeshImport) -> Iterator[str]:
    """Yield sentences on the file that was loaded."""
    mesh = brought.thesaurus
    places = sum(len(heading.places) for heading in mesh.headings)
    yield f"{mesh.label}: {many(len(mesh.headings), 'heading')}, {many(places, 'place')}, from {listed(mesh.sources)}."
    if not mesh.has_entry_terms:
        yield "No entry terms or years in this file: load the descriptor file of the same year to add them."
    if brought.replaced:
        yield f"{brought.replaced} was replaced."


def _print_import(brought: MeshImport) -> None:
    for line in import_lines(brought):
        tell(line)
    for note in brought.notes:
        say(note, "yellow")


def _loaded(data_dir: Path | None) -> MeshThesaurus:
    mesh = load_mesh(WorkspacePaths.of(data_dir))
    if mesh is None:
        raise NotFoundError(NO_MESH)
    return mesh


@click.command("mesh")
@click.argument("name")
@options.output
def mesh_command(name: str, data_dir: Path | None, as_json: bool) -> None:
    """Show a MeSH heading: its places, narrower headings, entry terms."""
    mesh = _loaded(data_dir)
    known = mesh.find(name)
    others = () if known else mesh.replacements(name)
    proposal = None if known or others else mesh.proposal(name)
    if as_json:
        print_json(_heading_document(name, known, others, proposal, mesh))
        return
    out = results()
    if known is None:
        if others:
            names = listed([f"“{other.name}”" for other in others])
            out.print(shown(f"“{name}” is an entry term or former name of {names} in {mesh.label}."))
        elif proposal:
            out.print(shown(f"“{name}” is not a heading of {mesh.label}. Did you mean “{proposal.name}”?"))
        else:
            out.print(shown(f"“{name}” is not in this file ({listed(mesh.sources)})."))
        return
    out.print(shown(known.name, "bold"))
    lines = (
        ("Places", known.places),
        ("Narrower", tuple(heading.name for heading in mesh.narrower(name))),
        ("Entry terms", known.entry_terms),
        ("Former names", known.former_names),
        ("Introduced", (str(known.introduced),) if known.introduced else ()),
    )
    for label, values in lines:
        out.print(shown(f"  {label}: {'; '.join(values) or NONE}"), soft_wrap=True)
    tell(f"\n{mesh.label}, from {listed(mesh.sources)}")


def _heading_document(
    name: str,
    known: MeshHeading | None,
    others: tuple[MeshHeading, ...],
    proposal: MeshHeading | None,
    mesh: MeshThesaurus,
) -> dict[str, Any]:
    return {
        "asked": name,
        "heading": known.name if known else None,
        "places": list(known.places) if known else [],
        "narrower": [heading.name for heading in mesh.narrower(name)],
        "n_exploded": len(mesh.exploded(name)) if known else 0,
        "exploded": sorted(mesh.exploded(name)) if known else [],
        "entry_terms": list(known.entry_terms) if known else [],
        "former_names": list(known.former_names) if known else [],
        "introduced": known.introduced if known else None,
        "replaced_by": [other.name for other in others],
        "proposal": proposal.name if proposal else None,
        "year": mesh.year,
        "sources": list(mesh.sources),
    }


@click.command("headings")
@click.argument("text", required=False)
@click.option("--file", "file", type=click.Path(path_type=Path), default=None, help="Read the text from a file.")
@click.option("--dialect", default=None, help="Dialect of the text. [default: detected]")
@options.topic
@options.output
def headings_command(
    text: str | None,
    file: Path | None,
    dialect: DialectId | None,
    topic: str,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List the headings of the core set as a grid; with a search string, suggest headings and entry terms for it."""
    parsed = read_query(text, file, dialect) if text is not None or file is not None else None
    semantics: Semantics = "literal"
    with Workspace.open(data_dir) as workspace, waiting(f"Indexing {topic}"):
        corpus = workspace.corpora.of(topic)
        core_ids = workspace.store.load_core(topic).ids
        core_rows = of_rows(corpus.rows_of_ids(core_ids), len(corpus.ids))
        grid = core_grid(corpus, core_ids)
        found: tuple[HeadingSuggestion, ...] = ()
        if parsed is not None:
            if corpus.mesh is None:
                raise InputError(NO_MESH)
            found = suggest_headings(parsed, corpus.mesh, corpus, semantics, core_rows)
    if as_json:
        print_json({"topic": topic, "suggestions": list(map(_suggestion, found)), "grid": grid_document(grid)})
        return
    if parsed is not None:
        _print_suggestions(found)
    _print_grid(grid)


def grid_document(grid: HeadingGrid) -> dict[str, Any]:
    return {
        "headings": [{"name": c.name, "n_publications": c.n_publications, "n_major": c.n_major} for c in grid.columns],
        "publications": [{"publication_id": i, "cells": list(cells)} for i, cells in grid.rows],
        "without_headings": list(grid.without),
    }


def _suggestion(found: HeadingSuggestion) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "text": found.text,
        "for": found.reason,
        "start": found.span.start,
        "end": found.span.end,
        "n_hits": found.n_hits,
        "n_core": found.n_core,
    }


def _print_suggestions(found: tuple[HeadingSuggestion, ...]) -> None:
    grid = table("Suggestions", "Add", "As", "For", "Hits", "Core", right=(3, 4))
    for s in found:
        row(grid, s.text, s.kind, s.reason, *(NONE if n is None else f"{n:,}" for n in (s.n_hits, s.n_core)))
    results().print(grid if found else shown("No suggestions."))


def _print_grid(grid: HeadingGrid) -> None:
    if not grid.rows:
        results().print(shown("No core publication carries headings."))
        return
    columns = grid.columns[:MOST_COLUMNS]
    out = table("Headings of the core set (x, major: M)", "Publication", *(c.name for c in columns))
    row(out, "Publications with it", *(f"{c.n_publications:,}" for c in columns))
    for publication_id, cells in grid.rows:
        row(out, publication_id, *({"": "", "yes": "x", "major": "M"}[cell] for cell in cells[:MOST_COLUMNS]))
    results().print(out)
    if len(grid.columns) > MOST_COLUMNS:
        tell(f"{len(grid.columns) - MOST_COLUMNS:,} more headings: --json lists them all")
    if grid.without:
        tell(f"{many(len(grid.without), 'core publication')} without headings: {listed(grid.without, 5)}")
