"""Sets of queries side by side: a table, how long they are, how many answers they have, how they are worded."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.knowledge.statistics.query_sets import LENGTH_MATTERS, SET_STATISTICS, Measured, SetStatistic, SetStatistics
from core.protocols import OnStage
from dashboard import cache
from dashboard.components.mount import current_theme, mount_part
from dashboard.figures.knowledge.statistics_diversity import Varied, diversity_figure, diversity_rows
from dashboard.figures.knowledge.statistics_frame import level
from dashboard.figures.knowledge.statistics_kinds import Kinds, kind_rows, kinds_figure
from dashboard.figures.knowledge.statistics_spreads import Numbers, spread_rows, spreads_figure
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.knowledge.statistics.choosing import Choice, choose_sets
from dashboard.sections.waiting import follow
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics.query_words import Compared, QueryWords, compare_chosen, known_words, query_words
from data.store import content_hash

FEW = 500
"""Queries whose words are told apart unasked."""
LITTLE = 200
"""Words below which a common length says little."""
NONE = "–"
FILE = "query sets"


def draw_sets(base: KnowledgeBase) -> None:
    """What is chosen, in numbers and pictures."""
    choice = choose_sets()
    if choice is None:
        return
    words = known_words(base, cache.workspace().store, choice.loaded)
    compared = _compared(base, choice, words)
    _draw_table(compared)
    _draw_spreads(compared)
    _draw_wording(base, choice, compared)


def _compared(base: KnowledgeBase, choice: Choice, words: dict[str, QueryWords | None]) -> Compared:
    there = [name for name, known in words.items() if known is not None]
    key = content_hash(["sets", choice.key, base.about.key, *there])
    kept = cache.knowledge_found()
    if key not in kept:
        with st.spinner("Counting words"):
            kept[key] = compare_chosen(choice.loaded, choice.chosen, words=words, reference=choice.reference)
    found: Compared = kept[key]
    return found


# The table


def _draw_table(compared: Compared) -> None:
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
    document = {
        "target": None,
        "name": FILE,
        "description": "Sets of queries in numbers.",
        "columns": list(rows[0]),
        "rows": [list(row.values()) for row in rows],
    }
    mount_part("figure_files", document, key="files-sets-table")
    for note in _notes(compared):
        st.caption(plain(note))


def _set_line(one: SetStatistics) -> Row:
    return {"Set": one.name} | {each.label: one.value(name) for name, each in SET_STATISTICS.items()}


def _help(each: SetStatistic) -> str:
    unit = f" In {each.unit}." if each.unit else ""
    return plain(f"{each.sentence}{unit} Formula: {each.formula}. {each.undefined} Source: {each.reference}.")


def _format_measured(each: SetStatistic, measured: Measured) -> str:
    if measured.value is None:
        return NONE
    if each.is_count:
        return f"{measured.value:,.0f}"
    return f"{measured.value:,.1f}" if each.unit in ("words", "characters", "answers") else f"{measured.value:.3f}"


def _notes(compared: Compared) -> list[str]:
    n = compared.statistics[0].n_at_length
    found = []
    if n:
        little = " So few words say little." if n < LITTLE else ""
        found.append(f"The common length is {n:,} words, those of the smallest set. {LENGTH_MATTERS}{little}")
    told = {one.name: words for one in compared.statistics if (words := compared.told_words(one.name))}
    if told:
        listed = ". ".join(f"{name}: {words}" for name, words in told.items())
        found.append(f"How relational words were told from textual ones. {listed}.")
    for one in compared.statistics:
        reasons = dict.fromkeys(m.reason for m in one.values.values() if m.reason and not one.is_reference)
        found += [f"{one.name}: {reason}." for reason in reasons]
    return found


# Figures


def _own(compared: Compared) -> list[SetStatistics]:
    return [one for one in compared.statistics if not one.is_reference]


def _draw_spreads(compared: Compared) -> None:
    """How long queries are, and beside it how many answers they have."""
    theme, own = current_theme(), _own(compared)
    words, answers = "Words of a query", "Answers of a query"
    of_words = [Numbers(one.name, one.words) for one in own]
    of_answers = [Numbers(one.name, one.answers) for one in own]
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
            reading="the higher the line, the more queries have so many words.",
            rows=spread_rows(of_words, what=words),
        )
    with right:
        draw_figure(
            judged,
            key="set-answers",
            name=f"{FILE} answers",
            reading="the higher the line, the more queries have so many relevant documents.",
            rows=spread_rows(of_answers, what=answers),
            notes=[f"{name}: {n:,} queries without a judgment are left out." for name, n in unjudged if n],
        )


def _draw_wording(base: KnowledgeBase, choice: Choice, compared: Compared) -> None:
    """How varied the wording is, and beside it what the words speak of, once that is told."""
    theme, n = current_theme(), compared.statistics[0].n_at_length
    varied = [
        Varied(one.name, one.value("entropy_at_length"), one.value("ratio_at_length"), one.is_reference)
        for one in compared.statistics
    ]
    kinds = _kinds(compared)
    diversity, of_kinds = diversity_figure(varied, n=n, theme=theme), kinds_figure(kinds, theme=theme)
    level(diversity, of_kinds)
    star = ", the hollow star the text that they are held against" if any(one.is_reference for one in varied) else ""
    left, right = st.columns(2)
    with left:
        draw_figure(
            diversity,
            key="set-diversity",
            name=f"{FILE} diversity",
            reading=f"a sign is a set{star}.",
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


def _kinds(compared: Compared) -> list[Kinds]:
    found = []
    for one in _own(compared):
        relational, textual, stop = map(one.value, ("relational_share", "textual_share", "stop_share"))
        if relational is not None and textual is not None and stop is not None:
            found.append(Kinds(one.name, relational * (1 - stop), textual * (1 - stop), stop))
    return found


# Relational and textual words


def _draw_telling(base: KnowledgeBase, choice: Choice, compared: Compared) -> None:
    """Looking for entities takes a while for many queries."""
    waiting = {name: choice.loaded[name] for name in compared.untold}
    n = sum(len(queries.whole.queries) for queries in waiting.values())
    key = f"query-words:{content_hash([base.about.key, choice.queries_key, *waiting])}"
    job = cache.jobs().find(key)
    label = f"Tell relational words from textual ones in {n:,} {'query' if n == 1 else 'queries'}"
    if job is None and (n <= FEW or st.button(label, key="tell-words")):
        job = cache.jobs().start(key, "Telling words apart", partial(_tell, base, choice, list(waiting)), lane="long")
    if job is None:
        st.caption(plain(f'Entities of "{base.about.name}" are looked for in every query; done once, it is kept.'))
    else:
        follow(job)


def _tell(base: KnowledgeBase, choice: Choice, names: list[str], on_stage: OnStage) -> None:
    for name in names:
        query_words(base, cache.workspace().store, choice.loaded[name].whole.queries, on_stage)
