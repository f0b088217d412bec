"""The `knowledge` commands: list, entity, answers, statistics and synthesize."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import CorruptStoreError, InputError, NotFoundError, ServiceError
from core.knowledge.entities import Entity, EntityText, NeighbourCount, Rows
from core.knowledge.stark_tables import PUBLISHED_BASES, PUBLISHED_NOTE
from core.knowledge.statistics import (
    SET_STATISTICS,
    BaseRow,
    BaseStatistics,
    SetStatistic,
    SetStatistics,
    StatisticValue,
)
from core.knowledge.synthesis import ROLES, RULES, Rule, SynthesisSettings, SynthesizedQuery, fitting_roles
from core.knowledge.synthesis_steps import AcceptanceRate, SynthesisSummary, summarise
from core.knowledge.templates import (
    RelationPath,
    Template,
    compose,
    question_words,
    relation_words,
    type_words,
    with_text,
)
from core.protocols import OnStage
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyCommand, LazyGroup
from dashboard.kit.output import NONE, number, print_json, results, row, say, shown, table, tell, warn
from dashboard.kit.progress import waiting
from data.explore.workspace import Workspace
from data.importers.source import read_bytes
from data.knowledge.base import KnowledgeBase, KnowledgeBaseInfo
from data.knowledge.demo_writer import MODEL, NOTE
from data.knowledge.people import OwnQuery, keep_query
from data.knowledge.statistics import (
    Chosen,
    QuerySetComparison,
    Reference,
    base_row,
    base_statistics,
    compare_chosen,
    query_words,
    reference_file,
)
from data.knowledge.synthesis import (
    SynthesisPlan,
    SynthesisResult,
    dry_run,
    open_models,
    read_prices,
    settled,
    synthesise,
)
from data.knowledge.synthesis_runs import (
    MemorySynthesisLog,
    StoreSynthesisLog,
    answers_of,
    begin,
    collection_of,
    is_begun,
    save_made,
    synthesis_id_of,
    write_stark,
)
from data.knowledge.templates import template_of, templates_of
from data.knowledge.titles import find_entities
from data.models.destination import find_destination
from data.retrieval.asking import RetrieverTrial, corpus_of_base, meeting, try_retriever
from data.retrieval.collections import load_queries

# `knowledge entity`: an entity's text and attributes, and its number of neighbours.

MOST_TEXT = 2_000
"""Characters of a text that are printed; --json has all."""
MOST_OTHERS = 4


@click.command()
@click.argument("base")
@click.argument("id_or_title")
@click.option("--type", "kind", default=None, help="Only entities of this type.")
@options.output
def entity(base: str, id_or_title: str, kind: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Show text, attributes and neighbour counts of an entity, by its ID or its title."""
    with Workspace.open(data_dir) as workspace, waiting("Searching titles"):
        opened = workspace.knowledge.open(base)
        found, *others = find_named(opened, id_or_title, kind)
        text, counts = opened.text(found.row), opened.neighbour_counts(found.row)
    if as_json:
        print_json(_entity_document(found, text, counts, others))
    else:
        _print_entity(found, text, counts)
        if others:
            named = ", ".join(f"{each.title or 'untitled'} ({each.entity_id})" for each in others)
            say(f"Other possible matches: {named}")


def find_named(base: KnowledgeBase, id_or_title: str, kind: str | None) -> tuple[Entity, ...]:
    """Find the best match, then a few others with similar names."""
    if kind is not None and kind not in base.types:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no type "{kind[:80]}": {", ".join(base.types)}')
    found = find_entities(base, id_or_title, type=kind, k=1 + MOST_OTHERS)
    if not found:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no entity called "{id_or_title[:80]}"')
    return found


def _entity_document(
    found: Entity, text: EntityText, counts: tuple[NeighbourCount, ...], others: list[Entity]
) -> dict[str, Any]:
    return {
        **brief(found),
        "text": text.text,
        "attributes": dict(text.attributes),
        "neighbours": [
            {"relation": count.relation, "direction": count.direction, "type": count.type, "n": count.n}
            for count in counts
        ],
        "others": [brief(each) for each in others],
    }


def brief(found: Entity) -> dict[str, str]:
    return {"entity_id": found.entity_id, "type": found.type, "title": found.title}


def _print_entity(found: Entity, text: EntityText, counts: tuple[NeighbourCount, ...]) -> None:
    tell(found.title or "Untitled", "bold")
    tell(f"{type_words(found.type).capitalize()}, id {found.entity_id}")
    if text.text:
        cut = f" … ({len(text.text):,} characters in all)" if len(text.text) > MOST_TEXT else ""
        tell(f"\n{text.text[:MOST_TEXT]}{cut}")
    if text.attributes:
        grid = table("\nAttributes", "Name", "Value")
        for name, value in text.attributes.items():
            row(grid, name, str(value)[:200])
        results().print(grid)
    grid = table("\nNeighbours", "Relation", "Type", "Neighbours", right=(2,))
    for count in counts:
        row(grid, relation_words(count.relation, count.direction), type_words(count.type, plural=True), f"{count.n:,}")
    results().print(grid if counts else shown("\nIt has no relations."))


# `knowledge answers`: the answers to a relational question, and the paths to them.

MOST_WITH_WAYS = 1_000
"""Maximum number of answers whose paths are searched."""
Filled = Mapping[str, Sequence[Entity]]


@click.command()
@click.argument("base")
@click.argument("template", required=False)
@click.option("--given", multiple=True, metavar="SLOT=ID_OR_TITLE", help="Fill a blank; repeat it for alternatives.")
@click.option("--ways", "with_ways", is_flag=True, help="Also show how each answer is reached.")
@click.option("--k", "k", type=click.IntRange(1, 1_000_000), default=50, show_default=True, help="Answers to list.")
@click.option("--words", default=None, help="Query for --ask and --save-as. [default: the question]")
@click.option("--about", default="", help="Extra condition on the text, for --ask and --save-as.")
@click.option("--ask", "asked", multiple=True, metavar="RETRIEVER", help="Ask a retriever this query; repeatable.")
@click.option("--save-as", default=None, metavar="COLLECTION", help="Save this query to a collection of your own.")
@click.option("--relevant", multiple=True, metavar="ID", help="With --save-as: these answers only; repeatable.")
@options.output
def answers(
    base: str,
    template: str | None,
    given: tuple[str, ...],
    with_ways: bool,
    k: int,
    words: str | None,
    about: str,
    asked: tuple[str, ...],
    save_as: str | None,
    relevant: tuple[str, ...],
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List the answers to a template with its blanks filled; without a template, list the templates.

    Combine several templates with "+", such as mag-institution+mag-field. The question can become a query over the
    texts of the knowledge base: --ask tries it with a retriever (such as graph, bm25, dense:lsa) and marks results that
    meet the relations, --save-as saves it with its answers as judgments, for "benchmark".
    """
    if not (save_as or asked) and (words or about):
        raise InputError("--words and --about need a use: add --ask RETRIEVER or --save-as COLLECTION")
    if save_as is None and relevant:
        raise InputError("--relevant needs --save-as COLLECTION")
    with Workspace.open(data_dir) as workspace:
        opened = workspace.knowledge.open(base)
        templates = templates_of(opened, workspace.store)
        if template is None:
            _list(opened, templates, as_json)
            return
        with waiting("Looking for answers"):
            chosen = _chosen(templates, template)
            filled = _filled(opened, chosen, given)
            rows = {slot: [each.row for each in entities] for slot, entities in filled.items()}
            found = opened.answers(chosen, rows)
            first = opened.entities(found[:k])
            some = first[:MOST_WITH_WAYS] if with_ways else ()
            led = {each.row: opened.ways(chosen, rows, each.row) for each in some}
            names = _names(opened, led)
            text = with_text(_question(chosen, filled) if words is None else words, about)
            tried = _asked(workspace, opened, text, asked)
            meets = meeting(opened, tried, found)
            kept = None
            if save_as is not None:
                ids = {slot: tuple(each.entity_id for each in entities) for slot, entities in filled.items()}
                query = OwnQuery(text, chosen, ids, _relevant(opened, found, relevant, about))
                kept = keep_query(workspace.store, opened, save_as, query)
    if as_json:
        document = _answers_document(chosen, filled, len(found), first, led, names)
        if tried:
            document |= {"asked": {"query": text, "rankings": [_ranking(each, meets) for each in tried]}}
        print_json(document | ({} if kept is None else {"saved": asdict(kept) | {"query": text}}))
    else:
        _print_answers(chosen, filled, len(found), first, led, names)
        for each in tried:
            _print_ranking(each, meets)
        if kept is not None:
            begun = "which is new" if kept.is_new else f"which has {kept.n_queries:,} queries now"
            say(f'Query {kept.query_id} is in the collection "{kept.collection}", {begun}: {text}')


def _asked(workspace: Workspace, base: KnowledgeBase, text: str, retrievers: Sequence[str]) -> list[RetrieverTrial]:
    corpus = corpus_of_base(workspace, base) if retrievers else None
    return [try_retriever(corpus, base, text, each) for each in retrievers if corpus is not None]


def _ranking(tried: RetrieverTrial, meets: Collection[str]) -> dict[str, Any]:
    """Build the document of a ranking. `error`: the reason why it failed. `meets`: the relational requirement."""
    return asdict(tried) | {"hits": [asdict(hit) | {"meets": hit.doc_id in meets} for hit in tried.hits]}


def _print_ranking(tried: RetrieverTrial, meets: Collection[str]) -> None:
    grid = table(f"\n{tried.retriever}", "Rank", "Meets it", "Id", "Title", "Score", right=(0, 4))
    for rank, hit in enumerate(tried.hits, start=1):
        row(grid, str(rank), "yes" if hit.doc_id in meets else "", hit.doc_id, hit.title, number(hit.score))
    results().print(grid if tried.hits else shown(f"\n{tried.retriever}: {tried.error or 'no results.'}"))
    warn([note.rstrip(".") for note in tried.notes])


def _relevant(base: KnowledgeBase, found: Rows, named: Sequence[str], about: str) -> tuple[str, ...]:
    """Return the answers listed, else all; they must be listed if the text narrows the question."""
    if not named and about.strip():
        raise InputError("--about narrows the question: add the answers that still fit with --relevant ID")
    answers = dict.fromkeys(each.entity_id for each in base.entities(found))
    if strange := [each for each in named if each not in answers]:
        raise InputError(f'"{strange[0][:80]}" is not an answer to this question: choose one of its answers')
    return tuple(dict.fromkeys(named)) or tuple(answers)


def _chosen(templates: Sequence[Template], template_id: str) -> Template:
    known = {each.template_id for each in templates}
    if template_id in known or "+" not in template_id:
        return template_of(templates, template_id)
    return compose([template_of(templates, part) for part in template_id.split("+")], template_id=template_id)


def _filled(base: KnowledgeBase, template: Template, given: Sequence[str]) -> dict[str, list[Entity]]:
    filled: dict[str, list[Entity]] = {}
    for text in given:
        slot, sign, named = text.partition("=")
        if not sign or slot not in template.slots:
            blanks = ", ".join(f"--given {slot}=..." for slot in template.slots)
            raise InputError(f'"{text[:80]}" fills no blank of template "{template.template_id}": use {blanks}')
        filled.setdefault(slot, []).append(find_named(base, named, template.slots[slot])[0])
    if missing := [slot for slot in template.slots if slot not in filled]:
        raise InputError(
            f'template "{template.template_id}" also needs {", ".join(f"--given {s}=..." for s in missing)}'
        )
    return filled


def _names(base: KnowledgeBase, led: Mapping[int, Sequence[RelationPath]]) -> dict[int, str]:
    rows = sorted({row for ways in led.values() for way in ways for row in way.rows})
    return {each.row: each.title or each.entity_id for each in base.entities(rows)}


def _words(template: Template, way: RelationPath, names: Mapping[int, str]) -> str:
    parts = [names[way.rows[0]]]
    for step, relation, place in zip(template.legs[way.leg].steps, way.relations, way.rows[1:], strict=True):
        parts += [relation_words(relation, step.direction), names[place]]
    return " – ".join(parts)


def _question(template: Template, filled: Filled) -> str:
    return question_words(
        template, {slot: " or ".join(e.title or e.entity_id for e in es) for slot, es in filled.items()}
    )


def _answers_document(
    template: Template,
    filled: Filled,
    n: int,
    first: Sequence[Entity],
    led: Mapping[int, Sequence[RelationPath]],
    names: Mapping[int, str],
) -> dict[str, Any]:
    return {
        "template": template.template_id,
        "question": _question(template, filled),
        "given": {slot: [each.entity_id for each in entities] for slot, entities in filled.items()},
        "n_answers": n,
        "answers": [
            {
                **brief(each),
                **({"ways": [_words(template, way, names) for way in led[each.row]]} if each.row in led else {}),
            }
            for each in first
        ],
        "notes": [template.note] if template.note else [],
    }


def _print_answers(
    template: Template,
    filled: Filled,
    n: int,
    first: Sequence[Entity],
    led: Mapping[int, Sequence[RelationPath]],
    names: Mapping[int, str],
) -> None:
    grid = table(_question(template, filled), "Id", "Title")
    for each in first:
        row(grid, each.entity_id, each.title)
        for way in led.get(each.row, ()):
            row(grid, "", shown(f"  {_words(template, way, names)}", "dim"))
    results().print(grid if n else shown(f"{_question(template, filled)}\nIt has no answers."))
    tell(f"\n{n:,} answers{f', the first {len(first):,} listed' if n > len(first) else ''}")
    warn([template.note.rstrip(".")] if template.note else [])


def _list(base: KnowledgeBase, templates: Sequence[Template], as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "template": each.template_id,
                "question": each.question,
                "slots": each.slots,
                "answer_type": each.answer_type,
                "reference": each.reference,
            }
            for each in templates
        ]
        print_json({"knowledge_base": base.about.name, "templates": listed})
        return
    grid = table(f"Templates of {base.about.name}", "Template", "Question", "Blanks")
    for each in templates:
        row(grid, each.template_id, question_words(each, {}), ", ".join(each.slots))
    results().print(grid if templates else shown("This knowledge base has no templates, and you added none."))


# `knowledge statistics`: numbers about a knowledge base and sets of queries.


@click.command()
@click.argument("base", required=False)
@click.option("--collection", "collections", multiple=True, help="Also the queries of this collection; repeatable.")
@click.option("--splits", is_flag=True, help="Also list each split of these collections as its own set.")
@click.option("--reference", type=click.Path(path_type=Path), default=None, help="A text to compare the queries with.")
@options.output
def statistics(
    base: str | None,
    collections: tuple[str, ...],
    splits: bool,
    reference: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Count entities, relations, degrees and words of a knowledge base; compare the wording of query sets."""
    if reference is not None and not collections:
        raise InputError("--reference is compared with queries: add their collection with --collection")
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
    base: KnowledgeBase | None, known: BaseStatistics | None, compared: QuerySetComparison
) -> dict[str, Any]:
    return {
        "knowledge_base": _base_document(base, known) if base and known else None,
        "published": [asdict(each) for each in PUBLISHED_BASES.values()],
        "sets": [_set_document(each, compared) for each in compared.statistics],
    }


def _open(workspace: Workspace, name: str | None, has_sets: bool) -> KnowledgeBase | None:
    """Open the one requested, else the only one; none if only query sets are requested and the choice is ambiguous."""
    names = workspace.knowledge.names()
    if name is None and len(names) > 1 and not has_sets:
        raise InputError(f"choose a knowledge base: {', '.join(names)}")
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
) -> QuerySetComparison:
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


def _set_document(one: SetStatistics, compared: QuerySetComparison) -> dict[str, Any]:
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
    for each in (base_row(base, known), *PUBLISHED_BASES.values()):
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


def _print_sets(compared: QuerySetComparison) -> None:
    names = [one.name for one in compared.statistics]
    out = table("Query sets", "", *names, right=range(1, len(names) + 1))
    for definition in SET_STATISTICS.values():
        cells = [shown_value(definition, one.values[definition.metric_id]) for one in compared.statistics]
        row(out, definition.label, *cells)
    results().print(out)
    n = compared.statistics[0].n_at_length
    if n:
        say(f"The common length is {n:,} words, as in the smallest set.")
    for one in compared.statistics:
        if told := compared.told_words(one.name):
            say(f"Words of {one.name}: {told}.")
        reasons = {measured.reason for measured in one.values.values() if measured.reason}
        for reason in sorted(reasons if not one.is_reference else ()):
            say(f"Note: {one.name}: {reason}.", "yellow")


def shown_value(definition: SetStatistic, measured: StatisticValue) -> str:
    if measured.value is None:
        return NONE
    if definition.is_count:
        return f"{measured.value:,.0f}"
    return (
        f"{measured.value:,.1f}" if definition.unit in ("words", "characters", "answers") else f"{measured.value:.3f}"
    )


# Synthetic queries, and the cost of making them, as tables and documents.

SHOWN = 12
"""Queries that are listed; --json lists all."""


def _rate(rate: AcceptanceRate) -> dict[str, Any]:
    return {"n_yes": rate.n_yes, "n": rate.n, "rate": rate.share, "interval": rate.interval}


def done_document(
    base_name: str, synthesis_id: str, settings: SynthesisSettings, done: SynthesisResult, handed: dict[str, Any]
) -> dict[str, Any]:
    """Build the document of `knowledge synthesize --json`."""
    summary = summarise(done.made, settings.filters)
    return {
        "base": base_name,
        "synthesis": synthesis_id,
        "n_wanted": done.n_wanted,
        "n": summary.n,
        "states": dict(summary.states),
        "verification": _rate(summary.verification),
        "by_model": {model: _rate(rate) for model, rate in summary.by_model.items()},
        "templates": dict(summary.templates),
        "n_asked": done.n_asked,
        "failures": dict(done.failures),
        "notes": _notes(settings, done, summary),
        **handed,
        "queries": [_query(each) for each in done.made],
    }


def _query(made: SynthesizedQuery) -> dict[str, Any]:
    sampled, came = made.sampled, made.outcome
    return {
        "id": str(sampled.item),
        "template": sampled.template_id,
        "given": {slot: list(ids) for slot, ids in sampled.given.items()},
        "role": sampled.role,
        "relation": sampled.relation,
        "properties": list(came.properties),
        "query": came.query,
        "state": came.state,
        "reason": came.reason,
        "gold": sampled.gold_id,
        "n_relational_answers": sampled.n_answers,
        "answers": list(answers_of(made)) if came.state == "complete" else list(came.accepted),
        "missing_names": list(came.missing_names),
    }


def _notes(settings: SynthesisSettings, done: SynthesisResult, summary: SynthesisSummary) -> list[str]:
    parts = list(done.notes)
    if summary.n_unnamed:
        parts.append(f"queries that don't name an entity that their answers depend on: {summary.n_unnamed:,}")
    return [*parts, NOTE] if MODEL in settings.models else parts


def print_done(settings: SynthesisSettings, done: SynthesisResult, handed: dict[str, Any]) -> None:
    summary = summarise(done.made, settings.filters)
    grid = table("Queries", "No.", "Template", "Answers", "State", "Query", right=(0, 2))
    for made in done.made[:SHOWN]:
        n = f"{len(made.outcome.accepted):,}" if made.outcome.accepted else NONE
        text = made.outcome.query or made.outcome.reason
        row(grid, str(made.sampled.item), made.sampled.template_id, n, made.outcome.state, text)
    results().print(grid)
    if len(done.made) > SHOWN:
        tell(f"and {len(done.made) - SHOWN:,} more; --json lists all")
    states = ", ".join(f"{n:,} {state}" for state, n in summary.states.items())
    tell(f"\n{summary.n:,} queries: {states}. {done.n_asked:,} questions were answered in this run.")
    for model, rate in {"all models together": summary.verification, **summary.by_model}.items():
        if rate.interval is not None:
            ends = f"{100 * rate.interval.low:.0f} to {100 * rate.interval.high:.0f} %"
            tell(f"Gold answers accepted by {model}: {rate.n_yes:,} of {rate.n:,} (95 % interval {ends})")
    if handed["collection"]:
        tell(f'Saved as the collection "{handed["collection"]}".')
    for path in handed["files"]:
        tell(f"Wrote {path}")
    warn(_notes(settings, done, summary))


def show_plan(plan: SynthesisPlan, as_json: bool) -> None:
    """Show requests, tokens and dollars by step and model."""
    if as_json:
        print_json(_plan_document(plan))
        return
    columns = ("Step", "Model", "Questions", "at most", "Prompt tokens", "Answer tokens", "Dollars", "at most")
    grid = table("Planned questions", *columns, right=(2, 3, 4, 5, 6, 7))
    for load in plan.loads:
        counts = (load.n_calls, load.most_calls, load.n_prompt_tokens, load.n_answer_tokens)
        price = plan.prices.get(load.model)
        costs = load.cost(price) if price else (None, None)
        row(grid, load.step, load.model, *(f"{count:,}" for count in counts), *map(number, costs))
    results().print(grid)
    if plan.cost is not None:
        tell(f"\nTotal: ${plan.cost[0]:,.2f}, at most ${plan.cost[1]:,.2f}.")
    else:
        tell(f"\nTo see the cost, add prices: --price {plan.unpriced[0]}=IN,OUT")
    of = f"{plan.n_found:,} requirements were sampled for {plan.n_queries:,} queries. "
    tell(f"{of}{plan.how} Nothing was sent.")


def _plan_document(plan: SynthesisPlan) -> dict[str, Any]:
    return {
        "n_queries": plan.n_queries,
        "n_sampled": plan.n_sampled,
        "n_found": plan.n_found,
        "loads": [
            {
                "step": load.step,
                "model": load.model,
                "n_calls": load.n_calls,
                "most_calls": load.most_calls,
                "n_prompt_tokens": load.n_prompt_tokens,
                "n_answer_tokens": load.n_answer_tokens,
                "most_prompt_tokens": load.most_prompt_tokens,
                "most_answer_tokens": load.most_answer_tokens,
                "cost": load.cost(plan.prices[load.model]) if load.model in plan.prices else None,
            }
            for load in plan.loads
        ],
        "cost": plan.cost,
        "unpriced": plan.unpriced,
        "how": plan.how,
    }


# `knowledge synthesize`: new queries over a knowledge base, written and checked by language models.

MODELS = "A model at OPENAI_BASE_URL, or demo, which is not a language model."

_synthesis_options = options.together(
    click.option("--n", "n", type=int, default=100, show_default=True, help="Number of queries to start."),
    click.option("--name", default=None, help="Name. [default: the knowledge base's name]"),
    click.option(
        "--role",
        "roles",
        multiple=True,
        type=click.Choice(list(ROLES)),
        help="Role of the asker; several take turns. [default: roles that fit the knowledge base]",
    ),
    click.option("--templates", default="", help="IDs, comma-separated; ID=2 sets a weight. [default: all, evenly]"),
    click.option("--extract", default=MODEL, show_default=True, help=f"Model that reads properties. {MODELS}"),
    click.option("--fuse", default=MODEL, show_default=True, help="Model that words the query."),
    click.option("--rewrite", default="", help="Model that paraphrases the query. [default: none]"),
    click.option("--filter", "filters", multiple=True, help="Model that checks answers; repeatable. [default: demo]"),
    click.option(
        "--rule", type=click.Choice(RULES), default="all", show_default=True, help="Filters that must accept an answer."
    ),
    click.option("--properties", "n_properties", type=int, default=1, show_default=True, help="Maximum properties."),
    click.option("--most-answers", type=int, default=20, show_default=True, help="Maximum answers of a relation."),
    click.option("--most-checked", type=int, default=50, show_default=True, help="Maximum further answers to check."),
    click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
    click.option("--base-url", default=None, help="Address of the models. [default: OPENAI_BASE_URL]"),
    click.option("--dry-run", "only_plan", is_flag=True, help="Count questions, tokens and dollars; send nothing."),
    click.option(
        "--price",
        "prices",
        multiple=True,
        metavar="MODEL=IN,OUT",
        help="Dollars per million tokens; repeatable.",
    ),
    click.option("--save-as", default=None, metavar="COLLECTION", help="Save the queries as a collection."),
    click.option("--replace", is_flag=True, help="Overwrite a collection with the same name."),
    click.option(
        "--export",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="Write the queries to a folder in STaRK's layout.",
    ),
    click.option("--with-refused", is_flag=True, help="Include queries with a refused gold answer."),
)


@click.command()
@click.argument("base_name", metavar="BASE")
@_synthesis_options
@options.output
def synthesize(base_name: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Write new queries over a knowledge base: sample a relation, read properties, fuse both, check the answers.

    Every request and response is stored. The same command again resumes where it stopped.
    """
    prices = read_prices(given.pop("prices"))
    only_plan, base_url, name = given.pop("only_plan"), given.pop("base_url"), given.pop("name")
    handing = {key: given.pop(key) for key in ("save_as", "replace", "folder", "with_refused")}
    with Workspace.open(data_dir) as workspace, waiting(f"Queries over {base_name}") as on_stage:
        base = workspace.knowledge.open(base_name)
        templates = templates_of(base, workspace.store)
        settings = settled(_settings(base, given), templates)
        if only_plan:
            begun = is_begun(workspace.store, synthesis_id_of(base, settings))
            keeper = (
                StoreSynthesisLog(workspace.store, synthesis_id_of(base, settings)) if begun else MemorySynthesisLog()
            )
            plan = dry_run(base, templates, settings, prices, keeper=keeper, on_stage=on_stage)
        else:
            models = open_models(settings, base_url)
            if any(name != MODEL for name in models):
                say(find_destination(base_url).words)
            kept = begin(workspace.store, base, name or base_name, settings)
            done = synthesise(base, templates, settings, models, kept, on_stage=on_stage)
            if done.failures and not done.n_asked:
                raise ServiceError(f"nothing was answered: {done.notes[-1]}")
            handed = _hand_over(workspace, base, done.made, settings, **handing)
    if only_plan:
        show_plan(plan, as_json)
    elif as_json:
        print_json(done_document(base_name, kept.synthesis_id, settings, done, handed))
    else:
        print_done(settings, done, handed)


def _settings(base: KnowledgeBase, given: dict[str, Any]) -> SynthesisSettings:
    rule: Rule = given.pop("rule")
    roles = given.pop("roles") or (fitting_roles(base.about.templates)[0].role_id,)
    filters = given.pop("filters") or (MODEL,)
    return SynthesisSettings(
        templates=_weights(given.pop("templates")), roles=tuple(roles), filters=tuple(filters), rule=rule, **given
    )


def _weights(text: str) -> tuple[tuple[str, float], ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, weight = part.rpartition("=")
        try:
            found.append((name.strip(), float(weight)) if equals else (part, 1.0))
        except ValueError:
            raise InputError(f'"{part[:80]}" is not a template with a weight: write ID or ID=2') from None
    return tuple(found)


def _hand_over(
    workspace: Workspace,
    base: KnowledgeBase,
    made: Sequence[SynthesizedQuery],
    settings: SynthesisSettings,
    *,
    save_as: str | None,
    replace: bool,
    folder: Path | None,
    with_refused: bool,
) -> dict[str, Any]:
    handed: dict[str, Any] = {"collection": None, "files": []}
    if save_as is not None:
        kept = save_made(workspace.store, base, made, settings, save_as, with_refused=with_refused, replace=replace)
        handed["collection"] = kept.name
    if folder is not None:
        name = save_as or base.about.name
        collection = collection_of(base, made, settings, name, with_refused=with_refused, with_documents=False)
        handed["files"] = [str(path) for path in write_stark(collection, folder)]
    return handed


# `knowledge`: knowledge bases, each subcommand in a file of its own.


@click.group(cls=LazyGroup)
def knowledge() -> None:
    """Explore knowledge bases: text and relations together."""


@knowledge.command("list")
@options.output
def list_bases(data_dir: Path | None, as_json: bool) -> None:
    """List the knowledge bases of the workspace."""
    with Workspace.open(data_dir) as workspace:
        abouts, types, damaged = _found(workspace)
    if as_json:
        print_json({"knowledge_bases": list(map(_listing_document, abouts, types)), "damaged": damaged})
        return
    if damaged:
        warn([f"{', '.join(damaged)} can't be read: import it again with get knowledge --replace"])
    if not abouts and not damaged:
        say("There is no knowledge base yet. Import one with: get knowledge --from FOLDER.")
        return
    out = table("Knowledge bases", "Name", "Entities", "Relations", "Types", "Origin", right=(1, 2))
    for about, of_base in zip(abouts, types, strict=True):
        row(out, about.name, f"{about.n_entities:,}", f"{about.n_relations:,}", ", ".join(of_base), about.origin)
    if abouts:
        results().print(out)


def _found(workspace: Workspace) -> tuple[list[KnowledgeBaseInfo], list[dict[str, int]], list[str]]:
    """Return the readable knowledge bases with their types, and the names of unreadable ones."""
    abouts, types, damaged = [], [], []
    for name in workspace.knowledge.names():
        try:
            base = workspace.knowledge.open(name)
            types.append({kind.name: kind.n for kind in base.types.values()})
            abouts.append(base.about)
        except CorruptStoreError:
            damaged.append(name)
    return abouts, types, damaged


def _listing_document(about: KnowledgeBaseInfo, types: dict[str, int]) -> dict[str, Any]:
    return {
        "name": about.name,
        "n_entities": about.n_entities,
        "n_relations": about.n_relations,
        "types": types,
        "made_up": about.made_up,
        "origin": about.origin,
        "notes": about.notes,
    }


for subcommand in (
    entity,
    answers,
    statistics,
    synthesize,
    LazyCommand(
        "ratings",
        "knowledge.ratings_command:ratings",
        "List, add, import and export people's ratings of the queries of a collection.",
    ),
):
    knowledge.add_command(subcommand)
