"""Beginning a review: which version, who asks, and what a reviewer should know."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.audit.press.domains import Person, Request
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.kept import Kept
from dashboard.sections.audit.opened import REVIEW, open_one
from dashboard.sections.audit.saving import why_not_said
from dashboard.sections.audit.typed import (
    LONGEST_NAME,
    LONGEST_TEXT,
    NAME,
    field_key,
    fill_in,
    lately,
    let_go,
    name,
    settle,
    typed,
)
from dashboard.sections.versions.chosen import called
from dashboard.sections.waiting import how_it_ended, watch
from data.audit.reviews import new_review
from data.store import VersionRow

JOB = "audit-evidence"
MOST_BEGUN = 64
LINES = {"affiliation": "Your affiliation", "email": "Your address", "database": "Database and platform"}
TEXTS = {
    "question": ("The research question", "Which street trees cool a city at night?"),
    "included": ("What belongs to the review", ""),
    "excluded": ("What does not", ""),
    "notes": ("What else a reviewer should know", ""),
}
MORE = ("included", "excluded", "notes")


def draw_begin(topic_id: str | None) -> None:
    """The form. What was filled in stays until a review was begun with it."""
    st.markdown("##### Begin a review")
    if topic_id is None:
        st.caption("There is no topic yet.")
        return
    job = cache.jobs().find(_job(topic_id))
    if job is not None and not job.is_over:
        watch(job)
        return
    if job is not None and job.finished:
        _open(topic_id)
    elif job is not None:
        how_it_ended(job)
    rows = {row.version.label: row for row in cache.workspace().store.versions(topic_id) if row.version.text.strip()}
    if not rows:
        st.caption("No version of this topic has a search string that could be reviewed.")
        return
    version = _choose_version(topic_id, rows)
    fill_in(NAME, "")
    st.text_input("Your name", key=NAME, max_chars=LONGEST_NAME)
    _text(topic_id, "question")
    _line(topic_id, "database")
    with st.expander("More about the search and about you"):
        for what in MORE:
            _text(topic_id, what)
        _line(topic_id, "affiliation")
        _line(topic_id, "email")
        key = _key(topic_id, "wanted_by")
        fill_in(key, "")
        st.text_input("Wanted by (a date)", key=key, max_chars=LONGEST_NAME)
    st.button(
        "Begin the review",
        key="audit-begin-review",
        type="primary",
        icon=":material/rate_review:",
        disabled=bool(why_not_said()),
        help=why_not_said() or "Gathers what Queryscape notices in the string, domain by domain.",
        on_click=_begin,
        args=(topic_id, version),
    )


def _choose_version(topic_id: str, rows: Mapping[str, VersionRow]) -> str:
    selection = state.read_selection()
    key = _key(topic_id, "version")
    if lately(key) not in rows:
        let_go(key)
    fill_in(key, selection.label if selection is not None and selection.label in rows else list(rows)[-1])
    return str(
        st.selectbox(
            "Which version",
            list(rows),
            key=key,
            format_func=lambda at: called(rows[at]) if at in rows else at,
        )
    )


def _key(topic_id: str, what: str) -> str:
    return field_key(f"begin-{what}", topic_id)


def _job(topic_id: str) -> str:
    return f"{JOB}:{state.visitor()}:{topic_id}"


def _text(topic_id: str, what: str) -> None:
    key, (label, hint) = _key(topic_id, what), TEXTS[what]
    fill_in(key, "")
    st.text_area(label, key=key, height=80, max_chars=LONGEST_TEXT, placeholder=hint)


def _line(topic_id: str, what: str) -> None:
    key = _key(topic_id, what)
    fill_in(key, "")
    st.text_input(LINES[what], key=key, max_chars=LONGEST_NAME)


def _begin(topic_id: str, version: str) -> None:
    """What was filled in is let go of once the review is there, not before."""
    settle()
    said = {what: str(typed(_key(topic_id, what)) or "").strip() for what in (*LINES, *TEXTS, "wanted_by")}
    requestor = Person(name(), said.pop("affiliation"), said.pop("email"))
    selection, begun, key = state.read_selection(), _begun(), _job(topic_id)
    embedder = selection.embedder if selection is not None and selection.topic_id == topic_id else None

    def work(on_stage: OnStage) -> None:
        on_stage("looking for what a reviewer should know")
        review = new_review(
            cache.workspace(), topic_id, version, requestor=requestor, request=Request(**said), embedder=embedder
        )
        begun[key] = review.review_id

    cache.jobs().start(key, "Beginning the review", work, anew=True)


def _begun() -> Kept:
    """The reviews that jobs have begun, by job."""
    return cache.kept("audit-begun", MOST_BEGUN)


def _open(topic_id: str) -> None:
    """Show the review that was begun, and empty the form."""
    cache.jobs().forget(_job(topic_id))
    let_go(*(_key(topic_id, what) for what in (*LINES, *TEXTS, "wanted_by")))
    if (review_id := _begun().pop(_job(topic_id), None)) is not None:
        open_one(REVIEW, review_id)
    st.rerun()
