"""The sixteen items in their four parts, each a row that opens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from core.audit.reporting.about_strategies import Filled
from dashboard.messages import guarded
from dashboard.sections.audit.opened import ITEM, close_one, open_one, opened
from dashboard.sections.audit.record.one import draw_item
from dashboard.sections.audit.record.saying import is_typed
from dashboard.sections.audit.record.standing import STANDINGS, first_line
from dashboard.words import plain


def draw_items(topic_id: str, filled: Sequence[Filled]) -> None:
    """One is open at most: what was typed in another is kept."""
    wanted = opened(ITEM)
    if wanted is not None and wanted not in {each.item.item for each in filled}:
        st.warning("The item that the link names is none of the sixteen.", icon=":material/link_off:")
        close_one(ITEM)
    for part, items in groupby(filled, key=lambda each: each.item.part):
        st.markdown(f"##### {plain(part)}")
        with st.container(border=True, gap="xxsmall"):
            for each in items:
                _draw_row(topic_id, each, is_open=each.item.item == wanted)


def _draw_row(topic_id: str, filled: Filled, *, is_open: bool) -> None:
    item, standing = filled.item, STANDINGS[filled.state]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"audit-row-{item.number}"):
        st.button(
            f"{item.number}  {item.title}",
            key=f"audit-item-{item.number}",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            type="tertiary",
            help=plain(item.asks),
            on_click=close_one if is_open else open_one,
            args=(ITEM,) if is_open else (ITEM, item.item),
        )
        st.badge(standing.word, icon=standing.icon, color=standing.colour)
        if is_typed(topic_id, item.item):
            st.badge("Typed, not saved yet", icon=":material/edit_note:", color="orange")
    if not is_open:
        st.caption(plain(first_line(filled.text) or f"To say: {item.asks[:1].lower()}{item.asks[1:]}"))
        return
    with guarded(), st.container(key=f"audit-open-{item.number}"):
        draw_item(topic_id, filled)
