"""How complete the record is, in one line, and what is worth doing next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.audit.reporting.about_strategies import Filled, completeness
from dashboard.messages import sentence
from dashboard.sections.audit.opened import ITEM, open_one, open_view
from dashboard.sections.audit.record.standing import DONE, STANDINGS, next_items
from dashboard.sections.audit.saving import draw_mistake
from dashboard.sections.audit.typed import LONGEST_NAME, NAME, fill_in
from dashboard.words import plain


def draw_head(filled: Sequence[Filled]) -> None:
    """A bar, a chip for each state, and up to three links."""
    told = completeness(filled)
    n_done = sum(each.state in DONE for each in filled)
    left, right = st.columns([0.7, 0.3], gap="large")
    with left:
        st.markdown(f"**{plain(told.sentence)}**")
        st.progress(n_done / max(len(filled), 1))
        counts = Counter(each.state for each in filled)
        with st.container(horizontal=True, gap="small", key="audit-states"):
            for at, standing in STANDINGS.items():
                if counts[at]:
                    st.badge(f"{counts[at]} {standing.many}", icon=standing.icon, color=standing.colour)
    with right:
        draw_name()
    _draw_next(filled)
    draw_mistake()


def draw_name() -> None:
    """Who says it. Remembered for as long as the page is open."""
    fill_in(NAME, "")
    st.text_input(
        "Your name",
        key=NAME,
        max_chars=LONGEST_NAME,
        placeholder="Who says it",
        help="Stands beside whatever you say here. It stays in this browser tab until you close it.",
    )


def _draw_next(filled: Sequence[Filled]) -> None:
    waiting = next_items(filled)
    with st.container(border=True, key="audit-next"):
        if not waiting:
            st.markdown("**Every item has its answer.** The appendix can be made.")
            st.button(
                "Make the report",
                key="audit-to-report",
                icon=":material/description:",
                on_click=open_view,
                args=("Report",),
            )
            return
        st.markdown("**What to do next**")
        for each in waiting:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.button(
                    f"{each.item.number}  {each.item.title}",
                    key=f"audit-next-{each.item.number}",
                    icon=STANDINGS[each.state].icon,
                    type="tertiary",
                    on_click=open_one,
                    args=(ITEM, each.item.item),
                )
                st.caption(plain(sentence(each.next_step)), width="content")
