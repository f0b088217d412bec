"""Topics without a generated string that was run, and a button that has them written in the background."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.protocols import OnStage
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.store import content_hash
from data.studies.strings import Lack, Lacking, Made, Making, Way, lacking, make_missing

WAYS: dict[str, Way] = {"Corpus statistics": "statistics", "Demo (not a language model)": "demo"}
SAID: dict[Lack, str] = {
    "string": "without a generated string",
    "run": "with a generated string that was never run",
    "corpus": "with nothing but core publications to search",
    "core": "without core publications",
}
MOST_NAMES = 6
MOST_KEPT = 20


def draw_missing(topics: Sequence[str], embedder: str | None) -> None:
    """Open where something is missing that can be made; else only a way to write anew."""
    key = f"strings-write:{content_hash([*topics, embedder or ''])}"
    missing = lacking(cache.workspace(), topics)
    can_be = [each for each in missing if each.can_be_made]
    job = cache.jobs().find(key)
    made: tuple[Made, ...] = cache.kept("strings-made", MOST_KEPT).get(key, ())
    title = f"{_topics(len(can_be))} without a generated list" if can_be else "Write generated strings"
    with st.expander(
        title, expanded=bool(can_be) or job is not None, icon=":material/edit_note:", key="strings-missing"
    ):
        _say(missing)
        if job is not None and not job.is_over:
            watch(job, "Stop")
            return
        if job is not None and not job.finished:
            how_it_ended(job)
        elif job is not None:
            cache.jobs().forget(key)
        _say_made(made)
        _draw_start(key, topics, can_be, embedder)


def _say(missing: Sequence[Lacking]) -> None:
    for lack, words in SAID.items():
        names = [each.topic_id for each in missing if each.lack == lack]
        if names:
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            st.caption(plain(f"{_topics(len(names))} {words}: {', '.join(names[:MOST_NAMES])}{more}."))


def _draw_start(key: str, topics: Sequence[str], can_be: Sequence[Lacking], embedder: str | None) -> None:
    if embedder is None:
        st.caption("A string is judged by vectors: make some on the page Library.")
        return
    by, anew = st.columns([0.6, 0.4], gap="medium", vertical_alignment="bottom")
    way = WAYS[str(by.radio("Written by", list(WAYS), horizontal=True, key="written_by", help=BY))]
    all_of_them = not can_be or anew.checkbox("Also where there is one", key="anew", help=ANEW)
    everywhere = [each for each in lacking(cache.workspace(), topics, anew=True) if each.can_be_made]
    to_make = everywhere if all_of_them else can_be
    label = "Write them all" if all_of_them else _what_to_do(to_make)
    if st.button(f"{label} ({len(to_make)})", type="primary", disabled=not to_make, key="write-missing"):
        _start(key, to_make, Making(way, embedder))
        st.rerun()


def _what_to_do(missing: Sequence[Lacking]) -> str:
    """A text that is there is run, not written anew."""
    lacks = {each.lack for each in missing}
    if lacks == {"run"}:
        return "Run the ones there are"
    return "Write or run the missing ones" if "run" in lacks else "Write the missing ones"


BY = (
    "Keywords are counted in the topic's publications, or proposed by a script that stands in for a language model. "
    "Neither needs a key. With a language model, write on the page Writer."
)
ANEW = "A new version is added; none is replaced, and the latest counts."


def _start(key: str, to_make: Sequence[Lacking], making: Making) -> None:
    workspace, kept = cache.workspace(), cache.kept("strings-made", MOST_KEPT)

    def work(on_stage: OnStage) -> None:
        kept[key] = make_missing(workspace, to_make, making, on_stage=on_stage)

    cache.jobs().start(key, "Writing strings", work, lane="long", anew=True)


def _say_made(made: Sequence[Made]) -> None:
    if not made:
        return
    named = "; ".join(f"{each.topic_id}: {each.label}" for each in made[:MOST_NAMES])
    more = f" and {len(made) - MOST_NAMES} more" if len(made) > MOST_NAMES else ""
    st.success(plain(f"Versions of the last time: {named}{more}."), icon=":material/check:")
    for each in made:
        if each.problem:
            st.warning(plain(sentence(f"{each.topic_id}: {each.problem}")), icon=":material/warning:")


def _topics(n: int) -> str:
    return "1 topic" if n == 1 else f"{n:,} topics"
