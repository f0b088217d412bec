"""The command `schema`: JSON Schemas of what the commands print with --json."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from core.errors import InputError, NotFoundError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = Path(__file__).parent / "schemas"
SHARED = "shared.json"
"""Definitions that several schemas use. A printed schema holds those that it refers to."""
_PLACE = "#/$defs/"


@click.command()
@click.argument("name", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write all schemas to this folder.")
def schema(name: tuple[str, ...], out: Path | None) -> None:
    """Print the JSON Schema of a command's --json output; without a name, list the names."""
    if out is not None:
        if name:
            raise InputError("choose a name or --out: --out writes all schemas")
        _write_all(out)
    elif name:
        click.echo(_printed(schema_of(" ".join(name))), nl=False)
    else:
        click.echo("\n".join(schema_names()))


def schema_names() -> list[str]:
    """Return the names of the commands with a schema; "version" is the option --version."""
    return sorted(path.stem.replace("-", " ") for path in FOLDER.glob("*.json") if path.name != SHARED)


def schema_of(name: str) -> dict[str, Any]:
    """Return a command's schema, complete in itself."""
    known = schema_names()
    wanted = " ".join(name.replace("-", " ").split())
    if wanted not in known:
        near = get_close_matches(wanted, known, n=1)
        hint = f'did you mean "{near[0]}"?' if near else '"queryscape schema" lists the names'
        raise NotFoundError(f'no command with --json has the name "{name}": {hint}')
    document: dict[str, Any] = _read(wanted.replace(" ", "-") + ".json")
    shared = _read(SHARED)["$defs"]
    if "$ref" in document:  # the whole document is a shared definition
        whole = shared[document.pop("$ref").removeprefix(_PLACE)]
        document |= {key: value for key, value in whole.items() if key not in document}
    own = document.get("$defs", {})
    missing = _references(document) - own.keys()
    while missing:
        own |= {each: shared[each] for each in sorted(missing)}
        missing = _references(own) - own.keys()
    return document | ({"$defs": own} if own else {})


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def _references(value: Any) -> set[str]:
    """Return the names of the definitions that a part of a schema refers to."""
    if isinstance(value, list):
        return {name for each in value for name in _references(each)}
    if not isinstance(value, dict):
        return set()
    here = value.get("$ref")
    found = {here.removeprefix(_PLACE)} if isinstance(here, str) else set()
    return found | {name for each in value.values() for name in _references(each)}


def _printed(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _write_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = schema_names()
    for name in names:
        path = folder / (name.replace(" ", "-") + ".json")
        path.write_text(_printed(schema_of(name)), "utf-8")
    click.echo(f"{len(names)} schemas in {folder}")
