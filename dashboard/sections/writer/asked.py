"""The view "Asked": every question and answer as it was, what became of it, and what was held back and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from core.writer.types import (
    STATISTICS,
    Proposal,
    brief_document,
    budget_document,
    held_back_document,
    proposal_document,
    step_document,
)
from dashboard import state
from dashboard.messages import sentence
from dashboard.sections.writer.opened import opened
from dashboard.words import many, plain, when
from data.writer.keeping import Call, Writing

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
"""Characters of a question or an answer that are shown; the file holds all."""
MOST_LISTED = 2_000


def draw_asked(writing_id: str | None) -> None:
    """Questions, proposals, and what was held back."""
    writing = opened(writing_id)
    if writing is None:
        return
    numbers = {QUESTIONS: len(writing.calls), PROPOSED: len(writing.proposals), HELD_BACK: len(writing.held_back)}
    state.settle_named(PART, PARTS)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        part = str(
            st.segmented_control(
                "Show",
                PARTS,
                key=PART,
                required=True,
                format_func=lambda each: f"{each} ({numbers.get(each, 0):,})",
                label_visibility="collapsed",
            )
        )
        _draw_file(writing)
    state.write_in_link(PART, [part] if part != QUESTIONS else [])
    if part == PROPOSED:
        _draw_proposed(writing)
    elif part == HELD_BACK:
        _draw_held_back(writing)
    else:
        _draw_calls(writing)


def reading_label(reading: str) -> str:
    """A reading by its id.

    >>> called("most_cited"), called("live:openalex")
    ('Most cited', 'A live source (openalex)')
    """
    kind, _, source = reading.partition(":")
    words = READING_WORDS.get(kind, kind)
    return f"{words} ({source})" if source else words


# Questions


def _draw_calls(writing: Writing) -> None:
    _draw_readings(writing)
    if not writing.calls:
        st.info("No model was asked: the keywords come from corpus statistics.")
        return
    st.dataframe([call_row(call) for call in writing.calls], hide_index=True, key="writer-calls")
    by_number = {call.number: call for call in writing.calls}
    if state.said(CALL) not in by_number:
        state.say(CALL, next(iter(by_number)))
    number = st.selectbox(
        "Question",
        list(by_number),
        key=CALL,
        format_func=lambda each: named(by_number[each]) if each in by_number else str(each),
    )
    _draw_call(by_number[number])


def _draw_readings(writing: Writing) -> None:
    read = [f"{reading_label(row.reading_id)} ({len(row.ids):,})" for row in writing.readings]
    if read:
        st.caption(plain(f"Read, each in a question of its own: {', '.join(read)}."))
    for row in writing.readings:
        if row.note:
            st.caption(plain(f"{reading_label(row.reading_id)}: {sentence(row.note)}"))


def named(call: Call) -> str:
    """A question in a list."""
    seed = f", seed {call.seed}" if call.seed else ""
    what = "" if call.purpose == "propose" else "refining, "
    return f"{call.number}: {reading_label(call.reading)}, {what}{call.model} ({call.mode}{seed})"


def call_row(call: Call) -> dict[str, str | int | None]:
    """A question as a row of a table."""
    tokens = (call.n_prompt_tokens or 0) + (call.n_answer_tokens or 0)
    return {
        "Number": call.number,
        "Asked": call.model,
        "Mode": call.mode,
        "Read": reading_label(call.reading),
        "For": "keywords" if call.purpose == "propose" else "refining",
        "Answer": STATUS_WORDS[call.status],
        "Proposed": len(call.proposals),
        "To leave out": len(call.removals),
        "Held back": len(call.held_back),
        "Tokens": tokens or None,
        "Milliseconds": round(call.ms),
    }


def _draw_call(call: Call) -> None:
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
            st.caption("Nothing came.")
    st.markdown(f"**What became of it**: {plain(became(call))}")
    if call.held_back:
        st.dataframe(
            [{"Held back": each.text, "Why": sentence(each.why)} for each in call.held_back],
            hide_index=True,
            key=f"writer-call-held-{call.number}",
        )


def became(call: Call) -> str:
    """In one sentence.

    >>> became(Call(1, "propose", "core", "demo", "strict", 0, "1", "", "", (), "failed"))
    'nothing.'
    """
    parts = [many(len(call.proposals), "keyword")] if call.proposals else []
    parts += [f"{len(call.removals):,} to leave out"] if call.removals else []
    parts += [f"{len(call.held_back):,} held back"] if call.held_back else []
    return f"{', '.join(parts) or 'nothing'}."


def _draw_text(text: str, height: int = 420) -> None:
    """As it was, and never as anything but text."""
    st.code(text[:LONGEST_SHOWN] or " ", language=None, wrap_lines=True, height=height)
    if len(text) > LONGEST_SHOWN:
        st.caption(f"The first {LONGEST_SHOWN:,} of {len(text):,} characters are shown; the file holds all.")


# Proposals


def _draw_proposed(writing: Writing) -> None:
    if not writing.proposals:
        st.info("No keyword was proposed.")
        return
    best = writing.best
    st.caption("Each keyword once, with all who proposed it, and where it stands in the best string.")
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


def _who(proposal: Proposal) -> str:
    if not proposal.model:
        return "corpus statistics"
    return f"{proposal.model}: {reading_label(proposal.reading).lower()}"


def _draw_held_back(writing: Writing) -> None:
    if not writing.held_back:
        st.info("Nothing was held back.")
        return
    st.caption("None of this is in any string. What can be taken is offered in the view Sort.")
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


def _draw_file(writing: Writing) -> None:
    st.download_button(
        "Save all of it (JSON)",
        lambda: whole(writing),
        file_name=f"writing-{writing.writing_id[:12]}.json",
        mime="application/json",
        key="writer-file",
        icon=":material/download:",
        on_click="ignore",
        help="Brief, budget, readings, every question and answer, proposals, and every string with its scores.",
    )


def whole(writing: Writing) -> bytes:
    """A writing as one document. Publications are named by their ids; no key is ever part of it."""
    document: dict[str, Any] = {
        "writing": writing.writing_id,
        "topic": writing.topic_id,
        "made_at": writing.made_at,
        "state": writing.state,
        "problem": writing.problem,
        "brief": brief_document(writing.brief),
        "budget": budget_document(writing.budget),
        "embedder": writing.embedder,
        "split": asdict(writing.split),
        "readings": [{"reading": row.reading_id, "ids": list(row.ids), "note": row.note} for row in writing.readings],
        "calls": [_call_document(call) for call in writing.calls],
        "proposals": _proposal_documents([each for row in writing.proposals for each in row.proposals]),
        "held_back": [held_back_document(each) for each in writing.held_back],
        "steps": [step_document(step) for step in writing.steps],
        "notes": list(writing.notes),
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8")


def _proposal_documents(proposals: Sequence[Proposal]) -> list[Any]:
    return [proposal_document(each) for each in proposals]


def _call_document(call: Call) -> dict[str, Any]:
    return {
        **asdict(call),
        "proposals": _proposal_documents(call.proposals),
        "held_back": [held_back_document(each) for each in call.held_back],
    }
