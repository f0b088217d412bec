"""The command `address`: the address of the app that has the workspace open."""

from __future__ import annotations

from pathlib import Path

import click

from core.errors import NotFoundError
from dashboard.kit import options
from dashboard.kit.output import print_json
from data.access import running_apps
from data.files import WorkspacePaths


@click.command(epilog=options.examples("address", "address --visitor --data-dir my-workspace"))
@click.option(
    "--visitor", is_flag=True, help="Print the address for visitors, who can't delete, use keys or read server files."
)
@options.output
def address(visitor: bool, data_dir: Path | None, as_json: bool) -> None:
    """Print the address of the running app, with its token."""
    paths = WorkspacePaths.of(data_dir)
    apps = running_apps(paths)
    if not apps:
        raise NotFoundError(
            f"no app runs with the workspace {paths.root}: start one, or choose another with --data-dir"
        )
    if as_json:
        print_json({"apps": [{"owner": app.owner, "visitor": app.visitor} for app in apps]})
        return
    for app in apps:
        click.echo(app.visitor if visitor else app.owner)
