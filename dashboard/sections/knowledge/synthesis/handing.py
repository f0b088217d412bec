"""Handing over what was made: as a collection of the workspace, or as question files in STaRK's layout."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.synthesis.reading import Made
from dashboard import cache, state
from data.collections.stored import is_stored
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.keeping import (
    SynthesisRow,
    collection_of,
    delete_synthesis,
    exported,
    save_made,
    stark_zip,
)


def draw_handing(base: KnowledgeBase, row: SynthesisRow, made: Sequence[Made]) -> None:
    """Save, download, delete."""
    st.subheader("Hand over")
    n_refused = sum(each.outcome.state == "gold refused" for each in made)
    with_refused = n_refused > 0 and st.checkbox(
        f"With the {n_refused:,} whose gold answer was refused", key=f"refused-{row.synthesis_id}"
    )
    n = len(exported(made, with_refused=with_refused))
    if not n:
        st.caption("There is no complete query yet.")
    else:
        _draw_saving(base, row, made, n, with_refused)
    with st.popover("Delete this synthesis", icon=":material/delete:", type="tertiary"):
        st.caption("All that was asked and answered goes with it. Collections that were saved stay.")
        if st.button("Delete it", key=f"delete-{row.synthesis_id}"):
            delete_synthesis(cache.workspace().store, row.synthesis_id)
            state.say_once("knowledge", f"{row.name}: deleted, with all that was asked and answered.")
            st.rerun()


def _draw_saving(base: KnowledgeBase, row: SynthesisRow, made: Sequence[Made], n: int, with_refused: bool) -> None:
    name_at, save_at, file_at = st.columns([0.46, 0.27, 0.27], vertical_alignment="bottom")
    name = name_at.text_input("Collection", value=f"{row.name}-queries", key=f"save-name-{row.synthesis_id}")
    there = is_stored(cache.workspace().store, name.strip())
    if save_at.button(
        "Replace the collection" if there else "Save as a collection",
        key=f"save-{row.synthesis_id}",
        icon=":material/save:",
        help="Its queries carry the template and what fills its blanks, so retrievers can be compared on them.",
        width="stretch",
    ):
        kept = save_made(
            cache.workspace().store, base, made, row.settings, name, with_refused=with_refused, replace=there
        )
        cache.collections_changed()
        state.say_once("knowledge", f"{kept.name}: {kept.n_queries:,} queries saved. Open it on the page Retrievers.")
        st.rerun()
    collection = collection_of(base, made, row.settings, row.name, with_refused=with_refused, with_documents=False)
    file_at.download_button(
        "STaRK files",
        stark_zip(collection),
        file_name=f"{_stem(row.name)}-stark-qa.zip",
        mime="application/zip",
        icon=":material/download:",
        help=f"{n:,} questions with answers, and the splits, as STaRK publishes them.",
        width="stretch",
    )


def _stem(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name).strip("-")[:60] or "queries"
