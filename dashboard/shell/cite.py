"""The command `cite`: how to cite this version."""

from __future__ import annotations

from pathlib import Path

import click

from core.citation import citation_bibtex, citation_document, citation_text, works_sentence
from core.errors import InputError
from dashboard.kit import options
from dashboard.kit.output import print_json


@click.command()
@click.option("--bibtex", is_flag=True, help="Print a BibTeX entry.")
@options.output
def cite(bibtex: bool, data_dir: Path | None, as_json: bool) -> None:
    """Print how to cite this version of Queryscape, and the methods that it implements."""
    if bibtex and as_json:
        raise InputError("choose --bibtex or --json: the JSON document has the BibTeX entry, too")
    if as_json:
        print_json(citation_document())
    elif bibtex:
        click.echo(citation_bibtex())
    else:
        click.echo(citation_text())
        click.echo(f"Cite the methods that you use, too: {works_sentence()}.")
