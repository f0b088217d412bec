"""TOML files of the user: the config file with defaults for options, and files of settings."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from core.errors import FileError, FormatError
from data.files import read_errors

VARIABLE = "QUERYSCAPE_CONFIG"
NAME_VARIABLE = "QUERYSCAPE_NAME"
"""The name of the person at work."""


def config_path() -> Path | None:
    """Return the path of the config file, which may not exist. None: QUERYSCAPE_CONFIG is set and empty."""
    named = os.environ.get(VARIABLE)
    if named is None:
        return user_config_path("queryscape", appauthor=False) / "config.toml"
    return Path(named).expanduser() if named.strip() else None


def read_config(path: Path) -> dict[str, Any]:
    """Read the config file; empty if there is none, unless QUERYSCAPE_CONFIG names it."""
    with read_errors(path, (OSError, ValueError)):
        is_there = os.path.lexists(path)
    if is_there:
        return read_toml(path)
    if os.environ.get(VARIABLE):
        raise FileError(f"the config file {path} does not exist: create it, or change the variable {VARIABLE}")
    return {}


MOST_DOTS = 1_000


def has_endless_names(text: str) -> bool:
    """Return True if a line may hold a name of so many parts (a.b.c) that reading it takes long."""
    return any(line.count(".") > MOST_DOTS for line in text.splitlines())


def read_toml(path: Path) -> dict[str, Any]:
    with read_errors(path, (OSError, ValueError)):
        if not os.path.lexists(path):
            raise FileError(f"there is no file {path}: check its name and folder")
        raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
        if has_endless_names(text):
            raise FormatError(f"{path} has a line with more than {MOST_DOTS:,} dots: split it into several lines")
        return tomllib.loads(text)
    except UnicodeDecodeError as e:
        line = raw.count(b"\n", 0, e.start) + 1
        raise FormatError(f"{path} is not UTF-8 text (line {line}): save it as UTF-8") from e
    except (ValueError, RecursionError) as e:  # a whole number of thousands of digits is a ValueError
        raise FormatError(f"{path} is not valid TOML: {e}") from e
