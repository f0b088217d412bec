"""The options of every command, as Markdown for a page of the guide."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from textwrap import wrap

import click

from dashboard.cli import SECTIONS, cli
from dashboard.completion import PROGRAM
from dashboard.guide.pages import place_of
from dashboard.kit.lazy_commands import LazyCommand, fitting

LINE = 110
SHARED = frozenset({"--data-dir", "--json", "--quiet", "--no-color", "--help"})
"""Options that the top of the page tells once."""
_LISTS = ("[OTHERS]...", "[MORE]...")
"""Arguments that hold the further values of an option, such as --versions A B."""
_GLUE = "\x00"
"""A space where no line may end."""
_CODE = re.compile(r"(`[^`]+`|(?<![\w-])--[a-z][\w-]*)")
_SIGNS = re.compile(r"([*<$~#|]|(?<!\w)_|_(?!\w))")
_HYPHEN = re.compile(r"(?<!\S)-(?!\S)")


def all_commands() -> Iterator[tuple[str, str, click.Command]]:
    """Yield title of the section, name and command, in the order of the help."""
    yield "The app", "", cli
    for title, names in SECTIONS:
        for name in names:
            yield from ((title, *each) for each in _commands(name, cli.commands[name]))


def _commands(name: str, entry: click.Command) -> Iterator[tuple[str, click.Command]]:
    command = entry.load() if isinstance(entry, LazyCommand) else entry
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    if isinstance(command, click.Group):
        for below in sorted(command.commands):
            yield from _commands(f"{name} {below}", command.commands[below])


def contents_lines() -> Iterator[str]:
    """Yield a list of all commands with links to their headings."""
    links: dict[str, list[str]] = {}
    for section, name, _ in all_commands():
        heading = name or PROGRAM
        links.setdefault(section, []).append(f"[{heading.replace(' ', _GLUE)}](#{place_of(heading)})")
    for section, names in links.items():
        yield from (line.replace(_GLUE, " ") for line in _item(f"{section}: {', '.join(names)}"))


def option_lines() -> Iterator[str]:
    """Yield the sections of all commands."""
    last = ""
    for section, name, command in all_commands():
        if section != last:
            yield from (f"## {section}", "") if not last else ("", f"## {section}", "")
        else:
            yield ""
        yield from (f"### {name or PROGRAM}", "")
        yield from _command_lines(name, command)
        last = section


def _command_lines(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"{PROGRAM} {name}".rstrip())
    pieces = [piece for piece in command.collect_usage_pieces(context) if piece not in _LISTS]
    yield f"`{' '.join([context.command_path, *pieces])}`"
    for text in (command.help or "", command.epilog or ""):
        for paragraph in inspect.cleandoc(text).split("\n\n"):
            yield from _paragraph_lines(paragraph)
    own = [p for p in command.get_params(context) if isinstance(p, click.Option) and SHARED.isdisjoint(p.opts)]
    if own:
        yield ""
    for option in own:
        record = option.get_help_record(context)
        if record is not None:
            term, text = fitting(*record)
            yield from _item(f"`{term}`: {prose(text)}")


def _paragraph_lines(paragraph: str) -> Iterator[str]:
    if not (paragraph := paragraph.strip("\n")):
        return
    yield ""
    if paragraph.startswith("\b"):
        yield from ("```text", *(line.rstrip() for line in paragraph[1:].strip("\n").split("\n")), "```")
    else:
        yield from wrap(prose(paragraph), LINE, break_long_words=False, break_on_hyphens=False)


def _item(text: str) -> list[str]:
    return wrap(f"- {text}", LINE, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def prose(text: str) -> str:
    """Return a text of the help as Markdown: flags as code, and no sign that Markdown would read.

    >>> prose("With --all; - reads <this>, and `x_y`.")
    'With `--all`; `-` reads \\\\<this>, and `x_y`.'
    """
    pieces = _CODE.split(" ".join(text.split()))
    return "".join(
        f"`{piece.strip('`')}`" if at % 2 else _HYPHEN.sub("`-`", _SIGNS.sub(r"\\\1", piece))
        for at, piece in enumerate(pieces)
    )
