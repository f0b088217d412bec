"""`report press`: the peer review of a search string, from the request to the reply."""

from __future__ import annotations

from pathlib import Path

import click

from core.audit.press.domains import VERDICTS, Person, Request, Review, edited_parts
from core.audit.press.reading import as_json as exchange_text
from core.audit.press.reading import file_name, press_document
from core.audit.whole import MADE_WITH
from core.errors import FileError
from core.text import listed
from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, results, row, say, shown, table
from dashboard.commands.report_make import check_place
from dashboard.commands.report_press_write import (
    choose_command,
    comment_command,
    find_review,
    reply_command,
    sign_command,
)
from dashboard.commands.report_review import print_review, review_document
from dashboard.reports.files import document_file, format_of
from data.audit.reviews import bring_review, new_review, reviews
from data.files import written_aside
from data.lookup import check_topic
from data.store import utc_now
from data.workspace import Workspace

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes of a file that is brought; reviews are far smaller."""


@click.group()
def press() -> None:
    """Have a search string peer reviewed by the six domains of PRESS 2015; two people work by exchanging one file.

    begin, export, and the other person: bring, comment, sign, export. Then bring it back, and reply.
    """


@press.command("list")
@click.option("--topic", default=None, help="Only reviews of this topic. [default: all]")
@options.data_dir
@options.as_json
def list_command(topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """The peer reviews that are kept here, the last changed first."""
    with Workspace.open(data_dir, or_copy=True) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        found = reviews(workspace.store, topic)
    if as_json:
        print_json({"reviews": [review_document(review) for review in found]})
        return
    if not found:
        say('No peer review was begun yet: begin one with "report press begin --topic T --version V".')
        return
    grid = table("Peer reviews", "Review", "Topic", "Version", "State", "Domains", "Verdict", "Reviewer", right=(4,))
    for review in found:
        verdict = VERDICTS[review.overall] if review.overall else NONE
        decided = f"{review.n_decided} of {len(review.domains)}"
        name = review.reviewer.name or NONE
        row(grid, review.review_id[:8], review.topic, review.version, review.state, decided, verdict, name)
    results().print(grid)


@press.command("begin")
@options.topic
@click.option("--version", "label", required=True, help="The version whose string is to be reviewed.")
@click.option("--by", "requestor", default="", help="Who asks for the review.")
@click.option("--affiliation", default="", help="Where they work.")
@click.option("--question", default="", help="The research question.")
@click.option("--database", default="", help="What the string is written for, and its platform.")
@click.option("--included", default="", help="Criteria of what belongs to the review.")
@click.option("--excluded", default="", help="Criteria of what does not.")
@click.option("--notes", default="", help="What else a reviewer should know.")
@click.option("--wanted-by", default="", help="The date by which a review is hoped for.")
@options.embedder
@options.data_dir
@options.as_json
def begin_command(
    topic: str,
    label: str,
    requestor: str,
    affiliation: str,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
    **request: str,
) -> None:
    """Ask for a review of a version: what the tool notices in its string is gathered as evidence, domain by domain."""
    with Workspace.open(data_dir) as workspace:
        review = new_review(
            workspace,
            topic,
            label,
            requestor=Person(requestor.strip(), affiliation.strip()),
            request=Request(**{name: text.strip() for name, text in request.items()}),
            embedder=embedder,
        )
    if as_json:
        print_json(review_document(review))
        return
    print_review(review)
    next_step = f"report press export {review.review_id[:8]} --out {file_name(review)}"
    say(f"Next: {next_step}, and send the file to the reviewer.")


@press.command("export")
@click.argument("review_id", metavar="REVIEW")
@click.option("--out", required=True, help="The file: .press.json to exchange; .html, .docx or .md to read and print.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@options.data_dir
@options.as_json
def export_command(review_id: str, out: str, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Write a review: as the file that both sides exchange, or as a report to read."""
    check_place(Path(out), force=force)
    with Workspace.open(data_dir, or_copy=True) as workspace:
        review = find_review(workspace.store, review_id)
    content = _content(review, out)
    with written_aside(Path(out)) as file:
        file.write(content)
    if as_json:
        print_json({**review_document(review), "file": out, "n_bytes": len(content)})
    else:
        results().print(
            shown(f"The review of version “{review.version}” ({review.state}): written to {out}."), soft_wrap=True
        )


def _content(review: Review, out: str) -> bytes:
    if out.lower().endswith(".json"):
        return exchange_text(review).encode()
    form = format_of(out)
    if form.form == "zip":
        raise FileError("a review is no bundle: choose .press.json to exchange it, or .html, .docx or .md to read it")
    return document_file(press_document(review, made_at=utc_now(), made_with=MADE_WITH), form)


@press.command("bring")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--topic", default=None, help="Where a review that is new here is listed. [default: the topic it names]")
@options.data_dir
@options.as_json
def bring_command(file: Path, topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Bring in the file that the other side sent: it is kept, or put together with what is kept; nothing is lost."""
    content = _bytes_of(file)
    with Workspace.open(data_dir) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        brought = bring_review(workspace, content, topic_id=topic)
    review = brought.review
    if as_json:
        told = {"is_new": brought.is_new, "taken": brought.taken, "both_kept": brought.both_kept}
        print_json({**review_document(review), **told, "edited": brought.edited, "notes": brought.notes})
        return
    print_review(review)
    out = results()
    changed = "It is new here." if brought.is_new else f"Taken from the file: {', '.join(brought.taken) or 'nothing'}."
    out.print(shown(changed), soft_wrap=True)
    if in_file := [part for part in brought.edited if part not in edited_parts(review)]:
        say(f"Note: changed after signing, in the file: {listed(in_file)}.", "yellow")
    for note in brought.notes:
        say(f"Note: {note}", "yellow")


def _bytes_of(file: Path) -> bytes:
    """What stands in the file; an error if it is none, or far too large."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as e:
        raise FileError(f"{file} can't be read ({e.strerror or e}): check its name") from e
    if len(content) > LARGEST_FILE:
        raise FileError(f"{file} is larger than {LARGEST_FILE // 1024**2} MB, so it is no review")
    return content


for command in (comment_command, sign_command, reply_command, choose_command):
    press.add_command(command)
