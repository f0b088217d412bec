"""The command line: finds the subcommand, and turns a user's mistake into one line and exit status 2."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import click

from core.errors import QueryscapeError
from dashboard.commands import options
from dashboard.commands.app import start_app
from dashboard.commands.benchmark import benchmark
from dashboard.commands.bring import bring
from dashboard.commands.compare import compare
from dashboard.commands.demo import demo
from dashboard.commands.embed import embed
from dashboard.commands.evaluate import evaluate
from dashboard.commands.export import export
from dashboard.commands.get import get
from dashboard.commands.judge import judge
from dashboard.commands.knowledge import knowledge
from dashboard.commands.output import say
from dashboard.commands.project import project
from dashboard.commands.query import query
from dashboard.commands.report import report
from dashboard.commands.search import search
from dashboard.commands.source import source
from dashboard.commands.topics import topics
from dashboard.commands.vectors import vectors
from dashboard.commands.versions import versions
from data.files import VARIABLE, WorkspacePaths


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, invoke_without_command=True
)
@click.option("--port", type=int, default=None, help="Port of the web app. [default: 8501, or the next that is free]")
@options.data_dir
@click.pass_context
def cli(context: click.Context, port: int | None, data_dir: Path | None) -> None:
    """Queryscape: how good is a literature search query, and why.

    Without a command it starts the web app. On the command line, start with "demo", or load a collection with "get";
    "topics" shows what is there, "evaluate" scores a version.
    """
    if data_dir is not None:  # wherever it stands, it holds for the subcommand too
        os.environ[VARIABLE] = str(WorkspacePaths.of(data_dir).root)
    if context.invoked_subcommand is None:
        start_app(port)
    elif port is not None:
        raise click.UsageError(f"--port belongs to the web app, not to {context.invoked_subcommand}", context)


COMMANDS = (
    *(demo, get, bring, topics, versions, vectors, embed, project),
    *(evaluate, compare, query, search, benchmark, judge, source, export, knowledge, report),
)
for command in COMMANDS:
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
