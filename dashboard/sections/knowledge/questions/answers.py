"""The answers to a question, and the ways that led to one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.knowledge.spans import Entity, Rows
from core.knowledge.templates import Template, Way, relation_words, type_words
from dashboard.components.mount import current_theme
from dashboard.figures.knowledge.ways import EntityPath, Stop, way_in_words, ways_figure, ways_rows
from dashboard.messages import guarded
from dashboard.sections.figure import draw_figure
from dashboard.sections.knowledge.entities.neighbours import n_words
from dashboard.sections.knowledge.entities.showing import choose_page, draw_entities, found, name_of
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.store import content_hash

MOST_WAYS = 3
"""Of each requirement."""


def draw_answers(base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], rows: Rows) -> None:
    """How many there are, 50 of them, and why one of these is an answer."""
    if not len(rows):
        st.info(f"No {plain(type_words(template.answer_type))} answers this. Put others in the blanks, or ask less.")
        return
    said = f"{n_words(len(rows), template.answer_type)} {'answers' if len(rows) == 1 else 'answer'} it"
    st.markdown(f"{plain(said)}.")
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        asked = [f"{slot}={[entity.row for entity in each]}" for slot, each in filled.items()]
        first = choose_page(len(rows), key=f"answers-page-{content_hash([template.template_id, *asked])}")
        shown = base.entities(rows[first : first + SHOWN])
        draw_entities(base, shown, key="answer")
    with right, guarded():
        _draw_ways(base, template, filled, shown)


def _draw_ways(
    base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], shown: Sequence[Entity]
) -> None:
    by_row = {entity.row: entity for entity in shown}
    row = st.selectbox(
        "What leads to",
        list(by_row),
        format_func=lambda each: name_of(by_row[each]) if each in by_row else "",
        key="why",
    )
    given = {slot: [entity.row for entity in entities] for slot, entities in filled.items()}
    parts = ["ways", base.about.key, repr(template), repr(given), str(row)]
    ways = found(parts, "Looking for ways", lambda on_stage: base.ways(template, given, int(row), most=MOST_WAYS))
    if not ways:
        return
    paths = paths_of(base, template, ways)
    draw_figure(
        ways_figure(paths, types=list(map(type_words, base.types)), theme=current_theme()),
        key="ways",
        name=f"{base.about.name} ways to {name_of(by_row[row], 60)}",
        reading="every line is a relation; each is named beside what it leads to. What is asked not to be there is not "
        "drawn.",
        rows=ways_rows(paths),
        notes=[f"At most {MOST_WAYS} ways of each requirement are drawn."],
    )
    st.markdown("\n".join(f"- {plain(way_in_words(path))}" for path in paths))


def paths_of(base: KnowledgeBase, template: Template, ways: Sequence[Way]) -> list[EntityPath]:
    """Ways with titles and words."""
    rows = sorted({row for way in ways for row in way.rows})
    by_row = dict(zip(rows, base.entities(rows), strict=True))
    paths = []
    for way in ways:
        steps = template.legs[way.leg].steps
        words = ["", *(relation_words(n, step.direction) for n, step in zip(way.relations, steps, strict=True))]
        paths.append(
            tuple(
                Stop(row, name_of(by_row[row]), type_words(by_row[row].type), said)
                for row, said in zip(way.rows, words, strict=True)
            )
        )
    return paths
