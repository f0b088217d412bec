"""Filter and order the queries of a judged run, and list judgments to review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.collections import Query
from core.judge.confidence import REASON_WORDS, FlaggedTriple
from core.judge.grades import cells_of
from core.judge.judgments import STATUS_WORDS, STATUSES, JudgedCandidate
from core.text import upper_first
from dashboard import state
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.figures import short
from dashboard.kit.link_controls import choose_named
from dashboard.words import plain

AS_GIVEN, SPREAD, WORST, COVERED = (
    "As in the run",
    "Engines furthest apart",
    "Lowest mean grade",
    "Most without a grade",
)
ORDERS = (AS_GIVEN, SPREAD, WORST, COVERED)
ALL, LOOK, UNGRADED, PERSON, WAITING = "all", "look", "ungraded", "person", "waiting"
WANTED: Mapping[str, str] = {
    ALL: "All",
    LOOK: "To check",
    UNGRADED: "Without a grade",
    PERSON: "Graded by a person",
    WAITING: "Not judged yet",
    **{status: upper_first(STATUS_WORDS[status]) for status in STATUSES},
}
ANY_KIND = ""
MOST_OFFERED = 300
"""Maximum number of queries in a menu."""
LONGEST_QUERY = 100


@dataclass(frozen=True, slots=True)
class QueryGrades:
    mean: float | None
    """Mean of its engines' means, on the displayed scale; None: nothing has a grade."""
    spread: float
    """Difference between the highest and the lowest mean of an engine."""
    n: int
    n_valid: int


def choose_query(
    opened: OpenedJudgeRun, looks: Sequence[FlaggedTriple], summaries: Mapping[str, QueryGrades]
) -> Query | None:
    """Choose a query; None if none matches the filters, which is shown."""
    find, kind, wanted, by = st.columns(4, vertical_alignment="bottom")
    text = find.text_input("Find a query", key="judged-find", placeholder="Words or id", icon=":material/search:")
    chosen_kind = choose_named(kind, "Kind of query", _kinds(opened.field.queries), "judged_kind")
    chosen_wanted = choose_named(wanted, "With judgments", _there(opened), "judged_with")
    order = choose_named(by, "In order of", {each: each for each in ORDERS}, "judged_by")
    ids = _ids_with(opened, chosen_wanted, looks)
    fitting = [
        query
        for query in opened.field.queries
        if query.query_id in ids and _is_kind(query, chosen_kind) and _fits(query, text)
    ]
    if not fitting:
        st.info("No queries match these filters.")
        return None
    return _choose_one(opened, _ordered(fitting, summaries, order), summaries, is_sought=bool(text.strip()))


def _choose_one(
    opened: OpenedJudgeRun, queries: Sequence[Query], summaries: Mapping[str, QueryGrades], *, is_sought: bool
) -> Query | None:
    rubric = opened.judge.rubric
    query_of = {query.query_id: query for query in opened.field.queries}
    shown = {query.query_id: label(query, summaries[query.query_id]) for query in queries[:MOST_OFFERED]}
    asked = state.value("judged_query") or next(iter(state.asked_for("judged_query")), None)
    if asked in query_of and asked not in shown and not is_sought and any(q.query_id == asked for q in queries):
        shown = {asked: label(query_of[asked], summaries[asked])} | shown
    state.settle_named("judged_query", list(shown))
    state.show_again("judged_query")
    chosen = str(
        st.selectbox(
            "Query",
            list(shown),
            key="judged_query",
            format_func=lambda each: shown.get(each, each),
            help=f"In brackets: the mean grade, of {rubric.shown_max}, and the number of graded publications.",
        )
    )
    state.write_in_link("judged_query", [chosen])
    if len(queries) > MOST_OFFERED:
        st.caption(f"The first {MOST_OFFERED:,} of {len(queries):,} queries are listed. Search to find others.")
    return query_of.get(chosen)


def summaries_of(opened: OpenedJudgeRun) -> dict[str, QueryGrades]:
    rubric = opened.judge.rubric
    cells = cells_of(opened.field, opened.judged, cut=rubric.points[-1], judge_alone=False)
    found = {}
    for row, query_id in enumerate(cells.query_ids):
        known = cells.means[row][~np.isnan(cells.means[row])]
        found[query_id] = QueryGrades(
            rubric.shown(float(known.mean())) if len(known) else None,
            rubric.shown_factor * float(known.max() - known.min()) if len(known) > 1 else 0.0,
            int(cells.n[row].sum()),
            int(cells.n_valid[row].sum()),
        )
    return found


def _ordered(queries: Sequence[Query], summaries: Mapping[str, QueryGrades], order: str) -> list[Query]:
    """Sort the queries. Ties stay as in the run; ungraded queries are last, except in the order by coverage."""
    of = {query.query_id: summaries[query.query_id] for query in queries}
    if order == SPREAD:
        return sorted(queries, key=lambda query: -of[query.query_id].spread)
    if order == WORST:
        means = {query_id: float("inf") if each.mean is None else each.mean for query_id, each in of.items()}
        return sorted(queries, key=lambda query: means[query.query_id])
    if order == COVERED:
        return sorted(queries, key=lambda query: of[query.query_id].n_valid - of[query.query_id].n)
    return list(queries)


def label(query: Query, summary: QueryGrades) -> str:
    text = "nothing found" if not summary.n else f"{summary.n_valid:,} of {summary.n:,} graded"
    mean = "" if summary.mean is None else f"{summary.mean:.0f}, "
    return f"{query.query_id}: {short(query.text, LONGEST_QUERY)} ({mean}{text})"


def _kinds(queries: Sequence[Query]) -> dict[str, str]:
    pairs = dict.fromkeys((name, value) for query in queries for name, value in query.labels)
    return {ANY_KIND: "All"} | {f"{name}={value}": f"{name}: {value}" for name, value in sorted(pairs)}


def _is_kind(query: Query, kind: str) -> bool:
    return kind == ANY_KIND or any(f"{name}={value}" == kind for name, value in query.labels)


def _fits(query: Query, wanted: str) -> bool:
    within = f"{query.query_id} {query.text}".casefold()
    return all(word in within for word in wanted.casefold().split())


def _there(opened: OpenedJudgeRun) -> dict[str, str]:
    statuses = {each.verdict.status for each in opened.judged if each.verdict is not None}
    return {key: words for key, words in WANTED.items() if key not in STATUSES or key in statuses}


def _ids_with(opened: OpenedJudgeRun, wanted: str, looks: Sequence[FlaggedTriple]) -> set[str]:
    if wanted == ALL:
        return {query.query_id for query in opened.field.queries}
    if wanted == LOOK:
        return {each.candidate.query_id for look in looks for each in look.judged}
    return {each.candidate.query_id for each in opened.judged if _has(each, wanted)}


def _has(judged: JudgedCandidate, wanted: str) -> bool:
    if wanted == UNGRADED:
        return judged.points is None
    if wanted == PERSON:
        return judged.overruled is not None
    if wanted == WAITING:
        return judged.verdict is None
    return judged.verdict is not None and judged.verdict.status == wanted


def open_judgment(query_id: str, triple_key: str) -> None:
    """Show this judgment next, whatever the filters were. For callbacks."""
    state.set_value("judged-find", "")
    state.set_value("judged_kind", ANY_KIND)
    state.set_value("judged_with", ALL)
    state.set_value("judged_query", query_id)
    state.set_value("judged_triple", triple_key)


def place_words(several: Sequence[JudgedCandidate]) -> str:
    """List the rank by each engine.

    >>> place_words([])
    ''
    """
    return ", ".join(f"{each.candidate.engine} {each.candidate.rank}" for each in several)


def title_words(judged: JudgedCandidate, longest: int = 110) -> str:
    """Return the title, or the id of a publication without one."""
    return short(judged.candidate.title, longest) or judged.candidate.doc_id


def plain_title(judged: JudgedCandidate) -> str:
    return plain(title_words(judged))


# Judgments that a person should review, each one click away.

MOST_LISTED = 12
LOOKS = "looks"


def draw_look(opened: OpenedJudgeRun, looks: Sequence[FlaggedTriple]) -> None:
    if not looks:
        return
    n = len(looks)
    with (
        st.expander(
            f"{n:,} {'judgment needs' if n == 1 else 'judgments need'} checking",
            icon=":material/visibility:",
            key=f"looks-{state.flag(LOOKS)}",
        ),
        st.container(gap="small", key="entities-looks"),
    ):
        st.caption(
            "The least reliable judgments, worst first. Judgments graded by a person are removed from the list. "
            "If the judge is right, confirm its grade."
        )
        for look in looks[:MOST_LISTED]:
            _draw_one(opened, look)
        if n > MOST_LISTED:
            st.caption(f"The first {MOST_LISTED} are listed; grade them to see the next.")


def _draw_one(opened: OpenedJudgeRun, look: FlaggedTriple) -> None:
    first = look.judged[0]
    why = "; ".join(REASON_WORDS[reason] for reason in look.reasons)
    given = _given(opened, first)
    with st.container(gap=None):
        st.button(
            plain_title(first),
            key=f"look-{look.triple_key}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(look,),
        )
        st.caption(plain(f"{why[:1].upper()}{why[1:]}. {given[:1].upper()}{given[1:]}. Query {look.query_id}."))


def _open(look: FlaggedTriple) -> None:
    open_judgment(look.query_id, look.triple_key)
    state.raise_flag(LOOKS)


def _given(opened: OpenedJudgeRun, judged: JudgedCandidate) -> str:
    verdict, rubric = judged.verdict, opened.judge.rubric
    if verdict is None or verdict.points is None:
        return "–" if verdict is None else STATUS_WORDS[verdict.status]
    sure = "" if verdict.confidence is None else f", confidence {verdict.confidence}"
    return f"{rubric.shown(verdict.points):g} of {rubric.shown_max:g}{sure}"
