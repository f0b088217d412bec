"""`query`: check a search string, explain what it misses, weigh its terms, translate it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import InputError
from core.query.lint.in_corpus import lint, lint_in_corpus
from core.query.matching.matched import Semantics, match, of_rows
from core.query.reading.parser import parse
from core.query.repair.rescue import explain as explain_missed
from core.query.tree import DialectId, Finding, ParsedQuery
from core.query.weighing.contributions import Asked, contributions
from core.query.writing.printing import document_of
from core.query.writing.printing import translate as translate_query
from dashboard.commands import options
from dashboard.commands.output import print_json, say, waiting
from dashboard.commands.query_apart import apart_command
from dashboard.commands.query_batch import batch_command
from dashboard.commands.query_files import read_query, version_query
from dashboard.commands.query_tables import print_check, print_explained, print_terms, print_translation
from dashboard.commands.query_write import steps_command, write_command, writings_command
from dashboard.components.query_documents import check_document, explain_document, node_document
from data.desk import Desk, ask, set_up
from data.workspace import Workspace

DIALECT = click.Choice(get_args(DialectId))

text_argument = click.argument("text", required=False)
file_option = click.option(
    "--file", "file", type=click.Path(path_type=Path), default=None, help="Read the text from a file; - is the input."
)
dialect_option = click.option("--dialect", type=DIALECT, default=None, help="[default: found out from the text]")
version_option = click.option("--version", "label", default=None, help="The text of this version of the topic.")
semantics_option = click.option(
    "--semantics",
    type=click.Choice(get_args(Semantics)),
    default="literal",
    show_default=True,
    help="Words as written, or any word with the same stem.",
)


@click.group()
def query() -> None:
    """Check a search string, explain what it misses, weigh its terms, translate it."""


@query.command()
@text_argument
@file_option
@dialect_option
@click.option("--topic", default=None, help="Also what this topic's publications show: terms without a hit, and more.")
@semantics_option
@options.data_dir
@options.as_json
def check(
    text: str | None,
    file: Path | None,
    dialect: DialectId | None,
    topic: str | None,
    semantics: Semantics,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """How a search string is understood, and what is wrong with it."""
    parsed = read_query(text, file, dialect)
    findings = lint(parsed)
    if topic is not None:
        with Workspace.open(data_dir) as workspace:
            findings = (*findings, *_in_corpus(workspace, topic, parsed, semantics))
    if as_json:
        print_json(check_document(parsed, findings))
    else:
        print_check(parsed, findings)


def _in_corpus(workspace: Workspace, topic: str, parsed: ParsedQuery, semantics: Semantics) -> tuple[Finding, ...]:
    """What only a topic's publications show."""
    corpus = workspace.corpora.of(topic)
    if parsed.root is None:
        return ()
    core = of_rows(corpus.rows_of_ids(workspace.store.load_core(topic).ids), len(corpus.ids))
    return lint_in_corpus(parsed, match(parsed.root, corpus, semantics), corpus.texts, core)


def _on_a_topic(command: Callable[..., None]) -> Callable[..., None]:
    """What explain and terms have in common."""
    shared = (
        text_argument,
        options.topic,
        version_option,
        file_option,
        options.embedder,
        dialect_option,
        semantics_option,
        options.settings,
        options.data_dir,
        options.as_json,
    )
    for option in reversed(shared):
        command = option(command)
    return command


def _ask(workspace: Workspace, topic: str, given: dict[str, Any]) -> tuple[Desk, ParsedQuery, Asked]:
    """The query that was named, matched over the topic."""
    label, text, file = given.pop("label"), given.pop("text"), given.pop("file")
    dialect, semantics, embedder = given.pop("dialect"), given.pop("semantics"), given.pop("embedder")
    if label is not None:
        if text is not None or file is not None:
            raise InputError("--version has a text of its own: leave out the text and --file")
        parsed = version_query(workspace.store, topic, label, dialect)
    else:
        parsed = read_query(text, file, dialect)
    settings = options.read_settings(given)
    if parsed.kind == "question":
        raise InputError("this is a question in plain words, which is ranked: there are no terms to weigh")
    with waiting(f"Indexing {topic}"):
        desk = set_up(workspace, topic, embedder, settings)
    asked = ask(desk, parsed, semantics)
    if asked is None:
        reason = parsed.findings[0].message.rstrip(".") if parsed.findings else "it is empty"
        raise InputError(f"there is no query in this text ({reason}): type at least one word")
    return desk, parsed, asked


@query.command()
@_on_a_topic
def explain(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Why each core publication is found or missed, and which edits rescue it."""
    with Workspace.open(data_dir) as workspace:
        desk, _, asked = _ask(workspace, topic, given)
        explained = explain_missed(asked, desk.core_ids, with_rescues=desk.core_ids)
    known = {p.publication_id: p for p in desk.core if p is not None}
    if as_json:
        print_json(explain_document(asked, explained, known))
    else:
        print_explained(asked, explained, known)


@query.command()
@_on_a_topic
def terms(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """What each term brings and what it costs."""
    with Workspace.open(data_dir) as workspace:
        _, parsed, asked = _ask(workspace, topic, given)
        found = contributions(asked.matched, asked.stakes)
    if as_json:
        print_json({"nodes": [node_document(parsed, each) for each in found]})
    else:
        print_terms(asked, parsed, found)


@query.command()
@text_argument
@file_option
@click.option("--from", "source", type=DIALECT, default=None, help="[default: found out from the text]")
@click.option("--to", "target", type=DIALECT, required=True, help="The dialect to write.")
@click.option("--as-search-file", is_flag=True, help="The translation as a JSON document that other programs read.")
@options.data_dir
@options.as_json
def translate(
    text: str | None,
    file: Path | None,
    source: DialectId | None,
    target: DialectId,
    as_search_file: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """The same search in another dialect, and what is lost on the way."""
    parsed = read_query(text, file, source)
    translation = translate_query(parsed, target)
    if as_search_file:
        if not translation.text.strip():
            raise InputError("there is nothing to translate: type at least one word")
        for loss in translation.losses:
            say(f"Note: {loss.status}: {loss.message}")
        print_json(dict(document_of(parse(translation.text, target)).as_dict()))
    elif as_json:
        print_json(
            {
                "from": parsed.dialect,
                "to": target,
                "text": translation.text,
                "losses": [
                    {"start": x.start, "end": x.end, "status": x.status, "message": x.message}
                    for x in translation.losses
                ],
            }
        )
    else:
        print_translation(parsed, target, translation)


for command in (apart_command, write_command, writings_command, steps_command, batch_command):
    query.add_command(command)
