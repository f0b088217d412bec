"""Defaults for options from the config file: read once per command, checked where they are used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from core.errors import QueryscapeError, SettingsError
from dashboard.kit.defaults import (
    TOP,
    Mistakes,
    check_table,
    collected,
    options_by_key,
    read_options,
    shown_place,
    unknown,
)
from dashboard.kit.lazy_commands import LazyCommand
from data.config import config_path, read_config
from data.files import VARIABLE

COMMAND = "config"
"""The command that shows the file, which therefore takes no defaults from it."""


def read_defaults(root: click.Group) -> dict[str, Any]:
    """Return click's map of defaults: options of the root, and a table per command, nested as groups are.

    Tables are checked when their command runs: `check_table` does so.
    """
    path = config_path()
    return {} if path is None else _defaults_of(root, read_config(path), path)


def _defaults_of(
    root: click.Group, document: dict[str, Any], path: Path, mistakes: Mistakes | None = None
) -> dict[str, Any]:
    tables = {name: value for name, value in document.items() if isinstance(value, dict)}
    top = {name: value for name, value in document.items() if name not in tables}
    known = {name: option for name, option in options_by_key(root).items() if name in TOP}
    defaults = read_options(known, top, shown_place(path), mistakes)
    if os.environ.get(VARIABLE):
        defaults.pop("data_dir", None)
    elif folder := defaults.get("data_dir"):
        defaults["data_dir"] = path.parent / Path(folder).expanduser()
    for words, values in _tables((), tables):
        place = shown_place(path, " ".join(words))
        with collected(mistakes):
            if words == (COMMAND,):
                raise SettingsError(f"{place}: this command has no defaults: remove the table")
            _add(defaults, root, words, values, place)
    return defaults


def _tables(words: tuple[str, ...], tables: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield every table with the words of its command: ["judge runs"] and [judge.runs] are the same."""
    for name, table in tables.items():
        path = (*words, *name.split())
        inner = {key: value for key, value in table.items() if isinstance(value, dict)}
        yield path, {key: value for key, value in table.items() if key not in inner}
        yield from _tables(path, inner)


def _add(
    defaults: dict[str, Any], root: click.Group, words: tuple[str, ...], values: dict[str, Any], place: str
) -> None:
    """Add a table below the name of its command, which may have two words, and those of its groups."""
    two = " ".join(words[:2])
    names = (two, *words[2:]) if two in root.commands else words
    if not names or names[0] not in root.commands:
        raise unknown("command", " ".join(words), root.commands, place)
    for name in names:
        defaults = defaults.setdefault(name, {})
        if not isinstance(defaults, dict):
            raise SettingsError(f"{place}: {name} is set as an option, too: remove one")
    defaults.update(values)


def problems(root: click.Group) -> list[str]:
    """Return every mistake in the config file."""
    path = config_path()
    try:
        document = {} if path is None else read_config(path)
    except QueryscapeError as e:
        return [str(e)]
    mistakes: Mistakes = []
    if path is not None:
        _check_tables(root, "", _defaults_of(root, document, path, mistakes), mistakes)
    return [str(mistake) for mistake in mistakes]


def _check_tables(group: click.Group, path: str, defaults: dict[str, Any], mistakes: Mistakes) -> None:
    for name, table in defaults.items():
        if not isinstance(table, dict) or name not in group.commands:
            continue
        command = group.commands[name]
        command = command.load() if isinstance(command, LazyCommand) else command
        full = f"{path} {name}".strip()
        check_table(command, full, table, mistakes)
        if isinstance(command, click.Group):
            _check_tables(command, full, table, mistakes)
