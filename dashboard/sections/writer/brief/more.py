"""What is seldom changed: what writing may cost, what a string must reach, what is held out, and what else is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import QueryscapeError
from core.query.matching.matched import Semantics
from core.types import Publication
from core.writer.gains import FEWEST
from core.writer.types import Budget
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.sources.opened import ORDER
from dashboard.sections.sources.standing import why_not
from dashboard.sections.writer.brief.texts import fill, key_of
from dashboard.sections.writer.brief.who import MOST_SEEDS
from dashboard.words import many, plain
from data.importers.reading import read_data
from data.sources.opening import ABOUT

NO_LIMIT = 0
MOST_CALLS, MOST_PUBLICATIONS, MOST_ROUNDS, MOST_SEED = 1_000, 10_000_000, 50, 2**31 - 1
NOWHERE = ""
SEMANTICS: dict[Semantics, str] = {"literal": "As written", "stemmed": "By their stems"}
MOST_MB = 20
MOST_READ = 8
"""Files whose publications are kept at hand, over all visitors."""
_USUAL = Budget()


@dataclass(frozen=True, slots=True)
class More:
    """The form's last part as it stands."""

    budget: Budget
    n_seeds: int
    seed: int
    hold_out: bool
    semantics: Semantics
    live: str | None
    supporting: tuple[Publication, ...]


def draw_more(topic_id: str) -> More:
    """The fields, under one roof."""
    with st.expander("More: budget, what is held out, what else is read", icon=":material/tune:"):
        budget, n_seeds = _draw_budget(topic_id)
        seed, hold_out, semantics = _draw_split(topic_id)
        live, supporting = _draw_reading(topic_id)
    return More(budget, n_seeds, seed, hold_out, semantics, live, supporting)


def _number(where: Any, label: str, low: float, high: float, usual: float, key: str, **more: Any) -> Any:
    return where.number_input(label, low, high, key=fill(key, usual), persist_state="session", **more)


def _draw_budget(topic_id: str) -> tuple[Budget, int]:
    a, b, c, d, e = st.columns(5, vertical_alignment="bottom")

    def key(what: str) -> str:
        return key_of(what, topic_id)

    calls = _number(
        a, "Most questions", 0, MOST_CALLS, _USUAL.most_calls, key("calls"), help="To models. 0: none is asked."
    )
    size = _number(
        b,
        "Most publications",
        NO_LIMIT,
        MOST_PUBLICATIONS,
        NO_LIMIT,
        key("size"),
        help="That a string may retrieve. 0: as many as its score allows.",
    )
    recall = _number(
        c,
        "Least recall",
        0.0,
        1.0,
        _USUAL.min_recall,
        key("recall"),
        step=0.05,
        help="Share of the core publications in use that a string has to find, if any string does.",
    )
    rounds = _number(
        d,
        "Rounds of refinement",
        0,
        MOST_ROUNDS,
        _USUAL.most_rounds,
        key("rounds"),
        help="At most, in the view Refine.",
    )
    seeds = _number(
        e, "Seeds", 1, MOST_SEEDS, 1, key("seeds"), help="Every model is asked so many times, each with another seed."
    )
    budget = Budget(
        most_calls=int(calls),
        most_publications=int(size) or None,
        most_rounds=int(rounds),
        min_recall=float(recall),
    )
    return budget, int(seeds)


def _draw_split(topic_id: str) -> tuple[int, bool, Semantics]:
    a, b, c = st.columns([0.45, 0.2, 0.35], vertical_alignment="bottom")
    hold_out = a.toggle(
        "Hold half of the core publications out",
        key=fill(key_of("hold-out", topic_id), True),
        persist_state="session",
        help="Nobody who writes sees them, so they show what was fitted to the other half. "
        f"With fewer than {FEWEST} core publications none are held out.",
    )
    seed = _number(
        b,
        "Seed",
        0,
        MOST_SEED,
        0,
        key_of("seed", topic_id),
        disabled=not hold_out,
        help="Decides which half is held out. Another seed, another half.",
    )
    chosen = c.segmented_control(
        "Words match",
        list(SEMANTICS),
        key=fill(key_of("semantics", topic_id), "literal"),
        required=True,
        format_func=SEMANTICS.__getitem__,
        persist_state="session",
        help="As written, like most databases; or by their stems, so that a word finds its other endings too.",
    )
    return int(seed), bool(hold_out), chosen or "literal"


def _draw_reading(topic_id: str) -> tuple[str | None, tuple[Publication, ...]]:
    live_at, files_at = st.columns([0.35, 0.65], gap="large")
    live = live_at.selectbox(
        "A live source may be searched",
        [NOWHERE, *ORDER],
        key=fill(key_of("live", topic_id), NOWHERE),
        format_func=lambda at: ABOUT[at].label if at in ABOUT else "No: nothing is sent",
        persist_state="session",
        help="One small search with the topic's words, so that keywords may come from what is not in your corpus.",
    )
    source = next((each for each in ORDER if each == live), None)
    if source is not None and (problem := why_not(source)):
        live_at.caption(f":material/warning: {plain(sentence(problem))}")
        source = None
    with files_at:
        supporting = _read_files(topic_id)
    return source, supporting


def _read_files(topic_id: str) -> tuple[Publication, ...]:
    files = st.file_uploader(
        "Supporting publications (optional)",
        key=key_of("files", topic_id),
        accept_multiple_files=True,
        max_upload_size=MOST_MB,
        help="RIS, BibTeX, PubMed, Web of Science, CSV and more. They are read for keywords and do not come into the "
        "topic. The core publications in use are always read.",
    )
    found: list[Publication] = []
    for file in files or ():
        try:
            found += _read(file)
        except QueryscapeError as e:
            st.error(plain(sentence(f"{file.name}: {e}")), icon=":material/error:")
    if files:
        st.caption(f"{many(len(found), 'publication')} to read.")
    return tuple(found)


def _read(file: UploadedFile) -> tuple[Publication, ...]:
    """Once, however often the page is drawn."""
    kept, key = cache.kept("writer-supporting", MOST_READ), f"{file.file_id}-{file.size}"
    if key not in kept:
        reading = read_data(file.getvalue(), file.name)
        kept[key] = tuple(record.publication(f"{reading.name}#{record.number}") for record in reading.records)
    found: tuple[Publication, ...] = kept[key]
    return found
