"""What of the audit is looked at, and the way to it from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

from dashboard import state

PAGE = "app_pages/audit.py"
VIEW, NEXT_VIEW = "audit", "audit_next"
"""The view that is drawn, and the one that something on the page leads to."""
ITEM, REVIEW, VERSIONS = "audit_item", "audit_review", "audit_versions"
"""The item and the review that are opened, and the versions that are reported; all in the link."""


def opened(key: str) -> str | None:
    """The item or the review that was opened here, or by the link; None: none is."""
    if not state.is_chosen(key):
        return None
    asked = state.asked_for(key) if state.said(key, "") is not None else ()
    return asked[0] if asked else None


def open_one(key: str, name: str) -> None:
    """Show this item or this review as soon as the page is drawn again."""
    state.say(key, name)
    state.write_in_link(key, [name])


def close_one(key: str) -> None:
    """Show none."""
    state.say(key, None)
    state.write_in_link(key, [])


def open_view(view: str) -> None:
    """Show another view as soon as the page is drawn again."""
    state.say(NEXT_VIEW, view)


def link_to_report(topic_id: str, labels: Sequence[str], *, label: str, embedder: str | None = None) -> None:
    """A link from another page to the view Report, with these versions chosen."""
    link = {"topic": topic_id, "audit": "Report", VERSIONS: list(labels)}
    link |= {} if len(labels) != 1 else {"version": labels[0]}
    link |= {} if embedder is None else {"embedder": embedder}
    st.page_link(PAGE, label=label, icon=":material/fact_check:", query_params=link)


def open_report(topic_id: str, label: str) -> NoReturn:
    """Go to the view Report with this version, whatever topic is looked at."""
    state.choose_topic_next(topic_id)
    state.choose_version_next(label)
    st.switch_page(PAGE, query_params={VIEW: "Report", VERSIONS: [label]})
