"""What a report or a bundle is made of: which versions, by whose vectors, under which settings."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.audit.whole import ReportKind
from dashboard import cache, state
from dashboard.sections.audit.opened import VERSIONS
from dashboard.sections.audit.typed import fill_in
from dashboard.sections.versions.chosen import called
from dashboard.sections.versions.settings import draw_settings
from dashboard.words import plain
from data.audit.reports import Asked

KIND_KEY = "audit_what"
KINDS: dict[ReportKind, tuple[str, str]] = {
    "audit": ("The whole audit", "The record, the peer reviews and the query quality report in one."),
    "prisma-s": ("PRISMA-S appendix", "The sixteen items and the flow."),
    "press": ("Peer review", "The reviews of these versions by the six domains of PRESS 2015."),
    "quality": (
        "Query quality report",
        "Scores, landscape, curves, core publications, terms, and how far to believe them.",
    ),
}
NEED_SCORES: frozenset[ReportKind] = frozenset({"audit", "quality"})
ABSTRACTS = "audit_abstracts"
ALL = "Every version"


def choose_kind() -> ReportKind:
    """What is made; in the link."""
    state.settle_named(KIND_KEY, list(KINDS))
    chosen = st.segmented_control(
        "What", list(KINDS), key=KIND_KEY, required=True, format_func=lambda at: KINDS[at][0], wrap=True
    )
    kind: ReportKind = chosen or "audit"
    state.write_in_link(KIND_KEY, [kind] if kind != next(iter(KINDS)) else [])
    st.caption(KINDS[kind][1])
    return kind


def choose(topic_id: str, kind: ReportKind) -> Asked:
    """Versions, settings, abstracts."""
    rows = {row.version.label: row for row in cache.workspace().store.versions(topic_id)}
    missing = state.missing_in_link(VERSIONS, rows)
    state.settle_many_named(VERSIONS, list(rows), most=0)
    chosen = st.multiselect(
        "Versions",
        list(rows),
        key=VERSIONS,
        placeholder=ALL,
        format_func=lambda at: called(rows[at]) if at in rows else at,
        help="With none chosen: every one that was run or brought in and is not hidden.",
    )
    state.write_in_link(VERSIONS, chosen)
    if missing:
        st.warning(
            plain(f"The link asks for {', '.join(missing)}, which is not here (any more)."), icon=":material/link_off:"
        )
    selection = state.read_selection()
    embedder = selection.embedder if selection is not None else None
    more: Mapping[str, object] = {}
    if kind in NEED_SCORES and embedder is not None:
        st.caption(plain(f"Similarities by {embedder}, as chosen in the sidebar."))
        more = {"settings": draw_settings(embedder)}
    fill_in(ABSTRACTS, False)
    abstracts = st.toggle(
        "With abstracts",
        key=ABSTRACTS,
        help="Ids and titles suffice to repeat the search. Publishers may not allow abstracts to be handed on, so they "
        "stay out unless you ask for them.",
    )
    return Asked(kind, topic_id, tuple(chosen) or None, embedder, abstracts=bool(abstracts), **more)  # type: ignore[arg-type]
