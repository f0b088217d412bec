"""The command line: find the subcommand, start the app without one, and report errors in one line."""

from __future__ import annotations

import gc
import io
import os
import socket
import sys
from importlib import import_module
from pathlib import Path

import click

from core.errors import InputError, QueryscapeError
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyCommand, LazyGroup
from data.files import VARIABLE, WorkspacePaths
from data.public_demo import is_public_demo

# No subcommand: the web app.

APP = Path(__file__).with_name("app.py")
FIRST_PORT, N_TRIED = 8501, 20
HOST = "localhost"
SWITCH_SECONDS = 0.001
"""Time slice of a thread while another waits. Python's default makes each step of a page wait five times as long."""


def start_app(port: int | None) -> None:
    chosen = port if port is not None else _free_port()
    if port is not None and not _is_free(port):
        raise InputError(f"port {port} is in use: choose another with --port")
    _say(f"Queryscape is at http://{HOST}:{chosen} (stop it with Ctrl-C)")
    # Settings are in .streamlit/config.toml, which Streamlit looks for in the current folder.
    os.chdir(APP.parents[1])
    _load_pages()
    if is_public_demo():
        from dashboard.visits import all_visits

        _say("Building the demo data")
        all_visits()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # modules are never freed, so no collection needs to scan them
    sys.argv = ["streamlit", "run", str(APP), "--server.port", str(chosen)]
    try:
        sys.exit(import_module("streamlit.web.cli").main())
    finally:
        from dashboard.jobs import stop_all
        from dashboard.visits import close_all

        close_all()
        stop_all()  # Python waits for them
        gc.unfreeze()  # else extensions warn about objects that are never collected


def _load_pages() -> None:
    """Import what the first page needs, so that it does not wait for it. Streamlit itself asks for pandas."""
    import pandas  # noqa: F401
    import scipy.ndimage
    import scipy.spatial  # noqa: F401
    import streamlit.elements.plotly_chart  # noqa: F401

    import dashboard.selection
    import dashboard.workbench.page  # noqa: F401


def _is_free(port: int) -> bool:
    if not 0 < port < 65536:
        raise InputError(f"--port must be a number from 1 to 65535, got {port}")
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    for port in range(FIRST_PORT, FIRST_PORT + N_TRIED):
        if _is_free(port):
            return port
    raise InputError(f"ports {FIRST_PORT} to {FIRST_PORT + N_TRIED - 1} are all in use: choose another with --port")


# The command line: finds the subcommand, and turns a user's mistake into one line and exit status 2.


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=True,
)
@click.option("--port", type=int, default=None, help="Port of the web app. [default: 8501, or the next free port]")
@options.data_dir
@click.pass_context
def cli(context: click.Context, port: int | None, data_dir: Path | None) -> None:
    """Evaluate literature search queries with Queryscape, and explain their scores.

    Without a command it starts the web app. On the command line, start with "demo", or load a collection with "get";
    "topics" lists the topics, "evaluate" scores a version.
    """
    if data_dir is not None:  # wherever the option appears, it applies to the subcommand too
        os.environ[VARIABLE] = str(WorkspacePaths.of(data_dir).root)
    if context.invoked_subcommand is None:
        start_app(port)
    elif port is not None:
        raise click.UsageError(f"--port belongs to the web app, not to {context.invoked_subcommand}", context)


COMMANDS = (
    LazyCommand(
        "demo",
        "explore.demo:demo",
        "Build the demo data and evaluate a version of each demo topic.",
    ),
    LazyCommand("get", "retrieval.commands:get", "Load a public collection in its own layout."),
    LazyCommand(
        "import",
        "library.commands:bring",
        "Import files of publications into a topic: RIS, BibTeX, PubMed, Web of Science, Scopus, CSV and more.",
    ),
    LazyCommand(
        "duplicates",
        "library.commands:duplicates",
        "List merged records and possible duplicates; merge, dismiss or undo them.",
    ),
    LazyCommand(
        "searches",
        "library.searches_command:searches",
        "List the searches of a topic and what each brought: records, core publications, and what only it found.",
    ),
    LazyCommand(
        "topics", "library.topics:topics", "List topics, their query versions and the embedders that cover them."
    ),
    LazyCommand(
        "versions",
        "explore.commands:versions",
        "List the versions of a topic's query, with their origin and results.",
    ),
    LazyCommand("vectors", "library.commands:vectors", "Load vectors from an .npz with the arrays ids and vectors."),
    LazyCommand("embed", "library.commands:embed", "Embed every publication of a topic that has no vector yet."),
    LazyCommand(
        "project",
        "explore.commands:project",
        "Fit a topic's landscape if it has none, and assess its reliability.",
    ),
    LazyCommand(
        "evaluate",
        "explore.commands:evaluate",
        "Score one query version: recall, semantic precision, decay and F-beta for every region.",
    ),
    LazyCommand("compare", "explore.commands:compare", "Compare versions: --versions A B."),
    LazyCommand(
        "studies",
        "explore.commands:studies",
        "Study many topics at once: core publications, scores, thresholds, search strings, and surveys of a field.",
    ),
    LazyCommand(
        "labs",
        "explore.labs_command:labs",
        "Show the effect of each parameter, on demo data or a version: numbers and curves.",
    ),
    LazyCommand(
        "reproduce",
        "explore.reproduction:reproduce",
        "Compare published numbers with ours, and explain differences.",
    ),
    LazyCommand(
        "query", "query.commands:query", "Check a search string, explain what it misses, weigh its terms, translate it."
    ),
    LazyCommand("search", "retrieval.commands:search", "Rank the documents of a topic or a collection for one query."),
    LazyCommand(
        "benchmark",
        "retrieval.commands:benchmark",
        "Run retrievers over a collection, and report clear differences.",
    ),
    LazyCommand(
        "judge",
        "judge.commands:judge",
        "Grade the results of retrievers, query versions or search engines, by a language model and a rubric.",
    ),
    LazyCommand("judge runs", "judge.trust_commands:runs", "List judged runs with model, date and progress."),
    LazyCommand(
        "judge trust",
        "judge.trust_commands:trust",
        "Check the judge of a run: agreement with people and other judges, repeats, changed texts, regions.",
    ),
    LazyCommand(
        "judge people",
        "judge.people_command:people",
        "List, give, withdraw, import and export grades that people gave in the judge's place.",
    ),
    LazyCommand(
        "source",
        "sources.commands:source",
        "Search PubMed, OpenAlex, Europe PMC and others: run the string in the actual database.",
    ),
    LazyCommand(
        "export",
        "library.commands:export",
        "Write a selection of publications for screening tools and reference managers: RIS, CSV, BibTeX or JSON Lines.",
    ),
    LazyCommand("knowledge", "knowledge.commands:knowledge", "Explore knowledge bases: text and relations together."),
    LazyCommand(
        "report",
        "audit.commands:report",
        "Report on a search so that another person can check and repeat it: PRISMA-S, peer review (PRESS) and scores.",
    ),
    LazyCommand(
        "cite", "cite_command:cite", "Print how to cite this version of Queryscape, and the methods that it implements."
    ),
)
for command in COMMANDS:
    cli.add_command(command)


def main(arguments: list[str] | None = None, name: str = "python -m dashboard") -> None:
    """Run a command. Exit with status 0, or with status 2 and one line that states the problem and the solution."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal lacks is no reason to stop
    try:
        cli.main(args=arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except QueryscapeError as e:
        _fail(str(e))
    except click.ClickException as e:
        hint = f' (see "{e.ctx.command_path} --help")' if isinstance(e, click.UsageError) and e.ctx else ""
        _fail(e.format_message().rstrip(".") + hint)
    except (click.Abort, KeyboardInterrupt):
        _say("Stopped. Finished work is saved; run the same command again to resume.")
        sys.exit(130)
    except BrokenPipeError:  # the reader has closed the pipe, as with "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as e:
        _fail(f"{e.filename or 'the output'} can't be used ({e.strerror or e}): check the path and the disk")
    except MemoryError:
        _fail("not enough memory for this topic: close other programs or evaluate fewer regions with --regions")


def _fail(message: str) -> None:
    _say("Error: " + " ".join(message.split()), "bold red")
    sys.exit(2)


def _say(text: str, style: str = "") -> None:
    from dashboard.kit.output import say  # imports rich, which the help does without

    say(text, style)
