"""What a knowledge base holds: the line of a table, entities and relations by type, degrees and words."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.knowledge.spans import RelationType
from core.knowledge.statistics.query_sets import DEGREE, PUBLISHED_BASES, PUBLISHED_NOTE, BaseRow, BaseStatistics
from core.knowledge.templates import relation_words, type_words
from core.protocols import OnStage
from dashboard import cache
from dashboard.components.mount import current_theme, mount_part
from dashboard.figures.knowledge.look import sign_of
from dashboard.figures.knowledge.statistics_bars import Bar, bar_rows, bars_figure
from dashboard.figures.knowledge.statistics_degrees import degree_rows, degrees_figure
from dashboard.figures.knowledge.statistics_frame import level
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.waiting import follow
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics.query_words import base_row, base_statistics, known_statistics

SMALL = 500_000
"""Entities and relations up to which nobody is asked before they are counted."""
NONE = "–"
HELP = {
    "Entity types": "How many types of entity there are.",
    "Relation types": "How many names of relations there are.",
    "Average degree": DEGREE,
    "Entities": "How many entities there are.",
    "Relations": "How many relations there are, each once.",
    "Tokens": "Words of all titles and texts: runs of letters and digits.",
}


def draw_holdings(base: KnowledgeBase) -> None:
    """What is cheap at once; what is slow as soon as it is counted."""
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
    """A small base is counted unasked."""
    key = f"knowledge-statistics:{base.about.key}"
    job = cache.jobs().find(key)
    is_small = base.about.n_entities + base.about.n_relations <= SMALL
    if job is None and (is_small or st.button("Count degrees and words", key="count-base", type="primary")):
        job = cache.jobs().start(key, "Counting", partial(_count, base), lane="page" if is_small else "long")
    if job is None:
        st.caption("Degrees and words take about a minute for a million entities with texts. They are counted once.")
    else:
        follow(job)


def _count(base: KnowledgeBase, on_stage: OnStage) -> None:
    base_statistics(base, cache.workspace().store, on_stage)


def _draw_lines(base: KnowledgeBase, known: BaseStatistics | None) -> None:
    """This one, and those that others published."""
    rows = [_base_line(each) for each in (base_row(base, known), *PUBLISHED_BASES)]
    right = {name: st.column_config.TextColumn(help=words, alignment="right") for name, words in HELP.items()}
    pinned = {"Knowledge base": st.column_config.TextColumn(pinned=True)}
    shown = [{name: _format_value(value) for name, value in row.items()} for row in rows]
    st.dataframe(shown, hide_index=True, key="base-line", height="content", column_config=right | pinned)
    st.caption(plain(f"{DEGREE} {PUBLISHED_NOTE}"))
    _files("base-line", f"{base.about.name} statistics", PUBLISHED_NOTE, rows)


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


def _files(key: str, name: str, description: str, rows: list[Row]) -> None:
    columns = list(rows[0]) if rows else []
    document = {
        "target": None,
        "name": name,
        "description": description,
        "columns": columns,
        "rows": [[row[column] for column in columns] for row in rows],
    }
    mount_part("figure_files", document, key=f"files-{key}")


def _draw_bars(base: KnowledgeBase) -> None:
    """Entities and relations by type, beside each other."""
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
    left, right = st.columns(2)
    with left:
        draw_figure(
            entities,
            key="base-entities",
            name=f"{base.about.name} entities by type",
            reading="a bar is a type of entity.",
            rows=bar_rows(of_entities, what="Type", unit="Entities"),
        )
    with right:
        draw_figure(
            relations,
            key="base-relations",
            name=f"{base.about.name} relations by type",
            reading="a bar is a type of relation between two types of entity.",
            rows=[_relation_row(kind) for kind in base.relation_types],
        )


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
        reading="a line is a type of entity; a sign says which share of its entities has so many relations.",
        rows=degree_rows(known.types),
    )


def _draw_types(base: KnowledgeBase, known: BaseStatistics) -> None:
    """Degrees and words of each type, and its hubs by name."""
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
                "Degree, most": degrees.most if degrees else None,
                "With text": f"{kind.text_share:.1%}" if kind.text_share is not None else None,
                "Words, mean": words.mean if words else None,
                "Words, lower quarter": words.lower if words else None,
                "Words, median": words.median if words else None,
                "Words, upper quarter": words.upper if words else None,
                "Words, most": words.most if words else None,
                "Most relations": "; ".join(hubs),
            }
        )
    numbers = [name for name in rows[0] if name not in ("Type", "Most relations")] if rows else []
    config = dict.fromkeys(numbers, st.column_config.TextColumn(alignment="right"))
    config["Type"] = st.column_config.TextColumn(pinned=True)
    shown = [{name: _format_value(value) for name, value in row.items()} for row in rows]
    st.dataframe(shown, hide_index=True, key="base-types", height="content", column_config=config)
    st.caption("Words are those of title and text together. With text: more than a title.")
    _files("base-types", f"{base.about.name} by type", "Degrees and words by type of entity.", rows)
