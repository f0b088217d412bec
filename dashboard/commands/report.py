"""`report`: the audit of a search as a file, how complete it is, and a bundle rebuilt."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from core.audit.whole import ReportKind
from core.errors import InputError
from dashboard.commands import options
from dashboard.commands.report_check import check_record
from dashboard.commands.report_from import rebuild_bundle
from dashboard.commands.report_make import make_report
from dashboard.commands.report_press import press
from dashboard.commands.report_say import say_command
from data.audit.reports import Asked

KINDS: tuple[ReportKind, ...] = get_args(ReportKind)


@click.group(invoke_without_command=True)
@click.option("--topic", default=None, help="The topic's name.")
@click.option("--version", "labels", multiple=True, help="A version's label; several times too. [default: every one]")
@click.option("--what", type=click.Choice(KINDS), default=None, help="A part of the audit. [default: audit, all of it]")
@click.option("--out", default=None, help="The file to write: .html, .docx, .md, .json, or .zip for a bundle.")
@click.option("--abstracts", is_flag=True, help="Let abstracts leave with the report: without this they never do.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--check", is_flag=True, help="Only say how complete the record is, item by item, and what to do next.")
@click.option(
    "--from",
    "bundle",
    type=click.Path(path_type=Path),
    default=None,
    help="Check a bundle and build its reports again; --out keeps the tables (a folder) or the report (a file).",
)
@options.embedder
@options.settings
@options.data_dir
@options.as_json
@click.pass_context
def report(context: click.Context, /, **given: Any) -> None:
    """The audit of a search, for another person to check and repeat: PRISMA-S, peer review (PRESS) and scores.

    report --topic T --out FILE writes it, --check says what is missing, and --from BUNDLE rebuilds what somebody else
    handed on. "say" answers what nobody recorded, "press" is the peer review. Nothing is sent anywhere.
    """
    asked = [name for name, value in given.items() if value not in (None, False, ())]
    if context.invoked_subcommand is not None:
        if asked:
            flag = "--version" if asked[0] == "labels" else f"--{asked[0].replace('_', '-')}"
            raise click.UsageError(f"{flag} stands after {context.invoked_subcommand}, not before it", context)
        return
    if given["bundle"] is not None:
        _refuse(given, "bundle", ("topic", "labels", "what", "check", "abstracts", "embedder"))
        rebuild_bundle(given["bundle"], given["out"], force=given["force"], as_json=given["as_json"])
        return
    if given["topic"] is None:
        raise InputError("say of which topic: --topic T (topics lists them), or --from BUNDLE")
    if given["check"]:
        _refuse(given, "check", ("what", "out", "abstracts", "force", "embedder"))
        check_record(given["topic"], given["labels"] or None, given["data_dir"], as_json=given["as_json"])
        return
    if given["out"] is None:
        raise InputError("say where to: --out FILE (.html, .docx, .md, .json, or .zip for a bundle), or use --check")
    make_report(_asked(given), given["out"], force=given["force"], data_dir=given["data_dir"], as_json=given["as_json"])


report.add_command(say_command)
report.add_command(press)


def _refuse(given: dict[str, Any], mode: str, others: tuple[str, ...]) -> None:
    """An error if something was given that has no meaning in this mode."""
    words = {"bundle": "--from", "labels": "--version"}
    for name in others:
        if given[name] not in (None, False, ()):
            raise InputError(f"{words.get(name, '--' + name)} has no meaning with {words.get(mode, '--' + mode)}")


def _asked(given: dict[str, Any]) -> Asked:
    flags = {name: value for name, value in given.items() if name in _SETTINGS}
    return Asked(
        given["what"] or "audit",
        given["topic"],
        tuple(dict.fromkeys(given["labels"])) or None,
        given["embedder"],
        options.read_settings(flags),
        given["abstracts"],
    )


_SETTINGS = {
    parameter.name for parameter in click.command()(options.settings(lambda **flags: None)).params if parameter.name
}
