"""Which versions are compared: two or more of one topic, by whose vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard import cache, state
from dashboard.words import plain
from data.store import VersionRow

MISSING = "missing_versions"
"""What the link asked for in vain, until another choice is made."""


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
    if missing := state.missing_in_link("versions", run):
        state.say(MISSING, _why_missing(topic_id, missing))
    state.settle_many_named("versions", list(run), most=2)
    labels = st.multiselect(
        "Versions",
        list(run),
        key="versions",
        format_func=lambda label: called(run[label]),
        help="Two or more. The first is what the others are compared with.",
        placeholder="Choose versions",
        on_change=state.say,
        args=(MISSING, ()),
    )
    for message in state.said(MISSING, ()):
        st.warning(plain(message), icon=":material/link_off:")
    state.write_in_link("versions", labels)
    rows = tuple(run[label] for label in labels if label in run)
    return Chosen(topic_id, embedder, rows) if rows else None


def _why_missing(topic_id: str, labels: Sequence[str]) -> tuple[str, ...]:
    """What the link asks for that can't be compared, and why."""
    known = {row.version.label: row for row in cache.workspace().store.versions(topic_id, deleted=True)}
    messages = []
    for label in labels:
        row = known.get(label)
        if row is not None and row.deleted_at is not None:
            why = "which was deleted. It can be brought back under History"
        elif row is not None:
            why = "which has not been run: there is nothing to compare"
        else:
            why = "which is not in this topic (any more)"
        messages.append(f'The link asks for version "{label}", {why}.')
    return tuple(messages)


def called(row: VersionRow) -> str:
    """A version as people call it: its label, and its name if it has one."""
    return f"{row.version.label}: {row.version.name}" if row.version.name else row.version.label
