"""The command `searches`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import click

from core.audit.search_drops import DropPrice
from core.audit.searches import SEARCH_KINDS, Search, SearchYield, grouped_searches, hits_of
from core.errors import InputError
from core.library.labels import PHASES, Phase
from core.text import listed, lower_first, many
from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, table, tell, warn
from data.explore.workspace import Workspace
from data.importers.source import opened, read_bytes
from data.library.imports import labels_of_file
from data.library.records import SourceRole, source_names
from data.library.roles import change_role, source_named
from data.library.search_table import apply_search_table, read_search_table
from data.library.searches import (
    delete_search,
    drop_of,
    drop_prices,
    drop_words,
    find_search,
    join_searches,
    load_searches,
    new_search,
    phase_ids,
    problems_of,
    save_search,
    unfound_ids,
    without_search,
    yields_of,
)
from data.lookup import check_topic
from data.sources.runs import add_missing_searches
from data.store import Store

FIELDS = {
    "database": "database",
    "platform": "platform",
    "date": "searched_on",
    "by": "searched_by",
    "hits": "n_hits",
    "version": "label",
    "kind": "kind",
    "limits": "limits",
    "note": "note",
    "string": "text",
}
"""Names on the command line, and the fields of a search."""


@click.command()
@options.topic
@click.option(
    "--set",
    "changes",
    nargs=2,
    multiple=True,
    metavar="NUMBERS FIELD=VALUE",
    help=f"Change searches, such as 2 or 1,3 (repeatable). FIELD: {', '.join(FIELDS)}; string=@FILE reads a search "
    "string or history.",
)
@click.option(
    "--from",
    "tables",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Fill in searches from a CSV, TSV or Excel table with columns such as Database, Date, Hits, Search string.",
)
@click.option("--add", "added", multiple=True, metavar="DATABASE", help="Add a search without a file (repeatable).")
@click.option(
    "--join", "joined", nargs=2, multiple=True, type=int, metavar="A B", help="Move the files of search B to A."
)
@click.option("--delete", "deleted", multiple=True, type=int, metavar="NUMBER", help="Delete a search; its files stay.")
@click.option("--add-missing", is_flag=True, help="Add a search for each file and live run that belongs to none.")
@click.option(
    "--role",
    "roles",
    nargs=2,
    multiple=True,
    metavar="FILE ROLE",
    help="Change the role of a file: corpus, core, screened, included, or the label of a version (repeatable).",
)
@click.option(
    "--labels",
    "labels",
    multiple=True,
    type=(str, click.Choice(PHASES)),
    metavar="FILE PHASE",
    help="Use the labels of ASReview, Rayyan or CiteSource in a file: screened or included (repeatable).",
)
@options.output
def searches(
    topic: str,
    changes: tuple[tuple[str, str], ...],
    tables: tuple[Path, ...],
    added: tuple[str, ...],
    joined: tuple[tuple[int, int], ...],
    deleted: tuple[int, ...],
    add_missing: bool,
    roles: tuple[tuple[str, str], ...],
    labels: tuple[tuple[str, Phase], ...],
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List the searches of a topic and what each brought: records, core publications, and what only it found.

    Each imported file becomes a search; its database, platform and date are filled in as far as the file tells.
    """
    with Workspace.open(data_dir) as workspace:
        store = workspace.store
        check_topic(store, topic)
        if add_missing:
            add_missing_searches(store, topic)
        for database in added:
            save_search(store, topic, new_search(store, topic, database=" ".join(database.split())))
        for name, role in roles:
            _change_role(workspace, topic, name, SourceRole.named(role), is_quiet=as_json)
        for name, phase in labels:
            labels_of_file(workspace, topic, source_named(store, topic, name).source_id, phase)
        not_used = [problem for path in tables for problem in _fill_in(store, topic, path)]
        for numbers, change in changes:
            for number in numbers.split(","):
                save_search(store, topic, changed(find_search(store, topic, _number(number.strip())), change))
        for kept, other in joined:
            join_searches(store, topic, kept, [other])
        for each in deleted:
            delete_search(store, topic, each)
        found, brought, names = load_searches(store, topic), yields_of(store, topic), source_names(store, topic)
        n_missing = len(without_search(store, topic))
        problems = (*not_used, *problems_of(store, topic, date.today()))
        document = searches_document(topic, found, brought, names, problems) | phases_document(store, topic, found)
    if as_json:
        print_json(document)
        return
    _print(topic, found, brought)
    if n_missing:
        tell(f"{many(n_missing, 'file')} without a search: add one for each with --add-missing.")
    if document["suggested_drop"]:
        tell(document["suggested_drop"]["sentence"])
    warn([problem.removesuffix(".") for problem in problems])


def _fill_in(store: Store, topic: str, path: Path) -> Iterator[str]:
    """Apply a table, and yield a sentence for each row and column of it that is not used."""
    table = read_search_table(store, topic, read_bytes(path), path.name)
    apply_search_table(store, topic, table)
    yield from (f"{path.name}, {lower_first(problem)}" for problem in table.problems)
    if table.unknown:
        yield f"{path.name}: columns that are not used: {listed(table.unknown)}."


def _number(text: str) -> int:
    if not text.isdecimal():
        raise InputError(f'NUMBER must be the number of a search, got "{text}"')
    return int(text)


def changed(search: Search, change: str) -> Search:
    """Return the search with one field changed, as given on the command line: FIELD=VALUE."""
    name, equals, value = change.partition("=")
    if not equals or name.strip() not in FIELDS:
        raise InputError(f'"{change}" is not a change: write FIELD=VALUE, where FIELD is one of {", ".join(FIELDS)}')
    field, value = FIELDS[name.strip()], value.strip()
    if field == "n_hits":
        digits = value.replace(",", "")
        if value and not digits.isdecimal():
            raise InputError(f'hits must be a whole number, got "{value}"')
        return replace(search, n_hits=int(digits) if value else None)
    if field == "kind" and value not in SEARCH_KINDS:
        raise InputError(f'a search is of one of these kinds: {", ".join(SEARCH_KINDS)}; got "{value}"')
    if field == "text" and value.startswith("@"):
        value = opened(read_bytes(path := Path(value[1:])), path.name).text.strip()
    if field == "label":
        return replace(search, label=value or None)
    return replace(search, **{field: value})  # type: ignore[arg-type]


def searches_document(
    topic: str,
    found: tuple[Search, ...],
    brought: tuple[SearchYield, ...],
    names: Mapping[str, str],
    problems: tuple[str, ...],
) -> dict[str, Any]:
    """Return `searches --json`. `brought`: null for a search without files."""
    yields = {each.search_id: each for each in brought}
    return {
        "topic": topic,
        "searches": [
            asdict(search)
            | {"name": search.name, "n_hits": hits_of(search), "files": [names[i] for i in search.source_ids]}
            | {"brought": asdict(yields[search.search_id]) if search.search_id in yields else None}
            for search in found
        ],
        "versions": [
            {"version": group.label, "name": group.name, "searches": [search.number for search in group.searches]}
            for group in grouped_searches(found)
        ],
        "problems": list(problems),
    }


def phases_document(store: Store, topic: str, found: tuple[Search, ...]) -> dict[str, Any]:
    """Return the phases of the review, and the effect of dropping searches, for `searches --json`."""
    numbers = {search.search_id: search.number for search in found}

    def price_document(price: DropPrice) -> dict[str, Any]:
        return asdict(price) | {"searches": [numbers[search_id] for search_id in price.search_ids]}

    unfound, suggested = unfound_ids(store, topic), drop_of(store, topic)
    return {
        "phases": {phase: len(ids) for phase, ids in phase_ids(store, topic).items()},
        "unfound": {
            phase: [{"publication_id": p.publication_id, "title": p.title} for p in store.load_publications(ids)]
            for phase, ids in unfound.items()
        },
        "if_dropped": [price_document(price) for price in drop_prices(store, topic).values()],
        "suggested_drop": price_document(suggested) | {"sentence": drop_words(store, topic)} if suggested else None,
    }


def _change_role(workspace: Workspace, topic: str, name: str, role: SourceRole, *, is_quiet: bool) -> None:
    change = change_role(workspace, topic, source_named(workspace.store, topic, name).source_id, role)
    if not is_quiet and change.before != change.after:
        back = change.before.label or change.before.kind
        tell(f'{change.name} is now {change.after}. Undo with --role "{change.name}" "{back}".')


def _print(topic: str, found: tuple[Search, ...], brought: tuple[SearchYield, ...]) -> None:
    if not found:
        tell(f"{topic} has no searches yet: import files, or add one with --add DATABASE.")
        return
    yields = {each.search_id: each for each in brought}
    counted = {
        head: name
        for head, name in COUNTS.items()
        if any(getattr(each, name) is not None for each in brought) or name in ALWAYS
    }
    columns = ("Search", "Database", "Date", "Hits", *counted, "Precision", "To read")
    for group in grouped_searches(found):
        grid = table(group.name, *columns, right=(0, *range(3, len(columns))))
        for search in group.searches:
            each = yields.get(search.search_id)
            counts = [None if each is None else getattr(each, name) for name in counted.values()]
            shown = [NONE if n is None else f"{n:,}" for n in (hits_of(search), *counts)]
            shown.append(NONE if each is None or each.precision is None else f"{100 * each.precision:.1f} %")
            shown.append(NONE if each is None or each.n_to_read is None else f"{each.n_to_read:.1f}")
            row(grid, str(search.number), search.name, search.searched_on or NONE, *shown)
        results().print(grid)
    if brought:
        one = "included" if brought[0].measured_on == "included" else "core"
        tell(f"Precision and publications to read for one are measured on the {one} publications.")


COUNTS = {
    "Records": "n_records",
    "Publications": "n_publications",
    "Only here": "n_unique",
    "Core": "n_core",
    "Core only here": "n_core_unique",
    "Screened": "n_screened",
    "Included": "n_included",
    "Included only here": "n_included_unique",
}
ALWAYS = frozenset({"n_records", "n_publications", "n_unique", "n_core", "n_core_unique"})
