"""What was searched for: a sentence for the methods section, every text that was sent, and what got lost in it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.query.dialects import DIALECTS
from core.query.writing.adapting_near import Loss
from core.sources.reporting import methods_sentence
from dashboard import cache
from dashboard.words import plain
from data.sources.fetching.journal import LiveRun, choices_of, live_pages, repeated_at, searched_of

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
        st.code(
            methods_sentence(searched_of(run, pages, repeats=repeated_at(cache.workspace().store, run))),
            language=None,
            wrap_lines=True,
        )
    else:
        st.caption("Nothing to report: no answer came yet.")
    _draw_forms(run)
    st.markdown("**What was lost on the way**")
    _draw_losses(run.text, run.prepared.losses)


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
    if said := choices_of(run):
        st.caption(plain(said))


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
