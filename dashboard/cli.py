"""The command line: find the subcommand, start the app without one, and report errors in one line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from core.errors import QueryscapeError
from dashboard.completion import PROGRAM
from dashboard.kit import options
from dashboard.kit.lazy_commands import WIDTH, LazyCommand, LazyGroup
from dashboard.kit.options import ENVIRONMENT, QUIET_VARIABLE
from data.config import NAME_VARIABLE
from data.files import VARIABLE, WorkspacePaths

# The command line: finds the subcommand, and turns a user's mistake into one line and exit status 2.


QUIET, NO_COLOR = "--quiet", "--no-color"
ANYWHERE = frozenset({QUIET, NO_COLOR})
MISTAKE = "queryscape.mistake"
"""Where the context keeps a mistake in the config file."""


OF_THE_APP = ("port", "host", "no_browser", "no_token", "public_address")
"""Options of the web app, by their names in Python."""

SECTIONS = (
    ("Start", ("demo", "serve", "get", "reproduce", "labs")),
    ("Topics and publications", ("topics", "import", "searches", "duplicates", "vectors", "embed")),
    ("Files for other programs", ("export", "export collection", "export run")),
    ("Search strings and their scores", ("query", "versions", "evaluate", "compare", "studies", "project")),
    ("Live sources", ("source",)),
    ("Retrievers and judges", ("search", "benchmark", "judge", "judge runs", "judge trust", "judge people")),
    ("Knowledge bases", ("knowledge",)),
    ("Audit", ("report",)),
    ("Workspace", ("workspace", "address")),
    ("Shell, scripts and citation", ("completion", "config", "schema", "cite")),
)


class CommandLine(LazyGroup):
    sections = SECTIONS

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Take defaults from the config file. A mistake in it stops a command, but neither the help nor `config`."""
        mistake, environment = None, dict(os.environ)
        if not _asks_for_help(args):
            from dashboard.shell.config_file import read_defaults

            try:
                extra.setdefault("default_map", read_defaults(self))
            except QueryscapeError as e:
                mistake = e
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[MISTAKE], context.meta[ENVIRONMENT] = mistake, environment
        return context


def _asks_for_help(arguments: list[str]) -> bool:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return not {"-h", "--help"}.isdisjoint(options)


@click.group(
    cls=CommandLine,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    invoke_without_command=True,
)
@click.option("--port", type=int, default=None, help="Port of the web app. [default: 8501, or the next free port]")
@click.option("--host", default=None, help="Address that the web app listens on. [default: localhost]")
@click.option("--no-browser", is_flag=True, help="Don't open the web app in the browser.")
@click.option("--name", default=None, help="Your name, stored with your changes. [default: QUERYSCAPE_NAME]")
@click.option("--no-token", is_flag=True, help="Let everyone on this machine open the web app without its token.")
@click.option("--public-address", default="", help="Address of the web app at a proxy: https://host.example.org.")
@click.option("--version", is_flag=True, help="Print the versions that matter to repeat a result.")
@click.option(QUIET, is_flag=True, help="Print results, warnings and errors only. Can stand anywhere.")
@click.option(NO_COLOR, is_flag=True, help="Print without colours, as with the variable NO_COLOR. Can stand anywhere.")
@options.output
@click.pass_context
def cli(
    context: click.Context,
    port: int | None,
    host: str | None,
    no_browser: bool,
    name: str | None,
    no_token: bool,
    public_address: str,
    version: bool,
    quiet: bool,
    no_color: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Evaluate literature search queries with Queryscape, and explain their scores.

    Without a command it starts the web app. On the command line, start with "demo", or load a collection with "get";
    "topics" lists the topics, "evaluate" scores a version.
    """
    if data_dir is not None:  # wherever the option appears, it applies to the subcommand too
        os.environ[VARIABLE] = str(WorkspacePaths.of(data_dir).root)
    if name is not None:
        os.environ[NAME_VARIABLE] = name
    if quiet:
        os.environ[QUIET_VARIABLE] = "1"
    if no_color:
        os.environ["NO_COLOR"] = "1"
    if version:
        _print_versions(as_json=as_json)
    elif (mistake := context.meta[MISTAKE]) and context.invoked_subcommand != "config":
        raise mistake
    elif as_json:
        raise click.UsageError("--json belongs to a command or to --version", context)
    elif context.invoked_subcommand is None:
        from dashboard.access.gate import HOST
        from dashboard.server import start_app

        start_app(
            port,
            host if host is not None else HOST,
            with_browser=not no_browser,
            with_token=not no_token,
            public_address=public_address,
        )
    else:
        if given := next((each for each in OF_THE_APP if options.is_given(context, each)), ""):
            flag = "--" + given.replace("_", "-")
            raise click.UsageError(f"{flag} belongs to the web app, not to {context.invoked_subcommand}", context)


COMMANDS = (
    LazyCommand(
        "demo",
        "explore.demo:demo",
        "Build the demo data and evaluate a version of each demo topic.",
    ),
    LazyCommand(
        "serve",
        "shell.serve:serve",
        "Hold the workspace open for commands and notebooks, without the web app, until Ctrl-C.",
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
        "Write publications for screening tools and reference managers: RIS, CSV, BibTeX, CSL JSON or JSON Lines.",
    ),
    LazyCommand(
        "export collection",
        "retrieval.export_commands:export_collection",
        "Write a collection or a topic for BEIR, ir_measures, trec_eval, ranx or Pyserini.",
    ),
    LazyCommand(
        "export run",
        "retrieval.export_commands:export_run",
        "Write the results of query versions as TREC runs: query, Q0, document, rank, score, version.",
    ),
    LazyCommand("knowledge", "knowledge.commands:knowledge", "Explore knowledge bases: text and relations together."),
    LazyCommand(
        "workspace",
        "shell.workspace_commands:workspace",
        "Check, repair, save and load a workspace: its store, vectors, indexes and knowledge bases.",
    ),
    LazyCommand(
        "completion",
        "completion:completion",
        "Print the script that completes commands, topics and versions in your shell.",
    ),
    LazyCommand(
        "config",
        "shell.config:config",
        "Show the config file, the defaults that it sets, and the environment variables that are set.",
    ),
    LazyCommand(
        "schema",
        "shell.schema:schema",
        "Print the JSON Schema of a command's --json output; without a name, list the names.",
    ),
    LazyCommand(
        "report",
        "audit.commands:report",
        "Report on a search so that another person can check and repeat it: PRISMA-S, peer review (PRESS) and scores.",
    ),
    LazyCommand("address", "access.command:address", "Print the address of the running app, with its token."),
    LazyCommand(
        "cite", "shell.cite:cite", "Print how to cite this version of Queryscape, and the methods that it implements."
    ),
)
for command in COMMANDS:
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run a command. Exit with status 0, or with status 2 and one line that states the problem and the solution."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal lacks is no reason to stop
    try:
        cli.main(
            args=_moved_to_front(sys.argv[1:] if arguments is None else arguments),
            prog_name=PROGRAM,
            standalone_mode=False,
        )
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


def _moved_to_front(arguments: list[str]) -> list[str]:
    """Options of the whole command line can stand anywhere before "--"."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    moved = [each for each in arguments[:end] if each in ANYWHERE]
    return [*moved, *(each for each in arguments[:end] if each not in ANYWHERE), *arguments[end:]]


def _print_versions(*, as_json: bool) -> None:
    from dashboard.kit.output import print_json, tell
    from data.software import software

    versions = dict(software())
    if as_json:
        print_json({"versions": versions})
    else:
        for name, version in versions.items():
            tell(f"{name} {version}")


def _fail(message: str) -> None:
    _say("Error: " + " ".join(message.split()), "bold red")
    sys.exit(2)


def _say(text: str, style: str = "") -> None:
    from dashboard.kit.output import say  # imports rich, which the help does without

    say(text, style, always=True)
