"""The Core publications view: look up each core publication in a source, and explain misses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Protocol

import streamlit as st

from core.errors import NoCoreError
from core.query.parser import parse
from core.query.tree import Span
from core.sources.core_lookup import VERDICTS, CoreCounts, CoreVerdict, core_counts, in_range
from core.sources.preparation import Clause, clauses
from core.sources.runs import SOURCE_METRICS, in_dollars, in_time
from core.sources.source_forms import SourceId
from core.text import many
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.kit.components import current_theme, draw_folded
from dashboard.kit.link_controls import choose_one
from dashboard.kit.theme import COLOURS, Theme
from dashboard.messages import draw_noted, draw_problem, guarded, sentence
from dashboard.sources.availability import why_not
from dashboard.sources.jobs import RUN_JOBS, SourceSearch, asking, lookup_of, plan, start_lookup
from dashboard.sources.labels import csv_bytes, draw_files, file_stem, json_bytes, run_name, source_label
from dashboard.sources.navigation import NEXT_VIEW, OPENED, ORDER, open_run
from dashboard.status import forget, is_watched, why_locked
from dashboard.words import plain, short, when
from data.sources.core_lookup import MOST_CALLS, CoreLookupItem, Lookup, wanted_core
from data.sources.registry import ABOUT
from data.sources.runs import LiveRun, brought_ids, live_runs, version_of
from data.sources.types import LookupTarget

# A search string with the parts marked that miss a publication. The text is user input, so all of it is escaped.


class MarkedPart(Protocol):
    @property
    def span(self) -> Span: ...

    @property
    def is_excluded(self) -> bool:
        """True if it follows NOT."""
        ...


MISSES, EXCLUDES = "misses it", "excludes it"


def marked_html(text: str, failing: Sequence[MarkedPart], theme: Theme) -> str:
    """Return the string as typed, with marks. Besides its colour, a mark has a line and words.

    Overlapping parts are marked from the end of the previous one.
    """
    pieces, at = [], 0
    for part in sorted(failing, key=lambda part: (part.span.start, -part.span.end)):
        start, end = max(part.span.start, at), min(part.span.end, len(text))
        if start >= end:
            continue
        words = EXCLUDES if part.is_excluded else MISSES
        pieces.append(escape(text[at:start]))
        pieces.append(f'<mark>{escape(text[start:end])}<span class="why"> ({words})</span></mark>')
        at = end
    pieces.append(escape(text[at:]))
    return f'<p class="qs-marked">{"".join(pieces)}</p>{_style(theme)}'


def _style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-marked {{ font-family: "Source Code Pro", monospace; font-size: 0.85rem; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: 0; color: {c["text"]}; }}
.qs-marked mark {{ background: transparent; color: {c["core"]}; text-decoration: underline wavy {c["core"]};
  text-underline-offset: 3px; }}
.qs-marked .why {{ color: {c["faint"]}; font-family: inherit; font-size: 0.75rem; display: inline-block; }}
</style>"""


# Looking up the core publications in a source: the effort, the progress, and the outcome.

MOST = "core_most_calls"
CEILING = 5_000
MOST_PARTS = 16


def is_idle(job: Job | None) -> bool:
    """Return True if there is nothing to report: it is not running, and did not fail."""
    return job is None or job.finished


def draw_asking(run: LiveRun, wanted: Sequence[LookupTarget], found: Lookup | None, job: Job | None) -> None:
    if is_watched(job, "Stop"):
        return
    if job is not None and job.error:
        draw_problem(job.error)
    elif job is not None and job.cancelled and (found is None or not found.is_cut):
        st.info("Stopped before the source answered.", icon=":material/stop_circle:")
    if job is not None and job.finished:
        forget(job)
    if found is not None and not found.is_cut:
        with st.expander("Look up again", icon=":material/replay:"):
            _draw_button(run, wanted)
    elif found is None:
        _draw_button(run, wanted, is_first=True)
    else:
        settled = {item.wanted for item in found.items if item.is_settled}
        _draw_button(run, [each for each in wanted if each not in settled], is_first=True, is_rest=True)


def _draw_button(
    run: LiveRun, wanted: Sequence[LookupTarget], *, is_first: bool = False, is_rest: bool = False
) -> None:
    """Draw the button. `is_rest`: publications with a result are not looked up again."""
    label = source_label(run.source)
    state.settle_number(MOST, 1, CEILING, MOST_CALLS)
    number_at, button_at = st.columns([0.28, 0.72], vertical_alignment="bottom")
    allowed = int(
        number_at.number_input(
            "Maximum number of counts",
            1,
            CEILING,
            key=MOST,
            help="The lookup stops at this limit; the rest is listed as not asked.",
        )
    )
    n_most = min(allowed, most_counts(run, n_open(run, wanted)))
    busy = "The run is in progress." if RUN_JOBS.is_running(run.run_id) else None
    reason = why_locked() or why_not(run.source) or busy
    button_at.button(
        f"{'Resume with' if is_rest else 'Look up'} {many(len(wanted), 'core publication')} in {plain(label)}: at "
        f"most {many(n_most, 'count')}",
        key="core-look",
        icon=":material/search:",
        type="primary" if is_first else "secondary",
        disabled=reason is not None,
        help=plain(reason) if reason else None,
        on_click=start_lookup,
        args=(run.run_id,),
        kwargs={"most_calls": allowed},
    )
    about = ABOUT[run.source]
    time = in_time(n_most / about.per_second)
    st.caption(
        plain(
            f"This first checks which of them {label} indexes. Count requests then show whether the string finds "
            f"each one that was not fetched, and which part of it does not. {sentence(time)[:-1]} for these, "
            f"{in_dollars(n_most * about.dollars_per_call)}."
            if n_most
            else f"This checks which of them {label} indexes, without count requests."
        )
    )


def n_open(run: LiveRun, wanted: Sequence[LookupTarget]) -> int:
    """Count the publications that the run has not fetched."""
    fetched = brought_ids(cache.workspace(), run) or frozenset()
    return sum(each.publication_id not in fetched for each in wanted)


def most_counts(run: LiveRun, n: int) -> int:
    """Return the largest number of counts needed for n publications: the whole string and all its parts for each."""
    if not ABOUT[run.source].can_explain:
        return 0
    return n * (len(run.prepared.forms) + sum(len(part.forms) for part in _parts(run)))


def _parts(run: LiveRun) -> tuple[Clause, ...]:
    def make() -> tuple[Clause, ...]:
        with asking(run.source) as source:
            room = getattr(source, "room", None)
        return clauses(parse(run.text, run.prepared.dialect), run.source, run.prepared.choices, room)

    return cache.kept("live-parts", MOST_PARTS).of(run.run_id, make)


# The string and the source to look at: those of a run, or another string that is not run for this.

TEXT, SOURCE, CHOSEN = "core_text", "core_source", "core_run"
LONGEST = 100_000
NOTE = "live-core"


def choose_run() -> LiveRun | None:
    """Return the open run, or the newest of the topic; None: there is none yet."""
    draw_noted(NOTE)
    topic_id = state.read_topic()
    runs = live_runs(cache.workspace().store)
    opened = next(iter(state.asked_for(OPENED)), None) if state.value(OPENED, "") is not None else None
    shown = {run.run_id: run for run in runs if run.topic_id == topic_id or run.run_id == opened}
    if shown:
        run = _chosen(shown, opened)
    else:
        run = None
        st.info("No runs for this topic yet. Start one in the view Search, or try a search string below.")
        st.button("Search", key="core-search", icon=":material/search:", type="primary", on_click=_to_search)
    with st.expander("Use another search string, without running it", icon=":material/edit:", expanded=run is None):
        _draw_another(topic_id)
    return run


def _chosen(shown: dict[str, LiveRun], opened: str | None) -> LiveRun:
    if opened in shown and state.value(CHOSEN) != opened:
        state.set_value(CHOSEN, opened)
    state.settle_named(CHOSEN, list(shown))
    run_id = str(
        st.selectbox(
            "Run",
            list(shown),
            key=CHOSEN,
            format_func=lambda each: run_name(shown[each]) if each in shown else each,
            on_change=_open_chosen,
        )
    )
    state.write_in_link(OPENED, [run_id])
    st.caption(plain(short(shown[run_id].text)))
    return shown[run_id]


def _open_chosen() -> None:
    state.set_value(OPENED, state.value(CHOSEN))


def _to_search() -> None:
    state.set_value(NEXT_VIEW, "Search")


def _draw_another(topic_id: str | None) -> None:
    st.caption("This saves a run that has not started. Nothing is fetched; you can start it in the view Runs.")
    st.text_area("Search string", key=TEXT, max_chars=LONGEST, height=100)
    where, button = st.columns([0.5, 0.5], vertical_alignment="bottom")
    where.selectbox("Source", ORDER, key=SOURCE, format_func=source_label)
    button.button(
        "Use this search string",
        key="core-take",
        icon=":material/check:",
        disabled=why_locked() is not None or topic_id is None,
        help=why_locked() or (None if topic_id else "Choose a topic at the top first."),
        on_click=_take,
        args=(topic_id,),
    )


def _take(topic_id: str) -> None:
    text, source = str(state.value(TEXT, "")), state.value(SOURCE)
    if not text.strip():
        state.say_once(NOTE, "enter a search string first")
        return
    with state.noting(NOTE):
        source_id: SourceId = source
        open_run(plan(topic_id, SourceSearch(text), source_id, fresh=True).run_id, "Core publications")
        state.set_value(TEXT, "")


# The status of each core publication in a source: counts, the table, and why the string misses some.

ALL = "all"
SHOWN = "core_verdict"
BY_WORDS = {"doi": "DOI", "pmid": "PubMed number", "title": "title"}
MOST_EXPLAINED = 15
MOST_DRAWN = 100
"""Drawing a thousand strings takes seconds."""
TELLING: tuple[CoreVerdict, ...] = ("missed", "not indexed", "unsure", "not asked", "found")
"""Order of the list: those that can be acted on come first."""


def draw_lookup(run: LiveRun, found: Lookup) -> None:
    there = (item.verdict for item in found.items if item.located.status == "indexed")
    counts = core_counts((item.verdict for item in found.items), there)
    st.markdown(f"**{plain(counts.sentence(source_label(run.source)))}**")
    asked = f"Looked up {when(found.at)}, with {many(found.n_calls, 'count')}. " if found.at else ""
    st.caption(plain(f"{asked}Stored until the core set or the run changes."))
    _draw_cautions(run, found)
    _draw_numbers(counts)
    shown = _choose(found.items, counts)
    st.dataframe(
        item_rows(shown),
        hide_index=True,
        key="core-items",
        column_config={
            "Title": st.column_config.Column(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
            "Why": st.column_config.Column(width="large"),
        },
    )
    rows = item_rows(found.items)
    draw_files(
        file_stem(run, "core publications"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(found.as_document())},
        key="core-files",
    )
    _draw_missed(run, [item for item in shown if item.verdict == "missed"])


def _draw_cautions(run: LiveRun, found: Lookup) -> None:
    if found.is_cut:
        why = sentence(found.problem or "the limit of count requests was reached")
        kept = "Results so far are saved: resume to look up only the rest."
        st.warning(plain(f"The lookup stopped early. {why} {kept}"), icon=":material/warning:")
    if run.is_capped:
        st.caption(
            plain(
                f"The run stopped at its cap of {run.most:,}. A core publication beyond it counts as found here, "
                "since the string finds it, but it was not fetched."
            )
        )
    if any(item.is_our_reading for item in found.items):
        st.caption(
            plain(
                f"{source_label(run.source)} can't check whether a string finds one particular publication. The "
                "words of its records were matched here instead, which can differ from how the source matches "
                "them."
            )
        )
    if run.state != "done":
        st.caption(
            "This run is not finished. The verdicts show only whether the string finds a publication, not whether "
            "it was fetched."
        )
    elif version_of(cache.workspace(), run) is None:
        st.caption(
            "The version of this run is deleted. The verdicts show only whether the string finds a publication, "
            "not whether it was fetched."
        )


def _draw_numbers(counts: CoreCounts) -> None:
    a, b, c, d = st.columns(4)
    attainable = counts.attainable
    for place, value, metric_id in (
        (a, counts.recall_between, "recall_within"),
        (b, None if attainable is None else (attainable, attainable), "attainable"),
    ):
        words = SOURCE_METRICS[metric_id]
        place.metric(words.label, "–" if value is None else in_range(value), help=f"{words.sentence} {words.undefined}")
    c.metric("Indexed", f"{counts.n_indexed:,}", help="Core publications that the source indexes.")
    d.metric(
        "Not indexed",
        f"{counts.n_not_indexed:,}",
        help=("No search string can find them in this source. Another source may index them."),
    )


def _choose(items: Sequence[CoreLookupItem], counts: CoreCounts) -> list[CoreLookupItem]:
    n_of = dict(
        zip(
            VERDICTS,
            (counts.n_found, counts.n_missed, counts.n_not_indexed, counts.n_unsure, counts.n_not_asked),
            strict=True,
        )
    )
    names = {ALL: f"All ({len(items):,})"}
    names |= {verdict: f"{verdict.capitalize()} ({n:,})" for verdict, n in n_of.items() if n}
    control = st.segmented_control
    chosen = choose_one(
        control, "Show", list(names), SHOWN, usual=ALL, names=names, required=True, label_visibility="collapsed"
    )
    return sorted(
        (item for item in items if chosen in (ALL, item.verdict)), key=lambda item: TELLING.index(item.verdict)
    )


def item_rows(items: Sequence[CoreLookupItem]) -> list[dict[str, str | int | None]]:
    return [
        {
            "Verdict": item.verdict.capitalize(),
            "Title": item.wanted.title or item.wanted.publication_id,
            "Year": item.wanted.year,
            "Why": sentence(item.sentence),
            "Located by": BY_WORDS.get(item.located.by or "", "–"),
            "ID in source": item.located.key or "–",
            "DOI": item.wanted.doi or "–",
        }
        for item in items
    ]


def _draw_missed(run: LiveRun, missed: Sequence[CoreLookupItem]) -> None:
    explained = [item for item in missed if item.failing]
    if not explained:
        return
    st.markdown("**Indexed, but missed by the string**")
    st.caption("How to read this: the underlined parts do not find the publication; the others do.")
    draw_folded(explained[:MOST_DRAWN], partial(_draw_one, run), most=MOST_EXPLAINED)
    if len(explained) > MOST_DRAWN:
        st.caption(f"The first {MOST_DRAWN:,} of {len(explained):,} are shown; the files list all.")


def _draw_one(run: LiveRun, item: CoreLookupItem) -> None:
    with st.container(border=True):
        year = f" ({item.wanted.year})" if item.wanted.year else ""
        st.markdown(f"**{plain(item.wanted.title or item.wanted.publication_id)}**{year}")
        st.html(marked_html(run.text, item.failing, current_theme()))
        st.caption(plain(sentence(item.sentence)))


# The view "Core publications".

ABOUT_IT = (
    "A core publication that a search misses is either not indexed by the source, so that no search string can "
    "find it there, or indexed and missed by the string. This lookup queries the source to tell which."
)


def draw_core() -> None:
    st.caption(ABOUT_IT)
    run = choose_run()
    if run is None:
        return
    try:
        wanted = wanted_core(cache.workspace(), run.topic_id)
    except NoCoreError:
        st.info(plain(f"{run.topic_id} has no core publications yet: import them to look them up."))
        if st.button("Import core publications", icon=":material/upload_file:", type="primary", key="core-bring"):
            state.choose_topic_next(run.topic_id)
            state.open_part("Import", "Core publications")
            st.switch_page("library/page.py", query_params={})
        return
    found, job = lookup_of(run.run_id)
    where = st.container()
    if found is not None:
        with guarded():
            draw_lookup(run, found)
        where = st.container() if is_idle(job) and not found.is_cut else where  # a complete result is rarely repeated
    with where:
        draw_asking(run, wanted, found, job)
