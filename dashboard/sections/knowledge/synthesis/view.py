"""The view "Synthesis": begin a new one, or look at one that was begun."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.messages import guarded, sentence
from dashboard.sections.knowledge.synthesis.choosing import draw_settings
from dashboard.sections.knowledge.synthesis.handing import draw_handing
from dashboard.sections.knowledge.synthesis.opened import draw_opened
from dashboard.sections.knowledge.synthesis.planning import draw_plan
from dashboard.sections.knowledge.synthesis.results import draw_results
from dashboard.sections.knowledge.synthesis.running import draw_going_on, draw_progress, start
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.keeping import InStore, SynthesisRow, list_syntheses, load_made
from data.knowledge.templates import templates_of

CHOICE, NEW, NEXT = "synthesis", "new", "next-synthesis"


def draw_synthesis(base: KnowledgeBase) -> None:
    """What is chosen, drawn."""
    st.caption(
        "New queries in four steps: a relation is sampled with entities that fill its blanks, a model reads properties "
        "out of one answer, another one words a query of both, and several check which other answers have the "
        "properties, too."
    )
    rows = {row.synthesis_id: row for row in list_syntheses(cache.workspace().store, base.about.name)}
    row = _choose(rows)
    if row is None:
        _draw_new(base)
    else:
        _draw_one(base, row)


def _choose(rows: dict[str, SynthesisRow]) -> SynthesisRow | None:
    if not rows:
        return None
    options = [*rows, NEW]
    if (wanted := state.said(NEXT)) in rows:
        state.say(CHOICE, wanted)
        state.say(NEXT, None)
    state.settle_named(CHOICE, options)
    chosen = str(st.selectbox("Synthesis", options, key=CHOICE, format_func=lambda each: _synthesis_label(rows, each)))
    state.write_in_link(CHOICE, [chosen])
    return rows.get(chosen)


def _synthesis_label(rows: dict[str, SynthesisRow], synthesis_id: str) -> str:
    row = rows.get(synthesis_id)
    if row is None:
        return "Begin a new one"
    return f"{row.name}, {row.settings.n:,} queries ({row.made_at[:16].replace('T', ' ')})"


def _draw_new(base: KnowledgeBase) -> None:
    templates = templates_of(base, cache.workspace().store)
    if not templates:
        st.info("No templates belong to this knowledge base. Write one in the view Questions.")
        return
    chosen = draw_settings(base, templates)
    if chosen is None:
        return
    name, settings = chosen
    if draw_plan(base, templates, settings, "Write the queries"):
        state.say(NEXT, start(base, templates, settings, name))
        st.rerun()


def _draw_one(base: KnowledgeBase, row: SynthesisRow) -> None:
    if draw_progress(row):
        return
    templates = templates_of(base, cache.workspace().store)
    keeper = InStore(cache.workspace().store, row.synthesis_id)
    made = load_made(keeper, row.settings)
    st.caption(plain(sentence(_made_by(row))))
    with guarded():
        draw_going_on(base, templates, row, made)
    if not made:
        return
    draw_results(row, made)
    with guarded():
        draw_opened(base, keeper, row, made)
    with guarded():
        draw_handing(base, row, made)


def _made_by(row: SynthesisRow) -> str:
    s = row.settings
    rewrite = f", {s.rewrite} words them anew" if s.rewrite else ""
    checked = f"{', '.join(s.filters)} {'check' if len(s.filters) > 1 else 'checks'} answers"
    counts = f"{s.rule} of them must accept" if len(s.filters) > 1 else ""
    said = f"{s.extract} reads properties, {s.fuse} words queries{rewrite}, {checked}{', ' if counts else ''}{counts}"
    return f"{said}. Asked as {', '.join(s.roles)}. Seed {s.seed}."
