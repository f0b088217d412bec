"""Commands listed without being imported, so that the command line starts fast."""

from __future__ import annotations

from importlib import import_module

import click


class LazyCommand(click.Command):
    """A command listed in the help; its module is imported when it runs.

    `source` is "room.module:name", relative to the package of the dashboard, wherever that is installed.
    """

    def __init__(self, name: str, source: str, first_sentence: str) -> None:
        super().__init__(name, help=first_sentence)
        self._source = source

    def load(self) -> click.Command:
        module, _, name = self._source.partition(":")
        command = getattr(import_module(f"..{module}", __package__), name)
        assert isinstance(command, click.Command)
        return command


class LazyGroup(click.Group):
    """A group that imports only the lazy command that it runs; a command's name may have two words."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if (two := " ".join(args[:2])) in self.commands:
            args = [two, *args[2:]]
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest
