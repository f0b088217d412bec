"""Which versions are compared: two or more of one topic, by whose vectors."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard import cache, state
from data.store import VersionRow


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the page compares. A difference is the later one minus the earlier, in this order."""

    topic_id: str
    embedder: str
    rows: tuple[VersionRow, ...]
    """In the order in which they were chosen; at least one."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Their labels, in that order."""
        return tuple(row.version.label for row in self.rows)


def choose_versions(topic_id: str, embedder: str) -> Chosen | None:
    """The choice at the head of the page; None while there is nothing to choose from."""
    run = {row.version.label: row for row in cache.workspace().store.versions(topic_id) if row.n_retrieved is not None}
    if not run:
        return None
    state.settle_many_named("versions", list(run), most=2)
    labels = st.multiselect(
        "Versions",
        list(run),
        key="versions",
        format_func=lambda label: called(run[label]),
        help="Two or more. The first is what the others are compared with.",
        placeholder="Choose versions",
    )
    state.write_in_link("versions", labels)
    rows = tuple(run[label] for label in labels if label in run)
    return Chosen(topic_id, embedder, rows) if rows else None


def called(row: VersionRow) -> str:
    """A version as people call it: its label, and its name if it has one."""
    return f"{row.version.label}: {row.version.name}" if row.version.name else row.version.label
