"""Query versions as what is judged: what they retrieved, asked about in the words of a research question."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.judging.types import Field
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.sections.judge.run.what import What, choose_k
from dashboard.sections.judge.run.widgets import choose_many, choose_named, choose_number
from dashboard.words import plain
from data.judging.fields.results_files import Take, version_field
from data.workspace import TopicSummary

HOW: dict[Take, str] = {"sample": "A random draw of each", "top": "The first of each"}
LONGEST_QUESTION = 1_000


def choose_versions() -> What | None:
    """Versions of one topic or several; None while nothing is chosen."""
    topics = {topic.topic_id: topic for topic in cache.workspace().topics() if _versions(topic)}
    if not topics:
        st.info("No topic has a query version that was run. Bring one in on the page Library, or run one on Query.")
        return None
    which, labels_at = st.columns(2, vertical_alignment="bottom")
    chosen = choose_many(which, "Topics", list(topics), "judge_topics", most=1)
    there = list(dict.fromkeys(label for topic in chosen for label in _versions(topics[topic])))
    labels = choose_many(labels_at, "Versions", there, "judge_versions", most=3)
    how_at, k_at, seed_at = st.columns([0.5, 0.25, 0.25], vertical_alignment="bottom")
    take: Take = "sample" if choose_named(how_at, "Which publications", HOW, "judge_take") == "sample" else "top"
    k = choose_k(k_at, "Publications of each")
    seed = choose_number(seed_at, "Seed", 0, 2**31 - 1, 0, "judge_seed", disabled=take == "top")
    if take == "top":
        st.caption(
            "A Boolean search has no order: its first publications are no better than its last. A draw is fairer."
        )
    question = {topic: _ask(topic) for topic in chosen}
    if not chosen or not labels:
        st.info("Choose at least one topic and one version.")
        return None
    document = {
        "source": "versions",
        "topics": chosen,
        "versions": labels,
        "question": question,
        "take": take,
        "k": k,
        "seed": seed,
    }

    def make(on_stage: OnStage) -> Field:
        on_stage("gathering publications")
        return version_field(cache.workspace(), chosen, labels, k=k, question=question, take=take, seed=seed)

    return What.of(document, make, *_states(chosen))


def _versions(topic: TopicSummary) -> list[str]:
    return [row.version.label for row in topic.versions if row.n_retrieved]


def _states(topics: Sequence[str]) -> list[str]:
    store = cache.workspace().store
    found = [row.retrieved_hash or "" for topic in topics for row in store.versions(topic)]
    return [*(store.topic_state(topic) for topic in topics), *found]


def _ask(topic: str) -> str:
    key = f"judge-question-{topic}"
    state.hold(key)
    return st.text_input(
        f"Research question of {plain(topic)}",
        key=key,
        placeholder=topic,
        max_chars=LONGEST_QUESTION,
        help="What the judge is asked about, in a sentence. A Boolean query says how to search, not what is wanted. "
        "Left empty, the topic's name is taken.",
    ).strip()
