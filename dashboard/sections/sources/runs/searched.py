"""What was searched for: a sentence for the methods section, every text that was sent, and what got lost in it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import NotFoundError
from core.query.dialects import DIALECTS
from core.query.writing.adapting import Loss
from core.sources.reporting import Searched, methods_sentence
from core.sources.types import Choices, SourceId
from dashboard import cache
from dashboard.messages import plain
from dashboard.sections.sources.runs.words import source_label
from data.sources.fetching.runs import LivePage, LiveRun, find_live_run, live_pages

STATUS_WORDS = {
    "exact": "the same",
    "widened": "finds more",
    "narrowed": "finds less",
    "unsupported": "left out",
}
MOST_FORMS = 12


def draw_searched(run: LiveRun) -> None:
    """From what can be pasted to what was lost."""
    st.markdown("**For the methods section**")
    if pages := live_pages(cache.workspace().store, run.run_id):
        st.code(methods_sentence(searched_of(run, pages, repeats=_repeats(run))), language=None, wrap_lines=True)
    else:
        st.caption("Nothing to report: no answer came yet.")
    _draw_forms(run)
    st.markdown("**What was lost on the way**")
    _draw_losses(run.text, run.prepared.losses)


def _repeats(run: LiveRun) -> str:
    """When the run that it repeats was planned; empty: it repeats none, or that one is deleted."""
    if run.earlier_id is None:
        return ""
    try:
        return find_live_run(cache.workspace().store, run.earlier_id).made_at
    except NotFoundError:
        return ""


def searched_of(run: LiveRun, pages: Sequence[LivePage], *, repeats: str = "") -> Searched:
    """What the sentence says of a run. It began when the first request was sent, and was sent where that went."""
    first = next((sent for page in pages for sent in page.requests), None)
    return Searched(
        source=source_label(run.source),
        address=run.address if first is None else first.address.partition("?")[0],
        began=run.made_at if first is None else first.at,
        ended=run.ended_at,
        forms=tuple(form.text for form in run.prepared.forms),
        total_first=run.total_first,
        total_last=run.total_last,
        n_fetched=run.n_records,
        n_aside=run.n_aside,
        most=run.most,
        n_repeated=run.n_repeated,
        n_begun=len({page.form for page in pages}) if run.state == "done" else None,
        choices=_choices_of(run),
        repeats=repeats,
    )


def _choices_of(run: LiveRun) -> str:
    return choices_in_words(run.source, run.prepared.choices, has_wildcards=any(sign in run.text for sign in "*?$"))


def _draw_forms(run: LiveRun) -> None:
    prepared = run.prepared
    if prepared.is_unchanged:
        st.markdown("**Sent exactly as it was typed**")
    else:
        st.markdown("**As it was typed**")
        st.caption(plain(f"Read as {DIALECTS[prepared.dialect].label}."))
        st.code(run.text, language=None, wrap_lines=True)
        n = len(prepared.forms)
        st.markdown("**As it was sent**" if n == 1 else f"**As it was sent, in {n} parts**")
        if n > 1:
            st.caption("In one piece it would be too long for the source. What the parts find is united.")
    for form in prepared.forms[:MOST_FORMS]:
        st.code(form.text, language=None, wrap_lines=True)
    if len(prepared.forms) > MOST_FORMS:
        with st.expander(f"{len(prepared.forms) - MOST_FORMS} more parts"):
            for form in prepared.forms[MOST_FORMS:]:
                st.code(form.text, language=None, wrap_lines=True)
    if said := _choices_of(run):
        st.caption(plain(said))


def choices_in_words(source: SourceId, choices: Choices, *, has_wildcards: bool = True) -> str:
    """How the source was asked, where it can be asked in more than one way."""
    if source == "openalex":
        forms = "Other forms of a word counted as well." if choices.stem else "Words counted only as they are written."
        wild = "Wildcards were sent as they are." if choices.wildcards == "send" else "Wildcards were left out."
        return f"{forms} {wild}" if has_wildcards else forms
    if source == "europepmc":
        return "Synonyms of MeSH counted as well." if choices.synonyms else "Synonyms did not count."
    return ""


def _draw_losses(text: str, losses: Sequence[Loss]) -> None:
    if not losses:
        st.caption("Nothing: it means the same there, as far as can be told.")
        return
    st.dataframe(
        loss_rows(text, losses),
        hide_index=True,
        key="live-losses",
        column_config={
            "In your text": st.column_config.Column(width="medium"),
            "There it": st.column_config.Column(width="small"),
            "Why": st.column_config.Column(width="large"),
        },
    )


def loss_rows(text: str, losses: Sequence[Loss]) -> list[dict[str, str]]:
    """A line for each."""
    return [
        {
            "In your text": text[loss.start : loss.end],
            "There it": STATUS_WORDS.get(loss.status, loss.status),
            "Why": loss.message[:1].upper() + loss.message[1:],
        }
        for loss in losses
    ]
