"""`report press check`: any search string in the six domains of PRESS, without a topic, corpus or run."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any, get_args

import click

from core.audit.searches import dialect_of
from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.tree import DialectId
from core.text import many
from dashboard.kit import options
from dashboard.kit.output import print_json, results, row, say, table
from dashboard.kit.search_strings import read_query
from data.audit.reviews import EvidenceTopic, ReviewEvidence, check_string, version_of
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.library.searches import find_search
from data.query.mesh import load_mesh


@click.command("check")
@click.argument("text", required=False)
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    default=None,
    help="Read the text from a file; - reads standard input.",
)
@click.option("--topic", default=None, help="Also count in the publications of this topic.")
@click.option(
    "--dialect", type=click.Choice(get_args(DialectId)), default=None, help="Dialect of the text. [default: detected]"
)
@click.option(
    "--search", "number", type=int, default=None, help="Check a recorded search of --topic instead, by its number."
)
@options.output
def check_command(
    text: str | None,
    file: Path | None,
    topic: str | None,
    dialect: DialectId | None,
    number: int | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Check any search string in the six domains; with --topic, its hits and missed core publications as well."""
    if number is not None and (topic is None or text is not None or file is not None):
        raise InputError("a recorded search is checked with --topic TOPIC --search NUMBER, without another text")
    parsed = read_query(text, file, dialect) if number is None else None
    mesh = load_mesh(WorkspacePaths.of(data_dir))
    with nullcontext() if topic is None else Workspace.open(data_dir) as workspace:
        joined = search = None
        if workspace is not None and topic is not None:
            if number is not None:
                search = find_search(workspace.store, topic, number)
                dialect = dialect or dialect_of(search)
                parsed = parse(search.text, dialect)
            if parsed is not None:
                joined = EvidenceTopic(workspace, topic, version_of(workspace.store, topic, parsed.text))
        assert parsed is not None
        found = check_string(parsed, joined, is_named=dialect is not None, mesh=mesh, search=search)
    if as_json:
        print_json(string_document(found))
    else:
        print_string(found)


def string_document(found: ReviewEvidence) -> dict[str, Any]:
    """Return `report press check --json`.

    `findings`: evidence that deserves a look, each with its text and the rule that found it (null: counted);
    `facts`: the other evidence. `counted_in`: null without --topic.
    """
    return {
        "dialect": found.dialect,
        "counted_in": found.counted_in or None,
        "n_findings": sum(len(domain.findings) for domain in found.domains),
        "domains": [
            {
                "number": domain.about.number,
                "domain": domain.domain,
                "title": domain.about.title,
                "findings": [{"rule": each.rule or None, "text": each.text} for each in domain.findings],
                "facts": [{"rule": each.rule or None, "text": each.text} for each in domain.facts],
            }
            for domain in found.domains
        ],
    }


def print_string(found: ReviewEvidence) -> None:
    label = DIALECTS[found.dialect].label if found.dialect in DIALECTS else found.dialect
    n = sum(len(domain.findings) for domain in found.domains)
    grid = table(f"PRESS check, read as {label}: {many(n, 'finding') if n else 'no findings'}", "", "Domain", "Finding")
    for domain in found.domains:
        texts = [each.text for each in domain.findings] or ["None."]
        for place, text in enumerate(texts):
            row(grid, *(("", "") if place else (str(domain.about.number), domain.about.title)), text)
    results().print(grid)
    say("A finding is no verdict: a reviewer decides. Counts and other facts: --json.")
