"""Completion of commands, options and topic names in a shell."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from core.errors import QueryscapeError

PROGRAM, VARIABLE = "queryscape", "_QUERYSCAPE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and topics in your shell.

    \b
    bash: put  eval "$(queryscape completion bash)"  into ~/.bashrc
    zsh:  put  eval "$(queryscape completion zsh)"  into ~/.zshrc
    fish: queryscape completion fish >
            ~/.config/fish/completions/queryscape.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(context.find_root().command, {}, PROGRAM, VARIABLE).source())


def complete_topic(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """List the topics that begin so; none if the workspace can't be read now."""
    from data.explore.workspace import Workspace

    folder = context.params.get("data_dir") or context.find_root().params.get("data_dir")
    try:
        with Workspace.open(Path(folder) if folder else None) as workspace:
            names = [row.topic_id for row in workspace.store.topics()]
    except (QueryscapeError, OSError):
        return []
    return [CompletionItem(name) for name in names if name.casefold().startswith(begun.casefold())]
