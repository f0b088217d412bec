"""The command `serve`: hold the workspace open, without the web app."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import click

from core.version import VERSION
from dashboard.kit import options
from dashboard.kit.output import print_json, say
from data.explore.workspace import Workspace

LOOK_SECONDS = 1.0
"""Interval at which a server that waits for its turn looks whether the other process has ended."""


@click.command(epilog=options.examples("serve", "serve --data-dir /srv/team"))
@options.output
def serve(data_dir: Path | None, as_json: bool) -> None:
    """Hold the workspace open for commands and notebooks, without the web app, until Ctrl-C.

    Commands and the app share a workspace in any case: the first one that opens it serves the others. This command does
    nothing else, so commands start faster, and none of them has to end for another.
    """
    with Workspace.open(data_dir) as workspace:
        workspace.store.check_writable()
        root, is_owner = workspace.paths.root, workspace.store.is_owner
        if as_json:
            print_json({"workspace": str(root), "version": VERSION, "is_owner": is_owner})
        elif is_owner:
            say(f"Serving {root} (stop it with Ctrl-C)")
        else:
            say(f"Another Queryscape serves {root}: taking over when it ends (stop it with Ctrl-C)")
        try:
            wait_while_serving(workspace)
        except KeyboardInterrupt:
            say("Stopped.")


def wait_while_serving(workspace: Workspace) -> None:
    pause = Event()
    while not pause.wait(LOOK_SECONDS):
        workspace.store.n_changes  # noqa: B018  (becomes the owner if the last one has ended)
