"""The Search view: the form, a preview, and the start of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from core.errors import NotFoundError, QueryscapeError
from core.query.dialects import DIALECTS
from core.query.tree import DialectId, ParsedQuery
from core.sources.source_forms import MOST, SourceId, SourceOptions
from dashboard import cache, state
from dashboard.kit.link_controls import choose_number
from dashboard.messages import draw_noted, guarded, sentence
from dashboard.sources.availability import why_not
from dashboard.sources.jobs import RUN_JOBS, SourceSearch, plan, preview_of, read, start_preview, start_run
from dashboard.sources.labels import how_many, source_label, standing_words
from dashboard.sources.navigation import BROUGHT, ORDER, open_run, open_version
from dashboard.sources.preview import (
    READING,
    are_asked,
    count_answered,
    draw_answer,
    draw_asking,
    draw_sent,
    until_prepared,
    what_is_sent,
)
from dashboard.sources.run_list import draw_go_on, draw_progress
from dashboard.words import plain, short, when
from data.query.search import dialect_of
from data.sources.registry import ABOUT
from data.sources.runs import LiveRun, find_live_run, live_runs

AT_FIRST: tuple[SourceId, ...] = ("pubmed", "openalex", "europepmc")
"""Sources open to everyone."""
FOUND = "found"
"""Option of the dialect control: detect it from the text."""
TOPIC, TEXT, DIALECT, SOURCES = "live-topic", "live-text", "live-dialect", "live_source"
CAP, STEM, WILDCARDS, SYNONYMS = "live_cap", "live-stem", "live-wildcards", "live-synonyms"
KEYS = (SOURCES, CAP, STEM, WILDCARDS, SYNONYMS)
KEPT, FOR, WANTED = "live-kept", "live-for", "live-preview-wanted"
MOST_CAP = 1_000_000
LONGEST_TOPIC = 200
HELP = (
    "Any search string: PubMed, Ovid, Embase.com, Cochrane, Web of Science, Scopus, EBSCOhost, ProQuest, "
    "Dimensions, OpenAlex or plain Boolean. It is translated for each source; anything a source can't express is "
    "listed below before you run it."
)
WILDCARD_WORDS = {"drop": "Left out, with a note", "send": "Sent as they are"}
STEM_WORDS = {True: "All forms: tree finds trees", False: "Exact words"}


@dataclass(frozen=True, eq=False, slots=True)
class SearchForm:
    topic_id: str
    """Empty: none yet."""
    wish: SourceSearch
    parsed: ParsedQuery
    sources: tuple[SourceId, ...]


def keep_search() -> None:
    """Keep the contents of the form while another view or page is open."""
    kept: dict[str, Any] = state.value(KEPT, {})
    for key, value in kept.items():
        if not state.is_chosen(key):
            state.set_value(key, value)
    for key in kept:
        state.hold(key)


def choose() -> SearchForm:
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
    state.set_value(KEPT, {key: state.value(key) for key in keys if state.value(key) is not None})
    return SearchForm(topic_id, SourceSearch(text, dialect, choices, most), parsed, sources)


def _fill_in() -> None:
    """Fill in the text from another page, or that of the selected version when the selection changes."""
    selection = state.read_selection()
    chosen = f"{state.read_topic()}\n{'' if selection is None else selection.label}"
    brought = state.value(BROUGHT)
    if state.value(FOR) != chosen or state.value(TEXT) is None:
        text, dialect = "", None
        if selection is not None:
            version = cache.workspace().version(selection.topic_id, selection.label).version
            text, dialect = version.text, dialect_of(version)
        if text or state.value(TEXT) is None:
            _write(text, dialect)
        state.set_value(TOPIC, state.read_topic())
        state.set_value(FOR, chosen)
    if brought is not None:
        text, source, dialect = brought
        _write(text, dialect)
        state.set_value(SOURCES, [source])
        state.set_value(BROUGHT, None)


def _write(text: str, dialect: DialectId | None) -> None:
    state.set_value(TEXT, text)
    is_found = dialect is None or read(text).dialect == dialect
    state.set_value(DIALECT, FOUND if is_found else dialect)


def _choose_topic() -> str:
    names = [topic.topic_id for topic in cache.workspace().topics()]
    if (choice := state.value(TOPIC)) and choice not in names:
        names.append(str(choice))
    chosen = st.selectbox(
        "Topic",
        names,
        index=None,
        key=TOPIC,
        accept_new_options=True,
        placeholder="Choose or name a topic",
        help="The publications become a new version of its query. A name that is not in the list creates a new topic.",
        width=420,
    )
    return " ".join(str(chosen or "").split())[:LONGEST_TOPIC]


def _choose_dialect(where: Any, text: str) -> tuple[DialectId | None, ParsedQuery]:
    state.settle_named(DIALECT, [FOUND, *DIALECTS])
    choice = state.value(DIALECT)
    found = read(text)
    label = "a plain-language question" if found.kind == "question" else DIALECTS[found.dialect].label
    named = {FOUND: f"Detected: {label}" if text.strip() else "Detected"}
    named |= {dialect: each.label for dialect, each in DIALECTS.items()}
    where.selectbox(
        "Read as",
        list(named),
        key=DIALECT,
        format_func=lambda i: named.get(i, i),
        help="The query language of the search string.",
    )
    if choice == FOUND:
        return None, found
    dialect = cast(DialectId, choice)
    return dialect, read(text, dialect)


def _choose_sources() -> tuple[SourceId, ...]:
    if not state.is_chosen(SOURCES):
        state.set_value(SOURCES, list(AT_FIRST))
    state.settle_many_named(SOURCES, ORDER, most=0)
    chosen = st.pills(
        "Sources",
        ORDER,
        selection_mode="multi",
        key=SOURCES,
        format_func=lambda i: ABOUT[i].label,
        help="The search string is translated for each source.",
        wrap=True,
    )
    state.write_in_link(SOURCES, list(chosen or ()))
    return tuple(source for source in ORDER if source in (chosen or ()))


def _choose_more(sources: Sequence[SourceId]) -> tuple[int, SourceOptions]:
    most = choose_number(
        st,
        "Maximum publications",
        1,
        MOST_CAP,
        MOST,
        CAP,
        step=1000,
        help="Per source. Publications beyond this limit are not fetched, so the measured recall is a lower bound.",
    )
    stem, wildcards, synonyms = (state.value(key) for key in (STEM, WILDCARDS, SYNONYMS))
    if "openalex" in sources:
        stem = _one_of("OpenAlex: words", STEM, STEM_WORDS)
        wildcards = _one_of("OpenAlex: * and ?", WILDCARDS, WILDCARD_WORDS)
    if "europepmc" in sources:
        state.set_value(SYNONYMS, bool(synonyms))
        synonyms = st.toggle("Europe PMC: include synonyms", key=SYNONYMS, help="Adds MeSH synonyms; finds more.")
    return most, SourceOptions(
        stem=stem is not False, wildcards="send" if wildcards == "send" else "drop", synonyms=bool(synonyms)
    )


def _one_of(label: str, key: str, named: dict[Any, str]) -> Any:
    if state.value(key) not in named:
        state.set_value(key, next(iter(named)))
    return st.selectbox(label, list(named), key=key, format_func=lambda i: named.get(i, str(i)))


def what_is_wrong(chosen: SearchForm) -> str:
    """Return the reason why no source can be asked yet; empty: there is none."""
    if not chosen.wish.text.strip():
        return "Enter a search string to see its translation for each source."
    if not chosen.sources:
        return "Choose at least one source."
    return ""


def is_new(topic_id: str) -> bool:
    return bool(topic_id) and topic_id not in {topic.topic_id for topic in cache.workspace().topics()}


# The button that runs a string in a source, the progress of the run, and the version made from it.

BEGUN, FOLLOWED, MISTAKE = "live-begun-", "live-followed", "live-mistake-"
SHOWN = 3


def draw_run(chosen: SearchForm, source: SourceId, reason: str) -> str | None:
    """Draw the button, or the run it started; return its id. `reason`: why the source is unavailable, or empty."""
    key = BEGUN + _where(chosen, source)
    run = _found(state.value(key))
    if run is None:
        _draw_button(chosen, source, reason)
        return None
    _draw_state(run)
    if run.state == "done":
        draw_what_came(run)
        if st.button(
            "Fetch again",
            key=f"live-again-{source}",
            icon=":material/replay:",
            type="tertiary",
            disabled=bool(reason),
            help=reason or "Queries the source again and creates another version.",
        ):
            _begin(chosen, source, fresh=True)
    elif not RUN_JOBS.is_running(run.run_id):
        draw_go_on(run)
    return run.run_id


def _where(chosen: SearchForm, source: SourceId) -> str:
    return f"{chosen.wish.key(source)}-{chosen.topic_id}"


def _found(run_id: str | None) -> LiveRun | None:
    with suppress(NotFoundError):
        return find_live_run(cache.workspace().store, run_id) if run_id else None
    return None


def _draw_button(chosen: SearchForm, source: SourceId, reason: str) -> None:
    label = source_label(source)
    reason = reason or ("" if chosen.topic_id else "Choose or name a topic for the publications first.")
    if st.button(
        f"Run in {label}",
        key=f"live-run-{source}",
        icon=":material/cloud_download:",
        disabled=bool(reason),
        help=reason or f"Fetches up to {chosen.wish.most:,} publications as a new version of the topic's query.",
    ):
        _begin(chosen, source)
    if reason:
        st.caption(plain(reason))
    elif is_new(chosen.topic_id):
        st.caption(plain(f"Creates a new topic: {chosen.topic_id}."))
    draw_noted(MISTAKE + source)


def _begin(chosen: SearchForm, source: SourceId, *, fresh: bool = False) -> None:
    """Start a run and draw the page again. An identical run of today is shown instead.

    No callback: one would get the form of the draw before, without what was typed just before the click.
    """
    try:
        prepared = what_is_sent(chosen.wish, chosen.parsed, source).prepared
        run = plan(chosen.topic_id, chosen.wish, source, prepared=prepared, fresh=fresh)
        state.set_value(BEGUN + _where(chosen, source), run.run_id)
        if run.state == "done":
            state.say_once("sources", "This search was already run today; its result is shown.")
        else:
            state.set_value(FOLLOWED, [*state.value(FOLLOWED, []), run.run_id])
            start_run(run.run_id)
    except QueryscapeError as e:
        state.say_once(MISTAKE + source, str(e))
    st.rerun()


def _draw_state(run: LiveRun) -> None:
    if not RUN_JOBS.is_running(run.run_id):  # otherwise the bar shows it, with newer numbers
        words = sentence(standing_words(run, at_work=False))[:-1]
        st.markdown(f"**{plain(words)}** · {plain(how_many(run))}")
    draw_progress(run)


def draw_what_came(run: LiveRun) -> None:
    st.caption(plain(f"Version {run.label}, {when(run.ended_at or run.made_at)}."))
    with st.container(horizontal=True):
        if run.label and st.button(
            "Open in the Workbench",
            key=f"live-explore-{run.run_id}",
            icon=":material/travel_explore:",
            type="primary",
        ):
            open_version(run.topic_id, run.label)
        st.button(
            "Open the run",
            key=f"live-open-{run.run_id}",
            icon=":material/receipt_long:",
            help="See the requests sent and the records received.",
            on_click=open_run,
            args=(run.run_id,),
        )


def draw_unfinished(shown: Collection[str]) -> None:
    """Draw unfinished runs, including interrupted ones, except those shown with the form."""
    runs = [r for r in live_runs(cache.workspace().store) if r.state != "done" and r.run_id not in shown]
    runs.sort(key=lambda run: not RUN_JOBS.is_running(run.run_id))
    for run in runs[:SHOWN]:
        with guarded(), st.container(border=True, key=f"live-left-{run.run_id}"):
            words, button = st.columns([0.8, 0.2], vertical_alignment="center")
            at_work = RUN_JOBS.is_running(run.run_id)
            parts = [standing_words(run, at_work=at_work), *([] if at_work else [how_many(run)]), run.topic_id]
            words.markdown(f"**{plain(source_label(run.source))}** · {plain(' · '.join(parts))}")
            words.caption(plain(short(run.text)))
            with button, st.container(horizontal_alignment="right"):
                draw_go_on(run)
            draw_progress(run)
    if len(runs) > SHOWN:
        st.caption(f"{len(runs) - SHOWN:,} more are not finished: see Runs.")


def note_ended() -> None:
    """Announce the end of each run started by this visitor, once."""
    for run_id in list(state.value(FOLLOWED, [])):
        job, run = RUN_JOBS.find(run_id), _found(run_id)
        if job is not None and not job.is_over:
            continue
        if run is not None and run.state == "done":
            label = source_label(run.source)
            state.say_once(
                "sources",
                f"{label}: fetched {run.n_records:,} publications as version {run.label} of {run.topic_id}.",
            )
        if run is None or run.state == "done":
            state.set_value(FOLLOWED, [each for each in state.value(FOLLOWED, []) if each != run_id])


# The view "Search".


def draw_search() -> None:
    note_ended()
    unfinished = st.container()
    chosen = choose()
    shown: set[str] = set()
    if wrong := what_is_wrong(chosen):
        st.info(wrong)
    else:
        _draw_preview(chosen)
        for source in chosen.sources:
            with guarded(), st.container(border=True, key=f"live-card-{source}"):
                if run_id := _draw_card(chosen, source):
                    shown.add(run_id)
    with unfinished:
        draw_unfinished(shown)


def _draw_preview(chosen: SearchForm) -> None:
    sendings = {s: what_is_sent(chosen.wish, chosen.parsed, s) for s in chosen.sources}
    able = tuple(s for s, sending in sendings.items() if sending.prepared is not None and not why_not(s))
    coming = tuple(s for s, sending in sendings.items() if sending.is_coming)
    is_asking = are_asked(chosen.wish, able)
    with st.container(horizontal=True, vertical_alignment="center", key="live-preview"):
        if st.button(
            "Preview",
            key="live-preview-button",
            icon=":material/calculate:",
            type="primary",
            disabled=is_asking or not able or bool(coming),
            help="Gets the number of publications that the string finds in each source. No publication is fetched.",
        ):
            state.set_value(WANTED, True)
        if state.value(WANTED) and not coming:  # a string typed just before the click is read first
            state.set_value(WANTED, None)
            start_preview(chosen.wish, able)
            st.rerun()
        if coming:
            until_prepared(chosen.wish, coming)
        elif is_asking:
            draw_asking(chosen.wish, able, count_answered(chosen.wish, able))
        else:
            st.caption(_form_summary(chosen, able), width="content")


def _form_summary(chosen: SearchForm, able: tuple[SourceId, ...]) -> str:
    if any(preview_of(chosen.wish, source) is not None for source in chosen.sources):
        return "Only counts were requested; nothing is fetched before a run."
    if able:
        return "Nothing sent yet."
    is_away = any(why_not(source) for source in chosen.sources)
    return "None of these sources is available now." if is_away else "None of these sources can run this search."


def _draw_card(chosen: SearchForm, source: SourceId) -> str | None:
    sending = what_is_sent(chosen.wish, chosen.parsed, source)
    left, right = st.columns([0.64, 0.36], gap="large")
    with left:
        st.markdown(f"## {plain(ABOUT[source].label)}")
        if sending.is_coming:
            st.caption(READING)
            return None
        if sending.prepared is None:
            st.warning(plain(sentence(sending.problem)), icon=":material/block:")
            return None
        draw_sent(sending.prepared, chosen.wish.text, source)
    with right:
        draw_answer(chosen.wish, source)
        return draw_run(chosen, source, why_not(source))
