"""`knowledge statistics`: a knowledge base and sets of queries in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.knowledge.statistics.query_sets import (
    PUBLISHED_BASES,
    PUBLISHED_NOTE,
    SET_STATISTICS,
    BaseRow,
    BaseStatistics,
    Measured,
    SetStatistic,
    SetStatistics,
)
from core.protocols import OnStage
from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, results, row, say, table, waiting
from data.collections.bringing import load_queries
from data.importers.source import read_bytes
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics.query_words import (
    Chosen,
    Compared,
    Reference,
    base_row,
    base_statistics,
    compare_chosen,
    query_words,
    reference_file,
)
from data.workspace import Workspace


@click.command()
@click.argument("base", required=False)
@click.option("--collection", "collections", multiple=True, help="Also the queries of this one; may come repeatedly.")
@click.option("--splits", is_flag=True, help="Each named part of these collections as a set of its own, too.")
@click.option("--reference", type=click.Path(path_type=Path), default=None, help="A text to hold the queries against.")
@options.data_dir
@options.as_json
def statistics(
    base: str | None,
    collections: tuple[str, ...],
    splits: bool,
    reference: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Entities, relations, degrees and words of a knowledge base; wording of query sets side by side."""
    if reference is not None and not collections:
        raise InputError("--reference is held against queries: name their collection with --collection")
    text = reference_file(read_bytes(reference), reference.name) if reference is not None else None
    with Workspace.open(data_dir) as workspace:
        with waiting("Statistics") as on_stage:
            opened = _open(workspace, base, bool(collections))
            known = base_statistics(opened, workspace.store, on_stage) if opened else None
            compared = _compare(workspace, opened, collections, splits, text, on_stage)
        if as_json:
            print_json(_statistics_document(opened, known, compared))
            return
        if opened and known:
            _print_base(opened, known)
        if compared.statistics:
            _print_sets(compared)


def _statistics_document(
    base: KnowledgeBase | None, known: BaseStatistics | None, compared: Compared
) -> dict[str, Any]:
    return {
        "knowledge_base": _base_document(base, known) if base and known else None,
        "published": [asdict(each) for each in PUBLISHED_BASES],
        "sets": [_set_document(each, compared) for each in compared.statistics],
    }


def _open(workspace: Workspace, name: str | None, has_sets: bool) -> KnowledgeBase | None:
    """The one that is named, else the only one; none where only query sets are asked for and it is not clear which."""
    names = workspace.knowledge.names()
    if name is None and len(names) > 1 and not has_sets:
        raise InputError(f"say which knowledge base: {', '.join(names)}")
    if name is None and (len(names) == 1 or not has_sets):
        name = names[0] if names else ""
    return None if name is None else workspace.knowledge.open(name)


def _compare(
    workspace: Workspace,
    base: KnowledgeBase | None,
    collections: Sequence[str],
    splits: bool,
    reference: Reference | None,
    on_stage: OnStage,
) -> Compared:
    loaded = {queries.collection: queries for queries in (load_queries(workspace, name) for name in collections)}
    chosen: list[Chosen] = []
    for name, queries in loaded.items():
        chosen += [(name, None), *((name, split) for split in queries.splits if splits)]
    words = {
        name: query_words(base, workspace.store, queries.whole.queries, on_stage)
        for name, queries in loaded.items()
        if base is not None
    }
    return compare_chosen(loaded, chosen, words=words, reference=reference)


def _base_document(base: KnowledgeBase, known: BaseStatistics) -> dict[str, Any]:
    return {
        **asdict(base_row(base, known)),
        "types": [asdict(kind) | {"hubs": _hubs(base, known, place)} for place, kind in enumerate(known.types)],
        "relations": [asdict(kind) for kind in base.relation_types],
    }


def _hubs(base: KnowledgeBase, known: BaseStatistics, place: int) -> list[dict[str, Any]]:
    hubs = known.types[place].hubs
    entities = base.entities([hub.row for hub in hubs])
    return [
        {"entity_id": entity.entity_id, "title": entity.title, "degree": hub.degree}
        for entity, hub in zip(entities, hubs, strict=True)
    ]


def _set_document(one: SetStatistics, compared: Compared) -> dict[str, Any]:
    return {
        "name": one.name,
        "is_reference": one.is_reference,
        "n_at_length": one.n_at_length,
        "values": {name: measured.value for name, measured in one.values.items()},
        "reasons": {name: measured.reason for name, measured in one.values.items() if measured.value is None},
        "words": asdict(spread) if (spread := one.words_spread) else None,
        "answers": asdict(spread) if (spread := one.answers_spread) else None,
        "told_by": dict(compared.told.get(one.name, {})),
    }


def _print_base(base: KnowledgeBase, known: BaseStatistics) -> None:
    columns = ("Entity types", "Relation types", "Average degree", "Entities", "Relations", "Tokens")
    out = table("Knowledge base", "Name", *columns, right=range(1, 7))
    for each in (base_row(base, known), *PUBLISHED_BASES):
        row(out, *_base_cells(each))
    results().print(out)
    out = table(
        "Entities by type",
        "Type",
        "Entities",
        "Degree: mean",
        "median",
        "most",
        "With text",
        "Words: mean",
        right=range(1, 8),
    )
    for kind in known.types:
        degrees, words = kind.degrees, kind.words
        row(
            out,
            kind.name,
            f"{kind.n:,}",
            f"{degrees.mean:,.1f}" if degrees else NONE,
            f"{degrees.median:,g}" if degrees else NONE,
            f"{degrees.most:,}" if degrees else NONE,
            f"{kind.text_share:.1%}" if kind.text_share is not None else NONE,
            f"{words.mean:,.1f}" if words else NONE,
        )
    results().print(out)
    out = table("Relations by type", "Relation", "From", "To", "Relations", right=(3,))
    for relation in base.relation_types:
        row(out, relation.name, relation.source, relation.target, f"{relation.n:,}")
    results().print(out)
    say(PUBLISHED_NOTE)


def _base_cells(each: BaseRow) -> tuple[str, ...]:
    degree = NONE if each.average_degree is None else f"{each.average_degree:,.1f}"
    tokens = NONE if each.n_tokens is None else f"{each.n_tokens:,}"
    counts = (f"{each.n_entity_types:,}", f"{each.n_relation_types:,}", degree)
    return (each.name, *counts, f"{each.n_entities:,}", f"{each.n_relations:,}", tokens)


def _print_sets(compared: Compared) -> None:
    names = [one.name for one in compared.statistics]
    out = table("Query sets", "", *names, right=range(1, len(names) + 1))
    for definition in SET_STATISTICS.values():
        cells = [shown_value(definition, one.values[definition.statistic_id]) for one in compared.statistics]
        row(out, definition.label, *cells)
    results().print(out)
    n = compared.statistics[0].n_at_length
    if n:
        say(f"The common length is {n:,} words, those of the smallest.")
    for one in compared.statistics:
        if told := compared.told_words(one.name):
            say(f"Words of {one.name}: {told}.")
        reasons = {measured.reason for measured in one.values.values() if measured.reason}
        for reason in sorted(reasons if not one.is_reference else ()):
            say(f"Note: {one.name}: {reason}.", "yellow")


def shown_value(definition: SetStatistic, measured: Measured) -> str:
    """As tables show it."""
    if measured.value is None:
        return NONE
    if definition.is_count:
        return f"{measured.value:,.0f}"
    return (
        f"{measured.value:,.1f}" if definition.unit in ("words", "characters", "answers") else f"{measured.value:.3f}"
    )
