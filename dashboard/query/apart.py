"""The command `query apart`: split a search string into the keyword lists of the query writer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from core.documents import as_document
from core.errors import InputError
from core.query.tree import DialectId, ParsedQuery
from core.writer.decomposition import SheetDecomposition, take_apart
from core.writer.sheets import IN_STRING, Keyword, ListName
from core.writer.sheets import text_of as sheet_text
from dashboard.kit import options
from dashboard.kit.output import print_json, results, shown, warn
from dashboard.kit.search_strings import read_query, version_query
from data.explore.workspace import Workspace

DIALECT = click.Choice(get_args(DialectId))
NAMES: dict[ListName, str] = {
    "specific": "Specific, retrieve on their own",
    "general": "General, only combined with overarching keywords",
    "overarching": "Overarching",
    "excluded": "Excluded",
}


@click.command("apart")
@click.argument("text", required=False)
@click.option(
    "--file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - reads standard input."
)
@click.option("--topic", default=None, help="Topic of --version.")
@click.option("--version", "label", default=None, help="Use the search string of this version.")
@click.option("--dialect", type=DIALECT, default=None, help="Dialect of the text. [default: detected]")
@options.data_dir
@options.as_json
def apart_command(
    text: str | None,
    file: Path | None,
    topic: str | None,
    label: str | None,
    dialect: DialectId | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Split a search string into specific, general, overarching and excluded keywords."""
    query = _query(text, file, topic, label, dialect, data_dir)
    if query.kind == "empty":
        raise InputError("there is nothing to split: type at least one word")
    warn([finding.message.rstrip(".") for finding in query.findings if finding.severity == "error"])
    apart = take_apart(query)
    if as_json:
        print_json(apart_document(apart))
    else:
        print_apart(apart)


def _query(
    text: str | None,
    file: Path | None,
    topic: str | None,
    label: str | None,
    dialect: DialectId | None,
    data_dir: Path | None,
) -> ParsedQuery:
    if (topic is None) != (label is None):
        raise InputError("a version needs both --topic and --version")
    if topic is None or label is None:
        return read_query(text, file, dialect)
    if text is not None or file is not None:
        raise InputError("--version already has a search string: leave out the text and --file")
    with Workspace.open(data_dir) as workspace:
        return version_query(workspace.store, topic, label, dialect)


def apart_document(apart: SheetDecomposition) -> dict[str, Any]:
    """Return `query apart --json`."""
    sheet = as_document(apart.sheet)
    return {
        **{name: sheet[name] for name in IN_STRING},
        "joined": apart.sheet.joined,
        "left": [{"text": left.text, "why": left.why} for left in apart.left],
        "is_whole": apart.is_whole,
        "text": sheet_text(apart.sheet).text,
    }


def print_apart(apart: SheetDecomposition) -> None:
    out = results()
    for name, title in NAMES.items():
        keywords = apart.sheet.of(name)
        if not keywords:
            continue
        how = f", joined by {apart.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
        out.print(shown(f"{title}{how} ({len(keywords)})", "bold"))
        for keyword in keywords:
            out.print(shown(f"  {_told(keyword)}"))
    if apart.sheet.general and not apart.sheet.overarching:
        out.print(shown("The general keywords are not used: there is no overarching keyword.", "yellow"))
    for left in apart.left:
        out.print(shown(f"Doesn't fit: {left.text}", "yellow"))
        out.print(shown(f"    {left.why}"))
    whole = (
        "The lists are equivalent to the search string."
        if apart.is_whole
        else "The lists don't cover the whole search string."
    )
    out.print(shown(whole, "" if apart.is_whole else "yellow"))


def _told(keyword: Keyword) -> str:
    apart = "" if keyword.phrase or " " not in keyword.text else " (words anywhere)"
    return f"{keyword.text}{apart}{' in ' + ', '.join(keyword.fields) if keyword.fields else ''}"
