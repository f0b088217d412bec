"""The `query` commands: check, explain, weigh, translate, split and compare search strings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import InputError
from core.query.checks import lint
from core.query.checks.corpus import lint_in_corpus
from core.query.checks.headings import lint_headings
from core.query.contributions import NOT_IN_VERSION, NOT_MATCHED, Contribution, Disagreement, MatchedQuery
from core.query.dialects import DIALECTS
from core.query.dialects.base import DATABASE_LABELS
from core.query.explanations import CoreExplanation
from core.query.explanations import explain as explain_missed
from core.query.match import Semantics, match, of_rows
from core.query.parser import parse
from core.query.translation import Translation, document_of, reading_summary
from core.query.translation import translate as translate_query
from core.query.tree import DialectId, Finding, ParsedQuery, depths, kind_of
from core.text import many, signed
from core.types import Publication
from dashboard.kit import options, scoring
from dashboard.kit.lazy_commands import LazyCommand, LazyGroup
from dashboard.kit.output import NONE, number, print_json, results, row, say, shown, table
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import read_query, read_search
from dashboard.query.databases import checked_database, database_in_text, database_named_in
from dashboard.query.documents import check_document, explain_document, query_text, terms_document
from data.explore.desk import Desk, ask, ask_version, set_up
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.lookup import check_no_label, version_with_text
from data.query.mesh import load_mesh
from data.query.search import dialect_of

LONGEST = 60
MOST_DISAGREEMENTS = 5
"""Publications printed per kind, unless more of them are core."""
STYLES = {"error": "bold red", "warning": "yellow", "hint": "dim"}
FLAGS = {
    "zero_hit": "no hits",
    "subsumed": "adds nothing",
    "harmful": "costs more than it brings",
    "single_point_of_failure": "only finder",
    "not_testable": "not testable here",
    "off": "off",
}


COLUMNS = (
    "Term",
    "Alone",
    "In context",
    "Unique",
    "Core",
    "Core unique",
    "Precision of unique",
    "Read per core",
)


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _tree_lines(parsed: ParsedQuery) -> list[str]:
    lines: list[str] = []
    for node, depth in zip(parsed.nodes, depths(parsed), strict=True):
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else _short(query_text(parsed.text, node))
        lines.append("  " * depth + text)
    return lines


def print_check(parsed: ParsedQuery, findings: Sequence[Finding]) -> None:
    out = results()
    sure = f", {parsed.confidence:.0%} sure" if parsed.confidence < 1 else ""
    out.print(shown(f"{DIALECTS[parsed.dialect].label}{sure}: {parsed.kind}", "bold"))
    for line in _tree_lines(parsed):
        out.print(shown(f"  {line}"))
    if parsed.kind == "question":
        out.print(shown("  A plain-language question: it is ranked, not matched."))
    out.print()
    if not findings:
        out.print(shown("No problems found."))
    for f in findings:
        where = f"{f.span.start}-{f.span.end}"
        out.print(shown(f"{f.severity}: {f.message} ({f.rule}, characters {where})", STYLES[f.severity]))
        if f.span.end > f.span.start:
            out.print(shown(f"    {_short(' '.join(f.span.of(parsed.text).split()), 100)}"))
        if f.fix:
            labels = [fix.label for fix in (f.fix, *f.other_fixes)]
            out.print(shown(f"    {'. Or: '.join(labels)}.", "dim"))


def print_explained(
    asked: MatchedQuery,
    explained: Sequence[CoreExplanation],
    disagreements: Sequence[Disagreement],
    known: Mapping[str, Publication],
) -> None:
    out = results()
    missed = [e for e in explained if e.verdict != "found"]
    n_found = len(explained) - len(missed)
    out.print(shown(f"{n_found} of {len(explained)} core publications found, {asked.semantics} matching"))
    for e in missed:
        title = known[e.publication_id].title if e.publication_id in known else ""
        out.print()
        out.print(shown(f"{e.publication_id}  {_short(title, 110)}", "bold"))
        out.print(shown(f"  {e.sentence}"))
        for rescue in e.rescues:
            change = NONE if rescue.f_beta_change is None else signed(rescue.f_beta_change)
            added = f"+{many(rescue.n_added, 'publication')}"
            price = f"{added}, F{asked.stakes.settings.beta:g} {change}"
            out.print(shown(f"    {rescue.label}: {rescue.reach}, {price}", "dim"))
    print_disagreements(disagreements, known)


def print_disagreements(disagreements: Sequence[Disagreement], known: Mapping[str, Publication]) -> None:
    """Print every core publication on which a version and its string disagree, and a few others."""
    if not disagreements:
        return
    out = results()
    out.print()
    out.print(shown("The version's list counts. The search string as read here differs:", "bold"))
    for message in (NOT_MATCHED, NOT_IN_VERSION):
        of_kind = [each for each in disagreements if each.message == message]
        n_shown = max(MOST_DISAGREEMENTS, sum(each.is_core for each in of_kind))
        if of_kind:
            out.print(shown(f"  {len(of_kind):,} {message}", "yellow"))
        for each in of_kind[:n_shown]:
            title = known[each.publication_id].title if each.publication_id in known else ""
            out.print(shown(f"    {each.publication_id}  {_short(title, 90)}{' (core)' if each.is_core else ''}"))
        if len(of_kind) > n_shown:
            out.print(shown(f"    and {len(of_kind) - n_shown:,} more: --json lists them all", "dim"))


def print_terms(asked: MatchedQuery, parsed: ParsedQuery, found: Sequence[Contribution]) -> None:
    out = results()
    score = f"F{asked.stakes.settings.beta:g} if removed"
    grid = table(f"Terms, {asked.semantics} matching", *COLUMNS, score, "", right=range(1, 9))
    for c, depth in zip(found, depths(parsed), strict=True):
        node = parsed.nodes[c.number]
        kind = kind_of(node)
        text = kind if kind in ("AND", "OR", "NOT") else query_text(parsed.text, node)
        change = c.f_beta_change_if_removed
        row(
            grid,
            "  " * depth + _short(text, 44),
            *(NONE if "not_testable" in c.flags else f"{n:,}" for n in _counts(c)),
            number(c.semantic_precision_unique),
            NONE if c.read_per_core is None else f"{c.read_per_core:.1f}",
            NONE if change is None else signed(change),
            ", ".join(FLAGS[flag] for flag in c.flags),
        )
    out.print(grid)


def _counts(c: Contribution) -> tuple[int, ...]:
    return c.n_alone, c.n_in_context, c.n_unique, c.core, c.core_unique


MOST_PLACES = 8
"""Places in the text shown for one loss."""


def print_translation(parsed: ParsedQuery, target: DialectId, translation: Translation) -> None:
    out = results()
    if translation.n_unread:
        out.print(shown(translation.reading_summary, STYLES["error"]), soft_wrap=True)
        out.print()
    out.print(shown(translation.text), soft_wrap=True)
    out.print()
    if not translation.losses:
        out.print(shown(f"Exact: {DIALECTS[target].label} can express all of it."))
    places: dict[tuple[str, str], list[str]] = {}
    for loss in translation.losses:
        text = _short(" ".join(parsed.text[loss.start : loss.end].split()))
        places.setdefault((loss.status, loss.message), []).append(text)
    for (status, message), texts in places.items():
        more = f"; {len(texts) - MOST_PLACES:,} more" if len(texts) > MOST_PLACES else ""
        out.print(shown(f"{status}: {message} ({'; '.join(texts[:MOST_PLACES])}{more})", "yellow"))


# `query`: check a search string, explain what it misses, weigh its terms, translate it.

DIALECT = click.Choice(get_args(DialectId))
text_argument = click.argument("text", required=False)
file_option = click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    default=None,
    help="Read the text from a file; - reads standard input.",
)
dialect_option = click.option("--dialect", type=DIALECT, default=None, help="Dialect of the text. [default: detected]")
version_option = click.option(
    "--version", "label", default=None, help="A version of the topic: its search string and retrieved publications."
)
semantics_option = click.option(
    "--semantics",
    type=click.Choice(get_args(Semantics)),
    default=None,
    help="Match exact words, or all words with the same stem. [default: literal; for a version, as it was run]",
)


@click.group(cls=LazyGroup)
def query() -> None:
    """Check a search string, explain what it misses, weigh its terms, translate it."""


@query.command(
    epilog=options.examples(
        'query check "mask* AND (influenza OR flu)"', "query check --file search.txt --dialect ovid --strict"
    )
)
@text_argument
@file_option
@dialect_option
@click.option("--topic", default=None, help="Also check against this topic's publications, such as terms without hits.")
@semantics_option
@click.option("--strict", is_flag=True, help="End with status 1 if there is an error or a warning (hints don't count).")
@options.data_dir
@options.as_json
def check(
    text: str | None,
    file: Path | None,
    dialect: DialectId | None,
    topic: str | None,
    semantics: Semantics | None,
    strict: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Show how a search string is parsed, and the problems found in it."""
    parsed = read_query(text, file, dialect)
    findings = lint(parsed)
    if topic is not None:
        with Workspace.open(data_dir) as workspace:
            findings = (*findings, *corpus_findings(workspace, topic, parsed, semantics or "literal"))
    else:
        findings = (*findings, *lint_headings(parsed, load_mesh(WorkspacePaths.of(data_dir))))
    if as_json:
        print_json(check_document(parsed, findings))
    else:
        print_check(parsed, findings)
    if strict and any(each.severity in ("error", "warning") for each in (*parsed.findings, *findings)):
        sys.exit(1)


def corpus_findings(workspace: Workspace, topic: str, parsed: ParsedQuery, semantics: Semantics) -> tuple[Finding, ...]:
    corpus = workspace.corpora.of(topic)
    if parsed.root is None:
        return ()
    core = of_rows(corpus.rows_of_ids(workspace.store.load_core(topic).ids), len(corpus.ids))
    in_corpus = lint_in_corpus(parsed, match(parsed.root, corpus, semantics), corpus.texts, core)
    return (*in_corpus, *lint_headings(parsed, corpus.mesh, corpus.headings))


def _on_a_topic(command: Callable[..., None]) -> Callable[..., None]:
    shared = (
        text_argument,
        options.topic,
        version_option,
        file_option,
        options.embedder,
        dialect_option,
        semantics_option,
        scoring.settings,
        options.data_dir,
        options.as_json,
    )
    for option in reversed(shared):
        command = option(command)
    return command


def ask_topic(workspace: Workspace, topic: str, given: dict[str, Any]) -> tuple[Desk, ParsedQuery, MatchedQuery]:
    label, text, file = given.pop("label"), given.pop("text"), given.pop("file")
    dialect, semantics, embedder = given.pop("dialect"), given.pop("semantics"), given.pop("embedder")
    row = None
    if label is not None:
        if text is not None or file is not None:
            raise InputError("--version already has a search string: leave out the text and --file")
        row = version_with_text(workspace.store, topic, label)
        parsed = parse(row.version.text, dialect or dialect_of(row.version))
    else:
        if text is not None:
            check_no_label(workspace.store, topic, text, f'--version "{text.strip()}"')
        parsed = read_query(text, file, dialect)
    settings = scoring.read_settings(given)
    if parsed.kind == "question":
        raise InputError("this is a plain-language question, which is ranked: it has no terms to evaluate")
    with waiting(f"Indexing {topic}"):
        desk = set_up(workspace, topic, embedder, settings)
    if row is None:
        asked = ask(desk, parsed, semantics or "literal")
    else:
        asked = ask_version(workspace, desk, row, dialect=dialect, semantics=semantics)
    if asked is None:
        reason = parsed.findings[0].message.rstrip(".") if parsed.findings else "it is empty"
        raise InputError(f"this text contains no query ({reason}): type at least one word")
    if misread := reading_summary(parsed):
        say(misread, "yellow", always=True)
    return desk, parsed, asked


@query.command()
@_on_a_topic
def explain(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Explain why each core publication is found or missed, and which edits rescue it."""
    with Workspace.open(data_dir) as workspace:
        desk, _, asked = ask_topic(workspace, topic, given)
        explained = explain_missed(asked, desk.core_ids, with_rescues=desk.core_ids)
        disagreements, known = disagreements_with(workspace, desk, asked)
    if as_json:
        print_json(explain_document(asked, explained, disagreements, known))
    else:
        print_explained(asked, explained, disagreements, known)


@query.command()
@_on_a_topic
def terms(topic: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Show what each term contributes and what it costs."""
    with Workspace.open(data_dir) as workspace:
        desk, parsed, asked = ask_topic(workspace, topic, given)
        disagreements, known = disagreements_with(workspace, desk, asked)
    if as_json:
        print_json(terms_document(asked, parsed, desk.core_ids, disagreements, known))
    else:
        print_terms(asked, parsed, asked.contributions)
        print_disagreements(disagreements, known)


def disagreements_with(
    workspace: Workspace, desk: Desk, asked: MatchedQuery
) -> tuple[tuple[Disagreement, ...], dict[str, Publication]]:
    """Return the disagreements between a version and its string; also these publications and the core, by id."""
    disagreements = asked.disagreements(desk.core_ids)
    ids = dict.fromkeys((*desk.core_ids, *(each.publication_id for each in disagreements)))
    return disagreements, {p.publication_id: p for p in workspace.publications(tuple(ids))}


@query.command()
@text_argument
@file_option
@click.option("--from", "source", type=DIALECT, default=None, help="Dialect of the text. [default: detected]")
@click.option("--to", "target", type=DIALECT, required=True, help="Dialect to translate to.")
@click.option(
    "--database",
    default=None,
    help="Database the search is written for, such as embase on ovid. [default: as named in the text]",
)
@click.option("--to-database", default=None, help="Database to translate to, such as cinahl on ebsco.")
@click.option("--topic", default=None, help="Use this topic's words to write out stems that the target refuses.")
@click.option("--strict", is_flag=True, help="Exit with status 1 if the search string has errors.")
@click.option("--as-search-file", is_flag=True, help="Print the translation as a JSON search file for other programs.")
@options.data_dir
@options.as_json
def translate(
    text: str | None,
    file: Path | None,
    source: DialectId | None,
    target: DialectId,
    database: str | None,
    to_database: str | None,
    topic: str | None,
    strict: bool,
    as_search_file: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Translate a search to another dialect, and report what is lost.

    Parse errors are reported first. Subject headings depend on the database: those of one thesaurus are never written
    as headings of another.
    """
    parsed, names = read_search(text, file, source)
    chosen = checked_database(database, parsed.dialect, "--database")
    written_for = chosen or database_named_in(names, parsed.dialect) or database_in_text(parsed)
    meant_for = checked_database(to_database, target, "--to-database")
    vocabulary = () if topic is None else _vocabulary(topic, data_dir)
    translation = translate_query(parsed, target, database=written_for, to_database=meant_for, vocabulary=vocabulary)
    if as_search_file:
        if not translation.text.strip():
            raise InputError("there is nothing to translate: type at least one word")
        if translation.n_unread:
            say(translation.reading_summary)
        for loss in translation.losses:
            say(f"Note: {loss.status}: {loss.message}")
        databases = (DATABASE_LABELS[meant_for],) if meant_for not in ("", "other") else ()
        print_json(dict(document_of(parse(translation.text, target), database=databases).as_dict()))
    elif as_json:
        print_json(
            translation_document(parsed, target, translation, database=written_for, to_database=meant_for, topic=topic)
        )
    else:
        print_translation(parsed, target, translation)
    if strict and translation.n_unread:
        raise SystemExit(1)


def translation_document(
    parsed: ParsedQuery,
    target: DialectId,
    translation: Translation,
    *,
    database: str | None,
    to_database: str | None,
    topic: str | None,
) -> dict[str, Any]:
    """Build `query translate --json`."""
    return {
        "from": parsed.dialect,
        "to": target,
        "database": database or None,
        "to_database": to_database or None,
        "topic": topic,
        "text": translation.text,
        "reading": translation.reading_summary or None,
        "losses": [
            {"start": x.start, "end": x.end, "status": x.status, "message": x.message} for x in translation.losses
        ],
    }


def _vocabulary(topic: str, data_dir: Path | None) -> tuple[str, ...]:
    with Workspace.open(data_dir) as workspace, waiting(f"Indexing {topic}"):
        return workspace.corpora.of(topic).texts.vocabulary


for command in (
    LazyCommand(
        "apart",
        "query.apart:apart_command",
        "Split a search string into specific, general, overarching and excluded keywords.",
    ),
    LazyCommand("mesh", "query.mesh:mesh_command", "Show a MeSH heading: its places, narrower headings, entry terms."),
    LazyCommand(
        "headings",
        "query.mesh:headings_command",
        "List the headings of the core set as a grid; with a search string, suggest headings and entry terms for it.",
    ),
    LazyCommand(
        "batch",
        "query.batch:batch_command",
        "Compare baseline, generated and review strings over topics; --write makes missing ones.",
    ),
    LazyCommand("filters", "query.filters:filters_command", "List published search filters with their sources."),
    LazyCommand(
        "filters insert",
        "query.filters:insert_command",
        "Add a published filter to a search string with AND, or with NOT for animal filters.",
    ),
    LazyCommand(
        "write",
        "writer.commands:write_command",
        "Write search strings for a topic, each with its scores next to those of the topic's name alone.",
    ),
    LazyCommand("writings", "writer.commands:writings_command", "List query-writing sessions."),
    LazyCommand(
        "steps",
        "writer.commands:steps_command",
        "List every search string of a session with its scores, from the topic's name on.",
    ),
):
    query.add_command(command)
