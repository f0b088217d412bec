"""The command `config`: where the config file is, what it sets, and the environment variables that are set."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from core.errors import QueryscapeError
from dashboard.kit import options
from dashboard.kit.output import print_json, say, tell
from dashboard.shell.config_file import problems
from data.config import VARIABLE, config_path, read_config
from data.files import VARIABLE as DATA_DIR
from data.files import WorkspacePaths
from data.judge.services import PRESETS
from data.models.destination import ADDRESS, KEY
from data.sources.registry import ABOUT

SHOWN = frozenset({DATA_DIR, VARIABLE, "QUERYSCAPE_OFFLINE", "QUERYSCAPE_DEMO", "QUERYSCAPE_QUIET"}) | {
    "QUERYSCAPE_READ_ONLY",
    "QUERYSCAPE_SOCKET",
}
"""Variables whose values are shown. Any other may hold a key, a password or a mail address."""

SET = "set"
_SECRET = re.compile(r"key|token|secret|password", re.IGNORECASE)
_ACCOUNT = re.compile(r"//[^/\s]*@")


@click.command()
@options.output
@click.pass_context
def config(context: click.Context, data_dir: Path | None, as_json: bool) -> None:
    """Show the config file, the defaults that it sets, and the environment variables that are set.

    The file is named by the variable QUERYSCAPE_CONFIG, or lies in your system's folder for settings. It need not
    exist. Every table is checked, also those of other commands. Exit status 1: there are mistakes in the file.
    """
    path = config_path()
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    found = problems(root.command)
    sets = {} if path is None else dict(_flat(_document(path)))
    variables = _variables(root.meta[options.ENVIRONMENT])
    folder = WorkspacePaths.of(data_dir).root
    if as_json:
        document = {
            "file": None if path is None else str(path),
            "exists": path is not None and path.is_file(),
            "sets": sets,
            "problems": found,
            "data_dir": str(folder),
            "environment": variables,
        }
        print_json({"config": document})
    else:
        _print(path, sets, folder, variables)
        for problem in found:
            say(f"Problem: {problem}", "yellow", always=True)
    if found:
        sys.exit(1)


def _print(path: Path | None, sets: Mapping[str, Any], folder: Path, variables: Mapping[str, str]) -> None:
    if path is None:
        tell(f"Config file: none, because {VARIABLE} is empty")
    else:
        tell(f"Config file: {path}{'' if path.is_file() else ' (does not exist)'}", soft_wrap=True)
    for name, value in sets.items():
        tell(f"  {name} = {_in_toml(value)}", soft_wrap=True)
    tell(f"Workspace: {folder}", soft_wrap=True)
    tell("Environment variables:" + ("" if variables else " none set"))
    for name, value in variables.items():
        tell(f"  {name} {'is set' if value == SET else f'= {value}'}", soft_wrap=True)


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are set. Only harmless values are shown."""
    known = {KEY, ADDRESS, "HTTPS_PROXY", "NO_PROXY", "NO_COLOR"}
    known |= {preset.key_variable for preset in PRESETS.values()}
    known |= {name for about in ABOUT.values() for name in (about.key_variable, about.address_variable)}
    names = (name for name in environment if name in known or name.startswith("QUERYSCAPE_"))
    return {
        name: environment[name] if name in SHOWN else SET
        for name in sorted(names)
        if environment[name] or name == VARIABLE
    }


def _document(path: Path) -> dict[str, Any]:
    try:
        return read_config(path)
    except QueryscapeError:  # one of the problems
        return {}


def _flat(document: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in document.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{table} {name}".strip())
        else:
            yield (f"[{table}] {name}" if table else name), SET if _SECRET.search(name) else _plain(value)


def _in_toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if isinstance(value, bool | int | float) else _ACCOUNT.sub("//…@", str(value))
