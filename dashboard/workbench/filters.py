"""Published search filters in the Workbench: choose one, see its price, insert it."""

from __future__ import annotations

import streamlit as st

from core.audit.filters import FILTERS, filters_in, insert_filter, price_filter
from core.errors import InputError
from core.query.match import of_rows
from dashboard.query.filters import price_sentences
from dashboard.words import plain
from dashboard.workbench.bench import DraftResults

MOST_LOSSES = 5


def choose_filter(work: DraftResults) -> str | None:
    """Draw the menu and return the search string with the filter that was inserted; None: none was."""
    with st.popover("Published filters"):
        chosen = st.selectbox(
            "Filter",
            sorted(FILTERS, key=lambda filter_id: FILTERS[filter_id].dialect != work.parsed.dialect),
            index=None,
            placeholder="Choose a filter",
            format_func=lambda filter_id: FILTERS[filter_id].name,
            key="published-filter",
        )
        if chosen is None:
            return None
        published = FILTERS[chosen]
        st.caption(f"{published.finds}. {published.source}")
        try:
            insertion = insert_filter(work.parsed, published)
        except InputError as e:
            st.code(published.text, language=None, wrap_lines=True)
            st.caption(plain(str(e)))
            return None
        st.code(insertion.filter_text, language=None, wrap_lines=True)
        if insertion.filter_text in work.parsed.text or published in filters_in(work.parsed.text):
            st.caption("This filter is already in the search string.")
            return None
        for loss in insertion.losses[:MOST_LOSSES]:
            st.caption(loss.message)
        desk = work.desk
        core = of_rows(list(desk.core_rows.values()), len(desk.corpus.ids))
        for sentence in price_sentences(price_filter(work.parsed, insertion, desk.corpus, work.draft.semantics, core)):
            st.write(plain(sentence))
        return insertion.text if st.button("Insert", type="primary", key="insert-filter") else None
