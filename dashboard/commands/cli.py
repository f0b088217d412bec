"""The command line: finds the subcommand, and turns a user's mistake into one line and exit status 2."""

from __future__ import annotations

import io
import os
import sys

import click

from core.errors import QueryscapeError
from dashboard.commands.compare import compare
from dashboard.commands.demo import demo
from dashboard.commands.embed import embed
from dashboard.commands.evaluate import evaluate
from dashboard.commands.get import get
from dashboard.commands.output import say
from dashboard.commands.project import project
from dashboard.commands.topics import topics
from dashboard.commands.vectors import vectors


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def cli() -> None:
    """Queryscape: how good is a literature search query, and why.

    Start with "demo", or load a collection with "get"; "topics" shows what is there, "evaluate" scores a version.
    """


for command in (demo, get, topics, vectors, embed, project, evaluate, compare):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run a command. Exit status 0, or 2 with one line that says what is wrong and what to do."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character is no reason to stop
    try:
        cli.main(args=arguments, prog_name="python -m dashboard", standalone_mode=False)
        sys.stdout.flush()
    except QueryscapeError as e:
        _fail(str(e))
    except click.exceptions.NoArgsIsHelpError as e:
        click.echo(e.format_message())
    except click.ClickException as e:
        hint = f' (see "{e.ctx.command_path} --help")' if isinstance(e, click.UsageError) and e.ctx else ""
        _fail(e.format_message().rstrip(".") + hint)
    except (click.Abort, KeyboardInterrupt):
        say("Stopped. What was finished is kept; run the same command to go on.")
        sys.exit(130)
    except BrokenPipeError:  # whoever was reading has seen enough, as with "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as e:
        _fail(f"{e.filename or 'the output'} can't be used ({e.strerror or e}): check the path and the disk")
    except MemoryError:
        _fail("not enough memory for this topic: close other programs, or evaluate fewer regions with --regions")


def _fail(message: str) -> None:
    say("Error: " + " ".join(message.split()), "bold red")
    sys.exit(2)
