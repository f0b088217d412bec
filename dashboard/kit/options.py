"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

Command = TypeVar("Command", bound=Callable[..., Any])


def together(*given: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return one decorator that adds these options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(given):
            command = option(command)
        return command

    return add


def is_given(context: click.Context, name: str) -> bool:
    """Return whether the user gave this option on the command line, and not a file."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def examples(*lines: str) -> str:
    """Return the end of a command's help: commands to copy."""
    return "\b\nExamples:\n" + "\n".join(f"  queryscape {line}" for line in lines)


ENVIRONMENT = "queryscape.environment"
"""Where the context keeps the environment variables as they were, before options set some."""
QUIET_VARIABLE = "QUERYSCAPE_QUIET"
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document to standard output.")
data_dir = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    default=None,
    help="Folder of the workspace. [default: QUERYSCAPE_DATA_DIR, else a default folder]",
)
output = together(data_dir, as_json)
"""The options that end the list of every command."""
topic = click.option("--topic", required=True, help="The topic's name, or the beginning of only one.")
new_topic = click.option("--topic", required=True, help="The topic's name; a new name creates a topic.")
embedder = click.option("--embedder", default=None, help="Embedder to use. [default: the only one available]")
