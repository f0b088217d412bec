"""What the columns of a table hold, where nobody but its owner knows."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from data.importers.tables.providers import Proposal

FIELDS = {
    "title": "Title",
    "abstract": "Abstract",
    "year": "Year",
    "doi": "DOI",
    "pmid": "PMID",
    "authors": "Authors",
    "venue": "Journal",
    "keywords": "Keywords",
    "own_id": "The source's own id",
    "included": "Included or not",
}
NONE = "–"


def draw_mapping(file_id: str, proposal: Proposal) -> None:
    """A form with a choice for each field; the guesses are in place."""
    before = state.read_columns(file_id) or proposal.mapping
    options = [NONE, *dict.fromkeys(proposal.columns)]
    with st.form(f"columns-form-{file_id}", border=False):
        st.caption("Which column holds what? A title, a DOI or a PMID is needed.")
        places = st.columns(2)
        chosen = {}
        for n, (field, label) in enumerate(FIELDS.items()):
            column = before.get(field, NONE)
            with places[n % 2]:
                chosen[field] = st.selectbox(
                    label,
                    options,
                    index=options.index(column) if column in options else 0,
                    key=f"column-{field}-{file_id}",
                )
        rows = [dict(zip(proposal.columns, row, strict=True)) for row in proposal.sample]
        if rows:
            st.dataframe(rows, hide_index=True)
        if st.form_submit_button("Read it so"):
            state.keep_columns(file_id, {field: name for field, name in chosen.items() if name not in (None, NONE)})
            st.rerun()
