"""What is searched, where, and where its publications go: the form of the view Search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from core.query.dialects import DIALECTS
from core.query.tree import DialectId, ParsedQuery
from core.sources.sending.saying import MOST, Choices, SourceId
from dashboard import cache, state
from dashboard.sections.sources.opened import BROUGHT, ORDER
from dashboard.sections.sources.work import Wish, read
from data.running import dialect_of
from data.sources.opening import ABOUT

AT_FIRST: tuple[SourceId, ...] = ("pubmed", "openalex", "europepmc")
"""Open to everybody."""
FOUND = "found"
"""Among the dialects: the one that the text shows."""
TOPIC, TEXT, DIALECT, SOURCES = "live-topic", "live-text", "live-dialect", "live_source"
CAP, STEM, WILDCARDS, SYNONYMS = "live_cap", "live-stem", "live-wildcards", "live-synonyms"
KEYS = (SOURCES, CAP, STEM, WILDCARDS, SYNONYMS)
KEPT, FOR = "live-kept", "live-for"
MOST_CAP = 1_000_000
LONGEST_TOPIC = 200
HELP = (
    "Any search string: PubMed, Ovid, Web of Science, Scopus, EBSCOhost, Dimensions, OpenAlex or plain Boolean. Each "
    "source is sent what it understands, and what it can't say is listed below before anything is sent."
)
WILDCARD_WORDS = {"drop": "Left out, and said so", "send": "Sent as they are"}
STEM_WORDS = {True: "In any form: tree finds trees", False: "As they are written"}


@dataclass(frozen=True, eq=False, slots=True)
class Chosen:
    """What the form says."""

    topic_id: str
    """Empty: none yet."""
    wish: Wish
    parsed: ParsedQuery
    sources: tuple[SourceId, ...]


def keep_search() -> None:
    """What the form says stays while another view or page is looked at."""
    kept: dict[str, Any] = state.said(KEPT, {})
    for key, value in kept.items():
        if not state.is_chosen(key):
            state.say(key, value)
    for key in kept:
        state.hold(key)


def choose() -> Chosen:
    """The form, from top to bottom."""
    keep_search()
    _fill_in()
    topic_id = _choose_topic()
    text = str(
        st.text_area(
            "Search string", key=TEXT, height=140, placeholder='heat AND ("street trees" OR shade*)', help=HELP
        )
    )
    dialect_at, sources_at = st.columns([0.25, 0.75], vertical_alignment="bottom")
    dialect, parsed = _choose_dialect(dialect_at, text)
    with sources_at, st.container(horizontal=True, vertical_alignment="bottom", key="live-where"):
        sources = _choose_sources()
        with st.popover("More", icon=":material/tune:", key="live-more"):
            most, choices = _choose_more(sources)
    keys = (TOPIC, TEXT, DIALECT, *KEYS)
    state.say(KEPT, {key: state.said(key) for key in keys if state.said(key) is not None})
    return Chosen(topic_id, Wish(text, dialect, choices, most), parsed, sources)


def _fill_in() -> None:
    """What another page handed over; else the text of the version that the sidebar says, as soon as it says another."""
    selection = state.read_selection()
    chosen = f"{state.read_topic()}\n{'' if selection is None else selection.label}"
    brought = state.said(BROUGHT)
    if state.said(FOR) != chosen or state.said(TEXT) is None:
        text, dialect = "", None
        if selection is not None:
            version = cache.workspace().version(selection.topic_id, selection.label).version
            text, dialect = version.text, dialect_of(version)
        if text or state.said(TEXT) is None:
            _write(text, dialect)
        state.say(TOPIC, state.read_topic())
        state.say(FOR, chosen)
    if brought is not None:
        text, source, dialect = brought
        _write(text, dialect)
        state.say(SOURCES, [source])
        state.say(BROUGHT, None)


def _write(text: str, dialect: DialectId | None) -> None:
    state.say(TEXT, text)
    is_found = dialect is None or read(text).dialect == dialect
    state.say(DIALECT, FOUND if is_found else dialect)


def _choose_topic() -> str:
    names = [topic.topic_id for topic in cache.workspace().topics()]
    if (said := state.said(TOPIC)) and said not in names:
        names.append(str(said))
    chosen = st.selectbox(
        "Topic",
        names,
        index=None,
        key=TOPIC,
        accept_new_options=True,
        placeholder="Name a topic",
        help="Where the publications go, as a new version of its query. A name that is not in the list makes a new "
        "topic.",
        width=420,
    )
    return " ".join(str(chosen or "").split())[:LONGEST_TOPIC]


def _choose_dialect(where: Any, text: str) -> tuple[DialectId | None, ParsedQuery]:
    state.settle_named(DIALECT, [FOUND, *DIALECTS])
    said = state.said(DIALECT)
    found = read(text)
    label = "a question" if found.kind == "question" else DIALECTS[found.dialect].label
    named = {FOUND: f"Found: {label}" if text.strip() else "As found"}
    named |= {dialect: each.label for dialect, each in DIALECTS.items()}
    where.selectbox(
        "Read as",
        list(named),
        key=DIALECT,
        format_func=lambda i: named.get(i, i),
        help="The query language that the string is written in.",
    )
    if said == FOUND:
        return None, found
    dialect = cast(DialectId, said)
    return dialect, read(text, dialect)


def _choose_sources() -> tuple[SourceId, ...]:
    if not state.is_chosen(SOURCES):
        state.say(SOURCES, list(AT_FIRST))
    state.settle_many_named(SOURCES, ORDER, most=0)
    chosen = st.pills(
        "Sources to ask",
        ORDER,
        selection_mode="multi",
        key=SOURCES,
        format_func=lambda i: ABOUT[i].label,
        help="Each is sent the string in its own language.",
        wrap=True,
    )
    state.write_in_link(SOURCES, list(chosen or ()))
    return tuple(source for source in ORDER if source in (chosen or ()))


def _choose_more(sources: Sequence[SourceId]) -> tuple[int, Choices]:
    state.settle_number(CAP, 1, MOST_CAP, MOST)
    most = int(
        st.number_input(
            "Publications at most",
            1,
            MOST_CAP,
            step=1000,
            key=CAP,
            help="Of each source. What lies beyond is not fetched: recall measured on the rest is a lower bound.",
        )
    )
    state.write_in_link(CAP, [str(most)] if most != MOST else [])
    stem, wildcards, synonyms = (state.said(key) for key in (STEM, WILDCARDS, SYNONYMS))
    if "openalex" in sources:
        stem = _one_of("OpenAlex: words", STEM, STEM_WORDS)
        wildcards = _one_of("OpenAlex: * and ?", WILDCARDS, WILDCARD_WORDS)
    if "europepmc" in sources:
        state.say(SYNONYMS, bool(synonyms))
        synonyms = st.toggle("Europe PMC: look for synonyms too", key=SYNONYMS, help="Those of MeSH; finds more.")
    return most, Choices(
        stem=stem is not False, wildcards="send" if wildcards == "send" else "drop", synonyms=bool(synonyms)
    )


def _one_of(label: str, key: str, named: dict[Any, str]) -> Any:
    if state.said(key) not in named:
        state.say(key, next(iter(named)))
    return st.selectbox(label, list(named), key=key, format_func=lambda i: named.get(i, str(i)))


def what_is_wrong(chosen: Chosen) -> str:
    """Why nothing can be asked yet, whatever the source; empty: nothing."""
    if not chosen.wish.text.strip():
        return "Type a search string to see what each source would be sent."
    if not chosen.sources:
        return "Choose at least one source."
    return ""


def is_new(topic_id: str) -> bool:
    """Whether a run makes the topic."""
    return bool(topic_id) and topic_id not in {topic.topic_id for topic in cache.workspace().topics()}
