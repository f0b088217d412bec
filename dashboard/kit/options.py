"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document to standard output.")
data_dir = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    default=None,
    help="Folder of the workspace. [default: QUERYSCAPE_DATA_DIR, else data/local]",
)
topic = click.option("--topic", required=True, help="The topic's name.")
embedder = click.option("--embedder", default=None, help="Embedder to use. [default: the only one available]")
