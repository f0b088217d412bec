"""The Statistics view: numbers about a knowledge base and about sets of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core.knowledge.entities import RelationType
from core.knowledge.stark_tables import PUBLISHED_BASES, PUBLISHED_NOTE
from core.knowledge.statistics import (
    DEGREE,
    LENGTH_MATTERS,
    SET_STATISTICS,
    BaseRow,
    BaseStatistics,
    SetStatistic,
    SetStatistics,
    StatisticValue,
)
from core.knowledge.templates import relation_words, type_words
from core.protocols import OnStage
from core.text import many
from dashboard import cache
from dashboard.kit.components import Row, current_theme, draw_figure, mount_files
from dashboard.kit.link_controls import choose_many, choose_one
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.knowledge.entity_display import entity_group
from dashboard.knowledge.figures import (
    Bar,
    SetDiversity,
    SetNumbers,
    WordShares,
    bar_rows,
    bars_figure,
    degree_rows,
    degrees_figure,
    diversity_figure,
    diversity_rows,
    kind_rows,
    kinds_figure,
    level,
    sign_of,
    spread_rows,
    spreads_figure,
)
from dashboard.messages import guarded
from dashboard.status import JobFamily, follow
from dashboard.words import plain
from data.collections import CollectionRow, list_collections
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics import (
    Chosen,
    Queries,
    QuerySetComparison,
    QueryWords,
    Reference,
    base_row,
    base_statistics,
    compare_chosen,
    known_statistics,
    known_words,
    query_words,
    reference_documents,
    reference_file,
    set_name,
)
from data.knowledge.statistics import reference_text as text_as_reference
from data.retrieval.collections import load_queries
from data.store import content_hash

SMALL = 500_000
"""Entities and relations up to which counting starts without a click."""
COUNTS = JobFamily("knowledge-statistics")
LONG_COUNTS = replace(COUNTS, lane="long")
WORD_JOBS = JobFamily("query-words", lane="long")
NONE = "–"
HELP = {
    "Entity types": "Number of entity types.",
    "Relation types": "Number of relation types.",
    "Average degree": DEGREE,
    "Entities": "Number of entities.",
    "Relations": "Number of relations, each counted once.",
    "Tokens": "Words of all titles and texts: runs of letters and digits.",
}


def draw_holdings(base: KnowledgeBase) -> None:
    known = _known(base)
    _draw_lines(base, known)
    if known is None:
        _draw_counting(base)
    _draw_bars(base)
    if known is not None:
        _draw_degrees(base, known)
        _draw_types(base, known)


def _known(base: KnowledgeBase) -> BaseStatistics | None:
    key = f"statistics-{base.about.key}"
    kept = cache.knowledge_found()
    if key not in kept:
        found = known_statistics(base, cache.workspace().store)
        if found is None:
            return None
        kept[key] = found
    found_before: BaseStatistics = kept[key]
    return found_before


def _draw_counting(base: KnowledgeBase) -> None:
    is_small = base.about.n_entities + base.about.n_relations <= SMALL
    family = COUNTS if is_small else LONG_COUNTS
    job = family.find(base.about.key)
    if job is None and (is_small or st.button("Count degrees and words", key="count-base", type="primary")):
        job = family.start(base.about.key, "Counting", partial(_count, base))
    if job is None:
        st.caption("Counting takes about a minute for a million entities with texts. The result is stored.")
    else:
        follow(job)


def _count(base: KnowledgeBase, on_stage: OnStage) -> None:
    base_statistics(base, cache.workspace().store, on_stage)


def _draw_lines(base: KnowledgeBase, known: BaseStatistics | None) -> None:
    rows = [_base_line(each) for each in (base_row(base, known), *PUBLISHED_BASES.values())]
    right = {name: st.column_config.TextColumn(help=words, alignment="right") for name, words in HELP.items()}
    pinned = {"Knowledge base": st.column_config.TextColumn(pinned=True)}
    shown = [{name: _format_value(value) for name, value in row.items()} for row in rows]
    st.dataframe(shown, hide_index=True, key="base-line", height="content", column_config=right | pinned)
    st.caption(plain(f"{DEGREE} {PUBLISHED_NOTE}"))
    mount_files(rows, key="base-line", name=f"{base.about.name} statistics", description=PUBLISHED_NOTE)


def _base_line(each: BaseRow) -> Row:
    return {
        "Knowledge base": each.name,
        "Entity types": each.n_entity_types,
        "Relation types": each.n_relation_types,
        "Average degree": each.average_degree,
        "Entities": each.n_entities,
        "Relations": each.n_relations,
        "Tokens": each.n_tokens,
        "Note": each.note,
    }


def _format_value(value: str | float | None) -> str:
    if value is None:
        return NONE
    return value if isinstance(value, str) else f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _draw_bars(base: KnowledgeBase) -> None:
    types, theme = list(base.types), current_theme()
    of_entities = [
        Bar(type_words(name, plural=True), kind.n, sign_of(name, types, theme).colour)
        for name, kind in base.types.items()
    ]
    of_relations = [
        Bar(_in_words(kind), kind.n, in_title=f"“{relation_words(kind.name, 'forward')}”")
        for kind in base.relation_types
    ]
    entities = bars_figure(of_entities, what="Type", unit="Entities", theme=theme)
    relations = bars_figure(of_relations, what="Relation", unit="Relations", theme=theme)
    level(entities, relations)
    drawn = sorted(types, key=lambda name: -base.types[name].n)
    left, right = st.columns(2)
    with left:
        draw_figure(
            entities,
            key="base-entities",
            name=f"{base.about.name} entities by type",
            reading="each bar is an entity type.",
            rows=bar_rows(of_entities, what="Type", unit="Entities"),
            group_of=lambda point: type_group(base, drawn[int(point["y"])]),
            group_of_row=lambda row, _: type_group(base, types[row]),
            click="Click a bar to list its entities.",
        )
    with right:
        draw_figure(
            relations,
            key="base-relations",
            name=f"{base.about.name} relations by type",
            reading="each bar is a type of relation between two entity types.",
            rows=[_relation_row(kind) for kind in base.relation_types],
        )


def type_group(base: KnowledgeBase, name: str) -> PublicationGroup:
    return entity_group(base, type_words(name, plural=True).capitalize(), base.types[name].rows, noun="item")


def _in_words(kind: RelationType) -> str:
    return f"{type_words(kind.source)} {relation_words(kind.name, 'forward')} {type_words(kind.target)}"


def _relation_row(kind: RelationType) -> Row:
    return {
        "From": type_words(kind.source),
        "Relation": relation_words(kind.name, "forward"),
        "To": type_words(kind.target),
        "Relations": kind.n,
        "Name in the files": kind.name,
    }


def _draw_degrees(base: KnowledgeBase, known: BaseStatistics) -> None:
    draw_figure(
        degrees_figure(known.types, types=list(base.types), theme=current_theme()),
        key="base-degrees",
        name=f"{base.about.name} degrees",
        reading="each line is an entity type; a marker is the share of its entities with that many relations.",
        rows=degree_rows(known.types),
    )


def _draw_types(base: KnowledgeBase, known: BaseStatistics) -> None:
    rows: list[Row] = []
    for kind in known.types:
        degrees, words = kind.degrees, kind.words
        titles = base.entities([hub.row for hub in kind.hubs[:3]])
        hubs = [f"{entity.title} ({hub.degree:,})" for entity, hub in zip(titles, kind.hubs, strict=False)]
        rows.append(
            {
                "Type": type_words(kind.name),
                "Entities": kind.n,
                "Degree, mean": degrees.mean if degrees else None,
                "Degree, median": degrees.median if degrees else None,
                "Degree, maximum": degrees.most if degrees else None,
                "With text": f"{kind.text_share:.1%}" if kind.text_share is not None else None,
                "Words, mean": words.mean if words else None,
                "Words, lower quarter": words.lower if words else None,
                "Words, median": words.median if words else None,
                "Words, upper quarter": words.upper if words else None,
                "Words, maximum": words.most if words else None,
                "Most relations": "; ".join(hubs),
            }
        )
    numbers = [name for name in rows[0] if name not in ("Type", "Most relations")] if rows else []
    config = dict.fromkeys(numbers, st.column_config.TextColumn(alignment="right"))
    config["Type"] = st.column_config.TextColumn(pinned=True)
    shown = [{name: _format_value(value) for name, value in row.items()} for row in rows]
    draw_table(
        shown,
        lambda row, column: type_group(base, known.types[row].name) if column == "Entities" else None,
        key="base-types",
        hint="Click a number of entities to list them.",
        height="content",
        column_config=config,
    )
    st.caption("Words: title and text together. With text: entities with more than a title.")
    description = "Degrees and words by type of entity."
    mount_files(rows, key="base-types", name=f"{base.about.name} by type", description=description)


# The sets of queries to compare, and their reference.

AT_FIRST = 4
MOST_SETS = 12
MOST_MB = 20
NOTHING, TEXT, DOCUMENTS = "none", "text", "documents:"
SLASH = "/"
"""Separates a collection and a part of it in the link; no collection's name contains it."""


@dataclass(frozen=True, eq=False)
class QuerySetChoice:
    chosen: tuple[Chosen, ...]
    loaded: dict[str, Queries]
    reference: Reference | None
    queries_key: str
    """Changes with the collections and their contents."""
    key: str
    """Changes with anything in the choice."""


def choose_sets() -> QuerySetChoice | None:
    """Choose the sets; None if there is nothing to choose, or nothing is chosen."""
    collections = list_collections(cache.workspace().store)
    if not collections:
        st.info(
            "There are no queries yet. Add a collection on the page Retrievers, or on the command line: "
            "`queryscape get collection --from FOLDER`."
        )
        return None
    left, right = st.columns([0.64, 0.36])
    with left:
        chosen = _choose(collections)
    with right:
        kind = _choose_reference(collections)
    reference, reference_key = _reference(kind)
    if not chosen:
        st.info("Choose a set of queries.")
        return None
    names = dict.fromkeys(collection for collection, _ in chosen)
    states = [cache.collection_state(name) for name in names]
    loaded = {name: _load(name, now) for name, now in zip(names, states, strict=True)}
    queries_key = content_hash([*names, *states])
    return QuerySetChoice(
        chosen, loaded, reference, queries_key, content_hash([queries_key, *map(repr, chosen), reference_key])
    )


def _choose(collections: Sequence[CollectionRow]) -> tuple[Chosen, ...]:
    options = {
        row.name if split is None else f"{row.name}{SLASH}{split}": (row.name, split)
        for row in collections
        for split in (None, *row.splits)
    }
    picked = choose_many(
        st,
        "Sets of queries",
        list(options),
        "sets",
        most=AT_FIRST,
        format_func=lambda option: set_name(*options[option]) if option in options else option,
        max_selections=MOST_SETS,
        help="Collections in the workspace and their splits, such as training, validation, test and human.",
    )
    return tuple(options[option] for option in picked if option in options)


def _choose_reference(collections: Sequence[CollectionRow]) -> str:
    names = {NOTHING: "No text", TEXT: "Your own text"}
    names |= {f"{DOCUMENTS}{row.name}": f"Documents of {row.name}" for row in collections if row.n_documents}
    return choose_one(
        st.selectbox,
        "Compare with",
        list(names),
        "reference",
        usual=NOTHING,
        names=names,
        help="A reference text, measured in the same way.",
    )


def _reference(kind: str) -> tuple[Reference | None, str]:
    if kind == TEXT:
        return _own_text()
    if not kind.startswith(DOCUMENTS):
        return None, ""
    name = kind.removeprefix(DOCUMENTS)
    key = f"reference-{cache.collection_state(name)}"
    make = partial(reference_documents, cache.workspace().store, name)
    found = cache.knowledge_found().of(key, make, doing="Reading the documents")
    if found.note:
        st.caption(plain(f"{found.name}: {found.note}."))
    return found, key


def _own_text() -> tuple[Reference | None, str]:
    """Read a pasted or uploaded text; only its word counts are stored."""
    left, right = st.columns(2)
    text = left.text_area("Text", key="reference-text", height=120, placeholder="Paste a text")
    file = right.file_uploader("Or a text file", key="reference-file", max_upload_size=MOST_MB)
    if file is not None:
        key = f"reference-{file.file_id}"
        return cache.knowledge_found().of(key, lambda: reference_file(file.getvalue(), file.name)), key
    if text.strip():
        return text_as_reference(text, "text"), content_hash([text])
    st.caption("There is no text yet.")
    return None, ""


def _load(name: str, now: str) -> Queries:
    kept, key = cache.knowledge_found(), f"queries-{name}-{now}"
    return kept.of(key, lambda: load_queries(cache.workspace(), name))


# Sets of queries side by side: a table, their length, their number of answers, and their wording.

FEW = 500
"""Queries whose words are classified without a click."""
LITTLE = 200
"""Number of words below which a common length is not meaningful."""
FILE = "query sets"


def draw_sets(base: KnowledgeBase) -> None:
    choice = choose_sets()
    if choice is None:
        return
    words = known_words(base, cache.workspace().store, choice.loaded)
    compared = _compared(base, choice, words)
    _draw_table(compared)
    _draw_spreads(compared)
    _draw_wording(base, choice, compared)


def _compared(base: KnowledgeBase, choice: QuerySetChoice, words: dict[str, QueryWords | None]) -> QuerySetComparison:
    there = [name for name, known in words.items() if known is not None]
    key = content_hash(["sets", choice.key, base.about.key, *there])
    make = partial(compare_chosen, choice.loaded, choice.chosen, words=words, reference=choice.reference)
    return cache.knowledge_found().of(key, make, doing="Counting words")


# The table


def _draw_table(compared: QuerySetComparison) -> None:
    rows = [_set_line(one) for one in compared.statistics]
    config = {
        each.label: st.column_config.TextColumn(help=_help(each), alignment="right") for each in SET_STATISTICS.values()
    }
    pinned = {"Set": st.column_config.TextColumn(pinned=True)}
    shown = [
        {"Set": one.name}
        | {each.label: _format_measured(each, one.values[name]) for name, each in SET_STATISTICS.items()}
        for one in compared.statistics
    ]
    st.dataframe(shown, hide_index=True, key="sets-table", height="content", column_config=config | pinned)
    mount_files(rows, key="sets-table", name=FILE, description="Statistics of the query sets.")
    for note in _notes(compared):
        st.caption(plain(note))


def _set_line(one: SetStatistics) -> Row:
    return {"Set": one.name} | {each.label: one.value(name) for name, each in SET_STATISTICS.items()}


def _help(each: SetStatistic) -> str:
    unit = f" In {each.unit}." if each.unit else ""
    return plain(f"{each.sentence}{unit} Formula: {each.formula}. {each.undefined} Source: {each.reference}.")


def _format_measured(each: SetStatistic, measured: StatisticValue) -> str:
    if measured.value is None:
        return NONE
    if each.is_count:
        return f"{measured.value:,.0f}"
    return f"{measured.value:,.1f}" if each.unit in ("words", "characters", "answers") else f"{measured.value:.3f}"


def _notes(compared: QuerySetComparison) -> list[str]:
    n = compared.statistics[0].n_at_length
    found = []
    if n:
        little = " So few words give unreliable numbers." if n < LITTLE else ""
        found.append(f"The common length is {n:,} words, as in the smallest set. {LENGTH_MATTERS}{little}")
    told = {one.name: words for one in compared.statistics if (words := compared.told_words(one.name))}
    if told:
        listed = ". ".join(f"{name}: {words}" for name, words in told.items())
        found.append(f"How words were classified as relational or textual. {listed}.")
    for one in compared.statistics:
        reasons = dict.fromkeys(m.reason for m in one.values.values() if m.reason and not one.is_reference)
        found += [f"{one.name}: {reason}." for reason in reasons]
    return found


# Figures


def _own(compared: QuerySetComparison) -> list[SetStatistics]:
    return [one for one in compared.statistics if not one.is_reference]


def _draw_spreads(compared: QuerySetComparison) -> None:
    theme, own = current_theme(), _own(compared)
    words, answers = "Words of a query", "Answers of a query"
    of_words = [SetNumbers(one.name, one.words) for one in own]
    of_answers = [SetNumbers(one.name, one.answers) for one in own]
    lengths = spreads_figure(of_words, what=words, nothing="There are no queries.", theme=theme)
    judged = spreads_figure(of_answers, what=answers, nothing="No query has a judgment.", theme=theme)
    level(lengths, judged)
    unjudged = [(one.name, len(one.words) - len(one.answers)) for one in own]
    left, right = st.columns(2)
    with left:
        draw_figure(
            lengths,
            key="set-lengths",
            name=f"{FILE} length",
            reading="the higher the line, the more queries have that many words.",
            rows=spread_rows(of_words, what=words),
        )
    with right:
        draw_figure(
            judged,
            key="set-answers",
            name=f"{FILE} answers",
            reading="the higher the line, the more queries have that many relevant documents.",
            rows=spread_rows(of_answers, what=answers),
            notes=[f"{name}: {n:,} queries without a judgment are left out." for name, n in unjudged if n],
        )


def _draw_wording(base: KnowledgeBase, choice: QuerySetChoice, compared: QuerySetComparison) -> None:
    theme, n = current_theme(), compared.statistics[0].n_at_length
    varied = [
        SetDiversity(one.name, one.value("entropy_at_length"), one.value("ratio_at_length"), one.is_reference)
        for one in compared.statistics
    ]
    kinds = _kinds(compared)
    diversity, of_kinds = diversity_figure(varied, n=n, theme=theme), kinds_figure(kinds, theme=theme)
    level(diversity, of_kinds)
    star = ", the hollow star the reference text" if any(one.is_reference for one in varied) else ""
    left, right = st.columns(2)
    with left:
        draw_figure(
            diversity,
            key="set-diversity",
            name=f"{FILE} diversity",
            reading=f"each marker is a set{star}.",
            rows=diversity_rows(varied, n),
        )
    with right:
        if compared.untold:
            _draw_telling(base, choice, compared)
            return
        draw_figure(
            of_kinds,
            key="set-kinds",
            name=f"{FILE} kinds of words",
            reading="relational words name what a query's requirement names, or are a cue of its template.",
            rows=kind_rows(kinds),
        )


def _kinds(compared: QuerySetComparison) -> list[WordShares]:
    found = []
    for one in _own(compared):
        relational, textual, stop = map(one.value, ("relational_share", "textual_share", "stop_share"))
        if relational is not None and textual is not None and stop is not None:
            found.append(WordShares(one.name, relational * (1 - stop), textual * (1 - stop), stop))
    return found


# Relational and textual words


def _draw_telling(base: KnowledgeBase, choice: QuerySetChoice, compared: QuerySetComparison) -> None:
    waiting = {name: choice.loaded[name] for name in compared.untold}
    n = sum(len(queries.whole.queries) for queries in waiting.values())
    key = content_hash([base.about.key, choice.queries_key, *waiting])
    job = WORD_JOBS.find(key)
    label = f"Classify the words of {many(n, 'query')}"
    if job is None and (n <= FEW or st.button(label, key="tell-words")):
        job = WORD_JOBS.start(key, "Classifying words", partial(_tell, base, choice, list(waiting)))
    if job is None:
        st.caption(plain(f'Entities of "{base.about.name}" are looked up in every query. The result is stored.'))
    else:
        follow(job)


def _tell(base: KnowledgeBase, choice: QuerySetChoice, names: list[str], on_stage: OnStage) -> None:
    for name in names:
        query_words(base, cache.workspace().store, choice.loaded[name].whole.queries, on_stage)


# The view: the knowledge base on top, sets of queries below it.


def draw_statistics(base: KnowledgeBase) -> None:
    st.header("The knowledge base", anchor=False)
    with guarded():
        draw_holdings(base)
    st.header("Sets of queries", anchor=False)
    with guarded():
        draw_sets(base)
