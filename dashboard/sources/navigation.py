"""Open a run or a search from any page."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from core.query.tree import DialectId
from core.sources.source_forms import LABELS, SourceId
from dashboard import cache, state

ORDER: tuple[SourceId, ...] = ("pubmed", "openalex", "europepmc", "semanticscholar", "dimensions")
"""Order of the sources: those open to everyone first."""
NEXT_VIEW = "sources_next"
"""Key of the view to show next."""
OPENED = "live_run"
"""Key of the run shown in the views Runs and Core publications; in the link."""
BROUGHT = "live-brought"
"""Key of a text that another page passes to the view Search."""


def open_run(run_id: str, view: str = "Runs") -> None:
    """Show this run on the next rerun."""
    state.set_value(OPENED, run_id)
    state.set_value(NEXT_VIEW, view)


def close_run() -> None:
    state.set_value(OPENED, None)
    state.write_in_link(OPENED, [])


def opened_run_id() -> str | None:
    """Return the run opened here or by the link; None: none."""
    if not state.is_chosen(OPENED):
        return None
    asked = state.asked_for(OPENED) if state.value(OPENED, "") is not None else ()
    return asked[0] if asked else None


def open_search(text: str, source: SourceId, dialect: DialectId | None = None) -> NoReturn:
    """Go to the view Search with this text and this source; nothing is sent yet."""
    state.set_value(BROUGHT, (text, source, dialect))
    state.set_value(NEXT_VIEW, "Search")
    st.switch_page("sources/page.py", query_params={})


def open_version(topic_id: str, label: str) -> NoReturn:
    """Go to the Workbench, with the version made from a run."""
    state.choose_topic_next(topic_id)
    state.choose_version_next(label)
    st.switch_page("workbench/page.py", query_params={})


# The place where a text is run: over the topic's publications, or in a live source.


def offered() -> list[dict[str, str]]:
    return [] if cache.workspace().store.is_read_only else [{"id": source, "label": LABELS[source]} for source in ORDER]
