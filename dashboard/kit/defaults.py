"""Values for options from a TOML file, which are named as their flags are: checked before they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from core.errors import QueryscapeError, SettingsError
from data.config import config_path

TOP = ("name", "data_dir", "port", "host", "no_browser", "quiet", "no_color")
"""Options of the whole command line, which stand at the top of the file."""


Mistakes = list[QueryscapeError]


@contextmanager
def collected(mistakes: Mistakes | None) -> Iterator[None]:
    """Add a mistake to the list, so that the next one is found, too. Without a list, the first is raised."""
    try:
        yield
    except QueryscapeError as e:
        if mistakes is None:
            raise
        mistakes.append(e)


def unknown(kind: str, name: str, known: Iterable[str], place: str) -> SettingsError:
    """Return the error for a name that does not exist, with the most similar one that does."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    proposal = f'did you mean "{near[0]}"?' if near else f"choose from {', '.join(names)}" if names else "remove it"
    return SettingsError(f'{place}: there is no {kind} "{name}": {proposal}')


def options_by_key(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their name in a file: that of the flag, with underscores."""
    named = [(flag, p) for p in command.params if isinstance(p, click.Option) for flag in p.opts]
    return {flag[2:].replace("-", "_"): option for flag, option in named if flag.startswith("--") and flag != "--help"}


def read_options(
    options: Mapping[str, click.Option], table: Mapping[str, Any], place: str, mistakes: Mistakes | None = None
) -> dict[str, Any]:
    """Return the values by the names of parameters. A name may have hyphens or underscores."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        with collected(mistakes):
            option = options.get(key.replace("-", "_"))
            if option is None or option.name is None:
                raise unknown("option", key, options, place)
            if option.name in values:
                raise SettingsError(f'{place}: "{key}" is set twice: remove one')
            values[option.name] = _checked(option, value, f"{place}: {key}")
    return values


def _checked(option: click.Option, value: Any, place: str) -> Any:
    if option.multiple:
        return [_checked_values(option, each, place) for each in (value if isinstance(value, list) else [value])]
    return _checked_values(option, value, place)


def _checked_values(option: click.Option, value: Any, place: str) -> Any:
    if option.nargs == 1:
        return _checked_value(option, option.type, value, place)
    if not isinstance(value, list) or len(value) != option.nargs:
        raise SettingsError(f"{place} must be a list of {option.nargs} values, got {_shown(value)}")
    types = option.type.types if isinstance(option.type, click.Tuple) else [option.type] * option.nargs
    return [_checked_value(option, kind, each, place) for kind, each in zip(types, value, strict=True)]


def _checked_value(option: click.Option, kind: click.ParamType[Any], value: Any, place: str) -> Any:
    if option.is_flag:
        fits, expected = isinstance(value, bool), "true or false"
    elif kind.name.startswith("integer"):
        fits, expected = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    elif kind.name.startswith("float"):
        fits, expected = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    else:
        fits, expected = isinstance(value, str), 'text in quotes, as in "..."'
    if isinstance(kind, click.Choice) and value not in kind.choices:
        near = get_close_matches(str(value), kind.choices, n=1)
        proposal = f'did you mean "{near[0]}"?' if near else f"choose from {', '.join(kind.choices)}"
        raise SettingsError(f"{place} can't be {_shown(value)}: {proposal}")
    if not fits:
        raise SettingsError(f"{place} must be {expected}, got {_shown(value)}")
    try:
        kind.convert(value, option, None)
    except click.BadParameter as e:
        raise SettingsError(f"{place}: {e.message}") from e
    except OverflowError as e:
        raise SettingsError(f"{place} is too large a number") from e
    return value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return f'"{value}"' if isinstance(value, str) else str(value)


def shown_place(path: Path, table: str = "") -> str:
    """Return how messages name a table of a file; the table at the top has no name."""
    return f"{path}, [{table}]" if table else str(path)


def check_table(
    command: click.Command, name: str, table: dict[str, Any], mistakes: Mistakes | None = None
) -> dict[str, Any]:
    """Return the table of a command with the names of its parameters; subcommands are checked when they run."""
    path = config_path()
    assert path is not None
    place = shown_place(path, name)
    options = {key: option for key, option in options_by_key(command).items() if key not in ("data_dir", "help")}
    values = {key: value for key, value in table.items() if not isinstance(value, dict)}
    inner = {key: value for key, value in table.items() if isinstance(value, dict)}
    commands = command.commands if isinstance(command, click.Group) else {}
    for key in inner:
        with collected(mistakes):
            if key not in commands:
                raise unknown("command", f"{name} {key}", [f"{name} {each}" for each in commands], place)
    for key in [key for key in values if key.replace("-", "_") in TOP]:
        del values[key]
        with collected(mistakes):
            raise SettingsError(f"{place}: {key} is an option of all commands: put it at the top of the file")
    return read_options(options, values, place, mistakes) | inner
