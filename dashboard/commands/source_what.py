"""What the `source` commands have in common: which text is sent, to which source, and how it is to be read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import InputError
from core.query.tree import DialectId
from core.sources.sending.saying import MOST, SOURCE_IDS, Choices, SourceId
from dashboard.commands.query_files import read_query
from data.lookup import text_named
from data.running import dialect_of
from data.sources.opening import check_source
from data.workspace import Workspace

OPEN_TO_ALL: tuple[SourceId, ...] = ("pubmed", "openalex", "europepmc")
_SOURCES = ", ".join(SOURCE_IDS)
file_option = click.option(
    "--file", "file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - is the input."
)
version_option = click.option("--version", "label", default=None, help="The text of this version of the topic.")
source_option = click.option("--source", "source_id", default=None, help=f"One of {_SOURCES}.")
most_option = click.option(
    "--most", type=click.IntRange(1), default=MOST, show_default=True, help="Publications that are fetched at most."
)
_CHOICES = (
    click.option(
        "--dialect",
        type=click.Choice(get_args(DialectId)),
        default=None,
        help="The text's. [default: found out from the text]",
    ),
    click.option("--no-stem", is_flag=True, help="OpenAlex: words as they are written, in no other form."),
    click.option("--send-wildcards", is_flag=True, help="OpenAlex: send * and ?, which are left out otherwise."),
    click.option("--synonyms", is_flag=True, help="Europe PMC: look for synonyms of MeSH too."),
)


def choices_options(command: Any) -> Any:
    """How the text is read, and how sources are asked that can be asked in several ways."""
    for option in reversed(_CHOICES):
        command = option(command)
    return command


def read_choices(given: dict[str, Any]) -> Choices:
    """Takes these flags out of what was given."""
    return Choices(
        stem=not given.pop("no_stem"),
        wildcards="send" if given.pop("send_wildcards") else "drop",
        synonyms=given.pop("synonyms"),
    )


@dataclass(frozen=True, slots=True)
class Text:
    """A search string from one of three places."""

    text: str
    dialect: DialectId | None
    """None: as it is found out."""


def read_text(
    workspace: Workspace,
    text: str | None,
    file: Path | None,
    label: str | None,
    topic: str | None,
    dialect: DialectId | None,
) -> Text:
    """From an argument, a file, or a version of a topic."""
    if label is None:
        parsed = read_query(text, file, dialect)
        return Text(parsed.text, dialect or (parsed.dialect if file is not None else None))
    if text is not None or file is not None:
        raise InputError("--version has a text of its own: leave out the text and --file")
    if topic is None:
        raise InputError("--version is one of a topic: name it with --topic T")
    there = text_named(workspace.store, topic, label)
    version = next(row.version for row in workspace.store.versions(topic) if row.version.label == label)
    return Text(there, dialect or dialect_of(version))


def read_sources(first: str | None, more: Sequence[str]) -> tuple[tuple[SourceId, ...], str | None]:
    """Sources that were named, with or without commas between them, and what beside them is the text."""
    named = [name.strip() for name in (first or "").split(",") if name.strip()]
    texts = [each for each in more if each.strip(", ") not in SOURCE_IDS]
    named += [each.strip(", ") for each in more if each not in texts]
    if len(texts) > 1:
        raise InputError(
            f"there is more than one text: put the search string into quotation marks, and choose from {_SOURCES}"
        )
    found = tuple(check_source(name) for name in dict.fromkeys(named)) or OPEN_TO_ALL
    return found, texts[0] if texts else None


def one_source(name: str | None) -> SourceId:
    """The source that was named."""
    if name is None:
        raise InputError(f"say which source to ask: --source with one of {_SOURCES}")
    return check_source(name)
