"""Groups of commands, listed without being imported so that the command line starts fast; help fits 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from core.errors import NoTopicError, QueryscapeError

WIDTH = 80
WIDEST_TERM = 34
_CHOICES = re.compile(r"^(.*) \[([^\]]*\|[^\]]*)\]$")


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


class HelpLines(click.HelpFormatter):
    """Help whose lines fit: a long list of choices stands in the text beside the option, not in its name."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([fitting(*row) for row in rows], col_max, col_spacing)


def fitting(term: str, text: str) -> tuple[str, str]:
    """Return an option and its text; a long list of choices moves into the text."""
    if len(term) <= WIDEST_TERM or not (found := _CHOICES.match(term)):
        return term, text
    return f"{found[1]} NAME", f"{text} NAME is one of {', '.join(found[2].split('|'))}.".lstrip()


class CommandContext(click.Context):
    formatter_class = HelpLines

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Run the command. A topic that is not named exactly is looked for by the beginning of its name or slug."""
        try:
            return super().invoke(callback, *args, **kwargs)
        except NoTopicError as e:
            meant = _topic_meant(e)
            named = {name: _renamed(value, e.topic_id, meant) for name, value in kwargs.items() if name in TOPIC_NAMES}
            if meant == e.topic_id or all(kwargs[name] == value for name, value in named.items()):
                raise
            return self.invoke(callback, *args, **(kwargs | named))


TOPIC_NAMES = ("topic", "topics", "topic_id", "others")


def _topic_meant(e: NoTopicError) -> str:
    from data.lookup import topic_meant  # only now, so that the help loads nothing of the store

    return topic_meant(e.topic_id, e.names) or e.topic_id


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(each, old, new) for each in value)
    return new if value == old else value


def _check_defaults(context: click.Context, command: click.Command, name: str) -> None:
    """Read the table of the command in the config file. Completion leaves out a wrong one."""
    from dashboard.kit.defaults import check_table  # only now: most people have no config file

    defaults = dict(context.default_map or {})
    groups = context.command_path.split()[1:] if context.parent else []
    try:
        defaults[name] = check_table(command, " ".join([*groups, name]), defaults[name])
    except QueryscapeError:
        if not context.resilient_parsing:
            raise
        del defaults[name]
    context.default_map = defaults


class LazyGroup(click.Group):
    """A group that imports only the lazy command that it runs; a command's name may have two words."""

    context_class = CommandContext
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Titles of the help with the commands below each; a command in none is listed at the end."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if (two := " ".join(args[:2])) in self.commands:
            args = [two, *args[2:]]
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as e:
            raise click.UsageError(self._meant(args[0], e.message), ctx) from e
        if isinstance(command, LazyCommand):
            command = command.load()
        if command is not None:
            command.context_class = CommandContext
            if ctx.resilient_parsing:
                from dashboard.completion import add_completions  # only a shell that completes needs it

                add_completions(command)
        if command is not None and name is not None and ctx.default_map and name in ctx.default_map:
            _check_defaults(ctx, command, name)
        return name, command, rest

    def _meant(self, word: str, message: str) -> str:
        if "mean" in message or not (near := get_close_matches(word, [*self.commands], n=1)):
            return message
        return f'{message.rstrip(".")}. Did you mean "{near[0]}"?'

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with its whole first sentence."""
        listed = {name for _, names in self.sections for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in listed)
        for title, names in (*self.sections, ("More commands" if listed else "Commands", rest)):
            if names:
                with formatter.section(title):
                    formatter.write_dl([(name, self.commands[name].get_short_help_str(1000)) for name in names])
