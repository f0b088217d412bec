"""Open a query-writing session, run its jobs in the background, and list its requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import streamlit as st

from core.documents import as_document
from core.protocols import OnStage
from core.text import many
from core.writer.sheets import (
    STATISTICS,
    KeywordProposal,
    WriterBudget,
    step_document,
)
from dashboard import cache, state
from dashboard.jobs import Job, Work
from dashboard.kit.components import draw_download
from dashboard.kit.link_controls import choose_one
from dashboard.messages import sentence
from dashboard.status import JobFamily, forget
from dashboard.words import plain, when
from data.explore.desk import Desk
from data.store import content_hash
from data.writer.desk import WriterDesk, with_split
from data.writer.runs import WriterCall, WriterRequest, WriterSession, WriterSessionRow, find_writing, list_writings
from data.writer.steps import JudgedVersion, judge_versions
from data.writer.writing import WriterPlan, plan, refine, resume, write

PAGE = "writer/page.py"
STEP = "writer_step"
"""Number of the step that "Sort" shows; in the link. None: the best of the session."""
APART = "writer_apart"
"""Label of the version that "Sort" shows in lists; in the link."""


def open_step(number: int) -> None:
    """Have "Sort" show this step of the open session."""
    _say(step=str(number), apart=None)


def open_version_apart(label: str) -> None:
    """Have "Sort" show this version of the topic, split into its lists."""
    _say(step=None, apart=label)


def open_again() -> None:
    """Forget the open step and version of the previous session."""
    _say(step=None, apart=None)


def what_is_open() -> tuple[str | None, str | None]:
    """Return the requested step and version: those of the link from another page, else the previous ones."""
    step, apart = (state.wanted_by_link(key, ()) for key in (STEP, APART))
    if step is None and apart is None:
        step, apart = (state.value(key) for key in (STEP, APART))
    if apart is not None:
        step = None
    _say(step=step, apart=apart)
    return step, apart


def link_to_sorting(topic_id: str, label: str, *, words: str = "Sort terms on the board") -> None:
    """Draw a link from another page to the view Sort with this version in lists."""
    link = {"topic": topic_id, "version": label, "writer": "Sort", APART: label}
    st.page_link(PAGE, label=words, icon=":material/edit_note:", query_params=link)


def _say(*, step: str | None, apart: str | None) -> None:
    for key, value in ((STEP, step), (APART, apart)):
        state.set_value(key, value)
        state.write_in_link(key, [] if value is None else [value])


# The session that the page has open, and links from one of its views to another.

VIEW, NEXT_VIEW, LAST_VIEW = "writer", "writer_next", "writer_last"
WRITE, SORT, CANDIDATES, REFINE, ASKED = VIEWS = ("Write", "Sort", "Candidates", "Refine", "Asked")
WRITING, NEXT_WRITING = "writing", "writing_next"
MISSING = "writing_missing"
"""True if the link's session does not exist, until another is chosen."""
MOST_OPENED = 8
NOTE = "writer"
NEXT_FROM = "writer_from_next"
"""The string that a control on the page opens in the view Refine."""
STATES = {"planned": "not started", "running": "interrupted", "stopped": "stopped", "done": "finished"}


def open_writing(writing_id: str, view: str = CANDIDATES) -> None:
    """Show this session as soon as the page is drawn again."""
    state.set_value(MISSING, False)
    state.set_value(NEXT_WRITING, writing_id)
    state.set_value(NEXT_VIEW, view)


def open_view(view: str) -> None:
    state.set_value(NEXT_VIEW, view)


def choose_view() -> str:
    """Choose the view: the one requested on the page or in the link, else the last one. It is written in the link."""
    if (wanted := state.value(NEXT_VIEW)) in VIEWS:
        state.set_value(VIEW, wanted)
        state.set_value(NEXT_VIEW, None)
    elif state.value(VIEW) is None and state.wanted_by_link(VIEW, ()) is None and state.value(LAST_VIEW) in VIEWS:
        state.set_value(VIEW, state.value(LAST_VIEW))
    view = choose_one(st.segmented_control, "View", VIEWS, VIEW, required=True, label_visibility="collapsed")
    state.set_value(LAST_VIEW, view)
    return view


def rows_of(topic_id: str) -> Mapping[str, WriterSessionRow]:
    """Return the topic's sessions, the newest first."""
    return {row.writing_id: row for row in list_writings(cache.workspace().store, topic_id)}


def choose_writing(topic_id: str) -> str | None:
    """Return the session in the link, else the newest of the topic; None: there is none yet."""
    rows = rows_of(topic_id)
    _follow_link(topic_id, rows)
    if (wanted := state.value(NEXT_WRITING)) in rows:
        if wanted != state.value(WRITING):
            open_again()
        state.set_value(WRITING, wanted)
    state.set_value(NEXT_WRITING, None)
    if state.value(MISSING):
        st.warning("The session in the link no longer exists.", icon=":material/link_off:")
    if not rows:
        return None
    return choose_one(
        st.selectbox,
        "Session",
        list(rows),
        WRITING,
        format_func=lambda each: session_label(rows[each]) if each in rows else each,
        on_change=_open_chosen,
        label_visibility="collapsed",
        persist_state="session",
        help="Each session writes search strings for this topic once.",
    )


def _follow_link(topic_id: str, rows: Mapping[str, WriterSessionRow]) -> None:
    wanted = state.wanted_by_link(WRITING, list(rows))
    if wanted is None or not state.is_first(f"writing-{wanted}"):
        return
    elsewhere = {row.writing_id: row for row in list_writings(cache.workspace().store)}
    if wanted in elsewhere and elsewhere[wanted].topic_id != topic_id:
        state.choose_topic_next(elsewhere[wanted].topic_id)
        state.set_value(NEXT_WRITING, wanted)
        st.rerun()
    state.set_value(MISSING, True)


def _open_chosen() -> None:
    state.set_value(MISSING, False)
    open_again()


def session_label(row: WriterSessionRow) -> str:
    end = "" if row.state == "done" else f" · {STATES[row.state]}"
    return f"{_cut(row.topic)} · {when(row.made_at)} · {many(max(row.n_steps - 1, 0), 'string')}{end}"


def _cut(text: str, most: int = 48) -> str:
    return text if len(text) <= most else f"{text[: most - 2].rstrip()} …"


def load(writing_id: str) -> WriterSession:
    """Load a session; read it again only if something was added to it since."""
    store, kept = cache.workspace().store, cache.kept("writer-opened", MOST_OPENED)
    rows = store.rows(
        """
        SELECT state, problem, ended_at, md5(document::VARCHAR),
            (SELECT count(*) FROM writer_calls AS c WHERE c.writing_id = w.writing_id),
            (SELECT max(made_at) FROM writer_steps AS s WHERE s.writing_id = w.writing_id),
            (SELECT list(label ORDER BY number) FROM writer_steps AS s WHERE s.writing_id = w.writing_id)
        FROM writings AS w WHERE writing_id = ?
        """,
        [writing_id],
    )
    key = f"{writing_id}-{rows}"
    return kept.of(key, lambda: find_writing(store, writing_id))


def opened(writing_id: str | None) -> WriterSession | None:
    """Return the open session; if there is none, offer to start one."""
    if writing_id is None:
        st.info("No sessions for this topic yet.")
        st.button(
            "Write", key="writer-begin", icon=":material/edit_note:", type="primary", on_click=open_view, args=(WRITE,)
        )
        return None
    return load(writing_id)


# The topic as a session sees it, and its own versions scored in the same way.

MOST_DESKS = 4


def writer_desk(desk: Desk, writing: WriterSession | None) -> WriterDesk:
    """Return the desk with the halves of the session; without one nothing is held out, as no model must stay blind."""
    if writing is None:
        return _kept_desk(desk, 0, hold_out=False)
    return _kept_desk(desk, writing.brief.seed, hold_out=writing.brief.hold_out)


def _kept_desk(desk: Desk, seed: int, *, hold_out: bool) -> WriterDesk:
    kept, key = cache.kept("writer_desks", MOST_DESKS), content_hash([desk.state, str(seed), str(hold_out)])
    return kept.of(key, lambda: with_split(cache.workspace(), desk, seed=seed, hold_out=hold_out))


def versions_of(writing: WriterSession) -> tuple[JudgedVersion, ...]:
    """Return the topic's own versions scored on the halves of a session, the best first."""
    store = cache.workspace().store
    at = writer_desk(cache.desk(writing.topic_id, writing.embedder), writing)
    rows = store.versions(writing.topic_id)
    held = [f"{row.version.query_id} {row.version.name} {row.retrieved_hash}" for row in rows]
    saved = [str(step.label) for step in writing.steps]
    kept, key = (
        cache.kept("writer_versions", MOST_DESKS),
        content_hash([at.desk.state, writing.writing_id, *held, *saved]),
    )
    return kept.of(key, lambda: judge_versions(store, at, writing))


# Background work of the page: dry runs, writing, resuming, and refining.

WRITING_JOBS = JobFamily("writing", lane="long")
"""Writing for a topic, one session at a time. Its outcome is the session."""
REFINING_JOBS = JobFamily("refining", lane="long")
"""Refining a string of a session, which is the outcome."""
PLAN_JOBS = JobFamily("writer-plan", lane="count", most=16)
BEGUN = "writer-begun"
"""The job that this visitor waits for; when it ends, its session is opened."""


def is_at_work(topic_id: str, writing_id: str) -> bool:
    """Return True if the topic is written for, or the session is refined."""
    return WRITING_JOBS.is_running(topic_id) or REFINING_JOBS.is_running(writing_id)


def start_writing(wanted: WriterRequest) -> None:
    """Write in the background; an unfinished session of the topic is resumed first."""
    _start(WRITING_JOBS, wanted.topic_id, "Writing search strings", partial(_write, wanted))


def start_again(topic_id: str, writing_id: str) -> None:
    _start(WRITING_JOBS, topic_id, "Resuming the session", partial(_resume, writing_id))


def start_refining(writing_id: str, number: int, budget: WriterBudget) -> None:
    _start(REFINING_JOBS, writing_id, "Refining the string", partial(_refine, writing_id, number, budget))


def _start(family: JobFamily, of: str, title: str, work: Work) -> None:
    state.set_value(BEGUN, family.key(of))
    family.start(of, title, work)


def _write(wanted: WriterRequest, on_stage: OnStage) -> tuple[str]:
    return (write(cache.workspace(), wanted, on_stage=on_stage).writing_id,)


def _resume(writing_id: str, on_stage: OnStage) -> tuple[str]:
    return (resume(cache.workspace(), writing_id, on_stage=on_stage).writing_id,)


def _refine(writing_id: str, number: int, budget: WriterBudget, on_stage: OnStage) -> tuple[str]:
    return (refine(cache.workspace(), writing_id, number, budget=budget, on_stage=on_stage).writing_id,)


def open_what_came(job: Job | None) -> bool:
    """Return True once the job that this visitor waited for has finished, and open its session."""
    if job is None or not job.is_over or state.value(BEGUN) != job.key:
        return False
    if not job.finished:
        return False
    state.set_value(BEGUN, None)
    (writing_id,) = job.outcome
    open_writing(writing_id, REFINE if job.key == REFINING_JOBS.key(writing_id) else CANDIDATES)
    return True


def leave(job: Job) -> None:
    """Drop a job that is over, and don't open what it brought."""
    forget(job)
    if state.value(BEGUN) == job.key:
        state.set_value(BEGUN, None)


# The dry run


def plan_key(wanted: WriterRequest) -> str:
    """Return a key that is the same for the same choices over the same topic."""
    store = cache.workspace().store
    supporting = content_hash([repr(each) for each in wanted.supporting])
    answered = store.rows("SELECT count(*) FROM writer_calls")
    return content_hash(
        [repr(replace(wanted, supporting=())), supporting, store.topic_state(wanted.topic_id), repr(answered)]
    )


def planned(wanted: WriterRequest) -> tuple[WriterPlan | None, Job | None]:
    """Return the finished plan, or the job that computes it; neither: it was not requested."""
    key = plan_key(wanted)
    found: WriterPlan | None = PLAN_JOBS.results.get(key)
    return found, PLAN_JOBS.find(key)


def start_plan(wanted: WriterRequest) -> None:
    """Count the requests of a session. Nothing is sent."""
    PLAN_JOBS.make(plan_key(wanted), "Counting requests", partial(_plan, wanted))


def _plan(wanted: WriterRequest, on_stage: OnStage) -> WriterPlan:
    on_stage("reading the topic")
    return plan(cache.workspace(), wanted)


# The view "Asked": every request and response, the resulting keywords, and those held back with the reasons.

STATUS_WORDS = {
    "ok": "read",
    "not read": "no list",
    "refused": "refused",
    "failed": "the service failed",
    "known": "answered before, nothing was sent",
}
READING_WORDS = {
    "core": "Core publications in use",
    "most_cited": "Most cited",
    "newest": "Newest",
    "nearest": "Nearest to the topic",
    "supporting": "Supporting publications",
    "live": "A live source",
    STATISTICS: "Corpus statistics",
}
PART, CALL = "writer_asked", "writer_call"
QUESTIONS, PROPOSED, HELD_BACK = PARTS = ("Questions", "Proposed keywords", "Held back")
LONGEST_SHOWN = 60_000
"""Characters of a request or a response that are shown; the file has all of them."""
MOST_LISTED = 2_000


def draw_asked(writing_id: str | None) -> None:
    writing = opened(writing_id)
    if writing is None:
        return
    numbers = {QUESTIONS: len(writing.calls), PROPOSED: len(writing.proposals), HELD_BACK: len(writing.held_back)}
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        part = choose_one(
            st.segmented_control,
            "Show",
            PARTS,
            PART,
            usual=QUESTIONS,
            names={name: f"{name} ({n:,})" for name, n in numbers.items()},
            required=True,
            label_visibility="collapsed",
        )
        _draw_file(writing)
    if part == PROPOSED:
        _draw_proposed(writing)
    elif part == HELD_BACK:
        _draw_held_back(writing)
    else:
        _draw_calls(writing)


def reading_label(reading: str) -> str:
    """Return the label of a reading by its id.

    >>> reading_label("most_cited"), reading_label("live:openalex")
    ('Most cited', 'A live source (openalex)')
    """
    kind, _, source = reading.partition(":")
    words = READING_WORDS.get(kind, kind)
    return f"{words} ({source})" if source else words


# Questions


def _draw_calls(writing: WriterSession) -> None:
    _draw_readings(writing)
    if not writing.calls:
        st.info("No model requests: the keywords come from corpus statistics.")
        return
    st.dataframe([call_row(call) for call in writing.calls], hide_index=True, key="writer-calls")
    by_number = {call.number: call for call in writing.calls}
    if state.value(CALL) not in by_number:
        state.set_value(CALL, next(iter(by_number)))
    number = st.selectbox(
        "Request",
        list(by_number),
        key=CALL,
        format_func=lambda each: named(by_number[each]) if each in by_number else str(each),
    )
    _draw_call(by_number[number])


def _draw_readings(writing: WriterSession) -> None:
    read = [f"{reading_label(row.reading_id)} ({len(row.ids):,})" for row in writing.readings]
    if read:
        st.caption(plain(f"Sources, each read separately: {', '.join(read)}."))
    for row in writing.readings:
        if row.note:
            st.caption(plain(f"{reading_label(row.reading_id)}: {sentence(row.note)}"))


def named(call: WriterCall) -> str:
    seed = f", seed {call.seed}" if call.seed else ""
    what = "" if call.purpose == "propose" else "refining, "
    return f"{call.number}: {reading_label(call.reading)}, {what}{call.model} ({call.mode}{seed})"


def call_row(call: WriterCall) -> dict[str, str | int | None]:
    tokens = (call.n_prompt_tokens or 0) + (call.n_answer_tokens or 0)
    return {
        "Number": call.number,
        "Asked": call.model,
        "Mode": call.mode,
        "Read": reading_label(call.reading),
        "For": "keywords" if call.purpose == "propose" else "refining",
        "Answer": STATUS_WORDS[call.status],
        "Proposed": len(call.proposals),
        "To remove": len(call.removals),
        "Held back": len(call.held_back),
        "Tokens": tokens or None,
        "Milliseconds": round(call.ms),
    }


def _draw_call(call: WriterCall) -> None:
    facts = [STATUS_WORDS[call.status].capitalize(), f"prompt {call.prompt_version}"]
    facts += [when(call.made_at)] if call.made_at else []
    st.caption(plain(" · ".join(facts)))
    if call.problem:
        st.warning(plain(sentence(call.problem)), icon=":material/warning:")
    question, answer = st.columns(2, gap="medium")
    with question:
        st.markdown("**Asked**")
        _draw_text(f"{call.system}\n\n{call.question}")
    with answer:
        st.markdown("**Answered**" if len(call.answers) < 2 else f"**Answered** ({len(call.answers):,} times)")
        for text in call.answers:
            _draw_text(text, height=420 if len(call.answers) == 1 else 200)
        if not call.answers:
            st.caption("No answer received.")
    st.markdown(f"**Result**: {plain(became(call))}")
    if call.held_back:
        st.dataframe(
            [{"Held back": each.text, "Why": sentence(each.why)} for each in call.held_back],
            hide_index=True,
            key=f"writer-call-held-{call.number}",
        )


def became(call: WriterCall) -> str:
    """Summarise the outcome in one sentence.

    >>> became(WriterCall(1, "propose", "core", "demo", "strict", 0, "1", "", "", (), "failed"))
    'nothing.'
    """
    parts = [many(len(call.proposals), "keyword")] if call.proposals else []
    parts += [f"{len(call.removals):,} to remove"] if call.removals else []
    parts += [f"{len(call.held_back):,} held back"] if call.held_back else []
    return f"{', '.join(parts) or 'nothing'}."


def _draw_text(text: str, height: int = 420) -> None:
    """Draw text verbatim, never as markup."""
    st.code(text[:LONGEST_SHOWN] or " ", language=None, wrap_lines=True, height=height)
    if len(text) > LONGEST_SHOWN:
        st.caption(f"The first {LONGEST_SHOWN:,} of {len(text):,} characters are shown; the file contains all.")


# Proposals


def _draw_proposed(writing: WriterSession) -> None:
    if not writing.proposals:
        st.info("No keywords proposed.")
        return
    best = writing.best
    st.caption("Each keyword once, with its sources and its place in the best string.")
    rows = [
        {
            "Keyword": row.keyword.text,
            "Proposed by": ", ".join(dict.fromkeys(_who(each) for each in row.proposals)),
            "Times": len(row.proposals),
            "In the best string": "–" if best is None else best.sheet.list_of(row.keyword.key) or "–",
            "Reason": row.proposals[0].reason,
        }
        for row in writing.proposals[:MOST_LISTED]
    ]
    st.dataframe(
        rows,
        hide_index=True,
        key="writer-proposed",
        height=min(38 + 35 * len(rows), 560),
        column_config={"Reason": st.column_config.Column(width="large")},
    )


def _who(proposal: KeywordProposal) -> str:
    if not proposal.model:
        return "corpus statistics"
    return f"{proposal.model}: {reading_label(proposal.reading).lower()}"


def _draw_held_back(writing: WriterSession) -> None:
    if not writing.held_back:
        st.info("Nothing held back.")
        return
    st.caption("None of these are in any string. The view Sort offers those that can be added.")
    rows = [
        {
            "As it came": each.text,
            "Why it is held back": sentence(each.why),
            "What can be taken": each.keyword.text if each.keyword is not None else "–",
            "From": f"{each.model}: {reading_label(each.reading).lower()}"
            if each.model
            else reading_label(each.reading),
        }
        for each in writing.held_back[:MOST_LISTED]
    ]
    st.dataframe(
        rows,
        hide_index=True,
        key="writer-held-back",
        height=min(38 + 35 * len(rows), 560),
        column_config={"Why it is held back": st.column_config.Column(width="large")},
    )


# The file


def _draw_file(writing: WriterSession) -> None:
    draw_download(
        "Save everything (JSON)",
        lambda: whole(writing),
        file_name=f"writing-{writing.writing_id[:12]}.json",
        mime="application/json",
        key="writer-file",
        help="Brief, budget, readings, every request and answer, proposals, and every string with its scores.",
    )


def whole(writing: WriterSession) -> bytes:
    """Export a session as one document. Publications are identified by their ids; no API key is ever part of it."""
    document: dict[str, Any] = {
        "writing": writing.writing_id,
        "topic": writing.topic_id,
        "made_at": writing.made_at,
        "state": writing.state,
        "problem": writing.problem,
        "brief": as_document(writing.brief),
        "budget": as_document(writing.budget),
        "embedder": writing.embedder,
        "split": asdict(writing.split),
        "readings": [{"reading": row.reading_id, "ids": list(row.ids), "note": row.note} for row in writing.readings],
        "calls": [_call_document(call) for call in writing.calls],
        "proposals": [as_document(each) for row in writing.proposals for each in row.proposals],
        "held_back": [as_document(each) for each in writing.held_back],
        "steps": [step_document(step) for step in writing.steps],
        "notes": list(writing.notes),
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8")


def _call_document(call: WriterCall) -> dict[str, Any]:
    return {
        **asdict(call),
        "proposals": [as_document(each) for each in call.proposals],
        "held_back": [as_document(each) for each in call.held_back],
    }
