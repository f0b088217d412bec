"""Printed documents and their schemas: in the tests, a key that the schema does not describe is a mistake."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import click
from jsonschema import Draft202012Validator

from dashboard.shell.schema import schema_names, schema_of

VERSIONS = "version"
"""Name of the schema of --version, which is an option of the whole command line."""


def closed(schema: Any) -> Any:
    """Return the schema with no room for other keys wherever it lists keys."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and isinstance(schema.get("type"), str | list):
        out.setdefault("additionalProperties", False)
    return out


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(closed(schema_of(name)))


def mistakes(name: str, document: Any) -> list[str]:
    """List the differences between a document and the schema of this name."""
    return [f"{error.json_path}: {error.message[:300]}" for error in validator(name).iter_errors(document)]


def printed_by() -> str:
    """Return the name of the schema of the command that runs."""
    context = click.get_current_context(silent=True)
    words = [] if context is None else context.command_path.split()[1:]
    return " ".join(words) if words and not words[0].startswith("-") else VERSIONS


def check_printed(text: str) -> str:
    name = printed_by()
    if name in schema_names():
        found = mistakes(name, json.loads(text))
        assert not found, f"{name} --json does not fit its schema: {found}"
    return text
