"""The page "New search string", with its view Write: the form, the dry run, and the list of sessions."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import CorruptStoreError, QueryscapeError
from core.text import many
from core.writer.gains import FEWEST
from core.writer.sheets import Brief
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.kit.components import draw_folded, draw_page
from dashboard.kit.pricing import dollars, draw_prices, how_long, in_short
from dashboard.messages import draw_noted, draw_problem, guarded, sentence
from dashboard.state import Selection
from dashboard.status import draw_early_end, draw_end, is_watched, watch, why_locked
from dashboard.welcome import draw_import_button, draw_welcome, is_indexed, is_prepared
from dashboard.words import plain, when
from dashboard.writer.brief import (
    MADE_UP,
    BriefForm,
    KeywordModels,
    WritingOptions,
    draw_more,
    draw_texts,
    draw_who,
    take_over,
)
from dashboard.writer.candidates import draw_candidates, draw_refine
from dashboard.writer.sessions import (
    ASKED,
    CANDIDATES,
    NOTE,
    REFINE,
    REFINING_JOBS,
    SORT,
    STATES,
    WRITE,
    WRITING,
    WRITING_JOBS,
    choose_view,
    choose_writing,
    draw_asked,
    is_at_work,
    leave,
    load,
    open_view,
    open_what_came,
    open_writing,
    planned,
    rows_of,
    start_again,
    start_plan,
    start_writing,
)
from dashboard.writer.sorting import draw_sort
from data.judge.demo_judge import DEMO_MODEL
from data.library.records import n_publications
from data.lookup import TopicSummary
from data.models.embedders import EMBEDDERS
from data.writer.runs import Recipe, WriterRequest, WriterSession, WriterSessionRow, delete_writing
from data.writer.writing import PlanLine, WriterPlan


def read_embedder(topic_id: str) -> str:
    """Return the embedder that scores the strings: the selected one, else the first that the topic has."""
    if (selection := state.read_selection()) is not None and selection.topic_id == topic_id:
        return selection.embedder
    return next(iter((*_topic(topic_id).embedders, *EMBEDDERS)))


def what_is_missing(topic_id: str) -> bool:
    """Return True if nothing can be written yet, and show the next step."""
    topic = _topic(topic_id)
    n = n_publications(cache.workspace().store, topic_id)
    if n <= topic.n_core:
        st.info(plain(f"{topic_id} has no publications yet: import a corpus to try search strings on."))
        draw_import_button("Import a corpus", "Corpus")
        return True
    if not topic.n_core:
        st.info(plain(f"{topic_id} has no core publications yet: import them to score search strings."))
        draw_import_button("Import core publications", "Core publications")
        return True
    selection = Selection(topic_id, "", read_embedder(topic_id))
    has_vectors = selection.embedder in topic.embedders  # only the view Sort needs a landscape too
    return not ((has_vectors or is_prepared(selection)) and is_indexed(selection))


def _topic(topic_id: str) -> TopicSummary:
    return next(t for t in cache.workspace().topics() if t.topic_id == topic_id)


# The first visit: one click writes strings for the topic as it is, offline.


def draw_first(topic_id: str, embedder: str) -> None:
    with st.container(border=True, key="writer-first"):
        st.header(":material/edit_note: From a topic to a scored string", anchor=False)
        st.write(what_it_is(topic_id))
        st.button(
            "Write with corpus statistics and the demo model",
            key="writer-first-button",
            type="primary",
            icon=":material/edit_note:",
            disabled=why_locked() is not None,
            help=why_locked(),
            on_click=start_writing,
            args=(first_wanted(topic_id, embedder),),
        )
        st.caption(
            plain(
                f"For {MADE_UP.sub('', topic_id)}, offline and without a key. The demo is a script that counts "
                "words, not a language model."
            )
        )


def what_it_is(topic_id: str) -> str:
    n_core = next((t.n_core for t in cache.workspace().topics() if t.topic_id == topic_id), 0)
    tried = (
        "on the held-out half of the core publications, and on the half that it was written with."
        if n_core >= FEWEST
        else f"on the core publications it was written with: with fewer than {FEWEST} of them, none can be held out."
    )
    return (
        "Keywords are proposed from the topic's publications, sorted into specific and general ones, and combined "
        f"with AND and OR. Each string is scored {tried}"
    )


def first_wanted(topic_id: str, embedder: str) -> WriterRequest:
    """Return the default request for a topic: its name and standard settings."""
    brief = Brief(MADE_UP.sub("", topic_id))
    return WriterRequest(topic_id, brief, recipes=(Recipe(DEMO_MODEL),), embedder=embedder)


# The dry run: the requests, their cost and duration, before anything is sent.

DEMO_FREE = "The demo runs offline and costs nothing."


def draw_plan(wanted: WriterRequest, *, is_paid: bool) -> WriterPlan | None:
    """Draw the counts, once requested; None: not yet."""
    found, job = planned(wanted)
    if found is None:
        if not is_watched(job):
            draw_end(job)
        return None
    with st.container(border=True, key="writer-plan"):
        _draw_counts(found)
        for note in found.notes:
            st.caption(plain(sentence(note)))
        if not is_paid:
            st.caption(DEMO_FREE)
        if found.lines:
            with st.expander(f"All requests ({len(found.lines):,})"):
                st.dataframe([_row(line) for line in found.lines], hide_index=True, key="writer-plan-lines")
        for recipe in {r.model: r for r in wanted.recipes if not r.is_statistics and r.model != DEMO_MODEL}.values():
            draw_prices(recipe.model)
            break
    return found


def draw_dry_run(wanted: WriterRequest, *, is_first: bool) -> None:
    st.button(
        "Dry run",
        key="writer-dry-run",
        icon=":material/calculate:",
        type="primary" if is_first else "secondary",
        help="Computes requests, tokens, cost and time on this machine. Nothing is sent.",
        on_click=start_plan,
        args=(wanted,),
    )


def _draw_counts(found: WriterPlan) -> None:
    with st.container(horizontal=True, gap="large", key="writer-counts"):
        _metric("Requests", f"{found.n_calls:,}", "Requests to models; each source is read separately.")
        _metric("Cached", f"{found.n_known:,}", "Answered before: not sent or paid for again.")
        _metric(
            "Tokens",
            in_short(found.n_prompt_tokens + found.n_answer_tokens),
            f"{found.n_prompt_tokens:,} in requests and {found.n_answer_tokens:,} in answers.",
        )
        _metric("Dollars", dollars(found.cost), _dollars_help(found))
        _metric("Time", how_long(found.minutes), "If the service keeps its current pace.")


def _metric(label: str, value: str, text: str) -> None:
    st.metric(label, value, help=text, width="content")


def _dollars_help(found: WriterPlan) -> str:
    if found.cost is None:
        return "The price of a model is unknown: enter it below."
    return f"At most {found.cost[1]:,.2f}, if every answer has full length and is requested twice."


def _row(line: PlanLine) -> dict[str, str | int]:
    return {
        "Model": line.model,
        "Mode": line.mode,
        "Seed": line.seed,
        "Reading": line.reading,
        "Publications": line.n_publications,
        "Tokens": line.n_prompt_tokens + line.n_answer_tokens,
        "Answered before": "yes" if line.is_known else "no",
    }


# Existing sessions: their progress, resuming, their brief, and deleting.

SHOWN = 6
LIST_NOTE = "writer-list"


def draw_ended(topic_id: str, job: Job | None) -> None:
    if job is None or not job.is_over or job.finished:
        return
    kept = next((row for row in rows_of(topic_id).values() if row.state != "done"), None)
    draw_early_end(job, "Stopped. Answers received so far are saved.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if kept is not None:
            st.button(
                "Resume",
                key="writer-go-on",
                icon=":material/play_arrow:",
                type="primary",
                help="Answered requests are not repeated.",
                on_click=start_again,
                args=(topic_id, kept.writing_id),
            )
        st.button("Close", key="writer-ended", type="tertiary", on_click=leave, args=(job,))


def draw_writings(topic_id: str) -> None:
    """Draw a card for each session, the newest first; nothing without sessions."""
    rows = list(rows_of(topic_id).values())
    draw_noted(LIST_NOTE)
    if not rows:
        return
    st.header("Earlier sessions", anchor=False)
    draw_folded(rows, _draw_one, most=SHOWN, more="older")


def _draw_one(row: WriterSessionRow) -> None:
    with guarded(), st.container(border=True, key=f"writer-writing-{row.writing_id}"):
        words, buttons = st.columns([0.6, 0.4], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain(row.topic)}**")
            st.caption(plain(session_caption(row, is_at_work=is_at_work(row.topic_id, row.writing_id))))
        with buttons, st.container(horizontal=True, horizontal_alignment="right"):
            _draw_buttons(row)


def session_caption(row: WriterSessionRow, *, is_at_work: bool) -> str:
    state_label = "in progress" if is_at_work and row.state in ("planned", "running") else STATES[row.state]
    parts = [state_label.capitalize(), many(max(row.n_steps - 1, 0), "string"), many(row.n_calls, "question")]
    parts.append(when(row.made_at))
    return " · ".join(parts) + (f" · {sentence(row.problem)}" if row.problem else "")


def _draw_buttons(row: WriterSessionRow) -> None:
    key, locked = row.writing_id, why_locked()
    at_work = is_at_work(row.topic_id, key)
    if row.state != "done" and not at_work:
        st.button(
            "Resume",
            key=f"writer-resume-{key}",
            icon=":material/play_arrow:",
            disabled=locked is not None,
            help=locked or "Answered requests are not repeated.",
            on_click=start_again,
            args=(row.topic_id, key),
        )
    st.button(
        "Open",
        key=f"writer-open-{key}",
        icon=":material/open_in_full:",
        disabled=not row.n_steps,
        on_click=open_writing,
        args=(key,),
    )
    with st.popover("More", icon=":material/more_horiz:", key=f"writer-more-{key}"):
        st.button(
            "Use this brief again",
            key=f"writer-brief-{key}",
            icon=":material/content_copy:",
            help="Fills the form above with this session's brief.",
            on_click=_use_brief,
            args=(row,),
            width="stretch",
        )
        st.button(
            "Delete permanently",
            key=f"writer-delete-{key}",
            icon=":material/delete:",
            disabled=at_work or locked is not None,
            help=locked or "Deletes its requests, answers and strings. Versions saved from it are kept.",
            on_click=_delete,
            args=(key,),
            width="stretch",
        )


def is_readable(writing_id: str) -> bool:
    """Return True if a session can be shown; if not, show the reason and a way out. Also note an early end."""
    try:
        _draw_early_end(load(writing_id))
    except CorruptStoreError as e:
        draw_problem(str(e))
    else:
        return True
    with st.container(horizontal=True):
        st.button(
            "Delete permanently",
            key="writer-delete-unreadable",
            icon=":material/delete:",
            disabled=why_locked() is not None,
            help=why_locked() or "Versions saved from it are kept.",
            on_click=_delete,
            args=(writing_id,),
        )
        st.button("Write", key="writer-begin", icon=":material/edit_note:", on_click=open_view, args=(WRITE,))
    return False


def _draw_early_end(writing: WriterSession) -> None:
    at_work = is_at_work(writing.topic_id, writing.writing_id)
    if not writing.problem or at_work:
        return
    st.warning(plain(sentence(f"The session stopped early: {writing.problem}")), icon=":material/warning:")
    if writing.state != "done":
        st.button(
            "Resume",
            key="writer-go-on-here",
            icon=":material/play_arrow:",
            disabled=why_locked() is not None,
            help=why_locked() or "Answered requests are not repeated.",
            on_click=_go_on,
            args=(writing,),
        )


def _go_on(writing: WriterSession) -> None:
    start_again(writing.topic_id, writing.writing_id)
    open_view(WRITE)


def _use_brief(row: WriterSessionRow) -> None:
    with state.noting(LIST_NOTE):
        take_over(row.topic_id, load(row.writing_id).brief)


def _delete(writing_id: str) -> None:
    with state.noting(LIST_NOTE):
        delete_writing(cache.workspace().store, writing_id)


# The view "Write": a form from top to bottom, the dry run, one button, and the existing sessions.

DRY_RUN_FIRST = "Do the dry run first to see the cost."


def draw_write(topic_id: str, embedder: str) -> None:
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
        draw_writings(topic_id)
        return
    job = WRITING_JOBS.find(topic_id)
    if job is not None and not job.is_over:
        with st.container(border=True, key="writer-progress"):
            st.markdown(f"**Writing for {plain(topic_id)}**")
            watch(job, "Stop")
    else:
        draw_ended(topic_id, job)
        if rows_of(topic_id):
            st.caption(what_it_is(topic_id))
        else:
            draw_first(topic_id, embedder)
    with guarded():
        _draw_form(topic_id, embedder)
    with guarded():
        draw_writings(topic_id)


def _draw_form(topic_id: str, embedder: str) -> None:
    st.header("Brief", anchor=False)
    typed = draw_texts(topic_id)
    who = draw_who(topic_id)
    more = draw_more(topic_id)
    try:
        wanted = _wanted(topic_id, embedder, typed, who, more)
    except QueryscapeError as e:
        st.warning(plain(sentence(str(e))), icon=":material/edit:")
        _draw_button(None, why="Fix the problem shown above first.")
        return
    for problem in who.problems:
        st.error(plain(sentence(problem)), icon=":material/key:")
    buttons = st.container(horizontal=True, vertical_alignment="center", key="writer-buttons")
    found = draw_plan(wanted, is_paid=who.is_paid)
    with buttons:
        _view_draw_buttons(topic_id, wanted, who, found)


def _wanted(topic_id: str, embedder: str, typed: BriefForm, who: KeywordModels, more: WritingOptions) -> WriterRequest:
    brief = typed.brief(seed=more.seed, hold_out=more.hold_out, semantics=more.semantics)
    recipes = who.recipes(typed.modes, more.n_seeds)
    return WriterRequest(topic_id, brief, more.budget, recipes, embedder, more.live, more.supporting)


def _view_draw_buttons(topic_id: str, wanted: WriterRequest, who: KeywordModels, found: WriterPlan | None) -> None:
    why = why_locked() or ""
    if WRITING_JOBS.is_running(topic_id):
        why = "Strings are being written for this topic."
    elif who.problems:
        why = "Fix the problem shown above first."
    elif who.is_paid and found is None:
        why = DRY_RUN_FIRST
    draw_dry_run(wanted, is_first=why == DRY_RUN_FIRST)
    _draw_button(wanted, why=why, is_first=why != DRY_RUN_FIRST)
    st.caption(_request_caption(wanted, who, found), width="content")


def _request_caption(wanted: WriterRequest, who: KeywordModels, found: WriterPlan | None) -> str:
    n = len(wanted.recipes)
    strings = f"{many(n + (1 if n else 0) + 1, 'candidate')}, plus the topic's name."
    if not who.is_paid:
        return f"{strings} Nothing leaves this machine." if wanted.live is None else strings
    return f"{strings} Nothing sent yet." if found is not None else DRY_RUN_FIRST


def _draw_button(wanted: WriterRequest | None, *, why: str = "", is_first: bool = True) -> None:
    st.button(
        "Write",
        key="writer-start",
        icon=":material/edit_note:",
        type="primary" if is_first else "secondary",
        disabled=bool(why) or wanted is None,
        help=why or None,
        on_click=start_writing if wanted is not None else None,
        args=(wanted,),
    )


# From a topic to a scored search string.

OF_A_WRITING: dict[str, Callable[[str | None], None]] = {
    SORT: draw_sort,
    CANDIDATES: draw_candidates,
    REFINE: draw_refine,
    ASKED: draw_asked,
}


def render() -> None:
    if not cache.workspace().topics():
        draw_welcome()
        return
    draw_page("New search string", _draw, notes=NOTE)


def _draw() -> None:
    topic_id = state.read_topic()
    if topic_id is None or what_is_missing(topic_id):
        return
    open_what_came(WRITING_JOBS.find(topic_id))
    open_what_came(REFINING_JOBS.find(str(state.value(WRITING))))
    head, which = st.columns([0.58, 0.42], vertical_alignment="center")
    with head:
        view = choose_view()
    with which:
        writing_id = choose_writing(topic_id)
    with guarded():
        if view == WRITE:
            draw_write(topic_id, read_embedder(topic_id))
        elif writing_id is None or is_readable(writing_id):
            OF_A_WRITING[view](writing_id)


if __name__ == "__main__":
    render()
