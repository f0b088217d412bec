"""`report press comment|sign|reply|choose`: what the two sides of a peer review write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from core.audit.press.domains import DOMAINS, Domain, Person, Review, Verdict
from core.errors import InputError, NotFoundError
from dashboard.commands import options
from dashboard.commands.output import print_json, say
from dashboard.commands.report_review import print_review, review_document
from data.audit.reviews import choose, load_review, reply, reviews, save_review, sign
from data.store import Store
from data.workspace import Workspace

_NUMBERS = "1 to 6, or its id: " + ", ".join(domain.id for domain in DOMAINS)


def find_review(store: Store, named: str) -> Review:
    """The review with this id, or the only one whose id begins so."""
    every = [review.review_id for review in reviews(store)]
    found = [review_id for review_id in every if review_id == named] or [i for i in every if i.startswith(named)]
    if not every:
        raise NotFoundError("no peer review is kept here: begin one with report press begin, or bring a file")
    if not found:
        raise NotFoundError(f'no peer review "{named[:80]}"; there is {", ".join(i[:8] for i in every[:8])}')
    if len(found) > 1:
        raise InputError(f'"{named}" could be {", ".join(i[:12] for i in found[:8])}: give more of the id')
    return load_review(store, found[0])


def domain_named(named: str) -> Domain:
    """A domain by its number or its id."""
    for domain in DOMAINS:
        if named in (str(domain.number), domain.id):
            return domain
    raise InputError(f'PRESS has no domain "{named[:80]}": there is {_NUMBERS}')


@click.command("comment")
@click.argument("review_id", metavar="REVIEW")
@click.option("--domain", default=None, help=f"Which one: {_NUMBERS}. [default: the review as a whole]")
@click.option("--verdict", type=click.Choice(get_args(Verdict)), default=None, help="Which revisions it needs.")
@click.option("--text", default=None, help="The comment; in place of the one before.")
@click.option("--by", default=None, help="The reviewer's name.")
@click.option("--affiliation", default=None, help="Where they work.")
@options.data_dir
@options.as_json
def comment_command(
    review_id: str,
    domain: str | None,
    verdict: Verdict | None,
    text: str | None,
    by: str | None,
    affiliation: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """As the reviewer: give a verdict or a comment on one domain, or on the whole."""
    if verdict is None and text is None and by is None and affiliation is None:
        raise InputError("say something: --verdict, --text, or --by with your name")
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        if domain is None:
            comments = review.overall_comments if text is None else text
            review = replace(review, overall=verdict or review.overall, overall_comments=comments)
        else:
            about = review.domain(domain_named(domain).id)
            comments = about.comments if text is None else text
            review = review.with_domain(replace(about, verdict=verdict or about.verdict, comments=comments))
        review = save_review(workspace.store, _named(review, by, affiliation))
    _tell(review, as_json=as_json)


def _named(review: Review, by: str | None, affiliation: str | None) -> Review:
    """With the reviewer's name, where one was given."""
    was = review.reviewer
    person = Person(
        was.name if by is None else by.strip(),
        was.affiliation if affiliation is None else affiliation.strip(),
        was.email,
    )
    return replace(review, reviewer=person)


@click.command("sign")
@click.argument("review_id", metavar="REVIEW")
@click.option("--by", default=None, help="The reviewer's name, if it was not given yet.")
@options.data_dir
@options.as_json
def sign_command(review_id: str, by: str | None, data_dir: Path | None, as_json: bool) -> None:
    """As the reviewer: sign what was written, with the date. Later edits show."""
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        if by is not None:
            review = save_review(workspace.store, _named(review, by, None))
        review = sign(workspace.store, review.review_id)
    _tell(review, as_json=as_json)


@click.command("reply")
@click.argument("review_id", metavar="REVIEW")
@click.option("--domain", "replies", nargs=2, multiple=True, metavar="DOMAIN TEXT", help=f"On one domain: {_NUMBERS}.")
@click.option("--text", default=None, help="On the review as a whole.")
@options.data_dir
@options.as_json
def reply_command(
    review_id: str, replies: tuple[tuple[str, str], ...], text: str | None, data_dir: Path | None, as_json: bool
) -> None:
    """As the requestor: say what was done about the review. What was signed stays as it is."""
    if not replies and text is None:
        raise InputError("say something: --domain 2 TEXT, or --text TEXT")
    said = {domain_named(domain).id: words for domain, words in replies}
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        review = reply(workspace.store, review.review_id, replies=said, overall=text)
    _tell(review, as_json=as_json)


@click.command("choose")
@click.argument("review_id", metavar="REVIEW")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--take/--let-go", "take_it", default=None, help="Put it in its place, or drop it.")
@options.data_dir
@options.as_json
def choose_command(review_id: str, number: int, take_it: bool | None, data_dir: Path | None, as_json: bool) -> None:
    """Where both sides wrote in one place: take the other side's words, by their number, or let go of them.

    What stood there is kept beside when they are taken.
    """
    if take_it is None:
        raise InputError("say which: --take puts these words in their place, --let-go drops them")
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        review = choose(workspace.store, review.review_id, number - 1, take_it=take_it)
    _tell(review, as_json=as_json)


def _tell(review: Review, *, as_json: bool) -> None:
    if as_json:
        print_json(review_document(review))
        return
    print_review(review)
    if review.signature is None and review.reviewer.name == "" and review.state == "under review":
        say("Note: the reviewer has no name yet, and can't sign without one: --by NAME.", "yellow")
