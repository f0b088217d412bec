"""Whose lists and whose vectors a study is about: the controls that its parts share."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.core_sets import ORIGIN_LABELS
from core.types import Origin
from dashboard import cache, state
from data.studies.scores import ORIGINS, runs_by_origin


def origins_there(topics: Sequence[str]) -> dict[Origin, int]:
    """Origins of versions that were run, with the number of topics that have one; the most frequent first."""
    runs = runs_by_origin(cache.workspace(), topics).values()
    counts = {origin: sum(origin in of_topic for of_topic in runs) for origin in ORIGINS}
    return dict(sorted(((o, n) for o, n in counts.items() if n), key=lambda pair: -pair[1]))


def choose_origin(
    topics: Sequence[str], key: str = "origin", label: str = "Lists of", *, best_beside: Origin | None = None
) -> Origin | None:
    """One origin; None if no version was run. The first offered is the most frequent, beside another one if named."""
    there = origins_there(topics)
    if best_beside is not None:
        together = _topics_with_both(topics, best_beside)
        there = dict(sorted(there.items(), key=lambda pair: (pair[0] == best_beside, -together.get(pair[0], 0))))
    options = {ORIGIN_LABELS[origin]: origin for origin in there}
    if not options:
        return None
    state.settle(key, list(options))
    named = st.selectbox(
        label,
        list(options),
        key=key,
        bind="query-params",
        format_func=lambda name: f"{name} ({_topics(there[options[name]])})",
        help="The latest version of this origin counts in each topic.",
    )
    return options[str(named)]


def _topics_with_both(topics: Sequence[str], origin: Origin) -> dict[Origin, int]:
    runs = runs_by_origin(cache.workspace(), topics).values()
    return {other: sum(origin in of_topic and other in of_topic for of_topic in runs) for other in ORIGINS}


def choose_embedder(key: str = "vectors") -> str | None:
    """Vectors that cover any topic; None if there are none. The choice is drawn only where there is one."""
    counts: dict[str, int] = {}
    for topic in cache.workspace().topics():
        for embedder in topic.embedders:
            counts[embedder] = counts.get(embedder, 0) + 1
    if not counts:
        return None
    names = sorted(counts, key=lambda name: (-counts[name], name))
    state.settle(key, names)
    return str(
        st.selectbox(
            "Vectors",
            names,
            key=key,
            bind="query-params",
            format_func=lambda name: f"{name} ({_topics(counts[name])})",
        )
    )


def _topics(n: int) -> str:
    return f"{n} {'topic' if n == 1 else 'topics'}"
