"""The commands `query filters`: list published search filters and insert one into a search string."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from core.audit.filters import FILTERS, FilterInsertion, FilterPrice, PublishedFilter, filter_named, insert_filter
from core.audit.filters import price_filter as price_over
from core.query.match import Semantics, of_rows
from core.query.tree import DialectId, ParsedQuery
from core.text import many
from dashboard.kit import options
from dashboard.kit.output import print_json, results, row, say, shown, table
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import read_query
from data.explore.workspace import Workspace

MOST_PARTS = 8
"""Untestable parts printed."""


@click.command("filters")
@options.data_dir
@options.as_json
def filters_command(data_dir: Path | None, as_json: bool) -> None:
    """List published search filters with their sources."""
    if as_json:
        print_json({"filters": [filter_document(each) for each in FILTERS.values()]})
        return
    out = table("Published filters", "Id", "Finds", "Dialect", "Source")
    for each in FILTERS.values():
        row(out, each.filter_id, each.finds, each.dialect, each.address)
    results().print(out)


@click.command("filters insert")
@click.argument("filter_id", metavar="ID")
@click.argument("text", required=False)
@click.option(
    "--file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - reads standard input."
)
@click.option(
    "--dialect", type=click.Choice(get_args(DialectId)), default=None, help="Dialect of the text. [default: detected]"
)
@click.option("--topic", default=None, help="Count hits and core publications of this topic before and after.")
@click.option(
    "--semantics",
    type=click.Choice(get_args(Semantics)),
    default="literal",
    show_default=True,
    help="Match exact words, or all words with the same stem.",
)
@options.data_dir
@options.as_json
def insert_command(
    filter_id: str,
    text: str | None,
    file: Path | None,
    dialect: DialectId | None,
    topic: str | None,
    semantics: Semantics,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Add a published filter to a search string with AND, or with NOT for animal filters.

    A filter of another dialect is translated, with its losses. With --topic: hits and core publications before and
    after, over the publications of the topic.
    """
    published = filter_named(filter_id)
    parsed = read_query(text, file, dialect)
    insertion = insert_filter(parsed, published)
    price = None
    if topic is not None:
        with Workspace.open(data_dir) as workspace, waiting(f"Indexing {topic}"):
            price = price_on(workspace, topic, parsed, insertion, semantics)
    if as_json:
        print_json(insertion_document(published, insertion, price, topic))
    else:
        _print(published, insertion, price)


def price_on(
    workspace: Workspace, topic: str, parsed: ParsedQuery, insertion: FilterInsertion, semantics: Semantics
) -> FilterPrice:
    corpus = workspace.corpora.of(topic)
    core = of_rows(corpus.rows_of_ids(workspace.store.load_core(topic).ids), len(corpus.ids))
    return price_over(parsed, insertion, corpus, semantics, core)


def filter_document(published: PublishedFilter) -> dict[str, Any]:
    return {
        "id": published.filter_id,
        "name": published.name,
        "finds": published.finds,
        "dialect": published.dialect,
        "text": published.text,
        "citation": published.citation,
        "address": published.address,
        "second_hand": published.is_second_hand,
        "inserted_with": "NOT" if published.is_excluded else "AND",
    }


def insertion_document(
    published: PublishedFilter, insertion: FilterInsertion, price: FilterPrice | None, topic: str | None
) -> dict[str, Any]:
    """Return `query filters insert --json`."""
    return {
        "filter": filter_document(published),
        "dialect": insertion.dialect,
        "text": insertion.text,
        "filter_text": insertion.filter_text,
        "losses": [
            {"start": x.start, "end": x.end, "status": x.status, "message": x.message} for x in insertion.losses
        ],
        "topic": topic,
        "price": None
        if price is None
        else {
            "hits_before": price.n_before,
            "hits_after": price.n_after,
            "core_before": price.n_core_before,
            "core_after": price.n_core_after,
            "untestable": list(price.untestable),
            "is_testable": price.is_testable,
        },
    }


def _print(published: PublishedFilter, insertion: FilterInsertion, price: FilterPrice | None) -> None:
    results().print(shown(insertion.text), soft_wrap=True)
    say(f"Source: {published.source} {published.address}")
    for loss in insertion.losses:
        say(f"Note: {loss.status}: {loss.message}", "yellow")
    if price is not None:
        for sentence in price_sentences(price):
            say(sentence)


def price_sentences(price: FilterPrice) -> list[str]:
    if not price.is_testable:
        return [
            "No part of this filter can be tested over the topic, so its price is unknown: it searches fields or "
            "headings that imported records don't have."
        ]
    sentences = [
        f"{many(price.n_before, 'hit')} before, {price.n_after:,} after; "
        f"{many(price.n_core_before, 'core publication')} before, {price.n_core_after:,} after."
    ]
    if price.untestable:
        parts = "; ".join(price.untestable[:MOST_PARTS])
        more = f"; {len(price.untestable) - MOST_PARTS:,} more" if len(price.untestable) > MOST_PARTS else ""
        sentences.append(f"Left out of the counts, because the topic can't test them: {parts}{more}")
    return sentences
