"""What was changed in the wording."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_part
from dashboard.components.wordings import wordings_document
from dashboard.sections.versions.chosen import Chosen, called
from dashboard.words import plain
from data.store import VersionRow


def draw_text(chosen: Chosen) -> None:
    """What was changed in the wording, from the first version to another."""
    first, other = chosen.rows[0], _other(chosen)
    if not first.version.text.strip() and not other.version.text.strip():
        st.info("Neither version has a wording: these came as lists of publications. Add one on the page Library.")
        return
    mount_part("versions_text", wordings_document(first, other), key="versions-text")
    st.caption(
        plain(
            "How to read this: − is only in the first text, + only in the second. Case and white space are no "
            "difference. Point at a change to see where it stands."
        )
    )


def _other(chosen: Chosen) -> VersionRow:
    """The version that the first is held against."""
    others = {row.version.label: row for row in chosen.rows[1:]}
    if len(others) == 1:
        return next(iter(others.values()))
    state.settle("versions_other", list(others))
    label = st.selectbox(
        plain(f"Compare {chosen.labels[0]} with"),
        list(others),
        key="versions_other",
        bind="query-params",
        format_func=lambda label: called(others[label]),
    )
    return others[str(label)]
