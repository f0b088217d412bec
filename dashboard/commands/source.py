"""`source`: searches in live sources, each subcommand in a file of its own."""

from __future__ import annotations

import click

from dashboard.commands.source_core import core_command
from dashboard.commands.source_preview import preview_command
from dashboard.commands.source_run import run_command
from dashboard.commands.source_runs import runs_command
from dashboard.commands.source_update import update_command


@click.group()
def source() -> None:
    """Search in PubMed, OpenAlex, Europe PMC and others: the string run where it will really be run.

    Keys come from the environment. With QUERYSCAPE_OFFLINE set nothing is sent.
    """


for command in (preview_command, run_command, update_command, runs_command, core_command):
    source.add_command(command)
